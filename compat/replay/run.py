"""Records against one pair of versions, one pass, constant memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, Protocol

import orjson

from compat.errors import CompatError
from compat.jsonvalue import JSON, dumps
from compat.replay.causes import Cause, Explainer, Failing
from compat.replay.parse import Kind, UnparsableError, parse_record
from compat.replay.read import Block, Record, Run, Unreadable
from compat.replay.shape import shape_of
from compat.replay.summary import (
    MOST_PLACES,
    MOST_UNREADABLE,
    Disagreement,
    Example,
    Group,
    RecordPlace,
    Summary,
    Tally,
    Trouble,
    count_combination,
    ordered,
)

# The reference looks again at the 1st, 2nd, 4th, 8th … record of an outcome, and at every one of so many.
RECHECK_EVERY: Final = 16_384

Redact = Callable[[JSON], JSON]


class Checker(Protocol):
    """What a replay asks of one schema."""

    @property
    def quick(self) -> Callable[[JSON], bool] | None:
        """The fastest answer about values with ordinary numbers, where there is one."""
        ...

    def is_valid(self, record: Record) -> bool:
        """Answer fast."""
        ...

    def confirms(self, record: Record) -> bool:
        """Answer by the reference."""
        ...

    def failures(self, value: JSON) -> Iterable[Failing]:
        """Give the assertions that a value fails, by the reference."""
        ...


def replay(
    blocks: Iterable[Block],
    old: Checker,
    new: Checker,
    explainer: Explainer,
    *,
    redact: Redact | None = None,
) -> Summary:
    """Validate every record under `old` and `new` and sum up what differs.

    Pass the same checker twice where both schemas are the same. Examples keep their values unless `redact` takes
    them out (see `compat.replay.shape.shape_of`).
    """
    running = Replay(old, new, explainer, redact)
    for block in blocks:
        running.take(block)
    return running.summary()


def redaction(names: frozenset[str]) -> Redact:
    """Give the function that keeps the form of a record and the names schemas publish, and nothing else."""
    return lambda value: shape_of(value, names)


class Losses:
    """What could not be read, counted by kind."""

    def __init__(self) -> None:
        self._counts: dict[Kind, int] = {}
        self._first: dict[Kind, list[Unreadable]] = {}

    def take(self, trouble: Unreadable) -> None:
        self._counts[trouble.kind] = self._counts.get(trouble.kind, 0) + 1
        first = self._first.setdefault(trouble.kind, [])
        if len(first) < MOST_UNREADABLE:
            first.append(trouble)

    @property
    def count(self) -> int:
        return sum(self._counts.values())

    def troubles(self) -> tuple[Trouble, ...]:
        return tuple(
            Trouble(kind, self._counts[kind], tuple(self._first[kind])) for kind in Kind if kind in self._counts
        )

    def summary(self) -> Summary:
        """Sum up losses of records that belong to no pair."""
        return Summary(Tally(unreadable=self.count), troubles=self.troubles())


class Replay:
    """A replay that is fed one outcome after the other, for streams that many pairs share."""

    def __init__(self, old: Checker, new: Checker, explainer: Explainer, redact: Redact | None = None) -> None:
        self._old = old
        self._new = new
        self._explainer = explainer
        self._redact = redact
        self._passes_both = self._newly_fails = self._failed_already = self._newly_passes = 0
        self._groups: dict[Cause, _Growing] = {}
        self._losses = Losses()
        self._failed_places: list[RecordPlace] = []
        self._disagreements: list[Disagreement] = []
        self._disagreed = 0
        self._rechecked = 0
        self._combinations: dict[frozenset[Cause], int] = {}

    def take(self, block: Block) -> None:
        """Count one outcome, or those of a run of lines."""
        if isinstance(block, Record):
            self._judge(block)
        elif isinstance(block, Run):
            self._take_run(block)
        else:
            self._losses.take(block)

    def _take_run(self, run: Run) -> None:
        """Pass over what passes both without making a record of it; all else goes the long way."""
        new, old = self._new.quick, self._old.quick
        if new is None or old is None:
            for outcome in run.outcomes():
                self.take(outcome)
            return
        same = self._old is self._new
        for number, data in enumerate(run.lines, run.number):
            try:
                value, ordinary = parse_record(data)
                if ordinary and new(value) and (same or old(value)):
                    seen = self._passes_both + 1
                    if seen & (seen - 1) and seen % RECHECK_EVERY:
                        self._passes_both = seen
                        continue
            except (UnparsableError, CompatError, RecursionError):
                pass  # said below, with its place
            found = run.outcome(number, data)
            if found is not None:
                self.take(found)

    def _judge(self, record: Record) -> None:
        try:
            passed = self._new.is_valid(record)
            passed_before = passed if self._old is self._new else self._old.is_valid(record)
            if passed and passed_before:
                seen = self._passes_both + 1
                if seen & (seen - 1) and seen % RECHECK_EVERY:
                    self._passes_both = seen
                    return
            else:
                seen = self._seen(passed_before, passed) + 1
            if seen & (seen - 1) == 0 or seen % RECHECK_EVERY == 0:
                passed_before, passed = self._second_look(record, passed_before, passed)
            causes = self._causes(record) if passed_before and not passed else None
            size = _size(record.value) if causes else 0
        except CompatError as error:
            self._losses.take(Unreadable(Kind.UNCHECKED, error.message, record.source, record.line))
            return
        except RecursionError:
            reason = "nested too deeply to be validated"
            self._losses.take(Unreadable(Kind.TOO_DEEP, reason, record.source, record.line))
            return
        if causes is not None and not causes:  # the reference finds nothing to object to
            self._differ(record, "new", fast=False)
            passed = True
        if passed:
            if passed_before:
                self._passes_both += 1
            else:
                self._newly_passes += 1
        elif passed_before:
            self._newly_fails += 1
            self._explain(record, causes or frozenset(), size)
        else:
            self._failed_already += 1
            if len(self._failed_places) < MOST_PLACES:
                self._failed_places.append(RecordPlace(record.source, record.line))

    def summary(self) -> Summary:
        """Sum up what was taken so far."""
        tally = Tally(
            self._passes_both, self._newly_fails, self._failed_already, self._newly_passes, self._losses.count
        )
        return Summary(
            tally=tally,
            groups=ordered(growing.group(cause) for cause, growing in self._groups.items()),
            troubles=self._losses.troubles(),
            failed_already=tuple(self._failed_places),
            disagreements=tuple(self._disagreements),
            disagreed=self._disagreed,
            rechecked=self._rechecked,
            combinations=self._combinations,
        )

    def _seen(self, passed_before: bool, passed: bool) -> int:
        if passed:
            return self._passes_both if passed_before else self._newly_passes
        return self._newly_fails if passed_before else self._failed_already

    def _second_look(self, record: Record, passed_before: bool, passed: bool) -> tuple[bool, bool]:
        """Ask the reference, report where it differs, and go by it."""
        self._rechecked += 1
        now = self._new.confirms(record)
        if now is not passed:
            self._differ(record, "new", fast=passed)
        if self._old is self._new:
            return now, now
        before = self._old.confirms(record)
        if before is not passed_before:
            self._differ(record, "old", fast=passed_before)
        return before, now

    def _differ(self, record: Record, schema: str, *, fast: bool) -> None:
        self._disagreed += 1
        if len(self._disagreements) < MOST_PLACES:
            place = RecordPlace(record.source, record.line)
            self._disagreements.append(Disagreement(place, schema, fast, not fast))

    def _causes(self, record: Record) -> frozenset[Cause]:
        return self._explainer.causes(record.value, self._new.failures(record.value))

    def _explain(self, record: Record, causes: frozenset[Cause], size: int) -> None:
        count_combination(self._combinations, causes)
        place = RecordPlace(record.source, record.line)
        for cause in causes:
            growing = self._groups.get(cause)
            if growing is None:
                growing = self._groups[cause] = _Growing()
            growing.add(place, size, record.value, self._redact)


class _Growing:
    """A group while it grows; only a record shorter than all before is redacted and kept."""

    __slots__ = ("_count", "_example", "_places")

    def __init__(self) -> None:
        self._count = 0
        self._places: list[RecordPlace] = []
        self._example: Example | None = None

    def add(self, place: RecordPlace, size: int, value: JSON, redact: Redact | None) -> None:
        self._count += 1
        if len(self._places) < MOST_PLACES:
            self._places.append(place)
        if self._example is None or size < self._example.size:
            shown = value if redact is None else redact(value)
            self._example = Example(size, place, shown, redact is not None)

    def group(self, cause: Cause) -> Group:
        assert self._example is not None
        return Group(cause, self._count, tuple(self._places), self._example)


def _size(value: JSON) -> int:
    try:
        return len(orjson.dumps(value))
    except orjson.JSONEncodeError:
        return len(dumps(value))


def watched(blocks: Iterable[Block], tick: Callable[[int], None], every: int = 1_000) -> Iterator[Block]:
    """Pass blocks through and tell `tick` now and then how many lines and records went by."""
    count, told = 0, 0
    for block in blocks:
        count += len(block.lines) if isinstance(block, Run) else 1
        if count - told >= every:
            told = count
            tick(count)
        yield block
    tick(count)

"""Records against one pair of versions, one pass, constant memory."""

from __future__ import annotations

import gc
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

import orjson

from compat.errors import CompatError
from compat.jsonvalue import JSON, dumps
from compat.model.bulk import BulkPair
from compat.model.instance import BulkValidator
from compat.replay.causes import Cause, Explainer, Failing
from compat.replay.cutting import Gap, Lines
from compat.replay.parse import MAY_BE_LARGE, Kind, parse_lines
from compat.replay.read import Block, Record, Run, Unreadable, unreadable_at
from compat.replay.shape import shape_of
from compat.replay.signature import Memory, signature
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

# The reference looks again at the 1st, 2nd, 4th, 8th … record of an outcome, and at every one of so many; in the
# later pieces of a stream at the first of an outcome, and at a pass in every one of so many pieces.
RECHECK_EVERY: Final = 16_384
RECHECK_PIECES: Final = 16
BATCH: Final = 16 << 10

Redact = Callable[[JSON], JSON]


class Checker(Protocol):
    """What a replay asks of one schema."""

    @property
    def bulk(self) -> BulkValidator | None:
        """What answers about many values at once, where there is such a thing."""
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
    pieces: Iterable[Block],
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
    for piece in pieces:
        running.take(piece)
    return running.summary()


def redaction(names: frozenset[str]) -> Redact:
    """Give the function that keeps the form of a record and the names schemas publish, and nothing else."""
    return lambda value: shape_of(value, names)


@dataclass(frozen=True, slots=True)
class _Looks:
    """At which records of an outcome the reference looks again, counted from 1.

    `powers` is at the 1st, 2nd, 4th, 8th … and at every one of so many; `passes` at the first that passes both, where
    it is not `powers`; of any other outcome the first is looked at always.
    """

    powers: bool
    passes: bool

    def at(self, seen: int) -> bool:
        return _is_power(seen) or seen % RECHECK_EVERY == 0 if self.powers else seen == 1

    def at_pass(self, seen: int) -> bool:
        return self.at(seen) if self.powers or self.passes else False

    def dues(self, first: int, end: int) -> Iterator[int]:
        """Yield the passes from `first` on, before `end`, that are looked at."""
        if not self.powers:
            if first == 1 < end and self.passes:
                yield 1
            return
        at = first
        while at < end:
            power = 1 << (at - 1).bit_length()
            at = min(power, -(-at // RECHECK_EVERY) * RECHECK_EVERY)
            if at < end:
                yield at
            at += 1


_THOROUGH: Final = _Looks(powers=True, passes=True)
_NOW: Final = _Looks(powers=False, passes=True)
_SPARING: Final = _Looks(powers=False, passes=False)


def _looks(nth: int) -> _Looks:
    """Choose by the place in the stream alone, so that it does not matter who judges the piece."""
    if not nth:
        return _THOROUGH
    return _NOW if nth % RECHECK_PIECES == 0 else _SPARING


def _is_power(number: int) -> bool:
    return number & (number - 1) == 0


class Both(Protocol):
    """Two schemas that are asked at once about values with ordinary numbers."""

    @property
    def wary(self) -> bool:
        """Whether numbers from 2^63 on must be kept away."""
        ...

    def all_valid(self, values: Sequence[JSON]) -> bool:
        """Tell whether every value is an instance of both; False where that is not sure."""
        ...


def _together(old: Checker, new: Checker) -> Both | None:
    if old.bulk is None or new.bulk is None:
        return None
    return BulkPair(old.bulk, new.bulk)


def batches(text: bytes) -> Iterator[bytes]:
    """Part lines into texts small enough that what they hold stays in the cache of a processor."""
    at, size = 0, len(text)
    while at <= size:
        end = size
        if size - at > BATCH:
            end = text.rfind(b"\n", at, at + BATCH)
            if end < 0:
                end = text.find(b"\n", at + BATCH)
                end = size if end < 0 else end
        yield text[at:end]
        at = end + 1


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep the collector away: records are trees, and it would go through them again and again for nothing."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


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


class Part(NamedTuple):
    """What was found in lines by themselves, their first being number 1, and how many there were."""

    summary: Summary
    lines: int


class Replay:
    """A replay that is fed one piece after the other, for streams that many pairs share."""

    def __init__(self, old: Checker, new: Checker, explainer: Explainer, redact: Redact | None = None) -> None:
        self._old = old
        self._new = new
        self._explainer = explainer
        self._redact = redact
        self._both = _together(old, new)
        self._memory = Memory()  # shared by the parts of a stream
        self._start(_THOROUGH)

    def _start(self, looks: _Looks) -> None:
        self._looks = looks
        self._passes_both = self._newly_fails = self._failed_already = self._newly_passes = 0
        self._groups: dict[Cause, _Growing] = {}
        self._losses = Losses()
        self._failed_places: list[RecordPlace] = []
        self._disagreements: list[Disagreement] = []
        self._disagreed = 0
        self._rechecked = 0
        self._combinations: dict[frozenset[Cause], int] = {}
        self._parts = Summary()
        self._before = 0  # lines of the stream that the parts come from

    def take(self, piece: Block) -> None:
        """Count one outcome, or those of many lines."""
        if isinstance(piece, Lines):
            self.add(piece, self.judge(piece))
        elif isinstance(piece, Record):
            self._judge(piece)
        elif isinstance(piece, Unreadable):
            self._losses.take(piece)
        elif isinstance(piece, Gap):
            self._before = self._before if piece.nth else 0
            self._losses.take(unreadable_at(piece, self._before))
            self._before += piece.lines
        else:
            for outcome in piece.outcomes():
                self.take(outcome)

    def add(self, piece: Lines, part: Part) -> None:
        """Count what was found in the next piece of a stream, here or elsewhere."""
        self._before = self._before if piece.nth else 0
        self.merge(part.summary.moved(self._before))
        self._before += part.lines

    def merge(self, summary: Summary) -> None:
        """Count what was found elsewhere."""
        self._parts += summary

    def alone(self, nth: int) -> Replay:
        """Give a replay of the same pair that has counted nothing yet, for the `nth` piece of a stream."""
        fresh = copy(self)
        fresh._start(_looks(nth))
        return fresh

    def judge(self, piece: Lines) -> Part:
        """Judge a piece of lines by itself; nothing is counted here, and the order of pieces does not matter."""
        alone = self.alone(piece.nth)
        with uncollected():
            number = 1
            for text in batches(piece.text):
                values = parse_lines(text)
                if values is None:
                    run = Run(piece.source, number, text.split(b"\n"), piece.ended)
                    alone.take(run)
                    number += len(run.lines)
                else:
                    end = number + len(values)
                    alone.take_values(piece.source, range(number, end), values, text)
                    number = end
        return Part(alone.summary(), number - 1)

    def take_values(self, source: str, numbers: Sequence[int], values: Sequence[JSON], text: bytes) -> None:
        """Count ordinary values of lines; where all is well, without making a record of any.

        `text` is what they were read from, with others or alone.
        """
        both = self._both
        if both is not None and not (both.wary and MAY_BE_LARGE.search(text)) and both.all_valid(values):
            self._pass(source, numbers, values)
            return
        for number, value in zip(numbers, values, strict=True):
            self._judge(Record(value, source, number))

    def _pass(self, source: str, numbers: Sequence[int], values: Sequence[JSON]) -> None:
        """Count values that pass both, and have those judged that the reference should look at."""
        if self._looks is _SPARING:
            self._passes_both += len(values)
            return
        first, counted = self._passes_both + 1, 0
        for due in self._looks.dues(first, first + len(values)):
            at = due - first
            self._passes_both += at - counted
            counted = at + 1
            self._judge(Record(values[at], source, numbers[at]))
        self._passes_both += len(values) - counted

    def _judge(self, record: Record) -> None:
        try:
            passed = self._new.is_valid(record)
            passed_before = passed if self._old is self._new else self._old.is_valid(record)
            if passed and passed_before:
                seen = self._passes_both + 1
                if not self._looks.at_pass(seen):
                    self._passes_both = seen
                    return
                look = True
            else:
                look = self._looks.at(self._seen(passed_before, passed) + 1)
            if look:
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
        return self._parts + self._own()

    def _own(self) -> Summary:
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
        said = self._said(record)
        known = None if said is None else self._memory.recall(said)
        if known is not None:
            return known
        causes = self._explainer.causes(record.value, self._new.failures(record.value))
        if said is not None:
            self._memory.learn(said, causes)
        return causes

    def _said(self, record: Record) -> Hashable | None:
        """Give what the fast validator objects to in a record, where it can be asked."""
        bulk = self._new.bulk
        if bulk is None or not record.ordinary:
            return None
        objections = bulk.objections(record.value)
        return None if not objections else signature(objections, self._explainer)

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

"""Witnesses built on real values: an example, a default or a stored record in which only the failing place differs.

The search finds the smallest witness there is, which looks like nothing anybody wrote. Where a real value is at hand,
the failing place of that witness is put into it, or what surrounds the place is taken from it; both schemas see the
result again, and where none holds the witness stays as it was found. No verdict hangs on any of this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from compat.errors import CompatError
from compat.jsonvalue import JSON, canonical, equal, pointer, resolve, tokens
from compat.proof.containment import Pair, Side
from compat.proof.grafting import Path, at, bare, distance, grafts, has, replaced, size, trimmed
from compat.proof.offers import Offer, Offers
from compat.proof.redaction import Records, is_modest, redacted
from compat.proof.verdict import Origin, Reason, Verdict, refusal

# A witness may be so many bytes larger than the smallest one known; one that is large by itself is left alone.
ROOM: Final = 200
LARGEST: Final = 8_192
# So many real values are tried, and so many instances for one witness.
MAX_REALS: Final = 6
MAX_TRIED: Final = 12
MAX_ROUNDS: Final = 4
# Subschemas that the validators may apply for one direction; beyond it witnesses stay as they were found.
MAX_EFFORT: Final = 100_000

_EXTRA = frozenset({"additionalProperties", "unevaluatedProperties"})
_WEIGHT = {Origin.RECORD: 2, Origin.EXAMPLE: 1, Origin.DEFAULT: 0}


@dataclass(frozen=True, slots=True)
class _Seen:
    """One failure as the reference validator sees it; `names` are the members that are missing, or too many."""

    source: str
    location: str
    keyword: str
    path: Path
    names: tuple[str, ...] = ()

    @property
    def kind(self) -> tuple[str, str, tuple[str, ...]]:
        """What makes two failures the same assertion's, wherever in an instance they are."""
        return self.source, self.location, () if self.keyword in _EXTRA else self.names

    @property
    def place(self) -> Path:
        """Where in the instance the trouble sits: at the first member that may not be there, where there is one."""
        return (*self.path, self.names[0]) if self.keyword in _EXTRA and self.names else self.path

    @property
    def missing(self) -> tuple[str, ...]:
        return () if self.keyword in _EXTRA else self.names


@dataclass(frozen=True, slots=True)
class _Task:
    """A witness as it was found, and what of it must stay: it fails `marks` at `path`, and little else."""

    raw: JSON
    path: Path
    marks: tuple[_Seen, ...]
    seen: tuple[_Seen, ...]
    undeclared: bool
    keeps: Callable[[JSON], bool]
    limit: int

    @property
    def others(self) -> int:
        return len(self.seen) - len(self.hits(self.seen))

    def hits(self, seen: Iterable[_Seen], *, anywhere: bool = False) -> list[_Seen]:
        kinds = {mark.kind for mark in self.marks}
        return [one for one in seen if one.kind in kinds and (anywhere or _on_one_line(one.path, self.path))]


@dataclass(frozen=True, slots=True)
class _Built:
    """An instance that does what the witness did; `others` counts what it fails besides."""

    value: JSON
    path: Path
    origin: Origin
    others: int


class Lifelike:
    """The witnesses of one direction, retold with real values; nothing is looked at before one is asked for."""

    def __init__(self, pair: Pair, left: Side, right: Side, verdict: Verdict, records: Records) -> None:
        self._pair = pair
        self._verdict = verdict
        self._left = left
        self._right = right
        self._records = records
        self._effort = 0
        self._told: dict[int, tuple[Reason, Reason]] = {}
        self._at: dict[Path, list[list[tuple[int, Offer]]]] = {}
        self._left_refuses: dict[bytes, list[Path] | None] = {}
        self._right_refuses: dict[bytes, tuple[_Seen, ...] | None] = {}

    def witness(self) -> tuple[JSON, Origin | None]:
        """Give the witness of the verdict, and where it has real values from."""
        raw = self._verdict.witness
        built = self._built(raw, self._verdict.undeclared, None)
        return (raw, None) if built is None else (built.value, built.origin)

    def reason(self, reason: Reason) -> Reason:
        """Retell a reason, always as the same object."""
        known = self._told.get(id(reason))
        if known is None:
            known = self._told[id(reason)] = (reason, self._retold(reason))
        return known[1]

    def _retold(self, reason: Reason) -> Reason:
        built = self._built(reason.witness, reason.undeclared, reason)
        if built is None:
            return reason
        subject = at(built.value, built.path)
        keyword, refuses, _ = reason.message.partition(" refuses ")
        changed = bool(refuses) and not equal(subject, reason.subject)
        return replace(
            reason,
            witness=built.value,
            instance_path=pointer(built.path),
            subject=subject,
            message=refusal(keyword, subject) if changed else reason.message,
            origin=built.origin,
        )

    # What is at hand

    @cached_property
    def _offers(self) -> tuple[Offers, ...]:
        return Offers(self._left.schemas), Offers(self._right.schemas)

    @cached_property
    def _has_reals(self) -> bool:
        return any(offers.any for offers in self._offers) or bool(self._records.taken)

    @cached_property
    def _reals(self) -> tuple[Offer, ...]:
        """Whole instances of the left side, those that may be shown as they are first, the small ones before others."""
        whole = {canonical(one.value): one for offers in self._offers for one in offers.at(()) if is_modest(one.value)}
        found = [one for one in whole.values() if self._look(one.value) is not None]
        found.sort(key=lambda one: (size(one.value), canonical(one.value)))
        for record in self._records.taken:
            if len(found) >= MAX_REALS or self._effort > MAX_EFFORT:
                break
            safe = redacted(record, self._verdict.witness, self._offers, self._refused)
            if safe is not None:
                found.append(Offer(safe, Origin.RECORD))
        return tuple(found[:MAX_REALS])

    # One witness

    def _built(self, raw: JSON, undeclared: bool, reason: Reason | None) -> _Built | None:
        try:
            return self._attempt(raw, undeclared, reason) if self._has_reals else None
        except (CompatError, RecursionError):
            return None  # what cannot be read or followed is told elsewhere

    def _attempt(self, raw: JSON, undeclared: bool, reason: Reason | None) -> _Built | None:
        if self._effort > MAX_EFFORT or not is_modest(raw) or size(raw) > LARGEST:
            return None
        seen = self._failures(self._right, raw)
        if not seen:
            return None
        if reason is None:
            marks: Sequence[_Seen] = seen[:1]
            path = seen[0].place
        else:
            path = _typed(raw, tokens(reason.instance_path))
            marks = _marks(seen, reason, path, self._right)
        task = _Task(raw, path, tuple(marks), seen, undeclared, _keeps(reason), size(raw) + ROOM)
        best = self._on_a_real(task)
        if best is not None and not best.others:
            return best
        dressed = self._dressed(task)
        found = [one for one in (best, dressed) if one is not None and one.others <= task.others]
        return min(found, key=lambda one: one.others, default=None)

    def _on_a_real(self, task: _Task) -> _Built | None:
        """Find the first of the real values that fails just there, by itself or with the failing place put in."""
        best: _Built | None = None
        tried: set[bytes] = set()
        for value, origin, grafted in _candidates(task, self._reals):
            key = canonical(value)
            if key in tried:
                continue
            if len(tried) == MAX_TRIED:
                break
            tried.add(key)
            built = self._judged(task, value, origin, grafted=grafted)
            if built is not None and (best is None or built.others < best.others):
                best = built
                if not best.others:
                    break
        return best

    def _judged(self, task: _Task, value: JSON, origin: Origin, *, grafted: bool) -> _Built | None:
        """Have both sides look at an instance: whether it does what the witness did, and what else it fails."""
        if size(value) > task.limit:
            return None
        seen = self._look(value)
        hits = task.hits(seen, anywhere=not grafted) if seen else []
        if not seen or not hits:
            return None
        path = task.path if grafted else hits[0].place
        if not has(value, path) or not task.keeps(at(value, path)):
            return None
        if not task.undeclared and not self._left.keeps_to_declared(value):
            return None
        if not self._seconded(value):
            return None
        return _Built(value, path, origin, len(seen) - len(hits))

    def _dressed(self, task: _Task) -> _Built | None:
        """Take what surrounds the failing place from what is offered for it, as far as both sides bear with it."""
        offers = dict(self._offered(task))
        for _ in range(MAX_ROUNDS):
            if not offers:
                return None
            value = replaced(task.raw, {path: offer.value for path, offer in offers.items()})
            wrong = self._wrong(task, value)
            if wrong is None:
                return None
            if not wrong:
                origin = max((offer.origin for offer in offers.values()), key=_WEIGHT.__getitem__)
                return self._judged(task, value, origin, grafted=True)
            offers = {path: offer for path, offer in offers.items() if not any(_on_one_line(path, p) for p in wrong)}
        return None

    def _wrong(self, task: _Task, value: JSON) -> list[Path] | None:
        """Give the places that keep an instance from doing what the witness did and nothing besides."""
        refused = self._refused(value)
        if refused is None or refused:
            return refused
        seen = self._look(value)
        if not seen or not task.hits(seen):
            return [task.path]
        known = {(one.kind, one.path) for one in task.seen}
        return [one.place for one in seen if (one.kind, one.path) not in known]

    def _offered(self, task: _Task) -> Iterator[tuple[Path, Offer]]:
        """Yield what is offered for the places of a witness beside the failing one, as far as there is room."""
        room = ROOM
        waiting: list[Path] = [()]
        while waiting:
            path = waiting.pop()
            value = at(task.raw, path)
            offer = None if task.path[: len(path)] == path else self._offer(path, value, room)
            if offer is not None:
                room -= max(0, size(offer.value) - size(value))
                yield path, offer
            else:
                below = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
                waiting += [(*path, token) for token in below][::-1]

    def _offer(self, path: Path, value: JSON, room: int) -> Offer | None:
        """Choose the smallest offer of the same type for a place, from the accepting side where it has one."""
        kind, largest = _type(value), size(value) + room
        for offers in self._offers_at(path):
            found = next((one for weight, one in offers if weight <= largest and _type(one.value) == kind), None)
            if found is not None:
                return found
        return None

    def _offers_at(self, path: Path) -> list[list[tuple[int, Offer]]]:
        """List what either side offers for a place, and then what the whole values have there, the small first."""
        if path not in self._at:
            sources: list[Iterable[Offer]] = [offers.at(path) for offers in self._offers]
            sources.append(Offer(at(one.value, path), one.origin) for one in self._reals if has(one.value, path))
            self._at[path] = [
                sorted(
                    ((size(one.value), one) for one in source if is_modest(one.value)),
                    key=lambda each: (each[0], canonical(each[1].value)),
                )
                for source in sources
            ]
        return self._at[path]

    # The validators

    def _refused(self, value: JSON) -> list[Path] | None:
        """Give the places at which the left refuses an instance; None where it cannot be asked."""
        key = canonical(value)
        if key not in self._left_refuses:
            seen = self._failures(self._left, value)
            self._left_refuses[key] = None if seen is None else [one.place for one in seen]
        return self._left_refuses[key]

    def _look(self, value: JSON) -> tuple[_Seen, ...] | None:
        """Give what an instance of the left fails on the right; None for what is no instance, or cannot be told."""
        key = canonical(value)
        if key not in self._right_refuses:
            self._right_refuses[key] = self._failures(self._right, value) if self._refused(value) == [] else None
        return self._right_refuses[key]

    def _failures(self, side: Side, value: JSON) -> tuple[_Seen, ...] | None:
        validator = self._pair.witnesses[side.name].reference
        try:
            found = [(validator.failure_of(error), getattr(error, "extra", ())) for error in validator.errors(value)]
        except (CompatError, RecursionError):
            self._effort = MAX_EFFORT + 1
            return None
        self._effort += validator.effort
        return tuple(
            _Seen(one.source, one.keyword_location, one.keyword, one.instance_path, tuple(names))
            for one, names in found
        )

    def _seconded(self, value: JSON) -> bool:
        """Whether the second validator does not deny it; not asked where that might take longer than anyone waits."""
        if self._effort > MAX_EFFORT:
            return False
        accepts, rejects = (self._pair.witnesses[side.name].second for side in (self._left, self._right))
        return accepts.is_valid(value) is not False and rejects.is_valid(value) is not True


def _candidates(task: _Task, reals: Sequence[Offer]) -> list[tuple[JSON, Origin, bool]]:
    """List instances to try, those first that differ in the fewest places, and whether the failing one was put in.

    A real value that fails by itself differs in none.
    """
    missing = [name for mark in task.marks for name in mark.missing]
    found: list[tuple[int, tuple[JSON, Origin, bool]]] = [(0, (real.value, real.origin, False)) for real in reals]
    for real in reals:
        for whole in grafts(real.value, task.raw, task.path, missing):
            cut = [trimmed(each, task.raw, task.limit) for each in (whole, bare(whole, task.raw))]
            found += [(1 + distance(real.value, value), (value, real.origin, True)) for value in cut]
    return [candidate for _, candidate in sorted(found, key=lambda each: each[0])]


def _marks(seen: Sequence[_Seen], reason: Reason, path: Path, right: Side) -> list[_Seen]:
    """Pick the failures of a witness that are its reason's; several where the validator tells them at other places."""
    near = [one for one in seen if _on_one_line(one.place, path)] or list(seen)
    location = reason.keyword_location
    own = [one for one in near if one.source == reason.source and one.location == location]
    if not own:
        around, _, index = location.rpartition("/")
        name = _written(right, reason.source, location) if index.isdigit() else None
        own = [one for one in near if one.source == reason.source and one.location == around]
        own = [one for one in own if one.names == (name,)] or own
    return own or near[:1]


def _written(side: Side, source: str, location: str) -> object:
    """Give what a schema writes at a place, such as one name among those that are required."""
    for document in side.schemas.documents():
        if document.name == source:
            try:
                return resolve(document.value, location)
            except (KeyError, IndexError):
                return None
    return None


def _keeps(reason: Reason | None) -> Callable[[JSON], bool]:
    """Say which values may stand for the one that is refused: of an enumeration only that, of a type only its like."""
    keyword = "" if reason is None else reason.keyword_location.rpartition("/")[2]
    if reason is not None and keyword in ("enum", "const"):
        return lambda value: equal(value, reason.subject)
    if reason is not None and keyword == "type":
        return lambda value: _type(value) == _type(reason.subject)
    return lambda value: True


def _typed(value: Any, names: Sequence[str]) -> Path:
    """Read the tokens of a pointer as keys and positions of an instance, as far as they lead."""
    path: list[str | int] = []
    for name in names:
        token: str | int = int(name) if isinstance(value, list) and name.isdigit() else name
        if not has(value, (token,)):
            break
        value = value[token]
        path.append(token)
    return tuple(path)


def _type(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return "boolean" if value is not None else "null"
    if isinstance(value, str | dict | list):
        return type(value).__name__
    return "number"


def _on_one_line(one: Path, other: Path) -> bool:
    return all(a == b for a, b in zip(one, other, strict=False))

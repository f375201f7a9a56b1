"""Witnesses built on real values: an example, a default or a stored record in which only the failing place differs.

The search finds the smallest witness there is, which looks like nothing anybody wrote. Where a real value is at hand,
the failing place of that witness is put into it, or what surrounds the place is taken from it; both schemas see the
result again, and where none holds the witness stays as it was found. No verdict hangs on any of this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from compat.errors import CompatError
from compat.jsonvalue import JSON, canonical, equal, pointer, resolve, tokens
from compat.proof.containment import Pair, Side
from compat.proof.grafting import Path, at, bare, distance, grafts, has, replaced, size, trimmed
from compat.proof.material import Material, json_type
from compat.proof.offers import Offer
from compat.proof.onlookers import Onlookers, Seen
from compat.proof.redaction import Records, is_modest
from compat.proof.verdict import Origin, Reason, Verdict, refusal

# A witness may be so many bytes larger than the smallest one known; one that is large by itself is left alone.
ROOM: Final = 200
LARGEST: Final = 8_192
# So many instances are tried for one witness, and so often what surrounds its failing place.
MAX_TRIED: Final = 12
MAX_ROUNDS: Final = 4

_WEIGHT = {Origin.RECORD: 2, Origin.EXAMPLE: 1, Origin.DEFAULT: 0}


@dataclass(frozen=True, slots=True)
class _Task:
    """A witness as it was found, and what of it must stay: it fails `marks` at `path`, and little else."""

    raw: JSON
    path: Path
    marks: tuple[Seen, ...]
    seen: tuple[Seen, ...]
    undeclared: bool
    keeps: Callable[[JSON], bool]
    limit: int

    @property
    def others(self) -> int:
        return len(self.seen) - len(self.hits(self.seen))

    def hits(self, seen: Iterable[Seen], *, anywhere: bool = False) -> list[Seen]:
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
        self._verdict = verdict
        self._left = left
        self._right = right
        self._onlookers = Onlookers(pair, left, right)
        self._material = Material(self._onlookers, verdict.witness, records)
        self._told: dict[int, tuple[Reason, Reason]] = {}

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

    # One witness

    def _built(self, raw: JSON, undeclared: bool, reason: Reason | None) -> _Built | None:
        try:
            return self._attempt(raw, undeclared, reason) if self._material.any else None
        except (CompatError, RecursionError):
            return None  # what cannot be read or followed is told elsewhere

    def _attempt(self, raw: JSON, undeclared: bool, reason: Reason | None) -> _Built | None:
        if self._onlookers.tired or not is_modest(raw) or size(raw) > LARGEST:
            return None
        seen = self._onlookers.failures(self._right, raw)
        if not seen:
            return None
        if reason is None:
            marks: Sequence[Seen] = seen[:1]
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
        for value, origin, grafted in _candidates(task, self._material.reals):
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
        seen = self._onlookers.look(value)
        hits = task.hits(seen, anywhere=not grafted) if seen else []
        if not seen or not hits:
            return None
        path = task.path if grafted else hits[0].place
        if not has(value, path) or not task.keeps(at(value, path)):
            return None
        if not task.undeclared and not self._left.keeps_to_declared(value):
            return None
        if not self._onlookers.seconded(value):
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
        refused = self._onlookers.refused(value)
        if refused is None or refused:
            return refused
        seen = self._onlookers.look(value)
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
            offer = None if task.path[: len(path)] == path else self._material.offer(path, value, room)
            if offer is not None:
                room -= max(0, size(offer.value) - size(value))
                yield path, offer
            else:
                below = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
                waiting += [(*path, token) for token in below][::-1]


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


def _marks(seen: Sequence[Seen], reason: Reason, path: Path, right: Side) -> list[Seen]:
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
        return lambda value: json_type(value) == json_type(reason.subject)
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


def _on_one_line(one: Path, other: Path) -> bool:
    return all(a == b for a, b in zip(one, other, strict=False))

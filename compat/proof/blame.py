"""Which change a reason is the fault of.

A reason is one assertion that refuses something; a change is one difference of the texts. They meet by place, through
references, and by the instances they speak of, as long as the word of the change's rule allows it: what narrows does
not widen. Where a schema chooses between branches, one reason stands for whatever failed inside, and each suspect is
tried alone: made to the old version by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

from compat.diff.apply import applied
from compat.diff.change import Change, Side
from compat.diff.walk import changes as walk_changes
from compat.errors import CompatError
from compat.jsonvalue import JSON, equal, pointer, resolve, step, tokens, walk
from compat.model.check import check
from compat.model.document import Document
from compat.model.instance import Formats
from compat.model.references import SchemaSet
from compat.proof.containment import Pair
from compat.proof.verdict import Reason, Verdict
from compat.relation import Direction, Effect, Status

# Keywords that decide together over the members of an object, or over the items of an array; what one of them no longer
# names falls to another.
_TOGETHER = (
    ("properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames"),
    ("prefixItems", "items", "additionalItems", "unevaluatedItems"),
)
# Keywords that fail as a whole, whichever of their subschemas is at fault.
_CHOICES = frozenset(
    {"anyOf", "oneOf", "not", "if", "then", "else", "contains", "minContains", "maxContains", "propertyNames"}
    | {"dependentSchemas", "dependencies", "unevaluatedProperties", "unevaluatedItems"}
)
# Rules about one value of a list: a reason that refuses another value is not theirs.
_OF_ONE_VALUE = frozenset({"enum-value-removed", "enum-value-added"})
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")

# So many suspects are tried alone at most; beyond, all of them are blamed.
MAX_ALONE: Final = 24

_Place = tuple[str, tuple[str, ...]]


class Blame:
    """The reasons of both directions, each with the changes that cause it."""

    def __init__(
        self,
        pair: Pair,
        sets: tuple[SchemaSet, SchemaSet],
        changes: Sequence[Change],
        reasons: Mapping[Direction, Sequence[Reason]],
        *,
        formats: Formats,
        steps: int,
    ) -> None:
        self._pair = pair
        self._old, self._new = sets
        self._changes = changes
        self._reasons = reasons
        self._formats: Formats = formats
        self._steps = steps
        self._tried: dict[int, Pair | None] = {}
        self._verdicts: dict[tuple[Pair, Direction], Verdict] = {}
        self._reached: dict[tuple[bool, str, str], tuple[_Place, ...]] = {}
        self._found: dict[tuple[int, Direction, int], Reason] = {}

    def breaks(self, change: Change) -> frozenset[Direction]:
        """Give the directions that a change breaks."""
        return frozenset(each for each in Direction if any(id(change) in own for own in self._causes[each].values()))

    def reasons_of(self, change: Change) -> Iterator[tuple[Direction, Reason]]:
        """Yield the reasons that are the fault of a change; one of several in a choice gets a witness of its own."""
        for direction in Direction:
            causes = self._causes[direction]
            for reason in self._reasons[direction]:
                if id(change) in causes[id(reason)]:
                    shared = _is_choice(reason) and len(causes[id(reason)]) > 1
                    yield direction, self._own_reason(change, direction, reason) if shared else reason

    def unclaimed(self, direction: Direction) -> tuple[Reason, ...]:
        """Give the reasons that are no change's fault."""
        causes = self._causes[direction]
        return tuple(reason for reason in self._reasons[direction] if not causes[id(reason)])

    @cached_property
    def _causes(self) -> dict[Direction, dict[int, frozenset[int]]]:
        """For each reason, by identity, the changes that cause it, by identity."""
        causes: dict[Direction, dict[int, frozenset[int]]] = {}
        for direction in Direction:
            able = [change for change in self._changes if _may_break(change, direction)]
            causes[direction] = {
                id(reason): frozenset(map(id, self._causes_of(reason, direction, able)))
                for reason in self._reasons[direction]
            }
        return causes

    def _causes_of(self, reason: Reason, direction: Direction, able: Sequence[Change]) -> Sequence[Change]:
        found = [change for change in able if _is_placed(change, direction, reason)]
        if _is_choice(reason):
            found += [change for change in able if change not in found and self._is_inside(change, direction, reason)]
            if len(found) > 1:
                guilty = [change for change in found if not self._is_harmless(change, direction)]
                found = guilty or found
        return (
            found
            or [change for change in able if _is_on_way(change, reason) and self._leads_to(change, direction, reason)]
            or [change for change in able if _speaks_of(change, reason)]
            or [change for change in able if self._leads_to(change, direction, reason)]
            or [change for change in self._changes if _is_placed(change, direction, reason)]
        )

    # Places, through references

    def _is_inside(self, change: Change, direction: Direction, reason: Reason) -> bool:
        """Whether a change stands in something that the reason's keyword leads to."""
        side = _refusing(change, direction)
        at = tokens(side.pointer)
        places = self._reach(direction is Direction.BACKWARD, reason.source, reason.keyword_location)
        return any(source == side.source and at[: len(place)] == place for source, place in places)

    def _leads_to(self, change: Change, direction: Direction, reason: Reason) -> bool:
        """Whether the reason stands in something that the place of a change leads to."""
        side = _refusing(change, direction)
        start = pointer(_holder(side))
        where = tokens(reason.keyword_location)
        places = self._reach(direction is Direction.BACKWARD, side.source, start)
        return any(source == reason.source and where[: len(place)] == place for source, place in places)

    def _reach(self, new: bool, source: str, start: str) -> tuple[_Place, ...]:
        """Give a place and every place that references below it lead to."""
        key = (new, source, start)
        if key not in self._reached:
            self._reached[key] = tuple(_reach(self._new if new else self._old, source, start))
        return self._reached[key]

    # One change alone

    def _is_harmless(self, change: Change, direction: Direction) -> bool:
        """Whether a change that is made alone breaks nothing."""
        if id(change) not in self._tried:
            able = len(self._tried) < MAX_ALONE and change.old.source == self._old.root.document.name
            self._tried[id(change)] = self._edited(change, undone=False) if able else None
        pair = self._tried[id(change)]
        if pair is None:
            return False
        return pair.proved(pair.old, pair.new) if direction is Direction.BACKWARD else pair.proved(pair.new, pair.old)

    def _verdict(self, pair: Pair, direction: Direction) -> Verdict:
        key = (pair, direction)
        if key not in self._verdicts:
            sides = (pair.old, pair.new) if direction is Direction.BACKWARD else (pair.new, pair.old)
            self._verdicts[key] = pair.contained(*sides)
        return self._verdicts[key]

    def _edited(self, change: Change, *, undone: bool) -> Pair | None:
        """Set a version beside itself with one change made, or undone; None where that is not that change alone."""
        schemas = self._new if undone else self._old
        edit = replace(change, old=change.new, new=change.old) if undone else change
        value = applied(schemas.root.document.value, edit)
        if value is None:
            return None
        try:
            edited = schemas.replaced(value)
            check(edited)
        except CompatError:
            return None
        sides = (edited, schemas) if undone else (schemas, edited)
        if [one.rule for one in walk_changes(*sides)] != [change.rule]:
            return None  # a change of several keywords at once, of which the edit made one
        return Pair(*sides, formats=self._formats, steps=self._steps)

    def _own_reason(self, change: Change, direction: Direction, reason: Reason) -> Reason:
        key = (id(change), direction, id(reason))
        if key not in self._found:
            self._found[key] = self._with_own_witness(change, direction, reason)
        return self._found[key]

    def _with_own_witness(self, change: Change, direction: Direction, reason: Reason) -> Reason:
        """Give a reason the witness of one of its causes, where that holds against both whole versions."""
        sides = (self._pair.old, self._pair.new)
        left, right = sides if direction is Direction.BACKWARD else sides[::-1]
        for undone in (False, True):
            pair = self._edited(change, undone=True) if undone else self._tried.get(id(change))
            verdict = None if pair is None else self._verdict(pair, direction)
            if verdict is None or verdict.status is not Status.BREAKING:
                continue
            if self._pair.confirm(left, right, verdict.witness).doubt is None:
                path = _first_path(verdict.witness, tokens(change.instance_path))
                where = pointer(path)
                subject: JSON = resolve(verdict.witness, where)  # type: ignore[assignment]
                return replace(
                    reason,
                    witness=verdict.witness,
                    instance_path=where,
                    subject=subject,
                    undeclared=verdict.undeclared,
                )
        return reason


def _may_break(change: Change, direction: Direction) -> bool:
    """Whether a change, by the word of its rule in its place, can be what breaks a direction."""
    return change.expected is Effect.UNKNOWN or change.expected.breaks(direction)


def _is_choice(reason: Reason) -> bool:
    """Whether a reason is a choice between subschemas that failed as a whole, whatever failed inside."""
    steps = [name for name in tokens(reason.keyword_location) if not name.isdigit()]
    return bool(steps) and steps[-1] in _CHOICES


def _refusing(change: Change, direction: Direction) -> Side:
    """Give the end of a change that stands in the refusing version."""
    return change.new if direction is Direction.BACKWARD else change.old


def _is_placed(change: Change, direction: Direction, reason: Reason) -> bool:
    """Whether a change stands where a reason does: the same place, one inside the other, or one object's member."""
    side = _refusing(change, direction)
    if reason.source != side.source:
        return False
    at, where = tokens(side.pointer), tokens(reason.keyword_location)
    if change.rule in _OF_ONE_VALUE and where in (at, at[:-1]):
        return equal(change.old.value if change.old.exists else change.new.value, reason.subject)
    if where[: len(at)] == at or at[: len(where)] == where:
        return True
    return _is_same_member(at, where, reason)


def _is_same_member(at: tuple[str, ...], where: tuple[str, ...], reason: Reason) -> bool:
    group = _together(at)
    parent, name = at[:-2], at[-1] if at else ""
    if not group or where[: len(parent)] != parent or len(where) <= len(parent) or where[len(parent)] not in group:
        return False
    return name in tokens(reason.instance_path) or at[-2] == "patternProperties"


def _together(at: tuple[str, ...]) -> tuple[str, ...]:
    """Give the keywords that decide together with the one that a place is a member of."""
    return next((group for group in _TOGETHER if len(at) > 1 and at[-2] in group), ())


def _holder(side: Side) -> tuple[str, ...]:
    """Give the place from which to follow references: of a member that is gone, the object whose rest speaks of it."""
    steps = tokens(side.pointer)
    if steps[-1:] and steps[-1] in _REFERENCES:
        return steps[:-1]
    if not side.exists and _together(steps):
        return steps[:-2]
    return steps


def _is_on_way(change: Change, reason: Reason) -> bool:
    """Whether a change is about what holds the instance a reason refuses; a place told once may have other ways."""
    return _is_below(tokens(reason.instance_path), tokens(change.instance_path))


def _speaks_of(change: Change, reason: Reason) -> bool:
    """Whether a change is about the very instance that a reason refuses."""
    at, where = tokens(change.instance_path), tokens(reason.instance_path)
    return len(at) == len(where) and _is_below(where, at)


def _is_below(path: Sequence[str], above: Sequence[str]) -> bool:
    """Whether a path into instances goes through another one, in which `*` is any step."""
    return len(path) >= len(above) and all(one in ("*", other) for one, other in zip(above, path, strict=False))


def _reach(schemas: SchemaSet, source: str, start: str) -> Iterator[_Place]:
    documents = {document.name: document for document in schemas.documents()}
    first = documents.get(source)
    if first is None:
        return
    seen: set[tuple[str, str]] = set()
    open_: list[tuple[Document, str]] = [(first, start)]
    while open_:
        document, where = open_.pop()
        if (document.name, where) in seen:
            continue
        seen.add((document.name, where))
        yield document.name, tokens(where)
        open_ += _targets(schemas, document, where)


def _targets(schemas: SchemaSet, document: Document, where: str) -> Iterator[tuple[Document, str]]:
    try:
        value = resolve(document.value, where)
        top = schemas.root_of(document)
    except (KeyError, IndexError):
        return
    for path, item in walk(value):
        if not isinstance(item, Mapping):
            continue
        for keyword in _REFERENCES:
            reference = item.get(keyword)
            if isinstance(reference, str):
                holder = replace(top, value=item, pointer=where + pointer(path))
                try:
                    target = schemas.resolve(holder, reference)
                except CompatError:
                    continue
                yield target.document, target.pointer


def _first_path(value: object, path: Sequence[str]) -> list[str]:
    """Follow a path with `*` steps into an instance as far as it goes, through the first of several."""
    found: list[str] = []
    for name in path:
        chosen = name
        if name == "*" and isinstance(value, Mapping | list) and value:
            chosen = next(iter(value)) if isinstance(value, Mapping) else "0"
        try:
            value = step(value, chosen)
        except (KeyError, IndexError):
            break
        found.append(chosen)
    return found

"""Two versions of a schema, compared: what changed, and in each direction a proof or a witness.

This is the Python API; the command line uses nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

from compat.diff.apply import applied
from compat.diff.change import Change
from compat.diff.walk import changes as walk_changes
from compat.errors import CompatError, UsageError
from compat.jsonvalue import JSON, equal, pointer, step, tokens
from compat.model.check import check
from compat.model.dialects import Dialect
from compat.model.document import Document
from compat.model.instance import Formats
from compat.model.references import Retrieve, SchemaSet, schema_set
from compat.proof.containment import STEPS, Pair
from compat.proof.containment import Side as ProofSide
from compat.proof.reasons import MAX_REASONS, Reasons
from compat.proof.verdict import Doubt, Reason, Verdict
from compat.relation import Direction, Effect, Status

# Keywords that decide together over the members of an object; what one of them no longer names falls to another.
_OVER_MEMBERS = ("properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames")

# Rules about one value of a list: a reason that refuses another value is not theirs.
_OF_ONE_VALUE = frozenset({"enum-value-removed", "enum-value-added"})
# Keywords that fail as a whole, whichever of their subschemas is at fault.
_CHOICES = frozenset(
    {"anyOf", "oneOf", "not", "if", "then", "else", "contains", "minContains", "maxContains", "propertyNames"}
    | {"dependentSchemas", "dependencies", "unevaluatedProperties", "unevaluatedItems", "uniqueItems"}
)
# So many changes are tried alone at most.
MAX_ALONE: Final = 64


class DirectionResult:
    """The answer to one direction: status, witness and grading at once, reasons when asked for."""

    def __init__(self, verdict: Verdict, reasons: Reasons | None) -> None:
        self._verdict = verdict
        self._reasons = reasons

    def __repr__(self) -> str:
        return f"DirectionResult({self.status.value})"

    @property
    def status(self) -> Status:
        return self._verdict.status

    @property
    def witness(self) -> JSON:
        """An instance that one side accepts and the other rejects; means something only when breaking."""
        return self._verdict.witness

    @property
    def undeclared(self) -> bool:
        """Whether every witness needs a property that the accepting schema does not declare."""
        return self._verdict.undeclared

    @property
    def steps(self) -> int:
        """The work that the answer took, the same on every machine."""
        return self._verdict.steps

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """Every assertion that refuses some instance of the other side, each with a witness of its own."""
        if self._reasons is None or self.status is Status.COMPATIBLE:
            return ()
        return self._reasons.all()

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """What could not be decided, with its place where one is known."""
        if self.status is not Status.UNKNOWN or self._reasons is None:
            return self._verdict.doubts
        found = self.reasons and None
        located = tuple(doubt for doubt in self._reasons.doubts if doubt.keyword_location)
        return found or located[-1:] or self._verdict.doubts

    @cached_property
    def undecided(self) -> tuple[Doubt, ...]:
        """The places at which `reasons` could not tell whether something fails; a break may hide behind each."""
        if self._reasons is None or self.status is Status.COMPATIBLE:
            return ()
        return tuple(self._reasons.doubts) if self.reasons is not None else ()

    @property
    def complete(self) -> bool:
        """Whether `reasons` names every cause there is."""
        if self.status is Status.COMPATIBLE:
            return True
        if self._reasons is None:
            return False
        return len(self.reasons) < MAX_REASONS and not self._reasons.doubts


class Comparison:
    """Both directions of one pair, and the changes between its two sides."""

    def __init__(self, old: SchemaSet, new: SchemaSet, *, formats: Formats, steps: int) -> None:
        self._old = old
        self._new = new
        self._formats: Formats = formats
        self._steps = steps
        self._with_one: dict[int, Comparison | None] = {}
        self._pair = Pair(old, new, formats=formats, steps=steps)
        self.backward = self._direction(self._pair.old, self._pair.new)
        self.forward = self._direction(self._pair.new, self._pair.old)

    def __repr__(self) -> str:
        return f"Comparison(backward={self.backward.status.value}, forward={self.forward.status.value})"

    def _direction(self, left: ProofSide, right: ProofSide) -> DirectionResult:
        return DirectionResult(self._pair.contained(left, right), Reasons(self._pair, left, right))

    @property
    def old(self) -> Document:
        return self._old.root.document

    @property
    def new(self) -> Document:
        return self._new.root.document

    @property
    def notes(self) -> tuple[str, ...]:
        """What was read otherwise than written, such as an unknown dialect."""
        return tuple(dict.fromkeys((*self._old.notes, *self._new.notes)))

    @property
    def effect(self) -> Effect:
        """What the whole step does to the set of instances."""
        return Effect.between(self.backward.status, self.forward.status)

    @cached_property
    def disjoint(self) -> bool | None:
        """Whether no instance at all satisfies both versions; None where that is unknown."""
        return self._pair.disjoint()

    def verdict(self, direction: Direction) -> DirectionResult:
        return self.backward if direction is Direction.BACKWARD else self.forward

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """The located differences, each with the effect that was proved for it in context."""
        return tuple(replace(change, effect=self._effect(change)) for change in self._walked)

    def reasons_of(self, change: Change) -> tuple[tuple[Direction, Reason], ...]:
        """Give the reasons, of either direction, that lean on a change, one of `changes`."""
        walked = self._originals.get(id(change))
        return () if walked is None else tuple(self._leaning(walked))

    @cached_property
    def _originals(self) -> dict[int, Change]:
        return {id(found): walked for found, walked in zip(self.changes, self._walked, strict=True)}

    def unclaimed(self, direction: Direction) -> tuple[Reason, ...]:
        """Give the reasons that no change explains, such as a dialect that reads the same text otherwise."""
        causes = self._causes[direction]
        return tuple(reason for reason in self.verdict(direction).reasons if not causes[id(reason)])

    def _leaning(self, change: Change) -> Iterator[tuple[Direction, Reason]]:
        for direction in Direction:
            for reason in self.verdict(direction).reasons:
                if id(change) in self._causes[direction][id(reason)]:
                    yield direction, self._own_reason(change, direction, reason) if _is_choice(reason) else reason

    @cached_property
    def _causes(self) -> dict[Direction, dict[int, frozenset[int]]]:
        """For each reason, by identity, the walked changes that are its cause.

        A change is a cause by its place, or where none is by the instances it speaks of, as long as the word of its
        rule allows it; what narrows does not widen. Where the schema chooses between branches, every change to the
        instances in question is suspect, and those that do nothing when made alone are let go.
        """
        causes: dict[Direction, dict[int, frozenset[int]]] = {}
        for direction in Direction:
            able = [change for change in self._walked if _may_break(change, direction)]
            causes[direction] = {
                id(reason): frozenset(map(id, self._causes_of(reason, direction, able)))
                for reason in self.verdict(direction).reasons
            }
        return causes

    def _causes_of(self, reason: Reason, direction: Direction, able: Sequence[Change]) -> Sequence[Change]:
        here = [change for change in able if _explains(change, direction, reason)]
        if _is_choice(reason):
            among = [change for change in able if change in here or _speaks_of(change, reason, below=True)]
            guilty = [change for change in among if self._alone(change, direction) is not Status.COMPATIBLE]
            found = guilty or among
        else:
            found = here or [change for change in able if _speaks_of(change, reason, below=False)]
        return found or [change for change in self._walked if _explains(change, direction, reason)]

    def _alone(self, change: Change, direction: Direction) -> Status | None:
        """What a change does when it is made alone; None where it cannot be."""
        comparison = self._made_alone(change)
        return None if comparison is None else comparison.verdict(direction).status

    def _made_alone(self, change: Change) -> Comparison | None:
        """Compare the old version with itself and one change; None where that is no schema or asked too often."""
        if id(change) not in self._with_one:
            tried = len(self._with_one) < MAX_ALONE and change.old.source == self.old.name
            self._with_one[id(change)] = self._edited(self._old, change, ahead=True) if tried else None
        return self._with_one[id(change)]

    def _edited(self, schemas: SchemaSet, change: Change, *, ahead: bool) -> Comparison | None:
        """Compare a version with itself and one change made, or with `ahead` False itself and one change undone."""
        edit = change if ahead else replace(change, old=change.new, new=change.old)
        value = applied(schemas.root.document.value, edit)
        if value is None:
            return None
        try:
            edited = schemas.replaced(value)
            check(edited)
        except CompatError:
            return None
        sides = (schemas, edited) if ahead else (edited, schemas)
        if [one.rule for one in walk_changes(*sides)] != [change.rule]:
            return None  # a change of several keywords at once, of which the edit made one
        return Comparison(*sides, formats=self._formats, steps=self._steps)

    def _own_reason(self, change: Change, direction: Direction, reason: Reason) -> Reason:
        """Give a reason in a choice the witness of one of its causes, where that holds against both versions."""
        alone = self._made_alone(change)
        if alone is None:
            return reason
        undone = self._edited(self._new, change, ahead=False) if change.new.source == self.new.name else None
        sides = (self._pair.old, self._pair.new)
        left, right = sides if direction is Direction.BACKWARD else sides[::-1]
        for comparison in (alone, undone):
            result = None if comparison is None else comparison.verdict(direction)
            if result is None or result.status is not Status.BREAKING:
                continue
            if self._pair.confirm(left, right, result.witness).doubt is None:
                path = _first_path(result.witness, tokens(change.instance_path))
                where = pointer(path)
                return replace(reason, witness=result.witness, instance_path=where, undeclared=result.undeclared)
        return reason

    @cached_property
    def _walked(self) -> tuple[Change, ...]:
        return tuple(walk_changes(self._old, self._new))

    def _effect(self, change: Change) -> Effect:
        if self.backward.status is self.forward.status is Status.COMPATIBLE or change.expected is Effect.NONE:
            return Effect.NONE
        leaning = {each for each in Direction if any(id(change) in found for found in self._causes[each].values())}
        undecided = [direction for direction in Direction if direction not in leaning and self._open(direction)]
        if undecided and any(
            change.expected in (Effect.UNKNOWN, Effect.BOTH) or change.expected.breaks(direction)
            for direction in undecided
        ):
            return Effect.UNKNOWN
        return Effect.of(narrows=Direction.BACKWARD in leaning, widens=Direction.FORWARD in leaning)

    def _open(self, direction: Direction) -> bool:
        result = self.verdict(direction)
        return result.status is Status.UNKNOWN or not result.complete


def _may_break(change: Change, direction: Direction) -> bool:
    """Whether a change, by the word of its rule in its place, can be what breaks a direction."""
    return change.expected is Effect.UNKNOWN or change.expected.breaks(direction)


def _is_choice(reason: Reason) -> bool:
    """Whether a reason is a choice between subschemas that failed as a whole, whatever failed inside."""
    steps = [step for step in tokens(reason.keyword_location) if not step.isdigit()]
    return bool(steps) and steps[-1] in _CHOICES


def _explains(change: Change, direction: Direction, reason: Reason) -> bool:
    """Whether a change stands where a reason does: the same place, one inside the other, or one object's member."""
    side = change.new if direction is Direction.BACKWARD else change.old
    if reason.source != side.source:
        return False
    at, where = tokens(side.pointer), tokens(reason.keyword_location)
    if change.rule in _OF_ONE_VALUE and where in (at, at[:-1]):
        return equal(change.old.value if change.old.exists else change.new.value, reason.subject)
    if where[: len(at)] == at or at[: len(where)] == where:
        return True
    return _same_member(at, where, reason)


def _speaks_of(change: Change, reason: Reason, *, below: bool) -> bool:
    """Whether a change is about the instance a reason refuses, or with `below` about something in it."""
    at, where = tokens(change.instance_path), tokens(reason.instance_path)
    if len(at) < len(where) or (len(at) > len(where) and not below):
        return False
    return all(one in ("*", other) for one, other in zip(at, where, strict=False))


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


def _same_member(at: tuple[str, ...], where: tuple[str, ...], reason: Reason) -> bool:
    if len(at) < 2 or at[-2] not in _OVER_MEMBERS:
        return False
    parent, name = at[:-2], at[-1]
    if where[: len(parent)] != parent or len(where) <= len(parent) or where[len(parent)] not in _OVER_MEMBERS:
        return False
    return name in tokens(reason.instance_path) or at[-2] == "patternProperties"


def compare(
    old: JSON | Document | SchemaSet,
    new: JSON | Document | SchemaSet,
    *,
    dialect: Dialect | str | None = None,
    formats: Formats = "annotation",
    resources: Mapping[str, JSON] | None = None,
    retrieve: Retrieve | None = None,
    steps: int = STEPS,
) -> Comparison:
    """Compare two versions of a schema in both directions.

    The dialect comes from `$schema`, else from `dialect`, else it is 2020-12. `resources` maps URIs to schemas that
    references may lead to; `retrieve` gives the document of a URI, or None. Nothing is fetched. `steps` bounds the
    work of one direction; beyond it the answer is unknown. A schema that is none raises SchemaError with its place.
    """
    if formats not in ("annotation", "assertion"):
        raise UsageError(f'formats is "annotation" or "assertion", not {formats!r}')
    default = Dialect.parse(dialect) if isinstance(dialect, str) else dialect
    sides = [
        one if isinstance(one, SchemaSet) else schema_set(one, dialect=default, resources=resources, retrieve=retrieve)
        for one in (old, new)
    ]
    for side in sides:
        check(side)
    return Comparison(sides[0], sides[1], formats=formats, steps=steps)

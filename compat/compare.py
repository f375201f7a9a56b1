"""Two versions of a schema, compared: what changed, and in each direction a proof or a witness.

This is the Python API; the command line uses nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property

from compat.diff.change import Change, Side
from compat.diff.walk import changes as walk_changes
from compat.errors import UsageError
from compat.jsonvalue import JSON, equal, tokens
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
        """Give the reasons, of either direction, that lean on a change."""
        return tuple(self._leaning(change))

    def unclaimed(self, direction: Direction) -> tuple[Reason, ...]:
        """Give the reasons that no change explains, such as a dialect that reads the same text otherwise."""
        claimed = {id(reason) for change in self.changes for at, reason in self._leaning(change) if at is direction}
        return tuple(reason for reason in self.verdict(direction).reasons if id(reason) not in claimed)

    def _leaning(self, change: Change) -> Iterator[tuple[Direction, Reason]]:
        for direction in Direction:
            side = change.new if direction is Direction.BACKWARD else change.old
            for reason in self.verdict(direction).reasons:
                if _explains(change, side, reason) and (
                    _may_break(change, direction) or id(reason) not in self._well_explained[direction]
                ):
                    yield direction, reason

    @cached_property
    def _well_explained(self) -> dict[Direction, frozenset[int]]:
        """The reasons that some change explains whose own effect points that way.

        What narrows a branch of a choice does not widen the whole: where another change may be the cause, it is.
        """
        return {
            direction: frozenset(
                id(reason)
                for reason in self.verdict(direction).reasons
                for change in self._walked
                if _may_break(change, direction)
                and _explains(change, change.new if direction is Direction.BACKWARD else change.old, reason)
            )
            for direction in Direction
        }

    @cached_property
    def _walked(self) -> tuple[Change, ...]:
        return tuple(walk_changes(self._old, self._new))

    def _effect(self, change: Change) -> Effect:
        if self.backward.status is self.forward.status is Status.COMPATIBLE or change.expected is Effect.NONE:
            return Effect.NONE
        leaning = {direction for direction, _ in self._leaning(change)}
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


_LISTED = (("enum",), ("const",))


def _may_break(change: Change, direction: Direction) -> bool:
    """Whether a change, by the word of its rule in its place, can be what breaks a direction."""
    return change.expected is Effect.UNKNOWN or change.expected.breaks(direction)


def _explains(change: Change, side: Side, reason: Reason) -> bool:
    """Whether a reason leans on a change: the same place, one inside the other, or the same member of one object."""
    if reason.source != side.source:
        return False
    at, where = tokens(side.pointer), tokens(reason.keyword_location)
    if change.keyword in ("enum", "const") and where[-1:] in _LISTED and where in (at, at[:-1]):
        value = change.old.value if change.old.exists else change.new.value
        return equal(value, reason.subject) or isinstance(value, list)
    if where[: len(at)] == at or at[: len(where)] == where:
        return True
    return _same_member(at, where, reason)


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

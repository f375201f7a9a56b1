"""Two versions of a schema, compared: what changed, and in each direction a proof or a witness.

This is the Python API; the command line uses nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property

from compat.diff.change import Change
from compat.diff.walk import changes as walk_changes
from compat.errors import UsageError
from compat.jsonvalue import JSON
from compat.model.check import check
from compat.model.dialects import Dialect
from compat.model.document import Document
from compat.model.instance import Formats
from compat.model.references import Retrieve, SchemaSet, schema_set
from compat.proof.blame import Blame
from compat.proof.containment import STEPS, Pair
from compat.proof.containment import Side as ProofSide
from compat.proof.lifelike import Lifelike
from compat.proof.reasons import MAX_REASONS, Reasons
from compat.proof.redaction import Records
from compat.proof.verdict import Doubt, Origin, Reason, Verdict
from compat.relation import Direction, Effect, Status


class DirectionResult:
    """The answer to one direction: status, witness and grading at once, reasons when asked for."""

    def __init__(self, verdict: Verdict, reasons: Reasons, lifelike: Lifelike) -> None:
        self._verdict = verdict
        self._reasons = reasons
        self._lifelike = lifelike

    def __repr__(self) -> str:
        return f"DirectionResult({self.status.value})"

    @property
    def status(self) -> Status:
        return self._verdict.status

    @property
    def witness(self) -> JSON:
        """An instance that one side accepts and the other rejects; means something only when breaking.

        It is built on an example, a default or a stored record where one is at hand; `origin` says which.
        """
        return self._told[0]

    @property
    def origin(self) -> Origin | None:
        """Where the witness has real values from; None where it is made up."""
        return self._told[1]

    @cached_property
    def _told(self) -> tuple[JSON, Origin | None]:
        if self.status is not Status.BREAKING:
            return self._verdict.witness, None
        return self._lifelike.witness()

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
        return tuple(map(self.told, self.found))

    @cached_property
    def found(self) -> tuple[Reason, ...]:
        """The same reasons with the smallest witnesses, as the search found them."""
        if self.status is Status.COMPATIBLE:
            return ()
        return self._reasons.all()

    def told(self, reason: Reason) -> Reason:
        """Tell a reason that the search found with real values; the same one always gives the same object."""
        if self.status is not Status.BREAKING:
            return reason
        return self._lifelike.reason(reason)

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """What could not be decided, with its place where one is known."""
        if self.status is not Status.UNKNOWN:
            return self._verdict.doubts
        located = tuple(doubt for doubt in self.undecided if doubt.keyword_location)
        return located[-1:] or self._verdict.doubts

    @cached_property
    def undecided(self) -> tuple[Doubt, ...]:
        """The places at which `reasons` could not tell whether something fails; a break may hide behind each."""
        if self.status is Status.COMPATIBLE:
            return ()
        _ = self.found  # the walk that finds the reasons meets the doubts
        return tuple(self._reasons.doubts)

    @property
    def complete(self) -> bool:
        """Whether `reasons` names every cause there is."""
        if self.status is Status.COMPATIBLE:
            return True
        return 0 < len(self.found) < MAX_REASONS and not self.undecided and not self._reasons.ended


class Comparison:
    """Both directions of one pair, and the changes between its two sides."""

    def __init__(
        self, old: SchemaSet, new: SchemaSet, *, formats: Formats, steps: int, records: Iterable[JSON] = ()
    ) -> None:
        self._old = old
        self._new = new
        self._formats: Formats = formats
        self._steps = steps
        self._pair = Pair(old, new, formats=formats, steps=steps)
        self._records = Records(records)
        self.backward = self._direction(self._pair.old, self._pair.new)
        self.forward = self._direction(self._pair.new, self._pair.old)

    def __repr__(self) -> str:
        return f"Comparison(backward={self.backward.status.value}, forward={self.forward.status.value})"

    def _direction(self, left: ProofSide, right: ProofSide) -> DirectionResult:
        verdict = self._pair.contained(left, right)
        lifelike = Lifelike(self._pair, left, right, verdict, self._records)
        return DirectionResult(verdict, Reasons(self._pair, left, right), lifelike)

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
        """Give the reasons, of either direction, that are the fault of a change, one of `changes`."""
        walked = self._originals.get(id(change))
        found = () if walked is None else self._blame.reasons_of(walked)
        return tuple((direction, self.verdict(direction).told(reason)) for direction, reason in found)

    def unclaimed(self, direction: Direction) -> tuple[Reason, ...]:
        """Give the reasons that no change explains, such as a dialect that reads the same text otherwise."""
        return tuple(map(self.verdict(direction).told, self._blame.unclaimed(direction)))

    @cached_property
    def _walked(self) -> tuple[Change, ...]:
        return tuple(walk_changes(self._old, self._new, formats=self._formats))

    @cached_property
    def _originals(self) -> dict[int, Change]:
        return {id(found): walked for found, walked in zip(self.changes, self._walked, strict=True)}

    @cached_property
    def _blame(self) -> Blame:
        reasons = {direction: self.verdict(direction).found for direction in Direction}
        sets = (self._old, self._new)
        return Blame(self._pair, sets, self._walked, reasons, formats=self._formats, steps=self._steps)

    def _effect(self, change: Change) -> Effect:
        if self.backward.status is self.forward.status is Status.COMPATIBLE:
            return Effect.NONE
        leaning = self._blame.breaks(change)
        # The rule's word that nothing happens stands only as long as no reason is laid at this change.
        if change.expected is Effect.NONE and not leaning:
            return Effect.NONE
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


def compare(
    old: JSON | Document | SchemaSet,
    new: JSON | Document | SchemaSet,
    *,
    dialect: Dialect | str | None = None,
    formats: Formats = "annotation",
    resources: Mapping[str, JSON] | None = None,
    retrieve: Retrieve | None = None,
    steps: int = STEPS,
    records: Iterable[JSON] = (),
) -> Comparison:
    """Compare two versions of a schema in both directions.

    The dialect comes from `$schema`, else from `dialect`, else it is 2020-12. `resources` maps URIs to schemas that
    references may lead to; `retrieve` gives the document of a URI, or None. Nothing is fetched. `steps` bounds the
    work of one direction; beyond it the answer is unknown. `records` are stored instances that witnesses may take
    their form from; of their values nothing is shown but what the schemas write down, and they are read when a witness
    is asked for. A schema that is none raises SchemaError with its place.
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
    return Comparison(sides[0], sides[1], formats=formats, steps=steps, records=records)

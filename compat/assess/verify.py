"""One instance against both versions of a schema: what two validators say, and where it fails."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from compat.assess.pair import LineagePair, marker_line
from compat.assess.places import Places
from compat.errors import Place
from compat.jsonvalue import JSON, pointer
from compat.model.check import check
from compat.model.instance import Formats
from compat.model.references import SchemaSet
from compat.proof.witness import Witnesses
from compat.relation import Direction

# More failures than this are of one kind, or of no help.
MOST_FAILURES = 20


@dataclass(frozen=True, slots=True)
class Fault:
    """One assertion that the instance fails: where in the instance, and where the keyword stands."""

    instance_path: str
    message: str
    place: Place


@dataclass(frozen=True, slots=True)
class Answer:
    """What one version says of the instance.

    `second` is the other validator's answer, None where it abstains, and then `abstains` says why. `more` counts the
    faults that are not listed.
    """

    valid: bool
    second: bool | None
    abstains: str | None = None
    faults: tuple[Fault, ...] = ()
    more: bool = False

    @property
    def disputed(self) -> bool:
        """Whether the two validators contradict each other."""
        return self.second is not None and self.second is not self.valid


@dataclass(frozen=True, slots=True)
class Verification:
    """An instance and the answers of both versions; `marker` says what was seen past."""

    value: JSON
    old: Answer
    new: Answer
    marker: str | None = None

    @property
    def breaks(self) -> Direction | None:
        """The direction whose break the instance proves, or None where it proves none."""
        if self.old.valid is self.new.valid:
            return None
        return Direction.BACKWARD if self.old.valid else Direction.FORWARD

    @property
    def disputed(self) -> bool:
        return self.old.disputed or self.new.disputed


def verify(value: JSON, pair: LineagePair) -> Verification:
    """Put one instance to both versions of a pair, as a comparison of them would.

    CompatError where one of them is no schema, or a validator cannot answer.
    """
    for schemas in (pair.old, pair.new):
        check(schemas)
    places = Places(pair.old.documents(), pair.new.documents())
    return Verification(
        value,
        _answer(value, pair.old, pair.formats, places, new=False),
        _answer(value, pair.new, pair.formats, places, new=True),
        None if pair.marker is None else marker_line(pair.marker),
    )


def _answer(value: JSON, schemas: SchemaSet, formats: Formats, places: Places, *, new: bool) -> Answer:
    validators = Witnesses(schemas, formats)
    valid = validators.reference.is_valid(value)
    second = validators.second_opinion(value)
    abstains = (validators.second.abstains or _ABSTAINS) if second is None else None
    if valid:
        return Answer(valid, second, abstains)
    found = list(islice(validators.reference.failures(value), MOST_FAILURES + 1))
    faults = tuple(
        Fault(
            pointer([str(part) for part in failure.instance_path]),
            failure.message,
            places.at(failure.source, failure.keyword_location, new=new),
        )
        for failure in found[:MOST_FAILURES]
    )
    return Answer(valid, second, abstains, faults, len(found) > MOST_FAILURES)


_ABSTAINS = "it cannot hold this value, or would take too long"

"""The result that every output is made from: findings, the schemas they stand in, the report around them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from compat.diff.change import Change
from compat.errors import CompatError, Place
from compat.jsonvalue import JSON
from compat.policy import Policy, Waiver
from compat.proof.verdict import Origin
from compat.relation import Direction, Effect, Level, Mode, Status
from compat.replay.summary import Evidence


@dataclass(frozen=True, slots=True)
class Witness:
    """One instance that the accepting side takes and the other refuses, and where in it the trouble sits.

    `origin` says where it has real values from; None where it is made up.
    """

    value: JSON
    direction: Direction
    instance_path: str = ""
    reason: str = ""
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Affected:
    """A schema that a finding in a shared file reaches, and where the instances of that schema feel it."""

    schema: str
    lineage: str
    instance_path: str
    level: Level


@dataclass(frozen=True, slots=True)
class Names:
    """How a command line names the two schemas that a finding was met between, and the options they were read with."""

    old: str
    new: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rerun:
    """The words of a command line that meets a finding again which no pair of schemas shows: the whole check."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a reader should know, with everything known about it.

    `file` is the path it stands in, whatever the revision. `backward` and `forward` say what this one thing does, not
    what the whole pair does. `old_place` and `new_place`
    are where it stands; None where a side has no such place. `against` names the earlier versions it was found
    against when that is not only the base. `names` says how to meet it again, where anybody can. A waived finding
    keeps its level and no longer counts.
    """

    rule: str
    level: Level
    lineage: str
    fingerprint: str
    message: str
    file: str = ""
    instance_path: str = ""
    old_place: Place | None = None
    new_place: Place | None = None
    backward: Status = Status.COMPATIBLE
    forward: Status = Status.COMPATIBLE
    effect: Effect = Effect.NONE
    expected: Effect = Effect.NONE
    change: Change | None = None
    annotation: bool = False
    undeclared: bool = False
    witnesses: tuple[Witness, ...] = ()
    evidence: Evidence | None = None
    remedy: str | None = None
    hint: str | None = None
    doubt: str | None = None
    waiver: Waiver | None = None
    affects: tuple[Affected, ...] = ()
    against: tuple[str, ...] = ()
    names: Names | Rerun | None = None

    @property
    def place(self) -> Place | None:
        """Where to look first: the new side, else the old one."""
        return self.new_place or self.old_place

    @property
    def counts(self) -> bool:
        """Whether the finding weighs on the exit code."""
        return self.waiver is None

    def status(self, direction: Direction) -> Status:
        return self.backward if direction is Direction.BACKWARD else self.forward


class Outcome(StrEnum):
    """What became of a schema that the change touches."""

    COMPARED = "compared"
    NEW = "new"
    NO_BASELINE = "no-baseline"  # the old side cannot be read, or is no schema
    DELETED = "deleted"
    SHARED = "shared"  # a file that other schemas refer to; it has no verdict of its own


@dataclass(frozen=True, slots=True)
class SchemaReport:
    """One schema, or one file that schemas share.

    `name` is its path as people know it, `old_name` the path on the other side of a rename. `backward` and `forward`
    are the verdicts about the lineage, apart from its version marker where it has one; `marker` is the line about it.
    `through` names the shared files whose changes reach this schema; those findings stand there.
    """

    name: str
    outcome: Outcome
    lineage: str = ""
    old_name: str | None = None
    policy: Policy = field(default_factory=Policy)
    findings: tuple[Finding, ...] = ()
    backward: Status | None = None
    forward: Status | None = None
    marker: str | None = None
    against: tuple[str, ...] = ()
    through: tuple[str, ...] = ()
    records: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def mode(self) -> Mode:
        return self.policy.mode


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be checked, and what to do about it."""

    message: str
    place: Place | None = None
    hint: str | None = None

    @classmethod
    def of(cls, error: CompatError) -> Problem:
        return cls(error.message, error.place, error.hint)


class Conclusion(StrEnum):
    """What a run comes to; the first three are different things, and none of them is "no breaking changes"."""

    NOTHING_COMPARED = "nothing-compared"
    NO_DIFFERENCE = "no-difference"
    NO_EFFECT = "no-effect"
    SAFE = "safe"
    RISKY = "risky"
    UNKNOWN = "unknown"
    BREAKING = "breaking"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Report:
    """Everything one run found. `base` and `head` are labels ("main", "working tree"); `findings` belong to no schema.

    `unchanged` counts the governed schemas that do not differ. `elapsed` is told by whoever has a clock.
    """

    command: str
    base: str
    head: str
    schemas: tuple[SchemaReport, ...] = ()
    findings: tuple[Finding, ...] = ()
    problems: tuple[Problem, ...] = ()
    unchanged: int = 0
    notes: tuple[str, ...] = ()
    elapsed: float | None = None

    def every_finding(self) -> Iterator[Finding]:
        """Yield the findings of the project, then those of each schema, waived ones too."""
        yield from self.findings
        for schema in self.schemas:
            yield from schema.findings

    @property
    def worst(self) -> Level | None:
        """The worst level that counts, or None where nothing was found."""
        levels = {finding.level for finding in self.every_finding() if finding.counts}
        return next((level for level in Level if level in levels), None)

    @property
    def conclusion(self) -> Conclusion:
        """The whole run in one word; what could not be checked outweighs everything."""
        if self.problems:
            return Conclusion.ERROR
        worst = self.worst
        if worst is not None and worst is not Level.SAFE:
            return Conclusion(worst.value)
        if not any(schema.outcome in (Outcome.COMPARED, Outcome.DELETED) for schema in self.schemas):
            return Conclusion.NOTHING_COMPARED
        effects = {finding.effect for finding in self.every_finding()}
        if not effects:
            return Conclusion.NO_DIFFERENCE
        return Conclusion.NO_EFFECT if effects == {Effect.NONE} else Conclusion.SAFE

    def number(self, outcome: Outcome) -> int:
        return sum(schema.outcome is outcome for schema in self.schemas)


def tally(findings: tuple[Finding, ...]) -> dict[Level, int]:
    """Count findings by level, worst first; annotations and waived ones are told apart elsewhere."""
    counts = Counter(finding.level for finding in findings if finding.counts and not finding.annotation)
    return {level: counts[level] for level in Level if counts[level]}

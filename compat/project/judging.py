"""From the pairs of a change to a report: each compared, judged by the policy of the base, told once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from compat.assess import Finding, Names, Outcome, Problem, SchemaReport, fold_shared
from compat.assess.announced import with_announcement
from compat.assess.judge import LEVEL_ORDER, distinct, fingerprint, ordered
from compat.assess.own import SCHEMA_DELETED, remedy_of
from compat.assess.pair import LineagePair, lineage_pair, report_pair
from compat.assess.remarks import with_remarks
from compat.errors import CompatError, ExitCode, Place, SchemaError
from compat.jsonvalue import JSON, canonical
from compat.lineage import Lineage, Version
from compat.model.check import check
from compat.model.instance import Formats
from compat.policy import Policies, Policy
from compat.project import Config, Moment, Pair, PairKind, Project, Side
from compat.project.evidence import StoredRecords
from compat.project.floors import above_floor, unused_floor
from compat.proof.containment import STEPS
from compat.relation import Direction, Level, Mode, Status

_BAD = (Level.BREAKING, Level.UNKNOWN)


@dataclass(slots=True)
class Judged:
    """What became of the pairs of one change."""

    schemas: tuple[SchemaReport, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class Judging:
    """How pairs are judged: by whose policies, with whose records, against how far back.

    `head` is where records are read from. `config` says where version numbers come from. `since` is the commit whose
    history holds the earlier versions that a transitive mode asks about; None where there is no history to ask. `floor`
    is the oldest of them that counts, instead of the policy's.
    """

    project: Project
    policies: Policies
    head: Moment
    base: str
    since: str | None = None
    config: Config = field(default_factory=Config)
    with_records: bool = True
    as_written: bool = False
    formats: Formats = "annotation"
    steps: int = STEPS
    floor: str | None = None
    _told: set[str] = field(default_factory=set)

    def all(self, pairs: Iterable[Pair]) -> Judged:
        """Judge every pair; what cannot be judged is a problem, and the rest goes on."""
        schemas: list[SchemaReport] = []
        problems: list[Problem] = []
        for pair in pairs:
            try:
                schemas.append(self.one(pair))
            except CompatError as error:
                if error.exit_code is ExitCode.USAGE:
                    raise
                problems.append(Problem.of(error))
        return Judged(fold_shared(schemas), tuple(problems))

    def one(self, pair: Pair) -> SchemaReport:
        """Judge one pair; CompatError where its new side is no schema."""
        policy = self.policies.of(self._judged_as(pair.old or pair.predecessor, pair.lineage))
        notes = (pair.note,) if pair.note else ()
        if pair.error is not None:
            raise pair.error
        if pair.new is None:
            assert pair.old is not None
            return self._deleted(pair, pair.old, policy)
        old = pair.old or pair.predecessor
        if old is None:
            check(pair.new.schema_set)
            outcome = Outcome.NO_BASELINE if notes else Outcome.NEW
            report = SchemaReport(pair.path, outcome, pair.lineage, policy=policy, notes=notes)
            return with_remarks(report, None, pair.new.schema_set, self._told)
        if pair.kind is PairKind.UNCHANGED:
            return SchemaReport(
                pair.path,
                Outcome.COMPARED,
                pair.lineage,
                policy=policy,
                backward=Status.COMPATIBLE,
                forward=Status.COMPATIBLE,
                notes=notes,
            )
        try:
            report = self._compared(pair, old, pair.new, policy)
        except SchemaError as error:
            check(pair.new.schema_set)  # raises where it is the new side that is no schema
            note = f"the old version is no schema: {error.message}"
            return SchemaReport(pair.path, Outcome.NO_BASELINE, pair.lineage, policy=policy, notes=(*notes, note))
        if policy.mode.transitive and self.since is not None:
            report = self._against_earlier(report, pair, old, pair.new, policy)
        elif (floor := self.floor or policy.floor) is not None and not policy.mode.transitive:
            notes = (*notes, unused_floor(floor, policy.mode))
        report = replace(report, notes=(*report.notes, *notes))
        return with_remarks(report, old.schema_set, pair.new.schema_set, self._told)

    def _judged_as(self, old: Side | None, lineage: str) -> str:
        """Give the name under which a lineage is judged: that of the old side, where the base judges.

        A change that could rename a lineage, or move it to another table, would choose the policy for it.
        """
        if old is None or self.config is self.head.config:
            return lineage
        return old.moment.lineage_of.get(old.path, lineage)

    def _compared(self, pair: Pair, old: Side, new: Side, policy: Policy) -> SchemaReport:
        sides, stored = self._pair(old, new, pair.lineage), self._stored(pair.lineage)
        report = report_pair(
            sides,
            policy,
            name=new.path,
            lineage=pair.lineage,
            old_name=None if old.path == new.path else old.path,
            replay=stored.replay if self.with_records else None,
            reach=lambda paths: stored.reach(sides.old, paths),
            names=self._names(old, new),
        )
        if self.with_records:
            unread = () if report.backward is Status.COMPATIBLE else stored.unread()
            widened = () if report.forward is Status.COMPATIBLE else stored.widened(sides.old, sides.new)
            report = replace(report, notes=(*report.notes, *unread, *widened))
        return self._announced(report, sides, old, new)

    def _announced(self, report: SchemaReport, sides: LineagePair, old: Side, new: Side) -> SchemaReport:
        """Let pass what the version number announces; where it stands is not for the change to say."""
        if self.as_written:
            return report
        rule = self.config.version_rule(self._judged_as(old, report.lineage))
        before, after = (side.moment.number(side.path, lineage=report.lineage, rule=rule) for side in (old, new))
        if before is None or after is None:
            return report
        return with_announcement(report, before[0], after[0], lambda: sides.comparison.disjoint)

    def _names(self, old: Side, new: Side) -> Names:
        formats = () if self.formats == "annotation" else ("--formats", self.formats)
        as_written = ("--as-written",) if self.as_written else ()
        return Names(self.project.name_of(old), self.project.name_of(new), (*formats, *as_written))

    def _pair(self, old: Side, new: Side, lineage: str) -> LineagePair:
        return lineage_pair(
            old.schema_set,
            new.schema_set,
            as_written=self.as_written,
            marker=self.config.version_rule(self._judged_as(old, lineage)).property,
            formats=self.formats,
            steps=self.steps,
            records=self._samples(lineage),
        )

    def _deleted(self, pair: Pair, old: Side, policy: Policy) -> SchemaReport:
        level = policy.level(SCHEMA_DELETED, "", Level.RISKY if policy.mode is Mode.NONE else Level.BREAKING)
        finding = Finding(
            rule=SCHEMA_DELETED,
            level=level,
            lineage=pair.lineage,
            fingerprint=fingerprint(SCHEMA_DELETED, pair.lineage, "", (old.path,)),
            message="the schema is gone; nothing can be validated against it any more.",
            file=old.path,
            old_place=_first_place(old),
            backward=Status.BREAKING,
            forward=Status.COMPATIBLE,
            remedy=remedy_of(SCHEMA_DELETED),
        )
        return SchemaReport(
            old.path, Outcome.DELETED, pair.lineage, policy=policy, findings=(finding,), backward=Status.BREAKING
        )

    # Earlier versions

    def _against_earlier(self, report: SchemaReport, pair: Pair, old: Side, new: Side, policy: Policy) -> SchemaReport:
        """Add what breaks against versions before the base; what breaks against several is one finding."""
        seen = {old.document.digest, new.document.digest}
        labels = [self.base]
        notes = list(report.notes)
        statuses = {Direction.BACKWARD: report.backward, Direction.FORWARD: report.forward}
        findings = {_key(finding): finding for finding in report.findings}
        earlier = self._earlier(pair, old)
        floor = self.floor or policy.floor
        if floor is not None:
            supported = above_floor(self.project, Lineage(pair.lineage, self._files(pair, old)), earlier, floor)
            earlier = supported.versions
            notes.append(supported.line)
        names = _labels(earlier)
        for version, label in zip(reversed(earlier), reversed(names), strict=True):
            if version.problem:
                notes.append(f"version {label} was passed over: {version.problem}")
            if version.problem or version.digest in seen:
                continue
            seen.add(version.digest)
            side = self.project.version_sides(version)
            sides = self._pair(side, new, pair.lineage)
            try:
                answers = {each: sides.comparison.verdict(each).status for each in policy.mode.directions}
            except SchemaError as error:
                notes.append(f"version {label} was passed over: {error.message}")
                continue
            labels.append(label)
            for direction, status in answers.items():
                statuses[direction] = _worse(statuses[direction], status)
            if set(answers.values()) == {Status.COMPATIBLE}:
                continue  # nothing to add, and why it holds nobody asks
            known_as = self._names(side, new)
            told = report_pair(sides, policy, name=report.name, lineage=report.lineage, names=known_as)
            told = self._announced(told, sides, side, new)
            _add(findings, told.findings, label, self.base)
        return replace(
            report,
            findings=distinct(ordered(findings.values())),
            backward=statuses[Direction.BACKWARD],
            forward=statuses[Direction.FORWARD],
            against=tuple(labels),
            notes=tuple(notes),
        )

    def _earlier(self, pair: Pair, old: Side) -> Sequence[Version]:
        """Give the versions up to the base, oldest first."""
        return self.project.versions(Lineage(pair.lineage, self._files(pair, old)), self.since)

    @staticmethod
    def _files(pair: Pair, old: Side) -> tuple[str, ...]:
        members = old.moment.families.get(pair.lineage, ())
        return members if old.path in members else (old.path,)

    def _stored(self, lineage: str) -> StoredRecords:
        return StoredRecords(self.project, self.head, lineage, self.formats)

    def _samples(self, lineage: str) -> Iterator[JSON]:
        """Give stored records for witnesses to be built on."""
        return self._stored(lineage).values() if self.with_records else iter(())


def _first_place(side: Side) -> Place:
    try:
        return side.document.place()
    except CompatError:
        return Place(side.moment.snapshot.name(side.path))


def _labels(versions: Sequence[Version]) -> list[str]:
    """Name versions; those that share a number are told apart by the commit that made each."""
    shared = Counter(version.label for version in versions)
    return [
        version.label if shared[version.label] == 1 else f"{version.label} ({(version.revision or '')[:7]})"
        for version in versions
    ]


_Key = tuple[str, str, str | None, bytes]


def _key(finding: Finding) -> _Key:
    """What makes two findings against two old versions the same thing to fix: what stands in the new one."""
    change, place = finding.change, finding.new_place
    told: JSON = finding.message
    if change is not None:
        told = change.new.value if change.new.exists else change.old.value
    return finding.rule, finding.instance_path, None if place is None else place.pointer, canonical(told)


def _add(findings: dict[_Key, Finding], more: Iterable[Finding], label: str, base: str) -> None:
    """Take in what breaks against an earlier version; `against` names every version a finding was met with."""
    for finding in more:
        if finding.level not in _BAD:
            continue
        known = findings.get(_key(finding))
        met = () if known is None else known.against or (base,)
        worse = known is None or _weight(finding) < _weight(known)
        chosen = finding if worse or known is None else known
        findings[_key(finding)] = replace(chosen, against=(*met, label))


def _weight(finding: Finding) -> tuple[bool, int]:
    """Order findings worst first; one that is let pass against one version may count against another."""
    return not finding.counts, LEVEL_ORDER[finding.level]


def _worse(one: Status | None, other: Status | None) -> Status | None:
    order = (Status.BREAKING, Status.UNKNOWN, Status.COMPATIBLE, None)
    return min(one, other, key=order.index)

"""What stands today, accepted in writing: waivers for what the check objects to, release records for the gate.

Nothing is made to look compatible. A waiver says what it lets pass and since when; a release record says that a version
counts as released as it stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from compat.assess import Finding, Problem, Report, SchemaReport, with_waivers
from compat.errors import CompatError, RevisionError
from compat.gate import Judgement, Outcome
from compat.policy import Policies, Policy, as_path
from compat.project import Pair, PairKind, Project, Side
from compat.project.gating import gate
from compat.project.judging import Judging
from compat.project.releasing import plan
from compat.project.starting import quoted
from compat.relation import Level, Mode
from compat.sources.files import shown
from compat.sources.history import ReleaseRecord

_OBJECTED = frozenset({Level.BREAKING, Level.UNKNOWN})
# A number that goes back, or none at all, is nothing that a record could settle.
_ACCEPTABLE = frozenset({Outcome.EDITED, Outcome.UNDER_BUMPED})


@dataclass(frozen=True, slots=True)
class Standing:
    """What is objected to today: findings to waive, versions to record as released, and what nothing can accept."""

    findings: tuple[Finding, ...]
    releases: tuple[tuple[str, ReleaseRecord], ...]
    left: tuple[str, ...]
    problems: tuple[Problem, ...]


def standing(project: Project, mode: Mode, today: date) -> Standing:
    """Find what the check and the gate object to as things stand; `mode` holds where nothing is configured."""
    if project.repository is None or not project.repository.has_commits:
        return Standing((), (), (), ())
    configured = project.config.path is not None
    policies = project.policies() if configured else Policies(Policy(mode=mode))
    schemas, problems = _judged(project, policies)
    findings = tuple({one.fingerprint: one for one in _objected(schemas, policies, today)}.values())
    releases, left = _unreleased(project, today)
    return Standing(findings, releases, left, problems)


def _judged(project: Project, policies: Policies) -> tuple[tuple[SchemaReport, ...], tuple[Problem, ...]]:
    """Judge the change that the branch is, and under transitive modes every lineage against its past."""
    head = project.moment(None)
    try:
        base = project.base()
    except RevisionError:
        base = None
    since = None if base is None else base.revision
    judging = Judging(project, policies, head, "" if base is None else base.label, since=since, config=project.config)
    changed = [] if base is None else list(project.pairs(base.revision))
    judged = judging.all(changed)
    schemas, problems = list(judged.schemas), list(judged.problems)
    past = replace(judging, since="HEAD", base="HEAD")
    for lineage in project.lineages():
        touched = any(pair.lineage == lineage.name for pair in changed)
        if touched or not policies.of(lineage.name).mode.transitive:
            continue
        # Compared with itself it says nothing, and its earlier versions are asked.
        now = Side(head, lineage.current)
        again = past.all([Pair(PairKind.CHANGED, lineage.name, now, now)])
        schemas += again.schemas
        problems += again.problems
    return tuple(schemas), tuple(problems)


def _objected(schemas: tuple[SchemaReport, ...], policies: Policies, today: date) -> Iterator[Finding]:
    report = with_waivers(Report("check", "", "", schemas), policies, today)
    for schema in report.schemas:
        yield from (finding for finding in schema.findings if finding.counts and finding.level in _OBJECTED)


def _unreleased(project: Project, today: date) -> tuple[tuple[tuple[str, ReleaseRecord], ...], tuple[str, ...]]:
    found: list[tuple[str, ReleaseRecord]] = []
    left: list[str] = []
    for lineage in project.lineages():
        try:
            judgements = [judgement for judgement in gate(project, lineage, today=today) if judgement.fails]
            record = plan(project, lineage, today).record if judgements else None
        except CompatError as error:
            left.append(f"{shown(lineage.name)}: {error.message}")
            continue
        for judgement in judgements:
            if record is not None and judgement.outcome in _ACCEPTABLE and str(judgement.declared) == record.version:
                found.append((lineage.name, record))
            else:
                left.append(_left(judgement))
    return tuple(found), tuple(left)


def _left(judgement: Judgement) -> str:
    why = judgement.notes[-1] if judgement.notes else judgement.outcome.value
    return f"{shown(judgement.lineage)}: {why}"


def waiver_text(finding: Finding, today: date) -> str:
    """Write one finding as a waiver, with a comment for those who meet it later."""
    place = as_path(finding.instance_path)
    told = shown(f"{finding.rule} at {place}: {finding.message}")
    lines = [f"# {told}", "[[waivers]]", f'fingerprint = "{finding.fingerprint}"']
    if not finding.affects and finding.lineage:
        # A waiver that names its schema is reported once it matches nothing there.
        lines.append(f"schema = {quoted(finding.lineage)}")
    lines.append(f'reason = "it stood like this when compat was introduced, {today}"')
    return "\n".join(lines)

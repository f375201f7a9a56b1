"""What stands today, accepted in writing: a waiver for everything that the check objects to.

Nothing is made to look compatible, and nothing is said to have been released that was not: a waiver tells what it lets
pass and since when, and what the gate objects to is named and stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from compat.assess import Finding, Problem, Report, SchemaReport, with_waivers
from compat.errors import CompatError, RevisionError
from compat.policy import Policies, Policy, as_path
from compat.project import Pair, PairKind, Project, Side
from compat.project.gating import gate
from compat.project.judging import Judging
from compat.project.starting import quoted
from compat.relation import Level, Mode
from compat.sources.files import shown

_OBJECTED = frozenset({Level.BREAKING, Level.UNKNOWN})


@dataclass(frozen=True, slots=True)
class Standing:
    """What is objected to today: findings to waive, and `left`, what no waiver is for."""

    findings: tuple[Finding, ...]
    left: tuple[str, ...]
    problems: tuple[Problem, ...]


def standing(project: Project, mode: Mode, today: date) -> Standing:
    """Find what the check and the gate object to as things stand; `mode` holds where nothing is configured."""
    if project.repository is None or not project.repository.has_commits:
        return Standing((), (), ())
    configured = project.config.path is not None
    policies = project.policies() if configured else Policies(Policy(mode=mode))
    schemas, problems = _judged(project, policies)
    findings = tuple({one.fingerprint: one for one in _objected(schemas, policies, today)}.values())
    return Standing(findings, tuple(_unready(project, today)), problems)


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


def _unready(project: Project, today: date) -> Iterator[str]:
    """Say what the gate objects to; only a number can settle that."""
    for lineage in project.lineages():
        try:
            judgements = [judgement for judgement in gate(project, lineage, today=today) if judgement.fails]
        except CompatError as error:
            yield f"{shown(lineage.name)}: {error.message}"
            continue
        for judgement in judgements:
            least = f", needs {judgement.least}" if judgement.least is not None else ""
            yield f"{shown(judgement.lineage)}: {judgement.outcome.value}{least}"


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

"""`compat check`: every governed schema that a change touches, judged by its policy."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from compat.cli import completing
from compat.cli.console import Console
from compat.cli.options import (
    REPORT_FORMATS,
    FailOn,
    also_option,
    floor_option,
    project_options,
    report_options,
    root_option,
    steps_option,
    verdict_options,
)

if TYPE_CHECKING:
    from compat.assess import Finding, Report
    from compat.project import Base, Moment, Project


@click.command("check", short_help="Judge every governed schema that a change touches.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "--base",
    metavar="REV",
    help="Compare with where this branch and REV parted (default: found from CI, upstream, main).",
)
@click.option("--head", metavar="REV", help="Judge this commit instead of the working tree.")
@click.option("--staged", is_flag=True, help="Judge what is staged.")
@click.option(
    "--lineage",
    "lineages",
    metavar="GLOB",
    multiple=True,
    shell_complete=completing.lineages,
    help="Only lineages of such a name; repeatable.",
)
@click.option("--against", metavar="DIR|FILE", help="Compare with a folder or file, without git.")
@click.option(
    "--config-from",
    type=click.Choice(["base", "head"]),
    default="base",
    show_default=True,
    help="Whose policy judges; 'head' is for maintainers who change it.",
)
@click.option("--records/--no-records", default=True, show_default=True, help="Replay stored records for evidence.")
@click.option("--as-written", is_flag=True, help="Count a changed version tag as the break that it strictly is.")
@verdict_options
@floor_option
@steps_option
@root_option
@project_options
@also_option
@report_options(*REPORT_FORMATS)
def check(
    *,
    console: Console,
    paths: tuple[str, ...],
    base: str | None,
    head: str | None,
    staged: bool,
    lineages: tuple[str, ...],
    against: str | None,
    config_from: str,
    records: bool,
    as_written: bool,
    floor: str | None,
    steps: int,
    root: Path | None,
    config: Path | None,
    fail_on: FailOn,
    also: tuple[tuple[str, Path], ...],
) -> int:
    """Judge every governed schema that a change touches.

    PATH narrows the check to files, folders or patterns. Without options the working tree is compared with the merge
    base of this branch and the one it will go into, and the policy is that of the merge base.
    """
    from compat.assess import Problem, Report
    from compat.cli.reporting import finish
    from compat.errors import CompatError, ExitCode, UsageError
    from compat.project import NothingToCompare, Project

    started = perf_counter()
    if against is not None and (base is not None or head is not None or staged):
        raise UsageError("--against compares without git.", hint="Leave out --base, --head and --staged.")
    if staged and head is not None:
        raise UsageError("--staged and --head each say what to judge.", hint="Leave one of them out.")
    if base == "":
        raise UsageError("--base is empty.", hint="A variable in the workflow may not be set.")
    if head == "":
        raise UsageError("--head is empty.", hint="A variable in the workflow may not be set.")
    told_head = "staged" if staged else head or "working tree"
    report = Report("check", base or against or "", told_head)
    try:
        if against is not None and Path(against).is_file():
            report = _against_file(paths, against, as_written, steps, root)
        else:
            with Project.open(Path.cwd(), config_path=config, environment=os.environ, root=root) as project:
                report = _judged(
                    project,
                    console,
                    paths,
                    base=base,
                    head=head,
                    staged=staged,
                    lineages=lineages,
                    against=against,
                    config_from=config_from,
                    records=records,
                    as_written=as_written,
                    floor=floor,
                    steps=steps,
                )
    except NothingToCompare as nothing:
        report = Report("check", "", told_head, notes=(str(nothing),))
    except CompatError as error:
        if error.exit_code is ExitCode.USAGE:
            raise
        report = Report("check", base or against or "", told_head, problems=(Problem.of(error),))
    return finish(console, _timed(report, started), fail_on, also)


def _timed(report: Report, started: float) -> Report:
    return replace(report, elapsed=perf_counter() - started)


def _judged(
    project: Project,
    console: Console,
    paths: Sequence[str],
    *,
    base: str | None,
    head: str | None,
    staged: bool,
    lineages: Sequence[str],
    against: str | None,
    config_from: str,
    records: bool,
    as_written: bool,
    floor: str | None,
    steps: int,
) -> Report:
    from compat.assess import Problem, Report, policy_findings, with_waivers
    from compat.project import STAGED
    from compat.project.judging import Judging
    from compat.project.unwatched import unwatched

    wanted = [_from_root(project, path) for path in paths]
    found: Base | None = None
    if against is None:
        found = project.base(base, STAGED if staged else head)
        console.note(f"comparing with {found.label} ({found.how})")
        pairs = project.pairs(found.revision, head, staged=staged, paths=wanted)
    else:
        pairs = project.pairs_against(against, wanted)
    target = STAGED if staged else head
    moment = project.moment(target)
    before = project.elsewhere(str(against)) if found is None else project.moment(found.revision)
    idle = moment.require_matches(before)
    # Who judges: the configuration of the merge base, unless a maintainer says otherwise.
    judge = target if found is None or config_from == "head" else found.revision
    config = project.config_at(judge)
    theirs = project.policies(target)
    ours = theirs if judge == target else project.policies(judge)
    label = found.label if found is not None else str(against)
    judging = Judging(
        project,
        ours,
        moment,
        label,
        since=None if found is None else found.revision,
        config=config,
        with_records=records,
        as_written=as_written,
        formats="assertion" if config.formats == "assertion" else "annotation",
        steps=steps,
        floor=floor,
    )
    asked = _asked(lineages, (moment, before))
    judged = judging.all(pair for pair in pairs if asked is None or pair.lineage in asked)
    problems = judged.problems
    touched = {schema.name for schema in judged.schemas}
    unchanged = sum(
        path not in touched and (asked is None or moment.lineage_of[path] in asked) for path in moment.governed
    )
    if not moment.governed and not judged.schemas and not problems:
        problems = (Problem("no schema was found here", None, "compat list shows what was looked at and passed over."),)
    report = Report(
        "check",
        label,
        "staged" if staged else head or "working tree",
        judged.schemas,
        () if ours is theirs else policy_findings(ours, theirs, unwatched(config, moment.config)),
        problems,
        unchanged=unchanged,
        notes=(*idle, *(() if found is None else found.notes)),
    )
    known = {name for each in (moment, before) for name in each.families}
    report = with_waivers(report, ours, date.today(), known)  # an expiry is a day where the user stands
    base_words = ("--base", found.revision[:12]) if found is not None else ("--against", str(against))
    head_words = ("--staged",) if staged else ("--head", head) if head else ()
    lineage_words = [word for name in lineages for word in ("--lineage", name)]
    return _with_rerun(report, ("check", *base_words, *head_words, *lineage_words, *paths))


def _with_rerun(report: Report, words: tuple[str, ...]) -> Report:
    """Say of what no two schemas show, a deletion or a looser policy, that the check itself meets it again."""
    from compat.assess import Rerun

    def named(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        return tuple(replace(finding, names=finding.names or Rerun(words)) for finding in findings)

    schemas = tuple(replace(schema, findings=named(schema.findings)) for schema in report.schemas)
    return replace(report, schemas=schemas, findings=named(report.findings))


def _asked(patterns: Sequence[str], moments: Sequence[Moment]) -> frozenset[str] | None:
    """Give the lineages that the patterns mean, or None where there is no pattern; one that means none is an error."""
    from compat.errors import SourceError, did_you_mean
    from compat.sources.patterns import matches

    known = sorted({name for moment in moments for name in moment.families})
    for pattern in patterns:
        if not any(matches(pattern, name) for name in known):
            hint = did_you_mean(pattern, known) or "compat list shows the lineages."
            raise SourceError(f"no lineage is called {pattern!r}", hint=hint)
    if not patterns:
        return None
    return frozenset(name for name in known if any(matches(pattern, name) for pattern in patterns))


def _from_root(project: Project, path: str) -> str:
    """Read a path as the shell means it, from here, and give it from the root."""
    here = project.root.relative(Path.cwd())
    if any(char in path for char in "*?[") and not Path(path).exists():
        return f"{here}/{path}" if here else path
    return project.root.relative(Path.cwd() / path)


def _against_file(paths: Sequence[str], against: str, as_written: bool, steps: int, root: Path | None = None) -> Report:
    from compat.assess import Report
    from compat.assess.pair import lineage_pair, report_pair
    from compat.assess.remarks import with_remarks
    from compat.cli.named import Desk, names_of
    from compat.errors import UsageError
    from compat.policy import Policy

    if len(paths) != 1:
        raise UsageError("--against FILE compares one file.", hint="Name it: compat check PATH --against FILE.")
    with Desk(Path.cwd(), root=root) as desk:
        old, new = desk.open(against), desk.open(paths[0])
        pair = lineage_pair(old, new, as_written=as_written, steps=steps)
        names = names_of(against, paths[0], root=root, as_written=as_written)
        report = report_pair(pair, Policy(), name=paths[0], lineage="", old_name=against, names=names)
        report = with_remarks(report, old, new, set())
    return Report("check", against, paths[0], (report,))

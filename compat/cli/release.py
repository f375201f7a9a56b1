"""`compat release`: write down that a version went out, and tell consumers."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from compat.cli.console import Console
from compat.cli.options import floor_option, project_options, report_options


@click.command("release", short_help="Write the release record and its changelog section.")
@click.argument("lineages", nargs=-1, metavar="[LINEAGE…]")
@click.option("--date", "day", metavar="YYYY-MM-DD", help="The day of the release; today by default.")
@click.option(
    "--file", "target", metavar="FILE", help="The changelog of all lineages; CHANGELOG.md beside the schemas."
)
@click.option("--dry-run", is_flag=True, help="Say what would be written and write nothing.")
@click.option(
    "--base",
    metavar="REV",
    help="Believe the releases that are known where this branch and REV parted, as compat gate does.",
)
@floor_option
@project_options
@report_options("text")
def release(
    *,
    console: Console,
    lineages: tuple[str, ...],
    day: str | None,
    target: str | None,
    dry_run: bool,
    base: str | None,
    floor: str | None,
    config: Path | None,
) -> int:
    """Write the release record and its changelog section.

    Every lineage that changed since its last release, or those named, gets a row in history/<lineage>/releases.ndjson
    and a section of the changelog: all of it or nothing. Nothing is written while the gate objects to any of them.
    Stopped while it writes, the same command again finishes what it began. Commit and tag as you do.
    """
    from compat.changelog import render
    from compat.cli.chosen import chosen
    from compat.errors import ExitCode
    from compat.project import Project
    from compat.project.gating import Gate
    from compat.project.releasing import finish_stopped, plan, require_finished, write
    from compat.project.telling import changelog_path, chapters, told_so_far
    from compat.report.gate import render as objections

    today = _day(day)
    with Project.open(Path.cwd(), config_path=config) as project:
        if dry_run:
            require_finished(project)
        elif finished := finish_stopped(project):
            console.note(f"finished a release that was stopped while it was written: {', '.join(finished)}")
        found = chosen(project, lineages)
        judging = Gate(project, today, floor=floor, believed=base)
        failing = [judgement for lineage in found for judgement in judging.judge(lineage) if judgement.fails]
        failing += [judgement for judgement in (() if lineages else judging.gone()) if judgement.fails]
        if failing:
            text = objections(failing, (), "text", exit_code=1, color=console.color, width=console.width)
            console.report(text)
            return ExitCode.FINDINGS
        releases = [plan(project, lineage, today) for lineage in found]
        # The changelog is the project's: it goes on telling of lineages that are not released now.
        everything = project.lineages()
        released = {one.lineage.name: one.chapters for one in releases}
        told = [c for each in everything for c in released.get(each.name) or chapters(project, each)]
        path = changelog_path(project, everything) if target is None else project.root.relative(Path(target))
        existing = told_so_far(project, path)
        text = render(told, existing)
        lines = [
            f"{one.lineage.name} {one.record.version}, {one.record.released}"
            for one in releases
            if one.record is not None
        ]
        written = () if dry_run else write(project, releases, path, text if text != existing else None)
    said = "\n".join(lines) if lines else "nothing to release: every version is released as it stands."
    console.report(f"{said}\n" + (f"written: {', '.join(written)}\n" if written else ""))
    return ExitCode.OK


def _day(text: str | None) -> date:
    from datetime import UTC, datetime

    from compat.errors import UsageError

    if text is None:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{text!r} is no day.", hint="Write it as 2027-03-01.") from None

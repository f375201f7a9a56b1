"""`compat gate`: which version bump a release needs, and whether it is declared."""

from __future__ import annotations

from pathlib import Path

import click

from compat.cli.console import Console
from compat.cli.options import project_options, report_options, steps_option


@click.command("gate", short_help="Say which version bump a release needs.")
@click.argument("lineages", nargs=-1, metavar="[LINEAGE…]")
@steps_option
@project_options
@report_options("text", "json")
def gate(*, console: Console, lineages: tuple[str, ...], steps: int, config: Path | None) -> int:
    """Say which version bump a release needs.

    Every lineage, or those named, is compared with its last release: from history/<lineage>/releases.ndjson and from
    git tags, known by version and content. A number that announces too little fails, with the change that forces
    more; so does a released version that was edited in place.
    """
    from datetime import UTC, datetime

    from compat.assess import Problem
    from compat.cli.chosen import chosen
    from compat.errors import CompatError, ExitCode
    from compat.project import Project
    from compat.project.gating import gate as judge
    from compat.project.gating import gone
    from compat.project.releasing import require_finished
    from compat.report.gate import render

    judgements, problems = [], []
    today = datetime.now(UTC).date()
    with Project.open(Path.cwd(), config_path=config) as project:
        require_finished(project)
        for lineage in chosen(project, lineages):
            try:
                judgements += list(judge(project, lineage, today=today, steps=steps))
            except CompatError as error:
                problems.append(Problem.of(error))
        if not lineages:
            judgements += list(gone(project))
    failing = any(judgement.fails for judgement in judgements)
    code = ExitCode.UNCHECKED if problems else ExitCode.FINDINGS if failing else ExitCode.OK
    console.report(
        render(judgements, problems, console.format, exit_code=code, color=console.color, width=console.width)
    )
    return code

"""`compat gate`: which version bump a release needs, and whether it is declared."""

from __future__ import annotations

from pathlib import Path

import click

from compat.cli.console import Console
from compat.cli.options import floor_option, project_options, report_options, steps_option


@click.command("gate", short_help="Say which version bump a release needs.")
@click.argument("lineages", nargs=-1, metavar="[LINEAGE…]")
@click.option(
    "--base",
    metavar="REV",
    help="Believe the releases that are known where this branch and REV parted (default: found from CI, upstream, "
    "main); later ones are judged.",
)
@floor_option
@steps_option
@project_options
@report_options("text", "json")
def gate(
    *,
    console: Console,
    lineages: tuple[str, ...],
    base: str | None,
    floor: str | None,
    steps: int,
    config: Path | None,
) -> int:
    """Say which version bump a release needs.

    Every lineage, or those named, is compared with its last release: from history/<lineage>/releases.ndjson and from
    git tags, known by version and content. A number that announces too little fails, with the change that forces
    more; so does a released version that was edited in place, a property or lineage that went without having been
    deprecated, and a release that this change claims and that does not hold against the one before it.
    """
    from datetime import UTC, datetime

    from compat.assess import Problem
    from compat.cli.chosen import chosen
    from compat.errors import CompatError, ExitCode
    from compat.project import Project
    from compat.project.gating import Gate
    from compat.project.releasing import require_finished
    from compat.report.gate import render

    judgements, problems = [], []
    today = datetime.now(UTC).date()
    with Project.open(Path.cwd(), config_path=config) as project:
        require_finished(project)
        judging = Gate(project, today, steps, floor, believed=base)
        found = chosen(project, lineages)
        try:
            _ = judging.base  # what is wrong with it is wrong with every lineage
        except CompatError as error:
            if error.exit_code is ExitCode.USAGE:
                raise
            problems.append(Problem.of(error))
            found = ()
        for lineage in found:
            try:
                judgements += list(judging.judge(lineage))
            except CompatError as error:
                if error.exit_code is ExitCode.USAGE:
                    raise
                problems.append(Problem.of(error))
        if not lineages and not problems:
            judgements += list(judging.gone())
    failing = any(judgement.fails for judgement in judgements)
    code = ExitCode.UNCHECKED if problems else ExitCode.FINDINGS if failing else ExitCode.OK
    console.report(
        render(judgements, problems, console.format, exit_code=code, color=console.color, width=console.width)
    )
    return code

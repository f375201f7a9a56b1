"""`compat changelog`: what changed, release by release, for those who read or write the data."""

from __future__ import annotations

from pathlib import Path

import click

from compat.cli.console import Console
from compat.cli.options import project_options, report_options


@click.command("changelog", short_help="Tell consumers what changed, release by release.")
@click.argument("lineages", nargs=-1, metavar="[LINEAGE…]")
@click.option("--write", is_flag=True, help="Write the file and keep in it what people wrote; print nothing.")
@click.option("--file", "target", metavar="FILE", help="The file for --write; CHANGELOG.md beside the schemas.")
@project_options
@report_options("text")
def changelog(
    *, console: Console, lineages: tuple[str, ...], write: bool, target: str | None, config: Path | None
) -> int:
    """Tell consumers what changed, release by release.

    Markdown in the form of Keep a Changelog, from release records and git tags: of every lineage in one, or of those
    named. Parts that are generated stand between comments; --write renews them and leaves the rest alone.
    """
    from compat.changelog import render
    from compat.cli.chosen import chosen
    from compat.errors import ExitCode, UsageError
    from compat.project import Project
    from compat.project.releasing import require_finished
    from compat.project.telling import changelog_path, chapters, told_so_far
    from compat.sources.together import write_whole

    if target is not None and not write:
        raise UsageError("--file goes with --write.", hint="-o FILE writes anew, without what the file holds.")
    with Project.open(Path.cwd(), config_path=config) as project:
        require_finished(project)
        found = chosen(project, lineages)
        told = [chapter for lineage in found for chapter in chapters(project, lineage)]
        if not write:
            console.report(render(told))
            return ExitCode.OK
        path = changelog_path(project, found) if target is None else project.root.relative(Path(target))
        existing = told_so_far(project, path)
        text = render(told, existing)
        if text == existing:
            console.note(f"{path}: nothing new.")
        else:
            write_whole(project.root, path, text.encode("utf-8"))
            console.note(f"{path}: written.")
    return ExitCode.OK

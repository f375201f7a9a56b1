"""`compat list`: what is governed here, where version numbers come from, and what was passed over."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from compat.cli.console import Console
from compat.cli.options import project_options, report_options

if TYPE_CHECKING:
    from compat.jsonvalue import JSON
    from compat.lineage import Lineage
    from compat.project import Moment, Project

_PASSED_SHOWN = 10


@click.command("list", short_help="Show the lineages found and what was passed over.")
@click.option("--revision", metavar="REV", help="Look at this commit instead of the working tree.")
@project_options
@report_options("text", "json")
def list_(*, console: Console, revision: str | None, config: Path | None) -> None:
    """Show the lineages found and what was passed over.

    A lineage is one contract through time: a file that moves through history, or versions side by side. Each is shown
    with its mode, its files, the version number of each and where that comes from, and its stored records.
    """
    from compat.errors import SourceError
    from compat.project import Project
    from compat.report.json import FORMAT_LIST, render_rows

    with Project.open(Path.cwd(), config_path=config, environment=os.environ) as project:
        moment = project.moment(revision)
        lineages = project.lineages(revision)
        if console.format == "json":
            rows = [_row(project, moment, lineage) for lineage in lineages]
            passed: list[JSON] = [{"path": item.path, "why": item.why} for item in moment.discovery.passed_over]
            console.report(render_rows(FORMAT_LIST, lineages=rows, passed_over=passed))
        else:
            console.report("\n".join(_text(project, moment, lineages, console)))
    if not lineages:
        raise SourceError(
            "no schema was found here",
            hint="A schema is called *.schema.json, lies under schemas/, or names its dialect in $schema; "
            'others are named in compat.toml, as [schemas.NAME] files = "PATTERN".',
        )


def _row(project: Project, moment: Moment, lineage: Lineage) -> Mapping[str, JSON]:
    governed = {item.path: item for item in moment.discovery.governed}
    files: list[JSON] = []
    for path in lineage.files:
        found = moment.number(path)
        files.append(
            {
                "path": path,
                "version": None if found is None else str(found[0]),
                "from": None if found is None else found[1].value,
                "governed_by": governed[path].why.value,
            }
        )
    return {
        "name": lineage.name,
        "mode": lineage.mode.value,
        "files": files,
        "records": [file.path for file in project.record_files(lineage.name)],
    }


def _text(project: Project, moment: Moment, lineages: tuple[Lineage, ...], console: Console) -> Iterator[str]:
    from compat.diff.wording import counted
    from compat.report.escape import terminal
    from compat.report.text import Style

    style = Style(console.color)
    width = max((len(lineage.name) for lineage in lineages), default=0)
    for lineage in lineages:
        records = project.record_files(lineage.name)
        told = f"policy {lineage.mode}" + (f", {counted(len(records), 'file')} of records" if records else "")
        yield f"{style(terminal(lineage.name).ljust(width), '1')}  {style(told, '2')}"
        for path in lineage.files:
            found = moment.number(path)
            number = "no version number" if found is None else f"version {found[0]} from {found[1].value}"
            yield f"  {terminal(path)}  {style(terminal(number), '2')}"
        if console.verbose:
            yield from (f"  {terminal(file.path)}" for file in records)
        yield ""
    yield from _passed(moment, console)
    files = sum(len(lineage.files) for lineage in lineages)
    yield f"{counted(len(lineages), 'lineage')} in {counted(files, 'file')} governed in the {moment.label}."


def _passed(moment: Moment, console: Console) -> Iterator[str]:
    from compat.diff.wording import counted
    from compat.report.escape import terminal

    passed = moment.discovery.passed_over
    if not passed:
        return
    shown = passed if console.verbose else passed[:_PASSED_SHOWN]
    yield "passed over:"
    for item in shown:
        yield f"  {terminal(item.path)}  {terminal(item.why)}"
    if len(shown) < len(passed):
        yield f"  and {counted(len(passed) - len(shown), 'more file')} (-v shows them)"
    yield ""

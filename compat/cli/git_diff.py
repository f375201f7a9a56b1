"""`compat git-diff`: what git calls in place of its own diff, once a repository is told to."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from compat.cli.console import Console
from compat.cli.options import report_options, steps_option
from compat.errors import CompatError, UsageError

if TYPE_CHECKING:
    from compat.assess import Report, SchemaReport
    from compat.model.references import SchemaSet
    from compat.project import Project


@click.command(
    "git-diff", short_help="Show a schema's change inside git diff.", context_settings={"ignore_unknown_options": True}
)
@click.argument("given", nargs=-1, metavar="PATH OLD HEX MODE NEW HEX MODE [TO SIMILARITY]", type=click.UNPROCESSED)
@steps_option
@report_options("text", "markdown")
def git_diff(*, console: Console, given: tuple[str, ...], steps: int) -> int:
    """Show a schema's change inside git diff.

    Git calls it with these arguments, after `git config diff.compat.command "compat git-diff"` and a line
    `*.schema.json diff=compat` in .gitattributes. It always exits 0, since git would stop at anything else;
    `git diff --no-ext-diff` shows the text as ever. References are followed in the working tree.
    """
    from compat.errors import ExitCode

    if not given:
        raise UsageError("this is for git to call.", hint='See git config diff.compat.command "compat git-diff".')
    try:
        console.report(_shown(console, given, steps).rstrip("\n") + "\n\n")
    except Exception as error:  # noqa: BLE001 - git stops the whole diff at an error, and one file is not worth that
        said = str(error) if isinstance(error, CompatError) else f"{type(error).__name__}: {error}"
        console.report(f"{_escaped(given[0])}: could not be compared: {_escaped(said)}\n\n")
    return ExitCode.OK


def _shown(console: Console, given: tuple[str, ...], steps: int) -> str:
    from compat.project import Project

    path = given[0]
    if len(given) < 7:
        return f"{_escaped(path)}: not merged yet; nothing to compare."
    old, new = given[1], given[4]
    target = given[7] if len(given) > 7 else path
    if os.devnull in (old, new):
        return f"{_escaped(path)}: {'a new schema' if old == os.devnull else 'the schema is gone'}."
    with Project.open(Path.cwd(), environment={}) as project:
        before, after = _side(project, path, old), _side(project, target, new)
        return _rendered(console, _compared(project, path, target, before, after, steps))


def _side(project: Project, path: str, file: str) -> SchemaSet:
    """Read one side from where git has put it, as the file that it is in the repository."""
    from compat.model.document import parse_document
    from compat.model.references import schema_set
    from compat.project.scanning import file_uri
    from compat.sources.files import Root, shown

    place = Path(file)
    # A temporary file of git's, or the working file itself.
    data = Root(place.parent).read(place.name) if place.is_absolute() else project.root.read(file)
    moment = project.moment(None)
    document = parse_document(data, name=shown(path), uri=file_uri(path))
    return schema_set(document, dialects=moment.config.dialects, retrieve=moment.retrieve)


def _compared(project: Project, path: str, target: str, before: SchemaSet, after: SchemaSet, steps: int) -> Report:
    from compat.assess import Report
    from compat.assess.pair import lineage_pair, report_pair
    from compat.assess.remarks import with_remarks
    from compat.policy import Policy
    from compat.sources.files import shown

    config, lineage = project.config, project.moment(None).lineage_of.get(target, "")
    pair = lineage_pair(
        before,
        after,
        marker=config.version_rule(lineage).property,
        formats="assertion" if config.formats == "assertion" else "annotation",
        steps=steps,
    )
    policy = project.policies().of(lineage) if lineage else Policy()
    moved = shown(path) if path != target else None
    one: SchemaReport = report_pair(pair, policy, name=shown(target), lineage=lineage, old_name=moved)
    return Report("diff", f"old {shown(path)}", f"new {shown(target)}", (with_remarks(one, before, after, set()),))


def _rendered(console: Console, report: Report) -> str:
    from compat.cli.options import FailOn
    from compat.cli.reporting import exit_code, render

    return render(console, report, exit_code(report, FailOn.NEVER), FailOn.NEVER)


def _escaped(text: str) -> str:
    from compat.report.escape import terminal

    return terminal(text)

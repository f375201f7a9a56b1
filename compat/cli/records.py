"""`compat records`: what is kept of the records that were really written, and how more are taken in."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from compat.cli.chosen import chosen
from compat.cli.console import Console
from compat.cli.options import project_options, remote_option, report_options
from compat.errors import ExitCode

if TYPE_CHECKING:
    from compat.project import Project
    from compat.replay.read import Outcome

STDIN = "-"


@click.group("records", short_help="Add records that were really written, and list them.")
def records() -> None:
    """Add records that were really written, and list them.

    They stand under history/<lineage>/records/<version>.ndjson, and what must stay invalid under rejects/. A small,
    telling set belongs into git; bulk lies behind a location that the configuration names.
    """


@records.command("add", short_help="Take records into the history, each under the version it names.")
@click.argument("files", nargs=-1, required=True, metavar="FILE|-…")
@click.option("--lineage", metavar="NAME", help="Whose records these are, where they do not say it.")
@click.option("--version", "number", metavar="NUMBER", help="The version they were written under, where they do not.")
@click.option("--rejects", is_flag=True, help="Keep them as what must stay invalid; what is valid is refused.")
@remote_option
@project_options
@report_options("text", "json")
def add(
    *,
    console: Console,
    files: tuple[str, ...],
    lineage: str | None,
    number: str | None,
    rejects: bool,
    allow_remote: bool,
    config: Path | None,
) -> int:
    """Take records into the history, each under the version it names.

    A record must be valid under its version, and is kept once, whatever the order of its members. Files are of any
    layout that replay reads. Nothing is written before all was seen, and every file is replaced as a whole: stopped
    at any time, nothing is lost, and the same command again adds what is missing.
    """
    from compat.lineage import VersionNumber
    from compat.project import Project
    from compat.project.adding import Adding
    from compat.report.records import render_added

    try:
        version = None if number is None else VersionNumber.parse(number)
    except ValueError:
        raise click.UsageError(f"--version {number!r} is no version number.") from None
    with Project.open(Path.cwd(), config_path=config) as project:
        project.remote.allowed = allow_remote
        name = None if lineage is None else chosen(project, (lineage,))[0].name
        with Adding(project, chosen(project, ()), lineage=name, version=version, rejects=rejects) as adding:
            for file in files:
                for path, found in _outcomes(project, file):
                    adding.take(found, path)
            taken = adding.write()
    console.report(render_added(taken, console.format, rejects=rejects, color=console.color))
    if taken.unreadable or taken.unrouted:
        return ExitCode.UNCHECKED
    return ExitCode.FINDINGS if taken.refused else ExitCode.OK


def _outcomes(project: Project, file: str) -> Iterator[tuple[str | None, Iterator[Outcome]]]:
    """Give the records of a file, of every file at a location, or of standard input."""
    from compat.errors import Place, SourceError
    from compat.project.stored import blocks_of
    from compat.replay.locations import is_location
    from compat.replay.read import outcomes, read_file, read_stream

    if file == STDIN:
        yield None, read_stream(sys.stdin.buffer, "<stdin>")
    elif is_location(file):
        yield from ((name, outcomes(blocks_of(project, name))) for name in project.remote.files(file))
    elif not Path(file).is_file():
        raise SourceError("there is no such file", place=Place(file))
    else:
        # Inside the root the folders say whose records these are; elsewhere only the name does.
        try:
            path = project.relative(file)
        except SourceError:
            path = Path(file).name
        yield path, read_file(Path(file), file)


@records.command("list", short_help="Show what is kept of each lineage, and whether it is what it is kept as.")
@click.argument("names", nargs=-1, metavar="[LINEAGE|PATH…]")
@remote_option
@project_options
@report_options("text", "json")
def list_(*, console: Console, names: tuple[str, ...], allow_remote: bool, config: Path | None) -> int:
    """Show what is kept of each lineage, and whether it is what it is kept as.

    Records and examples must be valid under their own version, rejects invalid. What is not, what cannot be read and
    what no version is known of makes the exit code 1.
    """
    from compat.project import Project
    from compat.project.stock import stock
    from compat.report.records import render_stock

    with Project.open(Path.cwd(), config_path=config) as project:
        project.remote.allowed = allow_remote
        lineages = chosen(project, names)
        rows = tuple(stock(project, lineages))
        text = render_stock(
            rows,
            console.format,
            lineages=[lineage.name for lineage in lineages],
            unread=project.remote.passed_over,
            color=console.color,
        )
    console.report(text)
    return ExitCode.FINDINGS if any(row.odd or row.unreadable or not row.version for row in rows) else ExitCode.OK


@records.command("coverage", short_help="Show what of the schemas the records exercise, place by place.")
@click.argument("names", nargs=-1, metavar="[LINEAGE|PATH…]")
@click.option("--version", "number", metavar="NUMBER", help="Only this version, and the records that are of it.")
@click.option("--records", "files", multiple=True, metavar="FILE|-", help="Look at these instead of those stored.")
@remote_option
@project_options
@report_options("text", "json")
def coverage(
    *,
    console: Console,
    names: tuple[str, ...],
    number: str | None,
    files: tuple[str, ...],
    allow_remote: bool,
    config: Path | None,
) -> int:
    """Show what of the schemas the records exercise, place by place.

    That is subschemas reached, branches taken, values seen, properties present and absent, and bounds touched from both
    sides, each under the version that the record was written under. Nobody proves that what is missing can be shown.
    The exit code is 3 where a record could not be looked at, else 0.
    """
    from compat.lineage import VersionNumber
    from compat.project import Project
    from compat.project.covering import Covering
    from compat.report.coverage import render_coverage

    try:
        version = None if number is None else VersionNumber.parse(number)
    except ValueError:
        raise click.UsageError(f"--version {number!r} is no version number.") from None
    with Project.open(Path.cwd(), config_path=config) as project:
        project.remote.allowed = allow_remote
        covering = Covering(project, chosen(project, names), version=version)
        if files:
            for file in files:
                for path, found in _outcomes(project, file):
                    covering.take(found, path)
        else:
            covering.take_stored()
        covered = covering.covered()
    console.report(render_coverage(covered, console.format, color=console.color))
    return ExitCode.OK if covered.complete else ExitCode.UNCHECKED


@records.command("distil", short_help="Write the few records of a version that exercise what all of them do.")
@click.argument("name", metavar="LINEAGE|PATH")
@click.option("--version", "number", metavar="NUMBER", help="The version; may be left out where records are of one.")
@click.option("--records", "files", multiple=True, metavar="FILE|-", help="Take from these instead of those stored.")
@remote_option
@project_options
@report_options("text")
def distil(
    *,
    console: Console,
    name: str,
    number: str | None,
    files: tuple[str, ...],
    allow_remote: bool,
    config: Path | None,
) -> int:
    """Write the few records of a version that exercise what all of them do.

    They are written as they are, values and all, a line each: --output FILE. The shortest are taken, whatever the
    order of the stream; what they exercise is counted once more and is the same. The exit code is 3 where a record
    could not be looked at, else 0.
    """
    from compat.lineage import VersionNumber
    from compat.project import Project
    from compat.project.covering import Covering
    from compat.report.escape import json_text
    from compat.report.replay import records as counted_records

    try:
        version = None if number is None else VersionNumber.parse(number)
    except ValueError:
        raise click.UsageError(f"--version {number!r} is no version number.") from None
    with Project.open(Path.cwd(), config_path=config) as project:
        project.remote.allowed = allow_remote
        covering = Covering(project, chosen(project, (name,)), version=version, distilling=True)
        if files:
            for file in files:
                for path, found in _outcomes(project, file):
                    covering.take(found, path)
        else:
            covering.take_stored()
        covered, distilled = covering.covered(), list(covering.distilled())
    if len(distilled) > 1:
        labels = ", ".join(label for _, label, _ in distilled)
        raise click.UsageError(f"There are records of several versions ({labels}): choose one with --version.")
    lines = [line for _, _, lines in distilled for line in lines]
    read = sum(one.coverage.records for one in covered.versions)
    console.report("".join(json_text(line) + "\n" for line in lines))
    console.note(f"{len(lines):,} of {counted_records(read)} exercise what all of them do.")
    if not covered.complete:
        console.warning("some records could not be looked at; compat records coverage names them")
        return ExitCode.UNCHECKED
    return ExitCode.OK

"""`compat verify WITNESS OLD NEW`: whether one instance tells two versions of a schema apart."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from compat.cli.console import Console
from compat.cli.options import (
    FailOn,
    NamingCommand,
    reading_options,
    report_options,
    schema_argument,
    verdict_options,
)

if TYPE_CHECKING:
    from compat.jsonvalue import JSON


@click.command("verify", cls=NamingCommand, short_help="Check a witness against both versions with two validators.")
@click.argument("witness", metavar="WITNESS")
@schema_argument("old")
@schema_argument("new")
@reading_options
@verdict_options
@report_options("text", "json")
def verify(
    *,
    console: Console,
    witness: str,
    old: str,
    new: str,
    path: str | None,
    dialect: str | None,
    formats: str,
    root: Path | None,
    as_written: bool,
    fail_on: FailOn,
) -> int:
    """Check a witness against both versions with two validators.

    WITNESS is a JSON text, a FILE, or - for standard input; OLD and NEW are named as for compat diff. The report says
    what each version makes of it and where it fails. The exit code is 1 where OLD accepts it and NEW rejects it, the
    break that a report claims; 3 where the validators contradict each other.
    """
    from compat.assess.pair import lineage_pair
    from compat.assess.verify import verify as put_to
    from compat.cli.named import STDIN, Desk, dialect_named, split_pointer
    from compat.errors import ExitCode, UsageError
    from compat.relation import Direction, Level
    from compat.report import verify as report

    if [witness, *(split_pointer(name)[0] for name in (old, new))].count(STDIN) > 1:
        raise UsageError("Only one of them can be standard input.", hint="Name files for the others.")
    value = _instance(witness)
    with Desk(Path.cwd(), path=path, dialect=dialect_named(dialect), root=root) as desk:
        before, after = desk.open(old), desk.open(new)
    pair = lineage_pair(
        before, after, as_written=as_written, formats="assertion" if formats == "assertion" else "annotation"
    )
    found = put_to(value, pair)
    level = {Direction.BACKWARD: Level.BREAKING, Direction.FORWARD: Level.RISKY}
    fails = found.breaks is not None and fail_on.fails(level[found.breaks])
    code = ExitCode.UNCHECKED if found.disputed else ExitCode.FINDINGS if fails else ExitCode.OK
    if console.format == "json":
        console.report(report.render(found, old, new, exit_code=code))
    else:
        console.report(report.text(found, old, new, color=console.color, width=console.width))
    return code


def _instance(witness: str) -> JSON:
    """Read the instance: a JSON text where it is one, else what is in a file."""
    from compat.errors import ParseError, Place, SourceError, did_you_mean
    from compat.model.document import MAX_BYTES, Syntax, parse_document
    from compat.sources.files import shown

    if witness == "-":
        return parse_document(sys.stdin.buffer.read(MAX_BYTES + 1), name="<stdin>", syntax=Syntax.JSON).value
    try:
        return parse_document(witness, name="WITNESS", syntax=Syntax.JSON).value
    except ParseError as error:
        file = Path(witness)
        try:
            with file.open("rb") as opened:
                # No more than is read anyway; a pipe has no size to ask for.
                data = opened.read(MAX_BYTES + 1)
            return parse_document(data, name=shown(witness)).value
        except IsADirectoryError:
            raise SourceError("is a folder", place=Place(shown(witness)), hint="Name a file in it.") from error
        except (OSError, ValueError):
            pass
        if witness.lstrip()[:1] in {"{", "[", '"'}:
            raise
        names = [entry.name for entry in Path.cwd().iterdir()] if "/" not in witness else []
        hint = did_you_mean(witness, names) or "Quote JSON for the shell: compat verify '{\"id\": 1}' OLD NEW."
        message = "is neither JSON nor a file"
        raise SourceError(message, place=Place(shown(witness)), hint=hint) from error

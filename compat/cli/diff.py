"""`compat diff OLD NEW`: two versions of one schema, wherever they are kept."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import click

from compat.cli.console import Console
from compat.cli.options import (
    REPORT_FORMATS,
    FailOn,
    NamingCommand,
    reading_options,
    report_options,
    schema_argument,
    steps_option,
    verdict_options,
)
from compat.relation import Mode


@click.command("diff", cls=NamingCommand, short_help="Compare two versions of one schema.")
@schema_argument("old")
@schema_argument("new")
@click.option(
    "--mode",
    type=click.Choice([mode.value for mode in Mode]),
    default=Mode.BACKWARD.value,
    show_default=True,
    help="Which direction must hold.",
)
@click.option("--records/--no-records", default=True, show_default=True, help="Replay stored records for evidence.")
@reading_options
@verdict_options
@steps_option
@report_options(*REPORT_FORMATS)
def diff(
    *,
    console: Console,
    old: str,
    new: str,
    path: str | None,
    mode: str,
    records: bool,
    dialect: str | None,
    formats: str,
    root: Path | None,
    as_written: bool,
    steps: int,
    fail_on: FailOn,
) -> int:
    """Compare two versions of one schema.

    OLD and NEW are each a FILE, a REV:PATH in this repository, :PATH for what is staged, or a REV with --path.
    FILE#/json/pointer names a schema inside a larger document, such as openapi.yaml#/components/schemas/Pet. One of
    them may be - for standard input, or -#/json/pointer.
    """
    from compat.assess import Problem, Report
    from compat.assess.pair import lineage_pair, report_pair
    from compat.assess.remarks import with_remarks
    from compat.cli.named import STDIN, Desk, dialect_named, names_of, split_pointer
    from compat.cli.reporting import finish
    from compat.errors import CompatError, ExitCode, UsageError
    from compat.policy import Policy
    from compat.project.evidence import stored_beside

    started = perf_counter()
    default = dialect_named(dialect)
    if split_pointer(old)[0] == split_pointer(new)[0] == STDIN:
        raise UsageError("Only one side can be standard input.", hint="Name a file for the other side.")
    report = Report("diff", old, new)
    try:
        with Desk(Path.cwd(), path=path, dialect=default, root=root) as desk:
            before, after = desk.open(old), desk.open(new)
            pair = lineage_pair(
                before,
                after,
                as_written=as_written,
                formats="assertion" if formats == "assertion" else "annotation",
                steps=steps,
            )
            names = names_of(old, new, path=path, dialect=dialect, formats=formats, root=root, as_written=as_written)
            with stored_beside(Path.cwd(), _governed(new, path) if records else None, pair.old, pair.formats) as stored:
                one = report_pair(
                    pair,
                    Policy(Mode(mode)),
                    name=new,
                    lineage="",
                    old_name=old,
                    replay=None if stored is None else stored.replay,
                    reach=None if stored is None else lambda paths: stored.reach(pair.old, paths),
                    names=names,
                )
            one = with_remarks(one, before, after, set())
        report = Report("diff", old, new, (one,), elapsed=perf_counter() - started)
    except CompatError as error:
        if error.exit_code is ExitCode.USAGE:
            raise
        report = Report("diff", old, new, problems=(Problem.of(error),), elapsed=perf_counter() - started)
    return finish(console, report, fail_on)


def _governed(name: str, path: str | None) -> str | None:
    """Give the path of the newer side as it is called here; None where it is no file of this repository."""
    from compat.cli.named import STDIN, parse_name

    found = parse_name(name, exists=Path(name).is_file())
    if found.path == STDIN:
        return None
    named = found.revision is not None or Path(found.path or "").is_file()
    return found.path if named else path

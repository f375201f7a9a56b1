"""`compat diff OLD NEW`: two versions of one schema, wherever they are kept."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import click

from compat.cli.console import Console
from compat.cli.options import FailOn, report_options, steps_option, verdict_options
from compat.relation import Mode


@click.command("diff", short_help="Compare two versions of one schema.")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option("--path", metavar="PATH", help="The file, where OLD or NEW is only a revision.")
@click.option(
    "--mode",
    type=click.Choice([mode.value for mode in Mode]),
    default=Mode.BACKWARD.value,
    show_default=True,
    help="Which direction must hold.",
)
@click.option("--dialect", metavar="NAME", help="The dialect where no $schema says: draft-07, 2020-12 …")
@click.option(
    "--formats",
    type=click.Choice(["annotation", "assertion"]),
    default="annotation",
    show_default=True,
    help="Whether 'format' refuses anything.",
)
@click.option("--as-written", is_flag=True, help="Count a changed version tag as the break that it strictly is.")
@verdict_options
@steps_option
@report_options("text", "json", "markdown", "github")
def diff(
    *,
    console: Console,
    old: str,
    new: str,
    path: str | None,
    mode: str,
    dialect: str | None,
    formats: str,
    as_written: bool,
    steps: int,
    fail_on: FailOn,
) -> int:
    """Compare two versions of one schema.

    OLD and NEW are each a FILE, a REV:PATH in this repository, or a REV with --path. FILE#/json/pointer names a
    schema inside a larger document, such as openapi.yaml#/components/schemas/Pet. One of them may be - for standard
    input.
    """
    from compat.assess import Problem, Report
    from compat.assess.pair import lineage_pair, report_pair
    from compat.assess.remarks import with_remarks
    from compat.cli.named import Desk
    from compat.cli.reporting import finish
    from compat.errors import CompatError, ExitCode, UsageError
    from compat.model.dialects import Dialect
    from compat.policy import Policy

    started = perf_counter()
    try:
        default = None if dialect is None else Dialect.parse(dialect)
    except ValueError as error:
        known = ", ".join(each.value for each in Dialect)
        raise UsageError(f"{error}.", hint=f"One of: {known}.") from None
    if old == new == "-":
        raise UsageError("Only one side can be standard input.", hint="Name a file for the other side.")
    report = Report("diff", old, new)
    try:
        with Desk(Path.cwd(), path=path, dialect=default) as desk:
            before, after = desk.open(old), desk.open(new)
            pair = lineage_pair(
                before,
                after,
                as_written=as_written,
                formats="assertion" if formats == "assertion" else "annotation",
                steps=steps,
            )
            one = report_pair(pair, Policy(Mode(mode)), name=new, lineage="", old_name=old)
            one = with_remarks(one, before, after, set())
        report = Report("diff", old, new, (one,), elapsed=perf_counter() - started)
    except CompatError as error:
        if error.exit_code is ExitCode.USAGE:
            raise
        report = Report("diff", old, new, problems=(Problem.of(error),), elapsed=perf_counter() - started)
    return finish(console, report, fail_on)

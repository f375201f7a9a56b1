"""`compat replay`: what a change does to the records that are really stored."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from compat.cli.chosen import chosen, from_top
from compat.cli.console import Console
from compat.cli.options import FailOn, project_options, report_options, verdict_options
from compat.errors import ExitCode
from compat.relation import Level

if TYPE_CHECKING:
    from compat.assess import Problem
    from compat.project import Project
    from compat.project.stored import Watch
    from compat.replay.read import Block
    from compat.replay.summary import Replayed
    from compat.sources.history import RecordFile

STDIN = "-"


@click.command("replay", short_help="Run stored records against old and new.")
@click.argument("names", nargs=-1, metavar="[LINEAGE|PATH…]")
@click.option("--old", metavar="REV", help="Validate under this version instead of the one a record was written under.")
@click.option("--new", metavar="REV", help="The newer side; the working tree by default.")
@click.option("--records", multiple=True, metavar="GLOB", help="Replay these files instead of those kept in history.")
@click.option("--show-records", is_flag=True, help="Show values of stored records; without it only their shape.")
@verdict_options
@project_options
@report_options("text", "json")
def replay(
    *,
    console: Console,
    names: tuple[str, ...],
    old: str | None,
    new: str | None,
    records: tuple[str, ...],
    show_records: bool,
    fail_on: FailOn,
    config: Path | None,
) -> int:
    """Run stored records against old and new.

    Every record is validated under the version it was written under and under the newer one: the working tree, or
    --new. Two names such as REV:PATH REV:PATH replay against exactly these two. Files given with --records, or
    standard input (-), are routed record by record where no lineage is named. What newly fails is grouped by cause.
    """
    from compat.project import Project
    from compat.report.replay import render

    if (old is not None or new is not None) and len(names) == 2 and any(":" in name for name in names):
        raise click.UsageError("two names and --old or --new say the same thing twice.")
    problems: list[Problem] = []
    with Project.open(Path.cwd(), config_path=config) as project, _progress(console) as watch:
        if len(names) == 2 and any(":" in name for name in names):
            found = [_explicit_pair(project, names, records, show_records, watch)]
        elif records and not names:
            found = _mixed(project, records, new, show_records, watch)
        else:
            found = list(_by_lineage(project, names, (old, new), records, show_records, watch, problems))
    code = ExitCode.UNCHECKED if problems else _exit_code(found, fail_on)
    text = render(found, problems, console.format, exit_code=code, color=console.color, width=console.width)
    console.report(text)
    return code


def _by_lineage(
    project: Project,
    names: Sequence[str],
    sides: tuple[str | None, str | None],
    records: Sequence[str],
    show: bool,
    watch: Watch,
    problems: list[Problem],
) -> Iterator[Replayed]:
    """Replay lineage by lineage; what stops one of them is a problem, and the others go on."""
    from compat.assess import Problem
    from compat.assess.pair import lineage_pair
    from compat.errors import CompatError, UsageError
    from compat.project.stored import records_of, replay_lineage, replay_pair, side_of

    old, new = sides
    lineages = chosen(project, names, new)
    if STDIN in records and (old is None or len(lineages) > 1):
        raise UsageError(
            "standard input says neither whose records these are nor under which version they were written.",
            hint="Name both: compat replay LINEAGE --old VERSION --records -",
        )
    bare: list[str] = []
    for lineage in lineages:
        patterns, stream = _given(records)
        files = _named(project, patterns) if records else records_of(project, lineage)
        if not files and stream is None:
            bare.append(lineage.name)
            continue
        try:
            if old is None:
                yield from replay_lineage(project, lineage, files, revision=new, show=show, watch=watch)
            else:
                after = project.moment(new)
                pair = lineage_pair(side_of(project, lineage, old).schema_set, after.schema_set(lineage.current))
                labels = (old, after.label)
                yield replay_pair(project, lineage.name, labels, files, pair, show=show, watch=watch, stream=stream)
        except CompatError as error:
            problems.append(Problem.of(error))
    if bare and (names or len(bare) == len(lineages)):
        raise _no_records(records, bare)


def _explicit_pair(
    project: Project, names: Sequence[str], records: Sequence[str], show: bool, watch: Watch
) -> Replayed:
    from compat.assess.pair import lineage_pair
    from compat.cli.named import Desk, parse_name
    from compat.lineage import version_of
    from compat.project.stored import records_of, replay_pair

    with Desk(Path.cwd()) as desk:
        old, new = (desk.open(name) for name in names)
        patterns, stream = _given(records)
        path = parse_name(names[1], exists=Path(names[1]).is_file()).path or names[1]
        if records:
            lineage, files = path, _named(project, patterns)
        else:
            known = project.lineage(from_top(project, path))
            number = version_of(old.root.document.value, path)
            lineage = known.name
            files = records_of(project, known, upto=None if number is None else number[0])
        if not files and stream is None:
            raise _no_records(records, [lineage])
        pair = lineage_pair(old, new)
        labels = (names[0], names[1])
        return replay_pair(project, lineage, labels, files, pair, show=show, watch=watch, stream=stream)


def _mixed(project: Project, records: Sequence[str], new: str | None, show: bool, watch: Watch) -> list[Replayed]:
    from compat.project.stored import read_records, replay_mixed
    from compat.replay.read import outcomes

    patterns, stream = _given(records)
    streams: list[Iterator[Block]] = [read_records(project.root, file.path) for file in _named(project, patterns)]
    if stream is not None:
        streams.append(stream)
    if not streams:
        raise _no_records(records, [])
    found = outcomes(chain.from_iterable(map(watch, streams)))
    return list(replay_mixed(project, project.lineages(new), found, revision=new, show=show))


def _given(records: Sequence[str]) -> tuple[tuple[str, ...], Iterator[Block] | None]:
    """Part the patterns of --records from standard input."""
    from compat.replay.read import read_stream

    patterns = tuple(pattern for pattern in records if pattern != STDIN)
    return patterns, read_stream(sys.stdin.buffer, "<stdin>") if len(patterns) < len(records) else None


def _named(project: Project, patterns: Sequence[str]) -> tuple[RecordFile, ...]:
    return project.history.records("", tuple(patterns)) if patterns else ()


def _no_records(patterns: Sequence[str], lineages: Sequence[str]) -> Exception:
    from compat.errors import SourceError

    if patterns:
        hint = "Patterns are relative to the root. A file from elsewhere goes in by standard input: --records - < FILE"
        return SourceError(f"no file matches {', '.join(patterns)}", hint=hint)
    of = f" of {', '.join(lineages)}" if lineages else ""
    hint = "They stand under history/<lineage>/records/<version>.ndjson, or name files with --records."
    return SourceError(f"there are no stored records{of}", hint=hint)


def _exit_code(found: Sequence[Replayed], fail_on: FailOn) -> ExitCode:
    from compat.replay.summary import total

    tally = total(one.summary for one in found).tally
    if tally.unreadable or tally.unrouted:
        return ExitCode.UNCHECKED
    levels = [Level.BREAKING] * bool(tally.newly_fails) + [Level.RISKY] * bool(tally.newly_passes)
    return ExitCode.FINDINGS if any(map(fail_on.fails, levels)) else ExitCode.OK


@contextmanager
def _progress(console: Console) -> Iterator[Watch]:
    """Count records on standard error while they go by, where a terminal listens."""
    if console.quiet or not sys.stderr.isatty():
        yield lambda blocks: blocks
        return
    from compat.replay.run import watched

    done = 0

    def watch(blocks: Iterator[Block]) -> Iterator[Block]:
        nonlocal done
        before = done

        def tick(count: int) -> None:
            nonlocal done
            done = before + count
            click.echo(f"\r{done:,} records", nl=False, err=True)

        return watched(blocks, tick)

    try:
        yield watch
    finally:
        click.echo("\r\x1b[K", nl=False, err=True)

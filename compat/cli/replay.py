"""`compat replay`: what a change does to the records that are really stored."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from compat.cli.chosen import chosen, from_top
from compat.cli.console import Console
from compat.cli.options import FailOn, project_options, remote_option, report_options, verdict_options
from compat.errors import ExitCode
from compat.relation import Level

if TYPE_CHECKING:
    from compat.assess import Problem
    from compat.lineage import Lineage
    from compat.project import Project
    from compat.project.replaying import Asked
    from compat.replay.progress import Watch
    from compat.replay.read import Block
    from compat.replay.summary import Replayed
    from compat.sources.history import RecordFile

STDIN = "-"


@click.command("replay", short_help="Run stored records against old and new.")
@click.argument("names", nargs=-1, metavar="[LINEAGE|PATH…]")
@click.option("--old", metavar="REV", help="Validate under this version instead of the one a record was written under.")
@click.option("--new", metavar="REV", help="The newer side; the working tree by default.")
@click.option("--transitive", is_flag=True, help="Replay against every later version, not only the newest.")
@click.option(
    "--records",
    multiple=True,
    metavar="GLOB",
    help="Replay these files, locations or standard input (-) instead of those kept in history.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="Judge in N processes; by default in one for each processor once there is much to read.",
)
@click.option("--show-records", is_flag=True, help="Show values of stored records; without it only their shape.")
@remote_option
@verdict_options
@project_options
@report_options("text", "json", "markdown")
def replay(
    *,
    console: Console,
    names: tuple[str, ...],
    old: str | None,
    new: str | None,
    transitive: bool,
    records: tuple[str, ...],
    jobs: int | None,
    show_records: bool,
    allow_remote: bool,
    fail_on: FailOn,
    config: Path | None,
) -> int:
    """Run stored records against old and new.

    Every record is validated under the version it was written under and under the newer one: the working tree, or
    --new. Two names such as REV:PATH REV:PATH replay against exactly these two. The examples of a schema count as
    records; rejects must stay refused. A record of a file that no lineage and version is named by is routed by what
    it says about itself. What newly fails is grouped by cause.
    """
    from compat.project import Project
    from compat.project.replaying import Asked
    from compat.replay.workers import Workers
    from compat.report.replay import render

    two = len(names) == 2 and any(":" in name for name in names)
    if two and (old is not None or new is not None):
        raise click.UsageError("two names and --old or --new say the same thing twice.")
    if transitive and (two or old is not None):
        raise click.UsageError("--transitive asks about every later version, so neither side can be named beside it.")
    problems: list[Problem] = []
    with (
        Project.open(Path.cwd(), config_path=config) as project,
        _progress(console) as watch,
        Workers.of(jobs) as workers,
    ):
        project.remote.allowed = allow_remote
        asked = Asked(project, new, transitive, show_records, watch, workers)
        given = _Given.of(project, records)
        try:
            if two:
                found = [_explicit_pair(asked, names, given)]
            elif given and not names:
                found = _mixed(asked, project.lineages(new), given)
            else:
                found = list(_by_lineage(asked, names, old, given, problems))
        finally:
            for location in project.remote.passed_over:
                console.note(f"{location} was not read: nothing is fetched unasked; add --allow-remote")
    code = ExitCode.UNCHECKED if problems else _exit_code(found, fail_on)
    text = render(found, problems, console.format, exit_code=code, color=console.color, width=console.width)
    console.report(text)
    return code


@dataclass(frozen=True)
class _Given:
    """What --records names: files here and elsewhere, and standard input."""

    patterns: tuple[str, ...] = ()
    files: tuple[RecordFile, ...] = ()
    stream: Iterator[Block] | None = field(default=None)

    def __bool__(self) -> bool:
        return bool(self.patterns)

    @classmethod
    def of(cls, project: Project, records: tuple[str, ...]) -> _Given:
        from compat.project.stored import named_files
        from compat.replay.read import stream_pieces

        stream = stream_pieces(sys.stdin.buffer, "<stdin>") if STDIN in records else None
        return cls(records, named_files(project, [one for one in records if one != STDIN]), stream)

    def require(self, lineages: Sequence[str]) -> None:
        """Raise where nothing was found: nothing read is no success."""
        if not self.files and self.stream is None:
            raise _no_records(self.patterns, lineages)


def _by_lineage(
    asked: Asked, names: Sequence[str], old: str | None, given: _Given, problems: list[Problem]
) -> Iterator[Replayed]:
    """Replay lineage by lineage; what stops one of them is a problem, and the others go on."""
    from compat.assess import Problem
    from compat.errors import CompatError, UsageError
    from compat.project.replaying import replay_lineage, replay_mixed
    from compat.project.stored import mixed_files, records_of

    lineages = chosen(asked.project, names, asked.revision)
    if given:
        given.require([lineage.name for lineage in lineages])
    if given.stream is not None:
        if old is None:
            only = lineages[0].name if len(lineages) == 1 else None
            yield from replay_mixed(asked, lineages, given.files, given.stream, only=only)
            return
        if len(lineages) > 1:
            raise UsageError(
                "standard input cannot be written under one version of several lineages.",
                hint="Name one: compat replay LINEAGE --old VERSION --records -",
            )
    stored = {one.name: given.files if given else records_of(asked.project, one) for one in lineages}
    mixed = () if given or names or old is not None else mixed_files(asked.project)
    _expect(asked, (*(file for files in stored.values() for file in files), *mixed), stream=given.stream is not None)
    bare: list[str] = []
    for lineage in lineages:
        files = stored[lineage.name]
        try:
            if old is None:
                found = list(replay_lineage(asked, lineage, files))
            elif files or given.stream is not None:
                found = [_against(asked, lineage, old, files, given.stream)]
            else:
                found = []
        except CompatError as error:
            problems.append(Problem.of(error))
            continue
        yield from found
        if not found:
            bare.append(lineage.name)
    if mixed:
        yield from replay_mixed(asked, lineages, mixed)
    elif bare and (names or len(bare) == len(lineages)):
        raise _no_records(given.patterns, bare)


def _against(
    asked: Asked, lineage: Lineage, old: str, files: Sequence[RecordFile], stream: Iterator[Block] | None
) -> Replayed:
    from compat.assess.pair import lineage_pair
    from compat.project.replaying import replay_pair
    from compat.project.stored import side_of

    project = asked.project
    after = project.moment(asked.revision)
    marker = project.config.version_rule(lineage.name).property
    before = side_of(project, lineage, old).schema_set
    pair = lineage_pair(before, after.schema_set(lineage.current), marker=marker)
    return replay_pair(asked, lineage.name, (old, after.label), files, pair, stream)


def _explicit_pair(asked: Asked, names: Sequence[str], given: _Given) -> Replayed:
    from compat.assess.pair import lineage_pair
    from compat.cli.named import Desk, parse_name
    from compat.lineage import version_of
    from compat.project.replaying import replay_pair
    from compat.project.stored import records_of

    with Desk(Path.cwd()) as desk:
        old, new = (desk.open(name) for name in names)
        path = parse_name(names[1], exists=Path(names[1]).is_file()).path or names[1]
        if given:
            lineage, files = path, given.files
            given.require([lineage])
        else:
            known = asked.project.lineage(from_top(asked.project, path))
            number = version_of(old.root.document.value, path)
            lineage = known.name
            files = records_of(asked.project, known, upto=None if number is None else number[0])
            if not files:
                raise _no_records((), [lineage])
        _expect(asked, files, stream=given.stream is not None)
        return replay_pair(asked, lineage, (names[0], names[1]), files, lineage_pair(old, new), given.stream)


def _mixed(asked: Asked, lineages: Sequence[Lineage], given: _Given) -> list[Replayed]:
    from compat.project.replaying import replay_mixed

    given.require([])
    _expect(asked, given.files, stream=given.stream is not None)
    return list(replay_mixed(asked, lineages, given.files, given.stream))


def _expect(asked: Asked, files: Sequence[RecordFile], *, stream: bool) -> None:
    """Tell the progress how much there is to read; with --transitive files are read as often as versions followed."""
    from compat.project.stored import size_of

    if asked.watch is not None:
        unknown = stream or asked.transitive
        asked.watch.expect([None] if unknown else (size_of(asked.project, file.path) for file in files))


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
    rejects = [one.rejects for one in found if one.rejects is not None]
    if tally.unreadable or tally.unrouted or any(one.unreadable for one in rejects):
        return ExitCode.UNCHECKED
    widened = tally.newly_passes or any(one.accepted or one.never_refused for one in rejects)
    levels = [Level.BREAKING] * bool(tally.newly_fails) + [Level.RISKY] * bool(widened)
    return ExitCode.FINDINGS if any(map(fail_on.fails, levels)) else ExitCode.OK


@contextmanager
def _progress(console: Console) -> Iterator[Watch | None]:
    """Say on standard error how far it has come, where a terminal listens."""
    if console.quiet or not sys.stderr.isatty():
        yield None
        return
    from compat.replay.progress import Progress

    try:
        yield Progress(time.monotonic, lambda line: click.echo(f"\r\x1b[K{line}", nl=False, err=True))
    finally:
        click.echo("\r\x1b[K", nl=False, err=True)

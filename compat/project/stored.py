"""Where the records of a project lie, and one pass of them over one pair of versions."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import BinaryIO

from compat.assess.pair import LineagePair
from compat.errors import CompatError
from compat.lineage import Lineage, VersionNumber
from compat.model.check import check
from compat.project import Project, Side
from compat.project.releases import latest_of_number, released
from compat.replay.cutting import Lines
from compat.replay.locations import is_location
from compat.replay.pair import PairSpec
from compat.replay.progress import Watch
from compat.replay.read import Block, Outcome, Piece, outcomes, read_blocks, read_pieces
from compat.replay.run import Replay
from compat.replay.streams import Readable
from compat.replay.summary import Summary
from compat.replay.workers import Workers
from compat.sources.files import Root, shown
from compat.sources.history import RecordFile, version_in_name
from compat.sources.patterns import matches


def read_records(root: Root, path: str) -> Iterator[Outcome]:
    """Yield the records of a file under the root; one that cannot be opened is an outcome like any other."""
    return outcomes(read_blocks(lambda: _open(root, path), shown(path)))


def blocks_of(project: Project, path: str, watch: Watch | None = None) -> Iterator[Piece]:
    """Yield what is in a file under the root, or in one elsewhere that may be read, in larger pieces."""
    elsewhere = project.remote.opener(path)

    def opened() -> Readable:
        stream = _open(project.root, path) if elsewhere is None else elsewhere()
        return stream if watch is None else watch.stream(stream)

    return read_pieces(opened, shown(path))


def size_of(project: Project, path: str) -> int | None:
    """Give how many bytes a file under the root has; None where nobody knows."""
    try:
        return project.root.locate(path).stat().st_size if project.remote.opener(path) is None else None
    except (CompatError, OSError):
        return None


def _open(root: Root, path: str) -> BinaryIO:
    try:
        real = root.locate(path)
    except CompatError as error:
        raise OSError(error.message) from None
    # Without O_NONBLOCK a planted pipe would hang the open itself.
    descriptor = os.open(real, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError("is not a regular file")
    return os.fdopen(descriptor, "rb")


def records_of(project: Project, lineage: Lineage, *, upto: VersionNumber | None = None) -> tuple[RecordFile, ...]:
    """Give the files of a lineage's stored records, all or those of versions up to a number.

    A version that the configuration states counts before the one in a file's name.
    """
    rules = project.config.record_rules(lineage.name)
    files = list(project.history.records(lineage.name, project.config.records(lineage.name)))
    stated = [rule for rule in rules if rule.version is not None and not rule.is_location]
    for index, file in enumerate(files):
        rule = next((rule for rule in stated if matches(rule.pattern, file.path)), None)
        files[index] = file if rule is None else replace(file, version=rule.version)
    for rule in rules:
        if rule.is_location:
            names = project.remote.files_if_allowed(rule.pattern)
            files += [RecordFile(name, rule.version or version_in_name(name)) for name in names]
    return tuple(file for file in files if file.version is None or upto is None or file.version <= upto)


def mixed_files(project: Project) -> tuple[RecordFile, ...]:
    """Give the configured files that hold records of many lineages."""
    files: list[RecordFile] = []
    for rule in project.config.mixed_records:
        if rule.is_location:
            files += [RecordFile(name, None) for name in project.remote.files_if_allowed(rule.pattern)]
        else:
            files += [RecordFile(file.path, None) for file in project.history.records("", (rule.pattern,))]
    return tuple(files)


def named_files(project: Project, names: Sequence[str]) -> tuple[RecordFile, ...]:
    """Give the files that patterns and locations name, each once; SourceError for a location nobody allowed."""
    files: dict[str, RecordFile] = {}
    for name in names:
        if is_location(name):
            found = [RecordFile(each, version_in_name(each)) for each in project.remote.files(name)]
        else:
            found = list(project.history.records("", (name,)))
        files |= {file.path: file for file in found}
    return tuple(files.values())


def side_of(project: Project, lineage: Lineage, name: str) -> Side:
    """Give a lineage's file at a version number, or else at a revision."""
    versions = project.versions(lineage)
    found = released(project, lineage, versions)
    try:
        number = VersionNumber.parse(name)
    except ValueError:
        number = None
    version = latest_of_number(found, versions, number)
    if version is not None:
        return project.version_sides(version)
    moment = project.moment(name)
    if lineage.current in moment.snapshot:
        return Side(moment, lineage.current)
    return Side(moment, project.lineage(lineage.name, name).current)


def replay_files(
    project: Project,
    paths: Sequence[str],
    pair: LineagePair,
    *,
    show: bool = False,
    watch: Watch | None = None,
    stream: Iterator[Block] | None = None,
    workers: Workers | None = None,
) -> Summary:
    """Replay files, and a stream, against one pair."""
    spec = spec_of(project, pair, show=show)
    runner = spec.runner()
    blocks = chain(chain.from_iterable(blocks_of(project, path, watch) for path in paths), stream or ())
    if workers is None:
        for block in blocks:
            runner.take(block)
        return runner.summary()
    for block, part in workers.judged(blocks, runner.judge, spec):
        if part is not None and isinstance(block, Lines):
            runner.add(block, part)
        else:
            runner.take(block)
    return runner.summary()


def runner_of(project: Project, pair: LineagePair, *, show: bool = False) -> Replay:
    """Make what replays records against one pair; SchemaError where a side is no schema."""
    return spec_of(project, pair, show=show).runner()


def spec_of(project: Project, pair: LineagePair, *, show: bool = False) -> PairSpec:
    """Say how records are judged against one pair; SchemaError where a side is no schema."""
    check(pair.old)
    check(pair.new)
    return PairSpec(pair.old, pair.new, project.formats, show)

"""Stored records of a project, each with the version it was written under, and what a change does to them."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import BinaryIO

from compat.assess.pair import LineagePair, ReplayPair, lineage_pair
from compat.diff.wording import listing
from compat.errors import CompatError
from compat.lineage import Lineage, Marker, NumberSource, Version, VersionNumber
from compat.model.check import check
from compat.model.instance import Formats
from compat.model.references import SchemaSet
from compat.project import Project, Side
from compat.project.releases import latest_of_number, released
from compat.replay.read import Block, Outcome, Record, outcomes, read_blocks
from compat.replay.route import Router, Target, target
from compat.replay.run import Losses, Replay, redaction
from compat.replay.summary import Replayed, Summary, Tally, total
from compat.replay.validate import SchemaChecker, explainer, names_of
from compat.sources.files import Root, shown
from compat.sources.history import RecordFile

# Passes outcomes on and may tell somebody about it.
Watch = Callable[[Iterator[Block]], Iterator[Block]]


def read_records(root: Root, path: str) -> Iterator[Outcome]:
    """Yield the records of a file under the root; one that cannot be opened is an outcome like any other."""
    return outcomes(_blocks(root, path))


def _blocks(root: Root, path: str) -> Iterator[Block]:
    return read_blocks(lambda: _open(root, path), shown(path))


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


def stored_pair(project: Project, lineage: Lineage, *, upto: VersionNumber | None = None) -> ReplayPair | None:
    """Give the function that replays a lineage's records against a pair of its schemas; None where it has none.

    `upto` is the number of the older side: what was written under later versions says nothing about the pair.
    """
    files = records_of(project, lineage, upto=upto)
    if not files:
        return None

    def replayed(old: SchemaSet, new: SchemaSet) -> Summary:
        return replay_files(project, [file.path for file in files], LineagePair(old, new, None))

    return replayed


def records_of(project: Project, lineage: Lineage, *, upto: VersionNumber | None = None) -> tuple[RecordFile, ...]:
    """Give the files of a lineage's stored records, all or those of versions up to a number."""
    files = project.history.records(lineage.name, project.config.records(lineage.name))
    return tuple(file for file in files if file.version is None or upto is None or file.version <= upto)


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


def replay_pair(
    project: Project,
    lineage: str,
    labels: tuple[str, str],
    files: Sequence[RecordFile],
    pair: LineagePair,
    *,
    show: bool = False,
    watch: Watch | None = None,
    stream: Iterator[Block] | None = None,
) -> Replayed:
    """Replay files of records, and a stream of them, against one pair that is called by two labels."""
    paths = tuple(file.path for file in files)
    summary = replay_files(project, paths, pair, show=show, watch=watch, stream=stream)
    return Replayed(lineage, *labels, summary, paths, pair.marker)


def replay_files(
    project: Project,
    paths: Sequence[str],
    pair: LineagePair,
    *,
    show: bool = False,
    watch: Watch | None = None,
    stream: Iterator[Block] | None = None,
) -> Summary:
    """Replay files, and a stream, against one pair."""
    runner = _runner(project, pair, show=show)
    for blocks in (*(_blocks(project.root, path) for path in paths), *([] if stream is None else [stream])):
        for block in blocks if watch is None else watch(blocks):
            runner.take(block)
    return runner.summary()


def _runner(project: Project, pair: LineagePair, *, show: bool) -> Replay:
    formats: Formats = "assertion" if project.config.formats == "assertion" else "annotation"
    check(pair.old)
    check(pair.new)
    new = SchemaChecker(pair.new, formats=formats)
    same = pair.old.closed_digest() == pair.new.closed_digest()
    old = new if same else SchemaChecker(pair.old, formats=formats)
    return Replay(old, new, explainer(pair.old, pair.new), None if show else redaction(names_of(pair.old, pair.new)))


def replay_lineage(
    project: Project,
    lineage: Lineage,
    files: Sequence[RecordFile],
    *,
    revision: str | None = None,
    show: bool = False,
    watch: Watch | None = None,
) -> Iterator[Replayed]:
    """Replay every file of records from the version it was written under to that of a revision or the working tree."""
    side = project.moment(revision)
    new_label = _label(side.number(lineage.current), side.label)
    versions = project.versions(lineage)
    found = released(project, lineage, versions)
    by_version: dict[VersionNumber | None, list[str]] = {}
    for file in files:
        by_version.setdefault(file.version, []).append(file.path)
    for number, paths in by_version.items():
        version = latest_of_number(found, versions, number)
        if version is None:
            note = f"no version {number} of {lineage.name} was found" if number is not None else _nameless(paths)
            summary = total(_unrouted(project, path) for path in paths)
            yield Replayed(lineage.name, str(number or "?"), new_label, summary, tuple(paths), note=note)
            continue
        pair = lineage_pair(project.version_sides(version).schema_set, side.schema_set(lineage.current))
        summary = replay_files(project, paths, pair, show=show, watch=watch)
        yield Replayed(lineage.name, version.label, new_label, summary, tuple(paths), pair.marker)


def _nameless(paths: Sequence[str]) -> str:
    return f"named by no version: {listing(paths)}; call it such as 1.0.0.ndjson"


def _label(number: tuple[VersionNumber, NumberSource] | None, moment: str) -> str:
    return moment if number is None else f"{number[0]} ({moment})"


def _unrouted(project: Project, path: str) -> Summary:
    """Count what cannot be validated; what cannot even be read is told as that."""
    count = 0
    lost = Losses()
    for outcome in read_records(project.root, path):
        if isinstance(outcome, Record):
            count += 1
        else:
            lost.take(outcome)
    return lost.summary() + Summary(Tally(unrouted=count))


def replay_mixed(
    project: Project,
    lineages: Sequence[Lineage],
    records: Iterable[Outcome],
    *,
    revision: str | None = None,
    show: bool = False,
) -> Iterator[Replayed]:
    """Replay a stream in which every record says itself which lineage and version it is of."""
    moment = project.moment(revision)
    known: dict[tuple[str, str], tuple[Lineage, Version]] = {}
    targets: list[Target] = []
    for lineage in lineages:
        for version in project.versions(lineage):
            if not version.digest:
                continue
            document = project.version_sides(version).document
            targets.append(target(lineage.name, version.label, document.value))
            known[lineage.name, version.label] = (lineage, version)
    router = Router(targets)
    running: dict[tuple[str, str], Replay] = {}
    markers: dict[tuple[str, str], Marker | None] = {}
    lost, unrouted = Losses(), 0
    for outcome in records:
        if not isinstance(outcome, Record):
            lost.take(outcome)
            continue
        found = router.route(outcome.value)
        if found is None:
            unrouted += 1
            continue
        key = (found.lineage, found.version)
        if key not in running:
            lineage, version = known[key]
            new = moment.schema_set(lineage.current)
            pair = lineage_pair(project.version_sides(version).schema_set, new)
            running[key], markers[key] = _runner(project, pair, show=show), pair.marker
        running[key].take(outcome)
    for key in sorted(running, key=list(known).index):
        lineage, _ = known[key]
        label = _label(moment.number(lineage.current), moment.label)
        yield Replayed(lineage.name, key[1], label, running[key].summary(), marker=markers[key])
    rest = lost.summary() + Summary(Tally(unrouted=unrouted))
    if rest.tally.read:
        known_by = "named no lineage and version that is known; to say them: compat replay LINEAGE --old VERSION"
        note = known_by if unrouted else "could not be read"
        yield Replayed("", "", "", rest, note=note)

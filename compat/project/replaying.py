"""What a change does to stored records: of one lineage, of one named pair, or of a stream of many lineages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from compat.assess.pair import LineagePair, lineage_pair
from compat.diff.wording import listing
from compat.lineage import Lineage, NumberSource, Version, VersionNumber
from compat.project import Project, Side
from compat.project.routes import Routes
from compat.project.stored import blocks_of, replay_files, spec_of
from compat.replay.cutting import Lines
from compat.replay.examples import examples_of
from compat.replay.mixed import Key, Mixed, MixedSpec
from compat.replay.pair import PairSpec
from compat.replay.progress import Watch
from compat.replay.read import Block, Record, outcomes
from compat.replay.rejects import Rejected, judge_rejects
from compat.replay.route import Hint, Unrouted
from compat.replay.run import Losses, Replay
from compat.replay.strays import Strays
from compat.replay.summary import Replayed
from compat.replay.validate import SchemaChecker
from compat.replay.workers import Workers
from compat.sources.files import shown
from compat.sources.history import RecordFile

# What standard input is shown as.
STDIN = "<stdin>"


@dataclass(frozen=True)
class Asked:
    """What a replay is asked for: against which newer side, or with `transitive` every later one; what may be shown."""

    project: Project
    revision: str | None = None
    transitive: bool = False
    show: bool = False
    watch: Watch | None = None
    workers: Workers | None = None
    _routes: dict[tuple[str, ...], Routes] = field(default_factory=dict)

    def routes(self, lineages: Sequence[Lineage]) -> Routes:
        """Give the versions of some lineages, looked up once."""
        names = tuple(lineage.name for lineage in lineages)
        if names not in self._routes:
            self._routes[names] = Routes(self.project, lineages)
        return self._routes[names]

    def newest(self, lineage: Lineage) -> tuple[str, Side]:
        """Give what people call the newer side, and its file."""
        moment = self.project.moment(self.revision)
        return _label(moment.number(lineage.current), moment.label), Side(moment, lineage.current)

    def later(self, lineage: Lineage, version: Version) -> Iterator[tuple[str, Side]]:
        """Yield the sides that records of a version are asked about, the newest last."""
        label, newest = self.newest(lineage)
        if self.transitive:
            known = self.routes([lineage]).versions(lineage.name)
            at = next((index for index, one in enumerate(known) if one.label == version.label), len(known))
            for one in known[at + 1 :]:
                if one.digest != newest.document.digest:
                    yield one.label, self.project.version_sides(one)
        yield label, newest


def replay_pair(
    asked: Asked,
    lineage: str,
    labels: tuple[str, str],
    files: Sequence[RecordFile],
    pair: LineagePair,
    stream: Iterator[Block] | None = None,
) -> Replayed:
    """Replay files of records, and a stream of them, against one pair that is called by two labels."""
    paths = tuple(file.path for file in files)
    summary = replay_files(
        asked.project, paths, pair, show=asked.show, watch=asked.watch, stream=stream, workers=asked.workers
    )
    return Replayed(lineage, *labels, summary, paths, pair.marker)


def replay_lineage(asked: Asked, lineage: Lineage, files: Sequence[RecordFile]) -> Iterator[Replayed]:
    """Replay every file of records from the version it was written under, the schemas' examples, and the rejects.

    A file that no version names is taken for a mixed stream of the lineage.
    """
    project = asked.project
    routes = asked.routes([lineage])
    by_number: dict[VersionNumber, list[str]] = {}
    loose: list[RecordFile] = []
    for file in files:
        if file.version is None:
            loose.append(file)
        else:
            by_number.setdefault(file.version, []).append(file.path)
    rejects = _by_number(project.history.rejects(lineage.name))
    known = {version.number: version for version in routes.versions(lineage.name) if version.number is not None}
    shown = {number for number, version in known.items() if any(examples_of(project.version_sides(version).document))}
    for number in sorted({*by_number, *rejects, *shown}):
        paths = tuple(by_number.get(number, ()))
        if number in known:
            yield from _versioned(asked, lineage, known[number], paths, rejects.get(number, ()))
        elif paths:
            note = f"no version {number} of {lineage.name} was found"
            yield _unknown(asked, lineage, str(number), paths, note)
    if loose:
        yield from replay_mixed(asked, [lineage], loose, only=lineage.name)


def _by_number(files: Iterable[RecordFile]) -> dict[VersionNumber, tuple[str, ...]]:
    found: dict[VersionNumber, tuple[str, ...]] = {}
    for file in files:
        if file.version is not None:
            found[file.version] = (*found.get(file.version, ()), file.path)
    return found


def _versioned(
    asked: Asked, lineage: Lineage, version: Version, paths: tuple[str, ...], rejects: tuple[str, ...]
) -> Iterator[Replayed]:
    """Replay what was written under one version against each side that is asked about."""
    project = asked.project
    old = project.version_sides(version)
    sides = list(asked.later(lineage, version))
    for index, (label, side) in enumerate(sides):
        pair = _pair(project, lineage, old, side)
        shown = examples_of(old.document)
        summary = replay_files(
            project, paths, pair, show=asked.show, watch=asked.watch, stream=shown, workers=asked.workers
        )
        names = (*paths, *([old.document.name] if any(examples_of(old.document)) else ()))
        found = Replayed(lineage.name, version.label, label, summary, names, pair.marker)
        yield replace(found, rejects=_rejected(asked, pair, rejects), between=index < len(sides) - 1)


def _pair(project: Project, lineage: Lineage, old: Side, new: Side) -> LineagePair:
    marker = project.config.version_rule(lineage.name).property
    return lineage_pair(old.schema_set, new.schema_set, marker=marker)


def _rejected(asked: Asked, pair: LineagePair, paths: Sequence[str]) -> Rejected | None:
    if not paths:
        return None
    formats = asked.project.formats
    checkers = (SchemaChecker(pair.old, formats=formats), SchemaChecker(pair.new, formats=formats))
    blocks = chain.from_iterable(blocks_of(asked.project, path) for path in paths)
    return judge_rejects(outcomes(blocks), *checkers)


def _unknown(asked: Asked, lineage: Lineage, label: str, paths: tuple[str, ...], note: str) -> Replayed:
    """Count what cannot be validated; what cannot even be read is told as that."""
    lost, strays = Losses(), Strays()
    for outcome in outcomes(chain.from_iterable(blocks_of(asked.project, path, asked.watch) for path in paths)):
        if isinstance(outcome, Record):
            strays.take(outcome, Unrouted.NO_VERSION)
        else:
            lost.take(outcome)
    summary = lost.summary() + strays.summary()
    return Replayed(lineage.name, label, asked.newest(lineage)[0], summary, paths, note=note, strays=strays.found())


def _label(number: tuple[VersionNumber, NumberSource] | None, moment: str) -> str:
    return moment if number is None else f"{number[0]} ({moment})"


# Mixed streams


class _Versions:
    """The versions that a mixed stream may name, and the pairs that the records of each are asked about."""

    def __init__(self, asked: Asked, routes: Routes, lineages: Sequence[Lineage]) -> None:
        self._asked = asked
        self._sides: dict[Key, list[tuple[str, LineagePair]]] = {}
        self._known = {(one.name, each.label): (one, each) for one in lineages for each in routes.versions(one.name)}

    @property
    def keys(self) -> tuple[Key, ...]:
        """All of them, in the order of the lineages and of their histories."""
        return tuple(self._known)

    def sides(self, key: Key) -> Sequence[tuple[str, LineagePair]]:
        """Give the pairs of a version with what people call their newer side."""
        if key not in self._sides:
            lineage, version = self._known[key]
            old = self._asked.project.version_sides(version)
            later = self._asked.later(lineage, version)
            self._sides[key] = [(label, _pair(self._asked.project, lineage, old, side)) for label, side in later]
        return self._sides[key]

    def specs(self, key: Key) -> tuple[PairSpec, ...]:
        return tuple(spec_of(self._asked.project, pair, show=self._asked.show) for _, pair in self.sides(key))

    def replayed(self, key: Key, replays: Sequence[Replay], files: Iterable[str]) -> Iterator[Replayed]:
        for index, ((label, pair), runner) in enumerate(zip(self.sides(key), replays, strict=True)):
            found = Replayed(*key, label, runner.summary(), tuple(files), pair.marker)
            yield replace(found, between=index < len(replays) - 1)


def replay_mixed(
    asked: Asked,
    lineages: Sequence[Lineage],
    files: Sequence[RecordFile],
    stream: Iterator[Block] | None = None,
    *,
    only: str | None = None,
) -> Iterator[Replayed]:
    """Replay files, and a stream, in which every record is of the lineage and version that its file or itself names.

    `only` is the lineage that all of them are known to be of.
    """
    routes = asked.routes(lineages)
    versions = _Versions(asked, routes, lineages)
    spec = MixedSpec(routes.router, _hints(routes, only, files), versions.keys, versions.specs)
    mixed = Mixed(spec.router, spec.hints, lambda key: tuple(one.runner() for one in versions.specs(key)))
    blocks = chain(
        chain.from_iterable(blocks_of(asked.project, file.path, asked.watch) for file in files), stream or ()
    )
    for block, part in (asked.workers or Workers(1)).judged(blocks, mixed.judge, spec):
        if part is not None and isinstance(block, Lines):
            mixed.add(block, part)
        else:
            mixed.take(block)
    for key in versions.keys:
        if key in mixed.sides:
            yield from versions.replayed(key, mixed.sides[key], mixed.files[key])
    rest = mixed.lost + mixed.strays.summary()
    if rest.tally.read:
        names = tuple(file.path for file in files) if only else ()
        note = _note(only, [file.path for file in files]) if rest.tally.unrouted else "could not be read"
        label = asked.newest(lineages[0])[0] if only else ""
        yield Replayed(only or "", "?" if only else "", label, rest, names, note=note, strays=mixed.strays.found())


def _hints(routes: Routes, only: str | None, files: Iterable[RecordFile]) -> Mapping[str, Hint]:
    """Give what is known of the records of each file beforehand, by the name that the file is shown with."""
    hints = {STDIN: Hint(only)}
    for file in files:
        hint = routes.hint(file.path)
        hints[shown(file.path)] = Hint(only or hint.lineage, hint.version)
    return hints


def _note(only: str | None, paths: Sequence[str]) -> str:
    if only is None:
        return "named no lineage and version that is known; to say them: compat replay LINEAGE --old VERSION"
    if not paths:
        return f"named no version of {only}; to say it: compat replay {only} --old VERSION"
    return f"named by no version: {listing(paths)}; call it such as 1.0.0.ndjson"

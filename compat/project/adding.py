"""Records taken into the history: each under the version it names, valid there, once, and whole files only."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from types import TracebackType
from typing import IO, Final, Self

from compat.errors import CompatError, SourceError
from compat.jsonvalue import canonical, dumps
from compat.lineage import Lineage, Version, VersionNumber
from compat.model.check import check
from compat.project import Project
from compat.project.routes import Routes
from compat.project.stored import blocks_of, records_of
from compat.replay.causes import Cause, Explainer
from compat.replay.kept import Added, Refused, Taken
from compat.replay.parse import Kind
from compat.replay.read import Outcome, Record, Unreadable, outcomes
from compat.replay.route import Hint, Target, Unrouted
from compat.replay.run import Losses
from compat.replay.strays import Strays
from compat.replay.summary import MOST_PLACES, RecordPlace
from compat.replay.validate import SchemaChecker, explainer
from compat.sources.history import RecordFile
from compat.sources.patterns import matches
from compat.sources.whole import alone, append_lines, sweep

_SPOOLED: Final = 8 << 20


class Adding:
    """Takes records in, and writes those that belong into the history when all were seen.

    Use it as a context manager. Nothing is written before, so a run that is stopped leaves everything as it was; each
    file is replaced as a whole, and the same command again adds what is missing and nothing twice.
    """

    def __init__(
        self,
        project: Project,
        lineages: Sequence[Lineage],
        *,
        lineage: str | None = None,
        version: VersionNumber | None = None,
        rejects: bool = False,
    ) -> None:
        self._project = project
        self._routes = Routes(project, lineages)
        self._stated = Hint(lineage, version)
        self._rejects = rejects
        self._waiting: dict[tuple[str, str], _Waiting] = {}
        self._lost = Losses()
        self._strays = Strays()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for waiting in self._waiting.values():
            waiting.spool.close()

    def take(self, found: Iterable[Outcome], path: str | None = None) -> None:
        """Route and validate records; `path` is the file they come from, where it may say whose they are."""
        hint = Hint() if path is None else self._routes.hint(path)
        hint = Hint(self._stated.lineage or hint.lineage, self._stated.version or hint.version)
        for outcome in found:
            if not isinstance(outcome, Record):
                self._lost.take(outcome)
                continue
            routed = self._routes.router.route(outcome.value, hint)
            if isinstance(routed, Target):
                self._add(outcome, routed)
            else:
                self._strays.take(outcome, routed)

    def _add(self, record: Record, routed: Target) -> None:
        if routed.number is None:
            self._strays.take(record, Unrouted.NO_VERSION)  # a file is called by its number
            return
        key = (routed.lineage, routed.version)
        if key not in self._waiting:
            self._waiting[key] = _Waiting.of(self._project, *self._routes.version(routed), self._rejects)
        try:
            self._waiting[key].take(record)
        except CompatError as error:
            self._lost.take(Unreadable(Kind.UNCHECKED, error.message, record.source, record.line))
        except RecursionError:
            reason = "nested too deeply to be validated"
            self._lost.take(Unreadable(Kind.TOO_DEEP, reason, record.source, record.line))

    def write(self) -> Taken:
        """Append what was taken to the history and say what became of everything."""
        found = tuple(self._waiting[key].write() for key in sorted(self._waiting))
        return Taken(found, self._strays.found(), self._lost.troubles())


@dataclass
class _Waiting:
    """The records of one version that wait for the end, as lines in a file without a name."""

    project: Project
    lineage: Lineage
    version: Version
    rejects: bool
    path: str
    checker: SchemaChecker
    explainer: Explainer
    spool: IO[bytes]
    digests: dict[bytes, None] = field(default_factory=dict)
    known: int = 0
    refused: int = 0
    causes: dict[Cause | None, tuple[int, list[RecordPlace]]] = field(default_factory=dict)

    @classmethod
    def of(cls, project: Project, lineage: Lineage, version: Version, rejects: bool) -> _Waiting:
        path = _target(project, lineage, version, rejects=rejects)
        schemas = project.version_sides(version).schema_set
        check(schemas)
        checker = SchemaChecker(schemas, formats=project.formats)
        spool = tempfile.SpooledTemporaryFile(_SPOOLED)  # noqa: SIM115 - open until everything was seen
        return cls(project, lineage, version, rejects, path, checker, explainer(schemas, schemas), spool)

    def take(self, record: Record) -> None:
        if self.checker.is_valid(record) is self.rejects:
            self._refuse(record)
            return
        digest = _digest(record)
        if digest in self.digests:
            self.known += 1
            return
        self.digests[digest] = None
        self.spool.write(dumps(record.value).encode() + b"\n")

    def _refuse(self, record: Record) -> None:
        self.refused += 1
        found: Iterable[Cause | None] = (None,)
        if not self.rejects:
            found = self.explainer.causes(record.value, self.checker.failures(record.value)) or (None,)
        for cause in found:
            count, first = self.causes.get(cause, (0, []))
            if len(first) < MOST_PLACES:
                first.append(RecordPlace(record.source, record.line))
            self.causes[cause] = (count + 1, first)

    def write(self) -> Added:
        root = self.project.root
        if self.digests:
            with alone(root, self.path, wait=True):
                sweep(root, self.path)
                stored = frozenset(self._stored())
                fresh = sum(digest not in stored for digest in self.digests)
                if fresh:
                    append_lines(root, self.path, self._lines(stored))
                self.known += len(self.digests) - fresh
        else:
            fresh = 0
        causes = tuple(
            Refused(cause, count, tuple(first))
            for cause, (count, first) in sorted(self.causes.items(), key=lambda item: -item[1][0])
        )
        size = root.locate(self.path).stat().st_size if root.exists(self.path) else 0
        label = self.version.label
        return Added(self.lineage.name, label, self.path, fresh, self.known, self.refused, causes, size)

    def _stored(self) -> Iterator[bytes]:
        """Yield what makes each record that is stored under the version already the same as another."""
        for file in _files(self.project, self.lineage, rejects=self.rejects):
            if file.version == self.version.number and self.project.remote.opener(file.path) is None:
                for found in outcomes(blocks_of(self.project, file.path)):
                    if isinstance(found, Record):
                        yield _digest(found)

    def _lines(self, stored: frozenset[bytes]) -> Iterator[bytes]:
        self.spool.seek(0)
        for digest, line in zip(self.digests, self.spool, strict=True):
            if digest not in stored:
                yield line.removesuffix(b"\n")


def _digest(record: Record) -> bytes:
    return blake2b(canonical(record.value), digest_size=16).digest()


def _files(project: Project, lineage: Lineage, *, rejects: bool) -> tuple[RecordFile, ...]:
    return project.history.rejects(lineage.name) if rejects else records_of(project, lineage)


def _target(project: Project, lineage: Lineage, version: Version, *, rejects: bool) -> str:
    """Give the file that a version's records are appended to; SourceError where nobody would read it there."""
    for file in _files(project, lineage, rejects=rejects):
        if file.version == version.number and file.path.endswith((".ndjson", ".jsonl")) and "://" not in file.path:
            return file.path
    folder = f"{project.history.folder(lineage.name)}/{'rejects' if rejects else 'records'}"
    path = f"{folder}/{version.number}.ndjson"
    patterns = () if rejects else project.config.records(lineage.name)
    if patterns and not any(matches(pattern, path) for pattern in patterns):
        raise SourceError(
            f"the records of {lineage.name} are configured to lie elsewhere, so nobody would read {path}",
            hint=f'add "{folder}/*" to records in [schemas.{lineage.name}]',
        )
    return path

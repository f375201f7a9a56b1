"""What the records of a project exercise of the versions they were written under."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from compat.errors import CompatError
from compat.lineage import Lineage, Version, VersionNumber
from compat.model.check import check
from compat.project import Project
from compat.project.routes import Routes
from compat.project.stored import blocks_of, mixed_files, records_of
from compat.replay.coverage import Counting, Coverage
from compat.replay.coverage_walk import Prober
from compat.replay.covered import Covered, VersionCoverage
from compat.replay.distil import Distilling
from compat.replay.examples import examples_of
from compat.replay.parse import Kind
from compat.replay.read import Outcome, Record, Unreadable, outcomes
from compat.replay.route import Hint, Target
from compat.replay.run import Losses
from compat.replay.strays import Strays


class Covering:
    """Takes records and counts what they exercise, each under the version it names.

    `version` is the only one that is asked about; records of others are passed over. `distilling` keeps what
    `distilled` wants.
    """

    def __init__(
        self,
        project: Project,
        lineages: Sequence[Lineage],
        *,
        version: VersionNumber | None = None,
        distilling: bool = False,
    ) -> None:
        self._project = project
        self._lineages = tuple(lineages)
        # Records of other lineages are told apart from those that nobody knows.
        self._routes = Routes(project, project.lineages())
        self._version = version
        self._distilling = distilling
        self._named = {lineage.name for lineage in lineages}
        self._probers: dict[tuple[str, str], Prober | CompatError] = {}
        self._found: dict[tuple[str, str], Counting] = {}
        self._kept: dict[tuple[str, str], Distilling] = {}
        self._lost = Losses()
        self._strays = Strays()

    def take_stored(self) -> None:
        """Take what is stored: the files of each lineage, the examples in its schemas, and files of many lineages."""
        for lineage in self._lineages:
            for file in records_of(self._project, lineage):
                found = outcomes(blocks_of(self._project, file.path))
                self._take(found, Hint(lineage.name, file.version))
            for version in self._routes.versions(lineage.name):
                examples = examples_of(self._project.version_sides(version).document)
                self._take(examples, Hint(lineage.name, version.number), (lineage.name, version))
        for file in mixed_files(self._project):
            self.take(outcomes(blocks_of(self._project, file.path)), file.path)

    def take(self, found: Iterable[Outcome], path: str | None = None) -> None:
        """Take records; `path` is the file they come from, where it may say whose they are."""
        self._take(found, Hint() if path is None else self._routes.hint(path))

    def _take(self, found: Iterable[Outcome], hint: Hint, known: tuple[str, Version] | None = None) -> None:
        for outcome in found:
            if not isinstance(outcome, Record):
                self._lost.take(outcome)
                continue
            if known is not None:
                self._count(outcome, known[0], known[1])
                continue
            routed = self._routes.router.route(outcome.value, hint)
            if not isinstance(routed, Target):
                self._strays.take(outcome, routed)
            elif routed.lineage in self._named:
                self._count(outcome, routed.lineage, self._routes.version(routed)[1])

    def _count(self, record: Record, lineage: str, version: Version) -> None:
        if self._version is not None and version.number != self._version:
            return
        key = (lineage, version.label)
        try:
            shown = self._prober(lineage, version).shown(record)
        except CompatError as error:
            self._lost.take(Unreadable(Kind.UNCHECKED, error.message, record.source, record.line))
        except RecursionError:
            reason = "nested too deeply to be validated"
            self._lost.take(Unreadable(Kind.TOO_DEEP, reason, record.source, record.line))
        else:
            self._found.setdefault(key, Counting()).take(shown)
            if self._distilling:
                self._kept.setdefault(key, Distilling()).take(shown, record)

    def _prober(self, lineage: str, version: Version) -> Prober:
        key = (lineage, version.label)
        if key not in self._probers:
            try:
                schemas = self._project.version_sides(version).schema_set
                check(schemas)
                self._probers[key] = Prober(schemas, formats=self._project.formats)
            except CompatError as error:
                self._probers[key] = error
        found = self._probers[key]
        if isinstance(found, CompatError):
            raise found
        return found

    def covered(self) -> Covered:
        """Say what was exercised, version by version; the newest one of a lineage also where no record is of it."""
        return Covered(tuple(self._rows()), self._strays.found(), self._lost.troubles())

    def distilled(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """Yield of each version as few records as show what all show: lineage, version, and lines of JSON."""
        for lineage in self._lineages:
            for version in self._routes.versions(lineage.name):
                kept = self._kept.get((lineage.name, version.label))
                if kept is not None:
                    yield lineage.name, version.label, kept.lines(self._prober(lineage.name, version))

    def _rows(self) -> Iterator[VersionCoverage]:
        for lineage in self._lineages:
            versions = self._routes.versions(lineage.name)
            if self._version is not None:
                versions = tuple(one for one in versions if one.number == self._version)
            for version in versions:
                key = (lineage.name, version.label)
                if key in self._found or version is versions[-1]:
                    facets = self._prober(lineage.name, version).facets
                    counting = self._found.get(key)
                    yield VersionCoverage(*key, facets, Coverage() if counting is None else counting.coverage())

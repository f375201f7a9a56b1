"""What is kept of each lineage: files of records and rejects, examples, and locations that are only named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compat.errors import CompatError
from compat.lineage import Lineage, VersionNumber
from compat.model.check import check
from compat.project import Project
from compat.project.routes import Routes
from compat.project.stored import blocks_of, records_of, size_of
from compat.replay.examples import examples_of
from compat.replay.kept import Kept, Stock
from compat.replay.read import Outcome, Record, outcomes
from compat.replay.validate import SchemaChecker


def stock(project: Project, lineages: Sequence[Lineage]) -> Iterator[Stock]:
    """Yield every file of records and rejects of some lineages, and the examples in their schemas, oldest first."""
    routes = Routes(project, lineages)
    for lineage in lineages:
        counting = _Counting(project, routes, lineage)
        for file in records_of(project, lineage):
            size, blocks = size_of(project, file.path), blocks_of(project, file.path)
            yield counting.row(Kept.RECORDS, file.version, file.path, size, outcomes(blocks))
        for file in project.history.rejects(lineage.name):
            size, blocks = size_of(project, file.path), blocks_of(project, file.path)
            yield counting.row(Kept.REJECTS, file.version, file.path, size, outcomes(blocks))
        for version in routes.versions(lineage.name):
            document = project.version_sides(version).document
            if version.number is not None and any(examples_of(document)):
                yield counting.row(Kept.EXAMPLES, version.number, document.name, None, examples_of(document))


class _Counting:
    """Counts records under the versions of one lineage; each schema is compiled once."""

    def __init__(self, project: Project, routes: Routes, lineage: Lineage) -> None:
        self._project = project
        self._lineage = lineage.name
        self._versions = {one.number: one for one in routes.versions(lineage.name) if one.number is not None}
        self._checkers: dict[VersionNumber, SchemaChecker | None] = {}

    def row(
        self, kept: Kept, number: VersionNumber | None, path: str, size: int | None, found: Iterator[Outcome]
    ) -> Stock:
        checker = self._checker(number)
        count = odd = unreadable = 0
        for outcome in found:
            if not isinstance(outcome, Record):
                unreadable += 1
                continue
            count += 1
            if checker is not None and _passes(checker, outcome) is (kept is Kept.REJECTS):
                odd += 1
        version = "" if number is None or number not in self._versions else self._versions[number].label
        return Stock(self._lineage, kept, version, path, size, count, odd, unreadable)

    def _checker(self, number: VersionNumber | None) -> SchemaChecker | None:
        if number is None or number not in self._versions:
            return None
        if number not in self._checkers:
            try:
                schemas = self._project.version_sides(self._versions[number]).schema_set
                check(schemas)
                self._checkers[number] = SchemaChecker(schemas, formats=self._project.formats)
            except CompatError:
                self._checkers[number] = None
        return self._checkers[number]


def _passes(checker: SchemaChecker, record: Record) -> bool | None:
    try:
        return checker.is_valid(record)
    except (CompatError, RecursionError):
        return None

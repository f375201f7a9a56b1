"""What the records of a lineage, as they are stored at one moment, say about two of its schemas."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from itertools import chain
from pathlib import Path

from compat.diff.wording import counted, listing
from compat.errors import CompatError
from compat.jsonvalue import JSON
from compat.lineage import VersionNumber, version_of
from compat.model.instance import Formats
from compat.model.references import SchemaSet
from compat.project import Moment, Project
from compat.project.stored import read_records
from compat.replay.examples import examples_of
from compat.replay.locations import shown_location
from compat.replay.reach import reached
from compat.replay.read import Outcome, Record, read_opened
from compat.replay.rejects import judge_rejects
from compat.replay.run import Replay, redaction
from compat.replay.summary import Summary
from compat.replay.validate import SchemaChecker, explainer, names_of
from compat.sources.history import version_in_name
from compat.sources.patterns import matches
from compat.sources.snapshot import Snapshot


@dataclass(frozen=True)
class StoredRecords:
    """The records and rejects of a lineage at a moment; the examples of the older schema are records, too.

    `upto` leaves out what was written under later versions, `only` what was written under any other. What lies
    elsewhere is never read: a check fetches nothing.
    """

    project: Project
    moment: Moment
    lineage: str
    formats: Formats = "annotation"
    upto: VersionNumber | None = None
    only: VersionNumber | None = None

    def replay(self, old: SchemaSet, new: SchemaSet) -> Summary | None:
        """Replay the records, and the examples of the older schema; None where there is neither."""
        found = self._found(old)
        first = next(found, None)
        if first is None:
            return None
        runner = Replay(*self._checkers(old, new), explainer(old, new), redaction(names_of(old, new)))
        for outcome in chain((first,), found):
            runner.take(outcome)
        return runner.summary()

    def reach(self, old: SchemaSet, paths: Collection[str]) -> Mapping[str, int]:
        """Count the records that have anything at each of some places."""
        return reached(self._found(old), paths)

    def widened(self, old: SchemaSet, new: SchemaSet) -> tuple[str, ...]:
        """Say which rejects the newer schema accepts although the older one refuses them."""
        rejects = self._rejects()
        first = next(rejects, None)
        if first is None:
            return ()
        found = judge_rejects(chain((first,), rejects), *self._checkers(old, new))
        if not found.accepted:
            return ()
        what = f"{found.accepted:,} of {counted(found.read, 'stored reject')}"
        verb = "is" if found.accepted == 1 else "are"
        return (f"{what} {verb} accepted now, first {found.first_accepted[0]}",)

    def unread(self) -> tuple[str, ...]:
        """Say which records lie elsewhere and were not asked."""
        rules = self.moment.config.record_rules(self.lineage)
        places = [shown_location(rule.pattern) for rule in rules if rule.is_location]
        if not places:
            return ()
        return (f"records at {listing(places)} were not read; compat replay --allow-remote does",)

    def values(self) -> Iterator[JSON]:
        """Yield the stored records for witnesses to be built on, read only as far as somebody asks."""
        return (outcome.value for outcome in self._records() if isinstance(outcome, Record))

    def _checkers(self, old: SchemaSet, new: SchemaSet) -> tuple[SchemaChecker, SchemaChecker]:
        return SchemaChecker(old, formats=self.formats), SchemaChecker(new, formats=self.formats)

    def _found(self, old: SchemaSet) -> Iterator[Outcome]:
        shown = () if old.root.pointer else examples_of(old.root.document)
        return chain(self._records(), shown)

    def _records(self) -> Iterator[Outcome]:
        config, history = self.moment.config, self.project.history
        if self.moment.revision is None:
            for file in history.records(self.lineage, config.records(self.lineage)):
                if self._counts(file.version):
                    yield from read_records(self.project.root, file.path)
        else:
            yield from self._at_moment(self.project.record_patterns(self.lineage, config))

    def _counts(self, version: VersionNumber | None) -> bool:
        if self.only is not None:
            return version == self.only
        return version is None or self.upto is None or version <= self.upto

    def _rejects(self) -> Iterator[Outcome]:
        if self.moment.revision is None:
            for file in self.project.history.rejects(self.lineage):
                if self._counts(file.version):
                    yield from read_records(self.project.root, file.path)
        else:
            yield from self._at_moment((f"{self.project.history.folder(self.lineage)}/rejects/*",))

    def _at_moment(self, patterns: Collection[str]) -> Iterator[Outcome]:
        snapshot = self.moment.snapshot
        for path in sorted(snapshot.entries):
            if any(matches(pattern, path) for pattern in patterns) and self._counts(version_in_name(path)):
                yield from read_opened(partial(_blob, snapshot, path), snapshot.name(path))


def _blob(snapshot: Snapshot, path: str) -> BytesIO:
    try:
        return BytesIO(snapshot.read(path))
    except CompatError as error:
        raise OSError(error.message) from None


@contextmanager
def stored_beside(folder: Path, path: str | None, old: SchemaSet, formats: Formats) -> Iterator[StoredRecords | None]:
    """Give the records of the lineage that a file belongs to, up to the older schema's version; None where it has none.

    For two schemas that were only named: what governs the file is looked up, and is no error where there is nothing.
    Without git a folder is no project, and nobody asked to look through it.
    """
    with ExitStack() as stack:
        lineage = None
        try:
            if path is not None and not old.root.pointer:
                project = stack.enter_context(Project.open(folder))
                if project.repository is not None:
                    lineage = project.lineage(project.relative(path) if Path(path).is_file() else path)
        except CompatError:
            lineage = None
        if lineage is None:
            yield None
            return
        number = version_of(old.root.document.value, lineage.current)
        upto = None if number is None else number[0]
        yield StoredRecords(project, project.moment(None), lineage.name, formats, upto)

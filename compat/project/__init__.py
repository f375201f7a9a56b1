"""The composition root: configuration and sources become lineages, documents, pairs and histories.

with Project.open(".", environment=os.environ) as project:
    base = project.base()
    for pair in project.pairs(base.revision):
        ...
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from compat.diff.wording import listing
from compat.errors import Place, RevisionError, SourceError, did_you_mean
from compat.lineage import Lineage, Version
from compat.model.document import Document
from compat.model.references import SchemaSet
from compat.policy import Policies
from compat.project.closures import Closure, Closures
from compat.project.config import Config, find_config
from compat.project.moment import Contents, Moment
from compat.project.opening import locate, wanted_by
from compat.project.pairs import Pair, PairKind, Side, pairs
from compat.project.past import Past
from compat.project.versions import Telling
from compat.sources.base import Base, NothingToCompare, find_base
from compat.sources.discovery import Discovery
from compat.sources.files import Root, shown
from compat.sources.git import STAGED, Repository
from compat.sources.history import History, RecordFile
from compat.sources.mainline import Line
from compat.sources.objects import Entry, PartialTree
from compat.sources.renames import differences
from compat.sources.snapshot import Snapshot

if TYPE_CHECKING:
    from compat.cache import Cache
    from compat.model.instance import Formats
    from compat.replay.locations import Remote

__all__ = [
    "STAGED",
    "Base",
    "Config",
    "Moment",
    "NothingToCompare",
    "Pair",
    "PairKind",
    "Project",
    "Side",
]


# So much of a commit's name tells it from all others.
_SHORT = 12


class Project:
    """Everything about one project, open. Use it as a context manager: git's processes end with it."""

    def __init__(
        self,
        root: Root,
        repository: Repository | None,
        *,
        folder: str = "",
        config_path: str | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.root = root
        self.repository = repository
        self._folder = folder
        self._config_path = config_path
        self._environment = environment or {}
        self._contents = Contents()
        self._moments: dict[str | None, Moment] = {}
        self._elsewhere: dict[str, Moment] = {}
        self._policies: dict[str | None, Policies] = {}
        self._labels: dict[str, str] = {}

    @classmethod
    def open(
        cls,
        start: Path | str = ".",
        *,
        config_path: str | Path | None = None,
        environment: Mapping[str, str] | None = None,
        root: Path | str | None = None,
    ) -> Project:
        """Open the project around a folder: the git repository, or without one the folder itself.

        `root` moves the outermost folder that is read; `config_path` names the configuration instead of looking
        for it. `environment` is where CI variables are read from; nothing else in it is looked at.
        """
        environment = os.environ if environment is None else environment
        found = locate(start, config_path, environment, root)
        return cls(found.root, found.repository, folder=found.folder, config_path=found.config, environment=environment)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        if self.repository is not None:
            self.repository.close()

    # Configuration

    @cached_property
    def config(self) -> Config:
        """The configuration of the working tree, or of HEAD in a bare repository."""
        if self.repository is not None and self.repository.bare:
            return self.config_at("HEAD")
        return find_config(self._read_on_disk, self._folder, self._config_path)

    @property
    def formats(self) -> Formats:
        """Whether `format` only describes or is checked."""
        return "assertion" if self.config.formats == "assertion" else "annotation"

    @cached_property
    def remote(self) -> Remote:
        """What may be read elsewhere; nothing, until the command line allows it."""
        from compat.replay.locations import Remote

        return Remote(root=self.root.path)

    def config_at(self, revision: str | None) -> Config:
        """Give the configuration as it stood at a revision; an explicit file that did not exist yet counts as none."""
        if revision is None:
            return self.config
        return self.moment(revision).config

    def policies(self, revision: str | None = None) -> Policies:
        """Give the policies at a revision; lineages that the configuration puts under one name share its policy."""
        if revision not in self._policies:
            policies = self.moment(revision).config.policies
            shared = {
                name: policies.lineages[above]
                for name in (*self.moment(revision).families, *self.moment(None if self._has_disk else "HEAD").families)
                if name not in policies.lineages and (above := name.partition("/")[0]) in policies.lineages
            }
            self._policies[revision] = replace(policies, lineages={**policies.lineages, **shared})
        return self._policies[revision]

    def _read_on_disk(self, path: str) -> bytes | None:
        return self.root.read(path) if self.root.exists(path) else None

    @property
    def _has_disk(self) -> bool:
        return self.repository is None or not self.repository.bare

    # Moments

    def base(self, explicit: str | None = None, head: str | None = None) -> Base:
        """Find what to compare with; the commit's label is kept for the names of its documents."""
        head = "HEAD" if head in {None, STAGED} else head
        base = find_base(self._git, self._environment, explicit, head or "HEAD")
        self._labels.setdefault(base.revision, base.label)
        return base

    @property
    def _git(self) -> Repository:
        if self.repository is None:
            raise RevisionError(
                "is not inside a git repository, so there are no revisions",
                place=Place(shown(str(self.root.path))),
                hint="compare with another folder or file: --against",
            )
        return self.repository

    def moment(self, revision: str | None = None, label: str | None = None) -> Moment:
        """Give the files at a revision, in the index (STAGED) or in the working tree (None)."""
        key = revision if revision in {None, STAGED} else self._git.resolve(revision or "")
        if key not in self._moments:
            self._moments[key] = self._make_moment(key, label or self._label(key, revision))
        return self._moments[key]

    def _label(self, sha: str | None, revision: str | None) -> str:
        if sha is None:
            return ""
        if sha == STAGED:
            return "staged"
        named = revision if revision is not None and revision != sha else sha[:10]
        return self._labels.get(sha, shown(named))

    def _make_moment(self, key: str | None, label: str) -> Moment:
        if self.repository is None:
            snapshot = Snapshot.of_folder(self.root, wanted_by(self.config), label=label)
        elif key is None:
            snapshot = Snapshot(self.repository.worktree(wanted_by(self.config)), self.repository.read, label=label)
        else:
            repository = self.repository
            entries = repository.index() if key == STAGED else PartialTree(lambda: repository.tree(key))
            snapshot = Snapshot(entries, repository.read, label=label)
            return Moment(snapshot, lambda: self._config_in(snapshot), self._contents, key)
        return Moment(snapshot, lambda: self.config, self._contents, key)

    def _config_in(self, snapshot: Snapshot) -> Config:
        def read(path: str) -> bytes | None:
            return snapshot.read(path) if path in snapshot else None

        if self._config_path is not None and self._config_path not in snapshot:
            return Config()
        return find_config(read, self._folder, self._config_path)

    def elsewhere(self, other: Path | str) -> Moment:
        """Give the files of another folder as they are, judged by the configuration of this one."""
        key = str(other)
        if key not in self._elsewhere:
            folder = Path(other)
            if not folder.is_dir():
                message = "is no folder" if folder.exists() else "there is no such folder or file"
                hint = (
                    "name a folder, or a file and what to compare with it (compat check PATH --against FILE); "
                    "a revision is --base REV"
                )
                raise SourceError(message, place=Place(shown(key)), hint=hint)
            snapshot = Snapshot.of_folder(Root(folder), wanted_by(self.config), label=shown(key.rstrip("/")))
            self._elsewhere[key] = Moment(snapshot, lambda: self.config, self._contents)
        return self._elsewhere[key]

    def relative(self, path: Path | str) -> str:
        """Give a path, relative to the working folder, as it is called inside the project; SourceError outside."""
        return self.root.relative(Path(path))

    def name_of(self, side: Side) -> str:
        """Give a side as a command line names it from the working folder: `PATH`, `:PATH` for the index, `REV:PATH`."""
        revision = side.moment.revision
        if revision is not None:
            return f":{side.path}" if revision == STAGED else f"{revision[:_SHORT]}:{side.path}"
        if side.moment in self._elsewhere.values():
            return next(f"{key.rstrip('/')}/{side.path}" for key, m in self._elsewhere.items() if m is side.moment)
        return posixpath.relpath(side.path, self._folder or ".")

    def document(self, path: str, revision: str | None = None) -> Document:
        return self.moment(revision).document(path)

    def schema_set(self, path: str, revision: str | None = None, at: str = "") -> SchemaSet:
        return self.moment(revision).schema_set(path, at)

    def discovery(self, revision: str | None = None) -> Discovery:
        return self.moment(revision).discovery

    # Lineages

    def lineages(self, revision: str | None = None) -> tuple[Lineage, ...]:
        """Give every lineage by name, with mode, records, and the numbers of its files where they have one."""
        moment = self.moment(revision)
        moment.require_matches()
        policies = self.policies(revision)
        found: list[Lineage] = []
        for name, paths in moment.families.items():
            numbers = tuple(known[0] if (known := moment.number(path)) else None for path in paths)
            found.append(
                Lineage(name, paths, policies.of(name).mode, self.record_patterns(name, moment.config), numbers=numbers)
            )
        return tuple(found)

    def lineage(self, name: str, revision: str | None = None) -> Lineage:
        """Give one lineage by its name or by the path of one of its files; SourceError where there is none."""
        found = self.lineages(revision)
        for lineage in found:
            if name == lineage.name or name in lineage.files:
                return lineage
        known = [lineage.name for lineage in found]
        hint = did_you_mean(name, known) or (f"there are: {listing(known, most=10)}" if known else None)
        raise SourceError("is no lineage", place=Place(shown(name)), hint=hint)

    def record_patterns(self, lineage: str, config: Config | None = None) -> tuple[str, ...]:
        """Give the patterns of a lineage's stored records: the configured ones, else its history folder."""
        configured = (config or self.config).records(lineage)
        return configured or (f"{self.history.folder(lineage)}/records/*",)

    def record_files(self, lineage: str) -> tuple[RecordFile, ...]:
        """Give the files of stored records of a lineage that are on disk, by version."""
        return self.history.records(lineage, self.config.records(lineage))

    @cached_property
    def history(self) -> History:
        """The history folder, beside the configuration."""
        folder = self.config.folder
        return History(self.root, f"{folder}/history" if folder else "history")

    # What changed

    def pairs(
        self,
        base: str,
        head: str | None = None,
        *,
        staged: bool = False,
        paths: Sequence[str] = (),
    ) -> Iterator[Pair]:
        """Yield the schemas that differ between a commit and a head: another commit, the index, or the working tree."""
        target = STAGED if staged else head
        old, new = self.moment(base), self.moment(target)
        wanted = wanted_by(old.config, new.config)
        if target is None and old.config.files != new.config.files:
            # What the base configures is looked for on disk, too: a change cannot drop a schema by dropping its table.
            snapshot = Snapshot(self._git.worktree(wanted), self._git.read)
            self._moments[None] = new = Moment(snapshot, lambda: self.config, self._contents)
        on_disk_now = new.snapshot.entries if target is None else None
        changes = self._git.changes(self._git.resolve(base), target, wanted, on_disk_now)
        yield from pairs(old, new, changes, paths)

    def pairs_against(self, other: Path | str, paths: Sequence[str] = ()) -> Iterator[Pair]:
        """Yield the schemas that differ between a folder elsewhere, the old side, and the files on disk."""
        old, new = self.elsewhere(other), self.moment(None)

        def either(entry: Entry) -> bytes:
            side = old if old.snapshot.entries.get(entry.path) is entry else new
            return side.snapshot.read(entry.path)

        yield from pairs(old, new, differences(old.snapshot.entries, new.snapshot.entries, either), paths)

    # Through time

    @cached_property
    def past(self) -> Past:
        """The history of the repository."""
        return Past(
            self._git,
            lambda: self.config,
            wanted_by(self.config),
            self._contents,
            lambda sha: self._label(sha, None),
            lambda: self.moment(None).snapshot.entries,
        )

    def remember(self, cache: Cache) -> None:
        """Take what earlier runs read out of history, and keep what this one finds; before anything is read."""
        if self.repository is not None:
            self.past.remember(cache)

    def save(self) -> None:
        """Keep for later runs what was read out of history, where a cache was given."""
        if "past" in vars(self):
            self.past.save()

    def line(self, revision: str | None = None) -> Line:
        """Give the mainline of HEAD or of a revision; an empty one where there is no history."""
        return Line() if self.repository is None else self.past.line(revision or "HEAD")

    def versions(self, lineage: Lineage, revision: str | None = None) -> tuple[Version, ...]:
        """Give the versions of a lineage, oldest first: through history, or side by side; the working tree last.

        History is that of HEAD, or of `revision` and then without the working tree.
        """
        line = self.line(revision)
        telling = self.telling(lineage)
        if lineage.side_by_side:
            return telling.side_by_side(line, self.moment(revision))
        if revision is not None or not self._has_disk:
            return telling.moving(lineage.current, line)
        path = lineage.current if self.repository is None else self.past.committed_path(lineage.current)
        known = telling.moving(path, line)
        now = telling.on_disk(self.moment(None))
        return known if known and known[-1].digest == now.digest else (*known, now)

    def telling(self, lineage: Lineage) -> Telling:
        """Give what makes the versions of a lineage."""
        if self.repository is not None:
            return self.past.telling(lineage)
        here = self.moment(None)
        rule = self.config.version_rule(lineage.name)
        return Telling(lineage, rule, lambda entry: here.facts(entry.path), lambda sha: here)

    def versions_at_tags(self, lineage: Lineage, revision: str | None = None) -> tuple[Version, ...]:
        """Give what stood at the tags that count for a lineage, oldest first.

        `v1.2.0` counts for every lineage, `task-v1.2.0` and `task/v1.2.0` for the one of that name.
        """
        return self.past.at_tags(lineage, revision or "HEAD") if self.repository is not None else ()

    def closure(self, version: Version) -> Closure:
        """Give the identity of a version with all it refers to; CompatError where it cannot be read."""
        if version.digest and version.revision is not None and self._contents.closed(version.blob, version.path):
            return Closure(version.digest)
        return self._closures.of(self.version_sides(version).moment, version.path)

    def fault(self, version: Version) -> str:
        """Say what makes a version no schema; empty where it is one."""
        return self._closures.fault(self.version_sides(version).moment, version.path)

    @cached_property
    def _closures(self) -> Closures:
        return Closures() if self.repository is None else self.past.closures

    def version_sides(self, version: Version) -> Side:
        """Give the file of a version, where it can be read with its references."""
        moment = self.moment(None) if version.revision is None else self.past.moment(version.revision)
        return Side(moment, version.path)

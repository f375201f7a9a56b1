"""The past of a project: lines of history read once for all lineages, and the moments of their commits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial

from compat.cache import Cache
from compat.lineage import Lineage, Version
from compat.project.closures import Closures
from compat.project.config import Config
from compat.project.facts import Facts, facts_of
from compat.project.identifiers import Identifiers, Passing
from compat.project.kept import Kept, Known
from compat.project.moment import Contents, Moment
from compat.project.versions import State, Telling, states
from compat.sources.git import Repository, could_be_schema
from compat.sources.mainline import Line, LineTree, read_line
from compat.sources.objects import Entry, Kind, Tag
from compat.sources.snapshot import Snapshot


class Past:
    """Commits as history tells them: configured as today, and read no further than somebody asks.

    `here` gives the files of the working tree.
    """

    def __init__(
        self,
        repository: Repository,
        config: Callable[[], Config],
        wanted: Callable[[str], bool],
        contents: Contents,
        label: Callable[[str], str],
        here: Callable[[], Mapping[str, Entry]],
    ) -> None:
        self._git = repository
        self._config = config
        self._wanted = wanted
        self._contents = contents
        self._label = label
        self._here = here
        self._kept: Kept | None = None
        self._size = 0
        self._lines: dict[str, Line] = {}
        self._states: dict[tuple[str, Line], Sequence[State]] = {}
        self._passing: dict[str, Passing] = {}
        self._moments: dict[str, Moment] = {}
        self.closures = Closures()
        self._aside: dict[str, Mapping[str, Entry]] = {}

    def remember(self, cache: Cache) -> None:
        """Take what earlier runs kept, and keep what this one finds; called before anything is read."""
        config = self._config()
        self._kept = Kept(
            cache,
            {
                "repository": str(self._git.path),
                "edge": sorted(self._git.shallow_edge),
                "files": [[name, *patterns] for name, patterns in sorted(config.files.items())],
                "dialects": {uri: dialect.value for uri, dialect in config.dialects.items()},
            },
        )
        known = self._kept.known()
        self._size = known.size
        self.closures.known, self.closures.faults = known.closures, known.faults
        self._contents.facts.update(known.facts)

    def save(self) -> None:
        """Keep what was found, for later runs."""
        whole = {key: closure for key, closure in self.closures.known.items() if closure.whole}
        known = Known(self._contents.facts, whole, self.closures.faults)
        if self._kept is not None and known.size > self._size:
            self._kept.keep(known)
            self._size = known.size

    def line(self, revision: str) -> Line:
        """Give the mainline of a revision; one without commits where the repository has none."""
        if revision not in self._lines:
            if not self._git.has_commits:
                return Line()
            sha = self._git.resolve(revision)
            if sha not in self._lines:
                wanted = None if self._wanted is could_be_schema else self._wanted
                self._lines[sha] = read_line(self._git, sha, wanted=wanted, memory=self._kept)
            self._lines[revision] = self._lines[sha]
        return self._lines[revision]

    @cached_property
    def tags(self) -> tuple[Tag, ...]:
        return self._git.tags()

    @cached_property
    def merged_tags(self) -> frozenset[str]:
        """The tags that lie behind HEAD; those of other branches do not."""
        return self._git.merged_tags()

    def moment(self, sha: str) -> Moment:
        """Give one commit; of one on a line that was read, no tree is listed."""
        if sha not in self._moments:
            self._moments[sha] = self._make_moment(sha)
        return self._moments[sha]

    def _make_moment(self, sha: str) -> Moment:
        git = self._git
        for head, line in self._lines.items():
            if (place := line.places.get(sha)) is not None:
                tree: Mapping[str, Entry] = LineTree(line, place, partial(git.tree, sha), self._wanted)
                snapshot = Snapshot(tree, git.read, label=self._label(sha))
                return Moment(snapshot, self._config, self._contents, sha, partial(self._identifiers, head, place))
        snapshot = Snapshot(git.tree(sha), git.read, label=self._label(sha))
        return Moment(snapshot, self._config, self._contents, sha)

    def _identifiers(self, head: str, place: int) -> Identifiers:
        if head not in self._passing:
            identifier = partial(self._contents.identifier_of, read=self._git.read)
            self._passing[head] = Passing(self._lines[head], identifier)
        return self._passing[head].at(place)

    def facts(self, entry: Entry) -> Facts:
        """Give what a content says by itself."""
        return self._contents.facts_of(entry, self._git.read)

    def read_ahead(self, lineages: Iterable[Lineage], line: Line) -> None:
        """Read every content that some lineages had on a line, each once and many at a time."""
        missing: dict[str, str] = {}
        for lineage in lineages:
            for path in lineage.files:
                for state in self._states_of(path, line):
                    entry = state.entry
                    if not entry.is_link and not entry.is_gitlink and not self._contents.knows(entry):
                        missing[entry.oid] = entry.path
        for oid, data in self._git.blobs(missing):
            self._contents.learn(Entry(missing[oid], 0, oid), facts_of(data, missing[oid]))

    def _states_of(self, path: str, line: Line) -> Sequence[State]:
        key = (path, line)
        if key not in self._states:
            self._states[key] = tuple(states(path, line))
        return self._states[key]

    def committed_path(self, path: str) -> str:
        """Give where HEAD has a file that the working tree may have moved."""
        line = self.line("HEAD")
        return path if not line.commits or line.entry(path, 0) is not None else self._moved.get(path, path)

    @cached_property
    def _moved(self) -> Mapping[str, str]:
        changes = self._git.changes(self._git.resolve("HEAD"), None, self._wanted, self._here())
        return {c.path: c.old.path for c in changes if c.kind is Kind.RENAMED and c.old is not None}

    def telling(self, lineage: Lineage) -> Telling:
        """Give what makes the versions of one lineage."""
        return Telling(lineage, self._config().version_rule(lineage.name), self.facts, self.moment, self._states_of)

    def at_tags(self, lineage: Lineage, revision: str) -> tuple[Version, ...]:
        """Give what stood at the tags that count for a lineage, oldest first."""
        return self.telling(lineage).at_tags(self.tags, self.line(revision), self._some)

    def _some(self, sha: str, paths: Sequence[str]) -> Sequence[Entry]:
        """Give those of a few paths that a commit beside the line has; its tree is listed once for all lineages."""
        if sha not in self._aside:
            self._aside[sha] = {path: entry for path, entry in self._git.tree(sha).items() if self._wanted(path)}
        there = self._aside[sha]
        return [there[path] for path in paths if path in there]

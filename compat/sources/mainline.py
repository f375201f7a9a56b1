"""One line of history as git tells it: its commits, and what happened to each path, found without a search.

A history is read once for all schemas. What stood in the tree of a commit follows from the changes up to it, so no
tree is listed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from compat.sources.git import Repository, could_be_schema
from compat.sources.objects import Change, Commit, Entry, parse_commit, split_log
from compat.sources.renames import Read, completed


class Line:
    """The commits of a mainline that touch what could be a schema, newest first; a place is an index into them.

    `chain` are all of its commits, those that touch nothing included.
    """

    def __init__(self, commits: Iterable[Commit] = (), chain: Sequence[str] = ()) -> None:
        self.commits = tuple(commits)
        self._chain = chain

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The place of every commit; one that touched nothing stands where the one before it does."""
        places: dict[str, int] = {}
        kept = iter(enumerate(commit.sha for commit in self.commits))
        place, following = next(kept, (0, ""))
        for sha in self._chain:
            places[sha] = place
            if sha == following:
                place, following = next(kept, (len(self.commits), ""))
        return places

    @cached_property
    def paths(self) -> Mapping[str, Sequence[tuple[int, Change]]]:
        """The changes to each path, as the old or the new one, with their places; newest first."""
        found: dict[str, list[tuple[int, Change]]] = {}
        for place, commit in enumerate(self.commits):
            for change in commit.changes:
                old, new = change.old, change.new
                if new is not None:
                    found.setdefault(new.path, []).append((place, change))
                if old is not None and (new is None or old.path != new.path):
                    found.setdefault(old.path, []).append((place, change))
        return found

    def touches(self, path: str, start: int = 0) -> Iterator[tuple[int, Change]]:
        """Yield the changes to a path from a place on, backward in time."""
        changes = self.paths.get(path, ())
        for index in range(bisect_left(changes, start, key=_place) if start else 0, len(changes)):
            yield changes[index]

    def before(self, path: str, place: int) -> int:
        """Give the place of the first change to a path that came after a place in time; -1 where there is none."""
        changes = self.paths.get(path, ())
        index = bisect_left(changes, place, key=_place)
        return changes[index - 1][0] if index else -1

    def entry(self, path: str, place: int) -> Entry | None:
        """Give what stood at a path after the commit at a place; None where nothing did."""
        found: Entry | None = None
        at: int | None = None
        for where, change in self.touches(path, place):
            if at is not None and where != at:
                break
            at = where
            if change.new is not None and change.new.path == path:
                found = change.new
        return found

    @cached_property
    def _tagged(self) -> Sequence[tuple[int, tuple[str, ...]]]:
        return [(place, commit.tags) for place, commit in enumerate(self.commits) if commit.tags]

    def tags_between(self, start: int, stop: int) -> tuple[str, ...]:
        """Give the tags of the commits from one place to before another."""
        tagged = self._tagged
        low, high = (bisect_left(tagged, place, key=_place) for place in (start, stop))
        return tuple(name for _, names in tagged[low:high] for name in names)


def _place(row: tuple[int, object]) -> int:
    return row[0]


class LineTree(Mapping[str, Entry]):
    """The tree of a commit on a line, which knows all paths that are `wanted`; the others are asked of git."""

    def __init__(
        self,
        line: Line,
        place: int,
        load: Callable[[], Mapping[str, Entry]],
        wanted: Callable[[str], bool] = could_be_schema,
    ) -> None:
        self._line = line
        self._at = place
        self._load = load
        self._wanted = wanted

    @cached_property
    def _whole(self) -> Mapping[str, Entry]:
        return self._load()

    def __getitem__(self, path: str) -> Entry:
        if not self._wanted(path):
            return self._whole[path]
        found = self._line.entry(path, self._at)
        if found is None:
            raise KeyError(path)
        return found

    def __contains__(self, path: object) -> bool:
        if isinstance(path, str) and self._wanted(path):
            return self._line.entry(path, self._at) is not None
        return path in self._whole

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole)

    def __len__(self) -> int:
        return len(self._whole)


@dataclass(frozen=True, slots=True)
class Told:
    """What git told of a line: every commit of it, newest first, and the log of those that matter."""

    chain: tuple[str, ...]
    records: tuple[Sequence[bytes], ...]


class Memory(Protocol):
    """Keeps what git told between runs."""

    def load(self) -> Told | None: ...
    def save(self, told: Told) -> None: ...


def read_line(
    repository: Repository,
    revision: str = "HEAD",
    *,
    wanted: Callable[[str], bool] | None = None,
    memory: Memory | None = None,
) -> Line:
    """Read the mainline of a revision.

    `wanted` picks the paths that matter, where it is more than what could be a schema by its ending. Of what `memory`
    has, everything up to the newest commit that both have in common is taken as it is.
    """
    sha = repository.resolve(revision)
    known = memory.load() if memory is not None else None
    if known is None or sha not in known.chain:
        known = _continued(repository, sha, known, everything=wanted is not None)
        if memory is not None:
            memory.save(known)
    elif known.chain[0] != sha:
        known = _since(known, sha)
    repository.know(known.chain)
    names: dict[str, list[str]] = {}
    for tag in repository.tags():
        names.setdefault(tag.commit, []).append(tag.name)
    kept = {_sha(record) for record in known.records}
    carried = _carried(known.chain, names, kept) if names else {}
    commits = (parse_commit(record, carried.get(_sha(record), ())) for record in known.records)
    if wanted is not None:
        commits = (_limited(commit, wanted) for commit in commits)
    return Line((_completed(commit, repository.read) for commit in commits), known.chain)


def _sha(record: Sequence[bytes]) -> str:
    return record[0][1:].partition(b"\n")[0].decode()


def _continued(repository: Repository, sha: str, known: Told | None, *, everything: bool) -> Told:
    """Read what is newer than what is known, or all of it."""
    chain = repository.first_parents(sha)
    before = frozenset(() if known is None else known.chain)
    common = next((commit for commit in chain if commit in before), None)
    newer = tuple(split_log(repository.log_output(sha, common, everything=everything)))
    older = () if known is None or common is None else _since(known, common).records
    return Told(chain, (*newer, *older))


def _since(known: Told, sha: str) -> Told:
    """Give a commit of a line and what came before it."""
    chain = known.chain[known.chain.index(sha) :]
    older = frozenset(chain)
    return Told(chain, tuple(record for record in known.records if _sha(record) in older))


def _carried(chain: Sequence[str], names: Mapping[str, list[str]], kept: set[str]) -> dict[str, list[str]]:
    """Give the tags of commits that are left out to the next older one that is not: it is the state they name."""
    carried: dict[str, list[str]] = {}
    held: list[str] = []
    for commit in chain:
        held.extend(names.get(commit, ()))
        if held and commit in kept:
            carried[commit], held = held, []
    return carried


def _limited(commit: Commit, wanted: Callable[[str], bool]) -> Commit:
    sides = ((change, (change.old, change.new)) for change in commit.changes)
    kept = tuple(change for change, ends in sides if any(end is not None and wanted(end.path) for end in ends))
    return commit if len(kept) == len(commit.changes) else replace(commit, changes=kept)


def _completed(commit: Commit, read: Read) -> Commit:
    changes = completed(commit.changes, read)
    return commit if len(changes) == len(commit.changes) else replace(commit, changes=changes)

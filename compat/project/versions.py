"""A lineage through time: the states its file had on this line of history, or its versions side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from compat.errors import CompatError
from compat.lineage import Lineage, NumberSource, Version, VersionNumber, number_in_tag
from compat.project.config import VersionRule
from compat.project.facts import Facts
from compat.project.moment import Moment, number_under
from compat.sources.mainline import Line
from compat.sources.objects import Commit, Entry, Kind, Tag

# The moment of a commit.
MomentAt = Callable[[str], Moment]


@dataclass(frozen=True, slots=True)
class State:
    """What a lineage's file was from one commit until the next that changed it."""

    path: str
    entry: Entry
    commit: Commit
    tags: tuple[str, ...]


def states(path: str, line: Line) -> Iterator[State]:
    """Follow a file back through a line, newest first, across renames.

    The tags of a state are those of its commit and of every later one that left the file alone. A file that was deleted
    and came back has the states from before, too.
    """
    at, since = path, 0
    while True:
        step = next(((p, c) for p, c in line.touches(at, since) if c.new is not None and c.new.path == at), None)
        if step is None:
            return
        place, change = step
        assert change.new is not None
        yield State(at, change.new, line.commits[place], line.tags_between(since, place + 1))
        since = place + 1
        if change.old is not None:
            at = change.old.path
            continue
        # Before the file came back it was deleted, or else moved away: then its past is the other file's.
        gone = next(((p, c) for p, c in line.touches(at, since) if c.old is not None and c.old.path == at), None)
        if gone is None or gone[1].kind is not Kind.DELETED:
            return
        since = gone[0] + 1


class Telling:
    """Makes versions of one lineage: `rule` says where their numbers are, `facts` what a content says by itself."""

    def __init__(
        self,
        lineage: Lineage,
        rule: VersionRule,
        facts: Callable[[Entry], Facts],
        moment_at: MomentAt,
        states_of: Callable[[str, Line], Iterable[State]] = states,
    ) -> None:
        self._lineage = lineage
        self._rule = rule
        self._facts = facts
        self._moment_at = moment_at
        self._states = states_of

    def moving(self, path: str, line: Line) -> tuple[Version, ...]:
        """Give the versions of a file that moves through history, oldest first; states of equal content are one.

        `path` is where the newest commit has it.
        """
        versions: list[Version] = []
        for state in reversed(list(self._states(path, line))):
            version = self._of_state(state)
            last = versions[-1] if versions else None
            if last is not None and version.digest and version.digest == last.digest:
                versions[-1] = replace(last, tags=(*last.tags, *(t for t in version.tags if t not in last.tags)))
            else:
                versions.append(version)
        return tuple(versions)

    def side_by_side(self, line: Line, now: Moment) -> tuple[Version, ...]:
        """Give the versions that stand beside each other, by number, each with the commit that last changed it.

        `when` is the day it first appeared.
        """
        found: list[Version] = []
        for path in self._lineage.files:
            known = list(self._states(path, line))
            version = self._of_moment(now, path, known[0].commit if known else None, known[0].tags if known else ())
            if known and known[0].entry.oid != version.blob:
                version = replace(version, revision=None, tags=())  # edited since, and not committed
            found.append(replace(version, when=known[-1].commit.when) if known else version)
        return tuple(found)

    def at_tags(
        self, tags: Iterable[Tag], line: Line, some: Callable[[str, Sequence[str]], Sequence[Entry]]
    ) -> tuple[Version, ...]:
        """Give what stood at each tag that counts for the lineage, oldest tag first; one version per content.

        `some` gives those of a few paths that a commit has which is not on the line.
        """
        lineage = self._lineage
        own = [(number, tag) for tag in tags if (number := number_in_tag(tag.name, lineage.name)) is not None]
        if not own:
            return ()
        names = (
            dict.fromkeys(state.path for state in self._states(lineage.current, line))
            if not lineage.side_by_side
            else {}
        )
        paths = tuple(dict.fromkeys((*reversed(lineage.files), *names)))
        versions: list[Version] = []
        for _, tag in sorted(own, key=lambda one: (one[1].when, one[0], one[1].name)):
            place = line.places.get(tag.commit)
            if place is None:
                there = {entry.path: entry for entry in some(tag.commit, paths)}
                found = (there[path] for path in paths if path in there)
            else:
                found = (entry for path in paths if (entry := line.entry(path, place)) is not None)
            entry = next(found, None)
            if entry is None:
                continue
            commit = line.commits[place] if place is not None and line.commits[place].sha == tag.commit else None
            version = self._of_entry(entry, tag.commit, commit, (tag.name,))
            version = replace(version, when=tag.when)
            if versions and version.digest and versions[-1].digest == version.digest:
                versions[-1] = replace(versions[-1], tags=(*versions[-1].tags, tag.name))
            else:
                versions.append(version)
        return tuple(versions)

    def restated(self, version: Version, commit: Commit) -> Version:
        """Give what a file that did not change itself is at a later commit: a link whose end did, or a referrer."""
        moment = self._moment_at(commit.sha)
        if version.path in moment.snapshot and not moment.snapshot.entries[version.path].is_link:
            return replace(version, revision=commit.sha, when=commit.when, author=commit.author)
        return self._of_moment(moment, version.path, commit, ())

    def on_disk(self, now: Moment) -> Version:
        """Give the version in the working tree."""
        return self._of_moment(now, self._lineage.current, None, ())

    def _of_state(self, state: State) -> Version:
        return self._of_entry(state.entry, state.commit.sha, state.commit, state.tags)

    def _of_entry(self, entry: Entry, revision: str, commit: Commit | None, tags: Sequence[str]) -> Version:
        if entry.is_link or entry.is_gitlink:
            # Where it leads, only the moment can tell.
            version = self._of_moment(self._moment_at(revision), entry.path, commit, tags)
            return replace(version, revision=revision)
        return self._made(self._facts(entry), entry.path, entry.oid, revision, commit, tags)

    def _of_moment(self, moment: Moment, path: str, commit: Commit | None, tags: Sequence[str]) -> Version:
        revision = None if commit is None else commit.sha
        try:
            facts = moment.facts(path)
        except CompatError as error:
            facts = Facts("", error.message)
        # That of a link itself: what stands at its end is the content of another file.
        blob = moment.snapshot.entries[path].oid if path in moment.snapshot else None
        return self._made(facts, path, blob, revision, commit, tags)

    def _made(
        self,
        facts: Facts,
        path: str,
        blob: str | None,
        revision: str | None,
        commit: Commit | None,
        tags: Sequence[str],
    ) -> Version:
        own = tuple(tag for tag in tags if number_in_tag(tag, self._lineage.name) is not None)
        when: datetime | None = None if commit is None else commit.when
        author = "" if commit is None else commit.author
        found: tuple[VersionNumber, NumberSource] | None = None
        if not facts.problem:
            found = number_under(self._rule, facts.numbered, path, own, self._lineage.name)
        number, source = found if found is not None else (None, None)
        return Version(number, source, path, revision, blob, when, author, own, facts.digest, facts.problem)

"""A lineage through time: the states its file had on this line of history, or its versions side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from compat.errors import CompatError
from compat.lineage import Lineage, NumberSource, Version, VersionNumber, number_in_tag
from compat.project.config import VersionRule
from compat.project.moment import Moment
from compat.sources.objects import Commit, Entry, Kind, Tag

# The moment of a commit that has an entry.
MomentAt = Callable[[str, Entry], Moment]


@dataclass(frozen=True, slots=True)
class State:
    """What a lineage's file was from one commit until the next that changed it."""

    path: str
    entry: Entry
    commit: Commit
    tags: tuple[str, ...]


def states(path: str, commits: Iterable[Commit]) -> Iterator[State]:
    """Follow a file back through the commits of a line, newest first, across renames.

    The tags of a state are those of its commit and of every later one that left the file alone. A file that was deleted
    and came back has the states from before, too.
    """
    at, gone = path, False
    tags: list[str] = []
    for commit in commits:
        tags.extend(commit.tags)
        for change in commit.changes:
            if gone:
                # Before the file came back it was deleted, or else moved away: then its past is the other file's.
                if change.old is None or change.old.path != at:
                    continue
                if change.kind is not Kind.DELETED:
                    return
                gone, tags = False, []
                break
            if change.new is None or change.new.path != at or change.kind is Kind.DELETED:
                continue
            yield State(change.new.path, change.new, commit, tuple(tags))
            tags = []
            if change.old is not None:
                at = change.old.path
            else:
                gone = True
            break


def moving(
    lineage: Lineage, path: str, commits: Sequence[Commit], moment_at: MomentAt, rule: VersionRule
) -> tuple[Version, ...]:
    """Give the versions of a file that moves through history, oldest first; states of equal content are one.

    `path` is where the newest commit has it.
    """
    versions: list[Version] = []
    for state in reversed(list(states(path, commits))):
        moment = moment_at(state.commit.sha, state.entry)
        version = _at(moment, state.path, state.commit, state.tags, lineage.name, rule)
        last = versions[-1] if versions else None
        if last is not None and version.digest and version.digest == last.digest:
            versions[-1] = replace(last, tags=(*last.tags, *(t for t in version.tags if t not in last.tags)))
        else:
            versions.append(version)
    return tuple(versions)


def side_by_side(lineage: Lineage, commits: Sequence[Commit], now: Moment, rule: VersionRule) -> tuple[Version, ...]:
    """Give the versions that stand beside each other, by number, each with the commit that last changed it.

    `when` is the day it first appeared.
    """
    found: list[Version] = []
    for path in lineage.files:
        known = list(states(path, commits))
        version = _at(now, path, known[0].commit if known else None, known[0].tags if known else (), lineage.name, rule)
        if known and known[0].entry.oid != version.blob:
            version = replace(version, revision=None, tags=())  # edited since, and not committed
        found.append(replace(version, when=known[-1].commit.when) if known else version)
    return tuple(found)


def at_tags(
    lineage: Lineage,
    tags: Iterable[Tag],
    commits: Sequence[Commit],
    some: Callable[[str, Sequence[str]], Sequence[Entry]],
    moment_at: MomentAt,
    rule: VersionRule,
) -> tuple[Version, ...]:
    """Give what stood at each tag that counts for the lineage, oldest tag first; one version per content.

    `some` gives those of a few paths that a commit has.
    """
    names = dict.fromkeys(state.path for state in states(lineage.current, commits)) if not lineage.side_by_side else {}
    paths = tuple(dict.fromkeys((*reversed(lineage.files), *names)))
    known = {commit.sha: commit for commit in commits}
    versions: list[Version] = []
    for tag in sorted(tags, key=lambda t: (t.when, number_in_tag(t.name, lineage.name) or _NONE, t.name)):
        if number_in_tag(tag.name, lineage.name) is None:
            continue
        there = {entry.path: entry for entry in some(tag.commit, paths)}
        entry = next((there[path] for path in paths if path in there), None)
        if entry is None:
            continue
        moment = moment_at(tag.commit, entry)
        version = _at(moment, entry.path, known.get(tag.commit), (tag.name,), lineage.name, rule)
        version = replace(version, revision=tag.commit, when=tag.when)
        if versions and version.digest and versions[-1].digest == version.digest:
            versions[-1] = replace(versions[-1], tags=(*versions[-1].tags, tag.name))
        else:
            versions.append(version)
    return tuple(versions)


def on_disk(lineage: Lineage, now: Moment, rule: VersionRule) -> Version:
    """Give the version in the working tree."""
    return _at(now, lineage.current, None, (), lineage.name, rule)


def _at(
    moment: Moment, path: str, commit: Commit | None, tags: Sequence[str], lineage: str, rule: VersionRule
) -> Version:
    own = tuple(tag for tag in tags if number_in_tag(tag, lineage) is not None)
    revision = commit.sha if commit is not None else None
    when: datetime | None = commit.when if commit is not None else None
    author = commit.author if commit is not None else ""
    digest, problem, blob = "", "", None
    found: tuple[VersionNumber, NumberSource] | None = None
    try:
        blob = moment.snapshot.entry(path).oid
        digest = moment.document(path).digest
        found = moment.number(path, own, lineage=lineage, rule=rule)
    except CompatError as error:
        problem = error.message
    number, source = found if found is not None else (None, None)
    return Version(number, source, path, revision, blob, when, author, own, digest, problem)


_NONE = VersionNumber.parse("0")

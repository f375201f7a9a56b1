"""Versions that a lineage had without touching its own file: a file it refers to changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from urllib.parse import unquote

from compat.errors import CompatError
from compat.lineage import Lineage, Version, number_in_tag
from compat.project import Project, Side
from compat.project.gating import closed
from compat.sources.objects import Commit


def with_shared(
    project: Project, lineage: Lineage, versions: Sequence[Version], revision: str | None
) -> Iterator[Version]:
    """Yield the versions of a moving file, and between them those that a shared file made."""
    line = tuple(reversed(project.commits(revision or "HEAD"))) if project.repository is not None else ()
    places = {commit.sha: place for place, commit in enumerate(line)}
    following = [places.get(version.revision or "", len(line)) for version in versions[1:]]
    last: Version | None = None
    for version, stop in zip(versions, [*following, len(line)], strict=True):
        last = version
        start = places.get(version.revision or "")
        if version.problem or start is None:
            yield version
            continue
        for last in _states(project, lineage, version, line[start:stop]):
            yield last
    bare = project.repository is not None and project.repository.bare
    if last is not None and not last.problem and last.revision is not None and revision is None and not bare:
        now = Side(project.moment(None), lineage.current)
        if _shared(now) and closed(now) != closed(project.version_sides(last)):
            yield replace(last, path=lineage.current, revision=None, when=None, author="", tags=())


def _states(project: Project, lineage: Lineage, version: Version, commits: Sequence[Commit]) -> Iterator[Version]:
    """Yield one version and its later states; `commits` are those of its time, oldest first and its own the first."""
    side = project.version_sides(version)
    shared = _shared(side)
    if not shared:
        yield version
        return
    content = closed(side)
    found: list[tuple[Version, list[str]]] = [(version, [])]
    for commit in commits:
        if any(end is not None and end.path in shared for change in commit.changes for end in (change.old, change.new)):
            later = replace(version, revision=commit.sha, when=commit.when, author=commit.author)
            side = project.version_sides(later)
            try:
                now = side.document.digest and closed(side)
            except CompatError:
                continue  # moved and not changed: the file is elsewhere in that commit
            if now != content:
                content, shared = now, shared | _shared(side)
                found.append((later, []))
        found[-1][1].extend(tag for tag in commit.tags if number_in_tag(tag, lineage.name) is not None)
    for state, tags in found:
        yield replace(state, tags=tuple(tags)) if len(found) > 1 else version


def _shared(side: Side) -> frozenset[str]:
    """Give the paths of the files that a schema refers to."""
    try:
        documents = side.schema_set.documents()[1:]
    except CompatError:
        return frozenset()
    return frozenset(unquote(d.uri.removeprefix("file:///")) for d in documents if d.uri.startswith("file:///"))

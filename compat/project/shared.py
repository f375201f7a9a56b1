"""Versions that a lineage had without touching its own file: one it refers to changed, or the one a link leads to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from compat.errors import CompatError
from compat.lineage import Lineage, Version, number_in_tag
from compat.project import Project
from compat.project.closures import Closure
from compat.sources.mainline import Line


def with_shared(
    project: Project, lineage: Lineage, versions: Sequence[Version], revision: str | None
) -> Iterator[Version]:
    """Yield the versions of a moving file, and between them those that a shared file made."""
    line = project.line(revision)
    last: Version | None = None
    for version, following in zip(versions, (*versions[1:], None), strict=True):
        last = version
        start = line.places.get(version.revision or "")
        if version.problem or start is None:
            yield version
            continue
        stop = -1 if following is None else line.places.get(following.revision or "", -1)
        for last in _states(project, lineage, version, line, start, stop):
            yield last
    bare = project.repository is not None and project.repository.bare
    if last is not None and not last.problem and last.revision is not None and revision is None and not bare:
        now = replace(last, path=lineage.current, revision=None, when=None, author="", tags=())
        if project.closure(last).shared and project.closure(now).identity != project.closure(last).identity:
            yield now


def _states(
    project: Project, lineage: Lineage, version: Version, line: Line, start: int, stop: int
) -> Iterator[Version]:
    """Yield one version and its later states, from its own place on the line up to where the next one begins."""
    closure = project.closure(version)
    shared = closure.shared
    if not shared:
        yield version
        return
    telling = project.telling(lineage)
    found: list[tuple[Version, int]] = [(version, start)]
    at = start
    while (at := _next(line, shared, at, stop)) > stop:
        later = telling.restated(version, line.commits[at])
        try:
            now = project.closure(later)
        except CompatError:
            if later.digest or later.problem == found[-1][0].problem:
                continue  # moved and not changed: the file is elsewhere in that commit
            now = Closure("", shared)
        if now.identity != closure.identity:
            closure, shared = now, shared | now.shared
            found.append((later, at))
    if len(found) == 1:
        yield version
        return
    for (state, place), (_, end) in zip(found, (*found[1:], (version, stop)), strict=True):
        tags = reversed(line.tags_between(end + 1, place + 1))
        yield replace(state, tags=tuple(tag for tag in tags if number_in_tag(tag, lineage.name) is not None))


def _next(line: Line, shared: frozenset[str], at: int, stop: int) -> int:
    """Give the place, after `at` in time, of the next change to a shared file; `stop` where there is none before it."""
    found = stop
    for path in shared:
        found = max(found, line.before(path, at))
    return found

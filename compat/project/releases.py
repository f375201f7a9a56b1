"""What of a lineage went out: release records and tags, each with the state of the files it speaks of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from compat.gate import Release
from compat.lineage import Lineage, Version, VersionNumber, number_in_tag
from compat.project import Project
from compat.sources.history import ReleaseRecord


@dataclass(frozen=True, slots=True)
class Released:
    """A release and the version it released; None where history does not hold that content.

    `record` is the row that says so, None where only tags do.
    """

    release: Release
    version: Version | None
    record: ReleaseRecord | None = None


def released(
    project: Project,
    lineage: Lineage,
    versions: Sequence[Version] | None = None,
    *,
    records: Sequence[ReleaseRecord] | None = None,
) -> tuple[Released, ...]:
    """Give the releases of a lineage, oldest first, from its release records and from its tags.

    Both are known by their content. Where there are release records, a tag counts only when it names the lineage: the
    tags of the software around a schema release no schema. Tags of other branches released nothing of this one.
    `records` are read instead of those on disk.
    """
    if versions is None:
        versions = project.versions(lineage)
    repository = project.repository
    tagged = project.versions_at_tags(lineage) if repository is not None else ()
    behind = project.past.merged_tags if tagged else frozenset()
    held = {version.digest: version for version in (*reversed(versions), *tagged, *_committed(versions))}
    records = project.history.releases(lineage.name) if records is None else records
    held |= _elsewhere(project, lineage, [row for row in records if row.digest not in held])
    found = [
        Released(Release(row.number, row.digest, row.released, row.tag), held.get(row.digest), row) for row in records
    ]
    known = {row.digest for row in records}
    for version in tagged:
        if not version.digest or version.digest in known:
            continue
        names = [tag for tag in version.tags if tag in behind and (not records or number_in_tag(tag) is None)]
        if names:
            when = None if version.when is None else version.when.date()
            found.append(Released(Release(version.number, version.digest, when, names[-1]), version))
    return tuple(sorted(found, key=lambda one: one.release.when or date.min))


def _elsewhere(project: Project, lineage: Lineage, rows: Sequence[ReleaseRecord]) -> dict[str, Version]:
    """Look for released content in the past of every file of the lineage, and of those that its records name."""
    wanted = {row.digest for row in rows}
    found: dict[str, Version] = {}
    for path in dict.fromkeys((*lineage.files, *(path for row in rows for path in row.files))):
        if wanted <= found.keys() or project.repository is None:
            break
        alone = Lineage(lineage.name, (path,), lineage.mode)
        found |= {version.digest: version for version in _committed(project.versions(alone))}
    return {digest: version for digest, version in found.items() if digest in wanted}


def _committed(versions: Sequence[Version]) -> Iterator[Version]:
    """Prefer a commit over the working tree where both hold the content."""
    return (version for version in reversed(versions) if version.revision is not None)


def last_release(found: Sequence[Released]) -> Released | None:
    """Give the release with the highest number, the latest of it; the latest of all where numbers are missing."""
    if not found:
        return None
    numbers = [one.release.number for one in found]
    if any(number is None for number in numbers):
        return found[-1]
    best = found[0]
    for one in found[1:]:
        assert one.release.number is not None
        assert best.release.number is not None
        if one.release.number >= best.release.number:
            best = one
    return best


def latest_of_number(
    found: Sequence[Released], versions: Sequence[Version], number: VersionNumber | None
) -> Version | None:
    """Give the version that data under a number is written by: the last released one, else the last committed one."""
    if number is None:
        return None
    out = [one.version for one in found if one.release.number == number and one.version is not None]
    same = [version for version in versions if version.number == number and version.digest]
    committed = [version for version in same if version.revision is not None]
    return next(reversed(out or committed or same), None)

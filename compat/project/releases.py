"""What of a lineage went out: release records and tags, each with the state of the files it speaks of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from compat.gate import Release
from compat.lineage import Lineage, Version, VersionNumber, number_in_tag
from compat.project import Project


@dataclass(frozen=True, slots=True)
class Released:
    """A release and the version it released; None where history does not hold that content."""

    release: Release
    version: Version | None


def released(project: Project, lineage: Lineage, versions: Sequence[Version] | None = None) -> tuple[Released, ...]:
    """Give the releases of a lineage, oldest first, from its release records and from its tags.

    Both are known by their content. Where there are release records, a tag counts only when it names the lineage: the
    tags of the software around a schema release no schema. Tags of other branches released nothing of this one.
    """
    if versions is None:
        versions = project.versions(lineage)
    repository = project.repository
    tagged = project.versions_at_tags(lineage) if repository is not None else ()
    behind = repository.merged_tags() if repository is not None and tagged else frozenset()
    held = {version.digest: version for version in (*reversed(versions), *tagged, *_committed(versions))}
    records = project.history.releases(lineage.name)
    found = [Released(Release(row.number, row.digest, row.released, row.tag), held.get(row.digest)) for row in records]
    known = {row.digest for row in records}
    for version in tagged:
        if not version.digest or version.digest in known:
            continue
        names = [tag for tag in version.tags if tag in behind and (not records or number_in_tag(tag) is None)]
        if names:
            when = None if version.when is None else version.when.date()
            found.append(Released(Release(version.number, version.digest, when, names[-1]), version))
    return tuple(sorted(found, key=lambda one: one.release.when or date.min))


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

"""The chapters of a changelog: each release of a lineage against the one before, and what is not released yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from compat.changelog import Chapter
from compat.errors import OutputError, Place
from compat.lineage import Lineage
from compat.project import Project
from compat.project.releases import released
from compat.project.states import closed, present, readable, require_tags, step_between
from compat.sources.files import shown

FILE_NAME = "CHANGELOG.md"


def chapters(project: Project, lineage: Lineage) -> Iterator[Chapter]:
    """Yield the chapters of one lineage, oldest first; CompatError where a released version cannot be read."""
    policy = project.policies().of(lineage.name)
    seen: Counter[str] = Counter()
    before = None
    for one in released(project, lineage):
        after = project.version_sides(readable(project, lineage, one))
        label = one.release.label
        seen[label] += 1
        identity = one.release.digest.removeprefix("sha256:")[:12]
        when, revision = one.release.when, seen[label]
        if before is None:
            yield Chapter(lineage.name, label, when, identity, first=True)
        else:
            step = step_between(project, lineage, before, after, policy)
            marker = step.pair.marker
            yield Chapter(lineage.name, label, when, identity, step.findings, revision=revision, marker=marker)
        before = after
    now = present(project, lineage)
    if before is None:
        require_tags(project, lineage)
        yield Chapter(lineage.name, None, first=True)
    elif closed(before) != closed(now):
        step = step_between(project, lineage, before, now, policy)
        yield Chapter(lineage.name, None, findings=step.findings, marker=step.pair.marker)


def changelog_path(project: Project, lineages: Sequence[Lineage]) -> str:
    """Give the place of a changelog: the folder of one lineage, or the folder that holds all of them.

    At the root there is usually a changelog of something else already.
    """
    folders = [PurePosixPath(lineage.current).parent.parts for lineage in lineages]
    shared: list[str] = []
    for steps in zip(*folders, strict=False):
        if len(set(steps)) > 1:
            break
        shared.append(steps[0])
    if shared:
        return "/".join([*shared, FILE_NAME])
    folder = project.config.folder
    return "/".join(part for part in (folder, f"SCHEMA-{FILE_NAME}") if part)


def told_so_far(project: Project, path: str) -> str | None:
    """Give the text of a changelog that is there, as its bytes have it; OutputError where it is none we could keep."""
    if not project.root.exists(path):
        return None
    try:
        return project.root.read(path).decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        hint = "write it as UTF-8, or name another file: --file"
        raise OutputError(
            "is not UTF-8, and is left as it is", place=Place(shown(path), line=line), hint=hint
        ) from None

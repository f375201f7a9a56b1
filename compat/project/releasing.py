"""Writing a release down: the record of each lineage and the chapter that tells of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from compat.changelog import Chapter
from compat.errors import Place, SourceError
from compat.lineage import Lineage
from compat.project import Project
from compat.project.states import present
from compat.project.telling import chapters
from compat.sources.history import ReleaseRecord
from compat.sources.together import finish, write_together


@dataclass(frozen=True, slots=True)
class Plan:
    """What releasing a lineage will write; no record where its version is released as it stands."""

    lineage: Lineage
    record: ReleaseRecord | None
    chapters: tuple[Chapter, ...]


def plan(project: Project, lineage: Lineage, today: date) -> Plan:
    """Work out the release of a lineage as it stands; SourceError where it has no number to release it under."""
    told = tuple(chapters(project, lineage))
    if not told or told[-1].label is not None:
        return Plan(lineage, None, told)
    now = present(project, lineage)
    number = now.moment.number(now.path)
    if number is None:
        raise SourceError(
            "has no version number to be released under",
            place=Place(now.document.name),
            hint="Give it one in $id, a version keyword, a constant, or its path.",
        )
    document = now.document
    record = ReleaseRecord(str(number[0]), document.digest, today, dict.fromkeys((now.path,), ""))
    revision = sum(chapter.label == record.version for chapter in told) + 1
    identity = document.digest.removeprefix("sha256:")[:12]
    newest = replace(told[-1], label=record.version, when=today, identity=identity, revision=revision)
    return Plan(lineage, record, (*told[:-1], newest))


def write(project: Project, plans: Sequence[Plan], changelog: str, text: str | None) -> tuple[str, ...]:
    """Write the records and the changelog, all or none, and give the paths written."""
    contents = dict(project.history.appended(one.lineage.name, one.record) for one in plans if one.record is not None)
    if text is not None:
        contents[changelog] = text.encode("utf-8")
    write_together(project.root, project.history.journal_path, contents)
    return tuple(contents)


def finish_stopped(project: Project) -> tuple[str, ...]:
    """Finish the writing of a release that was stopped, and give the paths written; nothing where none was."""
    return finish(project.root, project.history.journal_path)


def require_finished(project: Project) -> None:
    """Refuse to judge or tell of releases while half of one is written; SourceError says how to finish it."""
    if project.root.exists(project.history.journal_path):
        raise SourceError(
            "a release was stopped while it was written",
            place=Place(project.history.journal_path),
            hint="compat release finishes it",
        )

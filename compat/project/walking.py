"""Walks the versions of a lineage and tells what each did: the timeline that `compat log` shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from compat.assess import Problem
from compat.errors import CompatError, ExitCode, Place, RevisionError
from compat.gate import Judgement, Release
from compat.gate import judge as judge_number
from compat.lineage import Lineage, Version
from compat.project import Project
from compat.project.floors import above_floor
from compat.project.releases import released
from compat.project.remembered import Judge, Subject
from compat.project.shared import with_shared
from compat.sources.files import shown
from compat.timeline import Entry, Judged, JudgeEntries, Timeline, first_of_content, with_matrix


def walks(
    project: Project, lineages: Sequence[Lineage], *, revision: str | None = None, floor: str | None = None
) -> Iterator[Walk | Problem]:
    """Walk the versions of some lineages, every content of all of them read once."""
    if project.repository is not None:
        project.past.read_ahead(lineages, project.line(revision))
    for lineage in lineages:
        try:
            yield Walk(project, lineage, revision=revision, floor=floor)
        except CompatError as error:
            if error.exit_code is ExitCode.USAGE:
                raise
            yield Problem.of(error)
    project.save()


def timelines(
    project: Project,
    lineages: Sequence[Lineage],
    judge: Judge,
    *,
    revision: str | None = None,
    matrix: bool = False,
    floor: str | None = None,
) -> Iterator[Timeline | Problem]:
    """Tell lineages; all of history is read before anything is judged, and kept whatever comes."""
    walked = list(walks(project, lineages, revision=revision, floor=floor))
    try:
        for walk in walked:
            if isinstance(walk, Problem):
                yield walk
                continue
            try:
                told = walk.timeline(judge, matrix=matrix)
            except CompatError as error:
                yield Problem.of(error)
                continue
            yield told
            if (problem := cut_off(project, told)) is not None:
                yield problem
    finally:
        project.save()


class Walk:
    """The versions of a lineage up to a revision, or up to the working tree, and what each of them did.

    `floor` is the oldest version that counts among all others, instead of the policy's.

    RevisionError where there is no history to tell.
    """

    def __init__(
        self, project: Project, lineage: Lineage, *, revision: str | None = None, floor: str | None = None
    ) -> None:
        if project.repository is None and not lineage.side_by_side:
            raise RevisionError(
                f"{lineage.name} has no history here: this is no git repository",
                place=Place(shown(lineage.current)),
                hint="Run it in a clone. Versions side by side, such as v1/ and v2/, are told without git.",
            )
        self.lineage = lineage
        self._project = project
        self._policy = project.policies(revision).of(lineage.name)
        versions = project.versions(lineage, revision)
        if not lineage.side_by_side:
            versions = tuple(with_shared(project, lineage, versions, revision))
        self.versions = versions
        floor = floor or self._policy.floor
        self._supported = None if floor is None else above_floor(project, lineage, versions, floor)
        # The identity of each with all it refers to; empty where it cannot be read.
        self.contents = tuple(self._content(version) for version in versions)

    def timeline(self, judge: Judge, *, matrix: bool = False) -> Timeline:
        """Judge every version against the one before, and with `matrix` against all others."""

        marker = self._project.config.version_rule(self.lineage.name).property

        def judged(older: Entry, newer: Entry, told: bool) -> Judged:
            old, new = (self._subject(entry.version) for entry in (older, newer))
            return judge.judge(old, new, marker=marker, told=told)

        found = Timeline(self.lineage, self._policy, tuple(self._entries(judged)))
        if self._supported is not None:
            kept = {id(version) for version in self._supported.versions}
            under = frozenset(place for place, one in enumerate(self.versions, 1) if id(one) not in kept)
            found = replace(found, floor=self._supported.line, unsupported=under)
        return with_matrix(found, judged) if matrix else found

    def _subject(self, version: Version) -> Subject:
        closure = self._project.closure(version)
        side = self._project.version_sides(version)
        # Where a schema stands decides where its references lead, and what its path says of its number.
        return Subject(lambda: side.schema_set, f"{closure.identity} {version.path}" if closure.whole else None)

    def _entries(self, judge: JudgeEntries) -> Iterator[Entry]:
        out = {one.release.digest for one in released(self._project, self.lineage, self.versions)}
        repeated = first_of_content(self.contents)
        before: Entry | None = None
        last: Entry | None = None
        for place, version in enumerate(self.versions):
            same = repeated.get(place)
            entry = Entry(
                place + 1,
                version,
                problem=version.problem or self._project.fault(version),
                released=version.digest in out and (place == 0 or self._is_own(version, self.versions[place - 1])),
                same_as=None if same is None else same + 1,
            )
            if entry.readable and before is not None:
                entry = self._compared(entry, before, last, judge)
            yield entry
            if entry.readable:
                before = entry
                # Without releases every version counts as one; a number binds from when it went out.
                last = entry if entry.released or not out else last

    def _content(self, version: Version) -> str:
        return "" if version.problem else self._project.closure(version).identity

    @staticmethod
    def _is_own(version: Version, before: Version) -> bool:
        """Whether a version went out by itself: where only a shared file changed, its own text does not tell."""
        return version.digest != before.digest or bool(version.tags)

    def _compared(self, entry: Entry, before: Entry, last: Entry | None, judge: JudgeEntries) -> Entry:
        judged = judge(before, entry, True)
        path, earlier = entry.version.path, before.version.path
        entry = replace(
            entry,
            judged=judged,
            against=before.index,
            moved_from=earlier if path != earlier and not self.lineage.side_by_side else None,
        )
        step = self._number(before, entry, judged)
        if last is None:
            return replace(entry, bump=step.bump, least=step.least)
        since = step if last is before else self._number(last, entry, judge(last, entry, False))
        known = since.last is not None and since.last.number is not None and entry.version.number is not None
        return replace(entry, bump=step.bump, least=since.least, enough=not since.fails if known else None)

    def _number(self, old: Entry, new: Entry, judged: Judged) -> Judgement:
        release = Release(old.version.number, old.version.digest)
        # A shared file may have changed where the text did not: what was judged decides, not the digest.
        return judge_number(self.lineage.name, release, new.version.number, digest="", pair=judged, policy=self._policy)


def cut_off(project: Project, found: Timeline) -> Problem | None:
    """Tell that a shallow clone holds only the end of a lineage's history; None where all of it is here."""
    repository = project.repository
    if repository is None or not any(one.version.revision in repository.shallow_edge for one in found.entries[:1]):
        return None
    return Problem(
        "the clone is shallow, so earlier versions are not here",
        Place(shown(found.lineage.current)),
        "git fetch --unshallow; in a workflow: fetch-depth: 0",
    )

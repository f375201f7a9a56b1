"""The gate over a project: every lineage against its last release."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from compat.assess import Finding
from compat.assess.pair import LineagePair, lineage_pair, report_pair
from compat.errors import CompatError, Place, SourceError
from compat.gate import Judgement, Release, edited, judge, removed
from compat.lineage import Lineage, Version
from compat.model.instance import Formats
from compat.policy import Policy
from compat.project import Project, Side
from compat.project.releases import Released, last_release, released
from compat.project.stored import stored_pair
from compat.proof.containment import STEPS
from compat.sources.history import RELEASES


@dataclass(frozen=True, slots=True)
class Step:
    """Two states of a lineage as they are judged: the pair apart from its marker, and its findings."""

    pair: LineagePair
    findings: tuple[Finding, ...]


def gate(project: Project, lineage: Lineage, *, today: date | None = None, steps: int = STEPS) -> Iterator[Judgement]:
    """Judge one lineage: what is on disk against its last release, then versions beside it that were released.

    CompatError where a side cannot be read.
    """
    policy = project.policies().of(lineage.name)
    now = present(project, lineage)
    found = released(project, lineage)
    number = now.moment.number(now.path)
    declared = None if number is None else number[0]
    last = last_release(found)
    if last is None:
        require_tags(project, lineage)
        unreleased = judge(lineage.name, None, declared, digest=now.document.digest, pair=None, policy=policy)
        if project.repository is None:
            note = "there is no git repository here, so tags could not tell of a release"
            unreleased = replace(unreleased, notes=(*unreleased.notes, note))
        yield unreleased
        return
    before = project.version_sides(readable(project, lineage, last))
    same = now.document.digest == last.release.digest and before.schema_set.closed_digest() == closed(now)
    if same:
        yield judge(lineage.name, last.release, declared, digest=last.release.digest, pair=None, policy=policy)
    else:
        step = step_between(project, lineage, before, now, policy, steps)
        yield judge(
            lineage.name,
            last.release,
            declared,
            digest=closed(now),
            pair=step.pair.comparison,
            policy=policy,
            findings=step.findings,
            today=today,
        )
    for path in lineage.files[:-1]:
        yield from _beside(project, lineage, Side(now.moment, path), found, policy, today, steps)


def require_tags(project: Project, lineage: Lineage) -> None:
    """Refuse to call a lineage unreleased where a shallow clone may only have left its tags behind."""
    if project.repository is not None and project.repository.is_shallow:
        raise SourceError(
            f"no release of {lineage.name} was found, and the clone is shallow",
            place=Place(lineage.current),
            hint="git fetch --tags --unshallow; in a workflow: fetch-depth: 0",
        )


def gone(project: Project) -> Iterator[Judgement]:
    """Judge the lineages that have release records and no schema any more."""
    known = {lineage.name for lineage in project.lineages()}
    folder = project.history.folder("x").rpartition("/")[0]
    place = project.root.locate(folder)
    for file in sorted(place.rglob(RELEASES)) if place.is_dir() else ():
        name = file.parent.relative_to(place).as_posix()
        records = project.history.releases(name) if name not in known else ()
        if records:
            row = records[-1]
            yield removed(name, Release(row.number, row.digest, row.released, row.tag))


def present(project: Project, lineage: Lineage) -> Side:
    """Give the newest file of a lineage as it is now: on disk, or at HEAD in a bare repository."""
    bare = project.repository is not None and project.repository.bare
    return Side(project.moment("HEAD" if bare else None), lineage.current)


def _beside(
    project: Project,
    lineage: Lineage,
    side: Side,
    found: tuple[Released, ...],
    policy: Policy,
    today: date | None,
    steps: int,
) -> Iterator[Judgement]:
    """Judge an older version that stands beside the newest: once released, it stays as it is."""
    number = side.moment.number(side.path)
    out = [one for one in found if number is not None and one.release.number == number[0]]
    if not out or any(one.release.digest == side.document.digest for one in out):
        return
    before = project.version_sides(readable(project, lineage, out[-1]))
    step = step_between(project, lineage, before, side, policy, steps)
    judgement = edited(lineage.name, out[-1].release, step.pair.comparison, policy, findings=step.findings, today=today)
    if judgement is not None:
        yield judgement


def step_between(project: Project, lineage: Lineage, old: Side, new: Side, policy: Policy, steps: int = STEPS) -> Step:
    """Compare two states of a lineage under a policy, with what its stored records say."""
    formats: Formats = "assertion" if project.config.formats == "assertion" else "annotation"
    pair = lineage_pair(old.schema_set, new.schema_set, formats=formats, steps=steps)
    number = old.moment.number(old.path)
    replay = stored_pair(project, lineage, upto=None if number is None else number[0])
    return Step(pair, report_pair(pair, policy, name=new.path, lineage=lineage.name, replay=replay).findings)


def readable(project: Project, lineage: Lineage, one: Released) -> Version:
    """Give the version that a release released; SourceError where this history does not hold its content."""
    if one.version is not None:
        return one.version
    release: Release = one.release
    shallow = project.repository is not None and project.repository.is_shallow
    raise SourceError(
        f"no commit here holds what was released as {release.label} ({release.digest[:19]}…)",
        place=Place(project.history.releases_path(lineage.name)),
        hint="the clone is shallow: git fetch --unshallow" if shallow else "the release record names another content",
    )


def closed(side: Side) -> str:
    """Give the digest of a schema with all it refers to, or of its text alone where a reference leads nowhere."""
    try:
        return side.schema_set.closed_digest()
    except CompatError:
        return side.document.digest

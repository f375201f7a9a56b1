"""The states of a lineage as they are set against each other: the one at hand, a released one, the step between."""

from __future__ import annotations

from dataclasses import dataclass

from compat.assess import Finding
from compat.assess.pair import LineagePair, lineage_pair, report_pair
from compat.errors import CompatError, Place, SourceError
from compat.gate import Release
from compat.lineage import Lineage, Version
from compat.model.instance import Formats
from compat.policy import Policy
from compat.project import Project, Side
from compat.project.evidence import StoredRecords
from compat.project.releases import Released
from compat.proof.containment import STEPS


@dataclass(frozen=True, slots=True)
class Step:
    """Two states of a lineage as they are judged: the pair apart from its marker, and its findings."""

    pair: LineagePair
    findings: tuple[Finding, ...]


def present(project: Project, lineage: Lineage) -> Side:
    """Give the newest file of a lineage as it is now: on disk, or at HEAD in a bare repository."""
    bare = project.repository is not None and project.repository.bare
    return Side(project.moment("HEAD" if bare else None), lineage.current)


def require_tags(project: Project, lineage: Lineage) -> None:
    """Refuse to call a lineage unreleased where a shallow clone may only have left its tags behind."""
    if project.repository is not None and project.repository.is_shallow:
        raise SourceError(
            f"no release of {lineage.name} was found, and the clone is shallow",
            place=Place(lineage.current),
            hint="git fetch --tags --unshallow; in a workflow: fetch-depth: 0",
        )


def step_between(project: Project, lineage: Lineage, old: Side, new: Side, policy: Policy, steps: int = STEPS) -> Step:
    """Compare two states of a lineage under a policy, with what its stored records say."""
    formats: Formats = "assertion" if project.config.formats == "assertion" else "annotation"
    marker = project.config.version_rule(lineage.name).property
    number = old.moment.number(old.path)
    upto = None if number is None else number[0]
    stored = StoredRecords(project, new.moment, lineage.name, formats, upto)
    pair = lineage_pair(
        old.schema_set, new.schema_set, marker=marker, formats=formats, steps=steps, records=stored.values()
    )
    report = report_pair(
        pair,
        policy,
        name=new.path,
        lineage=lineage.name,
        replay=stored.replay,
        reach=lambda paths: stored.reach(pair.old, paths),
    )
    return Step(pair, report.findings)


def readable(project: Project, lineage: Lineage, one: Released) -> Version:
    """Give the version that a release released; SourceError where this history does not hold its content."""
    if one.version is not None:
        return one.version
    release: Release = one.release
    git = project.repository
    if git is None:
        message, hint = "what was released as", "this is no git repository: run it in a clone of the whole history"
    elif git.is_shallow:
        message, hint = "no commit here holds what was released as", "the clone is shallow: git fetch --unshallow"
    else:
        message = "no commit here holds what was released as"
        hint = "commit the schema as it went out, or take the row out of the record if it never did"
    raise SourceError(
        f"{message} {release.label} ({release.digest[:19]}…){' is nowhere here' if git is None else ''}",
        place=Place(project.history.releases_path(lineage.name)),
        hint=hint,
    )


def closed(side: Side) -> str:
    """Give the digest of a schema with all it refers to, or of its text alone where a reference leads nowhere."""
    try:
        return side.schema_set.closed_digest()
    except CompatError:
        return side.document.digest

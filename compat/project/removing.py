"""What was released and is gone: properties, versions side by side, whole lineages, and what notice was given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from compat.assess import Finding
from compat.assess.removals import is_deprecated, properties_gone
from compat.assess.waivers import values_of
from compat.errors import CompatError
from compat.gate import Judgement, Release, Removal, removed
from compat.lineage import Lineage
from compat.policy import Policies, Policy, Waiver
from compat.project import PairKind, Project, Side
from compat.project.claims import records_at
from compat.project.releases import Released, last_release, released
from compat.relation import Mode
from compat.sources.history import RELEASES, ReleaseRecord

_REMOVES = "property-removed"


def notice(policy: Policy) -> int:
    """Give in how many releases something has to be deprecated before it goes; the mode none asks for nothing."""
    return 0 if policy.mode is Mode.NONE else policy.notice


def removals(
    project: Project,
    lineage: Lineage,
    before: Side,
    after: Side,
    out: Sequence[Released],
    findings: Sequence[Finding],
    today: date | None,
) -> tuple[Removal, ...]:
    """Give the properties that went between two states, each with the notice that was given.

    `out` are the releases up to the older state, oldest first.
    """
    policies = project.policies()
    asked = notice(policies.of(lineage.name))
    return tuple(
        Removal(
            gone.instance_path,
            gone.place,
            _deprecated(project, out, gone.instance_path, asked),
            asked,
            _waived(policies, lineage.name, gone.instance_path, findings, today),
        )
        for gone in properties_gone(before.schema_set, after.schema_set)
    )


def _deprecated(project: Project, out: Sequence[Released], path: str, enough: int) -> int:
    """Count the releases in a row, back from the last one, that called a place deprecated; no further than enough."""
    count = 0
    for one in reversed(out):
        if count >= enough or one.version is None:
            break
        try:
            if not is_deprecated(project.version_sides(one.version).schema_set, path):
                break
        except CompatError:
            break
        count += 1
    return count


def _waived(policies: Policies, lineage: str, path: str, findings: Sequence[Finding], today: date | None) -> str | None:
    """Give the reason of a waiver in force for the removal of a property, whichever rule tells of it."""
    told = [finding for finding in findings if finding.instance_path == path and _REMOVES in finding.rule]
    for waiver in policies.waivers:
        if today is not None and waiver.expired(today):
            continue
        if any(_means(waiver, lineage, finding) for finding in told):
            return waiver.reason
    return None


def _means(waiver: Waiver, lineage: str, finding: Finding) -> bool:
    return waiver.matches(
        lineage=lineage,
        rule=finding.rule,
        instance_path=finding.instance_path,
        values=values_of(finding),
        fingerprint=finding.fingerprint,
    )


# -- versions and lineages ------------------------------------------------------------------------------------------


def versions_gone(project: Project, lineage: Lineage, base: str | None) -> Iterator[Judgement]:
    """Judge released versions that stood beside the newest at the base and have no file any more."""
    if base is None:
        return
    before = project.moment(base)
    here = set(lineage.files)
    files = before.families.get(lineage.name, ())
    if len(files) < 2 or here.issuperset(files):
        return
    numbers = {number for number in lineage.numbers if number is not None}
    asked = min(notice(project.policies().of(lineage.name)), 1)
    out = released(project, Lineage(lineage.name, files), records=_rows(project, lineage.name, base))
    for path in files:
        number = before.number(path, lineage=lineage.name)
        if path in here or number is None or number[0] in numbers:
            continue
        release = next((one.release for one in reversed(out) if one.release.number == number[0]), None)
        if release is not None:
            deprecated = int(is_deprecated(Side(before, path).schema_set))
            yield removed(lineage.name, release, deprecated=deprecated, asked=asked, what=path)


def lineages_gone(project: Project, base: str | None) -> Iterator[Judgement]:
    """Judge the lineages that were released and have no schema any more, by records on disk and what the base had."""
    known = {lineage.name for lineage in project.lineages()}
    for name in sorted({*_recorded(project), *_at_base(project, base)} - known):
        rows = _rows(project, name, base)
        lineage = _lineage(project, name, base, rows)
        out = released(project, lineage, records=rows) if lineage is not None else ()
        last = last_release(out)
        if last is None and rows:
            last = Released(Release(rows[-1].number, rows[-1].digest, rows[-1].released, rows[-1].tag), None)
        if last is None or (not rows and lineage is not None and _moved(project, base, lineage)):
            continue
        policies = project.policies(base) if base is not None else project.policies()
        asked = notice(policies.of(name))
        yield removed(name, last.release, deprecated=_deprecated(project, out, "", asked), asked=asked)


def _recorded(project: Project) -> Iterator[str]:
    """Yield the lineages that have release records on disk."""
    folder = project.history.folder("x").rpartition("/")[0]
    place = project.root.locate(folder)
    for file in sorted(place.rglob(RELEASES)) if place.is_dir() else ():
        yield file.parent.relative_to(place).as_posix()


def _at_base(project: Project, base: str | None) -> Iterator[str]:
    """Yield the lineages that the base had, by their schema or by their release records."""
    if base is None:
        return
    before = project.moment(base)
    yield from before.families
    folder = project.history.folder("x").rpartition("/")[0] + "/"
    for path in before.snapshot.entries:
        if path.startswith(folder) and path.endswith(f"/{RELEASES}"):
            yield path.removeprefix(folder).rpartition("/")[0]


def _rows(project: Project, name: str, base: str | None) -> tuple[ReleaseRecord, ...]:
    now = project.history.releases(name)
    before = records_at(project, name, base) if base is not None else ()
    held = {(row.version, row.digest) for row in before}
    return (*before, *(row for row in now if (row.version, row.digest) not in held))


def _lineage(project: Project, name: str, base: str | None, rows: Sequence[ReleaseRecord]) -> Lineage | None:
    """Give a lineage that is gone as it was: by the files the base had, else by those its last record names."""
    files = project.moment(base).families.get(name, ()) if base is not None else ()
    files = files or (tuple(rows[-1].files) if rows else ())
    return Lineage(name, tuple(files)) if files and project.repository is not None else None


def _moved(project: Project, base: str | None, lineage: Lineage) -> bool:
    """Whether a lineage lives on under another name: its file moved to where another lineage stands."""
    if base is None:
        return False
    return any(pair.kind is PairKind.RENAMED and pair.old_path == lineage.current for pair in project.pairs(base))

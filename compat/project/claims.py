"""What a change says was released, apart from what its base knew: it is judged before anybody believes it.

A record in `releases.ndjson`, or a tag, vouches for content, and a change could bring the two together. So releases
that the base does not have are held against those that it has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compat.errors import CompatError, Place, SourceError
from compat.gate import Release
from compat.lineage import Lineage, number_in_tag
from compat.project import NothingToCompare, Project
from compat.project.releases import Released, released
from compat.sources.base import NoBase
from compat.sources.files import shown
from compat.sources.history import ReleaseRecord, parse_releases


@dataclass(frozen=True, slots=True)
class Claims:
    """The releases of a lineage: `known` to the base, `new` in this change, both oldest first; and rows it lost."""

    known: tuple[Released, ...]
    new: tuple[Released, ...]
    lost: tuple[ReleaseRecord, ...]
    rows: tuple[ReleaseRecord, ...]

    @property
    def all(self) -> tuple[Released, ...]:
        return (*self.known, *self.new)


def trusted_commit(project: Project, explicit: str | None = None) -> str | None:
    """Give the commit whose release records count as they are: the base, or on the base branch the commit before.

    None without git. SourceError where a shallow clone hides it.
    """
    git = project.repository
    if git is None or not git.has_commits:
        return None
    head = git.resolve("HEAD")
    try:
        base = project.base(explicit).revision
    except (NothingToCompare, NoBase):
        base = head
    if base != head:
        return base
    parents = git.parents(head)
    if not parents:
        return head  # nothing came before: what is committed counts, and what is not does not
    if git.find(parents[0]) is None:
        raise SourceError(
            "the clone is shallow, so what this change says was released cannot be told from what was",
            place=Place(head[:10]),
            hint="git fetch --tags --unshallow; in a workflow: fetch-depth: 0",
        )
    return parents[0]


def records_at(project: Project, lineage: str, revision: str) -> tuple[ReleaseRecord, ...]:
    """Give the release records of a lineage as they stood at a commit."""
    path = project.history.releases_path(lineage)
    snapshot = project.moment(revision).snapshot
    return parse_releases(snapshot.read(path), snapshot.name(path)) if path in snapshot else ()


def claims(project: Project, lineage: Lineage, base: str | None) -> Claims:
    """Tell the releases that the base knew from those of this change; without a base all of them are known."""
    bare = project.repository is not None and project.repository.bare
    now = records_at(project, lineage.name, "HEAD") if bare else project.history.releases(lineage.name)
    if base is None or project.repository is None:
        return Claims(released(project, lineage, records=now), (), (), now)
    before = records_at(project, lineage.name, base)
    had, has = {_row(row) for row in before}, {_row(row) for row in now}
    fresh = tuple(row for row in now if _row(row) not in had)
    found = released(project, lineage, records=(*before, *fresh))
    behind = project.repository.merged_tags(base)
    claimed = {_row(row) for row in fresh}
    new = tuple(one for one in found if _is_new(one, claimed, behind))
    known = tuple(one for one in found if one not in new)
    return Claims(known, new, tuple(row for row in before if _row(row) not in has), now)


def _row(row: ReleaseRecord) -> tuple[str, str]:
    return row.version, row.digest


def _is_new(one: Released, claimed: set[tuple[str, str]], behind: frozenset[str]) -> bool:
    if one.record is not None:
        return _row(one.record) in claimed
    tags = () if one.version is None else one.version.tags
    return behind.isdisjoint(tags)


def contradictions(project: Project, lineage: Lineage, one: Released, rows: Sequence[ReleaseRecord]) -> Iterator[str]:
    """Yield how a release record differs from what it vouches for, and from what git has at its tag and commit."""
    record, version = one.record, one.version
    if record is None or version is None:
        return
    if record.number is not None and version.number is not None and record.number != version.number:
        yield f"its record says {record.version}, and the schema that it vouches for says {version.number}"
    tagged = {tag: other for other in project.versions_at_tags(lineage) for tag in other.tags}
    same = {row.digest for row in rows if row.number == record.number}
    for name, other in tagged.items():
        named = name == record.tag
        numbered = number_in_tag(name) is None and number_in_tag(name, lineage.name) == record.number
        digests = {record.digest} if named else same
        if (named or numbered) and other.digest and other.digest not in digests:
            yield f"the tag {shown(name)} holds another content than its record says"
    if record.revision is not None and not _holds(project, record, version.path):
        yield f"the commit {shown(record.revision[:10])} holds another content than its record says"


def _holds(project: Project, record: ReleaseRecord, path: str) -> bool:
    """Whether the commit that a record names has its content in one of the files it names."""
    assert record.revision is not None
    try:
        moment = project.moment(record.revision)
        paths = [name for name in (*record.files, path) if name in moment.snapshot]
        return any(moment.document(name).digest == record.digest for name in paths)
    except CompatError:
        return False


def where(project: Project, lineage: str, release: Release, record: ReleaseRecord | None) -> str:
    """Say where a release is written down."""
    if record is None:
        return f"tag {shown(release.tag or '')}"
    line = f":{record.line}" if record.line else ""
    return f"{project.history.releases_path(lineage)}{line}"

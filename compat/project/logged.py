"""What stored records say about each step of a lineage: how many of those written under a version the next refuses."""

from __future__ import annotations

from dataclasses import replace

from compat.assess.pair import lineage_pair
from compat.errors import CompatError
from compat.project import Project
from compat.project.evidence import StoredRecords
from compat.relation import Status
from compat.replay.summary import Evidence
from compat.timeline import Entry, Timeline


def with_evidence(project: Project, found: Timeline, revision: str | None = None) -> Timeline:
    """Give a timeline whose breaking steps say what the records do that were written under the version before."""
    return replace(found, entries=tuple(_seen(project, found, entry, revision) for entry in found.entries))


def _seen(project: Project, found: Timeline, entry: Entry, revision: str | None) -> Entry:
    if entry.judged is None or entry.against is None or entry.judged.backward.status is Status.COMPATIBLE:
        return entry
    before = found.entry(entry.against).version
    if before.number is None:
        return entry
    name, moment = found.lineage.name, project.moment(revision)
    stored = StoredRecords(project, moment, name, project.formats, only=before.number)
    try:
        old, new = (project.version_sides(version).schema_set for version in (before, entry.version))
        marker = project.config.version_rule(name).property
        pair = lineage_pair(old, new, marker=marker, formats=project.formats)
        summary = stored.replay(pair.old, pair.new)
    except CompatError:
        return entry
    if summary is None or not summary.tally.valid_before:
        return entry
    first = min((place for group in summary.groups for place in group.places), default=None)
    tally = summary.tally
    evidence = Evidence(tally.valid_before, tally.newly_fails, None if first is None else str(first))
    return replace(entry, evidence=evidence)

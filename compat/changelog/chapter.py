"""One version of one lineage, told: heading, order of roll-out, sections of entries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import quote

from compat.assess import Finding
from compat.changelog.entries import Section, sections
from compat.changelog.markup import code, escaped
from compat.jsonvalue import dumps
from compat.lineage import Marker
from compat.policy import as_path
from compat.relation import Direction, Status


@dataclass(frozen=True, slots=True)
class Chapter:
    """One version of one lineage against the one before.

    `label` is None for what is not released yet. `first` marks a lineage's first version, which has nothing before
    it. `identity` tells versions of the same label apart, `revision` counts them.
    """

    lineage: str
    label: str | None
    when: date | None = None
    identity: str = ""
    findings: tuple[Finding, ...] = ()
    first: bool = False
    revision: int = 1
    marker: Marker | None = None

    @property
    def key(self) -> str:
        """Name the generated part in the file, whatever its text becomes."""
        parts = (self.lineage, "unreleased") if self.label is None else (self.lineage, self.label, self.identity)
        return " ".join(quote(part, safe="/.").replace("--", "%2D%2D") for part in parts if part)


def in_order(chapters: Iterable[Chapter]) -> list[Chapter]:
    """Sort newest first, what is unreleased before all; within a lineage later chapters given are newer.

    Lineages of one day stay in the order they were given.
    """
    given = list(chapters)
    first = {chapter.lineage: place for place, chapter in reversed(list(enumerate(given)))}
    numbered = sorted(enumerate(given), key=lambda item: (first[item[1].lineage], -item[0]))
    numbered.sort(key=lambda item: (item[1].label is None, item[1].when or date.min), reverse=True)
    return [chapter for _, chapter in numbered]


def chapter_text(chapter: Chapter, *, several: bool) -> str:
    """Write one version: heading, order of roll-out, sections."""
    name = f"{escaped(chapter.lineage)} " if several else ""
    if chapter.label is None:
        heading = f"## {name}[Unreleased]"
    else:
        day = "" if chapter.when is None else f" - {chapter.when.isoformat()}"
        again = f" (revision {chapter.revision})" if chapter.revision > 1 else ""
        heading = f"## {name}[{escaped(chapter.label)}]{day}{again}"
    lines = [heading, ""]
    if chapter.first:
        return "\n".join([*lines, f"### {Section.ADDED}", "", "- First version."])
    lines += [_rollout(chapter.findings), ""]
    if chapter.marker is not None:
        lines += [_route(chapter.marker), ""]
    for section, entries in sections(chapter.findings).items():
        lines += [f"### {section}", "", *(f"- {entry}" for entry in entries), ""]
    return "\n".join(lines).rstrip()


def _route(marker: Marker) -> str:
    old, new = (code(dumps(value)) for value in (marker.old, marker.new))
    return f"The version tag {code(as_path(marker.instance_path))} goes from {old} to {new}: route data by it."


def _rollout(findings: Sequence[Finding]) -> str:
    """Say who moves first, apart from data with properties that nobody declared."""
    worst = {
        direction: _worst(finding.status(direction) for finding in findings if not finding.undeclared)
        for direction in Direction
    }
    backward, forward = worst[Direction.BACKWARD], worst[Direction.FORWARD]
    if Status.UNKNOWN in (backward, forward):
        return "Roll-out: not everything could be proved; keep serving the old version until all have moved."
    if backward is Status.BREAKING:
        if forward is Status.BREAKING:
            return "Roll-out: no order is safe; keep serving the old version until all have moved."
        return "Roll-out: writers first, then readers."
    if forward is Status.BREAKING:
        return "Roll-out: readers first, then writers."
    if any(finding.undeclared for finding in findings):
        return "Roll-out: in any order; only data with properties that nobody declared could fail."
    return "Roll-out: in any order; old and new data are valid on both sides."


def _worst(statuses: Iterable[Status]) -> Status:
    found = set(statuses)
    return next((status for status in (Status.UNKNOWN, Status.BREAKING) if status in found), Status.COMPATIBLE)

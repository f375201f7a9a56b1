"""Breaks that the same change announces: its version number rises as far as they ask."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from compat.assess.model import Finding, SchemaReport
from compat.lineage import Scheme, Step, VersionNumber, sufficient
from compat.policy import Announced, Waiver
from compat.relation import Level

_ASKED = frozenset({Level.BREAKING, Level.UNKNOWN})


def with_announcement(
    report: SchemaReport,
    old: VersionNumber,
    new: VersionNumber,
    disjoint: Callable[[], bool | None],
) -> SchemaReport:
    """Let pass what the number of the new version announces; the findings keep their level and say so.

    A number that rises too little announces nothing. `disjoint` is asked only where the scheme tells a break after
    which no old data is valid from one after which some is; what is not proved there asks for the higher number. What
    breaks or may break beside the mode needs no announcement.
    """
    if report.policy.announced is not Announced.ACCEPT or not new > old:
        return report
    if not any(finding.level in _ASKED for finding in report.findings) or not sufficient(old, new, Step.BREAKING):
        return report
    if old.scheme is Scheme.SCHEMAVER and disjoint() is not False and not sufficient(old, new, Step.DISJOINT):
        return report
    waiver = Waiver(f"announced by the version number, {old} → {new}")
    return replace(report, findings=tuple(_announced(finding, waiver) for finding in report.findings))


def _announced(finding: Finding, waiver: Waiver) -> Finding:
    return replace(finding, waiver=waiver) if finding.level in _ASKED and finding.waiver is None else finding

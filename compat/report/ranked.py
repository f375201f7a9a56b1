"""Findings in the order in which a format with limits shows them."""

from __future__ import annotations

from compat.assess.model import Finding, Report
from compat.relation import Level

_ORDER = {level: index for index, level in enumerate(Level)}


def ranked(report: Report) -> list[Finding]:
    """List every finding that is more than safe: what counts before what is waived, the worst first.

    Of equals the order of the report is kept.
    """
    telling = [finding for finding in report.every_finding() if finding.level is not Level.SAFE]
    return sorted(telling, key=lambda finding: (not finding.counts, _ORDER[finding.level]))

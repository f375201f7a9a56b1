"""Comparisons, records and policy joined into findings: the one result model that every output is made from."""

from __future__ import annotations

from compat.assess.judge import judge
from compat.assess.model import (
    Affected,
    Conclusion,
    Finding,
    Names,
    Outcome,
    Problem,
    Report,
    Rerun,
    SchemaReport,
    Witness,
    tally,
)
from compat.assess.own import OWN_RULES, OwnRule
from compat.assess.places import Places
from compat.assess.shared import fold_shared
from compat.assess.waivers import policy_findings, with_waivers

__all__ = [
    "OWN_RULES",
    "Affected",
    "Conclusion",
    "Finding",
    "Names",
    "Outcome",
    "OwnRule",
    "Places",
    "Problem",
    "Report",
    "Rerun",
    "SchemaReport",
    "Witness",
    "fold_shared",
    "judge",
    "policy_findings",
    "tally",
    "with_waivers",
]

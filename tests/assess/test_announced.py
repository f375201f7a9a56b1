"""A break that the version number announces is let pass; one that it does not announce is not."""

from __future__ import annotations

import pytest

from compat.assess import Finding, Outcome, SchemaReport
from compat.assess.announced import with_announcement
from compat.lineage import VersionNumber
from compat.policy import Announced, Policy
from compat.relation import Level


def report(level: Level, announced: Announced = Announced.ACCEPT) -> SchemaReport:
    finding = Finding("enum-value-removed", level, "task", "f00d", "said")
    return SchemaReport("t.json", Outcome.COMPARED, "task", policy=Policy(announced=announced), findings=(finding,))


def passes(found: SchemaReport, old: str, new: str, disjoint: bool | None = False) -> bool:
    told = with_announcement(found, VersionNumber.parse(old), VersionNumber.parse(new), lambda: disjoint)
    (finding,) = told.findings
    assert finding.level is found.findings[0].level
    return not finding.counts


@pytest.mark.parametrize(
    ("old", "new", "disjoint", "expected"),
    [
        ("1.0.0", "2.0.0", False, True),
        ("1.0.0", "1.1.0", False, False),
        ("1.0.0", "1.0.0", False, False),
        ("2.0.0", "1.0.0", False, False),
        ("0.3.1", "0.4.0", False, True),
        ("0.3.1", "0.3.2", False, False),
        ("2.0.0-rc.1", "2.0.0", False, True),
        ("1.0", "2.0", False, True),
        ("1.0", "1.1", False, False),
        ("1", "2", False, True),
        ("1-0-0", "1-1-0", False, True),
        ("1-0-0", "1-1-0", True, False),
        ("1-0-0", "1-1-0", None, False),
        ("1-0-0", "2-0-0", True, True),
        ("1-0-0", "1-0-1", False, False),
    ],
)
def test_the_number_must_rise_as_far_as_a_break_asks(old: str, new: str, disjoint: bool | None, expected: bool) -> None:
    assert passes(report(Level.BREAKING), old, new, disjoint) is expected


@pytest.mark.parametrize(
    ("level", "expected"),
    [(Level.BREAKING, True), (Level.UNKNOWN, True), (Level.RISKY, False), (Level.SAFE, False)],
)
def test_only_what_would_fail_needs_it(level: Level, expected: bool) -> None:
    assert passes(report(level), "1.0.0", "2.0.0") is expected


def test_a_policy_may_refuse_it() -> None:
    assert not passes(report(Level.BREAKING, Announced.ERROR), "1.0.0", "2.0.0")


def test_it_says_what_was_announced() -> None:
    told = with_announcement(
        report(Level.BREAKING), VersionNumber.parse("1.0.0"), VersionNumber.parse("2.0.0"), lambda: False
    )
    assert told.findings[0].waiver is not None
    assert told.findings[0].waiver.reason == "announced by the version number, 1.0.0 → 2.0.0"

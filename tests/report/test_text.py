"""The text report: the spirit of the sample, three texts for nothing, nothing that steers a terminal."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from compat.assess import Finding, Report
from compat.policy import Waiver
from compat.relation import Level, Status
from compat.report.escape import terminal
from compat.report.text import SAFE_SHOWN, render
from compat.report.wording import abridged, rollout

Named = tuple[str, Report]
Snapshot = Callable[[str, str], None]


def test_the_text_is_as_stored(named_report: Named, matches_snapshot: Snapshot) -> None:
    name, report = named_report
    matches_snapshot(f"{name}.txt", render(report))


def test_verbose_is_as_stored(full_report: Report, matches_snapshot: Snapshot) -> None:
    matches_snapshot("full-verbose.txt", render(full_report, verbose=True))


def test_colour_adds_nothing_but_colour(named_report: Named) -> None:
    _, report = named_report
    colored = render(report, color=True)
    assert "\x1b[" in colored or "error" not in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == render(report)


def test_no_control_character_gets_through(named_report: Named) -> None:
    _, report = named_report
    text = render(report, verbose=True)
    assert not [char for char in text if ord(char) < 32 and char != "\n"]


def test_a_report_with_problems_never_sounds_like_a_verdict(named_report: Named) -> None:
    _, report = named_report
    last = render(report).splitlines()[-1]
    if report.problems:
        assert "could not be checked" in last
    assert "no breaking" not in last


def test_what_is_waived_does_not_look_like_a_failure(full_report: Report) -> None:
    task = full_report.schemas[0]
    bad = replace(task.findings[0], waiver=None, level=Level.BREAKING, against=())
    accepted = replace(bad, rule="other", waiver=Waiver("never shipped", owner="platform"))
    text = render(replace(full_report, schemas=(replace(task, findings=(accepted, bad)),)))
    lines = [line.strip() for line in text.splitlines()]
    marks = [line for line in lines if line.startswith(("✗", "~"))]
    assert [mark.split()[:3] for mark in marks] == [["✗", "breaking", bad.rule], ["~", "waived", "other"]]
    assert "waived by platform: never shipped; otherwise breaking" in lines
    assert "1 breaking  1 waived" in text


def test_many_safe_changes_are_counted(full_report: Report) -> None:
    safe = replace(full_report.schemas[0].findings[0], level=Level.SAFE)
    schema = replace(full_report.schemas[0], findings=tuple([safe] * (SAFE_SHOWN + 3)))
    report = replace(full_report, schemas=(schema,))
    assert "· 3 more safe changes (-v shows them)" in render(report)
    assert "more safe" not in render(report, verbose=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("über ✗ 漢字", "über ✗ 漢字"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("a\nb\tc\r", "a\\x0ab\\x09c\\x0d"),
        ("\u202eabc\u2066", "\\u202eabc\\u2066"),
        ("\x9b31m", "\\x9b31m"),
        ("\ud800", "\\ud800"),
        ("\U000e0001", "\\U000e0001"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
    ],
)
def test_escaping(text: str, expected: str) -> None:
    assert terminal(text) == expected


@pytest.mark.parametrize(
    ("value", "path", "width", "expected"),
    [
        ({"a": 1}, "/a", 40, '{"a": 1}'),
        (
            {"actor": {"id": "a" * 30, "kind": "harness"}, "x": 1},
            "/actor/kind",
            50,
            '{"actor": {"kind": "harness", …}, …}',
        ),
        ([0, 0, {"sku": "x" * 100}], "/2/sku", 40, '[…, {"sku": "xxxxxxxxxxxxxxxxxx…}]'),
        ("y" * 100, "", 30, '"' + "y" * 28 + "…"),
        ({"a": "z" * 100}, "/nowhere", 30, '{"a": "' + "z" * 22 + "…"),
    ],
)
def test_a_long_witness_keeps_the_way_to_the_trouble(value: object, path: str, width: int, expected: str) -> None:
    assert abridged(value, path, width) == expected  # type: ignore[arg-type]


def test_both_ends_are_located(full_report: Report) -> None:
    finding: Finding = full_report.schemas[0].findings[0]
    assert (finding.old_place, finding.new_place) != (None, None)
    text = render(full_report)
    assert finding.old_place is not None
    assert finding.new_place is not None
    old, new = finding.old_place, finding.new_place
    assert f"{old.line}:{old.column} → task.schema.json:{new.line}:{new.column}" in text


def test_the_order_is_that_of_what_a_shared_file_reaches(full_report: Report) -> None:
    task, shared, *_ = full_report.schemas
    reaching = replace(task.findings[0], affects=shared.findings[0].affects)
    report = replace(full_report, schemas=(replace(task, findings=(reaching,), forward=Status.COMPATIBLE),))
    assert "by itself: backward breaking, forward compatible; for what it reaches, " in render(report)
    alone = replace(full_report, schemas=(task,))
    assert "reaches" not in render(alone)


@pytest.mark.parametrize(
    ("backward", "forward", "undeclared", "expected"),
    [
        (Status.COMPATIBLE, Status.COMPATIBLE, False, None),
        (Status.BREAKING, Status.COMPATIBLE, False, "move writers first"),
        (Status.COMPATIBLE, Status.BREAKING, False, "move readers first"),
        (Status.BREAKING, Status.BREAKING, False, "no order of roll-out is safe"),
        (Status.UNKNOWN, Status.BREAKING, False, "keep serving the old version until all have moved"),
        (Status.BREAKING, Status.COMPATIBLE, True, None),
    ],
)
def test_who_moves_first(
    full_report: Report, backward: Status, forward: Status, undeclared: bool, expected: str | None
) -> None:
    schema = full_report.schemas[0]
    finding = replace(schema.findings[0], backward=backward, forward=forward, undeclared=undeclared)
    assert rollout(replace(schema, findings=(finding,))) == expected

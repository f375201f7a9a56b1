"""GitLab's code quality report: the fields it asks for, one fingerprint an entry, what is waived left out."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from compat.assess import Report
from compat.relation import Level
from compat.report.gitlab import render


def entries(report: Report) -> list[dict[str, Any]]:
    found = json.loads(render(report))
    assert isinstance(found, list)
    return found


def test_every_entry_has_what_gitlab_asks_for(named_report: tuple[str, Report]) -> None:
    _, report = named_report
    for entry in entries(report):
        assert set(entry) == {"description", "check_name", "severity", "location", "fingerprint"}
        assert entry["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert entry["location"]["path"]
        assert entry["location"]["lines"]["begin"] >= 1
        assert entry["description"]


def test_what_counts_is_there_and_nothing_else(full_report: Report) -> None:
    counting = [f for f in full_report.every_finding() if f.counts and f.level is not Level.SAFE]
    found = entries(full_report)
    assert len(found) == len(counting) + len(full_report.problems)
    assert [entry["severity"] for entry in found] == ["blocker", "blocker", "critical", "minor", "minor"]


def test_no_two_entries_share_a_fingerprint(full_report: Report) -> None:
    schema = full_report.schemas[0]
    report = replace(full_report, schemas=(schema, schema), problems=full_report.problems * 2)
    marks = [entry["fingerprint"] for entry in entries(report)]
    assert len(set(marks)) == len(marks)
    assert set(marks) >= {entry["fingerprint"] for entry in entries(full_report)}


def test_a_moved_line_keeps_the_fingerprint(full_report: Report) -> None:
    schema = full_report.schemas[0]
    place = schema.findings[0].new_place
    assert place is not None
    moved = replace(schema.findings[0], new_place=replace(place, line=99))
    other = entries(Report("check", "a", "b", (replace(schema, findings=(moved,)),)))
    one = entries(Report("check", "a", "b", (replace(schema, findings=schema.findings[:1]),)))
    assert one[0]["fingerprint"] == other[0]["fingerprint"]
    assert one[0]["location"] != other[0]["location"]


def test_no_finding_is_an_empty_list() -> None:
    assert render(Report("check", "a", "b")) == "[]\n"

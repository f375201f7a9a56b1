"""Workflow annotations: worst first, no more than GitHub shows, and nothing that a schema says becomes a command."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from compat.assess import Problem, Report
from compat.errors import Place
from compat.relation import Level
from compat.report.github import MOST, render

EVIL = [
    "x\n::error::forged",
    "x\r\n::set-output name=a::b",
    "%0A::warning::forged",
    "a,line=1::b",
    "::stop-commands::token",
    "\x1b[2J",
]


def test_the_annotations_are_as_stored(
    named_report: tuple[str, Report], matches_snapshot: Callable[[str, str], None]
) -> None:
    name, report = named_report
    matches_snapshot(f"{name}.github.txt", render(report))


@pytest.mark.parametrize("evil", EVIL)
def test_what_a_schema_says_becomes_no_command(full_report: Report, evil: str) -> None:
    schema = full_report.schemas[0]
    plain = replace(schema.findings[0], message="m", file="f", remedy="r", doubt="d")
    marked = replace(plain, message=evil, file=evil, remedy=evil, doubt=evil)
    problem = Problem("p", Place("s"), "h")
    expected, found = (
        render(
            replace(full_report, base=text, head=text, schemas=(replace(schema, findings=(one,)),), problems=(told,))
        )
        for text, one, told in (("b", plain, problem), (evil, marked, Problem(evil, Place(evil), evil)))
    )
    commands = [line for line in found.splitlines() if line.startswith("::")]
    assert [line.split("::")[1].split(" ")[0] for line in commands] == ["error", "error"]
    assert len(found.splitlines()) == len(expected.splitlines())
    assert [keys(line) for line in commands] == [keys(line) for line in expected.splitlines() if line.startswith("::")]
    assert "\x1b" not in found


def keys(command: str) -> list[str]:
    """Read the names of a command's properties as the runner does."""
    properties = command.removeprefix("::").partition("::")[0].partition(" ")[2]
    return [pair.partition("=")[0] for pair in properties.split(",")]


def test_a_step_shows_ten_of_each_and_says_what_is_missing(full_report: Report) -> None:
    finding = full_report.schemas[0].findings[0]
    findings = (
        *(replace(finding, level=Level.RISKY) for _ in range(MOST + 2)),
        *(replace(finding, level=Level.BREAKING) for _ in range(MOST + 3)),
    )
    schema = replace(full_report.schemas[0], findings=findings)
    lines = render(replace(full_report, schemas=(schema,), problems=(Problem("p"),))).splitlines()
    assert sum(line.startswith("::error") for line in lines) == MOST
    assert sum(line.startswith("::warning") for line in lines) == MOST
    assert lines[0].startswith("::error title=could not be checked::p")
    assert lines[-2].startswith("4 errors and 2 warnings left out, none worse than those of its kind that are shown: ")
    assert "50 annotations a job" in lines[-2]


def test_the_worst_is_shown_whatever_schema_it_stands_in(full_report: Report) -> None:
    schema = full_report.schemas[0]
    unproved = replace(schema.findings[0], level=Level.UNKNOWN)
    first = replace(schema, name="a", findings=(unproved,) * MOST)
    last = replace(schema, name="z", findings=(replace(schema.findings[0], level=Level.BREAKING, rule="the-worst"),))
    lines = render(Report("check", "a", "b", (first, last))).splitlines()
    assert "title=breaking%3A the-worst" in lines[0]
    assert sum(line.startswith("::error") for line in lines) == MOST
    assert lines[-2].startswith("1 error left out")


def test_an_annotation_marks_what_it_is_about(full_report: Report) -> None:
    finding = full_report.schemas[0].findings[0]
    assert finding.new_place is not None
    assert finding.new_place.excerpt is not None
    line, column, length = finding.new_place.line, finding.new_place.column, finding.new_place.excerpt.length
    assert column is not None
    assert f"line={line},col={column},endLine={line},endColumn={column + length - 1}," in render(full_report)


def test_a_waived_or_safe_finding_is_no_annotation(full_report: Report) -> None:
    shown = [finding for finding in full_report.every_finding() if finding.counts and finding.level is not Level.SAFE]
    lines = render(full_report).splitlines()
    assert sum(line.startswith("::") for line in lines) == len(shown) + len(full_report.problems)

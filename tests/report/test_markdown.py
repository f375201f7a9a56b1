"""The Markdown report: verdict first, nothing a schema says becomes markup, and never too long for a comment."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from compat.assess import Conclusion, Report
from compat.relation import Level
from compat.report.markdown import MAX_LENGTH, render

EVIL = [
    "<img src=x onerror=alert(1)>",
    "</details><h1>all is well</h1>",
    "`` `code` ``",
    "[safe](javascript:alert(1))",
    "**bold** _it_ # head",
    "line\nbreak\r\n\n# Heading",
    "a | b | c",
    "@everyone",
    "\x1b[2J\u202e",
]


def test_the_markdown_is_as_stored(
    named_report: tuple[str, Report], matches_snapshot: Callable[[str, str], None]
) -> None:
    name, report = named_report
    matches_snapshot(f"{name}.md", render(report))


def test_the_verdict_comes_first(named_report: tuple[str, Report]) -> None:
    _, report = named_report
    first = render(report).splitlines()[0]
    assert first.startswith("### ")
    bad = report.conclusion in (Conclusion.BREAKING, Conclusion.ERROR)
    assert first.startswith("### ❌") is bad


@pytest.mark.parametrize("evil", EVIL)
def test_what_a_schema_says_becomes_no_markup(full_report: Report, evil: str) -> None:
    schema = full_report.schemas[0]
    finding = replace(
        schema.findings[0],
        message=f'"{evil}" is no longer accepted: {evil}',
        instance_path=f"/{evil}".replace("~", "").replace("\n", ""),
        remedy=evil,
        hint=evil,
    )
    report = Report("check", evil, evil, (replace(schema, name=evil, findings=(finding,), notes=(evil,)),))
    text = render(report)
    assert not [char for char in text if char in "\x1b\u202e\r"]
    plain = render(replace(report, schemas=(replace(schema, findings=(finding,)),), base="a", head="b"))
    tokens = {token.type for token in MarkdownIt("commonmark").enable("table").parse(text)}
    assert tokens - {token.type for token in MarkdownIt("commonmark").enable("table").parse(plain)} == set()
    html = MarkdownIt("commonmark").enable("table").render(text)
    for tag in ("<img", "<h1", "<a ", "<em", "</details>\n<h1"):
        assert tag not in html


def test_a_long_report_is_cut_and_says_what_is_missing(full_report: Report) -> None:
    schema = full_report.schemas[0]
    many = tuple(replace(schema, name=f"schemas/{number}.schema.json") for number in range(300))
    text = render(replace(full_report, schemas=many))
    assert len(text) <= MAX_LENGTH
    said = re.search(r"Left out for want of room:\*\* (.*)\\?\. `compat check`", text)
    assert said is not None
    missing = {level: int(number) for number, level in re.findall(r"(\d+) (breaking|risky|safe|waived)", said[1])}
    for level in (Level.BREAKING, Level.RISKY):
        told = len(re.findall(rf"^\*\*\S+ {level}\*\*", text, re.MULTILINE))
        there = sum(f.level is level and f.counts for one in many for f in one.findings)
        assert told + missing.get(level, 0) == there, level
    assert "… and 200 more schemas" in text
    assert "Left out" not in render(full_report)


def test_what_breaks_is_told_before_what_does_not(full_report: Report) -> None:
    schema = full_report.schemas[0]
    findings = {finding.level: finding for finding in schema.findings}
    fine = replace(schema, name="a", findings=(findings[Level.RISKY],))
    bad = replace(schema, name="z", findings=schema.findings[:1])
    text = render(Report("check", "main", "HEAD", (fine, bad)))
    assert text.index("#### `z`") < text.index("#### `a`")


@pytest.mark.parametrize("limit", [600, 2_000, 5_000, 20_000])
def test_no_limit_is_passed(full_report: Report, limit: int) -> None:
    assert len(render(full_report, limit=limit)) <= limit


def test_many_harmless_changes_are_folded_in_batches(full_report: Report) -> None:
    safe = next(finding for finding in full_report.schemas[0].findings if finding.level is Level.SAFE)
    schema = replace(full_report.schemas[0], findings=(safe,) * 250)
    text = render(Report("check", "main", "HEAD", (schema,)))
    assert [int(n) for n in re.findall(r"<summary>(\d+) changes", text)] == [100, 100, 50]

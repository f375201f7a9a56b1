"""Source lines with a caret: the right line, the right column, whatever the width and the characters."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reports import schema_report

from compat.assess import Places
from compat.assess.places import excerpt
from compat.errors import Place
from compat.model.document import parse_document
from compat.policy import Policy
from compat.report.excerpt import Marked, excerpts, source_line


def marked(text: str, at: int, width: int = 80) -> Marked:
    (found,) = source_line(Place("x", "", 7, at + 1, excerpt(text, at)), width)
    return found


@pytest.mark.parametrize(
    ("line", "at", "token"),
    [
        ('  "enum": ["a"],', 2, '"enum"'),
        ('  "e\\"num": 1', 2, '"e\\"num"'),
        ('  {"a": 1}', 2, "{"),
        ("  [1, 2]", 3, "1"),
        ("  maximum: 9", 2, "maximum"),
        ("  'quoted key': 9", 2, "'quoted key'"),
        ("  - two words", 4, "two words"),
        ('"never closed', 0, '"never closed'),
        ("", 0, ""),
    ],
)
def test_the_token_is_marked(line: str, at: int, token: str) -> None:
    found = excerpt(line, at)
    assert found.text[found.start : found.start + found.length] == token


@pytest.mark.parametrize(
    ("text", "at", "width", "shown", "carets"),
    [
        ('    "a": 1', 4, 80, '"a": 1', "^^^"),
        ('\t"a": 1,\t"b": 2', 9, 80, '"a": 1, "b": 2', "        ^^^"),
        ('"漢字": 1, "b": 2', 9, 80, '"漢字": 1, "b": 2', "           ^^^"),
        ('"\u202e": 1, "b": 2', 8, 80, '"\\u202e": 1, "b": 2', " " * 13 + "^^^"),
        ('"e\u0301": 1, "b": 2', 9, 80, '"e\u0301": 1, "b": 2', "        ^^^"),
        ("x" * 60 + ' "key": 1' + "y" * 60, 61, 40, "…xxxxxxx " + '"key": 1' + "y" * 18 + "…", "         ^^^^^"),
        ('"' + "k" * 60 + '": 1', 0, 40, '"' + "k" * 33 + "…", "^" * 34),
    ],
)
def test_a_caret_stands_under_it(text: str, at: int, width: int, shown: str, carets: str) -> None:
    found = marked(text, at, width)
    assert found.carets == carets
    assert found.text == shown
    assert (found.gutter, found.blank) == ("7 │", "  │")


@given(st.text(st.characters(exclude_characters="\n\r"), min_size=1, max_size=300), st.data())
def test_no_line_is_wider_than_asked(line: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(line) - 1))
    width = data.draw(st.integers(30, 120))
    found = marked(line, at, width)
    ascii_only = line.isascii()
    assert not ascii_only or len(found.gutter) + 1 + len(found.text) <= max(width, 24)
    assert "^" in found.carets
    assert "\n" not in found.text


def test_a_minified_schema_is_shown_as_a_window() -> None:
    value = {"properties": {f"key{n}": {"type": "string"} for n in range(400)}}
    document = parse_document(json.dumps(value), name="min.json")
    place = Places([], [document]).at("min.json", "/properties/key300/type", new=True)
    assert place.excerpt is not None
    assert len(place.excerpt.text) < 260
    assert place.excerpt.text[place.excerpt.start :].startswith('"type": "string"}, "key301"')


def test_windows_line_ends_are_no_part_of_a_line() -> None:
    document = parse_document('{\r\n  "type": "string"\r\n}', name="x.json")
    place = Places([document], []).at("x.json", "/type", new=False)
    assert place.excerpt is not None
    assert place.excerpt.text == '  "type": "string"'


def test_each_side_is_shown_where_it_has_the_place() -> None:
    report = schema_report({"type": "integer"}, {"type": "integer", "maximum": 9}, Policy())
    (finding,) = report.findings
    assert [found.gutter for found in excerpts(finding, 80)] == ["new 3 │"]
    swapped = schema_report({"type": "integer", "maximum": 9}, {"type": "integer"}, Policy())
    assert [found.gutter for found in excerpts(swapped.findings[0], 80)] == ["old 3 │"]
    both = schema_report({"maximum": 10}, {"maximum": 9}, Policy())
    assert [found.gutter for found in excerpts(both.findings[0], 80)] == ["old 2 │", "new 2 │"]


def test_the_same_line_is_shown_once() -> None:
    finding = schema_report({"maximum": 10}, {"maximum": 9}, Policy()).findings[0]
    assert [found.gutter for found in excerpts(replace(finding, old_place=finding.new_place), 80)] == ["new 2 │"]


def test_a_value_without_a_text_has_no_lines() -> None:
    finding = schema_report({"maximum": 10}, {"maximum": 9}, Policy()).findings[0]
    bare = replace(finding, old_place=Place("a", "/x"), new_place=None)
    assert list(excerpts(bare, 80)) == []


def test_a_place_is_the_same_whatever_stands_on_its_line() -> None:
    assert Place("x", "/a", 1, 1, excerpt("one", 0)) == Place("x", "/a", 1, 1, excerpt("two", 0))

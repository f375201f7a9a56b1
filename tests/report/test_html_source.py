"""Two versions side by side: every line stands where it should, and what differs is marked."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compat.assess import Finding
from compat.assess.places import excerpt
from compat.diff.change import Change, Side
from compat.errors import Place
from compat.relation import Effect, Level
from compat.report import html_source
from compat.report.html_source import Beside, Line, Mark, Sides, colored

OLD = """\
{
  "properties": {
    "a": {
      "type": "string"
    },
    "c": {
      "type": "string"
    }
  }
}"""
NEW = """\
{
  "properties": {
    "a": {
      "type": "string"
    },
    "b": {
      "type": "string"
    },
    "c": {
      "type": "string"
    }
  }
}"""


def place(text: str, line: int, column: int = 5, name: str = "a.json") -> Place:
    lines = text.split("\n")
    return Place(name, "", line, column, replace(excerpt(lines[line - 1], column - 1), lines=lines))


def finding(old: Place | None, new: Place | None, *, old_exists: bool = True, new_exists: bool = True) -> Finding:
    before, after = (Side("a", "/a", 1, exists=there) for there in (old_exists, new_exists))
    change = Change("rule", "type", before, after, "/a", "", Effect.NARROWS)
    return Finding("rule", Level.BREAKING, "", "f", "", old_place=old, new_place=new, change=change)


def shown(lines: tuple[Line, ...]) -> list[tuple[int | None, str, str]]:
    return [(line.number, line.mark.value, "".join(piece.text for piece in line.pieces).strip()) for line in lines]


def both(found: Sides | None) -> tuple[list[tuple[int | None, str, str]], list[tuple[int | None, str, str]]]:
    assert found is not None
    assert found.old is not None
    assert found.new is not None
    return shown(found.old.lines), shown(found.new.lines)


def test_what_was_put_in_begins_with_its_key_and_has_nothing_beside_it() -> None:
    old, new = both(Beside().sides(finding(place(OLD, 2, 3), place(NEW, 6), old_exists=False)))
    assert new[:6] == [
        (4, "same", '"type": "string"'),
        (5, "same", "},"),
        (6, "added", '"b": {'),
        (7, "added", '"type": "string"'),
        (8, "added", "},"),
        (9, "same", '"c": {'),
    ]
    assert [row[1] for row in old[:6]] == ["same", "same", "none", "none", "none", "same"]
    assert [row[0] for row in old[:6]] == [4, 5, None, None, None, 6]


def test_what_was_taken_out_is_the_mirror_of_that() -> None:
    old, new = both(Beside().sides(finding(place(NEW, 6), place(OLD, 2, 3), new_exists=False)))
    assert [row[1] for row in old] == ["same", "same", "gone", "gone", "gone", "same"]
    assert [row[1] for row in new] == ["same", "same", "none", "none", "none", "same"]


def test_indentation_and_a_comma_at_the_end_are_no_difference() -> None:
    wide = "\n".join(f"    {line.removesuffix(',')}," for line in OLD.split("\n"))
    old, new = both(Beside().sides(finding(place(OLD, 4, 7), place(wide, 4, 11))))
    assert {row[1] for row in old + new} == {"same"}


def test_a_place_that_moved_far_is_shown_where_it_was_and_where_it_is() -> None:
    filler = [f'  "{n}": {n},' for n in range(60)]
    old = "\n".join(["{", '  "a": "old",', *filler, "}"])
    new = "\n".join(["{", *filler, '  "a": "new"', "}"])
    before, after = both(Beside().sides(finding(place(old, 2, 3), place(new, 62, 3))))
    assert (2, "gone", '"a": "old",') in before
    assert (62, "added", '"a": "new"') in after
    assert len(before) < 10
    assert len(after) < 10


def test_only_the_token_that_is_meant_is_marked() -> None:
    found = Beside().sides(finding(place(OLD, 4, 15), place(OLD, 4, 15)))
    assert found is not None
    assert found.old is not None
    meant = [piece.text for line in found.old.lines for piece in line.pieces if piece.meant]
    assert meant == ['"string"']


def test_a_side_that_is_not_there_is_left_out() -> None:
    found = Beside().sides(finding(None, place(NEW, 6)))
    assert found is not None
    assert found.old is None
    assert found.new is not None
    assert [line.number for line in found.new.lines if line.mark is Mark.ADDED] == [6]
    assert Beside().sides(finding(None, None)) is None
    assert Beside().sides(finding(Place("a", "/a"), None)) is None


def test_a_text_of_which_one_line_is_known_shows_that_line() -> None:
    alone = Place("a", "", 7, 1, excerpt('"a": 1', 0))
    old, new = both(Beside().sides(finding(alone, alone)))
    assert (old, new) == ([(7, "gone", '"a": 1')], [(7, "added", '"a": 1')])


def test_too_much_to_compare_is_shown_without_the_marks_around(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html_source, "_LONGEST", 2)
    old, new = both(Beside().sides(finding(place(OLD, 6), place(NEW, 6))))
    assert [row for row in new if row[1] != "same"] == [(6, "added", '"b": {')]
    assert [row for row in old if row[1] != "same"] == [(6, "gone", '"c": {')]


def test_a_long_line_is_cut() -> None:
    text = "\n".join(["x" * 5_000, '"a": 1', "y" * 5_000])
    _, new = both(Beside().sides(finding(place(text, 2, 1), place(text, 2, 1))))
    assert max(len(row[2]) for row in new) < 300


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ('"a": "b"', [("key", '"a"'), ("", ": "), ("text", '"b"')]),
        ('"a\\"": -1.5e3,', [("key", '"a\\""'), ("", ": "), ("word", "-1.5e3"), ("", ",")]),
        ("- name: true", [("", "- "), ("key", "name"), ("", ": "), ("word", "true")]),
        ("nullable trueish x1", [("", "nullable trueish x1")]),
        ('"never closed', [("", '"never closed')]),
    ],
)
def test_keys_texts_and_words_are_told_apart(text: str, kinds: list[tuple[str, str]]) -> None:
    assert [(piece.kind, piece.text) for piece in colored(text)] == kinds


@given(st.text(max_size=60))
def test_no_character_is_lost_when_a_line_is_told_apart(text: str) -> None:
    assert "".join(piece.text for piece in colored(text)) == text.replace("\t", "    ")


def test_a_tab_is_as_wide_as_people_see_it_and_the_mark_stays_where_it_is() -> None:
    found = Beside().sides(finding(None, place('{\n\t"a":\t1\n}', 2, 2)))
    assert found is not None
    assert found.new is not None
    pieces = found.new.lines[1].pieces
    assert "".join(piece.text for piece in pieces) == '    "a":    1'
    assert [piece.text for piece in pieces if piece.meant] == ['"a"']


LINES = st.lists(st.sampled_from(["{", "}", "},", '"a": {', '  "b": 1', '"b": 1,', ""]), min_size=1, max_size=6)


@given(LINES, LINES, st.data())
def test_every_line_stands_in_order_and_beside_its_like(old: list[str], new: list[str], data: st.DataObject) -> None:
    before = place("\n".join(old), data.draw(st.integers(1, len(old))), 1)
    after = place("\n".join(new), data.draw(st.integers(1, len(new))), 1)
    found = Beside().sides(finding(before, after))
    assert found is not None
    assert found.old is not None
    assert found.new is not None
    for side, lines, at in ((found.old, old, before.line), (found.new, new, after.line)):
        numbers = [line.number for line in side.lines if line.number is not None]
        assert at in numbers
        assert all(second == first + 1 for first, second in pairwise(numbers))
        for line in side.lines:
            if line.number is not None:
                assert "".join(piece.text for piece in line.pieces) == lines[line.number - 1]
    assert len(found.old.lines) == len(found.new.lines)
    for one, other in zip(found.old.lines, found.new.lines, strict=True):
        if Mark.SAME in (one.mark, other.mark):
            assert one.number is not None
            assert other.number is not None
            assert old[one.number - 1].strip().rstrip(",") == new[other.number - 1].strip().rstrip(",")

"""Where no record has anything, none could say."""

from __future__ import annotations

import pytest

from compat.jsonvalue import JSON
from compat.replay.parse import Kind
from compat.replay.reach import reached
from compat.replay.read import Record, Unreadable


@pytest.mark.parametrize(
    ("value", "there", "not_there"),
    [
        ({"a": {"b": None}}, ["", "/a", "/a/b", "/*", "/*/b", "/*/*"], ["/b", "/a/b/c", "/*/*/*", "/a/0"]),
        ([[1], {"x": 2}], ["/0", "/1", "/*", "/*/x", "/*/0", "/1/x"], ["/2", "/*/y", "/x", "/00000000000000000009"]),
        ([], [""], ["/*", "/0"]),
        (7, [""], ["/*"]),
        ({"*": 1, "a/b": {}}, ["/*", "/a~1b"], ["/a", "/a~1b/*"]),
    ],
)
def test_a_record_has_a_place_or_not(value: JSON, there: list[str], not_there: list[str]) -> None:
    counts = reached([Record(value, "r", 1)], [*there, *not_there])
    assert [path for path, count in counts.items() if count] == there


def test_records_are_counted_and_what_is_none_is_not() -> None:
    found = [Record({"a": 1}, "r", 1), Unreadable(Kind.MALFORMED, "x", "r", 2), Record({}, "r", 3)]
    assert reached(found, ["/a", ""]) == {"/a": 1, "": 2}
    assert reached([], ["/a"]) == {"/a": 0}

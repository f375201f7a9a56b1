"""A failing place put into a real value, and what is in the way left out."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from compat.proof.grafting import Path, at, bare, distance, grafts, has, replaced, size, trimmed

REAL = {"id": "evt_1", "who": {"name": "Ada", "age": 36}, "tags": ["x", "y", "z"]}


@pytest.mark.parametrize(
    ("raw", "path", "missing", "expected"),
    [
        # A scalar takes the place of another, wherever it is; all else stays.
        ({"id": 5}, ("id",), (), [{**REAL, "id": 5}]),
        ({"who": {"age": -1}}, ("who", "age"), (), [{**REAL, "who": {"name": "Ada", "age": -1}}]),
        ({"tags": ["", 7]}, ("tags", 1), (), [{**REAL, "tags": ["x", 7, "z"]}]),
        # What leads there comes along where the real value has nothing like it.
        ({"more": {"deep": [0]}}, ("more", "deep", 0), (), [{**REAL, "more": {"deep": [0]}}]),
        ({"tags": [0, 1, 2, 3, 4]}, ("tags", 4), (), [{**REAL, "tags": ["x", "y", "z", 3, 4]}]),
        ({"who": [1]}, ("who", 0), (), [{**REAL, "who": [1]}]),
        # Of an object that fails as a whole, as much of the real one as possible is tried first.
        ({"who": {"age": 1}}, ("who",), (), [{**REAL, "who": {"name": "Ada", "age": 1}}, {**REAL, "who": {"age": 1}}]),
        # What is missing has to be missed.
        (
            {"who": {}},
            ("who",),
            ("name",),
            [{**REAL, "who": {"age": 36}}, {**REAL, "who": {"age": 36}}, {**REAL, "who": {}}],
        ),
        (
            {"id": ""},
            (),
            ("who",),
            [{"id": "evt_1", "tags": ["x", "y", "z"]}, {"id": "", "tags": ["x", "y", "z"]}, {"id": ""}],
        ),
        # At the root nothing is around the failing place.
        (5, (), (), [5]),
    ],
)  # fmt: skip
def test_only_the_failing_place_differs(raw: Any, path: Path, missing: tuple[str, ...], expected: list[Any]) -> None:
    assert list(grafts(REAL, raw, path, missing)) == expected
    assert REAL["tags"] == ["x", "y", "z"]


@pytest.mark.parametrize(
    ("value", "raw", "limit", "expected"),
    [
        ({"a": 1, "b": 2}, {"a": 0}, 99, {"a": 1, "b": 2}),
        # The largest of what the witness does without goes first, and no more than has to.
        ({"a": 1, "b": "b" * 9, "c": "c" * 5}, {"a": 0}, 24, {"a": 1, "c": "c" * 5}),
        ({"a": 1, "b": "b" * 9, "c": "c" * 5}, {"a": 0}, 9, {"a": 1}),
        ({"a": {"b": [1, 2, 3]}}, {"a": {"b": [0]}}, 18, {"a": {"b": [1]}}),
        # Then what is too long becomes what the witness has.
        ({"a": "a" * 50, "b": "bb"}, {"a": "", "b": ""}, 20, {"a": "", "b": "bb"}),
        ({"a": "a" * 50}, {"a": {"b": 1}}, 12, {"a": {"b": 1}}),
    ],
)
def test_a_value_is_cut_down_to_a_limit(value: Any, raw: Any, limit: int, expected: Any) -> None:
    assert trimmed(value, raw, limit) == expected


def test_bare_is_what_the_witness_needs() -> None:
    assert bare(REAL, {"who": {"age": 0}, "tags": [0]}) == {"who": {"age": 36}, "tags": ["x"]}
    assert bare(REAL, 7) == REAL


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (REAL, 0),
        ({"id": "evt_1"}, 0),
        ({**REAL, "id": "evt_2"}, 1),
        ({**REAL, "more": {"a": 1, "b": 2}}, 1),
        ({"who": {"name": "Bob", "age": 36.0, "x": 1}, "tags": ["x", "z", "z", "w"]}, 4),
        ([], 1),
    ],
)
def test_the_distance_counts_what_is_not_of_the_real_value(value: Any, expected: int) -> None:
    assert distance(REAL, value) == expected


def test_places_are_found_changed_and_left_out() -> None:
    assert at(REAL, ("who", "name")) == "Ada"
    assert has(REAL, ("tags", 2))
    assert not has(REAL, ("tags", 3))
    assert not has(REAL, ("who", 0))
    assert not has(REAL, ("id", 0))
    assert replaced(REAL, {("who",): {}, ("tags", 0): "w"}, {("id",), ("tags", 2)}) == {"who": {}, "tags": ["w", "y"]}
    assert replaced(REAL, {(): 1}) == 1
    with pytest.raises(KeyError):
        at(REAL, ("nobody",))


@pytest.mark.parametrize(
    ("value", "expected"),
    [({"a": [1, "é"]}, 16), ("\ud800", 5), (Decimal("1.50"), 4), ({"a": Decimal("1.5")}, 10)],
)
def test_the_size_is_that_of_the_printed_bytes(value: Any, expected: int) -> None:
    assert size(value) == expected

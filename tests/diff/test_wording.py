"""Values fit a line and still show what matters."""

from __future__ import annotations

import pytest

from compat.diff.wording import clip, contrast, counted, listing, shown
from compat.jsonvalue import JSON


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        ("a", '"a"'),
        ({"a": [1, {"b": {"c": 1}}]}, '{"a": [1, {…}]}'),
        ([1, 2, 3, 4, 5], "[1, 2, 3, 4, …]"),
        ([[], {}], "[[], {}]"),
        ("x" * 100, '"' + "x" * 58 + "…"),
    ],
)
def test_a_value_is_cut_in_depth_and_length(value: JSON, text: str) -> None:
    assert shown(value) == text


def test_a_contrast_shows_the_first_difference() -> None:
    assert contrast("a", "b") == ('"a"', '"b"')
    before, after = contrast("x" * 300 + "1" + "y" * 300, "x" * 300 + "2" + "y" * 300)
    assert before == "…" + "x" * 10 + "1" + "y" * 27 + "…"
    assert after == "…" + "x" * 10 + "2" + "y" * 27 + "…"
    assert contrast("x" * 300 + "1", "x" * 300 + "2") == ("…" + "x" * 37 + '1"', "…" + "x" * 37 + '2"')


def test_an_early_difference_starts_at_the_start() -> None:
    before, after = contrast("1" + "x" * 90, "2" + "x" * 90)
    assert before.startswith('"1')
    assert after.startswith('"2')


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", "b", "c"], "a, b and c"),
        (list("abcdef"), "a, b, c, d and 2 more"),
    ],
)
def test_a_listing_is_a_sentence(words: list[str], text: str) -> None:
    assert listing(words) == text


def test_counting_and_clipping() -> None:
    assert [counted(n, "branch", "branches") for n in (0, 1, 2)] == ["0 branches", "1 branch", "2 branches"]
    assert counted(2, "item") == "2 items"
    assert (clip("abc", 3), clip("abcd", 3)) == ("abc", "ab…")

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compat.logic.regex.charset import (
    ANY_CHAR,
    NO_CHAR,
    SPACE,
    CharSet,
    best,
    from_points,
    from_ranges,
    in_reading_order,
)

points = st.frozensets(st.integers(0, 40))


def members(chars: CharSet) -> frozenset[int]:
    return frozenset(point for low, high in chars.ranges() for point in range(low, high))


@given(points, points)
def test_operators_are_those_of_sets(left: frozenset[int], right: frozenset[int]) -> None:
    a, b = from_points(left), from_points(right)
    assert members(a | b) == left | right
    assert members(a & b) == left & right
    assert members(a - b) == left - right
    assert (a <= b) == (left <= right)
    assert all((point in a) == (point in left) for point in range(42))
    assert (~a) & a is NO_CHAR
    assert (~a) | a is ANY_CHAR


@given(points)
def test_equal_sets_are_one_object(members_: frozenset[int]) -> None:
    one = from_points(members_)
    assert from_ranges([(point, point + 1) for point in sorted(members_, reverse=True)]) is one
    assert one.size() == len(members_)


@pytest.mark.parametrize(
    ("interval", "expected"),
    [
        ((0x61, 0x7B), "a"),
        ((0, 0x110000), "a"),
        ((0x30, 0x5B), "A"),
        ((0x30, 0x3A), "0"),
        ((0x20, 0x2E), "-"),
        ((0x7B, 0x80), "~"),
        ((0x0, 0x0A), "\0"),
        ((0x80, 0x100), "ª"),
    ],
)
def test_the_most_readable_character_stands_for_an_interval(interval: tuple[int, int], expected: str) -> None:
    found = best(*interval)
    assert found is not None
    assert chr(found) == expected


@pytest.mark.parametrize("interval", [(0xD800, 0xE000), (0xDC00, 0xDC01)])
def test_a_surrogate_never_stands_for_an_interval(interval: tuple[int, int]) -> None:
    assert best(*interval) is None


@pytest.mark.parametrize(("interval", "expected"), [((0xD800, 0xE001), 0xE000), ((0xD7FF, 0xD900), 0xD7FF)])
def test_an_interval_is_cut_at_the_surrogates(interval: tuple[int, int], expected: int) -> None:
    assert best(*interval) == expected


def test_reading_order_gives_every_character_but_surrogates_once() -> None:
    chars = from_ranges([(0, 0x200), (0xD7F0, 0xE010)])
    listed = list(in_reading_order(chars))
    assert len(listed) == len(set(listed)) == chars.size() - 0x800
    assert [chr(point) for point in listed[:3]] == ["a", "b", "c"]
    assert listed.index(0x41) < listed.index(0x30) < listed.index(0x2D) < listed.index(0xE9) < listed.index(0)


def test_space_is_that_of_ecmascript() -> None:
    assert all(ord(char) in SPACE for char in "\t\n\v\f\r \u00a0\ufeff\u2028\u2029\u3000\u1680")
    assert not any(ord(char) in SPACE for char in "\u0085\u180e\u200b\x1c")

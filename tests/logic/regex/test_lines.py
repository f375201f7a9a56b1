from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compat.logic.budget import Budget
from compat.logic.regex import Empty, Language, Word, find
from compat.logic.regex.lines import as_line

pattern = Language.pattern
TEXTS = tuple("".join(text) for length in range(8) for text in product("ab", repeat=length))


@pytest.mark.parametrize(
    ("old", "new", "lengths", "shortest"),
    [
        ("^[a-z]{1,10000}$", "^[a-z]{1,5000}$", (0, None), 5_001),
        ("^x-[a-z]{1,10000}$", "^x-[a-z]{1,5000}$", (0, None), 5_003),
        ("^x-[a-z]{1,10000}$", "^[a-z-]{1,5000}$", (0, None), 5_001),
        ("^[a-z]+$", "^[a-z]{0,1000000}$", (0, None), 1_000_001),
        ("^[a-z]+$", "^[a-z]{0,1000000}$", (0, 1_000_000), None),
        ("^[a-z]{1,10000}$", "^[a-z]{1,10000}$|^b", (0, None), None),
        ("^[a-z]{1,10000}$", "^[a-y]{1,5000}$", (0, None), 1),
        ("^[a-z]{10,20}$", "^$", (21, None), None),
    ],
)
def test_counters_are_compared_without_counting(
    old: str, new: str, lengths: tuple[int, int | None], shortest: int | None
) -> None:
    found = find([pattern(old), ~pattern(new)], lengths=lengths, budget=Budget(100))
    if shortest is None:
        assert found == Empty()
    else:
        assert isinstance(found, Word)
        assert len(found.text) == shortest


@pytest.mark.parametrize("source", ["^a+b+$", "a", "^(?:ab)+$", "^a|b$", r"^[\uD800-\uDBFF]+$"])
def test_what_is_no_line(source: str) -> None:
    assert as_line(pattern(source).node) is None


counts = st.tuples(st.integers(0, 3), st.integers(0, 3)).map(lambda pair: (min(pair), max(pair)))
lines = st.tuples(st.sampled_from(["", "a", "b{2}", "[ab]"]), st.sampled_from(["a", "[ab]"]), counts).map(
    lambda parts: f"^{parts[0]}{parts[1]}{{{parts[2][0]},{parts[2][1]}}}$"
)


@settings(max_examples=150, deadline=None)
@given(lines, lines, st.integers(0, 4), st.sampled_from([None, 2, 4]))
def test_lines_against_brute_force(old: str, new: str, low: int, high: int | None) -> None:
    one, other = pattern(old), pattern(new)
    left = [
        len(text)
        for text in TEXTS
        if one.matches(text) and not other.matches(text) and len(text) >= low and (high is None or len(text) <= high)
    ]
    found = find([one, ~other], lengths=(low, high))
    if left:
        assert isinstance(found, Word)
        assert len(found.text) == min(left)
    else:
        assert found == Empty()

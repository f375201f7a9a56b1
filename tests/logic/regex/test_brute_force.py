"""Random patterns against an engine of its own, on every short text over a small alphabet."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from corvus_regex_ecma262 import Regex
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compat.logic.regex import Empty, Exhausted, Language, More, Word, find, includes, words

ALPHABET = "ab-"
LONGEST = 5
TEXTS = tuple("".join(text) for length in range(LONGEST + 1) for text in product(ALPHABET, repeat=length))
# In the order in which words are listed: short first, then by readability.
TWO_LETTERS = tuple("".join(text) for length in range(7) for text in product("ab", repeat=length))
INSIDE = Language.pattern(f"^[{ALPHABET}]*$")

few = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
many = settings(max_examples=1_500, deadline=None, suppress_health_check=[HealthCheck.too_slow])

_atoms = st.sampled_from(["a", "b", "-", ".", "[ab]", "[^a]", r"\w", r"\W", "ab", "", "a", "b"])
_assertions = st.sampled_from(["^", "$", r"\b", r"\B"])
_quantifiers = st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "{2,}", "{0,2}", "{2,3}", "{3}", "{0}", "*?", "{1,}?"])
_opened = st.sampled_from(["(?:", "(", "(?=", "(?!"])


def _wider(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.lists(inner, min_size=2, max_size=3).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda options: "(?:" + "|".join(options) + ")"),
        st.tuples(inner, _quantifiers).map(lambda pair: f"(?:{pair[0]}){pair[1]}"),
        st.tuples(_opened, inner).map(lambda pair: f"{pair[0]}{pair[1]})"),
        st.tuples(st.sampled_from(["(?<=", "(?<!"]), _atoms).map(lambda pair: f"{pair[0]}{pair[1]})"),
    )


bodies = st.recursive(st.one_of(_atoms, _atoms, _assertions), _wider, max_leaves=9)
sources = st.one_of(bodies, bodies.map(lambda body: f"^(?:{body})$"))


def accepted(source: str, texts: tuple[str, ...] = TEXTS) -> frozenset[str]:
    engine = Regex(source, "u") if Regex.is_valid(source, "u") else Regex(source)
    return frozenset(text for text in texts if engine.test(text))


def order(text: str) -> tuple[int, list[int]]:
    return len(text), [ALPHABET.index(char) for char in text]


def same_as_the_engine(source: str) -> None:
    language = Language.pattern(source)
    assert {text for text in TEXTS if language.matches(text)} == accepted(source)
    assert {text for text in TWO_LETTERS if language.matches(text)} == accepted(source, TWO_LETTERS)


def combined(first: str, second: str, third: str) -> Iterator[tuple[Language, frozenset[str]]]:
    a, b, c = map(Language.pattern, (first, second, third))
    x, y, z = map(accepted, (first, second, third))
    everything = frozenset(TEXTS)
    yield a & b, x & y
    yield a - b, x - y
    yield ~a & ~b, everything - x - y
    yield (a | b) - c, (x | y) - z
    yield (a - b) | c, (x - y) | z
    yield ~(a & b) & c, z - (x & y)


def found_rightly(first: str, second: str, third: str, lengths: tuple[int, int | None], exclude: set[str]) -> None:
    for language, texts in combined(first, second, third):
        low, high = lengths
        fitting = [
            text for text in texts if len(text) >= low and (high is None or len(text) <= high) and text not in exclude
        ]
        shortest = min(map(len, fitting), default=None)
        found = find([INSIDE, language], lengths=lengths, exclude=exclude)
        if isinstance(found, Word):
            assert language.matches(found.text)
            assert found.text not in exclude
            assert len(found.text) == shortest or (shortest is None and len(found.text) > LONGEST)
        else:
            assert isinstance(found, Empty)
            assert shortest is None


def listed_rightly(first: str, second: str, low: int, limit: int, exclude: set[str]) -> None:
    language = Language.pattern(first) - Language.pattern(second)
    texts = accepted(first) - accepted(second) - exclude
    expected = sorted((text for text in texts if len(text) >= low), key=order)
    found, ending = words([INSIDE, language], lengths=(low, LONGEST), exclude=exclude, limit=limit)
    assert list(found) == expected[:limit]
    assert ending == (Exhausted() if len(expected) <= limit else More())


def included_rightly(first: str, second: str) -> None:
    answer = includes(INSIDE & Language.pattern(first), Language.pattern(second))
    left = accepted(first) - accepted(second)
    if answer is True:
        assert not left
    else:
        assert answer is False
        witness = find([INSIDE, Language.pattern(first), ~Language.pattern(second)])
        assert isinstance(witness, Word)
        assert left or len(witness.text) > LONGEST


excluded = st.sets(st.sampled_from(["", "a", "b", "-", "ab", "aa"]), max_size=3)
bounds = st.sampled_from([(0, None), (1, None), (3, None), (0, 2), (2, 4), (4, 5)])


@few
@given(sources)
def test_matching(source: str) -> None:
    same_as_the_engine(source)


@few
@given(sources, sources, sources, bounds, excluded)
def test_finding(first: str, second: str, third: str, lengths: tuple[int, int | None], exclude: set[str]) -> None:
    found_rightly(first, second, third, lengths, exclude)


@few
@given(sources, sources, st.integers(0, 3), st.integers(0, 40), excluded)
def test_listing(first: str, second: str, low: int, limit: int, exclude: set[str]) -> None:
    listed_rightly(first, second, low, limit, exclude)


@few
@given(sources, sources)
def test_inclusion(first: str, second: str) -> None:
    included_rightly(first, second)


@pytest.mark.long
class TestMany:
    """The same, for longer."""

    @many
    @given(sources)
    def test_matching(self, source: str) -> None:
        same_as_the_engine(source)

    @many
    @given(sources, sources, sources, bounds, excluded)
    def test_finding(
        self, first: str, second: str, third: str, lengths: tuple[int, int | None], exclude: set[str]
    ) -> None:
        found_rightly(first, second, third, lengths, exclude)

    @many
    @given(sources, sources)
    def test_inclusion(self, first: str, second: str) -> None:
        included_rightly(first, second)

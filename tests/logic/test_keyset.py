"""Sets of property names against plain sets of words."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from compat.logic.keyset import KeySet
from compat.logic.regex import Language

WORDS = ["".join(letters) for length in range(4) for letters in product("abc", repeat=length)]
NAMES = ("", "a", "b", "ab", "abc", "ccc")
PATTERNS = ("^a", "b$", "^[ab]$", "c", "^(ab|b)", "^$", "^..$")


def members(keys: KeySet) -> set[str]:
    return {word for word in WORDS if word in keys}


def random_set(rng: Random) -> KeySet:
    names = frozenset(rng.sample(NAMES, rng.randrange(4)))
    patterns = rng.sample(PATTERNS, rng.choice((0, 0, 1, 2)))
    return KeySet(names, frozenset(map(Language.pattern, patterns)), rng.random() < 0.4)


@pytest.mark.parametrize("seed", range(60))
def test_algebra(seed: int) -> None:
    rng = Random(seed)
    sets = [random_set(rng) for _ in range(3)]
    everything = set(WORDS)
    for keys in sets:
        inside = {word for word in WORDS if word in keys.names or any(one.matches(word) for one in keys.languages)}
        assert members(keys) == (everything - inside if keys.outside else inside)
        assert members(keys.complement) == everything - members(keys)
        assert keys.complement.complement == keys
        assert {word for word in WORDS if keys.language().matches(word)} == members(keys)
        assert members(keys.without(["a", "cb"])) == members(keys) - {"a", "cb"}
    first, *others = sets
    joined = first.union(others)
    assert members(joined) == set.union(*map(members, sets))
    # What is joined can be joined again, and its complement too.
    assert members(joined.complement.union(others)) == (everything - members(joined)) | set.union(*map(members, others))


def test_equality_is_of_what_is_written() -> None:
    starts_a = Language.pattern("^a")
    assert KeySet.of("a", "b") == KeySet(frozenset({"b", "a"}))
    assert hash(KeySet.of("a", "b")) == hash(KeySet.of("b", "a"))
    assert KeySet.of("a") != KeySet.of("a").complement
    assert KeySet.of("a") != KeySet.of("b")
    assert KeySet.of("a") != KeySet(frozenset({"a"}), frozenset({starts_a}))
    assert KeySet.all() == KeySet().complement
    assert KeySet.of("a") != "a"


@pytest.mark.parametrize(
    ("keys", "single"),
    [
        (KeySet.of("a"), "a"),
        (KeySet.of(""), ""),
        (KeySet.of("a", "b"), None),
        (KeySet.of("a").complement, None),
        (KeySet(), None),
        (KeySet(frozenset({"a"}), frozenset({Language.pattern("^b")})), None),
        (KeySet.all(), None),
    ],
)
def test_single(keys: KeySet, single: str | None) -> None:
    assert keys.single == single

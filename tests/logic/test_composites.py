"""The array and object solvers against brute force over small domains."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compat.logic.budget import Budget
from compat.logic.formula import Formula
from compat.logic.keyset import KeySet
from compat.logic.predicates import Type
from compat.logic.regex import Language
from compat.logic.solve import Solver
from compat.logic.universe import Universe

U = Universe()
DOMAIN: tuple[Any, ...] = (None, True, 0, 1)
ITEM = U.one_of_values(DOMAIN)
QUIET = settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))

bodies = st.one_of(
    st.builds(U.one_of_values, st.lists(st.sampled_from(DOMAIN), min_size=1, max_size=3)),
    st.sampled_from([U.true, U.false, U.types(Type.NULL), U.types(Type.NUMBER)]),
)
small = st.integers(0, 3)

array_demands = st.one_of(
    st.builds(lambda i, b: U.item_at(i, b), small, bodies),
    st.builds(lambda i, b: U.item_at(i, b).neg, small, bodies),
    st.builds(lambda i, b: U.items_from(i, b), small, bodies),
    st.builds(lambda i, b: U.items_from(i, b).neg, small, bodies),
    st.builds(lambda b, n: U.count_at_least(b, n), bodies, st.integers(1, 3)),
    st.builds(lambda b, n: U.count_at_least(b, n).neg, bodies, st.integers(1, 3)),
    st.builds(lambda n: U.at_least(Type.ARRAY, n), small),
    st.just(U.unique()),
    st.just(U.unique().neg),
)
ARRAYS = [list(items) for length in range(5) for items in product(DOMAIN, repeat=length)]


@QUIET
@given(st.lists(array_demands, max_size=4))
def test_arrays_agree_with_brute_force(demands: list[Any]) -> None:
    goal: list[Formula] = [
        U.types(Type.ARRAY),
        U.given(U.items_from(0, ITEM)),
        U.given(U.at_most(Type.ARRAY, 4)),
        *(U.being(demand) for demand in demands),
    ]
    _agrees(goal, ARRAYS)


KEYSETS = (
    KeySet.of("a"),
    KeySet.of("b"),
    KeySet.of("a", "b"),
    KeySet.of("a").complement,
    KeySet.matching(Language.pattern("^a")),
    KeySet.matching(Language.pattern("a")).complement,
    KeySet.matching(Language.pattern("^[ab]$")),
    KeySet.matching(Language.pattern("^a$"), Language.pattern("^c")),
    KeySet(frozenset({"b"}), frozenset({Language.pattern("^a")})),
    KeySet(frozenset({"b"}), frozenset({Language.pattern("^a")}), outside=True),
    KeySet.all(),
)
NAMES = ("a", "b", "c", "ab", "ba")
object_demands = st.one_of(
    st.builds(lambda k, b: U.members(k, b), st.sampled_from(KEYSETS), bodies),
    st.builds(lambda k, b: U.members(k, b).neg, st.sampled_from(KEYSETS), bodies),
    st.builds(lambda n: U.at_least(Type.OBJECT, n), small),
    st.builds(lambda n: U.at_most(Type.OBJECT, n), small),
)
OBJECTS = [
    {name: value for name, value in zip(NAMES, chosen, strict=True) if value is not Ellipsis}
    for chosen in product((..., None, 0), repeat=len(NAMES))
]


@QUIET
@given(st.lists(object_demands, max_size=4))
def test_objects_agree_with_brute_force(demands: list[Any]) -> None:
    only = KeySet.of(*NAMES).complement
    goal: list[Formula] = [
        U.types(Type.OBJECT),
        U.given(U.members(only, U.false)),
        U.given(U.members(KeySet.all(), U.one_of_values([None, 0]))),
        *(U.being(demand) for demand in demands),
    ]
    _agrees(goal, OBJECTS)


def _agrees(goal: list[Formula], domain: list[Any]) -> None:
    solver = Solver(U, Budget(200_000))
    answer = solver.solve(goal)
    fitting = [value for value in domain if all(solver.holds(part, value) for part in goal)]
    assert not answer.unknown
    assert answer.empty is (not fitting)
    if answer.values:
        assert all(solver.holds(part, answer.values[0]) for part in goal)


@pytest.mark.parametrize(("count", "fits"), [(301, True), (302, False)])
def test_unique_items_of_a_finite_range(count: int, fits: bool) -> None:
    numbers = U.all_of(
        [
            U.types(Type.NUMBER),
            U.given(U.multiple(1)),  # type: ignore[arg-type]
            U.given(U.bound(0, lower=True, exclusive=False)),
            U.given(U.bound(300, lower=False, exclusive=False)),
        ]
    )
    goal = [
        U.types(Type.ARRAY),
        U.given(U.items_from(0, numbers)),
        U.given(U.unique()),
        U.given(U.at_least(Type.ARRAY, count)),
    ]
    assert Solver(U, Budget(20_000)).solve(goal).empty is not fits


def test_existentials_share_a_key_where_the_count_demands_it() -> None:
    goal = [
        U.types(Type.OBJECT),
        U.being(U.members(KeySet.matching(Language.pattern("^x")), U.one_of_values([1, 2]).neg).neg),
        U.being(U.members(KeySet.matching(Language.pattern("y$")), U.one_of_values([2, 3]).neg).neg),
        U.given(U.at_most(Type.OBJECT, 1)),
    ]
    value = Solver(U, Budget(20_000)).solve(goal).values[0]
    assert list(value.values()) == [2]
    (key,) = value
    assert key.startswith("x")
    assert key.endswith("y")


@pytest.mark.parametrize(
    ("wide", "narrow", "barred", "fits"),
    [
        # The first member must leave the only key of the second alone, however short that key is.
        ("^[ab]$", "^a$", "^z", True),
        ("^a", "^a$", "^z", True),
        ("^a", "^a", r"^a[\s\S]", False),
        ("^[ab]", "^a", r"^a[\s\S]", True),
        ("^a$", "^a$", "^z", False),
    ],
)
def test_members_that_cannot_share_a_key_leave_each_other_one(wide: str, narrow: str, barred: str, fits: bool) -> None:
    goal = [
        U.types(Type.OBJECT),
        U.being(U.members(KeySet.matching(Language.pattern(barred)), U.false)),
        U.being(U.members(KeySet.matching(Language.pattern(wide)), U.one_of_values([1]).neg).neg),
        U.being(U.members(KeySet.matching(Language.pattern(narrow)), U.one_of_values([2]).neg).neg),
    ]
    solver = Solver(U, Budget(20_000))
    answer = solver.solve(goal)
    assert answer.empty is not fits
    assert all(solver.holds(part, value) for value in answer.values for part in goal)


def every(pattern: str, body: Formula) -> Formula:
    return U.given(U.members(KeySet.matching(Language.pattern(pattern)), body))


@pytest.mark.parametrize(
    ("demands", "most"),
    [
        # Keys of one class, of several, named ones; `most` members and no more.
        ([U.given(U.members(KeySet.matching(Language.pattern("^[ab]{1,2}$")).complement, U.false))], 6),
        ([U.given(U.members(KeySet.of("a", "b", "c").complement, U.false))], 3),
        (
            [
                U.given(U.members(KeySet(frozenset({"c"}), frozenset({Language.pattern("^[ab]$")}), True), U.false)),
                every("^[ab]$", U.one_of_values(["s"])),
                U.given(U.members(KeySet.of("c"), U.one_of_values([0]))),
            ],
            3,
        ),
        (
            [
                every("^.?$", U.one_of_values(["s"])),
                every("^[^]{3,}$", U.false),
                every("^..$", U.one_of_values([0])),
                every("[^a-c]", U.false),
                every("\n", U.false),
            ],
            13,
        ),
        ([every("^[^a]", U.false), every("^a[^]", U.false)], 2),
        ([every("[^a]", U.false), every("^(aa)*$", U.false), every("^a{6,}$", U.false)], 3),
        ([every("^x", U.types(Type.NULL)), every("^y", U.false)], None),
    ],
)
def test_objects_are_filled_as_far_as_there_are_keys(demands: list[Formula], most: int | None) -> None:
    solver = Solver(U, Budget(50_000))
    for least in (1, 2, 3, 6, 13):
        goal = [U.types(Type.OBJECT), *demands, U.given(U.at_least(Type.OBJECT, least))]
        answer = solver.solve(goal)
        assert not answer.unknown
        assert answer.empty is (most is not None and least > most)
        assert all(solver.holds(part, value) for value in answer.values for part in goal)
    if most is not None:
        goal = [U.types(Type.OBJECT), *demands, U.given(U.at_least(Type.OBJECT, most))]
        (value,) = solver.solve(goal).values
        assert len(value) == most
        assert solver.solve([*goal, U.given(U.at_least(Type.OBJECT, most + 1))]).empty

"""The number solver against brute force on a grid, and the traps of exact arithmetic."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compat.jsonvalue import freeze
from compat.logic.budget import Budget
from compat.logic.evaluate import Evaluator
from compat.logic.numbers import solve_numbers
from compat.logic.predicates import Predicate
from compat.logic.universe import Universe

UNIVERSE = Universe()
GRID = [Fraction(k, 4) for k in range(-12, 13)]


def bound(value: int | Fraction, *, lower: bool, exclusive: bool = False) -> Predicate:
    return UNIVERSE.bound(value, lower=lower, exclusive=exclusive)


quarters = st.sampled_from([value for value in GRID if abs(value) <= 2])
predicates = st.one_of(
    st.builds(lambda v, low, ex: bound(v, lower=low, exclusive=ex), quarters, st.booleans(), st.booleans()),
    st.builds(UNIVERSE.multiple, st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(3, 4), Fraction(2)])),
    st.builds(lambda u: UNIVERSE.multiple(u).neg, st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(2)])),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(predicates, max_size=5), st.lists(quarters, max_size=4))
def test_agrees_with_brute_force(chosen: list[Predicate], excluded: list[Fraction]) -> None:
    # All numbers in question are between -3 and 3 and multiples of a quarter, once a lattice is among the demands.
    chosen = [*chosen, UNIVERSE.multiple(Fraction(1, 4)), bound(-3, lower=True), bound(3, lower=False)]
    keys = {freeze(value) for value in excluded}
    evaluator = Evaluator(Budget(10_000))
    expected = {v for v in GRID if freeze(v) not in keys and all(evaluator.test(p, v) for p in chosen)}
    answer = solve_numbers(chosen, keys, 100, Budget(10_000))
    assert answer.complete
    assert {Fraction(value) for value in answer.values} == expected


@pytest.mark.parametrize(
    ("demands", "expected"),
    [
        ([], 0),
        ([bound(1, lower=True, exclusive=True), bound(2, lower=False, exclusive=True)], Fraction(11, 10)),
        ([bound(Fraction(1, 3), lower=True), bound(Fraction(1, 3), lower=False)], Fraction(1, 3)),
        ([UNIVERSE.multiple(Fraction(1, 100)), UNIVERSE.multiple(Fraction(1, 10)).neg], Fraction(1, 100)),
        ([bound(2**64, lower=True), UNIVERSE.multiple(Fraction(1))], 2**64),
        ([UNIVERSE.multiple(Fraction(4)), UNIVERSE.multiple(Fraction(6)), bound(1, lower=True)], 12),
        ([UNIVERSE.multiple(Fraction(1)).neg], Fraction(1, 10)),
    ],
)
def test_gives_the_plainest_number(demands: list[Predicate], expected: Fraction) -> None:
    assert solve_numbers(demands, (), 1, Budget(10_000)).values == (expected,)


@pytest.mark.parametrize(
    "demands",
    [
        [bound(1, lower=True), bound(1, lower=False, exclusive=True)],
        [bound(2, lower=True), bound(1, lower=False)],
        [UNIVERSE.multiple(Fraction(6)), UNIVERSE.multiple(Fraction(3)).neg],
        [UNIVERSE.multiple(Fraction(1)), bound(0, lower=True, exclusive=True), bound(1, lower=False, exclusive=True)],
    ],
)
def test_proves_that_there_is_none(demands: list[Predicate]) -> None:
    assert solve_numbers(demands, (), 1, Budget(10_000)).empty


def test_lists_a_range_of_integers_at_once() -> None:
    demands = [UNIVERSE.multiple(Fraction(1)), bound(0, lower=True), bound(300, lower=False)]
    answer = solve_numbers(demands, (), 1_000, Budget(2_000))
    assert sorted(answer.values) == list(range(301))
    assert answer.complete


def test_a_very_narrow_interval_has_a_finite_decimal() -> None:
    low = Fraction(1, 10**60)
    answer = solve_numbers(
        [bound(low, lower=True, exclusive=True), bound(2 * low, lower=False, exclusive=True)], (), 1, Budget(50_000)
    )
    assert low < answer.values[0] < 2 * low


@pytest.mark.parametrize(("low", "high"), [(-7, -3), (3, 7), (-2, 3), (-3, 2), (0, 4), (-4, 0), (0, 0), (-1, -1)])
@pytest.mark.parametrize("unit", [Fraction(1), Fraction(1, 2)])
def test_lists_a_lattice_to_its_very_ends(low: int, high: int, unit: Fraction) -> None:
    for ends in ((False, False), (True, False), (False, True), (True, True)):
        demands = [
            UNIVERSE.multiple(unit),
            bound(low, lower=True, exclusive=ends[0]),
            bound(high, lower=False, exclusive=ends[1]),
        ]
        inside = [k * unit for k in range(int(low / unit) + ends[0], int(high / unit) + 1 - ends[1])]
        answer = solve_numbers(demands, (), 100, Budget(2_000))
        assert answer.complete
        assert sorted(answer.values) == inside
        assert [abs(value) for value in answer.values] == sorted(map(abs, inside))


@pytest.mark.parametrize("lower", [True, False])
def test_an_open_end_counts_wherever_it_stands(lower: bool) -> None:
    ends = [bound(1, lower=lower), bound(1, lower=lower, exclusive=True)]
    for demands in (ends, ends[::-1]):
        assert solve_numbers([*demands, bound(1, lower=not lower)], (), 1, Budget(100)).empty
        far = bound(3 if lower else -3, lower=not lower)
        unit = UNIVERSE.multiple(Fraction(1))
        assert set(solve_numbers([*demands, far, unit], (), 9, Budget(100)).values) == (
            {2, 3} if lower else {0, -1, -2, -3}
        )


@pytest.mark.parametrize(("wanted", "complete"), [(2, False), (3, False), (4, True)])
def test_a_list_is_complete_only_where_it_ended(wanted: int, complete: bool) -> None:
    demands = [UNIVERSE.multiple(Fraction(1)), bound(1, lower=True), bound(3, lower=False)]
    answer = solve_numbers(demands, (), wanted, Budget(100))
    assert answer.values == (1, 2, 3)[:wanted]
    assert answer.complete is complete

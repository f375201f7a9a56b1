"""Evaluation where a set is opaque: what hangs on it is open, everything else is decided."""

from __future__ import annotations

from typing import Any

import pytest

from compat.logic.budget import Budget, BudgetExhausted
from compat.logic.evaluate import Evaluator
from compat.logic.formula import Formula
from compat.logic.keyset import KeySet
from compat.logic.universe import Universe

U = Universe()
OPEN = U.opaque("https://example.org/missing", "it cannot be resolved")
ONE, TWO = U.one_of_values([1]), U.one_of_values([2])
PERHAPS_ONE = U.any_of([OPEN, ONE])
FORMAT = U.being(U.format("even"))

ROWS: list[tuple[Formula, Any, bool | None]] = [
    (OPEN, 1, None),
    (U.all_of([OPEN, ONE]), 1, None),
    (U.all_of([OPEN, ONE]), 2, False),
    (PERHAPS_ONE, 1, True),
    (PERHAPS_ONE, 2, None),
    (U.exactly_one([OPEN, ONE]), 1, None),
    (U.exactly_one([OPEN, ONE]), 2, None),
    (U.exactly_one([OPEN, ONE, U.one_of_values([1, 2])]), 1, False),
    (U.exactly_one([TWO, ONE, U.one_of_values([1, 2])]), 3, False),
    (U.exactly_one([U.one_of_values([2, 3]), U.one_of_values([1, 2])]), 3, True),
    (U.being(U.items_from(0, PERHAPS_ONE)), [1, 1], True),
    (U.being(U.items_from(0, PERHAPS_ONE)), [1, 2], None),
    (U.being(U.items_from(1, ONE)), [2, 1], True),
    (U.being(U.items_from(1, ONE)), [2, 1, 2], False),
    (U.being(U.items_from(1, ONE).neg), [2, 1], False),
    (U.being(U.item_at(1, ONE)), [2], True),
    (U.being(U.item_at(1, ONE).neg), [2], False),
    (U.being(U.item_at(1, ONE).neg), [1, 2], True),
    (U.being(U.count_at_least(PERHAPS_ONE, 1)), [2], None),
    (U.being(U.count_at_least(PERHAPS_ONE, 1)), [1], True),
    (U.being(U.count_at_least(PERHAPS_ONE, 2)), [1], False),
    (U.being(U.count_at_least(PERHAPS_ONE, 2).neg), [1, 2], None),
    (U.being(U.count_at_least(PERHAPS_ONE, 2).neg), [1, 1], False),
    (U.being(U.count_at_least(PERHAPS_ONE, 2).neg), [2], True),
    (U.being(U.members(KeySet.of("a"), OPEN)), {"b": 1}, True),
    (U.being(U.members(KeySet.of("a"), OPEN)), {"a": 1}, None),
    (U.being(U.members(KeySet.of("a").complement, ONE)), {"a": 2, "b": 1}, True),
    (U.being(U.members(KeySet.of("a").complement, ONE)), {"a": 1, "b": 2}, False),
    (FORMAT, "ab", True),
    (FORMAT, "a", False),
    (FORMAT, "?", None),
    (FORMAT, 1, False),
]


def is_even(name: str, text: str) -> bool | None:
    assert name == "even"
    return None if text == "?" else len(text) % 2 == 0


@pytest.mark.parametrize(("formula", "value", "expected"), ROWS)
def test_holds(formula: Formula, value: Any, expected: bool | None) -> None:
    evaluator = Evaluator(Budget(1_000), is_even)
    assert evaluator.holds(formula, value) is expected
    assert evaluator.holds(formula.neg, value) is (None if expected is None else not expected)


def test_without_a_test_of_formats_all_are_open() -> None:
    evaluator = Evaluator(Budget(1_000))
    assert evaluator.holds(FORMAT, "ab") is evaluator.holds(FORMAT.neg, "ab") is None


def test_every_look_at_an_instance_takes_a_step() -> None:
    formula = U.being(U.items_from(0, ONE))
    budget = Budget(11)
    assert Evaluator(budget).holds(formula, [1] * 10)
    assert budget.left == 0
    with pytest.raises(BudgetExhausted):
        Evaluator(Budget(10)).holds(formula, [1] * 10)

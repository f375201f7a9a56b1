from __future__ import annotations

import pytest

from compat.logic.budget import Budget, BudgetExhausted


def test_a_budget_lasts_exactly_as_long_as_it_says() -> None:
    budget = Budget(3)
    budget.spend()
    budget.spend(2)
    assert (budget.spent, budget.left) == (3, 0)
    with pytest.raises(BudgetExhausted, match="3 steps"):
        budget.spend()


def test_a_budget_stays_exhausted() -> None:
    budget = Budget(1)
    for _ in range(2):
        with pytest.raises(BudgetExhausted):
            budget.spend(5)
    assert budget.left == 0


def test_no_budget_is_negative() -> None:
    with pytest.raises(ValueError, match="negative"):
        Budget(-1)

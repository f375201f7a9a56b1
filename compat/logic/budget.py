"""A deterministic allowance of work: steps, never a clock, so that an answer is the same on every machine."""

from __future__ import annotations


class BudgetExhausted(Exception):  # noqa: N818 - not an error: the honest end of a search
    """The allowance is used up before the answer is known."""

    def __init__(self, reason: str = "the budget of steps is used up") -> None:
        super().__init__(reason)
        self.reason = reason


class Budget:
    """Count steps down and stop whoever goes on at zero.

    `steps` is the whole allowance; `spent` and `left` may be read at any time.
    """

    __slots__ = ("spent", "steps")

    def __init__(self, steps: int) -> None:
        if steps < 0:
            raise ValueError(f"a budget cannot be negative: {steps}")
        self.steps = steps
        self.spent = 0

    @property
    def left(self) -> int:
        return max(0, self.steps - self.spent)

    def spend(self, n: int = 1) -> None:
        """Take `n` steps, or raise BudgetExhausted when there are not as many."""
        self.spent += n
        if self.spent > self.steps:
            raise BudgetExhausted(f"the budget of {self.steps} steps is used up")

    def __repr__(self) -> str:
        return f"Budget({self.spent}/{self.steps})"

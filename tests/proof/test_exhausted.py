"""What an answer says that came to a bound: only where steps ran out would more of them help."""

from __future__ import annotations

import pytest

from compat.logic.answer import Answer
from compat.logic.budget import BudgetExhausted
from compat.logic.formula import Formula
from compat.model.references import schema_set
from compat.proof.containment import Pair


def test_only_steps_that_ran_out_are_blamed(monkeypatch: pytest.MonkeyPatch) -> None:
    short = Pair(schema_set({"pattern": "^a*b$"}), schema_set({"pattern": "^a*c$"}), steps=1)
    (doubt,) = short.contained(short.old, short.new).doubts
    assert doubt.why == "the proof needs more than 1 steps; a higher bound (--steps) may decide it"

    pair = Pair(schema_set({"pattern": "^a*b$"}), schema_set({"pattern": "^a*c$"}))

    def solve(_: list[Formula]) -> Answer:
        raise BudgetExhausted("a pattern has too many alternatives at once")

    monkeypatch.setattr(pair.solver, "solve", solve)
    (doubt,) = pair.contained(pair.old, pair.new).doubts
    assert doubt.why == "a pattern has too many alternatives at once"

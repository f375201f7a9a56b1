"""Branches that exclude each other at a glance: never more than truly do, and all that a tag tells apart."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from randomly import schema

import compat
from compat.logic.budget import Budget, BudgetExhausted
from compat.logic.discriminate import all_apart, apart
from compat.logic.formula import Formula
from compat.logic.solve import Solver
from compat.logic.translate import MeaninglessSchemaError, Translator
from compat.logic.universe import Universe
from compat.model.references import schema_set
from compat.relation import Status


def read(universe: Universe, value: Any) -> Formula:
    return Translator(universe, schema_set(value), "one").root()


def tag(*values: Any, **more: Any) -> dict[str, Any]:
    return {"type": "object", "required": ["t"], "properties": {"t": {"enum": list(values)}}, **more}


@pytest.mark.parametrize(
    ("left", "right", "told"),
    [
        (tag(1), tag(2), True),
        (tag(1, 2), tag(2, 3), False),
        (tag(1), tag(True), True),
        (tag(1), tag(1.0), False),
        ({"type": "string"}, {"type": "number"}, True),
        ({"type": ["string", "null"]}, {"type": ["number", "null"]}, False),
        ({"enum": [1, 2]}, {"enum": [3]}, True),
        ({"enum": [1, 2]}, {"enum": [2]}, False),
        # Not required, so both may lack it.
        ({**tag(1), "required": []}, tag(2), False),
        # Not only objects, so both may be something else.
        ({**tag(1), "type": ["object", "null"]}, {**tag(2), "type": ["object", "null"]}, False),
        ({**tag(1), "type": ["object", "null"]}, tag(2), True),
        # Tags under different names tell nothing apart.
        (tag(1), {"type": "object", "required": ["u"], "properties": {"u": {"const": 2}}}, False),
        # What an open set of names holds is no tag.
        (
            {"type": "object", "required": ["t"], "patternProperties": {"^t": {"const": 1}}},
            {"type": "object", "required": ["t"], "patternProperties": {"^t": {"const": 2}}},
            False,
        ),
        # Two demands on one tag meet.
        (tag(1, 2, allOf=[{"properties": {"t": {"enum": [2, 3]}}}]), tag(1, 3), True),
        (tag(1, properties={"t": {"not": {"const": 1}}}), tag(1), False),
    ],
)
def test_apart(left: Any, right: Any, told: bool) -> None:
    universe = Universe()
    one, other = read(universe, left), read(universe, right)
    assert apart(one, other, {}) is apart(other, one, {}) is told
    assert all_apart([one, other], {}) is told
    assert not told or Solver(universe, Budget(5_000)).solve([one, other]).empty


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ([tag(1), tag(2), tag(3)], True),
        ([tag(1), tag(2), tag(2)], False),
        ([tag(1, 2), tag(3, 4), tag(4, 5)], False),
        # Every two by another tag.
        (
            [
                {"type": "object", "required": ["t", "u"], "properties": {"t": {"const": t}, "u": {"const": u}}}
                for t, u in ((1, 1), (1, 2), (2, 2))
            ],
            True,
        ),
        ([tag(1), {"type": "object"}], False),
        ([tag(1), {"type": "null"}, {"type": "string"}], True),
        ([tag(number) for number in range(100)], True),
        ([*(tag(number) for number in range(100)), tag(50)], False),
    ],
)
def test_all_apart(parts: list[Any], told: bool) -> None:
    universe = Universe()
    assert all_apart([read(universe, part) for part in parts], {}) is told


def test_what_is_told_apart_shares_no_instance() -> None:
    told = 0
    for seed in range(400):
        rng = Random(seed)
        universe = Universe()
        try:
            parts = [read(universe, schema(rng, 2)) for _ in range(4)]
        except MeaninglessSchemaError:
            continue
        for index, left in enumerate(parts):
            for right in parts[:index]:
                if apart(left, right, {}):
                    try:
                        assert Solver(universe, Budget(20_000)).solve([left, right]).empty
                    except BudgetExhausted:
                        continue
                    told += 1
    assert told > 50


def test_one_of_tagged_branches_is_any_of_them() -> None:
    branches = [tag(number, maxProperties=number) for number in range(40)]
    result = compat.compare({"oneOf": branches}, {"anyOf": branches}, steps=5_000)
    assert result.backward.status is result.forward.status is Status.COMPATIBLE
    shared = [*branches, tag(7, minProperties=3)]
    result = compat.compare({"anyOf": shared}, {"oneOf": shared}, steps=20_000)
    assert result.backward.status is Status.BREAKING

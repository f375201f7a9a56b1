"""What nothing else has evaluated: against the validator, class of keys by class, position by position."""

from __future__ import annotations

from typing import Any

import pytest

import compat
from compat.logic.budget import Budget
from compat.logic.evaluate import Evaluator
from compat.logic.translate import Translator
from compat.logic.universe import Universe
from compat.model.instance import Validator
from compat.model.references import schema_set
from compat.relation import Status

DRAFT19 = "https://json-schema.org/draft/2019-09/schema"
CLOSED = {"unevaluatedProperties": False}
FULL = {"unevaluatedItems": False}
A, B = {"properties": {"a": True}}, {"properties": {"b": True}}
STARTS_A = {"patternProperties": {"^a": True}}

MISSING = {"$ref": "https://example.org/missing"}

# Each row: a schema, instances that satisfy it, instances that just miss it.
ROWS: list[tuple[dict[str, Any], list[Any], list[Any]]] = [
    ({**CLOSED, **A}, [{}, {"a": 1}, 5], [{"b": 1}, {"a": 1, "b": 1}]),
    ({**CLOSED, **A, **STARTS_A}, [{"a": 1, "ab": 1}], [{"ba": 1}]),
    ({**CLOSED, "allOf": [A, STARTS_A]}, [{"a": 1, "ab": 1}], [{"a": 1, "b": 1}]),
    ({**CLOSED, "allOf": [{"additionalProperties": {"type": "null"}}]}, [{"x": None}], [{"x": 1}]),
    ({**CLOSED, "allOf": [{"unevaluatedProperties": {"type": "null"}}]}, [{"x": None}], [{"x": 1}]),
    ({**CLOSED, "not": {"not": A}}, [{}], [{"a": 1}]),
    # A branch evaluates what it speaks of only where it holds.
    (
        {**CLOSED, "anyOf": [{**A, "required": ["a"]}, {**B, "required": ["b"]}]},
        [{"a": 1}, {"b": 1}, {"a": 1, "b": 1}],
        [{}, {"a": 1, "c": 1}],
    ),
    (
        {**CLOSED, "anyOf": [{**A, "maxProperties": 1}, {**STARTS_A, "minProperties": 2}, B]},
        [{"a": 1}, {"b": 1}, {"a": 1, "ab": 1}, {"a": 1, "b": 1}],
        [{"ab": 1}, {"c": 1}],
    ),
    (
        {**CLOSED, "oneOf": [{**A, "required": ["a"]}, {**B, "required": ["b"]}]},
        [{"a": 1}, {"b": 1}],
        [{"a": 1, "b": 1}, {"a": 1, "c": 1}],
    ),
    (
        {**CLOSED, "if": {**A, "required": ["a"]}, "then": B, "else": {"properties": {"c": True}}},
        [{"a": 1, "b": 1}, {"c": 1}],
        [{"b": 1}, {"a": 1, "c": 1}],
    ),
    ({**CLOSED, "if": {"properties": {"a": {"const": 1}}}}, [{"a": 1}, {}], [{"a": 2}]),
    ({**CLOSED, **A, "dependentSchemas": {"a": B}}, [{"a": 1, "b": 1}], [{"b": 1}]),
    ({**CLOSED, "$ref": "#/$defs/x", "$defs": {"x": A}}, [{"a": 1}], [{"b": 1}]),
    ({"unevaluatedProperties": {"type": "null"}, **A}, [{"a": 1, "b": None}], [{"a": 1, "b": 1}]),
    # Names and patterns of branches cut across what is always evaluated.
    (
        {**CLOSED, **STARTS_A, "anyOf": [{"patternProperties": {"b$": True}, "minProperties": 2}, True]},
        [{"a": 1}, {"a": 1, "bb": 1}, {"ab": 1}],
        [{"bb": 1}, {"a": 1, "bc": 1}],
    ),
    ({**FULL, "prefixItems": [True]}, [[], [1], {}], [[1, 2]]),
    ({**FULL, "allOf": [{"prefixItems": [True, True]}, {"prefixItems": [True]}]}, [[1, 2]], [[1, 2, 3]]),
    ({**FULL, "allOf": [{"items": {"type": "null"}}]}, [[None, None]], [[1]]),
    ({**FULL, "allOf": [{"unevaluatedItems": {"type": "null"}}]}, [[None, None]], [[1]]),
    ({**FULL, "contains": {"const": 1}}, [[1], [1, 1]], [[], [1, 2]]),
    ({**FULL, "prefixItems": [True], "contains": {"const": 1}}, [[2, 1], [1]], [[1, 2], [2]]),
    (
        {**FULL, "anyOf": [{"contains": {"const": 1}}, {"contains": {"const": 2}}]},
        [[1], [2], [1, 2]],
        [[], [3], [1, 3]],
    ),
    (
        {**FULL, "anyOf": [{"prefixItems": [True], "maxItems": 1}, {"prefixItems": [True] * 3, "minItems": 2}]},
        [[], [1], [1, 2], [1, 2, 3]],
        [[1, 2, 3, 4]],
    ),
    ({**FULL, "if": {"prefixItems": [{"const": 1}]}, "else": {"items": True}}, [[1], [2, 3]], [[1, 2]]),
    ({"unevaluatedItems": {"type": "null"}, "prefixItems": [True]}, [[1, None]], [[1, 1]]),
    ({"$schema": DRAFT19, **FULL, "items": [True]}, [[1]], [[1, 2]]),
    ({"$schema": DRAFT19, **FULL, "items": {"type": "null"}}, [[None, None]], [[1]]),
    ({"$schema": DRAFT19, **FULL, "items": [True], "additionalItems": {"const": 2}}, [[1, 2]], [[1, 3]]),
    ({"$schema": DRAFT19, **FULL, "additionalItems": True}, [[]], [[1]]),
    ({"$schema": DRAFT19, **CLOSED, **A}, [{"a": 1}], [{"b": 1}]),
]


@pytest.mark.parametrize(("schema", "valid", "invalid"), ROWS)
def test_rows(schema: dict[str, Any], valid: list[Any], invalid: list[Any]) -> None:
    schemas = schema_set(schema)
    validator = Validator(schemas)
    formula = Translator(Universe(), schemas, "one").root()
    evaluator = Evaluator(Budget(10_000))
    for expected, instances in ((True, valid), (False, invalid)):
        for instance in instances:
            assert validator.is_valid(instance) is expected, instance
            assert evaluator.holds(formula, instance) is expected, instance
            assert evaluator.holds(formula.neg, instance) is not expected, instance


@pytest.mark.parametrize(("schema", "valid", "invalid"), ROWS)
def test_the_search_keeps_to_them(schema: dict[str, Any], valid: list[Any], invalid: list[Any]) -> None:
    dialect = {"$schema": schema["$schema"]} if "$schema" in schema else {}
    inside = compat.compare({**dialect, "enum": valid}, schema)
    assert inside.backward.status is Status.COMPATIBLE
    outside = compat.compare(schema, {**dialect, "not": {"enum": invalid}})
    assert outside.backward.status is Status.COMPATIBLE


def test_patterns_that_overlap_do_not_multiply() -> None:
    def closed(letters: str, **more: Any) -> dict[str, Any]:
        return {"type": "object", "patternProperties": dict.fromkeys(letters, True), **more}

    letters = "abcdefghijklmnopqrst"
    unevaluated = closed(letters, unevaluatedProperties=False)
    same = compat.compare(unevaluated, closed(letters, additionalProperties=False), steps=20_000)
    assert same.backward.status is same.forward.status is Status.COMPATIBLE
    fewer = compat.compare(unevaluated, closed(letters[1:], unevaluatedProperties=False), steps=20_000)
    assert (fewer.backward.status, fewer.forward.status) == (Status.BREAKING, Status.COMPATIBLE)


@pytest.mark.parametrize(
    ("schema", "status"),
    [
        ({"type": "array", **FULL, "anyOf": [True, MISSING], "minItems": 1}, Status.UNKNOWN),
        ({"type": "array", **FULL, "anyOf": [{"items": True}, True], "minItems": 1}, Status.BREAKING),
        ({"type": "array", **FULL, "anyOf": [True, {"maxItems": 3}], "minItems": 1}, Status.COMPATIBLE),
        ({"type": "object", **CLOSED, "anyOf": [True, MISSING], "minProperties": 1}, Status.UNKNOWN),
        (
            {"type": "object", **CLOSED, "anyOf": [True, {"additionalProperties": True}], "minProperties": 1},
            Status.BREAKING,
        ),
        ({"type": "object", **CLOSED, "anyOf": [True, {"minProperties": 1}], "minProperties": 1}, Status.COMPATIBLE),
        # Neither is an object, so what the missing schema evaluates does not matter.
        ({"type": "string", **CLOSED, "anyOf": [True, MISSING]}, Status.BREAKING),
    ],
)
def test_what_a_missing_schema_evaluates_is_open(schema: dict[str, Any], status: Status) -> None:
    assert compat.compare(schema, False).backward.status is status

"""What each keyword says, dialect by dialect: the formula against the validator, with near misses."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from randomly import instance, schema

import compat
from compat.logic.budget import Budget
from compat.logic.evaluate import Evaluator
from compat.logic.translate import Translator
from compat.logic.universe import Universe
from compat.model.dialects import Dialect
from compat.model.instance import Validator
from compat.model.references import schema_set
from compat.relation import Status

ANY = tuple(Dialect)
SINCE6, SINCE7, SINCE19 = ANY[1:], ANY[2:], ANY[3:]
OLD, NEWEST = ANY[:4], ANY[4:]

BEHIND = {"$defs": {"x": {"properties": {"a": {}}}}, "unevaluatedProperties": False}
OLDER_WITHIN = {
    "$ref": "https://example.org/older",
    "unevaluatedProperties": False,
    "$defs": {
        "older": {
            "$id": "https://example.org/older",
            "$schema": "http://json-schema.org/draft-07/schema#",
            "allOf": [{"$ref": "#/definitions/x", "properties": {"b": {}}}],
            "definitions": {"x": {"properties": {"a": {}}}},
            "unevaluatedProperties": {},
            "unevaluatedItems": False,
        }
    },
}

# Each row: dialects, schema, instances that satisfy it, instances that just miss it.
ROWS: list[tuple[tuple[Dialect, ...], Any, list[Any], list[Any]]] = [
    (ANY, {"type": "integer"}, [1, 1.0, -3], [1.5, "1", True, None]),
    (ANY, {"type": ["integer", "string"]}, [1, "x"], [1.5, None]),
    (ANY, {"type": ["integer", "number"]}, [1, 1.5], ["x"]),
    (ANY, {"enum": [1, [True], {"a": 1}]}, [1, 1.0, [True], {"a": 1.0}], [True, [1], {"a": True}]),
    (SINCE6, {"const": 0}, [0, 0.0, -0.0], [False, None, "0"]),
    (ANY, {"multipleOf": 0.01}, [19.99, 0, "x"], [19.995]),
    (ANY, {"maxLength": 2}, ["\U0001f600\U0001f600", 5], ["abc"]),
    (ANY[:1], {"minimum": 3, "exclusiveMinimum": True}, [4, "x"], [3, 2]),
    (ANY[:1], {"minimum": 3, "exclusiveMinimum": False}, [3], [2]),
    (ANY[:1], {"exclusiveMinimum": True, "id": "x:y"}, [-5], []),
    (SINCE6, {"exclusiveMinimum": 3}, [4], [3]),
    (OLD, {"items": [{"type": "string"}], "additionalItems": False}, [[], ["a"], {}], [["a", 1], [1]]),
    (OLD, {"items": {"type": "string"}, "additionalItems": False}, [["a", "b"]], [[1]]),
    (NEWEST, {"prefixItems": [{"type": "string"}], "items": False}, [[], ["a"], {}], [["a", 1], [1]]),
    (SINCE6, {"propertyNames": {"$ref": "#"}, "maxLength": 2}, [{}, {"aa": {"aaa": 1}}, "aa"], [{"aaa": 1}, "aaa"]),
    # What a dialect does not know evaluates nothing, and may hold anything.
    (ANY[3:4], {**BEHIND, "$dynamicRef": "#/$defs/x"}, [{}], [{"a": 1}]),
    (NEWEST, {**BEHIND, "$dynamicRef": "#/$defs/x"}, [{}, {"a": 1}], [{"b": 1}]),
    (NEWEST, OLDER_WITHIN, [{}, {"a": 1}, [1]], [{"b": 1}, {"c": 1}]),
    (ANY[:3], {"$dynamicAnchor": {}, "$ref": "#/definitions/x", "definitions": {"x": {"minimum": 1}}}, [1], [0]),
    (SINCE6, {"propertyNames": {"$ref": "#"}, "type": "object"}, [{}], [{"a": 1}, "a"]),
    (SINCE6, {"propertyNames": {"properties": {"a": {"$ref": "#"}}, "minLength": 1}}, [{"a": 1}], [{"": 1}]),
    (SINCE6, {"contains": {"const": 1}}, [[1], [0, 1], {}], [[], [0]]),
    (SINCE19, {"contains": {"const": 1}, "minContains": 0}, [[], [0]], []),
    (SINCE19, {"contains": {"const": 1}, "maxContains": 1}, [[1], [1, 0]], [[1, 1], []]),
    (SINCE7[:1], {"contains": {"const": 1}, "maxContains": 1}, [[1, 1]], [[]]),
    (ANY, {"uniqueItems": True}, [[1, True], [[1], [True]], [{"a": 1}, {"a": 2}]], [[1, 1.0], [{"a": 1}, {"a": 1.0}]]),
    (ANY, {"properties": {"a": {}}, "additionalProperties": False}, [{}, {"a": 1}, []], [{"b": 1}]),
    (ANY, {"properties": {"a": {}}, "patternProperties": {"^b": {}}, "additionalProperties": {"type": "null"}},
     [{"a": 1, "bx": 1, "c": None}], [{"c": 1}]),
    (SINCE6, {"propertyNames": {"maxLength": 1}}, [{"a": 1}, {}, "ab"], [{"ab": 1}]),
    (SINCE6, {"propertyNames": False}, [{}, []], [{"": 1}]),
    (ANY, {"minProperties": 1}, [{"a": 1}, []], [{}]),
    (ANY[:3], {"dependencies": {"a": ["b"]}}, [{}, {"b": 1}, {"a": 1, "b": 1}], [{"a": 1}]),
    (ANY[:3], {"dependencies": {"a": {"required": ["b"]}}}, [{"a": 1, "b": 1}, "a"], [{"a": 1}]),
    (SINCE19, {"dependencies": {"a": ["b"]}}, [{"a": 1}], []),
    (SINCE19, {"dependentRequired": {"a": ["b"]}}, [{"a": 1, "b": 1}], [{"a": 1}]),
    (SINCE19, {"dependentSchemas": {"a": {"maxProperties": 1}}}, [{"a": 1}, {"b": 1, "c": 1}], [{"a": 1, "b": 1}]),
    (SINCE7, {"if": {"type": "string"}, "then": {"minLength": 1}, "else": {"type": "null"}}, ["a", None], ["", 1]),
    (SINCE7, {"then": False, "else": False}, [1], []),
    (ANY[:2], {"if": False, "else": False}, [1], []),
    (ANY, {"oneOf": [{"minimum": 2}, {"maximum": 3}]}, [1, 4], [2, 3]),
    (ANY, {"not": {"type": "string"}}, [1], ["a"]),
    (ANY[:3], {"$ref": "#/definitions/s", "maxLength": 1, "definitions": {"s": {"type": "string"}}}, ["abc"], [1]),
    (SINCE19, {"$ref": "#/$defs/s", "maxLength": 1, "$defs": {"s": {"type": "string"}}}, ["a"], ["abc", 1]),
    (SINCE19, {"properties": {"a": {}}, "unevaluatedProperties": False}, [{"a": 1}], [{"b": 1}]),
    (SINCE19, {"anyOf": [{"properties": {"a": {"const": 1}}, "required": ["a"]}, {"properties": {"b": {}}}],
               "unevaluatedProperties": False}, [{"a": 1}, {"a": 1, "b": 1}], [{"a": 2}, {"c": 1}]),
    (SINCE19, {"allOf": [{"additionalProperties": {"type": "integer"}}], "unevaluatedProperties": False},
     [{"x": 1}], [{"x": "a"}]),
    (NEWEST, {"prefixItems": [{}], "contains": {"type": "string"}, "unevaluatedItems": False},
     [[1, "a"]], [[1, "a", 2]]),
    (SINCE19[:1], {"items": [{}], "unevaluatedItems": False}, [[1]], [[1, 2]]),
    (ANY, {"format": "date"}, ["nonsense"], []),
    (ANY, {"x-unknown": 1, "default": 5}, [None], []),
]  # fmt: skip

CASES = [
    pytest.param(dialect, schema_, good, bad, id=f"{dialect.value} {' '.join(schema_)}")
    for dialects, schema_, good, bad in ROWS
    for dialect in dialects
]


def judged(schema_: Any, dialect: Dialect | None = None) -> tuple[Any, Any]:
    """The two readings of a schema: by formula, and by the reference validator."""
    schemas = schema_set(schema_, dialect=dialect)
    formula = Translator(Universe(), schemas, "one").root()
    evaluator = Evaluator(Budget(1_000_000))
    return (lambda value: evaluator.holds(formula, value)), Validator(schemas).is_valid


@pytest.mark.parametrize(("dialect", "schema_", "good", "bad"), CASES)
def test_keyword(dialect: Dialect, schema_: Any, good: list[Any], bad: list[Any]) -> None:
    formula, validator = judged(schema_, dialect)
    assert [(formula(value), validator(value)) for value in good] == [(True, True)] * len(good)
    assert [(formula(value), validator(value)) for value in bad] == [(False, False)] * len(bad)


def test_formulas_say_what_the_validator_says() -> None:
    for index in range(250):
        rng = Random(77_000 + index)
        schema_ = schema(rng)
        formula, validator = judged(schema_)
        pool = [instance(rng) for _ in range(40)]
        assert [formula(value) for value in pool] == [validator(value) for value in pool], schema_


def test_equal_meaning_is_one_formula() -> None:
    universe = Universe()

    def node(schema_: Any) -> Any:
        return Translator(universe, schema_set(schema_), "one").root()

    assert node({"type": "string", "minLength": 1}) is node({"minLength": 1, "type": "string", "title": "x"})
    assert node({"enum": ["a", "b"]}) is node({"enum": ["b", "a"]})
    assert node({"$ref": "#/$defs/x", "$defs": {"x": {"minimum": 3}}}) is node({"minimum": 3.0})
    assert node({"not": {"not": {"minimum": 3}}}) is node({"minimum": 3})
    assert node({"enum": [True]}) is not node({"enum": [1]})


def test_a_dynamic_reference_lands_where_the_outermost_resource_says() -> None:
    base = {
        "$id": "https://example.org/base",
        "type": "array",
        "items": {"$dynamicRef": "#node"},
        "$defs": {"node": {"$dynamicAnchor": "node", "type": "string"}},
    }
    root = {
        "$id": "https://example.org/root",
        "$ref": "base",
        "$defs": {"node": {"$dynamicAnchor": "node", "type": "integer"}},
    }
    resources: dict[str, Any] = {"https://example.org/base": base}

    def status(items: str) -> Status:
        return compat.compare(root, {"items": {"type": items}}, resources=resources).backward.status

    assert (status("integer"), status("string")) == (Status.COMPATIBLE, Status.BREAKING)
    plain = compat.compare(base, {"items": {"type": "string"}})
    assert plain.backward.status is Status.COMPATIBLE

"""Recursion as a least fixpoint, branching, and what budgets and opaque sets do to an answer."""

from __future__ import annotations

import contextlib
from fractions import Fraction
from typing import Any

import pytest

from compat.logic.budget import Budget, BudgetExhausted
from compat.logic.solve import Solver
from compat.logic.translate import MeaninglessSchemaError, Translator
from compat.logic.universe import Universe
from compat.model.references import schema_set


def solve(schema: Any, steps: int = 50_000) -> Any:
    universe = Universe()
    return Solver(universe, Budget(steps)).solve([Translator(universe, schema_set(schema), "one").root()])


TREE = {"type": "object", "properties": {"next": {"$ref": "#"}}, "additionalProperties": False}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({**TREE, "minProperties": 0}, {}),
        (
            {
                "$defs": {"t": {**TREE, "properties": {"next": {"$ref": "#/$defs/t"}}}},
                "$ref": "#/$defs/t",
                "required": ["next"],
            },
            {"next": {}},
        ),
        ({"anyOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#"}, "minItems": 1}]}, None),
        (
            {
                "$defs": {
                    "l": {
                        "anyOf": [
                            {"const": 0},
                            {"type": "array", "prefixItems": [{"$ref": "#/$defs/l"}], "minItems": 1},
                        ]
                    }
                },
                "allOf": [{"$ref": "#/$defs/l"}, {"not": {"const": 0}}],
            },
            [0],
        ),
        ({"oneOf": [{"type": "integer"}, {"type": "integer", "minimum": 10}], "not": {"const": 0}}, 1),
        ({"oneOf": [{"minimum": 1}, {"maximum": 5}], "type": "integer", "minimum": 3}, 6),
    ],
)
def test_builds_a_smallest_value(schema: Any, value: Any) -> None:
    assert solve(schema).values == (value,)


@pytest.mark.parametrize(
    "schema",
    [
        {**TREE, "required": ["next"]},
        {"type": "array", "items": {"$ref": "#"}, "minItems": 1},
        {
            "$defs": {
                "a": {"type": "object", "properties": {"b": {"$ref": "#/$defs/b"}}, "required": ["b"]},
                "b": {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "required": ["a"]},
            },
            "$ref": "#/$defs/a",
        },
        {"allOf": [{"oneOf": [{"type": "string"}, {"type": "string"}]}, {"type": "string"}]},
        {"enum": [1, "a"], "not": {"type": ["number", "string"]}},
    ],
)
def test_proves_that_there_is_no_finite_value(schema: Any) -> None:
    assert solve(schema).empty


def test_an_answer_that_leaned_on_a_goal_above_is_not_kept_when_that_goal_has_a_value() -> None:
    # Within `a` the detour through `b` is hopeless, since it only leads back to `a`; by itself `b` has a value.
    schema = {
        "$defs": {
            "a": {
                "anyOf": [
                    {"type": "object", "properties": {"b": {"$ref": "#/$defs/b"}}, "required": ["b"]},
                    {"const": "end"},
                ]
            },
            "b": {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "required": ["a"]},
        },
        "type": "array",
        "prefixItems": [{"allOf": [{"$ref": "#/$defs/a"}, {"type": "object"}]}, {"$ref": "#/$defs/b"}],
        "minItems": 2,
    }
    assert solve(schema).values == ([{"b": {"a": "end"}}, {"a": "end"}],)


def requiring(**members: Any) -> dict[str, Any]:
    named = {name: {"$ref": f"#/$defs/{target}"} for name, target in members.items()}
    return {"type": "object", "properties": named, "required": list(named)}


@pytest.mark.parametrize(("last", "inhabited"), [({"required": ["v", "w", "x", "y", "z"]}, True), (False, False)])
def test_what_leans_on_a_goal_that_leans_on_another_leans_on_that_one(last: Any, inhabited: bool) -> None:
    # Within `top` and `one`, `back` leads back to `one` only, which at its end leans on `top`, and so does `other`.
    schema = {
        "$defs": {
            "top": {"type": "object", "anyOf": [requiring(a=one) for one in ("one", "other")] + [last]},
            "one": {"type": "object", "anyOf": [requiring(b="back"), requiring(c="top")]},
            "back": requiring(d="one"),
            "other": requiring(e="back"),
        },
        **requiring(first="top", second="other"),
    }
    assert solve(schema).empty is not inhabited


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"allOf": [{"$ref": "#/$defs/x"}], "$defs": {"x": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}}},
        {"not": {"$ref": "#"}},
    ],
)
def test_a_loop_on_the_same_instance_is_meaningless(schema: Any) -> None:
    with pytest.raises(MeaninglessSchemaError):
        solve(schema)


def test_a_loop_through_a_member_is_not() -> None:
    assert solve({"properties": {"a": {"$ref": "#"}}}).values == (None,)


def test_the_lighter_branch_is_tried_first() -> None:
    heavy = {"type": "array", "minItems": 300, "items": {"type": "integer"}, "uniqueItems": True}
    light = {"type": "array", "minItems": 2}
    assert solve({"type": "array", "minItems": 1, "anyOf": [heavy, light]}).values == ([None, None],)


def test_the_budget_is_steps() -> None:
    schema = {"type": "array", "items": {"type": "integer"}, "minItems": 500, "uniqueItems": True}
    with pytest.raises(BudgetExhausted):
        solve(schema, steps=100)
    assert len(solve(schema).values[0]) == 500


def test_what_hangs_on_an_unresolved_reference_is_unknown_and_the_rest_is_decided() -> None:
    missing = {"$ref": "https://example.org/missing"}
    assert solve({"allOf": [missing, {"type": "string"}]}).unknown
    assert solve({"allOf": [missing, {"not": missing}]}).empty
    assert solve({"anyOf": [missing, {"const": 1}]}).values == (1,)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        # A branch written twice holds twice, so a value of the others is needed.
        ({"type": "number", "oneOf": [{"minimum": 1}, {"minimum": 1}, {"const": -5}]}, -5),
        ({"type": "number", "oneOf": [{"minimum": 1}, {"minimum": 2}, {"const": -5}], "not": {"const": -5}}, 1),
        ({"type": "number", "oneOf": [{"minimum": 1}, {"minimum": 1}], "minimum": 0}, None),
        # Neither the first value tried nor one of the first branch will do.
        ({"type": "number", "oneOf": [{"minimum": 1}, {"minimum": 2}, {"minimum": 3}], "minimum": 1.5}, 1.5),
        ({"type": "number", "oneOf": [{"minimum": 1}, {"maximum": 3}, {"const": 2}]}, 0),
        (
            {"type": "number", "oneOf": [{"minimum": 1}, {"maximum": 3}], "not": {"maximum": 0}, "maximum": 3},
            Fraction(1, 10),
        ),
        ({"type": "number", "oneOf": [{"minimum": 1}, {"maximum": 3}], "minimum": 1, "maximum": 3}, None),
        ({"not": {"oneOf": [{"type": "number"}, {"minimum": 1}]}, "type": "number", "maximum": 5}, 1),
        ({"not": {"oneOf": [{"minimum": 1}, {"minimum": 1}]}, "type": "number", "minimum": 7}, 7),
    ],
)
def test_exactly_one(schema: Any, value: Any) -> None:
    answer = solve(schema)
    assert not answer.unknown
    assert answer.values == (() if value is None else (value,))


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "pattern": "^(ab|ba){3}$", "not": {"pattern": "aa"}},
        {"type": "object", "propertyNames": {"minLength": 3}, "minProperties": 1},
        {"type": "array", "items": {"type": "string", "pattern": "^[ab]{2}$"}, "minItems": 4, "uniqueItems": True},
        {"type": "array", "items": {"oneOf": [{"const": 1}, {"type": "array", "minItems": 1}]}, "minItems": 2},
        {**TREE, "required": ["next"]},
    ],
)
def test_a_search_cut_short_anywhere_can_be_taken_up_again(schema: Any) -> None:
    universe = Universe()
    goal = [Translator(universe, schema_set(schema), "one").root()]
    full = Budget(50_000)
    expected = Solver(universe, full).solve(goal)
    assert not expected.unknown
    for steps in range(1, full.spent):
        solver = Solver(universe, Budget(steps))
        with contextlib.suppress(BudgetExhausted):
            answer = solver.solve(goal)
            assert answer.unknown or answer == expected
        solver.abandon()
        solver.budget.steps, solver.budget.spent = 50_000, 0
        assert solver.solve(goal) == expected


MISSING = {"$ref": "https://example.org/missing"}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "boolean", "not": {"const": False}}, True),
        ({"type": "boolean", "not": {"enum": [True, 0, 1]}}, False),
        ({"type": "array", "not": {"const": []}, "items": {"type": "null"}}, [None]),
        ({"type": "array", "not": {"enum": [[], [None]]}, "items": {"type": "null"}}, [None, None]),
        (
            {"type": "object", "not": {"const": {}}, "properties": {"a": {"type": "null"}}, "required": ["a"]},
            {"a": None},
        ),
        # Items that must differ, out of a few.
        ({"type": "array", "items": {"type": "boolean"}, "minItems": 2, "uniqueItems": True}, [False, True]),
        # The first position has to leave what it took to another one.
        (
            {
                "type": "array",
                "prefixItems": [{"enum": [1, 2]}, {"enum": [3, 1]}, {"enum": [3, 1]}],
                "minItems": 3,
                "uniqueItems": True,
            },
            [2, 3, 1],
        ),
        # Counted items share the room there is.
        (
            {
                "type": "array",
                "items": {"enum": [1, 2]},
                "minItems": 3,
                "allOf": [
                    {"contains": {"const": 1}, "minContains": 0, "maxContains": 1},
                    {"contains": {"const": 2}, "minContains": 0, "maxContains": 2},
                ],
            },
            [1, 2, 2],
        ),
        ({"type": "array", "prefixItems": [{"const": 1}, {"enum": [1, 2]}], "not": {"uniqueItems": True}}, [1, 1]),
    ],
)
def test_values_that_differ_or_are_counted(schema: Any, value: Any) -> None:
    assert solve(schema).values == (value,)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "boolean", "not": {"enum": [True, False]}},
        {"type": "array", "items": {"type": "boolean"}, "minItems": 3, "uniqueItems": True},
        {"type": "array", "allOf": [{"maxItems": 2}, {"maxItems": 1}, {"maxItems": 3}], "minItems": 2},
        {
            "type": "array",
            "items": {"enum": [1, 2]},
            "minItems": 4,
            "allOf": [
                {"contains": {"const": 1}, "minContains": 0, "maxContains": 1},
                {"contains": {"const": 2}, "minContains": 0, "maxContains": 2},
            ],
        },
        {
            "type": "array",
            "prefixItems": [{"const": 1}, {"const": 2}],
            "maxItems": 2,
            "not": {"uniqueItems": True},
        },
        {"type": "array", "prefixItems": [{"enum": [1, 2]}] * 3, "minItems": 3, "uniqueItems": True},
        {
            "anyOf": [{"pattern": "^a", "minLength": 3}, {"pattern": "^b", "minLength": 4}],
            "type": "string",
            "maxLength": 2,
        },
    ],
)
def test_no_value_differs_or_is_counted_so(schema: Any) -> None:
    assert solve(schema).empty


@pytest.mark.parametrize(
    "schema",
    [
        {"enum": [1], "allOf": [MISSING]},
        {"type": "string", "anyOf": [{**MISSING, "minLength": 2}, {**MISSING, "maxLength": 1}]},
        {"type": "string", "oneOf": [{"type": "string"}, MISSING]},
        {"type": "array", "items": MISSING, "minItems": 1},
        {"type": "object", "properties": {"a": MISSING}, "required": ["a"]},
        {"type": "object", "additionalProperties": MISSING, "minProperties": 1},
        {"type": "object", "not": {"additionalProperties": {"not": MISSING}}},
        {
            "type": "object",
            "patternProperties": {"^a": MISSING},
            "propertyNames": {"pattern": "^a"},
            "minProperties": 2,
        },
        # One value is certain, but two are wanted.
        {"type": "array", "items": {"anyOf": [{"const": 1}, MISSING]}, "minItems": 2, "uniqueItems": True},
        {
            "type": "array",
            "items": {"enum": [1, 2], "anyOf": [{"const": 1}, MISSING]},
            "minItems": 2,
            "uniqueItems": True,
        },
        {"type": "array", "contains": MISSING, "maxContains": 0, "minContains": 0, "minItems": 1},
    ],
)
def test_what_hangs_on_an_opaque_set_is_neither_found_nor_refuted(schema: Any) -> None:
    assert solve(schema).unknown


def test_distinct_items_are_each_of_the_schema() -> None:
    item = {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"type": "integer"}},
        "not": {"properties": {"a": {"minimum": 1, "maximum": 3}}},
    }
    (value,) = solve({"type": "array", "items": item, "minItems": 5, "uniqueItems": True}).values
    numbers = [one["a"] for one in value]
    assert len(set(numbers)) == len(numbers) == 5
    assert not {1, 2, 3} & set(numbers)


def test_a_list_of_distinct_values_that_leaned_on_a_goal_above_is_not_kept() -> None:
    # Within `a`, `b` has one value only, since its others hold an `a`; by itself it has many.
    pair = {"type": "array", "items": {"$ref": "#/$defs/b"}, "minItems": 2, "uniqueItems": True}
    schema = {
        "$defs": {
            "a": {"anyOf": [{"type": "array", "items": pair, "minItems": 1}, {"type": "object"}]},
            "b": {
                "anyOf": [
                    {"const": 0},
                    {"type": "object", "properties": {"x": {"$ref": "#/$defs/a"}}, "required": ["x"]},
                ]
            },
        },
        "type": "array",
        "prefixItems": [{"$ref": "#/$defs/a"}, pair],
        "minItems": 2,
    }
    (value,) = solve(schema).values
    assert value[0] == {}
    assert value[1] == [0, {"x": {}}]


def test_further_keys_are_short_and_readable() -> None:
    (value,) = solve({"type": "object", "minProperties": 30, "properties": {"b": {"const": 1}}}).values
    letters = "acdefghijklmnopqrstuvwxyz"
    assert list(value) == ["b", "other", *letters, "aa", "ab", "ac"]
    assert value["b"] == 1

"""One change made alone: each kind of edit, and those that cannot be made without others."""

from __future__ import annotations

from typing import Any

import pytest

from compat.diff.apply import applied
from compat.diff.change import Change, Side
from compat.diff.walk import changes
from compat.model.references import schema_set
from compat.relation import Effect
from compat.rules.catalogue import RULES


def alone(old: Any, new: Any) -> list[Any]:
    return [applied(old, change) for change in changes(schema_set(old), schema_set(new))]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"enum": [1, 2]}, {"enum": [1]}, [{"enum": [1]}]),
        ({"enum": [1]}, {"enum": [1, 2]}, [{"enum": [1, 2]}]),
        ({"enum": [1, 2]}, {"enum": [1, 3]}, [{"enum": [1]}, {"enum": [1, 2, 3]}]),
        ({"type": ["string", "null"]}, {"type": "string"}, [{"type": "string"}]),
        ({"maximum": 9}, {"maximum": 8}, [{"maximum": 8}]),
        ({"minimum": 3}, {"exclusiveMinimum": 3}, [{"exclusiveMinimum": 3}]),
        ({"maxLength": 9}, {}, [{}]),
        ({}, {"maxLength": 9}, [{"maxLength": 9}]),
        ({"properties": {"a": {}, "b": {}}}, {"properties": {"a": {}}}, [{"properties": {"a": {}}}]),
        (
            {"items": {"anyOf": [{"type": "null"}]}},
            {"items": {"anyOf": [{"type": "null"}, {"minimum": 2}]}},
            [{"items": {"anyOf": [{"type": "null"}, {"minimum": 2}]}}],
        ),
        (
            {"type": "object"},
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
            [{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}],
        ),
    ],
)
def test_edits(old: Any, new: Any, expected: list[Any]) -> None:
    assert alone(old, new) == expected


def test_the_old_schema_is_left_as_it_was() -> None:
    old = {"properties": {"a": {"enum": [1, 2]}}}
    assert alone(old, {"properties": {"a": {"enum": [1]}}}) == [{"properties": {"a": {"enum": [1]}}}]
    assert old == {"properties": {"a": {"enum": [1, 2]}}}


@pytest.mark.parametrize("pointer", ["", "/gone/enum/0", "/enum/7"])
def test_what_leads_nowhere_cannot_be_made(pointer: str) -> None:
    side = Side("x", pointer, 1)
    change = Change("r", "enum", side, Side("x", "/enum", exists=False), "", "", Effect.NARROWS)
    assert applied({"enum": [1]}, change) is None


# Changes that are told by one keyword and made by several, or that move what stands behind them.
NOT_ALONE = {"dependent-required-added", "prefix-item-added", "conditional-added"}


@pytest.mark.parametrize("rule", RULES)
def test_the_only_change_of_an_example_makes_the_new_schema(rule: str) -> None:
    example = RULES[rule].example
    (made,) = alone(example.old, example.new)
    left = [] if made is None else [change.rule for change in changes(schema_set(made), schema_set(example.new))]
    assert (rule in left) is (rule in NOT_ALONE)

"""What a change of one keyword is called, and what the change next to it is called."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest

from compat.diff.change import Change
from compat.jsonvalue import JSON
from compat.relation import Effect

Diff = Callable[..., list[Change]]

TOLD: list[tuple[JSON, JSON, list[tuple[str, str]]]] = [
    # types are sets; number takes in integer
    ({"type": "integer"}, {"type": "number"}, [("type-added", "a number with a fraction is newly accepted.")]),
    (
        {"type": ["integer", "number"]},
        {"type": "number"},
        [("type-rewritten", "the same types are written in another way.")],
    ),
    ({"type": ["string", "null"]}, {"type": ["null", "string"]}, []),
    ({"type": "string"}, {"type": ["string", "array", "null"]}, [("type-added", "null and array are newly accepted.")]),
    (
        {"type": "number"},
        {"type": ["integer", "string"]},
        [("type-changed", "type changed from number to integer and string.")],
    ),
    # values are compared as JSON has them
    ({"enum": [1]}, {"enum": [1.0]}, []),
    (
        {"enum": [1]},
        {"enum": [True]},
        [("enum-value-removed", "1 is no longer accepted."), ("enum-value-added", "true is newly accepted.")],
    ),
    (
        {"enum": [[1]]},
        {"enum": [[True]]},
        [("enum-value-removed", "[1] is no longer accepted."), ("enum-value-added", "[true] is newly accepted.")],
    ),
    (
        {"enum": [0]},
        {"enum": [False]},
        [("enum-value-removed", "0 is no longer accepted."), ("enum-value-added", "false is newly accepted.")],
    ),
    ({"enum": ["a", "b"]}, {"enum": ["b", "a"]}, []),
    (
        {"enum": ["a", "a"]},
        {"enum": ["a"]},
        [("vacuous-keyword-changed", "enum is written in another way and means the same.")],
    ),
    ({"const": "a"}, {"enum": ["a", "b"]}, [("enum-value-added", '"b" is newly accepted.')]),
    ({"const": {"a": 1}}, {"const": {"a": 1.0}}, []),
    ({"const": 1}, {"const": True}, [("const-changed", "the constant changed from 1 to true.")]),
    # bounds
    ({"maximum": 30}, {"maximum": 14}, [("maximum-lowered", "maximum lowered from 30 to 14.")]),
    ({"maximum": 30}, {"maximum": 30.0}, []),
    (
        {"maximum": Decimal(18446744073709551617)},
        {"maximum": 18446744073709551616},
        [("maximum-lowered", "maximum lowered from 18446744073709551617 to 18446744073709551616.")],
    ),
    (
        {"minimum": 0},
        {"exclusiveMinimum": 0},
        [("minimum-became-exclusive", "minimum 0 became exclusive: 0 itself is no longer accepted.")],
    ),
    (
        {"exclusiveMaximum": 5},
        {"maximum": 5},
        [("maximum-became-inclusive", "maximum 5 became inclusive: 5 itself is newly accepted.")],
    ),
    ({"exclusiveMinimum": 0}, {"minimum": 1}, [("minimum-raised", "minimum raised from 0 (excluded) to 1.")]),
    (
        {"minimum": 1},
        {"minimum": 1, "exclusiveMinimum": 0},
        [("exclusive-minimum-added", "exclusiveMinimum 0 introduced.")],
    ),
    (
        {"multipleOf": 0.1},
        {"multipleOf": 0.01},
        [("multiple-of-loosened", "multipleOf changed from 0.1 to 0.01: more numbers fit.")],
    ),
    ({"multipleOf": 2}, {"multipleOf": 2.0}, []),
    ({"minLength": 0}, {"minLength": 3}, [("min-length-added", "minLength 3 introduced.")]),
    ({"minLength": 0}, {}, [("vacuous-keyword-changed", "minLength removed; it restricts nothing here.")]),
    (
        {"contains": True},
        {"contains": True, "minContains": 2},
        [("min-contains-raised", "minContains raised from 1 to 2.")],
    ),
    (
        {"contains": True},
        {"contains": True, "minContains": 0},
        [("min-contains-lowered", "minContains lowered from 1 to 0.")],
    ),
    (
        {"contains": True},
        {"contains": True, "minContains": 1},
        [("vacuous-keyword-changed", "minContains is written in another way and means the same.")],
    ),
    ({}, {"minContains": 2}, [("vacuous-keyword-changed", "minContains added; it restricts nothing here.")]),
    (
        {},
        {"contains": True, "minContains": 2},
        [("contains-added", "an item that satisfies the schema of contains is demanded now.")],
    ),
    # patterns by the strings they match
    (
        {"pattern": "^a"},
        {"pattern": "^a|^b"},
        [("pattern-loosened", 'pattern changed from "^a" to "^a|^b": every old value matches the new pattern.')],
    ),
    (
        {"pattern": "^[abc]$"},
        {"pattern": "^(a|b|c)$"},
        [("pattern-rewritten", 'pattern changed from "^[abc]$" to "^(a|b|c)$": the same strings match.')],
    ),
    (
        {"uniqueItems": False},
        {"uniqueItems": True},
        [("unique-items-added", "arrays with equal items are no longer accepted.")],
    ),
    ({"uniqueItems": False}, {}, [("vacuous-keyword-changed", "uniqueItems removed; it restricts nothing here.")]),
    # annotations and unknown keywords
    ({"default": 1}, {"default": 1.0}, []),
    ({"default": 1}, {"default": True}, [("default-changed", "default changed from 1 to true.")]),
    # DeepDiff, which words this, sees no difference here
    ({"examples": [1]}, {"examples": [True]}, [("examples-changed", "examples changed: its contents changed.")]),
    ({"examples": [1]}, {"examples": [1, 2]}, [("examples-changed", "examples changed: [1] added.")]),
    (
        {"mininum": 3},
        {"minimum": 3},
        [
            ("minimum-added", "minimum 3 introduced."),
            ("unknown-keyword-removed", '"mininum" removed; 2020-12 knows no such keyword.'),
        ],
    ),
    (
        {"x": {"a": 1}},
        {"x": {"a": 2}},
        [("unknown-keyword-changed", '"x" changed: a changed; 2020-12 knows no such keyword.')],
    ),
    # the two schemas without keywords
    (True, {}, [("vacuous-keyword-changed", "the schema that accepts everything is written in another way.")]),
    (False, {"not": {}}, [("schema-opened", "something is accepted here now; before, nothing was.")]),
    (
        {"properties": {"a": True}},
        {"properties": {"a": False}},
        [("schema-closed", "nothing is accepted here any more.")],
    ),
]


@pytest.mark.parametrize(("old", "new", "expected"), TOLD)
def test_a_change_is_told(diff: Diff, old: JSON, new: JSON, expected: list[tuple[str, str]]) -> None:
    assert [(change.rule, change.summary) for change in diff(old, new)] == expected


def test_an_undecided_pattern_is_called_changed(diff: Diff) -> None:
    (change,) = diff({"pattern": "^(a+)\\1b"}, {"pattern": "^(a+)b\\1"})
    assert change.rule == "pattern-changed"
    assert change.summary.startswith('pattern changed from "^(a+)\\1b" to "^(a+)b\\1"'), "no backslash is doubled"
    (broken,) = diff({"pattern": "("}, {"pattern": "a"})
    assert (broken.rule, broken.expected) == ("pattern-changed", Effect.UNKNOWN)


def test_an_asserted_format_restricts(diff: Diff) -> None:
    from compat.diff.walk import changes
    from compat.model.references import schema_set

    old, new = schema_set({"type": "string"}), schema_set({"type": "string", "format": "date"})
    assert [change.expected for change in changes(old, new)] == [Effect.NONE]
    assert [change.expected for change in changes(old, new, formats="assertion")] == [Effect.NARROWS]
    assert [change.expected for change in changes(new, old, formats="assertion")] == [Effect.WIDENS]


def test_an_enum_value_is_located_on_its_side_and_missing_on_the_other(diff: Diff) -> None:
    (change,) = diff({"enum": ["a", "b", "c"]}, {"enum": ["c", "a"]})
    assert (change.old.pointer, change.old.value, change.old.exists) == ("/enum/1", "b", True)
    assert (change.new.pointer, change.new.value, change.new.exists) == ("/enum", None, False)


def test_long_values_are_clipped(diff: Diff) -> None:
    (change,) = diff({"enum": ["x", "y" * 500]}, {"enum": ["x"]})
    assert len(change.summary) < 100
    assert "…" in change.summary
    assert change.old.value == "y" * 500


def test_a_deep_value_is_no_obstacle(diff: Diff) -> None:
    deep: JSON = 1
    other: JSON = 2
    for _ in range(240):
        deep, other = {"a": deep}, {"a": other}
    (change,) = diff({"const": deep}, {"const": other})
    assert change.rule == "const-changed"
    (described,) = diff({"default": deep}, {"default": other})
    assert described.summary == "default changed: its contents changed."

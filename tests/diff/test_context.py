"""The same edit means something else beside other keywords; the walk expects what the place allows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from compat.diff.change import Change
from compat.jsonvalue import JSON
from compat.relation import Effect

Diff = Callable[..., list[Change]]

NARROWS, WIDENS, BOTH, NONE, UNKNOWN = Effect.NARROWS, Effect.WIDENS, Effect.BOTH, Effect.NONE, Effect.UNKNOWN
TEXT: JSON = {"type": "string"}


@pytest.mark.parametrize(
    ("around", "prop", "rule", "effect"),
    [
        ({}, TEXT, "property-added", NARROWS),
        ({}, True, "property-added", NONE),
        ({}, {"description": "free"}, "property-added", NONE),
        ({"additionalProperties": True}, TEXT, "property-added", NARROWS),
        ({"additionalProperties": TEXT}, TEXT, "property-added", UNKNOWN),
        ({"patternProperties": {"^x": TEXT}}, TEXT, "property-added", UNKNOWN),
        ({"patternProperties": {}}, TEXT, "property-added", NARROWS),
        ({"additionalProperties": False}, TEXT, "property-added-to-closed", WIDENS),
        ({"additionalProperties": False}, False, "property-added-to-closed", NONE),
        ({"unevaluatedProperties": False}, TEXT, "property-added-to-closed", WIDENS),
    ],
)
def test_a_property_added(diff: Diff, around: dict[str, JSON], prop: JSON, rule: str, effect: Effect) -> None:
    old: JSON = {"properties": {"id": True}, **around}
    new: JSON = {"properties": {"id": True, "x": prop}, **around}
    (change,) = diff(old, new)
    expected = UNKNOWN if "unevaluatedProperties" in around and effect is NONE else effect
    assert (change.rule, change.expected) == (rule, expected)
    (back,) = diff(new, old)
    assert back.expected is change.expected.mirror


@pytest.mark.parametrize(
    ("around", "effect"),
    [({}, NARROWS), ({"additionalProperties": False}, BOTH), ({"additionalProperties": TEXT}, BOTH)],
)
def test_a_required_property_added(diff: Diff, around: dict[str, JSON], effect: Effect) -> None:
    new: JSON = {"properties": {"id": True, "x": TEXT}, "required": ["x"], **around}
    (change,) = diff({"properties": {"id": True}, **around}, new)
    assert (change.rule, change.expected) == ("required-property-added", effect)


def test_a_property_that_was_required_before_it_was_named_is_only_added(diff: Diff) -> None:
    (change,) = diff({"required": ["x"]}, {"required": ["x"], "properties": {"x": TEXT}})
    assert change.rule == "property-added"


@pytest.mark.parametrize(
    ("around", "item", "effect"),
    [
        ({}, TEXT, NARROWS),
        ({}, True, NONE),
        ({"items": False}, TEXT, WIDENS),
        ({"items": False}, True, WIDENS),
        ({"items": {"type": "null"}}, TEXT, UNKNOWN),
    ],
)
def test_a_position_added(diff: Diff, around: dict[str, JSON], item: JSON, effect: Effect) -> None:
    (change,) = diff({"prefixItems": [True], **around}, {"prefixItems": [True, item], **around})
    assert (change.rule, change.expected) == ("prefix-item-added", effect)


@pytest.mark.parametrize(
    ("around", "effect"),
    [({}, NARROWS), ({"additionalProperties": False}, WIDENS), ({"additionalProperties": TEXT}, UNKNOWN)],
)
def test_a_pattern_of_properties_added(diff: Diff, around: dict[str, JSON], effect: Effect) -> None:
    (change,) = diff({"minProperties": 1, **around}, {"minProperties": 1, "patternProperties": {"^x": TEXT}, **around})
    assert (change.rule, change.expected) == ("pattern-property-added", effect)


def test_a_changed_pattern_of_properties_is_hinted_at(diff: Diff) -> None:
    rich: JSON = {"type": "string", "enum": ["a", "b"], "description": "What it is."}
    found = diff({"patternProperties": {"^x-": rich}}, {"patternProperties": {"^x_": rich}})
    assert {(change.rule, change.hint) for change in found} == {
        ("pattern-property-added", 'looks changed from "^x-"'),
        ("pattern-property-removed", 'looks changed to "^x_"'),
    }


@pytest.mark.parametrize(
    ("branch", "effect"),
    [({"type": "null"}, WIDENS), ({"type": "integer"}, WIDENS), ({"minLength": 1}, UNKNOWN), (TEXT, UNKNOWN)],
)
def test_a_branch_of_one_of_added(diff: Diff, branch: JSON, effect: Effect) -> None:
    old: list[JSON] = [{"type": "string", "maxLength": 9}, {"type": "array"}]
    (change,) = diff({"oneOf": old}, {"oneOf": [*old, branch]})
    assert (change.rule, change.expected) == ("one-of-branch-added", effect)


@pytest.mark.parametrize(
    ("new", "rules"),
    [
        ({"allOf": [{"type": "string", "minLength": 1}]}, ["all-of-wrapped"]),
        ({"allOf": [{"type": "string", "minLength": 2}]}, ["all-of-wrapped", "min-length-raised"]),
        ({"oneOf": [{"type": "null"}, {"type": "string", "minLength": 1}]}, ["one-of-wrapped"]),
        ({"type": "string", "anyOf": [{"minLength": 1}]}, ["min-length-removed", "any-of-added"]),
    ],
)
def test_wrapping(diff: Diff, new: JSON, rules: list[str]) -> None:
    old: JSON = {"type": "string", "minLength": 1}
    assert [change.rule for change in diff(old, new)] == rules
    assert len(diff(new, old)) == len(rules)


def test_wrapping_keeps_annotations_where_they_are(diff: Diff) -> None:
    old: JSON = {"title": "T", "type": "string"}
    outside: JSON = {"title": "T", "anyOf": [{"type": "string"}, {"type": "null"}]}
    inside: JSON = {"anyOf": [{"title": "T", "type": "string"}, {"type": "null"}]}
    assert [change.rule for change in diff(old, outside)] == ["any-of-wrapped"]
    assert [change.rule for change in diff(old, inside)] == ["any-of-wrapped"]


@pytest.mark.parametrize(
    ("old", "new", "rules"),
    [
        ({"additionalProperties": TEXT}, {"additionalProperties": False}, ["additional-properties-closed"]),
        ({"additionalProperties": False}, {"additionalProperties": TEXT}, ["additional-properties-opened"]),
        ({"additionalProperties": TEXT}, {"additionalProperties": {}}, ["additional-properties-freed"]),
        ({"additionalProperties": TEXT}, {"additionalProperties": {"type": "null"}}, ["type-changed"]),
        ({"additionalProperties": True}, {"additionalProperties": {}}, ["vacuous-keyword-changed"]),
        ({"items": TEXT}, {"items": False}, ["items-closed"]),
        ({"if": TEXT, "then": {"minLength": 1}}, {"if": TEXT}, ["conditional-removed"]),
        ({"if": TEXT}, {}, ["vacuous-keyword-changed"]),
        ({"not": {"minimum": 1}}, {"not": {"minimum": 2}}, ["minimum-raised"]),
        ({"dependentRequired": {"a": ["b", "c"]}}, {"dependentRequired": {"a": ["c", "b"]}}, []),
        ({"dependentRequired": {"a": ["b"]}}, {"dependentRequired": {"a": ["c"]}},
         ["dependent-required-added", "dependent-required-removed"]),
        ({"dependentSchemas": {"a": TEXT}}, {"dependentSchemas": {"a": {"type": "null"}}}, ["type-changed"]),
    ],
)  # fmt: skip
def test_what_holds_a_schema_is_compared_inside_where_it_can_be(
    diff: Diff, old: JSON, new: JSON, rules: list[str]
) -> None:
    assert [change.rule for change in diff(old, new)] == rules

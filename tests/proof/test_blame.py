"""Which change a break is blamed on: never a harmless one where the culprit is known, never nobody's fault."""

from __future__ import annotations

from typing import Any

import pytest

import compat
from compat.jsonvalue import resolve
from compat.relation import Direction, Effect

TOOLS = {"type": "array", "items": {"type": "object", "properties": {"tool": {"$ref": "#/$defs/tool"}}}}


def choice(values: list[str], model: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Two kinds of message that a required constant tells apart, with a definition that both refer to."""
    user = {
        "type": "object",
        "required": ["role"],
        "properties": {"role": {"const": "user"}, "tools": TOOLS},
    }
    bot = {
        "type": "object",
        "required": ["role"],
        "properties": {"role": {"const": "bot"}, "tools": TOOLS, "model": model, **more},
    }
    return {"oneOf": [user, bot], "$defs": {"tool": {"enum": values}}}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        # Two values removed: each is refused by a reason of its own.
        (
            {"enum": ["a", "b", "c"]},
            {"enum": ["a"]},
            {("enum-value-removed", Effect.NARROWS)},
        ),
        # A constant in place of a type: both speak of one place, and it is the constant that refuses.
        (
            {"properties": {"partial": {"type": "boolean"}}},
            {"properties": {"partial": {"const": False}}},
            {("type-constraint-removed", Effect.NONE), ("const-added", Effect.NARROWS)},
        ),
        # A choice fails as a whole; what changed in a definition behind it is found by the instances it speaks of.
        (
            choice(["log", "act"], {"type": ["string", "null"]}),
            choice(["note", "act"], {"type": "string"}),
            {
                ("enum-value-removed", Effect.NARROWS),
                ("enum-value-added", Effect.WIDENS),
                ("type-removed", Effect.NARROWS),
            },
        ),
        # In a choice, too, a change that does nothing when made alone is let go where another is guilty.
        (
            choice(["log", "act"], {"type": "string", "maxLength": 5, "const": "abc"}),
            choice(["act"], {"type": "string", "maxLength": 4, "const": "abc"}),
            {("enum-value-removed", Effect.NARROWS), ("max-length-lowered", Effect.NONE)},
        ),
        # A reference to another definition: the reason stands there, the change where it is referred to.
        (
            {"properties": {"a": {"$ref": "#/$defs/any"}}, "$defs": {"any": {}, "text": {"type": "string"}}},
            {"properties": {"a": {"$ref": "#/$defs/text"}}, "$defs": {"any": {}, "text": {"type": "string"}}},
            {("ref-retargeted", Effect.NARROWS)},
        ),
        # A position has a schema of its own, and the schema of all items speaks of it no more.
        (
            {"type": "array", "items": {"type": "number"}},
            {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "number"}},
            {("prefix-item-added", Effect.BOTH)},
        ),
        # A property is gone and the schema of the others, elsewhere, speaks of it now.
        (
            {
                "properties": {"a": {}},
                "additionalProperties": {"$ref": "#/$defs/text"},
                "$defs": {"text": {"maxLength": 3}},
            },
            {"additionalProperties": {"$ref": "#/$defs/text"}, "$defs": {"text": {"maxLength": 3}}},
            {("property-removed", Effect.NARROWS)},
        ),
        # One place on two ways: it is told once, and both reasons are its fault.
        (
            {
                "properties": {"a": {"$ref": "#/$defs/one"}, "b": {"items": {"$ref": "#/$defs/one"}}},
                "$defs": {"one": {"properties": {"x": {"$ref": "#/$defs/any"}}}, "any": {}, "text": {"minLength": 1}},
            },
            {
                "properties": {"a": {"$ref": "#/$defs/one"}, "b": {"items": {"$ref": "#/$defs/one"}}},
                "$defs": {"one": {"properties": {"x": {"$ref": "#/$defs/text"}}}, "any": {}, "text": {"minLength": 1}},
            },
            {("ref-retargeted", Effect.NARROWS)},
        ),
    ],
)
def test_each_change_has_its_own_effect(old: Any, new: Any, expected: set[tuple[str, Effect]]) -> None:
    comparison = compat.compare(old, new)
    assert {(change.rule, change.effect) for change in comparison.changes} == expected
    assert not any(comparison.unclaimed(direction) for direction in Direction)


def test_a_cause_in_a_choice_is_shown_by_a_witness_of_its_own() -> None:
    comparison = compat.compare(
        choice(["log", "act"], {"type": ["string", "null"]}), choice(["act"], {"type": "string"})
    )
    shown = {}
    for change in comparison.changes:
        ((direction, reason),) = comparison.reasons_of(change)
        assert direction is Direction.BACKWARD
        shown[change.rule] = resolve(reason.witness, reason.instance_path)
    assert shown == {"enum-value-removed": "log", "type-removed": None}


def test_every_value_is_blamed_for_itself() -> None:
    comparison = compat.compare({"enum": ["a", "b", "c"]}, {"enum": ["c"]})
    blamed = {
        change.old.value: [reason.subject for _, reason in comparison.reasons_of(change)]
        for change in comparison.changes
    }
    assert blamed == {"a": ["a"], "b": ["b"]}


def test_changes_that_break_only_together_are_all_suspect() -> None:
    """Neither bound alone takes anything away that the other branch does not give back."""
    old = {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "integer", "maximum": 5}]}
    new = {"anyOf": [{"type": "integer", "minimum": 4}, {"type": "integer", "maximum": 2}]}
    comparison = compat.compare(old, new)
    assert comparison.backward.witness == 3
    assert {(change.rule, change.effect) for change in comparison.changes} == {
        ("minimum-raised", Effect.NARROWS),
        ("maximum-lowered", Effect.NARROWS),
    }


@pytest.mark.parametrize(
    "reference", [{"$ref": "#"}, {"$dynamicRef": "#node"}, {"$ref": "#/$defs/list"}], ids=lambda one: next(iter(one))
)
def test_a_reference_that_closes_a_loop_is_a_reason_where_nothing_else_is(reference: dict[str, Any]) -> None:
    rest: dict[str, Any] = {"$dynamicAnchor": "node", "$defs": {"list": {"items": {"$ref": "#"}}}}
    old = {**rest, "properties": {"next": {"type": ["object", "array"]}}}
    new = {**rest, "properties": {"next": {"type": ["object", "array"], **reference}}}
    comparison = compat.compare(old, new)
    assert comparison.backward.status is compat.Status.BREAKING
    assert comparison.backward.reasons
    assert comparison.unclaimed(Direction.BACKWARD) == ()
    assert {change.effect for change in comparison.changes} == {Effect.NARROWS}


def test_no_change_is_harmless_where_a_break_has_no_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compat.proof.reasons.Reasons.all", lambda _self: ())
    comparison = compat.compare({"maximum": 5}, {"maximum": 4})
    assert comparison.backward.status is compat.Status.BREAKING
    assert not comparison.backward.complete
    assert [change.effect for change in comparison.changes] == [Effect.UNKNOWN]

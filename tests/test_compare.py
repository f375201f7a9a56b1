"""The Python API: what a comparison says, field by field."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

import compat
from compat.errors import RegexError, SchemaError, UsageError
from compat.relation import Direction, Effect, Status

OPEN = {"type": "object", "properties": {"kind": {"enum": ["person", "harness"]}}, "required": ["kind"]}


def changed(schema: dict[str, Any], **properties: Any) -> dict[str, Any]:
    return {**schema, "properties": {**schema["properties"], **properties}}


def test_statuses_are_words() -> None:
    result = compat.compare({"type": "integer"}, {"type": "number"})
    assert (str(result.backward.status), str(result.forward.status)) == ("compatible", "breaking")
    assert result.effect is Effect.WIDENS


def test_null_may_be_the_witness() -> None:
    result = compat.compare({}, {"not": {"type": "null"}})
    assert result.backward.status is Status.BREAKING
    assert result.backward.witness is None


@pytest.mark.parametrize(
    ("old", "new", "undeclared"),
    [
        (OPEN, changed(OPEN, nick={"type": "string"}), True),
        (OPEN, changed(OPEN, kind={"enum": ["person"]}), False),
        # Free-form on purpose: every key counts as declared.
        (
            {**OPEN, "additionalProperties": True},
            changed({**OPEN, "additionalProperties": True}, nick={"type": "string"}),
            False,
        ),
        ({"type": "object"}, {"type": "object", "properties": {"nick": {"type": "string"}}}, False),
        # Named in `required` alone is declared, too.
        (
            {"required": ["nick"], "properties": {}},
            {"required": ["nick"], "properties": {"nick": {"type": "string"}}},
            False,
        ),
        # What a member declares may be spread over several schemas that reach it.
        (
            {
                "allOf": [
                    {"properties": {"a": {"properties": {"x": {}}, "required": ["x"]}}},
                    {"properties": {"a": {"properties": {"y": {}}, "required": ["y"]}}},
                ],
                "required": ["a"],
            },
            {"properties": {"a": {"type": "array"}}},
            False,
        ),
        # Deeper down and behind a reference it is the same question.
        (
            {"$defs": {"d": {"properties": {"a": {}}}}, "properties": {"in": {"items": {"$ref": "#/$defs/d"}}}},
            {"properties": {"in": {"items": {"properties": {"b": {"type": "string"}}}}}},
            True,
        ),
        (
            {"properties": {"in": {"properties": {"a": {"properties": {"in": {"$ref": "#"}}}}}}},
            {"properties": {"in": {"properties": {"a": {"properties": {"in": {"required": ["in"]}}}}}}},
            False,
        ),
        # The declaration may stand in another branch on the same instance.
        (
            {"allOf": [OPEN, {"properties": {"nick": {}}}]},
            {"allOf": [OPEN, {"properties": {"nick": {"type": "string"}}}]},
            False,
        ),
    ],
)
def test_undeclared_says_that_only_undeclared_properties_break(old: Any, new: Any, undeclared: bool) -> None:
    result = compat.compare(old, new)
    assert result.backward.status is Status.BREAKING
    assert result.backward.undeclared is undeclared


def test_a_witness_stays_readable_where_only_a_huge_one_keeps_to_what_is_declared() -> None:
    item = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    files = {"type": "array", "items": item, "uniqueItems": True}
    old = {"type": "object", "properties": {"files": files}}
    named = {**item, "properties": {**item["properties"], "name": {"type": "string"}}}
    new = {"type": "object", "properties": {"files": {**files, "items": named, "maxItems": 900}}}
    backward = compat.compare(old, new).backward
    assert (backward.status, backward.undeclared) == (Status.BREAKING, False)
    assert len(json.dumps(backward.witness)) < 100


def test_every_reason_is_given_with_its_place() -> None:
    old = {
        "type": "object",
        "properties": {
            "n": {"type": "integer", "minimum": 0},
            "tags": {"type": "array", "items": {"type": "string"}},
            "kind": {"enum": ["a", "b", "c"]},
        },
    }
    new = {
        "type": "object",
        "properties": {
            "n": {"type": "integer", "minimum": 1},
            "tags": {"type": "array", "items": {"type": "string", "maxLength": 2}},
            "kind": {"enum": ["a"]},
        },
        "required": ["n"],
    }
    found = {
        (reason.keyword_location, reason.instance_path, json.dumps(reason.subject))
        for reason in compat.compare(old, new).backward.reasons
    }
    assert found == {
        ("/properties/n/minimum", "/n", "0"),
        ("/properties/tags/items/maxLength", "/tags/0", '"aaa"'),
        ("/properties/kind/enum", "/kind", '"b"'),
        ("/properties/kind/enum", "/kind", '"c"'),
        ("/required/0", "", "{}"),
    }


def test_a_reason_behind_a_reference_names_the_definition() -> None:
    old = {"$defs": {"x": {"type": "string"}}, "properties": {"a": {"$ref": "#/$defs/x"}}}
    new = {"$defs": {"x": {"type": "string", "minLength": 1}}, "properties": {"a": {"$ref": "#/$defs/x"}}}
    (reason,) = compat.compare(old, new).backward.reasons
    assert (reason.keyword_location, reason.instance_path) == ("/$defs/x/minLength", "/a")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            {"$defs": {"dead": {"type": "string"}}, "type": "null"},
            {"$defs": {"dead": {"type": "null"}}, "type": "null"},
        ),
        ({"type": ["string", "null"]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        ({"minimum": 5, "maximum": 9}, {"minimum": 5, "exclusiveMinimum": 4, "maximum": 9}),
        (
            {"properties": {"a": {"enum": ["x"]}}},
            {"$defs": {"e": {"enum": ["x"]}}, "properties": {"a": {"$ref": "#/$defs/e"}}},
        ),
    ],
)
def test_changes_without_effect_are_proved_to_have_none(old: Any, new: Any) -> None:
    result = compat.compare(old, new)
    assert result.changes
    assert {change.effect for change in result.changes} == {Effect.NONE}


def test_each_change_has_the_effect_that_was_proved_for_it() -> None:
    old = changed(OPEN, n={"type": "integer", "maximum": 5})
    new = changed(OPEN, n={"type": "integer", "maximum": 3}, kind={"enum": ["person", "harness", "agent"]})
    effects = {change.rule: change.effect for change in compat.compare(old, new).changes}
    assert effects == {"maximum-lowered": Effect.NARROWS, "enum-value-added": Effect.WIDENS}


@pytest.mark.parametrize("formats", ["annotation", "assertion"])
def test_format_asserts_only_when_asked(formats: Any) -> None:
    result = compat.compare({"type": "string"}, {"type": "string", "format": "date"}, formats=formats)
    assert (result.backward.status is Status.COMPATIBLE) is (formats == "annotation")


def test_references_lead_to_resources() -> None:
    new = {"$ref": "https://example.org/name"}
    result = compat.compare({"type": "string"}, new, resources={"https://example.org/name": {"type": "string"}})
    assert result.backward.status is result.forward.status is Status.COMPATIBLE
    missing = compat.compare({"type": "string"}, new)
    assert missing.backward.status is Status.UNKNOWN
    assert "https://example.org/name" in missing.backward.doubts[0].why


def test_an_unresolved_reference_is_equal_to_itself() -> None:
    schema = {"properties": {"a": {"$ref": "https://example.org/x"}}}
    result = compat.compare(schema, {**schema, "title": "annotated"})
    assert result.backward.status is result.forward.status is Status.COMPATIBLE


def test_the_dialect_is_stated_or_given() -> None:
    array = {"items": [{"type": "string"}]}
    assert compat.compare(array, array, dialect="draft-07").backward.status is Status.COMPATIBLE
    with pytest.raises(SchemaError):
        compat.compare(array, array)
    # draft-07 ignores what stands beside `$ref`, 2020-12 does not.
    old = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"a": {"$ref": "#/definitions/a", "minLength": 3}},
        "definitions": {"a": {"type": "string"}},
    }
    new = {**old, "$schema": "https://json-schema.org/draft/2020-12/schema"}
    assert compat.compare(old, new).backward.status is Status.BREAKING


@pytest.mark.parametrize(
    ("schema", "error", "location"),
    [
        ({"properties": {"a": {"multipleOf": 0}}}, SchemaError, "/properties/a/multipleOf"),
        ({"properties": {"a": {"pattern": "("}}}, RegexError, "/properties/a/pattern"),
        ({"type": "strng"}, SchemaError, "/type"),
    ],
)
def test_a_schema_that_is_none_is_refused_with_its_place(schema: Any, error: type[SchemaError], location: str) -> None:
    with pytest.raises(error) as raised:
        compat.compare(schema, {})
    assert raised.value.location == location


def test_an_odd_reading_of_formats_is_refused() -> None:
    with pytest.raises(UsageError):
        compat.compare({}, {}, formats="maybe")  # type: ignore[arg-type]


def test_too_few_steps_are_an_honest_unknown() -> None:
    big = {"type": "array", "items": {"type": "integer"}, "uniqueItems": True, "minItems": 400}
    result = compat.compare(big, {"minItems": 401}, steps=50)
    assert result.backward.status is Status.UNKNOWN
    assert "50 steps" in result.backward.doubts[-1].why


def test_disjoint_versions_are_told() -> None:
    assert compat.compare({"const": 1}, {"const": 2}).disjoint is True
    assert compat.compare({"enum": [1, 2]}, {"const": 2}).disjoint is False


PROGRAM = """
import compat, json
old = {"type": "object", "properties": {"a": {"enum": ["x", "y", 1, None]}, "b": {"pattern": "^[a-z]+$"}},
       "patternProperties": {"^p": {"type": "integer"}, "q$": {"minimum": 3}}, "minProperties": 2}
new = {"type": "object", "properties": {"a": {"enum": ["x"]}, "b": {"pattern": "^[a-y]+$"}},
       "patternProperties": {"^p": {"type": "integer", "maximum": 9}, "q$": {"minimum": 4}}, "minProperties": 3}
result = compat.compare(old, new)
print(json.dumps([[d.status, d.witness, d.steps, [[r.keyword_location, r.instance_path, r.witness] for r in d.reasons]]
                  for d in (result.backward, result.forward)]))
print([[c.rule, c.old.pointer, c.new.pointer, c.effect] for c in result.changes])
"""


def test_hash_seeds_change_nothing() -> None:
    said = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(said) == 1
    assert "/properties/a/enum" in said.pop()


def test_asking_in_another_order_changes_nothing() -> None:
    old, new = changed(OPEN, kind={"enum": ["person"]}), changed(OPEN, n={"type": "integer"})
    first, second = compat.compare(old, new), compat.compare(old, new)
    _ = (second.forward.reasons, second.changes)
    for direction in Direction:
        one, other = first.verdict(direction), second.verdict(direction)
        assert (one.status, one.witness, one.steps) == (other.status, other.witness, other.steps)
    assert first.changes == second.changes

"""The quick look: what it does not see is not there, and it never changes an answer."""

from __future__ import annotations

import pytest

from compat.errors import SchemaError
from compat.jsonvalue import JSON
from compat.model.document import document_of
from compat.model.glance import glance
from compat.model.references import check_schema, schema_set


def test_it_sees_what_is_written_anywhere() -> None:
    schema: JSON = {
        "$id": "urn:root",
        "$ref": "#/$defs/a",
        "$defs": {"a": {"$id": "urn:a", "pattern": "x"}, "b": [{"patternProperties": {"y": {"$dynamicRef": "other"}}}]},
        "properties": {"pattern": {"$ref": 5}, "id": True},
    }
    seen = glance(schema)
    assert seen.references == {"#/$defs/a", "other"}
    assert seen.patterns == {"x", "y"}
    assert seen.identifiers == {"$id"}
    assert {"a", "y", "id", "pattern"} <= seen.keys
    assert not seen.is_closed
    assert glance({"$ref": "#a", "not": {"$recursiveRef": "#"}}).is_closed


def test_a_document_looks_once() -> None:
    document = document_of({"a": [1]})
    assert document.glance is document.glance


@pytest.mark.parametrize("schema", [True, 5, [], {}])
def test_anything_can_be_looked_at(schema: JSON) -> None:
    assert glance(schema).references == frozenset()


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/refs/bad", "refs": {"bad": {"type": 5}}},
        {"$ref": "#/$defs/a/refs/bad", "$defs": {"a": {"refs": {"bad": {"type": 5}}}}},
        {"$ref": "#/%24defs/a/x", "$defs": {"a": {"x": {"minimum": "1"}}}},
        {"$ref": "#/properties", "properties": {"minimum": {}}},
        {"not": {"$ref": "urn:a"}, "$defs": {"a": {"$id": "urn:a", "multipleOf": 0}}},
        {"items": {"pattern": "("}},
    ],
)
def test_faults_are_found_where_a_quick_look_is_not_enough(schema: JSON) -> None:
    with pytest.raises(SchemaError):
        check_schema(schema_set(schema))


@pytest.mark.parametrize(
    "schema",
    [
        {"default": {"pattern": "("}},
        {"properties": {"pattern": {"type": "string"}, "$ref": {"type": "string"}}},
        {"enum": [{"$ref": "file:///etc/passwd", "$schema": "http://json-schema.org/draft-03/schema#"}]},
        {"$ref": "#/nowhere/at/all"},
        {"$ref": "#/refs/good", "refs": {"good": {"type": "null"}}},
    ],
)
def test_what_only_looks_like_a_fault_is_none(schema: JSON) -> None:
    check_schema(schema_set(schema))

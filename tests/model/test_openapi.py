"""OpenAPI 2.0 and 3.0 documents, whose schemas are not quite JSON Schema."""

from __future__ import annotations

import pytest

from compat.jsonvalue import JSON
from compat.model.document import document_of
from compat.model.openapi import NOTE, as_draft4, is_old_openapi


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"openapi": "3.0.3"}, True),
        ({"openapi": "3.0"}, True),
        ({"swagger": "2.0"}, True),
        ({"swagger": 2.0}, True),
        ({"openapi": "3.1.0"}, False),
        ({"openapi": "3.01"}, False),
        ({"openapi": 3.0}, False),
        ({"asyncapi": "3.0.0"}, False),
        ({"type": "object"}, False),
        ([], False),
    ],
)
def test_what_comes_before_31(value: JSON, expected: bool) -> None:
    assert is_old_openapi(value) is expected


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        ({"type": "string", "nullable": False}, {"type": "string"}),
        ({"type": "string", "nullable": "yes"}, {"type": "string", "nullable": "yes"}),
        ({"nullable": True, "minLength": 1}, {"minLength": 1}),
        ({"type": "string", "nullable": True, "enum": ["a"]}, {"type": ["string", "null"], "enum": ["a"]}),
        (
            {"properties": {"nullable": {"type": "integer", "nullable": True}, "type": {"type": "string"}}},
            {"properties": {"nullable": {"type": ["integer", "null"]}, "type": {"type": "string"}}},
        ),
        ({"allOf": [{"type": "object", "nullable": True}]}, {"allOf": [{"type": ["object", "null"]}]}),
        ({"enum": [{"type": "x", "nullable": True}]}, {"enum": [{"type": "x", "nullable": True}]}),
        ({"default": {"type": "x", "nullable": True}}, {"default": {"type": "x", "nullable": True}}),
        (
            {"properties": {"default": {"type": "string", "nullable": True}}},
            {"properties": {"default": {"type": ["string", "null"]}}},
        ),
    ],
)
def test_nullable_stands_beside_a_type(schema: JSON, expected: JSON) -> None:
    read = as_draft4(document_of({"openapi": "3.0.3", "components": {"schemas": {"enum": schema}}}))
    assert read.value == {"openapi": "3.0.3", "components": {"schemas": {"enum": expected}}}
    assert read.notes[-1] == NOTE

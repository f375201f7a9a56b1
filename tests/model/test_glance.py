"""The quick look: what it does not see is not there, and it never changes an answer."""

from __future__ import annotations

from collections import OrderedDict
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compat.errors import ParseError, SchemaError
from compat.jsonvalue import JSON, walk
from compat.model.dialects import Dialect
from compat.model.document import document_of
from compat.model.glance import Glance, glance
from compat.model.references import check_schema, schema_set

D4, D7 = Dialect.DRAFT4.uri, Dialect.DRAFT7.uri


def look(value: JSON) -> Glance:
    return glance(value, "x")


def test_it_sees_what_is_written_anywhere() -> None:
    schema: JSON = {
        "$id": "urn:root",
        "$ref": "#/$defs/a",
        "$defs": {"a": {"$id": "urn:a", "pattern": "x"}, "b": [{"patternProperties": {"y": {"$dynamicRef": "other"}}}]},
        "properties": {"pattern": {"$ref": 5}, "id": True},
    }
    seen = look(schema)
    assert seen.references == {"#/$defs/a", "other"}
    assert seen.patterns == {"x", "y"}
    assert seen.identifiers == {"$id"}
    assert {"a", "y", "id", "pattern"} <= seen.keys
    assert not seen.is_closed
    assert look({"$ref": "#a", "not": {"$recursiveRef": "#"}}).is_closed


def test_a_document_looks_once() -> None:
    document = document_of({"a": [1]})
    assert document.glance is document.glance


@pytest.mark.parametrize("schema", [True, 5, [], {}])
def test_anything_can_be_looked_at(schema: JSON) -> None:
    assert look(schema).references == frozenset()


NAMES = ["$ref", "$dynamicRef", "$recursiveRef", "$id", "id", "$schema", "pattern", "patternProperties", "a"]


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.recursive(
        st.sampled_from(["#a", "b", 1, None]),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
        max_leaves=12,
    )
)
def test_it_sees_what_is_there_and_nothing_else(value: JSON) -> None:
    objects = [(path, item) for path, item in walk(value) if isinstance(item, dict)]

    def strings(*names: str, below: bool = False) -> set[tuple[str, object]]:
        pairs = [(name, item[name]) for path, item in objects if path or not below for name in names if name in item]
        return {(name, held) for name, held in pairs if isinstance(held, str)}

    seen = look(value)
    assert seen.keys == {key for _, item in objects for key in item}
    assert seen.references == {held for _, held in strings("$ref", "$dynamicRef", "$recursiveRef")}
    keyed = [item.get("patternProperties") for _, item in objects]
    assert seen.patterns == {held for _, held in strings("pattern")} | {
        pattern for patterns in keyed if isinstance(patterns, dict) for pattern in patterns
    }
    assert seen.identifiers == {name for name, _ in strings("$id", "id", "$schema", below=True)}
    assert seen.is_plain


class Text(str):
    """A string that is one only nearly."""


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        ({"a": [1, 0.5, True, None, "x", {}, -(2**64) + 1]}, True),
        ({"a": 2**64}, False),
        ([Decimal("0.1")], False),
        ([float("nan")], False),
        ([float("-inf")], False),
        ([(1,)], False),
        ([{1}], False),
        ({1: 2}, False),
        ([Text("x")], False),
        (OrderedDict(a=1), False),
        ([OrderedDict(a=(1,))], False),
    ],
)
def test_it_tells_plain_values_from_all_others(value: Any, plain: bool) -> None:
    assert look(value).is_plain is plain


@pytest.mark.parametrize("value", [[(1,)], {"a": {1}}, {1: 2}, OrderedDict(a=(1,)), [float("nan")], [UUID(int=1)]])
def test_what_is_no_json_makes_no_document(value: Any) -> None:
    with pytest.raises(ParseError):
        document_of(value)


def test_what_is_nearly_plain_does() -> None:
    assert document_of(OrderedDict(a=Text("x"))).glance.keys == {"a"}


def test_a_value_without_end_is_no_document() -> None:
    value: list[Any] = []
    value.append(value)
    with pytest.raises(ParseError, match="nests deeper"):
        document_of(value)


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/refs/bad", "refs": {"bad": {"type": 5}}},
        {"$ref": "#/$defs/a/refs/bad", "$defs": {"a": {"refs": {"bad": {"type": 5}}}}},
        {"$ref": "#/%24defs/a/x", "$defs": {"a": {"x": {"minimum": "1"}}}},
        {"$ref": "#/properties", "properties": {"minimum": {}}},
        {"not": {"$ref": "urn:a"}, "$defs": {"a": {"$id": "urn:a", "multipleOf": 0}}},
        {"items": {"pattern": "("}},
        {"$schema": D7, "$ref": "#/$defs/a", "$defs": {"a": {"type": 5}}},
        {"$schema": D7, "$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"not": {"minLength": -1}}}},
        {"$schema": D7, "$ref": "#/$defs/a/$defs/b", "$defs": {"a": {"$defs": {"b": {"type": 5}}}}},
        {"$schema": D4, "properties": {"a": {"$ref": "#/definitions/a"}}, "definitions": {"a": {"type": 5}}},
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
        {"$schema": D7, "$ref": "#/$defs/a", "$defs": {"a": {"type": "null"}}},
        {"$schema": D7, "$ref": "#/$defs/a", "$defs": {"a": {"type": "null"}, "b": {"type": 5}}},
        {"$schema": D7, "$ref": "#/$defs/nowhere", "$defs": {"a": {"type": "null"}}},
        {"$schema": D7, "$defs": [5]},
    ],
)
def test_what_only_looks_like_a_fault_is_none(schema: JSON) -> None:
    check_schema(schema_set(schema))

"""What two documents say alike, told from their texts alone."""

from __future__ import annotations

from typing import Any

import pytest

import compat
from compat.logic.texts import Texts, are_closed
from compat.model.references import schema_set
from compat.relation import Status

DRAFT4 = "http://json-schema.org/draft-04/schema#"


def texts(old: Any, new: Any) -> Texts:
    roots = schema_set(old).root, schema_set(new).root
    assert are_closed(*roots)
    return Texts(*roots)


@pytest.mark.parametrize(
    ("old", "closed"),
    [
        ({"properties": {"a": {"$ref": "#/$defs/x"}, "b": {"$ref": "#"}}}, True),
        ({"$id": "https://example.org/root", "properties": {"a": {}}}, True),
        ({"properties": {"a": {"$id": "part"}}}, False),
        ({"properties": {"a": {"id": "part"}}}, True),
        ({"$schema": DRAFT4, "properties": {"a": {"id": "part"}}}, False),
        ({"properties": {"a": {"id": "part", "$schema": DRAFT4}}}, False),
        ({"properties": {"a": {"$schema": DRAFT4}}}, True),
        ({"properties": {"id": {"type": "string"}}}, True),
        ({"$ref": "#name", "$defs": {"x": {"$anchor": "name"}}}, False),
        ({"$ref": "other.json"}, False),
        ({"properties": {"a": {"$dynamicRef": "#/$defs/x"}}}, False),
    ],
)
def test_a_text_is_all_there_is_where_nothing_leads_out_of_it(old: Any, closed: bool) -> None:
    assert are_closed(schema_set(old).root, schema_set(old).root) is closed


def test_two_dialects_read_one_text_differently() -> None:
    assert not are_closed(schema_set({"$schema": DRAFT4}).root, schema_set({}).root)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"const": True}, {"const": 1}, False),
        ({"const": 1.0}, {"const": 1}, True),
        ({"title": "A", "type": "string"}, {"type": "string"}, True),
        ({"x-internal": 1, "type": "string"}, {"type": "string", "x-internal": 2}, True),
        ({"type": "string"}, {"type": "string", "minLength": 0}, False),
        ({"enum": [1, 2]}, {"enum": [1.0, 2]}, True),
        ({"items": {"title": "A"}}, {"items": {"title": "B"}}, True),
        ({"prefixItems": [{"title": "A"}, {}]}, {"prefixItems": [{"title": "B"}]}, False),
        ({"properties": {"a": {"title": "A"}}}, {"properties": {"b": {"title": "A"}}}, False),
        ({"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a", "title": "T"}, True),
        ({"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}, False),
        ({"$ref": "#/$defs/changed"}, {"$ref": "#/$defs/changed"}, False),
        ({"$ref": "#/$defs/nowhere"}, {"$ref": "#/$defs/nowhere"}, False),
        ({"$defs": {"inner": {"type": "null"}}}, {"$defs": {}}, True),
        (True, True, True),
        (True, False, False),
        ({}, True, False),
    ],
)
def test_places_are_the_same_if_they_assert_the_same(one: Any, other: Any, same: bool) -> None:
    shared = {"a": {"type": "string"}, "b": {"type": "string"}}
    old = {"$defs": {**shared, "x": one, "changed": {"minimum": 0}}}
    new = {"$defs": {**shared, "x": other, "changed": {"minimum": 1}}}
    assert texts(old, new).same("/$defs/x") is same
    assert texts(new, old).same("/$defs/x") is same


def test_beside_a_reference_of_draft_07_nothing_counts() -> None:
    def document(beside: dict[str, Any]) -> dict[str, Any]:
        part = {"$ref": "#/definitions/a", **beside}
        return {"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"x": part, "a": {"type": "null"}}}

    assert texts(document({"minLength": 1}), document({})).same("/definitions/x")
    assert not texts(document({"minLength": 1}), {"$schema": document({})["$schema"], "definitions": {}}).same(
        "/definitions/x"
    )


def test_definitions_that_refer_to_each_other_are_the_same_unless_one_differs() -> None:
    def document(least: int) -> dict[str, Any]:
        return {
            "$defs": {
                "a": {"properties": {"b": {"$ref": "#/$defs/b"}}},
                "b": {"properties": {"a": {"$ref": "#/$defs/a"}, "c": {"$ref": "#/$defs/c"}}},
                "c": {"minimum": least},
                "d": {"items": {"$ref": "#/$defs/d"}},
            }
        }

    alike, changed = texts(document(0), document(0)), texts(document(0), document(1))
    assert [alike.same(f"/$defs/{name}") for name in "abcd"] == [True] * 4
    assert [changed.same(f"/$defs/{name}") for name in "dabc"] == [True, False, False, False]
    assert changed.text("/$defs/a") is None
    assert changed.text("/$defs/d") is not None


def test_members_that_say_the_same_are_named_but_lists_of_values() -> None:
    def document(least: int) -> dict[str, Any]:
        return {
            "properties": {
                "plain": {"type": "string"},
                "list": {"enum": ["a"]},
                "one": {"const": 1},
                "changed": {"minimum": least},
                "behind": {"$ref": "#/$defs/changed"},
                "behind list": {"$ref": "#/$defs/list"},
                "fine": {"$ref": "#/$defs/fine"},
            },
            "$defs": {"changed": {"minimum": least}, "list": {"enum": [1]}, "fine": {"type": "object"}},
        }

    assert list(texts(document(0), document(1)).members("")) == ["plain", "fine"]
    assert texts(document(0), document(1)).members("/$defs/fine") == {}


def test_no_string_hides_a_reference() -> None:
    # The bytes of a keyword and its string, written into a string; what they end in begins the next value.
    disguise = "u\x04\x00\x00\x00$refu"
    part = {"description": disguise, "$ref": "#/$defs/x"}
    old: dict[str, Any] = {"properties": {"a": {"items": part}}, "$defs": {"x": {"type": "string"}}}
    new: dict[str, Any] = {**old, "$defs": {"x": {"type": "integer"}}}
    assert texts(old, new).text("/properties/a") is None
    assert compat.compare(old, new).backward.status is Status.BREAKING


@pytest.mark.parametrize("ref", ["#/$defs/a%20b", "#/$defs/a~1b", "#/$defs/a%2520b", "#/$defs/%C3%A4"])
def test_a_reference_is_followed_as_it_is_meant(ref: str) -> None:
    names = {"#/$defs/a%20b": "a b", "#/$defs/a~1b": "a/b", "#/$defs/a%2520b": "a%20b", "#/$defs/%C3%A4": "ä"}

    def document(kind: str) -> dict[str, Any]:
        return {"properties": {"p": {"items": {"$ref": ref}}}, "$defs": {names[ref]: {"type": kind}}}

    assert texts(document("null"), document("null")).text("/properties/p") is not None
    assert texts(document("null"), document("string")).text("/properties/p") is None

"""Where a schema offers real values for a place of its instances."""

from __future__ import annotations

from typing import Any

import pytest

from compat.model.references import schema_set
from compat.proof.offers import Offers
from compat.proof.verdict import Origin

GIVEN = {"examples": ["x"], "default": "d"}


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        (GIVEN, ()),
        ({"properties": {"a": GIVEN}}, ("a",)),
        ({"properties": {"a": {"properties": {"b": GIVEN}}}}, ("a", "b")),
        ({"patternProperties": {"^a": GIVEN}, "additionalProperties": {"examples": ["y"]}}, ("ab",)),
        ({"properties": {"a": {}}, "additionalProperties": GIVEN}, ("b",)),
        ({"items": GIVEN}, (3,)),
        ({"prefixItems": [{}, GIVEN], "items": {"examples": ["y"]}}, (1,)),
        ({"prefixItems": [{}], "items": GIVEN}, (1,)),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "items": [{}, GIVEN]}, (1,)),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "items": [{}], "additionalItems": GIVEN}, (1,)),
        # Whatever branch, and through references, also those that close a circle.
        ({"allOf": [{"anyOf": [{}, {"oneOf": [{"properties": {"a": GIVEN}}]}]}]}, ("a",)),
        ({"if": {}, "then": {"properties": {"a": GIVEN}}}, ("a",)),
        ({"dependentSchemas": {"b": {"properties": {"a": GIVEN}}}}, ("a",)),
        ({"items": {"$ref": "#/$defs/t"}, "$defs": {"t": {"anyOf": [{"$ref": "#/$defs/t"}, GIVEN]}}}, (0,)),
        ({"properties": {"a": {"$ref": "#"}}, **GIVEN}, ("a", "a")),
        # Beside a reference that leads nowhere.
        ({"properties": {"a": {"$ref": "https://example.org/nowhere", **GIVEN}}}, ("a",)),
    ],
)
def test_offers_are_found(schema: Any, path: tuple[str | int, ...]) -> None:
    offers = Offers(schema_set(schema))
    found = [(offer.value, offer.origin) for offer in offers.at(path)]
    assert found[:1] + found[-1:] == [("x", Origin.EXAMPLE), ("d", Origin.DEFAULT)]
    assert offers.any
    assert offers.lists(path, "x")
    assert offers.lists(path, "d")
    assert not offers.lists(path, "y")


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        # Another place, a subschema that speaks of no instance, of keys, or of what an instance is not.
        ({"properties": {"a": GIVEN}}, ("b",)),
        ({"properties": {"a": GIVEN}}, (0,)),
        ({"$defs": {"a": GIVEN}}, ()),
        ({"not": GIVEN}, ()),
        ({"if": GIVEN}, ()),
        ({"propertyNames": GIVEN}, ("a",)),
        ({"patternProperties": {"^a": GIVEN}}, ("b",)),
        ({"properties": {"a": {}}, "additionalProperties": GIVEN}, ("a",)),
        # Values that say nothing, or are written as no draft has them.
        ({"examples": [None, "", {}, []], "default": None}, ()),
        ({"examples": {"one": {"value": "x"}}}, ()),
    ],
)
def test_nothing_is_offered(schema: Any, path: tuple[str | int, ...]) -> None:
    assert list(Offers(schema_set(schema)).at(path)) == []


def test_false_and_zero_are_values() -> None:
    assert [offer.value for offer in Offers(schema_set({"examples": [0, False], "default": 0.0})).at(())] == [
        0,
        False,
        0.0,
    ]


def test_what_a_place_may_hold_is_no_secret_there() -> None:
    offers = Offers(schema_set({"properties": {"a": {"enum": [1, "b"]}, "c": {"const": True}, "d": {}}}))
    assert offers.lists(("a",), 1.0)
    assert not offers.lists(("a",), True)
    assert offers.lists(("c",), True)
    assert not offers.lists(("c",), 1)
    assert not offers.lists(("d",), "b")


def test_published_names_are_those_the_schema_writes() -> None:
    offers = Offers(schema_set({"properties": {"a": {"required": ["b"], "enum": ["c"]}}, "description": "d"}))
    assert {"a", "b"} <= offers.names
    assert offers.names.isdisjoint({"c", "d"})


def test_without_a_telling_keyword_nothing_is_looked_for() -> None:
    assert not Offers(schema_set({"properties": {"a": {"enum": [1]}}})).any

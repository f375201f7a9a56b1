"""The part of a schema that a value can meet: it answers as the whole does, and what it cannot follow it leaves be."""

from __future__ import annotations

from typing import Any

import pytest
from generate import schemas_of, values
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compat.errors import SchemaError
from compat.jsonvalue import JSON
from compat.model.dialects import Dialect
from compat.model.instance import BulkValidator, SecondOpinion, Validator
from compat.model.projection import Met, is_projectable, projection
from compat.model.references import check_schema, schema_set

D4, D6, D7, D19, D20 = (dialect.uri for dialect in Dialect)
STRINGS = [f"name{number}" for number in range(12)]


def projected(schema: JSON, value: JSON) -> Any:
    schemas = schema_set(schema)
    assert is_projectable(schemas)
    return projection(schemas, Met.of(value))


@pytest.mark.parametrize(
    ("schema", "value", "kept"),
    [
        ({"properties": {"a": {"type": "null"}, "b": {}}}, {"a": 1}, {"properties": {"a": {"type": "null"}}}),
        ({"properties": {"a": {}}}, {"b": 1}, {"properties": {}}),
        # The name of a member is met wherever it stands.
        ({"properties": {"a": {}, "b": {}}}, [[{"b": {}}]], {"properties": {"b": {}}}),
        ({"properties": {"a": {}}, "required": ["a"]}, {}, {"required": ["a"]}),
        ({"properties": {"a": {}}, "maxProperties": 1}, "a", {"maxProperties": 1}),
        ({"patternProperties": {"^z": {}}, "propertyNames": {"pattern": "x"}}, {"a": 1}, "all"),
        ({"additionalProperties": False, "unevaluatedProperties": False}, {"a": 1}, "all"),
        ({"dependentSchemas": {"a": {}, "b": {}}}, {"a": 1}, {"dependentSchemas": {"a": {}}}),
        (
            {"$schema": D7, "dependencies": {"a": ["b"], "b": {}}},
            {"a": 1},
            {"$schema": D7, "dependencies": {"a": ["b"]}},
        ),
        ({"items": {"type": "null"}, "minItems": 1}, [], {"minItems": 1}),
        ({"items": {"type": "null"}, "minItems": 1}, {"a": [[]]}, "all"),
        ({"contains": {}, "minContains": 0}, [], "all"),
        ({"contains": {}, "minContains": 0}, {}, {}),
        ({"enum": STRINGS}, "name3", {"enum": ["name0", "name3"]}),
        ({"enum": STRINGS}, {"name3": 1}, {"enum": ["name0", "name3"]}),
        ({"enum": [*STRINGS, 1, None]}, 1, {"enum": ["name0", 1, None]}),
        ({"enum": STRINGS[:3]}, 1, "all"),
        ({"title": "t", "description": "d", "default": 1, "examples": [], "x-y": 1}, 1, {"x-y": 1}),
        ({"const": {"title": 1, "properties": {"a": 1}}}, 1, "all"),
        ({"properties": {"title": {}, "definitions": {}}}, {"title": 1, "definitions": 2}, "all"),
        ({"allOf": [{"title": "t"}, True], "not": {"$comment": "c"}}, 1, {"allOf": [{}, True], "not": {}}),
        (
            {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {}, "c": {}}},
            1,
            {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {}}},
        ),
        ({"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {}}}, {"b": 1}, {"properties": {}}),
        (
            {"$ref": "#/properties/a", "properties": {"a": {}, "b": {}}},
            1,
            {"$ref": "#/properties/a", "properties": {"a": {}}},
        ),
        ({"$ref": "#/items", "items": {}}, 1, "all"),
        ({"$ref": "#/allOf/1/not", "allOf": [{}, {"not": {}}]}, 1, "all"),
        (
            {"$ref": "#/$defs/a/$defs/b", "$defs": {"a": {"type": "null", "$defs": {"b": {}, "c": {}}}}},
            1,
            {"$ref": "#/$defs/a/$defs/b", "$defs": {"a": {"type": "null", "$defs": {"b": {}}}}},
        ),
        ({"$ref": "#/%24defs/a~1b%25", "$defs": {"a/b%": {}}}, 1, "all"),
        ({"$schema": D7, "$ref": "#/$defs/a", "$defs": {"a": {}}}, 1, "all"),
        ({"not": {"$ref": "#"}}, 1, "all"),
        ({"$id": "urn:a", "properties": {"b": {}}}, {}, {"$id": "urn:a"}),
    ],
)
def test_what_a_value_cannot_meet_is_left_out(schema: JSON, value: JSON, kept: JSON) -> None:
    assert projected(schema, value) == (schema if kept == "all" else kept)


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/nowhere"},
        {"$ref": "#/types/a", "types": {"a": {}}},
        {"$ref": "#/enum/0", "enum": [{}]},
        {"$ref": "#/dependentRequired/a", "dependentRequired": {"a": ["b"]}},
        {"$ref": "#/properties", "properties": {"a": {}}},
        {"$ref": "#/allOf/01", "allOf": [{}, {}]},
        {"$ref": "#/allOf/2", "allOf": [{}, {}]},
        {"$ref": "#a", "$defs": {"a": {"$anchor": "a"}}},
        {"$schema": D6, "$ref": "#/if", "if": {}},
    ],
)
def test_a_reference_that_keywords_do_not_lead_to_is_not_followed(schema: JSON) -> None:
    assert projected(schema, 1) is None


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {"$ref": "other.json"},
        {"$defs": {"a": {"$id": "urn:a"}}},
        {"$defs": {"a": {"$schema": D7}}},
        {"$schema": D4, "definitions": {"a": {"id": "#a"}}},
        {"$dynamicRef": "#a"},
        {"$schema": D19, "items": {"$recursiveRef": "#"}},
    ],
)
def test_where_references_may_be_more_than_pointers_nothing_is_projected(schema: JSON) -> None:
    assert not is_projectable(schema_set(schema))


def test_neither_is_a_part_of_a_document() -> None:
    assert not is_projectable(schema_set({"a": {"type": "null"}}, at="/a"))


def test_a_schema_that_occurs_at_two_places_is_kept_at_both() -> None:
    one: JSON = {"properties": {"a": {}, "b": {}}}
    assert projected({"not": one, "items": one}, [{"a": 1}]) == {k: {"properties": {"a": {}}} for k in ("not", "items")}


def test_a_long_chain_of_references_is_followed() -> None:
    schema: JSON = {"$defs": {str(n): {"$ref": f"#/$defs/{n + 1}"} for n in range(5000)}, "$ref": "#/$defs/0"}
    schema["$defs"]["5000"] = {"type": "null"}  # type: ignore[call-overload,index]
    assert projected(schema, 1) == schema


@pytest.mark.parametrize("asked", [1, 40])
def test_however_often_it_is_asked_the_opinion_is_the_same(asked: int) -> None:
    schema: JSON = {"properties": {name: {"maximum": 5} for name in STRINGS}, "additionalProperties": False}
    second = SecondOpinion(schema_set(schema))
    for number in range(asked):
        name = STRINGS[number % len(STRINGS)]
        assert second.is_valid({name: 5}) is True
        assert second.is_valid({name: 6}) is False
        assert second.is_valid({f"{name}x": 5}) is False


def test_a_fault_out_of_reach_is_no_reason_to_abstain() -> None:
    schemas = schema_set({"properties": {"a": {"pattern": "[^]"}, "b": {"type": "null"}}})
    second = SecondOpinion(schemas)
    assert second.is_valid({"b": None}) is True
    assert second.is_valid({"b": 1}) is False
    assert second.is_valid({"a": "x"}) is None
    assert second.abstains is not None
    # What cannot be answered changes nothing for what can.
    assert second.is_valid({"b": 1}) is False
    assert [second.is_valid({"b": None, name: 1}) for name in STRINGS] == [True] * len(STRINGS)


# -- against the whole ------------------------------------------------------------------------------------------------

REFERENCES = [
    "#",
    "#/definitions/d",
    "#/definitions/e",
    "#/definitions/d/properties/a",
    "#/properties/b",
    "#/items",
    "#/allOf/0",
    "#/definitions/d/not",
]


@st.composite
def _documents(draw: st.DrawFn) -> JSON:
    dialect = draw(st.sampled_from(list(Dialect)))
    part = schemas_of(dialect, REFERENCES, dynamic=False)
    top = draw(part)
    schema: dict[str, JSON] = {**(top if isinstance(top, dict) else {}), "$schema": dialect.uri}
    if dialect is Dialect.DRAFT4 and "exclusiveMinimum" in schema:
        schema["minimum"] = 1
    schema["definitions"] = {"d": draw(part), "e": draw(part), "f": draw(part)}
    return schema


def _agree(schema: JSON, instances: list[JSON]) -> None:
    schemas = schema_set(schema)
    try:
        check_schema(schemas)
    except SchemaError:
        return
    assert is_projectable(schemas)
    validator, second = Validator(schemas), SecondOpinion(schemas)
    whole = None
    for value in instances:
        part = projection(schemas, Met.of(value))
        try:
            answer = validator.is_valid(value)
        except SchemaError:
            # A reference that leads nowhere, or back to itself.
            continue
        assert second.is_valid(value) in (answer, None)
        if part is None:
            continue
        assert Validator(schema_set(part)).is_valid(value) is answer
        assert BulkValidator(schema_set(part)).is_valid(value) is answer
        assert second.is_valid(value) is answer
        whole = whole or SecondOpinion(schemas)
        if whole.abstains is None:
            assert whole.is_valid(value) is answer


CASES = (_documents(), st.lists(values, min_size=1, max_size=4))
QUIET = list(HealthCheck)


@settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=QUIET)
@given(*CASES)
def test_it_answers_as_the_whole_does(schema: JSON, instances: list[JSON]) -> None:
    _agree(schema, instances)


@pytest.mark.long
@settings(max_examples=5000, deadline=None, suppress_health_check=QUIET)
@given(*CASES)
def test_it_answers_as_the_whole_does_at_length(schema: JSON, instances: list[JSON]) -> None:
    _agree(schema, instances)

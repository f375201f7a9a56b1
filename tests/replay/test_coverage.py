"""What records show of a schema: every kind of facet with what just fails to show it, and sums of parts."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from randomly import instance, schema

from compat.jsonvalue import dumps, tokens
from compat.model.dialects import Dialect
from compat.model.instance import Validator
from compat.model.references import schema_set
from compat.replay.coverage import Counting, Coverage
from compat.replay.coverage_walk import Prober
from compat.replay.read import Record

D4, D6, D7, D19, D20 = Dialect
OF_DIALECTS = tuple(Dialect)


def prober(value: Any, dialect: Dialect = D20) -> Prober:
    return Prober(schema_set(value, dialect=dialect))


def shown(value: Any, record: Any, dialect: Dialect = D20) -> set[str] | None:
    found = prober(value, dialect).shown(Record(record, "f", 1))
    return None if found is None else {f"{facet.location} {facet.what}" for facet in found}


def possible(value: Any, dialect: Dialect = D20) -> list[str]:
    return [f"{facet.location} {facet.what}" for facet in prober(value, dialect).facets]


# (dialects, schema, facet, a record that shows it, a valid one that does not)
CASES: tuple[tuple[tuple[Dialect, ...], Any, str, Any, Any], ...] = (
    (OF_DIALECTS, {"properties": {"a": {"type": "string"}}}, "/properties/a present", {"a": "x"}, {"b": "x"}),
    (OF_DIALECTS, {"properties": {"a": {"type": "string"}}}, "/properties/a absent", {"b": "x"}, {"a": "x"}),
    (OF_DIALECTS, {"properties": {"a": {}}}, "/properties/a absent", {}, []),
    (OF_DIALECTS, {"patternProperties": {"^a": {}}}, "/patternProperties/^a reached", {"ab": 1}, {"ba": 1}),
    (
        OF_DIALECTS,
        {"properties": {"a": {}}, "additionalProperties": {"type": "integer"}},
        "/additionalProperties reached",
        {"b": 1},
        {"a": 1},
    ),
    (OF_DIALECTS, {"items": {"type": "integer"}}, "/items reached", [1], []),
    (OF_DIALECTS, {"enum": ["a", "b"]}, '/enum "b"', "b", "a"),
    (OF_DIALECTS, {"enum": [1, "1"]}, "/enum 1", 1.0, "1"),
    (OF_DIALECTS, {"type": ["integer", "null"]}, "/type null", None, 1),
    (OF_DIALECTS, {"type": ["integer", "string"]}, "/type integer", 1.0, "1"),
    (OF_DIALECTS, {"anyOf": [{"type": "string"}, {"minimum": 3}]}, "/anyOf/1 taken", 3, ...),
    (OF_DIALECTS, {"oneOf": [{"type": "string"}, {"type": "null"}]}, "/oneOf/0 taken", "x", None),
    (OF_DIALECTS, {"allOf": [{"properties": {"a": {}}}]}, "/allOf/0/properties/a present", {"a": 1}, {"b": 1}),
    (OF_DIALECTS, {"minimum": 1}, "/minimum at the bound", 1.0, 2),
    (OF_DIALECTS, {"minimum": 1}, "/minimum inside", 1.5, 1),
    (OF_DIALECTS, {"minimum": 1}, "/minimum inside", 2, "2"),
    (OF_DIALECTS, {"maxLength": 2}, "/maxLength at the bound", "𝄞é", "𝄞"),
    (OF_DIALECTS, {"minItems": 1}, "/minItems inside", [1, 2], [1]),
    (OF_DIALECTS, {"maxProperties": 1}, "/maxProperties at the bound", {"a": 1}, {}),
    (OF_DIALECTS, {"pattern": "^a"}, "/pattern tried", "a", 1),
    (OF_DIALECTS, {"multipleOf": 2}, "/multipleOf tried", 4, "4"),
    (OF_DIALECTS, {"not": {"type": "null"}, "properties": {"a": {}}}, "/properties/a present", {"a": 1}, {}),
    ((D4,), {"minimum": 1, "exclusiveMinimum": True}, "/minimum inside", 2, "2"),
    ((D6, D7, D19, D20), {"exclusiveMinimum": 1}, "/exclusiveMinimum inside", 2, "2"),
    ((D6, D7, D19, D20), {"const": {"a": 1}}, '/const {"a":1}', {"a": 1.0}, ...),
    ((D6, D7, D19, D20), {"propertyNames": {"minLength": 1}}, "/propertyNames/minLength inside", {"ab": 1}, {"a": 1}),
    ((D6, D7), {"contains": {"minimum": 5}}, "/contains/minimum at the bound", [1, 5], [6, 1]),
    ((D19, D20), {"contains": {"const": 1}, "minContains": 1}, "/minContains inside", [1, 1], [1, 2]),
    ((D7, D19, D20), {"if": {"minimum": 5}, "then": {"maximum": 9}}, "/if holds", 5, 4),
    ((D7, D19, D20), {"if": {"minimum": 5}, "then": {"maximum": 9}}, "/if fails", 4, 5),
    ((D7, D19, D20), {"if": {"minimum": 5}, "then": {"maximum": 9}}, "/then/maximum at the bound", 9, 8),
    ((D7, D19, D20), {"if": {"minimum": 5}, "else": {"maximum": 3}}, "/else reached", 3, 5),
    ((D4, D6, D7), {"dependencies": {"a": ["b"]}}, "/dependencies/a present", {"a": 1, "b": 1}, {"b": 1}),
    ((D4, D6, D7), {"dependencies": {"a": {}}}, "/dependencies/a reached", {"a": 1}, {"b": 1}),
    ((D19, D20), {"dependentRequired": {"a": ["b"]}}, "/dependentRequired/a present", {"a": 1, "b": 1}, {"b": 1}),
    ((D19, D20), {"dependentSchemas": {"a": {}}}, "/dependentSchemas/a reached", {"a": 1}, {"b": 1}),
    ((D4, D6, D7, D19), {"items": [{}, {"minimum": 1}]}, "/items/1 reached", [0, 1], [0]),
    ((D4, D6, D7, D19), {"items": [{}], "additionalItems": {}}, "/additionalItems reached", [0, 1], [0]),
    ((D20,), {"prefixItems": [{}], "items": {"minimum": 1}}, "/items reached", [0, 1], [0]),
    (
        (D19, D20),
        {"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": {"type": "integer"}},
        "/unevaluatedProperties reached",
        {"b": 1},
        {"a": "x"},
    ),
    (
        # Only a branch that holds lends what it evaluates.
        (D19, D20),
        {"anyOf": [{"properties": {"a": {"type": "null"}}}, {}], "unevaluatedProperties": {"type": "integer"}},
        "/unevaluatedProperties reached",
        {"a": 1},
        {"a": None},
    ),
)


@pytest.mark.parametrize(
    ("dialect", "value", "facet", "yes", "no"),
    [(dialect, *rest) for dialects, *rest in CASES for dialect in dialects],
    ids=str,
)
def test_a_record_shows_a_facet_and_its_neighbour_does_not(
    dialect: Dialect, value: Any, facet: str, yes: Any, no: Any
) -> None:
    assert facet in possible(value, dialect)
    assert facet in (shown(value, yes, dialect) or ())
    if no is not ...:
        found = shown(value, no, dialect)
        assert found is not None
        assert facet not in found


@pytest.mark.parametrize(
    ("value", "facet", "dialect"),
    [
        ({"properties": {"a": {}}, "required": ["a"]}, "/properties/a absent", D20),
        ({"properties": {"a": False}}, "/properties/a present", D20),
        ({"anyOf": [True, False]}, "/anyOf/1 taken", D20),
        ({"not": {"properties": {"a": {}}}}, "/not/properties/a present", D20),
        ({"then": {"maximum": 1}}, "/then reached", D20),
        ({"if": True, "else": {}}, "/if fails", D20),
        ({"exclusiveMaximum": 1}, "/exclusiveMaximum at the bound", D20),
        ({"minimum": 1, "exclusiveMinimum": True}, "/minimum at the bound", D4),
        ({"minLength": 3, "maxLength": 3}, "/minLength inside", D20),
        ({"maxItems": 0}, "/maxItems inside", D20),
        ({"minContains": 1}, "/minContains inside", D20),
        ({"items": {}, "additionalItems": {}}, "/additionalItems reached", D7),
        ({"$ref": "#/definitions/a", "minimum": 1, "definitions": {"a": {}}}, "/minimum inside", D7),
        ({"$defs": {"a": {}}}, "/$defs/a reached", D20),
        ({"const": 1}, "/const 1", D4),
    ],
)
def test_what_nothing_can_show_is_no_facet(value: Any, facet: str, dialect: Dialect) -> None:
    assert facet not in possible(value, dialect)


def test_what_the_vocabularies_give_no_meaning_shows_nothing() -> None:
    uri = "https://example.org/meta"
    meta: dict[str, Any] = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": uri}
    value = {"$schema": uri, "properties": {"a": {"minimum": 1, "enum": [2]}}, "anyOf": [{"maximum": 1}, {}]}

    def facets(terms: list[str]) -> list[str]:
        meta["$vocabulary"] = {f"https://json-schema.org/draft/2020-12/vocab/{name}": True for name in terms}
        asked = Prober(schema_set(value, resources={uri: meta}))
        found = asked.shown(Record({"a": 2}, "f", 1))
        return sorted(f"{facet.location} {facet.what}" for facet in found or ())

    both = [" reached", "/anyOf/0 taken", "/anyOf/1 taken", "/properties/a present"]
    assert facets(["core", "applicator"]) == both
    assert facets(["core", "applicator", "validation"]) == sorted(
        [*both, "/properties/a/enum 2", "/properties/a/minimum inside"]
    )
    assert facets(["core", "validation"]) == [" reached"]


def test_what_a_refused_branch_reached_does_not_count() -> None:
    value = {
        "anyOf": [
            {"properties": {"a": {"enum": [1]}, "b": {"type": "null"}}, "required": ["b"]},
            {"properties": {"a": {}}},
        ]
    }
    found = shown(value, {"a": 1, "b": 2})
    assert found is not None
    assert "/anyOf/1/properties/a present" in found
    assert not any(facet.startswith("/anyOf/0") for facet in found)


def test_an_invalid_record_shows_nothing() -> None:
    value = {"properties": {"a": {"type": "string"}}}
    assert shown(value, {"a": 1}) is None
    assert prober(value).coverage(Record({"a": 1}, "f", 1)) == Coverage(1, 1, {})


@pytest.mark.parametrize("dialect", OF_DIALECTS)
def test_references_are_followed_to_where_they_lead(dialect: Dialect) -> None:
    tree = {"properties": {"kids": {"items": {"$ref": "#"}}, "n": {"$ref": "#/definitions/n"}}}
    value = tree | {"definitions": {"n": {"maximum": 2}}}
    found = shown(value, {"kids": [{"n": 1}, {"n": 2}]}, dialect)
    assert found is not None
    assert {"/definitions/n/maximum at the bound", "/definitions/n/maximum inside"} <= found
    assert "/definitions/n/maximum inside" not in (shown(value, {"kids": [{"n": 2}]}, dialect) or ())


@pytest.mark.parametrize(
    ("dialect", "mark", "refer"),
    [
        (D19, {"$recursiveAnchor": True}, {"$recursiveRef": "#"}),
        (D20, {"$dynamicAnchor": "tree"}, {"$dynamicRef": "#tree"}),
    ],
)
def test_dynamic_references_lead_to_the_outermost(dialect: Dialect, mark: Any, refer: Any) -> None:
    base = {"$id": "https://example.org/tree", **mark, "properties": {"kids": {"items": refer}}}
    strict = {
        "$id": "https://example.org/strict",
        **mark,
        "$ref": "tree",
        "properties": {"n": {"minimum": 1}},
        "$defs": {"tree": base},
    }
    found = shown(strict, {"kids": [{"n": 1}]}, dialect)
    assert found is not None
    assert "/properties/n/minimum at the bound" in found
    assert "/$defs/tree/properties/kids present" in found
    assert "/properties/n present" not in (shown(strict, {"kids": [{"m": 1}]}, dialect) or ())


def test_many_ways_to_the_same_place_are_gone_once() -> None:
    levels: dict[str, Any] = {f"l{n}": {"allOf": [{"$ref": f"#/$defs/l{n + 1}"}] * 4} for n in range(30)}
    value = {"$ref": "#/$defs/l0", "$defs": levels | {"l30": {"minimum": 0}}}
    assert "/$defs/l30/minimum at the bound" in (shown(value, 0) or ())


@pytest.mark.parametrize("seed", range(300))
def test_what_is_reached_is_what_false_would_refuse(seed: int) -> None:
    rng = Random(seed)
    value = schema(rng, recursive=False)
    text = dumps(value)
    if not isinstance(value, dict) or "$ref" in text or "unevaluated" in text:
        value = {"properties": {"a": {"items": schema(rng, 1, recursive=False)}}, "additionalProperties": {}}
        text = dumps(value)
    asked = prober(value)
    for _ in range(12):
        record = instance(rng)
        found = asked.shown(Record(record, "f", 1))
        assert (found is None) is not Validator(schema_set(value, dialect=D20)).is_valid(record)
        for facet in asked.facets if found is not None else ():
            way = tokens(facet.location)
            choosing = {"anyOf", "oneOf", "if", "contains", "not", "dependentRequired"} & set(way)
            if choosing or not way or facet.what not in ("reached", "present"):
                continue
            other = deepcopy(value)
            at: Any = other
            for step in way[:-1]:
                at = at[int(step)] if isinstance(at, list) else at[step]
            at[int(way[-1]) if isinstance(at, list) else way[-1]] = False
            refused = not Validator(schema_set(other, dialect=D20)).is_valid(record)
            assert (facet in (found or ())) is refused, (value, record, facet)


VALUE = {
    "properties": {"a": {"enum": [None, True, 0, "a"]}, "b": {"minimum": 0, "maxLength": 1}},
    "items": {"$ref": "#"},
    "anyOf": [{"type": "object"}, {"minItems": 1}, {"type": ["null", "string"]}],
}
PROBER = prober(VALUE)
coverages = st.integers(0, 500).map(lambda seed: PROBER.coverage(Record(instance(Random(seed)), "f", 1)))


@given(coverages, coverages, coverages)
def test_coverages_are_a_commutative_monoid(one: Coverage, two: Coverage, three: Coverage) -> None:
    assert one + two == two + one
    assert (one + two) + three == one + (two + three)
    assert one + Coverage() == one == Coverage() + one


@given(st.lists(st.integers(0, 500), max_size=12), st.integers(0, 12))
def test_the_coverage_of_parts_adds_up_to_that_of_the_whole(seeds: list[int], cut: int) -> None:
    def counted(some: list[int]) -> Coverage:
        counting = Counting()
        for seed in some:
            counting.take(PROBER.shown(Record(instance(Random(seed)), "f", 1)))
        return counting.coverage()

    whole = counted(seeds)
    assert counted(seeds[cut:]) + counted(seeds[:cut]) == whole
    assert sum((PROBER.coverage(Record(instance(Random(seed)), "f", 1)) for seed in seeds), Coverage()) == whole

"""The table of keywords, and the subschemas found through it."""

from __future__ import annotations

import pytest

from compat.jsonvalue import JSON
from compat.model import metaschemas
from compat.model.dialects import Dialect
from compat.model.keywords import KEYWORDS, Applies, Holds, Kind, misplaced, steps, subschemas
from compat.model.references import schema_set

D4, D6, D7, D19, D20 = Dialect


def found(value: JSON, dialect: Dialect) -> dict[str, Applies]:
    return {"/".join(str(token) for token in tokens): applies for tokens, applies, _ in subschemas(value, dialect)}


@pytest.mark.parametrize("dialect", list(Dialect))
def test_the_table_knows_the_keywords_of_the_meta_schema_and_no_others(dialect: Dialect) -> None:
    schemas = schema_set(metaschemas.of(dialect))
    named: set[str] = set()
    for sub, _ in schemas.reached():
        # The properties of what applies to a schema itself are the keywords.
        if isinstance(sub.value, dict) and sub.pointer == "":
            named |= set(sub.value.get("properties", {}))
    # 2020-12's meta-schema still describes what it dropped; draft-07's first printing forgot writeOnly.
    dropped = {"$recursiveAnchor", "$recursiveRef"} if dialect is D20 else set()
    forgotten = {"writeOnly"} if dialect is D7 else set()
    unlisted = {"$ref", "format"} if dialect is D4 else set()
    assert named - dropped <= set(KEYWORDS[dialect])
    assert set(KEYWORDS[dialect]) - named == forgotten | (unlisted - named)


@pytest.mark.parametrize(
    ("keyword", "known", "unknown"),
    [
        ("const", D6, D4),
        ("contains", D6, D4),
        ("propertyNames", D6, D4),
        ("if", D7, D6),
        ("$comment", D7, D6),
        ("$defs", D19, D7),
        ("dependentRequired", D19, D7),
        ("minContains", D19, D7),
        ("unevaluatedItems", D19, D7),
        ("prefixItems", D20, D19),
        ("$dynamicRef", D20, D19),
        ("additionalItems", D19, D20),
        ("$recursiveRef", D19, D20),
        ("id", D4, D6),
        ("$id", D6, D4),
    ],
)
def test_keywords_come_and_go(keyword: str, known: Dialect, unknown: Dialect) -> None:
    assert keyword in KEYWORDS[known]
    assert keyword not in KEYWORDS[unknown]


def test_rows_say_what_is_held() -> None:
    assert KEYWORDS[D7]["items"].holds is Holds.SCHEMA_OR_ARRAY
    assert KEYWORDS[D20]["items"].holds is Holds.SCHEMA
    assert KEYWORDS[D7]["dependencies"].applies is Applies.IN_PLACE
    assert KEYWORDS[D19]["dependencies"].applies is Applies.NOWHERE
    assert KEYWORDS[D20]["$defs"].kind is Kind.RESERVED


def test_subschemas_of_every_shape() -> None:
    schema: JSON = {
        "properties": {"a": {}, "b": True},
        "items": [{}, False],
        "additionalItems": {},
        "not": {},
        "allOf": [{}],
        "propertyNames": {},
        "dependencies": {"x": ["y"], "z": {}},
        "definitions": {"d": {}},
        "default": {"properties": {"no": {}}},
        "const": {"not": {}},
        "enum": [{"not": {}}],
        "examples": [{"not": {}}],
        "x-mine": {"not": {}},
    }
    assert found(schema, D7) == {
        "properties/a": Applies.TO_PROPERTY,
        "properties/b": Applies.TO_PROPERTY,
        "items/0": Applies.TO_ITEM,
        "items/1": Applies.TO_ITEM,
        "additionalItems": Applies.TO_ITEM,
        "not": Applies.IN_PLACE,
        "allOf/0": Applies.IN_PLACE,
        "propertyNames": Applies.TO_KEY,
        "dependencies/z": Applies.IN_PLACE,
        "definitions/d": Applies.NOWHERE,
    }


def test_a_property_may_have_the_name_of_a_keyword() -> None:
    assert found({"properties": {"$ref": {"type": "string"}, "items": {}}}, D7) == {
        "properties/$ref": Applies.TO_PROPERTY,
        "properties/items": Applies.TO_PROPERTY,
    }


def test_beside_ref_nothing_applies_up_to_draft_07() -> None:
    schema: JSON = {"$ref": "#/definitions/d", "not": {}, "definitions": {"d": {}}}
    assert found(schema, D7) == {"not": Applies.NOWHERE, "definitions/d": Applies.NOWHERE}
    assert found(schema, D19) == {"not": Applies.IN_PLACE, "definitions/d": Applies.NOWHERE}


@pytest.mark.parametrize(
    "schema",
    [5, [], None, {"properties": 5}, {"properties": []}, {"items": 3}, {"allOf": {}}, {"allOf": [1]}, {"not": "x"}],
)
def test_malformed_keywords_hold_nothing(schema: JSON) -> None:
    for dialect in Dialect:
        assert found(schema, dialect) == {}


def test_steps_lead_to_the_next_subschema() -> None:
    schema: JSON = {"properties": {"a": {}}, "items": [{}], "not": {}, "x": {}, "const": {"not": {}}}
    assert steps(schema, ("properties", "a", "not"), D7) == 2
    assert steps(schema, ("properties",), D7) == 0
    assert steps(schema, ("items", "0"), D7) == 2
    assert steps(schema, ("not", "not"), D7) == 1
    assert steps(schema, ("x", "not"), D7) == 0
    assert steps(schema, ("const", "not"), D7) == 0
    assert steps({"items": {}}, ("items", "not"), D7) == 1


@pytest.mark.parametrize(
    ("name", "dialect", "hint"),
    [
        ("mininum", D7, "is minimum meant?"),
        ("minlength", D7, "is minLength meant?"),
        ("additionalproperties", D20, "is additionalProperties meant?"),
        ("additional_properties", D20, "is additionalProperties meant?"),
        ("propertes", D20, "is properties meant?"),
        ("requred", D20, "is required meant?"),
        ("dependentRequired", D7, "2019-09 and later; draft-07 ignores it"),
        ("if", D6, "draft-07 and later; draft-06 ignores it"),
        ("const", D4, "draft-06 and later; draft-04 ignores it"),
        ("additionalItems", D20, "draft-04 to 2019-09; 2020-12 ignores it"),
        ("$recursiveRef", D20, "2019-09; 2020-12 ignores it"),
    ],
)
def test_what_surely_was_meant_is_remarked_on(name: str, dialect: Dialect, hint: str) -> None:
    ((found_name, remark),) = misplaced({name: 1}, dialect)
    assert found_name == name
    assert hint in remark


@pytest.mark.parametrize(
    "name", ["minimum", "title", "example", "x-minimum", "nullable", "discriminator", "foo", "version", "unit", "id"]
)
def test_what_was_meant_otherwise_is_left_alone(name: str) -> None:
    assert list(misplaced({name: 1}, D20)) == []


@pytest.mark.parametrize("name", ["deprecated", "$defs", "contentSchema", "$anchor"])
def test_what_asserts_nothing_anywhere_is_left_alone_in_older_dialects(name: str) -> None:
    assert list(misplaced({name: 1}, D7)) == []

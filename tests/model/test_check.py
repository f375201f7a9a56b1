"""Whether a schema is a schema, and where it is not."""

from __future__ import annotations

import pytest

from compat.errors import CompatError, ReferenceError, RegexError, SchemaError
from compat.jsonvalue import JSON
from compat.model.check import misplaced
from compat.model.dialects import Dialect
from compat.model.document import parse_document
from compat.model.references import check_schema, schema_set

D4, D6, D7, D19, D20 = (dialect.uri for dialect in Dialect)


def refused(schema: JSON, **options: object) -> SchemaError:
    with pytest.raises(SchemaError) as caught:
        check_schema(schema_set(schema, **options))  # type: ignore[arg-type]
    return caught.value


@pytest.mark.parametrize(
    ("schema", "pointer", "message"),
    [
        ({"multipleOf": 0}, "/multipleOf", '"multipleOf" must be greater than 0, not 0'),
        ({"minLength": -1}, "/minLength", '"minLength" must be at least 0, not -1'),
        ({"minLength": 1.5}, "/minLength", '"minLength" must be an integer, not 1.5'),
        ({"properties": {"a": {"type": "strin"}}}, "/properties/a/type", '"strin" is no type'),
        ({"type": ["string", "x"]}, "/type/1", '"x" is no type'),
        ({"type": []}, "/type", '"type" names no type'),
        ({"type": ["null", "null"]}, "/type", '"type" names a type twice'),
        ({"type": None}, "/type", "null is no type"),
        ({"required": ["a", "a"]}, "/required", "repeats an entry"),
        ({"required": "a"}, "/required", '"required" must be an array, not "a"'),
        ({"enum": 5}, "/enum", '"enum" must be an array, not 5'),
        ({"items": [{}]}, "/items", "must be an object or true or false"),
        ({"properties": {"a": 3}}, "/properties/a", "must be an object or true or false, not 3"),
        ({"allOf": []}, "/allOf", "at least 1 entry"),
        ({"$defs": {"x": {"exclusiveMinimum": True}}}, "/$defs/x/exclusiveMinimum", "must be a number, not true"),
        ({"$ref": 5}, "/$ref", "must be a string"),
        ({"$id": "http://x/y#z"}, "/$id", "form that is not allowed"),
        (5, "", "a schema must be an object or true or false, not 5"),
        ([], "", "a schema must be"),
        ({"$schema": D4, "minimum": 1, "exclusiveMinimum": 2}, "/exclusiveMinimum", "must be true or false, not 2"),
        ({"$schema": D4, "exclusiveMinimum": True}, "", "minimum"),
        ({"$schema": D4, "items": True}, "/items", "not allowed"),
        ({"$schema": D4, "required": []}, "/required", "at least 1 entry"),
        ({"$schema": D7, "$ref": "#", "not": 3}, "/not", "must be"),
    ],
)
def test_faults_have_their_place(schema: JSON, pointer: str, message: str) -> None:
    error = refused(schema)
    assert error.location == pointer
    assert message in error.message


@pytest.mark.parametrize(
    "schema",
    [
        {},
        True,
        False,
        {"multipleOf": 0.01},
        {"required": []},
        {"items": {"type": "string"}},
        {"minLength": 2.0},
        {"$schema": D4, "minLength": 2.0},
        {"$schema": D4, "minimum": 1, "exclusiveMinimum": True},
        {"$schema": D4, "additionalProperties": False},
        {"$schema": D6, "items": [True], "examples": [1]},
        {"$schema": D7, "items": [{}]},
        {"$schema": D19, "items": [{}], "$recursiveRef": "#"},
        {"pattern": "[^]\\-{", "format": "nobody knows"},
        {"unknown": {"type": "strin"}, "default": {"type": 5}},
        {"enum": []},
        {"const": "\ud800"},
    ],
)
def test_schemas_pass(schema: JSON) -> None:
    check_schema(schema_set(schema))


def test_the_deepest_fault_is_told() -> None:
    assert (
        refused({"allOf": [{"properties": {"a": {"items": {"type": 1}}}}]}).location
        == "/allOf/0/properties/a/items/type"
    )


def test_the_deepest_fault_is_told_where_the_meta_schema_has_alternatives() -> None:
    inner: JSON = {"properties": {"a": {"minLength": "1"}}}
    for schema in (
        {"additionalProperties": inner},
        {"items": inner},
        {"items": [{}, inner]},
        {"dependencies": {"x": inner}},
    ):
        error = refused({"$schema": D4, **schema})
        assert error.location is not None
        assert error.location.endswith("/properties/a/minLength")
        assert "must be an integer" in error.message


def test_the_place_has_line_and_column() -> None:
    document = parse_document('{\n  "properties": {\n    "a": {"multipleOf": 0}\n  }\n}', name="a.json")
    with pytest.raises(SchemaError) as caught:
        check_schema(schema_set(document))
    assert str(caught.value.place) == "a.json:3:11 at /properties/a/multipleOf"


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"pattern": "("}, "/pattern"),
        ({"items": {"patternProperties": {"[a": {}}}}, "/items/patternProperties/[a"),
        ({"patternProperties": {"(?P<n>a)": {}}}, "/patternProperties/(?P<n>a)"),
        ({"pattern": "a**"}, "/pattern"),
        ({"pattern": "\\p{Foo}"}, "/pattern"),
        ({"pattern": "\\p{Foo}\\-"}, "/pattern"),
    ],
)
def test_patterns_must_be_ecma_262(schema: JSON, pointer: str) -> None:
    error = refused(schema)
    assert isinstance(error, RegexError)
    assert error.location == pointer
    assert "no regular expression of ECMA-262" in error.message


@pytest.mark.parametrize(
    "pattern", ["^[\\w-.]+$", "\\-", "a{,3}", "{", "[^]", "\\Z", "(?<n>a)\\k<n>", "(?!a)", "\\p{L}"]
)
def test_patterns_that_any_browser_reads_pass(pattern: str) -> None:
    check_schema(schema_set({"pattern": pattern}))


def test_beside_ref_a_pattern_is_no_pattern_up_to_draft_07() -> None:
    check_schema(schema_set({"$schema": D7, "$ref": "#/definitions/a", "pattern": "(", "definitions": {"a": {}}}))
    assert isinstance(refused({"$schema": D19, "$ref": "#/$defs/a", "pattern": "(", "$defs": {"a": {}}}), RegexError)


def test_an_embedded_resource_answers_to_its_own_dialect() -> None:
    old: JSON = {"$id": "http://x/a", "$schema": D7, "items": [{}], "dependencies": {"a": ["b"]}}
    check_schema(schema_set({"$schema": D20, "$defs": {"a": old}, "allOf": [{"$ref": "http://x/a"}]}))
    error = refused({"$schema": D20, "$defs": {"a": {**old, "$schema": D20}}})
    assert error.location == "/$defs/a/items"
    error = refused({"$schema": D20, "$defs": {"a": {**old, "items": 5}}})
    assert error.location == "/$defs/a/items"


def test_what_stands_in_a_container_of_its_own_is_checked_when_referred_to() -> None:
    bad: JSON = {"type": "strin"}
    check_schema(schema_set({"refs": {"x": bad}}))
    assert refused({"refs": {"x": bad}, "not": {"$ref": "#/refs/x"}}).location == "/refs/x/type"


def test_other_files_are_checked_where_they_are_referred_to() -> None:
    shared: JSON = {"components": {"good": {"type": "null"}, "bad": {"items": {"minimum": "1"}}}, "type": 7}
    resources = {"http://x/shared": shared}
    check_schema(schema_set({"$ref": "http://x/shared#/components/good"}, resources=resources))
    error = refused({"$ref": "http://x/shared#/components/bad"}, resources=resources)
    assert str(error.place) == "http://x/shared#/components/bad/items/minimum"


def test_a_reference_that_leads_nowhere_is_no_fault_and_one_that_must_not_be_followed_is() -> None:
    check_schema(schema_set({"$ref": "http://x/nowhere"}))
    assert isinstance(refused({"$ref": "file:///etc/passwd"}), ReferenceError)


def test_references_in_a_circle_are_checked_once() -> None:
    check_schema(schema_set({"$ref": "#", "items": {"$ref": "#/items"}}))


def test_references_to_meta_schemas_are_not_checked_again() -> None:
    for uri in (D4, D7, D20):
        check_schema(schema_set({"$ref": uri}))


def test_a_schema_nested_deeply_is_checked() -> None:
    schema: JSON = {}
    for _ in range(120):
        schema = {"not": schema}
    check_schema(schema_set(schema))
    with pytest.raises(CompatError):
        check_schema(schema_set({"not": {"type": 5, "not": schema}}))


def test_remarks_are_about_what_applies() -> None:
    schema: JSON = {
        "mininum": 1,
        "properties": {"mininum": {"maximun": 2}, "x-y": True},
        "$defs": {"dead": {"maxmum": 1}, "live": {"patern": "x"}},
        "not": {"$ref": "#/$defs/live"},
    }
    places = [(found.place.pointer, found.remark.split(" ")[0], found.value) for found in misplaced(schema_set(schema))]
    assert places == [
        ("/mininum", "mininum", 1),
        ("/properties/mininum/maximun", "maximun", 2),
        ("/$defs/live/patern", "patern", "x"),
    ]


def test_remarks_end_where_nobody_typed_the_names() -> None:
    names: dict[str, JSON] = {f"name {number}": True for number in range(6000)}
    assert list(misplaced(schema_set({**names, "mininum": 1}))) == []
    assert len(list(misplaced(schema_set({"mininum": 1, "not": names})))) == 1

"""The reference validator where jsonschema alone would differ, its failures, and the two that rest on jsonschema-rs."""

from __future__ import annotations

import warnings
from decimal import Decimal

import pytest

from compat.errors import CompatError, RegexError, SchemaError
from compat.jsonvalue import JSON
from compat.model.dialects import Dialect
from compat.model.document import parse_document
from compat.model.instance import BulkValidator, Failure, SecondOpinion, UnsupportedByBulk, Validator
from compat.model.references import check_schema, schema_set

D4, D6, D7, D19, D20 = (dialect.uri for dialect in Dialect)


def valid(schema: JSON, value: JSON, **options: object) -> bool:
    return Validator(schema_set(schema, **options)).is_valid(value)  # type: ignore[arg-type]


def failures(schema: JSON, value: JSON, **options: object) -> list[Failure]:
    return list(Validator(schema_set(schema, **options)).failures(value))  # type: ignore[arg-type]


# -- numbers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("uri", [D4, D6, D7, D19, D20])
@pytest.mark.parametrize(
    ("value", "integral"),
    [
        (1, True),
        (1.0, True),
        (1e300, True),
        (10**400, True),
        (Decimal("1e400"), True),
        (Decimal("1.00"), True),
        (1.5, False),
        (Decimal("0.5"), False),
        (True, False),
        ("1", False),
    ],
)
def test_integer_means_integral_in_every_dialect(uri: str, value: JSON, integral: bool) -> None:
    assert valid({"$schema": uri, "type": "integer"}, value) is integral


def test_number_takes_decimals_and_nothing_that_json_cannot_write() -> None:
    assert valid({"type": "number"}, Decimal("0.1"))
    assert not valid({"type": "number"}, float("nan"))
    assert not valid({"type": "number"}, float("inf"))
    assert not valid({"type": "number"}, False)


@pytest.mark.parametrize(
    ("value", "divisor", "divides"),
    [
        (19.99, 0.01, True),
        (0.3, 0.1, True),
        (1.1, 0.1, True),
        (1e308, 0.123456789, False),
        (Decimal("0.00000000000000000000003"), Decimal("1e-23"), True),
        (Decimal("0.00000000000000000000003"), Decimal("2e-23"), False),
        (10**30 + 1, 10**15, False),
        (4.5, 1.5, True),
        (0.35, 0.1, False),
    ],
)
def test_multiple_of_is_exact(value: JSON, divisor: JSON, divides: bool) -> None:
    assert valid({"multipleOf": divisor}, value) is divides


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"minimum": 0.1}, Decimal("0.1"), True),
        ({"exclusiveMinimum": 0.1}, Decimal("0.1"), False),
        ({"maximum": Decimal("0.1")}, 0.1, True),
        ({"maximum": 1e23}, 10**23, True),
        ({"minimum": 1e23}, 10**23, True),
        ({"maximum": 1e23}, 10**23 + 1, False),
        ({"const": 1e23}, 10**23, True),
        ({"minimum": 2**53}, 2**53 - 1, False),
        ({"$schema": D4, "minimum": 1, "exclusiveMinimum": True}, 1, False),
        ({"$schema": D4, "minimum": 1, "exclusiveMinimum": False}, 1, True),
        ({"$schema": D4, "maximum": 1, "exclusiveMaximum": True}, 1.0, False),
        ({"$schema": D4, "exclusiveMaximum": True}, 1, True),
    ],
)
def test_bounds_are_exact(schema: JSON, value: JSON, expected: bool) -> None:
    assert valid(schema, value) is expected


# -- equality ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        ([1], [True], False),
        ({"a": 1}, {"a": 1.0}, True),
        ({"a": [False]}, {"a": [0]}, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ([1, 2], [2, 1], False),
        ("1", 1, False),
        (None, False, False),
        (Decimal("0.1"), 0.1, True),
    ],
)
def test_equality_is_jsons_in_const_enum_and_unique_items(left: JSON, right: JSON, same: bool) -> None:
    assert valid({"const": left}, right) is same
    assert valid({"enum": ["other", left]}, right) is same
    assert valid({"uniqueItems": True}, [left, "other", right]) is not same
    assert valid({"uniqueItems": False}, [left, right])


# -- regular expressions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        (r"^\d$", "1", True),
        (r"^\d$", "١", False),
        (r"^\w$", "é", False),
        (r"^a$", "a\n", False),
        (r"^.$", "😀", True),
        (r"^.$", "\u2028", False),
        (r"^[^]$", "\n", True),
        (r"^\s$", "\ufeff", True),
        (r"\Z", "Z", True),
        (r"^\p{L}$", "é", True),
        (r"^[\w-.]+$", "a-.", True),
        (r"^[^\-]$", "😀", True),
        (r"^\-$", "-", True),
        (r"^\_\:\@$", "_:@", True),
        (r"^{a}$", "{a}", True),
        (r"^a{,3}$", "a{,3}", True),
        (r"^a{2}$", "aa", True),
        (r"^]$", "]", True),
        (r"^[a-\d]$", "-", True),
        (r"^[\d-x]$", "-", True),
        (r"^\cA$", "\x01", True),
        (r"^\07$", "\x07", True),
        (r"^\c$", "\\c", True),
        (r"^[\00]$", "\x00", True),
        (r"^(?<n>.)\k<n>$", "aa", True),
        (r"b", "abc", True),
    ],
)
def test_patterns_are_ecma_262_by_code_point(pattern: str, text: str, matches: bool) -> None:
    assert valid({"pattern": pattern}, text) is matches
    assert valid({"patternProperties": {pattern: False}}, {text: 1}) is not matches
    assert valid({"patternProperties": {pattern: True}, "additionalProperties": False}, {text: 1}) is matches
    assert valid({"patternProperties": {pattern: True}, "unevaluatedProperties": False}, {text: 1}) is matches


def test_each_pattern_stands_alone() -> None:
    # Joined by "|" the flags and groups of one would leak into the other.
    schema: JSON = {"patternProperties": {"^(?<n>a)": {}, "^(?<n>b)": {}}, "additionalProperties": False}
    assert valid(schema, {"a1": 1, "b1": 2})
    assert not valid(schema, {"a1": 1, "c1": 2})


def test_a_pattern_that_would_run_for_ever_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not valid({"pattern": "^(a+)+$"}, "a" * 5000 + "b")
    monkeypatch.setattr("compat.model.regexes._SECONDS", 0.01)
    with pytest.raises(RegexError, match="takes too long"):
        valid({"pattern": "^(a*)*\\1(a*)*\\2(a*)*\\3$"}, "a" * 3000 + "b")


def test_lengths_count_code_points() -> None:
    assert valid({"maxLength": 2}, "😀😀")
    assert not valid({"maxLength": 2}, "😀😀😀")
    assert valid({"minLength": 1}, "\ud800")


# -- applicators ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"$schema": D6, "items": True, "additionalItems": False}, [1, 2], True),
        ({"$schema": D6, "items": [{}], "additionalItems": False}, [1, 2], False),
        ({"$schema": D6, "additionalItems": False}, [1, 2], True),
        ({"$schema": D7, "$ref": "#/definitions/a", "maximum": 1, "definitions": {"a": {}}}, 5, True),
        ({"$schema": D19, "$ref": "#/$defs/a", "maximum": 1, "$defs": {"a": {}}}, 5, False),
        ({"$schema": D19, "dependencies": {"a": ["b"]}}, {"a": 1}, True),
        ({"$schema": D7, "dependencies": {"a": ["b"]}}, {"a": 1}, False),
        ({"$schema": D4, "const": 1}, 2, True),
        ({"$schema": D6, "if": {}, "then": False}, 2, True),
        ({"$schema": D7, "if": {}, "then": False}, 2, False),
        ({"$schema": D7, "contains": {}, "minContains": 0}, [], False),
        ({"$schema": D19, "contains": {}, "minContains": 0}, [], True),
        ({"$schema": D19, "contains": {"const": 1}, "unevaluatedItems": False}, [1], True),
        ({"$schema": D19, "contains": {"const": 1}, "unevaluatedItems": False}, [1, 2], False),
        ({"contains": {"const": 1}, "unevaluatedItems": False}, [1], True),
        ({"prefixItems": [{}], "items": False}, [1], True),
        ({"prefixItems": [{}], "items": False}, [1, 2], False),
        ({"$schema": D19, "prefixItems": [False]}, [1], True),
        ({"propertyNames": {"maxLength": 1}}, {"ab": 1}, False),
        ({"properties": {"a": False}}, {"a": 1}, False),
        ({"properties": {"a": False}}, {"b": 1}, True),
    ],
)
def test_keywords_of_the_dialects(schema: JSON, value: JSON, expected: bool) -> None:
    check_schema(schema_set(schema))
    assert valid(schema, value) is expected


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"properties": {"a": {}}}, {"a": 1}, True),
        ({"properties": {"a": {}}}, {"b": 1}, False),
        ({"allOf": [{"properties": {"a": {}}}]}, {"a": 1}, True),
        ({"not": {"properties": {"a": {"type": "string"}}}}, {"a": 1}, False),
        ({"anyOf": [{"properties": {"a": {}}, "required": ["c"]}, {}]}, {"a": 1}, False),
        ({"anyOf": [{"properties": {"a": {}}, "required": ["a"]}, {}]}, {"a": 1}, True),
        ({"if": {"properties": {"a": {}}}, "then": {}}, {"a": 1}, True),
        ({"if": {"required": ["x"]}, "then": {}, "else": {"properties": {"a": {}}}}, {"a": 1}, True),
        ({"dependentSchemas": {"a": {"properties": {"a": {}}}}}, {"a": 1}, True),
        ({"dependentSchemas": {"b": {"properties": {"a": {}}}}}, {"a": 1}, False),
        ({"$ref": "#/$defs/d", "$defs": {"d": {"properties": {"a": {}}}}}, {"a": 1}, True),
        ({"allOf": [{"additionalProperties": {"type": "number"}}]}, {"a": 1}, True),
        ({"allOf": [{"unevaluatedProperties": True}]}, {"a": 1}, True),
        ({"patternProperties": {"^a": {}}}, {"ab": 1}, True),
    ],
)
def test_unevaluated_properties(schema: dict[str, JSON], value: JSON, expected: bool) -> None:
    for uri in (D19, D20):
        assert valid({"$schema": uri, **schema, "unevaluatedProperties": False}, value) is expected


def test_unevaluated_properties_may_have_a_schema() -> None:
    schema: JSON = {"properties": {"a": {}}, "unevaluatedProperties": {"type": "string"}}
    assert valid(schema, {"a": 1, "b": "x"})
    assert not valid(schema, {"a": 1, "b": 2})


def test_a_resource_of_another_dialect_is_validated_by_its_own() -> None:
    old: JSON = {"$id": "http://x/a", "$schema": D7, "items": [{"type": "string"}], "$comment": "tuple"}
    schema: JSON = {"$schema": D20, "$defs": {"a": old}, "properties": {"p": {"$ref": "http://x/a"}}}
    assert not valid(schema, {"p": [1]})
    assert valid(schema, {"p": ["x", 1]})
    beside: JSON = {"$id": "http://x/b", "$schema": D7, "allOf": [{"$ref": "#/definitions/d", "maximum": 1}]}
    beside["definitions"] = {"d": {"minimum": 0}}
    assert valid({"$schema": D20, "$ref": "http://x/b", "$defs": {"b": beside}}, 5)


def test_an_odd_spelling_of_the_dialect_changes_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        inner: JSON = {"$schema": "https://json-schema.org/draft-07/schema", "pattern": "^\\d$"}
        schema: JSON = {"$schema": "https://json-schema.org/draft-07/schema#", "properties": {"a": inner}}
        assert not valid(schema, {"a": "١"})
        assert valid({"$schema": "urn:unknown", "pattern": "^\\d$"}, "1")


def test_vocabularies_that_are_left_out_assert_nothing() -> None:
    base = "https://json-schema.org/draft/2020-12/vocab/"
    meta: JSON = {"$schema": D20, "$id": "http://x/m", "$vocabulary": {base + "core": True, base + "applicator": True}}
    resources = {"http://x/m": meta}
    schema: JSON = {"$schema": "http://x/m", "properties": {"a": {"minimum": 5}, "b": False}}
    assert valid(schema, {"a": 1}, resources=resources)
    assert not valid(schema, {"b": 1}, resources=resources)


def test_a_vocabulary_may_assert_formats() -> None:
    base = "https://json-schema.org/draft/2020-12/vocab/"
    meta: JSON = {
        "$schema": D20,
        "$id": "http://x/m",
        "$vocabulary": {base + "core": True, base + "format-assertion": True},
    }
    assert not valid({"$schema": "http://x/m", "format": "date"}, "x", resources={"http://x/m": meta})
    assert valid({"format": "date"}, "x")


# -- circles and depth ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"allOf": [{"$ref": "#"}]},
        {"not": {"$ref": "#"}},
        {"anyOf": [{"type": "null"}, {"$ref": "#"}]},
        {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}}},
        {"$dynamicAnchor": "n", "$dynamicRef": "#n"},
        {"$schema": D19, "$recursiveAnchor": True, "$recursiveRef": "#"},
        {"$schema": D7, "if": {"$ref": "#"}},
        {"unevaluatedProperties": False, "$ref": "#"},
    ],
)
def test_a_reference_in_a_circle_on_one_value_is_an_error(schema: JSON) -> None:
    validator = Validator(schema_set(schema))
    for value in (1, {"a": 1}):
        with pytest.raises(SchemaError, match="leads back to itself"):
            validator.is_valid(value)


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"$ref": "#"}}},
        {"items": {"$ref": "#"}, "additionalProperties": {"$ref": "#"}},
        {"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {"type": ["object", "array"]}}},
    ],
)
def test_a_reference_that_goes_into_the_value_is_none(schema: JSON) -> None:
    assert valid(schema, {"a": {"a": [[], [[]]]}})


def test_a_value_nested_too_deeply_is_an_error_and_no_crash() -> None:
    value: JSON = 1
    for _ in range(5000):
        value = [value]
    for schema in ({"items": {"$ref": "#"}}, {"enum": [1]}, {"uniqueItems": True}):
        with pytest.raises(CompatError, match="nested too deeply"):
            valid(schema, value)
        with pytest.raises(CompatError, match="nested too deeply"):
            failures(schema, value)


def test_a_value_as_deep_as_a_text_may_be_is_no_problem_for_a_plain_schema() -> None:
    value: JSON = 1
    for _ in range(150):
        value = [value]
    assert valid({"items": {"$ref": "#"}}, value)


# -- failures ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "value", "location", "path", "message"),
    [
        ({"type": "string"}, 1, "/type", (), "must be of type string"),
        ({"type": ["string", "null"]}, 1, "/type", (), "must be of type string or null"),
        (
            {"properties": {"a/b": {"minimum": 5}}},
            {"a/b": 1},
            "/properties/a~1b/minimum",
            ("a/b",),
            "must be at least 5",
        ),
        ({"exclusiveMaximum": 5}, 5, "/exclusiveMaximum", (), "must be below 5"),
        ({"$schema": D4, "maximum": 5, "exclusiveMaximum": True}, 5, "/maximum", (), "must be below 5"),
        ({"multipleOf": 0.5}, 0.3, "/multipleOf", (), "must be a multiple of 0.5"),
        ({"items": {"maxLength": 1}}, ["a", "ab"], "/items/maxLength", (1,), "must have at most 1 character"),
        ({"prefixItems": [True, {"minItems": 2}]}, [1, []], "/prefixItems/1/minItems", (1,), "at least 2 items"),
        ({"minProperties": 2}, {}, "/minProperties", (), "must have at least 2 properties"),
        ({"required": ["a", "b"]}, {"a": 1}, "/required", (), 'must have the property "b"'),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, "/dependentRequired", (), 'must have the property "b"'),
        ({"required": ["it's"]}, {}, "/required", (), 'must have the property "it\'s"'),
        ({"additionalProperties": False}, {"a": 1}, "/additionalProperties", (), 'must not have the property "a"'),
        ({"unevaluatedProperties": False}, {"a": 1, "b": 1}, "/unevaluatedProperties", (), 'the properties "a", "b"'),
        ({"additionalProperties": {"type": "null"}}, {"a": 1}, "/additionalProperties/type", ("a",), "of type null"),
        ({"patternProperties": {"^a": {"const": 1}}}, {"ab": 2}, "/patternProperties/^a/const", ("ab",), "must be 1"),
        ({"propertyNames": {"pattern": "^a"}}, {"b": 1}, "/propertyNames/pattern", (), 'must match "^a"'),
        ({"enum": [1, "a"]}, 2, "/enum", (), 'must be one of 1, "a"'),
        ({"enum": [1]}, 2, "/enum", (), "must be 1"),
        ({"uniqueItems": True}, [1, 1], "/uniqueItems", (), "must not repeat an item"),
        ({"contains": {"const": 1}}, [2], "/contains", (), "must contain an item that matches"),
        (
            {"contains": {"const": 1}, "minContains": 2},
            [1],
            "/minContains",
            (),
            "must contain at least 2 matching items",
        ),
        ({"contains": {"const": 1}, "maxContains": 1}, [1, 1], "/maxContains", (), "at most 1 matching item"),
        ({"anyOf": [{"type": "null"}, False]}, 1, "/anyOf", (), "must match one of the alternatives"),
        ({"oneOf": [{}, {}]}, 1, "/oneOf", (), "and matches several"),
        ({"oneOf": [False, False]}, 1, "/oneOf", (), "exactly one of the alternatives"),
        ({"not": {}}, 1, "/not", (), "must not match"),
        ({"properties": {"a": False}}, {"a": 1}, "/properties/a", ("a",), "must not be there"),
        (False, 1, "", (), "must not be there"),
        ({"if": {}, "then": {"type": "null"}}, 1, "/then/type", (), "of type null"),
        ({"if": False, "else": {"type": "null"}}, 1, "/else/type", (), "of type null"),
        ({"allOf": [{}, {"type": "null"}]}, 1, "/allOf/1/type", (), "of type null"),
        ({"dependentSchemas": {"a": {"required": ["b"]}}}, {"a": 1}, "/dependentSchemas/a/required", (), '"b"'),
        ({"$schema": D7, "dependencies": {"a": ["b"]}}, {"a": 1}, "/dependencies", (), '"b"'),
        ({"$schema": D7, "items": [{}, {"type": "null"}]}, [1, 1], "/items/1/type", (1,), "of type null"),
        (
            {"$schema": D7, "items": [{}], "additionalItems": False},
            [1, 1],
            "/additionalItems",
            (1,),
            "must not be there",
        ),
        ({"unevaluatedItems": {"type": "null"}}, [1], "/unevaluatedItems/type", (0,), "of type null"),
    ],
)
def test_failures_name_keyword_place_and_what_was_wanted(
    schema: JSON, value: JSON, location: str, path: tuple[str | int, ...], message: str
) -> None:
    (failure,) = failures(schema, value)
    assert failure.keyword_location == location
    assert failure.instance_path == path
    assert message in failure.message
    assert failure.source == "<value>"


def test_a_failure_behind_references_is_located_where_the_keyword_stands() -> None:
    schema: JSON = {
        "properties": {"a": {"$ref": "#/$defs/x"}},
        "$defs": {"x": {"items": {"$ref": "http://x/other#/$defs/y"}}},
    }
    other: JSON = {"$defs": {"y": {"allOf": [{"minimum": 3}]}}}
    (failure,) = failures(schema, {"a": [5, 1]}, resources={"http://x/other": other})
    assert failure == Failure("/$defs/y/allOf/0/minimum", "http://x/other", ("a", 1), "must be at least 3", "minimum")


def test_failures_are_named_by_the_document() -> None:
    document = parse_document('{"type": "string"}', name="schemas/a.json", uri="file:///schemas/a.json")
    (failure,) = Validator(schema_set(document)).failures(1)
    assert failure.source == "schemas/a.json"


def test_a_schema_inside_a_document_is_located_in_the_document() -> None:
    (failure,) = failures({"defs": {"a": {"type": "string"}}}, 1, at="/defs/a")
    assert failure.keyword_location == "/defs/a/type"


def test_failures_come_in_the_order_of_the_schema() -> None:
    schema: JSON = {"required": ["b"], "properties": {"a": {"type": "string", "minimum": 5}}, "maxProperties": 0}
    assert [failure.keyword for failure in failures(schema, {"a": 1})] == [
        "required",
        "type",
        "minimum",
        "maxProperties",
    ]


def test_messages_repeat_no_values() -> None:
    secret = "hunter2-secret"
    schema: JSON = {
        "properties": {
            "a": {
                "type": "number",
                "pattern": "^x",
                "maxLength": 2,
                "enum": ["x"],
                "const": "y",
                "not": {},
                "anyOf": [False],
            }
        }
    }
    found = failures(schema, {"a": secret})
    assert len(found) == 7
    assert not any(secret in failure.message for failure in found)


# -- the second opinion -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "value", "opinion"),
    [
        ({"type": "string"}, "x", True),
        ({"type": "string"}, 1, False),
        ({"$schema": "https://json-schema.org/draft-07/schema", "items": [{"type": "null"}]}, [1], False),
        ({"$schema": "urn:unknown", "type": "string"}, 1, False),
        ({"$schema": D4, "type": "integer"}, 1.0, True),
        ({"$schema": D4, "items": {"not": {"type": "integer"}}}, [1.0], False),
        ({"multipleOf": 0.01}, 19.99, True),
        ({"pattern": "^(?!a).$"}, "b", True),
        ({"format": "date"}, "x", True),
    ],
)
def test_an_opinion(schema: JSON, value: JSON, opinion: bool) -> None:
    assert SecondOpinion(schema_set(schema)).is_valid(value) is opinion
    assert valid(schema, value) is opinion


@pytest.mark.parametrize(
    "schema",
    [
        {"$schema": D20, "dependencies": {"a": ["b"]}},
        {"$schema": D7, "contentMediaType": "application/json"},
        {"$schema": D6, "contentEncoding": "base64"},
        {"pattern": "[^]"},
        {"patternProperties": {"a{,3}": {}}},
        {"pattern": "^(a+)+\\1$"},
        {"items": {"patternProperties": {"(?<n>a)\\k<n>": {}}}},
        {"$ref": "http://x/nowhere"},
        {"$ref": "#/$defs/nowhere"},
    ],
)
def test_it_abstains_where_it_is_known_to_differ(schema: JSON) -> None:
    second = SecondOpinion(schema_set(schema))
    assert second.abstains is not None
    assert second.is_valid({"a": 1}) is None
    with pytest.raises(UnsupportedByBulk):
        BulkValidator(schema_set(schema))


@pytest.mark.parametrize(
    "schema",
    [
        {"$schema": D7, "dependencies": {"a": ["b"]}},
        {"$schema": D19, "contentMediaType": "application/json"},
        {"properties": {"dependencies": {}, "contentEncoding": {}}},
        {"default": {"pattern": "[^]"}},
        {"pattern": "^(?!a)(b)\\d$"},
    ],
)
def test_it_does_not_abstain_on_what_only_looks_alike(schema: JSON) -> None:
    assert SecondOpinion(schema_set(schema)).abstains is None


@pytest.mark.parametrize("value", [Decimal("0.1"), 1e23, 2**63, -(2**63) - 1, "\ud800", [[Decimal("1e400")]]])
def test_it_abstains_on_values_that_it_cannot_hold(value: JSON) -> None:
    second = SecondOpinion(schema_set({}))
    assert second.is_valid(value) is None
    assert second.is_valid(2**63 - 1) is True


def test_it_abstains_on_line_ends_where_a_pattern_looks_around() -> None:
    around = SecondOpinion(schema_set({"items": {"pattern": "^(?!a).$"}}))
    assert around.is_valid(["\r"]) is None
    assert around.is_valid(["\n"]) is False
    assert SecondOpinion(schema_set({"pattern": "^.$"})).is_valid("\r") is False


@pytest.mark.parametrize(
    ("name", "abstains"), [("date", False), ("ipv4", False), ("uuid", True), ("idn-hostname", True)]
)
def test_asserted_formats_are_mostly_left_to_the_reference(name: str, abstains: bool) -> None:
    second = SecondOpinion(schema_set({"format": name}), formats="assertion")
    assert (second.is_valid("x") is None) is abstains
    assert SecondOpinion(schema_set({"format": name})).is_valid("x") is True


def test_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("a network was touched")

    monkeypatch.setattr("socket.socket.connect", forbidden)
    monkeypatch.setattr("urllib.request.urlopen", forbidden)
    schema: JSON = {"$schema": "http://127.0.0.1:9/meta", "$ref": "http://127.0.0.1:9/schema"}
    assert SecondOpinion(schema_set(schema)).is_valid(1) is None
    with pytest.raises(CompatError, match="is not here"):
        valid(schema, 1)
    check_schema(schema_set(schema))


def test_files_and_schemas_inside_documents_are_at_hand() -> None:
    resources = {"http://x/other": {"$schema": "urn:unknown", "$defs": {"y": {"minimum": 3}}}}
    schemas = schema_set({"a b": {"$ref": "http://x/other#/$defs/y"}}, at="/a b", resources=resources)
    for validator in (Validator(schemas), SecondOpinion(schemas), BulkValidator(schemas)):
        assert validator.is_valid(3) is True
        assert validator.is_valid(2) is False


def test_the_bulk_validator_hands_on_what_it_cannot_hold() -> None:
    bulk = BulkValidator(schema_set({"type": ["string", "number"], "maximum": 1}))
    assert bulk.is_valid("\ud800")
    assert bulk.is_valid(Decimal("0.1"))
    assert not bulk.is_valid(["\ud800"])
    assert BulkValidator(schema_set({"pattern": "^(?!a).$"})).is_valid("\r") is False

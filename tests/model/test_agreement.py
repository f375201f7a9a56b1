"""The reference, the second opinion and the bulk validator never differ on random schemas of any dialect."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compat import jsonvalue
from compat.errors import SchemaError
from compat.jsonvalue import JSON
from compat.model.dialects import Dialect
from compat.model.instance import BulkValidator, SecondOpinion, Validator
from compat.model.references import check_schema, schema_set

NAMES = st.sampled_from(["a", "b", "ab"])
SCALARS = st.sampled_from([None, True, False, 0, 1, 1.0, 2, 1.5, 0.3, "", "a", "ab", "b", "é", "😀"])
VALUES: st.SearchStrategy[JSON] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
TYPES = st.sampled_from(["object", "array", "string", "number", "integer", "null", ["string", "array"]])
D4, D6, D7, D19, D20 = Dialect


def _keywords(dialect: Dialect, inner: st.SearchStrategy[JSON]) -> dict[str, st.SearchStrategy[JSON]]:
    several = st.lists(inner, min_size=1, max_size=2)
    named = st.dictionaries(NAMES, inner, max_size=2)
    strings = st.lists(NAMES, min_size=1, max_size=2, unique=True)
    found: dict[str, st.SearchStrategy[JSON]] = {
        "type": TYPES,
        "enum": st.lists(VALUES, min_size=1, max_size=3, unique_by=jsonvalue.freeze),
        "minimum": st.sampled_from([0, 1, 1.5]),
        "multipleOf": st.sampled_from([1, 0.5, 0.1, 2]),
        "maxLength": st.sampled_from([0, 1]),
        "pattern": st.sampled_from(["a", "^a$", "^[^a]", "b$", "^.$"]),
        "required": strings,
        "properties": named,
        "patternProperties": st.dictionaries(st.sampled_from(["^a", "b$"]), inner, max_size=2),
        "additionalProperties": inner,
        "maxProperties": st.sampled_from([0, 1]),
        "items": inner,
        "uniqueItems": st.booleans(),
        "allOf": several,
        "anyOf": several,
        "oneOf": several,
        "not": inner,
        "$ref": st.sampled_from(["#", "#/definitions/d", "urn:example:r"]),
    }
    if dialect is D4:
        found["exclusiveMinimum"] = st.booleans()
    else:
        found |= {
            "const": VALUES,
            "contains": inner,
            "propertyNames": inner,
            "exclusiveMinimum": st.sampled_from([0, 1]),
        }
    if dialect in {D7, D19, D20}:
        found |= {"if": inner, "then": inner, "else": inner}
    if dialect is not D20:
        found |= {"items": inner | several, "additionalItems": inner}
    if dialect in {D4, D6, D7}:
        found["dependencies"] = st.dictionaries(NAMES, inner | strings, max_size=2)
    else:
        found |= {
            "dependentSchemas": named,
            "dependentRequired": st.dictionaries(NAMES, strings, max_size=1),
            "minContains": st.sampled_from([0, 2]),
            "maxContains": st.sampled_from([0, 1]),
            "unevaluatedProperties": inner,
            "unevaluatedItems": inner,
        }
    if dialect is D19:
        found |= {"$recursiveRef": st.just("#")}
    if dialect is D20:
        found |= {"prefixItems": several, "$dynamicRef": st.sampled_from(["#n", "#/definitions/d"])}
    return found


def _schemas(dialect: Dialect) -> st.SearchStrategy[JSON]:
    leaves: st.SearchStrategy[JSON] = st.sampled_from([{}, {"not": {}}]) if dialect is D4 else st.booleans()

    def grow(inner: st.SearchStrategy[JSON]) -> st.SearchStrategy[JSON]:
        table = _keywords(dialect, inner)
        chosen = st.lists(st.sampled_from(sorted(table)), min_size=1, max_size=4, unique=True)
        return chosen.flatmap(lambda names: st.fixed_dictionaries({name: table[name] for name in names}))

    return st.recursive(leaves, grow, max_leaves=8)


@st.composite
def _documents(draw: st.DrawFn) -> JSON:
    dialect = draw(st.sampled_from(list(Dialect)))
    part = _schemas(dialect)
    top, resource = draw(part), draw(part)
    schema: dict[str, JSON] = {**(top if isinstance(top, dict) else {}), "$schema": dialect.uri}
    if dialect is D4 and "exclusiveMinimum" in schema:
        schema["minimum"] = 1
    inside: dict[str, JSON] = {**(resource if isinstance(resource, dict) else {})}
    # A `$ref` beside it would hide the identifier up to draft-07.
    inside.pop("$ref", None)
    inside |= {dialect.id_keyword: "urn:example:r", "definitions": {"d": draw(part)}}
    schema["definitions"] = {"d": draw(part), "r": inside}
    if dialect is D20:
        schema["$dynamicAnchor"] = "n"
        inside["$dynamicAnchor" if draw(st.booleans()) else "$anchor"] = "n"
    if dialect is D19:
        schema["$recursiveAnchor"] = draw(st.booleans())
        inside["$recursiveAnchor"] = draw(st.booleans())
    return schema


def _agree(schema: JSON, values: list[JSON]) -> None:
    schemas = schema_set(schema)
    try:
        check_schema(schemas)
    except SchemaError:
        # Draft-04 wants `minimum` beside `exclusiveMinimum`, and not every random schema has it.
        return
    validator, second, bulk = Validator(schemas), SecondOpinion(schemas), BulkValidator(schemas)
    assert second.abstains is None
    for value in values:
        try:
            answer = validator.is_valid(value)
            failures = list(validator.failures(value))
        except SchemaError as error:
            if "leads back to itself" not in error.message:
                raise
            continue
        assert second.is_valid(value) is answer
        assert bulk.is_valid(value) is answer
        assert bool(failures) is not answer
        for failure in failures:
            # What a failure points at is there, in the schema and in the value; only minContains may be implied.
            if not failure.keyword_location.endswith("/minContains"):
                jsonvalue.resolve(schema, failure.keyword_location)
            jsonvalue.resolve(value, jsonvalue.pointer(failure.instance_path))


CASES = (_documents(), st.lists(VALUES, min_size=1, max_size=4))
QUIET = list(HealthCheck)


@settings(max_examples=80, deadline=None, derandomize=True, suppress_health_check=QUIET)
@given(*CASES)
def test_no_opinion_differs(schema: JSON, values: list[JSON]) -> None:
    _agree(schema, values)


@pytest.mark.long
@settings(max_examples=3_000, deadline=None, suppress_health_check=QUIET)
@given(*CASES)
def test_no_opinion_differs_on_very_many(schema: JSON, values: list[JSON]) -> None:
    _agree(schema, values)

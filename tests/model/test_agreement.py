"""The reference, the second opinion and the bulk validator never differ on random schemas of any dialect."""

from __future__ import annotations

import pytest
from generate import schemas_of, values
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compat import jsonvalue
from compat.errors import SchemaError
from compat.jsonvalue import JSON
from compat.model.dialects import Dialect
from compat.model.instance import BulkValidator, SecondOpinion, Validator
from compat.model.references import check_schema, schema_set

D4, D6, D7, D19, D20 = Dialect
REFERENCES = ["#", "#/definitions/d", "urn:example:r"]


@st.composite
def _documents(draw: st.DrawFn) -> JSON:
    dialect = draw(st.sampled_from(list(Dialect)))
    part = schemas_of(dialect, REFERENCES)
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


CASES = (_documents(), st.lists(values, min_size=1, max_size=4))
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

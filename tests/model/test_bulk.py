"""Two schemas asked at once give the answers of each by itself, and abstain where their names could meet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compat.jsonvalue import JSON
from compat.model.bulk import BulkPair
from compat.model.instance import BulkValidator, Validator
from compat.model.references import schema_set

SHORT: JSON = {"$id": "urn:x", "$ref": "#/$defs/s", "$defs": {"s": {"type": "string", "maxLength": 2}}}
LONG: JSON = {"$id": "urn:x", "$ref": "#/$defs/s", "$defs": {"s": {"type": ["string", "null"], "minLength": 2}}}


def pair(old: JSON, new: JSON) -> BulkPair:
    return BulkPair(BulkValidator(schema_set(old)), BulkValidator(schema_set(new)))


@pytest.mark.parametrize(
    ("values", "both"),
    [(["ab"], True), (["ab", "a"], False), (["abc"], False), ([None], False), ([], True), (["ab", "xy"], True)],
)
def test_a_pair_is_asked_for_both_under_one_name(values: list[JSON], both: bool) -> None:
    asked = pair(SHORT, LONG)
    assert asked.joint
    assert asked.all_valid(values) is both


@pytest.mark.parametrize(
    "other",
    [
        {"$ref": "urn:y", "$defs": {"y": {"$id": "urn:y", "minLength": 2}}},
        {"$schema": "http://json-schema.org/draft-07/schema#", "minLength": 2},
        {"$schema": "http://json-schema.org/draft-04/schema#", "minLength": 2},
        {"pattern": "^(?=..)"},
        {"$dynamicRef": "#x", "$defs": {"x": {"$dynamicAnchor": "x", "minLength": 2}}},
    ],
)
def test_where_names_could_meet_each_is_asked_by_itself(other: JSON) -> None:
    for asked in (pair(SHORT, other), pair(other, SHORT)):
        assert not asked.joint
        assert asked.all_valid(["ab", "xy"])
        assert not asked.all_valid(["ab", "a"])
        assert not asked.all_valid(["abc"])


def test_one_schema_is_asked_once() -> None:
    one = BulkValidator(schema_set(SHORT))
    asked = BulkPair(one, one)
    assert not asked.joint
    assert asked.all_valid(["a", "b"])
    assert not asked.all_valid(["a", 1])


@pytest.mark.parametrize(
    ("schema", "wary"),
    [
        ({"maximum": 5}, False),
        ({"maximum": 2**63}, True),
        ({"multipleOf": 10}, True),
        ({"items": {"uniqueItems": True}}, True),
        ({"enum": [1e23]}, True),
        ({"properties": {"a": {"minLength": 1}}}, False),
    ],
)
def test_who_must_not_be_asked_about_large_numbers_says_so(schema: JSON, wary: bool) -> None:
    one, other = BulkValidator(schema_set(schema)), BulkValidator(schema_set({}))
    assert one.wary is wary
    assert BulkPair(one, other).wary is BulkPair(other, one).wary is wary


LARGE = st.sampled_from([2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1, -(2**63), 1e19, 1e22, 1e23, 1e308, 0, 1.5])
KEYWORDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "const")


@given(st.sampled_from(KEYWORDS), LARGE, LARGE)
def test_large_numbers_are_judged_as_they_are_written(keyword: str, limit: float, value: float) -> None:
    if keyword == "multipleOf" and limit <= 0:
        limit = 10
    schemas = schema_set({keyword: limit})
    assert BulkValidator(schemas).is_valid(value) is Validator(schemas).is_valid(value)

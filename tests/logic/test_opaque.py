"""Sets that only their name is known of: one name for what is the same set, another for every other."""

from __future__ import annotations

from typing import Any

import pytest

import compat
from compat.relation import Status

MISSING = {"$ref": "https://example.org/missing"}
MANY = {"anyOf": [{"contains": {"const": number}, "minItems": number} for number in range(10)]}
SAME, OPEN = Status.COMPATIBLE, Status.UNKNOWN


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        ({"propertyNames": MISSING}, {"propertyNames": {"$ref": "https://example.org/other"}}, OPEN),
        ({"propertyNames": MISSING}, {"propertyNames": {**MISSING, "title": "T"}}, SAME),
        ({"propertyNames": {"pattern": r"^(a+)\1$"}}, {"propertyNames": {"pattern": r"^(a+)\1$", "title": "T"}}, SAME),
        ({**MISSING, "unevaluatedProperties": False}, {**MISSING, "unevaluatedProperties": {"type": "null"}}, OPEN),
        ({**MISSING, "unevaluatedProperties": False}, {**MISSING, "unevaluatedItems": False}, OPEN),
        ({**MISSING, "unevaluatedProperties": False, "properties": {"a": {}}}, {**MISSING, "title": "T"}, OPEN),
        ({**MISSING, "unevaluatedProperties": False}, {"title": "T", **MISSING, "unevaluatedProperties": False}, SAME),
        (
            {**MISSING, "unevaluatedProperties": False, "properties": {"a": {}}},
            {**MISSING, "unevaluatedProperties": False, "properties": {"b": {}}},
            OPEN,
        ),
        ({**MANY, "unevaluatedItems": False}, {**MANY, "unevaluatedItems": {"type": "null"}}, OPEN),
        ({**MANY, "unevaluatedItems": False}, {**MANY, "unevaluatedItems": False, "title": "T"}, SAME),
    ],
)
def test_opaque_sets_are_one_only_where_all_they_depend_on_is(old: Any, new: Any, status: Status) -> None:
    result = compat.compare(old, new)
    if status is SAME:
        assert result.backward.status is result.forward.status is SAME
    else:
        assert OPEN in (result.backward.status, result.forward.status)


def test_names_are_told_apart_by_patterns_that_look_back() -> None:
    result = compat.compare({"propertyNames": {"pattern": r"^(a+)\1$"}}, {"propertyNames": {"pattern": r"^(b+)\1$"}})
    assert (result.backward.witness, result.forward.witness) == ({"aa": None}, {"bb": None})


@pytest.mark.parametrize("schema", [{"propertyNames": MISSING}, {**MANY, "unevaluatedItems": False}])
def test_what_is_opaque_of_one_type_says_nothing_of_the_others(schema: Any) -> None:
    assert compat.compare({"type": "string"}, schema).backward.status is SAME
    assert compat.compare({"type": ["object", "array"]}, schema).backward.status is not SAME

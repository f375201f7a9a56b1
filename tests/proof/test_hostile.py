"""Schemas that ask for exponential work, or for instances too large to build: an answer, or an honest unknown.

None of these may take long; a test that hangs is the failure.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

import compat
from compat.relation import Status


def doubling(levels: int, leaf: Any) -> dict[str, Any]:
    """Every definition refers to the next twice, so that the leaf is reached 2ⁿ times."""
    definitions: dict[str, Any] = {
        f"a{level}": {"allOf": [{"$ref": f"#/$defs/a{level + 1}"}, {"$ref": f"#/$defs/a{level + 1}"}]}
        for level in range(levels)
    }
    return {"$defs": {**definitions, f"a{levels}": leaf}, "$ref": "#/$defs/a0"}


TWO_FACTORS = {"type": "integer", "allOf": [{"multipleOf": 10**3990}, {"multipleOf": 10**3990 + 1}]}
COUNTED = {"type": "array", "contains": {"type": "integer"}}


def overlapping(count: int) -> dict[str, Any]:
    """Key patterns of which any set can match at once."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    pairs = [first + second for first, second in pairwise(letters)][:count]
    return {"patternProperties": {pair: {"minimum": index} for index, pair in enumerate(pairs)}}


def tagged(count: int, odd: int | None = None) -> dict[str, Any]:
    """A `oneOf` of objects told apart by a tag."""
    return {
        "oneOf": [
            {
                "type": "object",
                "properties": {"tag": {"const": tag}, "value": {"type": "number" if tag == odd else "string"}},
                "required": ["tag"],
            }
            for tag in range(count)
        ]
    }


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        (doubling(24, {"type": "string"}), doubling(24, {"type": "string"}), Status.COMPATIBLE),
        (doubling(24, {"type": "string"}), doubling(24, {"type": "string", "minLength": 1}), Status.BREAKING),
        (doubling(24, {"type": "string", "minLength": 1}), doubling(24, {"type": "string"}), Status.COMPATIBLE),
        (overlapping(13), {**overlapping(13), "additionalProperties": {"type": "string"}}, Status.BREAKING),
        (overlapping(13), overlapping(12), Status.COMPATIBLE),
        (tagged(300), tagged(300, odd=77), Status.BREAKING),
        (tagged(300), tagged(301), Status.COMPATIBLE),
        ({"pattern": "^(a+)+$"}, {"pattern": "^(a|aa)+$"}, Status.COMPATIBLE),
        ({"pattern": "^[a-z]{1,5000}$"}, {"pattern": "^[a-z0-9]{1,10000}$"}, Status.COMPATIBLE),
        ({"pattern": "^(a+)+$"}, {"pattern": "^(a+)+b$"}, Status.BREAKING),
        ({"multipleOf": 1e-300}, {"multipleOf": 1e-299}, Status.BREAKING),
        ({"minimum": 10**400}, {"minimum": 10**400 + 1}, Status.BREAKING),
        # A number of eight thousand digits cannot be written, though there is one; zero can.
        ({**TWO_FACTORS, "exclusiveMinimum": 0}, {"type": "string"}, Status.UNKNOWN),
        ({**TWO_FACTORS, "minimum": 0}, {"type": "string"}, Status.BREAKING),
        ({**COUNTED, "maxContains": 10**8}, {**COUNTED, "maxContains": 10**8 + 1}, Status.COMPATIBLE),
        ({**COUNTED, "minContains": 10**8 + 1}, {**COUNTED, "minContains": 10**8}, Status.COMPATIBLE),
        ({**COUNTED, "minContains": 10**8}, {**COUNTED, "minContains": 10**8 + 1}, Status.UNKNOWN),
        ({**COUNTED, "minContains": 300}, {**COUNTED, "minContains": 301}, Status.BREAKING),
        ({"type": "object", "minProperties": 10**30}, {"minProperties": 10**30 + 1}, Status.UNKNOWN),
        # An instance of a billion items or characters is no witness; that there is one cannot be shown.
        ({"type": "array", "minItems": 10**9}, {"type": "array", "minItems": 10**9 + 1}, Status.UNKNOWN),
        ({"type": "string", "minLength": 10**9}, {"type": "string", "minLength": 10**9 + 1}, Status.UNKNOWN),
        ({"type": "string", "minLength": 10**9 + 1}, {"type": "string", "minLength": 10**9}, Status.COMPATIBLE),
    ],
)
def test_no_schema_hangs_the_prover(old: Any, new: Any, status: Status) -> None:
    result = compat.compare(old, new)
    assert result.backward.status is status
    assert bool(result.backward.reasons) is (status is Status.BREAKING)


def chain(length: int, leaf: Any) -> dict[str, Any]:
    """Definitions that each hold the next in a member."""
    links = {f"a{at}": {"properties": {"next": {"$ref": f"#/$defs/a{at + 1}"}}} for at in range(length)}
    return {"$defs": {**links, f"a{length}": leaf}, "$ref": "#/$defs/a0"}


@pytest.mark.parametrize(("length", "statuses"), [(200, {Status.BREAKING}), (5_000, {Status.UNKNOWN})])
def test_a_long_chain_of_references_is_followed_or_given_up(length: int, statuses: set[Status]) -> None:
    result = compat.compare(chain(length, {"type": ["string", "null"]}), chain(length, {"type": "string"}))
    assert {result.backward.status} == statuses
    assert bool(result.backward.reasons) is (result.backward.status is Status.BREAKING)


def test_a_thousand_branches_of_which_one_differs() -> None:
    def branches(odd: int | None) -> dict[str, Any]:
        return {
            "anyOf": [
                {"properties": {"k": {"const": k}, "v": {"maxLength": k + (k != odd)}}, "required": ["k"]}
                for k in range(1000)
            ]
        }

    result = compat.compare(branches(None), branches(500))
    assert result.forward.status is Status.COMPATIBLE
    assert result.backward.status is Status.BREAKING
    witness = result.backward.witness
    assert isinstance(witness, dict)
    assert witness["k"] == 500
    assert len(witness["v"]) == 501

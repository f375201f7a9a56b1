"""What stands alike in both documents may be one formula, and only if it means the same in both."""

from __future__ import annotations

from typing import Any

import pytest

import compat
from compat.logic.sharing import Sharing
from compat.model.references import schema_set
from compat.relation import Status

TREE = {"type": "object", "properties": {"next": {"$ref": "#/$defs/tree"}}}


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ({"$defs": {"tree": TREE}}, {"$defs": {"tree": TREE}}, True),
        ({"$defs": {"tree": TREE}}, {"$defs": {"tree": {**TREE, "title": "A tree"}}}, True),
        ({"$defs": {"tree": TREE}}, {"$defs": {"tree": {**TREE, "minProperties": 1}}}, False),
        # Alike to the letter, but `x` differs behind it.
        (
            {"$defs": {"tree": {"items": {"$ref": "#/$defs/x"}}, "x": {"type": "string"}}},
            {"$defs": {"tree": {"items": {"$ref": "#/$defs/x"}}, "x": {"type": "null"}}},
            False,
        ),
        ({"$defs": {"tree": {"const": True}}}, {"$defs": {"tree": {"const": 1}}}, False),
        ({"$defs": {"tree": {"const": 1.0}}}, {"$defs": {"tree": {"const": 1}}}, True),
        ({"$defs": {"tree": TREE}}, {"$defs": {}}, False),
        (
            {"$defs": {"tree": {"dependentRequired": {"a": ["b"]}}}},
            {"$defs": {"tree": {"dependentRequired": {}}}},
            False,
        ),
        # What is written with an escape is the place that the escape stands for.
        ({"$defs": {"tree": {"$ref": "#/$defs/a%2520b"}, "a%20b": {"const": 1}, "a b": {}}},) * 2 + (True,),
        (
            {"$defs": {"tree": {"title": "T", "$ref": "#/$defs/a%2520b"}, "a%20b": {"const": 1}, "a b": {}}},
            {"$defs": {"tree": {"$ref": "#/$defs/a%2520b"}, "a%20b": {"const": 2}, "a b": {}}},
            False,
        ),
    ],
)
def test_same(old: Any, new: Any, same: bool) -> None:
    assert Sharing(schema_set(old), schema_set(new)).same("/$defs/tree") is same


def test_one_object_in_both_documents_is_no_proof_that_it_means_the_same() -> None:
    shared = {"$ref": "#/$defs/x"}
    root = {"type": "object", "properties": {"self": {"$ref": "#"}, "value": shared}}
    old = {**root, "$defs": {"x": {"type": "string"}}}
    new = {**root, "$defs": {"x": {"type": "integer"}}}
    result = compat.compare(old, new)
    assert (result.backward.status, result.forward.status) == (Status.BREAKING, Status.BREAKING)
    assert result.backward.witness == {"value": ""}


def test_the_same_text_under_another_dialect_is_another_schema() -> None:
    part = {"$ref": "#/definitions/a", "maxLength": 1}
    old = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"a": part},
        "definitions": {"a": {"type": "string"}},
    }
    new = {**old, "$schema": "https://json-schema.org/draft/2020-12/schema"}
    assert compat.compare(old, new).backward.status is Status.BREAKING


def test_an_identifier_on_the_way_moves_what_a_reference_means() -> None:
    part = {"$id": "https://example.org/part", "$ref": "#/$defs/x", "$defs": {"x": {"type": "string"}}}
    old = {"properties": {"a": part}, "$defs": {"x": {"type": "null"}}}
    new = {"properties": {"a": part}, "$defs": {"x": {"type": "integer"}}}
    result = compat.compare(old, new)
    assert result.backward.status is result.forward.status is Status.COMPATIBLE


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ({"dependencies": {"a": ["b"]}}, {"dependencies": {"a": ["b"]}, "title": "T"}, True),
        ({"dependencies": {"a": ["b"]}}, {"dependencies": {"a": ["c"]}}, False),
        ({"dependencies": {"a": ["b"]}}, {"dependencies": {"a": {"required": ["b"]}}}, False),
        ({"dependencies": {"a": {"title": "A"}}}, {"dependencies": {"a": {"title": "B"}}}, True),
        ({"items": [{}], "additionalItems": False}, {"items": [{"title": "T"}], "additionalItems": False}, True),
        ({"items": [{}], "additionalItems": False}, {"items": {}, "additionalItems": False}, False),
    ],
)
def test_same_in_draft_07(old: Any, new: Any, same: bool) -> None:
    base = {"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"p": {"$ref": "#/definitions/x"}}}
    sides = [{**base, "definitions": {"x": one}} for one in (old, new)]
    assert Sharing(schema_set(sides[0]), schema_set(sides[1])).same("/definitions/x") is same


def test_a_list_of_dependencies_behind_a_reference_is_seen() -> None:
    old, new = (
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "properties": {"p": {"$ref": "#/definitions/x"}},
            "definitions": {"x": {"dependencies": {"a": [needed]}}},
        }
        for needed in "bc"
    )
    result = compat.compare(old, new)
    assert (result.backward.status, result.forward.status) == (Status.BREAKING, Status.BREAKING)


def test_an_identifier_above_what_is_referred_to_moves_what_it_refers_to() -> None:
    def version(kind: str, root: str) -> dict[str, Any]:
        part = {
            "$id": "https://example.org/part",
            "$defs": {"x": {"type": kind}, "y": {"properties": {"q": {"$ref": "#/$defs/x"}}}},
        }
        return {"properties": {"p": {"$ref": "#/$defs/r/$defs/y"}}, "$defs": {"x": {"type": root}, "r": part}}

    changed = compat.compare(version("string", "null"), version("integer", "null"))
    assert (changed.backward.witness, changed.forward.witness) == ({"p": {"q": ""}}, {"p": {"q": 0}})
    same = compat.compare(version("string", "null"), version("string", "boolean"))
    assert same.backward.status is same.forward.status is Status.COMPATIBLE


@pytest.mark.parametrize(("kinds", "same"), [(("string", "integer"), False), (("string", "string"), True)])
def test_what_another_document_refers_to_within_itself_is_looked_up_there(kinds: tuple[str, str], same: bool) -> None:
    # The other document is written alike around the reference, and the root has the same definition on both sides.
    node = {"properties": {"next": {"$ref": "#/$defs/node"}, "at": {"$ref": "https://example.org/other#/$defs/at"}}}
    root = {"$ref": "#/$defs/node", "$defs": {"node": node, "kind": {"type": "string"}}}
    at = {"properties": {"kind": {"$ref": "#/$defs/kind"}}}
    sides = [
        schema_set(root, resources={"https://example.org/other": {"$defs": {"at": at, "kind": {"type": kind}}}})
        for kind in kinds
    ]
    result = compat.compare(sides[0], sides[1])
    assert (result.backward.status is Status.COMPATIBLE) is same
    assert (result.forward.status is Status.COMPATIBLE) is same
    assert Sharing(sides[0], sides[1]).same("/$defs/node") is same


@pytest.mark.parametrize("changed", [None, 0, 7, 19])
def test_what_differs_spreads_to_all_that_refers_to_it_and_no_further(changed: int | None) -> None:
    def version(number: int) -> dict[str, Any]:
        ring = {
            f"r{at}": {"title": str(number), "items": {"$ref": f"#/$defs/r{(at + 1) % 10}"}, "minItems": 0}
            for at in range(10)
        }
        chain = {f"c{at}": {"title": str(number), "items": {"$ref": f"#/$defs/c{at + 1}"}} for at in range(10, 20)}
        places: dict[str, Any] = {**ring, **chain, "c20": {"type": "string"}}
        if changed is not None and number:
            places[f"r{changed}" if changed < 10 else f"c{changed}"]["maxItems"] = 5
        return {"$defs": places}

    sharing = Sharing(schema_set(version(0)), schema_set(version(1)))
    told = {name: sharing.same(f"/$defs/{name}") for name in version(0)["$defs"]}
    ring, chain = changed is None or changed > 9, changed is None or changed < 10
    assert told == {
        **{f"r{at}": ring for at in range(10)},
        **{f"c{at}": chain or at > (changed or 0) for at in range(10, 21)},
    }


def test_a_reference_that_leads_nowhere_tells_nothing() -> None:
    one, other = ({"$defs": {"a": {"title": title, "$ref": "#/$defs/b"}, "c": {"title": title}}} for title in "xy")
    sharing = Sharing(schema_set(one), schema_set(other))
    assert [sharing.same(f"/$defs/{name}") for name in "abc"] == [False, False, True]

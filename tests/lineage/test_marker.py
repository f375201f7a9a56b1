"""The version marker: where it is found, and both schemas apart from it."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from compat.lineage import VersionNumber, apart_from_marker, find_marker


def schema(value: object, name: str = "v", **more: object) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {"const": value}, "x": {"type": "string"}}, **more}


@pytest.mark.parametrize(
    ("name", "instance_path", "value"),
    [
        ("pw-decide-row.schema.json", "/schema", "pw-decide-row/1"),
        ("task.schema.json", "/v", 1),
        ("invocation-response.schema.json", "/schema_version", "1.0"),
    ],
)
def test_the_seeds(seeds: dict[str, object], name: str, instance_path: str, value: object) -> None:
    site = find_marker(seeds[name])
    assert site is not None
    assert (site.instance_path, site.value) == (instance_path, value)


def test_a_seed_without_a_marker_has_none(seeds: dict[str, object]) -> None:
    assert find_marker(seeds["kwau-conversations.schema.json"]) is None


def test_both_sides_admit_either_value_and_keep_the_rest() -> None:
    old, new = schema(1, required=["v"]), schema(2, required=["v", "x"])
    before = copy.deepcopy((old, new))
    apart_old, apart_new, marker = apart_from_marker(old, new)
    assert (old, new) == before
    assert apart_old == {**old, "properties": {**old["properties"], "v": {"enum": [1, 2]}}}
    assert apart_new == {**new, "properties": {**new["properties"], "v": {"enum": [1, 2]}}}
    assert marker is not None
    assert str(marker) == "version tag 1 → 2"
    assert (marker.instance_path, marker.old_pointers, marker.new_pointers) == (
        "/v",
        ("/properties/v",),
        ("/properties/v",),
    )


def test_a_marker_that_stays_changes_nothing() -> None:
    old, new = schema(1), schema(1, required=["x"])
    assert apart_from_marker(old, new) == (old, new, None)


def test_an_equal_number_written_otherwise_is_the_same_marker() -> None:
    assert apart_from_marker(schema(1), schema(1.0))[2] is None


def test_a_text_marker_names_its_values_in_full() -> None:
    marker = apart_from_marker(schema("row/1", "schema"), schema("row/2", "schema"))[2]
    assert str(marker) == 'version tag "row/1" → "row/2"'


def test_assertions_beside_the_constant_do_not_stand_in_the_way() -> None:
    old = {"properties": {"v": {"type": "integer", "const": 1, "description": "Version."}}}
    new = {"properties": {"v": {"type": "string", "enum": ["2.0"], "title": "V"}}}
    apart_old, apart_new, marker = apart_from_marker(old, new)
    assert apart_old == {"properties": {"v": {"description": "Version.", "enum": [1, "2.0"]}}}
    assert apart_new == {"properties": {"v": {"title": "V", "enum": [1, "2.0"]}}}
    assert marker is not None


@pytest.mark.parametrize("keyword", ["oneOf", "anyOf", "allOf"])
def test_a_marker_in_every_branch(keyword: str) -> None:
    old, new = {keyword: [schema(1), schema(1, required=["x"])]}, {keyword: [schema(2), schema(2)]}
    apart_old, _, marker = apart_from_marker(old, new)
    assert marker is not None
    assert marker.old_pointers == (f"/{keyword}/0/properties/v", f"/{keyword}/1/properties/v")
    assert isinstance(apart_old, dict)
    assert [branch["properties"]["v"] for branch in apart_old[keyword]] == [{"enum": [1, 2]}] * 2


@pytest.mark.parametrize("keyword", ["oneOf", "anyOf"])
def test_a_marker_in_some_branches_is_none(keyword: str) -> None:
    assert find_marker({keyword: [schema(1), {"type": "string"}]}) is None
    assert find_marker({keyword: [schema(1), schema(2)]}) is None


def test_one_conjunct_is_enough() -> None:
    site = find_marker({"allOf": [{"type": "object"}, schema(1)]})
    assert site is not None
    assert site.pointers == ("/allOf/1/properties/v",)


def test_a_marker_behind_a_local_reference() -> None:
    site = find_marker({"$defs": {"head/er": schema(1)}, "allOf": [{"$ref": "#/$defs/head~1er"}]})
    assert site is not None
    assert site.pointers == ("/$defs/head~1er/properties/v",)


def test_references_in_a_circle_end() -> None:
    assert find_marker({"$ref": "#", "allOf": [{"$ref": "#"}, {"$ref": "#/nowhere"}]}) is None


def test_a_deeper_constant_is_no_marker() -> None:
    assert find_marker({"properties": {"child": schema(1)}}) is None


def test_a_property_of_another_name_counts_by_the_number_it_ends_in() -> None:
    old, new = schema("row/1", "kind"), schema("row/2", "kind")
    one, two = VersionNumber.parse("1"), VersionNumber.parse("2")
    assert apart_from_marker(old, new)[2] is None
    assert apart_from_marker(old, new, old_number=one, new_number=two)[2] is not None
    assert find_marker(schema(1, "kind"), number=one) is None  # a bare number may mean anything


def test_a_configured_property_is_the_only_one_asked() -> None:
    old = {"properties": {"v": {"const": 1}, "rev": {"const": 7}}}
    site = find_marker(old, name="rev")
    assert site is not None
    assert site.value == 7
    assert find_marker(old, name="other") is None


@pytest.mark.parametrize("value", [True, None, "text", [1], {"properties": []}, {"properties": {"v": 3}}])
def test_odd_schemas_have_no_marker(value: Any) -> None:
    assert find_marker(value) is None

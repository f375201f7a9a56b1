"""Where a version number comes from, in the order that counts."""

from __future__ import annotations

import re

import pytest

from compat.lineage import NumberSource, number_in_tag, version_of
from compat.lineage.origin import number_in_path, number_in_uri, without_number

PLAIN: dict[str, object] = {"type": "object"}


@pytest.mark.parametrize(
    ("name", "number", "source"),
    [
        ("kwau-conversations.schema.json", "1.0.0", NumberSource.ID),
        ("invocation-response.schema.json", "1.0", NumberSource.ID),
        ("pw-decide-row.schema.json", "1", NumberSource.ID),
        ("task.schema.json", "1", NumberSource.ID),
    ],
)
def test_the_seeds(seeds: dict[str, object], name: str, number: str, source: NumberSource) -> None:
    found = version_of(seeds[name], f"schemas/{name}")
    assert found is not None
    assert (str(found[0]), found[1]) == (number, source)


@pytest.mark.parametrize(
    ("name", "number"),
    [("pw-decide-row.schema.json", "1"), ("task.schema.json", "1"), ("invocation-response.schema.json", "1.0")],
)
def test_the_seeds_by_their_constants_alone(seeds: dict[str, object], name: str, number: str) -> None:
    found = version_of(seeds[name], name, source=NumberSource.CONST)
    assert found is not None
    assert str(found[0]) == number


@pytest.mark.parametrize(
    ("uri", "number"),
    [
        ("https://x.test/formats/1.0.0/a.schema.json", "1.0.0"),
        ("https://x.test/provenance/1.0/a.schema.json", "1.0"),
        ("https://x.test/schema/v1/a.json", "1"),
        ("https://x.test/schemas/pw-decide-row/1", "1"),
        ("https://x.test/schemas/row/1#", "1"),
        ("https://x.test/a/v2.1.0-beta.1/x", "2.1.0-beta.1"),
        ("iglu:com.acme/task/jsonschema/1-0-2", "1-0-2"),
        ("https://x.test/task-1.2.schema.json", "1.2"),
        ("https://x.test/task.v3.json", "3"),
        ("https://x.test/task_v3.json?raw=1", "3"),
        ("urn:example:task:v1", "1"),
        ("urn:example:task:1.2.3", "1.2.3"),
        ("https://x.test/2026-11-30/task.json", "2026-11-30"),
        ("https://x.test/v1/task/2.0.0.json", "2.0.0"),
        ("v1/task.json", "1"),
    ],
)
def test_numbers_in_identifiers(uri: str, number: str) -> None:
    assert str(number_in_uri(uri)) == number


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "https://x.test/task.json",
        "https://v1.x.test/task.json",
        "https://x.test/2024/schemas/task.json",
        "https://x.test/schemas/2024/task.json",
        "https://x.test/iso-8601.json",
        "https://x.test/sha256.json",
        "https://x.test/utf-8/a.json",
        "https://x.test/task.json#v1",
        "https://[broken/v1",
    ],
)
def test_no_number_where_none_is_meant(uri: str) -> None:
    assert number_in_uri(uri) is None


@pytest.mark.parametrize(
    ("path", "number", "common"),
    [
        ("schemas/v1/task.schema.json", "1", "schemas/task.schema.json"),
        ("schemas/task/1.0.0/task.json", "1.0.0", "schemas/task/task.json"),
        ("schemas/task/1.0.0.json", "1.0.0", "schemas/task"),
        ("schemas/task-1.2.json", "1.2", "schemas/task.json"),
        ("schemas/task.v2.schema.yaml", "2", "schemas/task.schema.yaml"),
        ("schemas/task/task.schema.json", None, "schemas/task/task.schema.json"),
        ("schemas/oauth-2/task.json", None, "schemas/oauth-2/task.json"),
    ],
)
def test_numbers_in_paths(path: str, number: str | None, common: str) -> None:
    found = number_in_path(path)
    assert (None if found is None else str(found), without_number(path)) == (number, common)


@pytest.mark.parametrize(
    ("schema", "number", "source"),
    [
        ({"version": "1.2.0"}, "1.2.0", NumberSource.KEYWORD),
        ({"version": 3}, "3", NumberSource.KEYWORD),
        ({"x-version": "1.0"}, "1.0", NumberSource.KEYWORD),
        ({"self": {"vendor": "x", "name": "y", "version": "1-0-2"}}, "1-0-2", NumberSource.KEYWORD),
        ({"id": "https://x.test/v4/a", "version": "9"}, "4", NumberSource.ID),
        ({"version": "draft", "properties": {"v": {"const": 2}}}, "2", NumberSource.CONST),
        ({"properties": {"schema_version": {"const": "1.0"}}}, "1.0", NumberSource.CONST),
        ({"properties": {"schema": {"const": "row/7"}}}, "7", NumberSource.CONST),
        ({"properties": {"schemaVersion": {"enum": ["task@v2"]}}}, "2", NumberSource.CONST),
    ],
)
def test_keywords_and_constants(schema: dict[str, object], number: str, source: NumberSource) -> None:
    found = version_of(schema, "task.json")
    assert found is not None
    assert (str(found[0]), found[1]) == (number, source)


@pytest.mark.parametrize(
    "schema",
    [
        {"version": True},
        {"version": {"type": "string"}},
        {"properties": {"version": {"type": "string"}}},
        {"properties": {"v": {"const": "one"}}},
        {"properties": {"v": {"enum": [1, 2]}}},
        {"properties": {"v": {"const": True}}},
        {"properties": {"count": {"const": 1}}},
        {"properties": {"schema": {"const": "1/2"}}},
        True,
        [],
    ],
)
def test_what_only_looks_like_a_version_is_none(schema: object) -> None:
    assert version_of(schema, "task.json") is None


def test_the_path_comes_before_the_tag() -> None:
    assert version_of(PLAIN, "v1/task.json", ["v2.0.0"]) == version_of(PLAIN, "v1/task.json")
    found = version_of(PLAIN, "task.json", ["v2.0.0", "v10.0.0"])
    assert found is not None
    assert (str(found[0]), found[1]) == ("10.0.0", NumberSource.TAG)


@pytest.mark.parametrize(
    ("tag", "lineage", "number"),
    [
        ("v1.2.0", None, "1.2.0"),
        ("1.2.0", "task", "1.2.0"),
        ("task-v1.2.0", "task", "1.2.0"),
        ("task/v1.2.0", "task", "1.2.0"),
        ("task@1.2", "task", "1.2"),
        ("task-v1.2.0", None, None),
        ("task-v1.2.0", "tas", None),
        ("tasks-v1.2.0", "task", None),
        ("other-v1.2.0", "task", None),
        ("nightly", "task", None),
    ],
)
def test_tags(tag: str, lineage: str | None, number: str | None) -> None:
    found = number_in_tag(tag, lineage)
    assert (None if found is None else str(found)) == number


def test_a_configured_pattern_is_the_only_one_asked() -> None:
    schema = {"$id": "https://x.test/release-42/task", "version": "1.0.0"}

    def find(text: str) -> str | None:
        match = re.search(r"release-(\d+)/", text)
        return None if match is None else match[1]

    found = version_of(schema, "task.json", source=NumberSource.ID, find=find)
    assert found is not None
    assert str(found[0]) == "42"
    assert version_of(schema, "release-7/task.json", source=NumberSource.PATH, find=find) is not None
    assert version_of(schema, "task.json", find=lambda text: None) is None


def test_a_configured_source_is_the_only_one_asked() -> None:
    schema = {"$id": "https://x.test/v1/task", "version": "2"}
    found = version_of(schema, "task.json", source=NumberSource.KEYWORD)
    assert found is not None
    assert str(found[0]) == "2"
    assert version_of(schema, "task.json", source=NumberSource.PATH) is None


def test_hostile_texts_cost_nothing() -> None:
    for text in ("/" * 1_000_000, "a/" * 100_000 + "1", "v" + "1" * 1_000_000, "a-" * 500_000 + "1.x"):
        assert version_of({"$id": text, "version": text, "properties": {"v": {"const": text}}}, "task.json") is None
        assert number_in_path(text[:100_000]) is None or text.endswith("/1")

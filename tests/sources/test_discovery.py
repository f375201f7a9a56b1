"""What is governed without configuration, and what is passed over and why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from builders import GitRepository

from compat.sources.discovery import Discovery, Why, discover
from compat.sources.files import Root
from compat.sources.git import Repository
from compat.sources.snapshot import Snapshot

DRAFT = "http://json-schema.org/draft-07/schema#"
STRING = {"type": "string"}


def found(folder: Path, files: dict[str, object], **options: object) -> Discovery:
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return discover(Snapshot.of_folder(Root(folder), lambda path: True), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("path", "content", "why"),
    [
        ("a.schema.json", STRING, Why.NAMED),
        ("deep/a.schema.yaml", "type: string\n", Why.NAMED),
        ("a.schema.yml", "type: string\n", Why.NAMED),
        ("a.jsonschema", STRING, Why.NAMED),
        ("A.Schema.JSON", STRING, Why.NAMED),
        ("a.schema.json", "{ broken", Why.NAMED),
        ("a.schema.json", "true", Why.NAMED),
        ("schemas/a.json", STRING, Why.FOLDER),
        ("x/schema/deep/a.json", {"properties": {"a": {}}}, Why.FOLDER),
        ("schemas/a.yaml", "$schema: https://json-schema.org/draft/2020-12/schema\n", Why.FOLDER),
        ("schemas/a.yaml", "# comment\ntype: object\n", Why.FOLDER),
        ("schemas/a.yaml", "title: x\ntype: object  # any\n", Why.FOLDER),
        ("schemas/a.yaml", 'type: [object, "null"]\n', Why.FOLDER),
        ("schemas/a.yaml", "type:\r\n  - object\r\n  - 'null'\r\n", Why.FOLDER),
        ("schemas/a.yaml", "type: [object\n", Why.FOLDER),
        ("schemas/a.yaml", "{type: object, required: [a]}\n", Why.FOLDER),
        ("schemas/a.yaml", "{properties: {a: {}}}\n", Why.FOLDER),
        ("schemas/a.yaml", '{"title": "x", "type": "object"}\n', Why.FOLDER),
        ("schemas/a.json", {"$defs": {"x": True}}, Why.FOLDER),
        ("schemas/a.json", {"oneOf": [STRING]}, Why.FOLDER),
        ("schemas/a.json", {"$schema": DRAFT}, Why.FOLDER),
        ("schemas/a.json", '\ufeff{"type": "string"}', Why.FOLDER),
        ("anywhere/a.json", {"$schema": DRAFT, "minimum": 3}, Why.DIALECT),
        ("anywhere/a.yml", {"$schema": DRAFT, "minimum": 3}, Why.DIALECT),
        ("anywhere/a.yml", f'title: x\n"$schema": "{DRAFT}"\n', Why.DIALECT),
        ("schemas/com.acme/order/jsonschema/1-0-2", STRING, Why.NAMED),
        ("jsonschema/1-0-2", "{ broken", Why.NAMED),
        (
            "iglu/a.json",
            {"$schema": "http://iglucentral.com/schemas/com.snowplowanalytics.self-desc/schema/jsonschema/1-0-0#"},
            Why.DIALECT,
        ),
    ],
)
def test_governed(tmp_path: Path, path: str, content: object, why: Why) -> None:
    result = found(tmp_path, {path: content})
    assert [(item.path, item.why) for item in result.governed] == [(path, why)]
    assert result.passed_over == ()


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("a.json", STRING),
        ("package.json", {"$schema": "https://json.schemastore.org/package.json", "name": "x"}),
        ("a.json", {"nested": {"$schema": DRAFT}}),
        ("schemas/com.acme/order/avro/1-0-2", STRING),
        ("schemas/com.acme/order/jsonschema/readme", STRING),
        ("schemas/com.acme/order/jsonschema/0-0-2", STRING),
        ("a.json", '{"$schema": broken'),
        ("schema.txt", "type: string"),
        ("schemas.json", {"a": 1}),
        ("my-schemas/a.json", STRING),
        (".schema.json", STRING),
    ],
)
def test_never_came_near(tmp_path: Path, path: str, content: object) -> None:
    assert found(tmp_path, {path: content}) == Discovery((), ())


@pytest.mark.parametrize(
    ("path", "content", "why"),
    [
        ("schemas/catalog.json", {"$schema": "https://x.test/catalog.json", "schemas": [{}]}, "no JSON Schema keyword"),
        ("schemas/sample.json", {"type": "task", "id": 1, "items": [1]}, "no JSON Schema keyword"),
        ("schemas/list.json", [STRING], "no JSON Schema keyword"),
        ("schemas/broken.json", "{", "does not parse"),
        ("schemas/deep.json", "[" * 200_000, "does not parse"),
        ("schemas/api.json", {"openapi": "3.1.0", "components": {}}, "FILE#/pointer"),
        ("schemas/api.yaml", "openapi: 3.1.0\n", "FILE#/pointer"),
        ("schemas/api.yaml", {"openapi": "3.1.0", "components": {}}, "FILE#/pointer"),
        ("schemas/values.yaml", "name: x\ntype: task\n", "no JSON Schema keyword"),
        ("schemas/values.yaml", "type: [task]\n", "no JSON Schema keyword"),
        ("schemas/values.yaml", "type:\n  - objective\n", "no JSON Schema keyword"),
        ("schemas/values.yaml", "{type: objective}\n", "no JSON Schema keyword"),
        ("schemas/values.yaml", '{"type": "task", "id": 1}\n', "no JSON Schema keyword"),
        ("go/testdata/a.schema.json", STRING, "under testdata/"),
        ("schemas/fixtures/a.json", STRING, "under fixtures/"),
        ("vendor/a.schema.json", STRING, "under vendor/"),
    ],
)
def test_passed_over_and_said_why(tmp_path: Path, path: str, content: object, why: str) -> None:
    result = found(tmp_path, {path: content})
    assert result.governed == ()
    ((name, reason),) = [(item.path, item.why) for item in result.passed_over]
    assert name == path
    assert why in reason


def test_installed_packages_are_passed_over_where_git_tracks_them(repository: GitRepository) -> None:
    repository.write("node_modules/x/a.schema.json", STRING).commit()
    with Repository.open(repository.root) as opened:
        result = discover(Snapshot(opened.tree("HEAD"), opened.read))
    assert [(item.path, item.why) for item in result.passed_over] == [
        ("node_modules/x/a.schema.json", "under node_modules/")
    ]


def test_a_folder_is_passed_over_by_its_whole_name(tmp_path: Path) -> None:
    assert len(found(tmp_path, {"vendors/a.schema.json": STRING}).governed) == 1


def test_a_link_to_a_governed_file_is_not_judged_twice(tmp_path: Path) -> None:
    (tmp_path / "latest.schema.json").symlink_to("v1.schema.json")
    result = found(tmp_path, {"v1.schema.json": STRING})
    assert [item.path for item in result.governed] == ["v1.schema.json"]
    assert [(item.path, item.why) for item in result.passed_over] == [
        ("latest.schema.json", "a link to v1.schema.json")
    ]


def test_a_link_to_another_file_inside_is_followed(tmp_path: Path) -> None:
    (tmp_path / "a.schema.json").symlink_to("content/plain.json")
    assert [item.path for item in found(tmp_path, {"content/plain.json": STRING}).governed] == ["a.schema.json"]


@pytest.mark.parametrize("target", ["../outside.json", "/etc/passwd", "missing.json", "a.schema.json"])
def test_a_link_out_of_the_root_or_nowhere_is_passed_over(tmp_path: Path, target: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "outside.json").write_text(json.dumps(STRING))
    (root / "a.schema.json").symlink_to(target)
    result = found(root, {})
    assert result.governed == ()
    assert "link" in result.passed_over[0].why


def test_excluded_files_are_passed_over_by_their_pattern(tmp_path: Path) -> None:
    files = {"legacy/a.schema.json": STRING, "b.schema.json": STRING}
    result = found(tmp_path, files, exclude=["legacy"])  # type: ignore[arg-type]
    assert [item.path for item in result.governed] == ["b.schema.json"]
    assert [item.why for item in result.passed_over] == ['excluded by "legacy"']


def test_configured_files_are_governed_wherever_they_lie(tmp_path: Path) -> None:
    files = {"fixtures/odd.json": {"anything": 1}, "other.json": {}}
    result = found(tmp_path, files, configured={"odd": ["fixtures/*.json"]})  # type: ignore[arg-type]
    assert [(item.path, item.why, item.lineage) for item in result.governed] == [
        ("fixtures/odd.json", Why.CONFIGURED, "odd")
    ]


def test_only_the_scope_counts(tmp_path: Path) -> None:
    files = {"a/x.schema.json": STRING, "ab/x.schema.json": STRING}
    assert [item.path for item in found(tmp_path, files, scope="a").governed] == ["a/x.schema.json"]  # type: ignore[arg-type]

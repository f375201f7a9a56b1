"""`compat list`: lineages with numbers and where those come from, records, and what was passed over and why."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from builders import GitRepository
from click.testing import Result

Run = Callable[..., Result]


@pytest.fixture
def project(repository: GitRepository) -> GitRepository:
    repository.write("schemas/task.schema.json", {"$id": "https://example.org/task/2.1.0", "type": "object"})
    repository.write("schemas/lane/v1.json", {"type": "object"}).write("schemas/lane/v2.json", {"type": "object"})
    repository.write("schemas/samples.json", {"hello": 1}).write("vendor/x.schema.json", {"type": "object"})
    repository.write("history/task/records/2.1.0.ndjson", "{}\n").write("unrelated.json", {"a": 1})
    return repository.write("compat.toml", '[schemas.task]\nfiles = "schemas/task.schema.json"\ncompatibility = "full"')


def test_what_is_governed_and_what_is_not(project: GitRepository, run: Run) -> None:
    result = run(project.root, "list", "-f", "json")
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert told["format"] == "compat-list/1"
    lineages = {lineage["name"]: lineage for lineage in told["lineages"]}
    assert set(lineages) == {"task", "lane"}
    assert lineages["task"] == {
        "name": "task",
        "mode": "full",
        "files": [{"path": "schemas/task.schema.json", "version": "2.1.0", "from": "$id", "governed_by": "configured"}],
        "records": ["history/task/records/2.1.0.ndjson"],
    }
    assert [(file["path"], file["version"], file["from"]) for file in lineages["lane"]["files"]] == [
        ("schemas/lane/v1.json", "1", "path"),
        ("schemas/lane/v2.json", "2", "path"),
    ]
    assert {item["path"]: item["why"] for item in told["passed_over"]} == {
        "schemas/samples.json": "no JSON Schema keyword at the top",
        "vendor/x.schema.json": "under vendor/",
    }


def test_the_text_says_the_same(project: GitRepository, run: Run) -> None:
    text = run(project.root, "list").stdout
    assert "task  policy full, 1 file of records\n  schemas/task.schema.json  version 2.1.0 from $id\n" in text
    assert "schemas/samples.json  no JSON Schema keyword at the top" in text
    assert text.endswith("2 lineages in 3 files governed in the working tree.\n")
    assert "history/task/records/2.1.0.ndjson" in run(project.root, "list", "-v").stdout


def test_another_revision(project: GitRepository, run: Run) -> None:
    project.commit("All").remove("schemas/lane/v2.json")
    assert "1 lineage" not in run(project.root, "list").stdout
    assert "lane/v2" not in run(project.root, "list").stdout
    assert "schemas/lane/v2.json" in run(project.root, "list", "--revision", "HEAD").stdout


def test_long_lists_are_cut(project: GitRepository, run: Run) -> None:
    for number in range(12):
        project.write(f"vendor/{number}.schema.json", {"type": "object"})
    assert "and 4 more files (-v shows them)" in run(project.root, "list").stdout
    assert "more files" not in run(project.root, "list", "-v").stdout


def test_nothing_found_is_no_success(repository: GitRepository, run: Run) -> None:
    repository.write("a.txt", "x").commit("Start")
    result = run(repository.root, "list")
    assert result.exit_code == 3
    assert "no schema was found here" in result.stderr
    assert "*.schema.json" in result.stderr


def test_the_way_it_names_for_other_files_works(repository: GitRepository, run: Run) -> None:
    repository.write("contracts/event/v1", '{"type": "object"}').commit("Start")
    assert '[schemas.NAME] files = "PATTERN"' in run(repository.root, "list").stderr
    repository.write("compat.toml", '[schemas.event]\nfiles = "contracts/**"\n')
    result = run(repository.root, "list")
    assert (result.exit_code, "version 1 from path" in result.stdout) == (0, True)

"""Lineages through time: a file that moves through history, versions side by side, tags."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders import GitRepository

from compat.errors import SourceError
from compat.lineage import Lineage, NumberSource
from compat.project import Project
from compat.sources.git import Repository

PATH = "schemas/task/task.schema.json"


def task(version: int, **more: object) -> dict[str, object]:
    properties = {"v": {"const": version}, "name": {"type": "string"}, "kind": {"enum": ["a", "b", "c", "d"]}}
    return {"$id": f"https://x.test/v{version}/task.json", "type": "object", "properties": properties, **more}


@pytest.fixture
def history(repository: GitRepository) -> GitRepository:
    repository.write(PATH, task(1)).commit("One").tag("task-v1.0.0").tag("other-v9.9.9")
    repository.write("README.md", "x").commit("Unrelated").tag("v1.0.1")
    repository.write(PATH, task(1, required=["v"])).commit("Two")
    repository.rename(PATH, "contracts/task.schema.json").commit("Move")
    repository.write("contracts/task.schema.json", "{ broken").commit("Break it")
    return repository.write("contracts/task.schema.json", task(2)).commit("Three").tag("task/v2.0.0", annotated=True)


def test_versions_follow_the_file_across_its_rename(history: GitRepository) -> None:
    with Project.open(history.root, environment={}) as project:
        versions = project.versions(project.lineage("task"))
        assert [(str(v.number), v.path, v.tags) for v in versions] == [
            ("1", PATH, ("v1.0.1", "task-v1.0.0")),
            ("1", PATH, ()),
            ("None", "contracts/task.schema.json", ()),
            ("2", "contracts/task.schema.json", ("task/v2.0.0",)),
        ]
        assert versions[2].problem
        assert versions[2].digest == ""
        assert versions[0].source is NumberSource.ID
        assert versions[0].revision == history.sha("task-v1.0.0")
        assert str(versions[0].when) == "2026-01-01 12:00:00+00:00"
        assert versions[0].author == "Ada Lovelace"


def test_a_file_that_was_deleted_and_came_back_has_its_past(repository: GitRepository) -> None:
    repository.write(PATH, task(1)).commit("One").tag("task-v1.0.0").write(PATH, task(2)).commit("Two")
    repository.remove(PATH).commit("Gone").tag("task-v2.0.1")
    repository.write(PATH, task(2)).commit("Back").write(PATH, task(3)).commit("Three")
    with Project.open(repository.root, environment={}) as project:
        versions = project.versions(project.lineage("task"))
    assert [(str(v.number), v.tags) for v in versions] == [("1", ("task-v1.0.0",)), ("2", ()), ("3", ())]


def test_a_file_that_took_the_place_of_one_moved_away_has_no_past_of_its(history: GitRepository) -> None:
    history.write(PATH, task(9)).commit("Another")
    with Project.open(history.root, environment={}) as project:
        versions = project.versions(project.lineage(PATH))
    assert [str(v.number) for v in versions] == ["9"]


def test_the_working_tree_is_the_last_version_where_it_differs(history: GitRepository) -> None:
    with Project.open(history.root, environment={}) as project:
        assert project.versions(project.lineage("task"))[-1].revision is not None
    history.rename("contracts/task.schema.json", "task.schema.json").write("task.schema.json", task(2, minProperties=1))
    with Project.open(history.root, environment={}) as project:
        *committed, last = project.versions(project.lineage("task"))
        assert (last.revision, last.path) == (None, "task.schema.json")
        assert len(committed) == 4
        assert project.version_sides(last).document.value == task(2, minProperties=1)
        assert project.version_sides(committed[0]).document.value == task(1)


def test_versions_at_tags_take_those_of_the_lineage(history: GitRepository) -> None:
    with Project.open(history.root, environment={}) as project:
        found = project.versions_at_tags(project.lineage("task"))
    assert [(v.tags, v.path, str(v.number)) for v in found] == [
        (("task-v1.0.0", "v1.0.1"), PATH, "1"),
        (("task/v2.0.0",), "contracts/task.schema.json", "2"),
    ]


def test_versions_side_by_side_are_in_order_of_their_numbers(repository: GitRepository) -> None:
    for number in (1, 2, 10):
        repository.write(f"schemas/v{number}/task.json", task(number)).commit(f"Version {number}")
    with Project.open(repository.root, environment={}) as project:
        (lineage,) = project.lineages()
        assert lineage.side_by_side
        assert lineage.current == "schemas/v10/task.json"
        assert [(str(v.number), v.when.day) for v in project.versions(lineage) if v.when] == [
            ("1", 1),
            ("2", 2),
            ("10", 3),
        ]


def test_a_version_side_by_side_that_is_being_edited_is_of_the_working_tree(repository: GitRepository) -> None:
    for number in (1, 2):
        repository.write(f"schemas/v{number}/task.json", task(number)).commit(f"Version {number}")
    repository.write("schemas/v1/task.json", task(1, minProperties=1))
    with Project.open(repository.root, environment={}) as project:
        one, two = project.versions(project.lineage("task"))
        assert (one.revision, two.revision) == (None, repository.sha())
        assert project.version_sides(one).document.value == task(1, minProperties=1)
        assert project.version_sides(two).document.value == task(2)


def test_a_history_of_many_versions_reads_no_tree(history: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Repository, "tree", lambda *_: pytest.fail("a tree was listed"))
    with Project.open(history.root, environment={}) as project:
        (name,) = project.moment(None).families
        lineage = Lineage(name, project.moment(None).families[name])
        versions = project.versions(lineage)
        assert [project.version_sides(v).schema_set.root.dialect for v in versions if not v.problem]


def test_a_merged_branch_is_one_step_of_the_line(history: GitRepository) -> None:
    path = "contracts/task.schema.json"
    history.branch("topic").write(path, task(2, minProperties=1)).commit("a").write(path, task(3)).commit("b")
    history.checkout("main").write("x.md", "x").commit("Main").merge("topic")
    with Project.open(history.root, environment={}) as project:
        versions = project.versions(project.lineage("task"))
    assert [str(v.number) for v in versions[-2:]] == ["2", "3"]
    assert versions[-1].revision == history.sha()


def test_a_lineage_is_asked_for_by_name_or_path(history: GitRepository) -> None:
    with Project.open(history.root, environment={}) as project:
        assert project.lineage("contracts/task.schema.json").name == "task"
        with pytest.raises(SourceError) as caught:
            project.lineage("tusk")
    assert caught.value.hint is not None
    assert "'task'" in caught.value.hint


def test_a_number_comes_from_where_the_configuration_says(history: GitRepository) -> None:
    history.write("compat.toml", "[schemas.task]\nfiles = '**/task.schema.json'\nversion = { from = \"tag\" }\n")
    with Project.open(history.root, environment={}) as project:
        versions = project.versions(project.lineage("task"))
    assert [str(v.number) for v in versions if v.tags] == ["1.0.1", "2.0.0"]


def test_a_hostile_pattern_ends(history: GitRepository) -> None:
    path = "contracts/task.schema.json"
    history.write(path, {"$id": "https://x.test/" + "a" * 3000, "type": "object"})
    history.write("compat.toml", f"[schemas.task]\nfiles = '{path}'\nversion.pattern = '(a+)+b|v(\\d)'\n")
    with Project.open(history.root, environment={}) as project:
        assert project.lineage("task").numbers == (None,)


def test_records_and_rejects_of_a_lineage(history: GitRepository) -> None:
    for name in ("10.ndjson", "2.ndjson", "2.jsonl.gz", "notes.md"):
        history.write(f"history/task/records/{name}", "")
    with Project.open(history.root, environment={}) as project:
        assert [file.path.rpartition("/")[2] for file in project.record_files("task")] == [
            "2.jsonl.gz",
            "2.ndjson",
            "10.ndjson",
        ]
        assert project.history.rejects("task") == ()
    history.write("compat.toml", "[schemas.task]\nfiles = '**/task.schema.json'\nrecords = 'stored/*.ndjson'\n")
    history.write("stored/a.ndjson", "")
    with Project.open(history.root, environment={}) as project:
        assert [file.path for file in project.record_files("task")] == ["stored/a.ndjson"]


def test_an_empty_repository_has_only_the_working_tree(repository: GitRepository) -> None:
    repository.write(PATH, task(1))
    with Project.open(repository.root, environment={}) as project:
        (version,) = project.versions(project.lineage("task"))
    assert (version.revision, version.label) == (None, "1")


def test_a_bare_repository_has_the_lineages_of_a_revision(history: GitRepository, tmp_path: Path) -> None:
    bare = history.clone(tmp_path / "bare.git", "--bare")
    with Project.open(bare.root, environment={}) as project:
        (lineage,) = project.lineages("main")
        assert len(project.versions(lineage, "main")) == 4


def test_a_project_opens_from_a_subfolder_with_paths_of_the_root(
    history: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(history.root / "contracts")
    with Project.open(".", environment={}) as project:
        assert project.relative("task.schema.json") == "contracts/task.schema.json"
        assert [lineage.name for lineage in project.lineages()] == ["task"]

"""One line of history: what stood where at any commit, without a tree; and what was told is asked once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from builders import GitRepository

from compat.sources.git import Repository, could_be_schema
from compat.sources.mainline import LineTree, Told, read_line
from compat.sources.objects import Kind


class Memory:
    def __init__(self) -> None:
        self.told: Told | None = None

    def load(self) -> Told | None:
        return self.told

    def save(self, told: Told) -> None:
        self.told = told


@pytest.fixture
def history(repository: GitRepository) -> GitRepository:
    """Every kind of change: additions, renames, exchanged names, deletions, returns, a merge, other files between."""
    write = repository.write
    write("a.json", {"a": 1}).write("b.yaml", "type: string\n").write("README.md", "x").commit("one").tag("v1")
    write("README.md", "y").commit("nothing of ours").tag("v1.1")
    repository.rename("a.json", "c/a.json").commit("moved")
    write("a.json", {"a": 2}).write("c/a.json", {"a": 1, "b": 1}).commit("two of a name")
    repository.rename("a.json", "x").rename("c/a.json", "a.json").rename("x", "c/a.json").commit("exchanged")
    repository.remove("b.yaml").commit("gone").branch("topic")
    write("d.JSON", {"d": 1}).write("schemas/com.acme/e/jsonschema/1-0-0", {"e": 1}).commit("beside")
    repository.checkout("main").write("b.yaml", "type: number\n").commit("back")
    repository.merge("topic").tag("v2", annotated=True)
    repository.remove("a.json").commit("gone too")
    return write("README.md", "z").commit("nothing of ours again")


def test_the_tree_of_every_commit_follows_from_the_changes(history: GitRepository) -> None:
    with Repository.open(history.root) as opened:
        line = read_line(opened)
        commits = opened.first_parents("HEAD")
        assert list(line.places) == list(commits)
        for sha in commits:
            real = {path: entry for path, entry in opened.tree(sha).items() if could_be_schema(path)}
            tree = LineTree(line, line.places[sha], lambda: pytest.fail("a tree was listed"))
            paths = {*real, *line.paths, "nowhere.json"}
            assert {path: tree[path] for path in paths if path in tree} == real
        assert len(line.commits) == len(commits) - 2


def test_what_a_line_says_nothing_about_is_asked_of_git(history: GitRepository) -> None:
    with Repository.open(history.root) as opened:
        line = read_line(opened)
        tree = LineTree(line, 0, lambda: opened.tree("HEAD"))
        assert "README.md" in tree
        assert tree["README.md"] == opened.tree("HEAD")["README.md"]
        assert set(tree) == set(opened.tree("HEAD"))
        assert len(tree) == len(opened.tree("HEAD"))
        with pytest.raises(KeyError):
            tree["nowhere.json"]


def test_tags_of_commits_that_touched_nothing_name_the_state_before(history: GitRepository) -> None:
    with Repository.open(history.root) as opened:
        line = read_line(opened)
        assert [commit.tags for commit in line.commits if commit.tags] == [("v2",), ("v1.1", "v1")]
        assert line.places[history.sha("v1.1")] == line.places[history.sha("v1")]
        assert line.tags_between(0, len(line.commits)) == ("v2", "v1.1", "v1")
        assert line.tags_between(0, line.places[history.sha("v2^{}")]) == ()


def test_wanted_paths_of_another_ending_are_told_too(repository: GitRepository) -> None:
    repository.write("contract", {"a": 1}).write("README.md", "x").commit("one")
    repository.write("README.md", "y").commit("two").write("contract", {"a": 2}).commit("three")
    with Repository.open(repository.root) as opened:
        assert read_line(opened).commits == ()
        line = read_line(opened, wanted=lambda path: path == "contract")
        assert [[change.path for change in commit.changes] for commit in line.commits] == [
            ["contract"],
            [],
            ["contract"],
        ]


def test_what_was_told_is_not_asked_again(history: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Memory()
    with Repository.open(history.root) as opened:
        first = read_line(opened, memory=memory)
    history.write("a.json", {"a": 9}).commit("more").branch("other", "HEAD~3").write("a.json", {}).commit("other way")
    asked: list[str | None] = []
    real = Repository.log_output

    def log_output(self: Repository, revision: str, since: str | None = None, *, everything: bool = False) -> bytes:
        asked.append(since)
        return real(self, revision, since, everything=everything)

    monkeypatch.setattr(Repository, "log_output", log_output)
    for revision in ("main", "main~1", "main", "main~4", "other", "main", "main~2"):
        with Repository.open(history.root) as opened:
            line = read_line(opened, revision, memory=memory)
            again = read_line(opened, revision)
            assert (line.commits, line.places) == (again.commits, again.places)
    since = [
        history.sha("main~1"),
        None,
        None,
        None,
        None,
        history.sha("other~1"),
        None,
        history.sha("other~1"),
        None,
        None,
    ]
    assert asked == since
    assert first.commits


@pytest.mark.parametrize("changed", [{"type": "object", "properties": {"a": {"type": "string"}, "b": {}}}])
def test_a_file_on_one_line_that_is_moved_and_changed_is_followed(
    repository: GitRepository, changed: dict[str, object]
) -> None:
    import json

    old = {"type": "object", "properties": {"a": {"type": "string"}, "c": {"type": "number"}}}
    repository.write("a.json", json.dumps(old)).write("z.json", '{"other": [1, 2, 3]}').commit("one")
    repository.remove("a.json").remove("z.json").write("b.json", json.dumps(changed)).commit("two")
    with Repository.open(repository.root) as opened:
        newest, _ = read_line(opened).commits
        kinds = {(change.kind, change.path) for change in newest.changes}
        assert kinds == {(Kind.RENAMED, "b.json"), (Kind.DELETED, "z.json")}
        assert {(change.kind, change.path) for change in opened.changes("HEAD~1", "HEAD")} == kinds
    repository.rename("b.json", "c.json").write("c.json", json.dumps(changed | {"title": "C"}))
    with Repository.open(repository.root) as opened:
        assert [(change.kind, change.path) for change in opened.changes("HEAD")] == [(Kind.RENAMED, "c.json")]


def test_blobs_that_are_missing_are_left_out_and_named_when_asked_for(history: GitRepository, tmp_path: Path) -> None:
    copy = history.clone(tmp_path / "partial", "--filter=blob:none", "--no-checkout")
    with Repository.open(copy.root) as opened:
        oids = [entry.oid for entry in opened.tree("HEAD").values()]
        assert list(opened.blobs(oids)) == []
    with Repository.open(history.root) as opened:
        oids = [entry.oid for entry in opened.tree("HEAD").values()]
        mixed = ["f" * 40, *oids, "e" * 40]
        assert [oid for oid, _ in opened.blobs(mixed)] == oids
        for oid, _ in opened.blobs(oids * 40):
            assert opened.blob(oid)  # somebody asks in between


def test_names_that_are_no_text_are_told(repository: GitRepository) -> None:
    name = os.fsdecode(b"\xff\x02a.json")
    repository.write(name, {}).commit("\x02one").rename(name, "b.json").commit("two")
    memory = Memory()
    with Repository.open(repository.root) as opened:
        newest, oldest = read_line(opened, memory=memory).commits
        assert [change.path for change in oldest.changes] == [name]
        assert (newest.changes[0].kind, newest.changes[0].path) == (Kind.RENAMED, "b.json")

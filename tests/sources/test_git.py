"""The door to git on real repositories: revisions, trees, changes, history, and every way a clone can be lacking."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from builders import GitRepository

from compat.errors import RevisionError, SourceError
from compat.sources.git import STAGED, Repository, top_level
from compat.sources.mainline import read_line
from compat.sources.objects import Kind

A = {"type": "object", "properties": {"name": {"type": "string"}, "kind": {"enum": ["a", "b", "c"]}}}
B = {**A, "required": ["name"]}


@pytest.fixture
def history(repository: GitRepository) -> GitRepository:
    """Two schemas on main, and a branch that changed one of them."""
    repository.write("schemas/a.schema.json", A).write("schemas/b.schema.json", {"type": "integer"}).commit("First")
    repository.tag("v1.0.0").branch("topic").write("schemas/a.schema.json", B).commit("Require a name")
    return repository


def kinds(path: Path, base: str, head: str | None = None) -> list[tuple[str, str]]:
    with Repository.open(path) as opened:
        return [(change.kind.value, change.path) for change in opened.changes(base, head)]


# Opening


def test_open_finds_the_top_from_a_subfolder(history: GitRepository) -> None:
    with Repository.open(history.root / "schemas") as opened:
        assert opened.path == history.root.resolve()


def test_open_outside_of_a_repository_says_so(tmp_path: Path, git_environment: dict[str, str]) -> None:
    with pytest.raises(SourceError, match="is not inside a git repository"):
        Repository.open(tmp_path)


def test_open_a_linked_worktree(history: GitRepository, tmp_path: Path) -> None:
    history.git("worktree", "add", "--quiet", tmp_path / "linked", "main")
    with Repository.open(tmp_path / "linked") as opened:
        assert opened.resolve("HEAD") == history.sha("main")
        assert "schemas/a.schema.json" in opened.worktree()


def test_a_bare_repository_has_revisions_and_no_working_tree(history: GitRepository, tmp_path: Path) -> None:
    bare = history.clone(tmp_path / "bare.git", "--bare")
    with Repository.open(bare.root) as opened:
        assert opened.resolve("topic") == history.sha("topic")
        assert len(opened.changes("main", "topic")) == 1
        with pytest.raises(SourceError, match="bare repository"):
            opened.changes("main")


def test_top_level_passes_over_a_buried_bare_repository(history: GitRepository, tmp_path: Path) -> None:
    history.clone(history.root / "buried", "--bare")
    assert top_level(history.root / "buried") == history.root.resolve()


# Revisions


def test_resolve_gives_the_full_hash(history: GitRepository) -> None:
    with Repository.open(history.root) as opened:
        assert opened.resolve("v1.0.0") == history.sha("main")
        assert opened.resolve(history.sha()[:8]) == history.sha()


def test_a_missing_revision_names_the_nearest(history: GitRepository) -> None:
    with Repository.open(history.root) as opened, pytest.raises(RevisionError) as caught:
        opened.resolve("topik")
    assert str(caught.value) == "topik: no such revision\n  did you mean topic?"


def test_a_missing_remote_branch_gives_the_exact_fetch(history: GitRepository, tmp_path: Path) -> None:
    clone = history.clone(tmp_path / "clone")
    with Repository.open(clone.root) as opened, pytest.raises(RevisionError) as caught:
        opened.resolve("origin/next")
    assert caught.value.hint == "git fetch origin +refs/heads/next:refs/remotes/origin/next"


def test_a_missing_ancestor_of_a_shallow_clone_is_no_branch_to_fetch(history: GitRepository, tmp_path: Path) -> None:
    clone = history.clone(tmp_path / "clone", "--depth=1")
    with Repository.open(clone.root) as opened, pytest.raises(RevisionError) as caught:
        opened.resolve("HEAD~1")
    assert caught.value.hint is not None
    assert "git fetch --unshallow" in caught.value.hint


@pytest.mark.parametrize("revision", ["HEAD~99", "HEAD^^^^^^^", "HEAD^9"])
def test_an_ancestor_before_the_first_commit_is_said_to_be_that(
    history: GitRepository, tmp_path: Path, revision: str
) -> None:
    clone = history.clone(tmp_path / "clone")
    with Repository.open(clone.root) as opened, pytest.raises(RevisionError) as caught:
        opened.resolve(revision)
    assert caught.value.hint == "HEAD has fewer commits behind it: git log --oneline HEAD"


@pytest.mark.parametrize("revision", ["--output=owned", "-h", "", "HEAD\nx", "HEAD --all"])
def test_an_option_is_no_revision(history: GitRepository, revision: str) -> None:
    with Repository.open(history.root) as opened, pytest.raises(RevisionError):
        opened.resolve(revision)
    assert not (history.root / "owned").exists()


def test_an_empty_repository_has_no_commit(repository: GitRepository) -> None:
    with Repository.open(repository.root) as opened, pytest.raises(RevisionError, match="no commit yet"):
        opened.resolve("HEAD")


def test_a_broken_ref_is_no_revision(history: GitRepository) -> None:
    (history.root / ".git/refs/heads/broken").write_text("f" * 40 + "\n")
    with Repository.open(history.root) as opened, pytest.raises(RevisionError):
        opened.resolve("broken")


# Merge bases


def test_merge_base_is_where_the_branches_parted(history: GitRepository) -> None:
    parted = history.sha("main")
    history.checkout("main").write("other.json", {}).commit("Main moves on")
    with Repository.open(history.root) as opened:
        assert opened.merge_base("main", "topic").sha == parted


def test_unrelated_histories_are_an_error(history: GitRepository) -> None:
    history.git("checkout", "--quiet", "--orphan", "alone")
    history.commit("Alone")
    with Repository.open(history.root) as opened, pytest.raises(RevisionError, match="no common ancestor"):
        opened.merge_base("main", "alone")


def test_several_merge_bases_are_named(history: GitRepository) -> None:
    history.checkout("main").write("main.json", {}).commit("On main")
    main, topic = history.sha("main"), history.sha("topic")
    history.merge("topic").checkout("topic").merge(main)
    with Repository.open(history.root) as opened:
        found = opened.merge_base("main", "topic")
    assert {found.sha, *found.others} == {main, topic}


def test_a_shallow_clone_without_the_merge_base_is_refused_with_the_way_out(
    history: GitRepository, tmp_path: Path
) -> None:
    history.checkout("main").write("other.json", {}).commit("Main moves on")
    clone = history.clone(tmp_path / "clone", "--depth=1", "--no-single-branch")
    with Repository.open(clone.root) as opened:
        assert opened.is_shallow
        with pytest.raises(RevisionError, match="too shallow") as caught:
            opened.merge_base("origin/main", "origin/topic")
    assert caught.value.hint is not None
    assert "git fetch --unshallow" in caught.value.hint


def test_a_shallow_clone_that_reaches_the_merge_base_is_enough(history: GitRepository, tmp_path: Path) -> None:
    clone = history.clone(tmp_path / "clone", "--depth=2", "--no-single-branch")
    with Repository.open(clone.root) as opened:
        assert opened.merge_base("origin/main", "origin/topic").sha == history.sha("main")


def test_a_shallow_clone_may_hide_a_better_merge_base(repository: GitRepository, tmp_path: Path) -> None:
    """The visible common ancestor is not the best one: the better path is behind the edge."""
    repository.write("a.json", 1).commit("Root").branch("topic").write("b.json", 1).commit("Topic")
    repository.checkout("main").write("c.json", 1).commit("Main")
    repository.checkout("topic").merge("main").write("d.json", 1).commit("Later")
    root = repository.sha("main~1")
    clone = repository.clone(tmp_path / "clone")
    # An edge at the merge: its second parent, and with it `main` as the better base, is out of sight.
    (clone.root / ".git/shallow").write_text(repository.sha("topic~1") + "\n")
    with Repository.open(clone.root) as opened, pytest.raises(RevisionError, match="too shallow"):
        opened.merge_base(root, "origin/topic")


# Changes


def test_changes_between_commits_follow_a_rename_with_a_change(history: GitRepository) -> None:
    history.rename("schemas/a.schema.json", "schemas/moved/a.schema.json")
    history.write("schemas/moved/a.schema.json", {**B, "title": "A"}).commit("Move")
    with Repository.open(history.root) as opened:
        (change,) = opened.changes("main", "topic")
    assert change.kind is Kind.RENAMED
    assert change.old is not None
    assert change.old.path == "schemas/a.schema.json"
    assert change.path == "schemas/moved/a.schema.json"


def test_changes_of_the_working_tree_see_edits_new_files_and_deletions(history: GitRepository) -> None:
    history.write("schemas/a.schema.json", {**B, "title": "edited"}).write("schemas/new.schema.json", {"const": 1})
    history.remove("schemas/b.schema.json").write("ignored.json", {}).write(".gitignore", "ignored.json\n")
    assert kinds(history.root, "main") == [
        ("modified", "schemas/a.schema.json"),
        ("deleted", "schemas/b.schema.json"),
        ("added", "schemas/new.schema.json"),
    ]


def test_changes_of_the_working_tree_follow_a_rename_with_a_change(history: GitRepository) -> None:
    history.rename("schemas/a.schema.json", "new/a.schema.json").write("new/a.schema.json", {**B, "title": "A"})
    with Repository.open(history.root) as opened:
        (change,) = opened.changes("HEAD")
    assert (change.kind, change.path) == (Kind.RENAMED, "new/a.schema.json")
    assert 50 <= change.similarity < 100


def test_unlike_files_are_no_rename(history: GitRepository) -> None:
    history.remove("schemas/b.schema.json").write("schemas/c.schema.json", {"type": ["string", "null"], "minLength": 2})
    assert [kind for kind, _ in kinds(history.root, "HEAD")] == ["deleted", "added"]


def test_staged_changes_are_those_of_the_index(history: GitRepository) -> None:
    history.write("schemas/b.schema.json", {"type": "number"}).stage().write("schemas/a.schema.json", A)
    assert kinds(history.root, "HEAD", STAGED) == [("modified", "schemas/b.schema.json")]


def test_an_untouched_working_tree_has_no_changes(history: GitRepository) -> None:
    os.utime(history.root / "schemas/a.schema.json", (0, 0))
    assert kinds(history.root, "HEAD") == []


def test_files_outside_a_sparse_checkout_are_not_deleted(history: GitRepository) -> None:
    history.git("sparse-checkout", "set", "--no-cone", "/schemas/a.schema.json")
    assert not (history.root / "schemas/b.schema.json").exists()
    assert kinds(history.root, "HEAD") == []


def test_odd_file_names_survive(repository: GitRepository) -> None:
    odd = ["ta\tb.schema.json", "new\nline.schema.json", "grüße.schema.json", "-rf.schema.json", '"q".schema.json']
    odd.append(os.fsdecode(b"bytes-\xff.schema.json"))
    repository.write("a.json", {}).commit()
    for name in odd:
        repository.write(name, {"type": "string"})
    assert sorted(path for _, path in kinds(repository.root, "HEAD")) == sorted(odd)
    repository.commit()
    with Repository.open(repository.root) as opened:
        assert {opened.read(entry) for path, entry in opened.tree("HEAD").items() if path in odd} == {
            b'{\n  "type": "string"\n}\n'
        }
        assert sorted(c.path for c in opened.changes("HEAD~1", "HEAD")) == sorted(odd)


def test_paths_are_of_the_whole_repository_from_a_subfolder(history: GitRepository) -> None:
    history.write("new.schema.json", {})
    assert kinds(history.root / "schemas", "HEAD") == [("added", "new.schema.json")]


def test_an_unmerged_file_is_read_as_it_stands(history: GitRepository) -> None:
    history.checkout("main").write("schemas/a.schema.json", {"type": "array"}).commit("Conflict")
    history.git("merge", "topic", check=False)
    assert kinds(history.root, "HEAD") == [("modified", "schemas/a.schema.json")]


# Blobs


def test_links_and_submodules_keep_their_kind(history: GitRepository) -> None:
    history.symlink("schemas/link.schema.json", "a.schema.json")
    history.git("update-index", "--add", "--cacheinfo", f"160000,{history.sha()},schemas/module.json")
    history.git("add", "schemas/link.schema.json")
    history.git("commit", "--quiet", "-m", "Link")
    with Repository.open(history.root) as opened:
        tree = opened.tree("HEAD")
        assert tree["schemas/link.schema.json"].is_link
        assert opened.read(tree["schemas/link.schema.json"]) == b"a.schema.json"
        assert tree["schemas/module.json"].is_gitlink
        with pytest.raises(SourceError, match="is a submodule"):
            opened.read(tree["schemas/module.json"])
        assert opened.worktree()["schemas/link.schema.json"].oid == tree["schemas/link.schema.json"].oid


def test_many_blobs_come_from_one_process(history: GitRepository) -> None:
    with Repository.open(history.root) as opened:
        oids = [entry.oid for entry in opened.tree("HEAD").values()] * 50
        assert [len(data) for _, data in opened.blobs(oids)] == [len(opened.blob(oid)) for oid in oids]


def test_a_missing_blob_is_named_and_the_next_one_still_read(history: GitRepository) -> None:
    with Repository.open(history.root) as opened:
        with pytest.raises(SourceError, match=r"schemas/x.json: its content ffffffffffff is not in this clone"):
            opened.blob("f" * 40, name="schemas/x.json")
        assert opened.blob(opened.tree("HEAD")["schemas/b.schema.json"].oid) == b'{\n  "type": "integer"\n}\n'


# History


def test_log_gives_commits_newest_first_with_changes_and_tags(history: GitRepository) -> None:
    with Repository.open(history.root) as opened:
        newest, oldest = read_line(opened).commits
    assert (newest.subject, oldest.subject) == ("Require a name", "First")
    assert newest.author == "Ada Lovelace"
    assert newest.when.isoformat() == "2026-01-02T12:00:00+00:00"
    assert oldest.tags == ("v1.0.0",)
    assert [change.kind for change in oldest.changes] == [Kind.ADDED, Kind.ADDED]
    assert [change.path for change in newest.changes] == ["schemas/a.schema.json"]


def test_log_counts_a_merge_as_one_step(history: GitRepository) -> None:
    history.checkout("main").write("README.md", "x").commit("Main").merge("topic")
    with Repository.open(history.root) as opened:
        merge, *_ = read_line(opened).commits
    assert len(merge.parents) == 2
    assert [change.path for change in merge.changes] == ["schemas/a.schema.json"]


def test_tags_lead_to_commits(history: GitRepository) -> None:
    history.tag("task/v1.1.0", annotated=True).tag("a-blob", f"{history.sha()}:schemas/a.schema.json")
    with Repository.open(history.root) as opened:
        assert [(tag.name, tag.commit) for tag in opened.tags()] == [
            ("task/v1.1.0", history.sha("topic")),
            ("v1.0.0", history.sha("main")),
        ]


def test_parents_are_read_past_the_edge_of_a_shallow_clone(history: GitRepository, tmp_path: Path) -> None:
    clone = history.clone(tmp_path / "clone", "--depth=1")
    with Repository.open(clone.root) as opened:
        assert opened.parents("HEAD") == (history.sha("main"),)
        assert opened.find("HEAD^1") is None

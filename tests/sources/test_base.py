"""Which commit is compared with, for every kind of event a CI system sends, and without one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from builders import GitRepository

from compat.errors import ExitCode, RevisionError
from compat.sources.base import Base, NothingToCompare, find_base
from compat.sources.git import Repository

ZERO = "0" * 40


@pytest.fixture
def server(repository: GitRepository) -> GitRepository:
    """Main moved on after the topic left it, and a branch merges both as a server does for a pull request."""
    repository.write("a.schema.json", {"type": "string"}).commit("First")
    repository.branch("topic").write("a.schema.json", {"type": "integer"}).commit("Topic")
    repository.checkout("main").write("b.schema.json", {}).commit("Main moves on")
    repository.branch("merged", "main").merge("topic").checkout("main")
    return repository


@pytest.fixture
def clone(server: GitRepository, tmp_path: Path) -> GitRepository:
    """A complete clone that stands on the topic."""
    copy = server.clone(tmp_path / "clone")
    copy.git("checkout", "--quiet", "topic")
    return copy


def find(at: GitRepository, explicit: str | None = None, **environment: str) -> Base:
    with Repository.open(at.root) as opened:
        return find_base(opened, environment, explicit)


def github(event_name: str, event: object, folder: Path, **more: str) -> dict[str, str]:
    path = folder / "event.json"
    path.write_text(json.dumps(event))
    return {"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": event_name, "GITHUB_EVENT_PATH": str(path), **more}


# Without CI


def test_an_explicit_base_means_the_merge_base_with_it(clone: GitRepository, server: GitRepository) -> None:
    base = find(clone, "origin/main")
    assert (base.revision, base.label, base.how) == (server.sha("main~1"), "origin/main", "--base")


def test_an_explicit_base_that_is_missing_is_never_replaced(clone: GitRepository) -> None:
    with pytest.raises(RevisionError, match="no such revision"):
        find(clone, "origin/gone")


def test_an_empty_explicit_base_is_an_error(clone: GitRepository) -> None:
    with pytest.raises(RevisionError, match="empty"):
        find(clone, "")


def test_a_pushed_topic_is_compared_with_the_default_branch_and_not_its_own_copy(clone: GitRepository) -> None:
    assert clone.git("rev-parse", "--abbrev-ref", "@{upstream}") == "origin/topic"
    base = find(clone)
    assert (base.label, base.how, base.revision) == ("origin/main", "origin/HEAD", clone.sha("origin/main~1"))


def test_an_upstream_of_another_name_is_the_base(clone: GitRepository) -> None:
    clone.git("branch", "--quiet", "--set-upstream-to=origin/merged")
    assert find(clone).how == "the upstream branch"
    assert find(clone).label == "origin/merged"


def test_without_a_remote_main_is_the_base(server: GitRepository) -> None:
    server.checkout("topic")
    assert find(server) == Base(server.sha("main~1"), "main", "the branch main")


def test_without_anything_the_error_says_so(server: GitRepository) -> None:
    server.checkout("topic").git("branch", "-m", "main", "trunk")
    with pytest.raises(RevisionError, match="no base to compare with") as caught:
        find(server)
    assert caught.value.hint == "name one: --base REV"


def test_an_empty_repository_has_no_base(repository: GitRepository) -> None:
    with pytest.raises(RevisionError, match="no commit yet"):
        find(repository)


def test_compat_base_comes_before_the_rest(clone: GitRepository) -> None:
    assert find(clone, COMPAT_BASE="origin/merged").how == "COMPAT_BASE"


def test_several_merge_bases_are_named(server: GitRepository) -> None:
    main, topic = server.sha("main"), server.sha("topic")
    server.checkout("topic").merge(main).checkout("main").merge(topic).checkout("topic")
    (note,) = find(server, "main").notes
    assert note.startswith("2 merge bases; compared with ")
    assert main[:10] in note
    assert topic[:10] in note


# GitHub


def test_a_pull_request_on_its_merge_takes_the_first_parent(clone: GitRepository, tmp_path: Path) -> None:
    clone.git("checkout", "--quiet", "--detach", "origin/merged")
    environment = github(
        "pull_request", {}, tmp_path, GITHUB_BASE_REF="main", GITHUB_REF="refs/pull/7/merge", GITHUB_SHA=clone.sha()
    )
    base = find(clone, **environment)
    assert (base.revision, base.label) == (clone.sha("origin/main"), "main")


def test_a_pull_request_on_its_head_takes_the_merge_base(clone: GitRepository, tmp_path: Path) -> None:
    environment = github(
        "pull_request",
        {},
        tmp_path,
        GITHUB_BASE_REF="main",
        GITHUB_REF="refs/pull/7/merge",
        GITHUB_SHA=clone.sha("origin/merged"),
    )
    base = find(clone, **environment)
    assert (base.revision, base.how) == (clone.sha("origin/main~1"), "GITHUB_BASE_REF")


def test_a_merge_of_depth_one_gives_the_exact_fetch(server: GitRepository, tmp_path: Path) -> None:
    copy = server.clone(tmp_path / "shallow", "--depth=1", "--branch=merged")
    environment = github(
        "pull_request", {}, tmp_path, GITHUB_BASE_REF="main", GITHUB_REF="refs/pull/7/merge", GITHUB_SHA=copy.sha()
    )
    with pytest.raises(RevisionError, match="without its parent") as caught:
        find(copy, **environment)
    command = str(caught.value.hint).split(";")[0].split()
    copy.git(*command[1:])
    assert find(copy, **environment).revision == server.sha("main")


def test_a_target_branch_that_was_not_fetched_gives_the_exact_fetch(server: GitRepository, tmp_path: Path) -> None:
    copy = server.clone(tmp_path / "shallow", "--depth=1", "--branch=topic")
    environment = github("pull_request", {}, tmp_path, GITHUB_BASE_REF="main", GITHUB_REF="refs/pull/7/head")
    with pytest.raises(RevisionError, match="origin/main") as caught:
        find(copy, **environment)
    copy.git(*str(caught.value.hint).split()[1:])
    assert find(copy, **environment).revision == server.sha("main~1")


def test_an_empty_base_ref_is_an_error_and_not_the_other_side(clone: GitRepository, tmp_path: Path) -> None:
    with pytest.raises(RevisionError, match="GITHUB_BASE_REF is empty"):
        find(clone, **github("pull_request", {}, tmp_path, GITHUB_BASE_REF=""))


def test_a_merge_group_takes_its_base_sha(clone: GitRepository, tmp_path: Path) -> None:
    event = {"merge_group": {"base_sha": clone.sha("origin/main~1")}}
    assert find(clone, **github("merge_group", event, tmp_path)).revision == clone.sha("origin/main~1")


def test_a_merge_group_without_a_base_is_an_error(clone: GitRepository, tmp_path: Path) -> None:
    with pytest.raises(RevisionError, match="base_sha"):
        find(clone, **github("merge_group", {"merge_group": {}}, tmp_path))


def push(before: str, **more: object) -> dict[str, object]:
    return {"before": before, "after": "1" * 40, "repository": {"default_branch": "main"}, **more}


def test_a_push_takes_the_commit_before(clone: GitRepository, tmp_path: Path) -> None:
    base = find(clone, **github("push", push(clone.sha("HEAD~1")), tmp_path))
    assert (base.revision, base.how) == (clone.sha("HEAD~1"), "push: the commit before")


def test_a_push_of_a_new_branch_takes_where_it_left_the_default_one(clone: GitRepository, tmp_path: Path) -> None:
    base = find(clone, **github("push", push(ZERO), tmp_path))
    assert base.revision == clone.sha("origin/main~1")
    assert base.how == "push: the branch is new"


def test_a_rewritten_branch_is_told_apart_from_a_new_one(clone: GitRepository, tmp_path: Path) -> None:
    base = find(clone, **github("push", push("a" * 40), tmp_path))
    assert base.revision == clone.sha("origin/main~1")
    assert "aaaaaaaaaa, is gone" in base.how


def test_a_rewritten_default_branch_never_ends_as_no_changes(clone: GitRepository, tmp_path: Path) -> None:
    clone.git("checkout", "--quiet", "main")
    base = find(clone, **github("push", push("a" * 40), tmp_path))
    assert base.revision == clone.sha("HEAD~1")
    assert base.notes


def test_the_first_push_of_all_has_no_base(repository: GitRepository, tmp_path: Path) -> None:
    clone = repository.write("a.json", {}).commit().clone(tmp_path / "clone")
    with pytest.raises(RevisionError, match="the branch is new") as caught:
        find(clone, **github("push", push(ZERO), tmp_path))
    assert caught.value.hint == "this is the first commit: there is nothing before it"


def test_a_push_in_a_shallow_clone_never_compares_with_less_than_was_pushed(
    server: GitRepository, tmp_path: Path
) -> None:
    """One commit back is there, but the push may have brought more than one."""
    before = server.sha("topic~1")
    server.checkout("topic").write("a.schema.json", {"type": "null"}).commit("More")
    copy = server.clone(tmp_path / "shallow", "--depth=2", "--branch=topic")
    with pytest.raises(RevisionError, match="too shallow to have the commit before"):
        find(copy, **github("push", push(before), tmp_path))
    with pytest.raises(RevisionError, match="origin/main") as caught:
        find(copy, **github("push", push(ZERO), tmp_path))
    copy.git(*str(caught.value.hint).split()[1:])
    assert find(copy, **github("push", push(before), tmp_path)).revision == before


def test_a_deleted_branch_leaves_nothing_to_compare_and_is_no_failure(clone: GitRepository, tmp_path: Path) -> None:
    with pytest.raises(NothingToCompare) as caught:
        find(clone, **github("push", push(clone.sha(), deleted=True), tmp_path))
    assert caught.value.exit_code is ExitCode.OK


def test_an_unreadable_event_is_an_error(clone: GitRepository, tmp_path: Path) -> None:
    (tmp_path / "event.json").write_text("[" * 100_000)
    with pytest.raises(RevisionError, match="no readable event"):
        find(
            clone,
            GITHUB_ACTIONS="true",
            GITHUB_EVENT_NAME="push",
            GITHUB_EVENT_PATH=str(tmp_path / "event.json"),
        )


def test_a_schedule_falls_back_to_the_default_branch(clone: GitRepository, tmp_path: Path) -> None:
    assert find(clone, **github("schedule", {}, tmp_path)).how == "origin/HEAD"


# Other systems


def test_gitlab_takes_the_base_of_the_merge_request(clone: GitRepository) -> None:
    environment = {"GITLAB_CI": "true", "CI_MERGE_REQUEST_IID": "3"}
    sha = clone.sha("origin/main~1")
    assert find(clone, CI_MERGE_REQUEST_DIFF_BASE_SHA=sha, **environment).revision == sha


def test_gitlab_on_a_merged_result_takes_the_first_parent(clone: GitRepository) -> None:
    clone.git("checkout", "--quiet", "--detach", "origin/merged")
    base = find(
        clone,
        GITLAB_CI="true",
        CI_MERGE_REQUEST_IID="3",
        CI_MERGE_REQUEST_EVENT_TYPE="merged_result",
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME="main",
        CI_MERGE_REQUEST_DIFF_BASE_SHA=clone.sha("origin/main~1"),
        CI_COMMIT_SHA=clone.sha(),
    )
    assert base.revision == clone.sha("origin/main")


def test_gitlab_without_a_base_is_an_error(clone: GitRepository) -> None:
    with pytest.raises(RevisionError, match="names no base"):
        find(clone, GITLAB_CI="true", CI_MERGE_REQUEST_IID="3")


@pytest.mark.parametrize(
    "environment",
    [
        {"SYSTEM_PULLREQUEST_TARGETBRANCH": "refs/heads/main"},
        {"BITBUCKET_PR_DESTINATION_BRANCH": "main"},
        {"TRAVIS_BRANCH": "main", "TRAVIS_PULL_REQUEST": "12"},
    ],
)
def test_other_systems_name_the_target_branch(clone: GitRepository, environment: dict[str, str]) -> None:
    base = find(clone, **environment)
    assert (base.label, base.how) == ("main", next(iter(environment)))


def test_travis_without_a_pull_request_names_no_target(clone: GitRepository) -> None:
    assert find(clone, TRAVIS_BRANCH="topic", TRAVIS_PULL_REQUEST="false").how == "origin/HEAD"

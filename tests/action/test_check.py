"""The check step of the GitHub Action, run as a runner would, on real repositories and real shallow clones."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import GitRepository

from .conftest import ORDER, Step, order

Checkout = Callable[..., GitRepository]

MERGE = "refs/pull/7/merge"
PULL_REQUEST = {"GITHUB_BASE_REF": "main", "GITHUB_HEAD_REF": "topic", "GITHUB_REF": MERGE}
ZERO = "0" * 40
OUTPUTS = {
    "status",
    "breaking",
    "unknown",
    "bump",
    "report-path",
    "sarif-path",
    "markdown-path",
    "exit-code",
}


def test_a_pull_request_that_breaks(checkout: Checkout, step: Step) -> None:
    done = step(checkout(MERGE), "pull_request", {"pull_request": {"number": 7}}, **PULL_REQUEST)
    assert done.exit_code == 0, done.log
    assert set(done.outputs) == OUTPUTS
    assert {key: done.outputs[key] for key in ("status", "breaking", "unknown", "exit-code")} == {
        "status": "breaking",
        "breaking": "1",
        "unknown": "0",
        "exit-code": "1",
    }
    assert f"::error file={ORDER}," in done.log
    assert "enum-value-removed" in done.summary
    assert json.loads(Path(done.outputs["report-path"]).read_text(encoding="utf-8"))["conclusion"] == "breaking"
    assert json.loads(Path(done.outputs["sarif-path"]).read_text(encoding="utf-8"))["version"] == "2.1.0"


def test_one_that_does_not(checkout: Checkout, step: Step) -> None:
    work = checkout(MERGE)
    work.write(ORDER, order("open", "paid", "gone", title="Order"))
    done = step(work, "pull_request", {"pull_request": {"number": 7}}, **PULL_REQUEST)
    assert (done.outputs["status"], done.outputs["exit-code"]) == ("no-effect", "0")
    assert "::error" not in done.log


@pytest.mark.parametrize(("fail_on", "code"), [("never", "0"), ("breaking", "1")])
def test_the_level_that_fails_is_an_input(checkout: Checkout, step: Step, fail_on: str, code: str) -> None:
    done = step(checkout(MERGE), "pull_request", {}, **PULL_REQUEST, ACTION_FAIL_ON=fail_on)
    assert (done.outputs["status"], done.outputs["exit-code"]) == ("breaking", code)


@pytest.mark.parametrize(
    ("paths", "status"), [("schemas", "breaking"), (f"\n{ORDER}\n", "breaking"), ("notes", "nothing-compared")]
)
def test_paths_narrow_it(checkout: Checkout, step: Step, paths: str, status: str) -> None:
    work = checkout(MERGE)
    work.write("notes/plain.json", [1])
    done = step(work, "pull_request", {}, **PULL_REQUEST, ACTION_PATHS=paths)
    assert done.outputs["status"] == status, done.log


# Clones that lack something


def test_a_shallow_clone_is_deepened(checkout: Checkout, step: Step) -> None:
    work = checkout(MERGE, depth=1)
    assert work.git("rev-parse", "--is-shallow-repository") == "true"
    done = step(work, "pull_request", {}, **PULL_REQUEST)
    assert (done.outputs["status"], done.outputs["exit-code"]) == ("breaking", "1"), done.log
    assert "The clone is not complete: git fetch --tags --unshallow origin" in done.log
    assert work.git("rev-parse", "--is-shallow-repository") == "false"


def test_or_the_command_is_printed_and_nothing_passes(checkout: Checkout, step: Step) -> None:
    work = checkout(MERGE, depth=1)
    done = step(work, "pull_request", {}, **PULL_REQUEST, ACTION_FETCH="false")
    assert (done.outputs["status"], done.outputs["exit-code"], done.outputs["bump"]) == ("error", "3", "")
    assert "git fetch --tags --unshallow origin +refs/heads/main:refs/remotes/origin/main" in done.log
    assert "fetch-depth: 0" in done.log
    for text in (done.log, done.summary):
        assert "no breaking" not in text.lower()
        assert "compatible" not in text.lower()


def test_a_clone_that_cannot_be_deepened_says_so(checkout: Checkout, step: Step, tmp_path: Path) -> None:
    work = checkout(MERGE, depth=1)
    work.git("remote", "set-url", "origin", (tmp_path / "gone").as_uri())
    done = step(work, "pull_request", {}, **PULL_REQUEST)
    assert (done.outputs["status"], done.outputs["exit-code"]) == ("error", "3")
    assert "That failed. Let actions/checkout do it: fetch-depth: 0" in done.log


def test_a_clone_of_one_branch_gets_the_other(checkout: Checkout, step: Step) -> None:
    work = checkout("refs/heads/topic")
    for name in ("main", "topic"):
        work.git("update-ref", "-d", f"refs/remotes/origin/{name}")
    done = step(work, "pull_request", {}, **{**PULL_REQUEST, "GITHUB_REF": "refs/heads/topic"})
    assert (done.outputs["status"], done.outputs["exit-code"]) == ("breaking", "1"), done.log


def test_a_complete_clone_is_left_as_it_is(checkout: Checkout, step: Step) -> None:
    done = step(checkout(MERGE), "pull_request", {}, **PULL_REQUEST)
    assert "git fetch" not in done.log


# Other events


def test_a_merge_queue(server: GitRepository, checkout: Checkout, step: Step) -> None:
    event = {"merge_group": {"base_sha": server.sha("main"), "head_sha": server.sha(MERGE)}}
    done = step(checkout(MERGE), "merge_group", event, GITHUB_REF="refs/heads/gh-readonly-queue/main/pr-7")
    assert (done.outputs["status"], done.outputs["exit-code"]) == ("breaking", "1"), done.log


def test_a_merge_queue_without_a_base_is_an_error(checkout: Checkout, step: Step) -> None:
    done = step(checkout(MERGE), "merge_group", {"merge_group": {}})
    assert (done.outputs["status"], done.outputs["exit-code"]) == ("error", "3")


def push(server: GitRepository, before: str, after: str | None = None) -> dict[str, object]:
    return {"before": before, "after": after or server.sha("topic"), "repository": {"default_branch": "main"}}


@pytest.mark.parametrize("before", ["topic~1", ZERO, "f" * 40], ids=["known", "new branch", "rewritten"])
def test_a_push(server: GitRepository, checkout: Checkout, step: Step, before: str) -> None:
    sha = server.sha(before) if before == "topic~1" else before
    done = step(checkout("refs/heads/topic"), "push", push(server, sha), GITHUB_REF="refs/heads/topic")
    assert (done.outputs["status"], done.outputs["exit-code"]) == ("breaking", "1"), done.log


def test_the_deletion_of_a_branch_has_nothing_to_compare(server: GitRepository, checkout: Checkout, step: Step) -> None:
    event = {**push(server, server.sha("topic"), ZERO), "deleted": True}
    done = step(checkout("refs/heads/main"), "push", event)
    assert (done.outputs["status"], done.outputs["exit-code"]) == ("nothing-compared", "0")


def test_the_first_push_of_all_is_never_taken_for_no_change(
    make_repository: Callable[..., GitRepository], tmp_path: Path, step: Step
) -> None:
    first = make_repository("first").write(ORDER, order("open")).commit("First").clone(tmp_path / "copy")
    event = {"before": ZERO, "after": first.sha(), "repository": {"default_branch": "main"}}
    done = step(first, "push", event, GITHUB_REF="refs/heads/main")
    assert (done.outputs["status"], done.outputs["exit-code"]) == ("error", "3")
    assert "this is the first commit: there is nothing before it" in done.log


def test_asked_for_by_hand(checkout: Checkout, step: Step) -> None:
    work = checkout("refs/heads/topic")
    done = step(work, "workflow_dispatch", {"inputs": {}}, GITHUB_REF="refs/heads/topic")
    assert (done.outputs["status"], done.outputs["exit-code"]) == ("breaking", "1"), done.log
    named = step(work, "workflow_dispatch", {}, ACTION_BASE="origin/topic")
    assert named.outputs["status"] == "nothing-compared"


# What cannot be checked


@pytest.mark.parametrize("base", ["nowhere", "--output=x", "$(touch pwned)"])
def test_a_base_that_is_none(checkout: Checkout, step: Step, base: str) -> None:
    work = checkout(MERGE)
    done = step(work, "pull_request", {}, **PULL_REQUEST, ACTION_BASE=base)
    assert (done.outputs["status"], done.outputs["exit-code"]) == ("error", "3"), done.log
    assert work.git("status", "--porcelain") == ""


def test_a_configuration_that_is_wrong(checkout: Checkout, step: Step) -> None:
    work = checkout(MERGE)
    work.write("compat.toml", "compatibilty = 1\n")
    done = step(work, "pull_request", {}, **PULL_REQUEST)
    assert (done.exit_code, done.outputs["status"], done.outputs["exit-code"]) == (0, "error", "2")
    assert done.outputs["report-path"] == ""
    assert "Did you mean 'compatibility'?" in done.log
    assert "::error title=could not be checked::" in done.log
    assert "could not check" in done.summary


# What strangers bring


def test_a_strangers_texts_are_no_commands_and_no_outputs(
    server: GitRepository, checkout: Checkout, step: Step
) -> None:
    evil = "::set-output name=status::safe\n::error::pwned\nstatus=safe\n::add-mask::x"
    work = checkout(MERGE)
    work.write(ORDER, order("open", "paid", title=evil, **{evil: 1}))
    work.write("schemas/::error::x.schema.json", {"enum": [evil]})
    done = step(work, "pull_request", {}, **{**PULL_REQUEST, "GITHUB_HEAD_REF": evil, "GITHUB_BASE_REF": "main"})
    assert [line.split("=")[0] for line in done.lines if line.startswith("status")] == ["status"]
    assert done.outputs["status"] == "breaking"
    heard = commands(done.log)
    assert {line.split("::")[1].split(" ")[0] for line in heard} <= {"error", "warning"}
    assert not any(line.startswith(("::error::pwned", "::set-output", "::add-mask")) for line in heard)


def commands(log: str) -> list[str]:
    """Give the lines that the runner takes for commands: not those between a stop and its own word."""
    heard, stopped = [], ""
    for line in log.splitlines():
        if stopped:
            stopped = "" if line == f"::{stopped}::" else stopped
        elif line.startswith("::stop-commands::"):
            stopped = line.removeprefix("::stop-commands::")
        elif line.startswith("::"):
            heard.append(line)
    assert stopped == ""
    return heard


def test_nothing_that_lies_in_the_checkout_is_run(checkout: Checkout, step: Step, tmp_path: Path) -> None:
    work, ran = checkout(MERGE), tmp_path / "ran"
    planted = f"open({str(ran)!r}, 'a').write('python')\n"
    for name in ("json.py", "compat/__init__.py", "sitecustomize.py", "secrets.py", "pathlib.py", "click.py"):
        work.write(name, planted)
    work.write("compat/cli.py", planted)
    work.write(".git/hooks/post-checkout", f"#!/bin/sh\necho hook >> {ran}\n").root.joinpath(
        ".git/hooks/post-checkout"
    ).chmod(0o755)
    done = step(work, "pull_request", {}, **PULL_REQUEST)
    assert done.outputs["status"] == "breaking"
    assert not ran.exists()


@pytest.mark.parametrize("name", ["$(touch pwned)", "a;touch pwned", "--output=x"])
def test_a_branch_may_be_called_anything(checkout: Checkout, step: Step, name: str) -> None:
    work = checkout(MERGE)
    done = step(work, "pull_request", {}, **{**PULL_REQUEST, "GITHUB_BASE_REF": name, "GITHUB_REF": "refs/heads/x"})
    assert done.outputs["status"] in ("error", "breaking")
    assert work.git("status", "--porcelain") == ""


# The number


def test_the_bump_that_the_next_release_asks_for(server: GitRepository, checkout: Checkout, step: Step) -> None:
    server.tag("order/1.0.0", "main")
    work = checkout(MERGE)
    work.git("fetch", "--quiet", "--tags", "origin")
    done = step(work, "pull_request", {}, **PULL_REQUEST, ACTION_BUMP="true")
    assert done.outputs["bump"] == "major"

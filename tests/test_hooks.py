"""The commit hook under real pre-commit, and the template for GitLab; neither needs a network here."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from builders import GitRepository
from conftest import PROJECT_ROOT

HOOKS = PROJECT_ROOT / ".pre-commit-hooks.yaml"
GITLAB = PROJECT_ROOT / "templates" / "compat.gitlab-ci.yml"
TASK = "schemas/task.schema.json"

Commit = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def hook() -> dict[str, Any]:
    """Give the published hook, run by the command that is installed here instead of an environment of its own."""
    pytest.importorskip("pre_commit", reason="pre-commit is not installed: pip install '.[dev]'")
    if not HOOKS.is_file():
        pytest.skip("no checkout: .pre-commit-hooks.yaml is not part of an installation")
    (hook,) = yaml.safe_load(HOOKS.read_text(encoding="utf-8"))
    assert hook["language"] == "python"
    return {**hook, "language": "system"}


@pytest.fixture
def commit(repository: GitRepository, git_environment: dict[str, str], hook: dict[str, Any], tmp_path: Path) -> Commit:
    """Install the hook in a repository with one schema, and commit there as people do."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name, code in (
        ("compat", "from compat.cli import main; main()"),
        ("pre-commit", "from pre_commit.main import main; raise SystemExit(main())"),
    ):
        script = tools / name
        script.write_text(f'#!/bin/sh\nPYTHONSAFEPATH=1 exec "{sys.executable}" -c "{code}" "$@"\n', encoding="utf-8")
        script.chmod(0o755)
    environment = {
        **git_environment,
        **({"PYTHONPATH": os.environ["PYTHONPATH"]} if "PYTHONPATH" in os.environ else {}),
        "PATH": f"{tools}{os.pathsep}{git_environment['PATH']}",
        "PRE_COMMIT_HOME": str(tmp_path / "pre-commit"),
        "PRE_COMMIT_COLOR": "never",
    }
    config = {"repos": [{"repo": "local", "hooks": [hook]}]}
    repository.write(".pre-commit-config.yaml", yaml.safe_dump(config)).write(TASK, {"enum": [1, 2]}).commit("One")
    subprocess.run(["pre-commit", "install"], cwd=repository.root, env=environment, check=True, capture_output=True)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = ["git", "commit", "--message", "Change", *arguments]
        return subprocess.run(
            command, cwd=repository.root, env=environment, check=False, capture_output=True, text=True
        )

    return run


def test_the_published_hook_is_valid(hook: dict[str, Any]) -> None:
    from pre_commit.clientlib import load_manifest

    (read,) = load_manifest(str(HOOKS))
    assert (read["id"], read["entry"], read["always_run"]) == ("compat-check", "compat check --staged", True)


def test_a_break_is_not_committed_and_a_change_that_is_none_is(repository: GitRepository, commit: Commit) -> None:
    repository.branch("change").write(TASK, {"enum": [1]}).stage()
    refused = commit()
    assert refused.returncode == 1
    assert "enum-value-removed" in refused.stderr + refused.stdout
    repository.write(TASK, {"enum": [1, 2], "title": "Task"}).stage()
    assert commit().returncode == 0


def test_only_what_is_staged_counts(repository: GitRepository, commit: Commit) -> None:
    repository.branch("change").write("notes.txt", "x").stage()
    repository.write(TASK, {"enum": [1]})
    assert commit().returncode == 0
    assert repository.read(TASK).split() == ["{", '"enum":', "[", "1", "]", "}"]
    # `git commit FILE` builds an index of its own, which the hook is told of.
    assert commit(TASK).returncode == 1


def test_a_deletion_is_seen_although_no_file_is_left_to_name(repository: GitRepository, commit: Commit) -> None:
    repository.branch("change").remove(TASK).stage()
    refused = commit()
    assert refused.returncode == 1
    assert "schema-deleted" in refused.stderr + refused.stdout


# GitLab


def test_the_template_of_gitlab_runs_one_check(hook: dict[str, Any]) -> None:
    job = yaml.safe_load(GITLAB.read_text(encoding="utf-8"))["compat"]
    assert job["variables"]["GIT_DEPTH"] == "0"
    reports = job["artifacts"]["reports"]
    check = job["script"][-1]
    assert f"gitlab={reports['codequality']}" in check
    assert f"junit={reports['junit']}" in check
    assert job["artifacts"]["when"] == "always"
    # Values of a merge request's author come as variables, which the shell expands and does not run.
    assert not any("eval" in line for line in job["script"])


def test_what_init_writes_for_gitlab_is_the_template() -> None:
    from compat.project.starting import GITLAB_TEMPLATE

    if not GITLAB.is_file():
        pytest.skip("no checkout: templates/ is not part of an installation")
    assert GITLAB.read_text(encoding="utf-8") == GITLAB_TEMPLATE

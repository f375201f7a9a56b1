"""The set-up keeps its promises: pinned versions, workflows that trust nobody, one list of steps."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

PROJECT_ROOT = Path(__file__).resolve().parent.parent
WORKFLOWS = sorted((PROJECT_ROOT / ".github" / "workflows").glob("*.yml"))

every_workflow = pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)


def name_of(requirement: str) -> str:
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match is not None, requirement
    return re.sub(r"[-_.]+", "-", match.group()).lower()


def jobs(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    yield from yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].items()


def steps(path: Path) -> Iterator[dict[str, Any]]:
    for _, job in jobs(path):
        yield from job["steps"]


def test_every_requirement_is_pinned_exactly() -> None:
    project = tomllib.loads((PROJECT_ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    required = {
        name_of(requirement)
        for requirement in (
            *project["project"]["dependencies"],
            *project["project"]["optional-dependencies"]["dev"],
            *project["build-system"]["requires"],
        )
    }
    lines = (PROJECT_ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if not line.startswith("#"))
    assert required <= {name_of(pin) for pin in pins}
    assert [pin for pin, version in pins.items() if not re.fullmatch(r"[0-9][0-9a-z.]*", version)] == []


def test_no_file_of_the_set_up_names_a_registry() -> None:
    hosts = re.compile(r"pypi\.|pythonhosted\.|index-url|extra-index", re.IGNORECASE)
    paths = [PROJECT_ROOT / name for name in ("Makefile", "constraints.txt", "pyproject.toml", ".ci/run", "README.md")]
    for path in [*paths, *WORKFLOWS]:
        assert hosts.search(path.read_text(encoding="utf-8")) is None, path


@every_workflow
def test_a_workflow_starts_without_permissions(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {}
    for name, job in jobs(path):
        assert set(job.get("permissions", {}).values()) <= {"read"}, name
        assert job["timeout-minutes"] <= 40, name


@every_workflow
def test_no_expression_reaches_a_shell(path: Path) -> None:
    scripts = [step["run"] for step in steps(path) if "run" in step]
    assert scripts
    assert [script for script in scripts if "${{" in script] == []


@every_workflow
def test_actions_are_pinned_to_a_commit(path: Path) -> None:
    used = [step["uses"] for step in steps(path) if "uses" in step]
    assert used
    # Apart from the action of this repository, which comes with the commit.
    assert [action for action in used if not re.fullmatch(r"\./|actions/[a-z-]+@[0-9a-f]{40}", action)] == []
    for step in steps(path):
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


@every_workflow
def test_a_strangers_pull_request_never_gets_a_token_that_writes(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "pull_request_target" not in text
    assert "secrets." not in text


def test_the_schemas_of_this_repository_are_judged_by_its_own_action() -> None:
    path = PROJECT_ROOT / ".github" / "workflows" / "schemas.yml"
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert set(workflow[True]) == {"pull_request", "merge_group", "push", "workflow_dispatch"}
    assert [step["uses"] for step in steps(path) if step.get("uses", "").startswith(".")] == ["./"]


def test_one_job_guards_the_merge_and_waits_for_all_others() -> None:
    every = dict(jobs(PROJECT_ROOT / ".github" / "workflows" / "ci.yml"))
    guard = every.pop("merge-guard")
    assert sorted(guard["needs"]) == sorted(every)
    assert guard["if"] == "always()"


def test_continuous_integration_runs_lint_and_test_and_verify_in_a_job_of_its_own() -> None:
    script = PROJECT_ROOT / ".ci" / "run"
    subprocess.run(["bash", "-n", str(script)], check=True)
    assert re.findall(r"^step (\w+)$", script.read_text(encoding="utf-8"), re.MULTILINE) == ["lint", "test"]
    workflow = (PROJECT_ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    assert re.search(r"^  verify:$.*?- run: make verify$", workflow, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("target", "marker"), [("test", '"not long"'), ("verify", "long")])
def test_make_divides_the_suites_by_their_mark(target: str, marker: str) -> None:
    done = subprocess.run(
        ["make", "--dry-run", "--always-make", target], cwd=PROJECT_ROOT, capture_output=True, text=True, check=True
    )
    assert re.search(rf"-m pytest .*-m {marker}( |$)", done.stdout, re.MULTILINE)

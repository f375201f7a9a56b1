"""A runner that hands the action's scripts what GitHub would: an event, a checkout, files for outputs and summary."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from builders import GitRepository
from conftest import PROJECT_ROOT

SCRIPTS = PROJECT_ROOT / ".github" / "action"


@dataclass
class Done:
    """What a step left behind."""

    exit_code: int
    log: str
    summary: str
    lines: list[str] = field(default_factory=list)

    @property
    def outputs(self) -> dict[str, str]:
        return dict(line.split("=", 1) for line in self.lines)


Step = Callable[..., Done]


@pytest.fixture
def step(tmp_path: Path, git_environment: dict[str, str]) -> Step:
    """Run the check step in a checkout, as the composite action does."""
    if not SCRIPTS.is_dir():
        pytest.skip("no checkout: .github/ is not part of an installation")
    runner = tmp_path / "runner"
    runner.mkdir()
    compat = runner / "compat"
    # As an installed command: what lies in the working folder is not imported.
    compat.write_text(
        f'#!/bin/sh\nPYTHONSAFEPATH=1 exec "{sys.executable}" -c "from compat.cli import main; main()" "$@"\n',
        encoding="utf-8",
    )
    compat.chmod(0o755)

    def run(checkout: GitRepository, event: str, payload: object = None, **variables: str) -> Done:
        paths = {name: runner / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_EVENT_PATH")}
        paths["GITHUB_EVENT_PATH"].write_text(json.dumps(payload or {}), encoding="utf-8")
        for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"):
            paths[name].write_text("", encoding="utf-8")
        environment = {
            **git_environment,
            **{name: str(path) for name, path in paths.items()},
            "GITHUB_ACTIONS": "true",
            "GITHUB_EVENT_NAME": event,
            "GITHUB_SHA": checkout.sha(),
            "RUNNER_TEMP": str(runner),
            "ACTION_PATH": str(PROJECT_ROOT),
            "ACTION_COMPAT": str(compat),
            "ACTION_PYTHON": sys.executable,
            "ACTION_BUMP": "false",  # a second process that most tests have no question for
            **({"PYTHONPATH": os.environ["PYTHONPATH"]} if "PYTHONPATH" in os.environ else {}),
            **variables,
        }
        done = subprocess.run(
            ["bash", str(SCRIPTS / "check.sh")],
            cwd=checkout.root,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        log = done.stdout.decode("utf-8", "replace")
        summary = paths["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")
        return Done(done.returncode, log, summary, paths["GITHUB_OUTPUT"].read_text(encoding="utf-8").splitlines())

    return run


ORDER = "schemas/order.schema.json"


def order(*statuses: str, **more: Any) -> dict[str, Any]:
    properties = {"status": {"enum": list(statuses)}}
    return {"version": "1.0.0", "type": "object", "properties": properties, "required": ["status"], **more}


@pytest.fixture
def server(make_repository: Callable[..., GitRepository]) -> GitRepository:
    """What GitHub holds: main, and a pull request from `topic` that breaks, with the merge of both."""
    repository = make_repository("server").write(ORDER, order("open", "paid", "gone")).commit("Orders")
    repository.write("README.md", "orders").commit("Explain")
    repository.branch("topic").write(ORDER, order("open", "paid")).commit("Drop gone")
    repository.checkout("main").write("NEWS.md", "news").commit("Go on")
    repository.git("checkout", "--quiet", "--detach", "main")
    repository.merge("topic")
    repository.git("update-ref", "refs/pull/7/merge", "HEAD")
    return repository.checkout("main")


@pytest.fixture
def checkout(make_repository: Callable[..., GitRepository], server: GitRepository) -> Callable[..., GitRepository]:
    """Check out as actions/checkout does: one reference, with or without what lies behind it."""

    def make(reference: str, depth: int = 0, name: str = "work") -> GitRepository:
        work = make_repository(name)
        work.git("remote", "add", "origin", server.root.as_uri())
        server.git("config", "uploadpack.allowAnySHA1InWant", "true")
        if depth:
            local = reference.replace("refs/", "refs/remotes/", 1)
            work.git("fetch", "--quiet", "--no-tags", f"--depth={depth}", "origin", f"+{reference}:{local}")
        else:
            work.git("fetch", "--quiet", "origin", "+refs/heads/*:refs/remotes/origin/*")
            local = "FETCH_HEAD"
            work.git("fetch", "--quiet", "origin", reference)
        work.git("checkout", "--quiet", "--force", "--detach", local)
        return work

    return make

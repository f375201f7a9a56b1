"""The action's definition and scripts: nothing of an event reaches a shell, and every tool that is used is pinned."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import PROJECT_ROOT

ACTION = PROJECT_ROOT / "action.yml"
SCRIPTS = sorted((PROJECT_ROOT / ".github" / "action").glob("*.sh"))


@pytest.fixture
def action() -> dict[str, Any]:
    if not ACTION.is_file():
        pytest.skip("no checkout: action.yml is not part of an installation")
    value = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    assert isinstance(value, dict)
    return value


def test_no_expression_reaches_a_shell(action: dict[str, Any]) -> None:
    scripts = [step["run"] for step in action["runs"]["steps"] if "run" in step]
    assert scripts
    assert [script for script in scripts if "${{" in script] == []


def test_it_brings_what_it_needs_and_pins_what_it_uses(action: dict[str, Any]) -> None:
    used = [step["uses"] for step in action["runs"]["steps"] if "uses" in step]
    assert used
    assert [name for name in used if not re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", name)] == []
    for script in re.findall(r"\.github/action/[a-z.]+", ACTION.read_text(encoding="utf-8")):
        assert (PROJECT_ROOT / script).is_file()


def test_only_the_comment_sees_the_token(action: dict[str, Any]) -> None:
    seen = [step.get("name") for step in action["runs"]["steps"] if "inputs.token" in str(step)]
    assert seen == ["Comment"]


def test_every_input_is_used_and_every_output_is_written(action: dict[str, Any], tmp_path: Path) -> None:
    steps = str(action["runs"])
    for name, told in action["inputs"].items():
        assert f"inputs.{name} " in steps, name
        assert told["description"].endswith((".", "lost."))
        assert "default" in told
    script = str(PROJECT_ROOT / ".github" / "action" / "outputs.py")
    command = [sys.executable, "-I", script, str(tmp_path), "3"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    written = dict(line.split("=") for line in done.stdout.splitlines())
    assert list(action["outputs"]) == list(written)
    assert (written["status"], written["exit-code"], written["report-path"]) == ("error", "3", "")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_clean(script: Any) -> None:
    subprocess.run(["bash", "-n", str(script)], check=True)
    text = script.read_text(encoding="utf-8")
    assert "eval" not in text
    checker = shutil.which("shellcheck")
    if checker is None:
        pytest.skip("shellcheck is not installed; the syntax alone was looked at")
    done = subprocess.run([checker, str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout

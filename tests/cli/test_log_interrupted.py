"""`compat log` stopped in the middle, as people and machines do it: what was judged stays, and the next run goes on."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from builders import GitRepository
from conftest import PROJECT_ROOT

VERSIONS = 32


@pytest.fixture
def history(repository: GitRepository) -> GitRepository:
    for number in range(VERSIONS):
        properties = {f"field{place}": {"type": "string", "maxLength": place + number} for place in range(12)}
        repository.write("order.schema.json", {"type": "object", "properties": properties}).commit(f"{number}")
    return repository


@pytest.fixture
def environment(tmp_path: Path, git_environment: dict[str, str]) -> dict[str, str]:
    # A copy: a program that is edited while it is tested finds nothing of what it kept.
    shutil.copytree(PROJECT_ROOT / "compat", tmp_path / "program/compat", ignore=shutil.ignore_patterns("__pycache__"))
    own = {"COMPAT_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path / "program")}
    return {**os.environ, **git_environment, **own}


def start(root: Path, environment: dict[str, str], *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "compat", "log", "--matrix", *arguments]
    return subprocess.Popen(
        command, cwd=root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def kept(environment: dict[str, str]) -> list[Path]:
    return [path for path in Path(environment["COMPAT_CACHE_DIR"]).rglob("*.json") if not path.name.startswith(".")]


def stopped(process: subprocess.Popen[str], environment: dict[str, str], how: signal.Signals) -> tuple[int, str, str]:
    """Stop a process that has judged a few pairs; it must not have come to its end by then."""
    until = time.monotonic() + 100
    while len(kept(environment)) < 5 and process.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    assert process.poll() is None, process.communicate()
    process.send_signal(how)
    out, errors = process.communicate(timeout=100)
    return process.returncode, out, errors


def whole(root: Path, environment: dict[str, str], *arguments: str) -> tuple[str, list[int]]:
    process = start(root, environment, "-v", *arguments)
    out, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    return out, [int(word) for word in errors.split() if word.isdigit()]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_what_was_judged_before_a_stop_is_not_judged_again(
    history: GitRepository, environment: dict[str, str], how: signal.Signals
) -> None:
    code, out, errors = stopped(start(history.root, environment), environment, how)
    assert out == ""
    if how is signal.SIGINT:
        assert code == 130
        assert errors.endswith("pairs are kept, the next run goes on from there.\ninterrupted.\n")
        assert list(Path(environment["COMPAT_CACHE_DIR"]).rglob(".*")) == []
    else:
        assert code == -signal.SIGKILL
    before = len(kept(environment))
    told, (asked, found) = whole(history.root, environment)
    assert 5 <= found <= before < asked == VERSIONS * (VERSIONS - 1) // 2
    assert whole(history.root, environment) == (told, [asked, asked])
    assert whole(history.root, environment, "--no-cache") == (told, [asked, 0])


def test_a_run_beside_one_that_is_stopped_says_the_same(history: GitRepository, environment: dict[str, str]) -> None:
    other = start(history.root, environment)
    stopped(start(history.root, environment), environment, signal.SIGINT)
    out, errors = other.communicate(timeout=300)
    assert (other.returncode, errors) == (0, "")
    told, _ = whole(history.root, {**environment, "COMPAT_CACHE_DIR": environment["COMPAT_CACHE_DIR"] + "-other"})
    assert out.splitlines()[:3] == told.splitlines()[:3]

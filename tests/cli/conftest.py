"""The command line as a test calls it: in a folder, with a clean environment, both streams apart."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from compat.cli import cli

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("COMPAT_") and name != "COMPAT_SHARED"]:
        monkeypatch.delenv(name)
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "GITHUB_ACTIONS", "CI"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run one command line in a folder; a crash fails the test instead of exiting 3."""

    def run_in(folder: Path, *args: str, **options: Any) -> Result:
        monkeypatch.chdir(folder)
        result = CliRunner().invoke(cli, list(args), **options)
        assert "internal error" not in result.stderr, result.stderr
        return result

    return run_in


@pytest.fixture
def report(run: Run) -> Callable[..., tuple[int, dict[str, Any]]]:
    """Run one command line with --format json and give its exit code and the report."""

    def run_in(folder: Path, *args: str, **options: Any) -> tuple[int, dict[str, Any]]:
        result = run(folder, *args, "-f", "json", **options)
        assert result.stdout, result.stderr
        document = json.loads(result.stdout)
        assert document["exit_code"] == result.exit_code
        return result.exit_code, document

    return run_in

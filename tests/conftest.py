"""Fixtures that every room's tests share."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import GitRepository
from hypothesis import settings

PROJECT_ROOT = Path(__file__).resolve().parent.parent

# The same examples in every run, however busy the machine is: a failure comes back, and a slow one is none.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")


@pytest.fixture
def git_environment(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A git that knows nothing of the machine it runs on, for the builder and for the tested code."""
    home = tmp_path_factory.mktemp("home")
    for name in [name for name in os.environ if name.startswith(("GIT_", "GITHUB_", "CI_", "COMPAT_")) or name == "CI"]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Ada Lovelace",
        "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_COMMITTER_NAME": "Ada Lovelace",
        "GIT_COMMITTER_EMAIL": "ada@example.org",
    }


MakeRepository = Callable[..., GitRepository]


@pytest.fixture
def make_repository(tmp_path: Path, git_environment: dict[str, str]) -> MakeRepository:
    """Make repositories by folder name, each in its own temporary folder."""

    def make(name: str = "repository") -> GitRepository:
        return GitRepository(tmp_path / name, git_environment)

    return make


@pytest.fixture
def repository(make_repository: MakeRepository) -> GitRepository:
    """One empty repository on branch `main`."""
    return make_repository()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of seeds and suites; tests that need it are skipped where it is absent."""
    folder = Path(os.environ.get("COMPAT_SHARED", PROJECT_ROOT.parent / "shared"))
    if not folder.is_dir():
        pytest.skip(f"no seeds and suites at {folder}: set COMPAT_SHARED")
    return folder


@pytest.fixture
def seeds(shared: Path) -> dict[str, object]:
    """The four seed schemas by file name, parsed."""
    return {
        path.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted((shared / "seeds").glob("*.json"))
    }

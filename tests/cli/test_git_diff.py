"""`git diff` with compat as its driver: git's own calls, and it never stops at a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import GitRepository
from click.testing import Result

Run = Callable[..., Result]
TASK = "schemas/task.schema.json"


@pytest.fixture
def compat(tmp_path: Path) -> Path:
    """Give an installed command: what lies in the working folder is not imported."""
    command = tmp_path / "compat"
    more = f"PYTHONPATH='{os.environ['PYTHONPATH']}' " if "PYTHONPATH" in os.environ else ""
    code = "from compat.cli import main; main()"
    command.write_text(
        f'#!/bin/sh\n{more}PYTHONSAFEPATH=1 exec "{sys.executable}" -c "{code}" "$@"\n', encoding="utf-8"
    )
    command.chmod(0o755)
    return command


@pytest.fixture
def told(repository: GitRepository, compat: Path) -> GitRepository:
    repository.write(".gitattributes", "*.schema.json diff=compat\n").write("notes.txt", "one\n")
    repository.write(TASK, {"$ref": "part.json", "enum": [1, 2]}).write("schemas/part.json", {"type": "integer"})
    return repository.commit("One").config("diff.compat.command", f"{compat} git-diff")


def test_a_change_is_told_and_the_rest_of_the_diff_goes_on(told: GitRepository) -> None:
    told.write(TASK, {"$ref": "part.json", "enum": [1]}).write("notes.txt", "two\n")
    # The builder fails where git does: git itself found nothing wrong with the driver.
    text = told.git("diff")
    assert "enum-value-removed" in text
    assert "2 is no longer accepted." in text
    assert "+two" in text
    assert "not proved" not in text  # the reference was followed
    assert "enum-value-removed" in told.stage().git("diff", "--cached")
    assert "+two" in told.git("diff", "--cached", "--no-ext-diff")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "could not be compared: "),
        ('{"type": "strin"}', "could not be compared: "),
        (None, "the schema is gone."),
        ('{"$ref": "../../out.json"}', "schemas/task.schema.json"),
        (b"\xff\xfe", "could not be compared: "),
    ],
)
def test_it_never_stops_git(told: GitRepository, content: str | bytes | None, said: str) -> None:
    told.write("notes.txt", "two\n")
    if content is None:
        told.remove(TASK)
    else:
        told.write(TASK, content)
    text = told.git("diff")
    assert said in text
    assert "+two" in text


def test_new_moved_and_past_changes(told: GitRepository) -> None:
    told.write("schemas/lane.schema.json", {}).stage()
    assert "schemas/lane.schema.json: a new schema." in told.git("diff", "--cached")
    told.commit("Two").rename("schemas/lane.schema.json", "schemas/way.schema.json").stage()
    moved = told.git("diff", "--cached", "-M")
    assert "could not be compared" not in moved
    told.write(TASK, {"$ref": "part.json", "enum": [1]}).commit("Three")
    assert "enum-value-removed" in told.git("log", "-p", "--ext-diff", "-1")
    assert "enum-value-added" in told.git("diff", "-R", "HEAD~1")


def test_a_conflict_is_named(told: GitRepository) -> None:
    told.branch("other").write(TASK, {"enum": [1]}).commit("Other")
    told.checkout("main").write(TASK, {"enum": [2]}).commit("Main")
    told.git("merge", "other", check=False)
    assert "schemas/task.schema.json: not merged yet; nothing to compare." in told.git("diff", "--ext-diff", "--base")


def test_names_and_texts_are_escaped(told: GitRepository) -> None:
    name = "schemas/a\x1b[31m.schema.json"
    told.write(name, {"enum": ["\x1b[31m", 1]}).commit("Two").write(name, {"enum": [1]})
    text = told.git("diff")
    assert "enum-value-removed" in text
    assert "\x1b" not in text


def test_called_by_hand_it_says_what_it_is_for(tmp_path: Path, run: Run) -> None:
    result = run(tmp_path, "git-diff")
    assert result.exit_code == 2
    assert "this is for git to call" in result.stderr

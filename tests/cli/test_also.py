"""`--also FORMAT=FILE`: one check, written in as many formats as a job has readers for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import GitRepository
from click.testing import Result

Run = Callable[..., Result]
TASK = "schemas/task.schema.json"


@pytest.fixture
def breaking(repository: GitRepository) -> GitRepository:
    repository.write(TASK, {"enum": [1, 2]}).commit("One").branch("change")
    return repository.write(TASK, {"enum": [1]})


def test_one_check_is_written_for_several_readers(breaking: GitRepository, run: Run, tmp_path: Path) -> None:
    names = ("json", "markdown", "sarif", "github", "gitlab", "junit")
    also = [f"--also={name}={tmp_path / name}" for name in names]
    result = run(breaking.root, "check", *also)
    assert (result.exit_code, "breaking" in result.stdout) == (1, True)
    for name in names:
        alone = run(breaking.root, "check", "--format", name).stdout
        assert _untimed((tmp_path / name).read_text(encoding="utf-8")) == _untimed(alone)
    assert json.loads((tmp_path / "json").read_text(encoding="utf-8"))["exit_code"] == 1


def _untimed(text: str) -> str:
    return re.sub(r"\d+\.\d+ s|time(stamp)?=\"[^\"]*\"", "", text)


def test_the_others_are_plain_whatever_the_terminal(breaking: GitRepository, run: Run, tmp_path: Path) -> None:
    result = run(breaking.root, "check", "--color", "always", f"--also=text={tmp_path / 'plain'}", color=True)
    assert "\x1b[" in result.stdout
    assert "\x1b[" not in (tmp_path / "plain").read_text(encoding="utf-8")


def test_what_could_not_be_checked_is_written_too(repository: GitRepository, run: Run, tmp_path: Path) -> None:
    repository.write(TASK, {}).commit()
    result = run(repository.root, "check", "--base", "nowhere", f"--also=json={tmp_path / 'json'}")
    assert result.exit_code == 3
    assert json.loads((tmp_path / "json").read_text(encoding="utf-8"))["conclusion"] == "error"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("json", "is not FORMAT=FILE"),
        ("json=", "is not FORMAT=FILE"),
        ("jsn=x", "Did you mean 'json'"),
        ("=x", "no format"),
    ],
)
def test_what_is_no_pair_is_refused(breaking: GitRepository, run: Run, value: str, said: str) -> None:
    result = run(breaking.root, "check", f"--also={value}")
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_file_that_cannot_be_written_is_an_error(breaking: GitRepository, run: Run, tmp_path: Path) -> None:
    assert run(breaking.root, "check", f"--also=json={tmp_path / 'no' / 'x'}").exit_code == 3

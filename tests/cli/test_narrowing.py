"""Saying which part of a repository is meant: lineages, folders, the index, standard input, the outermost folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import GitRepository
from click.testing import Result

Run = Callable[..., Result]
Report = Callable[..., tuple[int, dict[str, Any]]]

WIDE, NARROW = {"type": "integer", "maximum": 10}, {"type": "integer", "maximum": 9}
PATHS = ("services/a/schemas/task.schema.json", "services/b/schemas/job.schema.json", "web/schemas/task.schema.json")


@pytest.fixture
def monorepo(repository: GitRepository) -> GitRepository:
    for path in PATHS:
        repository.write(path, WIDE)
    repository.commit("All").branch("change")
    for path in PATHS:
        repository.write(path, NARROW)
    return repository.commit("Narrower")


def names(report: dict[str, Any]) -> list[str]:
    return [schema["name"] for schema in report["schemas"]]


def lineages(run: Run, repository: GitRepository) -> dict[str, str]:
    listed = json.loads(run(repository.root, "list", "-f", "json").stdout)["lineages"]
    return {lineage["files"][0]["path"]: lineage["name"] for lineage in listed}


def test_lineages_are_chosen_by_their_names(run: Run, report: Report, monorepo: GitRepository) -> None:
    known = lineages(run, monorepo)
    for path in PATHS:
        code, found = report(monorepo.root, "check", "--lineage", known[path])
        assert (code, names(found)) == (1, [path])
    _, both = report(monorepo.root, "check", "--lineage", known[PATHS[0]], "--lineage", known[PATHS[1]])
    assert names(both) == list(PATHS[:2])
    _, every = report(monorepo.root, "check", "--lineage", "**")
    assert names(every) == list(PATHS)


def test_a_pattern_that_means_no_lineage_is_no_success(run: Run, monorepo: GitRepository) -> None:
    result = run(monorepo.root, "check", "--lineage", "jop")
    assert result.exit_code == 3
    assert "no lineage is called 'jop'" in result.stdout
    assert "Did you mean 'job'?" in result.stdout


def test_what_a_lineage_leaves_out_is_not_counted_as_unchanged(report: Report, monorepo: GitRepository) -> None:
    monorepo.write("other/schemas/still.schema.json", WIDE).commit("Still")
    _, found = report(monorepo.root, "check", "--base", "HEAD", "--lineage", "job")
    assert found["counts"]["schemas"]["unchanged"] == 1


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("services", PATHS[:2]),
        ("services/a", PATHS[:1]),
        ("services/*/schemas/*.json", PATHS[:2]),
        ("**/task.schema.json", (PATHS[0], PATHS[2])),
        (PATHS[1], PATHS[1:2]),
    ],
)
def test_paths_and_patterns_are_chosen(
    report: Report, monorepo: GitRepository, path: str, expected: tuple[str, ...]
) -> None:
    _, found = report(monorepo.root, "check", path)
    assert names(found) == list(expected)


def test_a_path_is_read_from_here(report: Report, monorepo: GitRepository) -> None:
    _, found = report(monorepo.root / "services", "check", "b")
    assert names(found) == [PATHS[1]]


def test_what_is_staged_has_a_name(run: Run, report: Report, monorepo: GitRepository) -> None:
    monorepo.write(PATHS[0], {"type": "integer", "maximum": 8})
    monorepo.git("add", ".")
    monorepo.write(PATHS[0], {"type": "string"})
    code, found = report(monorepo.root, "diff", f"HEAD:{PATHS[0]}", f":{PATHS[0]}")
    assert code == 1
    assert [finding["rule"] for finding in found["schemas"][0]["findings"]] == ["maximum-lowered"]
    assert run(monorepo.root / "services", "diff", f"HEAD:{PATHS[0]}", ":a/schemas/task.schema.json").exit_code == 1
    gone = run(monorepo.root, "diff", f":{PATHS[0]}", ":services/a/schemas/tsk.schema.json")
    assert gone.exit_code == 3
    assert "is not there" in gone.stdout


def test_standard_input_has_places_inside(run: Run, tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text(json.dumps({"$defs": {"A": WIDE}}))
    piped = json.dumps({"$defs": {"A": NARROW}})
    result = run(tmp_path, "diff", "old.json#/$defs/A", "-#/$defs/A", input=piped)
    assert (result.exit_code, "maximum lowered from 10 to 9" in result.stdout) == (1, True), result.stdout
    twice = run(tmp_path, "diff", "-#/$defs/A", "-#/$defs/B", input=piped)
    assert twice.exit_code == 2
    assert "Only one side can be standard input" in twice.stderr
    assert run(tmp_path, "verify", "10", "old.json#/$defs/A", "-#/$defs/A", input=piped).exit_code == 1


class TestRoot:
    """References may lead as far as the outermost folder and no further."""

    @pytest.fixture
    def apart(self, tmp_path: Path) -> Path:
        for side, schema in (("old", WIDE), ("new", NARROW)):
            (tmp_path / side / "deep").mkdir(parents=True)
            (tmp_path / side / "size.json").write_text(json.dumps(schema))
            (tmp_path / side / "deep/task.schema.json").write_text(json.dumps({"$ref": "../size.json"}))
        return tmp_path

    def test_a_reference_out_of_the_folder_is_not_followed(self, run: Run, apart: Path) -> None:
        result = run(apart, "diff", "old/deep/task.schema.json", "new/deep/task.schema.json")
        assert "maximum lowered" not in result.stdout

    def test_a_root_lets_it(self, run: Run, report: Report, apart: Path) -> None:
        sides = ("old/deep/task.schema.json", "new/deep/task.schema.json")
        code, found = report(apart, "diff", *sides, "--root", ".")
        assert code == 1
        (finding,) = found["schemas"][0]["findings"]
        assert finding["rule"] == "maximum-lowered"
        assert finding["reproduce"].startswith("compat verify --root . ")
        assert run(apart, "verify", "10", *sides, "--root", ".").exit_code == 1

    def test_a_folder_is_compared_within_its_root(self, report: Report, apart: Path) -> None:
        code, found = report(apart / "new", "check", "--against", "../old", "--root", ".")
        assert code == 1
        assert "deep/task.schema.json" in names(found)

    def test_a_root_that_is_none_is_a_mistake(self, run: Run, apart: Path) -> None:
        assert run(apart, "diff", "old/size.json", "new/size.json", "--root", "gone").exit_code == 2


def completed(folder: Path, words: str) -> list[str]:
    """Ask for what could follow, as bash does."""
    environment = {
        **os.environ,
        "_COMPAT_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(words.count(" ")),
    }
    done = subprocess.run(
        [sys.executable, "-m", "compat"], cwd=folder, capture_output=True, text=True, env=environment, check=True
    )
    return [line.partition(",")[2] for line in done.stdout.splitlines() if line]


def test_a_shell_is_offered_what_fits(monorepo: GitRepository) -> None:
    assert completed(monorepo.root, "compat rules enum-value-r") == ["enum-value-removed"]
    assert completed(monorepo.root, "compat check --format s") == ["sarif"]
    assert completed(monorepo.root, "compat check --lineage j") == ["job"]


def test_outside_of_a_repository_a_shell_is_offered_nothing(tmp_path: Path) -> None:
    assert completed(tmp_path, "compat check --lineage j") == []

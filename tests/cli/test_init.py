"""`compat init` on real little repositories: what it proposes is what is found, and it never writes over anything."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from builders import GitRepository
from click.testing import Result

from compat.project import Project

Run = Callable[..., Result]
Report = Callable[..., tuple[int, dict[str, Any]]]

ORDER = "schemas/order.schema.json"
CONFIG, WORKFLOW, HOOKS = "compat.toml", ".github/workflows/compat.yml", ".pre-commit-config.yaml"


def order(*statuses: str, version: str = "1.0.0", **more: Any) -> dict[str, Any]:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://example.org/schemas/{version}/order.schema.json",
        "type": "object",
        "properties": {"status": {"enum": list(statuses)}},
        "required": ["status"],
        **more,
    }


def families(root: Path) -> dict[str, tuple[str, ...]]:
    with Project.open(root, environment={}) as project:
        return {lineage.name: lineage.files for lineage in project.lineages()}


# Nothing to configure


@pytest.mark.parametrize("content", [{}, {"README.md": "hello", "data/x.json": "[1]"}], ids=["empty", "no schema"])
def test_without_a_schema_nothing_is_written(repository: GitRepository, run: Run, content: dict[str, str]) -> None:
    for path, text in content.items():
        repository.write(path, text)
    result = run(repository.root, "init")
    assert result.exit_code == 3
    assert "no schema was found here, so there is nothing to configure yet" in result.stderr
    assert "schemas/NAME.schema.json" in result.stderr
    assert sorted(path.name for path in repository.root.iterdir()) == sorted(
        [".git", *{p.split("/")[0] for p in content}]
    )


# What is proposed

LAYOUTS: dict[str, dict[str, Any]] = {
    "one moving file": {ORDER: order("open")},
    "folders side by side": {f"schemas/task/v{n}/task.schema.json": {"type": "object"} for n in (1, 2, 10)},
    "files side by side": {f"schemas/task-1.{n}.0.json": {"type": "object", "title": str(n)} for n in range(3)},
    "both, and a name twice": {
        ORDER: order("open"),
        "other/schemas/order.schema.json": order("open", version="2.0.0"),
        "schemas/lane/1.0/lane.schema.json": {"type": "object"},
        "schemas/lane/1.1/lane.schema.json": {"type": "object"},
    },
    "yaml": {"schemas/api.schema.yaml": "type: object\n"},
    "names that TOML must quote": {
        'schemas/a "quoted" name.schema.json': {"type": "object"},
        "schemas/star*[1]?.schema.json": {"type": "object"},
        "schemas/über.schema.json": {"type": "object"},
        'schemas/x\n[schemas.evil]\nfiles = "y".schema.json': {"type": "object"},
    },
    "versions that a pattern would not tell apart": {
        "schemas/task-1.0.json": {"type": "object"},
        "schemas/task-2.0.json": {"type": "object"},
        "schemas/task-x.0.json": {"type": "object"},
    },
    "more than anyone would list": {f"schemas/s{n}x.schema.json": {"type": "object"} for n in range(70)},
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_configuration_governs_what_is_found_without_one(repository: GitRepository, run: Run, layout: str) -> None:
    for path, content in LAYOUTS[layout].items():
        repository.write(path, content)
    before = families(repository.root)
    assert before
    result = run(repository.root, "init")
    assert result.exit_code == 0, result.stderr
    assert f"{CONFIG}: written." in result.stdout
    with Project.open(repository.root, environment={}) as project:
        assert project.config.path == CONFIG
    assert families(repository.root) == before


@pytest.mark.parametrize(
    ("layout", "line"),
    [
        ("one moving file", 'files = "schemas/order.schema.json"'),
        ("one moving file", "# version 1.0.0 from $id"),
        ("folders side by side", 'files = "schemas/task/v*/task.schema.json"'),
        ("folders side by side", "# 3 versions side by side, version 10 from path"),
        ("files side by side", 'files = "schemas/task-*.json"'),
        ("names that TOML must quote", 'files = "schemas/star[*][[]1][?].schema.json"'),
        ("versions that a pattern would not tell apart", 'files = ["schemas/task-1.0.json", "schemas/task-2.0.json"]'),
        ("more than anyone would list", "# 70 more lineages are found by name: compat list."),
    ],
)
def test_the_tables_say_what_was_found(repository: GitRepository, run: Run, layout: str, line: str) -> None:
    for path, content in LAYOUTS[layout].items():
        repository.write(path, content)
    run(repository.root, "init")
    assert line in repository.read(CONFIG).splitlines()


@pytest.mark.parametrize(
    ("layout", "following"),
    [
        ("folders side by side", "schemas/task/v11/task.schema.json"),
        ("files side by side", "schemas/task-1.3.1.json"),
        ("files side by side", "schemas/task-2.0.0.json"),
    ],
)
def test_a_pattern_takes_the_next_version_in(repository: GitRepository, run: Run, layout: str, following: str) -> None:
    for path, content in LAYOUTS[layout].items():
        repository.write(path, content)
    run(repository.root, "init")
    repository.write(following, {"type": "object"})
    assert len(families(repository.root)["task"]) == 4


def test_it_writes_to_the_top_from_any_folder(repository: GitRepository, run: Run) -> None:
    repository.write(ORDER, order("open"))
    result = run(repository.root / "schemas", "init")
    assert (result.exit_code, (repository.root / CONFIG).is_file()) == (0, True)
    assert not (repository.root / "schemas" / CONFIG).exists()


def test_without_git_only_the_configuration_is_written(tmp_path: Path, run: Run) -> None:
    (tmp_path / "schemas").mkdir()
    (tmp_path / ORDER).write_text(json.dumps(order("open")), encoding="utf-8")
    assert run(tmp_path, "init").exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [CONFIG, "schemas"]


# Workflow and hook


@pytest.mark.parametrize("options", [(), ("--action", "owner/compat@0123abc")])
def test_the_workflow_trusts_nobody(repository: GitRepository, run: Run, options: tuple[str, ...]) -> None:
    repository.write(ORDER, order("open")).commit()
    assert run(repository.root, "init", *options).exit_code == 0
    workflow = yaml.safe_load(repository.read(WORKFLOW))
    assert workflow["permissions"] == {}
    assert set(workflow[True]) == {"pull_request", "merge_group", "push", "workflow_dispatch"}
    job = workflow["jobs"]["check"]
    assert job["permissions"] == {"contents": "read", **({"pull-requests": "write"} if options else {})}
    assert [step for step in job["steps"] if "${{" in step.get("run", "")] == []
    checkout = job["steps"][0]
    assert checkout["with"] == {"persist-credentials": False, "fetch-depth": 0}
    assert (job["steps"][1].get("uses") == "owner/compat@0123abc") is bool(options)


def test_the_workflow_speaks_of_the_branch_that_is_there(
    make_repository: Callable[..., GitRepository], run: Run
) -> None:
    repository = make_repository().write(ORDER, order("open")).commit()
    repository.git("branch", "-m", "main", "master")
    run(repository.root, "init")
    assert yaml.safe_load(repository.read(WORKFLOW))[True]["push"]["branches"] == ["master"]


def test_gitlab_is_seen_and_its_own_file_left_alone(repository: GitRepository, run: Run) -> None:
    repository.write(ORDER, order("open")).write(".gitlab-ci.yml", "stages: [test]\n")
    assert run(repository.root, "init").exit_code == 0
    assert repository.read(".gitlab-ci.yml") == "stages: [test]\n"
    job = yaml.safe_load(repository.read(".gitlab/compat.gitlab-ci.yml"))["compat"]
    assert "compat check --also gitlab=compat-quality.json" in job["script"][-1]
    assert not (repository.root / WORKFLOW).exists()


@pytest.mark.parametrize("action", ["owner", "owner/repo", "owner/repo@ref\n- run: x", "a/b@${{ x }}"])
def test_an_action_that_is_none_is_refused(repository: GitRepository, run: Run, action: str) -> None:
    repository.write(ORDER, order("open"))
    assert run(repository.root, "init", "--action", action).exit_code == 2
    assert not (repository.root / CONFIG).exists()


# What is there stays


def test_nothing_is_written_over_and_what_would_have_been_is_shown(repository: GitRepository, run: Run) -> None:
    kept = {CONFIG: 'compatibility = "full"\n', WORKFLOW: "name: mine\n", HOOKS: "repos: []\n"}
    repository.write(ORDER, order("open"))
    for path, text in kept.items():
        repository.write(path, text)
    result = run(repository.root, "init", "--yes")
    assert result.exit_code == 0
    for path, text in kept.items():
        assert repository.read(path) == text
        assert f"{path}: is there already and was left alone." in result.stdout
    assert "    [schemas.order]" in result.stdout
    assert "    entry: compat check --staged" in result.stdout
    assert "next:" not in result.stdout


def test_a_configuration_in_pyproject_is_not_overruled(repository: GitRepository, run: Run) -> None:
    repository.write(ORDER, order("open")).write("pyproject.toml", '[tool.compat]\ncompatibility = "full"\n')
    result = run(repository.root, "init")
    assert result.exit_code == 0
    assert "compat.toml: not written, since pyproject.toml configures compat." in result.stdout
    assert not (repository.root / CONFIG).exists()
    # Near miss: a pyproject.toml that says nothing about it stands in nobody's way.
    repository.write("pyproject.toml", "[tool.other]\n")
    assert f"{CONFIG}: written." in run(repository.root, "init").stdout


def test_a_second_run_finds_everything_in_place(repository: GitRepository, run: Run) -> None:
    repository.write(ORDER, order("open"))
    run(repository.root, "init")
    result = run(repository.root, "init")
    assert result.stdout.count("stands as it would be written.") == 3


def test_a_link_is_neither_followed_nor_replaced(repository: GitRepository, run: Run, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    repository.write(ORDER, order("open")).symlink(".github", str(outside))
    result = run(repository.root, "init")
    assert result.exit_code == 3
    assert "leads out of the root" in result.stderr
    assert list(outside.iterdir()) == []
    assert not (repository.root / CONFIG).exists()


def test_a_dry_run_writes_nothing(repository: GitRepository, run: Run) -> None:
    repository.write(ORDER, order("open"))
    result = run(repository.root, "init", "--dry-run", "--accept-current")
    assert result.exit_code == 0
    assert result.stdout.count("would be written:") == 3
    assert sorted(path.name for path in repository.root.iterdir()) == [".git", "schemas"]


@pytest.mark.parametrize(("answer", "written"), [(True, True), (False, False)])
def test_a_terminal_is_asked(
    repository: GitRepository, run: Run, monkeypatch: pytest.MonkeyPatch, answer: bool, written: bool
) -> None:
    repository.write(ORDER, order("open"))
    asked: list[str] = []

    def confirm(text: str, **_: object) -> bool:
        asked.append(text)
        return answer

    class Terminal:
        def __init__(self, stream: Any) -> None:
            self._stream = stream

        def isatty(self) -> bool:
            return True

        def __getattr__(self, name: str) -> Any:
            return getattr(self._stream, name)

    monkeypatch.setattr(click, "confirm", confirm)
    monkeypatch.setattr(
        "compat.cli.init.sys", type("Sys", (), {"stdin": Terminal(sys.stdin), "stderr": Terminal(sys.stderr)})
    )
    run(repository.root, "init")
    assert asked == [f"Write {CONFIG}, {WORKFLOW}, {HOOKS}?"]
    assert (repository.root / CONFIG).exists() is written


# Accepting what stands


def test_old_breaks_are_waived_and_new_ones_are_not(repository: GitRepository, run: Run, report: Report) -> None:
    repository.write(ORDER, order("open", "paid", "gone")).commit("One")
    repository.write(ORDER, order("open", "paid")).commit("Two").branch("adopt")
    mode = ("--compatibility", "backward-transitive")
    result = run(repository.root, "init", *mode, "--accept-current")
    assert "accepted: 1 finding, a waiver each." in result.stdout
    assert "# enum-value-removed at status" in repository.read(CONFIG)
    repository.commit("Adopt").checkout("main").merge("adopt").branch("change")
    repository.write(ORDER, order("open", "paid", title="Order"))
    code, told = report(repository.root, "check")
    assert (code, told["counts"]["findings"]["waived"]) == (0, 1)
    repository.write(ORDER, order("open"))
    code, told = report(repository.root, "check")
    breaking = [f for f in told["schemas"][0]["findings"] if f["level"] == "breaking" and f["waiver"] is None]
    assert (code, [finding["change"]["old"]["value"] for finding in breaking]) == (1, ["paid"])


def test_without_accepting_the_same_break_comes_back(repository: GitRepository, run: Run, report: Report) -> None:
    repository.write(ORDER, order("open", "gone")).commit("One").write(ORDER, order("open")).commit("Two")
    run(repository.root, "init", "--compatibility", "backward-transitive")
    repository.commit("Adopt").branch("change").write(ORDER, order("open", title="Order"))
    assert report(repository.root, "check")[0] == 1


def test_a_break_of_the_branch_itself_is_waived_for_later(repository: GitRepository, run: Run, report: Report) -> None:
    repository.write(ORDER, order("open", "gone")).commit("One").branch("change")
    repository.write(ORDER, order("open"))
    assert "accepted: 1 finding" in run(repository.root, "init", "--accept-current").stdout
    # The change that brings a waiver is judged without it; once it is the base's, it counts.
    assert report(repository.root, "check")[0] == 1
    assert report(repository.root, "check", "--config-from", "head")[0] == 0


def test_what_only_a_number_can_settle_is_named_and_left(repository: GitRepository, run: Run) -> None:
    repository.write(ORDER, order("open", "gone")).commit("One").tag("order/1.0.0")
    repository.write(ORDER, order("open")).commit("Edited in place")
    result = run(repository.root, "init", "--accept-current")
    assert result.exit_code == 0
    assert "left to its next release: order: edited-in-place, needs 2.0.0" in result.stdout
    assert "accepted:" not in result.stdout
    # Nothing is said to have been released that was not.
    assert not (repository.root / "history").exists()


def test_where_nothing_is_objected_to_that_is_said(repository: GitRepository, run: Run) -> None:
    repository.write(ORDER, order("open")).commit("One")
    assert "accepted: nothing;" in run(repository.root, "init", "--accept-current").stdout


def test_the_schema_of_the_configuration_can_be_had(tmp_path: Path, run: Run) -> None:
    result = run(tmp_path, "init", "--schema")
    assert json.loads(result.stdout)["title"] == "Configuration of compat"
    assert list(tmp_path.iterdir()) == []

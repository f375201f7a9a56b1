"""`compat verify`, and the line under every finding that leads to it: what a report says can be met again."""

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

from compat.errors import ExitCode

Run = Callable[..., Result]
Report = Callable[..., tuple[int, dict[str, Any]]]

OLD = {"type": "object", "properties": {"kind": {"enum": ["person", "harness"]}}, "required": ["kind"]}
NEW = {"type": "object", "properties": {"kind": {"enum": ["person"]}}, "required": ["kind"]}


@pytest.fixture
def folder(tmp_path: Path, git_environment: dict[str, str]) -> Path:
    (tmp_path / "old.json").write_text(json.dumps(OLD, indent=2))
    (tmp_path / "new.json").write_text(json.dumps(NEW, indent=2))
    return tmp_path


@pytest.mark.parametrize(
    ("witness", "sides", "code", "says"),
    [
        ('{"kind": "harness"}', ("old.json", "new.json"), 1, "Valid under OLD, invalid under NEW"),
        ('{"kind": "harness"}', ("new.json", "old.json"), 0, "Invalid under OLD, valid under NEW"),
        ('{"kind": "person"}', ("old.json", "new.json"), 0, "Valid under both"),
        ("5", ("old.json", "new.json"), 0, "Invalid under both"),
    ],
)
def test_what_an_instance_shows(
    run: Run, folder: Path, witness: str, sides: tuple[str, str], code: int, says: str
) -> None:
    result = run(folder, "verify", witness, *sides)
    assert (result.exit_code, says in result.stdout) == (code, True), result.output


def test_it_says_where_and_by_whom(run: Run, folder: Path) -> None:
    shown = run(folder, "verify", '{"kind": "harness"}', "old.json", "new.json").stdout
    assert shown == (
        '{"kind": "harness"}\n'
        "\n"
        "  old accepts  old.json\n"
        "    jsonschema: valid; jsonschema-rs: valid\n"
        "\n"
        "  new rejects  new.json\n"
        "    jsonschema: invalid; jsonschema-rs: invalid\n"
        '    kind: must be "person"    new.json:5:7\n'
        '      5 │ "enum": [\n'
        "        │ ^^^^^^\n"
        "\n"
        "Valid under OLD, invalid under NEW: data written under the old version fails.\n"
    )


def test_the_json_says_the_same(run: Run, folder: Path) -> None:
    result = run(folder, "verify", '{"kind": "harness"}', "old.json", "new.json", "-f", "json")
    told = json.loads(result.stdout)
    assert told["format"] == "compat-verify/1"
    assert (told["exit_code"], told["breaks"], told["disputed"]) == (result.exit_code, "backward", False)
    assert (told["old"]["valid"], told["old"]["jsonschema_rs"]) == (True, True)
    assert (told["new"]["valid"], told["new"]["jsonschema_rs"]) == (False, False)
    (fault,) = told["new"]["faults"]
    assert (fault["pointer"], fault["line"], fault["instance_path"]) == ("/properties/kind/enum", 5, "/kind")


@pytest.mark.parametrize(
    ("options", "code"), [(("--fail-on", "never"), 0), (("--fail-on", "risky"), 1), (("--fail-on", "breaking"), 0)]
)
def test_a_break_of_the_other_direction_is_risky(run: Run, folder: Path, options: tuple[str, ...], code: int) -> None:
    assert run(folder, "verify", '{"kind": "harness"}', "new.json", "old.json", *options).exit_code == code


def test_a_witness_comes_from_a_file_or_standard_input(run: Run, folder: Path) -> None:
    (folder / "witness.json").write_text('{"kind": "harness"}')
    (folder / "witness.yaml").write_text("kind: harness\n")
    for name in ("witness.json", "witness.yaml"):
        assert run(folder, "verify", name, "old.json", "new.json").exit_code == 1
    assert run(folder, "verify", "-", "old.json", "new.json", input='{"kind": "harness"}').exit_code == 1
    assert run(folder, "verify", "--", "-5", "old.json", "new.json").exit_code == 0


def test_a_witness_comes_from_a_pipe(folder: Path) -> None:
    line = 'compat verify <(echo \'{"kind": "harness"}\') old.json new.json'
    assert again(folder, line).returncode == ExitCode.FINDINGS


def test_exact_numbers_stay_exact(run: Run, folder: Path) -> None:
    (folder / "a.json").write_text('{"multipleOf": 0.01}')
    (folder / "b.json").write_text('{"maximum": 0.1}')
    shown = run(folder, "verify", "0.1000000000000000000000001", "b.json", "a.json").stdout
    assert "Invalid under both" in shown
    assert "jsonschema-rs abstains: " in shown


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("witnes.json", "old.json", "new.json"), 3, "Did you mean 'witness.json' or "),
        (("nothing", "old.json", "new.json"), 3, "is neither JSON nor a file"),
        ((".", "old.json", "new.json"), 3, "is a folder"),
        (("no\0thing", "old.json", "new.json"), 3, "is neither JSON nor a file"),
        (('{"kind": }', "old.json", "new.json"), 3, "WITNESS:1:10"),
        (("1", "old.json", "gone.json"), 3, "there is no such file"),
        (("-", "-", "new.json"), 2, "Only one of them can be standard input"),
        (("1", "-", "-"), 2, "Only one of them can be standard input"),
        (("1", "old.json"), 2, "Missing argument 'NEW'"),
    ],
)
def test_what_cannot_be_asked_is_said(run: Run, folder: Path, arguments: tuple[str, ...], code: int, says: str) -> None:
    (folder / "witness.json").write_text("1")
    result = run(folder, "verify", *arguments, input="1")
    assert (result.exit_code, says in result.stderr) == (code, True), result.stderr


def test_a_schema_that_is_none_could_not_be_checked(run: Run, folder: Path) -> None:
    (folder / "bad.json").write_text('{"type": "strin"}')
    result = run(folder, "verify", "1", "old.json", "bad.json")
    assert (result.exit_code, "bad.json:1:2" in result.stderr) == (ExitCode.UNCHECKED, True), result.output


# The line under a finding


def again(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """Run a line as somebody who copied it would."""
    command = f'compat() {{ "{sys.executable}" -m compat "$@"; }}; {line}'
    try:
        return subprocess.run(
            ["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False, env=dict(os.environ)
        )
    except FileNotFoundError:
        pytest.skip("no bash here")


def lines_of(report: dict[str, Any]) -> list[tuple[str, str]]:
    found = [finding for schema in report["schemas"] for finding in schema["findings"]]
    return [(finding["rule"], finding["reproduce"]) for finding in found if finding["witnesses"]]


def schema(version: int, *kinds: str, **more: Any) -> dict[str, Any]:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {"v": {"const": version}, "kind": {"enum": list(kinds)}, **more},
        "required": ["v", "kind"],
    }


@pytest.mark.parametrize(
    ("name", "options", "below"),
    [
        ("schemas/task.schema.json", (), "."),
        ("schemas/task.schema.json", (), "schemas"),
        ("schemas/task.schema.json", ("--staged",), "."),
        ("schemas/task.schema.json", ("--head", "HEAD"), "."),
        ("schemas/it's a $(touch owned) schema.schema.json", (), "."),
        ("schemas/tab\there.schema.json", (), "schemas"),
    ],
)
def test_every_witness_of_a_check_can_be_met_again(
    repository: GitRepository, report: Report, name: str, options: tuple[str, ...], below: str
) -> None:
    """Both directions, apart from a version tag that changed, wherever the sides are kept."""
    repository.write(name, schema(1, "person", "harness")).commit("One").branch("change")
    repository.write(name, schema(2, "person", "agent")).commit("Two")
    repository.git("add", ".")
    _, found = report(repository.root / below, "check", *options)
    lines = lines_of(found)
    assert {rule for rule, _ in lines} >= {"enum-value-removed", "enum-value-added"}
    for _, line in lines:
        result = again(repository.root / below, line)
        assert result.returncode == ExitCode.FINDINGS, (line, result.stdout, result.stderr)
        assert "Valid under OLD, invalid under NEW" in result.stdout
    assert not (repository.root / "owned").exists()


def test_an_earlier_version_is_named_by_its_commit(repository: GitRepository, report: Report) -> None:
    name = "schemas/task.schema.json"
    repository.write("compat.toml", 'compatibility = "backward-transitive"\n')
    for number, kinds in enumerate((("a", "b", "c"), ("a", "b"), ("a", "b", "d"))):
        repository.write(name, schema(1, *kinds)).commit(f"Number {number}")
    repository.branch("change").write(name, schema(1, "a", "b", "d", "e")).commit("Now")
    code, found = report(repository.root, "check")
    assert code == ExitCode.FINDINGS
    line = dict(lines_of(found))["enum-value-removed"]
    first = repository.git("rev-list", "--max-parents=0", "HEAD").strip()
    assert f"{first[:12]}:{name}" in line
    assert again(repository.root, line).returncode == ExitCode.FINDINGS


def test_a_diff_is_met_again_with_its_options(folder: Path, report: Report) -> None:
    (folder / "old.yaml").write_text("components: {schemas: {Day: {type: string}}}\n")
    (folder / "new.yaml").write_text("components: {schemas: {Day: {type: string, format: date}}}\n")
    where = "#/components/schemas/Day"
    code, found = report(folder, "diff", f"old.yaml{where}", f"new.yaml{where}", "--formats", "assertion")
    assert code == ExitCode.FINDINGS
    ((_, line),) = lines_of(found)
    assert "--formats assertion" in line
    assert again(folder, line).returncode == ExitCode.FINDINGS


def test_a_comparison_with_a_folder_is_met_again(folder: Path, report: Report) -> None:
    for side, content in (("before", OLD), ("after", NEW)):
        (folder / side / "schemas").mkdir(parents=True)
        (folder / side / "schemas/task.schema.json").write_text(json.dumps(content))
    code, found = report(folder / "after", "check", "--against", "../before")
    assert code == ExitCode.FINDINGS
    ((_, line),) = lines_of(found)
    assert "../before/schemas/task.schema.json" in line
    assert again(folder / "after", line).returncode == ExitCode.FINDINGS


def test_what_no_two_schemas_show_is_met_again_by_the_check(repository: GitRepository, report: Report) -> None:
    """A deleted schema and a looser policy, wherever the base was found."""
    for name in ("task", "job"):
        repository.write(f"schemas/{name}.schema.json", schema(1, "a"))
    repository.write("compat.toml", 'compatibility = "full"\n').commit("One").branch("change")
    repository.remove("schemas/task.schema.json").write("compat.toml", 'compatibility = "none"\n').commit("Two")
    code, found = report(repository.root, "check", "--base", "main")
    assert code == ExitCode.FINDINGS
    told = [*found["findings"], *(finding for schema in found["schemas"] for finding in schema["findings"])]
    assert {finding["rule"] for finding in told} >= {"schema-deleted", "policy-loosened"}
    for finding in told:
        result = again(repository.root, finding["reproduce"])
        assert result.returncode == ExitCode.FINDINGS, (finding["reproduce"], result.stderr)
        assert finding["rule"] in result.stdout

"""`compat records coverage`: what of each version its records exercise, and what could not be looked at."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import GitRepository
from click.testing import Result

from compat.demo import repository as demo

Run = Callable[..., Result]
SCHEMA = "schemas/row/row.schema.json"


def row(version: int, **properties: object) -> dict[str, object]:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://example.org/row/{version}",
        "type": "object",
        "properties": {"schema": {"const": f"row/{version}"}, "n": {"minimum": 1}, **properties},
        "required": ["schema"],
    }


def lines(*values: object) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


@pytest.fixture
def rows(repository: GitRepository) -> GitRepository:
    repository.write(SCHEMA, row(1)).commit("one")
    repository.write(SCHEMA, row(2, kind={"enum": ["a", "b"]})).commit("two")
    return repository.write("history/row/records/1.ndjson", lines({"schema": "row/1", "n": 1}, {"schema": "row/1"}))


@pytest.fixture
def covered(run: Run) -> Callable[..., tuple[int, dict[str, Any]]]:
    def ask(folder: Path, *args: str, **options: Any) -> tuple[int, dict[str, Any]]:
        result = run(folder, "records", "coverage", *args, "-f", "json", **options)
        assert result.stdout, result.stderr
        return result.exit_code, json.loads(result.stdout)

    return ask


Covered = Callable[..., tuple[int, dict[str, Any]]]


def counts(version: dict[str, Any]) -> dict[str, int]:
    return {
        f"{place['keyword_location']} {facet['facet']}": facet["records"]
        for place in version["places"]
        for facet in place["facets"]
    }


def test_each_version_is_covered_by_its_own_records(rows: GitRepository, covered: Covered) -> None:
    code, told = covered(rows.root)
    assert (code, told["format"]) == (0, "compat-coverage/1")
    one, two = told["versions"]
    assert (one["version"], one["records"], two["version"], two["records"]) == ("1", 2, "2", 0)
    assert counts(one) == {
        " reached": 2,
        "/properties/schema present": 2,
        "/properties/n present": 1,
        "/properties/n absent": 1,
        '/properties/schema/const "row/1"': 2,
        "/properties/n/minimum at the bound": 1,
        "/properties/n/minimum inside": 0,
    }
    assert (one["covered"], one["total"], two["covered"], two["total"]) == (6, 7, 0, 11)


def test_text_lists_what_is_missing(rows: GitRepository, run: Run) -> None:
    result = run(rows.root, "records", "coverage", "--version", "1")
    assert result.exit_code == 0
    assert "row 1    2 records    6 of 7 exercised (85 %)" in result.stdout
    assert "  ✗ 1/2  /properties/n/minimum  not: inside\n" in result.stdout
    assert "  ✓ 2/2  /properties/n\n" in result.stdout
    assert "row 2" not in result.stdout
    assert result.stdout.endswith("row: 6 of 7 exercised (85 %)\n2 records looked at.\n")


def test_other_records_are_routed_by_what_they_say(rows: GitRepository, covered: Covered) -> None:
    stream = lines({"schema": "row/2", "kind": "b"}, {"schema": "row/1", "n": 7}, {"schema": "row/2", "kind": "c"})
    code, told = covered(rows.root, "row", "--records", "-", input=stream)
    assert code == 0
    one, two = told["versions"]
    assert (one["records"], two["records"], two["invalid"]) == (1, 2, 1)
    assert counts(one)["/properties/n/minimum inside"] == 1
    assert counts(two)['/properties/kind/enum "b"'] == 1
    assert counts(two)['/properties/kind/enum "a"'] == 0


@pytest.mark.parametrize("line", ['{"schema": "row/9"}\n', '{"n": \n', "7\n"])
def test_what_cannot_be_looked_at_is_told_and_makes_it_unchecked(
    rows: GitRepository, covered: Covered, line: str
) -> None:
    code, told = covered(rows.root, "--records", "-", input=line + lines({"schema": "row/1"}))
    assert code == 3
    assert len(told["unrouted"]) + len(told["unreadable"]) == 1
    assert told["versions"][0]["records"] == 1


def test_examples_count_as_records(repository: GitRepository, covered: Covered) -> None:
    repository.write(SCHEMA, row(1) | {"examples": [{"schema": "row/1", "n": 3}]}).commit("one")
    code, told = covered(repository.root)
    assert (code, told["versions"][0]["records"]) == (0, 1)
    assert counts(told["versions"][0])["/properties/n/minimum inside"] == 1


def test_values_of_records_are_not_shown(rows: GitRepository, run: Run) -> None:
    result = run(rows.root, "records", "coverage", "--records", "-", input=lines({"schema": "row/2", "kind": "secret"}))
    assert result.exit_code == 0
    assert "secret" not in result.stdout
    assert "1 of them is no instance and exercises nothing" in result.stdout


def test_a_number_that_is_none_is_a_usage_error(rows: GitRepository, run: Run) -> None:
    assert run(rows.root, "records", "coverage", "--version", "x y").exit_code == 2


@pytest.mark.parametrize("name", ["task", "pw-decide-row", "invocation-response", "kwau-conversations"])
def test_the_four_contracts_are_exercised_and_not_fully(covered: Covered, tour: Path, name: str) -> None:
    code, told = covered(tour, name)
    assert code == 0
    assert {version["lineage"] for version in told["versions"]} == {name}
    for version in told["versions"]:
        shown = counts(version)
        assert version["total"] == len(shown)
        assert version["covered"] == sum(count > 0 for count in shown.values())
        assert max(shown.values(), default=0) <= version["records"] - version["invalid"]
    assert any(version["covered"] > 0 for version in told["versions"])
    assert any(version["covered"] < version["total"] for version in told["versions"])


@pytest.fixture(scope="module")
def tour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tour")
    demo.build(folder)
    return folder


def test_distilled_records_exercise_the_same(rows: GitRepository, run: Run, covered: Covered) -> None:
    stream = lines(*({"schema": "row/1", "n": n % 5 + 1} for n in range(50)), {"schema": "row/1"})
    result = run(rows.root, "records", "distil", "row", "--records", "-", "-o", "few.ndjson", input=stream)
    assert result.exit_code == 0, result.stderr
    few = rows.read("few.ndjson")
    assert [json.loads(line) for line in few.splitlines()] == [
        {"schema": "row/1"},
        {"schema": "row/1", "n": 1},
        {"schema": "row/1", "n": 2},
    ]
    whole = covered(rows.root, "--records", "-", input=stream)[1]["versions"][0]
    part = covered(rows.root, "--records", "few.ndjson")[1]["versions"][0]
    assert (part["covered"], part["total"]) == (whole["covered"], whole["total"]) == (7, 7)


def test_records_of_several_versions_are_not_mixed(rows: GitRepository, run: Run) -> None:
    stream = lines({"schema": "row/1"}, {"schema": "row/2"})
    result = run(rows.root, "records", "distil", "row", "--records", "-", input=stream)
    assert result.exit_code == 2
    assert "--version" in result.stderr
    one = run(rows.root, "records", "distil", "row", "--version", "2", "--records", "-", input=stream)
    assert (one.exit_code, one.stdout) == (0, '{"schema": "row/2"}\n')


def test_what_cannot_be_looked_at_makes_distilling_unchecked(rows: GitRepository, run: Run) -> None:
    result = run(rows.root, "records", "distil", "row", "--records", "-", input='{"schema": "row/1"}\n{\n')
    assert (result.exit_code, result.stdout) == (3, '{"schema": "row/1"}\n')


def test_what_would_steer_a_terminal_is_escaped(rows: GitRepository, run: Run) -> None:
    record = {"schema": "row/1", "x": "\u202e\u009b"}
    stream = (json.dumps(record, ensure_ascii=False) + "\n").encode()
    result = run(rows.root, "records", "distil", "row", "--records", "-", input=stream)
    assert result.stdout.isascii()
    assert json.loads(result.stdout) == record

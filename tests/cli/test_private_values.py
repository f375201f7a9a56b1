"""Values of stored records are in no output, whatever a witness borrows of the records."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from builders import GitRepository
from click.testing import Result

Run = Callable[..., Result]
Report = Callable[..., tuple[int, dict[str, Any]]]

PATIENT = "schemas/patient.schema.json"
OLD: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "https://example.org/patient/1.0.0",
    "type": "object",
    "required": ["name", "ward"],
    "properties": {
        "name": {"type": "string", "minLength": 3},
        "ward": {"enum": ["north", "south"]},
        "born": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
        "number": {"type": "integer", "minimum": 7_000_000},
        "notes": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
        "contact": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}
NEW = {
    **OLD,
    "required": ["name", "ward", "age"],
    "properties": {
        **OLD["properties"],
        "name": {"type": "string", "minLength": 3, "maxLength": 9},
        "ward": {"enum": ["north"]},
        "number": {"type": "string"},
        "notes": {"type": "array", "items": {"type": "string", "pattern": "^[^q]*$"}, "maxItems": 1},
        "contact": {"type": "object", "maxProperties": 0},
        "age": {"type": "integer"},
    },
}
SECRETS = ("Querulant", "1987", "7654321", "allergic", "quinine", "Zwiebel", "zq@secret")
RECORDS = [
    {"name": "Querulant", "ward": "south"},
    {"name": "Querulant Zwiebel", "ward": "north", "born": "1987-06-05", "number": 7_654_321},
    {"name": "Zwiebel", "ward": "south", "notes": ["allergic", "quinine"], "contact": {"zq@secret": "allergic"}},
    {"name": "Zwiebel", "ward": "north", "Zwiebel": 7_654_321, "contact": {"home": "Zwiebel"}, "number": 7_654_322},
]


@pytest.fixture
def hospital(repository: GitRepository) -> GitRepository:
    """A lineage with stored records, on a branch that breaks it in many ways."""
    lines = "".join(json.dumps(record) + "\n" for record in RECORDS)
    repository.write(PATIENT, OLD).write("history/patient/records/1.0.0.ndjson", lines)
    return repository.commit("Add patients").branch("change").write(PATIENT, NEW)


@pytest.mark.parametrize("more", [(), ("-v",)], ids=["plain", "verbose"])
@pytest.mark.parametrize("format", ["text", "json", "markdown", "github", "gitlab", "sarif", "junit"])
def test_no_output_of_check_shows_a_value_of_a_record(
    hospital: GitRepository, run: Run, format: str, more: tuple[str, ...]
) -> None:
    said = run(hospital.root, "check", "-f", format, *more)
    assert said.exit_code == 1
    assert [secret for secret in SECRETS if secret in said.stdout + said.stderr] == []


@pytest.mark.parametrize("arguments", [("log", "--matrix"), ("gate",), ("replay",), ("changelog",)])
def test_no_other_command_does(hospital: GitRepository, run: Run, arguments: tuple[str, ...]) -> None:
    hospital.tag("patient/1.0.0").commit("Break it")
    said = run(hospital.root, *arguments)
    assert said.stdout
    assert [secret for secret in SECRETS if secret in said.stdout + said.stderr] == []


def test_the_gate_says_where_its_witness_comes_from(hospital: GitRepository, run: Run) -> None:
    hospital.git("tag", "patient/1.0.0", "main")
    said = run(hospital.commit("Break it").root, "gate")
    assert "(from a stored record, redacted)" in said.stdout


def test_a_witness_from_a_record_says_so_and_has_its_form(hospital: GitRepository, run: Run, report: Report) -> None:
    _, told = report(hospital.root, "check")
    witnesses = [one for finding in told["schemas"][0]["findings"] for one in finding["witnesses"]]
    assert {one["origin"] for one in witnesses} == {"record"}
    values = [one["value"] for one in witnesses]
    assert {"name": "Xxxxxxxxx", "ward": "south"} in values
    assert "(from a stored record, redacted)" in run(hospital.root, "check").stdout


def test_no_record_is_read_where_none_is_wanted(hospital: GitRepository, report: Report) -> None:
    _, told = report(hospital.root, "check", "--no-records")
    witnesses = [one for finding in told["schemas"][0]["findings"] for one in finding["witnesses"]]
    assert witnesses
    assert {one["origin"] for one in witnesses} == {None}

"""The JSON report: valid against its published schema, exact, and in a fixed order."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from reports import REPORTS

from compat.assess import Report
from compat.jsonvalue import dumps
from compat.model.document import parse_document
from compat.report.json import FORMAT, document, render

SCHEMA = Path(__file__).parents[2] / "schemas/compat-report/compat-report.schema.json"


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    if not SCHEMA.is_file():
        pytest.skip("no checkout: schemas/ is not part of an installation")
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


RECORDS = SCHEMA.parents[2] / "history/compat-report/records/1.0.0.ndjson"


def test_stored_reports_stay_valid(validator: Draft202012Validator) -> None:
    """The tool governs its own report: what a version once wrote must stay readable.

    COMPAT_SNAPSHOTS=write stores what this version writes.
    """
    if os.environ.get("COMPAT_SNAPSHOTS") == "write":
        RECORDS.parent.mkdir(parents=True, exist_ok=True)
        lines = [dumps(document(make(), exit_code=0)) for _, make in sorted(REPORTS.items())]
        RECORDS.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    stored = [json.loads(line) for line in RECORDS.read_text(encoding="utf-8").splitlines()]
    assert {report["conclusion"] for report in stored} >= {"breaking", "no-effect", "no-difference", "error"}
    for report in stored:
        assert [error.message for error in validator.iter_errors(report)] == []


def test_every_report_is_valid(named_report: tuple[str, Report], validator: Draft202012Validator) -> None:
    _, report = named_report
    for exit_code in (0, 1, 3):
        written = json.loads(render(report, exit_code=exit_code))
        assert [error.message for error in validator.iter_errors(written)] == []
        assert written["format"] == FORMAT


def test_the_schema_knows_every_key(validator: Draft202012Validator, full_report: Report) -> None:
    """The published objects are open for readers; for the writer they are complete."""
    definitions: Mapping[str, Any] = validator.schema["$defs"]

    def unknown(value: Mapping[str, Any], schema: Mapping[str, Any]) -> set[str]:
        return set(value) - set(schema["properties"])

    written = json.loads(render(full_report, exit_code=3))
    assert not unknown(written, validator.schema)
    for schema in written["schemas"]:
        assert not unknown(schema, definitions["schema"])
        for finding in schema["findings"]:
            assert not unknown(finding, definitions["finding"])
            for key, name in (("old", "place"), ("change", "change"), ("evidence", "evidence"), ("waiver", "waiver")):
                assert finding[key] is None or not unknown(finding[key], definitions[name])
            for key, name in (("witnesses", "witness"), ("affects", "affected")):
                assert not any(unknown(item, definitions[name]) for item in finding[key])
    assert not any(unknown(problem, definitions["problem"]) for problem in written["problems"])


def test_the_json_is_as_stored(full_report: Report, matches_snapshot: Callable[[str, str], None]) -> None:
    matches_snapshot("full.json", render(full_report, exit_code=3))


def test_witnesses_are_whole_and_numbers_exact(full_report: Report) -> None:
    read = parse_document(render(full_report, exit_code=3), name="report.json").value
    assert read == document(full_report, exit_code=3)
    assert json.loads(render(full_report, exit_code=3), parse_float=Decimal)["schemas"][0]["findings"]


def test_a_missing_side_has_no_value(full_report: Report) -> None:
    changes = [f["change"] for f in json.loads(render(full_report, exit_code=0))["schemas"][0]["findings"]]
    sides = [side for change in changes for side in (change["old"], change["new"])]
    assert {("value" in side) is side["exists"] for side in sides} == {True}
    assert any(not side["exists"] for side in sides)

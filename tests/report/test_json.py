"""The JSON report: valid against its published schema, exact, and in a fixed order."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from compat.assess import Report
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

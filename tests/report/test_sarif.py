"""SARIF: valid against the standard's own schema, worst first, stable names, places that can be opened."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import PROJECT_ROOT
from jsonschema import Draft4Validator

from compat.assess import Problem, Report
from compat.assess.own import OWN_RULES
from compat.errors import Place
from compat.relation import Level
from compat.report.sarif import MOST, document, render, uri
from compat.rules.catalogue import RULES

SCHEMA = Path(os.environ.get("COMPAT_SHARED") or PROJECT_ROOT.parent / "shared") / "formats/sarif-2.1.0.schema.json"


@pytest.fixture(scope="module")
def validator() -> Draft4Validator:
    if not SCHEMA.is_file():
        pytest.skip(f"the schema of SARIF is not at {SCHEMA}; COMPAT_SHARED names the folder around it")
    return Draft4Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


def run_of(report: Report, exit_code: int = 1) -> dict[str, Any]:
    log = json.loads(render(report, exit_code=exit_code, version="1.2.3"))
    (run,) = log["runs"]
    assert isinstance(run, dict)
    return run


def test_every_report_is_valid(named_report: tuple[str, Report], validator: Draft4Validator) -> None:
    _, report = named_report
    for exit_code in (0, 1, 2, 3, 130):
        log = json.loads(render(report, exit_code=exit_code))
        assert [error.message for error in validator.iter_errors(log)] == []


def test_every_rule_can_be_described(full_report: Report, validator: Draft4Validator) -> None:
    finding = full_report.schemas[0].findings[0]
    known = (*RULES, *OWN_RULES)
    schema = replace(full_report.schemas[0], findings=tuple(replace(finding, rule=rule) for rule in known))
    log = json.loads(render(replace(full_report, schemas=(schema,)), exit_code=1))
    assert [error.message for error in validator.iter_errors(log)] == []
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(known)
    for rule in rules:
        assert rule["help"]["text"]
        assert rule["help"]["markdown"].startswith(f"# {rule['id']}\n")
        assert "**" not in rule["help"]["text"]


def test_the_columns_count_code_points_and_end_where_the_keyword_ends(full_report: Report) -> None:
    run = run_of(full_report)
    assert run["columnKind"] == "unicodeCodePoints"
    finding = full_report.schemas[0].findings[0]
    assert finding.new_place is not None
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["startColumn"]) == (finding.new_place.line, finding.new_place.column)
    assert region["endColumn"] == region["startColumn"] + len('"enum"')


def test_a_result_names_its_rule_and_its_finding(full_report: Report) -> None:
    run = run_of(full_report)
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    told = [result["partialFingerprints"]["compatFinding/v1"] for result in run["results"]]
    there = [f for f in full_report.every_finding() if f.level is not Level.SAFE]
    assert sorted(told) == sorted(finding.fingerprint for finding in there)


def test_a_moved_line_changes_no_fingerprint(full_report: Report) -> None:
    def moved(place: Place | None) -> Place | None:
        return None if place is None else replace(place, line=(place.line or 0) + 7)

    schema = full_report.schemas[0]
    findings = tuple(replace(finding, new_place=moved(finding.new_place)) for finding in schema.findings)
    other = run_of(replace(full_report, schemas=(replace(schema, findings=findings),)))["results"]
    one = run_of(replace(full_report, schemas=(schema,)))["results"]
    assert [result["partialFingerprints"] for result in one] == [result["partialFingerprints"] for result in other]
    assert one[0]["locations"] != other[0]["locations"]


def test_a_waived_finding_is_suppressed_and_stands_last(full_report: Report) -> None:
    results = run_of(full_report)["results"]
    assert [bool(result.get("suppressions")) for result in results] == [False, False, False, True]
    (suppression,) = results[-1]["suppressions"]
    assert suppression["status"] == "accepted"
    assert "harness never shipped" in suppression["justification"]


def test_what_is_not_proved_is_an_error_and_says_so(full_report: Report) -> None:
    schema = full_report.schemas[0]
    finding = replace(schema.findings[0], level=Level.UNKNOWN, doubt="the budget ran out", witnesses=())
    (result,) = run_of(Report("check", "a", "b", (replace(schema, findings=(finding,)),)))["results"]
    assert (result["level"], result["kind"], result["properties"]["level"]) == ("error", "fail", "unknown")
    assert "not proved: the budget ran out" in result["message"]["text"]


def test_too_many_results_are_cut_from_the_end(full_report: Report, validator: Draft4Validator) -> None:
    schema = full_report.schemas[0]
    finding = replace(schema.findings[0], waiver=None)
    findings = (
        *(replace(finding, level=Level.RISKY, fingerprint=f"{n:016x}") for n in range(MOST)),
        *(replace(finding, level=Level.BREAKING, fingerprint=f"{n:016x}") for n in range(3)),
    )
    log = document(Report("check", "a", "b", (replace(schema, findings=findings),)), exit_code=1)
    assert [error.message for error in validator.iter_errors(log)] == []
    run = log["runs"][0]  # type: ignore[index,call-overload]
    assert len(run["results"]) == MOST  # type: ignore[index,call-overload,arg-type]
    assert [r["level"] for r in run["results"][:4]] == ["error", "error", "error", "warning"]  # type: ignore
    told = run["invocations"][0]["toolExecutionNotifications"]  # type: ignore
    assert told[0]["message"]["text"].startswith("3 more findings left out")


def test_a_run_that_could_not_check_is_no_success(full_report: Report) -> None:
    (invocation,) = run_of(full_report, 3)["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["exitCode"] == 3
    texts = [told["message"]["text"] for told in invocation["toolExecutionNotifications"] if told["level"] == "error"]
    assert texts == ["is not JSON\nFix it.", "no place"]
    fine = run_of(replace(full_report, problems=()), 1)["invocations"][0]
    assert fine["executionSuccessful"] is True


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("schemas/task.schema.json", "schemas/task.schema.json"),
        ("a b/ü#%?.json", "a%20b/%C3%BC%23%25%3F.json"),
        ("c:/x.json", "c%3A/x.json"),
        ("//host/x.json", "host/x.json"),
        ("/etc/passwd", "etc/passwd"),
        ("odd\udcff.json", "odd%FF.json"),
        ("half\ud800.json", "half%5Cud800.json"),
        ("", "."),
    ],
)
def test_a_path_becomes_a_relative_uri(path: str, expected: str) -> None:
    assert uri(path) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{0} of {1}", "{{0}} of {{1}}"),
        ('{"a": {}}', '{"a": {}}'),
        ("[here](https://evil.example)", "[here] (https://evil.example)"),
    ],
)
def test_a_message_means_itself(text: str, expected: str) -> None:
    run = run_of(Report("check", "a", "b", problems=(Problem(text),)))
    assert run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"] == expected

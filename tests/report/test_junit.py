"""JUnit XML: counts that agree, failures by what fails the run, nothing that XML cannot hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from compat.assess import Finding, Outcome, Problem, Report, SchemaReport
from compat.relation import Level
from compat.report.junit import render


def breaks(finding: Finding) -> bool:
    return finding.level in (Level.BREAKING, Level.UNKNOWN)


def root_of(report: Report, fails: Callable[[Finding], bool] = breaks) -> ElementTree.Element:
    return ElementTree.fromstring(render(report, fails=fails))


def test_the_counts_agree(named_report: tuple[str, Report]) -> None:
    _, report = named_report
    root = root_of(report)
    cases = list(root.iter("testcase"))
    assert cases, "an empty file is an error to most who read it"
    assert int(root.attrib["tests"]) == len(cases)
    for key, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        assert int(root.attrib[key]) == sum(case.find(tag) is not None for case in cases)
        for suite in root:
            assert int(suite.attrib[key]) == sum(case.find(tag) is not None for case in suite)
    assert int(root.attrib["errors"]) == len(report.problems)


def test_what_fails_the_run_fails_here(full_report: Report) -> None:
    assert len(list(root_of(full_report).iter("failure"))) == 1
    everything = root_of(full_report, lambda finding: finding.level is not Level.SAFE)
    assert len(list(everything.iter("failure"))) == 3, "a waived finding is no failure"
    assert not list(root_of(full_report, lambda _: False).iter("failure"))


def test_a_waived_finding_is_skipped_with_its_reason(full_report: Report) -> None:
    messages = [skipped.attrib["message"] for skipped in root_of(full_report).iter("skipped")]
    assert any("harness never shipped" in message for message in messages)


@pytest.mark.parametrize("outcome", [Outcome.NEW, Outcome.NO_BASELINE])
def test_what_was_not_compared_does_not_pass(outcome: Outcome) -> None:
    root = root_of(Report("check", "a", "b", (SchemaReport("x", outcome),)))
    assert [case.find("skipped") is not None for case in root.iter("testcase")] == [True]


def test_nothing_compared_does_not_pass() -> None:
    root = root_of(Report("check", "a", "b", unchanged=3))
    assert [case.find("skipped") is not None for case in root.iter("testcase")] == [True]


def test_a_schema_without_findings_passes(full_report: Report) -> None:
    schema = replace(full_report.schemas[0], findings=(), notes=())
    (case,) = root_of(Report("check", "a", "b", (schema,))).iter("testcase")
    assert list(case) == []


def test_what_xml_cannot_hold_is_written_as_an_escape() -> None:
    evil = "\x00\x1b[2J\x0b\ufffe\uffff\ud800\u202e]]><!-- & -->"
    root = root_of(Report("check", "a", "b", problems=(Problem(evil, hint=evil),)))
    (error,) = root.iter("error")
    assert error.attrib["message"] == "\\x00\\x1b[2J\\x0b\\ufffe\\uffff\\ud800\\u202e]]><!-- & -->"
    assert error.text == "\n".join([error.attrib["message"]] * 2)

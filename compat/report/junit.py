"""The report as JUnit XML, which every build server shows: a suite a schema, a test case a finding."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from compat.assess.model import Finding, Outcome, Problem, Report, SchemaReport
from compat.policy import as_path
from compat.relation import Direction, Level
from compat.report import wording
from compat.report.escape import xml

Fails = Callable[[Finding], bool]
_NOT_COMPARED = {Outcome.NEW: "new, no baseline", Outcome.NO_BASELINE: "not compared: no readable baseline"}


def render(report: Report, *, fails: Fails) -> str:
    """Write a report as JUnit XML; `fails` says which findings are failures, the others pass with what they say.

    What was not compared is skipped and never passes; annotations are left out.
    """
    suites = JUnitXml("compat")
    of_schemas = ((schema.name, _of_schema(schema, fails)) for schema in report.schemas)
    for name, cases in (("compat", _of_run(report, fails)), *of_schemas):
        if found := list(cases):
            suite = TestSuite(xml(name))
            suite.add_testcases(found)
            suites.append(suite)  # type: ignore[no-untyped-call]
    suites.update_statistics()  # type: ignore[no-untyped-call]
    if report.elapsed is not None:
        suites.time = round(report.elapsed, 3)
    text: str = suites.tostring().decode("utf-8")  # type: ignore[no-untyped-call]
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _of_run(report: Report, fails: Fails) -> Iterator[TestCase]:
    """Yield the cases of what belongs to no schema."""
    for problem in report.problems:
        yield _problem(problem)
    for finding in report.findings:
        yield _finding(finding, (), fails)
    if not report.problems and not report.schemas:
        yield _with(TestCase("compared", "compat"), Skipped(xml(wording.conclusion(report))))


def _of_schema(schema: SchemaReport, fails: Fails) -> Iterator[TestCase]:
    told = [finding for finding in schema.findings if not finding.annotation or finding.level is not Level.SAFE]
    for finding in told:
        yield _finding(finding, schema.mode.directions, fails, schema.name)
    if schema.outcome in _NOT_COMPARED:
        yield _with(TestCase("compared", xml(schema.name)), Skipped(_NOT_COMPARED[schema.outcome]))
    elif not told and schema.outcome is Outcome.COMPARED:
        yield TestCase(xml(f"{schema.mode}: nothing to object to"), xml(schema.name))
    if schema.notes:
        case = TestCase("notes", xml(schema.name))
        case.system_out = xml("\n".join(schema.notes))
        yield case


def _with(case: TestCase, result: Error | Failure | Skipped) -> TestCase:
    case.result = [result]
    return case


def _finding(finding: Finding, asked: tuple[Direction, ...], fails: Fails, name: str = "compat") -> TestCase:
    path = f" {as_path(finding.instance_path)}" if finding.instance_path else ""
    case = TestCase(xml(f"{finding.rule}{path}"), xml(finding.file or name))
    text = xml("\n".join(_text(finding, asked)))
    if finding.waiver is not None:
        case.result = [Skipped(xml(wording.waived(finding.waiver)))]
        case.system_out = text
    elif fails(finding):
        failure = Failure(xml(wording.told(finding)), finding.level.value)
        failure.text = text
        case.result = [failure]
    else:
        case.system_out = text
    return case


def _text(finding: Finding, asked: tuple[Direction, ...]) -> Iterator[str]:
    yield f"{finding.level}: {wording.told(finding)}"
    if location := wording.location(finding):
        yield location
    for witness in finding.witnesses:
        value = wording.abridged(witness.value, witness.instance_path, 300)
        yield f"{wording.sides(witness)}    {value}{wording.origin(witness)}"
    yield from wording.explanation(finding, asked)
    if (reached := wording.affected(finding)) is not None:
        yield reached
    if (records := wording.evidence(finding)) is not None:
        yield f"records: {records}"
    if finding.remedy:
        yield f"to stay compatible: {finding.remedy}"
    if (again := wording.reproduction(finding)) is not None:
        yield f"reproduce: {again}"


def _problem(problem: Problem) -> TestCase:
    place = "" if problem.place is None else f"{problem.place}: "
    case = TestCase("could not be checked", xml(problem.place.source) if problem.place is not None else "compat")
    error = Error(xml(problem.message), "could-not-be-checked")
    error.text = xml(f"{place}{problem.message}" + (f"\n{problem.hint}" if problem.hint else ""))
    case.result = [error]
    return case

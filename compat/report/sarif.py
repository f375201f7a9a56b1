"""The report as SARIF 2.1.0, for code scanning and editors: a result a finding, the worst first.

Safe findings are left out: a log of this kind holds what somebody should look at. A finding that is waived is a result
with a suppression; one that was not proved is a failure like any other, and its properties say so. The dictionaries
are written here, since the libraries that model the format are either abandoned or check it at a hundred times the
cost; the schema of the standard is what the tests hold them to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import quote

from compat.assess.model import Finding, Problem, Report
from compat.assess.own import OWN_RULES
from compat.diff.wording import counted
from compat.errors import ExitCode, Place
from compat.jsonvalue import JSON, dumps
from compat.policy import as_path
from compat.relation import Level
from compat.report import wording
from compat.report.escape import json_text, terminal
from compat.report.ranked import ranked
from compat.report.rulebook import explain
from compat.rules.catalogue import RULES

VERSION = "2.1.0"
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
# Code scanning shows so many of a run and drops the rest.
MOST = 5_000
_ROOT = "%SRCROOT%"
_LEVELS = {Level.BREAKING: "error", Level.UNKNOWN: "error", Level.RISKY: "warning", Level.SAFE: "none"}
_WITNESS_LENGTH = 4_000
_EXIT = {
    ExitCode.OK: "nothing to object to",
    ExitCode.FINDINGS: "findings to object to",
    ExitCode.USAGE: "usage or configuration error",
    ExitCode.UNCHECKED: "something could not be checked",
    ExitCode.INTERRUPTED: "interrupted",
}


def render(report: Report, *, exit_code: int, version: str = "") -> str:
    """Write a report as a SARIF log of one run."""
    return json_text(dumps(document(report, exit_code=exit_code, version=version), indent=2)) + "\n"


def document(report: Report, *, exit_code: int, version: str = "") -> Mapping[str, JSON]:
    """Give the SARIF log as a JSON value."""
    findings = ranked(report)
    shown = findings[:MOST]
    rules = list(dict.fromkeys(finding.rule for finding in shown))
    driver: dict[str, JSON] = {"name": "compat", "rules": [_rule(rule) for rule in rules]}
    if version:
        driver["version"] = version
    index = {rule: position for position, rule in enumerate(rules)}
    run: dict[str, JSON] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The folder that paths start at: the repository."}}},
        "invocations": [_invocation(report, exit_code, len(findings) - len(shown))],
        "results": [_result(finding, index[finding.rule]) for finding in shown],
        "properties": {
            "command": report.command,
            "conclusion": report.conclusion.value,
            "base": terminal(report.base),
            "head": terminal(report.head),
        },
    }
    return {"$schema": SCHEMA, "version": VERSION, "runs": [run]}


def _invocation(report: Report, exit_code: int, left_out: int) -> JSON:
    told: list[JSON] = [_notification(problem) for problem in report.problems]
    if left_out:
        text = f"{counted(left_out, 'more finding')} left out, none worse than those shown: {MOST:,} is the limit."
        told.append({"level": "warning", "message": {"text": text}})
    notes = [*report.notes, *(f"{schema.name}: {note}" for schema in report.schemas for note in schema.notes)]
    told += [{"level": "note", "message": _message(note)} for note in notes[:MOST]]
    return {
        "executionSuccessful": not report.problems,
        "exitCode": int(exit_code),
        "exitCodeDescription": _EXIT[ExitCode(exit_code)],
        "toolExecutionNotifications": told,
    }


def _notification(problem: Problem) -> JSON:
    text = problem.message if problem.hint is None else f"{problem.message}\n{problem.hint}"
    told: dict[str, JSON] = {"level": "error", "message": _message(text)}
    if problem.place is not None:
        told["locations"] = [_location(problem.place.source, problem.place)]
    return told


def _rule(rule: str) -> JSON:
    """Describe a rule so that a reader needs no other page."""
    row, markdown = RULES.get(rule) or OWN_RULES.get(rule), explain(rule)
    if row is None or markdown is None:
        return {"id": rule}
    name = "".join(part.capitalize() for part in rule.split("-"))
    return {
        "id": rule,
        "name": name,
        "shortDescription": {"text": row.summary},
        "fullDescription": {"text": f"{row.summary} {row.why}"},
        "help": {"text": _plain(markdown), "markdown": markdown},
        "properties": {"tags": ["json-schema", "compatibility"], "precision": "very-high"},
    }


def _plain(markdown: str) -> str:
    return re.sub(r"^#+ ", "", markdown.replace("**", "").replace("`", ""), flags=re.MULTILINE)


def _result(finding: Finding, index: int) -> JSON:
    result: dict[str, JSON] = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "kind": "fail",
        "level": _LEVELS[finding.level],
        "message": _message("\n".join(_text(finding))),
        "locations": [_located(finding)],
        # Code scanning matches alerts of two runs by the second; it may stand for a line, and means this finding.
        "partialFingerprints": {
            "compatFinding/v1": finding.fingerprint,
            "primaryLocationLineHash": f"{finding.fingerprint}:1",
        },
        "properties": _properties(finding),
    }
    if finding.waiver is not None:
        justification = terminal(wording.waived(finding.waiver))
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": justification}]
    return result


def _text(finding: Finding) -> Iterator[str]:
    path = as_path(finding.instance_path)
    yield f"{path}: {wording.told(finding)}" if finding.instance_path else wording.told(finding)
    if finding.doubt:
        yield f"not proved: {finding.doubt}"
    if finding.hint:
        yield finding.hint
    if (reached := wording.affected(finding)) is not None:
        yield reached
    if (records := wording.evidence(finding)) is not None:
        yield f"records: {records}"
    if finding.remedy:
        yield f"to stay compatible: {finding.remedy}"


def _properties(finding: Finding) -> Mapping[str, JSON]:
    told: dict[str, JSON] = {
        "level": finding.level.value,
        "lineage": terminal(finding.lineage),
        "backward": finding.backward.value,
        "forward": finding.forward.value,
        "effect": finding.effect.value,
        "instancePath": terminal(finding.instance_path),
    }
    for name, place in (("before", finding.old_place), ("after", finding.new_place)):
        if place is not None:
            told[name] = terminal(wording.place(place))
    witnesses = [
        {"direction": witness.direction.value, "value": value}
        for witness in finding.witnesses
        if len(value := dumps(witness.value)) <= _WITNESS_LENGTH
    ]
    if witnesses:
        told["witnesses"] = witnesses
    if (again := wording.reproduction(finding)) is not None:
        told["reproduce"] = again
    return told


def _located(finding: Finding) -> JSON:
    place = finding.new_place
    file = finding.file or (finding.place.source if finding.place is not None else "")
    return {**_location(file, place), **_logical(finding)}


def _logical(finding: Finding) -> Mapping[str, JSON]:
    if not finding.instance_path:
        return {}
    return {"logicalLocations": [{"fullyQualifiedName": terminal(as_path(finding.instance_path)), "kind": "member"}]}


def _location(file: str, place: Place | None) -> Mapping[str, JSON]:
    physical: dict[str, JSON] = {"artifactLocation": {"uri": uri(file), "uriBaseId": _ROOT}}
    if place is not None and place.line is not None:
        region: dict[str, JSON] = {"startLine": place.line}
        if place.column is not None:
            region["startColumn"] = place.column
            if place.excerpt is not None:
                region["endColumn"] = place.column + place.excerpt.length
        physical["region"] = region
    return {"physicalLocation": physical}


def uri(path: str) -> str:
    """Write a path as a relative URI; bytes that are no UTF-8 keep their value."""
    data = path.encode("utf-8", "surrogateescape" if _is_file_name(path) else "backslashreplace")
    # An absolute path would leave the base it is relative to.
    return quote(data).lstrip("/") or "."


def _is_file_name(path: str) -> bool:
    return all(not "\ud800" <= char <= "\udfff" or "\udc80" <= char <= "\udcff" for char in path)


def _message(text: str) -> Mapping[str, JSON]:
    return {"text": _literal(terminal(text, keep="\n"))}


def _literal(text: str) -> str:
    """Write text that means itself: SARIF takes `{0}` for a placeholder and `[text](target)` for a link."""
    return re.sub(r"\{(\d+)\}", r"{{\1}}", text).replace("](", "] (")

"""The report as JSON: one documented shape, `compat-report/1`, in a fixed order and with exact numbers.

`schemas/compat-report/compat-report.schema.json` describes it. Keys are only ever added within a format number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from compat.assess.model import Affected, Finding, Outcome, Problem, Report, SchemaReport, Witness
from compat.diff.change import Change, Side
from compat.errors import Place
from compat.jsonvalue import JSON, dumps
from compat.policy import Waiver
from compat.relation import Level
from compat.replay.summary import Evidence
from compat.report import wording
from compat.report.escape import json_text

FORMAT = "compat-report/1"
FORMAT_LIST = "compat-list/1"
FORMAT_RULES = "compat-rules/1"


def render(report: Report, *, exit_code: int) -> str:
    """Write a report as indented JSON; what a terminal should not see is escaped, which changes no value."""
    return json_text(dumps(document(report, exit_code=exit_code), indent=2)) + "\n"


def document(report: Report, *, exit_code: int) -> Mapping[str, JSON]:
    """Give the report as a JSON value."""
    findings = tuple(report.every_finding())
    return {
        "format": FORMAT,
        "command": report.command,
        "conclusion": report.conclusion.value,
        "exit_code": int(exit_code),
        "base": report.base,
        "head": report.head,
        "counts": {
            "schemas": {
                **{outcome.value: report.number(outcome) for outcome in Outcome},
                "unchanged": report.unchanged,
            },
            "findings": {
                **{level.value: sum(f.level is level and f.counts for f in findings) for level in Level},
                "waived": sum(not finding.counts for finding in findings),
            },
        },
        "schemas": [_schema(schema) for schema in report.schemas],
        "findings": [_finding(finding) for finding in report.findings],
        "problems": [_problem(problem) for problem in report.problems],
        "notes": list(report.notes),
    }


def _schema(schema: SchemaReport) -> JSON:
    return {
        "name": schema.name,
        "old_name": schema.old_name,
        "outcome": schema.outcome.value,
        "lineage": schema.lineage,
        "mode": schema.mode.value,
        "backward": None if schema.backward is None else schema.backward.value,
        "forward": None if schema.forward is None else schema.forward.value,
        "marker": schema.marker,
        "against": list(schema.against),
        "through": list(schema.through),
        "records": schema.records,
        "notes": list(schema.notes),
        "findings": [_finding(finding) for finding in schema.findings],
    }


def _finding(finding: Finding) -> JSON:
    return {
        "fingerprint": finding.fingerprint,
        "rule": finding.rule,
        "level": finding.level.value,
        "lineage": finding.lineage,
        "file": finding.file,
        "message": finding.message,
        "instance_path": finding.instance_path,
        "old": _place(finding.old_place),
        "new": _place(finding.new_place),
        "change": None if finding.change is None else _change(finding.change),
        "backward": finding.backward.value,
        "forward": finding.forward.value,
        "effect": finding.effect.value,
        "expected": finding.expected.value,
        "annotation": finding.annotation,
        "undeclared": finding.undeclared,
        "witnesses": [_witness(witness) for witness in finding.witnesses],
        "evidence": None if finding.evidence is None else evidence(finding.evidence),
        "remedy": finding.remedy,
        "hint": finding.hint,
        "doubt": finding.doubt,
        "waiver": None if finding.waiver is None else _waiver(finding.waiver),
        "affects": [_affected(affected) for affected in finding.affects],
        "against": list(finding.against),
        "reproduce": wording.reproduction(finding),
    }


def _place(place: Place | None) -> JSON:
    if place is None:
        return None
    return {"source": place.source, "pointer": place.pointer, "line": place.line, "column": place.column}


def _change(change: Change) -> JSON:
    return {"keyword": change.keyword, "old": _side(change.old), "new": _side(change.new)}


def _side(side: Side) -> JSON:
    """A missing side has no `value`, since null is one."""
    if not side.exists:
        return {"pointer": side.pointer, "exists": False}
    return {"pointer": side.pointer, "exists": True, "value": side.value}


def _witness(witness: Witness) -> JSON:
    return {
        "direction": witness.direction.value,
        "value": witness.value,
        "instance_path": witness.instance_path,
        "reason": witness.reason,
        "origin": None if witness.origin is None else witness.origin.value,
    }


def evidence(seen: Evidence) -> JSON:
    """Give what stored records say about a finding as a JSON value."""
    return {"records": seen.records, "failing": seen.failing, "reaching": seen.reaching, "first": seen.first}


def _waiver(waiver: Waiver) -> JSON:
    return {
        "reason": waiver.reason,
        "owner": waiver.owner,
        "expires": None if waiver.expires is None else waiver.expires.isoformat(),
    }


def _affected(affected: Affected) -> JSON:
    return {
        "schema": affected.schema,
        "lineage": affected.lineage,
        "instance_path": affected.instance_path,
        "level": affected.level.value,
    }


def _problem(problem: Problem) -> JSON:
    return {"message": problem.message, "place": _place(problem.place), "hint": problem.hint}


def render_rows(kind: str, **parts: Sequence[JSON]) -> str:
    """Write rows of another command (lineages, rules) in the same manner."""
    return dumps({"format": kind, **parts}, indent=2) + "\n"

"""Reports with everything a renderer can meet, made by the real engine and dressed up where records or people speak."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date

import compat
from compat.assess import Affected, Names, Outcome, Places, Problem, Report, SchemaReport, judge
from compat.errors import Place
from compat.model.document import parse_document
from compat.policy import Policy, Waiver
from compat.relation import Level, Mode
from compat.replay.summary import Evidence

OLD = {
    "title": "Task",
    "type": "object",
    "required": ["id"],
    "properties": {
        "id": {"type": "string", "pattern": "^[a-z]{3}$"},
        "actor": {"type": "object", "properties": {"kind": {"enum": ["person", "harness", None]}}},
        "lines": {"type": "array", "items": {"type": "integer", "maximum": 10}},
    },
}
NEW = {
    "title": "A task",
    "type": "object",
    "required": ["id"],
    "properties": {
        "id": {"type": "string", "pattern": "^[a-z]{3,4}$"},
        "actor": {"type": "object", "properties": {"kind": {"enum": ["person", None]}, "region": {"type": "string"}}},
        "lines": {"type": "array", "items": {"type": "integer", "maximum": 9.5}},
    },
}


def schema_report(
    old: object, new: object, policy: Policy, name: str = "schemas/task/task.schema.json"
) -> SchemaReport:
    uri = f"file:///{name}"
    before = parse_document(json.dumps(old, indent=2), name=f"main:{name}", uri=uri)
    after = parse_document(json.dumps(new, indent=2), name=name, uri=uri)
    comparison = compat.compare(before, after)
    names = Names(f"main:{name}", name)
    findings = tuple(
        replace(finding, names=names)
        for finding in judge(comparison, policy, lineage="task", places=Places([before], [after]))
    )
    return SchemaReport(
        name,
        Outcome.COMPARED,
        "task",
        policy=policy,
        findings=findings,
        backward=comparison.backward.status,
        forward=comparison.forward.status,
    )


def full() -> Report:
    task = schema_report(OLD, NEW, Policy(Mode.BACKWARD_TRANSITIVE))
    first, *rest = task.findings
    waiver = Waiver("harness never shipped", owner="platform", expires=date(2027, 3, 1))
    findings = (
        replace(first, evidence=Evidence(4310, 12, "history/task/records/1.ndjson:17"), against=("main", "1.0", "1.1")),
        replace(rest[0], waiver=waiver) if rest[0].level is Level.BREAKING else rest[0],
        *rest[1:],
    )
    task = replace(
        task,
        findings=findings,
        old_name="schemas/job.schema.json",
        marker="version tag 1 → 2: route by version",
        records=4310,
        against=("main", "1.0", "1.1"),
        notes=("$schema odd:dialect is not known; read as 2020-12",),
    )
    shared = SchemaReport(
        "schemas/common.json",
        Outcome.SHARED,
        findings=(
            replace(
                rest[-1],
                affects=(
                    Affected("schemas/a.schema.json", "a", "/x", Level.SAFE),
                    Affected("schemas/b.schema.json", "b", "", Level.SAFE),
                ),
            ),
        ),
    )
    return Report(
        "check",
        "main",
        "working tree",
        (task, shared, SchemaReport("schemas/lane/lane.schema.json", Outcome.NEW, "lane")),
        problems=(
            Problem("is not JSON", Place("schemas/evil\x1b[2J.schema.json", "", 3, 1), "Fix it."),
            Problem("no place"),
        ),
        unchanged=7,
        notes=("by the way",),
        elapsed=2.14,
    )


REPORTS: dict[str, Callable[[], Report]] = {
    "full": full,
    "breaking": lambda: Report("check", "main", "HEAD", (schema_report(OLD, NEW, Policy()),)),
    "diff": lambda: Report(
        "diff", "a.json", "b.json", (replace(schema_report(OLD, NEW, Policy(Mode.FULL), "b.json"), old_name="a.json"),)
    ),
    "no-effect": lambda: Report(
        "check", "main", "HEAD", (schema_report({"type": ["null"]}, {"type": "null", "title": "x"}, Policy()),)
    ),
    "no-difference": lambda: Report("check", "main", "HEAD", (schema_report(OLD, OLD, Policy()),)),
    "nothing": lambda: Report("check", "main", "HEAD", unchanged=12),
    "nothing-at-all": lambda: Report("check", "main", "HEAD"),
    "only-new": lambda: Report("check", "main", "HEAD", (SchemaReport("a.schema.json", Outcome.NEW, "a"),)),
    "no-baseline": lambda: Report(
        "check",
        "main",
        "HEAD",
        (
            SchemaReport("b.schema.json", Outcome.NO_BASELINE, "b", notes=("the old version cannot be read: oops",)),
            SchemaReport("a.schema.json", Outcome.NEW, "a"),
        ),
    ),
    "cannot": lambda: Report("check", "main", "HEAD", problems=(Problem("no such revision", Place("main")),)),
}

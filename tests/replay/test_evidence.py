"""Each finding quotes the records that fail by it, and not those that fail by its neighbour."""

from __future__ import annotations

import io
import json

import pytest

from compat.assess import Places, judge
from compat.compare import compare
from compat.jsonvalue import JSON
from compat.model.references import schema_set
from compat.policy import Policy
from compat.replay.read import read_stream
from compat.replay.run import replay
from compat.replay.validate import SchemaChecker, explainer

OPEN: JSON = {
    "properties": {"k": {"enum": ["a", "b", "c"]}, "n": {"type": ["string", "null"]}, "m": {"type": "integer"}}
}
CLOSED: JSON = {"properties": {"a": {}, "b": {}, "c": {}}, "additionalProperties": False}


def changed(**properties: JSON) -> JSON:
    assert isinstance(OPEN, dict)
    return {"properties": {**OPEN["properties"], **properties}}  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("old", "new", "records", "failing"),
    [
        (OPEN, changed(k={"enum": ["a"]}), [{"k": "b"}, {"k": "b"}, {"k": "c"}], {"/k b": 2, "/k c": 1}),
        (
            OPEN,
            changed(n={"type": "string", "minLength": 2}),
            [{"n": None}, {"n": "x"}, {"n": None}, {"n": "xy"}],
            {"type-removed": 2, "min-length-added": 1},
        ),
        (
            OPEN,
            {**changed(), "required": ["k", "m"]},
            [{"k": "a"}, {"m": 1}, {"m": 2}, {}],
            {"required-added /k": 3, "required-added /m": 2},
        ),
        (
            CLOSED,
            {"properties": {"a": {}}, "additionalProperties": False},
            [{"a": 1, "b": 2}, {"b": 1}, {"c": 1}, {"b": 1, "c": 2}],
            {"property-removed-from-closed /b": 3, "property-removed-from-closed /c": 2},
        ),
        (OPEN, changed(m={"type": "integer", "maximum": 5}), [{"m": 9}, {"m": 5}, {"k": "a"}], {"maximum-added": 1}),
        (OPEN, changed(m={"type": "integer", "maximum": 5}), [{"m": 1}], {"maximum-added": 0}),
        (
            {"items": {"$ref": "#/$defs/x"}, "$defs": {"x": {"type": "integer"}}},
            {"items": {"$ref": "#/$defs/x"}, "$defs": {"x": {"type": "integer", "minimum": 3}}},
            [[1, 5], [3], [1, 2]],
            {"minimum-added": 2},
        ),
    ],
)
def test_findings_quote_their_own_records(old: JSON, new: JSON, records: list[JSON], failing: dict[str, int]) -> None:
    sides = schema_set(old), schema_set(new)
    lines = "\n".join(map(json.dumps, records)).encode()
    summary = replay(
        read_stream(io.BytesIO(lines), "r.ndjson"), SchemaChecker(sides[0]), SchemaChecker(sides[1]), explainer(*sides)
    )
    places = Places(sides[0].documents(), sides[1].documents())
    findings = judge(compare(*sides), Policy(), lineage="t", places=places, replayed=summary)
    counts = {}
    for finding in findings:
        if finding.evidence is not None:
            assert finding.evidence.records == len(records)
            removed = finding.change.old.value if finding.change is not None else None
            names = (finding.rule, f"{finding.rule} {finding.instance_path}", f"{finding.instance_path} {removed}")
            counts |= dict.fromkeys(names, finding.evidence.failing)
    assert {name: counts.get(name) for name in failing} == failing

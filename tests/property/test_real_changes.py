"""Real edits of public schemas, judged: no verdict is lost, everything has a place, every witness holds."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import compat
from compat.assess import Outcome, Places, Report, SchemaReport, judge
from compat.model.document import Document, parse_document
from compat.model.instance import Validator
from compat.model.references import schema_set
from compat.policy import Policy
from compat.relation import Direction, Mode, Status
from compat.report import json as json_report
from compat.report import markdown, text

PARTS = 8


def pairs(shared: Path, part: int) -> Iterator[dict[str, Any]]:
    path = shared / "cases" / "real-pairs.jsonl.gz"
    if not path.is_file():
        pytest.skip(f"no real pairs at {path}")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if number % PARTS == part:
                yield json.loads(line)


def documents(pair: dict[str, Any]) -> tuple[Document, Document]:
    path, uri = pair["path"], f"file:///{pair['path']}"
    return (
        parse_document(json.dumps(pair["old"], indent=1), name=f"old:{path}", uri=uri),
        parse_document(json.dumps(pair["new"], indent=1), name=path, uri=uri),
    )


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_every_real_change_is_judged_in_full(shared: Path, part: int) -> None:
    judged = 0
    for pair in pairs(shared, part):
        old, new = documents(pair)
        try:
            comparison = compat.compare(old, new)
        except compat.SchemaError:
            continue  # no schema of its dialect, or it leads to files that are not here
        judged += 1
        places = Places([old], [new])
        findings = judge(comparison, Policy(Mode.FULL), lineage="real", places=places)
        named = f"{pair['path']} {pair['commit_new'][:10]}"
        for direction in Direction:
            status = comparison.verdict(direction).status
            said = {finding.status(direction) for finding in findings}
            assert status is Status.COMPATIBLE or status in said, named
            assert not comparison.unclaimed(direction), named
        validators = Validator(schema_set(old)), Validator(schema_set(new))
        for finding in findings:
            assert all(place is None or place.line for place in (finding.old_place, finding.new_place)), named
            for witness in finding.witnesses:
                accepting, refusing = validators if witness.direction is Direction.BACKWARD else validators[::-1]
                assert accepting.is_valid(witness.value), (named, finding.rule)
                assert not refusing.is_valid(witness.value), (named, finding.rule)
        one = SchemaReport(pair["path"], Outcome.COMPARED, "real", findings=findings)
        report = Report("check", "old", "new", (one,))
        assert text.render(report, verbose=True)
        assert json.loads(json_report.render(report, exit_code=1))["schemas"]
        assert len(markdown.render(report)) <= markdown.MAX_LENGTH
    assert judged > 30

"""Where a witness comes from is said beside it, in every report that shows it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from compat.assess import Report
from compat.proof.verdict import Origin
from compat.report import github, junit, markdown, text
from compat.report import json as as_json

WORDS = {
    None: "",
    Origin.EXAMPLE: " (from an example in the schema)",
    Origin.DEFAULT: " (with defaults of the schema)",
    Origin.RECORD: " (from a stored record, redacted)",
}


def told(report: Report, origin: Origin | None, value: object = 7) -> Report:
    """The same report with one short witness a finding, from somewhere."""
    schemas = tuple(
        replace(
            schema,
            findings=tuple(
                replace(
                    finding,
                    witnesses=tuple(
                        replace(one, value=value, instance_path="", origin=origin) for one in finding.witnesses[:1]
                    ),
                )
                for finding in schema.findings
            ),
        )
        for schema in report.schemas
    )
    return replace(report, schemas=schemas)


RENDERERS = [text.render, markdown.render, github.render, partial(junit.render, fails=lambda finding: finding.counts)]


@pytest.mark.parametrize("render", RENDERERS, ids=["text", "markdown", "github", "junit"])
@pytest.mark.parametrize("origin", WORDS)
def test_the_origin_is_told_beside_the_witness(
    full_report: Report, render: Callable[[Report], str], origin: Origin | None
) -> None:
    written = render(told(full_report, origin))
    shown = [line for line in written.replace("%0A", "\n").splitlines() if "new: rejects" in line]
    assert shown
    assert [word for word in WORDS.values() if word and word in written] == [word for word in [WORDS[origin]] if word]


@pytest.mark.parametrize("origin", WORDS)
def test_the_json_names_the_origin(full_report: Report, origin: Origin | None) -> None:
    document = json.loads(as_json.render(told(full_report, origin), exit_code=1))
    found = [
        one["origin"]
        for schema in document["schemas"]
        for finding in schema["findings"]
        for one in finding["witnesses"]
    ]
    assert found
    assert set(found) == {None if origin is None else origin.value}


def test_an_origin_without_room_has_a_line_to_itself(full_report: Report) -> None:
    lines = text.render(told(full_report, Origin.RECORD, "a" * 55)).splitlines()
    at = next(index for index, line in enumerate(lines) if "new: rejects" in line)
    assert lines[at].endswith('a"')
    assert lines[at + 1].strip() == "(from a stored record, redacted)"
    assert lines[at + 1].index("(") == lines[at].index('"')
    made_up = text.render(told(full_report, None, "a" * 55)).splitlines()
    assert len(made_up) < len(lines)

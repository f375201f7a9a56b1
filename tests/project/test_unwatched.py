"""What a change no longer looks at is named, and what it looks at in addition is not."""

from __future__ import annotations

import tomllib

import pytest

from compat.project.config import Config, read_config
from compat.project.unwatched import unwatched


def read(text: str) -> Config:
    return read_config(tomllib.loads(text))


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        ("", "", []),
        ("", 'exclude = ["legacy"]', ["exclude: legacy more."]),
        ('exclude = ["legacy"]', "", []),
        ('exclude = ["a", "b"]', 'exclude = ["b", "a"]', []),
        ('formats = "assertion"', "", ["formats: assertion becomes annotation."]),
        ("", 'formats = "assertion"', []),
        (
            '[dialects]\n"urn:x" = "2020-12"',
            '[dialects]\n"urn:x" = "draft-07"',
            ["dialects: urn:x is read as draft-07, not as 2020-12."],
        ),
        ("", '[dialects]\n"urn:x" = "draft-07"', []),
        (
            '[schemas.task]\nfiles = ["a/*.json", "b.json"]',
            '[schemas.task]\nfiles = "b.json"',
            ["files of task: a/*.json no longer."],
        ),
        ('[schemas.task]\nfiles = "b.json"', '[schemas.task]\nfiles = ["b.json", "c.json"]', []),
        ('[schemas.task]\nfiles = "b.json"', "", ["files of task: b.json no longer."]),
        ("", '[schemas.task]\nfiles = "b.json"', []),
        (
            '[schemas.task]\nrecords = "r/*.ndjson"',
            '[schemas.task]\nrecords = "none/*"',
            ["records of task: r/*.ndjson no longer."],
        ),
        (
            '[schemas.task]\nversion = { from = "$id" }',
            '[schemas.task]\nversion = { from = "path" }',
            ["version of task: its number is read elsewhere."],
        ),
        (
            '[schemas.task]\nversion = { from = "$id" }',
            '[schemas.task]\nversion = { from = "$id" }\nunknown = "warn"',
            [],
        ),
    ],
)
def test_what_is_no_longer_looked_at(base: str, head: str, expected: list[str]) -> None:
    found = list(unwatched(read(base), read(head)))
    assert [loose.message for loose in found] == expected
    assert {loose.rule for loose in found} <= {"policy-loosened"}

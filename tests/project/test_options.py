"""One table of options: what the reader takes, what the schema says and what is documented are the same.

COMPAT_DOCS=write stores the schema and the page anew.
"""

from __future__ import annotations

import json
import os
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from conftest import PROJECT_ROOT
from jsonschema import Draft202012Validator, FormatChecker

from compat.errors import ConfigError
from compat.jsonvalue import dumps
from compat.policy import WAIVER_KEYS
from compat.project.config import read_config
from compat.project.options import OPTIONS, Table, keys
from compat.project.options_page import page, schema

SCHEMA = PROJECT_ROOT / "schemas" / "compat-config" / "compat-config.schema.json"
PAGE = PROJECT_ROOT / "docs" / "configuration.md"
RECORDS = PROJECT_ROOT / "history" / "compat-config" / "records" / "1.0.0.ndjson"


def held(path: Path, text: str) -> None:
    if not PAGE.parent.is_dir():
        pytest.skip("no checkout: docs/ and schemas/ are not part of an installation")
    if os.environ.get("COMPAT_DOCS") == "write":
        path.write_text(text, encoding="utf-8")
    name = path.relative_to(PROJECT_ROOT)
    assert path.read_text(encoding="utf-8") == text, f"{name} is stale: run the tests once with COMPAT_DOCS=write"


def test_the_published_schema_is_that_of_the_table() -> None:
    held(SCHEMA, dumps(schema(), indent=2) + "\n")


def test_the_documentation_is_that_of_the_table() -> None:
    held(PAGE, page())


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(schema())


def test_the_reader_of_waivers_knows_the_same_keys() -> None:
    assert set(WAIVER_KEYS) == set(keys(Table.WAIVER))


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: f"{option.tables[0].name}-{option.key}")
def test_every_option_is_explained_with_an_example_that_is_read(option: Any) -> None:
    assert option.summary.endswith(".")
    text = option.example
    if option.tables[0] is Table.LINEAGE or option.tables[0] is Table.VERSION:
        text = f"[schemas.task]\n{text}"
    elif option.tables[0] is Table.WAIVER:
        fill = {"reason": "x", "schema": "task", "rule": "enum-value-removed"}
        rest = [f'{key} = "{value}"' for key, value in fill.items() if key != option.key]
        text = "\n".join(["[[waivers]]", text, *rest])
    table = tomllib.loads(text)
    read_config(table)
    assert problems(table) == []
    # Near miss: the key with a letter too many is refused by both.
    wrong = tomllib.loads(text.replace(option.key, f"{option.key}x", 1))
    with pytest.raises(ConfigError):
        read_config(wrong)
    assert problems(wrong) != []


def problems(table: dict[str, Any]) -> list[str]:
    value = json.loads(json.dumps(table, default=lambda day: day.isoformat() if isinstance(day, date) else str(day)))
    validator = Draft202012Validator(schema(), format_checker=FormatChecker())
    return [error.message for error in validator.iter_errors(value)]


@pytest.mark.parametrize(
    ("text", "fine"),
    [
        ("", True),
        ('compatibility = "FULL_TRANSITIVE"', True),
        ('compatibility = "sideways"', False),
        ('undeclared = "ignore"', True),
        ('unknown = "ignore"', False),
        ('announced = "error"', True),
        ('announced = "warn"', False),
        ('[severity]\nenum-value-removed = "safe"', True),
        ('[severity]\nenum-value-removed = { "a.b" = "safe" }', True),
        ('[severity]\n"*" = { "a.**" = "risky" }', True),
        ('[severity]\nenum-value-removed = "bad"', False),
        ('[severity]\nenum-value-removed = { "a.b" = "bad" }', False),
        ("severity = 1", False),
        ('formats = "maybe"', False),
        ("exclude = 3", False),
        ('exclude = ["a", "b/**"]', True),
        ('exclude = ["a", 3]', False),
        ('[dialects]\n"urn:x" = "2020-12"', True),
        ('[dialects]\n"urn:x" = 7', False),
        ('schemas = "all"', False),
        ('[schemas.task]\nfiles = "a.json"\nunknown = "warn"', True),
        ('[schemas.task]\nformats = "assertion"', False),
        ('[schemas.task]\nexclude = "x"', False),
        ('[schemas.task]\nversion = { from = "$id" }', True),
        ('[schemas.task]\nversion = { from = "config" }', False),
        ("[schemas.task]\nversion = { pattern = 3 }", False),
        ('records = ["a/*", "s3://b/*.gz"]', True),
        ("records = 3", False),
        ('records = [{ files = "a", version = "1" }]', False),
        ('[schemas.task]\nrecords = [{ files = ["a", "b"], version = "1-0-2" }, "c/*"]', True),
        ('[schemas.task]\nrecords = [{ files = "a" }]', False),
        ('[schemas.task]\nrecords = [{ files = "a", version = 1 }]', False),
        ('[schemas.task]\nrecords = [{ files = "a", version = "1", to = "b" }]', False),
        ('[schemas.task]\nrecords = [{ version = "1" }]', False),
        ('[schemas.task]\nrecords = { files = "a", version = "1" }', False),
        ("[schemas.task]\nrecords = [3]", False),
        ('[schemas.task]\nroute = { type = "task", v = 1, live = true }', True),
        ("[schemas.task]\nroute = {}", False),
        ('[schemas.task]\nroute = { type = ["task"] }', False),
        ('[schemas.task]\nroute = "type"', False),
        ("[schemas.task]\nversion = { property = 3 }", False),
        ('[[waivers]]\nfingerprint = "x"\nreason = "y"', True),
        ('[[waivers]]\nfingerprint = "x"\nreason = " "', False),
        ('[[waivers]]\nschema = "x"\nreason = "y"', False),
        ('[[waivers]]\nfingerprint = "x"', False),
        ('[[waivers]]\nfingerprint = "x"\nreason = "y"\nexpires = 2027-03-01', True),
        ('[[waivers]]\nfingerprint = "x"\nreason = "y"\nexpires = "soon"', False),
        ('[[waivers]]\nfingerprint = "x"\nreason = "y"\nat = 3', False),
        ('waivers = "none"', False),
    ],
)
def test_the_reader_and_the_schema_agree(text: str, fine: bool) -> None:
    table = tomllib.loads(text)
    try:
        read_config(table)
        read = True
    except ConfigError:
        read = False
    assert (read, problems(table) == []) == (fine, fine)


def test_the_stored_rejects_are_refused_by_either_reader() -> None:
    path = RECORDS.parent.parent / "rejects" / RECORDS.name
    if not path.is_file():
        pytest.skip("no checkout: history/ is not part of an installation")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(rows) >= 5
    for row in rows:
        assert problems(row) != []
        with pytest.raises(ConfigError):
            read_config(row)


def test_the_stored_records_are_configurations_of_either_reader() -> None:
    if not RECORDS.is_file():
        pytest.skip("no checkout: history/ is not part of an installation")
    rows = [json.loads(line) for line in RECORDS.read_text(encoding="utf-8").splitlines()]
    assert len(rows) >= 5
    used = {key for row in rows for key in row}
    assert used == set(keys(Table.PROJECT))
    for row in rows:
        read_config(row)
        assert problems(row) == []

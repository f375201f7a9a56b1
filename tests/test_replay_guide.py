"""docs/replay.md: what it shows is what the commands print, and what it names is there."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import click
import pytest
from builders import GitRepository
from click.testing import CliRunner
from conftest import PROJECT_ROOT

from compat.cli import COMMANDS, cli, load
from compat.project.config import read_config

GUIDE = PROJECT_ROOT / "docs" / "replay.md"
SCHEMA = """{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "https://example.org/schemas/1.0.0/order.schema.json",
  "type": "object",
  "properties": {
    "schema": { "const": "order/1.0.0" },
    "status": { "enum": ["open", "paid", "returned"] },
    "weight": { "type": "number" }
  },
  "required": ["schema", "status"]
}
"""
DUMP = """{"schema": "order/1.0.0", "status": "paid", "weight": 1.5}
{"schema": "order/1.0.0", "status": "returned"}
{"status": "paid", "schema": "order/1.0.0", "weight": 1.50}
{"schema": "order/1.0.0", "status": "lost"}
{"schema": "order/7.0.0", "status": "paid"}
"""


@pytest.fixture
def guide() -> str:
    if not GUIDE.is_file():
        pytest.skip("no checkout: docs/ is not part of an installation")
    return GUIDE.read_text(encoding="utf-8")


def blocks(text: str) -> Iterator[str]:
    """Yield the indented blocks, blank lines inside them kept."""
    for block in re.findall(r"(?:^ {4,}\S.*\n(?:\n(?= {4,}\S))?)+", text, re.MULTILINE):
        yield dedent(block)


def test_what_is_shown_is_what_is_printed(
    guide: str, repository: GitRepository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COMPAT_CACHE_DIR", str(tmp_path / "cache"))
    repository.write("schemas/order.schema.json", SCHEMA).write("dump.ndjson", DUMP).commit("one")
    monkeypatch.chdir(repository.root)
    shown = {block.split("\n", 1)[0]: block.split("\n", 1)[1] for block in blocks(guide) if block.startswith("$ ")}
    assert (
        CliRunner().invoke(cli, ["records", "add", "dump.ndjson"]).stdout == shown["$ compat records add dump.ndjson"]
    )
    assert CliRunner().invoke(cli, ["records", "coverage"]).stdout == shown["$ compat records coverage"]
    reject = '{"schema": "order/1.0.0", "status": "lost"}\n'
    assert CliRunner().invoke(cli, ["records", "add", "--rejects", "-"], input=reject).exit_code == 0
    newer = SCHEMA.replace("1.0.0", "2.0.0").replace(', "returned"', ', "lost"')
    repository.write("schemas/order.schema.json", newer)
    assert CliRunner().invoke(cli, ["replay"]).stdout == shown["$ compat replay"]


def test_what_is_configured_there_is_read(guide: str) -> None:
    tables = [tomllib.loads(block) for block in blocks(guide) if block.startswith("[")]
    assert len(tables) >= 2
    for table in tables:
        assert read_config(table).schemas


def test_every_option_that_is_named_exists(guide: str) -> None:
    known: set[str] = set()
    for entry in COMMANDS.values():
        command = load(entry)
        for each in [command, *(command.commands.values() if isinstance(command, click.Group) else ())]:
            known |= {name for one in each.params for name in (*one.opts, *one.secondary_opts)}
    named = set(re.findall(r"--[a-z][a-z-]+", guide))
    assert len(named) > 5
    assert named <= known

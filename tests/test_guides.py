"""The guides keep to what is there: links, commands, configuration, and what they claim of verdicts."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import PROJECT_ROOT

from compat import compare
from compat.cli import COMMANDS, load
from compat.lineage import Bump, Step, VersionNumber, least_bump
from compat.project.config import read_config
from compat.relation import Status

DOCS = sorted((PROJECT_ROOT / "docs").glob("*.md"))
GUIDES = [path for path in DOCS if path.name not in ("cli.md", "rules.md")]
every_guide = pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.name)


def blocks(path: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        if not target.startswith(("http:", "https:")):
            assert (path.parent / target).exists(), target


@every_guide
def test_configuration_is_read(path: Path) -> None:
    for block in blocks(path, "toml"):
        table = tomllib.loads(block)
        if set(table) <= {"files", "records", "version", "route", "at", "value", "owner", "expires", "rule", "schema"}:
            continue  # a line of a table that its heading names
        if set(table) & {"reason", "fingerprint"}:
            continue
        read_config(table)


@every_guide
def test_commands_exist_with_their_options(path: Path) -> None:
    lines = [line for block in blocks(path, "console") for line in block.splitlines() if line.startswith("$ compat ")]
    lines += [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("    compat ")]
    for line in lines:
        words = shlex.split(line.split("#")[0] if "#/" not in line else line)
        name, arguments = words[words.index("compat") + 1], words[words.index("compat") + 2 :]
        assert name in COMMANDS, line
        # Not get_params: it would make the help option here, without -h, and keep it for whoever comes later.
        parameters = load(COMMANDS[name]).params
        known = {flag for parameter in parameters for flag in (*parameter.opts, *parameter.secondary_opts)}
        for word in arguments:
            if word.startswith("--"):
                assert word.partition("=")[0] in known, line


@every_guide
def test_workflows_are_yaml_and_trust_nobody(path: Path) -> None:
    for block in blocks(path, "yaml"):
        yaml.safe_load(block)
        assert "pull_request_target" not in block
        assert not re.search(r"^\s*(?:- )?run:.*\$\{\{", block, re.MULTILINE)


def test_the_readme_leads_to_every_guide() -> None:
    readme = PROJECT_ROOT / "README.md"
    if not readme.is_file():
        pytest.skip("no checkout: README.md is not part of an installation")
    text = readme.read_text(encoding="utf-8")
    assert [path.name for path in DOCS if f"docs/{path.name}" not in text] == []


# What the guides say about verdicts

PLAIN: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}}}
MORE: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
CLOSED = {"additionalProperties": False}


@pytest.mark.parametrize(
    ("old", "new", "backward", "forward"),
    [
        (PLAIN, MORE, "undeclared", "compatible"),
        ({**PLAIN, **CLOSED}, {**MORE, **CLOSED}, "compatible", "breaking"),
        (MORE, PLAIN, "compatible", "undeclared"),
        ({**MORE, **CLOSED}, {**PLAIN, **CLOSED}, "breaking", "compatible"),
    ],
    ids=["added, open", "added, closed", "removed, open", "removed, closed"],
)
def test_an_optional_property_does_what_the_table_of_registries_says(
    old: dict[str, Any], new: dict[str, Any], backward: str, forward: str
) -> None:
    result = compare(old, new)
    for direction, said in ((result.backward, backward), (result.forward, forward)):
        found = "undeclared" if direction.undeclared else direction.status.value
        assert found == said


def test_a_default_does_not_make_a_required_property_compatible() -> None:
    new = {**PLAIN, "properties": {"a": {"type": "string", "default": "x"}}, "required": ["a"]}
    assert compare(PLAIN, new).backward.status is Status.BREAKING


def test_the_table_of_numbers_is_that_of_the_gate() -> None:
    rows = {
        "1.4.2": "patch | minor | major | major",
        "0.4.2": "patch | patch | minor | minor",
        "1-4-2 (SchemaVer)": "addition | addition | revision | model",
        "1.4": "minor | minor | major | major",
        "4": "none | none | +1 | +1",
        "2026-11-30": "none | later | later | later",
    }
    text = (PROJECT_ROOT / "docs" / "release.md").read_text(encoding="utf-8")
    steps = (Step.ANNOTATIONS, Step.CHANGED, Step.BREAKING, Step.DISJOINT)
    for name, told in rows.items():
        assert f"| {name} | {told} |" in text
        number = VersionNumber.parse(name.split(" ")[0])
        next_word = "later" if name.startswith("2026") else "+1"
        found = [least_bump(number, step) for step in steps]
        assert [next_word if bump is Bump.NEXT else bump.value for bump in found] == told.split(" | ")

"""Every format on a real repository: one result, written whole, with its exit code, and safe on a stranger's change."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from builders import GitRepository
from click.testing import Result
from conftest import PROJECT_ROOT
from jsonschema import Draft4Validator

from compat.cli.options import REPORT_FORMATS
from compat.errors import ExitCode

Run = Callable[..., Result]

SARIF = Path(os.environ.get("COMPAT_SHARED") or PROJECT_ROOT.parent / "shared") / "formats/sarif-2.1.0.schema.json"
EVIL = "::error::x ##[stop-commands]y \x1b[2J\u202e<b>`|\"'"
NAME = "schemas/::error::##[group]\u202e\x1b[2J\n<b>.schema.json"


def schema(*kinds: str) -> dict[str, Any]:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": EVIL,
        "properties": {EVIL: {"enum": list(kinds)}, "kind": {"enum": list(kinds)}},
        EVIL: len(kinds),
    }


@pytest.fixture
def stranger(repository: GitRepository) -> GitRepository:
    """A change whose file names, keys and values all try something."""
    repository.write(NAME, schema("a", EVIL)).commit("One").branch("change")
    return repository.write(NAME, schema("a", f"{EVIL}!")).commit("Two")


@pytest.mark.parametrize("name", REPORT_FORMATS)
def test_a_stranger_steers_nothing(run: Run, stranger: GitRepository, name: str) -> None:
    result = run(stranger.root, "check", "-f", name)
    assert result.exit_code == ExitCode.FINDINGS, result.output
    for where, stream in (("out", result.stdout), ("err", result.stderr)):
        assert not [c for c in stream if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"} and c != "\n"]
        commands = re.findall(r"^\s*::.*|.*##\w*\[.*", stream, re.MULTILINE)
        if (name, where) == ("github", "out"):
            assert commands
            assert all(re.match(r"::(error|warning) ", line) and "##[" not in line for line in commands)
        else:
            assert commands == []


@pytest.mark.parametrize("name", REPORT_FORMATS)
def test_a_report_goes_whole_to_a_file(run: Run, stranger: GitRepository, name: str, tmp_path: Path) -> None:
    target = tmp_path / "report"
    written = run(stranger.root, "check", "-f", name, "-o", str(target))
    assert (written.exit_code, written.stdout) == (ExitCode.FINDINGS, "")
    beside = tmp_path / "beside"
    run(stranger.root, "check", "--also", f"{name}={beside}")
    without_time = [re.sub(r"\d+\.\d+( s|\"|)", "", path.read_text(encoding="utf-8")) for path in (target, beside)]
    assert without_time[0] == without_time[1]
    assert without_time[0].endswith("\n")


def test_the_sarif_of_a_run_is_valid(run: Run, stranger: GitRepository) -> None:
    if not SARIF.is_file():
        pytest.skip(f"the schema of SARIF is not at {SARIF}; COMPAT_SHARED names the folder around it")
    log = json.loads(run(stranger.root, "check", "-f", "sarif").stdout)
    validator = Draft4Validator(json.loads(SARIF.read_text(encoding="utf-8")))
    assert [error.message for error in validator.iter_errors(log)] == []
    (uri,) = {
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in log["runs"][0]["results"]
    }
    assert uri == "schemas/%3A%3Aerror%3A%3A%23%23%5Bgroup%5D%E2%80%AE%1B%5B2J%0A%3Cb%3E.schema.json"


@pytest.mark.parametrize(("options", "failures"), [((), 2), (("--fail-on", "risky"), 4), (("--fail-on", "never"), 0)])
def test_junit_fails_what_the_run_fails(
    run: Run, stranger: GitRepository, options: tuple[str, ...], failures: int
) -> None:
    root = ElementTree.fromstring(run(stranger.root, "check", "-f", "junit", *options).stdout)
    assert root.attrib["failures"] == str(failures)


def test_what_could_not_be_checked_is_no_success_anywhere(run: Run, stranger: GitRepository) -> None:
    stranger.write("schemas/broken.schema.json", "{").commit("Broken")
    told = {name: run(stranger.root, "check", "-f", name) for name in REPORT_FORMATS}
    assert {result.exit_code for result in told.values()} == {ExitCode.UNCHECKED}
    assert "could not be checked" in told["text"].stdout
    assert told["markdown"].stdout.startswith("### ❌")
    assert told["github"].stdout.startswith("::error file=schemas/broken.schema.json,line=1")
    assert json.loads(told["gitlab"].stdout)[0]["severity"] == "blocker"
    assert json.loads(told["sarif"].stdout)["runs"][0]["invocations"][0]["executionSuccessful"] is False
    assert ElementTree.fromstring(told["junit"].stdout).attrib["errors"] == "1"
    for name in ("text", "github", "sarif", "junit", "gitlab", "markdown"):
        assert "enum-value-removed" in told[name].stdout, f"{name}: the findings of the rest are still told"

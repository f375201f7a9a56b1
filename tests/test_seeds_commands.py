"""The four contracts through the command line: check and replay say of every version what the reference says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from compat.cli import cli, run
from compat.demo import history, repository
from compat.lineage import apart_from_marker


def pairs() -> Iterator[tuple[history.Entry, history.Entry]]:
    newest: dict[str, history.Entry] = {}
    for entry in history.entries():
        if entry.lineage in newest:
            yield newest[entry.lineage], entry
        newest[entry.lineage] = entry


every_change = pytest.mark.parametrize("change", list(pairs()), ids=lambda change: change[1].label)


@pytest.fixture(scope="module")
def tour(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    folder = tmp_path_factory.mktemp("tour")
    return folder, repository.build(folder)


@pytest.fixture
def at_home(
    tour: tuple[Path, dict[str, str]], git_environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Stand in the tour's repository, in a shell that knows nothing of a CI server."""
    monkeypatch.chdir(tour[0])
    return tour[0]


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    code = run(cli, [*arguments, "--format", "json", "--quiet"])
    said = capsys.readouterr()
    assert said.out, said.err
    return code, json.loads(said.out)


@every_change
def test_check_judges_each_version_as_the_manifest_says(
    change: tuple[history.Entry, history.Entry],
    tour: tuple[Path, dict[str, str]],
    at_home: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (before, entry), ids = change, tour[1]
    code, found = report(
        capsys, "check", f"--base={ids[before.label]}", f"--head={ids[entry.label]}", entry.schema_path
    )
    (schema,) = found["schemas"]
    assert schema["lineage"] == entry.lineage
    assert schema["backward"] == ("compatible" if entry.backward == "compatible" else "breaking")
    assert schema["forward"] == entry.forward
    # In an open object a new property breaks only records that carry it undeclared: shown, not failed.
    # A break is let pass where the new number announces it, as each of these does.
    announced = entry.backward == "breaking" and entry.version != before.version
    assert code == (1 if entry.backward == "breaking" and not announced else 0)
    assert (found["counts"]["findings"]["waived"] > 0) is announced
    levels = {finding["level"] for finding in schema["findings"]}
    assert ("breaking" in levels) is (entry.backward == "breaking")
    assert ("risky" in levels) is (entry.backward == "undeclared" or entry.forward == "breaking")
    assert (schema["marker"] is not None) is (entry.version != before.version and entry.lineage != "kwau-conversations")


@every_change
def test_replay_counts_what_the_reference_counts(
    change: tuple[history.Entry, history.Entry],
    tour: tuple[Path, dict[str, str]],
    at_home: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (before, entry), ids = change, tour[1]
    old, new, _ = apart_from_marker(json.loads(before.schema), json.loads(entry.schema))
    under_old, under_new = Draft202012Validator(old), Draft202012Validator(new)
    expected = {"passes_both": 0, "newly_fails": 0, "failed_already": 0, "newly_passes": 0}
    for path in sorted((at_home / entry.history_path / "records").iterdir()):
        for line in path.read_bytes().splitlines():
            record = json.loads(line)
            outcome = {
                (True, True): "passes_both",
                (True, False): "newly_fails",
                (False, False): "failed_already",
                (False, True): "newly_passes",
            }[under_old.is_valid(record), under_new.is_valid(record)]
            expected[outcome] += 1
    code, found = report(capsys, "replay", entry.lineage, f"--old={ids[before.label]}", f"--new={ids[entry.label]}")
    totals = found["totals"]
    assert {outcome: totals[outcome] for outcome in expected} == expected
    assert totals["read"] == sum(expected.values())
    assert code == (1 if expected["newly_fails"] else 0)
    assert (expected["newly_fails"] > 0) is (entry.backward == "breaking")

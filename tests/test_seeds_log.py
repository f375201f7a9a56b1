"""The four contracts through `compat log`: steps as the manifest says, cells as records and validators do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from conftest import PROJECT_ROOT
from jsonschema import Draft202012Validator

from compat.cache import engine_version
from compat.cli import cli, run
from compat.demo import history, repository
from compat.lineage import apart_from_marker


@pytest.fixture(scope="module")
def tour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tour")
    repository.build(folder)
    return folder


@pytest.fixture
def at_home(
    tour: Path, tmp_path: Path, git_environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> dict[str, str]:
    """Stand in the tour's repository, in a shell that knows nothing of the machine; gives its variables."""
    monkeypatch.chdir(tour)
    monkeypatch.setenv("COMPAT_CACHE_DIR", str(tmp_path / "cache"))
    return {**git_environment, "COMPAT_CACHE_DIR": str(tmp_path / "cache")}


def released() -> dict[str, list[history.Entry]]:
    """Give the versions of each lineage that stand on the main line."""
    found: dict[str, list[history.Entry]] = defaultdict(list)
    for chapter in list(history.chapters())[:-1]:
        found[chapter.entry.lineage].append(chapter.entry)
    return found


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, dict[str, Any]]:
    assert run(cli, ["log", *arguments, "--format", "json"]) == 0
    return {lineage["lineage"]: lineage for lineage in json.loads(capsys.readouterr().out)["lineages"]}


def test_every_step_is_as_the_manifest_says(at_home: object, capsys: pytest.CaptureFixture[str]) -> None:
    found = report(capsys)
    assert {name: len(lineage["versions"]) for name, lineage in found.items()} == {
        name: len(entries) for name, entries in released().items()
    }
    for name, entries in released().items():
        for version, entry in zip(found[name]["versions"], entries, strict=True):
            assert (version["version"], version["author"]) == (entry.version, entry.author.partition(" <")[0])
            assert version["when"][:10] == entry.when.isoformat()
            assert version["released"] is entry.released
            if entry.backward is None:
                assert version["backward"] is None
                continue
            backward, forward = version["backward"], version["forward"]
            assert backward["status"] == ("compatible" if entry.backward == "compatible" else "breaking")
            assert backward["undeclared"] is (entry.backward == "undeclared")
            assert forward["status"] == entry.forward
            # The people who kept these numbers announced what they did.
            assert version["enough"] is True


def test_every_cell_is_as_the_stored_records_say(at_home: object, capsys: pytest.CaptureFixture[str]) -> None:
    found = report(capsys, "--matrix")
    seen = set()
    for name, entries in released().items():
        for cell in found[name]["matrix"]["cells"]:
            written, reader = entries[cell["written"] - 1], entries[cell["reader"] - 1]
            old, new, _ = apart_from_marker(json.loads(written.schema), json.loads(reader.schema))
            takes, validator = Draft202012Validator(old), Draft202012Validator(new)
            records = [record for record in map(json.loads, written.records.splitlines()) if takes.is_valid(record)]
            fails = sum(not validator.is_valid(record) for record in records)
            seen.add((cell["reads"], bool(fails)))
            assert not (cell["reads"] == "yes" and fails), cell
    assert ("no", True) in seen
    assert not [reads for reads, _ in seen if reads == "unknown"]


def test_what_was_lost_is_lost_where_the_witness_says(at_home: object, capsys: pytest.CaptureFixture[str]) -> None:
    found = report(capsys, "--matrix")
    reach = {name: (lineage["matrix"]["oldest"], lineage["matrix"]["losses"]) for name, lineage in found.items()}
    assert {
        name: (oldest, [(one["lost"], one["at"]) for one in losses]) for name, (oldest, losses) in reach.items()
    } == {
        "invocation-response": (4, [([1, 2, 3], 4)]),
        "kwau-conversations": (6, [([1, 2, 3, 4, 5], 6)]),
        "pw-decide-row": (4, [([1, 2, 3], 4)]),
        "task": (7, [([5, 6], 7), ([1, 2, 3, 4], 5)]),
    }
    for name, (_, losses) in reach.items():
        for loss in losses:
            before, after = (json.loads(released()[name][at - 1].schema) for at in (loss["lost"][-1], loss["at"]))
            old, new, _ = apart_from_marker(before, after)
            assert Draft202012Validator(old).is_valid(loss["backward"]["witness"])
            assert not Draft202012Validator(new).is_valid(loss["backward"]["witness"])


def test_two_processes_and_a_third_say_the_same(at_home: dict[str, str], tour: Path) -> None:
    environment = {**os.environ, **at_home}
    program = engine_version.__wrapped__()
    command = [sys.executable, "-m", "compat", "log", "--matrix"]
    both = [
        subprocess.Popen(command, cwd=tour, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    told = [process.communicate(timeout=200) for process in both]
    alone = subprocess.run([*command, "-v"], cwd=tour, env=environment, capture_output=True, check=True)
    assert [process.returncode for process in both] == [0, 0]
    assert told[0] == told[1]
    assert told[0][1] == b""
    if engine_version.__wrapped__() != program:
        pytest.skip("the program was edited while it was tested, and then it finds nothing")
    asked, found = (int(word) for word in alone.stderr.split() if word.isdigit())
    assert asked == found > 50
    again = subprocess.run(command, cwd=tour, env=environment, capture_output=True, check=True)
    assert again.stdout == told[0][0]


def test_our_own_history_is_told(
    capsys: pytest.CaptureFixture[str], at_home: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not (PROJECT_ROOT / ".git").exists() or (PROJECT_ROOT / ".git" / "shallow").exists():
        pytest.skip("no whole history here: an archive or a shallow clone")
    monkeypatch.chdir(PROJECT_ROOT)
    found = report(capsys, "task", "--matrix", "--revision", "HEAD")
    versions = [version["version"] for version in found["task"]["versions"] if version["version"]]
    assert versions[0] == "1"
    assert found["task"]["matrix"]["versions"][0] == 1

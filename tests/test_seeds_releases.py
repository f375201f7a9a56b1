"""The four contracts through gate, release and changelog: the tool itself releases what was released, and no less."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from builders import GitRepository
from conftest import PROJECT_ROOT, MakeRepository
from jsonschema import Draft202012Validator

from compat.cli import cli, run
from compat.demo import history
from compat.lineage import apart_from_marker

CHANGELOG = "schemas/CHANGELOG.md"
MARKERS = ("v", "schema", "schema_version")


def command(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = run(cli, list(arguments))
    said = capsys.readouterr()
    return code, said.out + said.err


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    code = run(cli, [*arguments, "--format", "json", "--quiet"])
    said = capsys.readouterr()
    assert said.out, said.err
    return code, json.loads(said.out)["lineages"]


def with_records(chapter: history.Chapter) -> dict[str, bytes]:
    return {path: data for path, data in chapter.stored.items() if "/records/" in path}


# -- as it came -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lineage", sorted({entry.lineage for entry in history.entries()}))
def test_the_tool_releases_every_version_as_it_was_released(
    lineage: str, repository: GitRepository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(repository.root)
    for chapter in history.chapters():
        entry = chapter.entry
        if entry.lineage != lineage:
            continue
        repository.write(entry.schema_path, entry.schema)
        code, (judged,) = report(capsys, "gate")
        assert (code, judged["outcome"]) == (0, "never-released" if entry.backward is None else "ready"), entry.label
        if entry.released:
            code, said = command(capsys, "release", "--date", entry.when.isoformat())
            assert (code, f"{lineage} {entry.version}, {entry.when}" in said) == (0, True), said
            assert report(capsys, "gate")[1][0]["outcome"] == "unchanged"
        for path, data in with_records(chapter).items():
            repository.write(path, data)
        repository.commit(entry.label)
    # The records are those that the project keeps, to the byte.
    path = f"history/{lineage}/releases.ndjson"
    assert (repository.root / path).read_bytes() == history.final_files()[path]
    # The changelog grew release by release, and is what it would be told at once.
    changelog = f"schemas/{lineage}/CHANGELOG.md"
    grown = repository.read(changelog)
    assert_told(grown, lineage)
    command(capsys, "changelog", "--write")  # tells of what is not released yet, too
    again = repository.read(changelog)
    assert set(grown.splitlines()) <= set(again.splitlines())
    assert command(capsys, "changelog", "--write")[1] == f"{changelog}: nothing new.\n"
    assert repository.remove(changelog).git("status", "--porcelain").endswith(changelog)
    command(capsys, "changelog", "--write")
    assert repository.read(changelog) == again


def assert_told(text: str, lineage: str) -> None:
    """Every release has a chapter under its day, a break is marked where the manifest knows of one, and comes first."""
    chapters = {
        match["day"]: match["body"]
        for match in re.finditer(
            r"^## \[\S+\] - (?P<day>\S+)[^\n]*\n(?P<body>.*?)<!-- compat: end -->",
            text,
            re.MULTILINE | re.DOTALL,
        )
    }
    released = {e.when.isoformat(): e for e in history.entries() if e.released and e.lineage == lineage}
    assert chapters.keys() == released.keys()
    for key, body in chapters.items():
        entry = released[key]
        assert ("**Breaking:**" in body) is (entry.backward == "breaking"), key
        if entry.backward is None:
            assert "First version." in body
            continue
        order = next(line for line in body.splitlines() if line.startswith("Roll-out: "))
        expected = {
            ("breaking", "breaking"): "no order is safe",
            ("breaking", "compatible"): "writers first",
            ("compatible", "breaking"): "readers first",
            ("undeclared", "breaking"): "readers first",
        }
        assert expected.get((entry.backward or "", entry.forward or ""), "in any order") in order, key
        entries = [line for line in body.splitlines() if line.startswith("- ")]
        first_plain = next((i for i, line in enumerate(entries) if "**Breaking:**" not in line), len(entries))
        sections = re.findall(r"^### .*?(?=^### |\Z)", body, re.MULTILINE | re.DOTALL)
        marked = ["**Breaking:**" in section for section in sections]
        assert marked == sorted(marked, reverse=True), key
        assert first_plain > 0 or entry.backward != "breaking", key


# -- as a careless author would have sent it ------------------------------------------------------------------------


def breaks() -> Iterator[tuple[history.Entry, history.Entry]]:
    newest: dict[str, history.Entry] = {}
    for entry in history.entries():
        if entry.backward == "breaking":
            yield newest[entry.lineage], entry
        newest[entry.lineage] = entry


def careless(before: history.Entry, entry: history.Entry) -> dict[str, Any]:
    """Give the new version under the old number."""
    old, new = json.loads(before.schema), json.loads(entry.schema)
    for key in ("$id", "version"):
        if key in old:
            new[key] = old[key]
    for name in MARKERS:
        for properties in (
            new.get("properties", {}),
            *(d.get("properties", {}) for d in new.get("$defs", {}).values()),
        ):
            if name in properties and name in old.get("properties", {}):
                properties[name] = old["properties"][name]
    return new


@pytest.mark.parametrize("change", list(breaks()), ids=lambda change: change[1].label)
@pytest.mark.parametrize("hidden", [False, True], ids=["as it is", "with a record that vouches for it"])
def test_a_break_under_the_old_number_fails_with_a_witness(
    change: tuple[history.Entry, history.Entry],
    hidden: bool,
    repository: GitRepository,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before, entry = change
    monkeypatch.chdir(repository.root)
    repository.write(before.schema_path, before.schema)
    assert command(capsys, "release", "--date", before.when.isoformat())[0] == 0
    repository.commit(before.label).branch("change")
    sent = careless(before, entry)
    repository.write(entry.schema_path, sent)
    if hidden:
        rows = f"{before.history_path}/releases.ndjson"
        row = {**history_row(sent), "version": before.version, "released": entry.when.isoformat()}
        repository.write(rows, repository.read(rows) + json.dumps(row) + "\n").commit("released, says the author")
    code, judged = report(capsys, "gate", entry.lineage)
    failing = [one for one in judged if one["fails"]]
    assert (code, {one["outcome"] for one in failing}) == (1, {"edited-in-place"})
    witness = failing[0]["forcing"]["witness"]
    old, new, _ = apart_from_marker(json.loads(before.schema), sent)
    assert Draft202012Validator(old).is_valid(witness)
    assert not Draft202012Validator(new).is_valid(witness)
    assert command(capsys, "release", "--date", "2026-12-01")[0] == 1


def history_row(schema: dict[str, Any]) -> dict[str, Any]:
    from compat.jsonvalue import digest

    return {"version": "", "digest": digest(schema), "released": "", "files": []}


# -- this repository ------------------------------------------------------------------------------------------------


@pytest.fixture
def own(tmp_path: Path, git_environment: dict[str, str]) -> GitRepository:
    """A clone of this repository, as far as its history is here."""
    if not (PROJECT_ROOT / ".git").exists():
        pytest.skip("the history of this repository is not here: this is no clone")
    if (PROJECT_ROOT / ".git" / "shallow").exists():
        pytest.skip("the history of this repository is cut off: git fetch --unshallow")
    return cloned(tmp_path / "own", git_environment)


def cloned(folder: Path, environment: dict[str, str], *options: str) -> GitRepository:
    safe = ("-c", "safe.directory=*")
    arguments = ["git", *safe, "clone", "--quiet", "--no-local", *options, PROJECT_ROOT.as_uri(), str(folder)]
    subprocess.run(arguments, check=True, env=environment, capture_output=True)
    return GitRepository(folder, environment, init=False)


def test_this_repository_passes_its_own_gate(
    own: GitRepository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(own.root)
    code, judged = report(capsys, "gate")
    assert (code, [one["lineage"] for one in judged if one["fails"]]) == (0, [])
    assert {"task", "pw-decide-row", "kwau-conversations", "invocation-response"} <= {one["lineage"] for one in judged}
    assert command(capsys, "release", "--dry-run", "--date", "2026-12-01")[0] == 0
    assert own.git("status", "--porcelain") == ""
    assert command(capsys, "changelog", "--write") == (0, f"{CHANGELOG}: nothing new.\n")


@pytest.mark.parametrize("arguments", [("gate",), ("release",), ("changelog",)])
def test_a_shallow_clone_says_what_to_fetch(
    own: GitRepository,
    tmp_path: Path,
    git_environment: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
) -> None:
    shallow = cloned(tmp_path / "shallow", git_environment, "--depth=1")
    monkeypatch.chdir(shallow.root)
    code, said = command(capsys, *arguments)
    assert code == 3
    assert "the clone is shallow" in said
    assert "git fetch" in said
    assert shallow.git("status", "--porcelain") == ""


@pytest.mark.parametrize("arguments", [("gate",), ("release",), ("changelog",)])
def test_an_archive_says_that_it_is_no_clone(
    make_repository: MakeRepository,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
) -> None:
    if not (PROJECT_ROOT / "schemas").is_dir():
        pytest.skip("no checkout: schemas/ and history/ are not part of an installation")
    for folder in ("schemas", "history"):
        shutil.copytree(PROJECT_ROOT / folder, tmp_path / "archive" / folder)
    monkeypatch.chdir(tmp_path / "archive")
    code, said = command(capsys, *arguments)
    assert code == 3
    assert "this is no git repository: run it in a clone of the whole history" in said

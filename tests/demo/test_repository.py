"""The tour's repository is a real one, the same everywhere, whatever git is told on the machine it is built on."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from compat.demo import history, repository


@pytest.fixture
def built(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    folder = tmp_path / "tour"
    folder.mkdir()
    return folder, repository.build(folder)


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True).stdout.strip()


def test_git_finds_nothing_wrong_and_nothing_uncommitted(built: tuple[Path, dict[str, str]]) -> None:
    folder, _ = built
    git(folder, "fsck", "--strict")
    assert git(folder, "status", "--porcelain") == ""
    assert git(folder, "branch", "--show-current") == repository.MAIN


def test_every_version_is_a_commit_with_its_schema(built: tuple[Path, dict[str, str]]) -> None:
    folder, ids = built
    entries = list(history.entries())
    assert set(ids) == {entry.label for entry in entries}
    for entry in entries:
        found = subprocess.run(
            ["git", "show", f"{ids[entry.label]}:{entry.schema_path}"], cwd=folder, capture_output=True, check=True
        )
        assert found.stdout == entry.schema
        when = git(folder, "show", "-s", "--format=%as %an <%ae>", ids[entry.label])
        assert when == f"{entry.when.isoformat()} {entry.author}"


def test_main_and_the_honest_branch_together_are_the_whole_history(built: tuple[Path, dict[str, str]]) -> None:
    folder, _ = built
    repository.switch(folder, repository.HONEST)
    # The newest version is not merged: its records and its release are still to come.
    newest = list(history.chapters())[-1]
    unreleased = {*newest.stored, *newest.released} - {newest.entry.schema_path}
    for path, content in history.final_files().items():
        if path not in unreleased:
            assert (folder / path).read_bytes() == content, path
    assert git(folder, "merge-base", repository.HONEST, repository.MAIN) == git(folder, "rev-parse", repository.MAIN)


def test_tags_name_the_first_release_of_each_number(built: tuple[Path, dict[str, str]]) -> None:
    folder, ids = built
    tags = git(folder, "for-each-ref", "--format=%(refname:short) %(objecttype) %(*objectname)", "refs/tags")
    expected = {
        f"{entry.lineage}/{entry.version} tag {ids[entry.label]}"
        for entry in list(history.entries())[:-1]
        if entry.revision == 1
    }
    assert set(tags.splitlines()) == expected


def test_the_careless_branch_makes_the_same_change_under_the_old_number(built: tuple[Path, dict[str, str]]) -> None:
    folder, _ = built
    entry = list(history.entries())[-1]
    careless = git(folder, "show", f"{repository.CARELESS}:{entry.schema_path}")
    assert f"{entry.lineage}/2" in careless
    assert careless.replace(f"{entry.lineage}/2", f"{entry.lineage}/3") == entry.schema.decode().strip()


def test_the_machines_git_has_no_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    ids = repository.build(plain)
    trap = tmp_path / "ran"
    hooks = tmp_path / "template" / "hooks"
    hooks.mkdir(parents=True)
    hook = hooks / "post-checkout"
    hook.write_text(f"#!/bin/sh\ntouch '{trap}'\n")
    hook.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text(
        f"[init]\n templateDir = {hooks.parent}\n defaultObjectFormat = sha256\n[core]\n autocrlf = true\n"
        f" hooksPath = {hooks}\n[user]\n name = Somebody Else\n"
    )
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_DIR", str(plain / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "their-index"))
    monkeypatch.setenv("GIT_DEFAULT_HASH", "sha256")
    other = tmp_path / "other"
    other.mkdir()
    assert repository.build(other) == ids
    assert not trap.exists()
    assert not (tmp_path / "their-index").exists()
    assert b"\r" not in next((other / "schemas").rglob("*.json")).read_bytes()

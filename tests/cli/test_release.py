"""`compat release`, stopped and refused: record and changelog come together or not at all."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import GitRepository
from click.testing import Result
from killing import every_kill, killed_at

Run = Callable[..., Result]

DAY = ("release", "--date", "2026-05-01")
RECORDS = ("history/item/releases.ndjson", "history/order/releases.ndjson")
CHANGELOG = "schemas/CHANGELOG.md"
JOURNAL = "history/.release-in-progress.json"


def schema(name: str, version: str, *kinds: str) -> dict[str, object]:
    return {"$id": f"https://example.org/{version}/{name}.schema.json", "properties": {"kind": {"enum": list(kinds)}}}


@pytest.fixture
def two(repository: GitRepository) -> GitRepository:
    """Two lineages, each released once by its tag and changed since."""
    for name in ("item", "order"):
        repository.write(f"schemas/{name}.schema.json", schema(name, "1.0.0", "a", "b"))
        repository.commit(name).tag(f"{name}-1.0.0")
    repository.write("schemas/item.schema.json", schema("item", "1.1.0", "a", "b", "c"))
    return repository.write("schemas/order.schema.json", schema("order", "2.0.0", "a")).commit("next")


def state(repository: GitRepository) -> tuple[str, ...]:
    paths = (*RECORDS, CHANGELOG)
    return tuple(repository.read(path) if (repository.root / path).exists() else "" for path in paths)


def listed(folder: Path) -> list[str]:
    files = (path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts)
    return sorted(path.relative_to(folder).as_posix() for path in files)


CODE = "from compat.cli import cli, run\nsys.exit(run(cli, ['release', '--date', '2026-05-01', '--quiet']))\n"


def test_killed_before_any_write_a_release_is_there_whole_or_not_at_all(
    two: GitRepository, tmp_path: Path, run: Run
) -> None:
    clean = two.clone(tmp_path / "clean")
    before = state(clean)
    assert run(clean.root, *DAY).exit_code == 0
    after = state(clean)
    assert all(after)
    stopped = set()
    for write in every_kill():
        copy = two.clone(tmp_path / f"copy-{write}")
        if not killed_at(copy.root, write, CODE):
            assert state(copy) == after
            break
        begun = (copy.root / JOURNAL).exists()
        stopped.add(begun)
        assert begun or state(copy) in (before, after)
        if begun:  # half of it may stand there now, and nothing takes it for a release
            result = run(copy.root, "gate")
            assert (result.exit_code, "compat release finishes it" in result.stderr) == (3, True)
            assert run(copy.root, "changelog").exit_code == 3
            assert run(copy.root, "release", "--dry-run").exit_code == 3
        again = run(copy.root, *DAY)
        assert again.exit_code == 0
        assert ("finished a release" in again.stderr) is begun
        assert state(copy) == after
        assert listed(copy.root) == listed(clean.root)
    assert stopped == {True, False}


def test_a_release_that_was_begun_is_finished_from_any_command_line(
    two: GitRepository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("compat.sources.together._take_places", lambda *_: None)
        run(two.root, *DAY)
    assert not any(state(two))
    assert run(two.root, "release", "item").exit_code == 0
    assert all(state(two))
    assert "nothing to release" in run(two.root, "release").stdout


def test_no_room_left_is_told_and_nothing_is_lost(
    two: GitRepository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    two.write(CHANGELOG, "# Ours\n\nBy hand.\n")
    before = listed(two.root)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        result = run(two.root, *DAY)
    assert result.exit_code == 3
    assert "No space left on device" in result.stderr
    assert listed(two.root) == before
    assert two.read(CHANGELOG) == "# Ours\n\nBy hand.\n"
    assert run(two.root, *DAY).exit_code == 0
    assert "By hand." in two.read(CHANGELOG)


def test_a_place_that_cannot_be_written_is_told_and_nothing_is_lost(two: GitRepository, run: Run) -> None:
    two.write("history", "a file where the folder should be\n")
    result = run(two.root, *DAY)
    assert result.exit_code == 3
    assert "cannot be written" in result.stderr
    assert two.read("history") == "a file where the folder should be\n"
    assert not (two.root / CHANGELOG).exists()


def test_a_changelog_that_cannot_be_kept_stops_the_release(two: GitRepository, run: Run) -> None:
    two.write(CHANGELOG, "<!-- compat: begin item 1.0.0 x -->\nnever ends\n")
    result = run(two.root, *DAY)
    assert result.exit_code != 0
    assert "never ends" in result.stderr
    assert not (two.root / "history").exists()


@pytest.mark.parametrize("command", [DAY, ("changelog", "--write")])
def test_a_changelog_that_is_no_utf_8_is_left_as_it_is(two: GitRepository, run: Run, command: tuple[str, ...]) -> None:
    two.write(CHANGELOG, "# Änderungen\n\nVon Hand.\n".encode("latin-1"))
    result = run(two.root, *command)
    assert result.exit_code == 3
    assert f"{CHANGELOG}:1: is not UTF-8" in result.stderr
    assert (two.root / CHANGELOG).read_bytes().startswith(b"# \xc4nderungen")
    assert not (two.root / "history").exists()


def test_lines_of_a_changelog_end_as_they_did(two: GitRepository, run: Run) -> None:
    two.write(CHANGELOG, b"# Ours\r\n\r\nBy hand.\r\n")
    assert run(two.root, *DAY).exit_code == 0
    made = (two.root / CHANGELOG).read_bytes()
    assert made.count(b"\n") == made.count(b"\r\n") > 20
    assert run(two.root, "changelog", "--write").exit_code == 0
    assert (two.root / CHANGELOG).read_bytes() == made


def test_what_is_written_is_named(two: GitRepository, run: Run) -> None:
    result = run(two.root, *DAY)
    assert f"written: {', '.join(RECORDS)}, {CHANGELOG}" in result.stdout
    assert [json.loads(two.read(path))["version"] for path in RECORDS] == ["1.1.0", "2.0.0"]
    assert re.findall(r"^## (.*)$", two.read(CHANGELOG), re.MULTILINE)[:2] == [
        "item [1.1.0] - 2026-05-01",
        "order [2.0.0] - 2026-05-01",
    ]


def test_a_bare_repository_has_no_place_for_a_release(two: GitRepository, tmp_path: Path, run: Run) -> None:
    bare = two.clone(tmp_path / "bare", "--bare")
    result = run(bare.root, *DAY)
    assert result.exit_code == 3
    assert "bare" in result.stderr
    assert not (bare.root / "history").exists()

"""Several files together or not at all: killed anywhere, out of space, in the way of somebody else."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from killing import every_kill, killed_at

from compat.errors import OutputError, SourceError
from compat.sources.files import Root
from compat.sources.together import finish, write_together, write_whole

JOURNAL = "history/.journal"
OLD = {"history/a/releases.ndjson": b"old a\n", "notes/CHANGELOG.md": b"old notes\n" * 50}
NEW = {**OLD, "history/a/releases.ndjson": b"old a\nnew a\n", "notes/CHANGELOG.md": b"new notes\n" * 50}
ADDED = {"history/b/c/releases.ndjson": b"new b\n"}


def fill(folder: Path, files: Mapping[str, bytes]) -> None:
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)


def held(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def settled(folder: Path) -> dict[str, bytes]:
    """What stands there for anybody, apart from what waits under a name of its own."""
    return {path: data for path, data in held(folder).items() if not path.rpartition("/")[2].startswith(".")}


CODE = f"""
from pathlib import Path
from compat.sources.files import Root
from compat.sources.together import finish, write_together
root = Root(Path("."))
finish(root, {JOURNAL!r})
write_together(root, {JOURNAL!r}, {NEW | ADDED!r})
"""


def test_killed_before_any_write_nothing_is_half_written_and_a_rerun_ends_it(tmp_path: Path) -> None:
    kills = 0
    seen: set[bool] = set()
    for write in every_kill():
        folder = tmp_path / str(write)
        folder.mkdir()
        fill(folder, OLD)
        if not killed_at(folder, write, CODE):
            break
        kills += 1
        begun = (folder / JOURNAL).is_file()
        seen.add(begun)
        if not begun:
            assert settled(folder) in (OLD, NEW | ADDED)
        if write % 2:  # by itself, or before the same thing is asked again
            assert set(finish(Root(folder), JOURNAL)) in (set(), set(NEW | ADDED))
            assert settled(folder) == (NEW | ADDED if begun else settled(folder))
        finish(Root(folder), JOURNAL)
        write_together(Root(folder), JOURNAL, NEW | ADDED)
        assert held(folder) == NEW | ADDED  # and nothing is left lying about
    assert kills > 15
    assert seen == {True, False}


def test_written_files_keep_their_permissions_and_links_lead_where_they_led(tmp_path: Path) -> None:
    fill(tmp_path, OLD)
    (tmp_path / "history/a/releases.ndjson").chmod(0o600)
    (tmp_path / "link.md").symlink_to("notes/CHANGELOG.md")
    write_together(Root(tmp_path), JOURNAL, {"history/a/releases.ndjson": b"x", "link.md": b"y"})
    assert (tmp_path / "history/a/releases.ndjson").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "link.md").is_symlink()
    assert (tmp_path / "notes/CHANGELOG.md").read_bytes() == b"y"


def test_nothing_to_write_writes_nothing(tmp_path: Path) -> None:
    write_together(Root(tmp_path), JOURNAL, {})
    assert list(tmp_path.iterdir()) == []
    assert finish(Root(tmp_path), JOURNAL) == ()


# -- what the system refuses ----------------------------------------------------------------------------------------


def refusing(monkeypatch: pytest.MonkeyPatch, call: int, code: int) -> None:
    """Let the system refuse to sync or to rename: the call of that number, from 0, and all after it."""
    left = [call]

    def refused(real: Callable[..., object]) -> Callable[..., object]:
        def function(*arguments: object, **named: object) -> object:
            left[0] -= 1
            if left[0] < 0:
                raise OSError(code, os.strerror(code))
            return real(*arguments, **named)

        return function

    monkeypatch.setattr(os, "fsync", refused(os.fsync))
    monkeypatch.setattr(os, "replace", refused(os.replace))
    monkeypatch.setattr(Path, "replace", refused(Path.replace))


def refusal(folder: Path) -> OutputError | None:
    try:
        write_together(Root(folder), JOURNAL, NEW)
    except OutputError as error:
        return error
    return None


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS])
def test_a_full_or_frozen_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    outcomes: list[bool] = []
    for call in every_kill():
        folder = tmp_path / str(call)
        folder.mkdir()
        fill(folder, OLD)
        with monkeypatch.context() as patch:
            refusing(patch, call, code)
            told = refusal(folder)
        if told is None:
            break
        assert os.strerror(code) in told.message
        assert told.place is not None
        begun = (folder / JOURNAL).is_file()
        outcomes.append(begun)
        if begun:  # past the point of no return: the rest is kept for later
            assert set(finish(Root(folder), JOURNAL)) == set(NEW)
            assert held(folder) == NEW
        else:
            assert held(folder) in (OLD, NEW)
    assert outcomes[0] is False
    assert True in outcomes


def test_a_file_in_the_way_is_told_before_anything_changes(tmp_path: Path) -> None:
    fill(tmp_path, OLD)
    (tmp_path / "notes/file").write_text("x")
    with pytest.raises(OutputError, match=r"notes/file/b\.md: cannot be written"):
        write_together(Root(tmp_path), JOURNAL, {**NEW, "notes/file/b.md": b"x"})
    assert settled(tmp_path) == OLD | {"notes/file": b"x"}
    assert not (tmp_path / JOURNAL).exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_told_before_anything_changes(tmp_path: Path) -> None:
    fill(tmp_path, OLD)
    (tmp_path / "notes").chmod(0o500)
    with pytest.raises(OutputError, match=r"notes/CHANGELOG\.md: cannot be written: Permission denied"):
        write_together(Root(tmp_path), JOURNAL, NEW)
    assert held(tmp_path) == OLD


# -- journals -------------------------------------------------------------------------------------------------------


def stopped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a writing behind that had just begun."""
    fill(folder, OLD)
    with monkeypatch.context() as patch:
        patch.setattr("compat.sources.together._take_places", lambda *_: None)
        write_together(Root(folder), JOURNAL, NEW)
    assert settled(folder) == OLD


def test_another_writing_waits_until_the_first_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped(tmp_path, monkeypatch)
    with pytest.raises(OutputError, match="not finished"):
        write_together(Root(tmp_path), JOURNAL, ADDED)
    assert finish(Root(tmp_path), JOURNAL) == tuple(NEW)
    write_together(Root(tmp_path), JOURNAL, ADDED)
    assert held(tmp_path) == NEW | ADDED


@pytest.mark.parametrize("harm", ["edited", "swept away"])
def test_what_changed_since_is_never_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harm: str) -> None:
    stopped(tmp_path, monkeypatch)
    if harm == "edited":
        (tmp_path / "notes/CHANGELOG.md").write_text("by hand")
    else:
        next((tmp_path / "notes").glob(".*")).unlink()
    before = settled(tmp_path)
    with pytest.raises(SourceError, match=r"notes/CHANGELOG\.md: was changed since") as caught:
        finish(Root(tmp_path), JOURNAL)
    assert JOURNAL in str(caught.value.hint)
    assert settled(tmp_path) == before


def row(**more: object) -> dict[str, object]:
    return {"path": "a/x", "staged": "a/.x.1.compat-new", "before": None, "after": "0"} | more


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"files": 1}',
        '{"files": [1]}',
        json.dumps({"files": [row(more=1)]}),
        json.dumps({"files": [row(staged="b/.x.1.compat-new")]}),
        json.dumps({"files": [row(staged="a/y")]}),
        json.dumps({"files": [row(path=3)]}),
        json.dumps({"files": [row(path=".git/hooks/x", staged=".git/hooks/.x.1.compat-new")]}),
        json.dumps({"files": [row(path="../x", staged="../.x.1.compat-new")]}),
        "[" * 100_000,
    ],
)
def test_a_journal_of_somebody_else_moves_nothing(tmp_path: Path, text: str) -> None:
    fill(tmp_path, {JOURNAL: text.encode(), "a/x": b"kept"})
    with pytest.raises(SourceError):
        finish(Root(tmp_path), JOURNAL)
    assert (tmp_path / "a/x").read_bytes() == b"kept"


def test_two_runs_never_write_at_once(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    fill(tmp_path, OLD)
    descriptor = os.open(tmp_path / "history", os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        with pytest.raises(OutputError, match="another run"):
            write_together(Root(tmp_path), JOURNAL, NEW)
    finally:
        os.close(descriptor)
    assert held(tmp_path) == OLD
    write_together(Root(tmp_path), JOURNAL, NEW)
    assert held(tmp_path) == NEW


# -- one file -------------------------------------------------------------------------------------------------------


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "target").mkdir()
    (tmp_path / "target/keep").write_text("x")
    with pytest.raises(OutputError, match="target: cannot be written"):
        write_whole(Root(tmp_path), "target", b"data")
    assert [path.name for path in tmp_path.iterdir()] == ["target"]

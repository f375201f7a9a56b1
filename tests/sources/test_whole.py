"""One file, whole before and after, with nobody in between."""

from __future__ import annotations

import errno
import os
import threading
from pathlib import Path

import pytest

from compat.errors import OutputError, SourceError
from compat.sources.files import Root
from compat.sources.whole import STAGED, alone, append_lines, sweep, write_whole

PATH = "history/a/records/1.ndjson"


@pytest.mark.parametrize(
    ("before", "after"),
    [(None, b"x\ny\n"), (b"", b"x\ny\n"), (b"1\n", b"1\nx\ny\n"), (b"1", b"1\nx\ny\n"), (b"1\r\n\n", b"1\r\n\nx\ny\n")],
)
def test_lines_are_appended(tmp_path: Path, before: bytes | None, after: bytes) -> None:
    target = tmp_path / PATH
    if before is not None:
        target.parent.mkdir(parents=True)
        target.write_bytes(before)
        target.chmod(0o640)
    append_lines(Root(tmp_path), PATH, iter([b"x", b"y"]))
    assert target.read_bytes() == after
    assert target.stat().st_mode & 0o777 == (0o644 if before is None else 0o640)
    assert [path.name for path in target.parent.iterdir()] == ["1.ndjson"]


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_whole(Root(tmp_path), PATH, b"1\n")

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="No space left") as caught:
        append_lines(Root(tmp_path), PATH, [b"2"])
    assert PATH in str(caught.value)
    assert (tmp_path / PATH).read_bytes() == b"1\n"
    assert [path.name for path in (tmp_path / PATH).parent.iterdir()] == ["1.ndjson"]


def test_lines_that_break_off_leave_the_file_as_it_was(tmp_path: Path) -> None:
    write_whole(Root(tmp_path), PATH, b"1\n")

    def lines() -> object:
        yield b"2"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        append_lines(Root(tmp_path), PATH, lines())  # type: ignore[arg-type]
    assert (tmp_path / PATH).read_bytes() == b"1\n"
    assert len(list((tmp_path / PATH).parent.iterdir())) == 1


def test_a_pipe_hangs_nobody(tmp_path: Path) -> None:
    (tmp_path / PATH).parent.mkdir(parents=True)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / PATH).symlink_to(tmp_path / "pipe")
    with pytest.raises(OutputError, match="not a regular file"):
        append_lines(Root(tmp_path), PATH, [b"2"])


def test_a_path_that_leads_out_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="leads out"):
        append_lines(Root(tmp_path), "../x.ndjson", [b"2"])


def test_what_a_stopped_run_left_is_swept_and_nothing_else(tmp_path: Path) -> None:
    write_whole(Root(tmp_path), PATH, b"1\n")
    folder = (tmp_path / PATH).parent
    for name in (f".1.ndjson.abc{STAGED}", f".2.ndjson.abc{STAGED}", ".1.ndjson.abc"):
        (folder / name).write_bytes(b"x")
    sweep(Root(tmp_path), PATH)
    assert sorted(path.name for path in folder.iterdir()) == [".1.ndjson.abc", f".2.ndjson.abc{STAGED}", "1.ndjson"]


def test_one_waits_for_the_other_or_is_told(tmp_path: Path) -> None:
    root, order = Root(tmp_path), []
    entered = threading.Event()

    def second() -> None:
        with alone(root, PATH, wait=True):
            order.append("second")
            entered.set()

    with alone(root, PATH):
        with pytest.raises(OutputError, match="another run"), alone(root, PATH):
            order.append("never")
        thread = threading.Thread(target=second)
        thread.start()
        assert not entered.wait(0.2)
        order.append("first")
    thread.join(60)
    assert order == ["first", "second"]

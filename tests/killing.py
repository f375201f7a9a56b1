"""Runs a piece of Python in a process of its own that is killed before its n-th write under a folder.

Kills are real (SIGKILL), so no cleanup of ours runs; what is written counts through the interpreter's audit events,
not through functions that a test would have to know.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

_HARNESS = """
import os, signal, sys
folder, left = os.path.realpath(sys.argv[1]), int(sys.argv[2])
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
NAMED = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.link", "os.symlink", "os.truncate"}

def count():
    global left
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    left -= 1

def hook(event, arguments):
    if event == "open":
        path, _, flags = arguments
        if not isinstance(path, (str, bytes)) or not flags & WRITES:
            return
    elif event not in NAMED:
        return
    else:
        path = arguments[0]
    if isinstance(path, (str, bytes)) and os.path.abspath(os.fsdecode(path)).startswith(folder):
        count()

real_fsync = os.fsync

def torn_fsync(descriptor):
    # Until a file is synced, a crash may keep any part of it.
    if left == 0 and os.fstat(descriptor).st_mode & 0o100000:
        try:
            os.ftruncate(descriptor, os.fstat(descriptor).st_size // 2)
        except OSError:
            pass
    count()
    real_fsync(descriptor)

os.fsync = torn_fsync
sys.addaudithook(hook)
"""


def killed_at(folder: Path, write: int, code: str, environment: dict[str, str] | None = None) -> bool:
    """Run code in a folder and kill it before the write of that number, from 0; False where it ended before that."""
    done = subprocess.run(
        [sys.executable, "-c", _HARNESS + code, str(folder), str(write)],
        cwd=folder,
        env={**os.environ, **(environment or {}), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert done.returncode in (0, -signal.SIGKILL), done.stderr.decode(errors="replace")
    return done.returncode != 0


def every_kill() -> Iterator[int]:
    """Count the writes at which to kill, up to many more than there are."""
    yield from range(500)

"""One file written whole: readers see the old content or the new one, never a part, whenever we are stopped."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from compat.errors import OutputError, Place
from compat.sources.files import Root, shown

STAGED: Final = ".compat-new"
_PIECE: Final = 1 << 20


def write_whole(root: Root, path: str, data: bytes) -> None:
    """Write a file under the root in one step: readers see the old content or the new one, never a part."""
    _write_parts(root, path, (data,))


def append_lines(root: Root, path: str, lines: Iterable[bytes]) -> None:
    """Append lines to a file, whole before and after; lines come without their ends.

    A last line without an end gets one first, so that nothing runs together.
    """
    _write_parts(root, path, _appended(root, path, lines))


def _appended(root: Root, path: str, lines: Iterable[bytes]) -> Iterator[bytes]:
    last = b"\n"
    if root.exists(path):
        place = root.locate(path)
        if not place.is_file():  # a planted pipe would hang the open
            raise OSError(errno.EINVAL, "is not a regular file")
        with place.open("rb") as file:
            while piece := file.read(_PIECE):
                last = piece[-1:]
                yield piece
    if last != b"\n":
        yield b"\n"
    yield from (line + b"\n" for line in lines)


def _write_parts(root: Root, path: str, parts: Iterable[bytes]) -> None:
    with writing(root, path) as target:
        staged = write_beside(target, parts)
        try:
            staged.replace(target)
        except BaseException:
            staged.unlink(missing_ok=True)
            raise
        sync_folder(target.parent)


def write_beside(target: Path, parts: Iterable[bytes]) -> Path:
    """Write data into a new file in the folder of a target, with its permissions, and see it safely on the disk."""
    target.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=STAGED)
    staged = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        staged.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o644)
    except BaseException:
        staged.unlink(missing_ok=True)
        raise
    return staged


@contextmanager
def writing(root: Root, path: str) -> Iterator[Path]:
    """Give the real place of a path; what the system refuses is told as an error about that path."""
    target = root.locate(path)
    try:
        yield target
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror}", place=Place(shown(path))) from None


def sync_folder(folder: Path) -> None:
    """See a new name in a folder safely on the disk, where the system lets a folder be opened."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        pass
    finally:
        os.close(descriptor)


def sweep(root: Root, path: str) -> None:
    """Remove what an earlier run left beside a place when it was stopped before its journal."""
    target = root.locate(path)
    with writing(root, path):
        for stray in target.parent.glob(f".{_literal(target.name)}.*{STAGED}") if target.parent.is_dir() else ():
            stray.unlink(missing_ok=True)


def _literal(name: str) -> str:
    return "".join(f"[{char}]" if char in "*?[" else char for char in name)


@contextmanager
def alone(root: Root, path: str, *, wait: bool = False) -> Iterator[None]:
    """Keep others out of the folder of a path while we write there; the lock goes with the process, however it ends.

    OutputError where another run has it, unless we `wait` until it is done.
    """
    try:
        import fcntl
    except ImportError:  # no such lock on this system
        yield
        return
    folder = root.locate(path).parent
    with writing(root, path):
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OutputError("is being written by another run", place=Place(shown(path))) from None
        except OSError:
            pass  # a file system without locks
        yield
    finally:
        os.close(descriptor)

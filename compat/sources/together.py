"""Several files written together or not at all, whenever we are stopped.

Every file is first written whole beside its place; then one journal says which of them belong together; then each takes
its place. Stopped before the journal is there nothing has changed, and afterwards `finish` does the rest. A journal
that cannot be followed to its end is an error that says why, never half a result.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from compat.errors import OutputError, Place, SourceError
from compat.sources.files import Root, shown

_STAGED: Final = ".compat-new"
_NOTE: Final = "compat was stopped while it wrote these files; the same command again finishes it"


@dataclass(frozen=True, slots=True)
class _Move:
    """A file that waits beside its place: what stands there before (None: nothing), and what will."""

    path: str
    staged: str
    before: str | None
    after: str


def write_together(root: Root, journal: str, contents: Mapping[str, bytes]) -> None:
    """Write several files under the root, all or none; OutputError leaves every one of them as it was.

    `journal` is the file that tells of the writing while it lasts. Where one is there already, `finish` comes first.
    """
    if not contents:
        return
    with _alone(root, journal):
        if root.exists(journal):
            raise OutputError("tells of a writing that was not finished", place=Place(shown(journal)))
        moves: list[_Move] = []
        try:
            for path in (journal, *contents):
                _sweep(root, path)
            for path, data in contents.items():
                moves.append(_stage(root, path, data))
            table = {"note": _NOTE, "files": [asdict(move) for move in moves]}
            write_whole(root, journal, json.dumps(table, indent=2).encode() + b"\n")
        except BaseException:
            if not root.exists(journal):
                for move in moves:
                    root.locate(move.staged).unlink(missing_ok=True)
            raise
        _take_places(root, journal, moves)


def finish(root: Root, journal: str) -> tuple[str, ...]:
    """Finish what a stopped `write_together` began, and give the paths that it wrote; none where there is no journal.

    SourceError where a file is neither as it was nor as it was to become: somebody has been there since.
    """
    if not root.exists(journal):
        return ()
    with _alone(root, journal):
        moves = _read(root, journal)
        for move in moves:
            now = _digest(root, move.path)
            ready = now == move.before and _digest(root, move.staged) == move.after
            if now != move.after and not ready:
                raise SourceError(
                    "was changed since the writing that it was part of was stopped",
                    place=Place(shown(move.path)),
                    hint=f"bring it back as it was, or remove {shown(journal)} to give that writing up",
                )
        _take_places(root, journal, moves)
    return tuple(move.path for move in moves)


def _take_places(root: Root, journal: str, moves: list[_Move]) -> None:
    try:
        for move in moves:
            staged, target = root.locate(move.staged), root.locate(move.path)
            if staged.exists():
                staged.replace(target)
                _sync_folder(target.parent)
        place = root.locate(journal)
        place.unlink(missing_ok=True)
        _sync_folder(place.parent)
    except OSError as error:
        hint = "the rest waits beside its place: make it writable and run the same command again"
        raise OutputError(f"cannot be finished: {error.strerror}", place=Place(shown(journal)), hint=hint) from None


def _stage(root: Root, path: str, data: bytes) -> _Move:
    """Write the new content of a file beside its place; a link keeps leading to what it leads to."""
    before = _digest(root, path)
    with _writing(root, path) as target:
        staged = _write_beside(target, data)
    return _Move(root.relative(target), root.relative(staged), before, _of(data))


def _sweep(root: Root, path: str) -> None:
    """Remove what an earlier run left beside a place when it was stopped before its journal."""
    target = root.locate(path)
    with _writing(root, path):
        for stray in target.parent.glob(f".{_literal(target.name)}.*{_STAGED}") if target.parent.is_dir() else ():
            stray.unlink(missing_ok=True)


def _literal(name: str) -> str:
    return "".join(f"[{char}]" if char in "*?[" else char for char in name)


def _read(root: Root, journal: str) -> list[_Move]:
    place = Place(shown(journal))
    try:
        rows = json.loads(root.read(journal))["files"]
        moves = [_Move(**row) for row in rows]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise SourceError(
            "is no journal that compat wrote", place=place, hint="remove it, and look at what git status says"
        ) from None
    if not all(_is_ours(move) for move in moves):
        raise SourceError("is no journal that compat wrote", place=place, hint="remove it")
    return moves


def _is_ours(move: _Move) -> bool:
    """Whether a row of a journal is one that we write; a journal may come from strangers like any other file."""
    if not all(isinstance(text, str) for text in (move.path, move.staged, move.after)):
        return False
    beside = move.staged.rpartition("/")[0] == move.path.rpartition("/")[0]
    return beside and move.staged.endswith(_STAGED) and ".git" not in move.path.split("/")


def _digest(root: Root, path: str) -> str | None:
    return _of(root.read(path)) if root.exists(path) else None


def _of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# -- one file -------------------------------------------------------------------------------------------------------


def write_whole(root: Root, path: str, data: bytes) -> None:
    """Write a file under the root in one step: readers see the old content or the new one, never a part."""
    with _writing(root, path) as target:
        staged = _write_beside(target, data)
        try:
            staged.replace(target)
        except BaseException:
            staged.unlink(missing_ok=True)
            raise
        _sync_folder(target.parent)


def _write_beside(target: Path, data: bytes) -> Path:
    """Write data into a new file in the folder of a target, with its permissions, and see it safely on the disk."""
    target.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=_STAGED)
    staged = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        staged.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o644)
    except BaseException:
        staged.unlink(missing_ok=True)
        raise
    return staged


@contextmanager
def _writing(root: Root, path: str) -> Iterator[Path]:
    """Give the real place of a path; what the system refuses is told as an error about that path."""
    target = root.locate(path)
    try:
        yield target
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror}", place=Place(shown(path))) from None


def _sync_folder(folder: Path) -> None:
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


@contextmanager
def _alone(root: Root, journal: str) -> Iterator[None]:
    """Keep others out while we write; the lock goes with the process, however it ends."""
    try:
        import fcntl
    except ImportError:  # no such lock on this system
        yield
        return
    folder = root.locate(journal).parent
    with _writing(root, journal):
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OutputError("is being written by another run", place=Place(shown(journal))) from None
        except OSError:
            pass  # a file system without locks
        yield
    finally:
        os.close(descriptor)

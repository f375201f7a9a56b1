"""Several files written together or not at all, whenever we are stopped.

Every file is first written whole beside its place; then one journal says which of them belong together; then each takes
its place. Stopped before the journal is there nothing has changed, and afterwards `finish` does the rest. A journal
that cannot be followed to its end is an error that says why, never half a result.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final

from compat.errors import OutputError, Place, SourceError
from compat.sources.files import Root, shown
from compat.sources.whole import STAGED, alone, sweep, sync_folder, write_beside, write_whole, writing

__all__ = ["finish", "write_together", "write_whole"]

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
    with alone(root, journal):
        if root.exists(journal):
            raise OutputError("tells of a writing that was not finished", place=Place(shown(journal)))
        moves: list[_Move] = []
        try:
            for path in (journal, *contents):
                sweep(root, path)
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
    with alone(root, journal):
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
                sync_folder(target.parent)
        place = root.locate(journal)
        place.unlink(missing_ok=True)
        sync_folder(place.parent)
    except OSError as error:
        hint = "the rest waits beside its place: make it writable and run the same command again"
        raise OutputError(f"cannot be finished: {error.strerror}", place=Place(shown(journal)), hint=hint) from None


def _stage(root: Root, path: str, data: bytes) -> _Move:
    """Write the new content of a file beside its place; a link keeps leading to what it leads to."""
    before = _digest(root, path)
    with writing(root, path) as target:
        staged = write_beside(target, (data,))
    return _Move(root.relative(target), root.relative(staged), before, _of(data))


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
    return beside and move.staged.endswith(STAGED) and ".git" not in move.path.split("/")


def _digest(root: Root, path: str) -> str | None:
    return _of(root.read(path)) if root.exists(path) else None


def _of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()

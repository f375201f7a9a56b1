"""A stream of lines in pieces of about a megabyte that end where lines end: not split, not numbered, not parsed.

Numbering would go through every byte once more, and who parses the lines knows in the end how many they were. Lines end
at LF and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, NamedTuple

from compat.replay.parse import Kind, UnparsableError, is_blank, parses
from compat.replay.streams import Readable, pieces
from compat.replay.unpacking import PIECE, StreamError

MAX_RECORD: Final = 16 << 20
_LOOK_AHEAD: Final = 1 << 20
_SPACE: Final = b" \t\r\n"
_UNFINISHED: Final = (b"{", b"[", b",", b":")
STRUCTURE: Final = re.compile(rb'("[^"\\]*(?:\\.[^"\\]*)*)(")?|[\[\]{},]', re.DOTALL)


class Lines(NamedTuple):
    """Whole lines that follow each other, without the last LF; `nth` counts pieces and gaps of one stream.

    `ended` is False where the last line has no LF.
    """

    source: str
    nth: int
    text: bytes
    ended: bool = True

    def split(self) -> list[bytes]:
        return self.text.split(b"\n")


class Gap(NamedTuple):
    """Where lines should be and none could be read: on which line from here, and how many it takes up."""

    source: str
    nth: int
    error: UnparsableError
    line: int | None = 1
    lines: int = 0


def cut(stream: Readable, name: str) -> Iterator[Lines | Gap]:
    """Cut a stream of lines into pieces; one whose first value is spread over lines is a gap and no more."""
    whole = _pieces(stream, name)
    head = _head(whole)
    spread = _spread(head)
    if spread is not None:
        reason = "one value per line is expected, but a value is spread over several lines; name such a file .json"
        yield Gap(name, 0, UnparsableError(Kind.PRETTY_PRINTED, reason), spread)
        return
    yield from head
    yield from whole


def _pieces(stream: Readable, name: str) -> Iterator[Lines | Gap]:
    """Cut a stream at the last LF of every piece; a stream that breaks off ends with what says so."""
    index, rest, skipping = 0, b"", False
    try:
        for data in _large(pieces(stream)):
            piece = data
            end = piece.rfind(b"\n")
            first = piece.find(b"\n") if skipping or len(rest) + len(piece) > MAX_RECORD else -1
            if skipping or len(rest) + (first if first >= 0 else len(piece)) > MAX_RECORD:
                # The line that is too long ends here, or not yet.
                skipping, rest = first < 0, b""
                if skipping:
                    continue
                yield Gap(name, index, too_long(), lines=1)
                index += 1
                piece, end = piece[first + 1 :], end - first - 1
            if end < 0:
                rest += piece
                continue
            # One copy of the megabyte, not two.
            yield Lines(name, index, b"".join((rest, memoryview(piece)[:end])))
            index += 1
            rest = piece[end + 1 :]
    except StreamError as error:
        yield Gap(name, index, error)
        return
    except OSError as error:
        yield Gap(name, index, UnparsableError(Kind.FILE, cause_of(error)))
        return
    if skipping:
        yield Gap(name, index, too_long(), lines=1)
    elif rest:
        yield Lines(name, index, rest, ended=False)


def _large(parts: Iterator[bytes]) -> Iterator[bytes]:
    """Join what comes in drops, as from a pipe; what came before a stream breaks off is not lost."""
    held: list[bytes] = []
    size = 0
    try:
        for part in parts:
            held.append(part)
            size += len(part)
            if size >= PIECE // 2:
                yield b"".join(held) if len(held) > 1 else part
                held, size = [], 0
    except (OSError, StreamError):
        if held:
            yield b"".join(held)
        raise
    if held:
        yield b"".join(held)


def _head(whole: Iterator[Lines | Gap]) -> list[Lines | Gap]:
    """Take pieces up to the first line that is not blank, and more where no value can end as that one does."""
    head: list[Lines | Gap] = []
    for piece in whole:
        head.append(piece)
        if not isinstance(piece, Lines) or not is_blank(piece.text):
            break
    _, first = next(_filled(head), (0, b""))
    if first.rstrip(_SPACE).endswith(_UNFINISHED):
        size = 0
        for piece in whole:
            head.append(piece)
            size += len(piece.text) if isinstance(piece, Lines) else 0
            if size > _LOOK_AHEAD or not isinstance(piece, Lines):
                break
    return head


def _filled(head: Iterable[Lines | Gap]) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank with their numbers."""
    lines = chain.from_iterable(_each_line(piece) for piece in head if isinstance(piece, Lines))
    return ((number, line) for number, line in enumerate(lines, 1) if not is_blank(line))


def _each_line(piece: Lines) -> Iterator[bytes]:
    # One line is mostly all that is wanted of a megabyte.
    at = 0
    while (end := piece.text.find(b"\n", at)) >= 0:
        yield piece.text[at:end]
        at = end + 1
    yield piece.text[at:]


def _spread(head: list[Lines | Gap]) -> int | None:
    """Give the line where a first value begins that ends on a later one."""
    filled = _filled(head)
    number, first = next(filled, (0, b""))
    if not first.rstrip(_SPACE).endswith(_UNFINISHED):
        return None
    rest = [line for _, line in filled]
    if not rest:
        return None
    text = b"\n".join((first, *rest))
    depth = 0
    for token in STRUCTURE.finditer(text):
        mark = text[token.start() : token.start() + 1]
        depth += (mark in b"[{") - (mark in b"]}")
        if depth <= 0:
            return number if token.end() > len(first) and parses(text[: token.end()]) else None
    return None if parses(rest[0]) else number


def too_long() -> UnparsableError:
    """Say that a record is longer than any may be."""
    return UnparsableError(Kind.TOO_LONG, f"a record longer than {MAX_RECORD >> 20} MiB")


def cut_off(error: UnparsableError) -> UnparsableError:
    """Say of a last line without LF that it is incomplete, where that may be all that is wrong with it."""
    if error.kind is not Kind.MALFORMED and error.kind is not Kind.TRUNCATED:
        return error
    return UnparsableError(Kind.TRUNCATED, "the last record is cut off: it is incomplete and no newline follows")


def cause_of(error: OSError) -> str:
    """Give the words of the system for what went wrong."""
    return (error.strerror or str(error) or type(error).__name__).lower()

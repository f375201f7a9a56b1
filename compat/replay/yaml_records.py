"""Records out of YAML: a document each, or the items of a document that is a list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from compat.errors import ParseError
from compat.model.document import Document, Syntax, parse_document
from compat.replay.cutting import MAX_RECORD
from compat.replay.parse import Kind, UnparsableError
from compat.replay.read import Outcome, Unreadable, record_of
from compat.replay.streams import Readable, pieces
from compat.replay.unpacking import StreamError

_BOM: Final = b"\xef\xbb\xbf"
_START: Final = b"---"
_END: Final = b"..."


def read_yaml(stream: Readable, name: str) -> Iterator[Outcome]:
    """Yield the records of a YAML stream, one document in memory at a time."""
    line, document, size = 1, list[bytes](), 0
    number = 0
    try:
        for number, text in enumerate(_lines(stream), 1):
            if text.startswith(_START) and text[3:4] in b" \t\r\n":
                yield from _records(document, name, line)
                line, document, size = number, [], 0
            document.append(text)
            size += len(text)
            if size > MAX_RECORD:
                raise StreamError(Kind.TOO_LONG, f"a YAML document longer than {MAX_RECORD >> 20} MiB")
    except UnparsableError as error:
        yield Unreadable(error.kind, error.reason, name, number + 1 if error.kind is Kind.COMPRESSION else line)
        return
    except OSError as error:
        yield Unreadable(Kind.FILE, (error.strerror or str(error)).lower(), name, number + 1)
        return
    yield from _records(document, name, line)


def _lines(stream: Readable) -> Iterator[bytes]:
    rest = b""
    for index, piece in enumerate(pieces(stream)):
        *lines, rest = (rest + (piece if index else piece.removeprefix(_BOM))).split(b"\n")
        yield from (line + b"\n" for line in lines)
        if len(rest) > MAX_RECORD:
            raise StreamError(Kind.TOO_LONG, f"a line longer than {MAX_RECORD >> 20} MiB")
    if rest:
        yield rest


def _records(lines: list[bytes], name: str, first: int) -> Iterator[Outcome]:
    """Parse one document that begins on the line `first`; one that says nothing is no record."""
    if all(map(_says_nothing, lines)):
        return
    try:
        document = parse_document(b"".join(lines), name=name, syntax=Syntax.YAML)
    except ParseError as error:
        place = error.place
        at = None if place is None or place.line is None else first + place.line - 1
        column = None if place is None else place.column
        yield Unreadable(Kind.MALFORMED, error.message, name, at or first, column)
        return
    if isinstance(document.value, list):
        yield from (
            record_of(item, name, first + _line(document, f"/{index}") - 1) for index, item in enumerate(document.value)
        )
    else:
        yield record_of(document.value, name, first + _line(document, "") - 1)


def _line(document: Document, pointer: str) -> int:
    position = document.position(pointer)
    return 1 if position is None else position.line


def _says_nothing(line: bytes) -> bool:
    said = line.strip()
    if said.startswith(_START) or said == _END:
        said = said[3:].strip()
    return not said or said.startswith((b"#", b"%"))

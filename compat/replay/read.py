"""Records out of files: a value a line, an array, or a document a file, with the physical line of each.

Whatever cannot be read is yielded too, with its place and reason, so that what went in is what comes out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from compat.jsonvalue import JSON, dumps
from compat.replay.cutting import MAX_RECORD, STRUCTURE, Gap, Lines, cause_of, cut, cut_off, too_long
from compat.replay.parse import Kind, UnparsableError, is_blank, parse_record, parses
from compat.replay.streams import Readable, pieces
from compat.replay.unpacking import without_ending

_SPACE: Final = b" \t\r\n"


class Record(NamedTuple):
    """One value that was really written; a tuple, because millions of them are made.

    `ordinary` is False where a number needs more than a float or 64 bits.
    """

    value: JSON
    source: str
    line: int
    ordinary: bool = True


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A place where a record should be and none could be read; `line` is None for a file as a whole."""

    kind: Kind
    reason: str
    source: str
    line: int | None = None
    column: int | None = None

    @property
    def place(self) -> str:
        parts = (self.source, self.line, self.column)
        return ":".join(str(part) for part in parts if part is not None)


class Layout(StrEnum):
    """How records lie in a file."""

    LINES = "lines"
    DOCUMENT = "document"
    YAML = "yaml"
    PARQUET = "parquet"


Outcome = Record | Unreadable


class Run(NamedTuple):
    """Lines that follow each other, not parsed yet; the last one has no LF where `ended` is False."""

    source: str
    number: int
    lines: list[bytes]
    ended: bool = True

    def outcomes(self) -> Iterator[Outcome]:
        """Parse every line that is not blank."""
        for number, data in enumerate(self.lines, self.number):
            found = self.outcome(number, data)
            if found is not None:
                yield found

    def outcome(self, number: int, data: bytes) -> Outcome | None:
        """Parse one of the lines; None for a blank one."""
        try:
            value, ordinary = parse_record(data[:-1] if data.endswith(b"\r") else data)
        except UnparsableError as error:
            if is_blank(data):
                return None
            return _unreadable(error if self.ended else cut_off(error), self.source, number)
        return Record(value, self.source, number, ordinary)


# What comes out of a file: lines not even split, or what lies otherwise in it.
Piece = Lines | Gap | Record | Unreadable
Block = Piece | Run


# What a file's name ends in, before what says that it is packed.
_LAYOUTS: Final = {
    ".ndjson": Layout.LINES,
    ".jsonl": Layout.LINES,
    ".json": Layout.DOCUMENT,
    ".yaml": Layout.YAML,
    ".yml": Layout.YAML,
    ".parquet": Layout.PARQUET,
}


def layout_of(name: str) -> Layout:
    """Tell the layout from a file's name: `.json` holds a document or an array of records, all else a value a line."""
    plain = without_ending(name.lower())
    return next((layout for ending, layout in _LAYOUTS.items() if plain.endswith(ending)), Layout.LINES)


def record_of(value: object, name: str, line: int) -> Outcome:
    """Make a record of a value that was not read from JSON, held to the bounds of one that was."""
    try:
        exact, ordinary = parse_record(dumps(value).encode("utf-8", "surrogatepass"))
    except UnparsableError as error:
        return Unreadable(error.kind, error.reason, name, line)
    return Record(exact, name, line, ordinary)


def read_file(path: Path, name: str | None = None) -> Iterator[Outcome]:
    """Yield the records of a file; a file that cannot be opened is one Unreadable without a line."""
    shown = path.as_posix() if name is None else name
    return read_opened(lambda: path.open("rb"), shown)


def read_opened(opener: Callable[[], Readable], name: str, layout: Layout | None = None) -> Iterator[Outcome]:
    """Yield the records of what `opener` opens, and close it again where it can be closed."""
    return outcomes(read_blocks(opener, name, layout))


def outcomes(blocks: Iterable[Block]) -> Iterator[Outcome]:
    """Parse what is not parsed yet."""
    for block in numbered(blocks):
        if isinstance(block, Run):
            yield from block.outcomes()
        else:
            yield block


def read_blocks(opener: Callable[[], Readable], name: str, layout: Layout | None = None) -> Iterator[Block]:
    """Yield the same in larger pieces: lines in runs, for who parses them where they are needed."""
    return numbered(read_pieces(opener, name, layout))


def read_pieces(opener: Callable[[], Readable], name: str, layout: Layout | None = None) -> Iterator[Piece]:
    """Yield the same for a replay: lines as they are, neither split nor numbered."""
    try:
        stream = opener()
    except OSError as error:
        yield Unreadable(Kind.FILE, cause_of(error), name)
        return
    try:
        yield from stream_pieces(stream, name, layout)
    finally:
        close = getattr(stream, "close", None)
        if close is not None:
            close()


def read_stream(stream: Readable, name: str, layout: Layout | None = None) -> Iterator[Outcome]:
    """Yield the records of an open stream in constant memory."""
    return outcomes(numbered(stream_pieces(stream, name, layout)))


def stream_pieces(stream: Readable, name: str, layout: Layout | None = None) -> Iterator[Piece]:
    """Yield what an open stream holds for a replay."""
    layout = layout or layout_of(name)
    if layout is Layout.DOCUMENT:
        return _Documents(stream, name).read()
    # The readers of these load libraries that lines of JSON do without.
    if layout is Layout.YAML:
        from compat.replay.yaml_records import read_yaml

        return read_yaml(stream, name)
    if layout is Layout.PARQUET:
        from compat.replay.parquet import read_parquet

        return read_parquet(stream, name)
    return cut(stream, name)


def numbered(blocks: Iterable[Block]) -> Iterator[Run | Record | Unreadable]:
    """Split pieces into lines and number them, from 1 in every stream."""
    before = 0
    for piece in blocks:
        before = before if not isinstance(piece, Lines | Gap) or piece.nth else 0
        if isinstance(piece, Lines):
            lines = piece.split()
            yield Run(piece.source, before + 1, lines, piece.ended)
            before += len(lines)
        elif isinstance(piece, Gap):
            yield unreadable_at(piece, before)
            before += piece.lines
        else:
            yield piece


def unreadable_at(gap: Gap, before: int) -> Unreadable:
    """Say of a gap where it is in its stream, after so many lines."""
    line = None if gap.line is None else before + gap.line
    return Unreadable(gap.error.kind, gap.error.reason, gap.source, line, gap.error.column)


class _Documents:
    """A reader of one document, or of the elements of one array without ever holding the array."""

    def __init__(self, stream: Readable, name: str) -> None:
        self._pieces = pieces(stream)
        self._name = name
        self._buffer = b""
        self._line = 1
        self._counted = 0  # how far into the buffer `_line` has got

    def read(self) -> Iterator[Outcome]:
        try:
            if not self._fill_blank():
                return
            if self._buffer.startswith(b"["):
                yield from self._elements()
            else:
                yield self._document()
        except UnparsableError as error:
            yield _unreadable(error, self._name, self._line)
        except OSError as error:
            yield Unreadable(Kind.FILE, cause_of(error), self._name, self._line)

    def _more(self) -> bool:
        piece = next(self._pieces, b"")
        self._buffer += piece
        return bool(piece)

    def _count_to(self, offset: int) -> None:
        self._line += self._buffer.count(b"\n", self._counted, offset)
        self._counted = offset

    def _drop(self, count: int) -> None:
        self._count_to(count)
        self._buffer = self._buffer[count:]
        self._counted = 0

    def _fill_blank(self) -> bool:
        """Go to the first byte that is no white space; False at the end of the stream."""
        if self._line == 1 and not self._buffer:
            self._more()
            self._buffer = self._buffer.removeprefix(b"\xef\xbb\xbf")
        while True:
            self._drop(len(self._buffer) - len(self._buffer.lstrip(_SPACE)))
            if self._buffer:
                return True
            if not self._more():
                return False

    def _document(self) -> Outcome:
        while self._more():
            if len(self._buffer) > MAX_RECORD:
                raise too_long()
        try:
            value, ordinary = parse_record(self._buffer)
        except UnparsableError as error:
            first, _, rest = self._buffer.partition(b"\n")
            if error.kind is Kind.MALFORMED and rest.strip(_SPACE) and parses(first):
                reason = "one document is expected, but there is a value on every line; name such a file .ndjson"
                raise UnparsableError(Kind.MALFORMED, reason) from None
            raise self._located(error, self._buffer) from None
        return Record(value, self._name, self._line, ordinary)

    def _elements(self) -> Iterator[Outcome]:
        self._drop(1)
        depth = start = at = count = 0
        while True:
            token = STRUCTURE.search(self._buffer, at)
            if token is None or (token[1] is not None and token[2] is None):
                at = len(self._buffer) if token is None else token.start()
                self._drop(start)
                at, start = at - start, 0
                if len(self._buffer) > MAX_RECORD:
                    raise too_long()
                if not self._more():
                    self._fill_blank()
                    raise UnparsableError(Kind.TRUNCATED, "the array is never closed: the file is cut off")
                continue
            at = token.end()
            mark = self._buffer[token.start()]
            if mark in b"[{":
                depth += 1
            elif depth and mark in b"]}":
                depth -= 1
            elif not depth and mark in b",]}":
                element = self._buffer[start : token.start()]
                text = element.lstrip(_SPACE)
                self._count_to(token.start() - len(text))
                if mark == 0x7D:
                    raise UnparsableError(Kind.MALFORMED, "the array ends with a brace")
                if count or mark == 0x2C or text:
                    yield self._element(text)
                count += 1
                start = at
                if mark == 0x5D:
                    break
        self._drop(start)
        if self._fill_blank():
            raise UnparsableError(Kind.MALFORMED, "more text after the end of the array")

    def _element(self, text: bytes) -> Outcome:
        if not text:
            return Unreadable(Kind.MALFORMED, "a value is missing beside a comma of the array", self._name, self._line)
        try:
            value, ordinary = parse_record(text)
        except UnparsableError as error:
            return _unreadable(error, self._name, self._line)
        return Record(value, self._name, self._line, ordinary)

    def _located(self, error: UnparsableError, text: bytes) -> UnparsableError:
        """Turn a column counted through a whole document into a line and the column on it."""
        if error.column is None:
            return error
        before = text[: error.column - 1]
        self._line += before.count(b"\n")
        return UnparsableError(error.kind, error.reason, error.column - 1 - before.rfind(b"\n"))


def _unreadable(error: UnparsableError, name: str, line: int | None) -> Unreadable:
    return Unreadable(error.kind, error.reason, name, line, error.column)

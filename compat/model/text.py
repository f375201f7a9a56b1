"""A source text: bytes to characters, offsets to lines and columns, and the marks that tell where each value stands."""

from __future__ import annotations

import codecs
from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NoReturn

from compat.errors import ParseError, Place

MAX_BYTES = 64 * 2**20
MAX_DEPTH = 256
_EXCERPT = 160

_BOM = "\ufeff"
_LFS_HEADER = "version https://git-lfs.github.com/spec/"
# Longest first: UTF-32's little-endian mark begins with UTF-16's.
_FOREIGN = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


class Syntax(StrEnum):
    """How a text writes its value."""

    JSON = "json"
    YAML = "yaml"

    @classmethod
    def of(cls, name: str) -> Syntax:
        """Guess by the suffix of a file name; what is not YAML is JSON."""
        return cls.YAML if name.lower().endswith((".yaml", ".yml")) else cls.JSON


@dataclass(frozen=True, slots=True)
class Position:
    """A line and a column, both from 1; columns count code points."""

    line: int
    column: int


@dataclass(slots=True)
class Mark:
    """Where a value starts (for a member of an object: where its key starts) and the marks of what it holds."""

    offset: int
    members: dict[str, Mark] | None = None
    items: list[Mark] | None = None

    def at(self, tokens: tuple[str, ...]) -> Mark | None:
        """Follow the tokens of a JSON Pointer; None where the text has nothing."""
        mark: Mark | None = self
        for token in tokens:
            if mark is None:
                return None
            if mark.members is not None:
                mark = mark.members.get(token)
            elif mark.items is not None and token.isascii() and token.isdigit() and len(token) <= 18:
                index = int(token)
                mark = mark.items[index] if index < len(mark.items) else None
            else:
                return None
        return mark


class TextError(Exception):
    """A text that breaks its syntax at `offset`; the reader adds the name of the text."""

    def __init__(self, message: str, offset: int, *, pointer: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset
        self.pointer = pointer
        self.hint = hint


class Text:
    """Characters with the lines they stand on."""

    def __init__(self, name: str, content: str) -> None:
        self.name = name
        self.content = content

    @cached_property
    def _starts(self) -> list[int]:
        starts, at = [0], self.content.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.content.find("\n", at + 1)
        return starts

    def position(self, offset: int) -> Position:
        """Turn an offset into line and column; only LF ends a line."""
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1] + 1)

    def excerpt(self, offset: int) -> str:
        """Give the line that holds `offset`, cut to a window around it where the line is very long."""
        start = self._starts[bisect_right(self._starts, offset) - 1]
        end = self.content.find("\n", start)
        line = self.content[start : end if end >= 0 else len(self.content)].removesuffix("\r")
        if len(line) <= _EXCERPT:
            return line
        first = max(0, min(offset - start - _EXCERPT // 2, len(line) - _EXCERPT))
        cut = line[first : first + _EXCERPT]
        return f"{'…' if first else ''}{cut}{'…' if first + _EXCERPT < len(line) else ''}"

    def refuse(self, fault: TextError) -> NoReturn:
        """Raise a fault as the error that names this text, the line and the column."""
        at = self.position(fault.offset)
        place = Place(self.name, fault.pointer, at.line, at.column)
        raise ParseError(fault.message, place=place, hint=fault.hint) from None


def decode(data: bytes | str, name: str) -> tuple[str, tuple[str, ...]]:
    """Read bytes as UTF-8 and give the characters with what was odd about them; ParseError names other encodings."""
    if len(data) > MAX_BYTES:
        raise ParseError(
            f"the text has {len(data):,} bytes; at most {MAX_BYTES:,} are read",
            place=Place(name),
            hint="Split it, or leave it out of what is governed.",
        )
    content = data if isinstance(data, str) else _characters(data, name)
    notes: tuple[str, ...] = ()
    if content.startswith(_BOM):
        content = content[1:]
        notes = ("the text begins with a byte order mark (BOM), which was passed over",)
    if content.startswith(_LFS_HEADER):
        raise ParseError(
            "this is a Git LFS pointer, not the file it stands for",
            place=Place(name, None, 1, 1),
            hint="Fetch the content with: git lfs pull",
        )
    return content, notes


def _characters(data: bytes, name: str) -> str:
    encoding = next((encoding for mark, encoding in _FOREIGN if data.startswith(mark)), None) or _unmarked(data)
    if encoding is not None:
        raise ParseError(
            f"the text is encoded in {encoding}; UTF-8 is expected",
            place=Place(name),
            hint=f"Convert it with: iconv -f {encoding} -t UTF-8",
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        start = data.rfind(b"\n", 0, error.start) + 1
        line = data.count(b"\n", 0, error.start) + 1
        column = len(data[start : error.start].decode("utf-8", "replace")) + 1
        raise ParseError(
            f"byte 0x{data[error.start]:02x} at offset {error.start} is not valid UTF-8",
            place=Place(name, None, line, column),
            hint="Save the file as UTF-8.",
        ) from None


def _unmarked(data: bytes) -> str | None:
    # JSON and YAML begin with an ASCII character, so zero bytes among the first four give the encoding away.
    zeros = tuple(byte == 0 for byte in data[:4])
    if zeros in {(True, True, True, False), (False, True, True, True)}:
        return "UTF-32"
    if zeros[:2] in {(True, False), (False, True)}:
        return "UTF-16"
    return None

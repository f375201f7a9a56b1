"""One record's bytes → its exact value, or why it is none; many ordinary records at once.

orjson is fast but reads `18446744073709551616` as a float, rounds long decimals and lets the last of two equal keys
win. Its answer is taken only where writing the value again gives the same text: then no member was lost and no digit
was rounded. Every other text goes through an exact, slower parser.
"""

from __future__ import annotations

import json
import math
import re
import secrets
from collections.abc import Iterable
from decimal import Decimal
from enum import StrEnum
from typing import Final

import msgspec
import orjson

from compat.jsonvalue import JSON, MAX_EXPONENT, scalars

MAX_DEPTH: Final = 512
MAX_DIGITS: Final = 4_000
_BOM: Final = b"\xef\xbb\xbf"
_SPACE: Final = b" \t\r\n"
_INT64: Final = (-(2**63), 2**64 - 1)
# Stands for a line end between two values: no record can hold it, by accident or on purpose.
_MARK: Final = secrets.randbits(62) | 1 << 61
_BETWEEN: Final = b",%d," % _MARK
_BORDERS: Final = (b"\\u0022", b"\\u005c", b"\\u005C")
# What a number from 2^63 on looks like where `parse_lines` gives values; much else does too.
MAY_BE_LARGE: Final = re.compile(rb"(?:^|[\s:,\[])-?(?:[0-9]{19}|[0-9][0-9.]*e[0-9]{2})")
_BRACKETS: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{}]', re.DOTALL)


class Kind(StrEnum):
    """What is wrong with a record that cannot be read."""

    MALFORMED = "malformed"
    TRUNCATED = "truncated"
    PRETTY_PRINTED = "pretty-printed"
    ENCODING = "encoding"
    NUMBER = "number"
    DUPLICATE_KEY = "duplicate-key"
    SURROGATE = "surrogate"
    TOO_LONG = "too-long"
    TOO_DEEP = "too-deep"
    COMPRESSION = "compression"
    FILE = "file"
    UNCHECKED = "unchecked"  # read, but no validator could judge it


class UnparsableError(Exception):
    """A text that is no record: the kind, the reason in words, and the column (in bytes, from 1) where known."""

    def __init__(self, kind: Kind, reason: str, column: int | None = None) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        self.column = column


def parse_record(data: bytes) -> tuple[JSON, bool]:
    """Give the exact value of one JSON text and whether all its numbers are ordinary, or raise UnparsableError.

    Ordinary means a float or an integer of 64 bits, the numbers every validator reads alike.
    """
    try:
        value: JSON = orjson.loads(data)
    except orjson.JSONDecodeError:
        return _parse_slowly(data)
    if len(data) > 2 * MAX_DEPTH and data.count(b"{") + data.count(b"[") > MAX_DEPTH and _depth(value) > MAX_DEPTH:
        raise _too_deep()
    try:
        again = orjson.dumps(value)
    except orjson.JSONEncodeError:  # it reads deeper than it writes
        return _parse_slowly(data)
    if again == data:
        return value, True
    # Removing every space keeps the structure of a text, so equal remains mean equal member counts and equal numbers.
    if again.translate(None, _SPACE) == data.translate(None, _SPACE):
        return value, True
    if b"\\u" in data:
        escaped = json.dumps(value, separators=(",", ":")).encode("ascii")
        if escaped.translate(None, _SPACE) == data.translate(None, _SPACE):
            return value, True
    return _parse_slowly(data)


def parse_lines(text: bytes) -> list[JSON] | None:
    """Give the exact values of lines at a quarter less than the cost of each; None where one asks for a closer look.

    Every value is ordinary and its text is that of its line, white space and escapes apart. A blank line, or one that
    is no record, a long number, a repeated key and whatever else is rare make it None.
    """
    listed = b"[%b]" % text.replace(b"\n", _BETWEEN)
    try:
        found: list[JSON] = orjson.loads(listed)
        again = orjson.dumps(found)
        if again != listed and not _written_alike(again, listed):
            return None
    except (ValueError, TypeError, RecursionError):  # those of all three parsers
        return None
    # Had a mark become part of a value, because a line was none by itself, fewer would stand between the values.
    marks = (len(listed) - 2 - len(text)) // (len(_BETWEEN) - 1)
    if len(found) != 2 * marks + 1 or found[1::2] != [_MARK] * marks:
        return None
    return found[::2]


def _written_alike(again: bytes, text: bytes) -> bool:
    """Tell whether what orjson wrote is a text again, but for white space and for how characters are escaped."""
    plain = msgspec.json.format(text, indent=-1)
    if again == plain:
        return True
    if b"\\" not in plain:
        return False
    if b"\\/" in plain and b"\\\\" not in plain:
        plain = plain.replace(b"\\/", b"/")
    # An escape that is a quote or a backslash would move the border of a string when it is undone.
    if b"\\u" not in plain or any(border in plain for border in _BORDERS) or not plain.isascii():
        return again == plain
    unescaped = plain.decode("raw_unicode_escape")
    try:
        return again == unescaped.encode()
    except UnicodeEncodeError:  # pairs of surrogates, which are one character each
        return again == unescaped.encode("utf-16", "surrogatepass").decode("utf-16").encode()


def parse_exactly(data: bytes) -> JSON:
    """Parse without any shortcut: duplicate keys, lost digits and what JSON does not allow are all refused by name."""
    data = data.removeprefix(_BOM)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        reason = f"not UTF-8: byte 0x{data[error.start]:02x}"
        raise UnparsableError(Kind.ENCODING, reason, error.start + 1) from None
    _refuse_depth(data)
    try:
        value: JSON = _EXACT.decode(text)
    except json.JSONDecodeError as error:
        raise _malformed(text, error) from None
    except RecursionError:
        raise _too_deep() from None
    if "\\u" in text:
        _refuse_surrogates(value)
    return value


def parses(data: bytes) -> bool:
    """Tell whether a text is a record."""
    try:
        parse_record(data)
    except UnparsableError:
        return False
    return True


def is_blank(data: bytes) -> bool:
    """Tell whether there is nothing but JSON white space (a byte order mark counts as none)."""
    return not data.removeprefix(_BOM).strip(_SPACE)


def _parse_slowly(data: bytes) -> tuple[JSON, bool]:
    value = parse_exactly(data)
    return value, all(map(_is_ordinary, scalars(value)))


def _is_ordinary(scalar: object) -> bool:
    if isinstance(scalar, int):
        return _INT64[0] <= scalar <= _INT64[1]
    return not isinstance(scalar, Decimal)


def _number(text: str) -> float | Decimal:
    if len(text) > MAX_DIGITS:
        raise UnparsableError(Kind.NUMBER, f"a number of more than {MAX_DIGITS:,} digits")
    near = float(text)
    if math.isinf(near):
        raise UnparsableError(Kind.NUMBER, f"{_short(text)} is beyond the range of numbers that JSON readers share")
    written = Decimal(text)
    if Decimal(repr(near)) == written:
        return near
    if abs(written.adjusted()) > MAX_EXPONENT:
        raise UnparsableError(Kind.NUMBER, f"{_short(text)} is too small a number to keep exactly")
    return written


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise UnparsableError(Kind.NUMBER, f"a number of more than {MAX_DIGITS:,} digits")
    return int(text)


def _constant(text: str) -> JSON:
    raise UnparsableError(Kind.NUMBER, f"{text} is no JSON number")


def _members(pairs: Iterable[tuple[str, JSON]]) -> dict[str, JSON]:
    members: dict[str, JSON] = {}
    for key, item in pairs:
        if key in members:
            raise UnparsableError(Kind.DUPLICATE_KEY, f"the key {json.dumps(_short(key))} occurs twice in one object")
        members[key] = item
    return members


_EXACT: Final = json.JSONDecoder(
    object_pairs_hook=_members, parse_float=_number, parse_int=_integer, parse_constant=_constant
)


def _depth(value: JSON) -> int:
    level: list[JSON] = [value]
    depth = -1
    while level:
        depth += 1
        level = [
            child
            for item in level
            if isinstance(item, dict | list)
            for child in (item.values() if isinstance(item, dict) else item)
        ]
    return depth


def _refuse_depth(data: bytes) -> None:
    if data.count(b"{") + data.count(b"[") <= MAX_DEPTH:
        return
    depth = 0
    for token in _BRACKETS.finditer(data):
        first = data[token.start()]
        if first in b"{[":
            depth += 1
            if depth > MAX_DEPTH:
                raise _too_deep()
        elif first in b"}]":
            depth -= 1


def _too_deep() -> UnparsableError:
    return UnparsableError(Kind.TOO_DEEP, f"nested deeper than {MAX_DEPTH} levels")


def _refuse_surrogates(value: JSON) -> None:
    for item in scalars(value):
        if isinstance(item, str) and not item.isascii() and any("\ud800" <= char <= "\udfff" for char in item):
            raise UnparsableError(Kind.SURROGATE, "a string holds half of a surrogate pair, which is no character")


def _malformed(text: str, error: json.JSONDecodeError) -> UnparsableError:
    column = len(text[: error.pos].encode("utf-8", "surrogatepass")) + 1
    if not text[error.pos :].strip() or error.msg.startswith("Unterminated string"):
        return UnparsableError(Kind.TRUNCATED, "the text ends in the middle of a value", column)
    if error.msg == "Extra data":
        return UnparsableError(Kind.MALFORMED, "more text after the end of the value", column)
    return UnparsableError(Kind.MALFORMED, f"not JSON: {error.msg[0].lower()}{error.msg[1:]}", column)


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "…"

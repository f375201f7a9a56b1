"""Text from schemas, records and file names, made harmless for where it goes."""

from __future__ import annotations

import re
import shlex
import unicodedata
from functools import cache

# Cc: controls (ESC among them). Cf: invisible format characters, which include the bidirectional overrides that make a
# line read other than it is. Cs: lone surrogates. Zl, Zp: separators that some terminals break lines at.
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
# What build servers take for a command, whatever format was asked for: `::name` where a line starts, and `##[name]` or
# `##vso[name]` anywhere in it.
_COMMAND = re.compile(r"^([^\S\n]*)::|##(?=\w*\[)", re.MULTILINE)
# All that may be unsafe; asking about each character of a long report would take longer than making it.
_SUSPECT, _SUSPECT_IN_LINES = re.compile(r"[^\x20-\x7e]"), re.compile(r"[^\n\x20-\x7e]")
# What XML 1.0 cannot hold even as a reference, beyond what is unsafe anywhere.
_NOT_XML = re.compile("[\ufffe\uffff]")


def terminal(text: str, *, keep: str = "") -> str:
    """Write every character that could steer a terminal or a build server as an escape; those in `keep` stay."""
    return inert(_SUSPECT.sub(lambda found: found[0] if found[0] in keep else _seen(found[0]), text))


def inert(text: str) -> str:
    """Write what a build server takes for a command so that it does not; it is read line by line, in any format."""
    if "::" not in text and "##" not in text:
        return text
    return _COMMAND.sub(lambda found: "#\\x23" if found[1] is None else f"{found[1]}\\x3a:", text)


def xml(text: str) -> str:
    """Write text that an XML document can hold, lines kept; markup is left to whoever writes the document."""
    return _NOT_XML.sub(lambda found: _escaped(found[0]), terminal(text, keep="\n"))


def json_text(text: str) -> str:
    """Write JSON with every unsafe character in its strings as a JSON escape; it means the same."""
    if "##" in text:
        text = _COMMAND.sub(lambda found: "#\\u0023" if found[1] is None else found[0], text)
    return _SUSPECT_IN_LINES.sub(lambda found: _json_seen(found[0]), text)


def shell(*words: str) -> str:
    """Write a command line for a POSIX shell; a word with a character that no terminal should see is written as an
    escape that bash, zsh and ksh read."""
    return " ".join(_word(word) for word in words)


def _word(word: str) -> str:
    if inert(word) == word and not any(_is_unsafe(found[0]) for found in _SUSPECT.finditer(word)):
        return shlex.quote(word)
    data = word.encode("utf-8", "surrogateescape" if _is_file_name(word) else "surrogatepass")
    return "$'" + "".join(chr(byte) if _is_plain(byte) else f"\\x{byte:02x}" for byte in data) + "'"


def _is_file_name(word: str) -> bool:
    """Whether the lone surrogates in it are those of a file name that is no UTF-8."""
    return all(not "\ud800" <= char <= "\udfff" or "\udc80" <= char <= "\udcff" for char in word)


def _is_plain(byte: int) -> bool:
    return chr(byte).isascii() and chr(byte).isprintable() and chr(byte) not in "'\\#"


@cache
def _is_unsafe(char: str) -> bool:
    return unicodedata.category(char) in _UNSAFE


def _json_seen(char: str) -> str:
    if not _is_unsafe(char):
        return char
    code = ord(char)
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


def _seen(char: str) -> str:
    return _escaped(char) if _is_unsafe(char) else char


def _escaped(char: str) -> str:
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"

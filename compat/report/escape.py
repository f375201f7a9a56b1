"""Text from schemas, records and file names, made harmless for where it goes."""

from __future__ import annotations

import unicodedata

# Cc: controls (ESC among them). Cf: invisible format characters, which include the bidirectional overrides that make a
# line read other than it is. Cs: lone surrogates. Zl, Zp: separators that some terminals break lines at.
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def terminal(text: str, *, keep: str = "") -> str:
    """Write every character that could steer a terminal as an escape; those in `keep` stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        char if char in keep or unicodedata.category(char) not in _UNSAFE else _escaped(char) for char in text
    )


def _escaped(char: str) -> str:
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"

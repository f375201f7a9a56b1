"""Text from schemas as Markdown: it stays what it is, on one line, and can neither format nor link anything."""

from __future__ import annotations

import re
import unicodedata

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~!&])")
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def escaped(text: str) -> str:
    """Write text from a schema so that Markdown and HTML leave it as it is, on one line."""
    return _SPECIAL.sub(r"\\\1", _one_line(text))


# A quoted value, or one that was cut short at either end.
_QUOTED = re.compile(r'(?:"|…)(?:[^"\\…]|\\.)*(?:"|…)')


def sentence(text: str) -> str:
    """Write a sentence with the values it quotes as code."""
    parts, at = [], 0
    for quoted in _QUOTED.finditer(text):
        parts += [escaped(text[at : quoted.start()]), code(quoted.group())]
        at = quoted.end()
    return "".join([*parts, escaped(text[at:])])


def code(text: str) -> str:
    """Write text as a code span, whatever ticks it holds."""
    line = _one_line(text)
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    space = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{space}{line}{space}{fence}"


def _one_line(text: str) -> str:
    return "".join(
        char if unicodedata.category(char) not in _UNSAFE else " " if char in "\n\r\t" else f"\\u{ord(char):04x}"
        for char in text
    )

"""What changed, told to those who read or write the data: Keep a Changelog, from released versions and their findings.

Pure: findings in, Markdown out.
"""

from __future__ import annotations

from compat.changelog.chapter import Chapter, chapter_text, in_order
from compat.changelog.document import PREAMBLE, render
from compat.changelog.entries import Section
from compat.changelog.markup import code, escaped, sentence

__all__ = [
    "PREAMBLE",
    "Chapter",
    "Section",
    "chapter_text",
    "code",
    "escaped",
    "in_order",
    "render",
    "sentence",
]

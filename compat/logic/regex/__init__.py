"""Regular languages over Unicode: ECMA-262 patterns, words and lengths, and searches over their combinations."""

from __future__ import annotations

from compat.logic.regex.language import Language
from compat.logic.regex.listing import Exhausted, More, words
from compat.logic.regex.parsing import PatternError
from compat.logic.regex.search import Empty, GaveUp, Word, find, includes

__all__ = [
    "Empty",
    "Exhausted",
    "GaveUp",
    "Language",
    "More",
    "PatternError",
    "Word",
    "find",
    "includes",
    "words",
]

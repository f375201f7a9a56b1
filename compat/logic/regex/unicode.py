"""Property escapes: what `\\p{…}` means, asked of the engine that also checks our witnesses.

No table is shipped: one pass of the matcher over all code points gives the intervals of a property, so both always
speak of the same version of Unicode. A pass takes a few hundredths of a second and happens once per property.
"""

from __future__ import annotations

from array import array
from functools import lru_cache

from corvus_regex_ecma262 import Regex, error

from compat.logic.regex.charset import SURROGATES, CharSet, from_ranges


@lru_cache(maxsize=1)
def _all_text() -> str:
    return "".join(map(chr, (*range(SURROGATES[0]), *range(SURROGATES[1], 0x110000))))


@lru_cache(maxsize=64)
def property_set(name: str) -> CharSet | None:
    """Give the code points of `L`, `Letter`, `Script=Greek`, `Emoji` …; None when there is no such property."""
    if not name.replace("=", "").replace("_", "").isalnum():
        return None
    try:
        one = Regex(rf"\p{{{name}}}", "u")
        runs = Regex(rf"\p{{{name}}}+", "u")
    except error:
        return None
    width = SURROGATES[1] - SURROGATES[0]
    ranges: list[tuple[int, int]] = []
    for match in runs.finditer(_all_text()):
        low, high = match.span()
        # The text leaves the surrogates out: positions after the gap are shifted by its width.
        if low < SURROGATES[0] < high:
            ranges += ((low, SURROGATES[0]), (SURROGATES[1], high + width))
        elif low >= SURROGATES[0]:
            ranges.append((low + width, high + width))
        else:
            ranges.append((low, high))
    if one.test(array("H", [SURROGATES[0]])):
        ranges.append(SURROGATES)
    return from_ranges(ranges)

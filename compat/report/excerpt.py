"""The source lines a finding stands on, with a caret under what is meant."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from compat.assess.model import Finding
from compat.errors import Excerpt, Place
from compat.report.escape import terminal

_LEAST = 20


@dataclass(frozen=True, slots=True)
class Marked:
    """One line of source ready to be shown, and the line of carets that goes under it."""

    gutter: str
    text: str
    carets: str

    @property
    def blank(self) -> str:
        """The gutter of the carets' line."""
        return " " * (len(self.gutter) - 1) + self.gutter[-1:]


def excerpts(finding: Finding, width: int) -> Iterator[Marked]:
    """Yield the lines a finding stands on, old before new; a side that has no such place is left out."""
    sides = list(_sides(finding))
    if len(sides) == 2 and sides[0][1].excerpt == sides[1][1].excerpt:
        sides = sides[1:]
    numbers = max((len(str(place.line)) for _, place in sides), default=0)
    for label, place in sides:
        yield from source_line(place, width, label=f"{label} ", digits=numbers)


def source_line(place: Place, width: int, *, label: str = "", digits: int = 0) -> Iterator[Marked]:
    """Yield the line that a place stands on, or nothing where its text is not known."""
    if place.excerpt is not None:
        gutter = f"{label}{str(place.line).rjust(digits)} │"
        yield _marked(place.excerpt, gutter, max(width - len(gutter) - 1, _LEAST))


def _sides(finding: Finding) -> Iterator[tuple[str, Place]]:
    change = finding.change
    for label, place, there in (
        ("old", finding.old_place, change is None or change.old.exists),
        ("new", finding.new_place, change is None or change.new.exists),
    ):
        if there and place is not None and place.excerpt is not None:
            yield label, place


def _marked(found: Excerpt, gutter: str, room: int) -> Marked:
    text = found.text.lstrip()
    start = found.start - (len(found.text) - len(text))
    cells = [terminal(char) if char != "\t" else " " for char in text]
    first, last = _window([_width(cell) for cell in cells], start, found.length, room)
    before, after = "…" if first else "", "…" if last < len(cells) else ""
    shown = terminal("".join(cells[first:last]))
    lead = len(before) + sum(_width(cell) for cell in cells[first:start])
    marked = sum(_width(cell) for cell in cells[start : min(start + found.length, last)])
    return Marked(gutter, f"{before}{shown}{after}", " " * lead + "^" * max(1, marked))


def _window(widths: list[int], start: int, length: int, room: int) -> tuple[int, int]:
    """Choose which characters fit: all of them, else from the beginning, else around the mark."""
    if sum(widths) <= room:
        return 0, len(widths)
    room -= 2  # an ellipsis at either end
    first = 0
    if sum(widths[: start + length]) > room:
        first, lead = start, 0
        while first and lead + widths[first - 1] <= room // 4:
            first -= 1
            lead += widths[first]
    last, taken = first, 0
    while last < len(widths) and taken + widths[last] <= room:
        taken += widths[last]
        last += 1
    return first, last


def _width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )

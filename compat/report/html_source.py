"""The two versions of a schema side by side around what a finding is about, line by line, what differs marked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import pairwise, zip_longest

from compat.assess.model import Finding
from compat.errors import Excerpt, Place

# How much is shown before a place, of what is inside it, and after that.
_BEFORE, _INSIDE, _AFTER = 2, 12, 2
# Two places that are further apart are shown each with its own surroundings.
_TOGETHER = 12
# A line that is longer is cut.
_WIDEST = 240
_TAB = "    "
# What may be spent on setting texts beside each other: lines of one text, and lines times lines of a whole report.
_LONGEST, _BUDGET = 3_000, 40_000_000

# A key, of JSON or of YAML; a text; a number or word of JSON.
_TOKEN = re.compile(
    r'("(?:[^"\\]|\\.)*+"(?=\s*+:)|(?<![^\s-])[\w$-]++(?=:(?:\s|$)))'
    r'|("(?:[^"\\]|\\.)*+")'
    r"|(?<![\w.$-])(-?\d[\d.eE+-]*+|true|false|null)(?![\w.$-])"
)
_KINDS = ("key", "text", "word")


class Mark(StrEnum):
    """How a line stands to the other version."""

    SAME = "same"
    GONE = "gone"
    ADDED = "added"
    NONE = "none"  # the other version has lines here, this one has none


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a line: a key, a text, another word or what is between; `meant` where the finding points at it."""

    text: str
    kind: str = ""
    meant: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A line of one version; without a number where this version has none beside the other's."""

    number: int | None
    mark: Mark
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Side:
    """A part of one version: where it is from and its lines."""

    source: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Sides:
    """What a finding is about in both versions; None where a version has nothing to show."""

    old: Side | None
    new: Side | None


# A line of the old version beside one of the new one, by their places in the texts from 0, and whether they are alike.
Row = tuple[int | None, int | None, bool]


@dataclass(frozen=True, slots=True)
class _Aligned:
    """Two texts beside each other, and in which row each of their lines stands."""

    rows: Sequence[Row]
    at: tuple[dict[int, int], dict[int, int]]

    @classmethod
    def of(cls, rows: Sequence[Row]) -> _Aligned:
        old = {row[0]: index for index, row in enumerate(rows) if row[0] is not None}
        new = {row[1]: index for index, row in enumerate(rows) if row[1] is not None}
        return cls(rows, (old, new))


@dataclass(frozen=True, slots=True)
class _Alike:
    """So many lines from one place of the old text on that are like those from a place of the new one."""

    old: int
    new: int
    size: int

    @property
    def end_old(self) -> int:
        return self.old + self.size

    @property
    def end_new(self) -> int:
        return self.new + self.size

    def longer(self, lines: int) -> _Alike:
        return _Alike(self.old, self.new, self.size + lines)

    def later(self, lines: int) -> _Alike:
        return _Alike(self.old + lines, self.new + lines, self.size - lines)


class Beside:
    """Sets the versions of schemas beside each other, each pair of texts once."""

    def __init__(self) -> None:
        self._left = _BUDGET
        # The texts are kept, so that no other can come by the identity of one of them.
        self._known: dict[tuple[int, int], tuple[Sequence[str], Sequence[str], _Aligned | None]] = {}

    def sides(self, finding: Finding) -> Sides | None:
        """Show what a finding is about; None where the text of neither version is known."""
        old, new = _text(finding.old_place), _text(finding.new_place)
        if old is None or new is None:
            alone = old or new
            if alone is None:
                return None
            mark = Mark.GONE if new is None else Mark.ADDED
            side = _alone(alone, mark)
            return Sides(side, None) if new is None else Sides(None, side)
        change = finding.change
        there = (change is None or change.old.exists, change is None or change.new.exists)
        aligned = self._beside(old.excerpt.lines, new.excerpt.lines)
        if aligned is None:
            return Sides(_alone(old, Mark.GONE, meant=there[0]), _alone(new, Mark.ADDED, meant=there[1]))
        return _window(old, new, there, aligned)

    def _beside(self, old: Sequence[str], new: Sequence[str]) -> _Aligned | None:
        if not old or not new:
            return None
        key = id(old), id(new)
        if key not in self._known:
            self._known[key] = old, new, self._aligned(old, new)
        return self._known[key][2]

    def _aligned(self, old: Sequence[str], new: Sequence[str]) -> _Aligned | None:
        """Align two texts, indentation and a comma at the end aside; None where that would be too much work."""
        before, after = [[_core(line) for line in lines] for lines in (old, new)]
        same = 0
        while same < min(len(before), len(after)) and before[same] == after[same]:
            same += 1
        tail = 0
        while tail < min(len(before), len(after)) - same and before[-1 - tail] == after[-1 - tail]:
            tail += 1
        middle = before[same : len(before) - tail], after[same : len(after) - tail]
        cost = len(middle[0]) * len(middle[1])
        if max(map(len, middle)) > _LONGEST or cost > self._left:
            return None
        self._left -= cost
        alike = [_Alike(0, 0, same)]
        alike += [
            _Alike(same + a, same + b, size) for a, b, size in SequenceMatcher(None, *middle).get_matching_blocks()
        ]
        alike.append(_Alike(len(before) - tail, len(after) - tail, tail))
        return _Aligned.of(list(_rows(_settled((old, before), (new, after), alike))))


@dataclass(frozen=True, slots=True)
class _Text:
    """A place whose text is known: the line from 0, and the excerpt with its mark."""

    source: str
    line: int
    excerpt: Excerpt


def _text(place: Place | None) -> _Text | None:
    if place is None or place.excerpt is None or place.line is None:
        return None
    excerpt = place.excerpt
    if not 0 < place.line <= len(excerpt.lines):
        # Only the line itself is known.
        return None if excerpt.lines else _Text(place.source, place.line - 1, excerpt)
    return _Text(place.source, place.line - 1, excerpt)


def _core(line: str) -> str:
    return line.strip().removesuffix(",")


def _rows(alike: Sequence[_Alike]) -> Iterator[Row]:
    """Set lines that are alike beside each other, and between them what is only in one text."""
    old = new = 0
    for block in alike:
        yield from ((one, other, False) for one, other in zip_longest(range(old, block.old), range(new, block.new)))
        yield from ((block.old + line, block.new + line, True) for line in range(block.size))
        old, new = block.old + block.size, block.new + block.size


# The lines of a text, as they are written and as they are compared.
_Written = tuple[Sequence[str], Sequence[str]]


def _settled(old: _Written, new: _Written, blocks: Sequence[_Alike]) -> list[_Alike]:
    """Let what was put in or taken out begin where a reader sees it begin.

    Of `}, "b": {…` and `"b": {…},` both may tell the difference; the second has the key first.
    """
    settled = [blocks[0]]
    for block in blocks[1:]:
        if not block.size and block is not blocks[-1]:
            continue
        before, after = settled[-1], block
        gap_old, gap_new = after.old - before.end_old, after.new - before.end_new
        if bool(gap_old) != bool(gap_new):
            lines, start, length = (old, before.end_old, gap_old) if gap_old else (new, before.end_new, gap_new)
            by = _slide(lines, start, length, before.size, after.size)
            settled[-1], after = before.longer(by), after.later(by)
        settled.append(after)
    return settled


def _slide(text: _Written, start: int, length: int, up: int, down: int) -> int:
    """Say how many lines later, or earlier, a stretch may begin with the same effect, and best does."""
    lines, cores = text
    first = last = start
    while start - first < up and cores[first - 1] == cores[first + length - 1]:
        first -= 1
    while last - start < down and cores[last] == cores[last + length]:
        last += 1
    return min(range(first, last + 1), key=lambda at: (*_opening(lines[at]), abs(at - start))) - start


def _opening(line: str) -> tuple[bool, int]:
    """Weigh how well a stretch begins with a line: not with what closes another, and as far left as can be."""
    return line.lstrip()[:1] in set("]}"), _depth(line)


def _alone(text: _Text, mark: Mark, *, meant: bool = True) -> Side:
    """Show a place without the other version: only its own line is marked."""
    lines = text.excerpt.lines
    if not lines:
        return Side(text.source, (Line(text.line + 1, mark, tuple(_pieces(text.excerpt))),))
    shown = range(max(0, text.line - _BEFORE), min(len(lines), _end(lines, text.line) + _AFTER + 1))
    return Side(
        text.source,
        tuple(_line(text, at, mark if meant and at == text.line else Mark.SAME, meant=meant) for at in shown),
    )


def _window(old: _Text, new: _Text, there: tuple[bool, bool], aligned: _Aligned) -> Sides:
    """Show the rows around a place: one window where both places are near each other, else one each."""
    spans = []
    for side, text in enumerate((old, new)):
        at = aligned.at[side]
        spans.append((at[text.line], at[_end(text.excerpt.lines, text.line)]))
    if not there[0]:
        spans[0] = spans[1]
    elif not there[1]:
        spans[1] = spans[0]
    if abs(spans[0][0] - spans[1][0]) <= _TOGETHER:
        spans = [(min(spans[0][0], spans[1][0]), max(spans[0][1], spans[1][1]))] * 2
    sides = []
    for side, text in enumerate((old, new)):
        first, last = max(0, spans[side][0] - _BEFORE), spans[side][1] + _AFTER + 1
        sides.append(Side(text.source, tuple(_lines(text, side, there[side], aligned.rows[first:last]))))
    return Sides(*sides)


def _lines(text: _Text, side: int, there: bool, rows: Sequence[Row]) -> Iterator[Line]:
    changed = (Mark.GONE, Mark.ADDED)[side]
    for row in rows:
        at = row[side]
        if at is None:
            yield Line(None, Mark.NONE)
        else:
            yield _line(text, at, Mark.SAME if row[2] else changed, meant=there)


def _line(text: _Text, at: int, mark: Mark, *, meant: bool) -> Line:
    if at == text.line and meant:
        return Line(at + 1, mark, tuple(_pieces(text.excerpt)))
    written = text.excerpt.lines[at].removesuffix("\r")
    cut = f"{written[:_WIDEST]}…" if len(written) > _WIDEST else written
    return Line(at + 1, mark, tuple(_pieces(Excerpt(cut, 0, 0))))


def _end(lines: Sequence[str], at: int) -> int:
    """Give the last line of what begins at one, so far as it is shown: what is indented deeper belongs to it."""
    depth = _depth(lines[at]) if at < len(lines) else 0
    last = at
    while last + 1 < min(len(lines), at + _INSIDE) and (not lines[last + 1].strip() or _depth(lines[last + 1]) > depth):
        last += 1
    return min(last, max(len(lines) - 1, 0))


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def colored(text: str) -> Iterator[Piece]:
    """Yield JSON in pieces that can be told apart."""
    return _pieces(Excerpt(text, 0, 0))


def _pieces(excerpt: Excerpt) -> Iterator[Piece]:
    last = 0
    for found in _TOKEN.finditer(excerpt.text):
        yield from _split(excerpt, last, found.start(), "")
        yield from _split(excerpt, found.start(), found.end(), _KINDS[(found.lastindex or 1) - 1])
        last = found.end()
    yield from _split(excerpt, last, len(excerpt.text), "")


def _split(excerpt: Excerpt, first: int, last: int, kind: str) -> Iterator[Piece]:
    """Yield a stretch of a line, cut where the mark begins and ends."""
    begin, end = excerpt.start, excerpt.start + excerpt.length
    cuts = [max(first, min(cut, last)) for cut in (first, begin, end, last)]
    for place, (start, stop) in enumerate(pairwise(cuts)):
        if start < stop:
            yield Piece(excerpt.text[start:stop].replace("\t", _TAB), kind, meant=place == 1)

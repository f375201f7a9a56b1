"""The plainest patterns, `^x-[a-z]{1,5000}$`: a fixed beginning and one loop, whose lengths decide everything.

Counters of any size are compared here without counting.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from compat.logic.regex.algebra import repeat, seq
from compat.logic.regex.charset import CharSet, best, rank
from compat.logic.regex.making import EMPTY, EPSILON, chars
from compat.logic.regex.nodes import Chars, Concat, Node, Not, Repeat
from compat.logic.regex.surface import below


@dataclass(frozen=True, slots=True)
class Line:
    """Pieces of one set of characters and a count each, then a loop of `least` to `most`."""

    fixed: tuple[tuple[CharSet, int], ...]
    body: CharSet
    least: int
    most: int | None

    @property
    def before(self) -> int:
        """The length of the fixed beginning."""
        return sum(count for _, count in self.fixed)

    def clipped(self, longest: int) -> Node:
        """The words of at most `longest` characters."""
        room = longest - self.before
        if room < self.least:
            return EMPTY
        node = repeat(chars(self.body), self.least, room if self.most is None else min(room, self.most))
        for piece, count in reversed(self.fixed):
            node = seq(repeat(chars(piece), count, count), node)
        return node

    def word(self, low: int, high: int | None) -> str | None:
        """A shortest word within the lengths; None where there is none."""
        length = max(low, self.before + self.least)
        if (high is not None and length > high) or (self.most is not None and length > self.before + self.most):
            return None
        text = "".join(_readable(piece) * count for piece, count in self.fixed)
        rest = length - len(text)
        return text + _readable(self.body) * rest if rest else text


def as_line(node: Node) -> Line | None:
    """See a language as a line, where it is one and has words that can be written."""
    fixed: list[tuple[CharSet, int]] = []
    while True:
        head, node = (node.head, node.tail) if type(node) is Concat else (node, EPSILON)
        most: int | None = 1
        if type(head) is Chars:
            piece, least = head.chars, 1
        elif type(head) is Repeat and type(head.body) is Chars:
            piece, least, most = head.body.chars, head.least, head.most
        else:
            return None
        if not _readable(piece):
            return None
        if node is EPSILON:
            return Line(tuple(fixed), piece, least, most)
        if least != most:
            return None
        fixed.append((piece, least))


def beyond(line: Line, parts: Iterable[Node]) -> tuple[int, list[Node]]:
    """Turn complements that allow nothing short into a least length; the other parts come back."""
    low = 0
    left: list[Node] = []
    for part in parts:
        if type(part) is Not and part.inner.high is not None and below(line.clipped(part.inner.high), part.inner):
            low = max(low, part.inner.high + 1)
        else:
            left.append(part)
    return low, left


def _readable(piece: CharSet) -> str:
    """The most readable character of a set; nothing where it holds only surrogates."""
    found = [char for low, high in piece.ranges() if (char := best(low, high)) is not None]
    return chr(min(found, key=rank)) if found else ""

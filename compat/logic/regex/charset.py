"""Sets of code points as sorted interval bounds, interned so that equal sets are one object."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from weakref import WeakValueDictionary

LIMIT = 0x110000  # one past the last code point
SURROGATES = (0xD800, 0xE000)

# Which of (neither, only the second, only the first, both) a combination keeps.
_OR = (False, True, True, True)
_AND = (False, False, False, True)
_MINUS = (False, False, True, False)


class CharSet:
    """An immutable set of code points.

    `bounds` holds the points where membership changes, so [b0, b1) and [b2, b3) … are inside.
    """

    __slots__ = ("__weakref__", "bounds", "key")

    bounds: tuple[int, ...]
    key: int  # the same in every process, unlike id()

    def __bool__(self) -> bool:
        return bool(self.bounds)

    def __contains__(self, point: int) -> bool:
        return bool(bisect_right(self.bounds, point) & 1)

    def ranges(self) -> Iterator[tuple[int, int]]:
        """Yield the half-open intervals in ascending order."""
        return zip(self.bounds[::2], self.bounds[1::2], strict=True)

    def size(self) -> int:
        return sum(high - low for low, high in self.ranges())

    def __or__(self, other: CharSet) -> CharSet:
        return self if other is self else _combined(self, other, _OR)

    def __and__(self, other: CharSet) -> CharSet:
        return self if other is self else _combined(self, other, _AND)

    def __sub__(self, other: CharSet) -> CharSet:
        return _combined(self, other, _MINUS)

    def __invert__(self) -> CharSet:
        return _combined(ANY_CHAR, self, _MINUS)

    def __le__(self, other: CharSet) -> bool:
        return self is other or not _combined(self, other, _MINUS).bounds

    def __repr__(self) -> str:
        return "CharSet(" + ", ".join(f"{low:#x}-{high - 1:#x}" for low, high in self.ranges()) + ")"


_interned: WeakValueDictionary[tuple[int, ...], CharSet] = WeakValueDictionary()


def from_bounds(bounds: tuple[int, ...]) -> CharSet:
    """Intern the set with these strictly ascending change points."""
    found = _interned.get(bounds)
    if found is None:
        found = CharSet()
        found.bounds = bounds
        found.key = hash(bounds)
        _interned[bounds] = found
    return found


def from_ranges(ranges: Iterable[tuple[int, int]]) -> CharSet:
    """Intern the union of half-open intervals given in any order, overlapping or not."""
    bounds: list[int] = []
    for low, high in sorted(ranges):
        if low >= high:
            continue
        if bounds and low <= bounds[-1]:
            bounds[-1] = max(bounds[-1], high)
        else:
            bounds += (low, high)
    return from_bounds(tuple(bounds))


@lru_cache(maxsize=4096)
def one_point(point: int) -> CharSet:
    return from_bounds((point, point + 1))


def from_points(points: Iterable[int]) -> CharSet:
    return from_ranges((point, point + 1) for point in points)


@lru_cache(maxsize=1 << 14)
def _combined(first: CharSet, second: CharSet, keep: tuple[bool, bool, bool, bool]) -> CharSet:
    left, right = first.bounds, second.bounds
    i = j = 0
    inside = 0  # bit 1: in first, bit 0: in second
    out: list[int] = []
    state = False
    while i < len(left) or j < len(right):
        at = left[i] if j >= len(right) or (i < len(left) and left[i] <= right[j]) else right[j]
        if i < len(left) and left[i] == at:
            inside ^= 2
            i += 1
        if j < len(right) and right[j] == at:
            inside ^= 1
            j += 1
        if keep[inside] != state:
            state = not state
            out.append(at)
    return from_bounds(tuple(out))


NO_CHAR = from_bounds(())
ANY_CHAR = from_bounds((0, LIMIT))
DIGIT = from_ranges([(0x30, 0x3A)])
WORD = from_ranges([(0x30, 0x3A), (0x41, 0x5B), (0x5F, 0x60), (0x61, 0x7B)])
LINE_END = from_points([0x0A, 0x0D, 0x2028, 0x2029])
SPACE = LINE_END | from_points(
    [0x09, 0x0B, 0x0C, 0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000, 0xFEFF]
)
DOT = ~LINE_END

# What people read best comes first: letters, capitals, digits, then the marks that need no escape.
_READABLE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:/@+=,;#~!$%&*^|?()<>[]{}' `\"\\"
_RANK = {ord(char): rank for rank, char in enumerate(_READABLE)}
_ASCII_RUNS = ((0x61, 0x7B), (0x41, 0x5B), (0x30, 0x3A))
_LOOK_AHEAD = 256  # how far into one interval a printable character is looked for


def rank(point: int) -> int:
    """Rank a code point for reading: the lower, the better."""
    known = _RANK.get(point)
    if known is not None:
        return known
    if point < 0x80:
        return 5_000_000 + point
    text = chr(point)
    if text.isalnum():
        return 1_000 + point
    return (2_000_000 if text.isprintable() else 6_000_000) + point


@lru_cache(maxsize=1 << 13)
def best(low: int, high: int) -> int | None:
    """Pick the most readable code point of [low, high); None when it holds only surrogates."""
    for start, stop in _ASCII_RUNS:
        if low < stop and start < high:
            return max(low, start)
    if low < 0x80:
        plain = min(range(low, min(high, 0x80)), key=rank)
        beyond = best(0x80, high) if high > 0x80 else None
        return plain if beyond is None else min(plain, beyond, key=rank)
    if low >= SURROGATES[0] and high <= SURROGATES[1]:
        return None
    if SURROGATES[0] <= low < SURROGATES[1]:
        low = SURROGATES[1]
    elif low < SURROGATES[0] < high:
        high = SURROGATES[0]
    return min(range(low, min(high, low + _LOOK_AHEAD)), key=rank)


@lru_cache(maxsize=1 << 10)
def _ascii(chars: CharSet) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Give the ASCII characters that can be seen, the most readable first, and those that cannot."""
    points = sorted((point for low, high in chars.ranges() for point in range(low, min(high, 0x80))), key=rank)
    hidden = tuple(point for point in points if point < 0x20 or point == 0x7F)
    return tuple(points[: len(points) - len(hidden)]), hidden


def in_reading_order(chars: CharSet) -> Iterator[int]:
    """Yield every code point but surrogates: plain ASCII by readability, then the rest ascending, printable first."""
    plain, hidden = _ascii(chars)
    yield from plain
    later: list[tuple[int, int]] = []
    for low, high in chars.ranges():
        for point in range(max(low, 0x80), high):
            if SURROGATES[0] <= point < SURROGATES[1]:
                continue
            if chr(point).isprintable():
                yield point
            elif later and later[-1][1] == point:
                later[-1] = (later[-1][0], point + 1)
            else:
                later.append((point, point + 1))
    yield from hidden
    for low, high in later:
        yield from range(low, high)

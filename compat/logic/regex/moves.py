"""Functions from code points to languages, kept as intervals."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from compat.logic.regex.algebra import union
from compat.logic.regex.charset import LIMIT, CharSet, from_ranges
from compat.logic.regex.making import EMPTY
from compat.logic.regex.nodes import Node

Arms = list[tuple[CharSet, Node]]


@dataclass(frozen=True, slots=True)
class Moves:
    """A function from code points to languages: `targets[i]` from `starts[i]` up to the next start."""

    starts: tuple[int, ...]
    targets: tuple[Node, ...]

    def __call__(self, point: int) -> Node:
        return self.targets[bisect_right(self.starts, point) - 1]

    def segments(self) -> Iterator[tuple[int, int, Node]]:
        """Yield each interval [low, high) with its target."""
        return zip(self.starts, (*self.starts[1:], LIMIT), self.targets, strict=True)

    def arms(self) -> list[tuple[CharSet, Node]]:
        """List the targets that are not empty with the characters that lead there."""
        by_target: dict[Node, list[tuple[int, int]]] = {}
        for low, high, target in self.segments():
            if target is not EMPTY:
                by_target.setdefault(target, []).append((low, high))
        return [(from_ranges(ranges), target) for target, ranges in by_target.items()]


NOWHERE = Moves((0,), (EMPTY,))


def combined(maps: Sequence[Moves], join: Callable[[tuple[Node, ...]], Node]) -> Moves:
    """Join several functions point by point."""
    starts, columns = product(maps)
    known: dict[tuple[Node, ...], Node] = {}
    targets = []
    for column in columns:
        target = known.get(column)
        if target is None:
            target = known[column] = join(column)
        targets.append(target)
    return compact(starts, targets)


def product(maps: Sequence[Moves]) -> tuple[Sequence[int], list[tuple[Node, ...]]]:
    """Cut the code points so finely that every function is constant on each interval."""
    if len(maps) == 1:
        return maps[0].starts, [(target,) for target in maps[0].targets]
    starts = sorted({start for one in maps for start in one.starts})
    rows = []
    for one in maps:
        if len(one.starts) == len(starts):
            rows.append(one.targets)
            continue
        row: list[Node] = []
        ends = (*one.starts[1:], LIMIT)
        index = 0
        for start in starts:
            while start >= ends[index]:
                index += 1
            row.append(one.targets[index])
        rows.append(tuple(row))
    return starts, list(zip(*rows, strict=True))


def compact(starts: Sequence[int], targets: Sequence[Node]) -> Moves:
    kept_starts: list[int] = []
    kept: list[Node] = []
    for start, target in zip(starts, targets, strict=True):
        if not kept or kept[-1] is not target:
            kept_starts.append(start)
            kept.append(target)
    return Moves(tuple(kept_starts), tuple(kept))


def united(arms: Arms) -> Moves:
    """Sweep over the alphabet, uniting the targets of all arms that hold a character."""
    by_target: dict[Node, CharSet] = {}
    for chars, target in arms:
        if chars and target is not EMPTY:
            known = by_target.get(target)
            by_target[target] = chars if known is None else known | chars
    if not by_target:
        return NOWHERE
    targets = list(by_target)
    events: dict[int, list[int]] = {0: []}
    for index, chars in enumerate(by_target.values()):
        for bound in chars.bounds:
            events.setdefault(bound, []).append(index)
    events.pop(LIMIT, None)
    active: set[int] = set()
    unions: dict[tuple[int, ...], Node] = {}
    swept: list[Node] = []
    starts = sorted(events)
    for start in starts:
        active.symmetric_difference_update(events[start])
        key = tuple(sorted(active))
        if key not in unions:
            unions[key] = union(targets[index] for index in key)
        swept.append(unions[key])
    return compact(starts, swept)

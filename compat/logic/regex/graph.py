"""The part of a product of languages that a search has seen, one state at a time.

A state is a language of its own: what may still follow. Its unions are split into states of their own, so positive
parts are searched like a nondeterministic automaton and only what is complemented grows into sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from compat.logic.budget import Budget
from compat.logic.regex.algebra import inter
from compat.logic.regex.charset import LIMIT, best, rank
from compat.logic.regex.derivative import moves
from compat.logic.regex.making import EMPTY
from compat.logic.regex.moves import product
from compat.logic.regex.nodes import Inter, Node, Union
from compat.logic.regex.surface import apart

_SPLIT = 128  # more alternatives at once stay together as one state
_PAIRS = 24  # wider intersections are not compared pair by pair


def width(node: Node) -> int:
    """How many parts lie on the surface: what one step over the node costs."""
    return len(node.parts) if isinstance(node, Inter | Union) else 1


def split(node: Node, budget: Budget) -> Iterator[Node]:
    """Yield the alternatives of a language that are not plainly empty."""
    if type(node) is Union:
        for part in node.parts:
            yield from split(part, budget)
    elif type(node) is not Inter:
        if node is not EMPTY:
            yield node
    elif any(type(part) is Union for part in node.parts):
        yield from _distributed(node, budget)
    elif not _dead(node):
        yield node


def _distributed(node: Inter, budget: Budget) -> Iterator[Node]:
    alternatives = [inter(part for part in node.parts if type(part) is not Union)]
    for part in node.parts:
        if type(part) is Union:
            if len(alternatives) * len(part.parts) > _SPLIT:
                yield node
                return
            budget.spend(len(alternatives) * len(part.parts) * (1 + len(node.parts) // 4))
            joined = dict.fromkeys(inter((one, option)) for one in alternatives for option in part.parts)
            alternatives = [one for one in joined if one is not EMPTY]
    for one in alternatives:
        yield from split(one, budget)


def _dead(node: Inter) -> bool:
    if node.high is not None and node.low > node.high:
        return True
    return len(node.parts) <= _PAIRS and any(apart(one, other) for one, other in combinations(node.parts, 2))


def conjuncts(node: Node) -> tuple[Node, ...]:
    return node.parts if type(node) is Inter else (node,)


def cost(nodes: Sequence[Node]) -> int:
    """The steps that one look at the next character takes.

    Wide nodes and wide sets of characters cost as they are: by the parts and by the intervals laid over each other.
    """
    return (
        sum(1 + width(node) // 4 for node in nodes) + len(nodes) * max(len(moves(node).starts) for node in nodes) // 32
    )


def cells(nodes: Sequence[Node], *, together: bool = True) -> list[tuple[int, tuple[Node, ...], list[tuple[int, int]]]]:
    """Cut the alphabet so that each cell leads all of `nodes` to one target each; most readable cell first.

    A cell is (its most readable character, the targets, its intervals). Cells of surrogates alone are left out,
    and with `together` those where one of the nodes ends in nothing.
    """
    starts, columns = product([moves(node) for node in nodes])
    found: dict[tuple[Node, ...], list[tuple[int, int]]] = {}
    for start, stop, column in zip(starts, (*starts[1:], LIMIT), columns, strict=True):
        if not together or EMPTY not in column:
            found.setdefault(column, []).append((start, stop))
    out = []
    for column, intervals in found.items():
        char = _readable(intervals)
        if char is not None:
            out.append((char, column, intervals))
    out.sort(key=lambda cell: (rank(cell[0]), cell[0]))
    return out


def _readable(intervals: list[tuple[int, int]]) -> int | None:
    chosen: int | None = None
    for low, high in intervals:
        if chosen is not None and low >= 0x80 and rank(chosen) < 2_000_000:
            break  # what is plain or at least a letter is not bettered by what comes later
        char = best(low, high)
        if char is not None and (chosen is None or rank(char) < rank(chosen)):
            chosen = char
    return chosen


class Graph:
    """States and the readable steps between them; every state is expanded once, and paid for once."""

    __slots__ = ("_budget", "_steps")

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._steps: dict[Node, tuple[tuple[int, Node], ...]] = {}

    def roots(self, node: Node) -> tuple[Node, ...]:
        found = tuple(dict.fromkeys(split(node, self._budget)))
        self._budget.spend(len(found))
        return found

    def steps(self, state: Node) -> tuple[tuple[int, Node], ...]:
        """One character to each next state, the most readable first."""
        found = self._steps.get(state)
        if found is None:
            found = self._steps[state] = tuple(self._expanded(state))
        return found

    def _expanded(self, state: Node) -> Iterator[tuple[int, Node]]:
        parts = conjuncts(state)
        self._budget.spend(cost(parts))
        seen: set[Node] = set()
        for char, column, intervals in cells(parts):
            self._budget.spend(1 + len(intervals) // 16)
            joined = inter(column)
            self._budget.spend(width(joined) // 4)
            for target in split(joined, self._budget):
                if target not in seen:
                    seen.add(target)
                    self._budget.spend()
                    yield char, target

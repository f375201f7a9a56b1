"""List the words of languages, short and readable ones first."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count, islice

from compat.logic.budget import Budget, BudgetExhausted
from compat.logic.regex.algebra import complement, inter, repeat
from compat.logic.regex.charset import CharSet, from_ranges, in_reading_order, rank
from compat.logic.regex.graph import Graph, cells, conjuncts, cost, width
from compat.logic.regex.language import Language
from compat.logic.regex.making import ANY, EMPTY
from compat.logic.regex.making import words as finite
from compat.logic.regex.nodes import Node
from compat.logic.regex.search import DEFAULT_STEPS, GaveUp, Lengths, quickest


@dataclass(frozen=True, slots=True)
class Exhausted:
    """There are no other words."""


@dataclass(frozen=True, slots=True)
class More:
    """There are other words (or may be, where a language is not exact)."""


def words(
    languages: Sequence[Language],
    *,
    lengths: Lengths = (0, None),
    exclude: Collection[str] = (),
    limit: int,
    budget: Budget | None = None,
) -> tuple[tuple[str, ...], Exhausted | More | GaveUp]:
    """List up to `limit` distinct words that all `languages` hold, short and readable ones first.

    The second value says whether there are others; GaveUp comes with the words found until then.
    """
    budget = Budget(DEFAULT_STEPS) if budget is None else budget
    found: dict[str, None] = {}
    unsure = [language for language in languages if not language.exact]
    try:
        if unsure:
            # What surely is in all of them comes first; it is found without trying words.
            inside = _bounded([language.under for language in languages], lengths, exclude)
            found.update(dict.fromkeys(islice(_stream(inside, lengths[1], budget), limit + 1)))
            if len(found) > limit:
                return tuple(found)[:limit], More()
        for word in _stream(_bounded(languages, lengths, exclude), lengths[1], budget):
            if word in found or not all(language.matches(word) for language in unsure):
                continue
            if len(found) >= limit:
                return tuple(found), More()
            found[word] = None
    except BudgetExhausted as end:
        return tuple(found)[:limit], GaveUp(end.reason)
    except RecursionError:
        return tuple(found)[:limit], GaveUp("the pattern is nested too deeply")
    return tuple(found), Exhausted()


def _bounded(languages: Sequence[Language], lengths: Lengths, exclude: Collection[str]) -> Node:
    nodes = [language.over.node for language in languages]
    if exclude:
        nodes.append(complement(finite(exclude)))
    if lengths[0] > 0:
        nodes.append(repeat(ANY, lengths[0], None))
    return inter(nodes)


# Words that begin with a prefix: the length of the shortest of them, the ranks of the prefix, a number that settles
# ties; then the prefix, the state behind it, and its siblings, of which one is made when it is taken.
_Branch = tuple[int, tuple[int, ...], int, str, Node, Iterator[int]]


def _stream(goal: Node, high: int | None, budget: Budget) -> Iterator[str]:
    """Yield every word of the goal in order; branches without a word are never entered."""
    distances = _Distances(budget)
    numbers = count()
    queue: list[_Branch] = []
    least = distances.of(goal)
    if least is not None:
        heappush(queue, (least, (), next(numbers), "", goal, iter(())))
    while queue:
        length, ranks, _, prefix, state, siblings = heappop(queue)
        if high is not None and length > high:
            return
        budget.spend()
        sibling = next(siblings, None)
        if sibling is not None:
            beside = (*ranks[:-1], rank(sibling))
            heappush(queue, (length, beside, next(numbers), prefix[:-1] + chr(sibling), state, siblings))
        if state.accepts:
            yield prefix
        for target, left, chars in distances.steps(state):
            following = in_reading_order(chars)
            first = next(following)
            below = (*ranks, rank(first))
            heappush(queue, (len(prefix) + 1 + left, below, next(numbers), prefix + chr(first), target, following))


class _Distances:
    """How many characters at least lie before a word's end; None from where there is no end."""

    def __init__(self, budget: Budget) -> None:
        self._graph = Graph(budget)
        self._budget = budget
        self._known: dict[Node, int | None] = {}
        self._steps: dict[Node, list[tuple[Node, int, CharSet]]] = {}

    def steps(self, state: Node) -> list[tuple[Node, int, CharSet]]:
        """Give what may follow, with the least length from there and the characters that lead there."""
        known = self._steps.get(state)
        if known is None:
            known = self._steps[state] = list(self._expanded(state))
        return known

    def _expanded(self, state: Node) -> Iterator[tuple[Node, int, CharSet]]:
        parts = conjuncts(state)
        self._budget.spend(cost(parts))
        for _, column, intervals in cells(parts):
            target = inter(column)
            self._budget.spend(1 + width(target) // 4)
            least = self.of(target)
            if least is not None:
                yield target, least, from_ranges(intervals)

    def of(self, state: Node) -> int | None:
        if state is EMPTY:
            return None
        if state.pure:
            return state.low
        if state not in self._known:
            word = quickest(self._graph, state, None, self._budget)
            self._known[state] = None if word is None else len(word)
        return self._known[state]

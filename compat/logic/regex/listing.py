"""List the words of languages, and the classes that a set of languages cuts strings into."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from compat.logic.budget import Budget, BudgetExhausted
from compat.logic.regex.algebra import complement, inter, repeat
from compat.logic.regex.charset import from_ranges, in_reading_order, rank
from compat.logic.regex.graph import Graph, cells, conjuncts, cost, width
from compat.logic.regex.language import Language
from compat.logic.regex.making import ALL, ANY, EMPTY
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
    found: list[str] = []
    unsure = [language for language in languages if not language.exact]
    try:
        stream = _stream(_bounded(languages, lengths, exclude), lengths[1], budget)
        for word in stream:
            if not all(language.matches(word) for language in unsure):
                continue
            if len(found) >= limit:
                return tuple(found), More()
            found.append(word)
    except BudgetExhausted as end:
        return tuple(found), GaveUp(end.reason)
    except RecursionError:
        return tuple(found), GaveUp("the pattern is nested too deeply")
    return tuple(found), Exhausted()


def _bounded(languages: Sequence[Language], lengths: Lengths, exclude: Collection[str]) -> Node:
    nodes = [language.over.node for language in languages]
    if exclude:
        nodes.append(complement(finite(exclude)))
    if lengths[0] > 0:
        nodes.append(repeat(ANY, lengths[0], None))
    return inter(nodes)


@dataclass(order=True, slots=True)
class _Branch:
    """Words that begin with `prefix`; the rest of its siblings are made only when it is taken."""

    length: int  # of the shortest word on this branch
    ranks: tuple[int, ...]
    prefix: str = field(compare=False)
    state: Node = field(compare=False)
    least: int = field(compare=False)
    siblings: Iterator[int] = field(compare=False)


def _stream(goal: Node, high: int | None, budget: Budget) -> Iterator[str]:
    """Yield every word of the goal in order; branches without a word are never entered."""
    distances = _Distances(budget)
    queue: list[_Branch] = []
    least = distances.of(goal)
    if least is not None:
        heappush(queue, _Branch(least, (), "", goal, least, iter(())))
    while queue:
        branch = heappop(queue)
        if high is not None and branch.length > high:
            return
        budget.spend()
        sibling = next(branch.siblings, None)
        if sibling is not None:
            ranks = (*branch.ranks[:-1], rank(sibling))
            prefix = branch.prefix[:-1] + chr(sibling)
            heappush(queue, _Branch(branch.length, ranks, prefix, branch.state, branch.least, branch.siblings))
        if branch.state.accepts:
            yield branch.prefix
        parts = conjuncts(branch.state)
        budget.spend(cost(parts))
        for _, column, intervals in cells(parts):
            target = inter(column)
            budget.spend(1 + width(target) // 4)
            least = distances.of(target)
            if least is None:
                continue
            siblings = in_reading_order(from_ranges(intervals))
            first = next(siblings)
            length = len(branch.prefix) + 1 + least
            entry = _Branch(length, (*branch.ranks, rank(first)), branch.prefix + chr(first), target, least, siblings)
            heappush(queue, entry)


class _Distances:
    """How many characters at least lie before a word's end; None from where there is no end."""

    def __init__(self, budget: Budget) -> None:
        self._graph = Graph(budget)
        self._budget = budget
        self._known: dict[Node, int | None] = {}

    def of(self, state: Node) -> int | None:
        if state is EMPTY:
            return None
        if state.pure:
            return state.low
        if state not in self._known:
            word = quickest(self._graph, state, None, self._budget)
            self._known[state] = None if word is None else len(word)
        return self._known[state]


@dataclass(frozen=True, slots=True)
class KeyClass:
    """Strings that are in the languages `members` (by index) and in none of the others."""

    members: frozenset[int]
    word: str  # a shortest one
    infinite: bool


@dataclass(frozen=True, slots=True)
class KeyClasses:
    """The classes found, by length of their word; all there are unless `gave_up` says why not."""

    found: tuple[KeyClass, ...]
    gave_up: GaveUp | None = None


def classes(
    partition: Sequence[Language],
    within: Sequence[Language] = (),
    *,
    exclude: Collection[str] = (),
    budget: Budget | None = None,
) -> KeyClasses:
    """Find every way in which a string that is in all of `within` can be in some of `partition` and not in the others.

    One search over all languages at once, not one for each combination. Strings of `exclude` are left out.
    """
    budget = Budget(DEFAULT_STEPS) if budget is None else budget
    if not all(language.exact for language in (*partition, *within)):
        return KeyClasses((), GaveUp("a pattern is not regular (a backreference or the like)"))
    search = _ClassSearch(budget)
    try:
        goal = [language.node for language in within]
        if exclude:
            goal.append(complement(finite(exclude)))
        search.run((inter(goal), *(language.node for language in partition)))
    except BudgetExhausted as end:
        return KeyClasses(search.result(), GaveUp(end.reason))
    except RecursionError:
        return KeyClasses(search.result(), GaveUp("the pattern is nested too deeply"))
    return KeyClasses(search.result())


class _ClassSearch:
    """Breadth-first over the tuples of what is left of every language."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._states: list[tuple[Node, ...]] = []
        self._came: list[tuple[int, int]] = []  # from which state, by which character
        self._edges: list[list[int]] = []
        self._first: dict[frozenset[int], int] = {}
        self._members: dict[int, frozenset[int]] = {}

    def run(self, start: tuple[Node, ...]) -> None:
        if start[0] is EMPTY:
            return
        known = {start: 0}
        self._enter(start, -1, 0)
        queue = deque([0])
        while queue:
            index = queue.popleft()
            nodes = list(dict.fromkeys(node for node in self._states[index] if node is not EMPTY and node is not ALL))
            place = {node: at for at, node in enumerate(nodes)}
            self._budget.spend(1 + cost(nodes or [ALL]))
            for char, column, intervals in cells(nodes or [ALL], together=False):
                self._budget.spend(1 + len(intervals) // 64 + sum(map(width, column)) // 8)
                target = tuple(column[place[node]] if node in place else node for node in self._states[index])
                if target[0] is EMPTY:
                    continue
                found = known.get(target)
                if found is None:
                    found = known[target] = len(self._states)
                    self._enter(target, index, char)
                    queue.append(found)
                self._edges[index].append(found)

    def _enter(self, state: tuple[Node, ...], before: int, char: int) -> None:
        index = len(self._states)
        self._states.append(state)
        self._came.append((before, char))
        self._edges.append([])
        if state[0].accepts:
            members = frozenset(at for at, node in enumerate(state[1:]) if node.accepts)
            self._members[index] = members
            self._first.setdefault(members, index)

    def result(self) -> tuple[KeyClass, ...]:
        endless = self._endless()
        infinite = {members for index, members in self._members.items() if endless[index]}
        return tuple(
            KeyClass(members, self._spelled(index), members in infinite) for members, index in self._first.items()
        )

    def _endless(self) -> list[bool]:
        """Which states lie on a loop or behind one: what is left when states without a predecessor fall away."""
        coming = [0] * len(self._states)
        for targets in self._edges:
            for target in targets:
                coming[target] += 1
        loose = [index for index, count in enumerate(coming) if not count]
        while loose:
            for target in self._edges[loose.pop()]:
                coming[target] -= 1
                if not coming[target]:
                    loose.append(target)
        return [count > 0 for count in coming]

    def _spelled(self, index: int) -> str:
        out: list[str] = []
        while True:
            before, char = self._came[index]
            if before < 0:
                return "".join(reversed(out))
            out.append(chr(char))
            index = before

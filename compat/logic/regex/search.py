"""Find strings: the shortest word of an intersection, or whether one language holds another.

Every function takes a `Budget` of steps and says GaveUp when it ends; without one a default holds. The words found
depend on the languages alone: they are shortest, and letters are taken before digits, digits before other marks.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from compat.logic.budget import Budget, BudgetExhausted
from compat.logic.regex.algebra import complement, inter
from compat.logic.regex.charset import rank
from compat.logic.regex.graph import Graph, conjuncts
from compat.logic.regex.language import Language
from compat.logic.regex.lines import as_line, beyond
from compat.logic.regex.making import ALL, EMPTY, EPSILON, span
from compat.logic.regex.making import words as finite
from compat.logic.regex.nodes import Chars, Node, Not, Repeat, Words
from compat.logic.regex.surface import alphabet, below

DEFAULT_STEPS = 200_000
_CANDIDATES = 64  # words tried one by one where a language is not regular


@dataclass(frozen=True, slots=True)
class Word:
    """A string that is in all the languages."""

    text: str


@dataclass(frozen=True, slots=True)
class Empty:
    """No string is in all the languages."""


@dataclass(frozen=True, slots=True)
class GaveUp:
    """Neither was found out."""

    reason: str


Lengths = tuple[int, int | None]


def find(
    languages: Sequence[Language],
    *,
    lengths: Lengths = (0, None),
    exclude: Collection[str] = (),
    budget: Budget | None = None,
) -> Word | Empty | GaveUp:
    """Find a shortest string that all `languages` hold, with a length in `lengths` and not among `exclude`.

    Lengths count code points; a high bound of None is none.
    """
    budget = Budget(DEFAULT_STEPS) if budget is None else budget
    try:
        if all(language.exact for language in languages):
            return _shortest(_goal([language.node for language in languages], exclude), lengths, budget)
        return _approached(languages, lengths, exclude, budget)
    except BudgetExhausted as end:
        return GaveUp(end.reason)
    except RecursionError:
        return GaveUp("the pattern is nested too deeply")


def includes(small: Language, large: Language, budget: Budget | None = None) -> bool | None:
    """Say whether every string of `small` is in `large`; None where the budget ends first."""
    if small.exact and large.exact and below(small.node, large.node):
        return True
    found = find((small, ~large), budget=budget)
    return None if isinstance(found, GaveUp) else isinstance(found, Empty)


def _goal(nodes: Sequence[Node], exclude: Collection[str]) -> Node:
    if exclude:
        return inter((*nodes, complement(finite(exclude))))
    return inter(nodes)


def _approached(
    languages: Sequence[Language], lengths: Lengths, exclude: Collection[str], budget: Budget
) -> Word | Empty | GaveUp:
    """Search between two bounds: empty from outside is empty, a word from inside is a word."""
    outside = _goal([language.over.node for language in languages], exclude)
    found = _shortest(outside, lengths, budget)
    if not isinstance(found, Word) or all(language.matches(found.text) for language in languages):
        return found
    inside = _goal([language.under.node for language in languages], exclude)
    sure = _shortest(inside, lengths, budget)
    if isinstance(sure, Word):
        return sure
    tried = [found.text]
    while len(tried) < _CANDIDATES:
        other = _shortest(_goal([outside], tried), lengths, budget)
        if not isinstance(other, Word):
            return other
        if all(language.matches(other.text) for language in languages):
            return other
        tried.append(other.text)
    return GaveUp("a pattern is not regular (a backreference or the like), and no example was found")


def _shortest(goal: Node, lengths: Lengths, budget: Budget) -> Word | Empty:
    """Search an exact goal; BudgetExhausted where the steps end."""
    low, high, kept = _measured(conjuncts(goal), lengths)
    if high is not None and low > high:
        return Empty()
    goal = inter(kept)
    if isinstance(goal, Words) or goal is EPSILON or goal is EMPTY:
        return _listed(goal, low, high)
    plain = _plainest(kept, low, high, budget)
    if plain is not None:
        return plain
    graph = Graph(budget)
    found = quickest(graph, goal, high, budget)
    if found is None:
        return Empty()
    if len(found) < low:
        found = _layered(graph, goal, low, high, budget)
    return Empty() if found is None else Word(found)


def _measured(parts: Sequence[Node], lengths: Lengths) -> tuple[int, int | None, list[Node]]:
    """Take out the parts that only bound the length: `.{3,64}` does beside a part whose characters are all dots."""
    low, high = lengths
    kept = list(parts)
    for part in parts:
        bounds = span(part)
        if bounds is None and isinstance(part, Repeat) and isinstance(part.body, Chars):
            loop = part.body.chars
            others = (other for other in kept if other is not part and not isinstance(other, Not))
            bounds = (part.least, part.most) if any(alphabet(other) <= loop for other in others) else None
        if bounds is not None:
            kept.remove(part)
            low = max(low, bounds[0])
            high = bounds[1] if high is None else high if bounds[1] is None else min(high, bounds[1])
    return low, high, kept


def _plainest(parts: list[Node], low: int, high: int | None, budget: Budget) -> Word | Empty | None:
    """Decide by lengths alone where one part is a line and nothing else remains."""
    positive = [part for part in parts if type(part) is not Not]
    line = as_line(positive[0]) if len(positive) == 1 else None
    if line is None:
        return None
    budget.spend(len(parts))
    least, left = beyond(line, parts)
    if left != positive:
        return None
    word = line.word(max(low, least), high)
    return Empty() if word is None else Word(word)


def _listed(goal: Node, low: int, high: int | None) -> Word | Empty:
    members = goal.words if isinstance(goal, Words) else ("",) if goal is EPSILON else ()
    fitting = [word for word in members if low <= len(word) and (high is None or len(word) <= high) and _sound(word)]
    if not fitting:
        return Empty()
    return Word(min(fitting, key=lambda word: (len(word), [rank(ord(char)) for char in word])))


def _sound(word: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in word)


def quickest(graph: Graph, goal: Node, high: int | None, budget: Budget) -> str | None:
    """Find a shortest word, going first where the least possible length is smallest (A*)."""
    queue: list[tuple[int, int, int, Node]] = []
    came: dict[Node, tuple[int, Node | None, int]] = {}
    order = 0
    for root in graph.roots(goal):
        came[root] = (0, None, 0)
        heappush(queue, (root.low, 0, order, root))
        order += 1
    while queue:
        _, minus, _, state = heappop(queue)
        length = -minus
        if came[state][0] < length:
            continue
        if state.accepts:
            return _spelled(came, state)
        if state is ALL:
            continue
        budget.spend()
        for char, target in graph.steps(state):
            total = length + 1 + target.low
            known = came.get(target)
            if (known is None or known[0] > length + 1) and (high is None or total <= high):
                came[target] = (length + 1, state, char)
                heappush(queue, (total, -length - 1, order, target))
                order += 1
    return None


def _spelled(came: dict[Node, tuple[int, Node | None, int]], state: Node) -> str:
    out: list[str] = []
    at: Node | None = state
    while at is not None:
        _, before, char = came[at]
        if before is not None:
            out.append(chr(char))
        at = before
    return "".join(reversed(out))


def _layered(graph: Graph, goal: Node, low: int, high: int | None, budget: Budget) -> str | None:
    """Find a word of at least `low` characters: the states after 1, 2, 3 … characters, until the layers repeat.

    A bound of length is no part of a state, so `maxLength` 50000 costs no more than the pattern itself.
    """
    layers = _Layers(graph.roots(goal), low, high)
    while True:
        if layers.length >= low:
            for state in layers.last:
                if state.accepts:
                    return layers.spelled(state)
        if not layers.last or (high is not None and layers.length >= high) or layers.repeats():
            return None
        following: _Layer = {}
        for state in layers.last:
            budget.spend()
            for char, target in graph.steps(state):
                if target not in following and layers.reaches(target):
                    following[target] = (state, char)
        layers.push(following)


_Layer = dict[Node, tuple[Node | None, int]]


class _Layers:
    """The states after each number of characters; whole periods of a repeating row are skipped, not built."""

    def __init__(self, roots: tuple[Node, ...], low: int, high: int | None) -> None:
        self._rows: list[_Layer] = [dict.fromkeys(roots, (None, 0))]
        self._low, self._high = low, high
        self._skipped: tuple[int, int, int] | None = None  # from this row to that one, so many times over
        self._cut = False  # whether a state of this row cannot end early enough
        self._short = 0  # the most that a state still had to give that could not end late enough
        self._seen: dict[frozenset[Node], int] = {}
        self.length = 0

    @property
    def last(self) -> _Layer:
        return self._rows[-1]

    def reaches(self, target: Node) -> bool:
        """Whether a state one character further on can still end within the bounds."""
        reach = self.length + 1
        if self._high is not None and reach + target.low > self._high:
            self._cut = True
            return False
        if target.high is not None and reach + target.high < self._low:
            self._short = max(self._short, target.high)
            return False
        return True

    def push(self, row: _Layer) -> None:
        self._rows.append(row)
        self.length += 1
        if self._cut or self.length == self._low:
            # What was left out depends on the length, so earlier rows say nothing of later ones.
            self._seen.clear()
            self._cut = False

    def repeats(self) -> bool:
        """Whether all that follows has been seen at a length that counts; skip ahead where it has not."""
        row = frozenset(self.last)
        begun = self._seen.setdefault(row, len(self._rows) - 1)
        period = len(self._rows) - 1 - begun
        if not period:
            return False
        if self.length >= self._low:
            return True
        if self._skipped is None:
            times = (self._low - 1 - self._short - self.length) // period - 1
            if self._high is not None:
                longest = max(state.low for rows in self._rows[begun:] for state in rows)
                times = min(times, (self._high - self.length - period - longest) // period)
            times = max(times, 0)
            self._skipped = (begun, len(self._rows) - 1, times)
            self.length += times * period
        return False

    def spelled(self, state: Node) -> str:
        out: list[str] = []

        def back(start: int, stop: int, state: Node) -> Node:
            for index in range(start, stop, -1):
                before, char = self._rows[index][state]
                assert before is not None
                out.append(chr(char))
                state = before
            return state

        end = len(self._rows) - 1
        if self._skipped is not None:
            begun, until, times = self._skipped
            state = back(end, until, state)
            for _ in range(times):
                state = back(until, begun, state)
            end = until
        back(end, 0, state)
        return "".join(reversed(out))

"""Arrays: prefix and tail, items that must exist, counted items, length, uniqueness.

Positions past the prefix are alike, so of those without a demand of their own only the first is ever tried. A
shortest array needs no more positions than the prefix, the least length and one for every item that must exist:
any further one could be taken out again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from compat.jsonvalue import freeze
from compat.logic.answer import EMPTY, Answer, found, unknown
from compat.logic.budget import Budget
from compat.logic.formula import Formula
from compat.logic.predicates import Count, ItemAt, ItemsFrom, Predicate, Size, Unique

Ask = Callable[[Sequence[Formula]], Answer]
AskMany = Callable[[Sequence[Formula], int], Answer]


@dataclass(slots=True)
class _Token:
    """One item that must exist, at `start` or later; tokens of one `group` sit on different positions."""

    start: int
    body: Formula
    group: int | None = None


@dataclass(slots=True)
class _Demands:
    every_at: list[tuple[int, Formula]] = field(default_factory=list)
    every_from: list[tuple[int, Formula]] = field(default_factory=list)
    some_at: list[tuple[int, Formula]] = field(default_factory=list)
    tokens: list[_Token] = field(default_factory=list)
    caps: list[tuple[Formula, int]] = field(default_factory=list)
    least: int = 0
    most: int | None = None
    unique: bool | None = None
    impossible: bool = False

    def read(self, predicates: Iterable[Predicate], budget: Budget) -> None:
        counted: list[Count] = []
        for predicate in predicates:
            match predicate:
                case ItemAt(index=index, body=body, some=some):
                    (self.some_at if some else self.every_at).append((index, body))
                case ItemsFrom(start=start, body=body, some=some):
                    if some:
                        self.tokens.append(_Token(start, body))
                    else:
                        self.every_from.append((start, body))
                case Count(n=n, at_least=True):
                    counted.append(predicate)
                    self.least = max(self.least, n)
                case Count(body=body, n=n):
                    self.caps.append((body, n))
                    self.impossible = self.impossible or n < 0
                case Size(n=n, at_least=True):
                    self.least = max(self.least, n)
                case Size(n=n):
                    self.most = n if self.most is None else min(self.most, n)
                case Unique(holds=holds):
                    self.impossible = self.impossible or self.unique is (not holds)
                    self.unique = holds
        self.impossible = self.impossible or any(
            one.body is body and one.n > n for one in counted for body, n in self.caps
        )
        if self.impossible or (self.most is not None and self.most < self.least):
            return
        for group, one in enumerate(counted):
            budget.spend(one.n)
            self.tokens.extend(_Token(0, one.body, group) for _ in range(one.n))
        for index, _ in self.some_at:
            self.least = max(self.least, index + 1)
        for token in self.tokens:
            self.least = max(self.least, token.start + 1)
        if self.unique is False:
            self.least = max(self.least, 2)

    @property
    def prefix(self) -> int:
        """The first position from which on all are alike."""
        return max(
            [
                0,
                *(index + 1 for index, _ in (*self.every_at, *self.some_at)),
                *(start for start, _ in self.every_from),
                *(token.start for token in self.tokens),
            ]
        )

    def on(self, position: int) -> list[Formula]:
        """What an item at this position must satisfy, if there is one."""
        goal = [body for index, body in (*self.every_at, *self.some_at) if index == position]
        goal.extend(body for start, body in self.every_from if start <= position)
        return goal


def solve_arrays(
    predicates: Iterable[Predicate],
    ask: Ask,
    ask_many: AskMany,
    budget: Budget,
) -> Answer:
    """Give a shortest array; `ask` solves a conjunction for one item, `ask_many` finds several distinct items."""
    demands = _Demands()
    demands.read(predicates, budget)
    if demands.impossible or (demands.most is not None and demands.most < demands.least):
        return EMPTY
    prefix = demands.prefix
    longest = max(prefix, demands.least) + len(demands.tokens) + (2 if demands.unique is False else 0)
    if demands.most is not None:
        longest = min(longest, demands.most)
    doubt: str | None = None
    for length in range(demands.least, longest + 1):
        search = _Search(demands, prefix, length, ask, ask_many, budget)
        value = search.run()
        if value is not None:
            return found(value)
        doubt = doubt or search.doubt
        if search.hopeless:
            # An item at one of these positions cannot exist, so no longer array has one either.
            break
    return EMPTY if doubt is None else unknown(doubt)


class _Search:
    """All arrays of one length: tokens onto positions, then values that respect caps and uniqueness."""

    def __init__(
        self, demands: _Demands, prefix: int, length: int, ask: Ask, ask_many: AskMany, budget: Budget
    ) -> None:
        self.demands = demands
        self.prefix = min(prefix, length)
        self.length = length
        self.ask = ask
        self.ask_many = ask_many
        self.budget = budget
        self.doubt: str | None = None
        self.hopeless = False

    def run(self) -> list[object] | None:
        self.budget.spend(1 + self.length)
        alike = self.demands.on(self.prefix) if self.length > self.prefix else []
        goals = [self.demands.on(position) for position in range(self.prefix)]
        goals += [alike] * (self.length - self.prefix)
        checked = goals[: self.prefix + 1]
        for goal in checked:
            if not self._possible(goal):
                self.hopeless = self.doubt is None
                return None
        return self._place(goals, self.prefix, self.demands.tokens, {})

    def _possible(self, goal: Sequence[Formula]) -> bool:
        answer = self.ask(goal)
        if answer.unknown:
            self.doubt = self.doubt or answer.doubt
        return bool(answer.values)

    def _place(
        self, goals: list[list[Formula]], fresh: int, tokens: Sequence[_Token], last: dict[int, int]
    ) -> list[object] | None:
        """Put the tokens on positions; `fresh` is the first position that is still like all after it."""
        self.budget.spend()
        if not tokens:
            return self._value(goals, fresh)
        token, rest = tokens[0], tokens[1:]
        start = token.start
        if token.group is not None and token.group in last:
            start = max(start, last[token.group] + 1)
        for position in range(start, min(fresh + 1, self.length)):
            goal = goals[position] if token.body in goals[position] else [*goals[position], token.body]
            if not self._possible(goal):
                continue
            placed = last if token.group is None else {**last, token.group: position}
            chosen = [*goals[:position], goal, *goals[position + 1 :]]
            value = self._place(chosen, max(fresh, position + 1), rest, placed)
            if value is not None:
                return value
        return None

    def _value(self, goals: list[list[Formula]], fresh: int) -> list[object] | None:
        if self.demands.unique is False:
            return self._with_twins(goals, fresh)
        return self._capped(goals)

    def _with_twins(self, goals: list[list[Formula]], fresh: int) -> list[object] | None:
        """Try every pair of positions as the equal ones, alike positions once."""
        last = min(self.length, fresh + 2)
        for left, right in combinations(range(last), 2):
            joined = list(dict.fromkeys([*goals[left], *goals[right]]))
            if not self._possible(joined):
                continue
            chosen = list(goals)
            chosen[left] = chosen[right] = joined
            value = self._capped(chosen)
            if value is None:
                continue
            if freeze(value[left]) == freeze(value[right]):
                return value
            self.doubt = self.doubt or "counted items of which two must be equal"
        return None

    def _capped(self, goals: list[list[Formula]]) -> list[object] | None:
        """Keep the counted items under their caps: an item that can avoid every counted body does."""
        if not self.demands.caps:
            return self._distinct(goals)
        choices: list[list[tuple[frozenset[int], list[Formula]]]] = []
        known: dict[frozenset[Formula], list[tuple[frozenset[int], list[Formula]]]] = {}
        for goal in goals:
            key = frozenset(goal)
            if key not in known:
                known[key] = self._avoidances(goal)
            choices.append(known[key])
        room = [n for _, n in self.demands.caps]
        for chosen in self._within(choices, room):
            value = self._distinct(chosen)
            if value is not None:
                return value
        return None

    def _avoidances(self, goal: list[Formula]) -> list[tuple[frozenset[int], list[Formula]]]:
        """Give the sets of caps that an item may count for, smallest first, each with the goal that says so.

        Counting for less is always as good, unless items must differ: then what counts may be what is left.
        """
        indexes = range(len(self.demands.caps))
        options: list[tuple[frozenset[int], list[Formula]]] = []
        for size in range(len(self.demands.caps) + 1):
            for hit in combinations(indexes, size):
                if not self.demands.unique and any(smaller <= set(hit) for smaller, _ in options):
                    continue
                told = [*goal, *(self.demands.caps[i][0].neg for i in indexes if i not in hit)]
                if self.demands.unique:
                    told += [self.demands.caps[i][0] for i in hit]
                if self._possible(told):
                    options.append((frozenset(hit), told))
        return options

    def _within(
        self, choices: list[list[tuple[frozenset[int], list[Formula]]]], room: list[int]
    ) -> Iterator[list[list[Formula]]]:
        """Yield one goal a position so that no cap is passed, on an explicit stack."""
        chosen: list[int] = []
        left = list(room)
        index = 0
        while True:
            self.budget.spend()
            position = len(chosen)
            if position == len(choices):
                yield [choices[at][pick][1] for at, pick in enumerate(chosen)]
            elif index < len(choices[position]):
                hit = choices[position][index][0]
                if all(left[cap] > 0 for cap in hit):
                    for cap in hit:
                        left[cap] -= 1
                    chosen.append(index)
                    index = 0
                else:
                    index += 1
                continue
            if not chosen:
                return
            index = chosen.pop()
            for cap in choices[len(chosen)][index][0]:
                left[cap] += 1
            index += 1

    def _distinct(self, goals: list[list[Formula]]) -> list[object] | None:
        """Choose the values; where they must differ, by a matching of positions to distinct values."""
        answers = self._answers(goals)
        if answers is None:
            return None
        value = [answer.values[0] for answer in answers]
        if not self.demands.unique or len({freeze(item) for item in value}) == len(value):
            return value
        offers: dict[frozenset[Formula], list[tuple[Hashable, object]]] = {}
        for goal in goals:
            key = frozenset(goal)
            if key not in offers:
                answer = self.ask_many(goal, self.length)
                if len(answer.values) < self.length and not answer.complete:
                    self.doubt = self.doubt or answer.doubt or "not all distinct items could be listed"
                offers[key] = [(freeze(item), item) for item in answer.values]
        return _matched([offers[frozenset(goal)] for goal in goals], self.budget)

    def _answers(self, goals: list[list[Formula]]) -> list[Answer] | None:
        answers: list[Answer] = []
        shared: dict[int, Answer] = {}
        for goal in goals:
            answer = shared.get(id(goal))
            if answer is None:
                answer = shared[id(goal)] = self.ask(goal)
            if not answer.values:
                if answer.unknown:
                    self.doubt = self.doubt or answer.doubt
                return None
            answers.append(answer)
        return answers


def _matched(offers: Sequence[Sequence[tuple[Hashable, object]]], budget: Budget) -> list[object] | None:
    """Match every position with a value of its own (Kuhn's augmenting paths, scarce positions first)."""
    owner: dict[Hashable, int] = {}
    cursor: dict[int, int] = {}
    chosen: list[object] = [None] * len(offers)
    for position in sorted(range(len(offers)), key=lambda at: len(offers[at])):
        # Positions of one goal share their list, so what one of them passed over is taken for the next as well.
        start = cursor.get(id(offers[position]), 0)
        while start < len(offers[position]) and offers[position][start][0] in owner:
            start += 1
        cursor[id(offers[position])] = start
        if start < len(offers[position]):
            easy = offers[position][start]
            owner[easy[0]] = position
            chosen[position] = easy[1]
            continue
        came_from: dict[Hashable, tuple[int, Hashable | None, object]] = {}
        frontier: list[tuple[int, Hashable | None]] = [(position, None)]
        free: Hashable | None = None
        while frontier and free is None:
            at, via = frontier.pop(0)
            for key, item in offers[at]:
                if key in came_from:
                    continue
                budget.spend()
                came_from[key] = (at, via, item)
                if key not in owner:
                    free = key
                    break
                frontier.append((owner[key], key))
        if free is None:
            return None
        step: Hashable | None = free
        while step is not None:
            at, via, item = came_from[step]
            owner[step] = at
            chosen[at] = item
            step = via
    return chosen

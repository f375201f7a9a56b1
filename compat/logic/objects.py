"""Objects: what every member must satisfy, which members there must be, and how many.

Keys fall into classes that no constraint tells apart: every named key is one, and the languages cut the other keys
into inhabited classes, found by one search. A member that must exist is put on a key of some class, together with
whatever else is known of that key; that is one question about a smaller instance, asked of the solver above.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count

from compat.logic.answer import EMPTY, Answer, found, unknown
from compat.logic.budget import Budget
from compat.logic.formula import Formula
from compat.logic.keyset import KeySet
from compat.logic.predicates import Members, Predicate, Size
from compat.logic.regex import Language, More, classes, words

Ask = Callable[[Sequence[Formula]], Answer]


@dataclass(slots=True)
class _Demands:
    """The predicates of one goal, sorted by what they ask."""

    every: list[Members] = field(default_factory=list)
    some: list[Members] = field(default_factory=list)
    least: int = 0
    most: int | None = None

    def read(self, predicates: Iterable[Predicate]) -> None:
        for predicate in predicates:
            if isinstance(predicate, Members):
                (self.some if predicate.some else self.every).append(predicate)
            elif isinstance(predicate, Size):
                if predicate.at_least:
                    self.least = max(self.least, predicate.n)
                else:
                    self.most = predicate.n if self.most is None else min(self.most, predicate.n)

    def on(self, key: str) -> list[Formula]:
        """What every member with this key must satisfy."""
        return [one.body for one in self.every if key in one.keys]


@dataclass(frozen=True, slots=True)
class _KeyClass:
    """Keys that no constraint tells apart: a word of it, and a stream of all of its words."""

    word: str
    stream: Callable[[], Iterator[str]]


def solve_objects(predicates: Iterable[Predicate], ask: Ask, budget: Budget) -> Answer:
    """Give an object with as few members as will do; `ask` solves a conjunction for one member."""
    demands = _Demands()
    demands.read(predicates)
    if demands.most is not None and demands.most < demands.least:
        return EMPTY
    goals: dict[str, list[Formula]] = {}
    roaming: list[Members] = []
    for one in demands.some:
        name = one.keys.single
        if name is None:
            roaming.append(one)
        else:
            goals.setdefault(name, demands.on(name)).append(one.body)
    if demands.most is not None and len(goals) > demands.most:
        return EMPTY
    search = _Search(demands, ask, budget)
    answers: dict[str, Answer] = {}
    for name, goal in goals.items():
        answer = ask(goal)
        if answer.empty:
            return EMPTY
        if answer.unknown:
            search.doubt = search.doubt or answer.doubt
        answers[name] = answer
    # A member that cannot be solved leaves the rest to refute, so an unknown one does not end the search.
    value = search.place(goals, answers, roaming)
    if value is not None:
        return found(value)
    return EMPTY if search.doubt is None else unknown(search.doubt)


class _Search:
    """Puts the members that must exist somewhere onto keys, depth first, and fills up to the least count."""

    def __init__(self, demands: _Demands, ask: Ask, budget: Budget) -> None:
        self.demands = demands
        self.ask = ask
        self.budget = budget
        self.doubt: str | None = None
        self._classes: list[_KeyClass] | None = None
        self._named: list[str] | None = None

    def place(
        self, goals: dict[str, list[Formula]], answers: dict[str, Answer], roaming: Sequence[Members]
    ) -> dict[str, object] | None:
        self.budget.spend()
        if not roaming:
            return self._filled(goals, answers)
        one, rest = roaming[0], roaming[1:]
        for key in self._options(one.keys, goals):
            fresh = key not in goals
            if fresh and self.demands.most is not None and len(goals) >= self.demands.most:
                continue
            goal = [*(self.demands.on(key) if fresh else goals[key]), one.body]
            answer = self.ask(goal)
            if answer.empty:
                continue
            if answer.unknown:
                self.doubt = self.doubt or answer.doubt
                continue
            value = self.place({**goals, key: goal}, {**answers, key: answer}, rest)
            if value is not None:
                return value
        return None

    def _options(self, keys: KeySet, goals: dict[str, list[Formula]]) -> Iterator[str]:
        """Yield keys to try: those already there, the named ones, a fresh one of every class."""
        yield from (key for key in goals if key in keys)
        yield from (name for name in self.named if name in keys and name not in goals)
        for one in self.classes:
            if one.word in keys:
                fresh = next((word for word in one.stream() if word not in goals), None)
                if fresh is not None:
                    yield fresh

    def _filled(self, goals: dict[str, list[Formula]], answers: dict[str, Answer]) -> dict[str, object] | None:
        """Build the object, with as many further members as the least count asks for."""
        if any(answer.unknown for answer in answers.values()):
            return None
        value = {key: answer.values[0] for key, answer in answers.items()}
        missing = self.demands.least - len(value)
        if missing <= 0:
            return value
        for stream in (iter(self.named), *(one.stream() for one in self.classes)):
            shared: Answer | None = None
            for key in stream:
                if key in value:
                    continue
                self.budget.spend()
                # All keys of a class ask the same question; named keys each ask their own.
                if shared is None or key in self.named:
                    shared = self.ask(self.demands.on(key))
                if shared.unknown:
                    self.doubt = self.doubt or shared.doubt
                if not shared.values:
                    if key in self.named:
                        continue
                    break
                value[key] = shared.values[0]
                missing -= 1
                if missing == 0:
                    return value
        return None

    @property
    def named(self) -> list[str]:
        """Every key that some constraint names, in the order of the constraints."""
        if self._named is None:
            names: dict[str, None] = {}
            for one in (*self.demands.some, *self.demands.every):
                names.update(dict.fromkeys(sorted(one.keys.names)))
            self._named = list(names)
        return self._named

    @property
    def classes(self) -> list[_KeyClass]:
        """The classes of keys that no constraint names."""
        if self._classes is None:
            self._classes = list(self._cut())
        return self._classes

    def _cut(self) -> Iterator[_KeyClass]:
        languages: dict[Language, None] = {}
        for one in (*self.demands.some, *self.demands.every):
            languages.update(dict.fromkeys(sorted(one.keys.languages, key=str)))
        named = frozenset(self.named)
        if not languages:
            yield _KeyClass(next(_plain_keys(named)), lambda: _plain_keys(named))
            return
        partition = list(languages)
        if not all(language.exact for language in partition):
            self.doubt = self.doubt or "a property pattern uses a construct that is not regular"
        cut = classes(partition, exclude=named, budget=self.budget)
        if cut.gave_up is not None:
            self.doubt = self.doubt or "the property patterns have too many classes of keys"
        for group in cut.found:
            inside = [language if index in group.members else ~language for index, language in enumerate(partition)]
            stream = partial(self._stream, inside, named)
            yield _KeyClass(next(stream(), group.word), stream)

    def _stream(self, languages: Sequence[Language], named: frozenset[str]) -> Iterator[str]:
        """Yield the words of a class in doubling portions; the empty key comes last, being hard to see."""
        seen = 0
        limit = 4
        while True:
            chosen, ending = words(languages, exclude=named | {""}, limit=limit, budget=self.budget)
            yield from chosen[seen:]
            if not isinstance(ending, More):
                break
            seen, limit = len(chosen), limit * 2
        if "" not in named and all(language.matches("") for language in languages):
            yield ""


def _plain_keys(taken: frozenset[str]) -> Iterator[str]:
    """Yield short readable keys that are not taken: other, a, b, … aa, ab, …"""
    letters = "abcdefghijklmnopqrstuvwxyz"
    if "other" not in taken:
        yield "other"
    for number in count(1):
        key, rest = "", number
        while rest:
            rest, index = divmod(rest - 1, 26)
            key = letters[index] + key
        if key not in taken and key != "other":
            yield key

"""Objects: what every member must satisfy, which members there must be, and how many.

Keys fall into classes that no constraint tells apart: every named key is one, and the languages cut the other keys
into more. A member that must exist is put on a key of some class, together with whatever else is known of that key;
that is one question about a smaller instance, asked of the solver above. Classes are met one by one, as words that
are in none of those met before, since n patterns may cut 2ⁿ of them and the first nearly always will do.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count, islice
from typing import Final

from compat.logic.answer import EMPTY, Answer, found, unknown
from compat.logic.budget import Budget
from compat.logic.formula import Formula
from compat.logic.keyset import KeySet
from compat.logic.predicates import Members, Predicate, Size, Table
from compat.logic.regex import GaveUp, Language, More, Word, find, words

# So many readable keys are tried before a key is searched for.
PLAIN: Final = 4

Ask = Callable[[Sequence[Formula]], Answer]


@dataclass(slots=True)
class Demands:
    """The predicates of one goal, sorted by what they ask."""

    every: list[Members] = field(default_factory=list)
    some: list[Members] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    least: int = 0
    most: int | None = None
    _named: dict[str, list[Formula]] = field(default_factory=dict)
    _wide: list[Members] = field(default_factory=list)

    @classmethod
    def of(cls, predicates: Iterable[Predicate]) -> Demands:
        made = cls()
        for predicate in predicates:
            made._take(predicate)
        return made

    def _take(self, predicate: Predicate) -> None:
        if isinstance(predicate, Members):
            if predicate.some:
                self.some.append(predicate)
                return
            self.every.append(predicate)
            if predicate.keys.single is None:
                self._wide.append(predicate)
            else:
                self._named.setdefault(predicate.keys.single, []).append(predicate.body)
        elif isinstance(predicate, Table):
            assert not predicate.some, "a branch spells it out"
            self.tables.append(predicate)
        elif isinstance(predicate, Size):
            if predicate.at_least:
                self.least = max(self.least, predicate.n)
            else:
                self.most = predicate.n if self.most is None else min(self.most, predicate.n)

    def on(self, key: str) -> list[Formula]:
        """What every member with this key must satisfy."""
        found = list(self._named.get(key, ()))
        found += [one.read(key) for one in self.tables if key in one.names]
        found += [one.body for one in self._wide if key in one.keys]
        return found

    def names(self) -> list[str]:
        """Every key that some constraint names, in the order of the constraints."""
        names: dict[str, None] = {}
        for one in (*self.some, *self.every):
            names.update(dict.fromkeys(sorted(one.keys.names)))
        for table in self.tables:
            names.update(dict.fromkeys(table.names))
        return list(names)


@dataclass(frozen=True, slots=True)
class _Fresh:
    """A member on a key that nothing names."""

    key: str
    goal: list[Formula]
    answer: Answer


def solve_objects(predicates: Iterable[Predicate], ask: Ask, budget: Budget) -> Answer:
    """Give an object with as few members as will do; `ask` solves a conjunction for one member."""
    demands = Demands.of(predicates)
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

    def __init__(self, demands: Demands, ask: Ask, budget: Budget) -> None:
        self.demands = demands
        self.ask = ask
        self.budget = budget
        self.doubt: str | None = None
        self._languages: dict[KeySet, Language] = {}

    @cached_property
    def named(self) -> list[str]:
        return self.demands.names()

    def place(
        self, goals: dict[str, list[Formula]], answers: dict[str, Answer], roaming: Sequence[Members]
    ) -> dict[str, object] | None:
        self.budget.spend()
        if not roaming:
            return self._filled(goals, answers)
        one, rest = roaming[0], roaming[1:]
        for key, goal in self._known_keys(one, goals):
            answer = self._asked(goal)
            if answer.values:
                value = self.place({**goals, key: goal}, {**answers, key: answer}, rest)
                if value is not None:
                    return value
        if self.demands.most is not None and len(goals) >= self.demands.most:
            return None
        # A key is told apart by what else it could serve: another member may have no other key, or no room.
        for new in self._fresh(one.keys, one.body, goals, rest):
            value = self.place({**goals, new.key: new.goal}, {**answers, new.key: new.answer}, rest)
            if value is not None:
                return value
        return None

    def _known_keys(self, one: Members, goals: dict[str, list[Formula]]) -> Iterator[tuple[str, list[Formula]]]:
        """Yield the keys that are there already or have a name, with what is asked of them then."""
        for key, goal in goals.items():
            if key in one.keys:
                yield key, [*goal, one.body]
        if self.demands.most is None or len(goals) < self.demands.most:
            for name in self.named:
                if name in one.keys and name not in goals:
                    yield name, [*self.demands.on(name), one.body]

    def _asked(self, goal: Sequence[Formula]) -> Answer:
        answer = self.ask(goal)
        if answer.unknown:
            self.doubt = self.doubt or answer.doubt
        return answer

    def _fresh(
        self, keys: KeySet, body: Formula | None, taken: Collection[str], others: Sequence[Members] = ()
    ) -> Iterator[_Fresh]:
        """Yield one member on a key without a name for every class of keys that can have it.

        A class is the keys that lie in the same constraints. Where a class is hopeless because of some of its
        constraints, so is every key that lies in those, and none of them is looked at again.
        """
        demanded = [] if body is None else [body]
        blocked: list[Language] = []
        while (key := self._unnamed(keys, taken, blocked)) is not None:
            self.budget.spend()
            inside = [one for one in self.demands.every if key in one.keys]
            goal = [*(one.body for one in inside), *demanded]
            answer = self._asked(goal)
            if answer.values:
                yield _Fresh(key, goal, answer)
            if not keys.languages and not self._has_languages:
                return  # where nothing but names is told apart, all other keys are one class
            if answer.empty:
                blocked.append(self._common(self._core(inside, demanded)))
                continue
            blocked.append(self._class_of([*inside, *(one for one in others if key in one.keys)], others))

    def _core(self, inside: Sequence[Members], demanded: Sequence[Formula]) -> Sequence[Members]:
        """Give one constraint that rules the member out alone, where there is one."""
        return next(([one] for one in inside if self.ask([one.body, *demanded]).empty), inside)

    def _unnamed(self, keys: KeySet, taken: Collection[str], blocked: Sequence[Language]) -> str | None:
        """Find a short key without a name; the empty one last, being hard to see."""
        used = {*self.named, *taken}
        # A few readable keys are tried first; most often one of them will do.
        for key in islice(_plain_keys(used), PLAIN):
            if key in keys and not any(language.matches(key) for language in blocked):
                return key
        where = [self._language(keys), *(~language for language in blocked)]
        match find(where, exclude=used | {""}, budget=self.budget):
            case Word(text=text):
                return text
            case GaveUp(reason=reason):
                self.doubt = self.doubt or reason
                return None
        return "" if "" not in used and all(language.matches("") for language in where) else None

    @cached_property
    def _has_languages(self) -> bool:
        return any(one.keys.languages for one in (*self.demands.some, *self.demands.every))

    def _language(self, keys: KeySet) -> Language:
        known = self._languages.get(keys)
        if known is None:
            known = self._languages[keys] = keys.language()
        return known

    def _common(self, inside: Sequence[Members]) -> Language:
        """Give the keys that lie in all of these constraints."""
        joined = Language.all()
        for keys in dict.fromkeys(one.keys for one in inside):
            joined = joined & self._language(keys)
        return joined

    def _class_of(self, inside: Sequence[Members], others: Sequence[Members] = ()) -> Language:
        """Give the keys that lie in just these constraints, of all that hold for every member and the `others`."""
        kept = {one.keys for one in inside}
        joined = self._common(inside)
        for keys in dict.fromkeys(one.keys for one in (*self.demands.every, *others)):
            if keys not in kept:
                joined = joined - self._language(keys)
        return joined

    def _filled(self, goals: dict[str, list[Formula]], answers: dict[str, Answer]) -> dict[str, object] | None:
        """Build the object, with as many further members as the least count asks for."""
        if any(answer.unknown for answer in answers.values()):
            return None
        value = {key: answer.values[0] for key, answer in answers.items()}
        missing = self.demands.least - len(value)
        if missing > self.budget.left:
            self.budget.spend(missing)
        if missing > 0:
            value.update(islice(self._further(frozenset(value)), missing))
        return value if len(value) >= self.demands.least else None

    def _further(self, taken: Collection[str]) -> Iterator[tuple[str, object]]:
        """Yield members that may be added: the named ones, then all that each class of keys has to offer."""
        for name in self.named:
            if name not in taken:
                answer = self._asked(self.demands.on(name))
                if answer.values:
                    yield name, answer.values[0]
        for new in self._fresh(KeySet.all(), None, taken):
            inside = [one for one in self.demands.every if new.key in one.keys]
            for key in self._words(inside, frozenset({*self.named, *taken})):
                self.budget.spend()
                yield key, new.answer.values[0]

    def _words(self, inside: Sequence[Members], used: frozenset[str]) -> Iterator[str]:
        """Yield the keys of a class in doubling portions, the empty one last."""
        if not self._has_languages:
            yield from _plain_keys(used)
            return
        where = self._class_of(inside)
        seen = 0
        limit = 4
        while True:
            chosen, ending = words([where], exclude=used | {""}, limit=limit, budget=self.budget)
            yield from chosen[seen:]
            if not isinstance(ending, More):
                break
            seen, limit = len(chosen), limit * 2
        if isinstance(ending, GaveUp):
            self.doubt = self.doubt or ending.reason
        if "" not in used and where.matches(""):
            yield ""


def _plain_keys(taken: Collection[str]) -> Iterator[str]:
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

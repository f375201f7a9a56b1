"""Whether a finite instance satisfies a formula: exact, and None where only an opaque set could tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from compat.jsonvalue import exact, freeze
from compat.logic.budget import Budget
from compat.logic.formula import And, ExactlyOne, Formula, Literal, OneValue, Opaque, Or, Reference, Types
from compat.logic.predicates import (
    Bound,
    Count,
    Format,
    ItemAt,
    ItemsFrom,
    Match,
    Members,
    Multiple,
    Predicate,
    Size,
    Table,
    Unique,
    type_of,
)

FormatTest = Callable[[str, str], "bool | None"]


class Evaluator:
    """Evaluates formulas on instances; `test_format(name, text)` answers for asserted formats."""

    def __init__(self, budget: Budget, test_format: FormatTest | None = None) -> None:
        self._budget = budget
        self._test_format = test_format

    def holds(self, formula: Formula, value: Any) -> bool | None:
        """Say whether `value` is in ⟦formula⟧; None where that hangs on an opaque set."""
        self._budget.spend()
        bit = type_of(value)
        if formula.must & bit:
            return True
        if not formula.may & bit:
            return False
        match formula:
            case Literal(predicate=predicate):
                return self.test(predicate, value)
            case OneValue(keys=keys, holds=positive):
                return (freeze(value) in keys) is positive
            case And(parts=parts):
                return self._every(parts, value)
            case Or(parts=parts):
                return _not(self._every([part.neg for part in parts], value))
            case ExactlyOne(parts=parts, holds=positive):
                one = self._exactly_one(parts, value)
                return one if positive else _not(one)
            case Reference():
                return self.holds(formula.target, value)
            case Types():
                return bool(formula.may & bit)
            case Opaque():
                return None
        raise TypeError(f"no formula: {formula!r}")

    def _every(self, parts: Sequence[Formula], value: Any) -> bool | None:
        answer: bool | None = True
        for part in parts:
            found = self.holds(part, value)
            if found is False:
                return False
            if found is None:
                answer = None
        return answer

    def _exactly_one(self, parts: Sequence[Formula], value: Any) -> bool | None:
        yes = unsure = 0
        for part in parts:
            found = self.holds(part, value)
            yes += found is True
            unsure += found is None
            if yes > 1:
                return False
        if unsure:
            return None
        return yes == 1

    def test(self, predicate: Predicate, value: Any) -> bool | None:
        """Say whether an instance of the predicate's type satisfies it."""
        match predicate:
            case Bound(value=bound, lower=lower, open=open_):
                number = exact(value)
                return (
                    (number > bound or (number == bound and not open_))
                    if lower
                    else (number < bound or (number == bound and not open_))
                )
            case Multiple(of=of, holds=positive):
                return ((exact(value) / of).denominator == 1) is positive
            case Match(language=language, holds=positive):
                return language.matches(value) is positive
            case Size(n=n, at_least=at_least):
                return len(value) >= n if at_least else len(value) <= n
            case Members(keys=keys, body=body, some=some):
                if keys.single is not None:
                    chosen = [value[keys.single]] if keys.single in value else []
                else:
                    chosen = [value[key] for key in value if key in keys]
                return self._quantified(body, chosen, some)
            case Table(names=names, read=read, some=some):
                every = self._all([self.holds(read(key), item) for key, item in value.items() if key in names])
                return _not(every) if some else every
            case ItemAt(index=index, body=body, some=some):
                return self._quantified(body, value[index : index + 1], some)
            case ItemsFrom(start=start, body=body, some=some):
                return self._quantified(body, value[start:], some)
            case Count(body=body, n=n, at_least=at_least):
                return self._counted(body, value, n, at_least)
            case Unique(holds=positive):
                return (len({freeze(item) for item in value}) == len(value)) is positive
            case Format(name=name, holds=positive):
                known = None if self._test_format is None else self._test_format(name, value)
                return None if known is None else known is positive
        raise TypeError(f"no predicate: {predicate!r}")

    def _quantified(self, body: Formula, items: Sequence[Any], some: bool) -> bool | None:
        answer: bool | None = not some
        for item in items:
            found = self.holds(body, item)
            if found is some:
                return some
            if found is None:
                answer = None
        return answer

    def _all(self, answers: Sequence[bool | None]) -> bool | None:
        return False if False in answers else (None if None in answers else True)

    def _counted(self, body: Formula, items: Sequence[Any], n: int, at_least: bool) -> bool | None:
        found = [self.holds(body, item) for item in items]
        sure, possible = found.count(True), len(found) - found.count(False)
        if at_least:
            return True if sure >= n else (False if possible < n else None)
        return True if possible <= n else (False if sure > n else None)


def _not(answer: bool | None) -> bool | None:
    return None if answer is None else not answer

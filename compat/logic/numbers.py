"""Numbers: intervals, multiples and exceptions, over exact rationals.

A conjunction of number predicates is an interval cut with a lattice (the common multiple of all `multipleOf`),
less finitely many lattices (negated `multipleOf`) and finitely many points. All of it is decided exactly.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, count
from math import ceil, floor, gcd, lcm
from typing import Final

from compat.jsonvalue import freeze, plain
from compat.logic.answer import EMPTY, Answer, unknown
from compat.logic.budget import Budget
from compat.logic.predicates import Bound, Multiple, Predicate

Rational = Fraction | int
# Every number of so many bits can be written; of longer ones, those of up to 4,300 digits.
_SHORT: Final = 1_000


@dataclass(slots=True)
class _Interval:
    low: Rational | None = None
    low_open: bool = False
    high: Rational | None = None
    high_open: bool = False

    def cut(self, bound: Bound) -> None:
        if bound.lower:
            if self.low is None or bound.value > self.low:
                self.low, self.low_open = bound.value, bound.open
            elif bound.value == self.low:
                self.low_open = self.low_open or bound.open
        elif self.high is None or bound.value < self.high:
            self.high, self.high_open = bound.value, bound.open
        elif bound.value == self.high:
            self.high_open = self.high_open or bound.open

    @property
    def empty(self) -> bool:
        if self.low is None or self.high is None:
            return False
        return self.low > self.high or (self.low == self.high and (self.low_open or self.high_open))

    @property
    def point(self) -> bool:
        return self.low is not None and self.low == self.high

    def steps(self, unit: Rational) -> tuple[int | None, int | None]:
        """Give the least and the greatest k with k·unit inside."""
        least = greatest = None
        if self.low is not None:
            least = ceil(Fraction(self.low) / unit)
            if self.low_open and least * unit == self.low:
                least += 1
        if self.high is not None:
            greatest = floor(Fraction(self.high) / unit)
            if self.high_open and greatest * unit == self.high:
                greatest -= 1
        return least, greatest


def solve_numbers(
    predicates: Iterable[Predicate], excluded: Collection[Hashable], limit: int, budget: Budget
) -> Answer:
    """Give up to `limit` numbers, nearest to zero first, that satisfy every predicate and are not `excluded`.

    `excluded` holds frozen values. Every number given has a finite decimal expansion.
    """
    interval, units, banned = _Interval(), list[Rational](), set[Rational]()
    for predicate in predicates:
        if isinstance(predicate, Bound):
            interval.cut(predicate)
        elif isinstance(predicate, Multiple):
            if predicate.holds:
                units.append(predicate.of)
            else:
                banned.add(predicate.of)
    if interval.empty:
        return EMPTY
    answer = _chosen(interval, units, banned, excluded, limit, budget)
    if not all(map(_can_be_written, answer.values)):
        return unknown("a number would need more digits than anyone can write")
    return answer


def _chosen(
    interval: _Interval,
    units: Collection[Rational],
    banned: Collection[Rational],
    excluded: Collection[Hashable],
    limit: int,
    budget: Budget,
) -> Answer:
    if units:
        return _on_lattice(interval, _common(units), sorted(banned), excluded, limit, budget)
    if interval.point:
        assert interval.low is not None
        good = _allowed(interval.low, banned, excluded)
        return Answer((interval.low,), complete=True) if good else EMPTY
    return _in_continuum(interval, banned, excluded, limit, budget)


def _common(units: Iterable[Rational]) -> Rational:
    """Least common multiple of rationals: lcm of numerators over gcd of denominators, in lowest terms."""
    result: Rational | None = None
    for unit in units:
        if result is None:
            result = unit
        else:
            left, right = Fraction(result), Fraction(unit)
            result = Fraction(lcm(left.numerator, right.numerator), gcd(left.denominator, right.denominator))
    assert result is not None
    return result


def _allowed(number: Rational, banned: Iterable[Rational], excluded: Collection[Hashable]) -> bool:
    return freeze(number) not in excluded and not any(Fraction(number, unit).denominator == 1 for unit in banned)


def _on_lattice(
    interval: _Interval,
    unit: Rational,
    banned: Iterable[Rational],
    excluded: Collection[Hashable],
    limit: int,
    budget: Budget,
) -> Answer:
    """Walk the multiples of `unit` outward from zero.

    k·unit is a multiple of b exactly if k is a multiple of lcm(unit, b)/unit, so bans are bans on k. If none of
    them is 1, k ≡ 1 modulo their common multiple escapes all, and small gaps are crossed by walking.
    """
    periods = []
    for ban in banned:
        period = Fraction(_common((unit, ban))) / unit
        if period == 1:
            return EMPTY
        periods.append(period.numerator)
    least, greatest = interval.steps(unit)
    if least is not None and greatest is not None and least > greatest:
        return EMPTY
    values: list[Rational] = []
    for k in _outward(least, greatest):
        budget.spend()
        if any(k % period == 0 for period in periods):
            continue
        number = _reduced(k * unit)
        if freeze(number) in excluded:
            continue
        values.append(number)
        if len(values) == limit:
            return Answer(tuple(values))
    return Answer(tuple(values), complete=True)


def _outward(least: int | None, greatest: int | None) -> Iterator[int]:
    """Yield the integers of a range by distance from zero, positive ones first."""
    if least is not None and least >= 0:
        yield from count(least) if greatest is None else range(least, greatest + 1)
    elif greatest is not None and greatest <= 0:
        yield from count(greatest, -1) if least is None else range(greatest, least - 1, -1)
    else:
        yield 0
        for k in count(1):
            above, below = greatest is None or k <= greatest, least is None or -k >= least
            if above:
                yield k
            if below:
                yield -k
            if not above and not below:
                return


def _in_continuum(
    interval: _Interval, banned: Collection[Rational], excluded: Collection[Hashable], limit: int, budget: Budget
) -> Answer:
    """Take the shortest decimals of an interval with an inside; only countably many points are ruled out."""
    values: dict[Rational, None] = {}
    # Bounds of at most this many digits apart always have decimals between them after as many more digits.
    for digits in chain(range(64), range(64, 20_000, 64)):
        unit = Fraction(1, 10**digits)
        least, greatest = interval.steps(unit)
        for tried, k in enumerate(_outward(least, greatest)):
            budget.spend()
            # After this many misses a finer grid finds sooner what this one hides behind bans and exceptions.
            if tried > len(excluded) + 64 * (len(banned) + 1) + limit:
                break
            number = _reduced(k * unit)
            if number not in values and _allowed(number, banned, excluded):
                values[number] = None
                if len(values) == limit:
                    return Answer(tuple(values))
    return Answer(tuple(values)) if values else unknown("no short decimal lies between the bounds")


def _can_be_written(number: Rational) -> bool:
    """Say whether a number has no more digits than Python is ready to print."""
    if number.numerator.bit_length() + number.denominator.bit_length() < _SHORT:
        return True
    try:
        str(plain(Fraction(number)))
    except ValueError:
        return False
    return True


def _reduced(number: Rational) -> Rational:
    return number.numerator if number.denominator == 1 else number

"""How large an instance a formula asks for, roughly: what is light is tried first, so that witnesses stay small."""

from __future__ import annotations

from typing import Final, TypeAlias

from compat.logic.formula import And, Formula, Literal, OneValue, Or
from compat.logic.predicates import Count, ItemAt, ItemsFrom, Members, Predicate, Size, Table

Weights: TypeAlias = dict[tuple[Formula, int], int]

# Deeper than this all weigh the same; the order of writing decides then.
_DEPTH: Final = 6


def weigh(formula: Formula, memo: Weights, depth: int = _DEPTH) -> int:
    """Estimate the members, items and characters that an instance of a formula needs."""
    key = (formula, depth)
    known = memo.get(key)
    if known is not None:
        return known
    match formula:
        case Literal(predicate=predicate):
            weight = _predicate(predicate, memo, depth)
        case And(parts=parts) if depth:
            weight = sum(weigh(part, memo, depth - 1) for part in parts)
        case Or(parts=parts) if depth:
            weight = min(weigh(part, memo, depth - 1) for part in parts)
        case OneValue(holds=True):
            weight = 1
        case _:
            weight = 0
    memo[key] = weight
    return weight


def _predicate(predicate: Predicate, memo: Weights, depth: int) -> int:
    match predicate:
        case Size(n=n, at_least=True):
            return n
        case Count(n=n, body=body, at_least=True):
            return n * (1 + weigh(body, memo, depth - 1)) if depth else n
        case ItemAt(index=index, body=body, some=True):
            return index + 1 + (weigh(body, memo, depth - 1) if depth else 0)
        case ItemsFrom(start=start, body=body, some=True):
            return start + 1 + (weigh(body, memo, depth - 1) if depth else 0)
        case Table(some=True):
            return 1
        case Members(body=body, some=True):
            return 1 + (weigh(body, memo, depth - 1) if depth else 0)
    return 0

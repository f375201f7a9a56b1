"""Which branches of a `oneOf` exclude each other, told from a member that tags them.

A tag is a property that a branch requires and gives finitely many values. Branches of disjoint tags share no
instance, so `oneOf` is `anyOf`, without asking about every pair.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeAlias

from compat.logic.formula import And, Formula, Literal, OneValue
from compat.logic.predicates import Members, Type

Tags: TypeAlias = Mapping[str, frozenset[Hashable]]
Discriminators: TypeAlias = dict[Formula, Tags]


def tags(formula: Formula, memo: Discriminators) -> Tags:
    """Give the properties that every object in ⟦formula⟧ has, with the finitely many values they take."""
    known = memo.get(formula)
    if known is None:
        present: set[str] = set()
        values: dict[str, frozenset[Hashable]] = {}
        for member in _members(formula):
            name = member.keys.single
            if name is None:
                continue
            if member.some:
                present.add(name)
            finite = _finite(member.body)
            if finite is not None:
                values[name] = values[name] & finite if name in values else finite
        known = memo[formula] = {name: found for name, found in values.items() if name in present}
    return known


def _members(formula: Formula) -> Iterable[Members]:
    for part in formula.parts if isinstance(formula, And) else (formula,):
        if isinstance(part, Literal) and isinstance(part.predicate, Members):
            yield part.predicate


def _finite(formula: Formula) -> frozenset[Hashable] | None:
    for part in formula.parts if isinstance(formula, And) else (formula,):
        if isinstance(part, OneValue) and part.holds:
            return part.keys
    return None


def apart(left: Formula, right: Formula, memo: Discriminators) -> bool:
    """Say that two formulas share no instance, where types, enumerations or tags show it at a glance."""
    common = left.may & right.may
    if not common:
        return True
    ours, theirs = _finite(left), _finite(right)
    if ours is not None and theirs is not None and not ours & theirs:
        return True
    if common != Type.OBJECT:
        return False
    left_tags, right_tags = tags(left, memo), tags(right, memo)
    return any(key in right_tags and not (values & right_tags[key]) for key, values in left_tags.items())


def all_apart(parts: Sequence[Formula], memo: Discriminators) -> bool:
    """Say that no two of the formulas share an instance; one common tag settles any number of them at once."""
    if all(part.may == Type.OBJECT for part in parts):
        first = tags(parts[0], memo)
        for key in first:
            seen: set[Hashable] = set()
            total = 0
            for part in parts:
                values = tags(part, memo).get(key)
                if values is None:
                    break
                seen |= values
                total += len(values)
            else:
                if len(seen) == total:
                    return True
    if len(parts) > 24:
        return False
    return all(apart(left, right, memo) for index, left in enumerate(parts) for right in parts[index + 1 :])

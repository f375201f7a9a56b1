"""What must hold of an instance at some place, given what holds of the whole.

Of a conjunction, the parts that speak of every member of a key, or of every item at a position, hold of what is
there. That is less than all there is to know, so it may rule a place out but never in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from compat.logic.formula import And, Formula, Literal
from compat.logic.keyset import KeySet
from compat.logic.predicates import ItemAt, ItemsFrom, Members, Predicate, Table
from compat.logic.solve import Solver
from compat.logic.universe import Universe


@dataclass(frozen=True, slots=True)
class Step:
    """One step down an instance: to a member whose key is in a set, to one item, or to one at or after a position."""

    to: KeySet | int
    tail: bool = False

    def some(self, universe: Universe, body: Formula) -> Predicate:
        """Say that what this step leads to satisfies `body`."""
        if isinstance(self.to, KeySet):
            return universe.members(self.to, body.neg).neg
        return universe.items_from(self.to, body.neg).neg if self.tail else universe.item_at(self.to, body.neg).neg


class Known:
    """The formulas that an instance at some place satisfies."""

    def __init__(self, solver: Solver, formulas: Sequence[Formula]) -> None:
        self._solver = solver
        self.formulas = tuple(formulas)

    def below(self, step: Step) -> Known:
        """Give what is known of the instances one step down."""
        return Known(self._solver, self._of_members(step.to) if isinstance(step.to, KeySet) else self._of_items(step))

    def _of_members(self, keys: KeySet) -> list[Formula]:
        if keys.single is None:
            return [one.body for one in self._members if one.keys == keys]
        found = [one.body for one in self._unnamed if keys.single in one.keys]
        found += [one.read(keys.single) for one in self.tables if keys.single in one.names]
        return self._named.get(keys.single, []) + found

    def _of_items(self, step: Step) -> list[Formula]:
        assert isinstance(step.to, int)
        found = [one.body for one in self._tails if one.start <= step.to]
        return found if step.tail else found + [one.body for one in self._items if one.index == step.to]

    def says(self, formula: Formula) -> bool:
        """Whether a formula is among what is known, word for word."""
        parts = formula.parts if isinstance(formula, And) else (formula,)
        return all(part in self._flat for part in parts)

    @cached_property
    def _flat(self) -> dict[Formula, None]:
        return self._solver.flatten(self.formulas) or {}

    @cached_property
    def _predicates(self) -> list[Predicate]:
        return [formula.predicate for formula in self._flat if isinstance(formula, Literal)]

    @cached_property
    def _members(self) -> list[Members]:
        return [one for one in self._predicates if isinstance(one, Members) and not one.some]

    @cached_property
    def tables(self) -> list[Table]:
        """What many names demand of their members at once."""
        return [one for one in self._predicates if isinstance(one, Table) and not one.some]

    @cached_property
    def _named(self) -> dict[str, list[Formula]]:
        named: dict[str, list[Formula]] = {}
        for one in self._members:
            if one.keys.single is not None:
                named.setdefault(one.keys.single, []).append(one.body)
        return named

    @cached_property
    def _unnamed(self) -> list[Members]:
        return [one for one in self._members if one.keys.single is None]

    @cached_property
    def _items(self) -> list[ItemAt]:
        return [one for one in self._predicates if isinstance(one, ItemAt) and not one.some]

    @cached_property
    def _tails(self) -> list[ItemsFrom]:
        return [one for one in self._predicates if isinstance(one, ItemsFrom) and not one.some]

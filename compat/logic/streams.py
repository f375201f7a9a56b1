"""Several distinct values of one goal, for items that must differ."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from compat.jsonvalue import freeze
from compat.logic.answer import EMPTY, Answer
from compat.logic.branch import Branch
from compat.logic.formula import And, Formula, Literal, Reference, Types
from compat.logic.numbers import solve_numbers
from compat.logic.objects import Demands
from compat.logic.predicates import TYPES, Members, Size, Table, Type, type_of
from compat.logic.strings import solve_strings

if TYPE_CHECKING:
    from compat.logic.solve import Solver


class Streams:
    """Lists distinct values and remembers the lists; numbers and strings come from their solvers at once."""

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._many: dict[tuple[frozenset[Formula], int], Answer] = {}

    def several(self, formulas: Sequence[Formula], limit: int) -> Answer:
        """Give up to `limit` distinct values of a goal; complete where these are all."""
        flat = self._solver.flatten(formulas)
        if flat is None:
            return EMPTY
        key = (frozenset(flat), limit)
        known = self._many.get(key)
        if known is not None:
            return known
        answer, certain = self._solver.unassumed(lambda: self._listed(list(flat), limit))
        # What is short for want of steps may be complete another time.
        if certain and self._solver.budget.left:
            self._many[key] = answer
        return answer

    def _listed(self, formulas: list[Formula], limit: int) -> Answer:
        values: dict[Hashable, object] = {}
        doubt: str | None = None
        for bit in TYPES:
            branch = Branch(self._solver.universe, bit)
            if not branch.add(formulas) or not branch.propagate():
                continue
            wanted = limit - len(values)
            if branch.chosen is not None:
                answer = self._finite(branch)
            elif not branch.clauses and branch.opaque is None and bit in (Type.NUMBER, Type.STRING):
                answer = self._scalars(branch, wanted)
            else:
                answer = self._one_by_one(formulas, bit, wanted)
            for value in answer.values:
                values.setdefault(freeze(value), value)
            if len(values) >= limit:
                return Answer(tuple(values.values())[:limit])
            if not answer.complete:
                doubt = doubt or answer.doubt or "not all distinct values could be listed"
        return Answer(tuple(values.values()), complete=doubt is None, doubt=doubt)

    def _finite(self, branch: Branch) -> Answer:
        """Sort out the values of a finite choice, exactly."""
        assert branch.chosen is not None
        values = [value for value in branch.chosen.values if type_of(value) is branch.type]
        verdicts = [[self._solver.holds(formula, value) for formula in branch.seen] for value in values]
        fitting = tuple(value for value, verdict in zip(values, verdicts, strict=True) if all(verdict))
        open_ = any(None in verdict and False not in verdict for verdict in verdicts)
        return Answer(fitting, complete=not open_)

    def _scalars(self, branch: Branch, limit: int) -> Answer:
        if branch.type is Type.NUMBER:
            return solve_numbers(branch.predicates, branch.excluded, limit, self._solver.budget)
        return solve_strings(branch.predicates, branch.excluded, limit, self._solver.budget, self._solver.test_format)

    def _one_by_one(self, formulas: list[Formula], bit: Type, limit: int) -> Answer:
        """List values by asking again with those known ruled out."""
        values: dict[Hashable, Any] = {}
        ruled_out: list[Formula] = [self._solver.universe.types(bit)]
        while len(values) < limit:
            answer = self._solver.solve([*formulas, *ruled_out])
            if answer.empty:
                return Answer(tuple(values.values()), complete=True)
            if answer.unknown:
                return Answer(tuple(values.values()), doubt=answer.doubt)
            value = answer.values[0]
            values[freeze(value)] = value
            ruled_out.append(self._solver.universe.one_of_values([value]).neg)
            if isinstance(value, dict) and limit - len(values) > 1:
                for other in self._varied(formulas, value, limit):
                    values.setdefault(freeze(other), other)
        return Answer(tuple(values.values())[:limit])

    def _varied(self, formulas: list[Formula], value: dict[str, Any], limit: int) -> list[dict[str, Any]]:
        """Change one member of an object at a time, keeping what still satisfies the goal."""
        branch = Branch(self._solver.universe, Type.OBJECT)
        if not branch.add(formulas) or not branch.propagate():
            return []
        demands = Demands.of(branch.predicates)
        # What speaks of each member by itself holds of the changed one, too, and sizes stay as they are.
        open_ = [formula for formula in branch.seen if not _holds_still(formula)]
        best: list[dict[str, Any]] = []
        for key in value:
            offers = self.several(demands.on(key), limit)
            changed = ({**value, key: item} for item in offers.values)
            fitting = [other for other in changed if all(self._solver.holds(formula, other) for formula in open_)]
            if len(fitting) >= limit:
                return fitting
            best = max(best, fitting, key=len)
        return best


def _holds_still(formula: Formula) -> bool:
    """Say that an object still satisfies a formula when one member is put in place of another that is as good."""
    if isinstance(formula, Literal):
        predicate = formula.predicate
        return isinstance(predicate, Size) or (isinstance(predicate, Members | Table) and not predicate.some)
    # Of these the parts are in the branch, too.
    return isinstance(formula, And | Reference | Types)

"""One branch of the tableau: what is known of an instance of one type, and what follows at once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from compat.jsonvalue import freeze
from compat.logic.formula import And, ExactlyOne, Formula, Literal, OneValue, Opaque, Or, Reference
from compat.logic.predicates import Predicate, Table, Type, type_of
from compat.logic.universe import Universe


@dataclass(slots=True)
class Branch:
    """One branch of the tableau for one type: what is known so far."""

    universe: Universe
    type: Type
    seen: dict[Formula, None] = field(default_factory=dict)
    predicates: dict[Predicate, None] = field(default_factory=dict)
    clauses: list[Formula] = field(default_factory=list)
    excluded: set[Hashable] = field(default_factory=set)
    chosen: OneValue | None = None
    opaque: Opaque | None = None

    def copy(self) -> Branch:
        return Branch(
            self.universe,
            self.type,
            dict(self.seen),
            dict(self.predicates),
            list(self.clauses),
            set(self.excluded),
            self.chosen,
            self.opaque,
        )

    def add(self, formulas: Iterable[Formula]) -> bool:
        """Sort formulas into the branch; False where the branch closes."""
        bit = self.type
        stack = list(formulas)
        stack.reverse()
        while stack:
            formula = stack.pop()
            if formula.must & bit or formula in self.seen:
                continue
            if not formula.may & bit or formula.neg in self.seen:
                return False
            self.seen[formula] = None
            match formula:
                case Literal(predicate=predicate):
                    if predicate.neg in self.predicates:
                        return False
                    if isinstance(predicate, Table) and predicate.some:
                        stack.append(self.universe.spelt(predicate))
                        continue
                    self.predicates[predicate] = None
                case And(parts=parts):
                    stack.extend(reversed(parts))
                case Reference():
                    stack.append(formula.target)
                case Or() | ExactlyOne():
                    self.clauses.append(formula)
                case OneValue():
                    self._restrict(formula, stack)
                case Opaque():
                    self.opaque = self.opaque or formula
        return True

    def _restrict(self, formula: OneValue, stack: list[Formula]) -> None:
        """Take in an enumeration: a finite choice, or exceptions (spelt out for arrays and objects)."""
        here = [value for value in formula.values if type_of(value) is self.type]
        if formula.holds:
            if self.chosen is None or len(formula.values) < len(self.chosen.values):
                self.chosen = formula
        elif self.type in (Type.ARRAY, Type.OBJECT):
            stack.extend(self.universe.constant(value).neg for value in here)
        else:
            self.excluded.update(freeze(value) for value in here)

    def propagate(self) -> bool:
        """Drop satisfied clauses and add what is left of those with one live part; False where one has none."""
        changed = True
        while changed:
            changed = False
            kept: list[Formula] = []
            for clause in self.clauses:
                if not isinstance(clause, Or):
                    kept.append(clause)
                    continue
                live = self.live(clause)
                if live is None:
                    continue
                if not live:
                    return False
                if len(live) == 1:
                    pending = self.clauses
                    self.clauses = []
                    if not self.add(live):
                        return False
                    kept.extend(self.clauses)
                    self.clauses = pending
                    changed = True
                else:
                    kept.append(clause)
            self.clauses = kept
        return True

    def live(self, clause: Or) -> list[Formula] | None:
        """Give the parts that are still possible; None where one of them already holds."""
        bit = self.type
        live: list[Formula] = []
        for part in clause.parts:
            if part.must & bit or part in self.seen:
                return None
            if not part.may & bit or part.neg in self.seen:
                continue
            if isinstance(part, Literal):
                if part.predicate in self.predicates:
                    return None
                if part.predicate.neg in self.predicates:
                    continue
            live.append(part)
        return live

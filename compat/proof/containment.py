"""Whether every instance of one schema is an instance of another.

The question is a goal, "an instance of the left that is none of the right": empty is a proof, a value is a witness
that both validators must confirm, and everything else is unknown, with the reason.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

from compat.errors import CompatError
from compat.jsonvalue import JSON, walk
from compat.logic.answer import Answer, unknown
from compat.logic.budget import Budget, BudgetExhausted
from compat.logic.declared import Declared
from compat.logic.formula import Formula
from compat.logic.sharing import Sharing
from compat.logic.solve import Solver
from compat.logic.translate import MeaninglessSchemaError, Translator
from compat.logic.universe import Universe
from compat.model.formats import test_format
from compat.model.instance import Formats
from compat.model.references import SchemaSet
from compat.proof.depth import room_to_recurse
from compat.proof.verdict import Doubt, Verdict
from compat.proof.witness import Confirmation, Witnesses, plain_value
from compat.relation import Status

# Steps that one direction may cost; the hardest real pair known needs a small part of it.
STEPS: Final = 200_000

# A witness of declared properties only may be this many times as large as the smallest one found.
READABLE: Final = 16


class Side:
    """One of the two schemas with what a pair of proofs needs of it; `twin` is the other, where it came first."""

    def __init__(
        self, name: str, schemas: SchemaSet, universe: Universe, formats: Formats, sharing: Sharing, twin: Side | None
    ) -> None:
        self.name = name
        self.schemas = schemas
        self._twin = twin
        self.translator: Translator = Translator(
            universe,
            schemas,
            name,
            formats=formats,
            sharing=sharing,
            twin=None if twin is None else twin.translator,
        )

    @cached_property
    def formula(self) -> Formula:
        # What the other side says alike is taken over, so that side goes first.
        if self._twin is not None:
            _ = self._twin.formula
        return self.translator.root()

    @cached_property
    def _declared(self) -> Declared:
        return Declared(self.translator)

    def keeps_to_declared(self, value: Any) -> bool:
        """Say whether an instance uses declared properties only."""
        return self._declared.holds(value)

    @cached_property
    def declared(self) -> Formula:
        """The instances that use declared properties only."""
        return self._declared.formula()


class Pair:
    """Two schemas in one universe, and the proofs between them in both directions."""

    def __init__(self, old: SchemaSet, new: SchemaSet, *, formats: Formats = "annotation", steps: int = STEPS) -> None:
        self.steps = steps
        self.universe = Universe()
        self.budget = Budget(steps)
        sharing = Sharing(old, new)
        self.old = Side("old", old, self.universe, formats, sharing, None)
        self.new = Side("new", new, self.universe, formats, sharing, self.old)
        self.witnesses = {"old": Witnesses(old, formats), "new": Witnesses(new, formats)}
        self.solver = Solver(self.universe, self.budget, test_format)

    @cached_property
    def unspoken(self) -> Doubt | None:
        """Why one of the schemas cannot be put into formulas, so that nothing can be asked about the pair."""
        try:
            _ = self.old.formula, self.new.formula
        except MeaninglessSchemaError as error:
            return Doubt(error.pointer, str(error))
        except BudgetExhausted as error:
            return Doubt("", self._why_exhausted(error))
        except RecursionError:
            return Doubt("", "the schema nests too deeply")
        return None

    def contained(self, left: Side, right: Side) -> Verdict:
        """Decide ⟦left⟧ ⊆ ⟦right⟧."""
        with room_to_recurse():
            return self._contained(left, right)

    def _contained(self, left: Side, right: Side) -> Verdict:
        if self.unspoken is not None:
            return Verdict(Status.UNKNOWN, doubts=(self.unspoken,))
        if left.formula is right.formula:
            return Verdict(Status.COMPATIBLE)
        answer = self.ask([left.formula, right.formula.neg])
        spent = self.budget.spent
        if answer.empty:
            return Verdict(Status.COMPATIBLE, steps=spent)
        if answer.unknown:
            return Verdict(Status.UNKNOWN, doubts=(Doubt("", answer.doubt or "no proof was found"),), steps=spent)
        value, undeclared = self.graded(left, right.formula.neg, answer.values[0])
        witness = plain_value(value)
        confirmation = self.confirm(left, right, witness)
        if confirmation.doubt is not None and value is not answer.values[0]:
            witness = plain_value(answer.values[0])
            confirmation = self.confirm(left, right, witness)
        if confirmation.doubt is not None:
            return Verdict(Status.UNKNOWN, doubts=(Doubt("", confirmation.doubt),), steps=spent)
        return Verdict(Status.BREAKING, witness, undeclared, steps=spent)

    def proved(self, left: Side, right: Side) -> bool:
        """Say that ⟦left⟧ ⊆ ⟦right⟧ is proved; no witness is looked for."""
        with room_to_recurse():
            if self.unspoken is not None:
                return False
            return left.formula is right.formula or self.ask([left.formula, right.formula.neg]).empty

    def disjoint(self) -> bool | None:
        """Decide whether no instance at all satisfies both schemas; None where that is unknown."""
        if self.unspoken is not None:
            return None
        with room_to_recurse():
            answer = self.ask([self.old.formula, self.new.formula])
        return None if answer.unknown else answer.empty

    def confirm(self, left: Side, right: Side, witness: JSON) -> Confirmation:
        """Have the validators look at a witness: the left must accept it, the right must not."""
        return Confirmation.of(self.witnesses[left.name], self.witnesses[right.name], witness)

    def ask(self, formulas: list[Formula]) -> Answer:
        """Solve a goal within a fresh budget; whatever stands in the way is the doubt."""
        self.budget.spent = 0
        try:
            return self.solver.solve(formulas)
        except BudgetExhausted as error:
            doubt = self._why_exhausted(error)
        except RecursionError:
            doubt = "the schema nests too deeply"
        except MeaninglessSchemaError as error:
            doubt = str(error)
        except CompatError as error:
            doubt = error.message
        self.solver.abandon()
        return unknown(doubt)

    def _why_exhausted(self, error: BudgetExhausted) -> str:
        # Bounds of another kind, such as that on the alternatives of a pattern, no number of steps moves.
        if self.budget.left:
            return error.reason
        return f"the proof needs more than {self.steps} steps; a higher bound (--steps) may decide it"

    def holds(self, formula: Formula, value: object) -> bool | None:
        """Say whether a value satisfies a formula; None where that cannot be told within a fresh budget."""
        self.budget.spent = 0
        try:
            return self.solver.holds(formula, value)
        except (BudgetExhausted, RecursionError, MeaninglessSchemaError):
            return None

    def graded(self, left: Side, goal: Formula, value: object) -> tuple[object, bool]:
        """Prefer an instance of the left and the goal that uses declared properties only; if none does, say so."""
        if left.keeps_to_declared(value):
            return value, False
        try:
            keeping = left.declared
        except RecursionError:
            return value, False
        declared = self.ask([left.formula, keeping, goal])
        if not declared.values:
            return value, declared.empty
        # That there is one is what counts; nobody reads one of two thousand items where a small one is at hand.
        small = _size(declared.values[0]) <= READABLE * _size(value)
        return (declared.values[0] if small else value), False


def _size(value: Any) -> int:
    """Count the values inside a value, itself included."""
    return sum(1 for _ in walk(value))

"""The tableau: whether a conjunction of formulas has a finite JSON value, and a small one if so.

A goal is a set of formulas. It is split by type; in a branch every formula is a predicate, a clause, or trivial.
The predicates alone are solved first, and the value found guides the branching: only a clause that it violates is
split. Members and items are goals of their own, on smaller instances.

Recursion is a least fixpoint: a goal that contains a goal in progress above it has no *smallest* value on that
path, since its value would be a smaller value of the goal above. A negative answer that leaned on this holds only
together with the goal it leaned on: it is provisional until that goal ends, kept if it ends empty and dropped if not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Final

from compat.jsonvalue import freeze
from compat.logic.answer import EMPTY, Answer, found, unknown
from compat.logic.arrays import solve_arrays
from compat.logic.branch import Branch
from compat.logic.budget import Budget
from compat.logic.discriminate import Discriminators, apart
from compat.logic.evaluate import Evaluator, FormatTest
from compat.logic.formula import And, ExactlyOne, Formula, OneValue, Or, Reference
from compat.logic.numbers import solve_numbers
from compat.logic.objects import solve_objects
from compat.logic.predicates import TYPES, Type, type_of
from compat.logic.streams import Streams
from compat.logic.strings import solve_strings
from compat.logic.universe import Universe
from compat.logic.weight import Weights, weigh

Goal = frozenset[Formula]
_NEVER: Final = 1 << 60


class Solver:
    """Solves goals over one universe and remembers every answer, unless `forgetful` (so that tests can compare)."""

    def __init__(
        self,
        universe: Universe,
        budget: Budget,
        test_format: FormatTest | None = None,
        *,
        forgetful: bool = False,
    ) -> None:
        self.universe = universe
        self.budget = budget
        self.test_format = test_format
        self._evaluator = Evaluator(budget, test_format)
        self._known: dict[Goal, Answer] = {}
        self._provisional: dict[Goal, int] = {}
        self._forgetful = forgetful
        self._open: dict[Goal, int] = {}
        self._trail: list[Goal] = []
        self._lean = _NEVER
        self._streams = Streams(self)
        self._discriminators: Discriminators = {}
        self._weights: Weights = {}

    def holds(self, formula: Formula, value: object) -> bool | None:
        """Say whether `value` satisfies `formula`; None where that hangs on an opaque set."""
        return self._evaluator.holds(formula, value)

    def solve(self, formulas: Iterable[Formula]) -> Answer:
        """Give a small value that satisfies all formulas, or that there is none, or why that is unknown."""
        self.budget.spend()
        flat = self.flatten(formulas)
        if flat is None:
            return EMPTY
        if not flat:
            return found(None)
        goal = frozenset(flat)
        if not self._forgetful:
            known = self._known.get(goal)
            if known is not None:
                return known
            leaned = self._provisional.get(goal)
            if leaned is not None:
                self._lean = min(self._lean, leaned)
                return EMPTY
        for above, depth in self._open.items():
            if above <= goal:
                self._lean = min(self._lean, depth)
                return EMPTY
        return self._enter(goal, list(flat))

    def abandon(self) -> None:
        """Forget what a search that was cut short assumed; what it proved stays."""
        self._open.clear()
        self._trail.clear()
        self._provisional.clear()
        self._lean = _NEVER

    def unassumed(self, work: Callable[[], Answer]) -> tuple[Answer, bool]:
        """Do some work and say whether its answer leans on no goal in progress."""
        before, self._lean = self._lean, _NEVER
        answer = work()
        certain = self._lean == _NEVER
        self._lean = min(before, self._lean)
        return answer, certain

    def _enter(self, goal: Goal, formulas: list[Formula]) -> Answer:
        depth = len(self._open)
        before, self._lean = self._lean, _NEVER
        mark = len(self._trail)
        self._open[goal] = depth
        try:
            answer = self._by_type(formulas)
        finally:
            del self._open[goal]
        leaned, self._lean = self._lean, before
        if answer.empty and leaned < depth:
            # What leaned on this goal now leans on what this one leans on: its depth is free for another goal.
            for other in self._trail[mark:]:
                self._provisional[other] = min(leaned, self._provisional[other])
            self._provisional[goal] = leaned
            self._trail.append(goal)
            self._lean = min(before, leaned)
            return answer
        inside = self._trail[mark:]
        del self._trail[mark:]
        for other in inside:
            self._provisional.pop(other, None)
            if answer.empty:
                self._known[other] = EMPTY
        if answer.empty:
            self._known[goal] = EMPTY
        # An unknown that leaned on a goal above is an answer to this place only, one for want of steps to this time.
        elif answer.values or (leaned >= depth and self.budget.left):
            self._known[goal] = answer
        else:
            self._lean = min(before, leaned)
        return answer

    def flatten(self, formulas: Iterable[Formula]) -> dict[Formula, None] | None:
        """Spread conjunctions and references; None where two complements meet or a type is left out."""
        flat: dict[Formula, None] = {}
        may = 63
        stack = list(formulas)
        stack.reverse()
        spread: set[Formula] = set()
        while stack:
            formula = stack.pop()
            if formula in flat or formula in spread or formula is self.universe.true:
                continue
            may &= formula.may
            if formula.neg in flat or formula.neg in spread or not may:
                return None
            if isinstance(formula, And):
                spread.add(formula)
                stack.extend(reversed(formula.parts))
            elif isinstance(formula, Reference):
                spread.add(formula)
                stack.append(formula.target)
            else:
                flat[formula] = None
        return flat

    def _by_type(self, formulas: list[Formula]) -> Answer:
        fewest: OneValue | None = None
        for formula in formulas:
            if not isinstance(formula, OneValue) or not formula.holds:
                continue
            if fewest is None or len(formula.values) < len(fewest.values):
                fewest = formula
        if fewest is not None:
            return self._among(fewest, formulas)
        doubt: str | None = None
        may = 63
        for formula in formulas:
            may &= formula.may
        for bit in TYPES:
            if not may & bit:
                continue
            answer = self._extend(Branch(self.universe, bit), formulas)
            if answer.values:
                return answer
            if answer.unknown:
                doubt = doubt or answer.doubt
        return EMPTY if doubt is None else unknown(doubt)

    def _among(self, chosen: OneValue, formulas: list[Formula], bit: Type | None = None) -> Answer:
        """Try the values of a finite goal (of one type, where `bit` says so), exactly."""
        doubt: str | None = None
        left = set(chosen.keys)
        rest: list[Formula] = []
        for formula in formulas:
            if not isinstance(formula, OneValue):
                rest.append(formula)
            elif formula is not chosen:
                left = left & formula.keys if formula.holds else left - formula.keys
        for value in chosen.values if left else ():
            if (bit is not None and type_of(value) is not bit) or freeze(value) not in left:
                continue
            verdict: bool | None = True
            for formula in rest:
                holds = self.holds(formula, value)
                if holds is False:
                    verdict = False
                    break
                if holds is None:
                    verdict = None
            if verdict:
                return found(value)
            if verdict is None:
                doubt = doubt or "it hangs on a set that only its name is known of"
        return EMPTY if doubt is None else unknown(doubt)

    # ── one branch ────────────────────────────────────────────────────────────────────────────────────────────────

    def _extend(self, branch: Branch, formulas: Iterable[Formula]) -> Answer:
        """Add formulas to a branch, propagate, solve what is certain and split on what the value violates."""
        self.budget.spend()
        if not branch.add(formulas) or not branch.propagate():
            return EMPTY
        if branch.chosen is not None:
            return self._among(branch.chosen, list(branch.seen), branch.type)
        answer = self._solve_literals(branch)
        if answer.empty:
            return EMPTY
        clause = self._violated(branch, answer)
        if clause is None:
            if answer.values and branch.opaque is not None:
                return unknown(branch.opaque.why)
            return answer
        return self._split(branch, clause, answer)

    def _violated(self, branch: Branch, answer: Answer) -> Formula | None:
        """Pick the clause to split on: one that the value violates, the one with the fewest parts."""
        best: Formula | None = None
        best_size = _NEVER
        for clause in branch.clauses:
            if answer.values and self.holds(clause, answer.values[0]):
                continue
            size = _NEVER - 1 if self._settled(branch, clause, answer) else _breadth(clause)
            if size < best_size:
                best, best_size = clause, size
        return best

    def _settled(self, branch: Branch, clause: Formula, answer: Answer) -> bool:
        """Whether a `oneOf` is violated only by a branch that is ruled out already: then its denial is to be split."""
        if not isinstance(clause, ExactlyOne) or not clause.holds or not answer.values:
            return False
        return any(part.neg in branch.seen and self.holds(part, answer.values[0]) for part in clause.parts)

    def _split(self, branch: Branch, clause: Formula, answer: Answer) -> Answer:
        # Of two branches of a `oneOf` that both hold, one must go; the clause itself stays to be met.
        both = self._both(clause, answer)
        keep = bool(both)
        doubt: str | None = None
        for alternative in both or self._alternatives(branch, clause):
            below = branch.copy()
            if not keep:
                below.clauses = [other for other in below.clauses if other is not clause]
            result = self._extend(below, alternative)
            if result.values:
                return result
            if result.unknown:
                doubt = doubt or result.doubt
        return EMPTY if doubt is None else unknown(doubt)

    def _both(self, clause: Formula, answer: Answer) -> list[Sequence[Formula]]:
        """Where a value satisfies two branches of a `oneOf`, say that either must fail."""
        if not isinstance(clause, ExactlyOne) or not clause.holds or not answer.values:
            return []
        true = [part for part in clause.parts if self.holds(part, answer.values[0])]
        return [[part.neg] for part in true[:2]] if len(true) > 1 else []

    def _alternatives(self, branch: Branch, clause: Formula) -> Iterable[Sequence[Formula]]:
        """Yield what may hold instead: the instances of the clause in this branch are their union."""
        match clause:
            case Or():
                live = branch.live(clause) or ()
                yield from ([part] for part in sorted(live, key=lambda part: weigh(part, self._weights)))
            case ExactlyOne(parts=parts, holds=True):
                for at, part in enumerate(parts):
                    # A part written twice rules itself out.
                    others = (other for place, other in enumerate(parts) if place != at)
                    yield [part, *(other.neg for other in others if other is part or not self.apart(part, other))]
            case ExactlyOne(parts=parts):
                yield [part.neg for part in parts]
                for left, right in combinations(parts, 2):
                    if left is right or not self.apart(left, right):
                        yield [left, right]

    def apart(self, left: Formula, right: Formula) -> bool:
        """Say that two formulas share no instance, where a look at their discriminators shows it."""
        return apart(left, right, self._discriminators)

    # ── literals ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _solve_literals(self, branch: Branch) -> Answer:
        self.budget.spend(1 + len(branch.predicates))
        match branch.type:
            case Type.NULL:
                return Answer((None,), complete=True)
            case Type.BOOLEAN:
                left = tuple(value for value in (False, True) if freeze(value) not in branch.excluded)
                return Answer(left, complete=True)
            case Type.NUMBER:
                return solve_numbers(branch.predicates, branch.excluded, 1, self.budget)
            case Type.STRING:
                return solve_strings(branch.predicates, branch.excluded, 1, self.budget, self.test_format)
            case Type.ARRAY:
                return solve_arrays(branch.predicates, self.solve, self._streams.several, self.budget)
            case _:
                return solve_objects(branch.predicates, self.solve, self.budget)


def _breadth(clause: Formula) -> int:
    return len(clause.parts) if isinstance(clause, Or | ExactlyOne) else 1

"""Which of two patterns matches more, decided on their languages."""

from __future__ import annotations

from enum import StrEnum

from compat.errors import RegexError
from compat.logic.budget import Budget, BudgetExhausted
from compat.logic.regex import Language, includes

# Two patterns of real schemas take a few hundred steps; a report must not wait for the others.
_STEPS = 20_000


class Inclusion(StrEnum):
    """How the strings of a new pattern lie to those of the old one."""

    EQUAL = "equal"
    NARROWER = "narrower"
    WIDER = "wider"
    NEITHER = "neither"
    UNDECIDED = "undecided"


def inclusion(old: str, new: str) -> Inclusion:
    """Compare two patterns; `UNDECIDED` where one is malformed or the search grows too large."""
    if old == new:
        return Inclusion.EQUAL
    try:
        left, right = Language.pattern(old), Language.pattern(new)
        kept = includes(left, right, Budget(_STEPS))
        back = includes(right, left, Budget(_STEPS))
    except (RegexError, BudgetExhausted, RecursionError):
        return Inclusion.UNDECIDED
    if kept is None or back is None:
        return Inclusion.UNDECIDED
    if kept:
        return Inclusion.EQUAL if back else Inclusion.WIDER
    return Inclusion.NARROWER if back else Inclusion.NEITHER

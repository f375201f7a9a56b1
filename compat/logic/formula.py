"""The one language that every dialect is translated to: formulas over JSON instances.

A formula denotes a set of instances. Equal structure is the same object, and every formula knows its complement,
so that "X and not X" is found by identity, whatever X is. Assertions are predicates on one JSON type; a `Literal`
says either "of that type, and P" (strict) or "if of that type, then P" (lax), and each is the other's complement.

`may` and `must` are bit masks of types: where the formula is not trivially false, and where it is trivially true.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from compat.jsonvalue import JSON
from compat.logic.predicates import Predicate


class Formula:
    """An interned formula; build it through `Universe` only."""

    __slots__ = ("may", "must", "neg", "serial")
    may: int
    must: int
    neg: Formula
    serial: int


class Types(Formula):
    """The instance is of one of the types in `may`; also stands for ⊤ (all types) and ⊥ (none)."""

    __slots__ = ()


class Literal(Formula):
    """`strict`: of the predicate's type, and it holds. Lax: if of that type, it holds."""

    __slots__ = ("predicate", "strict")

    def __init__(self, predicate: Predicate, strict: bool) -> None:
        self.predicate, self.strict = predicate, strict


class OneValue(Formula):
    """The instance equals one of `values` (`holds`), or none of them; `keys` are the frozen values."""

    __slots__ = ("holds", "keys", "values")

    def __init__(self, values: tuple[JSON, ...], keys: frozenset[Hashable], holds: bool) -> None:
        self.values, self.keys, self.holds = values, keys, holds


class And(Formula):
    """Every part holds."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[Formula, ...]) -> None:
        self.parts = parts


class Or(Formula):
    """Some part holds."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[Formula, ...]) -> None:
        self.parts = parts


class ExactlyOne(Formula):
    """Exactly one part holds (`holds`), or none or several do."""

    __slots__ = ("holds", "parts")

    def __init__(self, parts: tuple[Formula, ...], holds: bool) -> None:
        self.parts, self.holds = parts, holds


class Reference(Formula):
    """A formula behind a name, resolved on demand; its complement refers to the complement of the target.

    Recursion needs it, and it puts off the translation of what both schemas of a pair say alike.
    """

    __slots__ = ("_target", "_translate", "label")

    def __init__(self, label: str, translate: Callable[[], Formula] | None = None) -> None:
        self.label = label
        self._target: Formula | None = None
        self._translate = translate

    @property
    def target(self) -> Formula:
        if self._target is None:
            if self._translate is not None:
                self._target = self._translate()
            else:
                inverse = self.neg
                assert isinstance(inverse, Reference)
                assert inverse._target is not None or inverse._translate is not None, (
                    "followed before it was translated"
                )
                self._target = inverse.target.neg
        return self._target

    def bind(self, target: Formula) -> None:
        self._target = target


class Opaque(Formula):
    """A set that only its name is known of (an unresolvable reference); equal names, equal sets.

    So a name must hold all that the set depends on.
    """

    __slots__ = ("holds", "name", "why")

    def __init__(self, name: Hashable, why: str, holds: bool) -> None:
        self.name, self.why, self.holds = name, why, holds

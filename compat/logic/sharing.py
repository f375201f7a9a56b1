"""Which recursive definitions of two documents are the same, so that their references may be one formula.

Two places are the same if their assertions are equal and all their subschemas and reference targets are the same, in
the greatest such relation: definitions that refer to each other are the same unless something tells them apart.
"""

from __future__ import annotations

from typing import Any

from compat.errors import SchemaError
from compat.jsonvalue import freeze
from compat.model.keywords import KEYWORDS, Applies, Kind
from compat.model.references import SchemaSet, Subschema, references_in


class Sharing:
    """Compares places of two schema sets by what they assert."""

    def __init__(self, old: SchemaSet, new: SchemaSet) -> None:
        self._old = old
        self._new = new
        self._known: dict[str, bool] = {}

    def same(self, pointer: str) -> bool:
        """Say that what stands at `pointer` means the same in both root documents."""
        known = self._known.get(pointer)
        if known is None:
            try:
                left, right = (
                    self._old.resolve(self._old.root, f"#{pointer}"),
                    self._new.resolve(self._new.root, f"#{pointer}"),
                )
                known = self._equal(left, right)
            except (SchemaError, RecursionError):
                known = False
            self._known[pointer] = known
        return known

    def _equal(self, left: Subschema, right: Subschema) -> bool:
        assumed: set[tuple[int, int]] = set()
        stack = [(left, right)]
        while stack:
            one, other = stack.pop()
            place = (id(one.value), id(other.value))
            if place in assumed or one.value is other.value:
                continue
            assumed.add(place)
            if one.dialect is not other.dialect or _assertions(one) != _assertions(other):
                return False
            ours = self._below(self._old, one)
            theirs = self._below(self._new, other)
            if ours.keys() != theirs.keys():
                return False
            stack.extend((ours[key], theirs[key]) for key in ours)
        return True

    def _below(self, schemas: SchemaSet, sub: Subschema) -> dict[Any, Subschema]:
        found: dict[Any, Subschema] = {
            tokens: child for tokens, applies, child in schemas.children(sub) if applies is not Applies.NOWHERE
        }
        for keyword, ref in references_in(sub.value, sub.dialect):
            if keyword != "$ref":
                raise SchemaError("a dynamic reference depends on more than its place")
            found[keyword] = schemas.resolve(sub, ref)
        return found


def _assertions(sub: Subschema) -> object:
    """Give what a schema asserts by itself, in a form that equal assertions share."""
    value: Any = sub.value
    if not isinstance(value, dict):
        return value
    rows = KEYWORDS[sub.dialect]
    return {
        keyword: freeze(value[keyword]) for keyword in value if keyword in rows and rows[keyword].kind is Kind.ASSERTION
    }

"""What a comparison of two subschemas finds: differences to report, and pairs of children to compare next.

Both speak in tokens relative to the subschema; the walk turns them into places of a document.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from compat.jsonvalue import JSON
from compat.relation import Effect

# Spots and pairs are made by the hundred for each change that is found, and a named tuple is made fastest.
Tokens = tuple[str | int, ...]


class Spot(NamedTuple):
    """A place in a subschema with its value; `exists` is False where nothing stands there."""

    tokens: Tokens
    value: JSON = None
    exists: bool = True

    @property
    def keyword(self) -> str:
        """The keyword of the document that the place belongs to."""
        return str(self.tokens[0]) if self.tokens else ""


@dataclass(frozen=True, slots=True)
class Difference:
    """A change of one rule, before it is located; `expected` is what it does to the subschema's own set."""

    rule: str
    keyword: str
    old: Spot
    new: Spot
    summary: str
    expected: Effect
    hint: str | None = None


class Bearing(StrEnum):
    """How the set of a child bears on the set of its parent."""

    SAME = "same"
    REVERSED = "reversed"  # under `not`: what narrows the child widens the parent
    MIXED = "mixed"  # under `if`, `oneOf`: either may follow
    NONE = "none"  # under `$defs`: nothing follows

    def after(self, outer: Bearing) -> Bearing:
        """Compose with the bearing of the parent on the root."""
        if Bearing.NONE in (self, outer):
            return Bearing.NONE
        if Bearing.MIXED in (self, outer):
            return Bearing.MIXED
        return Bearing.SAME if self is outer else Bearing.REVERSED

    def carry(self, effect: Effect) -> Effect:
        """Tell what an effect on the child is expected to do to the root."""
        if self is Bearing.NONE or effect is Effect.NONE:
            return Effect.NONE
        if self is Bearing.MIXED:
            return Effect.UNKNOWN
        return effect if self is Bearing.SAME else effect.mirror


class Pair(NamedTuple):
    """Two child schemas that stand for each other; `steps` leads from the parent's instances to theirs."""

    old: Tokens
    new: Tokens
    steps: tuple[str, ...] = ()
    bearing: Bearing = Bearing.SAME


Outcome = Difference | Pair

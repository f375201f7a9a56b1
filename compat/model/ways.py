"""In how many ways a schema leads on for one instance: what a validator without a memory may have to go through.

Definitions that refer to the next one twice each are a short text and an exponential walk. The reference validator
remembers what held; one in another language cannot even be stopped.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from compat.errors import ReferenceError as BadReference
from compat.model.keywords import Applies
from compat.model.references import SchemaSet, Subschema, references_in

# Real schemas stay far below; a validation of a hundredth of a second goes through about as many.
MOST_WAYS: Final = 1_000_000

_Place = tuple[int, str]


def ways(schemas: SchemaSet) -> int:
    """Count, up to `MOST_WAYS`, the schemas applied to one instance if each way to one counts; the most anywhere.

    Members and items are instances of their own: there are no more of them than a value holds.
    """
    counted: dict[_Place, int] = {}
    return max(_counted(schemas, sub, counted) for sub, _ in schemas.reached())


def _counted(schemas: SchemaSet, start: Subschema, counted: dict[_Place, int]) -> int:
    open_: set[_Place] = set()
    stack: list[tuple[Subschema, list[Subschema] | None]] = [(start, None)]
    while stack:
        sub, beside = stack.pop()
        place = _place(sub)
        if beside is not None:
            open_.discard(place)
            # Whoever comes back to the same instance counts once: such a loop ends every validator at once.
            counted[place] = min(MOST_WAYS, 1 + sum(counted.get(_place(one), 1) for one in beside))
        elif place not in counted and place not in open_:
            open_.add(place)
            beside = list(_beside(schemas, sub))
            stack.append((sub, beside))
            stack.extend((one, None) for one in beside)
    return counted[_place(start)]


def _beside(schemas: SchemaSet, sub: Subschema) -> Iterator[Subschema]:
    yield from (child for _, applies, child in schemas.children(sub) if applies is Applies.IN_PLACE)
    for _, ref in references_in(sub.value, sub.dialect):
        with suppress(BadReference):
            yield schemas.resolve(sub, ref)


def _place(sub: Subschema) -> _Place:
    return id(sub.document), sub.pointer

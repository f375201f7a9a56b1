"""Rules of the keywords that set a limit, made from one row a keyword."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from compat.diff.scalars import BOUNDS, kebab
from compat.jsonvalue import JSON
from compat.relation import Effect
from compat.rules.rule import Example, Rule, Text, mirrored
from compat.rules.wording import OLD_DATA_FAILS, OLD_READERS_FAIL, READERS_FIRST, keep


@dataclass(frozen=True, slots=True)
class Scale:
    """What a bound measures: in words, the schema around it, and an instance of a given measure."""

    noun: str
    schema: Mapping[str, JSON]
    instance: Callable[[int], JSON]
    low: int
    middle: int
    high: int


NUMBERS = Scale("numbers", {"type": "integer"}, lambda n: n, 0, 3, 5)
LENGTHS = Scale("strings", {"type": "string"}, lambda n: "x" * n, 1, 2, 3)
ITEMS = Scale("arrays", {"type": "array"}, lambda n: list(range(n)), 1, 2, 3)
PROPERTIES = Scale("objects", {"type": "object"}, lambda n: dict.fromkeys("abc"[:n], True), 1, 2, 3)
CONTAINED = Scale("arrays", {"type": "array", "contains": {"type": "string"}}, lambda n: ["x"] * n, 1, 2, 3)
_LIMITS = {bound.keyword: bound for bound in BOUNDS}


def bound_rules(keyword: str, scale: Scale) -> Iterator[Rule]:
    """Make the four rules of a bound: added, removed, raised, lowered (two where its absence has a value)."""
    bound = _LIMITS[keyword]
    name = kebab(keyword)
    without = dict(scale.schema)
    low, high = {**without, keyword: scale.low}, {**without, keyword: scale.high}
    refused = (scale.instance(scale.middle),)
    strict, loose = (high, low) if bound.lower else (low, high)
    beyond = f"{scale.noun} {'below' if bound.lower else 'above'} it"
    if bound.implied is None:
        yield from mirrored(
            keyword,
            Effect.NARROWS,
            Example(without, strict, old_only=refused),
            Text(
                f"{name}-added",
                f"A schema without `{keyword}` was given one.",
                f"{beyond.capitalize()} are no longer accepted. {OLD_DATA_FAILS}",
                f"leave {keyword} out, or set it where all stored data lies within.",
            ),
            Text(
                f"{name}-removed",
                f"`{keyword}` was dropped.",
                f"{beyond.capitalize()} are newly accepted. {OLD_READERS_FAIL}",
                READERS_FIRST,
            ),
        )
    narrows = Text(
        f"{name}-{'raised' if bound.lower else 'lowered'}",
        f"`{keyword}` was {'raised' if bound.lower else 'lowered'}.",
        f"{scale.noun.capitalize()} between the two bounds are no longer accepted. {OLD_DATA_FAILS}",
        keep("the old bound"),
    )
    widens = Text(
        f"{name}-{'lowered' if bound.lower else 'raised'}",
        f"`{keyword}` was {'lowered' if bound.lower else 'raised'}.",
        f"{scale.noun.capitalize()} between the two bounds are newly accepted. {OLD_READERS_FAIL}",
        READERS_FIRST,
    )
    yield from mirrored(keyword, Effect.NARROWS, Example(loose, strict, old_only=refused), narrows, widens)

"""Rules of `minimum`, `maximum`, their exclusive forms, and `multipleOf`."""

from __future__ import annotations

from compat.relation import Effect
from compat.rules.bounds import NUMBERS, bound_rules
from compat.rules.rule import Example, Rule, Text, alone, mirrored
from compat.rules.wording import BOTH_FAIL, OLD_DATA_FAILS, OLD_READERS_FAIL, READERS_FIRST, keep


def _strictness(keyword: str) -> tuple[Rule, Rule]:
    strict = f"exclusive{keyword.capitalize()}"
    return mirrored(
        keyword,
        Effect.NARROWS,
        Example({"type": "number", keyword: 5}, {"type": "number", strict: 5}, old_only=(5,)),
        Text(
            f"{keyword}-became-exclusive",
            f"`{keyword}` became `{strict}` with the same value.",
            f"The bound itself is no longer accepted, which is where data tends to lie. {OLD_DATA_FAILS}",
            keep(f"`{keyword}`"),
        ),
        Text(
            f"{keyword}-became-inclusive",
            f"`{strict}` became `{keyword}` with the same value.",
            f"The bound itself is newly accepted. {OLD_READERS_FAIL}",
            READERS_FIRST,
        ),
    )


NUMBER_RULES: tuple[Rule, ...] = (
    *bound_rules("minimum", NUMBERS),
    *bound_rules("maximum", NUMBERS),
    *bound_rules("exclusiveMinimum", NUMBERS),
    *bound_rules("exclusiveMaximum", NUMBERS),
    *_strictness("minimum"),
    *_strictness("maximum"),
    *mirrored(
        "multipleOf",
        Effect.NARROWS,
        Example({"type": "integer"}, {"type": "integer", "multipleOf": 5}, old_only=(3,)),
        Text(
            "multiple-of-added",
            "Only multiples of a number are accepted now.",
            OLD_DATA_FAILS,
            "leave multipleOf out, or release it as a new major version.",
        ),
        Text(
            "multiple-of-removed",
            "`multipleOf` was dropped.",
            f"Numbers between the multiples are newly accepted. {OLD_READERS_FAIL}",
            READERS_FIRST,
        ),
    ),
    *mirrored(
        "multipleOf",
        Effect.NARROWS,
        Example({"multipleOf": 2}, {"multipleOf": 4}, old_only=(2,)),
        Text(
            "multiple-of-tightened",
            "`multipleOf` became a multiple of what it was: the step is coarser.",
            OLD_DATA_FAILS,
            keep("the finer step"),
        ),
        Text(
            "multiple-of-loosened",
            "`multipleOf` became a divisor of what it was: the step is finer.",
            OLD_READERS_FAIL,
            READERS_FIRST,
        ),
    ),
    alone(
        "multipleOf",
        Effect.BOTH,
        Example({"multipleOf": 2}, {"multipleOf": 3}, old_only=(2,), new_only=(3,)),
        Text(
            "multiple-of-changed",
            "`multipleOf` became another number, and neither divides the other.",
            BOTH_FAIL,
            "use a common divisor, or release it as a new major version.",
        ),
    ),
)

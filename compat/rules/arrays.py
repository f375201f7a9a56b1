"""Rules of the keywords that speak of items."""

from __future__ import annotations

from compat.relation import Effect
from compat.rules.bounds import CONTAINED, ITEMS, bound_rules
from compat.rules.rest import rest_rules
from compat.rules.rule import Example, Rule, Text, mirrored
from compat.rules.wording import OLD_DATA_FAILS, OLD_READERS_FAIL, READERS_FIRST

ARRAY_RULES: tuple[Rule, ...] = (
    *rest_rules(
        "items",
        "items beyond the named positions",
        ({"type": "array"}, {"type": "array", "items": False}, {"type": "array", "items": {"type": "string"}}),
        wrong=[5],
        right=["x"],
    ),
    *mirrored(
        "prefixItems",
        Effect.NARROWS,
        Example({"type": "array"}, {"type": "array", "prefixItems": [{"type": "string"}]}, old_only=([5],)),
        Text(
            "prefix-item-added",
            "A position of the array was given a schema of its own.",
            f"In an open array it restricts that position; in a closed one it allows it. {OLD_DATA_FAILS}",
            "choose a schema that all stored data satisfies at that position.",
        ),
        Text(
            "prefix-item-removed",
            "A position of the array lost its schema.",
            f"In an open array any item may stand there now; in a closed one none may. {OLD_READERS_FAIL}",
            "keep the position.",
        ),
    ),
    *mirrored(
        "contains",
        Effect.NARROWS,
        Example({"type": "array"}, {"type": "array", "contains": {"type": "string"}}, old_only=([],)),
        Text(
            "contains-added",
            "An item that satisfies a schema is demanded now.",
            f"Arrays without one, empty ones too, are refused. {OLD_DATA_FAILS}",
            "leave contains out, or set minContains to 0.",
        ),
        Text(
            "contains-removed",
            "No item needs to satisfy the schema of `contains` any more.",
            OLD_READERS_FAIL,
            READERS_FIRST,
        ),
    ),
    *bound_rules("minContains", CONTAINED),
    *bound_rules("maxContains", CONTAINED),
    *mirrored(
        "uniqueItems",
        Effect.NARROWS,
        Example({"type": "array"}, {"type": "array", "uniqueItems": True}, old_only=([1, 1],)),
        Text(
            "unique-items-added",
            "Arrays with equal items are refused now.",
            OLD_DATA_FAILS,
            "remove duplicates from stored data first, or release it as a new major version.",
        ),
        Text(
            "unique-items-removed",
            "Arrays with equal items are accepted now.",
            f"A reader that builds a set or a map from them loses items. {OLD_READERS_FAIL}",
            READERS_FIRST,
        ),
    ),
    *bound_rules("minItems", ITEMS),
    *bound_rules("maxItems", ITEMS),
    *rest_rules(
        "unevaluatedItems",
        "items that no part of the schema speaks of",
        (
            {"type": "array"},
            {"type": "array", "unevaluatedItems": False},
            {"type": "array", "unevaluatedItems": {"type": "string"}},
        ),
        wrong=[5],
        right=["x"],
    ),
)

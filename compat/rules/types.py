"""Rules of `type`, `enum` and `const`."""

from __future__ import annotations

from compat.relation import Effect
from compat.rules.rule import Example, Rule, Text, alone, mirrored
from compat.rules.wording import (
    BOTH_FAIL,
    NO_INSTANCE,
    NOTHING,
    OLD_DATA_FAILS,
    OLD_READERS_FAIL,
    READERS_FIRST,
    keep,
)

TYPES: tuple[Rule, ...] = (
    *mirrored(
        "type",
        Effect.NARROWS,
        Example({}, {"type": "string"}, old_only=(5,)),
        Text(
            "type-constraint-added",
            "A schema that accepted any type was given a `type`.",
            f"Every other type is refused now. {OLD_DATA_FAILS}",
            "list every type that stored data has, or release it as a new major version.",
        ),
        Text(
            "type-constraint-removed",
            "`type` was dropped; any type is accepted.",
            f"Readers meet types they never had to handle. {OLD_READERS_FAIL}",
            READERS_FIRST,
        ),
    ),
    *mirrored(
        "type",
        Effect.NARROWS,
        Example({"type": ["string", "null"]}, {"type": "string"}, old_only=(None,)),
        Text(
            "type-removed",
            "A type is no longer accepted. From `number` to `integer`, that is the fractions.",
            OLD_DATA_FAILS,
            keep("the type"),
        ),
        Text(
            "type-added",
            "A further type is accepted. From `integer` to `number`, that is the fractions.",
            f"Making a value nullable is the usual case. {OLD_READERS_FAIL}",
            READERS_FIRST,
        ),
    ),
    alone(
        "type",
        Effect.BOTH,
        Example({"type": "integer"}, {"type": "string"}, old_only=(5,), new_only=("5",)),
        Text(
            "type-changed",
            "Some types are no longer accepted and others newly are.",
            BOTH_FAIL,
            "accept both types for a while, or add a property under a new name.",
        ),
    ),
    alone(
        "type",
        Effect.NONE,
        Example({"type": "string"}, {"type": ["string"]}),
        Text("type-rewritten", "The same types are written in another way.", NO_INSTANCE, NOTHING),
    ),
)

VALUES: tuple[Rule, ...] = (
    *mirrored(
        "enum",
        Effect.NARROWS,
        Example({"type": "string"}, {"type": "string", "enum": ["a", "b"]}, old_only=("c",)),
        Text(
            "enum-added",
            "A list of allowed values was introduced.",
            f"Every other value is refused now. {OLD_DATA_FAILS}",
            "list every value that stored data has, or release it as a new major version.",
        ),
        Text(
            "enum-removed",
            "The list of allowed values was dropped.",
            f"Readers meet values they do not know. {OLD_READERS_FAIL}",
            READERS_FIRST,
        ),
    ),
    *mirrored(
        "enum",
        Effect.NARROWS,
        Example({"enum": ["human", "agent", "harness"]}, {"enum": ["human", "agent"]}, old_only=("harness",)),
        Text(
            "enum-value-removed",
            "A value was taken off the list of allowed values.",
            OLD_DATA_FAILS,
            "keep the value and deprecate it, or release it as a new major version.",
        ),
        Text(
            "enum-value-added",
            "A value was put on the list of allowed values.",
            f"Old data stays valid. {OLD_READERS_FAIL}",
            READERS_FIRST,
        ),
    ),
    *mirrored(
        "const",
        Effect.NARROWS,
        Example({}, {"const": 1}, old_only=(2,)),
        Text(
            "const-added",
            "One value alone is accepted now.",
            f"Every other value is refused. {OLD_DATA_FAILS}",
            "leave the constant out, or release it as a new major version.",
        ),
        Text(
            "const-removed",
            "A constant was dropped; other values are accepted.",
            OLD_READERS_FAIL,
            READERS_FIRST,
        ),
    ),
    alone(
        "const",
        Effect.BOTH,
        Example({"const": "v1"}, {"const": "v2"}, old_only=("v1",), new_only=("v2",)),
        Text(
            "const-changed",
            "The constant became another.",
            "The two sets of instances have nothing in common. Where the constant carries the version, that is meant, "
            "and the verdict is given apart from it.",
            "accept both values with `enum` for a while, or route by version.",
        ),
    ),
    *mirrored(
        "const",
        Effect.NONE,
        Example({"enum": ["a"]}, {"const": "a"}),
        Text("enum-became-const", "An `enum` of one value is written as `const`.", NO_INSTANCE, NOTHING),
        Text("const-became-enum", "A `const` is written as an `enum` of one value.", NO_INSTANCE, NOTHING),
    ),
)

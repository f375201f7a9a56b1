"""Rules of string lengths, `pattern` and `format`."""

from __future__ import annotations

from compat.relation import Effect
from compat.rules.bounds import LENGTHS, bound_rules
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

_FORMAT = (
    "`format` is an annotation unless the caller or the meta-schema asks for assertion; then data that does not "
    "have the format is refused."
)

STRING_RULES: tuple[Rule, ...] = (
    *bound_rules("minLength", LENGTHS),
    *bound_rules("maxLength", LENGTHS),
    *mirrored(
        "pattern",
        Effect.NARROWS,
        Example({"type": "string"}, {"type": "string", "pattern": "^[a-z]+$"}, old_only=("A",)),
        Text(
            "pattern-added",
            "Only strings that match a pattern are accepted now.",
            OLD_DATA_FAILS,
            "leave the pattern out, or choose one that all stored data matches.",
        ),
        Text(
            "pattern-removed",
            "`pattern` was dropped.",
            f"Strings that did not match it are newly accepted. {OLD_READERS_FAIL}",
            READERS_FIRST,
        ),
    ),
    *mirrored(
        "pattern",
        Effect.NARROWS,
        Example({"type": "string", "pattern": "^[a-z]+$"}, {"type": "string", "pattern": "^[a-z]{2,}$"}, ("a",)),
        Text(
            "pattern-tightened",
            "Every string that matches the new pattern matches the old one, but not the reverse.",
            f"Proved by comparing the languages of the two patterns. {OLD_DATA_FAILS}",
            keep("the old pattern"),
        ),
        Text(
            "pattern-loosened",
            "Every string that matches the old pattern matches the new one, but not the reverse.",
            f"Proved by comparing the languages of the two patterns. {OLD_READERS_FAIL}",
            READERS_FIRST,
        ),
    ),
    alone(
        "pattern",
        Effect.BOTH,
        Example(
            {"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "^b"}, old_only=("a",), new_only=("b",)
        ),
        Text(
            "pattern-changed",
            "The pattern became another: neither takes in the other, or which does could not be decided.",
            BOTH_FAIL,
            "accept what either pattern matches, or release it as a new major version.",
        ),
    ),
    alone(
        "pattern",
        Effect.NONE,
        Example({"pattern": "^[0-9]+$"}, {"pattern": "^\\d+$"}),
        Text(
            "pattern-rewritten",
            "The pattern is written in another way and matches the same strings.",
            f"Proved by comparing the languages of the two patterns. {NO_INSTANCE}",
            NOTHING,
        ),
    ),
    *mirrored(
        "format",
        Effect.NONE,
        Example({"type": "string"}, {"type": "string", "format": "date"}),
        Text("format-added", "A `format` was added.", _FORMAT, "check that all stored data has the format."),
        Text("format-removed", "`format` was dropped.", _FORMAT, NOTHING),
    ),
    alone(
        "format",
        Effect.NONE,
        Example({"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}),
        Text("format-changed", "`format` became another.", _FORMAT, "check that all stored data has the new format."),
    ),
)

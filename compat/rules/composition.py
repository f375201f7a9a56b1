"""Rules of allOf, anyOf, oneOf, not, if/then/else."""

from __future__ import annotations

from compat.jsonvalue import JSON
from compat.relation import Effect
from compat.rules.rule import Example, Rule, Text, mirrored
from compat.rules.wording import (
    NO_INSTANCE,
    NOTHING,
    OLD_DATA_FAILS,
    OLD_READERS_FAIL,
    READERS_FIRST,
    keep,
)

_TEXT: JSON = {"type": "string"}
_NULL: JSON = {"type": "null"}
_BOOLEAN: JSON = {"type": "boolean"}
_IF: dict[str, JSON] = {"type": "integer", "if": {"minimum": 10}}


def _alternatives(keyword: str, name: str) -> tuple[Rule, ...]:
    """The rules of anyOf and oneOf, which differ only where branches overlap."""
    overlap = (
        " With `oneOf` a new branch that overlaps an old one also takes instances away." if keyword == "oneOf" else ""
    )
    return (
        *mirrored(
            keyword,
            Effect.NARROWS,
            Example({"title": "x"}, {"title": "x", keyword: [_TEXT, _NULL]}, old_only=(5,)),
            Text(
                f"{name}-added",
                f"`{keyword}` was introduced: one of its branches must be satisfied.",
                OLD_DATA_FAILS,
                "add a branch for everything that stored data has.",
            ),
            Text(f"{name}-removed", f"`{keyword}` was dropped.", OLD_READERS_FAIL, READERS_FIRST),
        ),
        *mirrored(
            keyword,
            Effect.WIDENS,
            Example({keyword: [_TEXT, _NULL]}, {keyword: [_TEXT, _NULL, _BOOLEAN]}, new_only=(True,)),
            Text(
                f"{name}-branch-added",
                f"A branch was added to `{keyword}`.",
                f"Old data stays valid.{overlap} {OLD_READERS_FAIL}",
                READERS_FIRST,
            ),
            Text(
                f"{name}-branch-removed",
                f"A branch was removed from `{keyword}`.",
                f"What only that branch accepted is refused now. {OLD_DATA_FAILS}",
                "keep the branch and deprecate it, or release it as a new major version.",
            ),
        ),
        *mirrored(
            keyword,
            Effect.WIDENS,
            Example(_TEXT, {keyword: [_TEXT, _NULL]}, new_only=(None,)),
            Text(
                f"{name}-wrapped",
                f"The schema became one branch of `{keyword}`, beside others.",
                f"Making a value nullable is the usual case.{overlap} {OLD_READERS_FAIL}",
                READERS_FIRST,
            ),
            Text(
                f"{name}-unwrapped",
                f"One branch of `{keyword}` is left and stands for itself.",
                f"What the other branches accepted is refused now. {OLD_DATA_FAILS}",
                "keep the branches and deprecate them, or release it as a new major version.",
            ),
        ),
    )


COMPOSITION_RULES: tuple[Rule, ...] = (
    *_alternatives("anyOf", "any-of"),
    *_alternatives("oneOf", "one-of"),
    *mirrored(
        "oneOf",
        Effect.NARROWS,
        Example(
            {"anyOf": [{"type": "integer"}, {"minimum": 5}]},
            {"oneOf": [{"type": "integer"}, {"minimum": 5}]},
            old_only=(7,),
        ),
        Text(
            "any-of-became-one-of",
            "`anyOf` became `oneOf`.",
            f"What satisfies two branches at once is refused now. {OLD_DATA_FAILS}",
            "make the branches exclude each other first, with a property that tells them apart.",
        ),
        Text(
            "one-of-became-any-of",
            "`oneOf` became `anyOf`.",
            f"What satisfies two branches at once is accepted now. {OLD_READERS_FAIL}",
            READERS_FIRST,
        ),
    ),
    *mirrored(
        "allOf",
        Effect.NARROWS,
        Example({"title": "x"}, {"title": "x", "allOf": [_TEXT, {"minLength": 2}]}, old_only=(5,)),
        Text(
            "all-of-added",
            "`allOf` was introduced: all its branches must be satisfied.",
            OLD_DATA_FAILS,
            "choose branches that all stored data satisfies, or release it as a new major version.",
        ),
        Text("all-of-removed", "`allOf` was dropped.", OLD_READERS_FAIL, READERS_FIRST),
    ),
    *mirrored(
        "allOf",
        Effect.NARROWS,
        Example({"allOf": [_TEXT]}, {"allOf": [_TEXT, {"minLength": 2}]}, old_only=("a",)),
        Text(
            "all-of-branch-added",
            "A branch was added to `allOf`: a further schema must be satisfied.",
            OLD_DATA_FAILS,
            "choose a branch that all stored data satisfies, or release it as a new major version.",
        ),
        Text("all-of-branch-removed", "A branch was removed from `allOf`.", OLD_READERS_FAIL, READERS_FIRST),
    ),
    *mirrored(
        "allOf",
        Effect.NONE,
        Example(_TEXT, {"allOf": [_TEXT]}),
        Text(
            "all-of-wrapped",
            "The schema became a branch of `allOf`.",
            f"{NO_INSTANCE} Further branches beside it narrow.",
            NOTHING,
        ),
        Text(
            "all-of-unwrapped",
            "One branch of `allOf` is left and stands for itself.",
            f"{NO_INSTANCE} Branches that went with it widen.",
            NOTHING,
        ),
    ),
    *mirrored(
        "not",
        Effect.NARROWS,
        Example({"title": "x"}, {"title": "x", "not": _NULL}, old_only=(None,)),
        Text(
            "not-added",
            "`not` was introduced: what satisfies its schema is refused.",
            OLD_DATA_FAILS,
            "exclude only what no stored data has, or release it as a new major version.",
        ),
        Text("not-removed", "`not` was dropped.", OLD_READERS_FAIL, READERS_FIRST),
    ),
    *mirrored(
        "if",
        Effect.NARROWS,
        Example({"type": "integer"}, {**_IF, "then": {"multipleOf": 10}}, old_only=(11,)),
        Text(
            "conditional-added",
            "`if` was introduced with a consequence.",
            f"What meets the condition must meet a further one. {OLD_DATA_FAILS}",
            "make the condition one that no stored data meets, such as a new value of a property.",
        ),
        Text("conditional-removed", "`if` was dropped with its consequences.", OLD_READERS_FAIL, READERS_FIRST),
    ),
    *mirrored(
        "then",
        Effect.NARROWS,
        Example({**_IF, "else": {"minimum": 0}}, {**_IF, "else": {"minimum": 0}, "then": {"multipleOf": 10}}, (11,)),
        Text(
            "then-added",
            "A consequence was added for instances that meet the condition.",
            OLD_DATA_FAILS,
            "choose a consequence that all such stored data satisfies.",
        ),
        Text(
            "then-removed",
            "The consequence for instances that meet the condition was dropped.",
            OLD_READERS_FAIL,
            keep("the consequence"),
        ),
    ),
    *mirrored(
        "else",
        Effect.NARROWS,
        Example(
            {**_IF, "then": {"multipleOf": 10}}, {**_IF, "then": {"multipleOf": 10}, "else": {"minimum": 0}}, (-1,)
        ),
        Text(
            "else-added",
            "A consequence was added for instances that do not meet the condition.",
            OLD_DATA_FAILS,
            "choose a consequence that all such stored data satisfies.",
        ),
        Text(
            "else-removed",
            "The consequence for instances that do not meet the condition was dropped.",
            OLD_READERS_FAIL,
            keep("the consequence"),
        ),
    ),
)

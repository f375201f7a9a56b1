"""Rules of annotations: they tell people and tools something and refuse nothing."""

from __future__ import annotations

from compat.diff.scalars import kebab
from compat.jsonvalue import JSON
from compat.relation import Effect
from compat.rules.rule import Example, Rule, Text, alone
from compat.rules.wording import NO_INSTANCE, NOTHING


def _annotation(keyword: str, old: JSON, new: JSON, why: str = "", remedy: str = NOTHING) -> Rule:
    text = Text(
        f"{kebab(keyword)}-changed",
        f"`{keyword}` was added, removed or changed.",
        f"{NO_INSTANCE} {why}".rstrip(),
        remedy,
    )
    return alone(keyword, Effect.NONE, Example({keyword: old}, {keyword: new}), text)


ANNOTATION_RULES: tuple[Rule, ...] = (
    _annotation("title", "Order", "Purchase order", "Code generators may name a type after it."),
    _annotation("description", "Who did it.", "Who or what did it."),
    _annotation("$comment", "draft", "final"),
    _annotation(
        "default",
        1,
        2,
        "A reader that fills in what is missing reads the same record differently.",
        "check who fills in defaults.",
    ),
    _annotation("examples", ["a"], ["a", "b"]),
    _annotation("deprecated", False, True, "It announces a removal.", "tell the consumers until when it stays."),
    _annotation(
        "readOnly",
        False,
        True,
        "A service that honours it ignores or refuses the value when it is sent.",
        "check the services that honour it.",
    ),
    _annotation(
        "writeOnly",
        False,
        True,
        "A service that honours it no longer returns the value.",
        "check the services that honour it.",
    ),
    _annotation(
        "contentEncoding",
        "base64",
        "base16",
        "A reader that decodes the text decodes it differently.",
        "keep the encoding, or release it as a new major version.",
    ),
    _annotation(
        "contentMediaType",
        "image/png",
        "image/webp",
        "A reader that parses the text parses it differently.",
        "keep the media type, or release it as a new major version.",
    ),
    _annotation(
        "contentSchema",
        {"type": "object"},
        {"type": "array"},
        "Validators do not look inside the text.",
        "check the readers that validate the decoded text.",
    ),
)

"""Rules of what a schema is called and how it is read, of keywords without force, and of the schema `false`."""

from __future__ import annotations

from compat.model.dialects import Dialect
from compat.relation import Effect
from compat.rules.rule import Example, Rule, Text, alone, mirrored
from compat.rules.wording import NO_INSTANCE, NOTHING, OLD_DATA_FAILS, OLD_READERS_FAIL, READERS_FIRST

IDENTITY_RULES: tuple[Rule, ...] = (
    alone(
        "$schema",
        Effect.UNKNOWN,
        Example(
            {"$schema": Dialect.DRAFT7.uri, "type": "string"}, {"$schema": Dialect.DRAFT2020.uri, "type": "string"}
        ),
        Text(
            "dialect-changed",
            "The schema is written in another dialect of JSON Schema.",
            "The same text can mean something else: up to draft-07 everything beside `$ref` is ignored, and each draft "
            "knows other keywords. What the translation leaves equal is not reported.",
            "translate the keywords that the new dialect calls otherwise.",
        ),
    ),
    alone(
        "$id",
        Effect.NONE,
        Example({"$id": "https://example.org/order/1"}, {"$id": "https://example.org/order/2"}),
        Text(
            "id-changed",
            "The schema is called by another URI.",
            f"{NO_INSTANCE} References by the old URI, and relative ones, may lead elsewhere.",
            "make sure that nobody refers to the old URI.",
        ),
    ),
    alone(
        "$anchor",
        Effect.NONE,
        Example({"$anchor": "a"}, {"$anchor": "b"}),
        Text(
            "anchor-changed",
            "An anchor was added, removed or changed.",
            f"{NO_INSTANCE} References by the old name break; a dynamic anchor decides where dynamic references lead.",
            "make sure that nobody refers to the old name.",
        ),
    ),
)

FORCELESS_RULES: tuple[Rule, ...] = (
    *mirrored(
        "*",
        Effect.NONE,
        Example({}, {"x-owner": "platform"}),
        Text(
            "unknown-keyword-added",
            "A keyword that the dialect does not know was added.",
            f"{NO_INSTANCE} Validators ignore it: an extension, a typo, or a keyword of another draft.",
            "check the spelling, if it was meant to restrict something.",
        ),
        Text("unknown-keyword-removed", "A keyword that the dialect does not know was removed.", NO_INSTANCE, NOTHING),
    ),
    alone(
        "*",
        Effect.NONE,
        Example({"x-owner": "platform"}, {"x-owner": "data"}),
        Text("unknown-keyword-changed", "A keyword that the dialect does not know changed.", NO_INSTANCE, NOTHING),
    ),
    alone(
        "*",
        Effect.NONE,
        Example({"type": "string"}, {"type": "string", "minLength": 0}),
        Text(
            "vacuous-keyword-changed",
            "A keyword that restricts nothing where it stands was added, removed, changed or written in another way.",
            f"{NO_INSTANCE} Such are `minLength: 0`, `additionalProperties: true`, `then` without `if`, and whatever "
            "stands beside `$ref` up to draft-07.",
            NOTHING,
        ),
    ),
    alone(
        "*",
        Effect.UNKNOWN,
        Example(
            {"$id": "urn:example:meta", "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/core": True}},
            {"$id": "urn:example:meta", "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/core": False}},
        ),
        Text(
            "keyword-changed",
            "A keyword changed in a way that no other rule names.",
            "So that no difference is dropped in silence.",
            "see what the proof says of the whole schema.",
        ),
    ),
    *mirrored(
        "schema",
        Effect.NARROWS,
        Example({}, False, old_only=(1, None)),
        Text(
            "schema-closed",
            "A schema became `false`, which accepts nothing.",
            OLD_DATA_FAILS,
            "keep the schema and deprecate it, or release it as a new major version.",
        ),
        Text(
            "schema-opened",
            "A schema that was `false`, which accepts nothing, accepts something now.",
            OLD_READERS_FAIL,
            READERS_FIRST,
        ),
    ),
)

"""Rules of `$ref`, its dynamic forms, and definitions."""

from __future__ import annotations

from compat.jsonvalue import JSON
from compat.relation import Effect
from compat.rules.rule import Example, Rule, Text, alone, mirrored
from compat.rules.wording import (
    BOTH_FAIL,
    NO_INSTANCE,
    NOTHING,
    OLD_DATA_FAILS,
    OLD_READERS_FAIL,
    READERS_FIRST,
)

_A_AND_B: JSON = {"a": {"type": "string"}, "b": {"type": "integer"}}
_PERSON: JSON = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}

REFERENCE_RULES: tuple[Rule, ...] = (
    *mirrored(
        "$ref",
        Effect.NONE,
        Example({"$ref": "#/$defs/a", "$defs": _A_AND_B}, {"type": "string", "$defs": _A_AND_B}),
        Text(
            "ref-inlined",
            "A reference was replaced by what it refers to.",
            f"{NO_INSTANCE} Where the text differs from the definition, that is a change of its own.",
            NOTHING,
        ),
        Text(
            "ref-extracted",
            "What was written out became a reference to a definition.",
            f"{NO_INSTANCE} Where the definition differs from the text, that is a change of its own.",
            NOTHING,
        ),
    ),
    alone(
        "$ref",
        Effect.BOTH,
        Example(
            {"$ref": "#/$defs/a", "$defs": _A_AND_B},
            {"$ref": "#/$defs/b", "$defs": _A_AND_B},
            old_only=("x",),
            new_only=(5,),
        ),
        Text(
            "ref-retargeted",
            "A reference leads to another definition.",
            f"What it does is the difference between the two definitions. {BOTH_FAIL}",
            "compare the two definitions; let the new one accept what the old one did.",
        ),
    ),
    alone(
        "$ref",
        Effect.NONE,
        Example(
            {"$ref": "#/$defs/a", "$defs": {"a": {"$anchor": "here", "type": "string"}}},
            {"$ref": "#here", "$defs": {"a": {"$anchor": "here", "type": "string"}}},
        ),
        Text("ref-respelled", "A reference leads to the same definition by another text.", NO_INSTANCE, NOTHING),
    ),
    *mirrored(
        "$ref",
        Effect.NARROWS,
        Example(
            {"type": "string", "$defs": {"short": {"maxLength": 2}}},
            {"type": "string", "$ref": "#/$defs/short", "$defs": {"short": {"maxLength": 2}}},
            old_only=("long",),
        ),
        Text(
            "ref-added",
            "A reference was added beside other keywords: a further schema must be satisfied.",
            OLD_DATA_FAILS,
            "refer to a definition that all stored data satisfies.",
        ),
        Text(
            "ref-removed",
            "A reference was dropped beside other keywords.",
            OLD_READERS_FAIL,
            READERS_FIRST,
        ),
    ),
    *mirrored(
        "$ref",
        Effect.UNKNOWN,
        Example(
            {"$ref": "#/$defs/a", "$defs": _A_AND_B},
            {"$ref": "#/$defs/gone", "$defs": _A_AND_B},
        ),
        Text(
            "ref-broken",
            "A reference that led to a schema leads nowhere.",
            "Validators refuse the whole schema or fail when they reach the reference.",
            "restore the definition or the file, or correct the reference.",
        ),
        Text(
            "ref-mended",
            "A reference that led nowhere leads to a schema.",
            "What it demands is checked for the first time.",
            "check stored data against the definition.",
        ),
    ),
    *mirrored(
        "$dynamicRef",
        Effect.NARROWS,
        Example(
            {"$id": "urn:example:tree", "$dynamicAnchor": "node", "properties": {"next": {"type": "object"}}},
            {
                "$id": "urn:example:tree",
                "$dynamicAnchor": "node",
                "properties": {"next": {"type": "object", "$dynamicRef": "#node"}},
            },
            old_only=({"next": {"next": 5}},),
        ),
        Text(
            "dynamic-ref-added",
            "A dynamic reference was added beside other keywords: a further schema must be satisfied.",
            OLD_DATA_FAILS,
            "refer to a schema that all stored data satisfies.",
        ),
        Text("dynamic-ref-removed", "A dynamic reference was dropped.", OLD_READERS_FAIL, READERS_FIRST),
    ),
    alone(
        "$dynamicRef",
        Effect.UNKNOWN,
        Example(
            {"$dynamicAnchor": "node", "properties": {"next": {"$dynamicRef": "#node"}}},
            {"$dynamicAnchor": "node", "properties": {"next": {"$ref": "#node"}}},
        ),
        Text(
            "dynamic-ref-changed",
            "A dynamic reference changed, or became a plain one.",
            "It can lead to another schema depending on the way that led to it.",
            "compare the schemas that it can lead to.",
        ),
    ),
)

DEFINITION_RULES: tuple[Rule, ...] = (
    *mirrored(
        "$defs",
        Effect.NONE,
        Example({"type": "object"}, {"type": "object", "$defs": {"person": _PERSON}}),
        Text(
            "definition-added",
            "A definition was added.",
            f"{NO_INSTANCE} A definition restricts only where something refers to it.",
            NOTHING,
        ),
        Text(
            "definition-removed",
            "A definition was removed.",
            f"{NO_INSTANCE} Schemas of other files that refer to it break.",
            "make sure that no other schema refers to it.",
        ),
    ),
    alone(
        "$defs",
        Effect.NONE,
        Example(
            {"$ref": "#/$defs/person", "$defs": {"person": _PERSON}},
            {"$ref": "#/$defs/human", "$defs": {"human": _PERSON}},
        ),
        Text(
            "definition-renamed",
            "A definition has another name.",
            f"{NO_INSTANCE} Schemas of other files that refer to the old name break.",
            "make sure that no other schema refers to the old name.",
        ),
    ),
    alone(
        "$defs",
        Effect.NONE,
        Example(
            {"$ref": "#/definitions/person", "definitions": {"person": _PERSON}},
            {"$ref": "#/$defs/person", "$defs": {"person": _PERSON}},
        ),
        Text(
            "definitions-moved",
            "`definitions` became `$defs`, or the reverse.",
            f"{NO_INSTANCE} Schemas of other files that refer to a definition by its old place break.",
            "make sure that no other schema refers to the old place.",
        ),
    ),
)

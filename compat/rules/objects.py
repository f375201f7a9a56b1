"""Rules of the keywords that speak of properties."""

from __future__ import annotations

from compat.jsonvalue import JSON
from compat.relation import Effect
from compat.rules.bounds import PROPERTIES, bound_rules
from compat.rules.rest import rest_rules
from compat.rules.rule import Example, Rule, Text, mirrored
from compat.rules.wording import OLD_DATA_FAILS, OLD_READERS_FAIL, READERS_FIRST, keep

_ID: dict[str, JSON] = {"type": "string"}
_OPEN: JSON = {"type": "object", "properties": {"id": _ID}}
_CLOSED: JSON = {"type": "object", "properties": {"id": _ID}, "additionalProperties": False}

OBJECT_RULES: tuple[Rule, ...] = (
    *mirrored(
        "properties",
        Effect.NARROWS,
        Example(
            _OPEN,
            {"type": "object", "properties": {"id": _ID, "region": {"type": "string"}}},
            old_only=({"region": 5},),
        ),
        Text(
            "property-added",
            "A property was added to an object that allows undeclared ones.",
            "Only a record that already carries an undeclared property of that name, with another kind of value, can "
            "fail; stored records show whether there is one.",
            "choose a name that no record carries; `undeclared` in the policy says how much this counts.",
        ),
        Text(
            "property-removed",
            "A property was removed from an object that allows undeclared ones.",
            f"Any value is accepted under that name now. {OLD_READERS_FAIL}",
            "keep the property and deprecate it, so that its values stay what readers expect.",
        ),
    ),
    *mirrored(
        "properties",
        Effect.WIDENS,
        Example(
            _CLOSED,
            {
                "type": "object",
                "properties": {"id": _ID, "region": {"type": "string"}},
                "additionalProperties": False,
            },
            new_only=({"region": "eu"},),
        ),
        Text(
            "property-added-to-closed",
            "A property was added to an object that refuses undeclared ones.",
            f"Old data stays valid. {OLD_READERS_FAIL}",
            READERS_FIRST,
        ),
        Text(
            "property-removed-from-closed",
            "A property was removed from an object that refuses undeclared ones.",
            f"Data that carries it is refused now. {OLD_DATA_FAILS}",
            "keep the property and deprecate it, or release it as a new major version.",
        ),
    ),
    *mirrored(
        "properties",
        Effect.NARROWS,
        Example(
            _OPEN,
            {"type": "object", "properties": {"id": _ID, "region": {"type": "string"}}, "required": ["region"]},
            old_only=({},),
        ),
        Text(
            "required-property-added",
            "A property was added and is required at once.",
            f"No old record carries it. {OLD_DATA_FAILS}",
            "add the property as optional first, and require it in a new major version.",
        ),
        Text(
            "required-property-removed",
            "A required property was removed.",
            f"New data may lack what readers rely on. {OLD_READERS_FAIL}",
            "keep the property required until no reader needs it.",
        ),
    ),
    *mirrored(
        "required",
        Effect.NARROWS,
        Example(_OPEN, {"type": "object", "properties": {"id": _ID}, "required": ["id"]}, old_only=({},)),
        Text(
            "required-added",
            "A property became required.",
            f"Records without it are refused. {OLD_DATA_FAILS}",
            "leave the property optional, or require it in a new major version.",
        ),
        Text(
            "required-removed",
            "A property is no longer required.",
            f"Readers may miss what they rely on. {OLD_READERS_FAIL}",
            READERS_FIRST,
        ),
    ),
    *mirrored(
        "patternProperties",
        Effect.NARROWS,
        Example(
            {"type": "object"},
            {"type": "object", "patternProperties": {"^x-": {"type": "string"}}},
            old_only=({"x-a": 5},),
        ),
        Text(
            "pattern-property-added",
            "Properties whose names match a pattern were given a schema.",
            f"In an open object it restricts them; in a closed one it allows them. {OLD_DATA_FAILS}",
            "choose a pattern that no record's property matches, or a schema that all of them satisfy.",
        ),
        Text(
            "pattern-property-removed",
            "Properties whose names match a pattern lost their schema.",
            f"In an open object they are free now; in a closed one they are refused. {OLD_READERS_FAIL}",
            keep("the pattern"),
        ),
    ),
    *rest_rules(
        "additionalProperties",
        "undeclared properties",
        (_OPEN, _CLOSED, {"type": "object", "properties": {"id": _ID}, "additionalProperties": {"type": "string"}}),
        wrong={"x": 5},
        right={"x": "y"},
    ),
    *rest_rules(
        "unevaluatedProperties",
        "properties that no part of the schema speaks of",
        (
            _OPEN,
            {"type": "object", "properties": {"id": _ID}, "unevaluatedProperties": False},
            {"type": "object", "properties": {"id": _ID}, "unevaluatedProperties": {"type": "string"}},
        ),
        wrong={"x": 5},
        right={"x": "y"},
    ),
    *rest_rules(
        "propertyNames",
        "property names",
        (
            {"type": "object"},
            {"type": "object", "propertyNames": False},
            {"type": "object", "propertyNames": {"maxLength": 3}},
        ),
        wrong={"long name": 1},
        right={"id": 1},
    ),
    *mirrored(
        "dependentRequired",
        Effect.NARROWS,
        Example(
            {"type": "object"},
            {"type": "object", "dependentRequired": {"card": ["address"]}},
            old_only=({"card": 1},),
        ),
        Text(
            "dependent-required-added",
            "The presence of one property demands another now.",
            f"Records that carry the one without the other are refused. {OLD_DATA_FAILS}",
            "leave the other property optional, or demand it in a new major version.",
        ),
        Text(
            "dependent-required-removed",
            "The presence of one property no longer demands another.",
            OLD_READERS_FAIL,
            READERS_FIRST,
        ),
    ),
    *mirrored(
        "dependentSchemas",
        Effect.NARROWS,
        Example(
            {"type": "object"},
            {"type": "object", "dependentSchemas": {"card": {"minProperties": 2}}},
            old_only=({"card": 1},),
        ),
        Text(
            "dependent-schema-added",
            "The presence of a property demands a further schema of the object now.",
            OLD_DATA_FAILS,
            "leave the schema out, or choose one that all records with the property satisfy.",
        ),
        Text(
            "dependent-schema-removed",
            "The presence of a property no longer demands a further schema of the object.",
            OLD_READERS_FAIL,
            READERS_FIRST,
        ),
    ),
    *bound_rules("minProperties", PROPERTIES),
    *bound_rules("maxProperties", PROPERTIES),
)

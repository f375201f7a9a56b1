"""Fast random schemas and instances from a seeded generator, for fuzzing by the thousand."""

from __future__ import annotations

from random import Random
from typing import Any

from compat.jsonvalue import freeze

KEYS = ("a", "b", "c")
SCALARS: tuple[Any, ...] = (None, False, True, 0, 1, 2, 3, -1, 0.5, 1.5, "", "a", "b", "ab", "ba", "aa", "abc")
PATTERNS = ("^a", "b$", "^a*$", "^(ab)+$", "a", "^.$", "^[^b]*$", "^(?!a)", "^a{1,2}b?$", "(a|b)c")
TYPES = ("null", "boolean", "number", "integer", "string", "array", "object")


def instance(rng: Random, depth: int = 3) -> Any:
    """A small instance, often a composite."""
    roll = rng.random()
    if depth == 0 or roll < 0.45:
        return rng.choice(SCALARS)
    if roll < 0.7:
        return [instance(rng, depth - 1) for _ in range(rng.randrange(4))]
    return {key: instance(rng, depth - 1) for key in rng.sample(KEYS, rng.randrange(4))}


def schema(rng: Random, depth: int = 3, *, recursive: bool = True) -> Any:
    """A schema of 2020-12 with up to three keywords a level; references go to the root, through members only."""
    if depth == 0 or rng.random() < 0.08:
        roll = rng.random()
        return rng.random() < 0.8 if roll < 0.3 else _assertion(rng)
    parts: dict[str, Any] = {}
    for _ in range(rng.randrange(1, 4)):
        parts.update(_assertion(rng) if rng.random() < 0.45 else _applicator(rng, depth - 1, recursive))
    return parts


def _assertion(rng: Random) -> dict[str, Any]:
    n = rng.randrange(4)
    return rng.choice(
        (
            lambda: {"type": rng.choice(TYPES)},
            lambda: {"type": rng.sample(TYPES, rng.randrange(1, 4))},
            lambda: {"enum": [instance(rng, 2) for _ in range(rng.randrange(1, 4))]},
            lambda: {"const": instance(rng, 2)},
            lambda: {"minimum": rng.choice((-1, 0, 0.5, 1))},
            lambda: {"maximum": rng.choice((0, 0.5, 1, 2))},
            lambda: {"exclusiveMinimum": rng.choice((-1, 0, 1))},
            lambda: {"exclusiveMaximum": rng.choice((0, 1, 2))},
            lambda: {"multipleOf": rng.choice((0.5, 1, 2, 3))},
            lambda: {"minLength": n},
            lambda: {"maxLength": n},
            lambda: {"pattern": rng.choice(PATTERNS)},
            lambda: {"minItems": n},
            lambda: {"maxItems": n},
            lambda: {"uniqueItems": True},
            lambda: {"minProperties": n},
            lambda: {"maxProperties": n},
            lambda: {"required": rng.sample(KEYS, rng.randrange(1, 3))},
            lambda: {"dependentRequired": {rng.choice(KEYS): rng.sample(KEYS, 1)}},
        )
    )()


def _applicator(rng: Random, depth: int, recursive: bool) -> dict[str, Any]:
    def one() -> Any:
        return schema(rng, depth, recursive=recursive)

    def below() -> Any:
        return {"$ref": "#"} if recursive and rng.random() < 0.12 else one()

    def some() -> list[Any]:
        return [one() for _ in range(rng.randrange(1, 4))]

    return rng.choice(
        (
            lambda: {"properties": {key: below() for key in rng.sample(KEYS, rng.randrange(1, 3))}},
            lambda: {"patternProperties": {rng.choice(("^a", "b", ".", "^[ab]$")): below()}},
            lambda: {"additionalProperties": below()},
            lambda: {"propertyNames": schema(rng, 1, recursive=False)},
            lambda: {"items": below()},
            lambda: {"prefixItems": [below() for _ in range(rng.randrange(1, 3))]},
            lambda: {"contains": one()},
            lambda: {"contains": one(), "minContains": rng.randrange(3), "maxContains": rng.randrange(4)},
            lambda: {"allOf": some()},
            lambda: {"anyOf": some()},
            lambda: {"oneOf": some()},
            lambda: {"not": one()},
            lambda: {"if": one(), "then": one(), "else": one()},
            lambda: {"dependentSchemas": {rng.choice(KEYS): one()}},
            lambda: {"unevaluatedProperties": one()},
            lambda: {"unevaluatedItems": one()},
        )
    )()


def edited(rng: Random, value: Any) -> Any:
    """The same schema with one place changed, as real edits are."""
    if not isinstance(value, dict) or not value or rng.random() < 0.15:
        return schema(rng, 1)
    keyword = rng.choice(sorted(value))
    inner = value[keyword]
    if keyword in ("items", "not", "if", "then", "else", "additionalProperties", "contains"):
        return {**value, keyword: edited(rng, inner)}
    if keyword in ("allOf", "anyOf", "oneOf", "prefixItems") and inner:
        index = rng.randrange(len(inner))
        return {**value, keyword: [*inner[:index], edited(rng, inner[index]), *inner[index + 1 :]]}
    if keyword in ("properties", "patternProperties") and inner:
        name = rng.choice(sorted(inner))
        return {**value, keyword: {**inner, name: edited(rng, inner[name])}}
    if rng.random() < 0.5:
        return {other: held for other, held in value.items() if other != keyword}
    return {**value, **_assertion(rng)}


def document(rng: Random, names: tuple[str, ...] = ("x", "y", "z")) -> dict[str, Any]:
    """A schema whose definitions refer to each other through members and items, as those of large documents do."""

    def member() -> Any:
        roll = rng.random()
        if roll < 0.4:
            return {"$ref": f"#/$defs/{rng.choice(names)}"}
        return {"items": {"$ref": f"#/$defs/{rng.choice(names)}"}} if roll < 0.5 else schema(rng, 1, recursive=False)

    def entity() -> dict[str, Any]:
        made: dict[str, Any] = {"properties": {key: member() for key in rng.sample(KEYS, rng.randrange(1, 4))}}
        if rng.random() < 0.6:
            made["type"] = "object"
        if rng.random() < 0.4:
            made["required"] = rng.sample(KEYS, 1)
        if rng.random() < 0.4:
            made["additionalProperties"] = rng.choice((False, {"type": "integer"}))
        if rng.random() < 0.2:
            made["description"] = "An entity."
        return made

    return {**entity(), "$defs": {name: entity() if rng.random() < 0.7 else schema(rng, 2) for name in names}}


def edited_document(rng: Random, value: dict[str, Any]) -> dict[str, Any]:
    """The same document with the root or one definition changed, sometimes in its annotations alone."""
    definitions: dict[str, Any] = value["$defs"]
    if rng.random() < 0.3:
        root = edited(rng, {key: held for key, held in value.items() if key != "$defs"})
        return {**(root if isinstance(root, dict) else {}), "$defs": definitions}
    name = rng.choice(sorted(definitions))
    held = definitions[name]
    changed = {**held, "title": "Changed"} if isinstance(held, dict) and rng.random() < 0.3 else edited(rng, held)
    return {**value, "$defs": {**definitions, name: changed}}


def in_dialect(value: Any, dialect: str) -> Any:
    """Write a schema of the keywords that all drafts share in the words of one of them."""
    if isinstance(value, bool):
        return value if dialect != "draft-04" else ({} if value else {"not": {}})
    written: dict[str, Any] = {}
    for keyword, held in value.items():
        if keyword in ("items", "not", "additionalProperties"):
            written[keyword] = in_dialect(held, dialect)
        elif keyword in ("allOf", "anyOf", "oneOf"):
            written[keyword] = [in_dialect(one, dialect) for one in held]
        elif keyword in ("properties", "patternProperties"):
            written[keyword] = {name: in_dialect(one, dialect) for name, one in held.items()}
        elif keyword == "prefixItems":
            prefix = [in_dialect(one, dialect) for one in held]
            written["prefixItems" if dialect == "2020-12" else "items"] = prefix
        elif keyword == "const" and dialect == "draft-04":
            written["enum"] = [held]
        elif keyword in ("exclusiveMinimum", "exclusiveMaximum") and dialect == "draft-04":
            written[keyword.replace("exclusiveM", "m")] = held
            written[keyword] = True
        else:
            written[keyword] = held
    return written


# fmt: off
SHARED_KEYWORDS = frozenset({
    "type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength",
    "maxLength", "pattern", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "required",
    "items", "prefixItems", "properties", "patternProperties", "additionalProperties", "allOf", "anyOf", "oneOf", "not",
})
# fmt: on


def shared_part(value: Any) -> Any:
    """Keep the keywords that every draft has in some spelling, one of a kind where draft-04 has room for one only."""
    if not isinstance(value, dict):
        return value
    kept: dict[str, Any] = {}
    for keyword, held in value.items():
        if keyword not in SHARED_KEYWORDS:
            continue
        if keyword in ("items", "not", "additionalProperties"):
            kept[keyword] = shared_part(held)
        elif keyword in ("allOf", "anyOf", "oneOf", "prefixItems"):
            kept[keyword] = [shared_part(one) for one in held]
        elif keyword in ("properties", "patternProperties"):
            kept[keyword] = {name: shared_part(one) for name, one in held.items()}
        elif keyword == "enum":
            # draft-04 wants the values of an enumeration to differ.
            kept[keyword] = list({freeze(one): one for one in held}.values())
        else:
            kept[keyword] = held
    for one, other in (
        ("enum", "const"),
        ("prefixItems", "items"),
        ("exclusiveMinimum", "minimum"),
        ("exclusiveMaximum", "maximum"),
    ):
        if one in kept:
            kept.pop(other, None)
    return kept

"""The part of a schema that one value can meet, which is a small part of most: what is left of it is soon compiled.

Left out is only what cannot matter, whatever the rest says: names under `properties` that no object in the value has
as a key, keywords about items where no array has any, strings of an `enum` that do not occur, annotations, and
definitions that nothing kept refers to. The schema and its projection give the same answer for that value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import unquote

from compat import jsonvalue
from compat.jsonvalue import JSON
from compat.model.dialects import Dialect
from compat.model.keywords import KEYWORDS, Holds
from compat.model.references import SchemaSet

# These say nothing in any dialect, and hold nothing that a reference could lead to without being noticed.
_SILENT = frozenset({"title", "description", "default", "examples", "$comment", "readOnly", "writeOnly", "deprecated"})
# Places for schemas that others refer to; some write `$defs` before it was a keyword.
_RESERVED = frozenset({"definitions", "$defs"})
# Maps whose schemas apply only where an object has the key.
_BY_KEY = frozenset({"properties", "dependentSchemas", "dependencies"})
_OF_MEMBERS = _BY_KEY | {"patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames"}
_OF_ITEMS = frozenset({"items", "prefixItems", "additionalItems", "unevaluatedItems"})
_OF_ARRAYS = frozenset({"contains", "minContains", "maxContains"})
_DYNAMIC = frozenset({"$dynamicRef", "$recursiveRef"})
_SINGLE = frozenset({Holds.SCHEMA, Holds.SCHEMA_OR_ARRAY})
# A shorter enumeration costs less than looking through it.
_LONG = 8


class Met(NamedTuple):
    """What a value consists of, as far as a projection asks: its keys, all its strings, and whether arrays."""

    keys: frozenset[str]
    strings: frozenset[str]
    has_arrays: bool
    has_items: bool

    @classmethod
    def of(cls, value: JSON) -> Met:
        keys: set[str] = set()
        strings: set[str] = set()
        has_arrays = has_items = False
        stack: list[object] = [value]
        while stack:
            item = stack.pop()
            if isinstance(item, dict):
                keys.update(item)
                stack.extend(item.values())
            elif isinstance(item, list):
                has_arrays = True
                has_items = has_items or bool(item)
                stack.extend(item)
            elif isinstance(item, str):
                strings.add(item)
        return cls(frozenset(keys), frozenset(keys | strings), has_arrays, has_items)


def is_projectable(schemas: SchemaSet) -> bool:
    """Tell whether pointers into one resource of one dialect are all that its references can be."""
    root = schemas.root
    seen = root.document.glance
    return (
        root.pointer == ""
        and root.vocabularies is None
        and isinstance(root.value, dict)
        and seen.is_closed
        and seen.identifiers.isdisjoint({"$schema", root.dialect.id_keyword})
        and seen.keys.isdisjoint(_DYNAMIC)
    )


def projection(schemas: SchemaSet, met: Met) -> dict[str, Any] | None:
    """Project the root of a projectable set on a value; None where a reference leads to no place it can follow."""
    root: Any = schemas.root.value
    work = _Projection(schemas.root.dialect, met)
    try:
        projected: dict[str, Any] = work.schema(root)
        return projected if work.follow(root, projected) else None
    except (KeyError, IndexError, ValueError):
        # A pointer that leads nowhere: what the whole does with it is its own affair.
        return None


class _Projection:
    """One projection at work; every schema is projected once, however often it is referred to."""

    def __init__(self, dialect: Dialect, met: Met) -> None:
        self._met = met
        self._ways = _ways(dialect, bool(met.keys), met.has_arrays, met.has_items)
        self._holders = _holders(dialect)
        self._made: dict[int, Any] = {}
        self._references: set[str] = set()
        self._waiting: list[str] = []

    def schema(self, schema: Any) -> Any:
        if not isinstance(schema, dict):
            return schema
        made = self._made.get(id(schema))
        if made is not None:
            return made
        made = self._made[id(schema)] = {}
        ways = self._ways
        for name, held in schema.items():
            if name not in ways:
                made[name] = held
            elif (way := ways[name]) is not None:
                made[name] = way(self, held)
        return made

    def reference(self, held: Any) -> Any:
        if isinstance(held, str) and held not in self._references:
            self._references.add(held)
            self._waiting.append(held)
        return held

    def below(self, held: Any) -> Any:
        if isinstance(held, list):
            return [self.schema(each) if isinstance(each, dict) else each for each in held]
        return self.schema(held)

    def members(self, held: Any) -> Any:
        if not isinstance(held, dict):
            return self.below(held)
        return {key: self.schema(below) if isinstance(below, dict) else below for key, below in held.items()}

    def met_members(self, held: Any) -> Any:
        keys = self._met.keys
        return self.members({key: held[key] for key in held if key in keys} if isinstance(held, dict) else held)

    def options(self, held: Any) -> Any:
        if not isinstance(held, list) or len(held) <= _LONG:
            return held
        # The first stays in any case: not every validator takes an enumeration of nothing.
        strings = self._met.strings
        return held[:1] + [each for each in held[1:] if not isinstance(each, str) or each in strings]

    # -- references ---------------------------------------------------------------------------------------------------

    def follow(self, root: Any, projected: dict[str, Any]) -> bool:
        """Keep what the references kept lead to, until there is no more; False where one cannot be followed."""
        while self._waiting:
            reference = self._waiting.pop()
            if reference[:1] != "#" or reference[1:2] not in ("", "/"):
                return False
            if not self._keep(root, projected, jsonvalue.tokens(unquote(reference[1:]))):
                return False
        return True

    def _keep(self, original: Any, kept: Any, tokens: tuple[str, ...]) -> bool:
        """Keep a place, going down both sides by keywords alone."""
        rest = iter(tokens)
        for keyword in rest:
            if not isinstance(original, dict):
                return False
            below = original[keyword]
            if keyword not in _RESERVED and keyword not in self._holders:
                return False
            if self._holders.get(keyword) in _SINGLE and not isinstance(below, list):
                if keyword not in kept:
                    kept[keyword] = self.schema(below)
                original, kept = below, kept[keyword]
                continue
            token = next(rest, None)
            if token is None:
                return False
            if isinstance(below, list):
                if keyword not in kept:
                    kept[keyword] = [self.schema(each) for each in below]
                original, kept = jsonvalue.step(below, token), jsonvalue.step(kept[keyword], token)
            elif isinstance(below, dict):
                original = below[token]
                kept = kept.setdefault(keyword, {}).setdefault(token, self.schema(original))
            else:
                return False
        return isinstance(original, dict | bool)


_Way: TypeAlias = Callable[[_Projection, Any], Any]


@cache
def _ways(dialect: Dialect, has_keys: bool, has_arrays: bool, has_items: bool) -> Mapping[str, _Way | None]:
    """Tell how each keyword is projected, None for not at all; any other stays as it is."""
    ways: dict[str, _Way | None] = {"$ref": _Projection.reference, "enum": _Projection.options}
    for name, holds in _holders(dialect).items():
        is_map = holds in (Holds.SCHEMA_MAP, Holds.SCHEMA_OR_STRINGS)
        ways[name] = _Projection.members if is_map else _Projection.below
        if name in _BY_KEY:
            ways[name] = _Projection.met_members
    ways |= dict.fromkeys(_SILENT | _RESERVED)
    for is_met, names in ((has_keys, _OF_MEMBERS), (has_items, _OF_ITEMS), (has_arrays, _OF_ARRAYS)):
        ways |= {} if is_met else dict.fromkeys(names)
    return ways


@cache
def _holders(dialect: Dialect) -> Mapping[str, Holds]:
    return {name: row.holds for name, row in KEYWORDS[dialect].items() if row.holds is not Holds.NONE}

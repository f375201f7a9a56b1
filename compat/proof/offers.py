"""The real values that a schema itself offers, place by place: its `examples`, its defaults, what it enumerates.

The subschemas of a place are those that keywords lead to from the root, through every branch; which of them hold of
an instance is not asked. So an offer is a suggestion, and whoever takes it verifies what comes of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from compat.errors import CompatError
from compat.jsonvalue import JSON, equal, walk
from compat.model.references import SchemaSet, Subschema, references_in
from compat.model.regexes import compile_pattern
from compat.proof.grafting import Path
from compat.proof.verdict import Origin

# So many subschemas of one place are looked at.
_MOST: Final = 64
_TELLING: Final = frozenset({"examples", "example", "default"})
# An offer that says nothing makes no witness more real.
_EMPTY: Final[tuple[JSON, ...]] = (None, "", [], {})


@dataclass(frozen=True, slots=True)
class Offer:
    """A real value and where it was found."""

    value: JSON
    origin: Origin


class Offers:
    """The offers of one schema with all it refers to."""

    def __init__(self, schemas: SchemaSet) -> None:
        self._schemas = schemas
        self._subs: dict[Path, tuple[Subschema, ...]] = {}

    @cached_property
    def any(self) -> bool:
        """Whether anything is offered anywhere, as far as a glance tells."""
        return any(not _TELLING.isdisjoint(document.glance.keys) for document in self._schemas.documents())

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name of a member that the schema publishes; any other key of an instance may be data."""
        found: set[str] = set()
        for document in self._schemas.documents():
            for path, value in walk(document.value):
                if isinstance(value, dict):
                    found.update(value)
                elif isinstance(value, str) and len(path) > 1 and path[-2] == "required":
                    found.add(value)
        return frozenset(found)

    def at(self, path: Path) -> Iterator[Offer]:
        """Yield what is offered at a place of an instance, the examples before the defaults."""
        found = [sub.value for sub in self._at(path) if isinstance(sub.value, dict)]
        for schema in found:
            listed: Any = schema.get("examples")
            for value in [*(listed if isinstance(listed, list) else ()), schema.get("example")]:
                if value not in _EMPTY:
                    yield Offer(value, Origin.EXAMPLE)
        for schema in found:
            if schema.get("default") not in _EMPTY:
                yield Offer(schema["default"], Origin.DEFAULT)

    def lists(self, path: Path, value: JSON) -> bool:
        """Whether a value at a place is one that the schema itself writes down there."""
        for sub in self._at(path):
            schema: Any = sub.value
            if isinstance(schema, dict):
                listed = [schema[name] for name in ("const", "default", "example") if name in schema]
                for name in ("enum", "examples"):
                    listed += schema[name] if isinstance(schema.get(name), list) else []
                if any(equal(value, each) for each in listed):
                    return True
        return False

    def _at(self, path: Path) -> tuple[Subschema, ...]:
        known = self._subs.get(path)
        if known is None:
            start = (
                [self._schemas.root]
                if not path
                else [child for sub in self._at(path[:-1]) for child in self._below(sub, path[-1])]
            )
            known = self._subs[path] = tuple(self._in_place(start))
        return known

    def _in_place(self, start: list[Subschema]) -> Iterator[Subschema]:
        """Yield schemas and all that speak of the same instance, each once."""
        seen: set[tuple[int, str]] = set()
        waiting = list(reversed(start))
        while waiting and len(seen) < _MOST:
            sub = waiting.pop()
            key = (id(sub.document), sub.pointer)
            if key in seen or not isinstance(sub.value, dict):
                continue
            seen.add(key)
            yield sub
            waiting += reversed(list(self._beside(sub)))

    def _beside(self, sub: Subschema) -> Iterator[Subschema]:
        value: Any = sub.value
        for _, reference in references_in(value, sub.dialect):
            try:
                yield self._schemas.resolve(sub, reference)
            except CompatError:
                continue
        if "$ref" in value and sub.dialect.ignores_ref_siblings:
            return
        for keyword in ("allOf", "anyOf", "oneOf"):
            if isinstance(value.get(keyword), list):
                yield from (self._schemas.child(sub, keyword, index) for index in range(len(value[keyword])))
        for keyword in ("then", "else"):
            if keyword in value:
                yield self._schemas.child(sub, keyword)
        if isinstance(value.get("dependentSchemas"), dict):
            yield from (self._schemas.child(sub, "dependentSchemas", key) for key in value["dependentSchemas"])

    def _below(self, sub: Subschema, token: str | int) -> Iterator[Subschema]:
        value: Any = sub.value
        if not isinstance(value, dict) or ("$ref" in value and sub.dialect.ignores_ref_siblings):
            return
        yield from self._member(sub, token) if isinstance(token, str) else self._item(sub, token)

    def _member(self, sub: Subschema, key: str) -> Iterator[Subschema]:
        value: Any = sub.value
        named = [("properties", key)] if key in value.get("properties", ()) else []
        named += [("patternProperties", source) for source in value.get("patternProperties", ()) if _fits(source, key)]
        yield from (self._schemas.child(sub, *tokens) for tokens in named)
        if not named and "additionalProperties" in value:
            yield self._schemas.child(sub, "additionalProperties")

    def _item(self, sub: Subschema, index: int) -> Iterator[Subschema]:
        value: Any = sub.value
        items = value.get("items")
        for keyword, prefix, rest in (
            ("prefixItems", value.get("prefixItems"), "items"),
            ("items", items, "additionalItems"),
        ):
            if isinstance(prefix, list):
                if index < len(prefix):
                    yield self._schemas.child(sub, keyword, index)
                elif rest in value and not isinstance(value[rest], list):
                    yield self._schemas.child(sub, rest)
                return
        if "items" in value:
            yield self._schemas.child(sub, "items")


def _fits(source: str, key: str) -> bool:
    try:
        return compile_pattern(source).matches(key)
    except CompatError:
        return False

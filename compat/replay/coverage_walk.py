"""What one record shows of a schema, by way of the reference validator.

What applies to which part of a value is asked of the validator's own keywords, so every dialect is read as it reads
them. Only what holds counts: a branch that refuses the value, and all below it, was not exercised.
"""

from __future__ import annotations

from collections.abc import Mapping, Sized
from typing import Any, Final, NamedTuple

from compat.jsonvalue import JSON, exact, pointer
from compat.model.checks import nothing
from compat.model.frame import Frame
from compat.model.instance import Formats, Validator
from compat.model.references import SchemaSet
from compat.model.validators import validator_for
from compat.replay.causes import value_text
from compat.replay.coverage import (
    ABSENT,
    AT_BOUND,
    EXCLUSIVE,
    FAILS,
    HOLDS,
    INSIDE,
    PRESENT,
    REACHED,
    TAKEN,
    TRIED,
    TRYING,
    Coverage,
    Facet,
    facets_of,
)
from compat.replay.read import Record

# What the validator's own check of a keyword asks of parts of a value, or of the whole, and must all hold.
_SPREADING: Final = frozenset(
    {"allOf", "properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames"}
    | {"items", "prefixItems", "additionalItems", "unevaluatedItems", "dependentSchemas", "dependencies"}
)
_REFERRING: Final = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})
_TRIED_ON: Final = {"pattern": "string", "multipleOf": "number", "uniqueItems": "array"}
_SIZES: Final = {"Length": "string", "Items": "array", "Properties": "object"}


class Place(NamedTuple):
    """A schema by its document and the JSON Pointer in it."""

    source: str
    pointer: str

    def below(self, *tokens: str | int) -> Place:
        return Place(self.source, self.pointer + pointer(tokens))


class Prober:
    """Tells what records show of one schema; each has to be valid to show anything."""

    def __init__(self, schemas: SchemaSet, *, formats: Formats = "annotation") -> None:
        self._schemas = schemas
        self._asserting = formats == "assertion"
        # The walk costs about as much, and unlike the fast one this validator bounds its work.
        self._reference = Validator(schemas, formats=formats)
        self.facets = facets_of(schemas)
        self._possible = frozenset(self.facets)

    def shown(self, record: Record) -> frozenset[Facet] | None:
        """Give the facets that a record shows; None for an invalid one. CompatError where that cannot be told."""
        if not self._reference.is_valid(record.value):
            return None
        frame = Frame.of(self._schemas, asserting=self._asserting, asking=True)
        walk = _Walk()
        root = self._schemas.root
        walk.visit(validator_for(frame, root.value), Place(root.document.name, root.pointer), record.value)
        return self._possible & walk.found

    def coverage(self, record: Record) -> Coverage:
        """Give the coverage of one record."""
        return Coverage.of(self.shown(record))


class _Asked:
    """A validator that notes what a keyword asks of which value, and agrees."""

    def __init__(self, validator: Any) -> None:
        self._validator = validator
        self.noted: list[tuple[Any, Any, str | int | None]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._validator, name)

    def descend(
        self, instance: Any, schema: Any, path: Any = None, schema_path: Any = None, resolver: Any = None
    ) -> tuple[()]:
        self.noted.append((instance, schema, schema_path))
        return ()


class _Walk:
    """One record on its way down a schema of which it is an instance."""

    def __init__(self) -> None:
        self.found: set[Facet] = set()
        self._seen: set[tuple[Place, tuple[str, ...], int]] = set()

    def visit(self, validator: Any, place: Place, value: JSON) -> None:
        """Note what a value shows of a schema that holds of it."""
        self._note(place, REACHED)
        schema, frame = validator.schema, validator._resolver
        if not isinstance(schema, dict):
            return
        # The same value stays where it is while it is walked, so its address is its name.
        key = (place, frame.scope, id(value))
        if key in self._seen:
            return
        self._seen.add(key)
        frame.work.apply()
        names = list(schema)
        if schema.get("$ref") is not None and frame.sub.dialect.ignores_ref_siblings:
            names = ["$ref"]
        for name in names:
            if name in _REFERRING:
                self._refer(validator, name, value)
            elif validator.VALIDATORS.get(name, nothing) is not nothing:
                self._keyword(validator, place, name, value)

    def _note(self, place: Place, what: str) -> None:
        self.found.add(Facet(place.source, place.pointer, what))

    def _refer(self, validator: Any, keyword: Any, value: JSON) -> None:
        ref, frame = validator.schema[keyword], validator._resolver
        if not isinstance(ref, str) or keyword not in validator.VALIDATORS:
            return
        if keyword == "$ref":
            target = frame.schemas.resolve(frame.sub, ref)
        else:
            target = frame.schemas.resolve_dynamic(frame.sub, keyword, ref, frame.scope)
        there = validator_for(frame.referred(target, value), target.value)
        self.visit(there, Place(target.document.name, target.pointer), value)

    def _keyword(self, validator: Any, place: Place, name: str, value: JSON) -> None:
        said, here = validator.schema[name], place.below(name)
        if name in _SPREADING:
            self._spread(validator, here, name, value)
        elif name in ("anyOf", "oneOf"):
            for index, branch in enumerate(said):
                holding = self._holding(validator, branch, value)
                if holding is not None:
                    self._note(here.below(index), TAKEN)
                    self.visit(holding, here.below(index), value)
        elif name == "if":
            self._choose(validator, place, value)
        elif name == "contains":
            self._contain(validator, place, value)
        elif name in ("enum", "const"):
            self._note(here, value_text(value))
        elif name == "type":
            for each in [said] if isinstance(said, str) else said:
                if validator.is_type(value, each):
                    self._note(here, each)
        elif name == "dependentRequired":
            self._depend(here, said, value)
        elif name in TRYING:
            wanted = _TRIED_ON.get(name)
            if wanted is None or validator.is_type(value, wanted):
                self._note(here, TRIED)
        else:
            self._bound(validator, here, name, said, value)

    def _spread(self, validator: Any, here: Place, name: str, value: JSON) -> None:
        said = validator.schema[name]
        asked = _Asked(validator)
        for _ in validator.VALIDATORS[name](asked, said, value, validator.schema) or ():
            pass
        for part, schema, step in asked.noted:
            at = here if step is None else here.below(step)
            if name == "properties":
                self._note(at, PRESENT)
            self.visit(validator.evolve(schema=schema), at, part)
        if name == "properties" and isinstance(value, dict):
            for key in said:
                if key not in value:
                    self._note(here.below(key), ABSENT)
        elif name == "dependencies":
            self._depend(here, said, value)

    def _depend(self, here: Place, said: Mapping[str, JSON], value: JSON) -> None:
        if isinstance(value, dict):
            for key in said:
                if key in value:
                    self._note(here.below(key), PRESENT)

    def _holding(self, validator: Any, schema: JSON, value: JSON) -> Any:
        """Give the validator of a schema where it holds of a value, else None."""
        below = validator.evolve(schema=schema)
        validator._resolver.work.apply()
        return below if below.is_valid(value) else None

    def _choose(self, validator: Any, place: Place, value: JSON) -> None:
        schema = validator.schema
        condition = self._holding(validator, schema["if"], value)
        self._note(place.below("if"), FAILS if condition is None else HOLDS)
        if condition is not None:
            self.visit(condition, place.below("if"), value)
        branch = "else" if condition is None else "then"
        if branch in schema:
            self.visit(validator.evolve(schema=schema[branch]), place.below(branch), value)

    def _contain(self, validator: Any, place: Place, value: JSON) -> None:
        schema = validator.schema
        if not isinstance(value, list):
            return
        count = 0
        for item in value:
            holding = self._holding(validator, schema["contains"], item)
            if holding is not None:
                count += 1
                self.visit(holding, place.below("contains"), item)
        # Both are judged together with `contains`, and so are no keywords of the validator's own.
        for name in ("minContains", "maxContains"):
            if name in schema:
                self._side(place.below(name), count, schema[name])

    def _bound(self, validator: Any, here: Place, name: str, said: Any, value: JSON) -> None:
        if name in EXCLUSIVE or name in EXCLUSIVE.values():
            if validator.is_type(value, "number") and not isinstance(said, bool):
                self._side(here, value, said)
        elif name[:3] in ("min", "max") and name[3:] in _SIZES and validator.is_type(value, _SIZES[name[3:]]):
            assert isinstance(value, Sized)
            self._side(here, len(value), said)

    def _side(self, here: Place, value: Any, limit: Any) -> None:
        self._note(here, AT_BOUND if exact(value) == exact(limit) else INSIDE)

"""Which properties a schema declares, so that a witness may keep to them.

An open schema admits any undeclared property, so nearly every new property is strictly breaking. A witness without
undeclared ones is the stronger evidence. A member is declared if any subschema that applies to its object names it,
whichever branch holds; an explicit `additionalProperties`, or no keyword about members at all, declares every one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from compat.errors import UnresolvedReference
from compat.logic.formula import Formula
from compat.logic.keys import own_keys
from compat.logic.keyset import KeySet
from compat.logic.regex import Language
from compat.model.dialects import Dialect
from compat.model.references import Subschema

if TYPE_CHECKING:
    from compat.logic.translate import Scope, Translator


@dataclass(frozen=True, slots=True)
class _Place:
    """A subschema with the dynamic scope it is reached in."""

    sub: Subschema
    scope: Scope

    @property
    def key(self) -> Hashable:
        return (self.sub.document, self.sub.pointer, self.scope)


class Declared:
    """The instances of one schema that use declared properties only, whether or not they satisfy it otherwise."""

    def __init__(self, translator: Translator) -> None:
        self._translator = translator
        self._universe = translator.universe
        self._done: dict[Hashable, Formula] = {}
        self._together: dict[Hashable, list[_Place]] = {}
        self._open: set[Hashable] = set()
        self._awaited: set[Hashable] = set()

    def holds(self, value: Any) -> bool:
        """Say whether an instance uses declared properties only."""
        return self._holds([_Place(self._translator.schemas.root, ())], value)

    def formula(self) -> Formula:
        """Describe all such instances."""
        return self._formula([_Place(self._translator.schemas.root, ())])

    def _holds(self, start: Sequence[_Place], value: Any) -> bool:
        if not start or not isinstance(value, dict | list) or not value:
            return True
        places = self._on_instance(start)
        if isinstance(value, dict):
            keys = _declared_keys(places)
            if keys is not None and not all(key in keys for key in value):
                return False
            return all(self._holds(self._at_key(places, key), item) for key, item in value.items())
        # From some position on all items are described alike.
        longest = max((_prefix(place.sub)[1] for place in places), default=0)
        rest = self._at_index(places, longest) if len(value) > longest else []
        return all(
            self._holds(self._at_index(places, index) if index < longest else rest, item)
            for index, item in enumerate(value)
        )

    def _formula(self, start: Sequence[_Place]) -> Formula:
        if not start:
            return self._universe.true
        key = frozenset(place.key for place in start)
        done = self._done.get(key)
        if done is not None:
            return done
        name = ("declared", self._translator.side, key)
        if key in self._open:
            self._awaited.add(key)
            return self._universe.reference(name, start[0].sub.pointer)
        self._open.add(key)
        formula = self._done[key] = self._universe.all_of(self._parts(self._on_instance(start)))
        self._open.discard(key)
        if key in self._awaited:
            self._universe.reference(name, start[0].sub.pointer).bind(formula)
        return formula

    def _parts(self, places: Sequence[_Place]) -> Iterator[Formula]:
        given, members = self._universe.given, self._universe.members
        keys = _declared_keys(places)
        if keys is not None:
            yield given(members(keys.complement, self._universe.false))
        named = sorted({name for place in places for name in _own(place).names})
        for name in named:
            body = self._formula(self._at_key(places, name))
            if body is not self._universe.true:
                yield given(members(KeySet.of(name), body))
        # Where several places speak of keys without a name, which of them meet is left open: that declares more.
        sources = list(self._unnamed(places))
        if len(sources) == 1:
            others, child = sources[0]
            body = self._formula([child])
            if body is not self._universe.true:
                yield given(members(others.without(named), body))
        longest = max((_prefix(place.sub)[1] for place in places), default=0)
        for index in range(longest + 1):
            body = self._formula(self._at_index(places, index))
            if body is not self._universe.true:
                last = index == longest
                yield given(self._universe.items_from(index, body) if last else self._universe.item_at(index, body))

    # ── from place to place ───────────────────────────────────────────────────────────────────────────────────────

    def _on_instance(self, start: Sequence[_Place]) -> list[_Place]:
        """List some subschemas and all that apply to the same instance beside them."""
        key = tuple(place.key for place in start)
        known = self._together.get(key)
        if known is None:
            known = self._together[key] = self._all_on_instance(start)
        return known

    def _all_on_instance(self, start: Sequence[_Place]) -> list[_Place]:
        found = [place for place in start if isinstance(place.sub.value, dict)]
        seen = {place.key for place in found}
        for place in found:
            for other in self._beside(place):
                if isinstance(other.sub.value, dict) and other.key not in seen:
                    seen.add(other.key)
                    found.append(other)
        return [place for place in found if not _only_refers(place.sub)]

    def _beside(self, place: _Place) -> Iterator[_Place]:
        sub: Subschema = place.sub
        value: Any = sub.value
        child = self._translator.schemas.child
        scope = self._translator.entered(sub, place.scope)
        for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
            if isinstance(value.get(keyword), str):
                try:
                    yield _Place(self._translator.target(sub, scope, keyword), scope)
                except UnresolvedReference:
                    continue
        if _only_refers(sub):
            return
        for keyword in ("allOf", "anyOf", "oneOf"):
            yield from (_Place(child(sub, keyword, index), scope) for index in range(len(value.get(keyword, ()))))
        for keyword in ("if", "then", "else"):
            if keyword in value:
                yield _Place(child(sub, keyword), scope)
        for keyword in ("dependentSchemas", "dependencies"):
            for name, one in value.get(keyword, {}).items():
                if not isinstance(one, list):
                    yield _Place(child(sub, keyword, name), scope)

    def _at_key(self, places: Sequence[_Place], key: str) -> list[_Place]:
        """List the subschemas for one member."""
        found: list[_Place] = []
        for place in places:
            value: Any = place.sub.value
            tokens: list[tuple[str, ...]] = []
            if key in value.get("properties", ()):
                tokens.append(("properties", key))
            matching = (one for one in value.get("patternProperties", ()) if Language.pattern(one).matches(key))
            tokens.extend(("patternProperties", pattern) for pattern in matching)
            if not tokens and "additionalProperties" in value:
                tokens.append(("additionalProperties",))
            if "unevaluatedProperties" in value:
                tokens.append(("unevaluatedProperties",))
            found += [self._child(place, *each) for each in tokens]
        return found

    def _unnamed(self, places: Sequence[_Place]) -> Iterator[tuple[KeySet, _Place]]:
        for place in places:
            value: Any = place.sub.value
            for pattern in value.get("patternProperties", ()):
                yield KeySet.matching(Language.pattern(pattern)), self._child(place, "patternProperties", pattern)
            if "additionalProperties" in value:
                yield own_keys(value).complement, self._child(place, "additionalProperties")

    def _at_index(self, places: Sequence[_Place], index: int) -> list[_Place]:
        """List the subschemas for one item."""
        found: list[_Place] = []
        for place in places:
            value: Any = place.sub.value
            prefix, length = _prefix(place.sub)
            rest = "additionalItems" if prefix == "items" and length else "items"
            if index < length:
                found.append(self._child(place, prefix, index))
            elif rest in value and not isinstance(value[rest], list):
                found.append(self._child(place, rest))
            if "unevaluatedItems" in value:
                found.append(self._child(place, "unevaluatedItems"))
        return found

    def _child(self, place: _Place, *tokens: str | int) -> _Place:
        scope = self._translator.entered(place.sub, place.scope)
        return _Place(self._translator.schemas.child(place.sub, *tokens), scope)


def _declared_keys(places: Sequence[_Place]) -> KeySet | None:
    """Join what all places declare; None where every key is."""
    keys, speaks = KeySet(), False
    for place in places:
        value: Any = place.sub.value
        if value.get("additionalProperties", False) is not False or "unevaluatedProperties" in value:
            return None
        required = value.get("required", ())
        named = [KeySet.of(*required)] if isinstance(required, list) else []
        keys = keys.union([own_keys(value), *named])
        speaks = speaks or any(
            keyword in value for keyword in ("properties", "required", "patternProperties", "additionalProperties")
        )
    return keys if speaks else None


def _own(place: _Place) -> KeySet:
    value: Any = place.sub.value
    return own_keys(value)


def _only_refers(sub: Subschema) -> bool:
    """Whether all but the `$ref` of a schema is ignored (up to draft-07)."""
    value: Any = sub.value
    return sub.dialect.ignores_ref_siblings and isinstance(value.get("$ref"), str)


def _prefix(sub: Subschema) -> tuple[str, int]:
    """Give the keyword that holds the schemas of the first items, and how many there are."""
    value: Any = sub.value
    keyword = "prefixItems" if sub.dialect is Dialect.DRAFT2020 else "items"
    first = value.get(keyword)
    return keyword, len(first) if isinstance(first, list) else 0

"""Which properties a schema declares, so that a witness may keep to them.

An open schema admits any undeclared property, so nearly every new property is strictly breaking. A witness without
undeclared ones is the stronger evidence; this says which they are.
"""

from __future__ import annotations

from collections.abc import Iterator
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


def only_declared(translator: Translator, sub: Subschema, scope: Scope) -> Formula:
    """Say that an object has declared members only; an explicit `additionalProperties` declares every key."""
    keys, speaks = _declared(translator, sub, scope, set())
    if keys is None or not speaks:
        return translator.universe.true
    return translator.universe.given(translator.universe.members(keys.complement, translator.universe.false))


def keeps_to_declared(translator: Translator, sub: Subschema, scope: Scope, value: Any) -> bool:
    """Say that an instance of `sub` surely uses declared members only, without translating anything.

    Every branch is taken to hold, so "no" may only mean that another look is needed.
    """
    if not isinstance(value, dict | list) or not value or not isinstance(sub.value, dict):
        return True
    if isinstance(value, dict):
        keys, speaks = _declared(translator, sub, scope, set())
        if speaks and keys is not None and not all(key in keys for key in value):
            return False
    return all(
        keeps_to_declared(translator, child, scope, item)
        for place in _on_instance(translator, sub, scope)
        for child, item in _children(translator, place, value)
    )


def _on_instance(translator: Translator, sub: Subschema, scope: Scope) -> list[Subschema]:
    """List a subschema and all that apply to the same instance beside it."""
    found = [sub]
    seen = {id(sub.value)}
    for place in found:
        for other in _beside(translator, place, scope):
            if isinstance(other.value, dict) and id(other.value) not in seen:
                seen.add(id(other.value))
                found.append(other)
    return found


def _children(translator: Translator, sub: Subschema, value: Any) -> Iterator[tuple[Subschema, Any]]:
    """Yield the subschemas of one schema object for the members or items of an instance."""
    schema: Any = sub.value
    child = translator.schemas.child
    if isinstance(value, dict):
        patterns = {pattern: Language.pattern(pattern) for pattern in schema.get("patternProperties", ())}
        for key, item in value.items():
            named = key in schema.get("properties", ())
            if named:
                yield child(sub, "properties", key), item
            matched = [pattern for pattern, language in patterns.items() if language.matches(key)]
            yield from ((child(sub, "patternProperties", pattern), item) for pattern in matched)
            if not named and not matched and "additionalProperties" in schema:
                yield child(sub, "additionalProperties"), item
            if "unevaluatedProperties" in schema:
                yield child(sub, "unevaluatedProperties"), item
        return
    prefix = "prefixItems" if sub.dialect is Dialect.DRAFT2020 else "items"
    first = schema.get(prefix, ())
    rest = "items" if prefix == "prefixItems" or not isinstance(first, list) else "additionalItems"
    length = len(first) if isinstance(first, list) else 0
    for index, item in enumerate(value):
        if index < length:
            yield child(sub, prefix, index), item
        elif rest in schema:
            yield child(sub, rest), item
        if "unevaluatedItems" in schema:
            yield child(sub, "unevaluatedItems"), item


def _declared(translator: Translator, sub: Subschema, scope: Scope, seen: set[int]) -> tuple[KeySet | None, bool]:
    """Collect the declared keys of all subschemas on this instance, and whether any speaks of keys at all."""
    value: Any = sub.value
    if not isinstance(value, dict) or id(value) in seen:
        return KeySet(), False
    seen.add(id(value))
    keys, speaks = KeySet(), False
    if "$ref" not in value or sub.dialect in (Dialect.DRAFT2019, Dialect.DRAFT2020):
        object_keywords = ("properties", "required", "patternProperties", "additionalProperties")
        speaks = any(keyword in value for keyword in object_keywords)
        if value.get("additionalProperties", False) is not False or "unevaluatedProperties" in value:
            return None, True
        required = value.get("required", ())
        keys = own_keys(value).union([KeySet.of(*required)] if isinstance(required, list) else [])
    for other in _beside(translator, sub, scope):
        more, spoke = _declared(translator, other, scope, seen)
        speaks = speaks or spoke
        if more is None:
            return None, True
        keys = keys.union([more])
    return keys, speaks


def _beside(translator: Translator, sub: Subschema, scope: Scope) -> Iterator[Subschema]:
    """Yield the subschemas that apply to the same instance, whether their branch holds or not."""
    value: Any = sub.value
    child = translator.schemas.child
    for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
        if isinstance(value.get(keyword), str):
            try:
                yield translator.target(sub, scope, keyword)
            except UnresolvedReference:
                continue
    for keyword in ("allOf", "anyOf", "oneOf"):
        yield from (child(sub, keyword, index) for index in range(len(value.get(keyword, ()))))
    for keyword in ("if", "then", "else"):
        if keyword in value:
            yield child(sub, keyword)
    for keyword in ("dependentSchemas", "dependencies"):
        for name, one in value.get(keyword, {}).items():
            if not isinstance(one, list):
                yield child(sub, keyword, name)

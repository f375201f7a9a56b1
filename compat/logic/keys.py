"""Names of properties: those that a schema object speaks of, and those that a formula admits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from compat.logic.formula import And, ExactlyOne, Formula, Literal, OneValue, Or
from compat.logic.keyset import KeySet
from compat.logic.predicates import Match, Size, Type
from compat.logic.regex import Language


def own_keys(value: Mapping[str, Any]) -> KeySet:
    """Give the keys that `properties` and `patternProperties` of one schema object speak of."""
    return KeySet(
        frozenset(value.get("properties", ())),
        frozenset(Language.pattern(pattern) for pattern in value.get("patternProperties", ())),
    )


def language_of(formula: Formula) -> Language | None:
    """Give the strings in ⟦formula⟧; None where they hang on a set that only its name is known of."""
    if formula.must & Type.STRING:
        return Language.all()
    if not formula.may & Type.STRING:
        return Language.none()
    match formula:
        case Literal(predicate=Match(language=language, holds=holds)):
            return language if holds else ~language
        case Literal(predicate=Size(n=n, at_least=at_least)):
            return Language.length(n, None) if at_least else Language.length(0, n)
        case OneValue(values=values, holds=holds):
            words = Language.words([value for value in values if isinstance(value, str)])
            return words if holds else ~words
        case And(parts=parts):
            return _joined(parts, meet=True)
        case Or(parts=parts):
            return _joined(parts, meet=False)
        case ExactlyOne(parts=parts, holds=holds):
            one = _exactly_one(parts)
            return one if holds or one is None else ~one
    return None


def _joined(parts: tuple[Formula, ...], *, meet: bool) -> Language | None:
    result = Language.all() if meet else Language.none()
    for part in parts:
        language = language_of(part)
        if language is None:
            return None
        result = result & language if meet else result | language
    return result


def _exactly_one(parts: tuple[Formula, ...]) -> Language | None:
    """Carry along the words of no branch so far and those of just one."""
    none, one = Language.all(), Language.none()
    for part in parts:
        language = language_of(part)
        if language is None:
            return None
        one = (one - language) | (none & language)
        none = none - language
    return one

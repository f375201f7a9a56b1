"""Keywords that speak of the properties of an object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from compat.diff.difference import Difference, Outcome, Pair, Spot
from compat.diff.fingerprint import Fingerprints
from compat.diff.pairing import renames
from compat.diff.scalars import kebab
from compat.diff.view import View, says_nothing
from compat.diff.wording import clip
from compat.diff.wording import pattern as written
from compat.jsonvalue import JSON
from compat.relation import Effect


class Rest(StrEnum):
    """What a schema says of the properties or items it does not name."""

    OPEN = "open"
    CLOSED = "closed"
    SCHEMA = "schema"

    @classmethod
    def of(cls, view: View, *keywords: str) -> Rest:
        """Read it off the first of `keywords` that says something."""
        for keyword in keywords:
            spot = view.entries.get(keyword)
            if spot is not None:
                return cls.CLOSED if spot.value is False else cls.SCHEMA
        return cls.OPEN


def object_outcomes(old: View, new: View, prints: Fingerprints) -> Iterator[Outcome]:
    """Compare what two subschemas say of objects."""
    yield from _properties(old, new, prints)
    yield from _patterns(old, new, prints)
    yield from _required(old, new)
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        yield from rest_outcomes(old, new, keyword, step="*")
    yield from rest_outcomes(old, new, "propertyNames", step=None)
    yield from _dependent_names(old, new)
    yield from _dependent_schemas(old, new)


def _properties(old: View, new: View, prints: Fingerprints) -> Iterator[Outcome]:
    left, right = old.maps.get("properties", {}), new.maps.get("properties", {})
    removed = {name: spot.value for name, spot in left.items() if name not in right}
    added = {name: spot.value for name, spot in right.items() if name not in left}
    renamed = renames(removed, added, prints)
    became = {before: after for after, before in renamed.items()}
    for name in dict.fromkeys((*right, *left)):
        if name in left and name in right:
            yield Pair(left[name].tokens, right[name].tokens, (name,))
        elif name in right:
            yield _added(name, right[name], old, new, renamed.get(name))
        else:
            yield _removed(name, left[name], old, new, became.get(name))


def _added(name: str, after: Spot, old: View, new: View, was: str | None) -> Difference:
    before = old.at("properties", name)
    hint = f'looks renamed from "{was}"' if was is not None else None
    rest = _rest_of_object(old, "patternProperties" in old.maps)
    if _newly_required(name, old, new):
        text = f'property "{name}" added and required.'
        effect = Effect.NARROWS if rest is Rest.OPEN else Effect.BOTH
        return Difference("required-property-added", "properties", before, after, text, effect, hint)
    if rest is Rest.CLOSED:
        text = f'property "{name}" added to an object that allowed no others.'
        effect = Effect.NONE if after.value is False else Effect.WIDENS
        return Difference("property-added-to-closed", "properties", before, after, text, effect, hint)
    text = f'property "{name}" added; before, any value under that name was accepted.'
    if rest is Rest.SCHEMA:
        text = f'property "{name}" added; before, the schema for other properties spoke of it.'
    effect = Effect.NONE if says_nothing(after.value) else Effect.NARROWS
    effect = Effect.UNKNOWN if rest is Rest.SCHEMA else effect
    return Difference("property-added", "properties", before, after, text, effect, hint)


def _removed(name: str, before: Spot, old: View, new: View, becomes: str | None) -> Difference:
    after = new.at("properties", name)
    hint = f'looks renamed to "{becomes}"' if becomes is not None else None
    rest = _rest_of_object(new, "patternProperties" in new.maps)
    if _newly_required(name, new, old):
        text = f'property "{name}" removed; it was required.'
        effect = Effect.WIDENS if rest is Rest.OPEN else Effect.BOTH
        return Difference("required-property-removed", "properties", before, after, text, effect, hint)
    if rest is Rest.CLOSED:
        text = f'property "{name}" removed from an object that allows no others.'
        effect = Effect.NONE if before.value is False else Effect.NARROWS
        return Difference("property-removed-from-closed", "properties", before, after, text, effect, hint)
    text = f'property "{name}" removed; any value under that name is accepted now.'
    if rest is Rest.SCHEMA:
        text = f'property "{name}" removed; the schema for other properties speaks of it now.'
    effect = Effect.NONE if says_nothing(before.value) else Effect.WIDENS
    effect = Effect.UNKNOWN if rest is Rest.SCHEMA else effect
    return Difference("property-removed", "properties", before, after, text, effect, hint)


def _rest_of_object(view: View, patterned: bool) -> Rest:
    rest = Rest.of(view, "additionalProperties", "unevaluatedProperties")
    return Rest.SCHEMA if patterned and view.maps["patternProperties"] else rest


def _newly_required(name: str, without: View, having: View) -> bool:
    """Whether one side names and demands a property that the other neither names nor demands."""
    return (
        name in having.required
        and name not in without.required
        and name in having.maps.get("properties", {})
        and name not in without.maps.get("properties", {})
    )


def _patterns(old: View, new: View, prints: Fingerprints) -> Iterator[Outcome]:
    left, right = old.maps.get("patternProperties", {}), new.maps.get("patternProperties", {})
    removed = {pattern: spot.value for pattern, spot in left.items() if pattern not in right}
    added = {pattern: spot.value for pattern, spot in right.items() if pattern not in left}
    renamed = renames(removed, added, prints)
    became = {before: after for after, before in renamed.items()}
    for pattern in dict.fromkeys((*right, *left)):
        before, after = old.at("patternProperties", pattern), new.at("patternProperties", pattern)
        if pattern in left and pattern in right:
            yield Pair(before.tokens, after.tokens, ("*",))
        elif pattern in right:
            hint = f"looks changed from {written(renamed[pattern])}" if pattern in renamed else None
            rest = Rest.of(old, "additionalProperties", "unevaluatedProperties")
            effect = {Rest.OPEN: Effect.NARROWS, Rest.CLOSED: Effect.WIDENS}.get(rest, Effect.UNKNOWN)
            text = f"properties that match {clip(written(pattern))} have a schema of their own now."
            yield Difference("pattern-property-added", "patternProperties", before, after, text, effect, hint)
        else:
            hint = f"looks changed to {written(became[pattern])}" if pattern in became else None
            rest = Rest.of(new, "additionalProperties", "unevaluatedProperties")
            effect = {Rest.OPEN: Effect.WIDENS, Rest.CLOSED: Effect.NARROWS}.get(rest, Effect.UNKNOWN)
            text = f"properties that match {clip(written(pattern))} have no schema of their own any more."
            yield Difference("pattern-property-removed", "patternProperties", before, after, text, effect, hint)


def _required(old: View, new: View) -> Iterator[Outcome]:
    for name, after in new.required.items():
        if name not in old.required and not _newly_required(name, old, new):
            gone = Spot(("required",), None, exists=False)
            yield Difference(
                "required-added", "required", gone, after, f'property "{name}" is required now.', Effect.NARROWS
            )
    for name, before in old.required.items():
        if name not in new.required and not _newly_required(name, new, old):
            gone = Spot(("required",), None, exists=False)
            text = f'property "{name}" is no longer required.'
            yield Difference("required-removed", "required", before, gone, text, Effect.WIDENS)


_REST_WORDS = {
    "additionalProperties": "properties that the schema does not name",
    "unevaluatedProperties": "properties that no part of the schema speaks of",
    "propertyNames": "property names",
    "items": "items beyond the named positions",
    "unevaluatedItems": "items that no part of the schema speaks of",
}


def rest_outcomes(old: View, new: View, keyword: str, step: str | None) -> Iterator[Outcome]:
    """Compare a keyword that holds one schema for everything not named: closed, opened, constrained or freed."""
    held, holds = Rest.of(old, keyword), Rest.of(new, keyword)
    if held is Rest.OPEN and holds is Rest.OPEN:
        return
    before, after = old.spot(keyword), new.spot(keyword)
    if held is holds is Rest.SCHEMA:
        yield Pair(before.tokens, after.tokens, () if step is None else (step,))
        return
    if held is holds:
        return
    what = _REST_WORDS[keyword]
    if keyword == "items" and not old.lists.get("prefixItems") and not new.lists.get("prefixItems"):
        what = "items"
    verb, text, effect = {
        (True, Rest.CLOSED): ("closed", f"{what} are no longer accepted.", Effect.NARROWS),
        (False, Rest.CLOSED): ("opened", f"{what} are newly accepted.", Effect.WIDENS),
        (True, Rest.SCHEMA): ("constrained", f"{what} must satisfy a schema now.", Effect.NARROWS),
        (False, Rest.SCHEMA): ("freed", f"{what} need not satisfy a schema any more.", Effect.WIDENS),
    }[_turn(held, holds)]
    yield Difference(f"{kebab(keyword)}-{verb}", keyword, before, after, text, effect)


def _turn(held: Rest, holds: Rest) -> tuple[bool, Rest]:
    """Read a turn as (stricter?, which end decides its name): closed beats schema beats open."""
    if Rest.CLOSED in (held, holds):
        return holds is Rest.CLOSED, Rest.CLOSED
    return holds is Rest.SCHEMA, Rest.SCHEMA


def _dependent_names(old: View, new: View) -> Iterator[Outcome]:
    left, right = old.maps.get("dependentRequired", {}), new.maps.get("dependentRequired", {})
    for trigger in dict.fromkeys((*right, *left)):
        held = _named(left[trigger]) if trigger in left else {}
        holds = _named(right[trigger]) if trigger in right else {}
        for name, after in holds.items():
            if name not in held:
                gone = left[trigger] if trigger in left else old.at("dependentRequired", trigger)
                text = f'property "{name}" is required now where "{trigger}" is present.'
                before = Spot(gone.tokens, None, exists=False)
                yield Difference("dependent-required-added", "dependentRequired", before, after, text, Effect.NARROWS)
        for name, before in held.items():
            if name not in holds:
                gone = right[trigger] if trigger in right else new.at("dependentRequired", trigger)
                text = f'property "{name}" is no longer required where "{trigger}" is present.'
                after = Spot(gone.tokens, None, exists=False)
                yield Difference("dependent-required-removed", "dependentRequired", before, after, text, Effect.WIDENS)


def _named(spot: Spot) -> Mapping[str, Spot]:
    names: Sequence[JSON] = spot.value if isinstance(spot.value, list | tuple) else ()
    return {name: Spot((*spot.tokens, index), name) for index, name in enumerate(names) if isinstance(name, str)}


def _dependent_schemas(old: View, new: View) -> Iterator[Outcome]:
    left, right = old.maps.get("dependentSchemas", {}), new.maps.get("dependentSchemas", {})
    for trigger in dict.fromkeys((*right, *left)):
        if trigger in left and trigger in right:
            yield Pair(left[trigger].tokens, right[trigger].tokens)
        elif trigger in right:
            text = f'objects with "{trigger}" must satisfy a further schema now.'
            before = old.at("dependentSchemas", trigger)
            yield Difference("dependent-schema-added", "dependentSchemas", before, right[trigger], text, Effect.NARROWS)
        else:
            text = f'objects with "{trigger}" need not satisfy a further schema any more.'
            after = new.at("dependentSchemas", trigger)
            yield Difference("dependent-schema-removed", "dependentSchemas", left[trigger], after, text, Effect.WIDENS)

"""Keywords that speak of one value: type, enum, const, bounds, multipleOf, pattern, uniqueItems."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from compat.diff.difference import Difference, Spot
from compat.diff.fingerprint import Fingerprints
from compat.diff.patterns import Inclusion, inclusion
from compat.diff.view import View
from compat.diff.wording import clip, contrast, listing, pattern, shown
from compat.jsonvalue import JSON, exact, is_number
from compat.relation import Effect

_ATOMS = ("null", "boolean", "integer", "fraction", "string", "array", "object")


@dataclass(frozen=True, slots=True)
class Bound:
    """A keyword that sets a limit; `lower` limits from below, `implied` is its value where it is absent."""

    keyword: str
    lower: bool
    implied: int | None = None

    @property
    def rule(self) -> str:
        return kebab(self.keyword)


BOUNDS = (
    Bound("minimum", lower=True),
    Bound("maximum", lower=False),
    Bound("exclusiveMinimum", lower=True),
    Bound("exclusiveMaximum", lower=False),
    Bound("minLength", lower=True),
    Bound("maxLength", lower=False),
    Bound("minItems", lower=True),
    Bound("maxItems", lower=False),
    Bound("minProperties", lower=True),
    Bound("maxProperties", lower=False),
    Bound("minContains", lower=True, implied=1),
    Bound("maxContains", lower=False),
)


def kebab(keyword: str) -> str:
    """Spell a keyword as rule ids do: `minLength` is `min-length`."""
    return re.sub(r"(?<!^)([A-Z])", r"-\1", keyword.lstrip("$")).lower()


def scalar_differences(old: View, new: View, prints: Fingerprints) -> Iterator[Difference]:
    """Compare the keywords of two subschemas that speak of one value."""
    yield from _types(old, new)
    yield from _values(old, new, prints)
    yield from _bounds(old, new)
    yield from _multiples(old, new)
    yield from _patterns(old, new)
    yield from _uniqueness(old, new)


def _types(old: View, new: View) -> Iterator[Difference]:
    left, right = old.entries.get("type"), new.entries.get("type")
    before, after = old.spot("type"), new.spot("type")
    if left is None and right is None:
        return
    if left is None or right is None:
        if right is not None:
            text = f"accepts only {_type_words(_atoms(right.value))} now; before, any type."
            yield Difference("type-constraint-added", "type", before, after, text, Effect.NARROWS)
        elif left is not None:
            text = f"accepts any type now; before, only {_type_words(_atoms(left.value))}."
            yield Difference("type-constraint-removed", "type", before, after, text, Effect.WIDENS)
        return
    held, holds = _atoms(left.value), _atoms(right.value)
    lost, gained = held - holds, holds - held
    if lost and gained:
        text = f"type changed from {_type_words(held)} to {_type_words(holds)}."
        yield Difference("type-changed", "type", before, after, text, Effect.BOTH)
    elif gained:
        text = f"{_type_words(gained)} {_is(gained)} newly accepted."
        yield Difference("type-added", "type", before, after, text, Effect.WIDENS)
    elif lost:
        text = f"{_type_words(lost)} {_is(lost)} no longer accepted."
        yield Difference("type-removed", "type", before, after, text, Effect.NARROWS)
    elif _names(left.value) != _names(right.value):
        text = "the same types are written in another way."
        yield Difference("type-rewritten", "type", before, after, text, Effect.NONE)


def _names(value: JSON) -> tuple[bool, list[str]]:
    """The spelling of a type, apart from order: a reordered list is no change, a list of one is."""
    return (True, [value]) if isinstance(value, str) else (False, sorted(str(name) for name in value or ()))  # type: ignore[union-attr]


def _atoms(value: JSON) -> frozenset[str]:
    """The types as disjoint sets: `number` is integers and fractions."""
    names = [value] if isinstance(value, str) else value if isinstance(value, Sequence) else []
    atoms = {str(name) for name in names}
    return frozenset(atoms - {"number"} | {"integer", "fraction"} if "number" in atoms else atoms)


def _type_words(atoms: frozenset[str]) -> str:
    words = [atom for atom in _ATOMS if atom in atoms]
    if {"integer", "fraction"} <= atoms:
        words = ["number" if word == "integer" else word for word in words if word != "fraction"]
    words = ["a number with a fraction" if word == "fraction" else word for word in words]
    return listing([*words, *sorted(atoms - set(_ATOMS))]) or "nothing"


def _is(atoms: frozenset[str]) -> str:
    return "is" if len(atoms) == 1 or atoms == {"integer", "fraction"} else "are"


def _values(old: View, new: View, prints: Fingerprints) -> Iterator[Difference]:
    left = [keyword for keyword in ("enum", "const") if keyword in old.entries]
    right = [keyword for keyword in ("enum", "const") if keyword in new.entries]
    if len(left) == 1 and len(right) == 1:
        yield from _value_lists(old.entries[left[0]], new.entries[right[0]], prints)
        return
    for keyword in ("enum", "const"):
        before, after = old.spot(keyword), new.spot(keyword)
        if keyword in left and keyword in right:
            yield from _value_lists(old.entries[keyword], new.entries[keyword], prints)
        elif keyword in right:
            text = f"accepts only {_value_words(after)} now; before, other values too."
            yield Difference(f"{keyword}-added", keyword, before, after, text, Effect.NARROWS)
        elif keyword in left:
            text = f"accepts other values now; before, only {_value_words(before)}."
            yield Difference(f"{keyword}-removed", keyword, before, after, text, Effect.WIDENS)


def _value_words(spot: Spot) -> str:
    return listing((shown(place.value, 30) for place in _listed(spot)), most=3) or "nothing"


def _listed(spot: Spot) -> list[Spot]:
    """The allowed values with their places: the members of an enum, or the one constant."""
    if spot.keyword == "enum" and isinstance(spot.value, Sequence) and not isinstance(spot.value, str):
        return [Spot((*spot.tokens, index), value) for index, value in enumerate(spot.value)]
    return [spot]


def _value_lists(before: Spot, after: Spot, prints: Fingerprints) -> Iterator[Difference]:
    if before.keyword == after.keyword == "const":
        if not prints.same(before.value, after.value):
            was, now = contrast(before.value, after.value)
            text = f"the constant changed from {was} to {now}."
            yield Difference("const-changed", "const", before, after, text, Effect.BOTH)
        return
    left = {prints.of(spot.value): spot for spot in reversed(_listed(before))}
    right = {prints.of(spot.value): spot for spot in reversed(_listed(after))}
    lost = [spot for key, spot in reversed(left.items()) if key not in right]
    gained = [spot for key, spot in reversed(right.items()) if key not in left]
    for spot in lost:
        gone = Spot(after.tokens, None, exists=False)
        text = f"{shown(spot.value)} is no longer accepted."
        yield Difference("enum-value-removed", "enum", spot, gone, text, Effect.NARROWS)
    for spot in gained:
        absent = Spot(before.tokens, None, exists=False)
        text = f"{shown(spot.value)} is newly accepted."
        yield Difference("enum-value-added", "enum", absent, spot, text, Effect.WIDENS)
    if not lost and not gained and before.keyword != after.keyword:
        rule = f"{before.keyword}-became-{after.keyword}"
        text = f"{shown(_listed(before)[0].value)} is written as {after.keyword} now."
        yield Difference(rule, after.keyword, before, after, text, Effect.NONE)


def _bounds(old: View, new: View) -> Iterator[Difference]:
    told: set[str] = set()
    for side in ("Minimum", "Maximum"):
        loose, strict = side.lower(), f"exclusive{side}"
        held = [name for name in (loose, strict) if name in old.entries]
        holds = [name for name in (loose, strict) if name in new.entries]
        if len(held) == len(holds) == 1 and held != holds:
            told |= {loose, strict}
            yield from _strictness(old.entries[held[0]], new.entries[holds[0]], loose, to_strict=holds == [strict])
    for bound in BOUNDS:
        if bound.keyword not in told:
            yield from _bound(bound, old, new)


def _bound(bound: Bound, old: View, new: View) -> Iterator[Difference]:
    left, right = old.entries.get(bound.keyword), new.entries.get(bound.keyword)
    if left is None and right is None:
        return
    before, after = old.spot(bound.keyword), new.spot(bound.keyword)
    held = bound.implied if left is None else left.value
    holds = bound.implied if right is None else right.value
    if bound.keyword.endswith("Contains") and not ("contains" in old.entries and "contains" in new.entries):
        return  # with `contains` itself gone or new, its own rule says so
    if not is_number(held) and is_number(holds):
        text = f"{bound.keyword} {shown(holds)} introduced."
        yield Difference(f"{bound.rule}-added", bound.keyword, before, after, text, Effect.NARROWS)
    elif is_number(held) and not is_number(holds):
        text = f"{bound.keyword} {shown(held)} dropped."
        yield Difference(f"{bound.rule}-removed", bound.keyword, before, after, text, Effect.WIDENS)
    elif is_number(held) and is_number(holds):
        yield from _moved(bound.keyword, _Limit.of(before, held), _Limit.of(after, holds), lower=bound.lower)


def _strictness(before: Spot, after: Spot, keyword: str, *, to_strict: bool) -> Iterator[Difference]:
    """Compare an inclusive bound with an exclusive one."""
    if not is_number(before.value) or not is_number(after.value):
        return
    excluded = " (excluded)"
    moved = list(
        _moved(
            keyword,
            _Limit.of(before, before.value, "" if to_strict else excluded),
            _Limit.of(after, after.value, excluded if to_strict else ""),
            lower=keyword == "minimum",
        )
    )
    if moved:
        yield from moved
        return
    became = "exclusive" if to_strict else "inclusive"
    text = f"{keyword} {shown(after.value)} became {became}: {shown(after.value)} itself is " + (
        "no longer accepted." if to_strict else "newly accepted."
    )
    effect = Effect.NARROWS if to_strict else Effect.WIDENS
    yield Difference(f"{keyword}-became-{became}", keyword, before, after, text, effect)


@dataclass(frozen=True, slots=True)
class _Limit:
    """The value of a bound, where it stands, and in words."""

    spot: Spot
    number: Fraction
    words: str

    @classmethod
    def of(cls, spot: Spot, value: JSON, remark: str = "") -> _Limit:
        return cls(spot, exact(value), shown(value) + remark)  # type: ignore[arg-type]


def _moved(keyword: str, was: _Limit, now: _Limit, *, lower: bool) -> Iterator[Difference]:
    if was.number == now.number:
        return
    raised = now.number > was.number
    verb = "raised" if raised else "lowered"
    effect = Effect.NARROWS if raised == lower else Effect.WIDENS
    text = f"{keyword} {verb} from {was.words} to {now.words}."
    yield Difference(f"{kebab(keyword)}-{verb}", keyword, was.spot, now.spot, text, effect)


def _multiples(old: View, new: View) -> Iterator[Difference]:
    left, right = old.entries.get("multipleOf"), new.entries.get("multipleOf")
    before, after = old.spot("multipleOf"), new.spot("multipleOf")
    if left is None and right is not None:
        text = f"only multiples of {shown(right.value)} are accepted now."
        yield Difference("multiple-of-added", "multipleOf", before, after, text, Effect.NARROWS)
    elif left is not None and right is None:
        text = f"other numbers than multiples of {shown(left.value)} are newly accepted."
        yield Difference("multiple-of-removed", "multipleOf", before, after, text, Effect.WIDENS)
    elif left is not None and right is not None and is_number(left.value) and is_number(right.value):
        held, holds = exact(left.value), exact(right.value)  # type: ignore[arg-type]
        if held == holds or not held or not holds:
            return
        text = f"multipleOf changed from {shown(left.value)} to {shown(right.value)}"
        if (holds / held).denominator == 1:
            yield Difference(
                "multiple-of-tightened", "multipleOf", before, after, f"{text}: fewer numbers fit.", Effect.NARROWS
            )
        elif (held / holds).denominator == 1:
            yield Difference(
                "multiple-of-loosened", "multipleOf", before, after, f"{text}: more numbers fit.", Effect.WIDENS
            )
        else:
            yield Difference("multiple-of-changed", "multipleOf", before, after, f"{text}.", Effect.BOTH)


_PATTERN = {
    Inclusion.EQUAL: ("pattern-rewritten", "the same strings match.", Effect.NONE),
    Inclusion.NARROWER: ("pattern-tightened", "fewer strings match.", Effect.NARROWS),
    Inclusion.WIDER: ("pattern-loosened", "every old value matches the new pattern.", Effect.WIDENS),
    Inclusion.NEITHER: ("pattern-changed", "some old values no longer match, some new ones do.", Effect.BOTH),
    Inclusion.UNDECIDED: ("pattern-changed", "whether old values still match is not decided here.", Effect.UNKNOWN),
}


def _patterns(old: View, new: View) -> Iterator[Difference]:
    left, right = old.entries.get("pattern"), new.entries.get("pattern")
    before, after = old.spot("pattern"), new.spot("pattern")
    if left is None and right is not None:
        text = f"only strings that match {clip(pattern(str(right.value)))} are accepted now."
        yield Difference("pattern-added", "pattern", before, after, text, Effect.NARROWS)
    elif left is not None and right is None:
        text = f"strings that do not match {clip(pattern(str(left.value)))} are newly accepted."
        yield Difference("pattern-removed", "pattern", before, after, text, Effect.WIDENS)
    elif left is not None and right is not None and left.value != right.value:
        rule, text, effect = _PATTERN[inclusion(str(left.value), str(right.value))]
        was, now = contrast(left.value, right.value, write=pattern)
        text = f"pattern changed from {was} to {now}: {text}"
        yield Difference(rule, "pattern", before, after, text, effect)


def _uniqueness(old: View, new: View) -> Iterator[Difference]:
    held, holds = "uniqueItems" in old.entries, "uniqueItems" in new.entries
    before, after = old.spot("uniqueItems"), new.spot("uniqueItems")
    if holds and not held:
        text = "arrays with equal items are no longer accepted."
        yield Difference("unique-items-added", "uniqueItems", before, after, text, Effect.NARROWS)
    elif held and not holds:
        text = "arrays with equal items are newly accepted."
        yield Difference("unique-items-removed", "uniqueItems", before, after, text, Effect.WIDENS)

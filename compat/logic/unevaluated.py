"""What `unevaluatedProperties` and `unevaluatedItems` see: everything that no subschema beside them evaluated.

Each subschema on the same instance that speaks of keys or positions does so under a condition: its branch holds.
The keys are cut into classes that all of these treat alike, so the keyword says of each class: some condition that
evaluates it holds, or its members satisfy the schema. That is as long as there are classes, not combinations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, Final

from compat.errors import UnresolvedReference
from compat.logic.formula import Formula
from compat.logic.keys import own_keys
from compat.logic.keyset import KeySet
from compat.logic.predicates import ALL, Type
from compat.logic.regex import Language
from compat.logic.universe import Universe
from compat.model.dialects import Dialect
from compat.model.keywords import KEYWORDS, spoken
from compat.model.references import Subschema

if TYPE_CHECKING:
    from compat.logic.translate import Scope, Translator

# Beyond this many independent conditions their combinations are not spelt out.
MAX_CONDITIONS: Final = 8


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What one subschema evaluates when `condition` holds.

    `start` is the first position it leaves over (None: it leaves none); `contained` items count wherever they are.
    """

    condition: Formula
    keys: KeySet
    start: int | None = 0
    contained: tuple[Formula, ...] = ()


class Evaluations:
    """Collects what the subschemas on one instance evaluate."""

    def __init__(self, translator: Translator, sub: Subschema, scope: Scope, *, without: str) -> None:
        self._translator = translator
        self._universe = translator.universe
        self._without = without
        self.unresolved: list[tuple[Formula, str]] = []
        self.all = list(self._at(sub, scope, self._universe.true, top=True))

    def _at(self, sub: Subschema, scope: Scope, condition: Formula, *, top: bool = False) -> Iterator[Evaluated]:
        if not isinstance(sub.value, dict) or condition is self._universe.false:
            return
        value = _known(sub)
        if sub.dialect.ignores_ref_siblings and isinstance(value.get("$ref"), str):
            yield from self._behind(sub, scope, condition, "$ref")
            return
        keys = own_keys(value)
        rest = "unevaluatedProperties" in value and not (top and self._without == "unevaluatedProperties")
        if "additionalProperties" in value or rest:
            keys = KeySet.all()
        yield Evaluated(condition, keys, *self._positions(sub, scope, top=top))
        for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
            if isinstance(value.get(keyword), str):
                yield from self._behind(sub, scope, condition, keyword)
        yield from self._branches(sub, scope, condition)

    def _positions(self, sub: Subschema, scope: Scope, *, top: bool) -> tuple[int | None, tuple[Formula, ...]]:
        value = _known(sub)
        start: int | None
        if sub.dialect is Dialect.DRAFT2020:
            start = None if "items" in value else len(value.get("prefixItems", ()))
        else:
            items = value.get("items")
            start = len(items) if isinstance(items, list) else (0 if items is None else None)
            if isinstance(items, list) and "additionalItems" in value:
                start = None
        if "unevaluatedItems" in value and not (top and self._without == "unevaluatedItems"):
            start = None
        if "contains" in value:
            return start, (self._translator.below(sub, scope, "contains"),)
        return start, ()

    def _behind(self, sub: Subschema, scope: Scope, condition: Formula, keyword: str) -> Iterator[Evaluated]:
        try:
            target = self._translator.target(sub, scope, keyword)
        except UnresolvedReference as error:
            self.unresolved.append((condition, error.uri))
            return
        yield from self._at(target, self._translator.entered(target, scope), condition)

    def _branches(self, sub: Subschema, scope: Scope, condition: Formula) -> Iterator[Evaluated]:
        value = _known(sub)
        child, both, translate = self._translator.schemas.child, self._universe.all_of, self._translator.schema
        for index in range(len(value.get("allOf", ()))):
            yield from self._at(child(sub, "allOf", index), scope, condition)
        for keyword in ("anyOf", "oneOf"):
            for index in range(len(value.get(keyword, ()))):
                branch = child(sub, keyword, index)
                yield from self._at(branch, scope, both([condition, translate(branch, scope)]))
        if "if" in value:
            test = translate(child(sub, "if"), scope)
            yield from self._at(child(sub, "if"), scope, both([condition, test]))
            for keyword, when in (("then", test), ("else", test.neg)):
                if keyword in value:
                    yield from self._at(child(sub, keyword), scope, both([condition, when]))
        for name in value.get("dependentSchemas", ()):
            present = self._universe.being(self._universe.members(KeySet.of(name), self._universe.false).neg)
            yield from self._at(child(sub, "dependentSchemas", name), scope, both([condition, present]))


def _known(sub: Subschema) -> dict[str, Any]:
    """Give the keywords of a schema object that its dialect and vocabularies know."""
    assert isinstance(sub.value, dict)
    rows, spoken_of = KEYWORDS[sub.dialect], sub.vocabularies
    return {
        keyword: held
        for keyword, held in sub.value.items()
        if keyword in rows and (spoken_of is None or spoken(rows[keyword], spoken_of))
    }


def unevaluated_properties(universe: Universe, found: Evaluations, rest: Formula) -> Formula:
    """Say that every key left over satisfies `rest`: in each class of keys, or else some condition evaluates it."""
    if found.unresolved:
        return _unknowable(universe, Type.OBJECT, found, rest)
    speaking = [one for one in found.all if one.keys != KeySet()]
    always = KeySet().union(one.keys for one in speaking if one.condition is universe.true)
    perhaps = [one for one in speaking if one.condition is not universe.true]
    parts = []
    for keys in _classes([one.keys for one in perhaps]):
        left = keys.complement.union([always]).complement
        if left == KeySet():
            continue
        evaluating = [one.condition for one in perhaps if _inside(keys, one.keys)]
        parts.append(universe.any_of([universe.given(universe.members(left, rest)), *evaluating]))
    return universe.all_of(parts)


def _classes(sets: Sequence[KeySet]) -> Iterator[KeySet]:
    """Cut all keys into classes that lie inside or outside each of the sets; some may be empty."""
    names = sorted({name for keys in sets for name in keys.names})
    languages = sorted({language for keys in sets for language in keys.languages}, key=str)
    alike: dict[tuple[bool, ...], list[str]] = {}
    for name in names:
        alike.setdefault(tuple(name in keys for keys in sets), []).append(name)
    yield from (KeySet.of(*group) for group in alike.values())
    if not languages:
        yield KeySet(frozenset(names), outside=True)
        return
    cells: list[tuple[Language, frozenset[Language]]] = [(~Language.words(names), frozenset())]
    for one in languages:
        cells = [
            half
            for language, within in cells
            for half in ((language & one, within | {one}), (language - one, within))
            if not half[0].is_none
        ]
    yield from (_Cell(language, within) for language, within in cells)


class _Cell(KeySet):
    """A class of keys without a name, with the languages that it lies in."""

    __slots__ = ("within",)

    def __init__(self, language: Language, within: frozenset[Language]) -> None:
        super().__init__(frozenset(), frozenset({language}))
        self.within = within


def _inside(cell: KeySet, keys: KeySet) -> bool:
    """Whether a class lies in a set that it was cut by."""
    if isinstance(cell, _Cell):
        return bool(cell.within & keys.languages) is not keys.outside
    if cell.outside:
        return keys.outside
    return next(iter(cell.names)) in keys


def unevaluated_items(universe: Universe, found: Evaluations, rest: Formula) -> Formula:
    """Say that every item left over satisfies `rest`: in each run of positions, or some condition evaluates them.

    An item that a `contains` evaluates is no matter of positions; which of these hold is spelt out.
    """
    if found.unresolved:
        return _unknowable(universe, Type.ARRAY, found, rest)
    always = [body for one in found.all if one.condition is universe.true for body in one.contained]
    perhaps: dict[Formula, list[Formula]] = {}
    for one in found.all:
        if one.contained and one.condition is not universe.true:
            perhaps.setdefault(one.condition, []).extend(one.contained)
    if len(perhaps) > MAX_CONDITIONS:
        return _unknowable(universe, Type.ARRAY, found, rest)
    options = []
    for size in range(len(perhaps) + 1):
        for chosen in combinations(perhaps, size):
            contained = [*always, *(body for condition in chosen for body in perhaps[condition])]
            body = universe.any_of([rest, *contained])
            options.append(universe.all_of([*chosen, *_runs(universe, found.all, body)]))
    return universe.any_of(options)


def _runs(universe: Universe, evaluated: Sequence[Evaluated], body: Formula) -> Iterator[Formula]:
    """Yield what holds of each run of positions that all the evaluating subschemas treat alike."""
    starts = sorted({one.start for one in evaluated if one.start})
    for low, high in pairwise([0, *starts]):
        conditions = [one.condition for one in evaluated if one.start is None or one.start >= high]
        items = universe.all_of(universe.given(universe.item_at(index, body)) for index in range(low, high))
        yield universe.any_of([items, *conditions])
    conditions = [one.condition for one in evaluated if one.start is None]
    last = universe.given(universe.items_from(starts[-1] if starts else 0, body))
    yield universe.any_of([last, *conditions])


def _unknowable(universe: Universe, type_: Type, found: Evaluations, rest: Formula) -> Formula:
    """Give a set of instances of one type, and all of the others, named by everything that it depends on."""
    why = "too many branches decide what is unevaluated"
    if found.unresolved:
        why = f"what {found.unresolved[0][1]} evaluates cannot be known"
    name = ("unevaluated", type_, rest, tuple(found.all), tuple(found.unresolved))
    return universe.any_of([universe.types(ALL & ~type_), universe.opaque(name, why)])

"""Where formulas are interned: equal structure becomes one object, linked to its complement."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from compat.jsonvalue import JSON, freeze
from compat.logic.formula import And, ExactlyOne, Formula, Literal, OneValue, Opaque, Or, Reference, Types
from compat.logic.keyset import KeySet
from compat.logic.predicates import (
    ALL,
    Bound,
    Count,
    Format,
    ItemAt,
    ItemsFrom,
    Match,
    Members,
    Multiple,
    Predicate,
    Size,
    Table,
    Type,
    Unique,
    type_of,
)
from compat.logic.regex.language import Language


class Universe:
    """Where formulas are interned. One universe serves one comparison, or many that share documents."""

    def __init__(self) -> None:
        self._formulas: dict[Hashable, Formula] = {}
        self._predicates: dict[Hashable, Predicate] = {}
        self._serial = 0
        everything, nothing = Types(), Types()
        everything.may = everything.must = ALL
        nothing.may = nothing.must = 0
        self.true = self._enter(("types", ALL), everything, ("types", 0), nothing)
        self.false = self.true.neg

    # ── predicates ────────────────────────────────────────────────────────────────────────────────────────────────

    def bound(self, value: Fraction | int, *, lower: bool, exclusive: bool) -> Predicate:
        return self._predicate(
            ("bound", value, lower, exclusive), Bound, (value, lower, exclusive), (value, not lower, not exclusive)
        )

    def multiple(self, of: Fraction) -> Predicate:
        return self._predicate(("multiple", of), Multiple, (of, True), (of, False))

    def match(self, language: Language) -> Predicate:
        return self._predicate(("match", language), Match, (language, True), (language, False))

    def format(self, name: str) -> Predicate:
        return self._predicate(("format", name), Format, (name, True), (name, False))

    def at_least(self, type_: Type, n: int) -> Predicate:
        return self._predicate(("size", type_, n), Size, (type_, n, True), (type_, n - 1, False))

    def at_most(self, type_: Type, n: int) -> Predicate:
        return self.at_least(type_, n + 1).neg

    def item_at(self, index: int, body: Formula) -> Predicate:
        return self._predicate(("item", index, body), ItemAt, (index, body, False), (index, body.neg, True))

    def items_from(self, start: int, body: Formula) -> Predicate:
        return self._predicate(("items", start, body), ItemsFrom, (start, body, False), (start, body.neg, True))

    def count_at_least(self, body: Formula, n: int) -> Predicate:
        return self._predicate(("count", body, n), Count, (body, n, True), (body, n - 1, False))

    def unique(self) -> Predicate:
        return self._predicate(("unique",), Unique, (True,), (False,))

    def members(self, keys: KeySet, body: Formula) -> Predicate:
        return self._predicate(("members", keys, body), Members, (keys, body, False), (keys, body.neg, True))

    def table(self, texts: Mapping[str, Hashable], read: Callable[[str], Formula]) -> Predicate:
        """Give what a number of names demand of their members; `texts` says what it is, `read` translates it."""
        key = ("table", frozenset(texts.items()))
        return self._predicate(key, Table, (texts, read, False), (texts, read, True))

    def spelt(self, table: Table) -> Formula:
        """Write a table out as what each of its names demands: the whole of it, or the complement."""
        every = self.all_of(self.given(self.members(KeySet.of(name), table.read(name))) for name in table.names)
        return self.all_of([self.types(Type.OBJECT), every.neg]) if table.some else every

    def _predicate(self, key: Hashable, kind: Any, arguments: tuple[Any, ...], inverse: tuple[Any, ...]) -> Predicate:
        found = self._predicates.get(key)
        if found is None:
            found, other = kind(*arguments), kind(*inverse)
            found.neg, other.neg = other, found
            found.serial, other.serial = self._serial, self._serial + 1
            self._serial += 2
            self._predicates[key] = found
        return found

    # ── formulas ──────────────────────────────────────────────────────────────────────────────────────────────────

    def types(self, mask: int) -> Formula:
        found = self._formulas.get(("types", mask))
        if found is None:
            these, others = Types(), Types()
            these.may = these.must = mask
            others.may = others.must = ALL & ~mask
            found = self._enter(("types", mask), these, ("types", ALL & ~mask), others)
        return found

    def given(self, predicate: Predicate) -> Formula:
        """If the instance is of the predicate's type, the predicate holds: the reading of a keyword."""
        return self._literal(predicate, False)

    def being(self, predicate: Predicate) -> Formula:
        """The instance is of the predicate's type and the predicate holds."""
        return self._literal(predicate, True)

    def _literal(self, predicate: Predicate, strict: bool) -> Formula:
        key = ("literal", predicate, strict)
        found = self._formulas.get(key)
        if found is None:
            literal, other = Literal(predicate, strict), Literal(predicate.neg, not strict)
            bit = int(predicate.type)
            for node in (literal, other):
                node.may, node.must = (bit, 0) if node.strict else (ALL, ALL & ~bit)
            found = self._enter(key, literal, ("literal", predicate.neg, not strict), other)
        return found

    def one_of_values(self, values: Sequence[JSON]) -> Formula:
        """The instance equals one of `values` under JSON equality."""
        distinct: dict[Hashable, JSON] = {}
        for value in values:
            distinct.setdefault(freeze(value), value)
        if not distinct:
            return self.false
        keys = frozenset(distinct)
        found = self._formulas.get(("values", keys))
        if found is None:
            mask = 0
            for value in distinct.values():
                mask |= type_of(value)
            whole = 0
            if freeze(None) in keys:
                whole |= Type.NULL
            if freeze(True) in keys and freeze(False) in keys:
                whole |= Type.BOOLEAN
            chosen = tuple(distinct.values())
            inside, outside = OneValue(chosen, keys, True), OneValue(chosen, keys, False)
            inside.may, inside.must = mask, whole
            outside.may, outside.must = ALL & ~whole, ALL & ~mask
            if mask == whole:
                return self.types(mask)
            found = self._enter(("values", keys), inside, ("other values", keys), outside)
        return found

    def all_of(self, parts: Iterable[Formula]) -> Formula:
        return self._junction(parts)

    def any_of(self, parts: Iterable[Formula]) -> Formula:
        return self._junction(part.neg for part in parts).neg

    def _junction(self, parts: Iterable[Formula]) -> Formula:
        """Intern a conjunction; a disjunction is the complement of the conjunction of the complements."""
        flat: dict[Formula, None] = {}
        may = must = ALL
        masks = 0
        true = self.true
        for whole in parts:
            for part in whole.parts if isinstance(whole, And) else (whole,):
                if part is true or part in flat:
                    continue
                may &= part.may
                if part.neg in flat or not may:
                    return self.false
                must &= part.must
                masks += isinstance(part, Types)
                flat[part] = None
        if masks > 1:
            mask = ALL
            for part in [part for part in flat if isinstance(part, Types)]:
                mask &= part.may
                del flat[part]
            flat = {self.types(mask): None, **flat}
        if len(flat) > 1:
            # What says nothing of the types that are left is left out.
            flat = {part: None for part in flat if part.may != ALL or part.must & may != may}
            joined = self._joined(flat)
            if joined is not None:
                return joined
        if not flat:
            return self.true
        if len(flat) == 1:
            return next(iter(flat))
        key = ("and", frozenset(flat))
        found = self._formulas.get(key)
        if found is None:
            every, some = And(tuple(flat)), Or(tuple(part.neg for part in flat))
            every.may, every.must = may, must
            some.may, some.must = ALL & ~must, ALL & ~may
            found = self._enter(key, every, ("or", frozenset(part.neg for part in flat)), some)
        return found

    def _joined(self, flat: Mapping[Formula, None]) -> Formula | None:
        """Join the parts of a conjunction that list values, and the types beside them; None where that changes nothing.

        So `enum` means the same whether or not `type` stands beside it, and a choice between lists is one list.
        """
        lists = [part for part in flat if isinstance(part, OneValue)]
        first = next((part for part in lists if part.holds), None)
        types = next((part for part in flat if isinstance(part, Types)), None)
        if len(lists) < 2 and (first is None or types is None):
            return None
        rest = [part for part in flat if not isinstance(part, OneValue)]
        if first is None:
            merged = self.one_of_values([value for part in lists for value in part.values]).neg
        else:
            mask = ALL if types is None else types.may
            rest = [part for part in rest if part is not types]
            others = [part for part in lists if part is not first]
            if not others and first.may & mask == first.may:
                return self._junction([first, *rest])
            merged = self.one_of_values(
                [
                    value
                    for value in first.values
                    if type_of(value) & mask and all((freeze(value) in part.keys) is part.holds for part in others)
                ]
            )
        return self._junction([merged, *rest])

    def exactly_one(self, parts: Sequence[Formula]) -> Formula:
        live = [part for part in parts if part is not self.false]
        if not live:
            return self.false
        if len(live) == 1:
            return live[0]
        certain = sum(part is self.true for part in live)
        if certain:
            return self.false if certain > 1 else self.any_of(part for part in live if part is not self.true).neg
        if _disjoint_by_type(live):
            return self.any_of(live)
        key = ("one", tuple(sorted(part.serial for part in live)))
        found = self._formulas.get(key)
        if found is None:
            one, other = ExactlyOne(tuple(live), True), ExactlyOne(tuple(live), False)
            may = 0
            for part in live:
                may |= part.may
            one.may, one.must, other.may, other.must = may, 0, ALL, ALL & ~may
            found = self._enter(key, one, ("not one", key[1]), other)
        return found

    def reference(self, key: Hashable, label: str) -> Reference:
        """Give the reference known by `key`; whoever translates its target binds it."""
        found = self._formulas.get(("reference", key))
        if found is None:
            one, other = Reference(label), Reference(label)
            for node in (one, other):
                node.may, node.must = ALL, 0
            found = self._enter(("reference", key), one, ("no reference", key), other)
        assert isinstance(found, Reference)
        return found

    def deferred(self, key: Hashable, label: str, may: int, translate: Callable[[], Formula]) -> Formula:
        """Give the formula known by `key`, translated when it is looked into; `may` bounds the types it admits."""
        found = self._formulas.get(key)
        if found is None:
            one, other = Reference(label, translate), Reference(label)
            one.may, one.must, other.may, other.must = may, 0, ALL, ALL & ~may
            found = self._enter(key, one, ("not", key), other)
        return found

    def opaque(self, name: Hashable, why: str) -> Formula:
        found = self._formulas.get(("opaque", name))
        if found is None:
            one, other = Opaque(name, why, True), Opaque(name, why, False)
            for node in (one, other):
                node.may, node.must = ALL, 0
            found = self._enter(("opaque", name), one, ("not opaque", name), other)
        return found

    def constant(self, value: JSON) -> Formula:
        """The instance equals `value`, spelt out in ordinary predicates where it is an array or an object."""
        if isinstance(value, dict):
            parts = [self.types(Type.OBJECT), self.given(self.at_most(Type.OBJECT, len(value)))]
            for key, item in value.items():
                parts.append(self.being(self.members(KeySet.of(key), self.constant(item).neg).neg))
            return self.all_of(parts)
        if isinstance(value, list | tuple):
            parts = [self.types(Type.ARRAY), self.given(self.at_most(Type.ARRAY, len(value)))]
            for index, item in enumerate(value):
                parts.append(self.being(self.item_at(index, self.constant(item).neg).neg))
            return self.all_of(parts)
        return self.one_of_values([value])

    def _enter(self, key: Hashable, one: Formula, other_key: Hashable, other: Formula) -> Formula:
        one.neg, other.neg = other, one
        one.serial, other.serial = self._serial, self._serial + 1
        self._serial += 2
        self._formulas[key] = one
        self._formulas[other_key] = other
        return one


def _disjoint_by_type(parts: Sequence[Formula]) -> bool:
    seen = 0
    for part in parts:
        if part.may & seen:
            return False
        seen |= part.may
    return True

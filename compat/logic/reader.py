"""What each keyword says, in formulas: if the instance is of the keyword's type, then P (2020-12 validation §4.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from compat.jsonvalue import exact
from compat.logic import formats
from compat.logic.formula import Formula
from compat.logic.keys import language_of, own_keys
from compat.logic.keyset import KeySet
from compat.logic.predicates import ALL, Type
from compat.logic.regex import Language
from compat.logic.unevaluated import Evaluations, unevaluated_items, unevaluated_properties
from compat.model.dialects import Dialect
from compat.model.formats import test_format
from compat.model.keywords import KEYWORDS, Kind, spoken
from compat.model.references import Subschema

if TYPE_CHECKING:
    from compat.logic.translate import Scope, Translator

MODERN: Final = frozenset({Dialect.DRAFT2019, Dialect.DRAFT2020})
_MASKS: Final[Mapping[str, int]] = {
    "null": Type.NULL,
    "boolean": Type.BOOLEAN,
    "number": Type.NUMBER,
    "integer": Type.NUMBER,
    "string": Type.STRING,
    "array": Type.ARRAY,
    "object": Type.OBJECT,
}


class Reader:
    """Reads the keywords of one schema object."""

    def __init__(self, translator: Translator, sub: Subschema, scope: Scope) -> None:
        self.translator = translator
        self.universe = translator.universe
        self.sub = sub
        self.scope = scope
        self.value: Any = sub.value
        self.dialect = sub.dialect

    def parts(self) -> Iterator[Formula]:
        value = self.value
        if self.dialect not in MODERN and isinstance(value.get("$ref"), str):
            # Up to draft-07 everything beside `$ref` is ignored.
            yield self.translator.referred(self.sub, self.scope, "$ref")
            return
        readers = self._readers
        if self.sub.vocabularies is not None:
            for keyword in value:
                yield from self.read(keyword)
            return
        for keyword in value:
            reader = readers.get(keyword)
            if reader is not None:
                yield from reader(self, keyword)

    def read(self, keyword: str) -> Iterator[Formula]:
        """Give what one keyword says; nothing where the dialect or its vocabularies do not know it."""
        reader = self._readers.get(keyword)
        if reader is None:
            return
        known = self.sub.vocabularies
        if known is None or spoken(KEYWORDS[self.dialect][keyword], known):
            yield from reader(self, keyword)

    @property
    def _readers(self) -> Mapping[str, Callable[[Reader, str], Iterator[Formula]]]:
        return (_OF_STRINGS if self.translator.strings_only else _READERS)[self.dialect]

    def below(self, *tokens: str | int) -> Formula:
        return self.translator.below(self.sub, self.scope, *tokens)

    def beside(self, *tokens: str | int) -> Formula:
        return self.translator.beside(self.sub, self.scope, *tokens)

    # ── any type ──────────────────────────────────────────────────────────────────────────────────────────────────

    def type(self, keyword: str) -> Iterator[Formula]:
        names = self.value[keyword]
        names = [names] if isinstance(names, str) else names
        yield self.universe.types(mask_of(names))
        if "integer" in names and "number" not in names:
            yield self.universe.given(self.universe.multiple(Fraction(1)))

    def enum(self, keyword: str) -> Iterator[Formula]:
        yield self.universe.one_of_values(self.value[keyword])

    def const(self, keyword: str) -> Iterator[Formula]:
        yield self.universe.one_of_values([self.value[keyword]])

    # ── numbers and strings ───────────────────────────────────────────────────────────────────────────────────────

    def bound(self, keyword: str) -> Iterator[Formula]:
        value = self.value[keyword]
        lower = keyword in ("minimum", "exclusiveMinimum")
        exclusive = keyword.startswith("exclusive")
        if self.dialect is Dialect.DRAFT4:
            if exclusive:
                return
            exclusive = self.value.get("exclusiveMinimum" if lower else "exclusiveMaximum", False)
        yield self.universe.given(self.universe.bound(number(value), lower=lower, exclusive=exclusive))

    def multiple(self, keyword: str) -> Iterator[Formula]:
        yield self.universe.given(self.universe.multiple(exact(self.value[keyword])))

    def pattern(self, keyword: str) -> Iterator[Formula]:
        yield self.universe.given(self.universe.match(Language.pattern(self.value[keyword])))

    def format(self, keyword: str) -> Iterator[Formula]:
        asserted = any(uri.endswith("/format-assertion") for uri in self.sub.vocabularies or ())
        if asserted or self.translator.formats == "assertion":
            name = self.value[keyword]
            # A format that nobody defines asserts nothing, as every validator reads it.
            if test_format(name, "") is not None:
                # Names of properties are told apart by languages alone.
                named = self.translator.strings_only
                predicate = self.universe.match(formats.language(name)) if named else self.universe.format(name)
                yield self.universe.given(predicate)

    def size(self, keyword: str) -> Iterator[Formula]:
        type_ = _SIZES[keyword[3:]]
        n = int(self.value[keyword])
        make = self.universe.at_least if keyword.startswith("min") else self.universe.at_most
        if keyword.startswith("max") or n > 0:
            yield self.universe.given(make(type_, n))

    # ── arrays ────────────────────────────────────────────────────────────────────────────────────────────────────

    def items(self, keyword: str) -> Iterator[Formula]:
        if self.dialect is Dialect.DRAFT2020:
            start = len(self.value.get("prefixItems", ()))
            yield from self._every_item(start, self.below(keyword))
        elif isinstance(self.value[keyword], list):
            yield from self._prefix(keyword)
            if "additionalItems" in self.value:
                yield from self._every_item(len(self.value[keyword]), self.below("additionalItems"))
        else:
            yield from self._every_item(0, self.below(keyword))

    def prefix_items(self, keyword: str) -> Iterator[Formula]:
        yield from self._prefix(keyword)

    def _prefix(self, keyword: str) -> Iterator[Formula]:
        for index in range(len(self.value[keyword])):
            body = self.below(keyword, index)
            if body is not self.universe.true:
                yield self.universe.given(self.universe.item_at(index, body))

    def _every_item(self, start: int, body: Formula) -> Iterator[Formula]:
        if body is self.universe.false:
            yield self.universe.given(self.universe.at_most(Type.ARRAY, start))
        elif body is not self.universe.true:
            yield self.universe.given(self.universe.items_from(start, body))

    def contains(self, keyword: str) -> Iterator[Formula]:
        body = self.below(keyword)
        least, most = 1, None
        if self.dialect in MODERN:
            least = int(self.value.get("minContains", 1))
            most = self.value.get("maxContains")
        if least > 0:
            yield self.universe.given(self.universe.count_at_least(body, least))
        if most is not None:
            yield self.universe.given(self.universe.count_at_least(body, int(most) + 1).neg)

    def unique(self, keyword: str) -> Iterator[Formula]:
        if self.value[keyword]:
            yield self.universe.given(self.universe.unique())

    # ── objects ───────────────────────────────────────────────────────────────────────────────────────────────────

    def properties(self, keyword: str) -> Iterator[Formula]:
        table = self.translator.table(self.sub, self.scope)
        if table is not None:
            yield self.universe.given(table)
        for name in self.value[keyword]:
            if table is None or name not in table.names:
                yield from self._every_member(KeySet.of(name), self.below(keyword, name))

    def pattern_properties(self, keyword: str) -> Iterator[Formula]:
        for pattern in self.value[keyword]:
            yield from self._every_member(KeySet.matching(Language.pattern(pattern)), self.below(keyword, pattern))

    def additional_properties(self, keyword: str) -> Iterator[Formula]:
        yield from self._every_member(own_keys(self.value).complement, self.below(keyword))

    def property_names(self, keyword: str) -> Iterator[Formula]:
        names = self.translator.of_strings.below(self.sub, self.scope, keyword)
        language = language_of(names)
        if language is None:
            why = "propertyNames hangs on a set of strings that cannot be spelt out"
            others = self.universe.types(ALL & ~Type.OBJECT)
            yield self.universe.any_of([others, self.universe.opaque(("names of properties", names), why)])
        elif not language.is_all:
            yield from self._every_member(KeySet.matching(~language), self.universe.false)

    def _every_member(self, keys: KeySet, body: Formula) -> Iterator[Formula]:
        if body is not self.universe.true:
            yield self.universe.given(self.universe.members(keys, body))

    def required(self, keyword: str) -> Iterator[Formula]:
        if isinstance(self.value[keyword], list):
            yield from map(self.has, self.value[keyword])

    def has(self, name: str) -> Formula:
        """If it is an object, it has this member."""
        return self.universe.given(self.universe.members(KeySet.of(name), self.universe.false).neg)

    def without(self, name: str) -> Formula:
        """If it is an object, it lacks this member."""
        return self.universe.given(self.universe.members(KeySet.of(name), self.universe.false))

    def dependencies(self, keyword: str) -> Iterator[Formula]:
        for name, needed in self.value[keyword].items():
            if isinstance(needed, list):
                then = self.universe.all_of(map(self.has, needed))
            else:
                then = self.beside(keyword, name)
            yield self.universe.any_of([self.without(name), then])

    # ── applicators on the same instance ──────────────────────────────────────────────────────────────────────────

    def all_of(self, keyword: str) -> Iterator[Formula]:
        yield from (self.beside(keyword, index) for index in range(len(self.value[keyword])))

    def any_of(self, keyword: str) -> Iterator[Formula]:
        yield self.universe.any_of([self.beside(keyword, index) for index in range(len(self.value[keyword]))])

    def one_of(self, keyword: str) -> Iterator[Formula]:
        branches = range(len(self.value[keyword]))
        yield self.translator.exactly_one([self.beside(keyword, index) for index in branches])

    def not_(self, keyword: str) -> Iterator[Formula]:
        yield self.beside(keyword).neg

    def if_(self, keyword: str) -> Iterator[Formula]:
        condition = self.beside(keyword)
        if "then" in self.value:
            yield self.universe.any_of([condition.neg, self.beside("then")])
        if "else" in self.value:
            yield self.universe.any_of([condition, self.beside("else")])

    def reference(self, keyword: str) -> Iterator[Formula]:
        if isinstance(self.value[keyword], str):
            yield self.translator.referred(self.sub, self.scope, keyword)

    # ── what nothing else has evaluated ───────────────────────────────────────────────────────────────────────────

    def unevaluated(self, keyword: str) -> Iterator[Formula]:
        rest = self.below(keyword)
        if rest is self.universe.true:
            return
        found = Evaluations(self.translator, self.sub, self.scope, without=keyword)
        if keyword == "unevaluatedProperties":
            yield unevaluated_properties(self.universe, found, rest)
        else:
            yield unevaluated_items(self.universe, found, rest)


def mask_of(names: str | Sequence[str]) -> int:
    """Give the types that a `type` names."""
    mask = 0
    for name in [names] if isinstance(names, str) else names:
        mask |= _MASKS[name]
    return mask


def number(value: Any) -> Fraction | int:
    """Give a number of a schema as an exact rational, an int where it is integral."""
    if isinstance(value, int):
        return value
    rational = exact(value)
    return rational.numerator if rational.denominator == 1 else rational


_SIZES: Final = {
    "Length": Type.STRING,
    "Items": Type.ARRAY,
    "Properties": Type.OBJECT,
}
_KEYWORDS: Final[Mapping[str, Callable[[Reader, str], Iterator[Formula]]]] = {
    "type": Reader.type,
    "enum": Reader.enum,
    "const": Reader.const,
    "minimum": Reader.bound,
    "maximum": Reader.bound,
    "exclusiveMinimum": Reader.bound,
    "exclusiveMaximum": Reader.bound,
    "multipleOf": Reader.multiple,
    "pattern": Reader.pattern,
    "format": Reader.format,
    "minLength": Reader.size,
    "maxLength": Reader.size,
    "minItems": Reader.size,
    "maxItems": Reader.size,
    "minProperties": Reader.size,
    "maxProperties": Reader.size,
    "items": Reader.items,
    "prefixItems": Reader.prefix_items,
    "contains": Reader.contains,
    "uniqueItems": Reader.unique,
    "properties": Reader.properties,
    "patternProperties": Reader.pattern_properties,
    "additionalProperties": Reader.additional_properties,
    "propertyNames": Reader.property_names,
    "required": Reader.required,
    "dependencies": Reader.dependencies,
    "dependentRequired": Reader.dependencies,
    "dependentSchemas": Reader.dependencies,
    "allOf": Reader.all_of,
    "anyOf": Reader.any_of,
    "oneOf": Reader.one_of,
    "not": Reader.not_,
    "if": Reader.if_,
    "$ref": Reader.reference,
    "$dynamicRef": Reader.reference,
    "$recursiveRef": Reader.reference,
    "unevaluatedItems": Reader.unevaluated,
    "unevaluatedProperties": Reader.unevaluated,
}
# The same by dialect, without the keywords that it does not know or gives no meaning.
_READERS: Final[Mapping[Dialect, Mapping[str, Callable[[Reader, str], Iterator[Formula]]]]] = {
    dialect: {
        keyword: reader
        for keyword, reader in _KEYWORDS.items()
        if keyword in rows and rows[keyword].kind is not Kind.RESERVED
    }
    for dialect, rows in KEYWORDS.items()
}
# Those of them that tell strings apart.
_OF_STRINGS: Final[Mapping[Dialect, Mapping[str, Callable[[Reader, str], Iterator[Formula]]]]] = {
    dialect: {
        keyword: reader
        for keyword, reader in readers.items()
        if keyword in ("type", "enum", "const", "pattern", "format", "minLength", "maxLength")
        or keyword in ("allOf", "anyOf", "oneOf", "not", "if", "$ref", "$dynamicRef", "$recursiveRef")
    }
    for dialect, readers in _READERS.items()
}

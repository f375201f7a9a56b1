"""The keywords of every dialect: what kind each is, and where it holds subschemas.

One row a keyword and span of dialects. Whoever walks schemas asks `subschemas`, so that the walk is written once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from functools import cache

from compat.jsonvalue import JSON
from compat.model.dialects import Dialect


class Kind(StrEnum):
    """What a keyword is there for."""

    ASSERTION = "assertion"
    APPLICATOR = "applicator"
    IDENTIFIER = "identifier"
    ANNOTATION = "annotation"
    RESERVED = "reserved"  # a place for schemas that others refer to


class Holds(StrEnum):
    """What shape the subschemas under a keyword have."""

    NONE = "none"
    SCHEMA = "schema"
    SCHEMA_ARRAY = "schema array"
    SCHEMA_MAP = "schema map"
    SCHEMA_OR_ARRAY = "schema or schema array"  # items before 2020-12
    SCHEMA_OR_STRINGS = "map of schemas or string arrays"  # dependencies


class Applies(StrEnum):
    """To what a subschema applies, seen from the instance of the schema around it."""

    IN_PLACE = "in place"
    TO_PROPERTY = "to property"
    TO_ITEM = "to item"
    TO_KEY = "to key"
    NOWHERE = "nowhere"


@dataclass(frozen=True, slots=True)
class Keyword:
    """One keyword of one dialect. `vocabulary` names its vocabulary in 2019-09 and later."""

    name: str
    kind: Kind
    holds: Holds
    applies: Applies
    vocabulary: str


_D4, _D6, _D7, _D19, _D20 = Dialect
_ALL = (_D4, _D20)


def _rows() -> Iterator[tuple[str, Kind, tuple[Dialect, Dialect], str, Holds, Applies]]:
    """Yield (names, kind, first and last dialect, vocabulary, holds, applies)."""
    nothing = (Holds.NONE, Applies.NOWHERE)
    yield "$schema", Kind.IDENTIFIER, _ALL, "core", *nothing
    yield "$ref", Kind.APPLICATOR, _ALL, "core", *nothing
    yield "id", Kind.IDENTIFIER, (_D4, _D4), "core", *nothing
    yield "$id", Kind.IDENTIFIER, (_D6, _D20), "core", *nothing
    yield "$anchor $vocabulary", Kind.IDENTIFIER, (_D19, _D20), "core", *nothing
    yield "$recursiveAnchor", Kind.IDENTIFIER, (_D19, _D19), "core", *nothing
    yield "$recursiveRef", Kind.APPLICATOR, (_D19, _D19), "core", *nothing
    yield "$dynamicAnchor", Kind.IDENTIFIER, (_D20, _D20), "core", *nothing
    yield "$dynamicRef", Kind.APPLICATOR, (_D20, _D20), "core", *nothing
    yield "$comment", Kind.ANNOTATION, (_D7, _D20), "core", *nothing
    yield "definitions", Kind.RESERVED, _ALL, "core", Holds.SCHEMA_MAP, Applies.NOWHERE
    yield "$defs", Kind.RESERVED, (_D19, _D20), "core", Holds.SCHEMA_MAP, Applies.NOWHERE

    yield "allOf anyOf oneOf", Kind.APPLICATOR, _ALL, "applicator", Holds.SCHEMA_ARRAY, Applies.IN_PLACE
    yield "not", Kind.APPLICATOR, _ALL, "applicator", Holds.SCHEMA, Applies.IN_PLACE
    yield "if then else", Kind.APPLICATOR, (_D7, _D20), "applicator", Holds.SCHEMA, Applies.IN_PLACE
    yield "dependentSchemas", Kind.APPLICATOR, (_D19, _D20), "applicator", Holds.SCHEMA_MAP, Applies.IN_PLACE
    yield "dependencies", Kind.APPLICATOR, (_D4, _D7), "applicator", Holds.SCHEMA_OR_STRINGS, Applies.IN_PLACE
    # 2019-09 split it in two and no longer gives it a meaning; its meta-schema still describes its shape.
    yield "dependencies", Kind.RESERVED, (_D19, _D20), "applicator", Holds.SCHEMA_OR_STRINGS, Applies.NOWHERE

    yield "items", Kind.APPLICATOR, (_D4, _D19), "applicator", Holds.SCHEMA_OR_ARRAY, Applies.TO_ITEM
    yield "items", Kind.APPLICATOR, (_D20, _D20), "applicator", Holds.SCHEMA, Applies.TO_ITEM
    yield "prefixItems", Kind.APPLICATOR, (_D20, _D20), "applicator", Holds.SCHEMA_ARRAY, Applies.TO_ITEM
    yield "additionalItems", Kind.APPLICATOR, (_D4, _D19), "applicator", Holds.SCHEMA, Applies.TO_ITEM
    yield "contains", Kind.APPLICATOR, (_D6, _D20), "applicator", Holds.SCHEMA, Applies.TO_ITEM
    yield "unevaluatedItems", Kind.APPLICATOR, (_D19, _D19), "applicator", Holds.SCHEMA, Applies.TO_ITEM
    yield "unevaluatedItems", Kind.APPLICATOR, (_D20, _D20), "unevaluated", Holds.SCHEMA, Applies.TO_ITEM

    yield "properties patternProperties", Kind.APPLICATOR, _ALL, "applicator", Holds.SCHEMA_MAP, Applies.TO_PROPERTY
    yield "additionalProperties", Kind.APPLICATOR, _ALL, "applicator", Holds.SCHEMA, Applies.TO_PROPERTY
    yield "unevaluatedProperties", Kind.APPLICATOR, (_D19, _D19), "applicator", Holds.SCHEMA, Applies.TO_PROPERTY
    yield "unevaluatedProperties", Kind.APPLICATOR, (_D20, _D20), "unevaluated", Holds.SCHEMA, Applies.TO_PROPERTY
    yield "propertyNames", Kind.APPLICATOR, (_D6, _D20), "applicator", Holds.SCHEMA, Applies.TO_KEY

    yield "type enum", Kind.ASSERTION, _ALL, "validation", *nothing
    yield "const", Kind.ASSERTION, (_D6, _D20), "validation", *nothing
    yield "multipleOf maximum minimum exclusiveMaximum exclusiveMinimum", Kind.ASSERTION, _ALL, "validation", *nothing
    yield "maxLength minLength pattern", Kind.ASSERTION, _ALL, "validation", *nothing
    yield "maxItems minItems uniqueItems", Kind.ASSERTION, _ALL, "validation", *nothing
    yield "maxContains minContains", Kind.ASSERTION, (_D19, _D20), "validation", *nothing
    yield "maxProperties minProperties required", Kind.ASSERTION, _ALL, "validation", *nothing
    yield "dependentRequired", Kind.ASSERTION, (_D19, _D20), "validation", *nothing

    yield "format", Kind.ASSERTION, _ALL, "format", *nothing
    yield "contentEncoding contentMediaType", Kind.ANNOTATION, (_D7, _D20), "content", *nothing
    yield "contentSchema", Kind.ANNOTATION, (_D19, _D20), "content", Holds.SCHEMA, Applies.NOWHERE
    yield "title description default", Kind.ANNOTATION, _ALL, "meta-data", *nothing
    yield "examples", Kind.ANNOTATION, (_D6, _D20), "meta-data", *nothing
    yield "readOnly writeOnly", Kind.ANNOTATION, (_D7, _D20), "meta-data", *nothing
    yield "deprecated", Kind.ANNOTATION, (_D19, _D20), "meta-data", *nothing


def _table(dialect: Dialect) -> Mapping[str, Keyword]:
    order = list(Dialect)
    here = order.index(dialect)
    return {
        name: Keyword(name, kind, holds, applies, vocabulary)
        for names, kind, (first, last), vocabulary, holds, applies in _rows()
        if order.index(first) <= here <= order.index(last)
        for name in names.split()
    }


KEYWORDS: Mapping[Dialect, Mapping[str, Keyword]] = {dialect: _table(dialect) for dialect in Dialect}
_HOLDERS = {
    dialect: {name: row for name, row in table.items() if row.holds is not Holds.NONE}
    for dialect, table in KEYWORDS.items()
}

# Extensions in wide use: nobody who writes them has mistyped a keyword.
_EXTENSIONS = frozenset(
    {"example", "nullable", "discriminator", "xml", "externalDocs", "enumNames", "enumDescriptions", "errorMessage"}
    | {"markdownDescription", "defaultSnippets", "deprecationMessage", "doNotSuggest", "suggestSortText"}
    | {"allowTrailingCommas", "allowComments", "tsType", "tsEnumNames", "javaType", "javaName", "existingJavaType"}
    | {"customTypeName", "unit", "units", "options", "propertyOrder", "widget", "self", "version", "author"}
    | {"license", "since", "tags", "labels", "name", "namespace"}
)


# Before Python 3.12 a member is looked up by a function each time its class is asked for it; this is asked very often.
_NOWHERE = Applies.NOWHERE
_SCHEMA, _SCHEMA_ARRAY, _SCHEMA_OR_ARRAY = Holds.SCHEMA, Holds.SCHEMA_ARRAY, Holds.SCHEMA_OR_ARRAY


def subschemas(value: JSON, dialect: Dialect) -> Iterator[tuple[tuple[str | int, ...], Applies, JSON]]:
    """Yield every direct subschema of a schema: the tokens that lead to it, what it applies to, and itself.

    A malformed keyword holds none. Where the dialect ignores what stands beside `$ref`, that applies nowhere.
    """
    if not isinstance(value, dict):
        return
    holders = _HOLDERS[dialect]
    ignored = "$ref" in value and dialect.ignores_ref_siblings
    for name, held in value.items():
        row = holders.get(name)
        if row is None:
            continue
        applies = _NOWHERE if ignored else row.applies
        holds = row.holds
        if holds is _SCHEMA or (holds is _SCHEMA_OR_ARRAY and not isinstance(held, list)):
            if isinstance(held, dict | bool):
                yield (name,), applies, held
        elif holds is _SCHEMA_ARRAY or holds is _SCHEMA_OR_ARRAY:
            if isinstance(held, list):
                for index, item in enumerate(held):
                    if isinstance(item, dict | bool):
                        yield (name, index), applies, item
        elif isinstance(held, dict):
            for key, item in held.items():
                if isinstance(item, dict | bool):
                    yield (name, key), applies, item


def steps(value: JSON, tokens: tuple[str, ...], dialect: Dialect) -> int:
    """Tell how many of the tokens lead from a schema to its next subschema; 0 where they lead to none."""
    if not isinstance(value, dict) or not tokens:
        return 0
    row = _HOLDERS[dialect].get(tokens[0])
    if row is None or tokens[0] not in value:
        return 0
    if row.holds is _SCHEMA or (row.holds is _SCHEMA_OR_ARRAY and not isinstance(value[tokens[0]], list)):
        return 1
    return 2 if len(tokens) > 1 else 0


def spoken(row: Keyword, vocabularies: frozenset[str]) -> bool:
    """Tell whether a meta-schema of these vocabularies gives a keyword its meaning (2020-12 core §8.1.2)."""
    # format-annotation and format-assertion both speak of `format`.
    return row.vocabulary == "core" or any(uri.rsplit("/", 1)[-1].startswith(row.vocabulary) for uri in vocabularies)


def asserts_format(vocabularies: frozenset[str]) -> bool:
    """Tell whether a meta-schema of these vocabularies makes `format` an assertion (2020-12 validation §7.2.2)."""
    return any(uri.endswith("/vocab/format-assertion") for uri in vocabularies)


def misplaced(value: JSON, dialect: Dialect) -> Iterator[tuple[str, str]]:
    """Yield the names in a schema that assert nothing although somebody surely meant them to, with a hint each.

    They are a keyword mistyped, or an assertion or applicator of another dialect.
    """
    if not isinstance(value, dict):
        return
    table = KEYWORDS[dialect]
    for name in value:
        if name in table or name in _EXTENSIONS or name.startswith(("x-", "x_", "@")):
            continue
        if any(name in table for table in KEYWORDS.values()):
            where = _asserted_elsewhere(name)
            if where is not None:
                yield name, f"{name} is a keyword of {where}; {dialect} ignores it"
            continue
        close = _meant(name, dialect)
        if close is not None:
            yield name, f"{name} is no keyword and asserts nothing; is {close} meant?"


@cache
def _asserted_elsewhere(name: str) -> str | None:
    having = [
        dialect
        for dialect in Dialect
        if name in KEYWORDS[dialect] and KEYWORDS[dialect][name].kind in {Kind.ASSERTION, Kind.APPLICATOR}
    ]
    if not having:
        return None
    first, last = having[0], having[-1]
    if first is last:
        return first.value
    return f"{first} and later" if last is Dialect.DRAFT2020 else f"{first} to {last}"


@cache
def _meant(name: str, dialect: Dialect) -> str | None:
    known = {keyword.lower(): keyword for keyword in KEYWORDS[dialect]}
    plain = name.lower().replace("_", "").replace("-", "")
    if plain in known:
        return known[plain]
    if len(name) < 4:
        return None
    close = get_close_matches(plain, known, n=1, cutoff=0.85)
    return known[close[0]] if close else None

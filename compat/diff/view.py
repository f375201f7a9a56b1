"""One subschema as every draft means it: the keywords that have force, under their newest names.

Draft-04's boolean `exclusiveMinimum`, array `items`, `dependencies`, `definitions` and `id` are translated, each value
keeping the place where it was written, so that two versions in two drafts differ only in what they mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from compat.diff.difference import Spot, Tokens
from compat.jsonvalue import JSON, is_number
from compat.model.dialects import Dialect
from compat.model.keywords import KEYWORDS, Kind

LOWER_BOUNDS = ("minLength", "minItems", "minProperties")
SCALARS = frozenset(
    {"type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "pattern"}
    | {"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "uniqueItems"}
    | {"minContains", "maxContains", "$ref", "$dynamicRef", "$recursiveRef"}
)
SCHEMAS = frozenset(
    {"additionalProperties", "propertyNames", "unevaluatedProperties", "items", "contains", "unevaluatedItems"}
    | {"not", "if", "then", "else"}
)
LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
MAPS = frozenset({"properties", "patternProperties", "dependentRequired", "dependentSchemas", "$defs"})
ANNOTATIONS = frozenset(
    {"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment"}
    | {"format", "contentEncoding", "contentMediaType", "contentSchema"}
)
IDENTITY = frozenset({"$schema", "$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary"})
DEFINITIONS = frozenset({"$defs", "definitions"})
# Keywords that some draft understands: where one has no force, it is idle rather than unknown.
KNOWN = frozenset(name for table in KEYWORDS.values() for name in table)


class View:
    """What a subschema says, by keyword: single values, lists and maps of places, and what is idle.

    `idle` holds the places of keywords without force here: unknown ones, those of another draft, siblings of `$ref`
    up to draft-07, and those that accept everything, such as `minLength: 0`.
    """

    __slots__ = ("dialect", "entries", "idle", "lists", "maps", "never", "required", "value")

    def __init__(self, value: JSON, dialect: Dialect) -> None:
        self.value = value
        self.dialect = dialect
        self.never = value is False
        self.entries: dict[str, Spot] = {}
        self.lists: dict[str, list[Spot]] = {}
        self.maps: dict[str, dict[str, Spot]] = {}
        self.required: dict[str, Spot] = {}
        self.idle: dict[str, Spot] = {}
        if isinstance(value, dict):
            for keyword, item in value.items():
                self._read(value, keyword, item)

    def at(self, *tokens: str | int) -> Spot:
        """Give a place as the document has it, with or without force, existing or not."""
        value = self.value
        for token in tokens:
            if isinstance(value, dict) and isinstance(token, str) and token in value:
                value = value[token]
            elif _is_list(value) and isinstance(token, int) and token < len(value):  # type: ignore[arg-type]
                value = value[token]  # type: ignore[index]
            else:
                return Spot(tokens, None, exists=False)
        return Spot(tokens, value)

    def spot(self, aspect: str) -> Spot:
        """Give the place of a single-valued keyword, or the place that would hold it."""
        found = self.entries.get(aspect)
        if found is None and aspect == "items" and self.dialect is not Dialect.DRAFT2020:
            found = self.at("additionalItems" if _is_list(self.at("items").value) else "items")
        return found or self.at(aspect)

    def refers(self) -> tuple[str, ...]:
        """Name the keywords that refer to another schema."""
        return tuple(keyword for keyword in ("$ref", "$dynamicRef", "$recursiveRef") if keyword in self.entries)

    def core(self) -> JSON:
        """Give the schema without its annotations, identity and definitions."""
        if not isinstance(self.value, dict):
            return self.value
        apart = ANNOTATIONS | IDENTITY | DEFINITIONS
        return {keyword: item for keyword, item in self.value.items() if keyword not in apart}

    def keywords(self) -> Iterator[str]:
        """Yield the keywords of the document, in its order."""
        if isinstance(self.value, dict):
            yield from self.value

    def asserts(self) -> frozenset[str]:
        """Name the keywords that restrict instances, annotations and definitions left out."""
        found = {name for name in self.entries if name not in ANNOTATIONS and name not in IDENTITY}
        found |= {name for name, places in (*self.lists.items(), *self.maps.items()) if places and name != "$defs"}
        return frozenset(found | {"required"} if self.required else found)

    def _read(self, schema: Mapping[str, JSON], keyword: str, item: JSON) -> None:
        here: Tokens = (keyword,)
        if self._is_identity(keyword):
            self.entries["$id" if keyword == "id" else keyword] = Spot(here, item)
        elif keyword in ANNOTATIONS:
            self.entries[keyword] = Spot(here, item)
        elif keyword in DEFINITIONS and isinstance(item, dict):
            self._read_map("$defs", here, item)
        elif self._is_shadowed(schema, keyword) or not self._is_active(schema, keyword, item):
            self.idle[keyword] = Spot(here, item)
        else:
            self._read_active(schema, keyword, item)

    def _is_identity(self, keyword: str) -> bool:
        if self.dialect is Dialect.DRAFT4 and keyword in ("id", "$id"):
            return keyword == "id"
        return keyword in IDENTITY

    def _is_shadowed(self, schema: Mapping[str, JSON], keyword: str) -> bool:
        """Up to draft-07 a `$ref` makes validators ignore everything beside it."""
        return self.dialect.ignores_ref_siblings and keyword != "$ref" and isinstance(schema.get("$ref"), str)

    def _is_active(self, schema: Mapping[str, JSON], keyword: str, item: JSON) -> bool:
        """Whether a keyword exists in this draft, has the companion it needs, and can refuse something."""
        row = KEYWORDS[self.dialect].get(keyword)
        if row is None or row.kind is Kind.RESERVED:
            return False
        if keyword in ("then", "else"):
            return "if" in schema and not _accepts_all(item)
        if keyword == "if":
            return not all(_accepts_all(schema.get(branch, True)) for branch in ("then", "else"))
        if keyword in ("minContains", "maxContains"):
            return "contains" in schema
        if keyword == "additionalItems":
            return _is_list(schema.get("items")) and not _accepts_all(item)
        if keyword in MAPS or keyword in ("required", "dependencies", "prefixItems"):
            return bool(item)
        if keyword in LOWER_BOUNDS:
            return not (is_number(item) and item == 0)
        if keyword == "items" and _is_list(item):
            return bool(item) and self.dialect is not Dialect.DRAFT2020
        if keyword in ("uniqueItems", "exclusiveMinimum", "exclusiveMaximum") and item is False:
            return False
        return not (keyword in SCHEMAS and keyword not in ("not", "contains") and _accepts_all(item))

    def _read_active(self, schema: Mapping[str, JSON], keyword: str, item: JSON) -> None:
        here: Tokens = (keyword,)
        if keyword == "required" and _is_list(item):
            for index, name in enumerate(item):  # type: ignore[arg-type]
                if isinstance(name, str):
                    self.required.setdefault(name, Spot((keyword, index), name))
        elif keyword in ("minimum", "maximum"):
            strict = "exclusive" + keyword.capitalize()
            excluded = self.dialect is Dialect.DRAFT4 and schema.get(strict) is True
            self.entries[strict if excluded else keyword] = Spot(here, item)
        elif keyword in ("exclusiveMinimum", "exclusiveMaximum") and isinstance(item, bool):
            # Told by the bound it belongs to; without one it says nothing.
            if keyword.removeprefix("exclusive").lower() not in schema:
                self.idle[keyword] = Spot(here, item)
        elif keyword == "additionalItems":
            self.entries["items"] = Spot(here, item)
        elif (keyword in LISTS or keyword == "items") and _is_list(item):
            aspect = "prefixItems" if keyword == "items" else keyword
            self.lists[aspect] = [Spot((keyword, index), branch) for index, branch in enumerate(item)]  # type: ignore[arg-type]
        elif keyword == "dependencies" and isinstance(item, dict):
            self._read_map("dependentRequired", here, {name: value for name, value in item.items() if _is_list(value)})
            self._read_map("dependentSchemas", here, {name: v for name, v in item.items() if not _is_list(v)})
        elif keyword in MAPS and isinstance(item, dict):
            self._read_map(keyword, here, item)
        elif keyword in SCALARS or keyword in SCHEMAS:
            self.entries[keyword] = Spot(here, item)
        else:
            self.idle[keyword] = Spot(here, item)

    def _read_map(self, aspect: str, here: Tokens, item: Mapping[str, JSON]) -> None:
        places = self.maps.setdefault(aspect, {})
        for name, value in item.items():
            # A name in both `$defs` and `definitions` is two definitions.
            places[name if name not in places else f"{here[0]}/{name}"] = Spot((*here, name), value)


def says_nothing(value: JSON) -> bool:
    """Tell whether a schema accepts everything on its face: `true`, `{}`, or annotations only."""
    return value is True or (isinstance(value, dict) and ANNOTATIONS.issuperset(value))


def _accepts_all(value: JSON) -> bool:
    return value is True or value == {}


def _is_list(value: object) -> bool:
    return isinstance(value, list)

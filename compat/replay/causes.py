"""Why a record fails, in a form in which a million records share a handful of causes.

A cause names places of the schema and never a value of a record: item numbers and keys that no schema declares
become `*`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from compat.jsonvalue import JSON, canonical, dumps, is_number, pointer, resolve, walk

_PROSE: Final = {
    "const": "not the one value allowed",
    "pattern": "does not match the pattern",
    "uniqueItems": "an item occurs twice",
    "not": "fits what it must not fit",
    "propertyNames": "a property's name is not allowed",
    "unevaluatedProperties": "a property is not allowed",
    "additionalItems": "an item is not allowed",
    "unevaluatedItems": "an item is not allowed",
    "contains": "too few items fit what the list must contain",
    "minContains": "too few items fit what the list must contain",
    "maxContains": "too many items fit what the list must contain",
}
_BOUNDS: Final = {
    "minimum": "below {}",
    "exclusiveMinimum": "not above {}",
    "maximum": "above {}",
    "exclusiveMaximum": "not below {}",
    "multipleOf": "not a multiple of {}",
    "minLength": "shorter than {} characters",
    "maxLength": "longer than {} characters",
    "minItems": "fewer than {} items",
    "maxItems": "more than {} items",
    "minProperties": "fewer than {} properties",
    "maxProperties": "more than {} properties",
    "format": "no valid {}",
}


_CHOOSING: Final = ("enum", "const")
_NAMING: Final = ("required", "dependentRequired", "dependencies", "additionalProperties")


class Failing(Protocol):
    """One assertion that a record fails, as a validator reports it."""

    @property
    def keyword_location(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def instance_path(self) -> tuple[str | int, ...]: ...
    @property
    def keyword(self) -> str: ...


@dataclass(frozen=True, slots=True, order=True)
class Cause:
    """An assertion of the new schema and the kind of place that fails it.

    `keyword_location` is a JSON Pointer in the document `source`, `instance_path` one into records with `*` for any
    item or undeclared key. `value` is the JSON text of the refused value where the older schema lists it among its
    own, or of the property that is missing or too many: what a schema publishes is not private.
    """

    source: str
    keyword_location: str
    instance_path: str
    keyword: str
    reason: str
    value: str = ""


class Explainer:
    """Turns the failures of one record into causes, with the schema texts at hand."""

    def __init__(
        self, documents: Mapping[str, JSON], names: Collection[str], values: Collection[str] = frozenset()
    ) -> None:
        self._documents = documents
        self.names = names
        self._values = values

    def causes(self, value: JSON, failures: Iterable[Failing]) -> frozenset[Cause]:
        """Give the distinct causes of a record's failures."""
        return frozenset(self._each(value, failures))

    def _each(self, value: JSON, failures: Iterable[Failing]) -> Iterator[Cause]:
        for failure in failures:
            place = failure.source, failure.keyword_location, self.generalised(failure.instance_path), failure.keyword
            found = _found(value, failure.instance_path)
            if failure.keyword in _CHOOSING and (listed := self.listed(found)):
                for reason in self._reasons(found, failure):
                    yield Cause(*place, f"{listed} is {reason}", listed)
            elif failure.keyword in _NAMING and isinstance(found, dict):
                for name, reason in self._named(found, failure):
                    yield Cause(*place, reason, value_text(name) if name else "")
            else:
                for reason in self._reasons(found, failure):
                    yield Cause(*place, reason)

    def listed(self, found: JSON) -> str:
        """Give the text of a value that the older schema lists; nothing for any other."""
        if isinstance(found, dict | list):
            return ""
        text = value_text(found)
        return text if text in self._values else ""

    def generalised(self, path: Sequence[str | int]) -> str:
        """Write a path into one record as the path into all that are like it."""
        return pointer("*" if isinstance(step, int) or step not in self.names else step for step in path)

    def _named(self, found: Mapping[str, JSON], failure: Failing) -> Iterator[tuple[str, str]]:
        """Give the properties that are missing or too many, each with its reason; no name where it may be data."""
        asked = self._asked(failure)
        if failure.keyword == "required" and isinstance(asked, list):
            yield from ((str(name), f"{_quoted(name)} is missing") for name in asked if name not in found)
        elif failure.keyword == "additionalProperties":
            yield from self._additional(failure, found)
        elif isinstance(asked, dict):
            yield from self._dependents(asked, found)

    def _reasons(self, found: JSON, failure: Failing) -> Iterator[str]:
        keyword, asked = failure.keyword, self._asked(failure)
        if keyword in _PROSE:
            yield _PROSE[keyword]
        elif keyword in _BOUNDS and (is_number(asked) or isinstance(asked, str)):
            yield _BOUNDS[keyword].format(asked)
        elif keyword == "type":
            kinds = [asked] if isinstance(asked, str) else asked
            wanted = " or ".join(map(str, kinds)) if isinstance(kinds, list) else "another type"
            yield f"{kind_of(found)}, not {wanted}"
        elif keyword == "enum" and isinstance(asked, list):
            yield "not the one value allowed" if len(asked) == 1 else f"not one of the {len(asked)} values allowed"
        elif keyword == "anyOf" and isinstance(asked, list):
            yield f"fits none of the {len(asked)} alternatives"
        elif keyword == "oneOf" and isinstance(asked, list):
            yield f"fits none of the {len(asked)} alternatives, or more than one"
        elif asked is False:
            yield "nothing is allowed here"
        else:
            yield f"fails {_quoted(keyword)}"

    def _dependents(self, asked: Mapping[str, JSON], found: Mapping[str, JSON]) -> Iterator[tuple[str, str]]:
        missing = {
            name
            for key, names in asked.items()
            if key in found and isinstance(names, list)
            for name in names
            if isinstance(name, str) and name not in found
        }
        yield from ((name, f"{_quoted(name)} is missing") for name in missing)
        if not missing:
            yield "", "what a property asks for beside it is missing"

    def _additional(self, failure: Failing, found: Mapping[str, JSON]) -> Iterator[tuple[str, str]]:
        schema = self._at(failure.source, failure.keyword_location.rpartition("/")[0])
        declared = schema.get("properties", {}) if isinstance(schema, dict) else {}
        patterns = schema.get("patternProperties") if isinstance(schema, dict) else None
        extra = [] if patterns or not isinstance(declared, dict) else [key for key in found if key not in declared]
        named = [key for key in extra if key in self.names]
        yield from ((name, f"{_quoted(name)} is not allowed") for name in named)
        if len(named) < len(extra) or not extra:
            yield "", "an undeclared property is not allowed"

    def _asked(self, failure: Failing) -> JSON:
        return self._at(failure.source, failure.keyword_location)

    def _at(self, source: str, place: str) -> JSON:
        try:
            return resolve(self._documents.get(source), place)  # type: ignore[return-value]
        except (KeyError, IndexError, ValueError):
            return None


def listed_values(schemas: Iterable[JSON]) -> frozenset[str]:
    """Collect the texts of the scalars that schemas list under `enum` and `const`."""
    return frozenset(
        value_text(value)
        for schema in schemas
        for path, value in walk(schema)
        if (path[-1:] == ("const",) or path[-2:-1] == ("enum",)) and not isinstance(value, dict | list)
    )


def value_text(value: object) -> str:
    """Write a scalar so that equal ones read alike (1 and 1.0)."""
    return canonical(value).decode("utf-8", "surrogatepass")


def _found(value: JSON, path: Sequence[str | int]) -> JSON:
    for step in path:
        try:
            value = value[step]  # type: ignore[index]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def kind_of(value: JSON) -> str:
    """Name the type of a value; a float without a fraction is an integer."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if isinstance(value, dict):
        return "object"
    if isinstance(value, list):
        return "array"
    return "number" if value != int(value) else "integer"  # type: ignore[arg-type]


def _quoted(name: object) -> str:
    return dumps(str(name))

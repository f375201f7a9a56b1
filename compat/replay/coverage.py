"""What records can exercise of a schema, place by place, and how many of them do.

Coverage only counts; so that of two parts of a stream adds up to that of the whole, in any order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from compat.errors import UnresolvedReference
from compat.jsonvalue import JSON, exact, is_number, pointer
from compat.model.keywords import KEYWORDS, Applies, spoken
from compat.model.references import SchemaSet, Subschema, references_in
from compat.replay.causes import value_text

REACHED: Final = "reached"
PRESENT: Final = "present"
ABSENT: Final = "absent"
TAKEN: Final = "taken"
HOLDS: Final = "holds"
FAILS: Final = "fails"
AT_BOUND: Final = "at the bound"
INSIDE: Final = "inside"
TRIED: Final = "tried"

# A lower bound and the upper one that leaves nothing between where both are the same.
_PAIRED: Final = {
    "minimum": "maximum",
    "minLength": "maxLength",
    "minItems": "maxItems",
    "minProperties": "maxProperties",
    "minContains": "maxContains",
}
_OPPOSITE: Final = _PAIRED | {high: low for low, high in _PAIRED.items()}
EXCLUSIVE: Final = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}
TRYING: Final = frozenset({"pattern", "format", "multipleOf", "uniqueItems", "not"})


class Facet(NamedTuple):
    """One thing that a record can show at a keyword location of a document."""

    source: str
    location: str
    what: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many records were looked at, and how many of them show each facet.

    `invalid` counts those that are no instances: they exercise nothing.
    """

    records: int = 0
    invalid: int = 0
    counts: Mapping[Facet, int] = field(default_factory=dict)

    @classmethod
    def of(cls, shown: Iterable[Facet] | None) -> Coverage:
        """Give the coverage of one record, or that of an invalid one for None."""
        return cls(1, 1) if shown is None else cls(1, 0, dict.fromkeys(shown, 1))

    def __add__(self, other: Coverage) -> Coverage:
        counts = dict(self.counts)
        for facet, count in other.counts.items():
            counts[facet] = counts.get(facet, 0) + count
        return Coverage(self.records + other.records, self.invalid + other.invalid, counts)

    @property
    def shown(self) -> frozenset[Facet]:
        return frozenset(self.counts)


class Counting:
    """Counts record by record what a `Coverage` would have to be copied for."""

    def __init__(self) -> None:
        self._records = 0
        self._invalid = 0
        self._counts: dict[Facet, int] = {}

    def take(self, shown: Iterable[Facet] | None) -> None:
        """Count one record by the facets it shows; None stands for an invalid one."""
        self._records += 1
        if shown is None:
            self._invalid += 1
            return
        for facet in shown:
            self._counts[facet] = self._counts.get(facet, 0) + 1

    def coverage(self) -> Coverage:
        return Coverage(self._records, self._invalid, dict(self._counts))


def facets_of(schemas: SchemaSet) -> tuple[Facet, ...]:
    """Give every facet of a schema in the order of its text, each once.

    Nothing below `not` is one, since what holds there is refused. Whether some record could show a facet is not
    proved: an enum may list what a type beside it excludes.
    """
    return tuple(dict.fromkeys(_Facets(schemas).each()))


class _Facets:
    def __init__(self, schemas: SchemaSet) -> None:
        self._schemas = schemas

    def each(self) -> Iterator[Facet]:
        root = self._schemas.root
        yield _facet(root, "", REACHED)
        seen: set[tuple[str, str]] = set()
        waiting = [root]
        while waiting:
            sub = waiting.pop()
            if (sub.document.name, sub.pointer) in seen:
                continue
            seen.add((sub.document.name, sub.pointer))
            if not isinstance(sub.value, dict):
                continue
            below: list[Subschema] = []
            for target in self._targets(sub):
                if target.value is not False:
                    yield _facet(target, "", REACHED)
                below.append(target)
            if not ("$ref" in sub.value and sub.dialect.ignores_ref_siblings):
                yield from _own(sub)
                for tokens, applies, child in self._schemas.children(sub):
                    if _applied(sub, str(tokens[0]), applies):
                        yield from _of_child(sub.value, tokens, child)
                        below.append(child)
            waiting.extend(reversed(below))

    def _targets(self, sub: Subschema) -> Iterator[Subschema]:
        for keyword, ref in references_in(sub.value, sub.dialect):
            # One that leads nowhere holds of nothing, and whoever validates is told.
            with suppress(UnresolvedReference):
                yield self._schemas.resolve(sub, ref if keyword != "$recursiveRef" else "#")
            if keyword == "$ref":
                continue
            name = ref.rpartition("#")[2]
            for other, _ in self._schemas.reached():
                value = other.value
                if isinstance(value, dict) and (
                    value.get("$dynamicAnchor") == name
                    if keyword == "$dynamicRef"
                    else value.get("$recursiveAnchor") is True
                ):
                    yield other


def _facet(sub: Subschema, below: str, what: str) -> Facet:
    return Facet(sub.document.name, sub.pointer + below, what)


def is_spoken(sub: Subschema, name: str) -> bool:
    """Tell whether a keyword means something where this schema stands."""
    row = KEYWORDS[sub.dialect].get(name)
    return row is not None and (sub.vocabularies is None or spoken(row, sub.vocabularies))


def _applied(sub: Subschema, keyword: str, applies: Applies) -> bool:
    """Tell whether what stands under a keyword is ever asked of a value, and holds of it where the whole does."""
    if applies is Applies.NOWHERE or keyword == "not" or not is_spoken(sub, keyword) or not isinstance(sub.value, dict):
        return False
    if keyword in ("then", "else"):
        return "if" in sub.value
    return keyword != "additionalItems" or isinstance(sub.value.get("items"), list)


def _of_child(schema: Mapping[str, JSON], tokens: tuple[str | int, ...], child: Subschema) -> Iterator[Facet]:
    keyword, possible = tokens[0], child.value is not False
    if keyword == "properties":
        required = schema.get("required")
        if possible:
            yield _facet(child, "", PRESENT)
        if not isinstance(required, list) or tokens[1] not in required:
            yield _facet(child, "", ABSENT)
    elif keyword == "if":
        if possible:
            yield _facet(child, "", HOLDS)
        if child.value is not True:
            yield _facet(child, "", FAILS)
    elif possible:
        yield _facet(child, "", TAKEN if keyword in ("anyOf", "oneOf") else REACHED)


def _own(sub: Subschema) -> Iterator[Facet]:
    """Yield what the keywords of a schema that hold no schemas can show."""
    schema = sub.value
    assert isinstance(schema, dict)
    for name, value in schema.items():
        if not is_spoken(sub, name):
            continue
        if name == "enum" and isinstance(value, list):
            yield from (_facet(sub, "/enum", value_text(each)) for each in value)
        elif name == "const":
            yield _facet(sub, "/const", value_text(value))
        elif name == "type" and isinstance(value, list) and len(value) > 1:
            yield from (_facet(sub, "/type", str(each)) for each in value)
        elif name in ("dependentRequired", "dependencies") and isinstance(value, dict):
            yield from (
                _facet(sub, pointer((name, key)), PRESENT) for key, names in value.items() if isinstance(names, list)
            )
        elif name in TRYING and value is not False:
            yield _facet(sub, f"/{name}", TRIED)
        elif is_number(value) and (name in _OPPOSITE or name in EXCLUSIVE):
            yield from (_facet(sub, f"/{name}", side) for side in _sides(schema, name, value))


def _sides(schema: Mapping[str, JSON], name: str, limit: JSON) -> Iterator[str]:
    """Tell on which sides of a bound a value can be that keeps it."""
    excluded = name in EXCLUSIVE or (
        name in EXCLUSIVE.values() and schema.get("exclusive" + name[0].upper() + name[1:]) is True
    )
    if name in ("minContains", "maxContains") and "contains" not in schema:
        return
    if not excluded:
        yield AT_BOUND
    other = schema.get(_OPPOSITE.get(name, ""))
    met = is_number(other) and exact(other) == exact(limit)  # type: ignore[arg-type]
    emptiest = name.startswith("max") and name != "maximum" and exact(limit) == 0  # type: ignore[arg-type]
    if not met and not emptiest:
        yield INSIDE

"""Which places of two documents mean the same, so that they may be one formula.

Two places are the same if their assertions are equal and all their subschemas and reference targets are the same, in
the greatest such relation: definitions that refer to each other are the same unless something tells them apart. Most
places of two versions are written alike to the letter, and that is looked at first, as bytes; where a text is all
there is to a place, `texts` does without the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias
from urllib.parse import quote, unquote

from compat.errors import CompatError, SchemaError
from compat.jsonvalue import freeze
from compat.logic.texts import Texts, are_closed, same_text, spread_back
from compat.model.dialects import Dialect
from compat.model.document import Document
from compat.model.keywords import KEYWORDS, Applies, Kind
from compat.model.references import SchemaSet, Subschema, references_in

_Key: TypeAlias = tuple[Document, str, Document, str]
# What makes the meaning of a place depend on more than its text and its local references.
_ELSEWHERE = (b"$dynamicRef", b"$recursiveRef", b"$id", b"$anchor", b"$dynamicAnchor", b"$recursiveAnchor", b"$schema")


class Sharing:
    """Compares places of two schema sets by what they assert."""

    def __init__(self, old: SchemaSet, new: SchemaSet) -> None:
        self._old = old
        self._new = new
        self._known: dict[str, bool] = {}
        self._identical: dict[str, bool] = {}
        self._settled: dict[_Key, bool] = {}
        self._places: dict[str, tuple[Subschema, Subschema] | None] = {}
        one, other = old.root, new.root
        # Pointers lead to the same place only where both roots are whole documents that are read alike.
        self._alike = (
            one.dialect is other.dialect
            and one.vocabularies == other.vocabularies
            and one.pointer == other.pointer == ""
        )
        self.texts = Texts(one, other) if are_closed(one, other) else None

    def same(self, pointer: str) -> bool:
        """Say that what stands at `pointer` means the same in both root documents."""
        if self.texts is not None:
            return self.texts.same(pointer)
        known = self._known.get(pointer)
        if known is None:
            known = self._known[pointer] = self._alike and self._equal(pointer)
        return known

    def identical(self, left: Subschema, right: Subschema) -> bool:
        """Say that two places at one pointer are written alike and refer to what means the same."""
        if self.texts is not None:
            return self.texts.text(right.pointer) is not None
        if not self._alike or left.resource or right.resource:
            return False
        known = self._identical.get(right.pointer)
        if known is None:
            text = same_text(left.value, right.value)
            refs = None if text is None else _local_references(left.value, text, left.dialect)
            known = self._identical[right.pointer] = refs is not None and all(self.same(ref) for ref in refs)
        return known

    def _equal(self, pointer: str) -> bool:
        """Look at every place that leads on from here and is not known, then let what differs spread back."""
        start = self._places_at(pointer)
        if start is None:
            return False
        first = _key(*start)
        if first in self._settled:
            return self._settled[first]
        above: dict[_Key, list[_Key]] = {first: []}
        differing: list[_Key] = []
        stack = [start]
        while stack:
            one, other = stack.pop()
            key = _key(one, other)
            below = self._compared(one, other)
            if below is None:
                differing.append(key)
                continue
            for pair in below:
                place = _key(*pair)
                settled = self._settled.get(place)
                if settled is False:
                    differing.append(key)
                    break
                if settled is None:
                    if place not in above:
                        above[place] = []
                        stack.append(pair)
                    above[place].append(key)
        spread = spread_back(differing, above)
        self._settled.update((key, key not in spread) for key in above)
        return first not in spread

    def _compared(self, one: Subschema, other: Subschema) -> list[tuple[Subschema, Subschema]] | None:
        """Give the pairs of places that must be the same for these two to be; None where they differ by themselves."""
        if one.dialect is not other.dialect or one.vocabularies != other.vocabularies:
            return None
        text = same_text(one.value, other.value) if self._in_roots(one, other) else None
        refs = None if text is None else _local_references(one.value, text, one.dialect)
        if refs is not None:
            # Written alike: only what it refers to is left to look at.
            pairs = [self._places_at(ref) for ref in sorted(refs)]
            return None if None in pairs else [pair for pair in pairs if pair is not None]
        if _assertions(one) != _assertions(other):
            return None
        try:
            ours = self._below(self._old, one)
            theirs = self._below(self._new, other)
        except (CompatError, RecursionError, KeyError, IndexError, ValueError):
            return None
        return [(ours[key], theirs[key]) for key in ours] if ours.keys() == theirs.keys() else None

    def _in_roots(self, one: Subschema, other: Subschema) -> bool:
        """Say that local references in both lead into the root documents."""
        roots = one.document is self._old.root.document and other.document is self._new.root.document
        return roots and not one.resource and not other.resource

    def _places_at(self, pointer: str) -> tuple[Subschema, Subschema] | None:
        """Give what stands at a pointer on both sides; None where one of them has no schema there."""
        if pointer not in self._places:
            ref = f"#{quote(pointer)}"
            try:
                self._places[pointer] = self._old.resolve(self._old.root, ref), self._new.resolve(self._new.root, ref)
            except (CompatError, RecursionError, KeyError, IndexError, ValueError):
                self._places[pointer] = None
        return self._places[pointer]

    def _below(self, schemas: SchemaSet, sub: Subschema) -> dict[Any, Subschema]:
        found: dict[Any, Subschema] = {
            tokens: child for tokens, applies, child in schemas.children(sub) if applies is not Applies.NOWHERE
        }
        for keyword, ref in references_in(sub.value, sub.dialect):
            if keyword != "$ref":
                raise SchemaError("a dynamic reference depends on more than its place")
            found[keyword] = schemas.resolve(sub, ref)
        return found


def _key(one: Subschema, other: Subschema) -> _Key:
    return one.document, one.pointer, other.document, other.pointer


def _local_references(value: Any, text: bytes, dialect: Dialect) -> set[str] | None:
    """Give the pointers that a value refers to; None where it means more than it says."""
    if any(word in text for word in _ELSEWHERE):
        return None
    if b"$ref" not in text and dialect is not Dialect.DRAFT4:
        return set()
    refs: set[str] = set()
    for ref in _references(value, dialect):
        if ref is None or ref[:1] != "#" or (ref[1:] and ref[1] != "/"):
            return None
        refs.add(unquote(ref[1:]))
    return refs


def _references(value: Any, dialect: Dialect) -> Iterator[str | None]:
    """Yield every `$ref` in a text, and None for an identifier that moves the base."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            ref = item.get("$ref")
            if isinstance(ref, str):
                yield ref
            if dialect is Dialect.DRAFT4 and isinstance(item.get("id"), str):
                yield None
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)


def _assertions(sub: Subschema) -> object:
    """Give what a schema asserts by itself, in a form that equal assertions share."""
    value: Any = sub.value
    if not isinstance(value, dict):
        return value
    rows = KEYWORDS[sub.dialect]
    said: dict[str, object] = {}
    for keyword, held in value.items():
        if keyword in rows and rows[keyword].kind is Kind.ASSERTION:
            said[keyword] = freeze(held)
        elif keyword == "items":
            # What `additionalItems` means hangs on it.
            said[keyword] = isinstance(held, list)
        elif keyword == "dependencies" and isinstance(held, dict):
            said[keyword] = {name: freeze(needed) for name, needed in held.items() if isinstance(needed, list)}
    return said

"""What two documents say alike, told from their texts: the short way to what `sharing` knows in general.

It is open where both documents are of one dialect, name nothing but their roots and refer to themselves by pointers:
there the text of a place and the texts that its references lead to are all that its meaning hangs on.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar
from urllib.parse import unquote

import orjson

from compat.jsonvalue import freeze, resolve, written
from compat.model.dialects import Dialect
from compat.model.keywords import KEYWORDS, Holds, Kind
from compat.model.references import Subschema

_DYNAMIC: Final = frozenset({"$dynamicRef", "$recursiveRef", "$dynamicAnchor", "$recursiveAnchor"})
# Within a string the quotes would be escaped, so this is a keyword and its value wherever it is found.
_REF: Final = re.compile(rb'"\$ref":("(?:[^"\\]|\\.)*")')
_Place = TypeVar("_Place", bound=Hashable)
_MISSING: Final = object()
# The keywords that say something of an instance, with the shape of what they hold.
_SAID: Final[Mapping[Dialect, Mapping[str, Holds]]] = {
    dialect: {name: row.holds for name, row in rows.items() if row.kind in (Kind.ASSERTION, Kind.APPLICATOR)}
    for dialect, rows in KEYWORDS.items()
}
_NONE: Final[frozenset[str]] = frozenset()


def are_closed(old: Subschema, new: Subschema) -> bool:
    """Say that the texts of two documents, read from these roots, are all there is to them."""
    alike = old.dialect is new.dialect and old.vocabularies == new.vocabularies and old.pointer == new.pointer == ""
    return alike and _is_one_resource(old) and _is_one_resource(new)


def _is_one_resource(root: Subschema) -> bool:
    """Say that a document names nothing but its root, and refers to itself by pointers only."""
    seen = root.document.glance
    # `$schema` means something only beside an identifier, which it may turn into one.
    named = {"$id", "id"} if "$schema" in seen.identifiers else {root.dialect.id_keyword}
    if named & seen.identifiers or not seen.keys.isdisjoint(_DYNAMIC):
        return False
    return all(ref == "#" or ref[:2] == "#/" for ref in seen.references)


def same_text(left: Any, right: Any) -> bytes | None:
    """Give the text of two values that are written alike."""
    text = written(left)
    return text if text is not None and text == written(right) else None


@dataclass(frozen=True, slots=True)
class _Written:
    """A text that both documents share, and the pointers that it refers to."""

    text: bytes
    refs: frozenset[str]

    @classmethod
    def of(cls, left: Any, right: Any) -> _Written | None:
        text = same_text(left, right)
        if text is None:
            return None
        return cls(text, frozenset(_references(text)) if b"$ref" in text else _NONE)


def _references(text: bytes) -> Iterator[str]:
    for found in _REF.findall(text):
        yield unquote(orjson.loads(found)[1:])


def spread_back(differing: list[_Place], above: Mapping[_Place, Sequence[_Place]]) -> set[_Place]:
    """Give the places that differ, and all that lead to one of them; `above` says what leads to a place."""
    spread = set(differing)
    while differing:
        for place in above[differing.pop()]:
            if place not in spread:
                spread.add(place)
                differing.append(place)
    return spread


class Texts:
    """Compares places of two documents that are closed."""

    def __init__(self, old: Subschema, new: Subschema) -> None:
        self._old: Any = old.value
        self._new: Any = new.value
        self._dialect = old.dialect
        self._found: dict[str, tuple[Any, Any]] = {}
        self._same: dict[str, bool] = {}
        self._written: dict[str, _Written | None] = {}
        self._members: dict[str, Mapping[str, bytes]] = {}

    def text(self, pointer: str) -> bytes | None:
        """Give what is written at `pointer` in both documents, if it is written alike and means the same.

        The same text anywhere in the two means the same again.
        """
        if pointer not in self._written:
            one, other = self._at(pointer)
            self._written[pointer] = None if one is _MISSING else _Written.of(one, other)
        alike = self._written[pointer]
        return None if alike is None or not all(map(self.same, alike.refs)) else alike.text

    def members(self, pointer: str) -> Mapping[str, bytes]:
        """Give the names under `properties` of a place that say the same in both documents, with their texts.

        What lists a few values is left out: those tell branches apart, and are looked at anyway.
        """
        if pointer not in self._members:
            self._members[pointer] = dict(self._common_members(pointer))
        return self._members[pointer]

    def _common_members(self, pointer: str) -> Iterator[tuple[str, bytes]]:
        sides = self._at(pointer)
        ours, theirs = (side.get("properties") if isinstance(side, dict) else None for side in sides)
        if not isinstance(ours, dict) or not isinstance(theirs, dict):
            return
        for name, value in ours.items():
            alike = _Written.of(value, theirs[name]) if name in theirs and not _lists(value) else None
            if alike is not None and all(self.same(ref) and not _lists(self._at(ref)[0]) for ref in alike.refs):
                yield name, alike.text

    def same(self, pointer: str) -> bool:
        """Say that what stands at `pointer` means the same in both documents.

        Places that refer to each other are the same unless something tells them apart.
        """
        if pointer not in self._same:
            self._settle(pointer)
        return self._same[pointer]

    def _settle(self, pointer: str) -> None:
        """Look at every place that leads on from here and is not known, then let what differs spread back."""
        above: dict[str, list[str]] = {pointer: []}
        differing: list[str] = []
        stack = [pointer]
        while stack:
            here = stack.pop()
            refs: set[str] = set()
            if not self._alike(*self._at(here), refs):
                differing.append(here)
                continue
            for ref in refs:
                known = self._same.get(ref)
                if known is False:
                    differing.append(here)
                elif known is None:
                    if ref not in above:
                        above[ref] = []
                        stack.append(ref)
                    above[ref].append(here)
        spread = spread_back(differing, above)
        self._same.update((place, place not in spread) for place in above)

    def _at(self, pointer: str) -> tuple[Any, Any]:
        """Give what stands at a pointer on both sides; nothing on either where one of them has nothing there."""
        found = self._found.get(pointer)
        if found is None:
            try:
                found = resolve(self._old, pointer), resolve(self._new, pointer)
            except (KeyError, IndexError, ValueError):
                found = _MISSING, _MISSING
            self._found[pointer] = found
        return found

    def _alike(self, one: Any, other: Any, refs: set[str]) -> bool:
        """Say that two schemas assert the same but for what they refer to, which goes to `refs`."""
        if not isinstance(one, dict | bool):
            return False
        alike = _Written.of(one, other)
        if alike is not None:
            refs |= alike.refs
            return True
        if not isinstance(one, dict) or not isinstance(other, dict):
            return False
        if self._dialect.ignores_ref_siblings and isinstance(one.get("$ref"), str):
            return self._keyword_alike("$ref", one["$ref"], other.get("$ref"), refs)
        said = _SAID[self._dialect]
        for keyword in {**one, **other}:
            if keyword not in said:
                continue
            if keyword not in one or keyword not in other:
                return False
            if not self._keyword_alike(keyword, one[keyword], other[keyword], refs):
                return False
        return True

    def _keyword_alike(self, keyword: str, one: Any, other: Any, refs: set[str]) -> bool:
        if keyword == "$ref":
            refs.add(unquote(str(one)[1:]))
            return bool(one == other)
        held = _SAID[self._dialect][keyword]
        if held is Holds.NONE:
            return freeze(one) == freeze(other)
        if isinstance(one, list) and isinstance(other, list) and held is not Holds.SCHEMA:
            return len(one) == len(other) and all(self._alike(*pair, refs) for pair in zip(one, other, strict=True))
        if held is Holds.SCHEMA or held is Holds.SCHEMA_OR_ARRAY:
            return self._alike(one, other, refs)
        if not isinstance(one, dict) or not isinstance(other, dict) or one.keys() != other.keys():
            return False
        return all(self._entry_alike(value, other[name], refs) for name, value in one.items())

    def _entry_alike(self, one: Any, other: Any, refs: set[str]) -> bool:
        # An entry of `dependencies` may be a list of names.
        return freeze(one) == freeze(other) if isinstance(one, list) else self._alike(one, other, refs)


def _lists(value: Any) -> bool:
    """Say that a schema lists the values it admits."""
    return isinstance(value, dict) and ("const" in value or "enum" in value)

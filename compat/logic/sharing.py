"""Which places of two documents mean the same, so that they may be one formula.

Two places are the same if their assertions are equal and all their subschemas and reference targets are the same, in
the greatest such relation: definitions that refer to each other are the same unless something tells them apart. Most
places of two versions are written alike to the letter, and that is looked at first, as bytes.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import quote, unquote

from compat.errors import SchemaError
from compat.jsonvalue import freeze, step, tokens
from compat.model.dialects import Dialect
from compat.model.keywords import KEYWORDS, Applies, Kind
from compat.model.references import SchemaSet, Subschema, references_in

_MOVED: Final = object()
# What makes the meaning of a place depend on more than its text and its local references.
_ELSEWHERE = (b"$dynamicRef", b"$recursiveRef", b"$id", b"$anchor", b"$dynamicAnchor", b"$recursiveAnchor", b"$schema")


class Sharing:
    """Compares places of two schema sets by what they assert."""

    def __init__(self, old: SchemaSet, new: SchemaSet) -> None:
        self._old = old
        self._new = new
        self._known: dict[str, bool] = {}
        self._identical: dict[str, bool] = {}
        one, other = old.root, new.root
        # Pointers lead to the same place only where both roots are whole documents that are read alike.
        self._alike = (
            one.dialect is other.dialect
            and one.vocabularies == other.vocabularies
            and one.pointer == other.pointer == ""
        )

    def same(self, pointer: str) -> bool:
        """Say that what stands at `pointer` means the same in both root documents."""
        known = self._known.get(pointer)
        if known is None:
            try:
                known = self._alike and (self._written_alike(pointer) or self._equal(pointer))
            except (SchemaError, RecursionError, KeyError, IndexError, ValueError):
                known = False
            self._known[pointer] = known
        return known

    def identical(self, left: Subschema, right: Subschema) -> bool:
        """Say that two places at one pointer are written alike and refer to what means the same."""
        if not self._alike or left.resource or right.resource:
            return False
        known = self._identical.get(right.pointer)
        if known is None:
            refs = _local_references(left.value, right.value, left.dialect)
            known = self._identical[right.pointer] = refs is not None and all(self.same(ref) for ref in refs)
        return known

    def _written_alike(self, pointer: str) -> bool:
        """Look at the text of a place and of everything it refers to."""
        seen = {pointer}
        stack = [pointer]
        while stack:
            at = stack.pop()
            left = _text(self._old.root, at)
            right = _text(self._new.root, at)
            refs = (
                None
                if left is _MOVED or right is _MOVED
                else _local_references(left, right, self._old.dialect, root=not at)
            )
            if refs is None:
                return False
            if any(self._known.get(ref) is False for ref in refs):
                return False
            stack.extend(ref for ref in refs if ref not in seen and ref not in self._known)
            seen.update(refs)
        # Each of these refers to none but these, so what holds of the first holds of all.
        self._known.update(dict.fromkeys(seen, True))
        return True

    def _equal(self, pointer: str) -> bool:
        assumed: set[tuple[object, str, object, str]] = set()
        stack = [(self._at(self._old, pointer), self._at(self._new, pointer))]
        while stack:
            one, other = stack.pop()
            place = (one.document, one.pointer, other.document, other.pointer)
            if place in assumed:
                continue
            assumed.add(place)
            if one.dialect is not other.dialect or one.vocabularies != other.vocabularies:
                return False
            refs = _local_references(one.value, other.value, one.dialect) if self._in_roots(one, other) else None
            if refs is not None:
                # Written alike: only what it refers to is left to look at.
                stack.extend(
                    (self._at(self._old, ref), self._at(self._new, ref)) for ref in refs if not self._known.get(ref)
                )
                continue
            if _assertions(one) != _assertions(other):
                return False
            ours = self._below(self._old, one)
            theirs = self._below(self._new, other)
            if ours.keys() != theirs.keys():
                return False
            stack.extend((ours[key], theirs[key]) for key in ours)
        return True

    def _in_roots(self, one: Subschema, other: Subschema) -> bool:
        """Say that local references in both lead into the root documents."""
        roots = one.document is self._old.root.document and other.document is self._new.root.document
        return roots and not one.resource and not other.resource

    def _at(self, schemas: SchemaSet, pointer: str) -> Subschema:
        return schemas.resolve(schemas.root, f"#{quote(pointer)}")

    def _below(self, schemas: SchemaSet, sub: Subschema) -> dict[Any, Subschema]:
        found: dict[Any, Subschema] = {
            tokens: child for tokens, applies, child in schemas.children(sub) if applies is not Applies.NOWHERE
        }
        for keyword, ref in references_in(sub.value, sub.dialect):
            if keyword != "$ref":
                raise SchemaError("a dynamic reference depends on more than its place")
            found[keyword] = schemas.resolve(sub, ref)
        return found


def _text(root: Subschema, pointer: str) -> object:
    """Give what stands at a pointer, or `_MOVED` where an identifier on the way moves what references mean."""
    value: object = root.value
    for token in tokens(pointer):
        moves = isinstance(value, dict) and any(isinstance(value.get(word), str) for word in ("$id", "id", "$schema"))
        if moves and value is not root.value:
            return _MOVED
        value = step(value, token)
    return value


def _local_references(left: Any, right: Any, dialect: Dialect, *, root: bool = False) -> set[str] | None:
    """Give the pointers that two equal texts refer to; None where they differ or mean more than they say."""
    try:
        text = marshal.dumps(left, 2)
        if text != marshal.dumps(right, 2):
            return None
    except ValueError:
        return None
    if root or any(word in text for word in _ELSEWHERE):
        return None
    if b"$ref" not in text and dialect is not Dialect.DRAFT4:
        return set()
    refs: set[str] = set()
    for ref in _references(left, dialect):
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

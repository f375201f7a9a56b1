"""Equality of subtrees, cheap where they are written alike, and the references that stand inside one.

Most of two versions is the same to the letter, and that is told from bytes. Where bytes differ the values are compared
level by level until a difference ends it. Values that must be sorted or looked up get a number each.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterator
from typing import Any, Final

import orjson

from compat.jsonvalue import JSON, exact, written

REFERRING = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})
# Stands for every reference that leaves the document, names an anchor or hangs on the dynamic scope.
ELSEWHERE: Final = ""
_CONTAINERS = (dict, list)
# Within a string the quotes would be escaped, so this is a keyword and its value wherever it is found.
_REFERENCE: Final = re.compile(rb'"(\$ref|\$dynamicRef|\$recursiveRef)":("(?:[^"\\]|\\.)*")')


class Fingerprints:
    """Compares the values of both documents of one walk, and remembers what it found.

    A container is known by its identity; it is held here, so that no other object can take its place.
    """

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}
        self._containers: dict[int, tuple[object, int]] = {}
        self._compared: dict[tuple[int, int], tuple[object, object, bool]] = {}
        self._refers: dict[int, tuple[object, frozenset[str]]] = {}

    def same(self, left: JSON, right: JSON) -> bool:
        """Tell whether JSON Schema calls two values equal (`true` is not 1, 1 is 1.0)."""
        if left is right:
            return True
        if not isinstance(left, _CONTAINERS) or not isinstance(right, _CONTAINERS):
            return not isinstance(left, _CONTAINERS) and not isinstance(right, _CONTAINERS) and _alike(left, right)
        key = (id(left), id(right))
        known = self._compared.get(key)
        if known is None:
            known = self._compared[key] = (left, right, self._equal(left, right))
        return known[2]

    def _equal(self, left: JSON, right: JSON) -> bool:
        stack: list[tuple[Any, Any]] = [(left, right)]
        while stack:
            one, other = stack.pop()
            if not isinstance(one, _CONTAINERS) or not isinstance(other, _CONTAINERS):
                if isinstance(one, _CONTAINERS) or isinstance(other, _CONTAINERS) or not _alike(one, other):
                    return False
            elif isinstance(one, dict) is not isinstance(other, dict) or len(one) != len(other):
                return False
            elif (alike := _is_same_text(one, other)) is None:
                if self.of(one) != self.of(other):
                    return False
            elif not alike:
                pairs = _paired(one, other)
                if pairs is None:
                    return False
                stack.extend(pairs)
        return True

    def of(self, value: JSON) -> int:
        """Give the number of a value, which equal values share."""
        if not isinstance(value, _CONTAINERS):
            return self._number(_scalar(value))
        if id(value) not in self._containers:
            self._number_tree(value)
        return self._containers[id(value)][1]

    def refers(self, value: JSON) -> frozenset[str]:
        """Give the references inside a value: the pointers, and `ELSEWHERE` for any other.

        Equal text may still mean something else where a reference stands in it.
        """
        if not isinstance(value, _CONTAINERS):
            return frozenset()
        known = self._refers.get(id(value))
        if known is None:
            known = self._refers[id(value)] = (value, frozenset(_references(value)))
        return known[1]

    def _number_tree(self, root: JSON) -> None:
        """Number every container below `root`, children first, on an explicit stack of any depth."""
        containers, numbers = self._containers, self._numbers
        stack: list[tuple[JSON, bool]] = [(root, False)]
        while stack:
            value, children_done = stack.pop()
            if id(value) in containers:
                continue
            children: Collection[JSON] = value.values() if isinstance(value, dict) else value  # type: ignore[assignment]
            if not children_done:
                inner = [(child, False) for child in children if isinstance(child, _CONTAINERS)]
                if inner:
                    stack.append((value, True))
                    stack.extend(inner)
                    continue
            found = [
                containers[id(child)][1]
                if isinstance(child, _CONTAINERS)
                else numbers.setdefault(_scalar(child), len(numbers))
                for child in children
            ]
            key: Hashable
            if isinstance(value, dict):
                key = ("o", tuple(sorted(zip(value, found, strict=True))))
            else:
                key = ("a", tuple(found))
            containers[id(value)] = (value, self._number(key))

    def _number(self, key: Hashable) -> int:
        return self._numbers.setdefault(key, len(self._numbers))


def is_pointer(reference: str) -> bool:
    """Tell whether a reference names a place of its own document by a pointer."""
    return reference == "#" or reference[:2] == "#/"


def _references(value: Any) -> Iterator[str]:
    text = written(value)
    if text is None:
        yield from _references_read(value)
        return
    for keyword, quoted in _REFERENCE.findall(text):
        reference = orjson.loads(quoted)
        yield reference if keyword == b"$ref" and is_pointer(reference) else ELSEWHERE


def _references_read(value: JSON) -> Iterator[str]:
    """Read what cannot be turned into bytes, such as decimals or a value of any depth."""
    stack: list[JSON] = [value]
    while stack:
        item: Any = stack.pop()
        if isinstance(item, dict):
            for keyword in REFERRING:
                reference = item.get(keyword)
                if isinstance(reference, str):
                    yield reference if keyword == "$ref" and is_pointer(reference) else ELSEWHERE
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)


def _is_same_text(left: Any, right: Any) -> bool | None:
    """Tell whether two values are written alike; None where that cannot be told from bytes."""
    text = written(left)
    return None if text is None else text == written(right)


def _paired(one: Any, other: Any) -> list[tuple[Any, Any]] | None:
    """Pair what two containers of one kind and size hold; None where their keys differ."""
    if isinstance(one, list):
        return list(zip(one, other, strict=True))
    return [(value, other[name]) for name, value in one.items()] if one.keys() == other.keys() else None


def _alike(left: JSON, right: JSON) -> bool:
    return _scalar(left) == _scalar(right)


def _scalar(value: JSON) -> Hashable:
    """Give a key that tells types apart; strings are their own, since every other key is a tuple."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return ("c", value)
    if isinstance(value, int):
        return ("n", value)
    number = exact(value)  # type: ignore[arg-type]
    return ("n", number.numerator) if number.denominator == 1 else ("n", number)

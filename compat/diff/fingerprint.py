"""Equality of subtrees at the price of one pass: each distinct value gets a number.

Two values share a number exactly if JSON Schema calls them equal, so the walk compares whole subtrees by comparing
two integers and descends only where they differ.
"""

from __future__ import annotations

from collections.abc import Hashable

from compat.jsonvalue import JSON, exact, is_number

REFERRING = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})
_UNEVALUATED = frozenset({"unevaluatedProperties", "unevaluatedItems"})


class Fingerprints:
    """Number the values of both documents of one walk.

    A container is known by its identity; it is held here, so that no other object can take its place.
    `has_unevaluated` tells whether `unevaluatedProperties` or `unevaluatedItems` was seen anywhere: then even a keyword
    that accepts everything can matter, because it evaluates.
    """

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}
        self._containers: dict[int, tuple[object, int, bool]] = {}
        self.has_unevaluated = False

    def of(self, value: JSON) -> int:
        """Give the number of a value."""
        return self._read(value)[0]

    def same(self, left: JSON, right: JSON) -> bool:
        """Tell whether JSON Schema calls two values equal (`true` is not 1, 1 is 1.0)."""
        return left is right or self.of(left) == self.of(right)

    def refers(self, value: JSON) -> bool:
        """Tell whether a reference stands somewhere inside: equal text may then still mean something else."""
        return self._read(value)[1]

    def _read(self, value: JSON) -> tuple[int, bool]:
        if not _is_container(value):
            return self._number(_scalar(value)), False
        known = self._containers.get(id(value))
        if known is None:
            self._number_tree(value)
            known = self._containers[id(value)]
        return known[1], known[2]

    def _number_tree(self, root: JSON) -> None:
        """Number every container below `root`, children first, on an explicit stack of any depth."""
        stack: list[tuple[JSON, bool]] = [(root, False)]
        while stack:
            value, children_done = stack.pop()
            if id(value) in self._containers:
                continue
            children = list(value.values() if isinstance(value, dict) else value)  # type: ignore[arg-type]
            if not children_done:
                stack.append((value, True))
                stack.extend((child, False) for child in children if _is_container(child))
                continue
            read = [self._read(child) for child in children]
            refers = any(inside for _, inside in read)
            key: Hashable
            if isinstance(value, dict):
                refers = refers or not REFERRING.isdisjoint(value)
                self.has_unevaluated = self.has_unevaluated or not _UNEVALUATED.isdisjoint(value)
                key = ("o", tuple(sorted(zip(value, (number for number, _ in read), strict=True))))
            else:
                key = ("a", tuple(number for number, _ in read))
            self._containers[id(value)] = (value, self._number(key), refers)

    def _number(self, key: Hashable) -> int:
        return self._numbers.setdefault(key, len(self._numbers))


def _is_container(value: object) -> bool:
    return isinstance(value, dict | list)


def _scalar(value: object) -> Hashable:
    if is_number(value):
        number = exact(value)  # type: ignore[arg-type]
        return ("n", number.numerator, number.denominator)
    return ("c", value) if value is None or isinstance(value, bool) else ("s", value)

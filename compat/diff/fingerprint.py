"""Equality of subtrees at the price of one pass: each distinct value gets a number.

Two values share a number exactly if JSON Schema calls them equal, so the walk compares whole subtrees by comparing
two integers and descends only where they differ.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping

from compat.jsonvalue import JSON, exact

REFERRING = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})
_DYNAMIC = REFERRING - {"$ref"}
_CONTAINERS = (dict, list)
_UNEVALUATED = frozenset({"unevaluatedProperties", "unevaluatedItems"})


class Fingerprints:
    """Number the values of both documents of one walk, and keep which references stand inside each.

    A container is known by its identity; it is held here, so that no other object can take its place.
    `has_unevaluated` tells whether `unevaluatedProperties` or `unevaluatedItems` was seen anywhere: then even a keyword
    that accepts everything can matter, because it evaluates. `identifiers` counts what looks like an identifier: with
    more than the root's, one text of a reference can lead to two places.
    """

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}
        self._containers: dict[int, tuple[object, int, int]] = {}
        self._references: dict[str, int] = {}
        self.has_unevaluated = False
        self.identifiers = 0

    def of(self, value: JSON) -> int:
        """Give the number of a value."""
        return self._read(value)[0]

    def same(self, left: JSON, right: JSON) -> bool:
        """Tell whether JSON Schema calls two values equal (`true` is not 1, 1 is 1.0)."""
        return left is right or self.of(left) == self.of(right)

    def refers(self, value: JSON) -> int:
        """Give the references inside a value as a set of bits, none of which is set where there is none.

        Equal text may still mean something else where a reference stands in it. Bit 0 stands for every reference that
        leaves the document or names an anchor, each other bit for one of `references`.
        """
        return self._read(value)[1]

    def references(self) -> Mapping[str, int]:
        """Give the pointers that references name, each with its bit."""
        return self._references

    def _read(self, value: JSON) -> tuple[int, int]:
        if not isinstance(value, _CONTAINERS):
            return self._number(_scalar(value)), 0
        known = self._containers.get(id(value))
        if known is None:
            self._number_tree(value)
            known = self._containers[id(value)]
        return known[1], known[2]

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
            refers = 0
            found: list[int] = []
            for child in children:
                known = containers.get(id(child)) if isinstance(child, _CONTAINERS) else None
                if known is None:
                    found.append(numbers.setdefault(_scalar(child), len(numbers)))
                else:
                    found.append(known[1])
                    refers |= known[2]
            key: Hashable
            if isinstance(value, dict):
                refers |= self._own(value)
                key = ("o", tuple(sorted(zip(value, found, strict=True))))
            else:
                key = ("a", tuple(found))
            containers[id(value)] = (value, self._number(key), refers)

    def _own(self, schema: dict[str, JSON]) -> int:
        """Note what one object says by itself, and give its own references."""
        self.has_unevaluated = self.has_unevaluated or not _UNEVALUATED.isdisjoint(schema)
        self.identifiers += any(isinstance(schema.get(keyword), str) for keyword in ("$id", "id"))
        if REFERRING.isdisjoint(schema):
            return 0
        target = schema.get("$ref", "")
        if not isinstance(target, str) or target[:2] not in ("#", "#/") or not _DYNAMIC.isdisjoint(schema):
            return 1
        return self._references.setdefault(target, 1 << (len(self._references) + 1))

    def _number(self, key: Hashable) -> int:
        return self._numbers.setdefault(key, len(self._numbers))


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

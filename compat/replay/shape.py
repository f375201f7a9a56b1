"""A stored record without its values: what is left to show when the values are private."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from decimal import Decimal
from typing import Final

from compat.jsonvalue import JSON, walk

_MOST_ITEMS: Final = 3
_MOST_VALUES: Final = 200
_DEEPEST: Final = 12


def declared_names(schemas: Iterable[JSON]) -> frozenset[str]:
    """Collect every name that schema texts themselves publish; any other key of a record may be data."""
    names: set[str] = set()
    for schema in schemas:
        for path, value in walk(schema):
            if isinstance(value, dict):
                names.update(value)
            elif isinstance(value, str) and len(path) > 1 and isinstance(path[-1], int):
                names.add(value)  # `required` and its like list names
    return frozenset(names)


def shape_of(value: JSON, names: Collection[str]) -> JSON:
    """Give a value of the same form in which strings, numbers and undeclared keys are only described."""
    return _Shape(names).of(value, 0)


class _Shape:
    def __init__(self, names: Collection[str]) -> None:
        self._names = names
        self._left = _MOST_VALUES

    def of(self, value: JSON, depth: int) -> JSON:
        self._left -= 1
        if self._left < 0 or depth > _DEEPEST:
            return "<…>"
        if isinstance(value, dict):
            return self._members(value, depth)
        if isinstance(value, list):
            shown: list[JSON] = [self.of(item, depth + 1) for item in value[:_MOST_ITEMS]]
            if len(value) > _MOST_ITEMS:
                shown.append(f"<{len(value) - _MOST_ITEMS:,} more>")
            return shown
        return _scalar(value)

    def _members(self, value: dict[str, JSON], depth: int) -> dict[str, JSON]:
        members: dict[str, JSON] = {}
        for count, (key, item) in enumerate(value.items()):
            if self._left <= 0:
                members[f"<{len(value) - count:,} more>"] = None
                break
            shown = key if key in self._names else f"<name, {len(key)} chars>"
            while shown in members:
                shown += "'"
            members[shown] = self.of(item, depth + 1)
        return members


def _scalar(value: JSON) -> JSON:
    if value is None:
        return None
    if isinstance(value, bool):
        return "<boolean>"
    if isinstance(value, str):
        return f"<string, {len(value)} chars>"
    whole = isinstance(value, int) or (isinstance(value, float | Decimal) and value == int(value))
    return "<integer>" if whole else "<number>"

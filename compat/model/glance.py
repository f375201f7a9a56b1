"""A quick look over a whole document, so that the careful walks can be left out where there is nothing to find.

It sees keywords wherever they are written, in values and property names too; so "not there" is certain and "there" is
not.
"""

from __future__ import annotations

from dataclasses import dataclass

from compat.jsonvalue import JSON

_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_IDENTIFIERS = ("$id", "id", "$schema")


@dataclass(frozen=True, slots=True)
class Glance:
    """What is written anywhere in a document: keys, references, patterns, and identifiers below its root."""

    keys: frozenset[str]
    references: frozenset[str]
    patterns: frozenset[str]
    identifiers: frozenset[str]

    @property
    def is_closed(self) -> bool:
        """Whether every reference stays in the resource it stands in."""
        return all(ref[:1] == "#" for ref in self.references)


def glance(value: JSON) -> Glance:
    """Look over a document."""
    keys: set[str] = set()
    references: set[str] = set()
    patterns: set[str] = set()
    identifiers: set[str] = set()
    stack: list[object] = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack.extend(item)
        if not isinstance(item, dict):
            continue
        keys.update(item)
        for name in _REFERENCES:
            if isinstance(ref := item.get(name), str):
                references.add(ref)
        if isinstance(pattern := item.get("pattern"), str):
            patterns.add(pattern)
        if isinstance(keyed := item.get("patternProperties"), dict):
            patterns.update(keyed)
        if item is not value:
            identifiers.update(name for name in _IDENTIFIERS if isinstance(item.get(name), str))
        stack.extend(item.values())
    return Glance(frozenset(keys), frozenset(references), frozenset(patterns), frozenset(identifiers))

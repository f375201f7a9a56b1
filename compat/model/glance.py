"""A quick look over a whole document, so that the careful walks can be left out where there is nothing to find.

It sees keywords wherever they are written, in values and property names too; so "not there" is certain and "there" is
not.
"""

from __future__ import annotations

from dataclasses import dataclass

from compat.jsonvalue import JSON

_REFERENCES = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})
_TELLING = (*sorted(_REFERENCES), "$id", "id", "$schema", "pattern", "patternProperties")


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
        if isinstance(item, dict):
            keys.update(item)
            for name in _TELLING:
                if name in item:
                    _tell(name, item[name], item is value, references, patterns, identifiers)
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
    return Glance(frozenset(keys), frozenset(references), frozenset(patterns), frozenset(identifiers))


def _tell(
    name: str, value: object, at_root: bool, references: set[str], patterns: set[str], identifiers: set[str]
) -> None:
    if isinstance(value, dict):
        if name == "patternProperties":
            patterns.update(value)
    elif isinstance(value, str):
        if name in _REFERENCES:
            references.add(value)
        elif name == "pattern":
            patterns.add(value)
        elif not at_root and name != "patternProperties":
            identifiers.add(name)

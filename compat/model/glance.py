"""A quick look over a whole document, so that the careful walks can be left out where there is nothing to find.

It sees keywords wherever they are written, in values and property names too; so "not there" is certain and "there" is
not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from compat.errors import ParseError, Place
from compat.jsonvalue import JSON
from compat.model.text import MAX_DEPTH

_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_IDENTIFIERS = ("$id", "id", "$schema")
_PLAIN = frozenset({str, bool, type(None)})
_COMMON = 1 << 64


@dataclass(frozen=True, slots=True)
class Glance:
    """What is written anywhere in a document: keys, references, patterns, and identifiers below its root.

    `is_plain` says that there is nothing in it but the ordinary values of JSON: no Decimal and no number of many
    digits, nor what is no JSON at all.
    """

    keys: frozenset[str]
    references: frozenset[str]
    patterns: frozenset[str]
    identifiers: frozenset[str]
    is_plain: bool

    @property
    def is_closed(self) -> bool:
        """Whether every reference stays in the resource it stands in."""
        return all(ref[:1] == "#" for ref in self.references)


def glance(value: JSON, name: str) -> Glance:
    """Look over a document; ParseError where it has more levels than allowed, for then it may have no end."""
    keys: set[str] = set()
    objects: list[dict[str, Any]] = []
    is_plain = True
    level: list[Any] = [[value]]
    depth = 0
    # This loop is most of what a small change in a large document costs; the common case comes first in each choice.
    while level:
        below: list[Any] = []
        for item in level:
            values: Any = item
            if isinstance(item, dict):
                objects.append(item)
                keys.update(item)
                values = item.values()
            for inner in values:
                kind = type(inner)
                if kind is str:
                    continue
                if kind is dict or kind is list:
                    below.append(inner)
                elif kind not in _PLAIN and not (kind is int and -_COMMON < inner < _COMMON):
                    # A float that is none of JSON's makes the difference something else than zero.
                    is_plain = is_plain and kind is float and inner - inner == 0
                    if isinstance(inner, dict | list):
                        below.append(inner)
        level = below
        depth += 1
        if depth > MAX_DEPTH and below:
            raise ParseError(f"the value nests deeper than {MAX_DEPTH} levels", place=Place(name))
    return Glance(
        frozenset(keys),
        frozenset(held for key in _REFERENCES if key in keys for held in _strings(objects, key)),
        frozenset(_patterns(objects, keys)),
        frozenset(key for key in _IDENTIFIERS if key in keys and any(_strings(_below(objects, value), key))),
        is_plain and _are_strings(keys),
    )


def _below(objects: list[dict[str, Any]], root: JSON) -> list[dict[str, Any]]:
    return objects[1:] if isinstance(root, dict) else objects


def _strings(objects: list[dict[str, Any]], key: str) -> Iterator[str]:
    return (held for held in [item[key] for item in objects if key in item] if isinstance(held, str))


def _patterns(objects: list[dict[str, Any]], keys: set[str]) -> Iterator[str]:
    if "pattern" in keys:
        yield from _strings(objects, "pattern")
    if "patternProperties" in keys:
        for held in [item["patternProperties"] for item in objects if "patternProperties" in item]:
            if isinstance(held, dict):
                yield from held


def _are_strings(keys: set[str]) -> bool:
    # Keys of another type are told from strings by what joins strings.
    try:
        "".join(keys)
    except TypeError:
        return False
    return True

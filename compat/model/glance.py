"""A quick look over a whole document, so that the careful walks can be left out where there is nothing to find.

It sees keywords wherever they are written, in values and property names too; so "not there" is certain and "there" is
not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from compat.errors import ParseError, Place
from compat.jsonvalue import JSON
from compat.model.text import MAX_DEPTH

_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_IDENTIFIERS = ("$id", "id", "$schema")
_PLAIN = frozenset({str, bool, type(None)})
_COMMON = 1 << 64


class Glance(NamedTuple):
    """What is written anywhere in a document: keys, references, patterns, and identifiers below its root.

    `is_plain` says that there is nothing in it but the ordinary values of JSON: no Decimal and no number of many
    digits, nor what is no JSON at all; `is_closed` that every reference stays in the resource it stands in.
    """

    keys: frozenset[str]
    references: frozenset[str]
    patterns: frozenset[str]
    identifiers: frozenset[str]
    is_plain: bool
    is_closed: bool


def glance(value: JSON, name: str) -> Glance:
    """Look over a document; ParseError where it has more levels than allowed, for then it may have no end."""
    is_object = isinstance(value, dict)
    top: dict[str, Any] = value if is_object else {}  # type: ignore[assignment]
    keys: set[str] = set()
    objects: list[dict[str, Any]] = []
    is_plain = not is_object or type(value) is dict
    # What is found is looked into in its turn; None stands between the levels.
    found: list[Any] = [list(top.values()) if is_object else [value], None]
    depth = 0
    # This loop is most of what a small change in a large document costs; the common case comes first in each choice.
    for item in found:
        values: Any = item
        if isinstance(item, dict):
            objects.append(item)
            keys.update(item)
            values = item.values()
        elif item is None:
            depth += 1
            if found[-1] is not None:
                if depth >= MAX_DEPTH + (not is_object):
                    raise ParseError(f"the value nests deeper than {MAX_DEPTH} levels", place=Place(name))
                found.append(None)
            continue
        for inner in values:
            kind = type(inner)
            if kind is str:
                continue
            if kind is dict or kind is list:
                found.append(inner)
            elif kind not in _PLAIN and not (kind is int and -_COMMON < inner < _COMMON):
                # A float that is none of JSON's makes the difference something else than zero.
                is_plain = is_plain and kind is float and inner - inner == 0
                if isinstance(inner, dict | list):
                    found.append(inner)
    identifiers = frozenset(key for key in _IDENTIFIERS if key in keys and any(_strings(objects, key)))
    keys.update(top)
    objects.append(top)
    references = frozenset(held for key in _REFERENCES if key in keys for held in _strings(objects, key))
    return Glance(
        keys=frozenset(keys),
        references=references,
        patterns=frozenset(_patterns(objects, keys)),
        identifiers=identifiers,
        is_plain=is_plain and _are_strings(keys),
        is_closed=all(ref[:1] == "#" for ref in references),
    )


def _strings(objects: list[dict[str, Any]], key: str) -> list[str]:
    return [held for item in objects if key in item and isinstance(held := item[key], str)]


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

"""Conditions on the instances of one JSON type, each with its complement."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from compat.logic.keyset import KeySet
from compat.logic.regex.language import Language

if TYPE_CHECKING:
    from compat.logic.formula import Formula


class Type(IntEnum):
    """The six JSON types as bits, ordered as the search tries them: smallest values first."""

    NULL = 1
    BOOLEAN = 2
    NUMBER = 4
    STRING = 8
    ARRAY = 16
    OBJECT = 32


ALL: Final = 63
TYPES: Final = (Type.NULL, Type.BOOLEAN, Type.NUMBER, Type.STRING, Type.ARRAY, Type.OBJECT)


def type_of(value: object) -> Type:
    """Give the JSON type of an instance."""
    known = _BY_CLASS.get(type(value))
    if known is not None:
        return known
    if isinstance(value, str):
        return Type.STRING
    if isinstance(value, dict):
        return Type.OBJECT
    if isinstance(value, list | tuple):
        return Type.ARRAY
    return Type.NUMBER


_BY_CLASS: Final[Mapping[type, Type]] = {
    type(None): Type.NULL,
    bool: Type.BOOLEAN,
    int: Type.NUMBER,
    str: Type.STRING,
    list: Type.ARRAY,
    dict: Type.OBJECT,
}


class Predicate:
    """A condition on the instances of one JSON type; `neg` is its complement within that type."""

    __slots__ = ("neg", "serial")
    type: Type
    neg: Predicate
    serial: int


class Bound(Predicate):
    """A number is at least (`lower`) or at most `value`; `open` leaves the bound itself out."""

    __slots__ = ("lower", "open", "value")
    type = Type.NUMBER

    def __init__(self, value: Fraction | int, lower: bool, open_: bool) -> None:
        self.value, self.lower, self.open = value, lower, open_


class Multiple(Predicate):
    """A number is (or, unless `holds`, is not) an integral multiple of `of`."""

    __slots__ = ("holds", "of")
    type = Type.NUMBER

    def __init__(self, of: Fraction, holds: bool) -> None:
        self.of, self.holds = of, holds


class Match(Predicate):
    """A string is (or, unless `holds`, is not) a word of `language`."""

    __slots__ = ("holds", "language")
    type = Type.STRING

    def __init__(self, language: Language, holds: bool) -> None:
        self.language, self.holds = language, holds


class Format(Predicate):
    """A string is (or is not) in the named format, asserted; opaque but for equality of names."""

    __slots__ = ("holds", "name")
    type = Type.STRING

    def __init__(self, name: str, holds: bool) -> None:
        self.name, self.holds = name, holds


class Size(Predicate):
    """Length of a string in code points, items of an array or members of an object: at least or at most `n`."""

    __slots__ = ("at_least", "n", "type")

    def __init__(self, type_: Type, n: int, at_least: bool) -> None:
        self.type, self.n, self.at_least = type_, n, at_least


class ItemAt(Predicate):
    """`some`: there is an item at `index` and it satisfies `body`; else: if there is one, it satisfies `body`."""

    __slots__ = ("body", "index", "some")
    type = Type.ARRAY

    def __init__(self, index: int, body: Formula, some: bool) -> None:
        self.index, self.body, self.some = index, body, some


class ItemsFrom(Predicate):
    """`some`: an item at `start` or later satisfies `body`; else: all of them do."""

    __slots__ = ("body", "some", "start")
    type = Type.ARRAY

    def __init__(self, start: int, body: Formula, some: bool) -> None:
        self.start, self.body, self.some = start, body, some


class Count(Predicate):
    """At least or at most `n` items satisfy `body`."""

    __slots__ = ("at_least", "body", "n")
    type = Type.ARRAY

    def __init__(self, body: Formula, n: int, at_least: bool) -> None:
        self.body, self.n, self.at_least = body, n, at_least


class Unique(Predicate):
    """No two items are equal, or, unless `holds`, some two are."""

    __slots__ = ("holds",)
    type = Type.ARRAY

    def __init__(self, holds: bool) -> None:
        self.holds = holds


class Members(Predicate):
    """`some`: a member whose key is in `keys` satisfies `body`; else: all such members do."""

    __slots__ = ("body", "keys", "some")
    type = Type.OBJECT

    def __init__(self, keys: KeySet, body: Formula, some: bool) -> None:
        self.keys, self.body, self.some = keys, body, some


class Table(Predicate):
    """Every member whose key is one of `names` satisfies what `read` gives for it; `some`: one of them does not.

    As good as one `Members` for each name, but that a body is not translated before it is looked at.
    """

    __slots__ = ("names", "read", "some")
    type = Type.OBJECT

    def __init__(self, names: Mapping[str, object], read: Callable[[str], Formula], some: bool) -> None:
        self.names, self.read, self.some = names, read, some

"""The syntax tree of an ECMA-262 pattern."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from compat.logic.regex.charset import (
    CharSet,
)


@dataclass(frozen=True, slots=True)
class One:
    """One character out of a set."""

    chars: CharSet


@dataclass(frozen=True, slots=True)
class Sequence:
    items: tuple[Syntax, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    options: tuple[Syntax, ...]


@dataclass(frozen=True, slots=True)
class Loop:
    """`body` from `low` to `high` times; lazy or greedy makes no difference to a language."""

    body: Syntax
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class Group:
    number: int
    name: str | None
    body: Syntax


@dataclass(frozen=True, slots=True)
class Look:
    ahead: bool
    positive: bool
    body: Syntax


@dataclass(frozen=True, slots=True)
class Start:
    """`^`, only ever the start of the text."""


@dataclass(frozen=True, slots=True)
class End:
    """`$`, only ever the end of the text."""


@dataclass(frozen=True, slots=True)
class Boundary:
    positive: bool


@dataclass(frozen=True, slots=True)
class Back:
    """A backreference: `target` is a group's number or name."""

    target: int | str


@dataclass(frozen=True, slots=True)
class Modified:
    """A group with its own flags, `(?i:…)`, which is read but not interpreted."""

    body: Syntax


Syntax: TypeAlias = One | Sequence | Choice | Loop | Group | Look | Start | End | Boundary | Back | Modified

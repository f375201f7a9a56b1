"""Hash-consed expressions for regular languages: the nodes, each made once.

An expression is read in two ways. As a *fragment* it is a piece of a pattern and may hold assertions, which look at
the text around it. As a *language* it is a set of whole strings: its last part runs to the end of the text, so a
lookahead in front of it is an intersection (`algebra.follow` builds these from right to left). Equal expressions are
one object, and every derived order uses `key`, which is the same in every process.
"""

from __future__ import annotations

from typing import Any

from compat.logic.regex.charset import CharSet


class Node:
    """What is known of every expression without looking inside."""

    __slots__ = (
        "__weakref__",
        "accepts",
        "alphabet",
        "complement",
        "from_later",
        "front",
        "high",
        "key",
        "language",
        "low",
        "moves",
        "needs",
        "pure",
        "skips",
        "starts",
        "zero",
    )

    key: int
    accepts: bool  # holds the empty string, at the end of a text (meaningless where the left side matters)
    skips: bool  # as a fragment: matches nothing at all anywhere, unconditionally
    low: int  # no string is shorter
    high: int | None  # no string is longer
    pure: bool  # neither assertions nor boolean operators: `low` is exact and the language is not empty
    zero: bool  # holds an assertion somewhere
    starts: bool  # holds a free `^`
    needs: frozenset[Node]  # languages of the text to the left that free lookbehinds ask about
    moves: Any  # what follows are memos of the other modules
    complement: Node | None
    from_later: Node | None
    front: frozenset[Node] | None
    alphabet: CharSet | None
    language: Any

    @property
    def sighted(self) -> bool:
        """Whether the text to the left matters."""
        return self.starts or bool(self.needs)

    def __reduce__(self) -> str | tuple[Any, ...]:
        raise TypeError("an expression lives in one process only")


class Epsilon(Node):
    """The empty string alone."""

    __slots__ = ()


class Chars(Node):
    """One character out of a set; with no character in it, the empty language."""

    __slots__ = ("chars",)
    chars: CharSet


class Concat(Node):
    """`head`, which is no Concat itself, and then `tail`."""

    __slots__ = ("head", "tail")
    head: Node
    tail: Node


class Union(Node):
    __slots__ = ("parts",)
    parts: tuple[Node, ...]


class Inter(Node):
    """Languages only: all of `parts`."""

    __slots__ = ("parts",)
    parts: tuple[Node, ...]


class Not(Node):
    """Languages only: every other string."""

    __slots__ = ("inner",)
    inner: Node


class Repeat(Node):
    """`body` from `least` to `most` times; the counter is never unrolled."""

    __slots__ = ("body", "least", "most")
    body: Node
    least: int
    most: int | None


class Words(Node):
    """A finite set of strings, sorted; one node however many."""

    __slots__ = ("words",)
    words: tuple[str, ...]


class Ahead(Node):
    """A lookahead: what follows begins with `body` (or does not)."""

    __slots__ = ("body", "positive")
    body: Node
    positive: bool


class Behind(Node):
    """A lookbehind: the whole text to the left is in the language `past` (or is not)."""

    __slots__ = ("past", "positive")
    past: Node
    positive: bool


class Begin(Node):
    """`^`."""

    __slots__ = ()


class At(Node):
    """`inner` where the text to the left is known: none at all, or what each language of it has come to."""

    __slots__ = ("first", "inner", "past")
    inner: Node
    first: bool
    past: tuple[tuple[Node, Node], ...]


class Opaque(Node):
    """A pattern that is not regular, between two languages that are."""

    __slots__ = ("over", "source", "under")
    source: str
    over: Node
    under: Node

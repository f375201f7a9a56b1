"""Make the nodes of expressions, each once: equal ones are one object, and what is known of them is computed here."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from compat.logic.regex.charset import ANY_CHAR, NO_CHAR, CharSet, from_points
from compat.logic.regex.nodes import (
    Ahead,
    At,
    Begin,
    Behind,
    Chars,
    Concat,
    Epsilon,
    Inter,
    Node,
    Not,
    Opaque,
    Repeat,
    Union,
    Words,
)

_interned: WeakValueDictionary[tuple[Any, ...], Node] = WeakValueDictionary()
_N = TypeVar("_N", bound=Node)
_NONE: frozenset[Node] = frozenset()


def _make(
    kind: type[_N],
    *,
    key: int,
    accepts: bool,
    skips: bool,
    low: int,
    high: int | None,
    pure: bool = False,
    zero: bool = False,
    starts: bool = False,
    needs: frozenset[Node] = _NONE,
) -> _N:
    node = kind()
    node.key = key
    node.accepts = accepts
    node.skips = skips
    node.low = low
    node.high = high
    node.pure = pure
    node.zero = zero
    node.starts = starts
    node.needs = needs
    node.moves = node.complement = node.from_later = node.front = node.alphabet = node.language = None
    return node


EPSILON: Node = _make(Epsilon, key=11, accepts=True, skips=True, low=0, high=0, pure=True)
BEGIN: Node = _make(Begin, key=12, accepts=True, skips=False, low=0, high=0, zero=True, starts=True)


def chars(members: CharSet) -> Node:
    """One character out of `members`."""
    found = _interned.get((Chars, members))
    if found is None:
        made = _make(Chars, key=hash((13, members.key)), accepts=False, skips=False, low=1, high=1, pure=bool(members))
        made.chars = members
        _interned[Chars, members] = found = made
    return found


EMPTY = chars(NO_CHAR)
ANY = chars(ANY_CHAR)


def times(length: int | None, count: int | None) -> int | None:
    """Multiply where None is no bound."""
    if length == 0 or count == 0:
        return 0
    return None if length is None or count is None else length * count


def plus(first: int | None, second: int | None) -> int | None:
    """Add where None is no bound."""
    return None if first is None or second is None else first + second


def make_repeat(body: Node, least: int, most: int | None) -> Node:
    """Intern a loop as it is."""
    found = _interned.get((Repeat, body, least, most))
    if found is None:
        made = _make(
            Repeat,
            key=hash((14, body.key, least, -5 if most is None else most)),
            accepts=least == 0 or body.accepts,
            skips=least == 0 or body.skips,
            low=least * body.low,
            high=times(body.high, most),
            pure=body.pure,
            zero=body.zero,
            starts=body.starts,
            needs=body.needs,
        )
        made.body, made.least, made.most = body, least, most
        _interned[Repeat, body, least, most] = found = made
    return found


ALL = make_repeat(ANY, 0, None)


def make_concat(head: Node, tail: Node) -> Node:
    """Intern a sequence as it is."""
    found = _interned.get((Concat, head, tail))
    if found is None:
        made = _make(
            Concat,
            key=hash((15, head.key, tail.key)),
            accepts=head.accepts and tail.accepts,
            skips=head.skips and tail.skips,
            low=head.low + tail.low,
            high=plus(head.high, tail.high),
            pure=head.pure and tail.pure,
            zero=head.zero or tail.zero,
            starts=head.starts or tail.starts,
            needs=head.needs | tail.needs if head.needs else tail.needs,
        )
        made.head, made.tail = head, tail
        _interned[Concat, head, tail] = found = made
    return found


def ahead(body: Node, positive: bool) -> Node:
    """A lookahead for `body`."""
    if body.skips:
        return EPSILON if positive else EMPTY
    if body is EMPTY:
        return EMPTY if positive else EPSILON
    found = _interned.get((Ahead, body, positive))
    if found is None:
        made = _make(
            Ahead,
            key=hash((16, body.key, positive)),
            accepts=body.accepts is positive,
            skips=False,
            low=0,
            high=0,
            zero=True,
            starts=body.starts,
            needs=body.needs,
        )
        made.body, made.positive = body, positive
        _interned[Ahead, body, positive] = found = made
    return found


END = ahead(ANY, positive=False)


def behind(past: Node, positive: bool) -> Node:
    """A lookbehind: the text to the left is (not) in `past`."""
    found = _interned.get((Behind, past, positive))
    if found is None:
        made = _make(
            Behind,
            key=hash((17, past.key, positive)),
            accepts=True,
            skips=False,
            low=0,
            high=0,
            zero=True,
            needs=frozenset((past,)),
        )
        made.past, made.positive = past, positive
        _interned[Behind, past, positive] = found = made
    return found


def at(inner: Node, first: bool, past: tuple[tuple[Node, Node], ...], accepts: bool) -> Node:
    """`inner` with its left side fixed; `accepts` is what the caller found out about the empty string."""
    found = _interned.get((At, inner, first, past))
    if found is None:
        made = _make(
            At,
            key=hash((18, inner.key, first, *(part.key for pair in past for part in pair))),
            accepts=accepts,
            skips=False,
            low=inner.low,
            high=inner.high,
            zero=True,
        )
        made.inner, made.first, made.past = inner, first, past
        _interned[At, inner, first, past] = found = made
    return found


def opaque(source: str, over: Node, under: Node) -> Node:
    """The language of a pattern that is not regular, known only from outside and from inside."""
    found = _interned.get((Opaque, source))
    if found is None:
        digest = hashlib.blake2b(source.encode("utf-8", "surrogatepass"), digest_size=7).digest()
        made = _make(
            Opaque,
            key=hash((19, int.from_bytes(digest, "big"))),
            accepts=False,
            skips=False,
            low=over.low,
            high=over.high,
            zero=True,
            starts=True,  # nothing may be concluded from `accepts`
        )
        made.source, made.over, made.under = source, over, under
        _interned[Opaque, source] = found = made
    return found


def words(members: Iterable[str]) -> Node:
    """A finite set of strings."""
    listed = tuple(sorted(set(members)))
    if not listed:
        return EMPTY
    if listed == ("",):
        return EPSILON
    if all(len(word) == 1 for word in listed):
        return chars(from_points(map(ord, listed)))
    found = _interned.get((Words, listed))
    if found is None:
        digest = hashlib.blake2b(digest_size=7)
        for word in listed:
            digest.update(word.encode("utf-8", "surrogatepass") + b"\xff")
        holds = listed[0] == ""
        made = _make(
            Words,
            key=hash((20, int.from_bytes(digest.digest(), "big"))),
            accepts=holds,
            skips=holds,
            low=min(map(len, listed)),
            high=max(map(len, listed)),
            pure=True,
        )
        made.words = listed
        _interned[Words, listed] = found = made
    return found


def span(node: Node) -> tuple[int, int | None] | None:
    """The bounds of a language that asks for a length only."""
    if type(node) is Repeat and node.body is ANY:
        return node.least, node.most
    if node is ANY:
        return 1, 1
    return (0, 0) if node is EPSILON else None


def make_not(node: Node) -> Node:
    """Intern a complement as it is."""
    found = _interned.get((Not, node))
    if found is None:
        made = _make(
            Not,
            key=hash((21, node.key)),
            accepts=not node.accepts,
            skips=False,
            low=1 if node.accepts and not node.sighted else 0,
            high=None,
            zero=node.zero,
            starts=node.starts,
            needs=node.needs,
        )
        made.inner = node
        _interned[Not, node] = found = made
    return found


def by_key(node: Node) -> int:
    """Order nodes the same way in every process."""
    return node.key


def make_union(parts: tuple[Node, ...]) -> Node:
    """Intern a union of two or more parts that need no further merging, sorted by key."""
    found = _interned.get((Union, parts))
    if found is None:
        highs = [part.high for part in parts]
        made = _make(
            Union,
            key=hash((22, *(part.key for part in parts))),
            accepts=any(part.accepts for part in parts),
            skips=any(part.skips for part in parts),
            low=min(part.low for part in parts),
            high=None if None in highs else max(high for high in highs if high is not None),
            pure=all(part.pure for part in parts),
            zero=any(part.zero for part in parts),
            starts=any(part.starts for part in parts),
            needs=_NONE.union(*(part.needs for part in parts)),
        )
        made.parts = parts
        _interned[Union, parts] = found = made
    return found


def make_inter(parts: tuple[Node, ...]) -> Node:
    """Intern an intersection of two or more parts that need no further merging, sorted by key."""
    found = _interned.get((Inter, parts))
    if found is None:
        highs = [part.high for part in parts if part.high is not None]
        made = _make(
            Inter,
            key=hash((23, *(part.key for part in parts))),
            accepts=all(part.accepts for part in parts),
            skips=False,
            low=max(part.low for part in parts),
            high=min(highs) if highs else None,
            zero=any(part.zero for part in parts),
            starts=any(part.starts for part in parts),
            needs=_NONE.union(*(part.needs for part in parts)),
        )
        made.parts = parts
        _interned[Inter, parts] = found = made
    return found

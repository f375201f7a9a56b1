"""Hash-consed expressions for regular languages, kept small by what their constructors know.

An expression is read in two ways. As a *fragment* it is a piece of a pattern and may hold assertions, which look at
the text around it. As a *language* it is a set of whole strings: its last part runs to the end of the text, so a
lookahead in front of it is an intersection (`follow` builds these from right to left). Equal expressions are one
object, and every derived order uses `key`, which is the same in every process.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from compat.logic.regex.charset import ANY_CHAR, NO_CHAR, CharSet


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


def _times(length: int | None, count: int | None) -> int | None:
    if length == 0 or count == 0:
        return 0
    return None if length is None or count is None else length * count


def _plus(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second


def repeat(body: Node, least: int, most: int | None) -> Node:
    """`body` at least `least` and at most `most` times."""
    if most == 0 or body is EPSILON or (body is EMPTY and least == 0):
        return EPSILON
    if body is EMPTY:
        return EMPTY
    if least == 1 and most == 1:
        return body
    if body.high == 0:
        # Assertions only: once is as good as many times, and an iteration that need not be is never empty.
        return EPSILON if least == 0 or body.skips else body
    if body.skips:
        least = 0
        if type(body) is Union and EPSILON in body.parts:
            return repeat(union(part for part in body.parts if part is not EPSILON), 0, most)
    if type(body) is Repeat and not body.zero:
        # Counts multiply where no count between is left out: (x{2,3}){4} is x{8,12}, but (x{3})* stays.
        least_in, most_in = body.least, body.most
        touching = most_in is None or least * most_in + 1 >= (least + 1) * least_in
        if least_in <= 1 or least == most or (least >= 1 and touching):
            return repeat(body.body, least * least_in, _times(most_in, most))
    return _repeat(body, least, most)


def _repeat(body: Node, least: int, most: int | None) -> Node:
    found = _interned.get((Repeat, body, least, most))
    if found is None:
        made = _make(
            Repeat,
            key=hash((14, body.key, least, -5 if most is None else most)),
            accepts=least == 0 or body.accepts,
            skips=least == 0 or body.skips,
            low=least * body.low,
            high=_times(body.high, most),
            pure=body.pure,
            zero=body.zero,
            starts=body.starts,
            needs=body.needs,
        )
        made.body, made.least, made.most = body, least, most
        _interned[Repeat, body, least, most] = found = made
    return found


ALL = _repeat(ANY, 0, None)


def _as_loop(node: Node) -> tuple[Node, int, int | None] | None:
    """See a single character as a loop that runs once."""
    if type(node) is Repeat:
        return node.body, node.least, node.most
    return (node, 1, 1) if type(node) is Chars else None


def seq(head: Node, tail: Node) -> Node:
    """`head` then `tail`, both fragments, or a fragment without lookaheads and a language."""
    if type(head) is Concat:
        heads: list[Node] = []
        rest: Node = head
        while type(rest) is Concat:
            heads.append(rest.head)
            rest = rest.tail
        tail = seq(rest, tail)
        for piece in reversed(heads):
            tail = seq(piece, tail)
        return tail
    if head is EPSILON or tail is EMPTY:
        return tail
    if tail is EPSILON or head is EMPTY:
        return head
    if head.skips and (tail is ALL or (type(tail) is Concat and tail.head is ALL)):
        return tail
    loop = _as_loop(head)
    if loop is not None and not head.zero:
        body, least, most = loop
        following = tail.head if type(tail) is Concat else tail
        same = _as_loop(following)
        if same is not None and same[0] is body:
            merged = repeat(body, least + same[1], _plus(most, same[2]))
            return seq(merged, tail.tail) if type(tail) is Concat else merged
        if tail is ALL and most != least:
            return seq(repeat(body, least, least), ALL)
    return _concat(head, tail)


def _concat(head: Node, tail: Node) -> Node:
    found = _interned.get((Concat, head, tail))
    if found is None:
        made = _make(
            Concat,
            key=hash((15, head.key, tail.key)),
            accepts=head.accepts and tail.accepts,
            skips=head.skips and tail.skips,
            low=head.low + tail.low,
            high=_plus(head.high, tail.high),
            pure=head.pure and tail.pure,
            zero=head.zero or tail.zero,
            starts=head.starts or tail.starts,
            needs=head.needs | tail.needs if head.needs else tail.needs,
        )
        made.head, made.tail = head, tail
        _interned[Concat, head, tail] = found = made
    return found


def follow(head: Node, tail: Node) -> Node:
    """The language of the fragment `head` and then the language `tail`, which runs to the end of the text."""
    if tail is EMPTY:
        return EMPTY
    if not head.zero:
        return seq(head, tail)
    if type(head) is Concat:
        heads: list[Node] = []
        rest: Node = head
        while type(rest) is Concat:
            heads.append(rest.head)
            rest = rest.tail
        tail = follow(rest, tail)
        for piece in reversed(heads):
            tail = follow(piece, tail)
        return tail
    if type(head) is Union:
        return union(follow(part, tail) for part in head.parts)
    if type(head) is Ahead and not head.sighted:
        ahead = follow(head.body, ALL)
        return inter((ahead if head.positive else complement(ahead), tail))
    return seq(head, tail)


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
        from compat.logic.regex.charset import from_points

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


def complement(node: Node) -> Node:
    """Every string that is not in the language `node`."""
    found = node.complement
    if found is None:
        found = _complement(node)
        node.complement = found
        if found.complement is None:
            found.complement = node
    return found


def _complement(node: Node) -> Node:
    if type(node) is Not:
        return node.inner
    if node is EMPTY:
        return ALL
    lengths = span(node)
    if lengths is not None:
        below = repeat(ANY, 0, lengths[0] - 1) if lengths[0] else EMPTY
        above = EMPTY if lengths[1] is None else repeat(ANY, lengths[1] + 1, None)
        return union((below, above))
    if type(node) is Union:
        return inter(complement(part) for part in node.parts)
    if type(node) is Inter:
        return union(complement(part) for part in node.parts)
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


def union(parts: Iterable[Node]) -> Node:
    """Any of `parts`, merged as far as can be seen without a search."""
    from compat.logic.regex.merging import merged_union

    return merged_union(parts)


def inter(parts: Iterable[Node]) -> Node:
    """All of `parts`, which are languages."""
    from compat.logic.regex.merging import merged_inter

    return merged_inter(parts)


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

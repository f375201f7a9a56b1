"""Derivatives: where each next character takes a language, for the whole alphabet at once.

`moves` cuts the code points into intervals that lead to one language each. A pattern's assertions are decided on the
way: what lies to the right becomes an intersection with the rest, what lies to the left is carried along as the state
of a second, small language (`Left`), and only where an assertion can still ask for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from compat.logic.regex.algebra import complement, follow, inter, repeat, seq, union
from compat.logic.regex.charset import LIMIT, CharSet, from_ranges, one_point
from compat.logic.regex.making import ALL, BEGIN, EMPTY, EPSILON, ahead, at, by_key, words
from compat.logic.regex.moves import Arms, Moves, combined, compact, product, united
from compat.logic.regex.nodes import Ahead, At, Begin, Behind, Chars, Concat, Inter, Node, Not, Repeat, Union, Words

_MEMORY = 100_000  # derivatives remembered in all, then forgotten together
_remembering: list[Node] = []


@dataclass(frozen=True, slots=True)
class Left:
    """What is known of the text to the left of a position."""

    first: bool  # there is none
    past: tuple[tuple[Node, Node], ...] = ()

    def state(self, language: Node) -> Node:
        """What `language` has come to by now; untouched where no text could have changed it."""
        for watched, state in self.past:
            if watched is language:
                return state
        return language


START = Left(True)
_INSIDE = Left(False)


def member(node: Node, word: str) -> bool:
    """Whether the language holds `word`."""
    for char in word:
        if node is EMPTY or node is ALL:
            break
        node = moves(node)(ord(char))
    return node.accepts


def moves(node: Node) -> Moves:
    """The derivatives of a language by every character."""
    found: Moves | None = node.moves
    if found is None:
        found = _moves(node)
        if len(_remembering) >= _MEMORY:
            for one in _remembering:
                one.moves = None
            _remembering.clear()
        _remembering.append(node)
        node.moves = found
    return found


def _moves(node: Node) -> Moves:
    if type(node) is Inter:
        return combined([moves(part) for part in node.parts], inter)
    if type(node) is Not:
        inner = moves(node.inner)
        return compact(inner.starts, [complement(target) for target in inner.targets])
    arms: Arms = []
    for part in node.parts if type(node) is Union else (node,):
        if type(part) is At:
            _first(part.inner, Left(part.first, part.past), arms)
        elif type(part) in (Inter, Not):
            arms += moves(part).arms()
        else:
            _first(part, _INSIDE, arms)
    return united(arms)


def _first(node: Node, left: Left, arms: Arms) -> None:
    """Collect where the first character of a language leads, walking over pieces that may match nothing."""
    condition = ALL
    while type(node) is Concat:
        _consume(node.head, node.tail, left, condition, arms)
        condition = inter((condition, skipping(node.head, left)))
        if condition is EMPTY:
            return
        node = node.tail
    if type(node) in (Union, Inter, Not, At):  # a language in the place of the last piece
        for chars, target in moves(placed(node, left)).arms():
            _arm(chars, target, condition, arms)
    else:
        _consume(node, EPSILON, left, condition, arms)


def _consume(head: Node, tail: Node, left: Left, condition: Node, arms: Arms) -> None:
    """Collect where a character taken inside the fragment `head` leads when the language `tail` comes after it."""
    if type(head) is Chars:
        _take(head.chars, tail, left, condition, arms)
    elif type(head) is Union:
        for part in head.parts:
            _consume(part, tail, left, condition, arms)
    elif type(head) is Concat:
        _consume(head.head, follow(head.tail, tail), left, condition, arms)
        condition = inter((condition, skipping(head.head, left)))
        if condition is not EMPTY:
            _consume(head.tail, tail, left, condition, arms)
    elif type(head) is Repeat:
        _consume_round(head, tail, left, condition, arms)
    elif type(head) is Words:
        by_char: dict[str, list[str]] = {}
        for word in head.words:
            if word:
                by_char.setdefault(word[0], []).append(word[1:])
        for char, rests in by_char.items():
            _take(one_point(ord(char)), follow(words(rests), tail), left, condition, arms)


def _consume_round(head: Repeat, tail: Node, left: Left, condition: Node, arms: Arms) -> None:
    body, least, most = head.body, head.least, head.most
    rest = repeat(body, max(least - 1, 0), None if most is None else most - 1)
    _consume(body, follow(rest, tail), left, condition, arms)
    if least == 0 or (most is not None and most < 2):
        return
    # A round that must be may match nothing, under a condition; one such round stands for all that are owed.
    idle = inter((condition, skipping(body, left)))
    if idle is not EMPTY:
        rest = repeat(body, 0, None if most is None else most - 2)
        _consume(body, follow(rest, tail), left, idle, arms)


def _take(chars: CharSet, tail: Node, left: Left, condition: Node, arms: Arms) -> None:
    """Take one of `chars`, after which `tail` comes."""
    if tail.sighted:
        for seen, target in _seen(chars, tail, left):
            _arm(seen, target, condition, arms)
    else:
        _arm(chars, tail, condition, arms)


def _arm(chars: CharSet, target: Node, condition: Node, arms: Arms) -> None:
    if condition is ALL:
        arms.append((chars, target))
        return
    for allowed, also in moves(condition).arms():
        both = chars & allowed
        if both:
            arms.append((both, inter((target, also))))


def _seen(chars: CharSet, tail: Node, left: Left) -> Iterator[tuple[CharSet, Node]]:
    """Place `tail` after each kind of character its assertions tell apart."""
    tail = later(tail)
    watched = sorted(tail.needs, key=by_key)
    if not watched:
        yield chars, tail
        return
    starts, columns = product([moves(left.state(language)) for language in watched])
    kinds: dict[tuple[Node, ...], list[tuple[int, int]]] = {}
    for start, stop, column in zip(starts, (*starts[1:], LIMIT), columns, strict=True):
        kinds.setdefault(column, []).append((start, stop))
    for column, ranges in kinds.items():
        here = chars & from_ranges(ranges)
        if here:
            yield here, placed(tail, Left(False, tuple(zip(watched, column, strict=True))))


def skipping(node: Node, left: Left) -> Node:
    """The language the rest of the text must be in for the fragment to match nothing here."""
    if node.skips:
        return ALL
    if node.low > 0:
        return EMPTY
    if type(node) is Concat:
        return inter((skipping(node.head, left), skipping(node.tail, left)))
    if type(node) is Union:
        return union(skipping(part, left) for part in node.parts)
    if type(node) is Repeat:
        return skipping(node.body, left)
    if type(node) is Ahead:
        seen = placed(follow(node.body, ALL), left)
        return seen if node.positive else complement(seen)
    if type(node) is Behind:
        return ALL if left.state(node.past).accepts is node.positive else EMPTY
    return ALL if type(node) is Begin and left.first else EMPTY


def placed(node: Node, left: Left) -> Node:
    """Fix the left side of a language."""
    if not left.first and node.starts:
        node = later(node)
    if not node.sighted:
        return node
    if type(node) is Union:
        return union(placed(part, left) for part in node.parts)
    if type(node) is Inter:
        return inter(placed(part, left) for part in node.parts)
    if type(node) is Not:
        return complement(placed(node.inner, left))
    near = _asked_now(node)
    past = tuple(
        (language, left.state(language))
        for language in sorted(node.needs, key=by_key)
        if left.state(language) is not language and (language in near or not _forgetful(language))
    )
    return at(node, left.first, past, _accepts(node, left))


def _forgetful(language: Node) -> bool:
    """Whether a language of the text to the left depends on its last character only."""
    return type(language) is Concat and language.head is ALL and type(language.tail) is Chars


def _accepts(node: Node, left: Left) -> bool:
    """Whether the language holds the empty string when `left` is all the text."""
    while True:
        if not node.sighted:
            return node.accepts
        if type(node) is not Concat:
            break
        if not _accepts(node.head, left):
            return False
        node = node.tail
    if type(node) is Union:
        return any(_accepts(part, left) for part in node.parts)
    if type(node) is Inter:
        return all(_accepts(part, left) for part in node.parts)
    if type(node) is Not:
        return not _accepts(node.inner, left)
    if type(node) is Repeat:
        return node.least == 0 or _accepts(node.body, left)
    if type(node) is Ahead:
        return _accepts(node.body, left) is node.positive
    if type(node) is Behind:
        return left.state(node.past).accepts is node.positive
    return left.first


def _asked_now(node: Node) -> frozenset[Node]:
    """The languages of the left side that matter before the next character is taken."""
    found = node.front
    if found is not None:
        return found
    whole = node
    asked: frozenset[Node] = frozenset()
    while type(node) is Concat:
        asked |= _asked_now(node.head)
        if node.head.low > 0:
            whole.front = asked
            return asked
        node = node.tail
    if type(node) in (Union, Inter):
        asked = asked.union(*(_asked_now(part) for part in node.parts))  # type: ignore[attr-defined]
    elif type(node) is Not:
        asked |= _asked_now(node.inner)
    elif type(node) is Repeat or type(node) is Ahead:
        asked |= _asked_now(node.body)
    elif type(node) is Behind:
        asked |= node.needs
    whole.front = asked
    return asked


def later(node: Node) -> Node:
    """The expression where the start of the text is behind: `^` can match no more."""
    if not node.starts:
        return node
    if node is BEGIN:
        return EMPTY
    found = node.from_later
    if found is None:
        found = node.from_later = _later(node)
    return found


def _later(node: Node) -> Node:
    if type(node) is Concat:
        heads: list[Node] = []
        rest: Node = node
        while type(rest) is Concat and rest.starts:
            heads.append(later(rest.head))
            rest = rest.tail
        rest = later(rest)
        for head in reversed(heads):
            rest = seq(head, rest)
        return rest
    if type(node) is Union:
        return union(later(part) for part in node.parts)
    if type(node) is Inter:
        return inter(later(part) for part in node.parts)
    if type(node) is Not:
        return complement(later(node.inner))
    if type(node) is Repeat:
        return repeat(later(node.body), node.least, node.most)
    if type(node) is Ahead:
        return ahead(later(node.body), node.positive)
    return node

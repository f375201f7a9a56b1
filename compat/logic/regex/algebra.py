"""The operators on expressions, which keep them small by what shows on the surface."""

from __future__ import annotations

from collections.abc import Iterable

from compat.logic.budget import BudgetExhausted
from compat.logic.regex.charset import ANY_CHAR, NO_CHAR, one_point
from compat.logic.regex.making import (
    ALL,
    ANY,
    EMPTY,
    EPSILON,
    by_key,
    chars,
    make_concat,
    make_inter,
    make_not,
    make_repeat,
    make_union,
    plus,
    span,
    times,
    words,
)
from compat.logic.regex.nodes import Ahead, Chars, Concat, Inter, Node, Not, Repeat, Union, Words

_SMALL = 64  # a set of so few characters may join a finite set of strings
MAX_PARTS = 20_000  # one expression this wide is given up on, however many steps are left


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
            return repeat(body.body, least * least_in, times(most_in, most))
    return make_repeat(body, least, most)


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
    if type(head) is Words and len(head.words) == 1:
        for char in reversed(head.words[0]):
            tail = seq(chars(one_point(ord(char))), tail)
        return tail
    if head.skips and (tail is ALL or (type(tail) is Concat and tail.head is ALL)):
        return tail
    loop = _as_loop(head)
    if loop is not None and not head.zero:
        body, least, most = loop
        following = tail.head if type(tail) is Concat else tail
        same = _as_loop(following)
        if same is not None and same[0] is body:
            merged = repeat(body, least + same[1], plus(most, same[2]))
            return seq(merged, tail.tail) if type(tail) is Concat else merged
        if tail is ALL and most != least:
            return seq(repeat(body, least, least), ALL)
    return make_concat(head, tail)


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


def complement(node: Node) -> Node:
    """Every string that is not in the language `node`."""
    found = node.complement
    if found is None:
        # The way back is not noted down: what it gives must not depend on which of the two was asked for first.
        found = node.complement = _complement(node)
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
    return make_not(node)


def union(parts: Iterable[Node]) -> Node:
    """Any of `parts`, merged as far as shows without a search."""
    flat: dict[Node, None] = {}
    for part in parts:
        if part is ALL:
            return ALL
        if type(part) is Union:
            flat.update(dict.fromkeys(part.parts))
        elif part is not EMPTY:
            flat[part] = None
    if len(flat) < 2:
        return next(iter(flat), EMPTY)
    if len(flat) > MAX_PARTS:
        raise BudgetExhausted("a pattern has too many alternatives at once")
    if any(type(part) is Not and part.inner in flat for part in flat):
        return ALL
    found = _merged(sorted(flat, key=by_key))
    if len(found) < 2:
        return next(iter(found), EMPTY)
    if ALL in found:
        return ALL
    return make_union(tuple(sorted(found, key=by_key)))


def _merged(parts: list[Node]) -> dict[Node, None]:
    """Merge loops over one body, single characters before one tail, and finite sets."""
    loops: dict[tuple[Node, Node], list[tuple[int, int | None]]] = {}
    kept: dict[Node, None] = {}
    finite: list[str] = []
    sets = 0
    for part in parts:
        head, tail = (part.head, part.tail) if type(part) is Concat else (part, EPSILON)
        if type(head) is Chars:
            loops.setdefault((head, tail), []).append((1, 1))
        elif type(head) is Repeat:
            loops.setdefault((head.body, tail), []).append((head.least, head.most))
        elif type(part) is Words:
            finite += part.words
            sets += 1
        else:
            kept[part] = None
    singles: dict[Node, list[Chars]] = {}
    heads: dict[Node, list[Node]] = {}
    for (body, tail), counts in loops.items():
        if tail is EPSILON and EPSILON in kept and any(pair != (1, 1) for pair in counts):
            counts.append((0, 0))  # the empty string is no round at all
        for least, most in _joined(counts):
            if (least, most) == (1, 1) and type(body) is Chars:
                singles.setdefault(tail, []).append(body)
            elif (least, most) != (0, 0):
                heads.setdefault(repeat(body, least, most), []).append(tail)
    for tail, bodies in singles.items():
        members = NO_CHAR
        for one in bodies:
            members |= one.chars
        if tail is EPSILON and sets and members.size() <= _SMALL:
            finite += [chr(point) for low, high in members.ranges() for point in range(low, high)]
            continue
        optional = tail is EPSILON and EPSILON in kept
        kept[repeat(chars(members), 0, 1) if optional else seq(chars(members), tail)] = None
    for head, tails in heads.items():
        kept[seq(head, tails[0] if len(tails) == 1 else union(tails))] = None
    if sets:
        short = [part for part in kept if part is EPSILON]
        kept[words([*finite, *("" for _ in short)])] = None
    if EPSILON in kept and any(part.skips for part in kept if part is not EPSILON):
        del kept[EPSILON]
    kept.pop(EMPTY, None)
    return kept


def _joined(counts: list[tuple[int, int | None]]) -> list[tuple[int, int | None]]:
    """Join ranges of counts that touch or overlap."""
    if len(counts) < 2:
        return counts
    counts.sort(key=lambda pair: (pair[0], -1 if pair[1] is None else pair[1]))
    out = [counts[0]]
    for least, most in counts[1:]:
        before, until = out[-1]
        if until is None or least <= until + 1:
            out[-1] = (before, None if until is None or most is None else max(until, most))
        else:
            out.append((least, most))
    return out


def inter(parts: Iterable[Node]) -> Node:
    """All of `parts`, which are languages, merged as far as shows without a search."""
    flat: dict[Node, None] = {}
    for part in parts:
        if part is EMPTY:
            return EMPTY
        if type(part) is Inter:
            flat.update(dict.fromkeys(part.parts))
        elif part is not ALL:
            flat[part] = None
    if len(flat) < 2:
        return next(iter(flat), ALL)
    if len(flat) > MAX_PARTS:
        raise BudgetExhausted("a pattern has too many conditions at once")
    if any(type(part) is Not and part.inner in flat for part in flat):
        return EMPTY
    denied = [part.inner for part in flat if type(part) is Not]
    if len(denied) > 1:
        # What is excluded merges as any union does: counters of one loop become one counter.
        merged = union(denied)
        fewer = merged.parts if type(merged) is Union else (merged,)
        if len(fewer) < len(denied):
            return inter((*(part for part in flat if type(part) is not Not), *map(complement, fewer)))
    least, most, rest = _lengths(flat)
    if most is not None and least > most:
        return EMPTY
    if not rest:
        return repeat(ANY, least, most)
    if most == 0 and not any(part.sighted for part in rest):
        return EPSILON if all(part.accepts for part in rest) else EMPTY
    kept = _narrowed(rest, least, most)
    if kept is None:
        return EMPTY
    return kept[0] if len(kept) == 1 else make_inter(tuple(sorted(kept, key=by_key)))


def _lengths(parts: Iterable[Node]) -> tuple[int, int | None, list[Node]]:
    """Fold all bounds of length into one; the parts that say more come back as well."""
    least, most = 0, None
    rest: list[Node] = []
    for part in parts:
        bounds = span(part)
        low, high = (part.low, part.high) if bounds is None else bounds
        least = max(least, low)
        if high is not None:
            most = high if most is None else min(most, high)
        if bounds is None:
            rest.append(part)
    return least, most, rest


def _narrowed(parts: list[Node], least: int, most: int | None) -> list[Node] | None:
    single = ANY_CHAR
    finite: set[str] | None = None
    others: list[Node] = []
    for part in parts:
        if type(part) is Chars:
            single &= part.chars
        elif type(part) is Words:
            finite = set(part.words) if finite is None else finite & set(part.words)
        else:
            others.append(part)
    kept = sorted(others, key=by_key)
    if single is not ANY_CHAR:
        if not single:
            return None
        kept.insert(0, chars(single))
    if finite is not None:
        inside = _filtered(finite, kept, least, most)
        return None if inside is EMPTY else [inside]
    low = max((part.low for part in kept), default=0)
    highs = [part.high for part in kept if part.high is not None]
    high = min(highs) if highs else None
    if least > low or (most is not None and (high is None or most < high)):
        kept.append(repeat(ANY, least if least > low else 0, most if most != high else None))
    return kept


def _filtered(members: set[str], others: list[Node], least: int, most: int | None) -> Node:
    """Intersect a finite set with everything else by asking for each member."""
    from compat.logic.regex.derivative import member

    plain = [part for part in others if not part.sighted]
    left = words(
        word
        for word in members
        if least <= len(word) and (most is None or len(word) <= most) and all(member(part, word) for part in plain)
    )
    sighted = [part for part in others if part.sighted]
    if not sighted or left is EMPTY:
        return left
    return make_inter(tuple(sorted((left, *sighted), key=by_key)))

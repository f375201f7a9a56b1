"""What two languages show of their relation without a search: sufficient reasons only, never a refutation."""

from __future__ import annotations

from functools import lru_cache

from compat.logic.regex.algebra import seq
from compat.logic.regex.charset import ANY_CHAR, NO_CHAR, CharSet, from_points
from compat.logic.regex.derivative import member
from compat.logic.regex.making import ALL, EMPTY, EPSILON, span, words
from compat.logic.regex.nodes import At, Chars, Concat, Inter, Node, Not, Repeat, Union, Words

_OPTIONS = 32  # a wider choice in front is left to the search
_FEW = 4_096  # words that are asked about one by one


@lru_cache(maxsize=1 << 16)
def below(small: Node, large: Node) -> bool:
    """Whether `small` is plainly contained in `large`; false means only that it does not show."""
    while True:
        if small is large or small is EMPTY or large is ALL:
            return True
        if small.sighted or large.sighted:
            return False
        if small is EPSILON:
            return large.accepts
        bounds = span(large)
        if bounds is not None:
            return small.low >= bounds[0] and (
                bounds[1] is None or (small.high is not None and small.high <= bounds[1])
            )
        boolean = _below_boolean(small, large)
        if boolean is not None:
            return boolean
        if _within_loop(small, large):
            return True
        first, rest = _parts(small)
        also, others = _parts(large)
        if also is ALL and _some_rest_below(small, others):
            return True
        if also.skips and others is not EPSILON and below(small, others):
            return True
        if first is not also and not _piece_below(first, also):
            return _some_option_below(small, large)
        if rest is EPSILON and others is EPSILON:
            return True
        small, large = rest, others


def _below_boolean(small: Node, large: Node) -> bool | None:
    """Decide by the operators on top; None where there are none."""
    if type(small) is Union:
        return all(below(part, large) for part in small.parts)
    if type(large) is Inter:
        return all(below(small, part) for part in large.parts)
    if type(small) is Words:
        return len(small.words) <= _FEW and all(member(large, word) for word in small.words)
    if type(large) is Not:
        if type(small) is Not and below(large.inner, small.inner):
            return True
        return apart(small, large.inner)
    if type(small) is Inter and any(below(part, large) for part in small.parts):
        return True
    if type(large) is Union:
        return any(below(small, part) for part in large.parts)
    if isinstance(small, Inter | Not | At) or isinstance(large, At | Words):
        return False
    return None


def _parts(node: Node) -> tuple[Node, Node]:
    return (node.head, node.tail) if type(node) is Concat else (node, EPSILON)


def _some_rest_below(small: Node, large: Node) -> bool:
    """Whether `small` from some piece on is below `large`; what comes before may be anything."""
    while True:
        if below(small, large):
            return True
        if type(small) is not Concat:
            return False
        small = small.tail


def _some_option_below(small: Node, large: Node) -> bool:
    """Take apart a choice that comes first: every option of `small` must be below, one option of `large` suffices."""
    first, rest = _parts(small)
    options = _options(first)
    if options:
        return all(below(seq(option, rest), large) for option in options)
    first, rest = _parts(large)
    return any(below(small, seq(option, rest)) for option in _options(first))


def _options(piece: Node) -> tuple[Node, ...]:
    if type(piece) is Union and len(piece.parts) <= _OPTIONS and not piece.zero:
        return piece.parts
    if type(piece) is Words and 1 < len(piece.words) <= _OPTIONS:
        return tuple(words((word,)) for word in piece.words)
    return ()


def _piece_below(small: Node, large: Node) -> bool:
    if small.zero or large.zero:
        return False
    if type(large) is Repeat:
        body, least, most = (small.body, small.least, small.most) if type(small) is Repeat else (small, 1, 1)
        return (
            least >= large.least
            and (large.most is None or (most is not None and most <= large.most))
            and below(body, large.body)
        )
    if type(small) is Chars and type(large) is Chars:
        return small.chars <= large.chars
    if type(small) is Union or type(large) is Union or type(small) is Words:
        return below(small, large)
    return False


def _within_loop(small: Node, large: Node) -> bool:
    """Whether `large` is a loop over a set of characters that holds all of `small`'s, with room for its lengths."""
    if type(large) is not Repeat or type(large.body) is not Chars:
        return False
    fits = small.low >= large.least and (large.most is None or (small.high is not None and small.high <= large.most))
    return fits and alphabet(small) <= large.body.chars


def alphabet(node: Node) -> CharSet:
    """Every character that may occur in a string of the language."""
    found = node.alphabet
    if found is None:
        found = node.alphabet = _alphabet(node)
    return found


def _alphabet(node: Node) -> CharSet:
    found = NO_CHAR
    while type(node) is Concat:
        found |= alphabet(node.head)
        node = node.tail
    if type(node) is Chars:
        return found | node.chars
    if type(node) is Union:
        for part in node.parts:
            found |= alphabet(part)
        return found
    if type(node) is Inter:
        both = ANY_CHAR
        for part in node.parts:
            both &= alphabet(part)
        return found | both
    if type(node) is Repeat:
        return found | alphabet(node.body)
    if type(node) is Words:
        return found | from_points({ord(char) for word in node.words for char in word})
    return ANY_CHAR if node.high != 0 else found


@lru_cache(maxsize=1 << 16)
def apart(one: Node, other: Node) -> bool:
    """Whether two languages plainly share no string; false means only that it does not show."""
    while True:
        if one is EMPTY or other is EMPTY or _lengths_apart(one, other):
            return True
        if one is other or one.sighted or other.sighted:
            return False
        if one is EPSILON or other is EPSILON:
            return not (one.accepts and other.accepts)
        boolean = _apart_boolean(one, other)
        if boolean is not None:
            return boolean
        first, rest = _parts(one)
        also, others = _parts(other)
        begins, begins_also = _begins(first), _begins(also)
        if begins is None or begins_also is None:
            return False
        if not begins & begins_also:
            return True
        if type(first) is not Chars or type(also) is not Chars:
            return False
        one, other = rest, others


def _lengths_apart(one: Node, other: Node) -> bool:
    return (one.high is not None and one.high < other.low) or (other.high is not None and other.high < one.low)


def _apart_boolean(one: Node, other: Node) -> bool | None:
    for left, right in ((one, other), (other, one)):
        if type(left) is Union:
            return all(apart(part, right) for part in left.parts)
        if type(left) is Words:
            return len(left.words) <= _FEW and not any(member(right, word) for word in left.words)
    for left, right in ((one, other), (other, one)):
        if type(left) is Not and below(right, left.inner):
            return True
        if type(left) is Inter and any(apart(part, right) for part in left.parts):
            return True
    if isinstance(one, Inter | Not | At) or isinstance(other, Inter | Not | At):
        return False
    return None


def _begins(piece: Node) -> CharSet | None:
    """The characters a piece can begin with, when it must begin with one."""
    if type(piece) is Chars:
        return piece.chars
    if type(piece) is Repeat and piece.least > 0 and type(piece.body) is Chars:
        return piece.body.chars
    if type(piece) is Words and piece.low > 0:
        return from_points({ord(word[0]) for word in piece.words})
    return None

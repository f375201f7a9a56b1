"""From a syntax tree to expressions.

What is not regular (most backreferences, a lookbehind that looks ahead, flags inside the pattern) is compiled twice,
once too wide and once too narrow, so that the true language lies between the two.
"""

from __future__ import annotations

from collections.abc import Mapping

from compat.logic.regex import syntax
from compat.logic.regex.algebra import follow, repeat, seq, union
from compat.logic.regex.captures import Captures, children
from compat.logic.regex.charset import WORD
from compat.logic.regex.derivative import START, placed
from compat.logic.regex.making import ALL, ANY, BEGIN, EMPTY, END, EPSILON, ahead, behind, chars, opaque, words
from compat.logic.regex.nodes import Chars, Concat, Inter, Node, Union
from compat.logic.regex.parsing import parse


def compiled(source: str) -> Node:
    """The language of all texts in which the pattern finds a match; PatternError where it is none."""
    tree = parse(source)
    captures = Captures.of(tree)
    compiler = _Compiler(captures, {})
    over = searched(compiler.fragment(tree, wide=True))
    if compiler.exact:
        return _as_word(over)
    cases, complete = captures.cases()
    under = searched(compiler.fragment(tree, wide=False))
    for fixed in cases:
        compiler = _Compiler(captures, fixed)
        under = union((under, searched(compiler.fragment(tree, wide=False))))
        complete = complete and compiler.exact
    return under if complete else opaque(source, over, under)


def searched(fragment: Node) -> Node:
    """Let a fragment match anywhere in a text."""
    return _anywhere(follow(fragment, ALL))


def _anywhere(language: Node) -> Node:
    """Put any text in front, or none where a `^` allows none."""
    if type(language) is Union:
        return union(_anywhere(part) for part in language.parts)
    if type(language) is Concat and language.head is BEGIN:
        return placed(language.tail, START)
    if not language.sighted:
        return seq(ALL, language)
    if type(language) is Inter and any(type(part) is Concat and part.head is BEGIN for part in language.parts):
        return placed(language, START)
    return placed(seq(ALL, language), START)


class _Compiler:
    """One pattern; `exact` turns false once something had to be approximated."""

    def __init__(self, captures: Captures, fixed: Mapping[int, str]) -> None:
        self.exact = True
        self._groups = captures.groups
        self._fixed = fixed
        self._open: set[int] = set()

    def fragment(self, tree: syntax.Syntax, *, wide: bool) -> Node:
        """Compile a piece; `wide` says on which side an approximation must err."""
        match tree:
            case syntax.One(members):
                return chars(members)
            case syntax.Sequence(items):
                whole = EPSILON
                for item in reversed(items):
                    whole = seq(self.fragment(item, wide=wide), whole)
                return whole
            case syntax.Choice(options):
                literals = [(option, _literal(option)) for option in options]
                finite = words(text for _, text in literals if text is not None)
                return union((finite, *(self.fragment(option, wide=wide) for option, text in literals if text is None)))
            case syntax.Loop(body, low, high):
                return repeat(self.fragment(body, wide=wide), low, high)
            case syntax.Group(number=number, body=body):
                return words((self._fixed[number],)) if number in self._fixed else self.fragment(body, wide=wide)
            case syntax.Look(True, positive, body):
                return ahead(self.fragment(body, wide=wide is positive), positive)
            case syntax.Look(_, positive, body):
                return self._behind(body, positive, wide=wide)
            case syntax.Boundary(positive):
                return _boundary(positive)
            case syntax.Start():
                return BEGIN
            case syntax.End():
                return END
            case syntax.Back(target):
                return self._back(target, wide=wide)
            case syntax.Modified():
                return self._approximate(ALL, wide=wide)

    def _approximate(self, over: Node, *, wide: bool) -> Node:
        self.exact = False
        return over if wide else EMPTY

    def _behind(self, body: syntax.Syntax, positive: bool, *, wide: bool) -> Node:
        if _looks_ahead(body):
            return self._approximate(EPSILON, wide=wide)
        fragment = self.fragment(body, wide=wide is positive)
        past = placed(seq(ALL, fragment), START)
        if past is ALL or past is EMPTY:
            return EPSILON if (past is ALL) is positive else EMPTY
        return behind(past, positive)

    def _back(self, target: int | str, *, wide: bool) -> Node:
        """What a group matched, again: any text the group could match, or none where it took no part."""
        group = self._groups[target]
        if group.number in self._fixed:
            return words((self._fixed[group.number],))
        if group.number in self._open or not wide:
            return self._approximate(ALL, wide=wide)
        self._open.add(group.number)
        again = self.fragment(group.body, wide=True)
        self._open.discard(group.number)
        return self._approximate(union((EPSILON, _unasserted(again))), wide=wide)


def _literal(tree: syntax.Syntax) -> str | None:
    """The text of a piece that stands for one text only."""
    points = []
    for item in tree.items if isinstance(tree, syntax.Sequence) else (tree,):
        if not isinstance(item, syntax.One) or item.chars.size() != 1:
            return None
        points.append(item.chars.bounds[0])
    return "".join(map(chr, points))


def _as_word(language: Node) -> Node:
    """Give the language of one text the form that a text given as such has."""
    points = []
    node = language
    while node is not EPSILON:
        head, node = (node.head, node.tail) if isinstance(node, Concat) else (node, EPSILON)
        if not isinstance(head, Chars) or head.chars.size() != 1:
            return language
        points.append(head.chars.bounds[0])
    return words(("".join(map(chr, points)),))


def _boundary(positive: bool) -> Node:
    word = chars(WORD)
    before = seq(ALL, word)
    return union(
        (
            seq(behind(before, True), ahead(word, not positive)),
            seq(behind(before, False), ahead(word, positive)),
        )
    )


def _unasserted(fragment: Node) -> Node:
    """A wider fragment without assertions."""
    if not fragment.zero:
        return fragment
    if fragment.high == 0:
        return EPSILON
    return repeat(ANY, fragment.low, fragment.high)


def _looks_ahead(tree: syntax.Syntax) -> bool:
    if isinstance(tree, syntax.End | syntax.Boundary | syntax.Back | syntax.Modified):
        return True
    if isinstance(tree, syntax.Look) and tree.ahead:
        return True
    return any(_looks_ahead(part) for part in children(tree))

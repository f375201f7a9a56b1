"""Regular languages as values: built from patterns, words and lengths, combined with `&`, `|`, `-` and `~`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from compat.errors import RegexError
from compat.logic.budget import BudgetExhausted
from compat.logic.regex import making
from compat.logic.regex.algebra import complement, inter, repeat, union
from compat.logic.regex.compiling import compiled
from compat.logic.regex.derivative import member
from compat.logic.regex.making import ALL, ANY, EMPTY, EPSILON
from compat.logic.regex.nodes import Chars, Inter, Node, Not, Opaque, Union, Words
from compat.model.formats import test_format
from compat.model.regexes import compile_pattern

# Before the name of a format, where a pattern would stand; no pattern that begins so is without exact languages.
_FORMAT = "\0format\0"
_FEW = 256  # a larger set of single characters is not listed


class Language:
    """A set of strings over Unicode code points, immutable, and interned: compare with `is` or `==` alike.

    Equal languages need not be one object; equal constructions are. A pattern that is not regular (a backreference)
    is still a Language, with `exact` false: `over` holds it, `under` is held by it, and `matches` answers truly.
    """

    __slots__ = ("__weakref__", "_exact", "node")

    node: Node
    _exact: bool

    def __new__(cls) -> Language:
        raise TypeError("use Language.pattern, .word, .words, .length, .all or .none")

    @staticmethod
    def of(node: Node) -> Language:
        """The language of an expression, one object for each."""
        found = node.language
        if isinstance(found, Language):
            return found
        made: Language = object.__new__(Language)
        made.node = node
        made._exact = not _has_opaque(node)
        node.language = made
        return made

    @staticmethod
    def pattern(source: str) -> Language:
        """All texts in which an ECMA-262 pattern finds a match somewhere; RegexError where it is no pattern."""
        return Language.of(_compiled(source))

    @staticmethod
    def format(name: str, over: Language, under: Language) -> Language:
        """The strings in a format, which has at least those of `under`, and none that is not in `over`."""
        return Language.of(making.opaque(_FORMAT + name, over.node, under.node))

    @staticmethod
    def word(text: str) -> Language:
        """One string."""
        return Language.of(making.words((text,)))

    @staticmethod
    def words(texts: Iterable[str]) -> Language:
        """A finite set of strings, cheap however large."""
        return Language.of(making.words(texts))

    @staticmethod
    def length(low: int, high: int | None = None) -> Language:
        """All strings of `low` to `high` code points."""
        if high is not None and low > high:
            return Language.none()
        return Language.of(repeat(ANY, max(low, 0), high))

    @staticmethod
    def all() -> Language:
        return Language.of(ALL)

    @staticmethod
    def none() -> Language:
        return Language.of(EMPTY)

    def __and__(self, other: Language) -> Language:
        return Language.of(inter((self.node, other.node)))

    def __or__(self, other: Language) -> Language:
        return Language.of(union((self.node, other.node)))

    def __sub__(self, other: Language) -> Language:
        return Language.of(inter((self.node, complement(other.node))))

    def __invert__(self) -> Language:
        return Language.of(complement(self.node))

    @property
    def exact(self) -> bool:
        """Whether every part is regular; otherwise only `over` and `under` can be searched."""
        return self._exact

    @property
    def over(self) -> Language:
        """An exact language with at least these strings."""
        return self if self._exact else Language.of(_bounded(self.node, True))

    @property
    def under(self) -> Language:
        """An exact language with at most these strings."""
        return self if self._exact else Language.of(_bounded(self.node, False))

    @property
    def is_none(self) -> bool:
        """Whether it is plainly empty; false does not say that a string exists."""
        return self.node is EMPTY

    @property
    def is_all(self) -> bool:
        """Whether it plainly holds every string; false does not say that one is missing."""
        return self.node is ALL

    @property
    def lengths(self) -> tuple[int, int | None]:
        """Bounds that no string of the language breaks; they need not be reached."""
        return self.node.low, self.node.high

    @property
    def listed(self) -> tuple[str, ...] | None:
        """Every string, sorted, when it shows that the language is a small finite set."""
        if isinstance(self.node, Words):
            return self.node.words
        if self.node is EPSILON:
            return ("",)
        if isinstance(self.node, Chars) and self.node.chars.size() <= _FEW:
            return tuple(chr(point) for low, high in self.node.chars.ranges() for point in range(low, high))
        return None

    def matches(self, word: str) -> bool:
        """Whether the language holds `word`: linear in its length for a given language, remembered state by state."""
        return _matches(self.node, word)

    def __repr__(self) -> str:
        return f"<Language {self.node.key & 0xFFFFFFFF:08x}{'' if self._exact else ' inexact'}>"


@lru_cache(maxsize=4096)
def _compiled(source: str) -> Node:
    return compiled(source)


def _has_opaque(node: Node) -> bool:
    if isinstance(node, Union | Inter):
        return any(_has_opaque(part) for part in node.parts)
    return _has_opaque(node.inner) if isinstance(node, Not) else isinstance(node, Opaque)


def _bounded(node: Node, over: bool) -> Node:
    """Replace what is not regular by a bound from the outside or from the inside."""
    if isinstance(node, Union):
        return union(_bounded(part, over) for part in node.parts)
    if isinstance(node, Inter):
        return inter(_bounded(part, over) for part in node.parts)
    if isinstance(node, Not):
        return complement(_bounded(node.inner, not over)) if _has_opaque(node) else node
    if isinstance(node, Opaque):
        return node.over if over else node.under
    return node


def _matches(node: Node, word: str) -> bool:
    if not _has_opaque(node):
        return member(node, word)
    if isinstance(node, Union):
        return any(_matches(part, word) for part in node.parts)
    if isinstance(node, Inter):
        return all(_matches(part, word) for part in node.parts)
    if isinstance(node, Not):
        return not _matches(node.inner, word)
    assert isinstance(node, Opaque)
    if not member(node.over, word):
        return False
    return member(node.under, word) or _asked(node.source, word)


def _asked(source: str, word: str) -> bool:
    """Ask the validator: its test of a format, or its backtracking engine, which alone knows backreferences."""
    if source.startswith(_FORMAT):
        return test_format(source.removeprefix(_FORMAT), word) is True
    try:
        return compile_pattern(source).matches(word)
    except RegexError as problem:
        raise BudgetExhausted(problem.message) from problem

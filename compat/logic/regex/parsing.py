"""ECMA-262 patterns to a syntax tree.

The reading is that of the `u` flag, code point by code point. Where `u` refuses what schemas in the wild use (`\\-`,
`\\_`, a stray `]`, `}` or `{`, `[\\w-.]`), the older grammar of Annex B applies to that place.
"""

from __future__ import annotations

from dataclasses import dataclass

from compat.errors import RegexError
from compat.logic.regex.charset import DIGIT, DOT, SPACE, WORD, CharSet, from_ranges, one_point
from compat.logic.regex.syntax import (
    Back,
    Boundary,
    Choice,
    End,
    Group,
    Look,
    Loop,
    Modified,
    One,
    Sequence,
    Start,
    Syntax,
)
from compat.logic.regex.unicode import property_set

MAX_NESTING = 100  # deeper groups are refused, so that no reader of the tree runs out of stack
MAX_SOURCE = 100_000


class PatternError(RegexError):
    """A pattern that is no ECMA-262 regular expression; `position` counts characters from 0."""

    def __init__(self, problem: str, source: str, position: int) -> None:
        shown = source if len(source) <= 60 else source[:57] + "..."
        super().__init__(
            f"{problem} at character {position + 1} of the pattern {shown!r}",
            hint="Patterns are ECMA-262 regular expressions; check the escape or bracket at that character.",
        )
        self.source = source
        self.position = position


_CONTROL = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
_CLASSES = {"d": DIGIT, "D": ~DIGIT, "w": WORD, "W": ~WORD, "s": SPACE, "S": ~SPACE}
_QUANTIFIER = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_HEX = frozenset("0123456789abcdefABCDEF")
_DIGITS = frozenset("0123456789")


def parse(source: str) -> Syntax:
    """Read a pattern, or raise PatternError with the place of the mistake."""
    return _Parser(source).pattern()


class _Parser:
    __slots__ = ("_at", "_depth", "_groups", "_names", "_source", "_total")

    def __init__(self, source: str) -> None:
        self._source = source
        self._at = 0
        self._depth = 0
        self._groups = 0
        self._names: set[str] = set()
        self._total = _count_groups(source)

    def pattern(self) -> Syntax:
        if len(self._source) > MAX_SOURCE:
            raise self._error(f"a pattern of more than {MAX_SOURCE} characters", MAX_SOURCE)
        tree = self._choice()
        if self._at < len(self._source):
            raise self._error("a closing parenthesis that was never opened")
        return tree

    def _error(self, problem: str, at: int | None = None) -> PatternError:
        return PatternError(problem, self._source, self._at if at is None else at)

    def _peek(self) -> str:
        return self._source[self._at] if self._at < len(self._source) else ""

    def _skip(self, text: str) -> bool:
        if self._source.startswith(text, self._at):
            self._at += len(text)
            return True
        return False

    def _choice(self) -> Syntax:
        options = [self._sequence()]
        while self._skip("|"):
            options.append(self._sequence())
        return options[0] if len(options) == 1 else Choice(tuple(options))

    def _sequence(self) -> Syntax:
        items: list[Syntax] = []
        while self._at < len(self._source) and self._peek() not in "|)":
            begun = self._at
            atom = self._atom()
            items.append(self._quantified(atom, begun))
        return items[0] if len(items) == 1 else Sequence(tuple(items))

    def _quantified(self, atom: Syntax, begun: int) -> Syntax:
        bounds = self._quantifier()
        if bounds is None:
            return atom
        low, high = bounds
        if high is not None and low > high:
            raise self._error("a quantifier whose bounds are out of order", begun)
        self._skip("?")
        if self._source.startswith(("^", "$", "\\b", "\\B", "(?<=", "(?<!"), begun):
            raise self._error("nothing to repeat", begun)
        return Loop(atom, low, high)

    def _quantifier(self) -> tuple[int, int | None] | None:
        simple = _QUANTIFIER.get(self._peek())
        if simple is not None:
            self._at += 1
            return simple
        return self._braces() if self._peek() == "{" else None

    def _braces(self) -> tuple[int, int | None] | None:
        """Read `{n}`, `{n,}` or `{n,m}`; anything else with a brace is literal text."""
        start = self._at
        self._at += 1
        low = self._number()
        high: int | None = low
        if low is not None and self._skip(","):
            high = self._number()
        if low is None or not self._skip("}"):
            self._at = start
            return None
        return low, high

    def _number(self) -> int | None:
        start = self._at
        while self._peek() in _DIGITS:
            self._at += 1
        digits = self._source[start : self._at]
        if len(digits) > 18:
            raise self._error("a repetition count of more than 18 digits", start)
        return int(digits) if digits else None

    def _atom(self) -> Syntax:
        char = self._peek()
        begun = self._at
        self._at += 1
        match char:
            case "^":
                return Start()
            case "$":
                return End()
            case ".":
                return One(DOT)
            case "(":
                return self._group(begun)
            case "[":
                return One(self._class(begun))
            case "\\":
                return self._escape(begun)
            case "*" | "+" | "?":
                raise self._error("nothing to repeat", begun)
            case "{":
                self._at = begun
                if self._braces() is not None:
                    raise self._error("nothing to repeat", begun)
                self._at = begun + 1
            case _:
                pass
        return One(one_point(ord(char)))

    def _group(self, begun: int) -> Syntax:
        self._depth += 1
        if self._depth > MAX_NESTING:
            raise self._error(f"groups nested more than {MAX_NESTING} deep", begun)
        tree = self._group_body(begun)
        self._depth -= 1
        return tree

    def _group_body(self, begun: int) -> Syntax:
        if not self._skip("?"):
            return self._captured(begun, None)
        for mark, ahead, positive in (("=", True, True), ("!", True, False), ("<=", False, True), ("<!", False, False)):
            if self._skip(mark):
                return Look(ahead, positive, self._closed(begun))
        if self._skip(":"):
            return self._closed(begun)
        if self._skip("<"):
            end = self._source.find(">", self._at)
            name = self._source[self._at : end] if end >= 0 else ""
            if not _is_name(name):
                raise self._error("a group name that is none", begun)
            if name in self._names:
                raise self._error(f"a second group named {name!r}", begun)
            self._names.add(name)
            self._at = end + 1
            return self._captured(begun, name)
        return self._modified(begun)

    def _modified(self, begun: int) -> Syntax:
        end = self._source.find(":", self._at)
        flags = self._source[self._at : end] if end >= 0 else "x"
        letters = flags.replace("-", "", 1)
        if not letters or set(letters) - set("ims") or len(set(letters)) < len(letters):
            raise self._error("an unknown kind of group", begun)
        self._at = end + 1
        return Modified(self._closed(begun))

    def _captured(self, begun: int, name: str | None) -> Syntax:
        self._groups += 1
        number = self._groups
        return Group(number, name, self._closed(begun))

    def _closed(self, begun: int) -> Syntax:
        body = self._choice()
        if not self._skip(")"):
            raise self._error("a group that is never closed", begun)
        return body

    def _escape(self, begun: int) -> Syntax:
        char = self._peek()
        if char in ("b", "B"):
            self._at += 1
            return Boundary(char == "b")
        if char == "k" and self._total.names:
            end = self._source.find(">", self._at)
            name = self._source[self._at + 2 : end] if end >= 0 and self._source.startswith("k<", self._at) else ""
            if name not in self._total.names:
                raise self._error("a reference to a group that is not there", begun)
            self._at = end + 1
            return Back(name)
        if char in _DIGITS and char != "0":
            start = self._at
            while self._peek() in _DIGITS:
                self._at += 1
            if int(self._source[start : self._at][:9]) <= self._total.count:
                return Back(int(self._source[start : self._at]))
            self._at = start
        return One(self._char_escape(begun, in_class=False))

    def _char_escape(self, begun: int, *, in_class: bool) -> CharSet:
        """Read what follows a backslash where it stands for a character or a class of them."""
        char = self._peek()
        if not char:
            raise self._error("a backslash with nothing after it", begun)
        known = _CLASSES.get(char)
        if known is not None:
            self._at += 1
            return known
        if char in ("p", "P") and self._source.startswith("{", self._at + 1):
            return self._property(begun)
        return one_point(self._point(begun, in_class=in_class))

    def _property(self, begun: int) -> CharSet:
        negated = self._peek() == "P"
        end = self._source.find("}", self._at)
        name = self._source[self._at + 2 : end] if end >= 0 else ""
        chars = property_set(name) if name else None
        if chars is None:
            raise self._error(f"no Unicode property named {name!r}", begun)
        self._at = end + 1
        return ~chars if negated else chars

    def _point(self, begun: int, *, in_class: bool) -> int:
        char = self._peek()
        self._at += 1
        if char in _CONTROL:
            return _CONTROL[char]
        if char == "b" and in_class:
            return 8
        if char == "c":
            return self._control(in_class=in_class)
        if char == "x":
            return self._hex(2, ord("x"))
        if char == "u":
            return self._unicode()
        if char in "01234567":
            return self._octal(char)
        return ord(char)

    def _control(self, *, in_class: bool) -> int:
        char = self._peek()
        if char.isascii() and (char.isalpha() or (in_class and char and char in "0123456789_")):
            self._at += 1
            return ord(char) & 31
        self._at -= 1  # `\c` alone is a backslash, and the c is read again
        return ord("\\")

    def _hex(self, count: int, otherwise: int) -> int:
        digits = self._source[self._at : self._at + count]
        if len(digits) == count and _HEX.issuperset(digits):
            self._at += count
            return int(digits, 16)
        return otherwise

    def _unicode(self) -> int:
        if self._peek() == "{":
            end = self._source.find("}", self._at)
            digits = self._source[self._at + 1 : end] if end >= 0 else ""
            if digits and _HEX.issuperset(digits) and int(digits, 16) < 0x110000:
                self._at = end + 1
                return int(digits, 16)
            return ord("u")
        point = self._hex(4, ord("u"))
        if 0xD800 <= point < 0xDC00 and self._source.startswith("\\u", self._at):
            here = self._at
            self._at += 2
            low = self._hex(4, 0)
            if 0xDC00 <= low < 0xE000:
                return 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00)
            self._at = here
        return point

    def _octal(self, first: str) -> int:
        digits = first
        limit = 3 if first in "0123" else 2
        while len(digits) < limit and self._peek() and self._peek() in "01234567":
            digits += self._peek()
            self._at += 1
        return int(digits, 8)

    def _class(self, begun: int) -> CharSet:
        negated = self._skip("^")
        sets: list[CharSet] = []
        ranges: list[tuple[int, int]] = []
        while not self._skip("]"):
            start = self._at
            first = self._class_atom(begun)
            if self._peek() == "-" and not self._source.startswith("-]", self._at):
                self._at += 1
                second = self._class_atom(begun)
                if isinstance(first, int) and isinstance(second, int):
                    if first > second:
                        raise self._error("a range whose ends are out of order", start)
                    ranges.append((first, second + 1))
                    continue
                # `[\w-.]`: no range has a class as its end, so the hyphen is one more character.
                ranges.append((0x2D, 0x2E))
                self._add(second, sets, ranges)
            self._add(first, sets, ranges)
        chars = from_ranges(ranges)
        for other in sets:
            chars |= other
        return ~chars if negated else chars

    @staticmethod
    def _add(atom: int | CharSet, sets: list[CharSet], ranges: list[tuple[int, int]]) -> None:
        if isinstance(atom, int):
            ranges.append((atom, atom + 1))
        else:
            sets.append(atom)

    def _class_atom(self, begun: int) -> int | CharSet:
        char = self._peek()
        if not char:
            raise self._error("a character class that is never closed", begun)
        start = self._at
        self._at += 1
        if char != "\\":
            return ord(char)
        chars = self._char_escape(start, in_class=True)
        single = len(chars.bounds) == 2 and chars.bounds[1] == chars.bounds[0] + 1
        return chars.bounds[0] if single else chars


@dataclass(frozen=True, slots=True)
class _Groups:
    count: int
    names: frozenset[str]


def _count_groups(source: str) -> _Groups:
    """Count the capturing groups ahead of reading: a backreference may come before its group."""
    count = 0
    names: set[str] = set()
    at = 0
    in_class = False
    while at < len(source):
        char = source[at]
        if char == "\\":
            at += 1
        elif in_class:
            in_class = char != "]"
        elif char == "[":
            in_class = True
        elif char == "(":
            if source.startswith("(?<", at) and source[at + 3 : at + 4] not in ("=", "!", ""):
                count += 1
                names.add(source[at + 3 : source.find(">", at)])
            elif not source.startswith("(?", at):
                count += 1
        at += 1
    return _Groups(count, frozenset(names))


def _is_name(text: str) -> bool:
    return text.replace("$", "_").isidentifier()

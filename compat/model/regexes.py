"""ECMA-262 regular expressions, matched by code point and never without a limit.

JSON Schema asks for patterns that are valid with the `u` flag; many real ones are valid only without it (`\\-`,
`[\\w-.]`, a bare `{`). Those are rewritten to what they mean, so that one reading by code point serves all.
"""

from __future__ import annotations

import re
from functools import lru_cache

import corvus_regex_ecma262 as ecma

from compat.errors import RegexError

# A guard, not a verdict: patterns without backreferences match in linear time and never come near it.
_SECONDS = 2.0
_SHOWN = 80

_QUANTIFIER = re.compile(r"\{[0-9]+(?:,[0-9]*)?\}")
_ESCAPE = re.compile(
    r"""\\(?:[dDsSwWbB] | [fnrtv] | 0(?![0-9]) | [1-9][0-9]* | c[A-Za-z] | x[0-9a-fA-F]{2} | u[0-9a-fA-F]{4}
    | u\{[0-9a-fA-F]+\} | [pP]\{[^{}]*\} | k<[^<>]*> | [\^$\\.*+?()\[\]{}|/])""",
    re.VERBOSE,
)
# Octal escapes and a bare \c mean something else again without the flag; those are left to it.
_OLD_ESCAPES = frozenset("0123456789c")
_PROPERTY = re.compile(r"\\[pP]\{")
_CLASS_ESCAPE = re.compile(r"\\(?:[dDsSwW]|[pP]\{[^{}]*\})")


class Regex:
    """A compiled pattern; `matches` searches, as JSON Schema does."""

    __slots__ = ("_compiled", "source")

    def __init__(self, source: str, compiled: ecma.Regex) -> None:
        self.source = source
        self._compiled = compiled

    def matches(self, text: str) -> bool:
        """Tell whether the pattern occurs in a text; RegexError where the engine gives up."""
        try:
            return self._compiled.test(text)
        except ecma.MatchLimitError:
            raise self._too_long(text) from None

    def first(self, text: str) -> str | None:
        """Give what the first group holds where the pattern first occurs, the whole match where it has no group."""
        try:
            found = self._compiled.search(text)
        except ecma.MatchLimitError:
            raise self._too_long(text) from None
        return None if found is None else found.group(1 if self._compiled.groups else 0)

    def _too_long(self, text: str) -> RegexError:
        return RegexError(
            f"the pattern {_short(self.source)} takes too long on a text of {len(text):,} characters",
            hint="A backreference inside a repetition is the usual cause.",
        )


@lru_cache(maxsize=4096)
def compile_pattern(source: str) -> Regex:
    """Compile a pattern; RegexError where it is none of ECMA-262, with the `u` flag or without."""
    first: ecma.error | None = None
    # Without the flag \p{…} is the letter p, which nobody who writes it means.
    attempts = [(source, "u"), (_by_code_point(source), "u"), *([] if _PROPERTY.search(source) else [(source, "")])]
    for spelled, flags in attempts:
        try:
            return Regex(source, ecma.compile(spelled, flags, timeout=_SECONDS))
        except ecma.error as error:
            first = first or error
            if error.kind == "too_large":
                raise RegexError(f"the pattern {_short(source)} is too large to be compiled") from None
    why = str(first).removeprefix("ecmaregex: ").partition(' in "')[0]
    raise RegexError(f"{_short(source)} is no regular expression of ECMA-262: {why}")


def _short(source: str) -> str:
    return source if len(source) <= _SHOWN else source[: _SHOWN - 1] + "…"


def _by_code_point(source: str) -> str:
    """Spell what only the grammar without the `u` flag allows in a way that the flag allows too."""
    out: list[str] = []
    at, in_class, after_set = 0, False, False
    while at < len(source):
        char = source[at]
        if char == "\\":
            escape = _ESCAPE.match(source, at)
            if escape is not None and not (in_class and escape[0] == "\\B"):
                out.append(escape[0])
                after_set = _CLASS_ESCAPE.fullmatch(escape[0]) is not None
                at = escape.end()
                continue
            if source[at + 1 : at + 2] in _OLD_ESCAPES:
                out.append(source[at : at + 2])
            elif at + 1 < len(source):
                # Without the flag any other character stands for itself behind a backslash.
                out.append("\\-" if in_class and source[at + 1] == "-" else source[at + 1])
            else:
                out.append(char)
            at, after_set = at + 2, False
            continue
        if in_class:
            if char == "]":
                in_class = False
            elif (
                char == "-"
                and source[at + 1 : at + 2] != "]"
                and (after_set or _CLASS_ESCAPE.match(source, at + 1))
                and out[-1] not in {"[", "[^"}
            ):
                char = "\\-"
        elif char == "[":
            in_class = True
            if source[at + 1 : at + 2] == "^":
                char = "[^"
        elif char == "{":
            quantifier = _QUANTIFIER.match(source, at)
            char = "\\{" if quantifier is None else quantifier[0]
            at += 0 if quantifier is None else len(quantifier[0]) - 1
        elif char in "}]":
            char = "\\" + char
        out.append(char)
        after_set = False
        at += 2 if char == "[^" else 1
    return "".join(out)

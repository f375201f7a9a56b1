"""JSON text to value and marks: exact numbers, no duplicate keys, no NaN, bounded nesting.

The standard decoder does the work on every good text. What it refuses goes to `scan`, which reads slowly, knows where
it stands and says what is wrong; where the values of a good text start is for `marks`, when somebody asks.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal, InvalidOperation
from typing import NoReturn

from compat.jsonvalue import JSON, MAX_EXPONENT, pointer
from compat.model.text import MAX_DEPTH, Mark, TextError

_TOKEN = re.compile(
    r"""[ \t\n\r]*(?:
      (?P<text>"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*")
    | (?P<mark>[\[\]{},:])
    | (?P<word>(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)(?![\w.+-]))
    )""",
    re.VERBOSE,
)
_SPACE = re.compile(r"[ \t\n\r]*")
_SURROGATE = re.compile(r"[\ud800-\udfff]|\\u[dD][89a-fA-F]")
_NUMBER_START = frozenset("-0123456789")


def read_json(content: str) -> JSON:
    """Read one JSON value; TextError where the text is none, repeats a key, or goes beyond a bound."""
    try:
        value: JSON = _DECODER.decode(content)
    except (ValueError, RecursionError):
        scan(content)
        # The scanner found nothing wrong, so the decoder stopped at the stack of whoever called us.
        raise TextError("the text is nested too deeply to be read from here", 0) from None
    if too_deep(value):
        scan(content)
    return value


def number(text: str) -> float | Decimal:
    """Read a JSON number with a point or an exponent: a float where that is exact, else a Decimal."""
    near = float(text)
    if repr(near) == text:
        return near
    try:
        written = Decimal(text)
    except InvalidOperation:
        raise ValueError(text) from None
    if written and (abs(written.adjusted()) > MAX_EXPONENT or len(written.as_tuple().digits) > MAX_EXPONENT):
        raise ValueError(text)
    return near if near - near == 0 and Decimal(repr(near)) == written else written


def too_deep(value: object, bound: int = MAX_DEPTH) -> bool:
    """Tell whether containers nest deeper than `bound`, level by level and never on the call stack."""
    level = [value]
    for _ in range(bound):
        below: list[object] = []
        for item in level:
            if isinstance(item, dict):
                below.extend(item.values())
            elif isinstance(item, list):
                below.extend(item)
        if not below:
            return False
        level = below
    return any(isinstance(item, dict | list) for item in level)


def surrogates(content: str) -> bool:
    """Tell whether a text spells half a character, alone (`\\ud800`), which no UTF-8 text can hold."""
    if _SURROGATE.search(content) is None:
        return False
    try:
        json.dumps(_DECODER.decode(content), ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        return True
    return False


def _members(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("duplicate key")
    return members


def _refuse(text: str) -> NoReturn:
    raise ValueError(text)


_DECODER = json.JSONDecoder(object_pairs_hook=_members, parse_float=number, parse_constant=_refuse)


_PIECE = re.compile(r'("[^"\\]*(?:\\.[^"\\]*)*")[ \t\n\r]*(:?)|[\[\]{}]|[^\s\[\]{},:"]+')


def marks(content: str) -> Mark:
    """Find where every value of a text starts that `read_json` has read; a member of an object starts at its key."""
    root = Mark(0)
    stack: list[Mark] = []
    members: dict[str, Mark] | None = None
    items: list[Mark] | None = None
    key, start = "", 0
    for piece in _PIECE.finditer(content):
        text, colon = piece.group(1, 2)
        here = piece.start()
        if colon:
            key = text[1:-1] if "\\" not in text else json.loads(text)
            start = here
            continue
        first = content[here]
        if first in "}]":
            stack.pop()
            if stack:
                members, items = stack[-1].members, stack[-1].items
            continue
        if members is not None:
            mark = members[key] = Mark(start)
        else:
            mark = Mark(here)
            if items is not None:
                items.append(mark)
            else:
                root = mark
        if first == "{":
            members, items = {}, None
            mark.members = members
            stack.append(mark)
        elif first == "[":
            members, items = None, []
            mark.items = items
            stack.append(mark)
    return root


def scan(content: str) -> None:
    """Read a JSON text on an explicit stack; TextError at the first place that breaks the syntax or a bound."""
    # What is open: for an object the offsets of its keys, for an array None; with the offset of each bracket, and
    # the path so far.
    stack: list[dict[str, int] | None] = []
    opened: list[int] = []
    keys: list[str | int] = []
    at = 0
    expect = "value"
    match = _TOKEN.match
    while expect != "end":
        token = match(content, at)
        if token is None:
            _explain(content, at, expect, opened, keys)
        kind, at = token.lastgroup, token.end()
        text = token.group(kind or 0)
        here = at - len(text)
        top = stack[-1] if stack else None
        if kind == "text" and top is not None and expect in {"key", "key or }"}:
            key = text[1:-1] if "\\" not in text else json.loads(text)
            if key in top:
                _duplicate(content, top[key], here, (*keys, key))
            top[key] = here
            keys.append(key)
            expect = ":"
        elif text == ":" and expect == ":":
            expect = "value"
        elif text == "," and expect == ", or }":
            expect = "key"
        elif text == "," and expect == ", or ]":
            keys[-1] = int(keys[-1]) + 1
            expect = "value"
        elif (text == "}" and expect in {", or }", "key or }"}) or (text == "]" and expect in {", or ]", "value or ]"}):
            stack.pop()
            opened.pop()
            if text == "]":
                keys.pop()
            expect = _after(stack, keys)
        elif expect not in {"value", "value or ]"} or (kind == "mark" and text not in "[{"):
            _explain(content, here, expect, opened, keys)
        elif kind != "mark":
            if text[0] in _NUMBER_START:
                _check_number(text, here, keys)
            expect = _after(stack, keys)
        else:
            if len(stack) == MAX_DEPTH:
                raise TextError(f"the text nests deeper than {MAX_DEPTH} levels", here, pointer=pointer(keys[:8]))
            stack.append({} if text == "{" else None)
            opened.append(here)
            if text == "[":
                keys.append(0)
            expect = "key or }" if text == "{" else "value or ]"
    rest = _SPACE.match(content, at)
    if rest is not None and rest.end() < len(content):
        raise TextError(
            "the value ends before this; one JSON value is expected",
            rest.end(),
            hint="Is it one value per line (NDJSON)? Those are records, not one document.",
        )


def _after(stack: list[dict[str, int] | None], keys: list[str | int]) -> str:
    """Tell what may come after a value; inside an object its key is done with."""
    if not stack:
        return "end"
    if stack[-1] is None:
        return ", or ]"
    keys.pop()
    return ", or }"


def _duplicate(content: str, first: int, here: int, path: tuple[str | int, ...]) -> NoReturn:
    line = content.count("\n", 0, first) + 1
    column = first - (content.rfind("\n", 0, first) + 1) + 1
    raise TextError(
        f"the key {json.dumps(path[-1], ensure_ascii=False)} stands here again; it is already at {line}:{column}",
        here,
        pointer=pointer(path),
        hint="Keep one of the two; which one counts differs from reader to reader.",
    )


def _check_number(text: str, here: int, keys: list[str | int]) -> None:
    if text.lstrip("-").isdigit():
        if len(text) > MAX_EXPONENT:
            raise TextError(f"a number of more than {MAX_EXPONENT:,} digits is not read", here, pointer=pointer(keys))
        return
    try:
        number(text)
    except ValueError:
        raise TextError(
            f"a number beyond 10^{MAX_EXPONENT} (or as long) is not read", here, pointer=pointer(keys)
        ) from None


_WORDS = re.compile(r"-?\w+")


def _explain(content: str, at: int, expect: str, opened: list[int], keys: list[str | int]) -> NoReturn:
    space = _SPACE.match(content, at)
    at = at if space is None else space.end()
    where = pointer(keys)
    if at >= len(content):
        if not opened:
            raise TextError("the text is empty" if not content.strip() else "the text ends too early", at)
        line = content.count("\n", 0, opened[-1]) + 1
        kind = "object" if content[opened[-1]] == "{" else "array"
        raise TextError(f"the text ends inside the {kind} that line {line} opens", at, pointer=where)
    found = content[at]
    word = _WORDS.match(content, at)
    if found == '"':
        _explain_string(content, at, expect, where)
    if found in "}]" and expect in {"key", "value"} and opened:
        raise TextError(f"a comma right before {found}", at, pointer=where, hint="JSON allows no trailing comma.")
    if content.startswith(("//", "/*", "#"), at):
        raise TextError("JSON has no comments", at, pointer=where, hint='Say it in "$comment", or use YAML.')
    if found == "'":
        raise TextError("a string in single quotes; JSON takes double quotes", at, pointer=where)
    if word is not None and word[0] in {"NaN", "Infinity", "-Infinity"}:
        raise TextError(f"{word[0]} is no JSON number", at, pointer=where)
    shown = json.dumps(found if word is None else word[0][:40], ensure_ascii=False)
    wanted = {"value": "a value", "value or ]": "a value or ]", "key": "a key in double quotes"}.get(expect, expect)
    raise TextError(f"expected {wanted}, found {shown}", at, pointer=where)


def _explain_string(content: str, at: int, expect: str, where: str) -> NoReturn:
    token = _TOKEN.match(content, at)
    if token is not None:
        raise TextError(f"expected {expect}, found a string", at, pointer=where)
    place = at + 1
    while place < len(content) and content[place] != '"':
        if content[place] < " ":
            what = "a line break" if content[place] in "\r\n" else f"the control character U+{ord(content[place]):04X}"
            raise TextError(f"{what} inside a string", place, pointer=where, hint="Write it as an escape, such as \\n.")
        if content[place] == "\\":
            if re.match(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})', content[place : place + 6]) is None:
                raise TextError("an escape that JSON does not know", place, pointer=where)
            place += 1
        place += 1
    raise TextError("the text ends inside a string", at, pointer=where)

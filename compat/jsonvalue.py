"""JSON values as mathematics has them: equality, canonical bytes, digests, JSON Pointers.

Python's `True == 1` and JSON's `1 = 1.0` both trap a naive comparison; everything that compares or keys
instances goes through `equal` and `freeze`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

import orjson

# A number that a float would distort is kept as a Decimal by our parsers.
JSON: TypeAlias = "bool | int | float | Decimal | str | Sequence[JSON] | Mapping[str, JSON] | None"
Number: TypeAlias = int | float | Decimal | Fraction

# Beyond this exponent exact arithmetic is a way to hang us, not a number anyone stores. With it and this many digits
# every number still fits the 4,300 digits that Python is ready to print.
MAX_EXPONENT = 4_000


def is_number(value: object) -> bool:
    """Tell a JSON number from everything else; booleans are not numbers."""
    return isinstance(value, int | float | Decimal | Fraction) and not isinstance(value, bool)


def exact(number: Number) -> Fraction:
    """Give the rational that the shortest decimal form of `number` denotes (0.1 is 1/10)."""
    if isinstance(number, float):
        return Fraction(Decimal(repr(number)))
    return Fraction(number)


def plain(number: Fraction) -> int | float | Decimal:
    """Give the plainest Python number that denotes `number`: int, else float, else Decimal, else the nearest float.

    Only rationals with a finite decimal expansion can be written in JSON; the caller avoids the others.
    """
    if number.denominator == 1:
        return number.numerator
    try:
        near = number.numerator / number.denominator
    except OverflowError:
        near = float("inf")
    if near not in (float("inf"), float("-inf")) and exact(near) == number:
        return near
    written = decimal_of(number)
    return near if written is None else written


def decimal_of(number: Fraction) -> Decimal | None:
    """Write a rational as a finite decimal, or None where its expansion never ends."""
    denominator, twos, fives = number.denominator, 0, 0
    while denominator % 2 == 0:
        denominator //= 2
        twos += 1
    while denominator % 5 == 0:
        denominator //= 5
        fives += 1
    if denominator != 1:
        return None
    places = max(twos, fives)
    digits = number.numerator * 10**places // number.denominator
    sign, text = (1, str(-digits)) if digits < 0 else (0, str(digits))
    return Decimal((sign, tuple(int(d) for d in text), -places))


def freeze(value: object) -> Hashable:
    """Give a hashable key that two values share exactly if JSON Schema calls them equal.

    Types are part of every key, so `true` and `1` differ while `1` and `1.0` agree (2020-12 core §4.2.2).
    """
    if value is None or isinstance(value, bool):
        return ("c", value)
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return ("n", value)
    if isinstance(value, float | Decimal | Fraction):
        number = exact(value)
        return ("n", number.numerator) if number.denominator == 1 else ("n", number)
    if isinstance(value, Mapping):
        return ("o", frozenset((key, freeze(item)) for key, item in value.items()))
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return ("a", tuple(freeze(item) for item in value))
    raise TypeError(f"no JSON value: {type(value).__name__}")


def equal(left: object, right: object) -> bool:
    """Compare two instances as JSON Schema does (2020-12 core §4.2.2)."""
    return freeze(left) == freeze(right)


def dumps(value: object, *, indent: int | None = None, sort_keys: bool = False) -> str:
    """Write a value as JSON text, exact numbers included; non-ASCII text is kept readable.

    The standard encoder cannot print a Decimal, and a rounded number would no longer be the witness.
    """
    try:
        return json.dumps(value, ensure_ascii=False, indent=indent, sort_keys=sort_keys)
    except (TypeError, RecursionError):
        pass
    out: list[str] = []
    _dump(value, out, indent, sort_keys, "\n")
    return "".join(out)


def _dump(value: object, out: list[str], indent: int | None, sort_keys: bool, newline: str) -> None:
    if isinstance(value, Mapping):
        keys = sorted(value) if sort_keys else list(value)
        entries: list[tuple[str, object]] = [(json.dumps(key, ensure_ascii=False) + ": ", value[key]) for key in keys]
        brackets = "{}"
    elif isinstance(value, Sequence) and not isinstance(value, str):
        entries = [("", item) for item in value]
        brackets = "[]"
    else:
        out.append(_scalar(value))
        return
    inner = newline if indent is None else newline + " " * indent
    out.append(brackets[0])
    for index, (label, item) in enumerate(entries):
        if index:
            out.append("," if indent is not None else ", ")
        if indent is not None:
            out.append(inner)
        out.append(label)
        _dump(item, out, indent, sort_keys, inner)
    if entries and indent is not None:
        out.append(newline)
    out.append(brackets[1])


def _scalar(value: object) -> str:
    if isinstance(value, Fraction):
        value = plain(value)
    if isinstance(value, Decimal):
        return str(value)
    return json.dumps(value, ensure_ascii=False)


def written(value: object) -> bytes | None:
    """Give the JSON text of a value, fast; None where it holds what the encoder does not take (a Decimal, say).

    Equal text is one value, types of numbers included; values that are equal may differ in their text.
    """
    try:
        return orjson.dumps(value)
    except TypeError:
        return None


def canonical(value: object) -> bytes:
    """Write a value so that equal values give equal bytes: sorted keys, no space, integral numbers as integers."""
    if _is_ordinary(value):
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    else:
        out: list[str] = []
        _canonical(value, out)
        text = "".join(out)
    return text.encode("utf-8", "surrogatepass")


def _is_ordinary(value: object) -> bool:
    # The standard encoder is ten times as fast and writes the same, but for numbers that are not ints.
    level = [value]
    while level:
        below: list[object] = []
        for item in level:
            if isinstance(item, dict):
                below.extend(item.values())
            elif isinstance(item, list):
                below.extend(item)
            elif not isinstance(item, str | int) and item is not None:
                return False
        level = below
    return True


def _canonical(value: object, out: list[str]) -> None:
    if value is None or isinstance(value, bool | str):
        out.append(json.dumps(value, ensure_ascii=False))
    elif isinstance(value, int | float | Decimal | Fraction):
        number = exact(value)
        out.append(str(number.numerator) if number.denominator == 1 else f"{number.numerator}/{number.denominator}")
    elif isinstance(value, Mapping):
        out.append("{")
        for index, key in enumerate(sorted(value)):
            out.append(f"{',' if index else ''}{json.dumps(key, ensure_ascii=False)}:")
            _canonical(value[key], out)
        out.append("}")
    elif isinstance(value, Sequence) and not isinstance(value, bytes):
        out.append("[")
        for index, item in enumerate(value):
            if index:
                out.append(",")
            _canonical(item, out)
        out.append("]")
    else:
        raise TypeError(f"no JSON value: {type(value).__name__}")


def digest(value: object) -> str:
    """Give `sha256:…` of the canonical bytes: the identity of a content, whatever its spelling."""
    return "sha256:" + hashlib.sha256(canonical(value)).hexdigest()


def pointer(tokens: Iterable[str | int]) -> str:
    """Join tokens to a JSON Pointer (RFC 6901 §3)."""
    text = ""
    for token in tokens:
        part = str(token)
        if "~" in part or "/" in part:
            part = part.replace("~", "~0").replace("/", "~1")
        text += "/" + part
    return text


def tokens(pointer: str) -> tuple[str, ...]:
    """Split a JSON Pointer into its tokens (RFC 6901 §4); ValueError where it is none."""
    if pointer == "":
        return ()
    if not pointer.startswith("/"):
        raise ValueError(f"a JSON Pointer starts with '/': {pointer!r}")
    parts = pointer[1:].split("/")
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in parts) if "~" in pointer else tuple(parts)


def step(value: object, token: str) -> object:
    """Go one token down; KeyError or IndexError where there is nothing (RFC 6901 §4: no leading zeros)."""
    if isinstance(value, dict | Mapping):
        return value[token]
    if isinstance(value, Sequence) and not isinstance(value, str):
        # No array has a position of 19 digits, and Python refuses to read numbers of thousands.
        if not token.isascii() or not token.isdigit() or len(token) > 18 or (len(token) > 1 and token[0] == "0"):
            raise KeyError(token)
        return value[int(token)]
    raise KeyError(token)


def resolve(value: object, pointer: str) -> object:
    """Give the value that a JSON Pointer names; KeyError or IndexError where there is none."""
    for token in tokens(pointer):
        value = step(value, token)
    return value


def walk(value: object, at: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], object]]:
    """Yield every value inside `value` with its path, parents first, on an explicit stack of any depth."""
    stack: list[tuple[tuple[str | int, ...], object]] = [(at, value)]
    while stack:
        path, item = stack.pop()
        yield path, item
        if isinstance(item, Mapping):
            stack.extend(((*path, key), child) for key, child in reversed(list(item.items())))
        elif isinstance(item, Sequence) and not isinstance(item, str):
            stack.extend(((*path, index), item[index]) for index in range(len(item) - 1, -1, -1))


def scalars(value: object) -> Iterator[object]:
    """Yield every scalar in a value, and every key."""
    stack: list[object] = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            yield from item
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
        else:
            yield item

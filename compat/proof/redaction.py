"""Stored records that may be shown: their form, and of their values only what a schema itself writes down.

Strings and numbers become placeholders of the same form, equal ones equal placeholders and others others; members
whose names no schema publishes are left out. The result has to be an instance like the record was: where a schema
refuses a placeholder a closer one takes its place, then what a made-up instance has there, and at last nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from itertools import islice, takewhile
from string import ascii_letters, digits, punctuation
from typing import Any, Final

from compat.jsonvalue import JSON, canonical, freeze, walk
from compat.proof.grafting import Path, at, has, replaced, size
from compat.proof.offers import Offers

# So many records are looked at, and so many of the smallest are kept.
MAX_READ: Final = 256
MAX_KEPT: Final = 24
# Larger or deeper values nobody reads, and some are made to hang whoever takes them apart.
MAX_SIZE: Final = 4_096
MAX_DEPTH: Final = 32

_ROUNDS: Final = 5
# The placeholder of a long text is shorter, unless a schema wants the length.
_LONG: Final = 48

# Gives the places at which a schema refuses a value; None where it cannot be asked.
Refuses = Callable[[JSON], Sequence[Path] | None]


class Records:
    """Stored records, read when the first of them is needed."""

    def __init__(self, source: Iterable[JSON] = ()) -> None:
        self._source = source

    @cached_property
    def taken(self) -> tuple[JSON, ...]:
        """The smallest of the first records, in an order that does not hang on theirs."""
        source = iter(self._source)
        modest = {canonical(each): each for each in islice(source, MAX_READ) if is_modest(each)}
        if isinstance(source, Generator):
            source.close()  # and with it the file that it reads
        return tuple(modest[key] for key in sorted(modest, key=lambda key: (len(key), key))[:MAX_KEPT])


def is_modest(value: JSON) -> bool:
    """Whether a value is small enough to be worked on and read."""
    for count, (path, _) in enumerate(walk(value)):
        if len(path) > MAX_DEPTH or count > MAX_SIZE // 4:
            return False
    return size(value) <= MAX_SIZE


def redacted(record: JSON, made_up: JSON, offers: Sequence[Offers], refuses: Refuses) -> JSON | None:
    """Give what may be shown of a record, as an instance of the schema that took the record; None where nothing may.

    `made_up` is an instance that no record had a part in. A record that is no instance is nothing to build on.
    """
    if refuses(record) != []:
        return None
    hidden = _Hidden(record, made_up, offers)
    for _ in range(_ROUNDS):
        value = hidden.shown()
        refused = refuses(value)
        if not refused:
            return None if refused is None else value
        if not hidden.closer(refused):
            break
    return None


class _Hidden:
    """A record with its private places and what stands for each."""

    def __init__(self, record: JSON, made_up: JSON, offers: Sequence[Offers]) -> None:
        self._made_up = made_up
        names = frozenset().union(*(each.names for each in offers))
        self._gone = {path for path, _ in walk(record) if path and isinstance(path[-1], str) and path[-1] not in names}
        self._record = record
        self._level = {
            path: 0
            for path, value in walk(record)
            if _is_private(value) and not any(each.lists(path, at(record, path)) for each in offers)
        }
        self._taken: dict[Hashable, Hashable] = {}

    def shown(self) -> JSON:
        """Write the record with what stands for its private places now."""
        self._taken = {}
        changes: dict[Path, JSON] = {}
        gone = set(self._gone)
        for path, level in self._level.items():
            standing = next(islice(self._standing(path), level, None), None)
            if standing is None:
                gone.add(path)
            else:
                changes[path] = standing
        shown: JSON = replaced(self._record, changes, gone)
        return shown

    def closer(self, refused: Sequence[Path]) -> bool:
        """Take the next placeholder where a schema refuses one, or something around it; say whether there was any."""
        moved = [path for path in self._level if any(place == path[: len(place)] for place in refused)]
        for path in moved:
            self._level[path] += 1
        return any(self._level[path] <= 4 for path in moved)

    def _standing(self, path: Path) -> Iterator[JSON]:
        """Yield what may stand for a private place, the next where the one before is refused."""
        value: Any = at(self._record, path)
        there: Any = at(self._made_up, path) if has(self._made_up, path) else None
        if isinstance(value, str):
            known = _shared(value, there) if isinstance(there, str) else ""
            yield self._own(value, _masked(value[:_LONG]))
            yield self._own(value, known + _masked(value[len(known) :], closely=True))
        else:
            yield self._own(value, _number(value))
        if _is_private(there) and isinstance(there, str) is isinstance(value, str):
            yield there

    def _own(self, value: JSON, placeholder: JSON) -> JSON:
        """Give a placeholder that no other value has and that is not the value itself; None where there is none."""
        key = freeze(value)
        for candidate in _varied(placeholder):
            taken = freeze(candidate)
            if taken != key and self._taken.setdefault(taken, key) == key:
                return candidate
        return None


def _is_private(value: object) -> bool:
    return isinstance(value, str | int | float | Decimal) and not isinstance(value, bool) and value != ""


def _shared(one: str, other: str) -> str:
    """Give how two texts begin alike, in whole words: a part of one is a coincidence that may tell something."""
    begun = "".join(char for char, _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return begun.rstrip(ascii_letters + digits)


def _masked(text: str, *, closely: bool = False) -> str:
    """Write a text of the same form: x for letters, 1 for digits; `closely` keeps hexadecimal digits apart."""
    return "".join(_mask(char, closely) for char in text)


def _mask(char: str, closely: bool) -> str:
    if char in digits:
        return "1"
    if char in ascii_letters:
        plain = "a" if closely and char.lower() in "abcdef" else "x"
        return plain if char.islower() else plain.upper()
    return char if char in punctuation or char == " " else "x"


def _number(value: Any) -> JSON:
    """Write a number with the same sign and as many digits."""
    sign = -1 if value < 0 else 1
    ones = int("1" * min(len(str(abs(int(value)))), 15))
    whole = isinstance(value, int) or value == int(value)
    return sign * ones if whole else sign * float(f"{ones}.1")


def _varied(placeholder: JSON) -> Iterator[JSON]:
    """Yield a placeholder and others like it."""
    yield placeholder
    if isinstance(placeholder, str):
        last = next((index for index in range(len(placeholder) - 1, -1, -1) if placeholder[index].isalnum()), None)
        if last is None:
            yield "x" * len(placeholder)
            last, placeholder = len(placeholder) - 1, "x" * len(placeholder)
        char = placeholder[last]
        others = digits[2:] + digits[:1] if char.isdigit() else "yzwvutsrqponmlkjihgfedcba"
        for other in others:
            written = other.upper() if char.isupper() else other
            yield placeholder[:last] + written + placeholder[last + 1 :]
    elif isinstance(placeholder, int | float):
        step = 1 if placeholder > 0 else -1
        yield from (placeholder + step * more for more in range(1, 30))

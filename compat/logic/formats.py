"""Asserted formats as regular languages, as far as they are regular.

A format is known by two languages: every string in it is in `over`, and every string in `under` is in it. For most
the two are one. What lies between them (a leap second that its offset puts elsewhere, say) the validator decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from compat.logic.regex import Language


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is known of a format."""

    over: Language
    under: Language

    @property
    def exact(self) -> bool:
        return self.over is self.under


_COMMON_YEAR: Final = (
    r"\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))"
)
_LEAP_DAY: Final = r"(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29"
_DATE: Final = f"(?:{_COMMON_YEAR}|{_LEAP_DAY})"
_ZONE: Final = r"(?:[zZ]|[+-](?:[01]\d|2[0-3]):[0-5]\d)"
_TIME: Final = rf"(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?{_ZONE}"
_TIME_OR_LEAP: Final = rf"(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?{_ZONE}"
_OCTET: Final = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]\d|\d)"
_IPV4: Final = rf"{_OCTET}(?:\.{_OCTET}){{3}}"
_GROUP: Final = "[0-9a-fA-F]{1,4}"
_LAST: Final = f"(?:{_GROUP}:{_GROUP}|{_IPV4})"
# RFC 3986 §3.2.2: how many groups may stand before `::` for each number of groups after it.
_IPV6: Final = "|".join(
    [
        f"(?:{_GROUP}:){{6}}{_LAST}",
        *(f"(?:(?:{_GROUP}:){{0,{5 - after - 1}}}{_GROUP})?::(?:{_GROUP}:){{{after}}}{_LAST}" for after in range(5)),
        f"::(?:{_GROUP}:){{5}}{_LAST}",
        f"(?:(?:{_GROUP}:){{0,5}}{_GROUP})?::{_GROUP}",
        f"(?:(?:{_GROUP}:){{0,6}}{_GROUP})?::",
    ]
)
_POINTER: Final = "(?:/(?:[^~/]|~[01])*)*"
_DURATION_DATE: Final = r"(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)"
_DURATION_TIME: Final = r"T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S)"

# Name → a pattern that is the format, or one around it and one inside it.
_PATTERNS: Final[dict[str, tuple[str, str]]] = {
    "date": (_DATE, _DATE),
    "time": (_TIME_OR_LEAP, _TIME),
    "date-time": (f"{_DATE}[tT]{_TIME_OR_LEAP}", f"{_DATE}[tT]{_TIME}"),
    "ipv4": (_IPV4, _IPV4),
    "ipv6": (_IPV6, _IPV6),
    "uuid": (uuid := "[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}", uuid),
    "duration": (duration := rf"P(?:\d+W|{_DURATION_DATE}(?:{_DURATION_TIME})?|{_DURATION_TIME})", duration),
    "json-pointer": (_POINTER, _POINTER),
    "relative-json-pointer": (
        relative := rf"(?:0|[1-9]\d*)(?:[+-](?:0|[1-9]\d*))?(?:#|{_POINTER})",
        relative,
    ),
}

# Name → a pattern around a format of which no more is known, and one of some strings that surely are in it.
_EMAIL: Final = ("[^]+@[^]+", "[a-z]{1,20}@[a-z]{1,20}(?:\\.[a-z]{2,8}){1,3}")
_ABSOLUTE: Final = ("[a-zA-Z][^]*:[^]*", "[a-z]{1,8}:[a-z]{1,20}")
_LOOSELY: Final[dict[str, tuple[str, str]]] = {
    "email": _EMAIL,
    "idn-email": _EMAIL,
    "hostname": ("[^]+", "[a-z]{1,20}(?:\\.[a-z]{1,20}){0,3}"),
    "regex": ("[^]*", "[a-z]{0,20}"),
    "uri": _ABSOLUTE,
    "iri": _ABSOLUTE,
    "uri-reference": ("[^]*", "[a-z]{1,20}"),
    "iri-reference": ("[^]*", "[a-z]{1,20}"),
    "uri-template": ("[^]*", "[a-z]{1,20}"),
}

# Every string in the first is in the second, by the specifications that define them.
_WITHIN: Final = frozenset(
    {
        ("email", "idn-email"),
        ("hostname", "idn-hostname"),
        ("uri", "uri-reference"),
        ("uri", "iri"),
        ("uri", "iri-reference"),
        ("uri-reference", "iri-reference"),
        ("iri", "iri-reference"),
    }
)


@cache
def bounds(name: str) -> Bounds | None:
    """Give the languages around and inside a format; None where nothing is known of it."""
    found = _PATTERNS.get(name)
    if found is None:
        return None
    over, under = found
    whole = Language.pattern(f"^(?:{over})$")
    return Bounds(whole, whole if under == over else Language.pattern(f"^(?:{under})$"))


@cache
def language(name: str) -> Language:
    """Give a format as a language; exact where the format is regular, else known from outside and inside."""
    known = bounds(name)
    if known is not None:
        return known.over if known.exact else Language.format(name, known.over, known.under)
    if name not in _LOOSELY:
        return Language.format(name, Language.all(), Language.none())
    over, under = (Language.pattern(f"^(?:{pattern})$") for pattern in _LOOSELY[name])
    return Language.format(name, over, under)


def within(name: str, other: str) -> bool:
    """Say that every string in one format is in another, as far as that is known."""
    return name == other or (name, other) in _WITHIN

"""The formats of JSON Schema, for when they are asserted: each as its own specification defines it.

A known format is asserted in every dialect, whichever first listed it. Unknown ones, and `idn-hostname` (whose tables
are larger than this project), say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jsonschema import FormatChecker


class Pattern:
    """A regular expression that is compiled when it is first asked: all of them at once would cost every command."""

    def __init__(self, source: str, flags: int = 0) -> None:
        self._source = source
        self._flags = flags

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return self._compiled.fullmatch(text)

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self._source, self._flags)


_DATE = Pattern(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_TIME = Pattern(r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?(?:[zZ]|([+-])([0-9]{2}):([0-9]{2}))")
_DURATION = Pattern(
    r"P(?:[0-9]+W|(?=[0-9T])(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)?"
    r"(?:T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S))?)"
)
_UUID = Pattern(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_LABEL = Pattern(r"[0-9A-Za-z](?:[0-9A-Za-z-]{0,61}[0-9A-Za-z])?")
_POINTER = Pattern(r"(?:/(?:[^~/]|~[01])*)*", re.DOTALL)
_RELATIVE_POINTER = Pattern(r"(?:0|[1-9][0-9]*)(?:[+-](?:0|[1-9][0-9]*))?(#|(?:/(?:[^~/]|~[01])*)*)", re.DOTALL)

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_QUOTED = r'"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"'
_LOCAL = Pattern(rf"{_ATOM}(?:\.{_ATOM})*|{_QUOTED}")
_WIDE = "\u0080-\U0010ffff"
_WIDE_ATOM = _ATOM.replace("A-Za-z0-9", f"A-Za-z0-9{_WIDE}")
_WIDE_LOCAL = Pattern(rf"{_WIDE_ATOM}(?:\.{_WIDE_ATOM})*|{_QUOTED.replace('x7e', 'x7e' + _WIDE, 1)}")

# RFC 3986 appendix A, and RFC 3987 §2.2 for what IRIs add.
_IRI_EXTRA = (
    "\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef\U00010000-\U0001fffd\U00020000-\U0002fffd\U00030000-\U0003fffd"
    "\U00040000-\U0004fffd\U00050000-\U0005fffd\U00060000-\U0006fffd\U00070000-\U0007fffd\U00080000-\U0008fffd"
    "\U00090000-\U0009fffd\U000a0000-\U000afffd\U000b0000-\U000bfffd\U000c0000-\U000cfffd\U000d0000-\U000dfffd"
    "\U000e1000-\U000efffd"
)
_IRI_PRIVATE = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"


def _uri_pattern(extra: str, private: str) -> Pattern:
    plain = rf"A-Za-z0-9._~{extra}!$&'()*+,;=\-"
    escape = "%[0-9A-Fa-f]{2}"
    char = rf"(?:[{plain}:@]|{escape})"
    return Pattern(
        r"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):)?"
        rf"(?://(?:(?:[{plain}:]|{escape})*@)?(?:\[(?P<literal>[^\]]*)\]|(?:[{plain}]|{escape})*)(?::[0-9]*)?(?=[/?#]|\Z)|(?!//))"
        rf"(?P<path>(?:{char}|/)*)"
        rf"(?:\?(?:[{plain}:@/?{private}]|{escape})*)?"
        rf"(?:\#(?:{char}|[/?])*)?"
    )


_URI = _uri_pattern("", "")
_IRI = _uri_pattern(_IRI_EXTRA, _IRI_PRIVATE)
_FUTURE_ADDRESS = Pattern(r"[vV][0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+")

# RFC 6570 §2: literals and expressions, each variable with at most one modifier.
_VARIABLE = r"(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*(?:\*|:[1-9][0-9]{0,3})?"
_TEMPLATE = Pattern(
    rf"(?:[^\x00-\x20\x22\x25\x3c\x3e\x5c\x5e\x60\x7b-\x7d\x7f-\x9f]|%[0-9A-Fa-f]{{2}}"
    rf"|\{{[+#./;?&=,!@|]?{_VARIABLE}(?:,{_VARIABLE})*\}})*"
)
_MONTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def _date(text: str) -> bool:
    found = _DATE.fullmatch(text)
    if found is None:
        return False
    year, month, day = (int(part) for part in found.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= month <= 12 and 1 <= day <= _MONTHS[month - 1] + (month == 2 and leap)


def _time(text: str) -> bool:
    found = _TIME.fullmatch(text)
    if found is None:
        return False
    hour, minute, second = int(found[1]), int(found[2]), int(found[3])
    off_hour, off_minute = int(found[5] or 0), int(found[6] or 0)
    if hour > 23 or minute > 59 or second > 60 or off_hour > 23 or off_minute > 59:
        return False
    # A leap second is the last of a day of UTC (RFC 3339 §5.7).
    offset = (off_hour * 60 + off_minute) * (-1 if found[4] == "-" else 1)
    return second < 60 or (hour * 60 + minute - offset) % 1440 == 1439


def _date_time(text: str) -> bool:
    return text[10:11] in {"T", "t"} and _date(text[:10]) and _time(text[11:])


def _ipv4(text: str) -> bool:
    try:
        IPv4Address(text)
    except AddressValueError:
        return False
    return text.isascii()


def _ipv6(text: str) -> bool:
    try:
        IPv6Address(text)
    except AddressValueError:
        return False
    return text.isascii() and "%" not in text


def _hostname(text: str) -> bool:
    labels = text.split(".")
    return len(text) <= 253 and all(
        _LABEL.fullmatch(label) and (label[:4].lower() != "xn--" or _a_label(label)) for label in labels
    )


def _a_label(label: str) -> bool:
    # An A-label decodes to something beyond ASCII; which of those IDNA allows is a table that is not here.
    try:
        return not label[4:].encode().decode("punycode").isascii()
    except (UnicodeError, ValueError):
        return False


def _email(text: str, local_part: Pattern = _LOCAL, host: Callable[[str], bool] = _hostname) -> bool:
    local, at, domain = text.rpartition("@")
    if not at or local_part.fullmatch(local) is None:
        return False
    if domain.startswith("[") and domain.endswith("]"):
        literal = domain[1:-1]
        return _ipv6(literal[5:]) if literal[:5].lower() == "ipv6:" else _ipv4(literal)
    return host(domain)


def _wide_host(text: str) -> bool:
    return bool(text) and all(re.fullmatch(rf"[0-9A-Za-z{_WIDE}-]+", label) for label in text.split("."))


def _reference(pattern: Pattern, text: str) -> re.Match[str] | None:
    found = pattern.fullmatch(text)
    if found is None:
        return None
    literal = found["literal"]
    if literal is not None and not _ipv6(literal) and _FUTURE_ADDRESS.fullmatch(literal) is None:
        return None
    # Without a scheme the first segment of a relative path must not look like one (RFC 3986 §4.2).
    if found["scheme"] is None and ":" in found["path"].partition("/")[0] and not text.startswith("//"):
        return None
    return found


def _absolute(pattern: Pattern, text: str) -> bool:
    found = _reference(pattern, text)
    return found is not None and found["scheme"] is not None


def _regex(text: str) -> bool:
    import corvus_regex_ecma262 as ecma

    return ecma.is_valid(text, "u")


_FORMATS: dict[str, Callable[[str], bool]] = {
    "date": _date,
    "date-time": _date_time,
    "duration": lambda text: _DURATION.fullmatch(text) is not None,
    "email": _email,
    "hostname": _hostname,
    "idn-email": lambda text: _email(text, _WIDE_LOCAL, _wide_host),
    "ipv4": _ipv4,
    "ipv6": _ipv6,
    "iri": lambda text: _absolute(_IRI, text),
    "iri-reference": lambda text: _reference(_IRI, text) is not None,
    "json-pointer": lambda text: _POINTER.fullmatch(text) is not None,
    "regex": _regex,
    "relative-json-pointer": lambda text: _RELATIVE_POINTER.fullmatch(text) is not None,
    "time": _time,
    "uri": lambda text: _absolute(_URI, text),
    "uri-reference": lambda text: _reference(_URI, text) is not None,
    "uri-template": lambda text: _TEMPLATE.fullmatch(text) is not None,
    "uuid": lambda text: _UUID.fullmatch(text) is not None,
}

# Those that jsonschema-rs asserts in every dialect and reads alike; the rest are left to the reference.
SHARED = frozenset({"date", "ipv4", "ipv6"})


def test_format(name: str, text: str) -> bool | None:
    """Tell whether a string is in a format; None for a format that says nothing."""
    check = _FORMATS.get(name)
    return None if check is None else check(text)


def checker() -> FormatChecker:
    """Give the formats in the form in which jsonschema takes them."""
    from jsonschema import FormatChecker

    made = FormatChecker(formats=())
    for name, check in _FORMATS.items():
        made.checkers[name] = (_on_strings(check), ())
    return made


def _on_strings(check: Callable[[str], bool]) -> Callable[[object], bool]:
    return lambda value: not isinstance(value, str) or check(value)

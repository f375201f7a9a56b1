"""What one text says by itself, read once for each content: its identity, what its number is read from, its faults.

History is mostly texts that nobody will compare again, so this reads them by the quickest way that gives the same
answers as parsing them with all their places.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from typing import Final

import orjson

from compat.errors import CompatError
from compat.jsonvalue import JSON, exact
from compat.lineage.origin import VERSION_KEYWORDS, constant, tagged
from compat.model.document import Document, Syntax, parse_document
from compat.project.scanning import scan_links

_STANDARD: Final = re.compile(r"https?://json-schema\.org/draft(?:-0[467]|/2019-09|/2020-12)/schema#?")

# A number may stand where one of these is before it; inside of strings it looks so, too, and that does no harm.
_NUMBER: Final = re.compile(rb"[:,\[\s](-?[0-9][0-9.eE+-]*)")
_FRACTION: Final = re.compile(rb"[:,\[]-?[0-9]+[.e]")
_KEY_END: Final = re.compile(rb'"[ \t\r\n]*:')
# Everything up to a number or the end, and the number, in compact JSON; strings are stepped over whole.
_TO_NUMBER: Final = re.compile(rb'((?:[^"0-9-]++|"(?:[^"\\]++|\\.)*+")*+)(-?[0-9][0-9.e+-]*|\Z)')
# Fifteen digits are as many as a float always gives back as they were written.
_MOST_DIGITS: Final = 15


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a content: `digest` as a document has it, empty where it cannot be read, with its `problem`.

    `numbered` is a schema with nothing but what version numbers are read from. `closed` ones mean the same wherever
    they stand: nothing in them leads elsewhere.
    """

    digest: str
    problem: str = ""
    numbered: JSON = None
    closed: bool = False

    @property
    def identifier(self) -> str | None:
        """The `$id` of its root."""
        value = self.numbered
        stated = value.get("$id", value.get("id")) if isinstance(value, Mapping) else None
        return stated if isinstance(stated, str) else None


def facts_of(data: bytes, path: str) -> Facts:
    """Read the facts of a text."""
    syntax = Syntax.of(path)
    quick = _quickly(data) if syntax is Syntax.JSON else None
    if quick is not None:
        value, digest = quick
    else:
        try:
            document = parse_document(data, name=path, syntax=syntax)
        except CompatError as error:
            return Facts("", error.message)
        value, digest = document.value, document.digest
        if syntax is Syntax.YAML:
            return Facts(digest, "", numbered(value), _stays(value) and document.glance.is_closed)
    leads = any(word in data for word in (b"$ref", b"Ref", b"\\u"))
    links = scan_links(path, data).references if leads else ()
    return Facts(digest, "", numbered(value), _stays(value) and all(ref[:1] == "#" for ref in links))


def facts_of_document(document: Document) -> Facts:
    """Give the facts of what is parsed already."""
    value = document.value
    return Facts(document.digest, "", numbered(value), _stays(value) and document.glance.is_closed)


def _stays(value: JSON) -> bool:
    """Whether the dialect is known by name alone: a meta-schema of one's own may change beside the schema."""
    stated = value.get("$schema", "") if isinstance(value, Mapping) else ""
    return not stated or (isinstance(stated, str) and _STANDARD.fullmatch(stated) is not None)


def numbered(value: JSON) -> JSON:
    """Give the part of a schema that `version_of` looks at; it finds the same number there."""
    if not isinstance(value, Mapping):
        return None
    told: dict[str, JSON] = {key: value[key] for key in _TELLING if key in value and _is_short(value[key])}
    own = value.get("self")
    if isinstance(own, Mapping) and _is_short(own.get("version")):
        told["self"] = {"version": own.get("version")}
    properties = value.get("properties")
    if isinstance(properties, Mapping):
        held = {name: found[1] for name, sub in properties.items() if (found := constant(sub)) is not None}
        tags: dict[str, JSON] = {name: {"const": one} for name, one in held.items() if tagged(one) is not None}  # type: ignore[dict-item]
        if tags:
            told["properties"] = tags
    return told


_TELLING: Final = ("$id", "id", *VERSION_KEYWORDS)


def _is_short(value: object) -> bool:
    return isinstance(value, str | int) and len(str(value)[:5000]) < 5000


def _quickly(data: bytes) -> tuple[JSON, str] | None:
    """Give the value and the digest of a plain JSON text; None where only the careful reader can tell.

    That one refuses repeated keys and keeps numbers exactly, and both is seen here from the outside: a text with more
    ends of keys than its value has repeats one, and a number of few digits loses nothing.
    """
    if b"\\u" in data or data.lstrip()[:1] not in (b"{", b"["):
        return None
    try:
        value: JSON = orjson.loads(data)
        text = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except (ValueError, TypeError):  # also where it nests deeper than anybody reads
        return None
    if _keys(data) != _keys(text):
        return None
    if _FRACTION.search(text) is not None:
        for token in _NUMBER.findall(data):
            if len(token) > _MOST_DIGITS or b"e" in token or b"E" in token:
                return None
        text = _TO_NUMBER.sub(_fraction, text)
    return value, "sha256:" + sha256(text).hexdigest()


def _keys(data: bytes) -> int:
    """Count what looks like the end of a key; strings that look so count alike in every spelling of a value."""
    if any(mark in data for mark in (b" :", b"\n:", b"\t:", b"\r:")):
        return len(_KEY_END.findall(data))
    return data.count(b'":')


def _fraction(match: re.Match[bytes]) -> bytes:
    """Write a number as `canonical` does."""
    before, text = match.groups()
    if not text or text.isdigit():
        return match.group()
    number = exact(Decimal(text.decode()))
    written = str(number.numerator) if number.denominator == 1 else f"{number.numerator}/{number.denominator}"
    return bytes(before + written.encode())

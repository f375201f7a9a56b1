"""What one text says by itself, read once for each content: its identity, what its number is read from, its faults.

History is mostly texts that nobody will compare again, so this reads them by the quickest way that gives the same
answers as parsing them with all their places.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Final
from urllib.parse import unquote

import orjson

from compat.errors import CompatError
from compat.jsonvalue import JSON, canonical, resolve
from compat.lineage.origin import VERSION_KEYWORDS, constant, tagged
from compat.model.dialects import dialect_of, standard
from compat.model.document import Document, Syntax, parse_document
from compat.model.glance import glance
from compat.model.jsontext import number
from compat.model.keywords import Applies, subschemas
from compat.model.subschema import references_in

# In compact JSON; each begins with one character, which is what is searched for fastest.
_FRACTIONS: Final = tuple(re.compile(mark + rb"-?[0-9]+[.e]") for mark in (rb":", rb",", rb"\["))


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a content: `digest` as a document has it, empty where it cannot be read, with its `problem`.

    `numbered` is a schema with nothing but what version numbers are read from. `leads` are the references to elsewhere
    that it applies; None where only following them all can tell. Without any, it means the same wherever it stands.
    """

    digest: str
    problem: str = ""
    numbered: JSON = None
    leads: tuple[str, ...] | None = None

    @property
    def closed(self) -> bool:
        return self.leads == ()

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
        quiet = b"$ref" not in data and b"Ref" not in data and data.count(b"$schema") < 2 and stays(value)
        leads = () if quiet else _leads(value)
        return Facts(digest, "", numbered(value), leads)
    try:
        return facts_of_document(parse_document(data, name=path, syntax=syntax))
    except CompatError as error:
        return Facts("", error.message)


def facts_of_document(document: Document) -> Facts:
    """Give the facts of what is parsed already."""
    return Facts(document.digest, "", numbered(document.value), _leads(document.value))


def stays(value: JSON) -> bool:
    """Whether the dialect is known by name alone: a meta-schema of one's own may change beside the schema."""
    stated = value.get("$schema") if isinstance(value, Mapping) else None
    return not isinstance(stated, str) or standard(stated) is not None


def _leads(value: JSON) -> tuple[str, ...] | None:
    """Collect the references to elsewhere among all that the root applies."""
    if not stays(value):
        return None
    seen = glance(value, "")
    if "$schema" in seen.identifiers:
        return None
    if seen.is_closed:
        return ()
    if seen.identifiers:
        return None
    dialect, _ = dialect_of(value)
    found: dict[str, None] = {}
    stack, met = [value], {id(value)}
    while stack:
        item = stack.pop()
        below = [sub for _, applies, sub in subschemas(item, dialect) if applies is not Applies.NOWHERE]
        for keyword, target in references_in(item, dialect):
            if keyword != "$ref":
                return None
            if target[:1] != "#":
                found[target] = None
            elif target[1:2] not in ("", "/"):
                return None  # an anchor may stand anywhere
            else:
                try:
                    below.append(resolve(value, unquote(target[1:])))  # type: ignore[arg-type]
                except (KeyError, IndexError):
                    return None
        for sub in below:
            if isinstance(sub, dict) and id(sub) not in met:
                met.add(id(sub))
                stack.append(sub)
    return tuple(found)


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
        few = (
            (name, sub)
            for name, sub in properties.items()
            if isinstance(sub, dict) and ("const" in sub or "enum" in sub)
        )
        held = {name: found[1] for name, sub in few if (found := constant(sub)) is not None}
        tags: dict[str, JSON] = {name: {"const": one} for name, one in held.items() if tagged(one) is not None}  # type: ignore[dict-item]
        if tags:
            told["properties"] = tags
    return told


_TELLING: Final = ("$id", "id", *VERSION_KEYWORDS)


def _is_short(value: object) -> bool:
    return isinstance(value, str | int) and len(str(value)[:5000]) < 5000


def _quickly(data: bytes) -> tuple[JSON, str] | None:
    """Give the value and the digest of a plain JSON text; None where only the careful reader can tell.

    That one refuses repeated keys, which is seen here from the outside: such a text has more colons than its value.
    """
    if b"\\u" in data or data.lstrip()[:1] not in (b"{", b"["):
        return None
    try:
        value: JSON = orjson.loads(data)
        text = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
        if data.count(b":") != text.count(b":"):
            return None
        if any(form.search(text) is not None for form in _FRACTIONS):
            exactly = json.loads(data, parse_float=_fraction)
            text = orjson.dumps(exactly, option=orjson.OPT_SORT_KEYS)
    except (ValueError, TypeError, RecursionError):  # also where it nests deeper than anybody reads
        return None
    return value, "sha256:" + sha256(text).hexdigest()


@lru_cache(maxsize=4096)
def _fraction(text: str) -> orjson.Fragment:
    """Write a number as `canonical` does; ValueError where it is none that is read."""
    return orjson.Fragment(canonical(number(text)))

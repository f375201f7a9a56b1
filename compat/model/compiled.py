"""jsonschema-rs: how a schema set is given to it, and where its word is not taken.

It is an implementation nobody here had a hand in. These are the places where it and the reference are known to differ
for a reason that is not ours to settle:

- `dependencies` in 2019-09 and later, which it still applies and the specification has dropped
- `contentMediaType` and `contentEncoding` in draft-06 and draft-07, which it asserts and the specification annotates
- patterns that its engine refuses (`[^]`, `{,3}`, `[\\w-.]`, `\\Z`), those with a backreference (it calls its limit of
  steps no match), and strings with a carriage return or U+2028 where a pattern looks around (its dot takes them then)
- values with half a character in a string, and numbers that need more than 64 bits or a decimal
- meta-schemas with vocabularies of their own, and schemas it cannot compile (an unresolved reference, say)
- formats that are asserted, but `date`, `ipv4` and `ipv6`

One disagreement is bridged: in draft-04 it takes 1.0 for no integer, so whole floats are handed over as integers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Any, Literal, NamedTuple, NoReturn, TypeAlias
from urllib.parse import quote

import jsonschema_rs

from compat.errors import SchemaError
from compat.jsonvalue import JSON, scalars
from compat.model.dialects import Dialect
from compat.model.document import Document
from compat.model.formats import SHARED
from compat.model.references import SchemaSet

Formats: TypeAlias = Literal["annotation", "assertion"]


class UnsupportedByBulk(SchemaError):  # noqa: N818 - the name says it
    """The fast validator cannot take this schema; the reference can."""


_ROOT_URI = "compat-root:/schema"
# With these it changes to an engine whose dot takes all but the line feed; ECMA-262 has three more line ends.
_LOOKS_AROUND = re.compile(r"\(\?<?[=!]")
# With these that engine may run into its limit, which it reports as no match.
_LOOKS_BACK = re.compile(r"\\[1-9]|\\k<")
_OTHER_LINE_ENDS = re.compile("[\r\u2028\u2029]")
_LARGEST_WHOLE_FLOAT = 2**53
_LARGEST_EXACT = 2**63


def refuse(uri: str) -> NoReturn:
    """Fetch nothing, in the place of what the library would fetch with."""
    raise ValueError(f"nothing is fetched: {uri}")


class Departures(NamedTuple):
    """The known disagreements that a schema touches: one that rules it out, and whether one hangs on the value."""

    reason: str | None
    looks_around: bool = False

    @classmethod
    def of(cls, schemas: SchemaSet, formats: Formats) -> Departures:
        """Look for them in every document that the root reaches."""
        documents = schemas.documents()
        looks_around = False
        for document in documents:
            for pattern in document.glance.patterns:
                if _LOOKS_BACK.search(pattern):
                    return cls("a pattern has a backreference")
                looks_around = looks_around or _LOOKS_AROUND.search(pattern) is not None
        names = {"dependencies", *_CONTENT} | ({"format"} if formats == "assertion" else set())
        if all(document.glance.keys.isdisjoint(names) for document in documents):
            return cls(_VOCABULARIES if schemas.root.vocabularies is not None else None, looks_around)
        # One of the names is written somewhere; whether as a keyword, the careful walk tells.
        return cls(next(_departures(schemas, formats), None), looks_around)


def _departures(schemas: SchemaSet, formats: Formats) -> Iterator[str]:
    for sub, _ in schemas.reached():
        value = sub.value
        if sub.vocabularies is not None:
            yield _VOCABULARIES
        if not isinstance(value, dict):
            continue
        if "dependencies" in value and not sub.dialect.ignores_ref_siblings:
            yield f"dependencies has no meaning in {sub.dialect}"
        if sub.dialect in {Dialect.DRAFT6, Dialect.DRAFT7} and not value.keys().isdisjoint(_CONTENT):
            yield f"content keywords are annotations in {sub.dialect}"
        if formats == "assertion" and value.get("format", "date") not in SHARED:
            yield f"the format {value['format']} may be read differently"


class Compiled:
    """A schema set compiled by jsonschema-rs with everything it may need at hand, or a projection of its root."""

    def __init__(
        self, schemas: SchemaSet, formats: Formats, departures: Departures, projected: JSON | None = None
    ) -> None:
        root = schemas.root
        self._draft4 = root.dialect is Dialect.DRAFT4
        self._looks_around = departures.looks_around
        reason = departures.reason
        if reason is None:
            try:
                self._compiled = _compile(schemas, formats, projected)
            except BaseException as error:  # noqa: BLE001 - a panic of the library is no Exception
                reason = f"the fast validator cannot take this schema: {why(error)}"
        if reason is not None:
            raise UnsupportedByBulk(reason, place=root.document.place(root.pointer))

    def errors(self, value: JSON) -> list[Any] | None:
        """Give what the library objects to in its own words; None where it gives up."""
        try:
            return list(self._compiled.iter_errors(value))
        except BaseException as error:  # noqa: BLE001 - a panic of the library is no Exception
            why(error)
            return None

    @property
    def accepts(self) -> Callable[[JSON], bool]:
        """The bare question to the library, which may fail in any way."""
        bare: Callable[[JSON], bool] = self._compiled.is_valid
        return bare

    def ask(self, value: JSON) -> bool | None:
        """Tell whether a value is an instance, or None where this library cannot hold or would misread it."""
        if self._looks_around and _has_other_line_ends(value):
            return None
        try:
            # Its draft-04 takes 1.0 for no integer; written as 1 it is the same instance.
            return bool(self._compiled.is_valid(_whole(value) if self._draft4 else value))
        except BaseException as error:  # noqa: BLE001 - a panic of the library is no Exception
            why(error)
            return None


_VOCABULARIES = "its meta-schema has vocabularies of its own"
_CONTENT = frozenset({"contentMediaType", "contentEncoding"})


def all_accepted(accepts: Callable[[JSON], bool], values: Sequence[JSON]) -> bool:
    """Ask jsonschema-rs about values as they are; False where it gives up on one."""
    try:
        return all(map(accepts, values))
    except BaseException as error:  # noqa: BLE001 - a panic of the library is no Exception
        why(error)
        return False


def why(error: BaseException) -> str:
    """Give the words of what the library raised; anything that is not its own is raised again."""
    if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
        raise error
    return str(error)[:200]


def _compile(schemas: SchemaSet, formats: Formats, projected: JSON | None) -> Any:
    root = schemas.root
    base = root.document.uri or _ROOT_URI
    if isinstance(projected, dict):
        return _compiled({**projected, "$schema": root.dialect.uri}, base, None, formats)
    others: list[tuple[str, Any]] = [
        (uri, _canonical(schemas, document)) for document in schemas.documents() for uri in _uris(schemas, document)
    ]
    value: Any = _canonical(schemas, root.document)
    if root.pointer:
        others.append((base, value))
        value = {"$schema": root.dialect.uri, "$ref": f"{base}#{quote(root.pointer)}"}
        base = _ROOT_URI + "-at"
    return _compiled(value, base, jsonschema_rs.Registry(others, retriever=refuse) if others else None, formats)


def _compiled(value: Any, base: str, registry: Any, formats: Formats) -> Any:
    return jsonschema_rs.validator_for(
        value, validate_formats=formats == "assertion", retriever=refuse, registry=registry, base_uri=base
    )


def _uris(schemas: SchemaSet, document: Document) -> list[str]:
    if document is schemas.root.document:
        return []
    return [uri for uri in dict.fromkeys((document.uri, schemas.root_of(document).base_uri)) if uri]


def _canonical(schemas: SchemaSet, document: Document) -> Any:
    # Spelled as its meta-schema spells it: the library looks unknown spellings up on a network.
    if not isinstance(document.value, dict):
        return document.value
    return {**document.value, "$schema": schemas.root_of(document).dialect.uri}


def is_exact_there(value: JSON) -> bool:
    """Tell whether the library takes the numbers of a value for what they are written as."""
    # It reads a float as the binary number, which from 1e23 on is another than the decimal that is written.
    return not any(
        isinstance(item, Decimal) or (isinstance(item, int | float) and not -_LARGEST_EXACT < item < _LARGEST_EXACT)
        for item in scalars(value)
    )


def _has_other_line_ends(value: JSON) -> bool:
    return any(isinstance(item, str) and _OTHER_LINE_ENDS.search(item) for item in scalars(value))


def _whole(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer() and abs(value) < _LARGEST_WHOLE_FLOAT:
        return int(value)
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return value

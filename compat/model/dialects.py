"""The five dialects and the many ways `$schema` spells them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from compat.errors import DialectError
from compat.jsonvalue import JSON


class Dialect(StrEnum):
    """A version of JSON Schema, oldest first."""

    DRAFT4 = "draft-04"
    DRAFT6 = "draft-06"
    DRAFT7 = "draft-07"
    DRAFT2019 = "2019-09"
    DRAFT2020 = "2020-12"

    @property
    def uri(self) -> str:
        """The `$schema` that names this dialect, as its meta-schema spells it."""
        return _URIS[self]

    @property
    def id_keyword(self) -> str:
        """The keyword that gives a schema its URI."""
        return "id" if self is _DRAFT4 else "$id"

    @property
    def ignores_ref_siblings(self) -> bool:
        """Whether keywords beside `$ref` mean nothing."""
        return self in _OLD

    @classmethod
    def parse(cls, text: str) -> Dialect:
        """Read a dialect's name (`draft-07`, `draft7`, `7`, `2020-12`) or its URI; ValueError otherwise."""
        plain = text.strip().lower()
        known = _BUILT_IN.get(_key(plain))
        if known is not None:
            return known
        plain = plain.removeprefix("draft").strip("-_ ")
        for dialect in cls:
            if plain in {dialect.value, dialect.value.removeprefix("draft-"), dialect.value.removeprefix("draft-0")}:
                return dialect
        raise ValueError(f"no dialect of JSON Schema: {text!r}")


# Before Python 3.12 a member is looked up by a function each time its class is asked for it.
_DRAFT4 = Dialect.DRAFT4
_OLD = frozenset({Dialect.DRAFT4, Dialect.DRAFT6, Dialect.DRAFT7})
_URIS = {
    Dialect.DRAFT4: "http://json-schema.org/draft-04/schema#",
    Dialect.DRAFT6: "http://json-schema.org/draft-06/schema#",
    Dialect.DRAFT7: "http://json-schema.org/draft-07/schema#",
    Dialect.DRAFT2019: "https://json-schema.org/draft/2019-09/schema",
    Dialect.DRAFT2020: "https://json-schema.org/draft/2020-12/schema",
}


def _key(uri: str) -> str:
    # http or https, an empty fragment and a last slash do not tell dialects apart.
    return uri.strip().removeprefix("https:").removeprefix("http:").rstrip("#").rstrip("/")


_BUILT_IN = {_key(uri): dialect for dialect, uri in _URIS.items()} | {
    _key(uri.replace("/schema", "/hyper-schema")): dialect for dialect, uri in _URIS.items()
}
# Meta-schemas that are no dialect's own but whose dialect is known.
_KNOWN = {
    "//json-schema.org/schema": Dialect.DRAFT2020,
    "//json-schema.org/hyper-schema": Dialect.DRAFT2020,
    "//iglucentral.com/schemas/com.snowplowanalytics.self-desc/schema/jsonschema/1-0-0": Dialect.DRAFT4,
    "//spec.openapis.org/oas/3.1/dialect/base": Dialect.DRAFT2020,
}
_TOO_OLD = {f"//json-schema.org/draft-0{number}/{kind}" for number in "0123" for kind in ("schema", "hyper-schema")}
_LONGEST_CHAIN = 10


def standard(uri: str) -> Dialect | None:
    """Give the dialect whose own meta-schema a URI names, however it is spelled; None for any other."""
    return _BUILT_IN.get(_key(uri))


def dialect_of(
    schema: JSON,
    default: Dialect | None = None,
    metaschema: Callable[[str], JSON] | None = None,
    configured: Mapping[str, Dialect] | None = None,
) -> tuple[Dialect, str | None]:
    """Tell the dialect of a schema, with a note where its `$schema` is not one of the dialects' own.

    `metaschema` gives the schema that a URI names, or None; a meta-schema found that way is followed to its own
    `$schema`. `configured` comes next, then the built-in table, then `default`. Raises DialectError for draft-03 and
    older.
    """
    fallback = default or Dialect.DRAFT2020
    stated = schema.get("$schema") if isinstance(schema, dict) else None
    if not isinstance(stated, str):
        return fallback, None
    known = standard(stated)
    if known is not None:
        return known, None
    seen = [stated]
    while metaschema is not None and len(seen) < _LONGEST_CHAIN:
        found = metaschema(seen[-1])
        following = found.get("$schema") if isinstance(found, dict) else None
        if not isinstance(following, str) or following in seen:
            break
        seen.append(following)
        known = standard(following)
        if known is not None:
            return known, f"$schema {stated} is a meta-schema of {known}; read as {known}"
    chosen = {_key(uri): dialect for uri, dialect in (configured or {}).items()}
    for uri in seen:
        key = _key(uri)
        if key in chosen:
            return chosen[key], f"$schema {stated} is read as {chosen[key]}, as configured"
        if key in _TOO_OLD:
            raise DialectError(
                f"$schema {uri} is older than draft-04, which is the oldest dialect supported",
                hint="Move the schema to draft-04 or later.",
            )
        if key in _KNOWN:
            return _KNOWN[key], f"$schema {stated} is read as {_KNOWN[key]}"
    return fallback, f"$schema {stated} is not known; read as {fallback}"

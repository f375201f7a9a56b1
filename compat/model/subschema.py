"""One schema with where it stands, and what it says of itself: identifier, anchors, references."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from compat.jsonvalue import JSON
from compat.model import uris
from compat.model.dialects import Dialect
from compat.model.document import Document
from compat.model.keywords import KEYWORDS


# To freeze it would make it six times as dear, and nothing else is made as often.
@dataclass(slots=True, eq=False)
class Subschema:
    """A schema with where it stands; never changed.

    `pointer` and `resource` are JSON Pointers in `document`: of the schema, and of the root of the resource (the
    nearest schema with an identifier, or the document) that `base_uri` names. `vocabularies` is None where a dialect's
    own meta-schema rules, else the URIs of those that a custom one allows.
    """

    value: JSON
    document: Document
    pointer: str
    base_uri: str
    dialect: Dialect
    resource: str = ""
    vocabularies: frozenset[str] | None = None

    @property
    def is_resource(self) -> bool:
        """Whether this schema is the root of its resource."""
        return self.pointer == self.resource


_REFERENCES = {
    dialect: tuple(name for name in ("$ref", "$recursiveRef", "$dynamicRef") if name in table)
    for dialect, table in KEYWORDS.items()
}


def references_in(value: JSON, dialect: Dialect) -> Iterator[tuple[str, str]]:
    """Yield the references of one schema itself: the keyword and the URI reference."""
    if isinstance(value, dict):
        for keyword in _REFERENCES[dialect]:
            target = value.get(keyword)
            if isinstance(target, str):
                yield keyword, target


def identifier(value: JSON, dialect: Dialect) -> str | None:
    """Give the URI reference by which a schema names itself as a resource; None where it does not."""
    if not isinstance(value, dict):
        return None
    stated = value.get(dialect.id_keyword)
    if not isinstance(stated, str) or not stated:
        return None
    if dialect.ignores_ref_siblings:
        if "$ref" in value:
            return None
        # Up to draft-07 the fragment is an anchor, and alone it is nothing else.
        return uris.split(stated)[0] or None
    return stated


def anchors(sub: Subschema) -> Iterator[str]:
    """Yield the plain names that a schema gives itself."""
    value = sub.value
    if not isinstance(value, dict):
        return
    if sub.dialect.ignores_ref_siblings:
        stated = value.get(sub.dialect.id_keyword)
        if isinstance(stated, str) and "$ref" not in value:
            fragment = uris.split(stated)[1]
            if fragment and fragment[0] != "/":
                yield unquote(fragment)
        return
    names = ("$anchor", "$dynamicAnchor") if sub.dialect is Dialect.DRAFT2020 else ("$anchor",)
    for keyword in names:
        name = value.get(keyword)
        if isinstance(name, str):
            yield name


def recursive(sub: Subschema) -> bool:
    """Tell whether `$recursiveRef` may pass through this schema to one further out."""
    return (
        sub.dialect is Dialect.DRAFT2019 and isinstance(sub.value, dict) and sub.value.get("$recursiveAnchor") is True
    )

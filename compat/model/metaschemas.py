"""The meta-schemas of the five dialects, known without a network."""

from __future__ import annotations

from functools import cache

from compat.jsonvalue import JSON
from compat.model.dialects import Dialect, standard
from compat.model.document import Document


@cache
def document(uri: str) -> Document | None:
    """Give the meta-schema (or the part of one) that a URI names, or None; http and https are one."""
    from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]

    dialect = standard(uri)
    for spelling in (uri, uri.replace("http:", "https:", 1), uri.replace("https:", "http:", 1)):
        resource = REGISTRY.get(spelling if dialect is None or "hyper" in uri else dialect.uri.rstrip("#"))
        if resource is not None:
            value: JSON = resource.contents
            return Document(uri, uri, value)
    return None


def of(dialect: Dialect) -> Document:
    """Give a dialect's own meta-schema."""
    found = document(dialect.uri.rstrip("#"))
    assert found is not None
    return found

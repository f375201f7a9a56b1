"""OpenAPI before 3.1: its schemas are nearly draft-04, and say in a keyword of their own that null is allowed."""

from __future__ import annotations

import re
from dataclasses import replace

from compat.jsonvalue import JSON
from compat.model.dialects import Dialect
from compat.model.document import Document

NOTE = "OpenAPI before 3.1: read as draft-04, with nullable as null beside the type"

_OLD_OPENAPI = re.compile(r"3\.0(\.|$)")
# Values under these keys are data, whatever they look like.
_DATA = frozenset({"enum", "default", "example", "examples"})
# Under these keys stand names that people chose, none of them a keyword.
_NAMES = frozenset({"properties", "schemas", "definitions"})


def is_old_openapi(value: JSON) -> bool:
    """Whether a whole document is OpenAPI 2.0 or 3.0; from 3.1 on its schemas are JSON Schema."""
    if not isinstance(value, dict):
        return False
    version = value.get("openapi")
    return str(value.get("swagger")) in {"2.0", "2"} or (
        isinstance(version, str) and _OLD_OPENAPI.match(version) is not None
    )


def as_draft4(document: Document) -> Document:
    """Give a document whose `nullable` is written as draft-04 does; its text and positions stay.

    It adds null to the `type` beside it and does nothing without one, as OpenAPI 3.0.3 says. An `enum` still has to
    list null.
    """
    return replace(document, value=_read(document.value), notes=(*document.notes, NOTE))


DIALECT = Dialect.DRAFT4


def _read(value: JSON, *, names: bool = False) -> JSON:
    if isinstance(value, list):
        return [_read(item) for item in value]
    if not isinstance(value, dict):
        return value
    if names:
        return {name: _read(item) for name, item in value.items()}
    read = {key: item if key in _DATA else _read(item, names=key in _NAMES) for key, item in value.items()}
    nullable = read.get("nullable")
    if isinstance(nullable, bool):
        del read["nullable"]
        if nullable and isinstance(read.get("type"), str):
            read["type"] = [read["type"], "null"]
    return read

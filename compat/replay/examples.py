"""The examples inside a schema: records that its author wrote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from compat.model.document import Document
from compat.replay.read import Outcome, record_of


def examples_of(document: Document) -> Iterator[Outcome]:
    """Yield the `examples` at the root of a schema as records, each with its line in the document."""
    schema = document.value
    listed = schema.get("examples") if isinstance(schema, Mapping) else None
    for index, value in enumerate(listed if isinstance(listed, list) else ()):
        position = document.position(f"/examples/{index}")
        yield record_of(value, document.name, 1 if position is None else position.line)

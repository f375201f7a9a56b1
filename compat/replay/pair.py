"""A pair of schemas as plain data: what another process needs to judge records as this one does."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from compat.model.instance import Formats
from compat.model.references import SchemaSet, schema_set
from compat.replay.cutting import Lines
from compat.replay.run import Part, Replay, redaction
from compat.replay.validate import SchemaChecker, explainer, names_of


@dataclass(frozen=True, slots=True)
class PairSpec:
    """Two schemas, how their formats are meant, and whether examples keep the values of records."""

    old: SchemaSet
    new: SchemaSet
    formats: Formats = "annotation"
    show: bool = False

    def runner(self) -> Replay:
        """Compile what replays records against the pair."""
        new = SchemaChecker(self.new, formats=self.formats)
        same = self.old.closed_digest() == self.new.closed_digest()
        old = new if same else SchemaChecker(self.old, formats=self.formats)
        redact = None if self.show else redaction(names_of(self.old, self.new))
        return Replay(old, new, explainer(self.old, self.new), redact)

    def start(self) -> Callable[[Lines], Part]:
        """Give the function that judges a piece of lines by itself."""
        return self.runner().judge

    def packed(self) -> bytes | None:
        """Pack the spec for another process; None where a schema cannot travel."""
        old, new = _portable(self.old), _portable(self.new)
        return None if old is None or new is None else pickle.dumps(replace(self, old=old, new=new))


def _portable(schemas: SchemaSet) -> SchemaSet | None:
    """Close a set over the documents it reaches, so that nothing has to be asked of a repository any more."""
    root = schemas.root.document
    documents = schemas.documents()
    resources: dict[str, Any] = {}  # a document may stand for its value
    for document in documents[1:]:
        for uri in (document.uri, schemas.root_of(document).base_uri):
            resources.setdefault(uri, document)
    try:
        closed = schema_set(root, at=schemas.root.pointer, dialect=schemas.root.dialect, resources=resources)
        if closed.closed_digest() != schemas.closed_digest():
            return None
        closed = schema_set(root, at=schemas.root.pointer, dialect=schemas.root.dialect, resources=resources)
        pickle.dumps(closed)
    except Exception:  # noqa: BLE001 - whatever cannot travel is judged at home
        return None
    return closed

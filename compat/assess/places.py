"""Places of a comparison as places people can open: file, line and column."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import unquote

from compat.errors import Place
from compat.model.document import Document


class Places:
    """Turns places of a comparison into places people can open: file, line and column."""

    def __init__(self, old: Iterable[Document], new: Iterable[Document]) -> None:
        self._old = _by_name(old)
        self._new = _by_name(new)

    def file(self, source: str, *, new: bool) -> str:
        """Give the path of a document without the revision it was read from, so that both sides agree on it."""
        document = (self._new if new else self._old).get(source)
        if document is None:
            return source
        return unquote(document.uri.removeprefix("file:///")) if document.uri.startswith("file:///") else document.name

    def at(self, source: str, where: str, *, new: bool) -> Place:
        """Locate a pointer; what is missing on this side is located at the nearest place around it that exists."""
        document = (self._new if new else self._old).get(source)
        if document is None:
            return Place(source, where)
        around = where
        while document.position(around) is None and around:
            around = around.rpartition("/")[0]
        position = document.position(around)
        if position is None:
            return Place(document.name, where)
        return Place(document.name, where, position.line, position.column)


def _by_name(documents: Iterable[Document]) -> Mapping[str, Document]:
    known: dict[str, Document] = {}
    for document in documents:
        known.setdefault(document.name, document)
        if document.uri:
            known.setdefault(document.uri, document)
    return known

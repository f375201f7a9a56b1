"""Places of a comparison as places people can open: file, line and column, and what is written there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from urllib.parse import unquote

from compat.errors import Excerpt, Place
from compat.model.document import Document, Position

# A line that is longer is shown as a window around what is meant.
_WINDOW = 240
_LEAD = 80
# The token at a place: a string, a key of YAML, a number or a word; else one character stands for the whole.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|\'[^\']*\'?|[^\s:,\[\]{}][^:,\[\]{}\r\n]*|.')


class Places:
    """Turns places of a comparison into places people can open: file, line and column."""

    def __init__(self, old: Iterable[Document], new: Iterable[Document]) -> None:
        self._old = _by_name(old)
        self._new = _by_name(new)
        self._lines: dict[Document, list[str]] = {}

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
        return Place(document.name, where, position.line, position.column, self._excerpt(document, position))

    def _excerpt(self, document: Document, position: Position) -> Excerpt | None:
        if document.text is None:
            return None
        if document not in self._lines:
            self._lines[document] = document.text.split("\n")
        lines = self._lines[document]
        return replace(excerpt(lines[position.line - 1].removesuffix("\r"), position.column - 1), lines=lines)


def excerpt(line: str, at: int) -> Excerpt:
    """Mark the token that starts at an offset of a line, in a window around it where the line is very long."""
    token = _TOKEN.match(line, at)
    length = max(1, len(token[0].rstrip())) if token is not None else 1
    if len(line) <= _WINDOW:
        return Excerpt(line, at, length)
    first = max(0, min(at - _LEAD, len(line) - _WINDOW))
    last = first + _WINDOW
    before, after = "…" if first else "", "…" if last < len(line) else ""
    return Excerpt(f"{before}{line[first:last]}{after}", at - first + len(before), length)


def _by_name(documents: Iterable[Document]) -> Mapping[str, Document]:
    known: dict[str, Document] = {}
    for document in documents:
        known.setdefault(document.name, document)
        if document.uri:
            known.setdefault(document.uri, document)
    return known

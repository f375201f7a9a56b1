"""Who owns an `$id`: which file a reference means that does not lead to a path.

In the files of one moment, or at any place of a line of history without reading its trees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from compat.model import uris
from compat.project.scanning import file_uri
from compat.sources.git import could_be_schema
from compat.sources.mainline import Line
from compat.sources.objects import Entry


class Identifiers(Protocol):
    """The identifiers of one moment, by their absolute URIs without fragments."""

    def owners(self, uri: str) -> tuple[str, ...]:
        """Give the files that call themselves so, in order of path."""

    def folders(self, uri: str) -> frozenset[str]:
        """Give the folders whose files are called by what is below a URI and their own name."""


def absolute(path: str, identifier: str) -> str:
    """Give the URI that a file calls itself by."""
    return uris.join(file_uri(path), identifier).partition("#")[0]


def _folder(path: str, uri: str) -> tuple[str, str] | None:
    """Give the folder of a file and the URI that stands for it, where both end in the same name."""
    above, _, last = uri.rpartition("/")
    folder, _, name = path.rpartition("/")
    return (above, folder) if last == name else None


class Standing:
    """The identifiers of files as they stand: pairs of a path and a URI."""

    def __init__(self, identified: Iterable[tuple[str, str]]) -> None:
        owners: dict[str, list[str]] = {}
        folders: dict[str, set[str]] = {}
        for path, uri in identified:
            owners.setdefault(uri, []).append(path)
            if (place := _folder(path, uri)) is not None:
                folders.setdefault(place[0], set()).add(place[1])
        self._owners = {uri: tuple(paths) for uri, paths in owners.items()}
        self._folders = {uri: frozenset(places) for uri, places in folders.items()}

    def owners(self, uri: str) -> tuple[str, ...]:
        return self._owners.get(uri, ())

    def folders(self, uri: str) -> frozenset[str]:
        return self._folders.get(uri, frozenset())


# What holds from the first to the last of some places, newest first: a path or a folder.
_Span = tuple[str, int, int]


class Passing:
    """The identifiers along a line; `identifier` gives the one in a content."""

    def __init__(self, line: Line, identifier: Callable[[Entry], str | None]) -> None:
        self._owners: dict[str, list[_Span]] = {}
        self._folders: dict[str, list[_Span]] = {}
        for path in sorted(line.paths):
            if not could_be_schema(path):
                continue
            for uri, first, last in _spans(line, path, identifier):
                self._owners.setdefault(uri, []).append((path, first, last))
                if (place := _folder(path, uri)) is not None:
                    self._folders.setdefault(place[0], []).append((place[1], first, last))

    def at(self, place: int) -> Identifiers:
        """Give those that hold at one place."""
        return _AtPlace(self, place)

    def owners(self, uri: str, place: int) -> tuple[str, ...]:
        return tuple(path for path, first, last in self._owners.get(uri, ()) if first <= place <= last)

    def folders(self, uri: str, place: int) -> frozenset[str]:
        return frozenset(folder for folder, first, last in self._folders.get(uri, ()) if first <= place <= last)


def _spans(line: Line, path: str, identifier: Callable[[Entry], str | None]) -> Iterator[tuple[str, int, int]]:
    """Yield the URIs of a file through time, each with the places it holds at; neighbours of the same URI are one."""
    held: tuple[str, int, int] | None = None
    newest = 0
    places = dict.fromkeys(place for place, _ in line.touches(path))
    for place in places:
        entry = line.entry(path, place)
        stated = None if entry is None or entry.is_link or entry.is_gitlink else identifier(entry)
        uri = absolute(path, stated) if stated else None
        if held is not None and uri == held[0]:
            held = (held[0], held[1], place)
        else:
            if held is not None:
                yield held
            held = None if uri is None else (uri, newest, place)
        newest = place + 1
    if held is not None:
        yield held


class _AtPlace:
    def __init__(self, line: Passing, place: int) -> None:
        self._line = line
        self._place = place

    def owners(self, uri: str) -> tuple[str, ...]:
        return self._line.owners(uri, self._place)

    def folders(self, uri: str) -> frozenset[str]:
        return self._line.folders(uri, self._place)

"""The files of one moment: a commit, the index, the working tree, or a folder without git."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

from compat.errors import Place, SourceError
from compat.sources.files import Root, inside, shown
from compat.sources.objects import LINK, Entry

_MOST_LINKS = 8


class Snapshot:
    """Files by path, read only when somebody asks; links are followed inside of it and never out."""

    def __init__(self, entries: Mapping[str, Entry], read: Callable[[Entry], bytes], *, label: str = "") -> None:
        self.entries = entries
        self.label = label
        self._read = read

    @classmethod
    def of_folder(cls, root: Root, wanted: Callable[[str], bool], *, label: str = "") -> Snapshot:
        """Take a folder as it is, without git."""
        entries: dict[str, Entry] = {}
        for path in root.walk():
            if wanted(path):
                target = root.link(path)
                data = root.read(path) if target is None else target
                mode = 0o100644 if target is None else LINK
                entries[path] = Entry(path, mode, hashlib.sha1(data, usedforsecurity=False).hexdigest(), on_disk=True)

        def read(entry: Entry) -> bytes:
            target = root.link(entry.path) if entry.is_link else None
            return root.read(entry.path) if target is None else target

        return cls(entries, read, label=label)

    def __contains__(self, path: str) -> bool:
        return path in self.entries

    def name(self, path: str) -> str:
        """Give what people see: `main:schemas/task.schema.json`, or the path alone in the working tree."""
        return f"{self.label}:{shown(path)}" if self.label else shown(path)

    def link_target(self, path: str) -> str | None:
        """Give the path a link leads to, one step; None where the path is no link. SourceError where it leads out."""
        entry = self.entries.get(path)
        if entry is None or not entry.is_link:
            return None
        target = os.fsdecode(self._read(entry))
        try:
            return inside(target if target.startswith("/") else str(PurePosixPath(path).parent / target))
        except SourceError:
            raise SourceError(
                f"is a link that leads out of the root, to {shown(target)}", place=Place(self.name(path))
            ) from None

    def entry(self, path: str) -> Entry:
        """Give the file behind a path, links followed; SourceError where there is none."""
        at = path
        for _ in range(_MOST_LINKS):
            found = self.entries.get(at)
            if found is None:
                what = "is not there" if at == path else f"is a link to {shown(at)}, which is not there"
                raise SourceError(what, place=Place(self.name(path)))
            if found.is_gitlink:
                raise SourceError("is a submodule, not a file", place=Place(self.name(path)))
            target = self.link_target(at)
            if target is None:
                return found
            at = target
        raise SourceError(f"is a link that leads through more than {_MOST_LINKS} links", place=Place(self.name(path)))

    def read(self, path: str) -> bytes:
        """Read the file behind a path."""
        return self._read(self.entry(path))

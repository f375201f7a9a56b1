"""The files of one moment: a commit, the index, the working tree, or a folder without git."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import islice
from pathlib import PurePosixPath

from compat.errors import Place, SourceError
from compat.sources.files import Root, inside, shown
from compat.sources.objects import FILE, Entry
from compat.sources.worktree import WorkingFiles

_MOST_LINKS = 8


class Snapshot:
    """Files by path, read only when somebody asks; links are followed inside of it and never out."""

    def __init__(self, entries: Mapping[str, Entry], read: Callable[[Entry], bytes], *, label: str = "") -> None:
        self.entries = entries
        self.label = label
        self._read = read

    @classmethod
    def of_folder(
        cls, root: Root, wanted: Callable[[str], bool], *, label: str = "", most: int | None = None
    ) -> Snapshot:
        """Take a folder as it is, without git; `most` stops after as many files, and those on top come first."""
        files = WorkingFiles(root)
        found = (files.entry(path, FILE, hashlib.sha1) for path in islice(root.walk(), most) if wanted(path))
        return cls({entry.path: entry for entry in found if entry is not None}, files.read, label=label)

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

    @cached_property
    def links(self) -> Mapping[str, tuple[str, ...]]:
        """The links that lead to each file, by the file; those that lead nowhere or out are left out."""
        found: dict[str, list[str]] = {}
        for path, entry in self.entries.items():
            if entry.is_link:
                try:
                    found.setdefault(self.entry(path).path, []).append(path)
                except SourceError:
                    continue
        return {target: tuple(sorted(paths)) for target, paths in found.items()}

    def content(self, entry: Entry) -> bytes:
        """Read an entry of this moment, or of another of the same source; of a link, its target."""
        return self._read(entry)

    def read(self, path: str) -> bytes:
        """Read the file behind a path."""
        return self._read(self.entry(path))

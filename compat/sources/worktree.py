"""The files of a working tree, read and hashed by us: git would run clean filters to do it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from compat.errors import SourceError
from compat.sources.files import Root
from compat.sources.objects import LINK, Entry

# Files are judged by the content that was hashed; as much of it as this is kept rather than read again.
_MOST_HELD = 128 * 2**20


class WorkingFiles:
    """Files on disk below one root, as entries of a tree."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self._folders: dict[str, str] = {}
        self._held: dict[str, bytes] = {}
        self._room = _MOST_HELD

    def entry(self, path: str, mode: int, digest: Callable[[], hashlib._Hash]) -> Entry | None:
        """Hash a file as git would without filters; None where there is no file.

        `mode` is what the index says: a checkout with core.symlinks=false has links as plain files. What cannot be
        read is an error where it is needed, not here: it stands under a hash that no file has.
        """
        try:
            found = self._root.look(path, self._folders)
        except SourceError:
            return Entry(path, mode, digest().hexdigest(), on_disk=True) if self._root.exists(path) else None
        if found is None:
            return None
        is_link, data = found
        hasher = digest()
        hasher.update(b"blob %d\0" % len(data) + data)
        entry = Entry(path, LINK if is_link else mode, hasher.hexdigest(), on_disk=True)
        if self._room >= len(data):
            self._room -= len(data)
            self._held[entry.oid] = data
        return entry

    def read(self, entry: Entry) -> bytes:
        """Give the content that was hashed; of a link, its target."""
        held = self._held.get(entry.oid)
        if held is not None:
            return held
        target = self._root.link(entry.path) if entry.is_link else None
        return self._root.read(entry.path) if target is None else target

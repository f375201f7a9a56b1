"""Reading files under one root: the real path lies inside it, sizes are bounded, and only regular files are read."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from compat.errors import Place, SourceError

# A schema of this size is a mistake or an attack; records are read elsewhere, line by line.
MAX_BYTES = 32 * 1024 * 1024

# Folders that no walk without git enters.
_UNWALKED = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", ".tox"})


def shown(path: str) -> str:
    """Write a file name for people: bytes that are no UTF-8 and control characters escaped."""
    text = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def too_large(name: str, size: int, limit: int = MAX_BYTES) -> SourceError:
    """The error for anything over its bound, with the bound in it."""
    return SourceError(f"is {size:,} bytes, more than the {limit:,} that are read", place=Place(shown(name)))


def inside(path: str) -> str:
    """Normalise a path relative to a root, with forward slashes; SourceError where it leads out."""
    pure = PurePosixPath(path)
    if not path or "\0" in path or pure.is_absolute():
        raise SourceError("is not a path relative to the root", place=Place(shown(path) or "''"))
    steps: list[str] = []
    for step in pure.parts:
        if step == "..":
            if not steps:
                raise SourceError("leads out of the root", place=Place(shown(path)))
            steps.pop()
        elif step != ".":
            steps.append(step)
    return "/".join(steps)


class Root:
    """One folder and what may be read below it."""

    def __init__(self, path: Path, *, max_bytes: int = MAX_BYTES) -> None:
        self.path = path.resolve()
        self.max_bytes = max_bytes

    def locate(self, path: str) -> Path:
        """Give the real place of a relative path; SourceError where a link or `..` leads out of the root."""
        real = (self.path / inside(path)).resolve()
        if real != self.path and self.path not in real.parents:
            raise SourceError(
                "is a link that leads out of the root",
                place=Place(shown(path)),
                hint=f"only files under {shown(str(self.path))} are read",
            )
        return real

    def relative(self, path: Path) -> str:
        """Give an absolute or working-folder path relative to the root, links in its folders resolved."""
        real = path.resolve() if path.name in {"", ".."} else path.parent.resolve() / path.name
        if self.path in (real, path.resolve()):
            return ""
        try:
            return real.relative_to(self.path).as_posix()
        except ValueError:
            raise SourceError(
                f"lies outside {shown(str(self.path))}",
                place=Place(shown(str(path))),
                hint="only files under the root are read",
            ) from None

    def read(self, path: str) -> bytes:
        """Read a regular file whole; SourceError where it is missing, unreadable, too large or no regular file."""
        try:
            return self._read(str(self.locate(path)), path, 0)
        except OSError as error:
            raise SourceError(f"cannot be read: {error.strerror}", place=Place(shown(path))) from None

    def look(self, path: str, folders: dict[str, str]) -> tuple[bool, bytes] | None:
        """Give whether a path is a link, and its target or the file's content; None where nothing is there.

        `folders` remembers the real places of folders while many files are looked at.
        """
        above, _, name = path.rpartition("/")
        if above not in folders:
            folders[above] = str(self.locate(above) if above else self.path)
        place = f"{folders[above]}/{name}"
        try:
            return False, self._read(place, path, getattr(os, "O_NOFOLLOW", 0))
        except OSError as error:
            if error.errno in {errno.ENOENT, errno.ENOTDIR}:
                return None
            if Path(place).is_symlink():
                return True, os.fsencode(Path(place).readlink())
            raise SourceError(f"cannot be read: {error.strerror}", place=Place(shown(path))) from None

    def _read(self, real: str, path: str, flags: int) -> bytes:
        # Without O_NONBLOCK a planted pipe would hang the open itself.
        flags |= os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
        descriptor = os.open(real, flags)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise SourceError("is not a regular file", place=Place(shown(path)))
            if status.st_size > self.max_bytes:
                raise too_large(path, status.st_size, self.max_bytes)
            with os.fdopen(descriptor, "rb", closefd=False) as file:
                data = file.read(self.max_bytes + 1)
        finally:
            os.close(descriptor)
        if len(data) > self.max_bytes:
            raise too_large(path, len(data), self.max_bytes)
        return data

    def link(self, path: str) -> bytes | None:
        """Give the target of a symbolic link as it is written, None where the path is none."""
        folder = self.locate(str(PurePosixPath(inside(path)).parent))
        try:
            return os.fsencode((folder / PurePosixPath(path).name).readlink())
        except OSError:
            return None

    def exists(self, path: str) -> bool:
        """Whether there is a file or a link, dangling or not."""
        try:
            folder = self.locate(str(PurePosixPath(inside(path)).parent))
        except SourceError:
            return False
        name = folder / PurePosixPath(path).name
        return name.is_symlink() or name.is_file()

    def walk(self) -> Iterator[str]:
        """Yield every file below the root in order of path, without following links to folders."""
        for folder, folders, files in os.walk(self.path):
            folders[:] = sorted(name for name in folders if name not in _UNWALKED)
            above = Path(folder).relative_to(self.path).as_posix()
            for name in sorted(files):
                yield name if above == "." else f"{above}/{name}"

"""Records that lie elsewhere, such as `s3://bucket/task/*.ndjson.gz`, read through fsspec and only where allowed.

A location may carry a password or a signature, so it is never shown as it was written, and neither is what a library
says about it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from compat.errors import Place, SourceError, UsageError
from compat.replay.streams import Readable

PROTOCOLS: Final = ("file", "gs", "https", "memory", "s3")
MOST_FILES: Final = 10_000
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_CHAIN: Final = "::"
_GLOB: Final = re.compile(r"[*?\[]")
_PACKAGES: Final = {"s3": "s3fs", "gs": "gcsfs", "https": "aiohttp"}


@dataclass(frozen=True, slots=True)
class Location:
    """One address of records. `shown` is what people may see of it; `url` stays inside."""

    shown: str
    protocol: str
    url: str = field(repr=False)

    @property
    def is_pattern(self) -> bool:
        """Whether it may name several files; what follows `?` in a web address is its query."""
        return self.protocol != "https" and _GLOB.search(self.url.partition("://")[2]) is not None


def is_location(text: str) -> bool:
    """Tell an address from a path or a pattern of paths."""
    return _SCHEME.match(text) is not None or _CHAIN in text


def location(text: str) -> Location:
    """Read an address; UsageError where it is chained or of a protocol that is not read."""
    match = _SCHEME.match(text)
    if match is None or _CHAIN in text:
        raise UsageError(
            f"{shown_location(text)} is a chained location.",
            hint="Name one file or pattern; packed files are unpacked by themselves.",
        )
    protocol = match[1].lower()
    if protocol not in PROTOCOLS:
        raise UsageError(f"{protocol}:// is not read.", hint=f"Records are read from {', '.join(PROTOCOLS)}.")
    return Location(shown_location(text), protocol, text)


def refused(text: str) -> SourceError:
    """The error for a location that nobody allowed to be read."""
    return SourceError(
        "is a location, and nothing is fetched unasked",
        place=Place(shown_location(text)),
        hint="Add --allow-remote to read it.",
    )


def expand(found: Location) -> tuple[Location, ...]:
    """Give the files that a location names, in order; SourceError where there is none, or too many."""
    if not found.is_pattern:
        return (found,)
    with _plainly(found):
        names = sorted(_filesystem(found).glob(found.url))
    if not names:
        raise SourceError("no file matches", place=Place(found.shown))
    if len(names) > MOST_FILES:
        raise SourceError(f"names more than the {MOST_FILES:,} files that are read", place=Place(found.shown))
    bare = names if found.protocol == "file" else [name.lstrip("/") for name in names]
    urls = (name if _SCHEME.match(name) else f"{found.protocol}://{name}" for name in bare)
    return tuple(Location(shown_location(url), found.protocol, url) for url in urls)


def opener(found: Location) -> Callable[[], Readable]:
    """Give the function that opens a file of records elsewhere; what goes wrong is an OSError without the address."""

    def open_it() -> Readable:
        try:
            with _plainly(found):
                return _Guarded(_filesystem(found).open(found.url, "rb"))
        except SourceError as error:
            said = error.message if error.hint is None else f"{error.message}; {error.hint}"
            raise OSError(said) from None

    return open_it


class _Guarded:
    """An open file elsewhere that fails as a file here would."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def read(self, size: int = -1, /) -> bytes:
        try:
            data: bytes = self._file.read(size)
        except Exception as error:  # noqa: BLE001 - every library behind fsspec has errors of its own
            raise OSError(_cause(error)) from None
        return data

    def seekable(self) -> bool:
        return bool(self._file.seekable())

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return int(self._file.seek(offset, whence))

    def tell(self) -> int:
        return int(self._file.tell())

    @property
    def closed(self) -> bool:
        return bool(self._file.closed)

    def close(self) -> None:
        self._file.close()


def _filesystem(found: Location) -> Any:
    import fsspec

    # Listings and blocks are kept for this one run only, and nothing is written to a cache folder.
    return fsspec.filesystem(found.protocol, use_listings_cache=False, skip_instance_cache=True)


@contextmanager
def _plainly(found: Location) -> Iterator[None]:
    """Turn whatever a library raises into an error that says where, and nothing of the address or of a password."""
    try:
        yield
    except ImportError:
        package = _PACKAGES.get(found.protocol)
        names = f"'schema-compat[remote]' {package}" if package else "'schema-compat[remote]'"
        raise SourceError(
            f"{found.protocol}:// is read with packages that are not installed",
            place=Place(found.shown),
            hint=f"install them with: pip install {names}",
        ) from None
    except Exception as error:  # noqa: BLE001 - every library behind fsspec has errors of its own
        raise SourceError(f"cannot be read: {_cause(error)}", place=Place(found.shown)) from None


def _cause(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file"
    status = getattr(error, "status", None)
    if isinstance(status, int):
        return f"the server answered {status}"
    if isinstance(error, OSError) and error.strerror and error.filename is None and _SCHEME.search(str(error)) is None:
        return error.strerror.lower()
    return type(error).__name__


def shown_location(text: str) -> str:
    """Show an address without user, password, query and fragment."""
    if _CHAIN in text:
        return _CHAIN.join(map(shown_location, text.split(_CHAIN)))
    try:
        parts = urlsplit(text)
    except ValueError:
        return f"{text.partition(':')[0]}://…"
    if not parts.scheme:
        return text
    host = parts.netloc.rpartition("@")[2]
    if parts.scheme not in {"http", "https"} and parts.query:
        return f"{parts.scheme}://{host}{parts.path}?{parts.query}"  # a pattern
    return f"{parts.scheme}://{host}{parts.path}"


class Remote:
    """What may be read elsewhere in one run, and what was named without being allowed.

    Files elsewhere go by the name that is shown; their addresses are kept here and nowhere else. A configuration may
    come from a stranger, so the files on this machine that it names must lie under `root`.
    """

    def __init__(self, *, allowed: bool = False, root: Path | None = None) -> None:
        self.allowed = allowed
        self._root = root
        self.passed_over: list[str] = []
        self._files: dict[str, Location] = {}

    def files(self, text: str) -> tuple[str, ...]:
        """Give the names of the files at a location; SourceError where nothing may be read elsewhere."""
        if not self.allowed:
            raise refused(text)
        return tuple(map(self._named, expand(location(text))))

    def files_if_allowed(self, text: str) -> tuple[str, ...]:
        """Give the same for a location that a configuration names; what may not be read is remembered."""
        if self.allowed:
            found = location(text)
            return tuple(self._named(each) for each in expand(found) if self._within(each))
        shown = shown_location(text)
        if shown not in self.passed_over:
            self.passed_over.append(shown)
        return ()

    def opener(self, name: str) -> Callable[[], Readable] | None:
        """Give what opens a file elsewhere; None for any other name."""
        found = self._files.get(name)
        return None if found is None else opener(found)

    def _within(self, found: Location) -> bool:
        """Refuse a file of this machine that a configuration leads to, outside the root."""
        if found.protocol != "file":
            return True
        # As the library itself reads it: another opinion about escapes would be a way out.
        real = Path(_filesystem(found)._strip_protocol(found.url)).resolve()
        if self._root is None or self._root.resolve() not in real.parents:
            raise SourceError(
                "leads out of the root",
                place=Place(found.shown),
                hint="A configuration names files under the root; others are named on the command line.",
            )
        return True

    def _named(self, found: Location) -> str:
        name, count = found.shown, 1
        while self._files.setdefault(name, found) != found:
            count += 1
            name = f"{found.shown} ({count})"  # two signatures of what looks alike
        return name

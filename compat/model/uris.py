"""URI references as RFC 3986 §5 joins them, for every scheme, and the few that are refused."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

from compat.errors import ReferenceError

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_KNOWN = frozenset({"http", "https", "file"})


def join(base: str, reference: str) -> str:
    """Resolve a reference against a base; unlike `urljoin` this knows no schemes and so treats them alike."""
    if not base:
        return reference
    if not reference:
        return base
    if reference[0] == "#":
        return base.partition("#")[0] + reference
    if _SCHEME.match(reference):
        return reference
    scheme = _SCHEME.match(base)
    if scheme is None or scheme[1].lower() in _KNOWN:
        return urljoin(base, reference)
    rest = base[scheme.end() :]
    if rest.startswith("//"):
        return scheme[1] + ":" + urljoin("http:" + rest, reference).removeprefix("http:")
    # An opaque base (urn:, tag:) has no folders; the reference takes the place of what follows the last slash.
    return scheme[1] + ":" + urljoin(rest, reference)


def split(uri: str) -> tuple[str, str]:
    """Part a URI from its fragment."""
    stem, _, fragment = uri.partition("#")
    return stem, fragment


def refuse_outside(base: str, reference: str) -> None:
    """Raise ReferenceError for a reference to the file system itself, or to above the root.

    Files refer to one another by relative paths; `file:` and absolute paths mean another place on every machine.
    """
    if reference[:5].lower() == "file:":
        raise ReferenceError(
            f'$ref "{reference}" names a file by a file: URI, which is not followed',
            hint="Refer to it by a path relative to this file.",
        )
    if _DRIVE.match(reference) or reference.startswith("\\"):
        raise ReferenceError(
            f'$ref "{reference}" is an absolute path, which is not followed',
            hint="Refer to it by a path relative to this file.",
        )
    local = not base or base.startswith("file:")
    if not local or _SCHEME.match(reference):
        return
    path = split(reference)[0].partition("?")[0]
    if path.startswith("/"):
        raise ReferenceError(
            f'$ref "{reference}" is an absolute path, which is not followed',
            hint="Refer to it by a path relative to this file.",
        )
    depth = urlsplit(base).path.strip("/").count("/")
    for segment in path.split("/"):
        if segment == "..":
            depth -= 1
            if depth < 0 and base:
                raise ReferenceError(
                    f'$ref "{reference}" leads outside the root',
                    hint="Set the root higher up, or move the file inside it.",
                )
        elif segment not in {"", "."}:
            depth += 1

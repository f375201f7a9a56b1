"""References and identifiers in a text, by their looks: enough to tell whom a change may reach, without parsing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote, unquote

from compat.model.document import Syntax

_REFERENCE = re.compile(rb'"\$(?:ref|dynamicRef|recursiveRef)"\s*:\s*("(?:[^"\\]|\\.)*")')
_IDENTIFIER = re.compile(rb'"\$?id"\s*:\s*("(?:[^"\\]|\\.)*")')
_YAML_REFERENCE = re.compile(rb"[\"']?\$(?:ref|dynamicRef|recursiveRef)[\"']?\s*:\s*[\"']?([^\"'\s#,}][^\"'\s,}]*)")
_YAML_IDENTIFIER = re.compile(rb"^\s*[\"']?\$?id[\"']?\s*:\s*[\"']?([^\"'\s]+)", re.MULTILINE)

_ROOT = "file:///"


def file_uri(path: str) -> str:
    """Give the URI of a file relative to the root; the root's own place on this machine is no part of it."""
    return _ROOT + quote(path, safe="/", errors="surrogateescape")


def path_of(uri: str) -> str | None:
    """Give the file that `file_uri` wrote the URI of; None for any other."""
    return unquote(uri.removeprefix(_ROOT), errors="surrogateescape") if uri.startswith(_ROOT) else None


@dataclass(frozen=True, slots=True)
class Links:
    """The references and identifiers that a text seems to hold: never too few, perhaps too many."""

    references: tuple[str, ...]
    identifiers: tuple[str, ...]


def scan_links(path: str, data: bytes) -> Links:
    """Find references and identifiers by their looks."""
    if Syntax.of(path) is Syntax.YAML:
        return Links(
            tuple(match.decode("utf-8", "replace") for match in _YAML_REFERENCE.findall(data)),
            tuple(match.decode("utf-8", "replace") for match in _YAML_IDENTIFIER.findall(data)),
        )
    if b"\\u00" in data:
        # An escaped key or value would not be seen; written anew it is.
        try:
            data = json.dumps(json.loads(data), ensure_ascii=False).encode("utf-8", "surrogatepass")
        except (ValueError, RecursionError):
            return Links((), ())
    return Links(_unquoted(_REFERENCE.findall(data)), _unquoted(_IDENTIFIER.findall(data)))


def _unquoted(texts: Iterable[bytes]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for text in texts:
        try:
            found[str(json.loads(text))] = None
        except ValueError:
            continue
    return tuple(found)

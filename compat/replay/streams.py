"""Bytes of a records file in bounded pieces, decompressed on the way: never the whole file, never a file on disk."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final, Protocol

from compat.replay.parse import Kind
from compat.replay.unpacking import PIECE, StreamError, packing_of, unpacked

_HEAD: Final = 64
_ZIP: Final = b"PK\x03\x04"
_PARQUET: Final = b"PAR1"
_LFS_POINTER: Final = b"version https://git-lfs.github.com/spec/"


class Readable(Protocol):
    """Anything that gives bytes: an open file, a pipe, a blob in memory."""

    def read(self, size: int, /) -> bytes: ...


def pieces(stream: Readable) -> Iterator[bytes]:
    """Yield the text of a stream in pieces of about a megabyte; raise StreamError where it breaks off."""
    raw = _with_head(_read(stream))
    head = next(raw, b"")
    if head.startswith(_ZIP):
        raise StreamError(Kind.COMPRESSION, "a zip archive; plain text, gzip, bzip2, xz and zstd are read")
    text: Iterator[bytes] = chain((head,), raw)
    packing = packing_of(head)
    if packing is not None:
        text = _with_head(unpacked(packing, text))
    for index, piece in enumerate(text):
        if not index:
            refuse_foreign(piece)
        if piece:
            yield piece


def _read(stream: Readable) -> Iterator[bytes]:
    while piece := stream.read(PIECE):
        yield piece


def _with_head(parts: Iterator[bytes]) -> Iterator[bytes]:
    """Join first pieces that are too short to tell by (a pipe may give a byte at a time)."""
    head = b""
    try:
        for part in parts:
            head += part
            if len(head) >= _HEAD:
                break
    except (OSError, StreamError):
        yield head
        raise
    yield head
    yield from parts


def refuse_foreign(head: bytes) -> None:
    """Name what a text is that is not UTF-8 from its first bytes, before a parser stumbles over byte 0."""
    encoding = None
    if head.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        encoding = "UTF-32 (byte order mark)"
    elif head.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "UTF-16 (byte order mark)"
    elif b"\x00\x00\x00" in head[:4]:
        encoding = "UTF-32"
    elif len(head) > 1 and (head[0] == 0) != (head[1] == 0):
        encoding = "UTF-16"
    if encoding is not None:
        raise StreamError(Kind.ENCODING, f"{encoding} text; records are UTF-8")
    if head.startswith(_LFS_POINTER):
        raise StreamError(Kind.FILE, "a Git LFS pointer, not the records; run: git lfs pull")
    if head.startswith(_PARQUET):
        raise StreamError(Kind.FILE, "a Parquet file, not lines of JSON; name it .parquet")

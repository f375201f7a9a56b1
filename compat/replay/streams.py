"""Bytes of a records file in bounded pieces, decompressed on the way: never the whole file, never a file on disk."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from itertools import chain
from typing import Final, Protocol

from compat.replay.parse import Kind, UnparsableError

PIECE: Final = 1 << 20
_HEAD: Final = 64
_GZIP: Final = b"\x1f\x8b"
_UNSUPPORTED: Final = {
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\xfd7zXZ\x00": "xz",
    b"BZh": "bzip2",
    b"PK\x03\x04": "zip",
}
_LFS_POINTER: Final = b"version https://git-lfs.github.com/spec/"


class Readable(Protocol):
    """Anything that gives bytes: an open file, a pipe, a blob in memory."""

    def read(self, size: int, /) -> bytes: ...


class StreamError(UnparsableError):
    """The stream itself ends here: damaged, cut off, or in a form that is not read."""


def pieces(stream: Readable) -> Iterator[bytes]:
    """Yield the text of a stream in pieces of about a megabyte; raise StreamError where it breaks off."""
    raw = _with_head(_read(stream))
    head = next(raw, b"")
    for magic, name in _UNSUPPORTED.items():
        if head.startswith(magic):
            raise StreamError(Kind.COMPRESSION, f"{name} data; plain text and gzip are read")
    text: Iterator[bytes] = chain((head,), raw)
    if head.startswith(_GZIP):
        text = _with_head(_gunzip(text))
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


def _gunzip(raw: Iterator[bytes]) -> Iterator[bytes]:
    data = next(raw, b"")
    while data:
        inflater = zlib.decompressobj(wbits=31)
        while not inflater.eof:
            try:
                piece = inflater.decompress(data, PIECE)
            except zlib.error as error:
                raise StreamError(Kind.COMPRESSION, f"damaged gzip data ({_cause(error)})") from None
            if piece:
                yield piece
            # What the bound on the output kept back comes before anything new from the file.
            data = inflater.unconsumed_tail
            if not data and not inflater.eof:
                data = next(raw, b"")
                if not data and not piece:
                    raise StreamError(Kind.COMPRESSION, "the gzip data is cut off")
        data = inflater.unused_data
        while len(data) < len(_GZIP) and (more := next(raw, b"")):
            data += more
        if data and not data.startswith(_GZIP):
            _refuse_garbage(chain((data,), raw))
            return


def _refuse_garbage(parts: Iterator[bytes]) -> None:
    for part in parts:
        if part.strip(b"\x00"):  # padding with zeros is usual on tapes and harmless
            raise StreamError(Kind.COMPRESSION, "text after the end of the gzip data that is no gzip data")


def _cause(error: zlib.error) -> str:
    return str(error).rpartition(": ")[2]

"""Compressed bytes, unpacked piece by piece: gzip, bzip2, xz and zstd, any number of members, never the whole of it.

A packed file may be a bomb. Its text is never held, and what unpacks to far more than records ever do is not read on.
"""

from __future__ import annotations

import bz2
import lzma
import sys
import zlib
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Final, NamedTuple, Protocol

from compat.replay.parse import Kind, UnparsableError

PIECE: Final = 1 << 20
# Up to here a text may be as repetitive as it likes; beyond, real records pack to a twentieth, not to a thousandth.
FREE: Final = 256 << 20
MOST_TIMES: Final = 200
_MOST_MEMORY: Final = 256 << 20
_LONGEST_MAGIC: Final = 6


class StreamError(UnparsableError):
    """The stream itself ends here: damaged, cut off, or in a form that is not read."""


class _Unpacker(Protocol):
    """What the decompressors of the standard library have in common; one member each."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class Packing(NamedTuple):
    """One way to pack: its name, what every member begins with, and what unpacks one."""

    name: str
    magics: tuple[bytes, ...]
    unpacker: Callable[[], _Unpacker]
    errors: tuple[type[Exception], ...]


class _Gzip:
    """zlib in the manner of the others, which keep back by themselves what the bound on the output leaves over."""

    def __init__(self) -> None:
        self._inflater = zlib.decompressobj(wbits=31)
        self._full = False

    @property
    def eof(self) -> bool:
        return self._inflater.eof

    @property
    def needs_input(self) -> bool:
        return not self._full

    @property
    def unused_data(self) -> bytes:
        return self._inflater.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        piece = self._inflater.decompress(self._inflater.unconsumed_tail + data, max_length)
        self._full = len(piece) == max_length
        return piece


def _zstd() -> _Unpacker:
    if sys.version_info >= (3, 14):
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]
    else:
        from backports import zstd
    return zstd.ZstdDecompressor()  # refuses windows beyond 128 MiB by itself


def _xz() -> _Unpacker:
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MOST_MEMORY)


# The error of zstd is known only once its module is loaded.
_PACKINGS: Final = (
    Packing("gzip", (b"\x1f\x8b",), _Gzip, (zlib.error,)),
    Packing("bzip2", (b"BZh",), bz2.BZ2Decompressor, (OSError, ValueError)),
    Packing("xz", (b"\xfd7zXZ\x00",), _xz, (lzma.LZMAError,)),
    Packing(
        "zstd",
        (b"\x28\xb5\x2f\xfd", *(bytes((low, 0x2A, 0x4D, 0x18)) for low in range(0x50, 0x60))),
        _zstd,
        (Exception,),
    ),
)

# What a file's name may add to say that it is packed; the bytes decide.
ENDINGS: Final = (".gz", ".bz2", ".xz", ".zst", ".zstd")


def packing_of(head: bytes) -> Packing | None:
    """Tell from its first bytes how a stream is packed."""
    return next((packing for packing in _PACKINGS if head.startswith(packing.magics)), None)


def without_ending(name: str) -> str:
    """Take off a file's name what says that it is packed."""
    lower = name.lower()
    return next((name[: -len(ending)] for ending in ENDINGS if lower.endswith(ending)), name)


def unpacked(packing: Packing, raw: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the text of a packed stream in pieces of a megabyte; raise StreamError where it breaks off."""
    meter = _Meter()
    raw = meter.packed(raw)
    data = next(raw, b"")
    while data:
        member = packing.unpacker()
        while True:
            try:
                piece = member.decompress(data, PIECE)
            except packing.errors as error:
                raise StreamError(Kind.COMPRESSION, f"damaged {packing.name} data ({_cause(error)})") from None
            if piece:
                meter.take(piece)
                yield piece
            if member.eof:
                break
            data = next(raw, b"") if member.needs_input else b""
            if not data and member.needs_input:
                raise StreamError(Kind.COMPRESSION, f"the {packing.name} data is cut off")
        data = member.unused_data
        while len(data) < _LONGEST_MAGIC and (more := next(raw, b"")):
            data += more
        if data and not data.startswith(packing.magics):
            _refuse_garbage(chain((data,), raw), packing.name)
            return


class _Meter:
    """How much went in and came out, so that a bomb is told from a file that packs well."""

    def __init__(self) -> None:
        self._in = self._out = 0

    def packed(self, raw: Iterator[bytes]) -> Iterator[bytes]:
        for piece in raw:
            self._in += len(piece)
            yield piece

    def take(self, piece: bytes) -> None:
        self._out += len(piece)
        if self._out > max(FREE, MOST_TIMES * self._in):
            bound = f"{FREE >> 20} MiB and {MOST_TIMES} times its size"
            raise StreamError(Kind.COMPRESSION, f"unpacks to more than {bound}, and is not read further")


def _refuse_garbage(parts: Iterator[bytes], name: str) -> None:
    for part in parts:
        if part.strip(b"\x00"):  # padding with zeros is usual on tapes and harmless
            raise StreamError(Kind.COMPRESSION, f"text after the end of the {name} data that is no {name} data")


def _cause(error: Exception) -> str:
    said = str(error).rpartition(": ")[2].rstrip(".") or type(error).__name__
    return said[:1].lower() + said[1:]

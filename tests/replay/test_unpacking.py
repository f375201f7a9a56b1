"""Packed records read like plain ones; what is damaged, cut off or a bomb is one outcome with its place."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
from collections.abc import Callable

import pytest

from compat.replay import unpacking
from compat.replay.parse import Kind
from compat.replay.read import Outcome, Record, Unreadable, layout_of, read_stream

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

LINES = b"".join(b'{"n": %d}\n' % n for n in range(500))
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": zstd.compress,
}
SKIPPABLE = b"\x50\x2a\x4d\x18\x04\x00\x00\x00abcd"


class Slow(io.BytesIO):
    """A stream that gives a few bytes at a time, so that every boundary is met."""

    def __init__(self, data: bytes, size: int) -> None:
        super().__init__(data)
        self._size = size

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(self._size)


def outcomes(data: bytes, name: str = "r.ndjson", size: int = 1 << 20) -> list[Outcome]:
    return list(read_stream(Slow(data, size), name))


@pytest.fixture(params=PACKERS)
def packing(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("size", [1, 5, 1 << 20])
def test_members_follow_each_other(packing: str, size: int) -> None:
    pack = PACKERS[packing]
    found = outcomes(pack(LINES) + pack(b"") + pack(b"7\n") + b"\x00" * 512, size=size)
    assert len(found) == 501
    assert found[-1] == Record(7, "r.ndjson", 501)


@pytest.mark.parametrize("size", [1, 1 << 20])
@pytest.mark.parametrize(
    ("damage", "word"),
    [
        (lambda data: data[:-1], "cut off"),
        (lambda data: data[: len(data) // 2], "cut off"),
        (lambda data: data[:6], "cut off"),
        (lambda data: data + data[:5], "cut off|after the end"),
        (lambda data: data + b"garbage", "after the end"),
        (lambda data: data + b"\x00\x00x", "after the end"),
        (lambda data: data[:20] + bytes(byte ^ 0xFF for byte in data[20:40]) + data[40:], "damaged|cut off"),
    ],
)
def test_damage_is_one_outcome_after_what_could_be_read(
    packing: str, damage: Callable[[bytes], bytes], word: str, size: int
) -> None:
    *before, last = outcomes(damage(PACKERS[packing](LINES)), size=size)
    assert all(isinstance(item, Record) for item in before)
    assert isinstance(last, Unreadable)
    assert last.kind is Kind.COMPRESSION
    assert packing in last.reason
    assert any(each in last.reason for each in word.split("|"))
    assert last.line == len(before) + 1


def test_the_bytes_decide_and_the_name_tells_the_layout(packing: str) -> None:
    packed = PACKERS[packing](b"[1,\n2]")
    assert [item.line for item in outcomes(packed, "r.json")] == [1, 2]
    for ending in unpacking.ENDINGS:
        assert outcomes(packed, f"R.JSON{ending.upper()}") == outcomes(packed, f"R.JSON{ending.upper()}", 3)
        assert layout_of(f"r.json{ending}") == layout_of("r.json") != layout_of(f"r.ndjson{ending}")


def test_frames_that_hold_no_data_are_passed_over() -> None:
    assert outcomes(SKIPPABLE + zstd.compress(b"1\n") + SKIPPABLE) == [Record(1, "r.ndjson", 1)]


def test_a_bomb_is_not_read_to_its_end(packing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "FREE", 4 << 20)
    bomb = PACKERS[packing](b"1\n" + b" " * (64 << 20) + b"\n2\n")
    first, last = outcomes(bomb)
    assert first == Record(1, "r.ndjson", 1)
    assert isinstance(last, Unreadable)
    assert (last.kind, last.line) == (Kind.COMPRESSION, 2)
    assert "more than 4 MiB and 200 times its size" in last.reason


def test_what_packs_well_is_no_bomb(packing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "FREE", 1 << 20)
    monkeypatch.setattr(unpacking, "MOST_TIMES", 100_000)
    assert len(outcomes(PACKERS[packing](b'{"same": "always"}\n' * 200_000))) == 200_000


def test_nothing_is_held(packing: str) -> None:
    bomb = PACKERS[packing](b" " * (64 << 20) + b"\n1\n")
    chosen = unpacking.packing_of(bomb)
    assert chosen is not None
    lengths = [len(piece) for piece in unpacking.unpacked(chosen, iter([bomb]))]
    assert sum(lengths) == (64 << 20) + 3
    assert max(lengths) <= unpacking.PIECE


def test_a_window_that_needs_too_much_memory_is_refused() -> None:
    options = {zstd.CompressionParameter.window_log: 28}
    packed = zstd.compress(b"1\n" * 10, options=options)
    compressor = zstd.ZstdCompressor(options=options)
    streamed = compressor.compress(b"1\n" * 10) + compressor.flush()
    assert len(outcomes(packed)) == 10
    (found,) = outcomes(streamed)
    assert isinstance(found, Unreadable)
    assert found.kind is Kind.COMPRESSION

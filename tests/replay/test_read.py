"""Every way a records file can be wrong is an outcome with its line, and nothing is lost."""

from __future__ import annotations

import gzip
import io
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compat.replay import cutting, streams
from compat.replay.parse import Kind
from compat.replay.read import Layout, Outcome, Record, Unreadable, read_file, read_opened, read_stream


class Slow(io.BytesIO):
    """A stream that gives a few bytes at a time, so that every boundary is met."""

    def __init__(self, data: bytes, size: int) -> None:
        super().__init__(data)
        self._size = size

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(self._size)


def outcomes(data: bytes, name: str = "r.ndjson", size: int = 1 << 20) -> list[Outcome]:
    return list(read_stream(Slow(data, size), name))


def brief(found: list[Outcome]) -> list[tuple[int | None, object]]:
    return [(item.line, item.value if isinstance(item, Record) else item.kind) for item in found]


SIZES = pytest.mark.parametrize("size", [1, 2, 3, 7, 1 << 20])


@SIZES
@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"1\n2\n", [(1, 1), (2, 2)]),
        (b"1\n2", [(1, 1), (2, 2)]),
        (b"1\r\n2\r\n", [(1, 1), (2, 2)]),
        (b"\n  \n1\n\t\n\r\n2\n\n", [(3, 1), (6, 2)]),
        (b"\xef\xbb\xbf1\n2\n", [(1, 1), (2, 2)]),
        (b"\xef\xbb\xbf\n2\n", [(2, 2)]),
        (b"1\n\xef\xbb\xbf2\n", [(1, 1), (2, 2)]),
        ('"a\u2028b"\n"c\u0085d"\n2'.encode(), [(1, "a\u2028b"), (2, "c\u0085d"), (3, 2)]),
        (b"[1,\r2]\n3\n", [(1, [1, 2]), (2, 3)]),
        (b"1\nx\n2\n", [(1, 1), (2, Kind.MALFORMED), (3, 2)]),
        (b'1\n{"a":\n2\n', [(1, 1), (2, Kind.TRUNCATED), (3, 2)]),
        (b'1\n{"a": 2', [(1, 1), (2, Kind.TRUNCATED)]),
        (b'1\n{"a": tr', [(1, 1), (2, Kind.TRUNCATED)]),
        (b"1\nNaN\n1e999\n2", [(1, 1), (2, Kind.NUMBER), (3, Kind.NUMBER), (4, 2)]),
        (b'{"a":1,"a":1}\n', [(1, Kind.DUPLICATE_KEY)]),
        (b'"\xff"\n1\n', [(1, Kind.ENCODING), (2, 1)]),
        (b'"\\ud800"\n1\n', [(1, Kind.SURROGATE), (2, 1)]),
        (b"[" * 10_000 + b"]" * 10_000 + b"\n1\n", [(1, Kind.TOO_DEEP), (2, 1)]),
        (b"18446744073709551616\n", [(1, 2**64)]),
        (b'{\n  "a": 1,\n  "b": [1]\n}\n', [(1, Kind.PRETTY_PRINTED)]),
        (b'\n\n[\n  {"a": 1},\n  {"a": 2}\n]\n', [(3, Kind.PRETTY_PRINTED)]),
        (b'{\n  "a": 1,\n', [(1, Kind.PRETTY_PRINTED)]),
        (b'{"a":\n1}\n', [(1, Kind.PRETTY_PRINTED)]),
        (b'{"a":1,\n{"a":1}\n', [(1, Kind.TRUNCATED), (2, {"a": 1})]),
        (b'{"a": 1,\n', [(1, Kind.TRUNCATED)]),
        (b'{"a": 1},\n{"a": 2},\n', [(1, Kind.MALFORMED), (2, Kind.MALFORMED)]),
    ],
)
def test_lines(data: bytes, expected: list[tuple[int, object]], size: int) -> None:
    assert brief(outcomes(data, size=size)) == expected


@SIZES
@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b" \n", []),
        (b"[]", []),
        (b"[ \n ]\n", []),
        (b"[1,2]", [(1, 1), (1, 2)]),
        (
            b'\xef\xbb\xbf\n[\n  {"a": "],["},\n  {"b": [1,\n {}]}, 3\n]\n',
            [(3, {"a": "],["}), (4, {"b": [1, {}]}), (5, 3)],
        ),
        (b'["\\"]", "\\\\"]', [(1, '"]'), (1, "\\")]),
        (b'{\n"a": 1\n}\n', [(1, {"a": 1})]),
        (b"\n\n7", [(3, 7)]),
        (b"[1,,2]", [(1, 1), (1, Kind.MALFORMED), (1, 2)]),
        (b"[1,\n]", [(1, 1), (2, Kind.MALFORMED)]),
        (b"[1,\nx,\n2]", [(1, 1), (2, Kind.MALFORMED), (3, 2)]),
        (b"[1,\n2", [(1, 1), (2, Kind.TRUNCATED)]),
        (b'[1,\n{"a": "x', [(1, 1), (2, Kind.TRUNCATED)]),
        (b"[1,2}", [(1, 1), (1, Kind.MALFORMED)]),
        (b"[1]\n[2]", [(1, 1), (2, Kind.MALFORMED)]),
        (b'{"a": 1}\n{"a": 2}\n', [(1, Kind.MALFORMED)]),
        (b'{\n "a": 1,\n "b": x\n}', [(3, Kind.MALFORMED)]),
        (b'{"a": 1,\n "a": 1}', [(1, Kind.DUPLICATE_KEY)]),
        (b"[" * 10_000 + b"]" * 10_000, [(1, Kind.TOO_DEEP)]),
    ],
)
def test_documents_and_arrays(data: bytes, expected: list[tuple[int, object]], size: int) -> None:
    assert brief(outcomes(data, "r.json", size)) == expected


def test_a_malformed_document_says_its_line_and_column() -> None:
    (found,) = outcomes(b'{\n "a": 1,\n "b": x\n}', "r.json")
    assert isinstance(found, Unreadable)
    assert found.place == "r.json:3:7"


def test_a_value_a_line_in_a_document_file_is_explained() -> None:
    (found,) = outcomes(b'{"a": 1}\n{"a": 2}\n', "r.json")
    assert isinstance(found, Unreadable)
    assert ".ndjson" in found.reason


def test_a_spread_value_in_a_lines_file_is_explained_once() -> None:
    (found,) = outcomes(json.dumps([{"a": n} for n in range(100)], indent=2).encode())
    assert isinstance(found, Unreadable)
    assert "one value per line is expected" in found.reason


@pytest.mark.parametrize(
    ("data", "word"),
    [
        ('{"a":1}\n'.encode("utf-16"), "UTF-16"),
        ('{"a":1}\n'.encode("utf-16-le"), "UTF-16"),
        ('{"a":1}\n'.encode("utf-16-be"), "UTF-16"),
        ('{"a":1}\n'.encode("utf-32"), "UTF-32"),
        ('{"a":1}\n'.encode("utf-32-be"), "UTF-32"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", "git lfs pull"),
        (b"\x28\xb5\x2f\xfd\x00", "zstd data is cut off"),
        (b"\xfd7zXZ\x00", "xz data is cut off"),
        (b"BZh9", "bzip2 data is cut off"),
        (b"PK\x03\x04", "zip"),
        (b"PAR1\x15\x04", "name it .parquet"),
    ],
)
@pytest.mark.parametrize("name", ["r.ndjson", "r.json"])
def test_what_is_no_text_is_named_once(data: bytes, word: str, name: str) -> None:
    (found,) = outcomes(data, name)
    assert isinstance(found, Unreadable)
    assert found.kind in {Kind.ENCODING, Kind.FILE, Kind.COMPRESSION}
    assert word in found.reason


LINES = b"".join(b'{"n": %d}\n' % n for n in range(500))


@pytest.mark.parametrize("size", [1, 5, 1 << 20])
def test_gzip_of_many_members_and_padding_is_read(size: int) -> None:
    data = gzip.compress(LINES) + gzip.compress(b"") + gzip.compress(b"7\n") + b"\x00" * 512
    found = outcomes(data, "r.ndjson.gz", size)
    assert len(found) == 501
    assert found[-1] == Record(7, "r.ndjson.gz", 501)


@pytest.mark.parametrize("size", [1, 5, 1 << 20])
@pytest.mark.parametrize(
    ("damage", "word"),
    [
        (lambda data: data[:-9], "cut off"),
        (lambda data: data[: len(data) // 2], "cut off"),
        (lambda data: data[:5], "cut off"),
        (lambda data: data + b"garbage", "after the end of the gzip data"),
        (lambda data: data + b"\x00\x00x", "after the end of the gzip data"),
        (lambda data: data[:-6] + b"\x00" * 6, "damaged"),
    ],
)
def test_damaged_gzip_is_one_outcome_after_what_could_be_read(
    damage: Callable[[bytes], bytes], word: str, size: int
) -> None:
    *before, last = outcomes(damage(gzip.compress(LINES)), "r.ndjson.gz", size)
    assert [item.line for item in before] == list(range(1, len(before) + 1))
    assert all(isinstance(item, Record) for item in before)
    assert isinstance(last, Unreadable)
    assert last.kind is Kind.COMPRESSION
    assert word in last.reason


def test_gzip_is_known_by_its_bytes_not_its_name() -> None:
    assert brief(outcomes(gzip.compress(b"[1,\n2]"), "r.json")) == [(1, 1), (2, 2)]


def test_an_array_in_gzip_is_an_array() -> None:
    assert brief(outcomes(gzip.compress(b"[1,\n2]"), "r.json.gz")) == [(1, 1), (2, 2)]


def test_utf_16_inside_gzip_is_named() -> None:
    (found,) = outcomes(gzip.compress("1\n".encode("utf-16")), "r.ndjson.gz")
    assert isinstance(found, Unreadable)
    assert "UTF-16" in found.reason


class Endless:
    """A line of 200 MB that is never held as one."""

    def __init__(self, before: bytes, after: bytes, count: int = 200) -> None:
        self._parts = [before, *[b"x" * streams.PIECE] * count, after, b""]
        self.held = 0

    def read(self, _size: int, /) -> bytes:
        return self._parts.pop(0)


def test_a_line_of_200_megabytes_is_too_long_and_the_next_is_read() -> None:
    found = list(read_stream(Endless(b'1\n"', b'"\n2\n'), "r.ndjson"))
    assert brief(found) == [(1, 1), (2, Kind.TOO_LONG), (3, 2)]
    assert isinstance(found[1], Unreadable)
    assert "16 MiB" in found[1].reason


def test_a_last_line_that_is_too_long_is_an_outcome_too() -> None:
    assert brief(list(read_stream(Endless(b'1\n"', b'"'), "r.ndjson"))) == [(1, 1), (2, Kind.TOO_LONG)]


@pytest.mark.parametrize("before", [b'"', b'[1,"'])
def test_a_document_or_element_of_200_megabytes_stops_the_file(before: bytes) -> None:
    assert brief(list(read_stream(Endless(before, b'"]'), "r.json")))[-1] == (1, Kind.TOO_LONG)


def test_a_small_bomb_does_not_grow_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    largest = 0

    def watched(stream: streams.Readable) -> object:
        nonlocal largest
        for piece in streams.pieces(stream):
            largest = max(largest, len(piece))
            yield piece

    monkeypatch.setattr(cutting, "pieces", watched)
    bomb = gzip.compress(b" " * (64 << 20) + b"\n1\n", compresslevel=1)
    assert brief(outcomes(bomb, "r.ndjson.gz")) == [(1, Kind.TOO_LONG), (2, 1)]
    assert 0 < largest <= streams.PIECE


def test_a_missing_file_is_an_outcome(tmp_path: Path) -> None:
    (found,) = read_file(tmp_path / "gone.ndjson", "gone.ndjson")
    assert found == Unreadable(Kind.FILE, "no such file or directory", "gone.ndjson")


def test_a_folder_is_an_outcome(tmp_path: Path) -> None:
    (found,) = read_file(tmp_path, "folder")
    assert isinstance(found, Unreadable)
    assert found.kind is Kind.FILE


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs a user who can be refused")
def test_a_file_without_permission_is_an_outcome(tmp_path: Path) -> None:
    path = tmp_path / "secret.ndjson"
    path.write_bytes(b"1\n")
    path.chmod(0)
    (found,) = read_file(path, "secret.ndjson")
    assert found == Unreadable(Kind.FILE, "permission denied", "secret.ndjson")


@pytest.mark.parametrize("name", ["r.ndjson", "r.json"])
def test_a_file_that_fails_while_read_is_an_outcome(name: str) -> None:
    class Failing:
        def __init__(self) -> None:
            self.closed = False
            self.parts = [b"[1,\n", b"2,\n"] if name == "r.json" else [b"1\n2\n"]

        def read(self, _size: int, /) -> bytes:
            if self.parts:
                return self.parts.pop(0)
            raise OSError(5, "Input/output error")

        def close(self) -> None:
            self.closed = True

    stream = Failing()
    *before, last = read_opened(lambda: stream, name)
    assert [item.value for item in before if isinstance(item, Record)] == [1, 2]
    assert isinstance(last, Unreadable)
    assert (last.kind, last.reason) == (Kind.FILE, "input/output error")
    assert stream.closed


def test_the_layout_can_be_said() -> None:
    assert list(read_stream(io.BytesIO(b"[1,2]"), "-", Layout.DOCUMENT)) == [Record(1, "-", 1), Record(2, "-", 1)]
    assert list(read_stream(io.BytesIO(b"[1,2]"), "-")) == [Record([1, 2], "-", 1)]


@given(st.lists(st.sampled_from([b"1", b"{}", b"x", b"", b" ", b'"\\ud800"', b'{"a":', b"[\r]"])), st.integers(1, 9))
def test_every_line_that_is_not_blank_is_exactly_one_outcome(lines: list[bytes], size: int) -> None:
    found = outcomes(b"7\n" + b"\n".join(lines), size=size)
    filled = [number for number, line in enumerate(lines, 2) if line.strip()]
    assert [item.line for item in found] == [1, *filled]


@given(
    st.binary(max_size=200) | st.text('{}[]",:\\ \n\r1aNE.-\ufeff\u2028', max_size=60).map(str.encode),
    st.sampled_from(["r.ndjson", "r.json"]),
    st.sampled_from(["", "gzip", "head", "broken"]),
    st.integers(1, 9),
)
def test_any_bytes_at_all_end_in_outcomes(data: bytes, name: str, packing: str, size: int) -> None:
    if packing:
        data = {"gzip": gzip.compress(data), "head": b"\x1f\x8b" + data, "broken": gzip.compress(data)[:-3]}[packing]
    found = outcomes(data, name, size)
    assert found == outcomes(data, name)
    for item in found:
        assert item.line is not None
        assert 1 <= item.line <= 1 + max(data.count(b"\n"), 200)

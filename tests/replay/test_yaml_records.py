"""YAML: a record a document, or an item of a list, with the line each begins on."""

from __future__ import annotations

import gzip
import io

import pytest

from compat.replay import yaml_records
from compat.replay.parse import Kind
from compat.replay.read import Record, read_stream

DEEP = b"[" * 300 + b"]" * 300


def brief(data: bytes, name: str = "r.yaml") -> list[tuple[int | None, object]]:
    found = read_stream(io.BytesIO(data), name)
    return [(item.line, item.value if isinstance(item, Record) else item.kind) for item in found]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"# nothing\n---\n...\n--- # still\n", []),
        (b"a: 1\nb: [x, no, 1.50]\n", [(1, {"a": 1, "b": ["x", "no", 1.5]})]),
        (b"---\na: 1\n---\na: 2\n", [(2, {"a": 1}), (4, {"a": 2})]),
        (b"%YAML 1.2\n--- {a: 1}\n...\n---\n# told\n\na: 2", [(2, {"a": 1}), (7, {"a": 2})]),
        (b"- a: 1\n- a: 2\n\n- 7\n", [(1, {"a": 1}), (2, {"a": 2}), (4, 7)]),
        (b"\xef\xbb\xbfa: 1\r\n---\r\n- 2\r\n- 3\r\n", [(1, {"a": 1}), (3, 2), (4, 3)]),
        (b"a: |\n  --- not a marker\n  ...\n", [(1, {"a": "--- not a marker\n...\n"})]),
        (b"a: 18446744073709551616\n", [(1, {"a": 2**64})]),
        (b"on: 2026-01-01\n", [(1, {"on": "2026-01-01"})]),
        (b"a: &x {b: 1}\nc: *x\n", [(1, {"a": {"b": 1}, "c": {"b": 1}})]),
        (b"a: 1\n---\na: [\n---\na: 3\n", [(1, {"a": 1}), (4, Kind.MALFORMED), (5, {"a": 3})]),
        (b"a: 1\na: 2\n", [(2, Kind.MALFORMED)]),
        (b"a: .nan\n", [(1, Kind.MALFORMED)]),
        (b"a: 1e999\n", [(1, Kind.NUMBER)]),
        (DEEP, [(1, Kind.MALFORMED)]),
        ("a: 1\n".encode("utf-16"), [(1, Kind.ENCODING)]),
        (b"a: \xff\n", [(1, Kind.MALFORMED)]),
        (b'a: "\\ud800"\n', [(1, Kind.MALFORMED)]),
    ],
)
def test_documents_and_items(data: bytes, expected: list[tuple[int, object]]) -> None:
    assert brief(data) == expected


def test_packed_and_cut_off() -> None:
    data = b"".join(b"---\nn: %d\nother: words to pack\n" % n for n in range(3000))
    assert len(brief(gzip.compress(data), "r.yml.gz")) == 3000
    *before, last = brief(gzip.compress(data)[:-100], "r.yml.gz")
    assert last[1] is Kind.COMPRESSION
    assert [value for _, value in before] == [{"n": n, "other": "words to pack"} for n in range(len(before))]


def test_one_document_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_records, "MAX_RECORD", 1 << 20)
    large = b"a: 1\n---\nb: " + b"x" * (3 << 20) + b"\n---\nc: 2\n"
    assert brief(large) == [(1, {"a": 1}), (2, Kind.TOO_LONG)]
    many = b"a: 1\n---\n" + b"- item\n" * (1 << 18)
    assert brief(many) == [(1, {"a": 1}), (2, Kind.TOO_LONG)]


def test_aliases_that_blow_up_are_refused() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    ((_, kind),) = brief("\n".join(lines).encode())
    assert kind is Kind.MALFORMED

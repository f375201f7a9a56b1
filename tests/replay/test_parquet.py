"""Parquet: a record a row, with the number of the row as its line."""

from __future__ import annotations

import io
import sys
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from compat.replay import parquet as reader
from compat.replay.parse import Kind
from compat.replay.read import Outcome, Record, Unreadable, read_file, read_stream


@pytest.fixture
def arrow() -> Any:
    return pytest.importorskip("pyarrow", reason="needs the extra parquet: pip install 'schema-compat[parquet]'")


def written(arrow: Any, rows: list[dict[str, Any]], schema: Any = None) -> bytes:
    from pyarrow import parquet

    sink = io.BytesIO()
    parquet.write_table(arrow.Table.from_pylist(rows, schema=schema), sink)
    return sink.getvalue()


def outcomes(data: bytes, name: str = "r.parquet") -> list[Outcome]:
    return list(read_stream(io.BytesIO(data), name))


def test_rows_are_records(arrow: Any) -> None:
    rows = [{"v": n, "actor": {"id": f"a{n}", "tags": ["x", "y"][: n % 3]}} for n in range(3_000)]
    found = outcomes(written(arrow, rows))
    assert found == [Record(row, "r.parquet", number) for number, row in enumerate(rows, 1)]


def test_what_json_has_no_type_for(arrow: Any) -> None:
    row = {
        "when": datetime(2026, 4, 1, 8, 30, tzinfo=UTC),
        "local": datetime(2026, 4, 1, 8, 30),
        "day": date(2026, 4, 1),
        "price": Decimal("10.10"),
        "whole": Decimal(2**70),
        "absent": None,
        "inner": {"absent": None, "there": False},
    }
    fields = [
        ("when", arrow.timestamp("us", "UTC")),
        ("local", arrow.timestamp("ms")),
        ("day", arrow.date32()),
        ("price", arrow.decimal128(10, 2)),
        ("whole", arrow.decimal128(38, 0)),
        ("absent", arrow.string()),
        ("inner", arrow.struct([("absent", arrow.int64()), ("there", arrow.bool_())])),
        ("map", arrow.map_(arrow.string(), arrow.int64())),
    ]
    (found,) = outcomes(written(arrow, [{**row, "map": {"k": 1}}], arrow.schema(fields)))
    assert isinstance(found, Record)
    assert found.value == {
        "when": "2026-04-01T08:30:00Z",
        "local": "2026-04-01T08:30:00",
        "day": "2026-04-01",
        "price": 10.1,
        "whole": 2**70,
        "inner": {"there": False},
        "map": {"k": 1},
    }
    assert not found.ordinary


def test_a_value_without_a_json_form_spoils_its_row_only(arrow: Any) -> None:
    floats = outcomes(written(arrow, [{"x": 1.5}, {"x": float("nan")}, {"x": 2.5}]))
    assert [item.value if isinstance(item, Record) else item.kind for item in floats] == [
        {"x": 1.5},
        Kind.NUMBER,
        {"x": 2.5},
    ]
    (blob,) = outcomes(written(arrow, [{"x": b"\xff"}]))
    assert isinstance(blob, Unreadable)
    assert (blob.kind, blob.line) == (Kind.MALFORMED, 1)
    twice = arrow.schema([("m", arrow.map_(arrow.string(), arrow.int64()))])
    maps = outcomes(written(arrow, [{"m": [("a", 1)]}, {"m": [("a", 1), ("a", 2)]}, {"m": []}], twice))
    assert [isinstance(item, Record) for item in maps] == [True, False, True]


@pytest.mark.parametrize("damage", [lambda d: d[:-4], lambda d: d[:20], lambda d: b"PAR1", lambda _: b"{}\n"])
def test_damage_is_an_outcome(arrow: Any, damage: Any) -> None:
    *_, last = outcomes(damage(written(arrow, [{"x": 1}])))
    assert isinstance(last, Unreadable)
    assert last.kind is Kind.FILE


def test_rows_that_are_too_large_are_not_held(arrow: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "_MOST_BYTES", 1 << 20)
    (found,) = outcomes(written(arrow, [{"x": "y" * (1 << 20)}] * 3))
    assert isinstance(found, Unreadable)
    assert found.kind is Kind.TOO_LONG


def test_a_file_on_disk(arrow: Any, tmp_path: Path) -> None:
    (tmp_path / "r.parquet").write_bytes(written(arrow, [{"x": 1}]))
    assert list(read_file(tmp_path / "r.parquet", "r.parquet")) == [Record({"x": 1}, "r.parquet", 1)]


def test_a_pipe_is_refused_with_the_way_out() -> None:
    class Pipe:
        def read(self, _size: int, /) -> bytes:
            raise AssertionError("nothing is read from it")

    (found,) = read_stream(Pipe(), "r.parquet")
    assert isinstance(found, Unreadable)
    assert "name the file" in found.reason


def test_without_pyarrow_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (found,) = outcomes(b"PAR1")
    assert isinstance(found, Unreadable)
    assert "schema-compat[parquet]" in found.reason

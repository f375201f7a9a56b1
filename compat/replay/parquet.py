"""Records out of Parquet: a row each, with pyarrow from the extra `parquet`.

JSON has no dates and Parquet no absent members: dates and times become their ISO 8601 texts, and a null is taken for a
member that is not there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from decimal import Decimal
from math import isfinite
from typing import Any, Final

from compat.jsonvalue import JSON
from compat.replay.parse import Kind, UnparsableError
from compat.replay.read import Outcome, Unreadable, record_of
from compat.replay.streams import Readable

_ROWS: Final = 1_024
_MOST_BYTES: Final = 256 << 20
_MOST_METADATA: Final = 16 << 20


def read_parquet(stream: Readable, name: str) -> Iterator[Outcome]:
    """Yield the rows of a Parquet file; the line of a record is the number of its row."""
    seekable = getattr(stream, "seekable", None)
    if seekable is None or not seekable():
        reason = "a Parquet file is read from its end, which a pipe does not have yet; name the file"
        yield Unreadable(Kind.FILE, reason, name)
        return
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError:
        reason = "Parquet is read with pyarrow; install it with: pip install 'schema-compat[parquet]'"
        yield Unreadable(Kind.FILE, reason, name)
        return
    row = 1
    try:
        file = parquet.ParquetFile(
            stream, thrift_string_size_limit=_MOST_METADATA, thrift_container_size_limit=_MOST_METADATA
        )
        for batch in file.iter_batches(batch_size=_ROWS):
            if batch.nbytes > _MOST_BYTES:
                reason = f"{batch.num_rows:,} rows of more than {_MOST_BYTES >> 20} MiB"
                yield Unreadable(Kind.TOO_LONG, reason, name, row)
                return
            for value in _values(batch, arrow):
                yield _record(value, name, row)
                row += 1
    except (arrow.ArrowException, OSError, ValueError) as error:
        yield Unreadable(Kind.FILE, f"damaged Parquet data ({_first_line(error)})", name, row)


def _values(batch: Any, arrow: Any) -> Iterator[object]:
    """Give the rows of a batch; a value that Python cannot hold spoils its own row only."""
    try:
        yield from batch.to_pylist(maps_as_pydicts="strict")
    except (ValueError, KeyError, arrow.ArrowException):
        for index in range(batch.num_rows):
            try:
                yield batch.slice(index, 1).to_pylist(maps_as_pydicts="strict")[0]
            except (ValueError, KeyError, arrow.ArrowException) as error:
                yield error


def _record(value: object, name: str, row: int) -> Outcome:
    if isinstance(value, Exception):
        return Unreadable(Kind.MALFORMED, f"has no JSON form: {_first_line(value)}", name, row)
    try:
        return record_of(_plain(value), name, row)
    except UnparsableError as error:
        return Unreadable(error.kind, error.reason, name, row)


def _plain(value: object) -> JSON:
    """Turn what Arrow holds into JSON; bounded by the nesting of the file's schema."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float | Decimal):
        if not isfinite(value):
            raise UnparsableError(Kind.NUMBER, f"{value} is no JSON number")
        return int(value) if isinstance(value, Decimal) and value == value.to_integral_value() else value
    if isinstance(value, date | time):
        text = value.isoformat()
        return text.removesuffix("+00:00") + "Z" if isinstance(value, datetime) and text.endswith("+00:00") else text
    raise UnparsableError(Kind.MALFORMED, f"a value of type {type(value).__name__} has no JSON form")


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0].rstrip(".")

"""Whatever cannot be read is counted by its name, all else is judged, and the totals add up: from bytes to report."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from builders import GitRepository
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from compat.cli import cli
from compat.model.references import schema_set
from compat.replay.pair import PairSpec
from compat.replay.parse import Kind
from compat.replay.read import read_pieces
from compat.replay.streams import Readable
from compat.replay.summary import Summary, Tally
from compat.replay.unpacking import PIECE

SPEC = PairSpec(schema_set({}), schema_set({"type": ["object", "integer"], "maximum": 2**64}))
GOOD = b'{"a": 1}\n'


def replayed(data: bytes | Callable[[], Readable], name: str = "r.ndjson") -> Summary:
    runner = SPEC.runner()
    for piece in read_pieces(data if callable(data) else lambda: io.BytesIO(data), name):
        runner.take(piece)
    return runner.summary()


def kinds(summary: Summary) -> dict[Kind, int]:
    return {trouble.kind: trouble.count for trouble in summary.troubles}


@pytest.mark.parametrize(
    ("data", "passed", "expected"),
    [
        pytest.param(GOOD + b'{"a" 1}\n' + GOOD, 2, {Kind.MALFORMED: 1}, id="malformed"),
        pytest.param(b'{\n  "a": 1\n}\n', 0, {Kind.PRETTY_PRINTED: 1}, id="pretty-printed"),
        pytest.param(GOOD + b'{"a": 1', 1, {Kind.TRUNCATED: 1}, id="truncated"),
        pytest.param(gzip.compress(GOOD * 9)[:-5], 9, {Kind.COMPRESSION: 1}, id="truncated gzip"),
        pytest.param(gzip.compress(GOOD) + gzip.compress(GOOD * 2), 3, {}, id="gzip of two members"),
        pytest.param(gzip.compress(GOOD) + b"PK", 1, {Kind.COMPRESSION: 1}, id="garbage after gzip"),
        pytest.param(bz2.compress(GOOD * 9)[:-5], 9, {Kind.COMPRESSION: 1}, id="truncated bzip2"),
        pytest.param(lzma.compress(GOOD) + lzma.compress(GOOD), 2, {}, id="xz of two members"),
        pytest.param(GOOD + b'"\xff"\n' + GOOD, 2, {Kind.ENCODING: 1}, id="bad UTF-8"),
        pytest.param(GOOD.decode().encode("utf-16"), 0, {Kind.ENCODING: 1}, id="UTF-16"),
        pytest.param(b"\xef\xbb\xbf" + GOOD * 2, 2, {}, id="byte order mark"),
        pytest.param((GOOD * 3).replace(b"\n", b"\r\n"), 3, {}, id="CRLF"),
        pytest.param(b"\n" + GOOD + b" \t\r\n\n" + GOOD + b"\n\n", 2, {}, id="blank"),
        pytest.param(GOOD + b'{"a": NaN}\n' + GOOD, 2, {Kind.NUMBER: 1}, id="NaN"),
        pytest.param(b'{"a": 1e999}\n' + GOOD, 1, {Kind.NUMBER: 1}, id="1e999"),
        pytest.param(GOOD + b'{"a": 1, "a": 1}\n', 1, {Kind.DUPLICATE_KEY: 1}, id="duplicate key"),
        pytest.param(b"18446744073709551616\n" + GOOD, 2, {}, id="2^64, exactly at the limit"),
        pytest.param(GOOD + b'{"a": "\\ud800"}\n' + GOOD, 2, {Kind.SURROGATE: 1}, id="lone surrogate"),
        pytest.param(GOOD + b"[" * 10_000 + b"]" * 10_000 + b"\n" + GOOD, 2, {Kind.TOO_DEEP: 1}, id="10,000 levels"),
        pytest.param(b"", 0, {}, id="nothing"),
    ],
)
def test_every_kind_is_counted_and_the_rest_is_judged(data: bytes, passed: int, expected: dict[Kind, int]) -> None:
    summary = replayed(data)
    assert summary.tally == Tally(passes_both=passed, unreadable=sum(expected.values()))
    assert kinds(summary) == expected


def test_an_integer_beyond_64_bits_is_judged_to_the_last_digit() -> None:
    summary = replayed(b"18446744073709551616\n18446744073709551617\n1.8446744073709552e19\n")
    assert (summary.tally.passes_both, summary.tally.newly_fails) == (1, 2)  # the last is 18446744073709552000
    assert summary.groups[0].places[0].line == 2


class Endless:
    """A line of many megabytes that nobody holds as one."""

    def __init__(self, megabytes: int) -> None:
        self._left = megabytes
        self._ends = [b'"\n' + GOOD, GOOD + b'"']

    def read(self, _size: int, /) -> bytes:
        if len(self._ends) == 2:
            return self._ends.pop()
        if self._left:
            self._left -= 1
            return b"x" * PIECE
        return self._ends.pop() if self._ends else b""


@pytest.mark.parametrize("name", ["r.ndjson", "r.json"])
def test_a_line_of_200_megabytes_is_counted_in_bounded_memory(name: str) -> None:
    tracemalloc.start()
    try:
        summary = replayed(lambda: Endless(200), name)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 64 << 20
    if name == "r.ndjson":
        assert kinds(summary) == {Kind.TOO_LONG: 1}
        assert summary.tally.passes_both == 2
        assert [item.line for item in summary.troubles[0].first] == [2]
    else:
        assert Kind.TOO_LONG in kinds(summary) or summary.tally.unreadable


# While it is read


class Changing:
    """A file that something happens to after its first bytes are read."""

    def __init__(self, path: Path, event: Callable[[], None]) -> None:
        self._file = path.open("rb", buffering=0)
        self._event: Callable[[], None] | None = event

    def read(self, size: int, /) -> bytes:
        data = self._file.read(min(size, 100))
        if self._event is not None:
            self._event, event = None, self._event
            event()
        return data

    def close(self) -> None:
        self._file.close()


@pytest.fixture
def records(tmp_path: Path) -> Path:
    path = tmp_path / "r.ndjson"
    path.write_bytes(GOOD * 100)
    return path


def test_a_file_that_is_gone_when_it_is_opened_is_one_outcome(records: Path) -> None:
    records.unlink()
    summary = replayed(lambda: records.open("rb"))
    assert summary.tally == Tally(unreadable=1)
    assert kinds(summary) == {Kind.FILE: 1}
    assert "no such file" in summary.troubles[0].first[0].reason


def test_a_file_that_vanishes_while_read_is_read_to_its_end(records: Path) -> None:
    assert replayed(lambda: Changing(records, records.unlink)).tally == Tally(passes_both=100)


def test_a_file_that_grows_while_read_is_read_as_far_as_it_is_written(records: Path) -> None:
    def grow() -> None:
        with records.open("ab") as file:
            file.write(GOOD * 3 + b'{"a":')

    assert replayed(lambda: Changing(records, grow)).tally == Tally(passes_both=103, unreadable=1)


def test_a_file_that_is_cut_while_read_ends_in_a_truncated_record(records: Path) -> None:
    def cut() -> None:
        with records.open("r+b") as file:
            file.truncate(len(GOOD) * 50 + 4)

    summary = replayed(lambda: Changing(records, cut))
    assert summary.tally == Tally(passes_both=50, unreadable=1)
    assert kinds(summary) == {Kind.TRUNCATED: 1}


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (PermissionError(13, "Permission denied"), "permission denied"),
        (OSError(24, "Too many open files"), "too many open files"),
    ],
)
def test_a_file_that_may_not_be_opened_is_one_outcome(error: OSError, reason: str) -> None:
    def refuse() -> Readable:
        raise error

    summary = replayed(refuse)
    assert summary.tally == Tally(unreadable=1)
    assert [item.reason for trouble in summary.troubles for item in trouble.first] == [reason]


# Through the command


@pytest.fixture
def project(tmp_path: Path, git_environment: dict[str, str]) -> GitRepository:
    made = GitRepository(tmp_path / "project", git_environment)
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}
    made.write("schemas/row/row.schema.json", schema | {"version": "1.0.0"}).commit("one")
    made.write("schemas/row/row.schema.json", schema | {"version": "1.1.0", "required": ["a"]})
    return made


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_disk_that_is_full_when_the_report_is_written_is_an_error(
    project: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write("history/row/records/1.0.0.ndjson", GOOD)
    monkeypatch.chdir(project.root)
    result = CliRunner().invoke(cli, ["replay", "-o", "/dev/full"])
    assert result.exit_code == 3
    assert "the report could not be written: No space left on device" in result.stderr


LINES = [GOOD, b"{}\n", b"\n", b"7\n", b"{\n", b'{"a":NaN}\n', b"18446744073709551616\n", b'{"a":"\\ud800"}\n']


def summed(document: dict[str, dict[str, int]]) -> Iterator[tuple[int, int]]:
    totals = document["totals"]
    yield totals["read"], sum(count for name, count in totals.items() if name != "read")


def test_the_totals_of_a_report_add_up(project: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    project.write("history/row/records/1.0.0.ndjson", b"".join(LINES * 3) + b'{"a"')
    project.write("history/row/records/9.9.9.ndjson", b"".join(LINES))
    monkeypatch.chdir(project.root)
    for jobs in ("1", "2"):
        result = CliRunner().invoke(cli, ["replay", "-f", "json", "--jobs", jobs])
        assert result.exit_code == 3
        document = json.loads(result.stdout)
        assert list(summed(document)) == [(7 * 4 + 1, 7 * 4 + 1)]
        by_old = {pair["old"]: pair["totals"] for pair in document["pairs"]}
        assert by_old["1.0.0"] | {"newly_fails": 3, "failed_already": 6, "unreadable": 10} == by_old["1.0.0"]
        assert by_old["9.9.9"] | {"unrouted": 4, "unreadable": 3} == by_old["9.9.9"]


@given(st.lists(st.sampled_from([*LINES, b"1.50\n", b"[1,\n", b"\xff\n", b'"x"\n']), max_size=40), st.booleans())
def test_totals_add_up_whatever_is_read(lines: list[bytes], ended: bool) -> None:
    data = GOOD + b"".join(lines)
    tally = replayed(data if ended else data[:-1]).tally
    filled = sum(bool(line.strip()) for line in (data if ended else data[:-1]).split(b"\n"))
    assert tally.read == filled == tally.passed + tally.failed + tally.unreadable + tally.unrouted

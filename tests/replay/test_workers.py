"""One process and many come to the same, and whatever happens to one of them has a name."""

from __future__ import annotations

import io
import json
import os
import pickle
import random
from collections.abc import Iterator
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest
from judges import Odd, judge

from compat.errors import WorkerError
from compat.jsonvalue import JSON
from compat.model.references import SchemaSet, schema_set
from compat.replay.cutting import Gap, Lines
from compat.replay.pair import PairSpec
from compat.replay.parse import Kind
from compat.replay.read import Block, Record, Unreadable, read_pieces
from compat.replay.summary import Summary
from compat.replay.workers import Workers

OLD: JSON = {
    "properties": {"kind": {"enum": ["a", "b", "c"]}, "n": {"type": "integer"}, "text": {"type": "string"}},
    "required": ["kind"],
}
NEW: JSON = {
    "properties": {"kind": {"enum": ["a", "b"]}, "n": {"$ref": "#/$defs/n"}, "text": {"type": "string"}},
    "required": ["kind", "n"],
    "$defs": {"n": {"type": "number", "maximum": 90}},
}
ODD = [
    b"",
    b"NaN",
    b'{"a":1,"a":2}',
    b"\xff",
    b'{"kind"',
    b'{"kind":"a","n":18446744073709551616}',
    b'{"kind":"a","n":1.50}',
]


@pytest.fixture(scope="module")
def stream() -> bytes:
    """Three megabytes of records, some of them broken, as several pieces."""
    chance = random.Random(5)
    lines = []
    for number in range(24_000):
        record: dict[str, JSON] = {"kind": chance.choice("aaaaaab"), "n": chance.randrange(90), "text": "x" * 80}
        if number % 997 == 0:
            record["kind"] = "c"
        if number % 1999 == 0:
            record["n"] = "many"
        if number % 1409 == 0:
            record["n"] = 95
        separators = (",", ":") if number // 4000 % 2 else (", ", ": ")
        lines.append(json.dumps(record, separators=separators).encode())
        if number % 1753 == 0:
            lines.append(ODD[number % len(ODD)])
    return b"\n".join(lines)


def summed(data: bytes, workers: Workers, old: SchemaSet, new: SchemaSet) -> Summary:
    spec = PairSpec(old, new)
    runner = spec.runner()
    for block, part in workers.judged(read_pieces(lambda: io.BytesIO(data), "r.ndjson"), runner.judge, spec):
        if part is not None and isinstance(block, Lines):
            runner.add(block, part)
        else:
            runner.take(block)
    return runner.summary()


def test_one_process_and_two_and_three_come_to_the_same(stream: bytes) -> None:
    sides = schema_set(OLD), schema_set(NEW)
    alone = summed(stream, Workers(1), *sides)
    tally = alone.tally
    lines = stream.split(b"\n")
    assert tally.read == sum(bool(line) for line in lines) == tally.passed + tally.failed + tally.unreadable
    assert min(tally.newly_fails, tally.failed_already, tally.newly_passes, tally.unreadable) > 0
    first = next(at for at, line in enumerate(lines, 1) if b'"c"' in line)
    assert first in {place.line for group in alone.groups for place in group.places}
    for jobs in (2, 3):
        with Workers(jobs, after=0) as workers:
            assert summed(stream, workers, *sides) == alone
            # Another stream and another pair by the same processes.
            assert summed(stream[: 2 << 20], workers, sides[1], sides[0]) == summed(
                stream[: 2 << 20], Workers(1), sides[1], sides[0]
            )
        assert not active_children()


def test_places_are_those_of_the_whole_stream(stream: bytes) -> None:
    lines = stream.split(b"\n")
    with Workers(2, after=0) as workers:
        found = summed(stream, workers, schema_set(OLD), schema_set(NEW))
    for trouble in found.troubles:
        for item in trouble.first:
            assert item.line is not None
            assert lines[item.line - 1] in ODD
    for place in found.failed_already:
        assert b'"many"' in lines[place.line - 1]


def pieces(*texts: bytes) -> Iterator[Block]:
    return (Lines("r.ndjson", nth, text) for nth, text in enumerate(texts))


def test_pieces_come_back_in_order_and_without_their_text() -> None:
    texts = [b"\n" * count for count in (5, 1, 0, 7, 3, 2, 9, 4)]
    with Workers(2, after=0) as workers:
        found = list(workers.judged(pieces(*texts), judge, Odd()))
    assert [counted[0] for _, counted in found if counted] == [len(text) + 1 for text in texts]
    assert os.getpid() not in {counted[1] for _, counted in found if counted}
    assert all(isinstance(block, Lines) and not block.text for block, _ in found)


def test_what_is_no_piece_of_lines_keeps_its_place() -> None:
    record, lost = Record(1, "r.json", 1), Unreadable(Kind.MALFORMED, "why", "r.json", 2)
    blocks: list[Block] = [record, Lines("r", 0, b"a"), lost, Lines("r", 1, b"b"), record]
    with Workers(2, after=0) as workers:
        found = list(workers.judged(blocks, judge, Odd()))
    assert [type(block) for block, _ in found] == [type(block) for block in blocks]
    assert [counted is None for _, counted in found] == [not isinstance(block, Lines) for block in blocks]


def test_a_piece_too_long_for_a_slot_goes_by_the_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    long = b"\n" * (5 << 20)
    with Workers(2, after=0) as workers:
        found = list(workers.judged(pieces(b"", long, b""), judge, Odd()))
    assert [counted[0] for _, counted in found if counted] == [1, len(long) + 1, 1]
    monkeypatch.setattr("compat.replay.workers._room", lambda: 0)
    with Workers(2, after=0) as workers:
        found = list(workers.judged(pieces(*[b"\n"] * 9), judge, Odd()))
    assert [counted[0] for _, counted in found if counted] == [2] * 9


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"die", "was killed by signal 9"),
        (b"exit", "ended with code 7"),
        (b"fail", "could not be judged: ValueError: a bad line"),
    ],
)
def test_a_process_that_dies_or_fails_is_an_error_with_a_name(text: bytes, said: str) -> None:
    with Workers(2, after=0) as workers:
        with pytest.raises(WorkerError, match=said) as caught:
            list(workers.judged(pieces(*[b"a"] * 5, text, *[b"a"] * 20), judge, Odd()))
        assert "r.ndjson" in caught.value.message
        assert "--jobs 1" in str(caught.value.hint)
        assert not active_children()
        # What comes next is done by new ones.
        assert len(list(workers.judged(pieces(b"a", b"b"), judge, Odd()))) == 2


def test_whoever_stops_listening_leaves_nothing_behind() -> None:
    before = set(Path("/dev/shm").glob("psm_*")) if Path("/dev/shm").is_dir() else set()
    with Workers(2, after=0) as workers:
        for _ in workers.judged(pieces(*[b"a"] * 50), judge, Odd()):
            break
        with pytest.raises(KeyboardInterrupt):
            interrupted(workers)
    assert not active_children()
    if Path("/dev/shm").is_dir():
        assert set(Path("/dev/shm").glob("psm_*")) <= before


def interrupted(workers: Workers) -> None:
    for _ in workers.judged(pieces(b"a", *[b"sleep"] * 3), judge, Odd()):
        raise KeyboardInterrupt


def test_processes_are_started_only_for_much() -> None:
    workers = Workers(2, after=10)
    with workers:
        found = list(workers.judged(pieces(*[b"aaaa"] * 6), judge, Odd()))
        here = [counted[1] == os.getpid() for _, counted in found if counted]
        assert here == [True] * 3 + [False] * 3
    with Workers(1, after=0) as alone:
        assert {counted[1] for _, counted in alone.judged(pieces(b"a"), judge, Odd()) if counted} == {os.getpid()}


def test_what_cannot_travel_is_done_here() -> None:
    with Workers(2, after=0) as workers:
        found = list(workers.judged(pieces(b"a", b"b"), judge, Odd(travels=False)))
    assert {counted[1] for _, counted in found if counted} == {os.getpid()}


FAR: dict[str, JSON] = {"https://x/far": {"$id": "https://x/far", "$defs": {"n": {"type": "integer"}}}}


@pytest.mark.parametrize(
    "schemas",
    [
        schema_set({"minimum": 3}),
        schema_set({"$id": "https://x/a", "$ref": "far#/$defs/n"}, resources=FAR),
        schema_set({"a b": {"type": "integer"}}, at="/a b"),
        schema_set({"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 3, "exclusiveMinimum": True}),
    ],
)
def test_a_schema_travels_with_what_it_reaches(schemas: SchemaSet) -> None:
    packed = PairSpec(schemas, schemas).packed()
    assert packed is not None
    far: Any = pickle.loads(packed)
    assert far.new.closed_digest() == schemas.closed_digest()
    here, there = PairSpec(schemas, schemas).runner(), far.runner()
    piece = Lines("r", 0, b'1\n"x"\n3\n4\n2.5')
    assert there.judge(piece) == here.judge(piece)
    assert here.judge(piece).summary.tally.failed_already > 0


def test_a_retrieved_document_travels_under_its_name() -> None:
    far = schema_set(FAR["https://x/far"]).root.document
    schemas = schema_set(
        {"$ref": "https://x/far#/$defs/n"}, retrieve=lambda uri: far if uri == "https://x/far" else None
    )
    packed = PairSpec(schema_set({}), schemas).packed()
    assert packed is not None
    piece = Lines("r", 0, b'1\n"x"')
    found = pickle.loads(packed).runner().judge(piece)
    assert found == PairSpec(schema_set({}), schemas).runner().judge(piece)
    assert found.summary.groups[0].cause.source == far.name


def test_a_gap_moves_what_comes_after_it() -> None:
    from compat.replay.cutting import too_long

    runner = PairSpec(schema_set({}), schema_set({"minimum": 5})).runner()
    for block in (Lines("r", 0, b"7\n3"), Gap("r", 1, too_long(), lines=1), Lines("r", 2, b"9\n4")):
        runner.take(block)
    found = runner.summary()
    assert [place.line for place in found.groups[0].places] == [2, 5]
    assert [item.line for trouble in found.troubles for item in trouble.first] == [3]
    runner.take(Lines("s", 0, b"1"))
    assert runner.summary().groups[0].places[-1].line == 1

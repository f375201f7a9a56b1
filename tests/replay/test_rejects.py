"""Rejects must stay refused; those that are not are told apart by who accepts them."""

from __future__ import annotations

import io

from compat.jsonvalue import JSON
from compat.model.references import schema_set
from compat.replay.examples import examples_of
from compat.replay.read import Record, Unreadable, read_stream
from compat.replay.rejects import judge_rejects
from compat.replay.summary import RecordPlace
from compat.replay.validate import SchemaChecker


def checker(schema: JSON) -> SchemaChecker:
    return SchemaChecker(schema_set(schema))


def test_rejects_are_refused_accepted_or_none() -> None:
    data = b"1\n2\n3\n4\n5\n6\n7\n8\nx\n"
    old = checker({"not": {"enum": [1, 2, 3, 4, 5, 6]}})
    new = checker({"enum": [3, 4, 5, 6]})
    found = judge_rejects(read_stream(io.BytesIO(data), "r.ndjson"), old, new)
    assert (found.refused, found.accepted, found.never_refused, found.unreadable) == (2, 4, 2, 1)
    assert found.read == 9
    assert found.first_accepted == tuple(RecordPlace("r.ndjson", line) for line in (3, 4, 5))
    assert found.first_never_refused == tuple(RecordPlace("r.ndjson", line) for line in (7, 8))
    assert found.troubles[0].first[0].line == 9


def test_under_its_own_version_a_reject_is_refused_or_none() -> None:
    same = checker({"type": "string"})
    found = judge_rejects(read_stream(io.BytesIO(b'1\n"x"\n'), "r.ndjson"), same, same)
    assert (found.refused, found.accepted, found.never_refused) == (1, 0, 1)


def test_examples_are_records_with_their_lines() -> None:
    from compat.model.document import parse_document

    text = b'{\n "examples": [\n  {"a": 1},\n  18446744073709551616\n ],\n "properties": {"b": {"examples": [9]}}\n}\n'
    found = list(examples_of(parse_document(text, name="x.json")))
    assert found == [Record({"a": 1}, "x.json", 3), Record(2**64, "x.json", 4, False)]


def test_examples_that_are_none_are_no_records() -> None:
    from compat.model.document import document_of

    for schema in (True, {}, {"examples": "x"}, {"examples": []}):
        assert list(examples_of(document_of(schema))) == []
    deep: JSON = 1
    for _ in range(200):
        deep = [deep]
    (found,) = examples_of(document_of({"examples": ["\ud800"]}))
    assert isinstance(found, Unreadable)

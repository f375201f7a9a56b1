"""Replay with the real validators: causes inside alternatives, exact numbers, version markers, the packaged history."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compat.demo.history import Entry, entries
from compat.jsonvalue import JSON
from compat.lineage import apart_from_marker
from compat.model.document import parse_document
from compat.model.references import SchemaSet, schema_set
from compat.replay.read import Block, Piece, Record, outcomes, read_blocks, read_pieces, read_stream
from compat.replay.run import redaction, replay
from compat.replay.summary import Evidence, Summary
from compat.replay.validate import SchemaChecker, explainer, names_of


def run(old: JSON, new: JSON, lines: bytes) -> Summary:
    return run_sets(schema_set(old), schema_set(new), lines)


def run_sets(old: SchemaSet, new: SchemaSet, lines: bytes) -> Summary:
    return replay(
        read_stream(io.BytesIO(lines), "r.ndjson"),
        SchemaChecker(old),
        SchemaChecker(new),
        explainer(old, new),
        redact=redaction(names_of(old, new)),
    )


def causes(summary: Summary) -> set[tuple[str, str, str]]:
    return {(group.cause.keyword_location, group.cause.instance_path, group.cause.reason) for group in summary.groups}


ROLES: JSON = {
    "oneOf": [
        {"properties": {"role": {"const": "user"}, "text": {"type": "string"}}, "required": ["role"]},
        {"properties": {"role": {"const": "robot"}, "text": {"$ref": "#/$defs/short"}}, "required": ["role"]},
    ],
    "$defs": {"short": {"maxLength": 3}},
}


@pytest.mark.parametrize(
    ("value", "cause"),
    [
        ({"role": "user", "text": 7}, ("/oneOf/0/properties/text/type", "/text", "integer, not string")),
        ({"role": "robot", "text": "long text"}, ("/$defs/short/maxLength", "/text", "longer than 3 characters")),
    ],
)
def test_a_cause_lies_under_the_alternative_that_was_meant(value: JSON, cause: tuple[str, str, str]) -> None:
    assert causes(run({}, ROLES, json.dumps(value).encode())) == {cause}


@pytest.mark.parametrize(
    ("schema", "value", "location"),
    [
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, 7, "/anyOf"),
        ({"oneOf": [{"minimum": 1}, {"maximum": 9}]}, 5, "/oneOf"),
        ({"anyOf": [{"const": 1}, {"enum": [2]}]}, 3, "/anyOf"),
    ],
)
def test_where_no_alternative_was_meant_the_choice_itself_is_the_cause(
    schema: JSON, value: JSON, location: str
) -> None:
    assert {place for place, _, _ in causes(run({}, schema, json.dumps(value).encode()))} == {location}


def test_choices_inside_choices_are_followed() -> None:
    inner: JSON = {"properties": {"b": {"anyOf": [{"properties": {"c": {"maximum": 1}}}, False]}}}
    found = causes(run({}, {"anyOf": [False, {"properties": {"a": inner}}]}, b'{"a": {"b": {"c": 2}}}'))
    assert found == {("/anyOf/1/properties/a/properties/b/anyOf/0/properties/c/maximum", "/a/b/c", "above 1")}


@pytest.mark.parametrize(
    ("schema", "line", "passes"),
    [
        ({"maximum": 2**64}, b"18446744073709551616", True),
        ({"maximum": 2**64}, b"18446744073709551617", False),
        ({"const": 2**53 + 1}, b"9007199254740993", True),
        ({"const": 2**53 + 1}, b"9007199254740992", False),
        ({"multipleOf": 0.01}, b"0.07", True),
        ({"maximum": 0.1}, b"0.10000000000000000001", False),
        ({"type": "integer"}, b"1.0", True),
        ({"enum": [1]}, b"true", False),
        ({"pattern": "^\\d$"}, '"٣"'.encode(), False),
        ({"minLength": 2}, '"\U0001f600"'.encode(), False),
    ],
)
def test_numbers_and_texts_are_judged_exactly(schema: JSON, line: bytes, passes: bool) -> None:
    summary = run({}, schema, line)
    assert (summary.tally.passes_both, summary.tally.newly_fails) == ((1, 0) if passes else (0, 1))


def test_a_schema_the_fast_validator_cannot_take_goes_to_the_reference() -> None:
    odd = schema_set({"dependencies": {"a": ["b"]}})
    checker = SchemaChecker(odd)
    assert not checker.fast
    assert checker.is_valid(Record({"a": 1}, "r", 1))
    assert SchemaChecker(schema_set({"required": ["a"]})).fast


def test_a_record_too_deep_for_a_recursive_schema_is_an_outcome() -> None:
    schema: JSON = {"items": {"$ref": "#"}, "dependencies": {}}
    summary = run(schema, schema, b"[" * 500 + b"]" * 500 + b"\n[]\n")
    assert (summary.tally.read, summary.tally.unreadable) == (2, 1)


@pytest.mark.parametrize(
    ("old", "new", "line", "groups"),
    [
        ({}, {"required": ["a", "b"]}, b'{"b": 1}', {("/required", "", '"a" is missing')}),
        (
            {},
            {"additionalProperties": False},
            b'{"b": 1}',
            {("/additionalProperties", "", "an undeclared property is not allowed")},
        ),
        (
            {"properties": {"b": {}}},
            {"additionalProperties": False},
            b'{"b": 1}',
            {("/additionalProperties", "", '"b" is not allowed')},
        ),
        ({}, {"properties": {"a": False}}, b'{"a": 1}', {("/properties/a", "/a", "nothing is allowed here")}),
        (
            {},
            {"additionalProperties": {"items": {"enum": [1, 2]}}},
            b'{"ada": [1, 3, 4], "bob": [5]}',
            {("/additionalProperties/items/enum", "/*/*", "not one of the 2 values allowed")},
        ),
    ],
)
def test_causes(old: JSON, new: JSON, line: bytes, groups: set[tuple[str, str, str]]) -> None:
    assert causes(run(old, new, line)) == groups


LINES = st.lists(
    st.sampled_from(
        [b"1", b" 5\r", b"9", b'"x"', b"", b"NaN", b'{"a":1,"a":1}', b"[", b"18446744073709551616", b"0.10"]
    ),
    max_size=60,
)


@settings(max_examples=50)
@given(LINES, st.booleans())
def test_lines_in_runs_and_one_by_one_come_to_the_same(lines: list[bytes], ended: bool) -> None:
    data = b"7\n" + b"\n".join(lines) + (b"\n" if ended else b"")
    old, new = schema_set({"maximum": 9}), schema_set({"maximum": 5, "type": ["integer", "number"]})
    checkers = SchemaChecker(old), SchemaChecker(new)
    assert all(checker.bulk is not None for checker in checkers)

    def total(pieces: Iterable[Block | Piece]) -> Summary:
        return replay(pieces, *checkers, explainer(old, new))

    runs = list(read_blocks(lambda: io.BytesIO(data), "r.ndjson"))
    assert total(runs) == total(outcomes(runs))
    # What the reference looks at again depends on the pieces; all else does not.
    in_pieces = total(read_pieces(lambda: io.BytesIO(data), "r.ndjson"))
    assert replace(in_pieces, rechecked=0) == replace(total(runs), rechecked=0)


# -- the packaged history -----------------------------------------------------------------------------------------


def steps() -> list[tuple[Entry, Entry]]:
    by_lineage: dict[str, list[Entry]] = {}
    for entry in entries():
        by_lineage.setdefault(entry.lineage, []).append(entry)
    return [pair for versions in by_lineage.values() for pair in pairwise(versions)]


def replayed(old: Entry, new: Entry, lines: bytes) -> Summary:
    documents = [parse_document(entry.schema, name=entry.label) for entry in (old, new)]
    before, after, _ = apart_from_marker(*(document.value for document in documents))
    sides: Any = [
        schema_set(document.replaced(value)) for document, value in zip(documents, (before, after), strict=True)
    ]
    return run_sets(sides[0], sides[1], lines)


@pytest.mark.parametrize("step", [pytest.param(step, id=step[1].label) for step in steps()])
def test_the_records_of_every_version_do_what_the_history_says(step: tuple[Entry, Entry]) -> None:
    old, new = step
    summary = replayed(old, new, old.records)
    tally = summary.tally
    assert tally.read == tally.valid_before == len(old.records.splitlines()) > 0
    assert (tally.newly_fails > 0) is (new.backward == "breaking")
    assert summary.disagreed == 0
    assert not any(isinstance(group.example.value, str) for group in summary.groups)


def test_evidence_of_one_step_is_right_to_the_record() -> None:
    (step,) = (step for step in steps() if step[1].label == "task version 2")
    summary = replayed(*step, step[0].records)
    kinds = [json.loads(line)["actor"]["kind"] for line in step[0].records.splitlines()]
    found = summary.evidence_for(["/properties/actor/properties/kind/enum"], "/actor/kind")
    first = kinds.index("harness") + 1
    assert found == Evidence(len(kinds), kinds.count("harness"), f"r.ndjson:{first}")


def test_values_that_were_taken_away_are_counted_apart() -> None:
    old: JSON = {"properties": {"k": {"enum": ["a", "b", "c", 1]}}}
    lines = b"".join(b'{"k": %b}\n' % value for value in (b'"b"', b'"a"', b'"c"', b'"b"', b"1.0", b'"secret"'))
    summary = run(old, {"properties": {"k": {"enum": ["a"]}}}, lines)
    assert summary.tally.failed_already == 1

    def count(*value: JSON) -> Evidence | None:
        return summary.evidence_for(["/properties/k/enum/1"], "/k", value=value)

    assert count("b") == Evidence(5, 2, "r.ndjson:1")
    assert count("c") == Evidence(5, 1, "r.ndjson:3")
    assert count(1) == Evidence(5, 1, "r.ndjson:5")
    assert count("z") == Evidence(5, 0, None)
    assert count() == Evidence(5, 4, "r.ndjson:1")
    assert {group.cause.reason for group in summary.groups} == {
        '"b" is not the one value allowed',
        '"c" is not the one value allowed',
        "1 is not the one value allowed",
    }


def test_a_value_that_no_schema_lists_is_not_told() -> None:
    summary = run({}, {"properties": {"k": {"enum": ["a", "b"]}}}, b'{"k": "secret"}')
    assert [group.cause.reason for group in summary.groups] == ["not one of the 2 values allowed"]


def test_without_seeing_past_the_marker_every_record_would_fail() -> None:
    (step,) = (step for step in steps() if step[1].label == "task version 2")
    strict = run_sets(
        *(schema_set(parse_document(entry.schema, name=entry.label)) for entry in step), lines=step[0].records
    )
    assert strict.tally.newly_fails == strict.tally.read

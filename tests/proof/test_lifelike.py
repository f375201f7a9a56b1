"""Witnesses built on real values: as true as those the search finds, and easier to believe."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from randomly import edited, instance, schema
from witnesses import faults

import compat
from compat.jsonvalue import JSON, resolve
from compat.model.references import schema_set
from compat.proof import onlookers
from compat.proof.verdict import Origin, Reason
from compat.relation import Direction, Status

EVENT = {"id": "evt_42", "kind": "made", "who": {"name": "Ada"}}


def event(**changes: Any) -> dict[str, Any]:
    """A schema of events, with an example; None takes a keyword out."""
    given = {
        "type": "object",
        "required": ["id", "kind"],
        "properties": {
            "id": {"type": "string", "minLength": 1},
            "kind": {"enum": ["made", "sent"]},
            "who": {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}},
        },
        "examples": [EVENT],
        **changes,
    }
    return {keyword: value for keyword, value in given.items() if value is not None}


def properties(**changes: Any) -> dict[str, Any]:
    return {**event()["properties"], **changes}


def reasons(result: compat.Comparison, direction: Direction = Direction.BACKWARD) -> dict[str, Reason]:
    """The reasons by their places; of several at one, the first."""
    return {reason.keyword_location: reason for reason in reversed(result.verdict(direction).reasons)}


@pytest.mark.parametrize(
    ("changed", "location", "witness"),
    [
        # Only the failing place differs from the example.
        ({"properties": properties(kind={"enum": ["made"]})}, "/properties/kind/enum", {**EVENT, "kind": "sent"}),
        (
            {"properties": properties(who={"properties": {"age": {"minimum": 0}}})},
            "/properties/who/properties/age/minimum",
            {**EVENT, "who": {"name": "Ada", "age": -1}},
        ),
        ({"properties": properties(when={"type": "string"})}, "/properties/when/type", {**EVENT, "when": None}),
        ({"maxProperties": 2}, "/maxProperties", EVENT),
        ({"not": {"required": ["who"]}}, "/not", EVENT),
        # An example that fails by itself is the witness.
        ({"properties": properties(id={"maxLength": 5})}, "/properties/id/maxLength", EVENT),
        ({"required": ["id", "kind", "when"]}, "/required/2", EVENT),
        # What is missing is missed by the example too.
        ({"required": ["id", "kind", "who"]}, "/required/2", {"id": "evt_42", "kind": "made"}),
        # And one that must not be there is there.
        ({"additionalProperties": False}, "/additionalProperties", {**EVENT, "other": None}),
    ],
)
def test_only_the_failing_place_differs_from_an_example(changed: dict[str, Any], location: str, witness: JSON) -> None:
    old, new = event(), event(examples=None, **changed)
    result = compat.compare(old, new)
    found = reasons(result)[location]
    assert (found.witness, found.origin) == (witness, Origin.EXAMPLE)
    assert resolve(found.witness, found.instance_path) == found.subject
    assert faults(result, schema_set(old), schema_set(new)) == []


def test_a_made_up_witness_stays_where_nothing_real_is_at_hand() -> None:
    result = compat.compare(event(examples=None), event(examples=None, properties=properties(kind={"enum": ["made"]})))
    assert result.backward.witness == {"id": "a", "kind": "sent"}
    assert result.backward.origin is None
    assert result.backward.reasons == result.backward.found


@pytest.mark.parametrize(
    ("offer", "origin"), [({"examples": ["evt_7"]}, Origin.EXAMPLE), ({"default": "evt_7"}, Origin.DEFAULT)]
)
def test_values_offered_for_single_members_surround_the_failing_place(offer: Any, origin: Origin) -> None:
    given = properties(id={"type": "string", "minLength": 1, **offer})
    old = event(examples=None, properties=given)
    new = event(examples=None, properties={**given, "kind": {"enum": ["made"]}})
    found = compat.compare(old, new).backward
    assert (found.witness, found.origin) == ({"id": "evt_7", "kind": "sent"}, origin)


@pytest.mark.parametrize(
    "offers",
    [
        # No instance of the schema, another type, a value that the place refuses, one that is too long.
        {"examples": [{"id": 5}]},
        {"properties": properties(id={"type": "string", "minLength": 1, "examples": [5]})},
        {"properties": properties(id={"type": "string", "minLength": 9, "examples": ["short"]})},
        {"properties": properties(id={"type": "string", "minLength": 1, "examples": ["x" * 300]})},
    ],
)
def test_an_offer_that_does_not_fit_is_left(offers: dict[str, Any]) -> None:
    old = event(**{"examples": None, **offers})
    new = {**old, "properties": {**old["properties"], "kind": {"enum": ["made"]}}}
    found = compat.compare(old, new).backward
    assert found.status is Status.BREAKING
    assert found.origin is None
    assert found.witness == found._verdict.witness


def test_one_bad_offer_does_not_keep_another_out() -> None:
    given = properties(
        id={"type": "string", "minLength": 1, "examples": ["evt_7"]}, n={"type": "integer", "maximum": 5, "default": 6}
    )
    old = event(examples=None, properties=given, required=["id", "kind", "n"])
    new = {**old, "properties": {**given, "kind": {"enum": ["made"]}}}
    assert compat.compare(old, new).backward.witness == {"id": "evt_7", "kind": "sent", "n": 0}


def test_a_large_example_is_cut_down_to_what_a_reader_needs() -> None:
    large = {**EVENT, **{f"more{index}": "text " * 20 for index in range(9)}, "short": 1}
    old = event(examples=[large], additionalProperties=True)
    new = event(examples=None, properties=properties(kind={"enum": ["made"]}))
    found = reasons(compat.compare(old, new))["/properties/kind/enum"]
    assert found.witness == {**EVENT, "kind": "sent", "more8": "text " * 20, "short": 1}


def test_an_example_that_fails_elsewhere_too_gives_way_to_one_that_does_not() -> None:
    two = [{"id": "e", "kind": "made", "who": {"age": -5}}, {"id": "evt_42", "kind": "made"}]
    old = event(examples=two)
    changed = properties(kind={"enum": ["made"]}, who={"properties": {"age": {"minimum": 0}}})
    found = reasons(compat.compare(old, event(examples=None, properties=changed)))
    assert found["/properties/kind/enum"].witness == {"id": "evt_42", "kind": "sent"}
    assert found["/properties/who/properties/age/minimum"].witness == two[0]


def test_a_reason_keeps_the_value_it_is_about() -> None:
    old = event(properties=properties(kind={"enum": ["made", "sent", "lost"]}), examples=[{**EVENT, "kind": "sent"}])
    new = event(properties=properties(kind={"enum": ["made"]}), examples=None)
    found = [(reason.subject, reason.witness["kind"]) for reason in compat.compare(old, new).backward.reasons]  # type: ignore[call-overload, index]
    assert found == [("sent", "sent"), ("lost", "lost")]


def test_an_undeclared_member_comes_into_no_witness_that_does_without() -> None:
    old = event(examples=[{**EVENT, "nickname": "Ada"}])
    new = event(examples=None, properties=properties(kind={"enum": ["made"]}))
    found = compat.compare(old, new).backward
    assert not found.undeclared
    assert found.witness == {"id": "evt_42", "kind": "sent"}


def test_a_choice_between_kinds_is_told_with_the_example_of_its_kind() -> None:
    def kinds(*sizes: str) -> dict[str, Any]:
        text = {
            "type": "object",
            "required": ["t", "s"],
            "properties": {"t": {"const": "text"}, "s": {"type": "string"}},
        }
        size = {
            "type": "object",
            "required": ["t", "n"],
            "properties": {"t": {"const": "size"}, "n": {"enum": [*sizes]}},
        }
        examples = [{"t": "text", "s": "hello"}, {"t": "size", "n": sizes[0]}]
        return {"oneOf": [text, size], "examples": examples}

    found = compat.compare(kinds("S", "M"), kinds("S")).backward
    assert found.witness == {"t": "size", "n": "M"}


def test_records_come_after_examples_and_say_so() -> None:
    record = {"id": "evt_4711", "kind": "made", "who": {"name": "Bob"}}
    new = event(examples=None, properties=properties(kind={"enum": ["made"]}))
    assert compat.compare(event(), new, records=[record]).backward.origin is Origin.EXAMPLE
    found = compat.compare(event(examples=None), new, records=[record]).backward
    assert found.origin is Origin.RECORD
    assert found.witness == {"id": "xxx_1111", "kind": "sent", "who": {"name": "Xxx"}}


def test_a_record_of_the_other_version_lends_single_values() -> None:
    record = {"id": "evt_4711", "kind": "made"}
    more = properties(n={"type": "integer"}, who={"type": "string"})
    new = event(examples=None, properties=more, required=["id", "kind", "n"])
    found = compat.compare(event(examples=None), new, records=[record]).forward
    assert (found.witness, found.origin) == ({"id": "xxx_1111", "kind": "made", "n": 0, "who": ""}, Origin.RECORD)


def test_a_record_that_fails_is_the_witness() -> None:
    record = {"id": "evt_4711", "kind": "sent"}
    new = event(examples=None, properties=properties(kind={"enum": ["made"]}))
    found = compat.compare(event(examples=None), new, records=[record]).backward
    assert found.witness == {"id": "xxx_1111", "kind": "sent"}


def test_verdicts_alone_read_no_record_and_ask_no_validator(monkeypatch: pytest.MonkeyPatch) -> None:
    def records() -> Any:
        raise AssertionError("a record was read")
        yield

    monkeypatch.setattr(onlookers.Onlookers, "failures", records)
    new = event(properties=properties(kind={"enum": ["made"]}))
    result = compat.compare(event(), new, records=records())
    assert (result.backward.status, result.forward.status) == (Status.BREAKING, Status.COMPATIBLE)
    assert [change.rule for change in result.changes] == ["enum-value-removed"]
    assert result.effect is compat.Effect.NARROWS


def test_work_beyond_the_bound_leaves_witnesses_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onlookers, "MAX_EFFORT", 2)
    new = event(examples=None, properties=properties(kind={"enum": ["made"]}, who={"type": "string"}))
    found = compat.compare(event(), new).backward
    assert found.status is Status.BREAKING
    assert found.reasons[-1].origin is None


def test_one_reason_is_always_the_same_object() -> None:
    new = event(examples=None, properties=properties(kind={"enum": ["made"]}))
    result = compat.compare(event(), new)
    (change,) = [change for change in result.changes if change.rule == "enum-value-removed"]
    [(direction, reason)] = result.reasons_of(change)
    assert direction is Direction.BACKWARD
    assert reason is result.backward.reasons[0]
    assert reason.origin is Origin.EXAMPLE


def offered(rng: Random, value: Any) -> Any:
    """The same schema with examples and defaults here and there, most of which fit nothing."""
    if not isinstance(value, dict):
        return value
    written: dict[str, Any] = {}
    for keyword, held in value.items():
        if keyword in ("properties", "patternProperties"):
            written[keyword] = {name: offered(rng, inner) for name, inner in held.items()}
        elif keyword in ("items", "additionalProperties"):
            written[keyword] = offered(rng, held)
        else:
            written[keyword] = held
    if rng.random() < 0.5:
        written["examples"] = [instance(rng) for _ in range(3)]
    if rng.random() < 0.3:
        written["default"] = instance(rng)
    return written


def retell(count: int, seed: int) -> dict[Origin | None, int]:
    """Compare random pairs with random offers and records; what is told must hold, and nothing else may change."""
    told: dict[Origin | None, int] = {}
    for index in range(count):
        rng = Random(seed * 1_000_003 + index)
        plain = schema(rng)
        pair = (plain, edited(rng, plain) if index % 2 else schema(rng))
        old, new = (offered(rng, side) for side in pair)
        records = [instance(rng) for _ in range(10)] if index % 3 else []
        result, before = compat.compare(old, new, steps=60_000, records=records), compat.compare(*pair, steps=60_000)
        assert faults(result, schema_set(old), schema_set(new)) == [], (old, new, records)
        for direction in Direction:
            found = result.verdict(direction)
            assert found.status is before.verdict(direction).status
            told[found.origin] = told.get(found.origin, 0) + (found.status is Status.BREAKING)
    return told


def test_what_is_told_of_random_pairs_holds() -> None:
    told = retell(150, seed=3)
    assert min(told[origin] for origin in Origin) > 5  # else nothing was tested


@pytest.mark.long
def test_what_is_told_of_many_random_pairs_holds() -> None:
    told = retell(4_000, seed=4)
    assert min(told[origin] for origin in Origin) > 100


def doubling(levels: int, leaf: Any, **more: Any) -> dict[str, Any]:
    """Every definition refers to the next twice, so that one assertion fails in 2ⁿ ways."""
    definitions = {f"a{level}": {"allOf": [{"$ref": f"#/$defs/a{level + 1}"}] * 2} for level in range(levels)}
    return {"$defs": {**definitions, f"a{levels}": leaf}, "$ref": "#/$defs/a0", **more}


def test_a_failure_that_is_met_in_a_million_ways_is_left_alone() -> None:
    found = compat.compare(doubling(20, {"type": "integer"}, examples=[7]), doubling(20, {"maximum": 5})).backward
    assert (found.witness, found.origin) == (6, None)
    assert [reason.origin for reason in found.reasons] == [None]


PROGRAM = """
import json, sys
sys.path[:0] = json.loads(sys.argv[1])
from random import Random
from randomly import edited, instance, schema
import compat
from compat.jsonvalue import dumps
told = []
for index in range(40):
    rng = Random(index)
    old = schema(rng)
    if index % 2 and isinstance(old, dict):
        old["examples"] = [instance(rng) for _ in range(4)]
    result = compat.compare(old, edited(rng, old), records=[instance(rng) for _ in range(9)], steps=60_000)
    for one in (result.backward, result.forward):
        told.append([one.witness, one.origin, [reason.witness for reason in one.reasons]])
print(dumps(told))
"""


def test_what_is_told_is_the_same_under_every_hash_seed() -> None:
    paths = json.dumps([str(Path(__file__).parent.parent)])
    said = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM, paths],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    (told,) = said
    assert '"example"' in told
    assert '"record"' in told


def test_an_example_that_leads_to_what_is_not_here_keeps_no_other_out() -> None:
    far = properties(far={"$ref": "https://example.org/far"})
    old = event(properties=far, examples=[{**EVENT, "far": 1}, {**EVENT, "id": "evt_1234"}])
    new = {**old, "properties": {**old["properties"], "kind": {"enum": ["made"]}}}
    assert compat.compare(old, new).backward.witness == {**EVENT, "id": "evt_1234", "kind": "sent"}

"""The four contracts, version by version: what the manifest says of each change is what is proved about it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from jsonschema import Draft202012Validator

import compat
from compat import Comparison, Direction, Effect, Status
from compat.demo import history
from compat.gate import Judgement, Outcome, Release, judge
from compat.jsonvalue import JSON, digest
from compat.lineage import Step, VersionNumber, apart_from_marker
from compat.policy import Policy


@dataclass(frozen=True)
class Change:
    before: history.Entry
    entry: history.Entry

    @property
    def schemas(self) -> tuple[JSON, JSON]:
        old, new, _ = apart_from_marker(json.loads(self.before.schema), json.loads(self.entry.schema))
        return old, new


def pairs() -> Iterator[Change]:
    newest: dict[str, history.Entry] = {}
    for entry in history.entries():
        if entry.lineage in newest:
            yield Change(newest[entry.lineage], entry)
        newest[entry.lineage] = entry


CHANGES = tuple(pairs())
every_change = pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.entry.label)

_compared: dict[str, Comparison] = {}


def compared(change: Change) -> Comparison:
    label = change.entry.label
    if label not in _compared:
        _compared[label] = compat.compare(*change.schemas)
    return _compared[label]


@every_change
def test_both_directions_are_decided_as_the_manifest_says(change: Change) -> None:
    comparison = compared(change)
    expected = "breaking" if change.entry.backward == "undeclared" else change.entry.backward
    assert str(comparison.backward.status) == expected
    assert str(comparison.forward.status) == change.entry.forward
    if comparison.backward.status is Status.BREAKING:
        assert comparison.backward.undeclared is (change.entry.backward == "undeclared")


@every_change
def test_every_witness_is_one(change: Change) -> None:
    old, new = (Draft202012Validator(schema) for schema in change.schemas)
    comparison = compared(change)
    shown = 0
    for direction, accepts, rejects in ((Direction.BACKWARD, old, new), (Direction.FORWARD, new, old)):
        result = comparison.verdict(direction)
        witnesses = [reason.witness for reason in result.reasons]
        if result.status is Status.BREAKING:
            witnesses.append(result.witness)
        for witness in witnesses:
            assert accepts.is_valid(witness)
            assert not rejects.is_valid(witness)
        shown += len(witnesses)
    assert (shown > 0) is (
        comparison.backward.status is Status.BREAKING or comparison.forward.status is Status.BREAKING
    )


# What another change of the same version takes back.
WITHOUT_EFFECT = {("pw-decide-row version 3", "type-constraint-removed")}


@every_change
def test_every_change_has_the_effect_that_its_rule_expects(change: Change) -> None:
    found = [(c.rule, c.new.pointer, c.effect) for c in compared(change).changes]
    assert found
    expected = [
        (c.rule, c.new.pointer, Effect.NONE if (change.entry.label, c.rule) in WITHOUT_EFFECT else c.expected)
        for c in compared(change).changes
    ]
    assert found == expected


@every_change
def test_every_reason_for_a_break_is_joined_to_a_change(change: Change) -> None:
    for direction in Direction:
        assert compared(change).unclaimed(direction) == ()


def judged(change: Change) -> Judgement:
    before, entry = change.before, change.entry
    last = Release(VersionNumber.parse(before.version), digest(json.loads(before.schema)), before.when)
    return judge(
        entry.lineage,
        last,
        VersionNumber.parse(entry.version),
        digest=digest(json.loads(entry.schema)),
        pair=compared(change),
        policy=Policy(),
    )


@every_change
def test_every_declared_number_is_the_least_honest_one(change: Change) -> None:
    judgement = judged(change)
    assert judgement.outcome is Outcome.READY, judgement
    if change.entry.released:
        assert str(judgement.least) == change.entry.version
    else:
        assert judgement.step is Step.ANNOTATIONS


@every_change
def test_a_number_that_does_not_move_is_refused_where_old_data_break(change: Change) -> None:
    before, entry = change.before, change.entry
    number = VersionNumber.parse(before.version)
    judgement = judge(
        entry.lineage,
        Release(number, digest(json.loads(before.schema)), before.when),
        number,
        digest=digest(json.loads(entry.schema)),
        pair=compared(change),
        policy=Policy(),
    )
    same_number_will_do = before.version == entry.version or judgement.step is Step.ANNOTATIONS
    assert judgement.fails is not same_number_will_do

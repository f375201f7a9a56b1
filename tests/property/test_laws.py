"""Laws of containment, over random schemas of the whole keyword set.

The validator knows nothing of the prover, so each is held against the other: a proof against instances, a witness
against the validator, and both against the algebra of sets.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from generate import instances, schemas
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import compat
from compat.model.instance import Validator
from compat.model.references import schema_set
from compat.relation import Status

BOUNDED = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


def contained(left: Any, right: Any) -> Status:
    return compat.compare(left, right, steps=60_000).backward.status


def accepts(schema: Any, value: Any) -> bool:
    return Validator(schema_set(schema)).is_valid(value)


@BOUNDED
@given(schemas)
def test_a_schema_lies_in_itself(schema: Any) -> None:
    assert contained(schema, schema) is Status.COMPATIBLE


@BOUNDED
@given(schemas, schemas)
def test_a_union_holds_its_parts(one: Any, other: Any) -> None:
    assert contained(one, {"anyOf": [one, other]}) is not Status.BREAKING
    assert contained({"allOf": [one, other]}, one) is not Status.BREAKING


@BOUNDED
@given(schemas)
def test_double_negation_changes_nothing(schema: Any) -> None:
    doubled = {"not": {"not": schema}}
    assert contained(schema, doubled) is not Status.BREAKING
    assert contained(doubled, schema) is not Status.BREAKING


@BOUNDED
@given(schemas)
def test_a_schema_and_its_complement_share_nothing(schema: Any) -> None:
    assert contained({"allOf": [schema, {"not": schema}]}, False) is not Status.BREAKING


@BOUNDED
@given(schemas, schemas, st.lists(instances, min_size=20, max_size=60))
def test_no_instance_refutes_a_proof(left: Any, right: Any, pool: list[Any]) -> None:
    assume(contained(left, right) is Status.COMPATIBLE)
    inside, outside = Validator(schema_set(left)), Validator(schema_set(right))
    assert [value for value in pool if inside.is_valid(value) and not outside.is_valid(value)] == []


@BOUNDED
@given(schemas, schemas)
def test_a_witness_separates(left: Any, right: Any) -> None:
    result = compat.compare(left, right, steps=60_000)
    for direction, (inside, outside) in ((result.backward, (left, right)), (result.forward, (right, left))):
        if direction.status is Status.BREAKING:
            assert accepts(inside, direction.witness)
            assert not accepts(outside, direction.witness)
        for reason in direction.reasons:
            assert accepts(inside, reason.witness)
            assert not accepts(outside, reason.witness)


@BOUNDED
@given(schemas, instances)
def test_one_value_is_decided_as_the_validator_says(schema: Any, value: Any) -> None:
    expected = Status.COMPATIBLE if accepts(schema, value) else Status.BREAKING
    assert contained({"enum": [value]}, schema) is expected


@BOUNDED
@given(schemas, st.randoms(use_true_random=False))
def test_the_order_of_what_is_written_changes_nothing(schema: Any, shuffler: random.Random) -> None:
    other = _shuffled(schema, shuffler)
    assert contained(schema, other) is Status.COMPATIBLE
    assert contained(other, schema) is Status.COMPATIBLE


def _shuffled(schema: Any, shuffler: random.Random) -> Any:
    """Reorder what has no order: keywords, and the branches of unordered applicators."""
    if isinstance(schema, dict):
        items = [(key, _shuffled(value, shuffler)) for key, value in schema.items()]
        shuffler.shuffle(items)
        result = dict(items)
        for keyword in ("allOf", "anyOf", "oneOf"):
            if isinstance(result.get(keyword), list):
                shuffler.shuffle(result[keyword])
        return result
    return [_shuffled(item, shuffler) for item in schema] if isinstance(schema, list) else schema


@pytest.mark.long
@settings(max_examples=1_500, deadline=None, suppress_health_check=list(HealthCheck))
@given(schemas, schemas, st.lists(instances, min_size=50, max_size=100))
def test_no_instance_refutes_a_proof_at_length(left: Any, right: Any, pool: list[Any]) -> None:
    if contained(left, right) is not Status.COMPATIBLE:
        return
    inside, outside = Validator(schema_set(left)), Validator(schema_set(right))
    assert [value for value in pool if inside.is_valid(value) and not outside.is_valid(value)] == []

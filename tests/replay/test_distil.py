"""The records that are picked show all, none of them is spare, and the order of the stream does not matter."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from randomly import instance

from compat.jsonvalue import dumps
from compat.model.references import schema_set
from compat.replay.coverage import Facet
from compat.replay.coverage_walk import Prober
from compat.replay.distil import Distilling
from compat.replay.read import Record

VALUE = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "properties": {"a": {"enum": [None, True, 0, "a"]}, "b": {"maxLength": 1}},
    "items": {"$ref": "#"},
    "anyOf": [{"type": "object"}, {"minItems": 1}, {"type": ["null", "string"]}],
}
PROBER = Prober(schema_set(VALUE))


def distilled(values: list[Any]) -> tuple[str, ...]:
    distilling = Distilling()
    for value in values:
        record = Record(value, "f", 1)
        distilling.take(PROBER.shown(record), record)
    return distilling.lines(PROBER)


def shown(values: list[Any]) -> set[Facet]:
    return {facet for value in values for facet in PROBER.shown(Record(value, "f", 1)) or ()}


@given(st.lists(st.integers(0, 500), max_size=25), st.randoms(use_true_random=False))
def test_the_picked_show_all_and_none_is_spare(seeds: list[int], rng: Any) -> None:
    values = [instance(Random(seed)) for seed in seeds]
    lines = distilled(values)
    by_text = {dumps(value): value for value in values}
    picked = [by_text[line] for line in lines]
    assert shown(picked) == shown(values)
    for index in range(len(picked)):
        assert shown(picked[:index] + picked[index + 1 :]) < shown(values)
    rng.shuffle(values)
    assert distilled(values) == lines


def test_one_that_shows_more_stands_for_those_that_show_less() -> None:
    assert distilled([{}, {"a": 0}, {"a": 0, "b": ""}, {"a": 0}]) == ("{}", '{"a": 0, "b": ""}')


def test_of_those_that_show_the_same_the_shortest_is_kept() -> None:
    assert distilled([{"c": 100}, {"c": 1}, {"d": 1}]) == ('{"c": 1}',)


def test_what_is_invalid_is_passed_over() -> None:
    assert distilled([{"a": "other"}]) == ()

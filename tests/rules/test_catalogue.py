"""Every row of the catalogue keeps its word: about its example, its witnesses, its mirror and its effect."""

from __future__ import annotations

import re

import pytest

import compat
from compat.diff.change import Change
from compat.diff.walk import changes
from compat.jsonvalue import JSON, dumps, equal
from compat.model.check import check
from compat.model.instance import SecondOpinion, Validator
from compat.model.references import schema_set
from compat.relation import Effect, Status
from compat.rules.catalogue import FAMILIES, RULES
from compat.rules.page import explain
from compat.rules.rule import NoMirror, Rule

every_rule = pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))


def diff(old: JSON, new: JSON) -> list[Change]:
    return list(changes(schema_set(old), schema_set(new)))


def test_no_id_is_given_twice() -> None:
    rows = [rule.id for family in FAMILIES.values() for rule in family]
    assert len(rows) == len(set(rows)) == len(RULES)


@every_rule
def test_the_row_is_well_formed(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.id)
    assert rule.summary[0] in "`ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    assert rule.summary.endswith(".")
    assert rule.why.endswith(".")
    assert rule.remedy
    assert rule.remedy[0].islower(), "it completes 'to stay compatible: …'"
    assert rule.remedy.endswith(".")
    assert re.fullmatch(r"\d+\.\d+\.\d+", rule.since)


@every_rule
def test_the_example_shows_this_change_and_no_other(rule: Rule) -> None:
    found = diff(rule.example.old, rule.example.new)
    assert [change.rule for change in found] == [rule.id]


@every_rule
def test_the_example_holds_valid_schemas(rule: Rule) -> None:
    if rule.id not in ("ref-broken", "ref-mended"):
        check(schema_set(rule.example.old))
        check(schema_set(rule.example.new))
    assert not equal(rule.example.old, rule.example.new)


@every_rule
def test_the_walk_expects_what_the_row_says(rule: Rule) -> None:
    (change,) = diff(rule.example.old, rule.example.new)
    # What two definitions do against each other, only the proof can say; the row tells it of its example.
    refined = {Effect.UNKNOWN: {rule.expected, Effect.UNKNOWN}}.get(change.expected, {rule.expected})
    assert change.expected in refined


@every_rule
def test_the_witnesses_are_what_the_row_says(rule: Rule) -> None:
    example = rule.example
    if rule.id in ("ref-broken", "ref-mended"):
        assert not example.old_only + example.new_only
        return
    old, new = schema_set(example.old), schema_set(example.new)
    for refuser, accepter, instances in ((new, old, example.old_only), (old, new, example.new_only)):
        for instance in instances:
            assert Validator(accepter).is_valid(instance), dumps(instance)
            assert not Validator(refuser).is_valid(instance), dumps(instance)
            assert SecondOpinion(accepter).is_valid(instance) is not False, dumps(instance)
            assert SecondOpinion(refuser).is_valid(instance) is not True, dumps(instance)


@every_rule
def test_the_effect_agrees_with_the_witnesses(rule: Rule) -> None:
    told = Effect.of(narrows=bool(rule.example.old_only), widens=bool(rule.example.new_only))
    assert rule.expected is told or (rule.expected is Effect.UNKNOWN and told is Effect.NONE)


@every_rule
def test_the_mirror_is_mutual_and_its_example_is_this_one_read_backwards(rule: Rule) -> None:
    if isinstance(rule.mirror, NoMirror):
        assert rule.mirror.why
        return
    mirror = RULES[rule.mirror]
    assert mirror.mirror == rule.id
    assert mirror.expected is rule.expected.mirror
    found = diff(rule.example.new, rule.example.old)
    assert [change.rule for change in found] == [mirror.id]


@every_rule
def test_the_page_tells_the_row(rule: Rule) -> None:
    page = explain(rule)
    for part in (rule.id, rule.summary, rule.why, rule.remedy, dumps(rule.example.old), dumps(rule.example.new)):
        assert part in page
    for instance in rule.example.old_only + rule.example.new_only:
        assert dumps(instance) in page


@every_rule
def test_the_prover_agrees(rule: Rule) -> None:
    result = compat.compare(rule.example.old, rule.example.new)
    proved = Effect.between(result.backward.status, result.forward.status)
    if rule.expected is not Effect.UNKNOWN:
        assert proved is rule.expected
    assert (result.backward.status is Status.BREAKING) == bool(rule.example.old_only)
    assert (result.forward.status is Status.BREAKING) == bool(rule.example.new_only)

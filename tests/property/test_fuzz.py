"""Fuzzers: bounded here, long in `make verify`. Each has a fixed seed, so that a failure comes back."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from randomly import document, edited, edited_document, in_dialect, instance, schema, shared_part

import compat
from compat.logic.budget import Budget, BudgetExhausted
from compat.logic.sharing import Sharing
from compat.logic.solve import Solver
from compat.logic.translate import MeaninglessSchemaError, Translator
from compat.logic.universe import Universe
from compat.model.instance import Validator
from compat.model.references import schema_set
from compat.relation import Status

BOUNDED = 150
LONG = 6_000
DIALECTS = ("draft-04", "draft-07", "2019-09", "2020-12")


def pairs(count: int, seed: int) -> list[tuple[Any, Any, Random]]:
    """Random pairs; half of them differ in one place, so that many are compatible."""
    made = []
    for index in range(count):
        rng = Random(seed * 1_000_003 + index)
        left = schema(rng)
        right = edited(rng, left) if index % 2 else schema(rng)
        made.append((left, right, rng))
    return made


def attack(count: int, seed: int) -> None:
    """Throw a pool of instances, some built from the schemas themselves, at every proof."""
    decided = refuted = 0
    for left, right, rng in pairs(count, seed):
        result = compat.compare(left, right, steps=60_000)
        pool = [instance(rng) for _ in range(120)]
        for verdict, (one, other) in ((result.backward, (left, right)), (result.forward, (right, left))):
            if verdict.status is Status.UNKNOWN:
                assert not any("did not verify" in doubt.why for doubt in verdict.doubts), (one, other)
                continue
            decided += 1
            if verdict.status is Status.COMPATIBLE:
                inside, outside = Validator(schema_set(one)), Validator(schema_set(other))
                bad = [value for value in pool if inside.is_valid(value) and not outside.is_valid(value)]
                assert bad == [], (one, other)
                refuted += 1
    assert refuted > count // 8
    assert decided > 2 * count * 0.97


def test_random_instances_refute_no_proof() -> None:
    attack(BOUNDED, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("seed", [2, 3, 4, 5])
def test_random_instances_refute_no_proof_at_length(seed: int) -> None:
    attack(LONG, seed=seed)


def across_dialects(count: int, seed: int) -> None:
    """One document in the words of four drafts means the same in all of them."""
    for index in range(count):
        rng = Random(seed * 1_000_003 + index)
        value = shared_part(schema(rng, recursive=False))
        if not isinstance(value, dict):
            continue
        written = [{"$schema": compat.Dialect.parse(one).uri, **in_dialect(value, one)} for one in DIALECTS]
        for left, right in pairwise(written):
            result = compat.compare(left, right, steps=60_000)
            assert result.backward.status is result.forward.status is Status.COMPATIBLE, (left, right)


def test_a_document_means_the_same_in_every_draft() -> None:
    across_dialects(BOUNDED, seed=6)


@pytest.mark.long
def test_a_document_means_the_same_in_every_draft_at_length() -> None:
    across_dialects(LONG, seed=7)


def without_caches(count: int, seed: int) -> None:
    """The search remembers answers, provisional ones too; forgetting them may cost steps but no truth."""
    compared = 0
    for left, right, _ in pairs(count, seed):
        answers = []
        for forgetful in (False, True):
            universe = Universe()
            one, other = schema_set(left), schema_set(right)
            sharing = None if forgetful else Sharing(one, other)
            solver = Solver(universe, Budget(60_000), forgetful=forgetful)
            try:
                goal = [
                    Translator(universe, one, "old", sharing=sharing).root(),
                    Translator(universe, other, "new", sharing=sharing).root().neg,
                ]
                answer = solver.solve(goal)
            except (BudgetExhausted, MeaninglessSchemaError):
                answers.append(None)
                continue
            answers.append(None if answer.unknown else answer.empty)
        if None not in answers:
            compared += 1
            assert answers[0] is answers[1], (left, right)
    assert compared > count * 0.8


def test_the_search_agrees_with_itself_without_memory() -> None:
    without_caches(BOUNDED, seed=8)


@pytest.mark.long
def test_the_search_agrees_with_itself_without_memory_at_length() -> None:
    without_caches(LONG, seed=9)


def cut_short(count: int, seed: int) -> None:
    """Too few steps make an answer unknown, never another one, and leave nothing behind in the solver."""
    decided = 0
    for left, right, rng in pairs(count, seed):
        hurried = compat.compare(left, right, steps=rng.randrange(1, 400))
        assert all(isinstance(direction.reasons, tuple) for direction in (hurried.backward, hurried.forward))
        assert isinstance(hurried.changes, tuple)
        patient = compat.compare(left, right, steps=60_000)
        for one, other in ((hurried.backward, patient.backward), (hurried.forward, patient.forward)):
            assert one.status in (Status.UNKNOWN, other.status), (left, right)
            decided += one.status is other.status

        universe = Universe()
        solver = Solver(universe, Budget(0))
        try:
            sides = [
                Translator(universe, schema_set(one), name).root() for one, name in ((left, "old"), (right, "new"))
            ]
        except MeaninglessSchemaError:
            continue
        goals = [[sides[0], sides[1].neg], [sides[1], sides[0].neg], sides]
        for steps in (*(rng.randrange(1, 150) for _ in range(5)), 60_000):
            answers = []
            for goal in goals:
                solver.budget.steps, solver.budget.spent = steps, 0
                try:
                    answer = solver.solve(goal)
                except BudgetExhausted:
                    solver.abandon()
                    answers.append(None)
                else:
                    answers.append(None if answer.unknown else answer.empty)
        fresh = []
        for goal in goals:
            try:
                answer = Solver(universe, Budget(60_000)).solve(goal)
            except BudgetExhausted:
                fresh.append(None)
            else:
                fresh.append(None if answer.unknown else answer.empty)
        assert [one for one, other in zip(answers, fresh, strict=True) if other is not None] == [
            one for one in fresh if one is not None
        ], (left, right)
    assert decided > count


def test_a_search_cut_short_leaves_nothing_behind() -> None:
    cut_short(BOUNDED, seed=10)


@pytest.mark.long
def test_a_search_cut_short_leaves_nothing_behind_at_length() -> None:
    cut_short(LONG, seed=11)


def without_sharing(count: int, seed: int) -> None:
    """What both documents say alike is put off and never translated twice; written out it gives the same answers."""
    put_off = 0
    for index in range(count):
        rng = Random(seed * 1_000_003 + index)
        old = document(rng)
        new = edited_document(rng, old)
        short = compat.compare(old, new, steps=60_000)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("compat.logic.sharing.are_closed", lambda one, other: False)
            general = compat.compare(old, new, steps=60_000)
            patch.setattr("compat.logic.sharing.Sharing.same", lambda self, pointer: False)
            patch.setattr("compat.logic.sharing.Sharing.identical", lambda self, one, other: False)
            apart = compat.compare(old, new, steps=60_000)
        for direction in compat.Direction:
            told = [result.verdict(direction) for result in (short, general, apart)]
            decided = {one.status for one in told} - {Status.UNKNOWN}
            assert len(decided) < 2, (old, new)
            places = [{reason.keyword_location for reason in one.reasons} for one in told if one.complete]
            assert all(one == places[0] for one in places), (old, new)
            put_off += told[0].status is not Status.UNKNOWN
    assert put_off > count * 1.9


def test_what_is_put_off_is_what_it_would_have_been() -> None:
    without_sharing(BOUNDED, seed=12)


@pytest.mark.long
def test_what_is_put_off_is_what_it_would_have_been_at_length() -> None:
    without_sharing(LONG, seed=13)

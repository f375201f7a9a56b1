"""Which states of a schema differ: what the facts of contents tell is what following every reference tells."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from builders import GitRepository

from compat.project import Project, Side
from compat.project.closures import Closures
from compat.project.gating import closed

ORDER = "schemas/order/order.schema.json"
FILES = ("schemas/common/a.json", "schemas/common/b.json", "schemas/order/c.json")


def referrer(rng: Random) -> dict[str, Any]:
    """A schema that refers to some files: to places in them, to all of them, or where nothing applies it."""
    targets = ["../common/a.json", "../common/b.json#/$defs/x", "c.json#/$defs/x", "https://x.test/a.json", "c.json#y"]
    chosen = [{"$ref": target} for target in rng.sample(targets, 2)]
    told: dict[str, Any] = {"properties": {"p": chosen[0]}, "$defs": {"unused": chosen[1]}}
    if rng.random() < 0.5:
        told["items"] = {"$ref": rng.choice(("#/$defs/unused", "#/$defs/nowhere", "#"))}
    if rng.random() < 0.3:
        told["$id"] = rng.choice(("https://x.test/order.json", "order.schema.json"))
    if rng.random() < 0.2:
        told["$schema"] = "http://json-schema.org/draft-07/schema#"
    return told


def shared(rng: Random) -> dict[str, Any]:
    told: dict[str, Any] = {"type": rng.choice(("string", "number"))}
    if rng.random() < 0.8:
        told["$defs"] = {"x": {"maximum": rng.randrange(2)}}
    if rng.random() < 0.3:
        told["$id"] = "https://x.test/a.json"
    if rng.random() < 0.2:
        told["items"] = {"$ref": rng.choice(("#", "b.json", "../common/b.json#/$defs/x"))}
    if rng.random() < 0.2:
        told.setdefault("$defs", {})["y"] = {"$anchor": "y", "type": "object"}
    return told


@pytest.mark.parametrize("seed", range(8))
def test_two_states_are_alike_where_all_references_lead_to_the_same(repository: GitRepository, seed: int) -> None:
    rng = Random(seed)
    repository.write(ORDER, referrer(rng)).commit("start")
    for number in range(24):
        path = rng.choice(FILES)
        if rng.random() < 0.15:
            repository.write(ORDER, referrer(rng))
        elif rng.random() < 0.1 and (repository.root / path).exists():
            repository.remove(path)
        else:
            repository.write(path, shared(rng))
        repository.commit(f"{number}")
    by_facts: dict[str, str] = {}
    by_following: dict[str, str] = {}
    reached = 0
    with Project.open(repository.root, environment={}) as project:
        for place, commit in enumerate(project.line().commits):
            moment = project.past.moment(commit.sha)
            closures = Closures()
            facts = moment.facts(ORDER)
            reached += facts.leads is not None and closures._by_facts(facts, moment, ORDER) is not None
            by_facts[f"{place}"] = closures.of(moment, ORDER).identity
            by_following[f"{place}"] = closed(Side(moment, ORDER))
    assert reached or seed not in range(3)

    def alike(told: dict[str, str]) -> set[frozenset[str]]:
        return {frozenset(place for place in told if told[place] == content) for content in told.values()}

    assert alike(by_facts) == alike(by_following)

"""Records that fail alike to the fast validator fail for the same causes to the reference."""

from __future__ import annotations

import json
from collections.abc import Hashable
from typing import Any

import pytest
import seedstream
from hypothesis import given
from hypothesis import strategies as st

from compat.jsonvalue import JSON
from compat.lineage import apart_from_marker
from compat.model.instance import BulkValidator
from compat.model.references import schema_set
from compat.replay.causes import Cause
from compat.replay.cutting import Lines
from compat.replay.pair import PairSpec
from compat.replay.signature import MOST_KNOWN, Memory, signature
from compat.replay.validate import SchemaChecker, explainer

OLD: JSON = {"properties": {"kind": {"enum": ["a", "b", 3]}, "n": {}, "extra": {}, "list": {}}}
NEW: JSON = {
    "properties": {
        "kind": {"enum": ["a"]},
        "n": {"type": ["integer", "null"], "minimum": 2, "multipleOf": 2},
        "list": {"items": {"$ref": "#/$defs/item"}, "maxItems": 3, "uniqueItems": True},
    },
    "additionalProperties": False,
    "required": ["kind", "n"],
    "$defs": {
        "item": {
            "oneOf": [
                {"properties": {"role": {"const": "user"}, "text": {"type": "string", "maxLength": 2}}},
                {"properties": {"role": {"const": "robot"}, "text": {"anyOf": [{"minimum": 2}, {"type": "null"}]}}},
                {"type": "string", "pattern": "^x"},
            ]
        }
    },
}


def said(new: JSON, value: JSON, old: JSON = OLD) -> Hashable | None:
    sides = schema_set(old), schema_set(new)
    objections = BulkValidator(sides[1]).objections(value)
    assert objections
    return signature(objections, explainer(*sides))


ITEM: Any = st.fixed_dictionaries(
    {},
    optional={"role": st.sampled_from(["user", "robot", "x"]), "text": st.sampled_from(["a", "abc", 1, 5, None, []])},
)
VALUE: Any = st.fixed_dictionaries(
    {},
    optional={
        "kind": st.sampled_from(["a", "b", "c", 3, None]),
        "n": st.sampled_from([0, 1, 2, 2.5, "x", None, True]),
        "list": st.lists(ITEM | st.sampled_from(["x", "y", 1]), max_size=4),
        "extra": st.just(1),
        "ada": st.just(1),
    },
)
_SIDES = schema_set(OLD), schema_set(NEW)
_NEW, _EXPLAINER = SchemaChecker(_SIDES[1]), explainer(*_SIDES)
_known: dict[Hashable, frozenset[Cause]] = {}


@given(VALUE)
def test_one_signature_has_one_set_of_causes(value: JSON) -> None:
    assert _NEW.bulk is not None
    objections = _NEW.bulk.objections(value)
    assert objections is not None
    causes = _EXPLAINER.causes(value, _NEW.failures(value))
    assert bool(objections) is bool(causes)
    found = signature(objections, _EXPLAINER)
    assert found is not None
    assert _known.setdefault(found, causes) == causes


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ({"kind": "a"}, {"kind": "a", "list": []}, True),
        ({"kind": "b", "n": 2}, {"kind": 3, "n": 2}, False),
        ({"kind": "c", "n": 2}, {"kind": "d", "n": 2}, True),
        ({"kind": "a", "n": "x"}, {"kind": "a", "n": "yy"}, True),
        ({"kind": "a", "n": "x"}, {"kind": "a", "n": []}, False),
        ({"kind": "a", "n": 2, "ada": 1}, {"kind": "a", "n": 2, "bob": 1}, True),
        ({"kind": "a", "n": 2, "ada": 1}, {"kind": "a", "n": 2, "extra": 1}, False),
        ({"kind": "a", "n": 2, "list": ["y"]}, {"kind": "a", "n": 2, "list": ["x", "z"]}, True),
        ({"kind": "a", "n": 2, "list": ["y"]}, {"kind": "a", "n": 2, "list": ["y", "z"]}, True),
        ({"kind": "a"}, {"n": 2}, False),
    ],
)
def test_what_makes_records_fail_alike(one: JSON, other: JSON, alike: bool) -> None:
    assert (said(NEW, one) == said(NEW, other)) is alike


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"not": {}}, 1),
        ({"contains": {"type": "string"}}, [1]),
        ({"propertyNames": {"maxLength": 1}}, {"ab": 1}),
        ({"unevaluatedProperties": False}, {"a": 1}),
        ({"anyOf": [{"not": {}}, {"type": "string"}]}, 1),
    ],
)
def test_what_may_hang_on_more_has_no_signature(schema: JSON, value: JSON) -> None:
    assert said(schema, value) is None


def test_the_reference_is_asked_again_and_believed() -> None:
    one, other = (frozenset({Cause("s", place, "", "type", "why")}) for place in ("/a", "/b"))
    memory = Memory()
    recalled = []
    for _ in range(9):
        found = memory.recall("x")
        recalled.append(found is not None)
        if found is None:
            memory.learn("x", one)
    assert recalled == [False, False, True, False, True, True, True, False, True]
    memory.learn("x", other)
    assert all(memory.recall("x") is None for _ in range(9))


def test_a_memory_is_bounded_and_keeps_no_failure_without_causes() -> None:
    memory, some = Memory(), frozenset({Cause("s", "", "", "type", "why")})
    for number in range(3 * MOST_KNOWN):
        memory.recall(number)
        memory.learn(number, some)
    assert len(memory._known) == MOST_KNOWN
    assert len(memory._asked) <= 2 * MOST_KNOWN + 1
    memory.learn("none", frozenset())
    assert "none" not in memory._known


@pytest.mark.parametrize("lineage", seedstream.lineages(), ids=lambda lineage: lineage.name)
def test_the_four_contracts_are_explained_the_same_without_a_memory(
    lineage: seedstream.Lineage, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = next(iter(lineage.schemas))
    old, new, _ = apart_from_marker(lineage.schemas[first], lineage.schemas[lineage.newest])
    spec = PairSpec(schema_set(old), schema_set(new))
    failing = [sample.text for sample in lineage.samples() if sample.outcome == "newly_fails"][:600]
    assert len({json.dumps(json.loads(text)) for text in failing}) > 10
    piece = Lines("r", 1, b"\n".join(failing))
    remembered = spec.runner().judge(piece)
    monkeypatch.setattr(Memory, "recall", lambda memory, said: None)
    assert spec.runner().judge(piece) == remembered

"""Pairs judged once: what the cache may say, and what it is not believed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from compat.cache import Cache
from compat.jsonvalue import JSON, digest
from compat.model.document import parse_document
from compat.model.references import SchemaSet, schema_set
from compat.project import remembered
from compat.project.remembered import Judge, Subject, read, written
from compat.proof.containment import STEPS
from compat.proof.verdict import Doubt, Verdict
from compat.relation import Effect, Status
from compat.timeline import Judged, Told

OLD: Mapping[str, JSON] = {"properties": {"kind": {"enum": ["a", "b"]}}}
NEW: Mapping[str, JSON] = {"properties": {"kind": {"enum": ["a"]}}}


def closed(value: JSON, path: str = "order.json") -> SchemaSet:
    return schema_set(parse_document(json.dumps(value), name=path, uri=f"file:///{path}"))


def schema(value: JSON, path: str = "order.json") -> Subject:
    return Subject(lambda: closed(value, path))


@pytest.fixture
def unproved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no pair be worked out: what is known then comes from where it was kept."""

    def refuse(pair: object, *, told: bool) -> Judged:
        raise AssertionError("worked out anew")

    monkeypatch.setattr(remembered, "_worked_out", refuse)


def test_a_pair_is_worked_out_once_in_a_run() -> None:
    judge = Judge(None)
    first = judge.judge(schema(OLD), schema(NEW))
    assert first.changes is None
    assert (first.backward.status, first.forward.status) == (Status.BREAKING, Status.COMPATIBLE)
    again = judge.judge(schema(OLD), schema(NEW), told=True)
    assert [change.rule for change in again.changes or ()] == ["enum-value-removed"]
    assert judge.judge(schema(OLD), schema(NEW)) is again
    swapped = judge.judge(schema(NEW), schema(OLD))
    assert (swapped.backward, swapped.forward) == (again.forward, again.backward)
    assert (judge.asked, judge.found) == (1, 0)


def test_another_run_takes_it_from_the_cache(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    first = Judge(Cache(tmp_path)).judge(schema(OLD), schema(NEW), told=True)
    request.getfixturevalue("unproved")
    judge = Judge(Cache(tmp_path))
    assert judge.judge(schema(OLD), schema(NEW), told=True) == first
    assert (judge.asked, judge.found) == (1, 1)


@pytest.mark.parametrize(
    "other",
    [
        {"formats": "assertion"},
        {"dialects": {"https://x.test/own": "draft-07"}},
    ],
)
def test_another_question_is_another_answer(tmp_path: Path, unproved: None, other: dict[str, Any]) -> None:
    cache = Cache(tmp_path)
    asked = question(schema(OLD), schema(NEW))
    assert isinstance(asked, dict)
    cache.put(asked, written(Judged(Verdict(Status.COMPATIBLE), Verdict(Status.COMPATIBLE))))
    assert Judge(cache).judge(schema(OLD), schema(NEW)).backward.status is Status.COMPATIBLE
    with pytest.raises(AssertionError, match="worked out anew"):
        Judge(cache, **other).judge(schema(OLD), schema(NEW))


def question(old: Subject, new: Subject) -> JSON:
    return Judge(None)._question(remembered._Pair(old, new, None, "annotation", STEPS))


def test_a_question_names_all_that_an_answer_leans_on() -> None:
    plain = question(schema(OLD), schema(NEW))
    assert question(schema(OLD), schema(NEW)) == plain
    draft7 = {"$schema": "http://json-schema.org/draft-07/schema#"}
    marked = [
        schema({"properties": {"v": {"const": version}}, "$id": f"https://x.test/{version}/a.json"})
        for version in (1, 2)
    ]
    others = [
        question(schema(NEW), schema(OLD)),
        question(schema(OLD | draft7), schema(NEW)),
        question(schema(OLD), schema(NEW, "elsewhere/order.json")),  # where a reference would lead
        question(*marked),
    ]
    assert len({digest(one) for one in (plain, *others)}) == 5


def test_a_reference_that_leads_nowhere_is_known_by_where_it_would_lead() -> None:
    value = {"$ref": "missing.json"}
    judge = Judge(None)
    assert judge.judge(schema(value), schema(value)).backward.status is Status.COMPATIBLE
    assert judge.judge(schema(value), schema(value, "elsewhere/order.json")).backward.status is not Status.COMPATIBLE


@pytest.mark.parametrize(
    "lie",
    [
        Judged(Verdict(Status.BREAKING, {"kind": "a"}), Verdict(Status.COMPATIBLE)),  # both take it
        Judged(Verdict(Status.BREAKING, {"kind": "z"}), Verdict(Status.COMPATIBLE)),  # none takes it
        Judged(Verdict(Status.BREAKING, {"kind": "b"}), Verdict(Status.BREAKING, {"kind": "b"})),
    ],
)
def test_a_witness_that_the_validator_does_not_bear_out_is_no_answer(tmp_path: Path, lie: Judged) -> None:
    cache = Cache(tmp_path)
    asked = question(schema(OLD), schema(NEW))
    assert isinstance(asked, dict)
    cache.put(asked, written(lie))
    judge = Judge(cache)
    assert judge.judge(schema(OLD), schema(NEW)).backward.witness == {"kind": "b"}
    assert judge.found == 0
    assert read(cache.get(asked)) == judge.judge(schema(OLD), schema(NEW))  # and the lie is gone


FULL = Judged(
    Verdict(Status.BREAKING, None, undeclared=True, steps=7),
    Verdict(Status.UNKNOWN, doubts=(Doubt("/a", "too many steps"),)),
    disjoint=False,
    changes=(Told("title-changed", "/a/*", "title changed.", Effect.NONE, annotation=True),),
    marker="version tag 1 → 2: route by version",
)


def test_what_is_written_is_read_back() -> None:
    assert read(written(FULL)) == FULL
    assert read(written(Judged(FULL.forward, FULL.backward))) == Judged(FULL.forward, FULL.backward)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("backward", None),
        ("backward", {}),
        ("forward", {"status": "fine", "witness": 1, "undeclared": False, "doubts": [], "steps": 1}),
        ("forward", {"status": "compatible", "witness": 1, "undeclared": 0, "doubts": [], "steps": 1}),
        ("forward", {"status": "compatible", "witness": 1, "undeclared": False, "doubts": [["a"]], "steps": 1}),
        ("forward", {"status": "compatible", "witness": 1, "undeclared": False, "doubts": [], "steps": "1"}),
        ("disjoint", "no"),
        ("marker", 1),
        ("changes", [["rule", "/", "text", "none"]]),
        ("changes", [["rule", "/", "text", "sideways", False]]),
        ("changes", [[1, "/", "text", "none", False]]),
        ("changes", 1),
    ],
)
def test_an_answer_of_another_shape_is_none(key: str, value: JSON) -> None:
    assert read({**written(FULL), key: value}) is None


@pytest.mark.parametrize("answer", [None, [], "compatible", 1, {}])
def test_no_answer_is_none(answer: JSON) -> None:
    assert read(answer) is None


def test_a_schema_that_has_a_name_is_read_only_where_it_is_worked_on(tmp_path: Path) -> None:
    def unread() -> SchemaSet:
        raise AssertionError("read")

    wider = Subject(lambda: closed(OLD), "wide"), Subject(lambda: closed(OLD | {"title": "T"}), "titled")
    first = Judge(Cache(tmp_path)).judge(*wider, told=True)
    judge = Judge(Cache(tmp_path))
    assert judge.judge(Subject(unread, "wide"), Subject(unread, "titled"), told=True) == first
    assert judge.judge(Subject(unread, "titled"), Subject(unread, "wide")) == first.mirror
    # The configured marker is part of the question, and a witness is held against the schemas.
    for marker, old in ((None, "narrow"), ("kind", "wide")):
        with pytest.raises(AssertionError, match="read"):
            judge.judge(Subject(unread, old), Subject(unread, "titled"), marker=marker)
    Judge(Cache(tmp_path)).judge(Subject(lambda: closed(OLD), "wide"), Subject(lambda: closed(NEW), "narrow"))
    with pytest.raises(AssertionError, match="read"):
        Judge(Cache(tmp_path)).judge(Subject(unread, "wide"), Subject(unread, "narrow"))

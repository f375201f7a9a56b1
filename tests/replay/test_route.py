"""A record is routed by what it says about itself, and by nothing when it says two things."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compat.demo.history import entries
from compat.jsonvalue import JSON
from compat.lineage import VersionNumber
from compat.replay import route
from compat.replay.route import Hint, Router, Rule, Target, Unrouted, target

ONE, THREE = VersionNumber.parse("1"), VersionNumber.parse("3")


def versioned(**constants: JSON) -> JSON:
    return {"properties": {name: {"const": value} for name, value in constants.items()} | {"free": {}}}


ROUTER = Router(
    [
        target("task", "1", versioned(v=1, type="task") | {"$id": "https://example.org/task/1"}),  # type: ignore[operator]
        target("task", "1b", versioned(v=1, type="task")),
        target("task", "2", versioned(v=2, type="task")),
        target("event", "1", versioned(v=1)),
        target("event", "2", versioned(v=2)),
        target("row", "1", versioned(schema="row/1")),
        target("left", "9", versioned(x=9)),
        target("right", "9", versioned(x=9)),
        target("plain", "1", {"type": "object"}),
        target("never", "1", False),
    ]
)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"v": 1, "type": "task", "free": []}, ("task", "1b")),
        ({"v": 1.0, "type": "task"}, ("task", "1b")),
        ({"v": 2, "type": "task"}, ("task", "2")),
        ({"v": 1, "type": "other"}, ("event", "1")),
        ({"v": 1, "type": ["task"]}, ("event", "1")),
        ({"v": 2}, ("event", "2")),
        ({"v": True, "type": "task"}, Unrouted.NO_VERSION),
        ({"v": 3, "type": "task"}, Unrouted.NO_VERSION),
        ({"v": 3, "type": "other"}, Unrouted.NO_LINEAGE),
        ({"schema": "row/1"}, ("row", "1")),
        ({"schema": "row/2"}, Unrouted.NO_VERSION),
        ({"schema": "column/1"}, Unrouted.NO_LINEAGE),
        ({"schema": ["row/1"]}, Unrouted.NO_LINEAGE),
        ({"$schema": "https://example.org/task/1", "v": 2, "type": "task"}, ("task", "1")),
        ({"$schema": "https://example.org/task/1#"}, ("task", "1")),
        ({"$schema": "https://example.org/else", "schema": "row/1"}, ("row", "1")),
        ({"x": 9}, Unrouted.AMBIGUOUS),
        ({}, Unrouted.NO_LINEAGE),
        ([], Unrouted.NO_OBJECT),
        (None, Unrouted.NO_OBJECT),
    ],
)
def test_routes(value: JSON, found: tuple[str, str] | Unrouted) -> None:
    for _ in range(2):  # found, then remembered
        routed = ROUTER.route(value)
        assert ((routed.lineage, routed.version) if isinstance(routed, Target) else routed) == found


@pytest.mark.parametrize(
    ("hint", "value", "found"),
    [
        (Hint("left"), {"x": 9}, ("left", "9")),
        (Hint("task"), {"v": 1}, ("task", "1b")),
        (Hint("plain"), {"x": 9}, Unrouted.NO_VERSION),
        (Hint("task"), {"v": 7, "type": "task"}, Unrouted.NO_VERSION),
        (Hint("event", ONE), 7, ("event", "1")),
        (Hint("event", THREE), {"v": 1}, Unrouted.NO_VERSION),
        (Hint(None, ONE), {"v": 1}, ("event", "1")),
        (Hint(None, THREE), {"v": 1}, Unrouted.NO_LINEAGE),
    ],
)
def test_what_is_known_beforehand_narrows(hint: Hint, value: JSON, found: tuple[str, str] | Unrouted) -> None:
    numbered = [
        target("event", "1", versioned(v=1), number=ONE),
        target("event", "2", versioned(v=2), number=VersionNumber.parse("2")),
    ]
    others = [target("left", "9", versioned(x=9)), target("right", "9", versioned(x=9)), target("plain", "1", {})]
    task = [target("task", "1", versioned(v=1, type="task")), target("task", "1b", versioned(v=1, type="task"))]
    routed = Router([*others, *task, *numbered]).route(value, hint)
    assert ((routed.lineage, routed.version) if isinstance(routed, Target) else routed) == found


def test_a_constant_that_may_be_left_out_may_be_left_out() -> None:
    schema = {"properties": {"v": {"const": 1}, "closed": {"const": True}}, "required": ["v"]}
    router = Router([target("gate", "1", schema)])
    assert isinstance(router.route({"v": 1}), Target)
    assert isinstance(router.route({"v": 1, "closed": True}), Target)
    assert router.route({"v": 1, "closed": False}) is Unrouted.NO_LINEAGE
    assert router.route({"closed": True}) is Unrouted.NO_LINEAGE


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/x", "$defs": {"x": {"properties": {"v": {"const": 1}}}}},
        {"allOf": [{"properties": {"v": {"enum": [1]}}}, {"properties": {"w": {}}}]},
        {"oneOf": [{"properties": {"v": {"const": 1}, "w": {"const": n}}} for n in range(3)]},
    ],
)
def test_constants_are_found_where_the_root_leads(schema: JSON) -> None:
    router = Router([target("deep", "1", schema)])
    assert isinstance(router.route({"v": 1, "w": 7}), Target)
    assert not isinstance(router.route({"v": 2}), Target)


def test_a_named_tag_is_enough_whatever_else_is_wrong() -> None:
    router = Router([target("row", n, versioned(schema=f"row/{n}", partial=False)) for n in ("1", "2")])
    for value in ({"schema": "row/1", "partial": True}, {"schema": "row/1", "partial": []}, {"schema": "row/1"}):
        routed = router.route(value)
        assert isinstance(routed, Target)
        assert routed.version == "1"
    assert router.route({"schema": "row/3", "partial": True}) is Unrouted.NO_VERSION
    # Near miss: a bare number is shared by many contracts.
    assert not isinstance(
        Router([target("task", "1", versioned(v=1, type="task"))]).route({"v": 1, "type": "x"}), Target
    )


def test_a_constant_of_one_alternative_only_tells_nothing() -> None:
    router = Router([target("either", "1", {"oneOf": [versioned(v=1), versioned(w=1)]})])
    assert router.route({"v": 1}) is Unrouted.NO_LINEAGE


def test_configuration_says_what_schemas_do_not() -> None:
    versions = [VersionNumber.parse(text) for text in ("1.0.0", "1.2.0")]
    told = Rule({"app": "kwau"}, "format")
    router = Router([target("kwau", str(number), {}, number=number, rule=told) for number in versions])
    for stated in ("1.2.0", "kwau/1.2.0", "v1.2.0"):
        routed = router.route({"app": "kwau", "format": stated})
        assert isinstance(routed, Target)
        assert routed.version == "1.2.0"
    assert router.route({"app": "other", "format": "1.2.0"}) is Unrouted.NO_LINEAGE
    assert router.route({"app": "kwau", "format": "3.0.0"}) is Unrouted.NO_VERSION
    assert router.route({"app": "kwau"}) is Unrouted.NO_VERSION


def test_a_lineage_that_is_known_without_its_version_is_no_guess() -> None:
    told = Rule({"app": "kwau"})
    both = [target("kwau", text, {}, number=VersionNumber.parse(text), rule=told) for text in ("1.0.0", "1.2.0")]
    assert Router(both).route({"app": "kwau"}) is Unrouted.NO_VERSION
    only = Router(both[:1]).route({"app": "kwau"})
    assert isinstance(only, Target)


def test_a_constant_that_all_versions_share_tells_no_version() -> None:
    shared = [target("kwau", text, versioned(by="kwau"), number=VersionNumber.parse(text)) for text in ("1", "2")]
    assert Router(shared).route({"by": "kwau"}) is Unrouted.NO_VERSION
    assert isinstance(Router(shared[1:]).route({"by": "kwau"}), Target)
    named = [target("row", n, versioned(kind=f"row/{n}"), number=VersionNumber.parse(n)) for n in ("1", "2")]
    routed = Router(named).route({"kind": "row/1"})
    assert isinstance(routed, Target)
    assert routed.version == "1"


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(route, "_MOST_REMEMBERED", 3)
    router = Router([target("row", str(n), versioned(v=n)) for n in range(10)])
    for n in [*range(10), *range(10)]:
        routed = router.route({"v": n})
        assert isinstance(routed, Target)
        assert routed.version == str(n)
    assert sum(map(len, router._known.values())) <= 3


@given(st.permutations(["row/1", "row/2", "row/3"]))
def test_the_order_of_versions_decides_nothing_between_different_tags(order: list[str]) -> None:
    router = Router([target("row", tag, versioned(schema=tag)) for tag in order])
    for tag in order:
        routed = router.route({"schema": tag})
        assert isinstance(routed, Target)
        assert routed.version == tag


def test_the_packaged_records_find_their_number() -> None:
    history = list(entries())
    router = Router([target(entry.lineage, entry.version, json.loads(entry.schema)) for entry in history])
    for entry in history:
        for line in entry.records.splitlines():
            routed = router.route(json.loads(line))
            if entry.lineage == "kwau-conversations":  # its records name no version
                assert routed in {Unrouted.NO_LINEAGE, Unrouted.NO_VERSION}
            else:
                assert isinstance(routed, Target)
                assert (routed.lineage, routed.version) == (entry.lineage, entry.version)

"""A record is routed by what it says about itself, and by nothing when it says two things."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compat.demo.history import entries
from compat.jsonvalue import JSON
from compat.replay.route import Router, target


def versioned(**constants: JSON) -> JSON:
    return {"properties": {name: {"const": value} for name, value in constants.items()} | {"free": {}}}


ROUTER = Router(
    [
        target("task", "1", versioned(v=1, type="task") | {"$id": "https://example.org/task/1"}),  # type: ignore[operator]
        target("task", "1b", versioned(v=1, type="task")),
        target("task", "2", versioned(v=2, type="task")),
        target("event", "1", versioned(v=1)),
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
        ({"v": True, "type": "task"}, None),
        ({"v": 3, "type": "task"}, None),
        ({"schema": "row/1"}, ("row", "1")),
        ({"schema": ["row/1"]}, None),
        ({"$schema": "https://example.org/task/1", "v": 2, "type": "task"}, ("task", "1")),
        ({"$schema": "https://example.org/task/1#"}, ("task", "1")),
        ({"$schema": "https://example.org/else", "schema": "row/1"}, ("row", "1")),
        ({"x": 9}, None),
        ({}, None),
        ([], None),
        (None, None),
    ],
)
def test_routes(value: JSON, found: tuple[str, str] | None) -> None:
    routed = ROUTER.route(value)
    assert (None if routed is None else (routed.lineage, routed.version)) == found


@given(st.permutations(["row/1", "row/2", "row/3"]))
def test_the_order_of_versions_decides_nothing_between_different_tags(order: list[str]) -> None:
    router = Router([target("row", tag, versioned(schema=tag)) for tag in order])
    for tag in order:
        routed = router.route({"schema": tag})
        assert routed is not None
        assert routed.version == tag


def test_the_packaged_records_find_their_number() -> None:
    history = list(entries())
    router = Router([target(entry.lineage, entry.version, json.loads(entry.schema)) for entry in history])
    for entry in history:
        for line in entry.records.splitlines():
            routed = router.route(json.loads(line))
            if entry.lineage == "kwau-conversations":  # its records name no version
                assert routed is None
            else:
                assert routed is not None
                assert (routed.lineage, routed.version) == (entry.lineage, entry.version)

"""A schema that cannot be put into formulas is unknown in every respect, and breaks nothing that asks."""

from __future__ import annotations

from typing import Any

import pytest

import compat
from compat.relation import Status


def chain(length: int, least: int) -> dict[str, Any]:
    """Definitions of which each leads on to the next, one instance deeper."""
    steps: dict[str, Any] = {
        f"s{at}": {"type": "object", "properties": {"n": {"$ref": f"#/$defs/s{at + 1}"}}} for at in range(length)
    }
    return {"$ref": "#/$defs/s0", "$defs": {**steps, f"s{length}": {"type": "integer", "minimum": least}}}


@pytest.mark.parametrize(
    ("old", "new", "why", "disjoint"),
    [
        ({"$ref": "#"}, {}, "lead back to themselves", None),
        ({"type": "string"}, {"allOf": [{"$ref": "#"}]}, "lead back to themselves", None),
        (chain(2_000, 0), chain(2_000, 1), "too deeply", False),
    ],
)
def test_all_there_is_to_ask_has_an_answer(old: Any, new: Any, why: str, disjoint: bool | None) -> None:
    result = compat.compare(old, new)
    for direction in (result.backward, result.forward):
        assert direction.status is Status.UNKNOWN
        assert direction.reasons == ()
        assert [why in doubt.why for doubt in direction.doubts] == [True]
    assert result.changes
    assert result.disjoint is disjoint


@pytest.mark.parametrize("length", [30, 300])
def test_what_is_less_deep_is_decided(length: int) -> None:
    result = compat.compare(chain(length, 0), chain(length, 1))
    assert (result.backward.status, result.forward.status) == (Status.BREAKING, Status.COMPATIBLE)
    assert len(result.backward.reasons) == 1

"""In how many ways a schema leads on, and that the fast validator leaves the many to the one that can be stopped."""

from __future__ import annotations

from typing import Any

import pytest

from compat.model.compiled import UnsupportedByBulk
from compat.model.instance import BulkValidator, Validator
from compat.model.references import schema_set
from compat.model.ways import MOST_WAYS, ways


def ladder(levels: int, rungs: int, *, below: bool = False) -> dict[str, Any]:
    """Definitions of which each refers to the next one several times, for the same instance or for a member."""

    def level(number: int) -> dict[str, Any]:
        next_ = {"$ref": f"#/$defs/l{number + 1}"}
        return {"properties": {f"p{rung}": next_ for rung in range(rungs)}} if below else {"allOf": [next_] * rungs}

    return {
        "$ref": "#/$defs/l0",
        "$defs": {**{f"l{number}": level(number) for number in range(levels)}, f"l{levels}": {"type": "integer"}},
    }


@pytest.mark.parametrize(
    ("schema", "count"),
    [
        (True, 1),
        ({"type": "string"}, 1),
        ({"items": {"items": {}}, "$defs": {"idle": {"not": {}}}}, 1),
        ({"allOf": [{"$ref": "#/$defs/x"}, {"$ref": "#/$defs/x"}], "$defs": {"x": {"not": {}}}}, 7),
        ({"properties": {"next": {"$ref": "#"}}}, 2),
        ({"items": {"anyOf": [{}, {}, {}]}}, 4),
        ({"$ref": "#/nowhere"}, 1),
        (ladder(3, 2), 1 + 1 + 2 * (2 + 2 * (2 + 2 * 2))),
        (ladder(30, 4), MOST_WAYS),
        (ladder(30, 4, below=True), 2),
        (ladder(2_000, 1), 4_002),
    ],
)
def test_ways_are_counted(schema: Any, count: int) -> None:
    assert ways(schema_set(schema)) == count


def test_what_leads_on_in_too_many_ways_is_left_to_the_reference() -> None:
    schema = ladder(30, 4)
    with pytest.raises(UnsupportedByBulk, match="more than 1,000,000 ways"):
        BulkValidator(schema_set(schema))
    assert Validator(schema_set(schema)).is_valid(1)
    assert not BulkValidator(schema_set(ladder(5, 4))).is_valid("")
    assert BulkValidator(schema_set(ladder(30, 4, below=True))).is_valid({"p0": {"p3": {}}})

"""A version marker with a name of its own, named by the configuration."""

from __future__ import annotations

import json
from typing import Any

import pytest

from compat.assess.pair import lineage_pair
from compat.lineage import NumberSource, version_of
from compat.model.document import parse_document
from compat.model.references import SchemaSet, schema_set
from compat.relation import Status


def version(number: int, name: str = "revision") -> dict[str, Any]:
    return {"type": "object", "required": [name], "properties": {name: {"const": number}}}


def closed(number: int) -> SchemaSet:
    text = json.dumps(version(number))
    return schema_set(parse_document(text.encode(), name="task.json", uri="file:///task.json"))


@pytest.mark.parametrize(
    ("marker", "expected"),
    [("revision", 3), (None, None), ("other", None)],
)
def test_the_number_is_read_from_the_property_named(marker: str | None, expected: int | None) -> None:
    found = version_of(version(3), "task.json", marker=marker)
    assert (None if found is None else (found[1], found[0].parts[0])) == (
        None if expected is None else (NumberSource.CONST, expected)
    )


def test_a_usual_name_does_not_count_where_another_is_named() -> None:
    assert version_of(version(3, "v"), "task.json") is not None
    assert version_of(version(3, "v"), "task.json", marker="revision") is None


def test_verdicts_are_apart_from_the_property_named() -> None:
    plain = lineage_pair(closed(1), closed(2))
    assert (plain.marker, plain.comparison.backward.status) == (None, Status.BREAKING)
    named = lineage_pair(closed(1), closed(2), marker="revision")
    assert named.marker is not None
    assert named.comparison.backward.status is Status.COMPATIBLE

"""What may be shown of a stored record: its form, and nothing that somebody wrote into it."""

from __future__ import annotations

from decimal import Decimal
from random import Random
from typing import Any

import pytest
from witnesses import faults, shown

import compat
from compat.jsonvalue import JSON, dumps
from compat.model.instance import Validator
from compat.model.references import schema_set
from compat.proof.offers import Offers
from compat.proof.redaction import MAX_KEPT, MAX_READ, Records, is_modest, redacted
from compat.proof.verdict import Origin


def safe(schema: Any, record: JSON, made_up: JSON = None) -> JSON | None:
    schemas = schema_set(schema)
    validator = Validator(schemas)
    return redacted(
        record,
        made_up,
        [Offers(schemas)],
        lambda value: [failure.instance_path for failure in validator.failures(value)],
    )


def members(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


TEXT: dict[str, Any] = {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "record", "expected"),
    [
        # Letters, digits and case are kept apart; what is between them stays.
        (members(name=TEXT), {"name": "Ada Lovelace"}, {"name": "Xxx Xxxxxxxx"}),
        (members(mail=TEXT), {"mail": "ada.l@example.org"}, {"mail": "xxx.x@xxxxxxx.xxx"}),
        (members(when=TEXT), {"when": "2024-02-28T09:30:00Z"}, {"when": "1111-11-11X11:11:11X"}),
        (members(name=TEXT), {"name": "Zoë 北京"}, {"name": "Xxx xx"}),
        # The form alone must not be the value.
        (members(code=TEXT), {"code": "x"}, {"code": "y"}),
        (members(code=TEXT), {"code": "1111"}, {"code": "1112"}),
        (members(code=TEXT), {"code": "!?"}, {"code": "xx"}),
        # Equal values stay equal, others stay others.
        (members(a=TEXT, b=TEXT, c=TEXT), {"a": "Ada", "b": "Bob", "c": "Ada"}, {"a": "Xxx", "b": "Xxy", "c": "Xxx"}),
        (members(l={"uniqueItems": True}), {"l": ["Ada", "Bob", 41, 42]}, {"l": ["Xxx", "Xxy", 11, 12]}),
        # Numbers keep their sign and length.
        (members(n={"type": "number"}), {"n": -4211}, {"n": -1111}),
        (members(n={"type": "number"}), {"n": 42.75}, {"n": 11.1}),
        (members(n={"type": "number"}), {"n": Decimal("42.75")}, {"n": 11.1}),
        (members(n={"type": "number"}), {"n": 11}, {"n": 12}),
        # What the schema writes down in that place is no secret; elsewhere it may be one.
        (members(k={"enum": ["ill", "well"]}, n=TEXT), {"k": "ill", "n": "ill"}, {"k": "ill", "n": "xxx"}),
        (members(v={"const": 7}, n={"type": "integer"}), {"v": 7, "n": 7}, {"v": 7, "n": 1}),
        (members(ok={"type": "boolean"}, no={}), {"ok": True, "no": None}, {"ok": True, "no": None}),
        # A name that no schema publishes is data.
        (members(name=TEXT), {"name": "a", "Ada Lovelace": 1}, {"name": "x"}),
        # Long texts are shown short, unless the length is asked for.
        (members(text=TEXT), {"text": "b" * 90}, {"text": "x" * 48}),
        (members(text={"type": "string", "minLength": 80}), {"text": "q" * 90}, {"text": "x" * 90}),
    ],
)  # fmt: skip
def test_the_form_is_kept_and_the_value_is_not(schema: Any, record: JSON, expected: JSON) -> None:
    assert safe(schema, record) == expected


@pytest.mark.parametrize(
    ("schema", "record", "made_up", "expected"),
    [
        # Hexadecimal digits stay some, and what a made-up value begins with is known anyway.
        (members(id={"pattern": "^[0-9a-f]{8}$"}), {"id": "9f2c1a77"}, None, {"id": "1a1a1a11"}),
        (members(id={"pattern": "^evt_[0-9a-f]{4}$"}), {"id": "evt_9f2c"}, {"id": "evt_0000"}, {"id": "evt_1a1a"}),
        (members(id={"pattern": "^[a-c]{2}$"}), {"id": "ac"}, {"id": "aa"}, {"id": "aa"}),
        # Where no placeholder fits, the made-up value does; where there is none, the member goes.
        (members(id={"pattern": "^(yes|no)$"}), {"id": "yes"}, {"id": "no"}, {"id": "no"}),
        (members(n={"minimum": 500, "maximum": 600}, ok={}), {"n": 555, "ok": 0}, {"n": 500}, {"n": 500, "ok": 1}),
        (members(id={"pattern": "^(yes|no)$"}, ok={}), {"id": "yes", "ok": True}, {}, {"ok": True}),
        # And where that does not do either, nothing is shown.
        ({**members(id={"pattern": "^(yes|no)$"}), "required": ["id"]}, {"id": "yes"}, {}, None),
        # A record that is no instance is nothing to build on.
        (members(n={"type": "integer"}), {"n": "Ada"}, None, None),
    ],
)  # fmt: skip
def test_a_placeholder_that_is_refused_gives_way(schema: Any, record: JSON, made_up: JSON, expected: JSON) -> None:
    assert safe(schema, record, made_up) == expected


def test_only_the_small_ones_of_the_first_records_are_taken_in_any_order() -> None:
    many = [{"n": index} for index in range(MAX_READ)]
    shuffled = [*many]
    Random(1).shuffle(shuffled)
    taken = Records(many).taken
    assert taken == Records(shuffled).taken
    assert taken[:2] == ({"n": 0}, {"n": 1})
    assert len(taken) == MAX_KEPT
    assert Records(iter([{"text": "a" * 5_000}, {"n": 1}])).taken == ({"n": 1},)


def test_records_are_read_once_no_further_than_needed_and_closed() -> None:
    seen: list[str] = []

    def source() -> Any:
        try:
            for index in range(10 * MAX_READ):
                seen.append("read")
                yield {"n": index}
        finally:
            seen.append("closed")

    records = Records(source())
    assert seen == []
    assert records.taken == records.taken
    assert seen == ["read"] * MAX_READ + ["closed"]


@pytest.mark.parametrize("depth", [10, 33, 5_000])
def test_what_is_deep_is_left_alone(depth: int) -> None:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    assert is_modest(value) is (depth < 32)


SHAPES: tuple[dict[str, Any], ...] = (
    {"type": "string"},
    {"type": "string", "minLength": 3},
    {"type": "string", "pattern": "^[A-Za-z]+-[0-9]+$"},
    {"type": "string", "pattern": "e"},
    {"type": "integer"},
    {"type": "integer", "minimum": 500},
    {"type": "number", "multipleOf": 0.5},
    {},
    {"enum": ["open", "shut"]},
    {"type": ["string", "integer", "null"]},
)


def schema(rng: Random, depth: int = 2) -> dict[str, Any]:
    """An object schema whose members are of a few shapes; some of it is closed, some required."""
    names = rng.sample(["name", "mail", "number", "state", "more"], rng.randrange(1, 5))
    properties: dict[str, Any] = {}
    for name in names:
        roll = rng.random()
        if depth and roll < 0.2:
            properties[name] = schema(rng, depth - 1)
        elif depth and roll < 0.4:
            properties[name] = {"type": "array", "items": rng.choice(SHAPES), "uniqueItems": rng.random() < 0.5}
        elif depth and roll < 0.5:
            properties[name] = {"type": "object", "additionalProperties": rng.choice(SHAPES)}
        else:
            properties[name] = rng.choice(SHAPES)
    made: dict[str, Any] = {"type": "object", "properties": properties, "required": names[: rng.randrange(3)]}
    if rng.random() < 0.3:
        made["additionalProperties"] = rng.random() < 0.5
    return made


def planted(rng: Random, given: dict[str, Any]) -> JSON:
    """An instance in which everything that is free is a secret that can be found again."""
    if "enum" in given:
        return rng.choice(given["enum"])
    kind = given.get("type")
    if kind == "object":
        record = {
            name: planted(rng, inner)
            for name, inner in given.get("properties", {}).items()
            if name in given.get("required", ()) or rng.random() < 0.8
        }
        if given.get("additionalProperties", True) is not False:
            others = given.get("additionalProperties", True)
            record[f"Hidden-{rng.randrange(99)}"] = planted(rng, {} if others is True else others)
        return record
    if kind == "array":
        return [planted(rng, given["items"]) for _ in range(rng.randrange(3))]
    if kind in ("integer", "number") or (kind != "string" and rng.random() < 0.5):
        return 7_340_000 + rng.randrange(1_000)
    return f"Secret-{rng.randrange(10_000)}"


SECRETS = ("Secret", "Hidden", "734")


def plant(count: int, seed: int) -> tuple[int, int]:
    """Compare random schemas with planted records; count the breaks and those told with a record."""
    breaking = told = 0
    for index in range(count):
        rng = Random(seed * 1_000_003 + index)
        one = schema(rng)
        other = {**one, "properties": {**one["properties"], rng.choice(sorted(one["properties"])): rng.choice(SHAPES)}}
        records = [planted(rng, rng.choice((one, other))) for _ in range(6)]
        result = compat.compare(one, other, records=records)
        text = shown(result)
        assert [secret for secret in SECRETS if secret in text] == [], (one, other, records)
        assert faults(result, schema_set(one), schema_set(other)) == [], (one, other, records)
        plain = compat.compare(one, other)
        for direction in compat.Direction:
            verdict = result.verdict(direction)
            assert verdict.status is plain.verdict(direction).status
            breaking += verdict.status is compat.Status.BREAKING
            told += verdict.origin is Origin.RECORD
        assert [change.effect for change in result.changes] == [change.effect for change in plain.changes]
    return breaking, told


def test_a_planted_secret_is_never_seen_again() -> None:
    breaking, told = plant(120, seed=1)
    assert told > breaking // 4  # else nothing was tested


@pytest.mark.long
def test_many_planted_secrets_are_never_seen_again() -> None:
    breaking, told = plant(2_000, seed=2)
    assert told > breaking // 4


def test_a_secret_that_looks_like_its_own_placeholder_is_replaced() -> None:
    record = {"name": "Xxx", "n": 11}
    result = compat.compare(members(name=TEXT, n={}), members(name={"type": "integer"}, n={}), records=[record])
    assert result.backward.origin is Origin.RECORD
    assert "Xxx" not in dumps(result.backward.witness)
    assert "11" not in dumps(result.backward.witness)

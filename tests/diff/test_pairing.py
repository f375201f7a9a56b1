"""Which parts of two versions are taken for each other."""

from __future__ import annotations

from decimal import Decimal

import pytest

from compat.diff.fingerprint import Fingerprints
from compat.diff.likeness import described, scores, similarity
from compat.diff.pairing import apart, branches, renames
from compat.jsonvalue import JSON


@pytest.fixture
def prints() -> Fingerprints:
    return Fingerprints()


def as_is(value: JSON, is_old: bool) -> JSON:
    return value


def tagged(kind: str, **more: JSON) -> JSON:
    return {"properties": {"kind": {"const": kind}, **more}, "required": ["kind"]}


# -- equality ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        ([1], [True], False),
        ({"a": 1, "b": [2]}, {"b": [2.0], "a": Decimal("1.0")}, True),
        ("1", 1, False),
        (None, False, False),
        ([], {}, False),
        ([1, 2], [2, 1], False),
        ({"a": None}, {}, False),
    ],
)
def test_fingerprints_are_json_equality(prints: Fingerprints, left: JSON, right: JSON, same: bool) -> None:
    assert prints.same(left, right) is same
    assert prints.same([left], [right]) is same


def test_fingerprints_know_where_references_are(prints: Fingerprints) -> None:
    schema: dict[str, JSON] = {"a": {"b": [{"$ref": "#"}]}, "c": {"d": 1}}
    assert prints.refers(schema)
    assert prints.refers(schema["a"])
    assert not prints.refers(schema["c"])


def test_fingerprints_survive_any_depth(prints: Fingerprints) -> None:
    deep: JSON = []
    same: JSON = []
    for _ in range(50_000):
        deep, same = [deep], [same]
    assert prints.same(deep, same)
    assert not prints.same(deep, [same])


# -- branches ---------------------------------------------------------------------------------------------------------


def test_equal_branches_are_paired_first_wherever_they_stand(prints: Fingerprints) -> None:
    old: list[JSON] = [{"type": "string"}, {"type": "null"}]
    new: list[JSON] = [{"type": "null"}, {"type": "string"}]
    assert branches(old, new, prints, as_is) == ([(0, 1), (1, 0)], [], [])


def test_true_and_one_are_two_branches(prints: Fingerprints) -> None:
    assert branches([{"const": 1}], [{"const": True}], prints, as_is)[0] == []


def test_a_discriminator_beats_likeness(prints: Fingerprints) -> None:
    old = [tagged("a", n={"minimum": 1, "maximum": 5}), tagged("b")]
    new = [tagged("b", n={"minimum": 1, "maximum": 5}), tagged("a")]
    assert branches(old, new, prints, as_is)[0] == [(0, 1), (1, 0)]


def test_branches_of_other_kinds_are_not_paired_however_alike(prints: Fingerprints) -> None:
    same: JSON = {"minimum": 1, "maximum": 5, "title": "n"}
    assert branches([tagged("a", n=same)], [tagged("b", n=same)], prints, as_is) == ([], [0], [0])


def test_a_reference_is_paired_by_the_name_of_its_definition(prints: Fingerprints) -> None:
    old: list[JSON] = [{"$ref": "#/definitions/a"}, {"$ref": "#/definitions/b"}]
    new: list[JSON] = [{"$ref": "#/$defs/b"}, {"$ref": "#/$defs/a"}]
    assert branches(old, new, prints, as_is)[0] == [(0, 1), (1, 0)]


def test_a_branch_moved_to_a_definition_is_found_behind_its_reference(prints: Fingerprints) -> None:
    def follow(value: JSON, is_old: bool) -> JSON:
        return tagged("a") if value == {"$ref": "#/$defs/a"} else value

    old: list[JSON] = [tagged("a", n={"minimum": 1})]
    new: list[JSON] = [{"$ref": "#/$defs/a"}]
    assert branches(old, new, prints, follow)[0] == [(0, 0)]


def test_titles_pair_and_types_part(prints: Fingerprints) -> None:
    old: list[JSON] = [{"title": "Size", "minimum": 1}, {"type": "string", "maxLength": 5, "pattern": "x"}]
    new: list[JSON] = [{"type": "array", "maxLength": 5, "pattern": "x"}, {"title": "Size", "maximum": 9}]
    assert branches(old, new, prints, as_is) == ([(0, 1)], [1], [0])


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ({"type": "string"}, {"type": "null"}, True),
        ({"type": "integer"}, {"type": "number"}, False),
        ({"type": ["string", "null"]}, {"type": "null"}, False),
        ({"type": "string"}, {"minLength": 1}, False),
        (tagged("a"), tagged("b"), True),
        (tagged("a"), tagged("a", n=True), False),
        ({"properties": {"kind": {"const": "a"}}}, tagged("b"), False),
    ],
)
def test_branches_are_apart_only_where_it_shows(prints: Fingerprints, left: JSON, right: JSON, expected: bool) -> None:
    assert apart([left, right], prints)(0) is expected
    assert apart([right, left], prints)(0) is expected


def test_one_discriminator_tells_a_long_list_apart(prints: Fingerprints) -> None:
    long = [tagged(str(number)) for number in range(500)]
    assert apart(long, prints)(7)
    assert not apart([*long, tagged("7")], prints)(7)


def test_a_thousand_changed_branches_are_paired_by_their_discriminator(prints: Fingerprints) -> None:
    old = [tagged(str(number), n={"minimum": 0}) for number in range(1000)]
    new = [tagged(str(number), n={"minimum": 1}) for number in reversed(range(1000))]
    assert branches(old, new, prints, as_is) == ([(index, 999 - index) for index in range(1000)], [], [])


# -- likeness and words -----------------------------------------------------------------------------------------------


def test_likeness_runs_from_nothing_to_all(prints: Fingerprints) -> None:
    person: JSON = {"properties": {"name": {"type": "string"}, "age": {"type": "integer"}}, "required": ["name"]}
    older: JSON = {"properties": {"name": {"type": "string"}, "age": {"type": "number"}}, "required": ["name"]}
    assert similarity(person, person, prints) == 1.0
    assert 0.5 < similarity(person, older, prints) < 1.0
    assert similarity(person, {"enum": [1, 2]}, prints) == 0.0
    assert similarity([1], [True], prints) < 1.0


def test_only_the_likeliest_are_measured(prints: Fingerprints, monkeypatch: pytest.MonkeyPatch) -> None:
    import compat.diff.likeness as module

    asked = 0

    def distance(left: JSON, right: JSON) -> float:
        nonlocal asked
        asked += 1
        return 0.5

    monkeypatch.setattr(module, "_distance", distance)
    many = {number: {"type": "string", "title": "t", "maxLength": number} for number in range(100)}
    few = {number: {"type": "string", "title": "t", "maxLength": -number} for number in range(1, 40)}
    assert len(list(scores(many, few, prints))) == 3900
    assert asked == 50


def test_renames_take_the_best_match_and_refuse_bare_types(prints: Fingerprints) -> None:
    rich: JSON = {"type": "string", "enum": ["a", "b", "c"], "description": "What it is."}
    other: JSON = {"type": "integer", "minimum": 0, "maximum": 9, "description": "How many."}
    assert renames({"kind": rich, "count": other}, {"total_count": other, "kinds": rich}, prints) == {
        "kinds": "kind",
        "total_count": "count",
    }
    assert renames({"a": {"type": "string"}}, {"b": {"type": "string"}}, prints) == {}


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ({"a": 1}, {"a": 2}, "a changed"),
        ({"a": 1}, {"a": "1"}, "a changed"),
        ({"a": 1}, {"a": 1, "b": 2}, "b added"),
        ({"a": 1, "b": 1, "c": 1}, {"a": 1}, "2 values removed"),
        ({"a": {"b": [1, 2]}}, {"a": {"b": [1, 3]}}, "a.b.[1] changed"),
        ([1], [True], "its contents changed"),
        ("a", "b", '"a" became "b"'),
        ({"n": Decimal("1e400")}, {"n": Decimal("2e400")}, "n changed"),
    ],
)
def test_a_value_that_became_another_is_told_in_a_few_words(old: JSON, new: JSON, words: str) -> None:
    assert described(old, new) == words

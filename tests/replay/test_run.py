"""Outcomes, causes and totals, with checkers that only look at the record."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compat.errors import RecordError
from compat.jsonvalue import JSON
from compat.replay.causes import Explainer
from compat.replay.parse import Kind
from compat.replay.read import Outcome, Record, Unreadable
from compat.replay.run import RECHECK_EVERY, redaction, replay
from compat.replay.shape import declared_names, shape_of
from compat.replay.summary import Evidence, RecordPlace, Summary, Tally, total


@dataclass(frozen=True)
class Fail:
    keyword_location: str
    instance_path: tuple[str | int, ...]
    keyword: str
    source: str = "new"


@dataclass
class Fake:
    """A checker that goes by a predicate; `lies` makes its fast answer wrong for some values."""

    valid: Callable[[JSON], bool]
    lies: Callable[[JSON], bool] = lambda _: False
    fails: Callable[[JSON], Iterable[Fail]] = lambda _: [Fail("/maximum", (), "maximum")]

    bulk = None

    def is_valid(self, record: Record) -> bool:
        return self.valid(record.value) is not self.lies(record.value)

    def confirms(self, record: Record) -> bool:
        return self.valid(record.value)

    def failures(self, value: JSON) -> Iterable[Fail]:
        return [] if self.valid(value) else self.fails(value)


EXPLAINER = Explainer({"new": {"maximum": 5}}, frozenset())


def records(values: Iterable[JSON], source: str = "r") -> list[Outcome]:
    return [Record(value, source, line) for line, value in enumerate(values, 1)]


def below(limit: int) -> Fake:
    return Fake(lambda value: isinstance(value, int) and value < limit)


def above(limit: int) -> Fake:
    return Fake(lambda value: isinstance(value, int) and value > limit)


def test_the_four_outcomes() -> None:
    summary = replay(records([1, 5, 9, 3]), below(6), above(2), EXPLAINER)
    assert summary.tally == Tally(passes_both=2, newly_fails=1, newly_passes=1)
    assert replay(records([1]), below(0), below(0), EXPLAINER).tally == Tally(failed_already=1)


OUTCOMES = st.lists(
    st.integers(0, 9).map(lambda value: ("record", value)) | st.sampled_from(Kind).map(lambda kind: ("trouble", kind))
)


def made(items: list[tuple[str, object]], source: str) -> list[Outcome]:
    return [
        Record(item, source, line)  # type: ignore[arg-type]
        if what == "record"
        else Unreadable(item, "why", source, line)  # type: ignore[arg-type]
        for line, (what, item) in enumerate(items, 1)
    ]


@given(OUTCOMES, st.integers(0, 9), st.integers(0, 9))
def test_totals_always_add_up(items: list[tuple[str, object]], old: int, new: int) -> None:
    tally = replay(made(items, "r"), below(old), above(new), EXPLAINER).tally
    values = [item for what, item in items if what == "record"]
    assert tally.read == len(items)
    assert tally.read == tally.passed + tally.failed + tally.unreadable + tally.unrouted
    assert tally.passed == sum(value > new for value in values)  # type: ignore[operator]
    assert tally.newly_fails == sum(value < old and value <= new for value in values)  # type: ignore[operator]
    assert tally.valid_before == sum(value < old for value in values)  # type: ignore[operator]


FAILS: Callable[[JSON], list[Fail]] = lambda value: [  # noqa: E731
    Fail(f"/k{digit}", (int(digit),), f"k{digit}")
    for digit in f"{value:03}"  # type: ignore[str-bytes-safe]
]


@given(st.lists(st.tuples(st.integers(0, 50), st.sampled_from(Kind) | st.none())), st.data())
def test_parts_add_up_to_the_whole_in_any_order(items: list[tuple[int, Kind | None]], data: st.DataObject) -> None:
    outcomes: list[Outcome] = [
        Record(value, "r", line) if kind is None else Unreadable(kind, "why", "r", line)
        for line, (value, kind) in enumerate(items, 1)
    ]
    old, new = below(40), Fake(lambda value: value > 20, fails=FAILS)  # type: ignore[operator]
    cut = data.draw(st.integers(0, len(outcomes)))
    whole = replay(outcomes, old, new, EXPLAINER)
    parts = [replay(part, old, new, EXPLAINER) for part in (outcomes[:cut], outcomes[cut:])]
    for joined in (total(parts), total(reversed(parts))):
        assert joined.tally == whole.tally
        assert joined.groups == whole.groups
        assert joined.troubles == whole.troubles
        assert joined.failed_already == whole.failed_already
        assert joined.combinations == whole.combinations


def test_causes_are_counted_with_first_places_and_the_shortest_example() -> None:
    new = Fake(lambda _: False, fails=lambda value: [Fail("/enum", ("a", 3), "enum")])
    summary = replay(records(["long text", "b", "cc", "d"]), Fake(lambda _: True), new, EXPLAINER)
    (group,) = summary.groups
    assert group.count == 4
    assert group.places == (RecordPlace("r", 1), RecordPlace("r", 2), RecordPlace("r", 3))
    assert (group.example.value, group.example.place.line) == ("b", 2)
    assert summary.share(group) == 1.0


def test_a_record_with_two_causes_counts_in_both_groups_and_once_as_evidence() -> None:
    new = Fake(
        lambda value: value == 0,
        fails=lambda value: [Fail("/a/enum", ("a",), "enum"), Fail("/b/enum", ("b", 0, "c"), "enum")][
            : int(str(value))
        ],
    )
    explainer = Explainer({"new": {}}, frozenset({"a", "b", "c"}))
    summary = replay(records([0, 1, 2, 1, 2]), Fake(lambda _: True), new, explainer)
    assert [(group.cause.keyword_location, group.count) for group in summary.groups] == [("/a/enum", 4), ("/b/enum", 2)]
    assert summary.evidence_for(["/a/enum", "/b/enum"]) == Evidence(5, 4, "r:2")
    assert summary.evidence_for(["/b/enum/1"], "/b/*/c") == Evidence(5, 2, "r:3")
    assert summary.evidence_for(["/b"]) == Evidence(5, 2, "r:3")
    assert summary.evidence_for(["/b/enum"], "/x") == Evidence(5, 0, None)
    assert summary.evidence_for(["/c/enum"]) == Evidence(5, 0, None)
    assert summary.evidence_for(["/b/enum"], source="other") == Evidence(5, 0, None)


def test_no_record_that_could_say_is_no_evidence() -> None:
    assert replay(records([7]), below(0), below(0), EXPLAINER).evidence_for(["/maximum"]) is None
    assert Summary().evidence_for(["/maximum"]) is None


def test_combinations_of_causes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compat.replay.summary.MOST_COMBINATIONS", 10)
    summary = replay(records(range(500)), Fake(lambda _: True), Fake(lambda _: False, fails=FAILS), EXPLAINER)
    assert len(summary.combinations) <= 20
    assert sum(summary.combinations.values()) == 500


def test_the_reference_is_believed_and_the_difference_reported() -> None:
    lying = Fake(lambda _: True, lies=lambda value: value == 2)
    summary = replay(records([1, 2, 3]), Fake(lambda _: True), lying, EXPLAINER)
    assert summary.tally == Tally(passes_both=3)
    assert summary.disagreed == 1
    assert [(found.place.line, found.schema, found.fast, found.reference) for found in summary.disagreements] == [
        (2, "new", False, True)
    ]


@pytest.mark.parametrize("which", ["old", "new"])
def test_a_sample_of_passes_is_looked_at_again(which: str) -> None:
    lying = Fake(lambda value: value != 8, lies=lambda value: value == 8)
    honest = Fake(lambda _: True)
    old, new = (lying, honest) if which == "old" else (honest, lying)
    summary = replay(records(range(1, 17)), old, new, EXPLAINER)
    assert [found.schema for found in summary.disagreements] == [which]
    expected = Tally(passes_both=15, newly_passes=1) if which == "old" else Tally(passes_both=15, newly_fails=1)
    assert summary.tally == expected
    assert summary.rechecked >= 5


def test_long_runs_are_looked_at_now_and_then() -> None:
    summary = replay(records([1] * (3 * RECHECK_EVERY)), below(2), below(2), EXPLAINER)
    assert summary.rechecked == 16 + 1  # 1, 2, 4 … 32768, and 3 × 16384


def test_what_no_validator_can_judge_is_unreadable() -> None:
    def judge(value: JSON) -> bool:
        if value == 1:
            raise RecordError("no answer")
        if value == 2:
            raise RecursionError
        return True

    summary = replay(records([0, 1, 2]), Fake(judge), Fake(judge), EXPLAINER)
    assert summary.tally == Tally(passes_both=1, unreadable=2)
    assert [trouble.kind for trouble in summary.troubles] == [Kind.TOO_DEEP, Kind.UNCHECKED]


SCHEMA: JSON = {
    "type": ["string", "null"],
    "required": ["a", "b"],
    "enum": [1, 2, 3],
    "minLength": 3,
    "multipleOf": 0.1,
    "format": "date",
    "properties": {"a": {"const": "x"}, "never": False},
    "additionalProperties": False,
    "anyOf": [{}, {}],
    "oneOf": [{}],
    "dependentRequired": {"a": ["b"]},
    "pattern": "^a$",
    "minimum": 0,
    "patternProperties": {"^x": {}},
    "plain": {"properties": {"a": {}}, "additionalProperties": False},
    "if": {},
}


@pytest.mark.parametrize(
    ("keyword", "value", "reasons"),
    [
        ("type", 7, {"integer, not string or null"}),
        ("type", 7.5, {"number, not string or null"}),
        ("type", True, {"boolean, not string or null"}),
        ("required", {"b": 1}, {'"a" is missing'}),
        ("required", {}, {'"a" is missing', '"b" is missing'}),
        ("enum", 9, {"not one of the 3 values allowed"}),
        ("minLength", "a", {"shorter than 3 characters"}),
        ("multipleOf", 3, {"not a multiple of 0.1"}),
        ("format", "x", {"no valid date"}),
        ("anyOf", 1, {"fits none of the 2 alternatives"}),
        ("oneOf", 1, {"fits none of the 1 alternatives, or more than one"}),
        ("dependentRequired", {"a": 1}, {'"b" is missing'}),
        ("pattern", "secret", {"does not match the pattern"}),
        ("minimum", -1, {"below 0"}),
        ("additionalProperties", {"ada@example.org": 1}, {"an undeclared property is not allowed"}),
        ("plain/additionalProperties", {"b": 1, "a": 1}, {'"b" is not allowed'}),
        (
            "plain/additionalProperties",
            {"b": 1, "q": 1},
            {'"b" is not allowed', "an undeclared property is not allowed"},
        ),
        ("properties/never", 1, {"nothing is allowed here"}),
        ("if", 1, {'fails "if"'}),
    ],
)
def test_reasons_say_what_is_asked_and_no_value(keyword: str, value: JSON, reasons: set[str]) -> None:
    explainer = Explainer({"new": SCHEMA}, frozenset({"a", "b"}))
    fail = Fail(f"/{keyword}", (), keyword.rpartition("/")[2])
    assert {cause.reason for cause in explainer.causes(value, [fail])} == reasons


def test_an_instance_path_keeps_only_declared_names() -> None:
    explainer = Explainer({}, frozenset({"items", "id"}))
    assert explainer.generalised(("items", 3, "ada@example.org", "id")) == "/items/*/*/id"


def test_names_come_from_the_schemas() -> None:
    names = declared_names([{"properties": {"a": {"required": ["b"]}}, "const": "secret"}])
    assert {"a", "b"} <= names
    assert "secret" not in names


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("secret", "<string, 6 chars>"),
        (12, "<integer>"),
        (1.0, "<integer>"),
        (1.5, "<number>"),
        (True, "<boolean>"),
        (None, None),
        (
            {"a": "x", "ada": 1, "bob": 2},
            {"a": "<string, 1 chars>", "<name, 3 chars>": "<integer>", "<name, 3 chars>'": "<integer>"},
        ),
        ([1, 2, 3, 4, 5], ["<integer>", "<integer>", "<integer>", "<2 more>"]),
    ],
)
def test_a_shape_keeps_the_form_and_declared_names_only(value: JSON, shape: JSON) -> None:
    assert shape_of(value, {"a"}) == shape


def test_a_shape_is_small_however_large_the_record() -> None:
    deep: JSON = "secret"
    for _ in range(400):
        deep = [deep]
    wide = {f"key{n}": n for n in range(10_000)}
    assert "secret" not in str(shape_of(deep, ()))
    assert len(str(shape_of([wide, wide], ()))) < 20_000


@given(
    st.recursive(
        st.text("xyz", min_size=3), lambda inner: st.lists(inner) | st.dictionaries(st.text("xyz", min_size=3), inner)
    )
)
def test_no_text_of_a_record_survives(value: JSON) -> None:
    assert not any(
        letters in str(shape_of(value, ())) for letters in ("xx", "yy", "zz", "xy", "yz", "zx", "yx", "zy", "xz")
    )


def test_examples_are_redacted_or_whole() -> None:
    new = Fake(lambda _: False)
    run = functools.partial(replay, records([{"a": "secret"}]), Fake(lambda _: True), new, EXPLAINER)
    hidden = run(redact=redaction(frozenset({"a"}))).groups[0].example
    assert (hidden.value, hidden.redacted) == ({"a": "<string, 6 chars>"}, True)
    shown = run().groups[0].example
    assert (shown.value, shown.redacted) == ({"a": "secret"}, False)

"""JSON values as mathematics has them."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compat import jsonvalue
from compat.jsonvalue import JSON

calm = settings(deadline=None, derandomize=True)
DECIMALS = st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-1000, max_value=1000)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False) | DECIMALS
TEXTS = st.text(max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=15,
)


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (1, 1.0, True),
        (1, Decimal("1.00"), True),
        (0, -0.0, True),
        (1, True, False),
        (0, False, False),
        (0.1, Decimal("0.1"), True),
        (0.1, Decimal("0.1000000000000000055511151231257827"), False),
        (0.1, Fraction(1, 10), True),
        (1e23, 10**23, True),
        (None, False, False),
        ("1", 1, False),
        ([1, [True]], [1.0, [True]], True),
        ([1], [True], False),
        ([], {}, False),
        ("", [], False),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": 1, "b": 2}, {"b": 2.0, "a": 1}, True),
        ({"a": [1]}, {"a": [True]}, False),
        ("é", "e\u0301", False),
    ],
)
def test_equality(left: JSON, right: JSON, same: bool) -> None:
    assert jsonvalue.equal(left, right) is same
    assert (jsonvalue.freeze(left) == jsonvalue.freeze(right)) is same
    assert (jsonvalue.canonical(left) == jsonvalue.canonical(right)) is same
    assert (jsonvalue.digest(left) == jsonvalue.digest(right)) is same


@calm
@given(VALUES, VALUES)
def test_the_three_ways_to_compare_agree(left: JSON, right: JSON) -> None:
    same = jsonvalue.equal(left, right)
    assert (jsonvalue.canonical(left) == jsonvalue.canonical(right)) is same
    assert (hash(jsonvalue.freeze(left)) == hash(jsonvalue.freeze(right))) or not same


@calm
@given(VALUES)
def test_both_ways_to_write_canonically_agree(value: JSON) -> None:
    out: list[str] = []
    jsonvalue._canonical(value, out)
    assert jsonvalue.canonical(value) == "".join(out).encode("utf-8", "surrogatepass")


@calm
@given(VALUES, st.sampled_from([None, 2]), st.booleans())
def test_what_is_written_is_read_back(value: JSON, indent: int | None, sort_keys: bool) -> None:
    text = jsonvalue.dumps(value, indent=indent, sort_keys=sort_keys)
    assert jsonvalue.equal(json.loads(text, parse_float=Decimal), value)


def test_writing_keeps_order_layout_and_exact_numbers() -> None:
    value: JSON = {"b": [1, Decimal("0.10000000000000000000001"), {}], "a": "é\n"}
    assert jsonvalue.dumps(value) == '{"b": [1, 0.10000000000000000000001, {}], "a": "é\\n"}'
    assert jsonvalue.dumps(value, sort_keys=True).startswith('{"a"')
    assert jsonvalue.dumps({"a": [1]}, indent=2) == '{\n  "a": [\n    1\n  ]\n}'
    assert jsonvalue.dumps(Fraction(1, 4)) == "0.25"


@pytest.mark.parametrize("value", [{1, 2}, object(), b"x"])
def test_what_is_no_json_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        jsonvalue.freeze(value)
    with pytest.raises(TypeError):
        jsonvalue.canonical(value)


# -- numbers ----------------------------------------------------------------------------------------------------------


@calm
@given(NUMBERS)
def test_plain_undoes_exact(number: int | float | Decimal) -> None:
    back = jsonvalue.plain(jsonvalue.exact(number))
    assert jsonvalue.exact(back) == jsonvalue.exact(number)


@pytest.mark.parametrize(
    ("number", "plain", "kind"),
    [
        (Fraction(3), 3, int),
        (Fraction(1, 10), 0.1, float),
        (Fraction(10**400), 10**400, int),
        (Fraction(1, 10**400), Decimal("1e-400"), Decimal),
        (Fraction(10**20 + 1, 10), Decimal("10000000000000000000.1"), Decimal),
        (Fraction(-1, 8), -0.125, float),
        (Fraction(1, 3), 1 / 3, float),
    ],
)
def test_plain_is_the_plainest(number: Fraction, plain: object, kind: type) -> None:
    found = jsonvalue.plain(number)
    assert type(found) is kind
    assert found == plain


@calm
@given(st.fractions(max_denominator=1000))
def test_decimals_end_where_the_denominator_has_only_twos_and_fives(number: Fraction) -> None:
    rest = number.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    written = jsonvalue.decimal_of(number)
    assert (written is None) is (rest != 1)
    assert written is None or Fraction(written) == number


@pytest.mark.parametrize(("value", "answer"), [(1, True), (1.5, True), (Decimal(1), True), (True, False), ("1", False)])
def test_booleans_are_no_numbers(value: object, answer: bool) -> None:
    assert jsonvalue.is_number(value) is answer


def test_the_largest_number_read_can_be_written_again() -> None:
    largest = Decimal(f"9e{jsonvalue.MAX_EXPONENT}")
    assert jsonvalue.canonical(largest).startswith(b"9000")
    assert jsonvalue.digest([largest]) == jsonvalue.digest([9 * 10**jsonvalue.MAX_EXPONENT])


# -- pointers ---------------------------------------------------------------------------------------------------------


@calm
@given(st.lists(TEXTS | st.integers(0, 99)))
def test_tokens_undo_pointers(path: list[str | int]) -> None:
    assert jsonvalue.tokens(jsonvalue.pointer(path)) == tuple(str(token) for token in path)


@calm
@given(VALUES)
def test_a_pointer_finds_what_a_walk_finds(value: JSON) -> None:
    for path, item in jsonvalue.walk(value):
        assert jsonvalue.resolve(value, jsonvalue.pointer(path)) is item


@pytest.mark.parametrize(
    ("pointer", "found"),
    [
        ("", {"a": [10, 20], "": 0, "m~n": 8, "a/b": 1}),
        ("/a/1", 20),
        ("/", 0),
        ("/m~0n", 8),
        ("/a~1b", 1),
    ],
)
def test_pointers_of_the_specification(pointer: str, found: object) -> None:
    assert jsonvalue.resolve({"a": [10, 20], "": 0, "m~n": 8, "a/b": 1}, pointer) == found


@pytest.mark.parametrize("pointer", ["/a/2", "/a/01", "/a/-", "/a/+1", "/a/１", "/b", "/a/0/x", "/a/" + "1" * 5000])
def test_pointers_to_nothing(pointer: str) -> None:
    with pytest.raises(LookupError):
        jsonvalue.resolve({"a": [10, 20]}, pointer)


def test_a_pointer_begins_with_a_slash() -> None:
    with pytest.raises(ValueError, match="starts with"):
        jsonvalue.tokens("a")


def test_a_walk_goes_parents_first_in_order() -> None:
    value: JSON = {"b": [1, {"c": 2}], "a": "x"}
    assert [path for path, _ in jsonvalue.walk(value)] == [(), ("b",), ("b", 0), ("b", 1), ("b", 1, "c"), ("a",)]


def test_a_walk_is_not_stopped_by_depth() -> None:
    value: JSON = 1
    for _ in range(3_000):
        value = [value]
    deepest = max(len(path) for path, _ in jsonvalue.walk(value))
    assert deepest == 3_000

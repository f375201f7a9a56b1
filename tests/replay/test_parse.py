"""The fast parser and the exact one must be the same parser."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compat.replay.parse import MAX_DEPTH, Kind, UnparsableError, parse_exactly, parse_record

VALUES: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


def kind_of(data: bytes) -> Kind:
    with pytest.raises(UnparsableError) as caught:
        parse_record(data)
    return caught.value.kind


def said_by(parse: Callable[[], object]) -> object:
    try:
        return repr(parse())
    except UnparsableError as error:
        return error.kind


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"NaN", Kind.NUMBER),
        (b'{"a": [1, -Infinity]}', Kind.NUMBER),
        (b"1e999", Kind.NUMBER),
        (b"-1e999", Kind.NUMBER),
        (b"9" * 4001, Kind.NUMBER),
        (b"1e-99999", Kind.NUMBER),
        (b'{"a":1,"a":2}', Kind.DUPLICATE_KEY),
        (b'{"a":1,"\\u0061":1}', Kind.DUPLICATE_KEY),
        (b'[{"x": {"a b": 1, "a b": 1}}]', Kind.DUPLICATE_KEY),
        (b'"\\ud800"', Kind.SURROGATE),
        (b'{"\\udfff": 1}', Kind.SURROGATE),
        (b'"\xff"', Kind.ENCODING),
        (b'"caf\xe9"', Kind.ENCODING),
        (b"\xed\xa0\x80", Kind.ENCODING),
        (b"[" * 10_000 + b"]" * 10_000, Kind.TOO_DEEP),
        (b'{"a":' * (MAX_DEPTH + 1) + b"1" + b"}" * (MAX_DEPTH + 1), Kind.TOO_DEEP),
        (b'{"a": 1', Kind.TRUNCATED),
        (b'{"a": "b', Kind.TRUNCATED),
        (b"[1,]", Kind.MALFORMED),
        (b"{'a': 1}", Kind.MALFORMED),
        (b"1 2", Kind.MALFORMED),
        (b'"a\tb"', Kind.MALFORMED),
        (b'"a\rb"', Kind.MALFORMED),
    ],
)
def test_what_is_no_record_is_named(data: bytes, kind: Kind) -> None:
    assert kind_of(data) is kind


@pytest.mark.parametrize(
    ("data", "value", "ordinary"),
    [
        (b"18446744073709551615", 2**64 - 1, True),
        (b"18446744073709551616", 2**64, False),
        (b"-9223372036854775808", -(2**63), True),
        (b"-9223372036854775809", -(2**63) - 1, False),
        (b"9007199254740993", 2**53 + 1, True),
        (b"9" * 4000, int("9" * 4000), False),
        (b"0.1", 0.1, True),
        (b"1.50", 1.5, True),
        (b"1e5", 100_000.0, True),
        (b"0.10000000000000000001", Decimal("0.10000000000000000001"), False),
        (b"1e-400", Decimal("1e-400"), False),
        (b'"\\ud83d\\ude00"', "\U0001f600", True),
        (b'{"a": "\\u00e9", "b": "x, y: z"}', {"a": "é", "b": "x, y: z"}, True),
        (b'\xef\xbb\xbf{"a":1}', {"a": 1}, True),
        (b'{"a": {"k": 1}, "b": {"k": 1}}', {"a": {"k": 1}, "b": {"k": 1}}, True),
        ('"a\u2028b\u0085c"'.encode(), "a\u2028b\u0085c", True),
    ],
)
def test_what_is_a_record_is_read_exactly(data: bytes, value: object, ordinary: bool) -> None:
    got, got_ordinary = parse_record(data)
    assert got == value
    assert type(got) is type(value)
    assert got_ordinary is ordinary


def test_the_deepest_record_allowed_is_read() -> None:
    value, ordinary = parse_record(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH)
    assert isinstance(value, list)
    assert ordinary


def test_many_brackets_side_by_side_are_not_deep() -> None:
    assert parse_record(b"[" + b"[]," * 2000 + b'"' + b"[" * 2000 + b'"]')[1]


@given(VALUES, st.booleans(), st.sampled_from([None, 1]), st.sampled_from([(",", ":"), (", ", ": "), (" , ", " : ")]))
def test_the_shortcut_gives_what_the_exact_parser_gives(
    value: object, escape: bool, indent: int | None, separators: tuple[str, str]
) -> None:
    data = json.dumps(value, ensure_ascii=escape, indent=indent, separators=separators).encode("utf-8", "surrogatepass")
    assert said_by(lambda: parse_record(data)[0]) == said_by(lambda: parse_exactly(data))


@given(st.dictionaries(st.text(max_size=3), VALUES, min_size=1, max_size=4), st.data(), st.booleans())
def test_a_repeated_key_never_gets_past_the_shortcut(
    value: dict[str, object], data: st.DataObject, tight: bool
) -> None:
    key = data.draw(st.sampled_from(sorted(value)))
    comma, colon = (",", ":") if tight else (", ", ": ")
    again = json.dumps(key) + colon + json.dumps(data.draw(VALUES), separators=(comma, colon))
    text = json.dumps(value, separators=(comma, colon))[:-1] + comma + again + "}"
    assert kind_of(text.encode()) in {Kind.DUPLICATE_KEY, Kind.SURROGATE, Kind.NUMBER}

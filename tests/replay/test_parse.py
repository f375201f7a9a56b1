"""The fast parser and the exact one must be the same parser."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compat.replay import parse
from compat.replay.parse import MAX_DEPTH, Kind, UnparsableError, parse_exactly, parse_lines, parse_record

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


@pytest.mark.parametrize(
    ("lines", "values"),
    [
        ([b"1", b'{"a":[1,"x"]}', b"null"], [1, {"a": [1, "x"]}, None]),
        ([b' {"a" : [1, 2]}\r', b"7\t"], [{"a": [1, 2]}, 7]),
        ([b'{"a": "caf\\u00e9 \\ud83d\\ude00"}'], [{"a": "caf\u00e9 \U0001f600"}]),
        ([b'"a\\/b"', b'"\\n\\u00e9"'], ["a/b", "\n\u00e9"]),
        ([b'"\\\\u00e9"', b"18446744073709551615"], ["\\u00e9", 2**64 - 1]),
        ([b"0.1", b"[]", b'""'], [0.1, [], ""]),
    ],
)
def test_ordinary_lines_are_read_together(lines: list[bytes], values: list[object]) -> None:
    assert parse_lines(b"\n".join(lines)) == values


ODD = [
    *[b"", b" ", b"[1", b"2]", b'{"a":1', b'"b":2}', b"2}", b"1,2", b"1],[2", b'"a', b'b"', b"1 2", b"tru", b"e"],
    *[b'{"a":1,"a":2}', b'{"a": 1, "\\u0061": 2}', b"1.50", b"1e5", b"-0", b"18446744073709551616", b"1e-400", b"NaN"],
    *[
        b'"\\u0022"',
        b'"\\u005c"',
        b'"\\ud800"',
        b"\xef\xbb\xbf1",
        b'"\xff"',
        b"0.10000000000000000001",
        b"[" * 300 + b"]" * 300,
    ],
]


@pytest.mark.parametrize("line", ODD)
def test_what_asks_for_a_closer_look_is_not_read_together(line: bytes) -> None:
    assert parse_lines(line) is None
    assert parse_lines(b'{"a": 1}\n' + line) is None
    assert parse_lines(line + b"\n[]\n{}") is None


@given(st.lists(st.sampled_from([*ODD, b"1", b"[3, 4]", b'{"a": {}}', b'"x"']), min_size=1, max_size=6))
def test_lines_are_read_together_as_each_by_itself(lines: list[bytes]) -> None:
    found = parse_lines(b"\n".join(lines))
    assert found is None or found == [parse_exactly(line) for line in lines]


def test_a_mark_between_lines_cannot_be_forged_by_records_that_break_off() -> None:
    mark = parse._MARK
    forged = [b"[1", b"2]", b"3,%d,4" % mark]  # would be three values, were the mark known
    assert parse_lines(b"\n".join(forged[:2])) is None
    assert mark.bit_length() == 62


@given(
    st.lists(
        st.tuples(VALUES, st.booleans(), st.sampled_from([(",", ":"), (", ", ": "), (" , ", " : ")])),
        min_size=1,
        max_size=4,
    )
)
def test_lines_read_together_are_exact(items: list[tuple[object, bool, tuple[str, str]]]) -> None:
    lines = [
        json.dumps(value, ensure_ascii=escape, separators=separators).encode("utf-8", "surrogatepass")
        for value, escape, separators in items
    ]
    found = parse_lines(b"\n".join(lines))
    assert found is None or [repr(value) for value in found] == [repr(parse_exactly(line)) for line in lines]

"""JSON texts: what is read, what is refused and where, and where everything stands."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compat import jsonvalue
from compat.errors import ParseError
from compat.model import text as text_module
from compat.model.document import MAX_DEPTH, Position, Syntax, document_of, parse_document
from compat.model.jsontext import marks, scan
from compat.model.text import Mark


def parse(content: str | bytes) -> object:
    return parse_document(content, name="a.json").value


def refused(content: str | bytes) -> ParseError:
    with pytest.raises(ParseError) as caught:
        parse_document(content, name="a.json")
    return caught.value


# -- numbers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "value", "kind"),
    [
        ("1", 1, int),
        ("-0", 0, int),
        ("18446744073709551617", 18446744073709551617, int),
        ("1.0", 1.0, float),
        ("0.1", 0.1, float),
        ("1e3", 1000.0, float),
        ("1.50", 1.5, float),
        ("19.99", 19.99, float),
        ("0.10000000000000000000000000001", Decimal("0.10000000000000000000000000001"), Decimal),
        ("9007199254740993.0", Decimal("9007199254740993.0"), Decimal),
        ("1e400", Decimal("1e400"), Decimal),
        ("1e-400", Decimal("1e-400"), Decimal),
    ],
)
def test_numbers_keep_what_was_written(written: str, value: object, kind: type) -> None:
    read = parse(written)
    assert type(read) is kind
    assert read == value


@pytest.mark.parametrize("written", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_json_number_is_named(written: str) -> None:
    error = refused(f'{{"a": {written}}}')
    assert f"{written} is no JSON number" in error.message
    assert str(error.place) == "a.json:1:7 at /a"


def test_exponents_are_bounded() -> None:
    assert parse("1e4000") == Decimal("1e4000")
    assert "beyond 10^4000" in refused("[1, 1e4001]").message
    assert str(refused("[1, 1e4001]").place) == "a.json:1:5 at /1"
    assert "beyond" in refused("1e99999999999999999999999").message
    assert "beyond" in refused("-1e-5000").message


def test_digits_are_bounded() -> None:
    assert parse("1" * 4000) == int("1" * 4000)
    assert "digits" in refused('{"n": ' + "1" * 5000 + "}").message


# -- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "place", "message"),
    [
        ("", "a.json:1:1", "the text is empty"),
        ("  \n ", "a.json:2:2", "the text is empty"),
        ("{", "a.json:1:2", "the text ends inside the object that line 1 opens"),
        ('{\n"a": [1', "a.json:2:8 at /a/0", "the text ends inside the array that line 2 opens"),
        ('{"a":1,}', "a.json:1:8", "a comma right before }"),
        ("[1,]", "a.json:1:4 at /1", "a comma right before ]"),
        ('{"a":1 "b":2}', "a.json:1:8", "expected , or }, found a string"),
        ('{"a" 1}', "a.json:1:6 at /a", 'expected :, found "1"'),
        ("{1:2}", "a.json:1:2", 'found "1"'),
        ("{'a':1}", "a.json:1:2", "a string in single quotes"),
        ("// x\n{}", "a.json:1:1", "JSON has no comments"),
        ('{"a": 1 /* x */}', "a.json:1:9", "JSON has no comments"),
        ("{} {}", "a.json:1:4", "one JSON value is expected"),
        ('"a\nb"', "a.json:1:3", "a line break inside a string"),
        ('"a\tb"', "a.json:1:3", "the control character U+0009"),
        ('["\\x"]', "a.json:1:3 at /0", "an escape that JSON does not know"),
        ('"abc', "a.json:1:1", "the text ends inside a string"),
        ("[01]", "a.json:1:2 at /0", 'found "01"'),
        ("[+1]", "a.json:1:2 at /0", 'found "+"'),
        ("[.5]", "a.json:1:2 at /0", 'found "."'),
        ("tru", "a.json:1:1", 'found "tru"'),
        ("[True]", "a.json:1:2 at /0", 'found "True"'),
        ("]", "a.json:1:1", 'found "]"'),
        ("[1}", "a.json:1:3 at /0", 'found "}"'),
    ],
)
def test_broken_texts_say_what_and_where(content: str, place: str, message: str) -> None:
    error = refused(content)
    assert message in error.message
    assert str(error.place) == place


def test_a_repeated_key_names_both_places() -> None:
    error = refused('{"a": {"b": 1,\n  "c": 2,\n  "b": 3}}')
    assert error.message == 'the key "b" stands here again; it is already at 1:8'
    assert str(error.place) == "a.json:3:3 at /a/b"


def test_a_key_repeated_in_another_spelling_is_the_same_key() -> None:
    assert "stands here again" in refused(r'{"a": 1, "\u0061": 2}').message
    assert parse(r'{"a": {"b": 1}, "\u0062": {"b": 1}}') == {"a": {"b": 1}, "b": {"b": 1}}


def test_nesting_is_bounded_and_never_a_crash() -> None:
    parse("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    for content in ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "[" * 100_000, '{"a":' * 100_000):
        assert f"deeper than {MAX_DEPTH} levels" in refused(content).message


def test_size_is_bounded_and_the_bound_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_module, "MAX_BYTES", 10)
    parse(b'"12345678"')
    assert "11 bytes; at most 10" in refused(b'"123456789"').message


# -- encodings --------------------------------------------------------------------------------------------------------


def test_a_byte_order_mark_is_passed_over_with_a_note() -> None:
    document = parse_document(b'\xef\xbb\xbf{"a": 1}', name="a.json")
    assert document.value == {"a": 1}
    assert document.position("/a") == Position(1, 2)
    assert any("BOM" in note for note in document.notes)
    assert parse_document(b'{"a": 1}', name="a.json").notes == ()


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ('{"a": 1}'.encode("utf-16"), "UTF-16"),
        ('{"a": 1}'.encode("utf-16-le"), "UTF-16"),
        ('{"a": 1}'.encode("utf-16-be"), "UTF-16"),
        ('{"a": 1}'.encode("utf-32"), "UTF-32"),
        ('{"a": 1}'.encode("utf-32-be"), "UTF-32"),
    ],
)
def test_other_encodings_are_named(data: bytes, encoding: str) -> None:
    error = refused(data)
    assert error.message == f"the text is encoded in {encoding}; UTF-8 is expected"
    assert error.hint is not None
    assert encoding in error.hint


def test_bytes_that_are_no_utf8_are_placed() -> None:
    error = refused('{"ä":\n "'.encode() + b'\xff"}')
    assert error.message == "byte 0xff at offset 9 is not valid UTF-8"
    assert str(error.place) == "a.json:2:3"


def test_half_a_character_is_kept_with_a_note() -> None:
    document = parse_document(r'{"a": "\ud800"}', name="a.json")
    assert document.value == {"a": "\ud800"}
    assert any("surrogate" in note for note in document.notes)
    assert document.digest.startswith("sha256:")
    assert parse_document(r'{"a": "\ud83d\ude00"}', name="a.json").notes == ()


def test_a_git_lfs_pointer_is_named() -> None:
    error = refused("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n")
    assert "Git LFS pointer" in error.message
    assert parse('"version https://git-lfs.github.com/spec/v1"')


# -- positions --------------------------------------------------------------------------------------------------------

TEXT = """{
  "title": "Ünïcode 😀", "b/c": {"~": [1, {"x": null}]},
\t"ä": true
}"""


@pytest.mark.parametrize(
    ("pointer", "position"),
    [
        ("", Position(1, 1)),
        ("/title", Position(2, 3)),
        ("/b~1c", Position(2, 25)),
        ("/b~1c/~0", Position(2, 33)),
        ("/b~1c/~0/0", Position(2, 39)),
        ("/b~1c/~0/1", Position(2, 42)),
        ("/b~1c/~0/1/x", Position(2, 43)),
        ("/ä", Position(3, 2)),
    ],
)
def test_positions_are_of_keys_and_items(pointer: str, position: Position) -> None:
    document = parse_document(TEXT, name="a.json")
    assert document.position(pointer) == position
    assert document.place(pointer).line == position.line


@pytest.mark.parametrize(
    "pointer", ["/nope", "/title/0", "/b~1c/~0/2", "/b~1c/~0/-", "title", "/b~1c/~0/" + "9" * 5000]
)
def test_what_is_not_there_has_no_position(pointer: str) -> None:
    document = parse_document(TEXT, name="a.json")
    assert document.position(pointer) is None
    assert document.excerpt(pointer) is None


def test_carriage_returns_do_not_shift_lines() -> None:
    document = parse_document('{\r\n  "a": 1\r\n}', name="a.json")
    assert document.position("/a") == Position(2, 3)
    assert document.excerpt("/a") == '  "a": 1'


def test_an_excerpt_of_a_long_line_is_a_window() -> None:
    content = json.dumps({f"key{number}": number for number in range(1000)})
    excerpt = parse_document(content, name="a.json").excerpt("/key500")
    assert excerpt is not None
    assert '"key500": 500' in excerpt
    assert len(excerpt) < 200
    assert excerpt[0] == excerpt[-1] == "…"


def test_a_replaced_value_keeps_name_text_and_positions() -> None:
    document = parse_document(TEXT, name="a.json", uri="file:///a.json")
    other = document.replaced({"title": 1})
    assert (other.name, other.uri, other.text) == ("a.json", "file:///a.json", TEXT)
    assert other.value == {"title": 1}
    assert other.position("/title") == Position(2, 3)
    assert other.digest != document.digest


# -- documents of values ----------------------------------------------------------------------------------------------


def test_a_value_without_a_text_has_no_positions() -> None:
    document = document_of({"a": 1}, name="<old>")
    assert (document.text, document.position("/a"), document.excerpt("")) == (None, None, None)
    assert str(document.place("/a")) == "<old>#/a"
    assert document_of(document) is document


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({1: 2}, "string keys"),
        ([float("nan")], "nan is no JSON number"),
        ([float("inf")], "inf is no JSON number"),
        ([Decimal("NaN")], "is not read"),
        ([10**4000], "is not read"),
        ([Decimal("1." + "1" * 4000)], "is not read"),
        ([{1, 2}], "type set"),
        ([(1, 2)], "type tuple"),
        ({"a": b"x"}, "type bytes"),
    ],
)
def test_values_that_are_no_json_are_refused(value: object, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        document_of(value)  # type: ignore[arg-type]


def test_a_value_nested_too_deeply_is_refused() -> None:
    value: object = []
    for _ in range(MAX_DEPTH - 1):
        value = {"a": value}
    assert document_of(value).value is value  # type: ignore[arg-type]
    for _ in range(2):
        value = [value]
        with pytest.raises(ParseError, match="nests deeper"):
            document_of(value)  # type: ignore[arg-type]


def test_a_value_that_holds_itself_is_refused() -> None:
    value: list[object] = []
    value.append(value)
    with pytest.raises(ParseError, match="nests deeper"):
        document_of(value)  # type: ignore[arg-type]


def test_documents_are_compared_by_identity() -> None:
    one, other = document_of({"a": 1}), document_of({"a": 1})
    assert one != other
    assert len({one, other}) == 2
    assert one.digest == other.digest


@pytest.mark.parametrize(
    ("name", "syntax"),
    [
        ("a.json", Syntax.JSON),
        ("a.yaml", Syntax.YAML),
        ("a.YML", Syntax.YAML),
        ("yaml", Syntax.JSON),
        ("a", Syntax.JSON),
    ],
)
def test_the_suffix_tells_the_syntax(name: str, syntax: Syntax) -> None:
    assert Syntax.of(name) is syntax


def test_a_stated_syntax_wins_over_the_suffix() -> None:
    assert parse_document("a: 1", name="a.json", syntax=Syntax.YAML).value == {"a": 1}


# -- for every text ---------------------------------------------------------------------------------------------------

TEXTS = st.text(max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)
calm = settings(deadline=None, derandomize=True)
LAYOUTS = st.sampled_from([{}, {"indent": 2}, {"ensure_ascii": False}, {"separators": (",", ":")}])


def _flat(mark: Mark, at: tuple[str | int, ...] = ()) -> dict[tuple[str | int, ...], int]:
    found = {at: mark.offset}
    for key, member in (mark.members or {}).items():
        found |= _flat(member, (*at, key))
    for index, item in enumerate(mark.items or ()):
        found |= _flat(item, (*at, index))
    return found


@calm
@given(VALUES, LAYOUTS)
def test_every_value_is_read_back_and_every_pointer_has_its_place(value: object, layout: dict[str, object]) -> None:
    content = json.dumps(value, **layout)  # type: ignore[arg-type]
    assert jsonvalue.equal(parse(content), value)
    scan(content)
    places = _flat(marks(content))
    decoder = json.JSONDecoder()
    assert set(places) == {path for path, _ in jsonvalue.walk(value)}
    for path, item in jsonvalue.walk(value):
        read, _ = decoder.raw_decode(content, places[path])
        is_member = path and isinstance(jsonvalue.resolve(value, jsonvalue.pointer(path[:-1])), dict)
        assert jsonvalue.equal(read, path[-1] if is_member else item)


@calm
@given(VALUES, LAYOUTS, st.data())
def test_a_damaged_text_is_read_or_refused_with_a_place(
    value: object, layout: dict[str, object], data: st.DataObject
) -> None:
    content = json.dumps(value, **layout)  # type: ignore[arg-type]
    at = data.draw(st.integers(0, len(content)))
    damaged = (
        content[:at] + data.draw(st.sampled_from(["", "}", ",", '"', "x", "\\", "[", "\n", ":"])) + content[at + 1 :]
    )
    try:
        parse(damaged)
    except ParseError as refusal:
        error: ParseError | None = refusal
    else:
        error = None
        json.loads(damaged)
    assert error is None or (error.place is not None and error.place.line is not None)

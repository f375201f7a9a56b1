"""YAML texts: the core schema of 1.2, aliases and merge keys, what is refused, and where everything stands."""

from __future__ import annotations

from decimal import Decimal

import pytest
import yaml

from compat.errors import ParseError
from compat.model import yamltext
from compat.model.document import Document, Position, parse_document


@pytest.fixture(params=["libyaml", "pure"], autouse=True)
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold what is promised with either parser of the library."""
    if request.param == "pure":
        monkeypatch.setattr(yamltext, "_LOADER", yaml.SafeLoader)


def parse(content: str) -> Document:
    return parse_document(content, name="a.yaml")


def refused(content: str) -> ParseError:
    with pytest.raises(ParseError) as caught:
        parse(content)
    return caught.value


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("Yes", "Yes"),
        ("off", "off"),
        ("y", "y"),
        ("true", True),
        ("False", False),
        ("tRUE", "tRUE"),
        ("null", None),
        ("~", None),
        ("", None),
        ("nUll", "nUll"),
        ("12", 12),
        ("+12", 12),
        ("010", 10),
        ("0o17", 15),
        ("0x1F", 31),
        ("0b11", "0b11"),
        ("1_000", "1_000"),
        ("12:30", "12:30"),
        ("1.5", 1.5),
        (".5", 0.5),
        ("1.", 1.0),
        ("1e3", 1000.0),
        ("1.2.3", "1.2.3"),
        ("2020-01-01", "2020-01-01"),
        ("2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z"),
        ("0.10000000000000000000000000001", Decimal("0.10000000000000000000000000001")),
        ("'5'", "5"),
        ('"true"', "true"),
        ("!!str 5", "5"),
        ("!!int '5'", 5),
        ("! 5", "5"),
        ("[a, 1]", ["a", 1]),
    ],
)
def test_scalars_follow_the_core_schema(written: str, value: object) -> None:
    read = parse(f"a: {written}\n").value
    assert read == {"a": value}
    assert isinstance(read, dict)
    assert type(read["a"]) is type(value)


def test_words_that_yaml_11_reads_as_booleans_are_noted() -> None:
    document = parse("enum: [no, 'no', NO]\non: 1\n")
    assert document.value == {"enum": ["no", "no", "NO"], "on": 1}
    assert document.notes == (
        'no at 1:8 is the string "no"; YAML 1.1 would read a boolean',
        'NO at 1:18 is the string "NO"; YAML 1.1 would read a boolean',
        'on at 2:1 is the string "on"; YAML 1.1 would read a boolean',
    )


def test_many_such_words_are_counted() -> None:
    notes = parse("a: [" + ", ".join(["no"] * 20) + "]").notes
    assert len(notes) == 6
    assert notes[-1] == "and 15 more that YAML 1.1 would read as booleans"


def test_json_is_yaml() -> None:
    assert parse('{"a": [1, true, null, "x"]}').value == {"a": [1, True, None, "x"]}


# -- aliases and merge keys -------------------------------------------------------------------------------------------


def test_aliases_are_what_they_name() -> None:
    assert parse("a: &x {b: 1}\nc: *x\nd: [*x, *x]\n").value == {"a": {"b": 1}, "c": {"b": 1}, "d": [{"b": 1}] * 2}


def test_merge_keys_are_expanded_with_a_note_and_own_keys_win() -> None:
    document = parse("a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\nc:\n  <<: [*a, *b]\n  x: 9\n")
    assert document.value == {"a": {"x": 1, "y": 2}, "b": {"y": 3, "z": 4}, "c": {"x": 9, "y": 2, "z": 4}}
    assert any("merge keys" in note for note in document.notes)


def test_a_quoted_merge_key_is_a_property() -> None:
    document = parse("'<<': 1\n")
    assert (document.value, document.notes) == ({"<<": 1}, ())


def test_aliases_cannot_blow_a_text_up() -> None:
    bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{new}: &{new} [{','.join(['*' + old] * 10)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
    )
    assert "aliases blow this up" in refused(bomb).message
    assert "aliases blow this up" in refused(bomb[: bomb.index("g: &g")] + "z:\n  <<: {q: *f}\n  w: *f\n").message


def test_aliases_cannot_nest_a_text_deeper_than_allowed() -> None:
    lines = ["a0: &a0 [1]"] + [f"a{level}: &a{level} [*a{level - 1}]" for level in range(1, 300)]
    assert "nests deeper" in refused("\n".join(lines)).message


# -- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "place", "message"),
    [
        ("a: 1\nb: 2\na: 3\n", "a.yaml:3:1", 'the key "a" stands here again; it is already at 1:1'),
        ("a: 1\n---\nb: 2\n", "a.yaml:2:1", "a second YAML document"),
        ("1: a\n", "a.yaml:1:1", "a key that is no string"),
        ("true: a\n", "a.yaml:1:1", "a key that is no string"),
        ("? [a]\n: 1\n", "a.yaml:1:3", "a key that is no string"),
        ("a: &x [*x]\n", "a.yaml:1:8", "*x stands inside what it names"),
        ("a: *q\n", "a.yaml:1:4", "*q names no anchor"),
        ("a: .inf\n", "a.yaml:1:4", ".inf is no JSON number"),
        ("a: .NaN\n", "a.yaml:1:4", ".NaN is no JSON number"),
        ("a: 1e5000\n", "a.yaml:1:4", "beyond 10^4000"),
        ("a: !!binary aGk=\n", "a.yaml:1:4", "the tag !!binary has no meaning"),
        ("a: !!python/object/apply:os.system [x]\n", "a.yaml:1:4", "has no meaning in JSON"),
        ("a: !thing 1\n", "a.yaml:1:4", "the tag !thing has no meaning"),
        ("a: !!set {b}\n", "a.yaml:1:4", "the tag !!set has no meaning"),
        ("a: !!int x\n", "a.yaml:1:4", "this is no !!int"),
        ("", "a.yaml:1:1", "the text is empty"),
        ("# only a comment\n", "a.yaml:1:1", "the text is empty"),
        ("<<: 5\n", "a.yaml:1:1", "<< merges mappings"),
        ("a: [1,\n", "a.yaml:2:1", "not YAML"),
        ("a: b: c\n", "a.yaml:1:5", "not YAML"),
        ("x: \x01\n", "a.yaml:1:4", "a character that YAML does not allow"),
    ],
)
def test_refused_texts_say_what_and_where(content: str, place: str, message: str) -> None:
    error = refused(content)
    assert message in error.message
    assert str(error.place) == place


@pytest.mark.parametrize("content", ["[" * 5000, "- " * 5000 + "a", "{a: " * 5000])
def test_nesting_is_bounded_and_never_a_crash(content: str) -> None:
    assert "nests deeper than 256 levels" in refused(content).message


# -- positions --------------------------------------------------------------------------------------------------------

TEXT = """# a schema
base: &base
  x: 1
  y: [1, {z: "ü😀", w: 2}]
merged:
  <<: *base
  x: 3
alias: *base
"""


@pytest.mark.parametrize(
    ("pointer", "position"),
    [
        ("", Position(2, 1)),
        ("/base", Position(2, 1)),
        ("/base/x", Position(3, 3)),
        ("/base/y/0", Position(4, 7)),
        ("/base/y/1", Position(4, 10)),
        ("/base/y/1/z", Position(4, 11)),
        ("/base/y/1/w", Position(4, 20)),
        ("/merged/x", Position(7, 3)),
        ("/merged/y", Position(4, 3)),
        ("/alias", Position(8, 1)),
        ("/alias/y/1/w", Position(4, 20)),
        ("/nope", None),
        ("/base/y/2", None),
    ],
)
def test_positions(pointer: str, position: Position | None) -> None:
    assert parse(TEXT).position(pointer) == position


def test_an_excerpt_is_the_source_line() -> None:
    assert parse(TEXT).excerpt("/base/y/1/w") == '  y: [1, {z: "ü😀", w: 2}]'


def test_a_byte_order_mark_is_passed_over_with_a_note() -> None:
    document = parse_document("\ufeffa: 1\n".encode(), name="a.yml")
    assert (document.value, document.position("/a")) == ({"a": 1}, Position(1, 1))
    assert any("BOM" in note for note in document.notes)

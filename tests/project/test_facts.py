"""What a text says by itself: the quick reading gives what the careful one gives, or leaves it to that."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
import randomly
from hypothesis import example, given, settings
from hypothesis import strategies as st

from compat.lineage import version_of
from compat.model.document import parse_document
from compat.project.facts import Facts, facts_of, facts_of_document, numbered

PATH = "schemas/v3/order.schema.json"
DRAFT = "https://json-schema.org/draft/2020-12/schema"

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.sampled_from(['"a":', "1.5", " :", "-0", "1e5", "\\u0041", "é", "0.1e1,"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


def careful(text: bytes) -> Facts:
    return facts_of_document(parse_document(text, name=PATH))


@example([-9_223_372_036_854_775_809], False, (",", ":"))
@settings(max_examples=300, deadline=None, derandomize=True)
@given(values, st.booleans(), st.sampled_from([(",", ":"), (", ", ": "), (" ,\n", "\t:\r\n")]))
def test_any_text_reads_alike(value: Any, escaped: bool, marks: tuple[str, str]) -> None:
    text = json.dumps(value, ensure_ascii=escaped, separators=marks).encode("utf-8", "surrogatepass")
    try:
        text.decode()
    except UnicodeDecodeError:
        return
    assert facts_of(text, PATH).digest == careful(text).digest


def test_schemas_read_alike() -> None:
    rng = Random(7)
    for _ in range(400):
        text = json.dumps(randomly.schema(rng), indent=rng.choice((None, 2))).encode()
        assert facts_of(text, PATH) == careful(text)


@pytest.mark.parametrize(
    "text",
    [
        "[0.1, 0.10, 1.0, 100.0, 0.00001, 1e3, 1E-3, -0, -0.0, 123456789012345678901234567890]",
        "[0.1000000000000000055, 12345678901234567.5, 1e400, 9007199254740993.0]",
        '{"a": "1.5", "b": 1.5, "c": [2.50, "x\\"1.5,", -7.25]}',
        "-12345678901234567890123",
        '{"a\\u0022:": 1}',
    ],
)
def test_numbers_are_what_was_written(text: str) -> None:
    assert facts_of(text.encode(), PATH).digest == careful(text.encode()).digest


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b'{"a": 1, "a": 2}', "stands here again"),
        (b'{"a" : 1, "a": 2}', "stands here again"),
        (b'{"a": ":", "b": 1, "b": 2}', "stands here again"),
        (b'{"a": NaN}', "NaN"),
        (b"{", "ends"),
        (b"", "empty"),
        ('{"é": 1}'.encode("latin-1"), "UTF-8"),
        ("{}".encode("utf-16"), "UTF-16"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", "LFS"),
        (b"[" * 300 + b"]" * 300, "deeper"),
    ],
)
def test_what_cannot_be_read_has_its_problem(text: bytes, said: str) -> None:
    found = facts_of(text, PATH)
    assert (found.digest, said in found.problem) == ("", True), found.problem


def test_a_mark_and_other_line_ends_change_nothing() -> None:
    plain = b'{\n  "type": "object"\n}\n'
    for text in (b"\xef\xbb\xbf" + plain, plain.replace(b"\n", b"\r\n")):
        assert facts_of(text, PATH) == facts_of(plain, PATH)
    assert facts_of(b"type: object\n", "a.yaml").digest == facts_of(plain, PATH).digest


@pytest.mark.parametrize(
    "schema",
    [
        {"$id": "https://x.test/2.0.0/a.json"},
        {"id": "https://x.test/v2/a.json"},
        {"version": "1.2.3"},
        {"x-version": 4},
        {"self": {"vendor": "com.acme", "version": "1-0-2"}},
        {"properties": {"v": {"const": 5}, "kind": {"const": "a"}}},
        {"properties": {"other": {"const": "order/7"}, "schema": {"enum": ["order/6"]}}},
        {"properties": []},
        {"$id": 7, "version": None},
        True,
        {},
    ],
)
@pytest.mark.parametrize("marker", [None, "other"])
def test_numbers_are_found_in_what_is_kept(schema: Any, marker: str | None) -> None:
    for path in (PATH, "order.json"):
        assert version_of(numbered(schema), path, marker=marker) == version_of(schema, path, marker=marker)


@pytest.mark.parametrize(
    ("schema", "leads"),
    [
        ({"type": "object"}, ()),
        ({"$ref": "#/$defs/a", "$defs": {"a": {}}}, ()),
        ({"$ref": "a.json#/b"}, ("a.json#/b",)),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"items": {"$ref": "b.json"}}}}, ("b.json",)),
        # never applied: nobody feels a change there
        ({"$defs": {"a": {"$ref": "b.json"}}}, ()),
        ({"default": {"$ref": "b.json"}}, ()),
        (
            {"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "a.json", "items": {"$ref": "b.json"}},
            ("a.json",),
        ),
        # only following them all can tell
        ({"$ref": "#/$defs/b", "$defs": {"a": {"$ref": "b.json"}}}, None),
        ({"$ref": "#a", "$defs": {"a": {"$anchor": "a", "$ref": "b.json"}}}, None),
        ({"$dynamicRef": "b.json#a"}, None),
        ({"properties": {"a": {"$id": "x/", "$ref": "b.json"}}}, None),
        ({"$schema": "https://x.test/own"}, None),
    ],
)
def test_what_is_referred_to_elsewhere(schema: Any, leads: tuple[str, ...] | None) -> None:
    found = facts_of(json.dumps(schema).encode(), PATH)
    assert found.leads == leads
    assert found.closed is (leads == ())

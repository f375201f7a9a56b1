"""Laws of the walk that hold for any two schemas."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compat.diff.change import Change
from compat.diff.view import ANNOTATIONS
from compat.diff.walk import changes
from compat.jsonvalue import JSON, canonical, resolve
from compat.model.dialects import Dialect
from compat.model.references import schema_set
from compat.relation import Effect
from compat.rules.catalogue import RULES

SHARED = Path(os.environ.get("COMPAT_SHARED", Path(__file__).resolve().parents[2].parent / "shared"))
CASES = SHARED / "cases" / "reported.jsonl"

names = st.sampled_from(["a", "b", "c", "a/b", "~", ""])
atoms: st.SearchStrategy[JSON] = st.sampled_from(
    [None, True, False, 0, 1, 1.0, 1.5, "", "x", [], [1], [True], {"a": 1}]
)
types = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])


def _keywords(schemas: st.SearchStrategy[JSON]) -> dict[str, st.SearchStrategy[JSON]]:
    small = st.integers(0, 3)
    number = st.sampled_from([0, 1, 1.0, 2.5, 10])
    branches = st.lists(schemas, min_size=1, max_size=3)
    maps = st.dictionaries(names, schemas, max_size=3)
    required = st.lists(names, max_size=3, unique=True)
    return {
        "type": types | st.lists(types, min_size=1, max_size=3, unique=True),
        "enum": st.lists(atoms, min_size=1, max_size=3),
        "const": atoms,
        **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), number),
        "multipleOf": st.sampled_from([1, 2, 0.5, 3]),
        **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), small),
        **dict.fromkeys(("minContains", "maxContains"), small),
        "pattern": st.sampled_from(["^a", "^b", "^a|^b", "(a)\\1", "^[ab]"]),
        "uniqueItems": st.booleans(),
        **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), branches),
        **dict.fromkeys(("not", "if", "then", "else", "items", "contains", "unevaluatedItems"), schemas),
        **dict.fromkeys(("additionalProperties", "propertyNames", "unevaluatedProperties"), schemas),
        **dict.fromkeys(("properties", "patternProperties", "dependentSchemas"), maps),
        **dict.fromkeys(("$defs", "definitions"), maps),
        "required": required,
        "dependentRequired": st.dictionaries(names, required, max_size=2),
        "dependencies": st.dictionaries(names, schemas | required, max_size=2),
        "$anchor": st.sampled_from(["here", "there"]),
        "$dynamicAnchor": st.just("node"),
        "$dynamicRef": st.sampled_from(["#node", "#gone"]),
        "$recursiveRef": st.just("#"),
        "$ref": st.sampled_from(
            ["#", "#/$defs/a", "#/definitions/a", "#/$defs/b", "#/properties/a", "urn:gone", "#here"]
        ),
        "title": st.sampled_from(["t", "u"]),
        "format": st.sampled_from(["date", "time"]),
        "default": atoms,
        "x-note": atoms,
        "additionalItems": schemas,
    }


def _schema_of(children: st.SearchStrategy[JSON]) -> st.SearchStrategy[JSON]:
    table = _keywords(children)
    return st.lists(st.sampled_from(sorted(table)), max_size=5, unique=True).flatmap(
        lambda chosen: st.fixed_dictionaries({name: table[name] for name in chosen})
    )


schemas = st.recursive(st.booleans() | st.just({}), _schema_of, max_leaves=12)
roots = _schema_of(schemas)
dialects = st.sampled_from(list(Dialect))
laws = settings(max_examples=120, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@st.composite
def edits(draw: st.DrawFn) -> tuple[JSON, JSON]:
    """A schema, and the same with a few keywords of it, at any depth, drawn anew."""
    old = draw(roots)
    other = draw(roots)
    assert isinstance(old, dict)
    assert isinstance(other, dict)
    new = json.loads(json.dumps(old))
    for keyword in draw(st.lists(st.sampled_from(sorted({*old, *other, "type"})), max_size=3)):
        if keyword in new and draw(st.booleans()):
            del new[keyword]
        elif keyword in other:
            new[keyword] = other[keyword]
    return old, new


def walk(old: JSON, new: JSON, dialect: Dialect = Dialect.DRAFT2020) -> list[Change]:
    return list(changes(schema_set(old, dialect=dialect), schema_set(new, dialect=dialect)))


def normal(value: JSON) -> JSON:
    """A schema with what is a set sorted, since order there is no change."""
    if isinstance(value, dict):
        sets = ("enum", "required", "type", "allOf", "anyOf", "oneOf")
        return {
            key: _sorted(item) if key in sets and isinstance(item, list) else _names(key, normal(item))
            for key, item in value.items()
        }
    return [normal(item) for item in value] if isinstance(value, list) else value


def _sorted(items: list[JSON]) -> JSON:
    return sorted((normal(item) for item in items), key=canonical)


def _names(key: str, item: JSON) -> JSON:
    if key in ("dependentRequired", "dependencies") and isinstance(item, dict):
        return {name: _sorted(names) if isinstance(names, list) else names for name, names in item.items()}
    return item


@laws
@given(roots, dialects)
def test_a_schema_does_not_differ_from_itself(schema: JSON, dialect: Dialect) -> None:
    assert walk(schema, json.loads(json.dumps(schema)), dialect) == []


@laws
@given(edits() | st.tuples(roots, roots), dialects)
def test_every_difference_is_covered(pair: tuple[JSON, JSON], dialect: Dialect) -> None:
    old, new = pair
    if canonical(normal(old)) != canonical(normal(new)):
        assert walk(old, new, dialect)


@laws
@given(edits() | st.tuples(roots, roots), dialects)
def test_every_change_has_a_row_and_stands_where_it_says(pair: tuple[JSON, JSON], dialect: Dialect) -> None:
    documents = dict(zip(("old", "new"), pair, strict=True))
    for change in walk(*pair, dialect):
        assert change.rule in RULES
        assert change.summary.endswith(".")
        assert change.effect is Effect.UNKNOWN
        for name, side in (("old", change.old), ("new", change.new)):
            if side.exists:
                assert canonical(resolve(documents[name], side.pointer)) == canonical(side.value)
            else:
                assert side.value is None


@laws
@given(edits() | st.tuples(roots, roots), dialects)
def test_the_way_back_is_the_mirror(pair: tuple[JSON, JSON], dialect: Dialect) -> None:
    old, new = pair
    there = Counter((RULES[change.rule].mirror, change.expected.mirror) for change in walk(old, new, dialect))
    back = Counter((change.rule, change.expected) for change in walk(new, old, dialect))
    assert there == back


@laws
@given(edits(), dialects)
def test_what_is_passed_over_holds_no_change(pair: tuple[JSON, JSON], dialect: Dialect) -> None:
    found = walk(*pair, dialect)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("compat.diff.walk._Walk._leads_on", lambda self, document, value: True)
        assert walk(*pair, dialect) == found


@laws
@given(roots, st.sampled_from(sorted(ANNOTATIONS)), st.sampled_from(["x", "y"]))
def test_an_edited_annotation_is_an_annotation_alone(schema: JSON, keyword: str, text: str) -> None:
    assert isinstance(schema, dict)
    edited = {**schema, keyword: text}
    for change in walk(schema, edited):
        assert change.rule.endswith("-changed") or change.rule.startswith("format-")
        assert change.keyword == keyword
        assert change.expected is Effect.NONE


@pytest.mark.skipif(not CASES.exists(), reason=f"no labelled cases at {CASES}; set COMPAT_SHARED")
def test_labelled_pairs_that_differ_have_changes() -> None:
    for line in CASES.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        found = walk(case["old"], case["new"])
        assert bool(found) == (canonical(normal(case["old"])) != canonical(normal(case["new"]))), case["id"]
        if not (case["backward"] and case["forward"]):
            assert any(change.expected is not Effect.NONE for change in found), case["id"]

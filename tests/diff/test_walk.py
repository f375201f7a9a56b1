"""Where the walk goes, where it says a change is, and what it leaves out."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from compat.diff.change import Change
from compat.diff.walk import changes
from compat.errors import Place
from compat.jsonvalue import JSON
from compat.model.dialects import Dialect
from compat.model.document import Document, parse_document
from compat.model.references import schema_set
from compat.relation import Effect

Diff = Callable[..., list[Change]]


def rules(found: list[Change]) -> list[str]:
    return [change.rule for change in found]


def told(found: list[Change]) -> list[tuple[str, str]]:
    return [(change.rule, change.instance_path) for change in found]


# -- places -----------------------------------------------------------------------------------------------------------


def nested(last: JSON) -> JSON:
    return {
        "properties": {
            "a/b": {
                "items": {"patternProperties": {"^x": {"additionalProperties": {"prefixItems": [True, last]}}}},
            }
        }
    }


def test_a_change_is_located_on_both_sides_and_in_the_instance(diff: Diff) -> None:
    (change,) = diff(nested({"minimum": 1}), nested({"minimum": 2}))
    at = "/properties/a~1b/items/patternProperties/^x/additionalProperties/prefixItems/1/minimum"
    assert (change.old.pointer, change.new.pointer) == (at, at)
    assert (change.old.value, change.new.value) == (1, 2)
    assert change.instance_path == "/a~1b/*/*/*/1"
    assert (change.old.source, change.keyword) == ("<value>", "minimum")


def test_a_missing_side_names_the_place_that_would_hold_it(diff: Diff) -> None:
    (change,) = diff({"properties": {"a": True}}, {"properties": {"a": {"minimum": 1}}})
    assert not change.old.exists
    assert change.old.pointer == "/properties/a/minimum"


@pytest.mark.parametrize("keyword", ["allOf", "anyOf"])
def test_schemas_applied_in_place_keep_the_instance_path(diff: Diff, keyword: str) -> None:
    (change,) = diff(
        {"title": "t", keyword: [{"type": "object", "minProperties": 1}, {"type": "null"}]},
        {"title": "t", keyword: [{"type": "object", "minProperties": 2}, {"type": "null"}]},
    )
    assert (change.instance_path, change.expected) == ("", Effect.NARROWS)


def test_positions_lead_to_lines(tmp_path: object) -> None:
    old = parse_document('{\n "enum": ["a", "b"]}', name="old.json")
    new = parse_document('{\n "enum": ["a"]}', name="new.json")
    (change,) = changes(schema_set(old), schema_set(new))
    assert old.place(change.old.pointer) == Place("old.json", "/enum/1", 2, 16)
    assert (change.new.source, change.new.pointer) == ("new.json", "/enum")


# -- how a child bears on the whole -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("around", "expected"),
    [
        (lambda s: {"items": s}, Effect.NARROWS),
        (lambda s: {"not": s}, Effect.WIDENS),
        (lambda s: {"not": {"not": s}}, Effect.NARROWS),
        (lambda s: {"if": s, "then": {"maximum": 9}}, Effect.UNKNOWN),
        (lambda s: {"not": {"if": s, "else": {"maximum": 9}}}, Effect.UNKNOWN),
        (lambda s: {"contains": s}, Effect.NARROWS),
        (lambda s: {"contains": s, "maxContains": 3}, Effect.UNKNOWN),
        (lambda s: {"oneOf": [s, {"type": "null"}]}, Effect.NARROWS),
        (lambda s: {"oneOf": [s, {"maximum": 100}]}, Effect.UNKNOWN),
        (lambda s: {"$defs": {"unused": s}}, Effect.NONE),
    ],
)
def test_the_expectation_follows_the_place(diff: Diff, around: Callable[[JSON], JSON], expected: Effect) -> None:
    old, new = ({"type": "integer", "minimum": low} for low in (1, 2))
    (change,) = diff(around(old), around(new))
    assert (change.rule, change.expected) == ("minimum-raised", expected)


def test_a_keyword_that_accepts_everything_may_matter_where_unevaluated_is_near(diff: Diff) -> None:
    def base(**more: JSON) -> JSON:
        return {"allOf": [{"minLength": 1, **more}]}

    (without,) = diff(base(), base(additionalProperties=True))
    assert (without.rule, without.expected) == ("vacuous-keyword-changed", Effect.NONE)
    closed: JSON = {"unevaluatedProperties": False}
    (near,) = diff({**base(), **closed}, {**base(additionalProperties=True), **closed})  # type: ignore[dict-item]
    assert (near.rule, near.expected) == ("vacuous-keyword-changed", Effect.UNKNOWN)


# -- references -------------------------------------------------------------------------------------------------------


def task(kinds: list[str]) -> JSON:
    return {
        "properties": {"owner": {"$ref": "#/$defs/actor"}, "actor": {"$ref": "#/$defs/actor"}},
        "$defs": {"actor": {"properties": {"kind": {"enum": kinds}}}},
    }


def test_a_change_in_a_definition_is_told_once_with_the_first_way_to_it(diff: Diff) -> None:
    (change,) = diff(task(["a", "b"]), task(["a"]))
    assert (change.rule, change.instance_path) == ("enum-value-removed", "/owner/kind")
    assert change.old.pointer == "/$defs/actor/properties/kind/enum/1"
    assert change.expected is Effect.NARROWS


def test_recursion_ends_and_gives_the_shortest_way(diff: Diff) -> None:
    def tree(low: int) -> JSON:
        return {
            "properties": {"next": {"$ref": "#"}, "deep": {"properties": {"leaf": {"$ref": "#/$defs/leaf"}}}},
            "$defs": {"leaf": {"minimum": low, "properties": {"again": {"$ref": "#/$defs/leaf"}}}},
        }

    assert told(diff(tree(1), tree(2))) == [("minimum-raised", "/deep/leaf")]


def test_references_in_a_circle_end(diff: Diff) -> None:
    circle: JSON = {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}
    assert rules(diff(circle, {**circle, "title": "t"})) == ["title-changed"]  # type: ignore[dict-item]


def test_inlining_shows_what_the_copy_changed(diff: Diff) -> None:
    old: JSON = {"properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "integer", "minimum": 1}}}
    new: JSON = {"properties": {"a": {"type": "integer", "minimum": 2}}}
    found = diff(old, new)
    assert told(found) == [("ref-inlined", "/a"), ("minimum-raised", "/a"), ("definition-removed", "")]
    assert found[1].old.pointer == "/$defs/n/minimum"
    assert rules(diff(new, old)) == ["ref-extracted", "minimum-lowered", "definition-added"]


def test_annotations_beside_a_reference_are_no_difference_to_its_copy(diff: Diff) -> None:
    defs: JSON = {"n": {"type": "integer", "title": "N"}}
    old: JSON = {"properties": {"a": {"$ref": "#/$defs/n", "description": "d"}}, "$defs": defs}
    new: JSON = {"properties": {"a": {"type": "integer", "title": "N", "description": "d"}}, "$defs": defs}
    assert rules(diff(old, new)) == ["ref-inlined"]


def test_a_reference_beside_other_keywords_is_no_copy(diff: Diff) -> None:
    defs: JSON = {"n": {"type": "integer"}}
    found = diff({"$ref": "#/$defs/n", "minimum": 1, "$defs": defs}, {"minimum": 1, "$defs": defs})
    assert [(c.rule, c.expected) for c in found] == [("ref-removed", Effect.WIDENS)]


def test_an_unresolved_reference_equal_on_both_sides_is_no_change(diff: Diff) -> None:
    assert diff({"$ref": "urn:nobody"}, {"$ref": "urn:nobody"}) == []


def test_a_changed_file_behind_an_equal_reference_is_told_there() -> None:
    def files(low: int) -> Callable[[str], Document | None]:
        common = parse_document(
            f'{{"$defs": {{"n": {{"minimum": {low}}}}}}}', name="common.json", uri="file:///common.json"
        )
        return lambda uri: common if uri == "file:///common.json" else None

    text = '{"properties": {"a": {"$ref": "common.json#/$defs/n"}}}'
    old, new = (
        schema_set(parse_document(text, name="main.json", uri="file:///main.json"), retrieve=files(low))
        for low in (1, 2)
    )
    (change,) = changes(old, new)
    assert (change.rule, change.instance_path) == ("minimum-raised", "/a")
    assert (change.old.source, change.old.pointer) == ("common.json", "/$defs/n/minimum")


# -- definitions ------------------------------------------------------------------------------------------------------


def test_a_renamed_definition_is_compared_under_both_names(diff: Diff) -> None:
    old: JSON = {"$ref": "#/$defs/a", "$defs": {"a": {"type": "integer", "minimum": 1, "title": "A number"}}}
    new: JSON = {"$ref": "#/$defs/b", "$defs": {"b": {"type": "integer", "minimum": 2, "title": "A number"}}}
    assert rules(diff(old, new)) == ["minimum-raised", "definition-renamed"]


def test_another_definition_is_no_rename(diff: Diff) -> None:
    defs: JSON = {"a": {"type": "integer"}, "b": {"type": "string"}}
    (change,) = diff({"$ref": "#/$defs/a", "$defs": defs}, {"$ref": "#/$defs/b", "$defs": defs})
    assert (change.rule, change.expected) == ("ref-retargeted", Effect.UNKNOWN)
    same: JSON = {"a": {"type": "integer"}, "b": {"type": "integer"}}
    (harmless,) = diff({"$ref": "#/$defs/a", "$defs": same}, {"$ref": "#/$defs/b", "$defs": same})
    assert (harmless.rule, harmless.expected) == ("ref-retargeted", Effect.NONE)


def test_a_dead_definition_has_no_effect_and_says_so(diff: Diff) -> None:
    (change,) = diff({"$defs": {"x": {"type": "string"}}}, {"$defs": {"x": {"type": "null"}}})
    assert (change.rule, change.expected) == ("type-changed", Effect.NONE)
    assert change.hint == "nothing refers to this definition"


def test_a_definition_that_each_side_reaches_its_own_way_is_not_dead(diff: Diff) -> None:
    old: JSON = {"properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"minimum": 1}}}
    new: JSON = {"properties": {"b": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"minimum": 2}}}
    found = [change for change in diff(old, new) if change.rule == "minimum-raised"]
    assert [(change.expected, change.hint) for change in found] == [(Effect.UNKNOWN, None)]


def test_a_container_of_definitions_of_ones_own_is_told_by_its_definitions(diff: Diff) -> None:
    old: JSON = {"$ref": "#/refs/a", "refs": {"a": {"minimum": 1}}}
    new: JSON = {"$ref": "#/refs/a", "refs": {"a": {"minimum": 2}}}
    assert rules(diff(old, new)) == ["minimum-raised"]
    assert rules(diff({"refs": {"a": 1}}, {"refs": {"a": 2}})) == ["unknown-keyword-changed"]


# -- drafts -----------------------------------------------------------------------------------------------------------


D4, D7, D2019, D2020 = (d.uri for d in (Dialect.DRAFT4, Dialect.DRAFT7, Dialect.DRAFT2019, Dialect.DRAFT2020))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"$schema": D7, "$ref": "#/definitions/a", "definitions": {"a": {"type": "null"}}},
         {"$schema": D2020, "$ref": "#/$defs/a", "$defs": {"a": {"type": "null"}}}),
        ({"$schema": D4, "id": "urn:x", "minimum": 1, "exclusiveMinimum": True},
         {"$schema": D2020, "$id": "urn:x", "exclusiveMinimum": 1}),
        ({"$schema": D7, "items": [{"type": "null"}], "additionalItems": {"type": "string"}},
         {"$schema": D2020, "prefixItems": [{"type": "null"}], "items": {"type": "string"}}),
        ({"$schema": D7, "dependencies": {"a": ["b"], "c": {"minProperties": 2}}},
         {"$schema": D2019, "dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"minProperties": 2}}}),
    ],
)  # fmt: skip
def test_a_translation_changes_the_dialect_alone(diff: Diff, old: JSON, new: JSON) -> None:
    assert set(rules(diff(old, new))) <= {"dialect-changed", "definitions-moved"}
    assert set(rules(diff(new, old))) <= {"dialect-changed", "definitions-moved"}


def test_the_same_text_can_mean_more_in_another_draft(diff: Diff) -> None:
    ignored: JSON = {"$ref": "#/definitions/a", "minLength": 3, "definitions": {"a": {"type": "string"}}}
    old, new = {"$schema": D7, **ignored}, {"$schema": D2019, **ignored}  # type: ignore[dict-item]
    assert rules(diff(old, new)) == ["dialect-changed", "min-length-added"]


def test_what_stands_beside_a_reference_means_nothing_up_to_draft_07(diff: Diff) -> None:
    old: JSON = {"$schema": D7, "$ref": "#/definitions/a", "definitions": {"a": True}}
    assert rules(diff(old, {**old, "minLength": 3})) == ["vacuous-keyword-changed"]  # type: ignore[dict-item]


def test_another_spelling_of_the_dialect_means_nothing(diff: Diff) -> None:
    found = diff(
        {"$schema": "http://json-schema.org/draft-07/schema#"}, {"$schema": "https://json-schema.org/draft-07/schema"}
    )
    assert [(c.rule, c.expected) for c in found] == [("dialect-changed", Effect.NONE)]


# -- echoes -----------------------------------------------------------------------------------------------------------


def test_a_property_with_its_requirement_is_one_change(diff: Diff) -> None:
    old: JSON = {"type": "object", "properties": {"a": True}}
    new: JSON = {"type": "object", "properties": {"a": True, "b": {"type": "null"}}, "required": ["b"]}
    assert rules(diff(old, new)) == ["required-property-added"]
    assert rules(diff(new, old)) == ["required-property-removed"]
    both: JSON = {**new, "required": ["b", "a"]}  # type: ignore[dict-item]
    assert sorted(rules(diff(old, both))) == ["required-added", "required-property-added"]


def test_a_nullable_value_is_one_change(diff: Diff) -> None:
    text: JSON = {"type": "string", "maxLength": 9}
    wrapped: JSON = {"anyOf": [{"type": "string", "maxLength": 10}, {"type": "null"}]}
    assert rules(diff(text, wrapped)) == ["any-of-wrapped", "max-length-raised"]
    assert rules(diff(wrapped, text)) == ["any-of-unwrapped", "max-length-lowered"]
    unrelated: JSON = {"anyOf": [{"type": "array"}, {"type": "null"}]}
    assert rules(diff(text, unrelated)) == ["type-constraint-removed", "max-length-removed", "any-of-added"]


def test_a_renamed_property_is_hinted_at(diff: Diff) -> None:
    def of(name: str) -> JSON:
        return {"properties": {name: {"type": "string", "enum": ["new", "done"], "title": "State of the task"}}}

    added, removed = sorted(diff(of("taskState"), of("task_state")), key=lambda change: change.rule)
    assert added.hint == 'looks renamed from "taskState"'
    assert removed.hint == 'looks renamed to "task_state"'
    plain = diff({"properties": {"size": {"type": "integer"}}}, {"properties": {"owner": {"type": "integer"}}})
    assert [change.hint for change in plain] == [None, None]


def test_the_companions_of_a_keyword_are_told_with_it(diff: Diff) -> None:
    new: JSON = {
        "if": {"minimum": 1},
        "then": {"maximum": 5},
        "else": {"maximum": 0},
        "contains": True,
        "maxContains": 2,
    }
    assert rules(diff({}, new)) == ["contains-added", "conditional-added"]


# -- size -------------------------------------------------------------------------------------------------------------


def test_what_is_equal_is_not_visited(monkeypatch: pytest.MonkeyPatch) -> None:
    import compat.diff.walk as module

    seen = 0
    real = module.View

    def counting(value: JSON, dialect: Dialect) -> object:
        nonlocal seen
        seen += 1
        return real(value, dialect)

    monkeypatch.setattr(module, "View", counting)
    wide = {f"p{i}": {"type": "object", "properties": {"a": {"type": "string"}}} for i in range(2000)}
    old: JSON = {"properties": {**wide, "last": {"minimum": 1}}}
    new: JSON = {"properties": {**wide, "last": {"minimum": 2}}}
    assert rules(list(changes(schema_set(old), schema_set(new)))) == ["minimum-raised"]
    assert seen == 4


def test_a_definition_reached_through_unchanged_ones_is_found(diff: Diff) -> None:
    def chain(low: int) -> JSON:
        return {
            "properties": {"a": {"$ref": "#/$defs/one"}, "b": {"$ref": "#/$defs/other"}},
            "$defs": {
                "one": {"items": {"$ref": "#/$defs/two"}},
                "two": {"properties": {"x": {"$ref": "#/$defs/three"}, "again": {"$ref": "#/$defs/one"}}},
                "three": {"minimum": low},
                "other": {"items": {"$ref": "#/$defs/other"}},
            },
        }

    assert told(diff(chain(1), chain(2))) == [("minimum-raised", "/a/*/x")]


def test_one_text_of_a_reference_may_lead_to_two_places(diff: Diff) -> None:
    def schema(low: int) -> JSON:
        inner: JSON = {
            "$id": "urn:inner", "properties": {"x": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"minimum": low}}
        }  # fmt: skip
        return {"$id": "urn:outer", "items": {"$ref": "#/$defs/n"}, "$defs": {"n": {"type": "null"}, "inner": inner},
                "properties": {"p": {"$ref": "urn:inner"}}}  # fmt: skip

    assert told(diff(schema(1), schema(2))) == [("minimum-raised", "/p/x")]


def test_the_deepest_schema_that_is_read_is_walked(diff: Diff) -> None:
    old: JSON = {"minimum": 1}
    new: JSON = {"minimum": 2}
    for _ in range(120):
        old, new = {"properties": {"d": old}}, {"properties": {"d": new}}
    (change,) = diff(old, new)
    assert change.instance_path == "/d" * 120


def test_a_thousand_branches_are_paired(diff: Diff) -> None:
    def branch(kind: int, low: int) -> JSON:
        return {"properties": {"kind": {"const": kind}, "n": {"minimum": low}}, "required": ["kind"]}

    old: JSON = {"oneOf": [branch(kind, 0) for kind in range(1000)]}
    new: JSON = {"oneOf": [branch(kind, int(kind == 500)) for kind in reversed(range(1000))]}
    (change,) = diff(old, new)
    assert (change.rule, change.old.pointer) == ("minimum-raised", "/oneOf/500/properties/n/minimum")
    assert change.new.pointer == "/oneOf/499/properties/n/minimum"

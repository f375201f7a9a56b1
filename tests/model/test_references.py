"""References: where they lead, what they do to base URI and dialect, and which are not followed."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from compat.errors import DialectError, ParseError, Place, ReferenceError, UnresolvedReference
from compat.jsonvalue import JSON
from compat.model.dialects import Dialect
from compat.model.document import Document, parse_document
from compat.model.references import SchemaSet, Subschema, schema_set

D4, D6, D7, D19, D20 = (dialect.uri for dialect in Dialect)


def follow(schema: JSON, ref: str, **options: object) -> Subschema:
    schemas = schema_set(schema, **options)  # type: ignore[arg-type]
    return schemas.resolve(schemas.root, ref)


def unresolved(schema: JSON, ref: str) -> UnresolvedReference:
    with pytest.raises(UnresolvedReference) as caught:
        follow(schema, ref)
    return caught.value


# -- pointers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ref", "pointer"),
    [
        ("#", ""),
        ("#/$defs/a", "/$defs/a"),
        ("#/$defs/a~1b", "/$defs/a~1b"),
        ("#/$defs/a~0b", "/$defs/a~0b"),
        ("#/$defs/a%25b", "/$defs/a%b"),
        ("#/$defs/%C3%A4", "/$defs/ä"),
        ("#/allOf/0", "/allOf/0"),
        ("#/refs/x", "/refs/x"),
        ("#/refs/x/properties/y", "/refs/x/properties/y"),
        ("https://example.com/s", ""),
        ("https://example.com/s#", ""),
        ("s#/$defs/a", "/$defs/a"),
        ("?x#/$defs/a", None),
    ],
)
def test_pointers(ref: str, pointer: str | None) -> None:
    schema: JSON = {
        "$id": "https://example.com/s",
        "$defs": {"a": {}, "a/b": {}, "a~b": {}, "a%b": {}, "ä": {}},
        "allOf": [{}],
        "refs": {"x": {"properties": {"y": True}}},
    }
    if pointer is None:
        unresolved(schema, ref)
        return
    target = follow(schema, ref)
    assert (target.pointer, target.base_uri) == (pointer, "https://example.com/s")


@pytest.mark.parametrize(
    "ref", ["#/$defs/b", "#/allOf/1", "#/allOf/00", "#/allOf/-", "#/allOf/" + "9" * 5000, "#/$defs/a/x"]
)
def test_what_is_not_there_is_unresolved(ref: str) -> None:
    error = unresolved({"$id": "urn:s", "$defs": {"a": {}}, "allOf": [{}]}, ref)
    assert error.uri == "urn:s" + ref


def test_an_unresolved_reference_has_its_place() -> None:
    document = parse_document('{\n  "items": {"$ref": "#/nope"}\n}', name="a.json")
    schemas = schema_set(document)
    with pytest.raises(UnresolvedReference) as caught:
        schemas.resolve(schemas.child(schemas.root, "items"), "#/nope")
    assert str(caught.value.place) == "a.json:2:13 at /items/$ref"


def test_a_reference_to_no_schema_is_an_error() -> None:
    with pytest.raises(ReferenceError, match="no schema") as caught:
        follow({"$defs": {"a": [1]}}, "#/$defs/a")
    assert not isinstance(caught.value, UnresolvedReference)
    assert follow({"$defs": {"a": False}}, "#/$defs/a").value is False


def test_the_same_reference_gives_the_same_subschema() -> None:
    schemas = schema_set({"$defs": {"a": {}}})
    assert schemas.resolve(schemas.root, "#/$defs/a") is schemas.resolve(schemas.root, "#/$defs/a")


# -- identifiers ------------------------------------------------------------------------------------------------------


def test_an_embedded_identifier_changes_the_base() -> None:
    schema: JSON = {
        "$id": "https://example.com/root",
        "$defs": {"a": {"$id": "folder/a", "$defs": {"b": {"$ref": "c"}}}, "c": {"$id": "folder/c"}},
    }
    schemas = schema_set(schema)
    child = schemas.child(schemas.root, "$defs", "a")
    assert (child.base_uri, child.resource) == ("https://example.com/folder/a", "/$defs/a")
    inner = schemas.child(child, "$defs", "b")
    assert (inner.base_uri, inner.resource) == ("https://example.com/folder/a", "/$defs/a")
    assert schemas.resolve(inner, "c").pointer == "/$defs/c"
    assert schemas.resolve(inner, "#").pointer == "/$defs/a"
    assert schemas.resolve(inner, "#/$defs/b").pointer == "/$defs/a/$defs/b"


def test_a_pointer_may_cross_into_an_embedded_resource() -> None:
    schema: JSON = {"$id": "https://example.com/root", "$defs": {"a": {"$id": "a", "$defs": {"b": {}}}}}
    target = follow(schema, "#/$defs/a/$defs/b")
    assert (target.base_uri, target.resource) == ("https://example.com/a", "/$defs/a")


@pytest.mark.parametrize("keyword", ["enum", "const", "default", "examples", "x-unknown"])
def test_no_identifiers_live_in_values(keyword: str) -> None:
    inside: JSON = {"$id": "https://example.com/inside", "$anchor": "inside"}
    schema: JSON = {"$id": "https://example.com/root", keyword: [inside] if keyword in {"enum", "examples"} else inside}
    unresolved(schema, "inside")
    unresolved(schema, "#inside")


def test_a_property_named_id_is_no_identifier() -> None:
    schema: JSON = {"$schema": D4, "id": "http://x/root", "properties": {"id": {"type": "string"}}}
    schemas = schema_set(schema)
    assert schemas.child(schemas.root, "properties", "id").base_uri == "http://x/root"


@pytest.mark.parametrize(
    ("uri", "keyword", "is_id"),
    [
        (D4, "id", True),
        (D4, "$id", False),
        (D6, "$id", True),
        (D6, "id", False),
        (D20, "$id", True),
        (D20, "id", False),
    ],
)
def test_each_dialect_has_its_identifier(uri: str, keyword: str, is_id: bool) -> None:
    schemas = schema_set({"$schema": uri, keyword: "http://x/root", "not": {keyword: "sub"}})
    child = schemas.child(schemas.root, "not")
    assert (schemas.root.base_uri, child.base_uri) == (("http://x/root", "http://x/sub") if is_id else ("", ""))


@pytest.mark.parametrize(("uri", "base"), [(D7, "http://x/root"), (D19, "http://x/other")])
def test_beside_ref_an_identifier_is_ignored_up_to_draft_07(uri: str, base: str) -> None:
    schemas = schema_set({"$schema": uri, "$id": "http://x/root", "not": {"$id": "other", "$ref": "#"}})
    assert schemas.child(schemas.root, "not").base_uri == base


@pytest.mark.parametrize("uri", [D6, D7])
def test_an_identifier_of_only_a_fragment_is_an_anchor_up_to_draft_07(uri: str) -> None:
    schema: JSON = {"$schema": uri, "$id": "http://x/root", "definitions": {"a": {"$id": "#here"}}}
    target = follow(schema, "#here")
    assert (target.pointer, target.base_uri) == ("/definitions/a", "http://x/root")
    unresolved({**schema, "definitions": {"a": {"$id": "#here", "$ref": "#"}}}, "#here")


def test_draft_04_anchors_by_id() -> None:
    assert follow({"$schema": D4, "definitions": {"a": {"id": "#here"}}}, "#here").pointer == "/definitions/a"


@pytest.mark.parametrize(
    ("base", "identifier", "expected"),
    [
        ("urn:example:root", "urn:example:sub", "urn:example:sub"),
        ("app://schemas/v1/root.json", "sub.json", "app://schemas/v1/sub.json"),
        ("app://schemas/v1/root.json", "../v2/sub.json", "app://schemas/v2/sub.json"),
        ("https://x/a/", "b/c", "https://x/a/b/c"),
        ("a/root.json", "sub.json", "a/sub.json"),
        ("https://x/root.json#", "sub.json", "https://x/sub.json"),
    ],
)
def test_bases_of_any_scheme_are_joined_alike(base: str, identifier: str, expected: str) -> None:
    schema: JSON = {"$id": base, "$defs": {"a": {"$id": identifier, "$defs": {"b": {"$anchor": "b"}}}}}
    schemas = schema_set(schema)
    assert schemas.child(schemas.root, "$defs", "a").base_uri == expected
    assert schemas.resolve(schemas.root, identifier).pointer == "/$defs/a"
    assert schemas.resolve(schemas.root, identifier + "#b").pointer == "/$defs/a/$defs/b"


# -- anchors ----------------------------------------------------------------------------------------------------------


def test_anchors_belong_to_their_resource() -> None:
    schema: JSON = {
        "$id": "http://x/root",
        "$defs": {
            "a": {"$anchor": "name"},
            "b": {"$id": "b", "$defs": {"c": {"$anchor": "name"}, "d": {"$anchor": "only"}}},
        },
    }
    assert follow(schema, "#name").pointer == "/$defs/a"
    assert follow(schema, "b#name").pointer == "/$defs/b/$defs/c"
    assert unresolved(schema, "#only").uri == "http://x/root#only"


def test_the_anchor_keyword_came_with_2019_09() -> None:
    assert follow({"$schema": D19, "$defs": {"a": {"$anchor": "n"}}}, "#n").pointer == "/$defs/a"
    unresolved({"$schema": D7, "definitions": {"a": {"$anchor": "n"}}}, "#n")


# -- dynamic references -----------------------------------------------------------------------------------------------

TREE: JSON = {
    "$id": "http://x/tree",
    "$dynamicAnchor": "node",
    "properties": {"children": {"items": {"$dynamicRef": "#node"}}},
}
STRICT: JSON = {"$id": "http://x/strict", "$dynamicAnchor": "node", "$ref": "tree"}


def test_a_dynamic_reference_takes_the_outermost_anchor() -> None:
    schemas = schema_set(STRICT, resources={"http://x/tree": TREE})
    tree = schemas.resolve(schemas.root, "tree")
    scope = ("http://x/strict", "http://x/tree")
    assert schemas.resolve_dynamic(tree, "$dynamicRef", "#node", scope).document is schemas.root.document
    assert schemas.resolve_dynamic(tree, "$dynamicRef", "#node", ("http://x/tree",)) is schemas.resolve(tree, "#node")


def test_without_a_dynamic_anchor_it_is_a_plain_reference() -> None:
    plain: JSON = {"$id": "http://x/plain", "$anchor": "node"}
    schemas = schema_set({**STRICT, "$ref": "plain"}, resources={"http://x/plain": plain})
    start = schemas.resolve(schemas.root, "plain")
    target = schemas.resolve_dynamic(start, "$dynamicRef", "#node", ("http://x/strict", "http://x/plain"))
    assert target.base_uri == "http://x/plain"


def test_a_dynamic_reference_by_pointer_is_a_plain_one() -> None:
    tree: JSON = {"$id": "http://x/tree", "$defs": {"n": {"$dynamicAnchor": "node"}}}
    schemas = schema_set({**STRICT, "$defs": {"n": {}}}, resources={"http://x/tree": tree})
    start = schemas.resolve(schemas.root, "tree")
    target = schemas.resolve_dynamic(start, "$dynamicRef", "#/$defs/n", ("http://x/strict", "http://x/tree"))
    assert target.base_uri == "http://x/tree"


def test_a_recursive_reference_passes_through_recursive_anchors() -> None:
    tree: JSON = {"$schema": D19, "$id": "http://x/tree", "$recursiveAnchor": True}
    strict: JSON = {"$schema": D19, "$id": "http://x/strict", "$recursiveAnchor": True, "$ref": "tree"}
    lax: JSON = {"$schema": D19, "$id": "http://x/lax", "$ref": "tree"}
    scope = ("http://x/strict", "http://x/tree")
    schemas = schema_set(strict, resources={"http://x/tree": tree})
    start = schemas.resolve(schemas.root, "tree")
    assert schemas.resolve_dynamic(start, "$recursiveRef", "#", scope).base_uri == "http://x/strict"
    schemas = schema_set(lax, resources={"http://x/tree": tree})
    start = schemas.resolve(schemas.root, "tree")
    assert (
        schemas.resolve_dynamic(start, "$recursiveRef", "#", ("http://x/lax", "http://x/tree")).base_uri
        == "http://x/tree"
    )


# -- dialects ---------------------------------------------------------------------------------------------------------


def test_an_embedded_resource_may_be_in_another_dialect() -> None:
    schema: JSON = {"$schema": D20, "$defs": {"a": {"$id": "http://x/a", "$schema": D7, "items": [{}]}}}
    schemas = schema_set(schema)
    child = schemas.child(schemas.root, "$defs", "a")
    assert child.dialect is Dialect.DRAFT7
    assert schemas.child(child, "items", 0).dialect is Dialect.DRAFT7
    assert follow(schema, "http://x/a#/items/0").dialect is Dialect.DRAFT7


def test_a_schema_keyword_without_an_identifier_changes_nothing() -> None:
    schemas = schema_set({"$schema": D20, "not": {"$schema": D7}})
    assert schemas.child(schemas.root, "not").dialect is Dialect.DRAFT2020


def test_each_file_says_its_own_dialect() -> None:
    resources: Mapping[str, JSON] = {"http://x/a": {"$schema": D4}, "http://x/b": {}}
    assert follow({"$schema": D20}, "http://x/a", resources=resources).dialect is Dialect.DRAFT4
    assert follow({"$schema": D20}, "http://x/b", resources=resources, dialect=Dialect.DRAFT7).dialect is Dialect.DRAFT7


def test_a_file_that_says_no_dialect_is_in_the_one_of_the_root() -> None:
    resources: Mapping[str, JSON] = {"http://x/b": {"definitions": {"a": {"$id": "#here"}}}}
    assert follow({"$schema": D6}, "http://x/b#here", resources=resources).dialect is Dialect.DRAFT6
    with pytest.raises(UnresolvedReference):
        follow({"$schema": D20}, "http://x/b#here", resources=resources)


def test_a_custom_meta_schema_is_followed_and_its_vocabularies_kept() -> None:
    core = "https://json-schema.org/draft/2020-12/vocab/core"
    meta: JSON = {"$schema": D20, "$id": "http://x/meta", "$vocabulary": {core: True}}
    schemas = schema_set({"$schema": "http://x/meta", "not": {}}, resources={"http://x/meta": meta})
    assert schemas.dialect is Dialect.DRAFT2020
    assert schemas.child(schemas.root, "not").vocabularies == frozenset({core})
    assert schemas.notes == ("$schema http://x/meta is a meta-schema of 2020-12; read as 2020-12",)
    assert schema_set({"$schema": D20}).root.vocabularies is None


def test_a_configured_dialect_is_used() -> None:
    schemas = schema_set({"$schema": "urn:mine"}, dialects={"urn:mine": Dialect.DRAFT6})
    assert schemas.dialect is Dialect.DRAFT6


# -- other documents --------------------------------------------------------------------------------------------------


class Shelf:
    """A retriever over texts that remembers what it was asked for."""

    def __init__(self, **files: str) -> None:
        self.files = {f"file:///{name}.json": content for name, content in files.items()}
        self.asked: list[str] = []

    def __call__(self, uri: str) -> Document | None:
        self.asked.append(uri)
        content = self.files.get(uri)
        name = uri.removeprefix("file:///")
        return None if content is None else parse_document(content, name=name, uri=uri)


def opened(content: str, shelf: Shelf, uri: str = "file:///schemas/a.json") -> SchemaSet:
    return schema_set(parse_document(content, name="a.json", uri=uri), retrieve=shelf)


def test_files_are_found_relative_to_the_file() -> None:
    shelf = Shelf(common='{"$defs": {"x": {"type": "string"}}}')
    schemas = opened('{"$ref": "../common.json#/$defs/x"}', shelf)
    target = schemas.resolve(schemas.root, "../common.json#/$defs/x")
    assert (target.document.name, target.pointer, target.value) == ("common.json", "/$defs/x", {"type": "string"})
    assert shelf.asked == ["file:///common.json"]


def test_each_file_is_asked_for_once() -> None:
    shelf = Shelf(b="{}")
    schemas = opened('{"$ref": "b.json"}', shelf, uri="file:///a.json")
    for ref in ("b.json", "b.json#", "./b.json", "b.json#/nope", "c.json", "c.json#/x"):
        try:
            schemas.resolve(schemas.root, ref)
        except UnresolvedReference:
            continue
    assert sorted(shelf.asked) == ["file:///b.json", "file:///c.json"]


def test_nothing_is_asked_for_by_local_references() -> None:
    shelf = Shelf()
    schemas = opened('{"$defs": {"a": {}}, "$ref": "#/$defs/a"}', shelf)
    schemas.resolve(schemas.root, "#/$defs/a")
    schemas.resolve(schemas.root, "a.json#/$defs/a")
    assert shelf.asked == []


def test_a_file_may_refer_back() -> None:
    shelf = Shelf(b='{"$ref": "a.json#/$defs/x"}')
    schemas = opened('{"$ref": "b.json", "$defs": {"x": {}}}', shelf, uri="file:///a.json")
    back = schemas.resolve(schemas.resolve(schemas.root, "b.json"), "a.json#/$defs/x")
    assert back.document is schemas.root.document


def test_a_broken_file_says_so_each_time() -> None:
    def broken(uri: str) -> Document | None:
        raise ParseError("the text is empty", place=Place("b.json"))

    schemas = schema_set({"$ref": "b.json"}, retrieve=broken)
    for _ in range(2):
        with pytest.raises(ParseError, match="empty"):
            schemas.resolve(schemas.root, "b.json")


def test_resources_are_also_known_by_their_identifier() -> None:
    resources: Mapping[str, JSON] = {"one": {"$id": "http://x/one"}, "http://x/two#": {}}
    assert follow({}, "http://x/one", resources=resources).document.name == "one"
    assert follow({}, "http://x/two", resources=resources).value == {}
    with pytest.raises(UnresolvedReference):
        follow({}, "http://x/three", resources=resources)


@pytest.mark.parametrize("uri", [D4, D7, D7.rstrip("#"), D20, D20 + "#", D7.replace("http", "https")])
def test_meta_schemas_are_always_known(uri: str) -> None:
    assert isinstance(follow({}, uri).value, dict)


def test_parts_of_meta_schemas_are_known() -> None:
    assert follow({}, "https://json-schema.org/draft/2020-12/meta/core").base_uri.endswith("meta/core")


def test_a_uri_owned_by_two_is_an_error_only_when_referred_to() -> None:
    twice: Mapping[str, JSON] = {
        "http://x/a": {"$id": "http://x/same", "type": "string"},
        "http://x/b": {"$id": "http://x/same", "type": "number"},
    }
    schemas = schema_set({}, resources=twice)
    assert schemas.resolve(schemas.root, "http://x/a").value == twice["http://x/a"]
    assert schemas.resolve(schemas.root, "http://x/b").value == twice["http://x/b"]
    with pytest.raises(ReferenceError, match="ambiguous: http://x/a and http://x/b both own it"):
        schemas.resolve(schemas.root, "http://x/same")


def test_two_equal_owners_are_one() -> None:
    same: JSON = {"$id": "http://x/same", "minimum": 1}
    twice: Mapping[str, JSON] = {"http://x/a": same, "http://x/b": {"$id": "http://x/same", "minimum": 1.0}}
    schemas = schema_set({}, resources=twice)
    schemas.resolve(schemas.root, "http://x/a")
    schemas.resolve(schemas.root, "http://x/b")
    assert schemas.resolve(schemas.root, "http://x/same").value == same


# -- what is not followed ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ref", "message"),
    [
        ("file:///etc/passwd", "names a file by a file: URI"),
        ("FILE:///etc/passwd", "names a file by a file: URI"),
        ("file:b.json", "names a file by a file: URI"),
        ("/etc/passwd", "is an absolute path"),
        ("//host/share/x.json", "is an absolute path"),
        ("\\\\host\\share\\x.json", "is an absolute path"),
        ("C:\\x.json", "is an absolute path"),
        ("c:/x.json", "is an absolute path"),
        ("../../x.json", "leads outside the root"),
        ("x/../../../y.json", "leads outside the root"),
    ],
)
def test_references_out_of_the_root_are_refused(ref: str, message: str) -> None:
    shelf = Shelf()
    schemas = opened("{}", shelf)
    with pytest.raises(ReferenceError, match=message) as caught:
        schemas.resolve(schemas.root, ref)
    assert not isinstance(caught.value, UnresolvedReference)
    assert caught.value.place is not None
    assert caught.value.hint is not None
    assert shelf.asked == []


def test_a_schema_that_calls_itself_a_file_may_refer_to_itself_by_that() -> None:
    schema: JSON = {"$schema": D7, "$id": "file://a.json", "definitions": {"x": {"type": "null"}}}
    assert follow(schema, "file://a.json#/definitions/x").pointer == "/definitions/x"
    with pytest.raises(ReferenceError, match="file: URI"):
        follow(schema, "file://b.json#/definitions/x")


@pytest.mark.parametrize("ref", ["../x.json", "b/../../x.json", "b/../c.json", "file.json", "c.json"])
def test_references_inside_the_root_are_followed(ref: str) -> None:
    shelf = Shelf()
    schemas = opened("{}", shelf)
    with pytest.raises(UnresolvedReference):
        schemas.resolve(schemas.root, ref)
    assert len(shelf.asked) == 1


def test_an_absolute_path_on_a_host_is_a_reference_like_any_other() -> None:
    error = unresolved({"$id": "https://example.com/a/b"}, "/c/d")
    assert error.uri == "https://example.com/c/d"


# -- what was reached -------------------------------------------------------------------------------------------------


def test_documents_are_the_files_that_references_reach() -> None:
    shelf = Shelf(b='{"$ref": "c.json"}', c="{}", d="{}")
    schemas = opened('{"items": {"$ref": "b.json"}, "$defs": {"dead": {"$ref": "d.json"}}}', shelf, "file:///a.json")
    assert [document.name for document in schemas.documents()] == ["a.json", "b.json", "c.json"]


def test_the_closed_digest_tells_the_whole() -> None:
    root = '{"$ref": "b.json"}'

    def digest(content: str, **files: str) -> str:
        return opened(content, Shelf(**files), "file:///a.json").closed_digest()

    base = digest(root, b='{"type": "string"}')
    assert base == digest(' {  "$ref":"b.json"}', b='{"type":"string"}', c="{}")
    assert base != digest(root, b='{"type": "number"}')
    assert base != digest(root)
    assert schema_set({"minimum": 1}).closed_digest() == schema_set({"minimum": 1.0}).closed_digest()
    assert schema_set({}).closed_digest() != schema_set({}, dialect=Dialect.DRAFT7).closed_digest()


def test_notes_are_about_every_file_that_was_reached() -> None:
    def retrieve(uri: str) -> Document | None:
        return parse_document("on: 1\n$schema: urn:mine\n", name="b.yaml", uri=uri)

    schemas = schema_set(parse_document("enum: [no]\n", name="a.yaml"), retrieve=retrieve)
    assert schemas.notes == ('no at 1:8 is the string "no"; YAML 1.1 would read a boolean',)
    schemas.resolve(schemas.root, "b.yaml")
    assert schemas.notes[1:] == (
        "b.yaml: $schema urn:mine is not known; read as 2020-12",
        'b.yaml: on at 1:1 is the string "on"; YAML 1.1 would read a boolean',
    )


def test_an_old_dialect_has_its_place() -> None:
    old = parse_document('{\n  "$schema": "http://json-schema.org/draft-03/schema#"\n}', name="a.json")
    with pytest.raises(DialectError) as caught:
        schema_set(old)
    assert str(caught.value.place) == "a.json:2:3 at /$schema"


def test_circles_end() -> None:
    schemas = schema_set({"$ref": "#", "properties": {"a": {"$ref": "#"}}})
    assert [sub.pointer for sub, _ in schemas.reached()] == ["", "/properties/a"]


def test_a_schema_may_stand_inside_a_document() -> None:
    document: JSON = {"openapi": "3.1.0", "components": {"schemas": {"A": {"$ref": "#/components/schemas/B"}, "B": {}}}}
    schemas = schema_set(document, at="/components/schemas/A")
    assert schemas.root.pointer == "/components/schemas/A"
    assert schemas.resolve(schemas.root, "#/components/schemas/B").pointer == "/components/schemas/B"
    with pytest.raises(UnresolvedReference):
        schema_set(document, at="/components/schemas/C")


def test_a_replaced_root_keeps_its_surroundings() -> None:
    schemas = schema_set({"$ref": "http://x/b"}, resources={"http://x/b": {"type": "null"}})
    other = schemas.replaced({"not": {"$ref": "http://x/b"}})
    assert other.root.value == {"not": {"$ref": "http://x/b"}}
    assert other.resolve(other.root, "http://x/b").value == {"type": "null"}


@pytest.mark.parametrize(
    "dialect", ["http://json-schema.org/draft-03/schema#", "http://json-schema.org/draft-02/schema"]
)
def test_a_referenced_file_of_too_old_a_dialect_is_named(dialect: str) -> None:
    schemas = schema_set(
        {"$ref": "https://example.org/old"}, resources={"https://example.org/old": {"$schema": dialect}}
    )
    for _ in range(2):
        with pytest.raises(DialectError, match="older than draft-04"):
            schemas.resolve(schemas.root, "https://example.org/old")

"""Which properties are declared no more, and what was called deprecated before."""

from __future__ import annotations

import pytest

from compat.assess.removals import is_deprecated, properties_gone
from compat.jsonvalue import JSON
from compat.model.references import schema_set

REF = {"$ref": "#/$defs/d"}
D = {"type": "object", "properties": {"x": {}, "y": {}}}


def of(**properties: JSON) -> dict[str, JSON]:
    return {"properties": properties}


@pytest.mark.parametrize(
    ("old", "new", "gone"),
    [
        (of(a={}, b={}), of(a={}), ["/b"]),
        (of(a={}), of(a={}, b={}), []),
        (of(a={}), of(a={"type": "string"}), []),
        (of(a={}), of(a=False), ["/a"]),
        (of(a=False), {}, []),
        (of(a={}), {}, ["/a"]),
        (of(a={}), True, ["/a"]),
        (True, of(a={}), []),
        # Only the outermost is told; what went along with it is not.
        (of(a=of(b={})), {}, ["/a"]),
        (of(a=of(b={})), of(a={}), ["/a/b"]),
        (of(a=of(b={})), of(a=of(b={})), []),
        # Required or not, closed or not.
        ({**of(a={}), "required": ["a"]}, {}, ["/a"]),
        ({**of(a={}), "additionalProperties": False}, {"additionalProperties": False}, ["/a"]),
        # By another way, still declared.
        (of(a={}), {"allOf": [of(a={})]}, []),
        (of(a={}), {"oneOf": [of(b={}), of(a={})]}, []),
        (of(a=D), {"$defs": {"d": D}, **of(a=REF)}, []),
        ({"$defs": {"d": D}, **REF}, of(x={}, y={}), []),
        ({"$defs": {"d": D}, **REF}, of(x={}), ["/y"]),
        ({"$defs": {"d": D}, **of(a=REF, b=REF)}, {"$defs": {"d": D}, **of(a=REF, b=of(y={}))}, ["/b/x"]),
        # A condition or a negation declares nothing, a consequence does.
        (of(a={}), {"not": of(a={})}, ["/a"]),
        (of(a={}), {"if": of(a={})}, ["/a"]),
        (of(a={}), {"if": {}, "then": of(a={})}, []),
        (of(a={}), {"patternProperties": {"a": {}}}, ["/a"]),
        (of(a={}), {"additionalProperties": {"type": "string"}}, ["/a"]),
        # Items and maps.
        ({"items": of(a={})}, {"items": of(b={})}, ["/*/a"]),
        ({"items": of(a={})}, {}, ["/*/a"]),
        ({"prefixItems": [of(a={})]}, {"prefixItems": [of(a={})]}, []),
        ({"prefixItems": [of(a={})]}, {"prefixItems": [{}]}, ["/0/a"]),
        ({"additionalProperties": of(a={})}, {"additionalProperties": of()}, ["/*/a"]),
        # Names that look like steps.
        ({"properties": {"0": {}, "*": {}}}, {"prefixItems": [{}], "items": {}}, ["/*", "/0"]),
        ({"properties": {"a/b": {}}}, {}, ["/a~1b"]),
        # Without an end.
        ({"$ref": "#", **of(a={"$ref": "#"}, b={})}, {"$ref": "#", **of(a={"$ref": "#"})}, ["/b"]),
        (of(a={"$ref": "#"}, b={}), of(a={"$ref": "#"}, b={}), []),
        # A reference that leads nowhere declares nothing, and may stand for anything.
        (of(a={"$ref": "#/$defs/none"}), of(a={}), []),
        (of(a={"$ref": "#/$defs/none"}), {}, ["/a"]),
        (of(a={}), {"$ref": "https://elsewhere.example/order.json"}, []),
        (of(a=of(b={}), c={}), of(a={"$ref": "https://elsewhere.example/a.json"}), ["/c"]),
        (of(a={}), {"allOf": [{"$ref": "#/$defs/none"}]}, []),
    ],
)
def test_what_is_declared_no_more_is_gone(old: JSON, new: JSON, gone: list[str]) -> None:
    found = properties_gone(schema_set(old), schema_set(new))
    assert [one.instance_path for one in found] == gone
    assert all(one.place is not None and one.place.pointer for one in found)


def test_ref_siblings_of_old_drafts_declare_nothing() -> None:
    draft = {"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"d": {}}}
    both = {**draft, "allOf": [{"$ref": "#/definitions/d", **of(a={})}]}
    assert properties_gone(schema_set(of(a={})), schema_set(both))
    assert not properties_gone(schema_set(both), schema_set({}))


def test_many_layers_of_shared_branches_are_walked_once_each() -> None:
    layers: dict[str, JSON] = {"n0": of(leaf={})}
    for depth in range(1, 40):
        below = {"$ref": f"#/$defs/n{depth - 1}"}
        layers[f"n{depth}"] = of(a=below, b=below)
    old: JSON = {"$defs": layers, "$ref": "#/$defs/n39"}
    new: JSON = {"$defs": {**layers, "n0": {}}, "$ref": "#/$defs/n39"}
    (gone,) = properties_gone(schema_set(old), schema_set(new))
    assert gone.instance_path.endswith("/leaf")


@pytest.mark.parametrize(
    ("schema", "path", "deprecated"),
    [
        ({"deprecated": True}, "", True),
        ({"deprecated": "yes"}, "", False),
        (of(a={"deprecated": True}), "/a", True),
        (of(a={"deprecated": False}), "/a", False),
        (of(a={"deprecated": True}), "", False),
        (of(a={}), "/b", False),
        ({"$defs": {"d": {"deprecated": True}}, **of(a=REF)}, "/a", True),
        ({"anyOf": [of(a={}), of(a={"deprecated": True})]}, "/a", True),
        ({"items": of(a={"deprecated": True})}, "/*/a", True),
        ({"prefixItems": [{"deprecated": True}]}, "/0", True),
    ],
)
def test_one_branch_that_says_deprecated_is_enough(schema: JSON, path: str, deprecated: bool) -> None:
    assert is_deprecated(schema_set(schema), path) is deprecated

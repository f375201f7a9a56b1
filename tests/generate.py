"""Random schemas and instances for property tests: small alphabets, so that constraints meet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from compat import jsonvalue
from compat.jsonvalue import JSON
from compat.model.dialects import Dialect

KEYS = ("a", "b", "c")
SCALARS: tuple[Any, ...] = (None, False, True, 0, 1, 2, -1, 0.5, "", "a", "b", "ab", "ba")
PATTERNS = ("^a", "b$", "^a*$", "^(ab)+$", "a", "^.$", "^[^b]*$", "^(?!a)")

keys = st.sampled_from(KEYS)
scalars = st.sampled_from(SCALARS)
small = st.integers(0, 3)

instances: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=3)),
    max_leaves=8,
)


def _assertions() -> st.SearchStrategy[dict[str, Any]]:
    types = st.sampled_from(["null", "boolean", "number", "integer", "string", "array", "object"])
    return st.one_of(
        st.builds(lambda t: {"type": t}, types),
        st.builds(lambda t: {"type": t}, st.lists(types, min_size=1, max_size=3, unique=True)),
        st.builds(lambda v: {"enum": v}, st.lists(instances, min_size=1, max_size=4)),
        st.builds(lambda v: {"const": v}, instances),
        st.builds(lambda n: {"minimum": n}, st.sampled_from([-1, 0, 0.5, 1])),
        st.builds(lambda n: {"maximum": n}, st.sampled_from([0, 0.5, 1, 2])),
        st.builds(lambda n: {"exclusiveMinimum": n}, st.sampled_from([-1, 0, 1])),
        st.builds(lambda n: {"exclusiveMaximum": n}, st.sampled_from([0, 1, 2])),
        st.builds(lambda n: {"multipleOf": n}, st.sampled_from([0.5, 1, 2, 3])),
        st.builds(lambda n: {"minLength": n}, small),
        st.builds(lambda n: {"maxLength": n}, small),
        st.builds(lambda p: {"pattern": p}, st.sampled_from(PATTERNS)),
        st.builds(lambda n: {"minItems": n}, small),
        st.builds(lambda n: {"maxItems": n}, small),
        st.just({"uniqueItems": True}),
        st.builds(lambda n: {"minProperties": n}, small),
        st.builds(lambda n: {"maxProperties": n}, small),
        st.builds(lambda k: {"required": k}, st.lists(keys, min_size=1, max_size=2, unique=True)),
        st.builds(
            lambda k: {"dependentRequired": k},
            st.dictionaries(keys, st.lists(keys, max_size=2, unique=True), max_size=2),
        ),
    )


def _merged(parts: list[dict[str, Any]]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for part in parts:
        merged.update(part)
    return merged


def _applicators(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    some = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        st.builds(lambda p: {"properties": p}, st.dictionaries(keys, inner, max_size=2)),
        st.builds(
            lambda p: {"patternProperties": p}, st.dictionaries(st.sampled_from(["^a", "b", "."]), inner, max_size=2)
        ),
        st.builds(lambda s: {"additionalProperties": s}, inner),
        st.builds(lambda s: {"propertyNames": s}, inner),
        st.builds(lambda s: {"items": s}, inner),
        st.builds(lambda s: {"prefixItems": s}, some),
        st.builds(lambda s: {"contains": s}, inner),
        st.builds(
            lambda s, low, more: {"contains": s, "minContains": low, "maxContains": low + more}, inner, small, small
        ),
        st.builds(lambda s: {"allOf": s}, some),
        st.builds(lambda s: {"anyOf": s}, some),
        st.builds(lambda s: {"oneOf": s}, some),
        st.builds(lambda s: {"not": s}, inner),
        st.builds(lambda i, t, e: {"if": i, "then": t, "else": e}, inner, inner, inner),
        st.builds(lambda s: {"dependentSchemas": s}, st.dictionaries(keys, inner, max_size=2)),
        st.builds(lambda s: {"unevaluatedProperties": s}, inner),
        st.builds(lambda s: {"unevaluatedItems": s}, inner),
    )


schemas: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.booleans(), st.builds(_merged, st.lists(_assertions(), max_size=3))),
    lambda inner: st.builds(
        lambda assertions, applicators: _merged([*assertions, *applicators]),
        st.lists(_assertions(), max_size=2),
        st.lists(_applicators(inner), min_size=1, max_size=2),
    ),
    max_leaves=5,
)


# -- of every dialect

_NAMES = st.sampled_from(["a", "b", "ab"])
_SCALARS = st.sampled_from([None, True, False, 0, 1, 1.0, 2, 1.5, 0.3, "", "a", "ab", "b", "é", "😀"])
values: st.SearchStrategy[JSON] = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=3),
    max_leaves=6,
)
_TYPES = st.sampled_from(["object", "array", "string", "number", "integer", "null", ["string", "array"]])
_D4, _D6, _D7, _D19, _D20 = Dialect


def _keywords(
    dialect: Dialect, inner: st.SearchStrategy[JSON], references: Sequence[str], dynamic: bool
) -> dict[str, st.SearchStrategy[JSON]]:
    several = st.lists(inner, min_size=1, max_size=2)
    named = st.dictionaries(_NAMES, inner, max_size=2)
    strings = st.lists(_NAMES, min_size=1, max_size=2, unique=True)
    found: dict[str, st.SearchStrategy[JSON]] = {
        "type": _TYPES,
        "enum": st.lists(values, min_size=1, max_size=3, unique_by=jsonvalue.freeze),
        "minimum": st.sampled_from([0, 1, 1.5]),
        "multipleOf": st.sampled_from([1, 0.5, 0.1, 2]),
        "maxLength": st.sampled_from([0, 1]),
        "pattern": st.sampled_from(["a", "^a$", "^[^a]", "b$", "^.$"]),
        "required": strings,
        "properties": named,
        "patternProperties": st.dictionaries(st.sampled_from(["^a", "b$"]), inner, max_size=2),
        "additionalProperties": inner,
        "maxProperties": st.sampled_from([0, 1]),
        "items": inner,
        "uniqueItems": st.booleans(),
        "allOf": several,
        "anyOf": several,
        "oneOf": several,
        "not": inner,
        "$ref": st.sampled_from(references),
    }
    if dialect is _D4:
        found["exclusiveMinimum"] = st.booleans()
    else:
        found |= {
            "const": values,
            "contains": inner,
            "propertyNames": inner,
            "exclusiveMinimum": st.sampled_from([0, 1]),
        }
    if dialect in {_D7, _D19, _D20}:
        found |= {"if": inner, "then": inner, "else": inner}
    if dialect is not _D20:
        found |= {"items": inner | several, "additionalItems": inner}
    if dialect in {_D4, _D6, _D7}:
        found["dependencies"] = st.dictionaries(_NAMES, inner | strings, max_size=2)
    else:
        found |= {
            "dependentSchemas": named,
            "dependentRequired": st.dictionaries(_NAMES, strings, max_size=1),
            "minContains": st.sampled_from([0, 2]),
            "maxContains": st.sampled_from([0, 1]),
            "unevaluatedProperties": inner,
            "unevaluatedItems": inner,
        }
    if dialect is _D20:
        found["prefixItems"] = several
    if dynamic and dialect is _D19:
        found["$recursiveRef"] = st.just("#")
    if dynamic and dialect is _D20:
        found["$dynamicRef"] = st.sampled_from(["#n", "#/definitions/d"])
    return found


def schemas_of(dialect: Dialect, references: Sequence[str], *, dynamic: bool = True) -> st.SearchStrategy[JSON]:
    """Schemas of one dialect with any of its keywords; the references are those given."""
    leaves: st.SearchStrategy[JSON] = st.sampled_from([{}, {"not": {}}]) if dialect is _D4 else st.booleans()

    def grow(inner: st.SearchStrategy[JSON]) -> st.SearchStrategy[JSON]:
        table = _keywords(dialect, inner, references, dynamic)
        chosen = st.lists(st.sampled_from(sorted(table)), min_size=1, max_size=4, unique=True)
        return chosen.flatmap(lambda names: st.fixed_dictionaries({name: table[name] for name in names}))

    return st.recursive(leaves, grow, max_leaves=8)

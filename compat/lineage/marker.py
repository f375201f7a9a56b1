"""The version marker: a constant of the instance that carries the version, and verdicts apart from it.

Every honest bump changes the marker, so as written two versions share no instance at all: true, and useless.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from compat.jsonvalue import JSON, dumps, equal, pointer, resolve, tokens
from compat.lineage.numbers import VersionNumber
from compat.lineage.origin import constant, is_marker_name, parsed, tagged

# What a marker keeps besides its values: everything that asserts nothing.
_ANNOTATIONS = frozenset(
    {"title", "description", "$comment", "default", "examples", "deprecated", "readOnly", "writeOnly"}
)
_BRANCHES = ("allOf", "anyOf", "oneOf")
_DEPTH = 4


@dataclass(frozen=True, slots=True)
class MarkerSite:
    """Where one schema carries its version: subschemas (`pointers`) of one root property, one constant in all."""

    name: str
    value: JSON
    number: VersionNumber
    pointers: tuple[str, ...]

    @property
    def instance_path(self) -> str:
        return pointer((self.name,))


@dataclass(frozen=True, slots=True)
class Marker:
    """A version tag that changed: the value on each side and the subschemas that hold it."""

    instance_path: str
    old: JSON
    new: JSON
    old_pointers: tuple[str, ...]
    new_pointers: tuple[str, ...]

    def __str__(self) -> str:
        return f"version tag {dumps(self.old)} → {dumps(self.new)}"


def find_marker(schema: object, *, number: VersionNumber | None = None, name: str | None = None) -> MarkerSite | None:
    """Find the constant that carries the version of a schema, at its root or in all branches of a root choice.

    A property counts by its name (`v`, `schema_version` …) or because its text ends in `number`, the number
    known from elsewhere. `name` is the configured property: look only there.
    """
    for site in _sites(schema):
        if name is not None:
            if site.name == name:
                return site
        elif is_marker_name(site.name) or (parsed(site.value) is None and number is not None and site.number == number):
            return site
    return None


def apart_from_marker(
    old: JSON,
    new: JSON,
    *,
    old_number: VersionNumber | None = None,
    new_number: VersionNumber | None = None,
    name: str | None = None,
) -> tuple[JSON, JSON, Marker | None]:
    """Give both schemas with the marker admitting either value, and the marker; unchanged ones where none changed."""
    before = find_marker(old, number=old_number, name=name)
    after = find_marker(new, number=new_number, name=before.name if before is not None else name)
    if before is None or after is None or equal(before.value, after.value):
        return old, new, None
    marker = Marker(before.instance_path, before.value, after.value, before.pointers, after.pointers)
    values = [before.value, after.value]
    return _widened(old, before.pointers, values), _widened(new, after.pointers, values), marker


def root_constants(schema: object) -> dict[str, JSON]:
    """Give the root properties that are one constant wherever the root holds them, with its value."""
    if not isinstance(schema, Mapping):
        return {}
    return {
        name: found[0][1]  # type: ignore[misc]
        for name, found in _constants(schema, schema, "", _DEPTH).items()
        if not isinstance(found[0][1], Mapping | list) and all(equal(found[0][1], other) for _, other in found)
    }


def _sites(schema: object) -> Iterator[MarkerSite]:
    """Yield every root property that is one version constant wherever the root holds it."""
    if not isinstance(schema, Mapping):
        return
    for name, found in _constants(schema, schema, "", _DEPTH).items():
        value = found[0][1]
        number = tagged(value)
        if number is not None and all(equal(value, other) for _, other in found):
            yield MarkerSite(name, value, number, tuple(dict.fromkeys(place for place, _ in found)))  # type: ignore[arg-type]


_Found = dict[str, list[tuple[str, object]]]


def _constants(root: Mapping[str, object], schema: object, at: str, depth: int) -> _Found:
    """Collect the constants that every instance of `schema` meets: of one conjunct, or of all alternatives."""
    found: _Found = {}
    if not isinstance(schema, Mapping) or depth < 0:
        return found
    properties = schema.get("properties")
    for name, sub in properties.items() if isinstance(properties, Mapping) else ():
        held = constant(sub)
        if held is not None:
            found[name] = [(at + pointer(("properties", name)), held[1])]
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/"):
        try:
            target = resolve(root, reference[1:])
        except (KeyError, IndexError):
            target = None
        _merge(found, _constants(root, target, reference[1:], depth - 1))
    for keyword in _BRANCHES:
        branches = schema.get(keyword)
        if not isinstance(branches, Sequence) or isinstance(branches, str) or not branches:
            continue
        each = [_constants(root, branch, f"{at}/{keyword}/{index}", depth - 1) for index, branch in enumerate(branches)]
        for name in list(dict.fromkeys(name for branch in each for name in branch)):
            if keyword == "allOf" or all(name in branch for branch in each):
                _merge(found, {name: [place for branch in each for place in branch.get(name, ())]})
    return found


def _merge(into: _Found, more: _Found) -> None:
    for name, places in more.items():
        into.setdefault(name, []).extend(places)


def _widened(schema: JSON, pointers: Sequence[str], values: Sequence[JSON]) -> JSON:
    for place in pointers:
        schema = _replaced(schema, tokens(place), values)
    return schema


def _replaced(value: JSON, path: Sequence[str], values: Sequence[JSON]) -> JSON:
    """Copy along one path; the last step becomes a plain choice of `values` that keeps its annotations."""
    if not path:
        kept = {key: item for key, item in value.items() if key in _ANNOTATIONS} if isinstance(value, Mapping) else {}
        return {**kept, "enum": list(values)}
    if isinstance(value, Mapping):
        return {key: _replaced(item, path[1:], values) if key == path[0] else item for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_replaced(item, path[1:], values) if str(i) == path[0] else item for i, item in enumerate(value)]
    return value

"""Which version a record of a mixed stream was written under, told by what the record says about itself."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

from compat.jsonvalue import JSON, freeze
from compat.lineage.origin import constant


@dataclass(frozen=True, slots=True)
class Target:
    """A version of a lineage; `constants` are the properties that every record of it carries, frozen."""

    lineage: str
    version: str
    constants: Mapping[str, Hashable]
    identifier: str | None = None


def target(lineage: str, version: str, schema: JSON) -> Target:
    """Read off a schema how its records name it: root constants such as `schema`, `v` and `type`, and its `$id`."""
    held: dict[str, Hashable] = {}
    identifier = None
    if isinstance(schema, Mapping):
        properties = schema.get("properties")
        for name, sub in properties.items() if isinstance(properties, Mapping) else ():
            found = constant(sub)
            if found is not None:
                held[name] = freeze(found[1])
        stated = schema.get("$id", schema.get("id"))
        identifier = stated.removesuffix("#") if isinstance(stated, str) else None
    return Target(lineage, version, held, identifier)


class Router:
    """Finds the version of each record; versions are given oldest first."""

    def __init__(self, targets: Iterable[Target]) -> None:
        self._targets = tuple(targets)
        self._by_identifier = {found.identifier: found for found in self._targets if found.identifier}

    def route(self, value: JSON) -> Target | None:
        """Give the version a record names: by `$schema`, else by its constants; None where it names none, or two.

        Of versions of one lineage that share their constants the newest counts: a reader routes by number, so
        everything stored under the number must be valid there.
        """
        if not isinstance(value, Mapping):
            return None
        named = value.get("$schema")
        if isinstance(named, str) and named.removesuffix("#") in self._by_identifier:
            return self._by_identifier[named.removesuffix("#")]
        frozen = {name: freeze(item) for name, item in value.items() if not isinstance(item, dict | list)}
        best: Target | None = None
        ambiguous = False
        for found in self._targets:
            if not found.constants or any(frozen.get(name) != held for name, held in found.constants.items()):
                continue
            if best is None or len(found.constants) > len(best.constants):
                best, ambiguous = found, False
            elif len(found.constants) == len(best.constants):
                ambiguous = ambiguous or found.lineage != best.lineage
                best = found
        return None if ambiguous else best

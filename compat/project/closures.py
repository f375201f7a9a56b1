"""What a schema means together with the files it refers to, as far as telling one state from another needs it.

A shared file that changes often gives each of many schemas a new state. Which files a schema reaches is found once for
each of its own texts; as long as its references lead to the same files and these lead no further, only their contents
can have changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import unquote

from compat.errors import CompatError
from compat.jsonvalue import JSON, resolve
from compat.model import uris
from compat.model.document import Document
from compat.model.references import SchemaSet
from compat.project.moment import Moment
from compat.project.scanning import path_of

_DYNAMIC = frozenset({"$dynamicRef", "$recursiveRef"})


@dataclass(frozen=True, slots=True)
class Closure:
    """The identity of a schema with all it refers to, and the paths of the other files it reaches."""

    identity: str
    shared: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Plan:
    """How the closure of one text follows from the contents of the files it reaches.

    `targets` are the URIs it refers to with the path each leads to and the places in that file.
    """

    head: str
    digest: str
    files: tuple[tuple[str, str | None, str], ...]
    targets: tuple[tuple[str, str, tuple[str, ...]], ...]


class Closures:
    """The closures of schemas at moments, each found once; `known` are those of commits, by commit and path."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, str], Closure] = {}
        self._plans: dict[tuple[str, str], _Plan | None] = {}
        self._values: dict[str, JSON] = {}

    def of(self, moment: Moment, path: str) -> Closure:
        """Give the closure of a file; CompatError where the file itself cannot be read."""
        if moment.revision is None:
            return self._made(moment, path)
        key = (moment.revision, path)
        if key not in self.known:
            self.known[key] = self._made(moment, path)
        return self.known[key]

    def _made(self, moment: Moment, path: str) -> Closure:
        facts = moment.facts(path)
        if facts.closed:
            return Closure(facts.digest)
        key = (moment.snapshot.entry(path).oid, path)
        plan = self._plans.get(key)
        if plan is not None and (planned := self._planned(plan, moment)) is not None:
            return planned
        document = moment.document(path)
        try:
            schemas = moment.schema_set(path)
            documents = schemas.documents()
        except CompatError:
            return Closure(document.digest)
        files = [(other, schemas.root_of(other).base_uri) for other in documents[1:]]
        closure = Closure(
            _identity(_head(schemas), document.digest, [(other.digest, uri) for other, uri in files]),
            frozenset(place for other, _ in files if (place := path_of(other.uri)) is not None),
        )
        if key not in self._plans:
            self._plans[key] = self._plan(moment, schemas, files)
        return closure

    def _plan(self, moment: Moment, schemas: SchemaSet, files: list[tuple[Document, str]]) -> _Plan | None:
        root = schemas.root
        seen = root.document.glance
        if root.pointer or seen.identifiers or any(name in seen.keys for name in _DYNAMIC):
            return None
        told: list[tuple[str, str | None, str]] = []
        for document, uri in files:
            path = path_of(document.uri)
            if path is None or document.glance.identifiers or not moment.facts(path).closed:
                return None
            told.append((path, moment.facts(path).identifier, uri))
        targets: dict[tuple[str, str], list[str]] = {}
        for reference in seen.references:
            if reference[:1] == "#":
                continue
            uri, fragment = uris.split(uris.join(root.base_uri, reference))
            path = moment.path_of(uri)
            pointer = unquote(fragment)
            if path is None or (pointer and pointer[0] != "/"):
                return None
            targets.setdefault((uri, path), []).append(pointer)
        # A reference that is never applied leads to a file that is not reached.
        if {path for _, path in targets} != {path for path, _, _ in told}:
            return None
        led = tuple((uri, path, tuple(pointers)) for (uri, path), pointers in targets.items())
        return _Plan(_head(schemas), root.document.digest, tuple(told), led)

    def _planned(self, plan: _Plan, moment: Moment) -> Closure | None:
        contents: list[tuple[str, str]] = []
        for path, identifier, uri in plan.files:
            facts = moment.facts(path) if path in moment.snapshot else None
            if facts is None or not facts.closed or facts.identifier != identifier:
                return None
            contents.append((facts.digest, uri))
        for uri, path, pointers in plan.targets:
            if moment.path_of(uri) != path or not all(self._leads(moment, path, pointer) for pointer in pointers):
                return None
        paths = frozenset(path for path, _, _ in plan.files)
        return Closure(_identity(plan.head, plan.digest, contents), paths)

    def _leads(self, moment: Moment, path: str, pointer: str) -> bool:
        """Whether a place in a file is a schema."""
        if not pointer:
            return True
        oid = moment.snapshot.entry(path).oid
        if oid not in self._values:
            self._values[oid] = moment.document(path).value
        try:
            return isinstance(resolve(self._values[oid], pointer), Mapping | bool)
        except (KeyError, IndexError, ValueError):
            return False


def _head(schemas: SchemaSet) -> str:
    return f"{schemas.dialect} {' '.join(sorted(schemas.root.vocabularies or ()))}"


def _identity(head: str, digest: str, files: list[tuple[str, str]]) -> str:
    rows = [head, digest, *(f"{content} {uri}" for content, uri in files)]
    return "sha256:" + sha256("\n".join(rows).encode("utf-8", "surrogatepass")).hexdigest()

"""What a schema means together with the files it refers to, as far as telling one state from another needs it.

A shared file that changes often gives each of many schemas a new state. Where references lead to files that lead no
further, which is usual, the facts of the contents are enough; else all references are followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from urllib.parse import unquote

from compat.errors import CompatError, SourceError
from compat.jsonvalue import resolve
from compat.model import uris
from compat.model.check import check
from compat.model.references import SchemaSet
from compat.project.facts import Facts, stays
from compat.project.identifiers import absolute
from compat.project.moment import Moment
from compat.project.scanning import path_of


@dataclass(frozen=True, slots=True)
class Closure:
    """The identity of a schema with all it refers to, and the paths of the other files it reaches.

    It is not `whole` where a reference cannot be followed; then it is the identity of the text alone.
    """

    identity: str
    shared: frozenset[str] = frozenset()
    whole: bool = True


class Closures:
    """The closures of schemas at moments, each found once; `known` are those of commits, by commit and path.

    `faults` say what makes a schema none, by the identity of its closure; empty where it is one.
    """

    def __init__(self) -> None:
        self.known: dict[tuple[str, str], Closure] = {}
        self.faults: dict[str, str] = {}
        self._ends: dict[tuple[str, str], bool] = {}

    def of(self, moment: Moment, path: str) -> Closure:
        """Give the closure of a file; CompatError where the file itself cannot be read."""
        if moment.revision is None:
            return self._made(moment, path)
        key = (moment.revision, path)
        if key not in self.known:
            self.known[key] = self._made(moment, path)
        return self.known[key]

    def fault(self, moment: Moment, path: str) -> str:
        """Say what makes a file no schema; empty where it is one."""
        try:
            closure = self.of(moment, path)
            if closure.whole and closure.identity in self.faults:
                return self.faults[closure.identity]
        except CompatError as error:
            return error.message
        fault = ""
        try:
            check(moment.schema_set(path))
        except SourceError as error:
            return error.message  # it may be here the next time
        except CompatError as error:
            fault = error.message
        if closure.whole:
            self.faults[closure.identity] = fault
        return fault

    def _made(self, moment: Moment, path: str) -> Closure:
        facts = moment.facts(path)
        end = moment.snapshot.entry(path).path
        if end != path:
            closure = self._of_facts(facts, moment, path)
            return replace(closure, shared=closure.shared | {end})
        return self._of_facts(facts, moment, path)

    def _of_facts(self, facts: Facts, moment: Moment, path: str) -> Closure:
        if facts.closed:
            return Closure(facts.digest)
        if facts.leads is not None and (found := self._by_facts(facts, moment, path)) is not None:
            return found
        document = moment.document(path)
        try:
            schemas = moment.schema_set(path)
            documents = schemas.documents()[1:]
        except CompatError:
            return Closure(document.digest, whole=False)
        plain = all(stays(one.value) and not one.glance.identifiers for one in (document, *documents))
        head = "" if plain else "\n".join(_parts(schemas))
        contents = [f"{other.digest} {schemas.root_of(other).base_uri}" for other in documents]
        paths = {place for other in documents if (place := path_of(other.uri)) is not None}
        # One that is not there yet may come.
        base = absolute(path, facts.identifier or "")
        paths |= {
            place for lead in facts.leads or () if (place := path_of(uris.split(uris.join(base, lead))[0])) is not None
        }
        return Closure(_identity(head, document.digest, contents), frozenset(paths))

    def _by_facts(self, facts: Facts, moment: Moment, path: str) -> Closure | None:
        """Follow the references of a schema by URI alone; None where they have to be followed in earnest."""
        base = absolute(path, facts.identifier or "")
        found: dict[str, str] = {}
        for reference in facts.leads or ():
            uri, fragment = uris.split(uris.join(base, reference))
            try:
                target = moment.path_of(uri)
                there = None if target is None else moment.facts(target)
            except CompatError:
                return None
            if target is None or target == path or there is None or not there.closed:
                return None
            if not self._is_end(moment, target, unquote(fragment)):
                return None
            found[target] = f"{there.digest} {absolute(target, there.identifier or '')}"
        return Closure(_identity("", facts.digest, found.values()), frozenset(found))

    def _is_end(self, moment: Moment, path: str, pointer: str) -> bool:
        """Whether a place in a file is a schema that belongs to the root of the file and to nothing else in it."""
        key = (moment.snapshot.entry(path).oid, pointer)
        if key not in self._ends:
            document = moment.document(path)
            try:
                held = resolve(document.value, pointer)
            except (KeyError, IndexError, ValueError):
                held = None
            self._ends[key] = isinstance(held, dict | bool) and not document.glance.identifiers
        return self._ends[key]


def _parts(schemas: SchemaSet) -> Iterator[str]:
    """Yield what decides how the parts of a schema are read; a meta-schema of the user's own may change it."""
    parts = (sub for sub, _ in schemas.reached() if sub.is_resource)
    yield from sorted({f"{sub.base_uri} {sub.dialect} {sorted(sub.vocabularies or ())}" for sub in parts})


def _identity(head: str, digest: str, files: Iterable[str]) -> str:
    return "sha256:" + sha256("\n".join([head, digest, *sorted(files)]).encode("utf-8", "surrogatepass")).hexdigest()

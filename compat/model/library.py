"""Which documents there are and what each schema in them is called: the registry behind a schema set.

`referencing` keeps and crawls it. Its resources hold located subschemas instead of bare values, so that whatever is
found by a URI is found with its document and pointer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TypeAlias

from referencing import Anchor, Registry, Resource, Specification
from referencing.exceptions import NoSuchResource, Unresolvable
from referencing.typing import Anchor as AnchorType

from compat import jsonvalue
from compat.errors import CompatError, DialectError, ReferenceError
from compat.jsonvalue import JSON
from compat.model import metaschemas, uris
from compat.model.dialects import Dialect, dialect_of, standard
from compat.model.document import Document, document_of
from compat.model.keywords import Applies, subschemas
from compat.model.subschema import Subschema, anchors, identifier

# The registry joins URIs by rules of its own; behind an opaque scheme it takes ours as they are.
_KEY = "at:"

Retrieve: TypeAlias = Callable[[str], Document | None]


class Library:
    """The documents that a root document can reach, loaded when they are asked for."""

    def __init__(
        self,
        document: Document,
        *,
        default: Dialect | None,
        resources: Mapping[str, JSON],
        retrieve: Retrieve | None,
        dialects: Mapping[str, Dialect],
    ) -> None:
        self.default = default
        self._inherited = default
        self.resources = resources
        self.retrieve = retrieve
        self.dialects = dialects
        self.notes: list[str] = []
        self._main = document
        self.roots: dict[Document, Subschema] = {}
        self._loaded: dict[str, Document | None] = {}
        self._failed: dict[str, CompatError] = {}
        self._claims: dict[str, Subschema] = {}
        self._contested: dict[str, tuple[Subschema, Subschema]] = {}
        self._embedded: dict[int, Subschema] = {}
        self._registry: Registry[Subschema] | None = None
        self._all_given = False
        self._top = self._root_of(document, document.uri)
        # A file that does not say otherwise is in the dialect of the one that refers to it.
        self._inherited = default or self._top.dialect

    # -- schemas in a document ----------------------------------------------------------------------------------------

    def children(self, sub: Subschema) -> Iterator[tuple[tuple[str | int, ...], Applies, Subschema]]:
        """Yield every direct subschema with the tokens that lead to it and what it applies to."""
        for tokens, applies, value in subschemas(sub.value, sub.dialect):
            yield tokens, applies, self.enter(sub, value, sub.pointer + jsonvalue.pointer(tokens))

    def enter(self, sub: Subschema, value: JSON, pointer: str) -> Subschema:
        """Locate a value below a schema as a schema of its own."""
        if isinstance(value, dict) and ("$id" in value or "id" in value):
            known = self._embedded.get(id(value))
            if known is not None and known.pointer == pointer and known.document is sub.document:
                return known
            dialect, vocabularies = sub.dialect, sub.vocabularies
            if isinstance(value.get("$schema"), str):
                dialect, vocabularies = self._dialect(sub.document, pointer, value, sub.dialect)
            stated_id = identifier(value, dialect)
            if stated_id is not None:
                base = uris.join(sub.base_uri, stated_id).removesuffix("#")
                return Subschema(value, sub.document, pointer, base, dialect, pointer, vocabularies)
        return Subschema(value, sub.document, pointer, sub.base_uri, sub.dialect, sub.resource, sub.vocabularies)

    def _dialect(
        self, document: Document, pointer: str, value: JSON, default: Dialect | None
    ) -> tuple[Dialect, frozenset[str] | None]:
        try:
            dialect, note = dialect_of(value, default, self._metaschema, self.dialects)
        except DialectError as error:
            error.place = error.place or document.place(f"{pointer}/$schema")
            raise
        if note is not None:
            self._note(document, note)
        stated = value.get("$schema") if isinstance(value, dict) else None
        if not isinstance(stated, str) or standard(stated) is not None:
            return dialect, None
        found = self._metaschema(stated)
        vocabulary = found.get("$vocabulary") if isinstance(found, dict) else None
        return dialect, frozenset(vocabulary) if isinstance(vocabulary, dict) else None

    def _note(self, document: Document, note: str) -> None:
        self.notes.append(note if document is self._main else f"{document.name}: {note}")

    def _metaschema(self, uri: str) -> JSON:
        document = self._document(uri.removesuffix("#"))
        return None if document is None else document.value

    def _root_of(self, document: Document, uri: str) -> Subschema:
        known = self.roots.get(document)
        if known is None:
            dialect, vocabularies = self._dialect(document, "", document.value, self._inherited)
            stated_id = identifier(document.value, dialect)
            base = uri if stated_id is None else uris.join(uri, stated_id)
            known = Subschema(document.value, document, "", base.removesuffix("#"), dialect, "", vocabularies)
            self.roots[document] = known
            for note in document.notes:
                self._note(document, note)
        return known

    # -- the registry -------------------------------------------------------------------------------------------------

    def find(self, uri: str) -> Subschema | None:
        """Give the resource of a URI, or None; ReferenceError where two own it."""
        found = self._find(uri)
        if found is None and not self._all_given:
            # A resource may be known by another URI than the one it was given under.
            self._all_given = True
            for given in self.resources:
                self._find(given)
            found = self._find(uri)
        if uri in self._contested:
            one, other = self._contested[uri]
            raise ReferenceError(
                f"{uri} is ambiguous: {one.document.place(one.pointer)} and {other.document.place(other.pointer)} "
                "both own it",
                hint="Give each schema an identifier of its own.",
            )
        return found

    def _find(self, uri: str) -> Subschema | None:
        try:
            retrieved = self._registered().get_or_retrieve(_key(uri))
        except NoSuchResource:
            if uri in self._failed:
                raise self._failed[uri] from None
            return None
        # Crawled at once, so that what the new file claims is known before anything in it is used.
        self._registry = retrieved.registry.crawl()
        return retrieved.value.contents

    def anchor(self, start: Subschema, name: str) -> Subschema | None:
        """Give the schema of that plain name in a resource, or None."""
        try:
            anchor = self._registered().anchor(_key(start.base_uri), name).value
        except (NoSuchResource, Unresolvable):
            return None
        assert isinstance(anchor, Anchor)
        found: Subschema = anchor.resource.contents
        return found

    def scoped(self, scope: tuple[str, ...]) -> Iterator[Subschema]:
        """Yield the resources that the URIs of a dynamic scope name."""
        registry = self._registered()
        for uri in scope:
            resource = registry.get(_key(uri))
            if resource is not None:
                yield resource.contents

    def claimed(self) -> Iterator[Subschema]:
        """Yield every resource known so far, in the order of their URIs."""
        self._registered()
        return iter([self._claims[uri] for uri in sorted(self._claims)])

    def embedded(self, value: JSON) -> Subschema | None:
        """Give the resource whose root is this very object, in any document reached so far."""
        self._registered()
        return self._embedded.get(id(value))

    def _registered(self) -> Registry[Subschema]:
        if self._registry is None:
            empty: Registry[Subschema] = Registry(retrieve=self._retrieve_resource)  # type: ignore[call-arg]
            resource = self._specification.create_resource(self._top)
            self._registry = empty.with_resource(_key(self._top.document.uri), resource).crawl()
        return self._registry

    @cached_property
    def _specification(self) -> Specification[Subschema]:
        # One specification serves every dialect, because each subschema brings its own.
        return Specification(  # type: ignore[call-arg]
            name="located subschemas",
            id_of=lambda sub: _key(sub.base_uri) if sub.is_resource else None,
            subresources_of=lambda sub: [child for _, _, child in self.children(sub)],
            anchors_in=self._anchors_in,
            maybe_in_subresource=lambda segments, resolver, subresource: resolver,
        )

    def _anchors_in(self, specification: Specification[Subschema], sub: Subschema) -> Iterator[AnchorType[Subschema]]:
        # The crawl passes every schema through here once, so this is where claims on a URI meet.
        if sub.is_resource:
            self._claim(sub)
        for name in anchors(sub):
            yield Anchor(name=name, resource=specification.create_resource(sub))  # type: ignore[call-arg]

    def _claim(self, sub: Subschema) -> None:
        self._embedded.setdefault(id(sub.value), sub)
        owner = self._claims.setdefault(sub.base_uri, sub)
        if owner.value is not sub.value and not jsonvalue.equal(owner.value, sub.value):
            self._contested.setdefault(sub.base_uri, (owner, sub))

    def _retrieve_resource(self, key: str) -> Resource[Subschema]:
        uri = key.removeprefix(_KEY)
        try:
            document = self._document(uri)
            root = None if document is None else self._root_of(document, uri)
        except CompatError as error:
            # The registry would wrap it; `find` finds it again and raises it as it is.
            self._failed[uri] = error
            raise NoSuchResource(ref=uri) from None  # type: ignore[call-arg]
        if root is None:
            raise NoSuchResource(ref=uri)  # type: ignore[call-arg]
        return self._specification.create_resource(root)

    def _document(self, uri: str) -> Document | None:
        if uri not in self._loaded:
            self._loaded[uri] = self._load(uri)
        return self._loaded[uri]

    def _load(self, uri: str) -> Document | None:
        for spelling in (uri, f"{uri}#"):
            if spelling in self.resources:
                given = self.resources[spelling]
                return replace(document_of(given, name=uri), uri=uri) if not isinstance(given, Document) else given
        known = metaschemas.document(uri)
        if known is None and self.retrieve is not None:
            known = self.retrieve(uri)
        return known


def _key(uri: str) -> str:
    return _KEY + uri

"""A schema closed under its references: subschemas with the document, pointer, base URI and dialect they stand in.

References into the same resource are followed by pointer alone. Only one that leaves it, or that names an anchor,
builds the registry; so a schema that refers to itself by `#/$defs/x` costs nothing before it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from typing import Literal, TypeAlias
from urllib.parse import unquote

from referencing import Anchor, Registry, Resource, Specification
from referencing.exceptions import NoSuchResource, Unresolvable
from referencing.typing import Anchor as AnchorType

from compat import jsonvalue
from compat.errors import CompatError, ReferenceError, UnresolvedReference
from compat.jsonvalue import JSON
from compat.model import metaschemas, uris
from compat.model.dialects import Dialect, dialect_of, standard
from compat.model.document import Document, document_of
from compat.model.keywords import Applies, steps, subschemas
from compat.model.subschema import Subschema, anchors, identifier, recursive, references_in

# The registry joins URIs by rules of its own; behind an opaque scheme it takes ours as they are.
_KEY = "at:"

__all__ = ["Retrieve", "SchemaSet", "Subschema", "UnresolvedReference", "check_schema", "references_in", "schema_set"]

Retrieve: TypeAlias = Callable[[str], Document | None]
DynamicKeyword: TypeAlias = Literal["$dynamicRef", "$recursiveRef"]


class SchemaSet:
    """A root schema and everything it can refer to; made by `schema_set`."""

    def __init__(
        self,
        document: Document,
        *,
        at: str,
        dialect: Dialect | None,
        resources: Mapping[str, JSON],
        retrieve: Retrieve | None,
    ) -> None:
        self._default = dialect
        self._resources = resources
        self._retrieve = retrieve
        self._notes: list[str] = list(document.notes)
        self._roots: dict[Document, Subschema] = {}
        self._loaded: dict[str, Document | None] = {}
        self._resolved: dict[tuple[Document, str, str], Subschema] = {}
        self._claims: dict[str, Subschema] = {}
        self._contested: dict[str, tuple[Subschema, Subschema]] = {}
        self._failed: dict[str, CompatError] = {}
        self._embedded: dict[int, Subschema] = {}
        self._registry: Registry[Subschema] | None = None
        top = self._root_of(document, document.uri)
        self.root = top if not at else self._walk(top, jsonvalue.tokens(at), f"#{at}")
        self.dialect = self.root.dialect

    @property
    def notes(self) -> tuple[str, ...]:
        """What was read otherwise than written, in the root and in the files reached so far."""
        return tuple(dict.fromkeys(self._notes))

    # -- going down -----------------------------------------------------------------------------------------------

    def child(self, sub: Subschema, *tokens: str | int) -> Subschema:
        """Go down to a subschema; its own identifier and `$schema` change the base URI and the dialect.

        The tokens lead from a schema to one of its direct subschemas, such as `("properties", "name")`.
        """
        value: JSON = sub.value
        for token in tokens:
            value = value[token]  # type: ignore[index]
        return self._enter(sub, value, sub.pointer + jsonvalue.pointer(tokens))

    def children(self, sub: Subschema) -> Iterator[tuple[tuple[str | int, ...], Applies, Subschema]]:
        """Yield every direct subschema with the tokens that lead to it and what it applies to."""
        for tokens, applies, value in subschemas(sub.value, sub.dialect):
            yield tokens, applies, self._enter(sub, value, sub.pointer + jsonvalue.pointer(tokens))

    def _enter(self, sub: Subschema, value: JSON, pointer: str) -> Subschema:
        if isinstance(value, dict) and ("$id" in value or "id" in value):
            known = self._embedded.get(id(value))
            if known is not None and known.pointer == pointer and known.document is sub.document:
                return known
            dialect, vocabularies = sub.dialect, sub.vocabularies
            if isinstance(value.get("$schema"), str):
                dialect, vocabularies = self._dialect(value, sub.dialect)
            stated_id = identifier(value, dialect)
            if stated_id is not None:
                base = uris.join(sub.base_uri, stated_id).removesuffix("#")
                return Subschema(value, sub.document, pointer, base, dialect, pointer, vocabularies)
        return Subschema(value, sub.document, pointer, sub.base_uri, sub.dialect, sub.resource, sub.vocabularies)

    def _dialect(self, value: JSON, default: Dialect | None) -> tuple[Dialect, frozenset[str] | None]:
        dialect, note = dialect_of(value, default, self._metaschema)
        if note is not None:
            self._notes.append(note)
        stated = value.get("$schema") if isinstance(value, dict) else None
        if not isinstance(stated, str) or standard(stated) is not None:
            return dialect, None
        found = self._metaschema(stated)
        vocabulary = found.get("$vocabulary") if isinstance(found, dict) else None
        return dialect, frozenset(vocabulary) if isinstance(vocabulary, dict) else None

    def _metaschema(self, uri: str) -> JSON:
        document = self._document(uri.removesuffix("#"))
        return None if document is None else document.value

    def _root_of(self, document: Document, uri: str) -> Subschema:
        known = self._roots.get(document)
        if known is None:
            dialect, vocabularies = self._dialect(document.value, self._default)
            stated_id = identifier(document.value, dialect)
            base = uri if stated_id is None else uris.join(uri, stated_id)
            known = Subschema(document.value, document, "", base.removesuffix("#"), dialect, "", vocabularies)
            self._roots[document] = known
        return known

    # -- references -----------------------------------------------------------------------------------------------

    def resolve(self, sub: Subschema, ref: str) -> Subschema:
        """Follow a reference that stands in `sub`; UnresolvedReference carries the URI of what nobody has.

        Any other ReferenceError says that the reference must not be followed, or leads to no schema.
        """
        key = (sub.document, sub.resource, ref)
        found = self._resolved.get(key)
        if found is None:
            found = self._resolved[key] = self._follow(sub, ref)
        return found

    def _follow(self, sub: Subschema, ref: str) -> Subschema:
        try:
            if ref[:1] != "#":
                uris.refuse_outside(sub.base_uri, ref)
            target, fragment = uris.split(uris.join(sub.base_uri, ref))
            plain = unquote(fragment)
            if target == uris.split(sub.base_uri)[0] and (not plain or plain[0] == "/"):
                start = self._resource_root(sub)
            else:
                start = self._lookup(target, ref)
            if not plain:
                return start
            if plain[0] != "/":
                return self._anchor(start, plain, ref)
            return self._walk(start, jsonvalue.tokens(plain), ref)
        except ReferenceError as error:
            # The place of the reference is the keyword; which of the three it is, the value tells.
            if error.place is None:
                error.place = sub.document.place(sub.pointer + _keyword_of(sub.value, ref))
            raise

    def top(self, sub: Subschema) -> Subschema:
        """Give the root of the document that a subschema stands in."""
        return self._roots[sub.document]

    def _resource_root(self, sub: Subschema) -> Subschema:
        if sub.is_resource:
            return sub
        top = self._roots[sub.document]
        return top if not sub.resource else self._walk(top, jsonvalue.tokens(sub.resource), f"#{sub.resource}")

    def _walk(self, start: Subschema, tokens: tuple[str, ...], ref: str) -> Subschema:
        sub, at = start, 0
        try:
            while at < len(tokens):
                count = steps(sub.value, tokens[at:], sub.dialect) or len(tokens) - at
                value: object = sub.value
                for token in tokens[at : at + count]:
                    value = jsonvalue.step(value, token)
                sub = self._enter(sub, value, sub.pointer + jsonvalue.pointer(tokens[at : at + count]))  # type: ignore[arg-type]
                at += count
        except (KeyError, IndexError):
            uri = f"{start.base_uri}#{jsonvalue.pointer(tokens)}"
            raise UnresolvedReference(f'$ref "{ref}" leads nowhere: {uri} does not exist', uri=uri) from None
        if not isinstance(sub.value, dict | bool):
            raise ReferenceError(f'$ref "{ref}" leads to a value that is no schema')
        return sub

    def _lookup(self, uri: str, ref: str) -> Subschema:
        try:
            retrieved = self._registered().get_or_retrieve(_key(uri))
        except NoSuchResource:
            if uri in self._failed:
                raise self._failed[uri] from None
            raise UnresolvedReference(
                f'$ref "{ref}" leads to {uri or "a document without a URI"}, which is not here',
                uri=uri,
                hint="Nothing is fetched; give the schema as a resource, or keep it in the repository.",
            ) from None
        # Crawled at once, so that what the new file claims is known before anything in it is used.
        self._registry = retrieved.registry.crawl()
        if uri in self._contested:
            one, other = self._contested[uri]
            raise ReferenceError(
                f'$ref "{ref}" is ambiguous: {one.document.place(one.pointer)} and '
                f"{other.document.place(other.pointer)} both own {uri}",
                hint="Give each schema an identifier of its own.",
            )
        return retrieved.value.contents

    def _anchor(self, start: Subschema, name: str, ref: str) -> Subschema:
        try:
            anchor = self._registered().anchor(_key(start.base_uri), name).value
        except (NoSuchResource, Unresolvable):
            uri = f"{start.base_uri}#{name}"
            raise UnresolvedReference(f'$ref "{ref}" names no anchor: {uri} does not exist', uri=uri) from None
        assert isinstance(anchor, Anchor)
        found: Subschema = anchor.resource.contents
        return found

    def resolve_dynamic(self, sub: Subschema, keyword: DynamicKeyword, ref: str, scope: tuple[str, ...]) -> Subschema:
        """Follow `$dynamicRef` or `$recursiveRef`; `scope` holds the base URIs passed on the way, outermost first."""
        # 2019-09 knows no other `$recursiveRef` than "#" (core §8.2.4.2), and validators read every one as that.
        first = self.resolve(sub, ref if keyword == "$dynamicRef" else "#")
        if keyword == "$recursiveRef":
            if not recursive(first):
                return first
            return next((root for root in self._scoped(scope) if recursive(root)), first)
        name = unquote(uris.split(ref)[1])
        # Only a reference that lands on a dynamic anchor is dynamic (2020-12 core §8.2.3.2).
        if not name or name[0] == "/" or not isinstance(first.value, dict) or first.value.get("$dynamicAnchor") != name:
            return first
        for root in self._scoped(scope):
            try:
                found = self._anchor(root, name, ref)
            except UnresolvedReference:
                continue
            if isinstance(found.value, dict) and found.value.get("$dynamicAnchor") == name:
                return found
        return first

    def _scoped(self, scope: tuple[str, ...]) -> Iterator[Subschema]:
        registry = self._registered()
        for uri in scope:
            resource = registry.get(_key(uri))
            if resource is not None:
                yield resource.contents

    def embedded(self, value: JSON) -> Subschema | None:
        """Give the resource whose root is this very object, in any document reached so far."""
        self._registered()
        return self._embedded.get(id(value))

    # -- the registry ---------------------------------------------------------------------------------------------

    def _registered(self) -> Registry[Subschema]:
        if self._registry is None:
            top = self._roots[self.root.document]
            empty: Registry[Subschema] = Registry(retrieve=self._retrieve_resource)  # type: ignore[call-arg]
            resource = self._specification.create_resource(top)
            self._registry = empty.with_resource(_key(top.document.uri), resource).crawl()
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
        except CompatError as error:
            # The registry would wrap it; `_lookup` finds it again and raises it as it is.
            self._failed[uri] = error
            raise NoSuchResource(ref=uri) from None  # type: ignore[call-arg]
        if document is None:
            raise NoSuchResource(ref=uri)  # type: ignore[call-arg]
        return self._specification.create_resource(self._root_of(document, uri))

    def _document(self, uri: str) -> Document | None:
        if uri not in self._loaded:
            self._loaded[uri] = self._load(uri)
        return self._loaded[uri]

    def _load(self, uri: str) -> Document | None:
        for spelling in (uri, f"{uri}#"):
            if spelling in self._resources:
                given = self._resources[spelling]
                return replace(document_of(given, name=uri), uri=uri) if not isinstance(given, Document) else given
        known = metaschemas.document(uri)
        if known is None and self._retrieve is not None:
            known = self._retrieve(uri)
        return known

    # -- what was reached -----------------------------------------------------------------------------------------

    def reached(self) -> Iterator[tuple[Subschema, str | None]]:
        """Yield every schema that the root applies or refers to, with the reference that led there, each place once.

        References that lead nowhere are passed over.
        """
        seen: set[tuple[Document, str]] = set()
        stack: list[tuple[Subschema, str | None]] = [(self.root, None)]
        while stack:
            sub, ref = stack.pop()
            place = (sub.document, sub.pointer)
            if place in seen:
                continue
            seen.add(place)
            yield sub, ref
            below: list[tuple[Subschema, str | None]] = [
                (child, None) for _, applies, child in self.children(sub) if applies is not Applies.NOWHERE
            ]
            for keyword, target in references_in(sub.value, sub.dialect):
                try:
                    below.append((self.resolve(sub, target), target))
                    if keyword != "$ref":
                        below.extend((other, target) for other in self._dynamic_targets(sub, target))
                except UnresolvedReference:
                    continue
            stack.extend(reversed(below))

    def _dynamic_targets(self, sub: Subschema, ref: str) -> Iterator[Subschema]:
        name = unquote(uris.split(ref)[1])
        for uri in sorted(self._claims):
            root = self._claims[uri]
            if not name and recursive(root):
                yield root
            elif name and name[0] != "/":
                try:
                    yield self._anchor(root, name, ref)
                except UnresolvedReference:
                    continue

    def documents(self) -> tuple[Document, ...]:
        """Give the root's document, then every other one that its references reach, in the order they are met."""
        return tuple(dict.fromkeys((self.root.document, *(sub.document for sub, _ in self.reached()))))

    def root_of(self, document: Document) -> Subschema:
        """Give the schema at the top of a document that was reached."""
        return self._roots[document]

    def replaced(self, value: JSON) -> SchemaSet:
        """Give a set whose root document has another value, with the same name, positions and surroundings."""
        return SchemaSet(
            self.root.document.replaced(value),
            at=self.root.pointer,
            dialect=self._default,
            resources=self._resources,
            retrieve=self._retrieve,
        )

    def closed_digest(self) -> str:
        """Give the identity of the whole: dialect, root, and the content of every file its references reach."""
        whole = sha256(f"{self.dialect}\n{self.root.pointer}\n".encode())
        for document in self.documents():
            uri = self._roots[document].base_uri if document is not self.root.document else ""
            whole.update(f"{document.digest} {uri}\n".encode("utf-8", "surrogatepass"))
        return "sha256:" + whole.hexdigest()


def schema_set(
    root: Document | JSON,
    *,
    at: str = "",
    dialect: Dialect | None = None,
    resources: Mapping[str, JSON] | None = None,
    retrieve: Retrieve | None = None,
) -> SchemaSet:
    """Close a schema under its references; nothing is followed before it is asked for.

    `at` is the JSON Pointer of the schema in its document, `dialect` what holds where no `$schema` says otherwise,
    `resources` maps URIs to schemas, and `retrieve` gives the document of a URI at the same revision, or None.
    """
    return SchemaSet(document_of(root), at=at, dialect=dialect, resources=resources or {}, retrieve=retrieve)


def check_schema(schemas: SchemaSet) -> None:
    """Check the root and everything it refers to against the meta-schemas; SchemaError carries the place.

    Patterns must be regular expressions of ECMA-262 (RegexError). A reference that leads nowhere is no fault here.
    """
    from compat.model.check import check

    check(schemas)


def _key(uri: str) -> str:
    return _KEY + uri


def _keyword_of(value: JSON, ref: str) -> str:
    if isinstance(value, dict):
        for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
            if value.get(keyword) == ref:
                return f"/{keyword}"
    return ""

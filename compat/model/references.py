"""A schema closed under its references: subschemas with the document, pointer, base URI and dialect they stand in.

References into the same resource are followed by pointer alone. Only one that leaves it, or that names an anchor,
builds the registry; so a schema that refers to itself by `#/$defs/x` costs nothing before it is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Literal, TypeAlias
from urllib.parse import unquote

from compat import jsonvalue
from compat.errors import ReferenceError, UnresolvedReference
from compat.jsonvalue import JSON
from compat.model import uris
from compat.model.dialects import Dialect
from compat.model.document import Document, document_of
from compat.model.keywords import Applies, steps
from compat.model.library import Library, Retrieve
from compat.model.subschema import Subschema, recursive, references_in

__all__ = ["Retrieve", "SchemaSet", "Subschema", "UnresolvedReference", "check_schema", "references_in", "schema_set"]

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
        dialects: Mapping[str, Dialect],
    ) -> None:
        self._library = Library(document, default=dialect, resources=resources, retrieve=retrieve, dialects=dialects)
        self._resolved: dict[tuple[Document, str, str], Subschema] = {}
        top = self._library.roots[document]
        self.root = top if not at else self._walk(top, jsonvalue.tokens(at), f"#{at}")
        self.dialect = self.root.dialect

    @property
    def notes(self) -> tuple[str, ...]:
        """What was read otherwise than written, in the root and in the files reached so far."""
        return tuple(dict.fromkeys(self._library.notes))

    # -- going down -----------------------------------------------------------------------------------------------

    def child(self, sub: Subschema, *tokens: str | int) -> Subschema:
        """Go down to a subschema; its own identifier and `$schema` change the base URI and the dialect.

        The tokens lead from a schema to one of its direct subschemas, such as `("properties", "name")`.
        """
        value: JSON = sub.value
        for token in tokens:
            value = value[token]  # type: ignore[index]
        return self._library.enter(sub, value, sub.pointer + jsonvalue.pointer(tokens))

    def children(self, sub: Subschema) -> Iterator[tuple[tuple[str | int, ...], Applies, Subschema]]:
        """Yield every direct subschema with the tokens that lead to it and what it applies to."""
        return self._library.children(sub)

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
            if ref == "#" or ref[:2] == "#/":
                # By far the most common, and nothing but a way down.
                return self._walk(self._resource_root(sub), jsonvalue.tokens(unquote(ref[1:])), ref)
            target, fragment = uris.split(uris.join(sub.base_uri, ref))
            # What a schema here calls itself may be referred to by any name, for then nothing is opened.
            if ref[:1] != "#" and target not in (sub.base_uri, self.root.base_uri):
                uris.refuse_outside(sub.base_uri, ref)
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
        return self._library.roots[sub.document]

    def _resource_root(self, sub: Subschema) -> Subschema:
        if sub.is_resource:
            return sub
        top = self._library.roots[sub.document]
        return top if not sub.resource else self._walk(top, jsonvalue.tokens(sub.resource), f"#{sub.resource}")

    def _walk(self, start: Subschema, tokens: tuple[str, ...], ref: str) -> Subschema:
        sub, at = start, 0
        try:
            while at < len(tokens):
                count = steps(sub.value, tokens[at:], sub.dialect) or len(tokens) - at
                value: object = sub.value
                for token in tokens[at : at + count]:
                    value = jsonvalue.step(value, token)
                sub = self._library.enter(sub, value, sub.pointer + jsonvalue.pointer(tokens[at : at + count]))  # type: ignore[arg-type]
                at += count
        except (KeyError, IndexError):
            uri = f"{start.base_uri}#{jsonvalue.pointer(tokens)}"
            raise UnresolvedReference(f'$ref "{ref}" leads nowhere: {uri} does not exist', uri=uri) from None
        if not isinstance(sub.value, dict | bool):
            raise ReferenceError(f'$ref "{ref}" leads to a value that is no schema')
        return sub

    def _lookup(self, uri: str, ref: str) -> Subschema:
        found = self._library.find(uri)
        if found is None:
            raise UnresolvedReference(
                f'$ref "{ref}" leads to {uri or "a document without a URI"}, which is not here',
                uri=uri,
                hint="Nothing is fetched; give the schema as a resource, or keep it in the repository.",
            )
        return found

    def _anchor(self, start: Subschema, name: str, ref: str) -> Subschema:
        found = self._library.anchor(start, name)
        if found is None:
            uri = f"{start.base_uri}#{name}"
            raise UnresolvedReference(f'$ref "{ref}" names no anchor: {uri} does not exist', uri=uri)
        return found

    def resolve_dynamic(self, sub: Subschema, keyword: DynamicKeyword, ref: str, scope: tuple[str, ...]) -> Subschema:
        """Follow `$dynamicRef` or `$recursiveRef`; `scope` holds the base URIs passed on the way, outermost first."""
        # 2019-09 knows no other `$recursiveRef` than "#" (core §8.2.4.2), and validators read every one as that.
        first = self.resolve(sub, ref if keyword == "$dynamicRef" else "#")
        if keyword == "$recursiveRef":
            if not recursive(first):
                return first
            return next((root for root in self._library.scoped(scope) if recursive(root)), first)
        name = unquote(uris.split(ref)[1])
        # Only a reference that lands on a dynamic anchor is dynamic (2020-12 core §8.2.3.2).
        if not name or name[0] == "/" or not isinstance(first.value, dict) or first.value.get("$dynamicAnchor") != name:
            return first
        for root in self._library.scoped(scope):
            found = self._library.anchor(root, name)
            if found is not None and isinstance(found.value, dict) and found.value.get("$dynamicAnchor") == name:
                return found
        return first

    def embedded(self, value: JSON) -> Subschema | None:
        """Give the resource whose root is this very object, in any document reached so far."""
        return self._library.embedded(value)

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
                        below.extend((other, target) for other in self._dynamic_targets(target))
                except UnresolvedReference:
                    continue
            stack.extend(reversed(below))

    def _dynamic_targets(self, ref: str) -> Iterator[Subschema]:
        """Yield all that a dynamic reference may lead to, whatever the scope turns out to be."""
        name = unquote(uris.split(ref)[1])
        for root in self._library.claimed():
            found = self._library.anchor(root, name) if name else root
            if found is not None and (name or recursive(found)):
                yield found

    def documents(self) -> tuple[Document, ...]:
        """Give the root's document, then every other one that its references reach, in the order they are met."""
        if self.root.document.glance.is_closed:
            return (self.root.document,)
        return tuple(dict.fromkeys((self.root.document, *(sub.document for sub, _ in self.reached()))))

    def root_of(self, document: Document) -> Subschema:
        """Give the schema at the top of a document that was reached."""
        return self._library.roots[document]

    def replaced(self, value: JSON) -> SchemaSet:
        """Give a set whose root document has another value, with the same name, positions and surroundings."""
        return SchemaSet(
            self.root.document.replaced(value),
            at=self.root.pointer,
            dialect=self._library.default,
            resources=self._library.resources,
            retrieve=self._library.retrieve,
            dialects=self._library.dialects,
        )

    def closed_digest(self) -> str:
        """Give the identity of the whole: dialect, root, and the content of every file its references reach."""
        vocabularies = " ".join(sorted(self.root.vocabularies or ()))
        whole = sha256(f"{self.dialect}\n{vocabularies}\n{self.root.pointer}\n".encode("utf-8", "surrogatepass"))
        for document in self.documents():
            uri = self._library.roots[document].base_uri if document is not self.root.document else ""
            whole.update(f"{document.digest} {uri}\n".encode("utf-8", "surrogatepass"))
        return "sha256:" + whole.hexdigest()


def schema_set(
    root: Document | JSON,
    *,
    at: str = "",
    dialect: Dialect | None = None,
    resources: Mapping[str, JSON] | None = None,
    retrieve: Retrieve | None = None,
    dialects: Mapping[str, Dialect] | None = None,
) -> SchemaSet:
    """Close a schema under its references; nothing is followed before it is asked for.

    `at` is the JSON Pointer of the schema in its document, `dialect` what holds where no `$schema` says otherwise,
    `resources` maps URIs to schemas, and `retrieve` gives the document of a URI at the same revision, or None.
    `dialects` tells what to make of a `$schema` that is none of the dialects' own and not to be found.
    """
    return SchemaSet(
        document_of(root),
        at=at,
        dialect=dialect,
        resources=resources or {},
        retrieve=retrieve,
        dialects=dialects or {},
    )


def check_schema(schemas: SchemaSet) -> None:
    """Check the root and everything it refers to against the meta-schemas; SchemaError carries the place.

    Patterns must be regular expressions of ECMA-262 (RegexError). A reference that leads nowhere is no fault here.
    """
    from compat.model.check import check

    check(schemas)


def _keyword_of(value: JSON, ref: str) -> str:
    if isinstance(value, dict):
        for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
            if value.get(keyword) == ref:
                return f"/{keyword}"
    return ""

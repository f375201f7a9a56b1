"""From a schema of any dialect to formulas; nothing after this knows drafts.

Every keyword is an implication "if the instance has type t, then P" (2020-12 validation §4.2). References that do
not recur are followed on the spot, so that equal content is the same formula wherever it is written; recursive
ones stay lazy. A reference that leads nowhere is an opaque set, equal to itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cache, cached_property
from typing import Any, Final

from compat.errors import CompatError, UnresolvedReference
from compat.jsonvalue import written
from compat.logic.discriminate import Discriminators, all_apart
from compat.logic.formula import Formula
from compat.logic.predicates import ALL, Table
from compat.logic.reader import Reader, mask_of
from compat.logic.sharing import Sharing
from compat.logic.texts import Texts
from compat.logic.universe import Universe
from compat.model import metaschemas
from compat.model.dialects import Dialect
from compat.model.document import Document
from compat.model.instance import Formats
from compat.model.keywords import KEYWORDS, Holds, Kind
from compat.model.references import DynamicKeyword, SchemaSet, Subschema

Scope = tuple[str, ...]

_DYNAMIC_ANCHORS: Final = ("$dynamicAnchor", "$recursiveAnchor")
# Fewer properties than this are not worth a table.
FEW: Final = 2
# So many levels of members and items are translated at once.
DEEP: Final = 48
# So many references in a row are followed to see where they lead.
MAX_HOPS: Final = 16
# A schema without any of these is small, and its meaning is its text alone.
_LEADING_ON: Final = frozenset(
    name
    for rows in KEYWORDS.values()
    for name, row in rows.items()
    if row.kind is Kind.IDENTIFIER or row.kind is Kind.APPLICATOR or row.holds is not Holds.NONE
)


class MeaninglessSchemaError(Exception):
    """A reference comes back to itself on the same instance, so the schema says nothing (2020-12 core §9.4.1)."""

    def __init__(self, sub: Subschema) -> None:
        super().__init__(f"the references at {sub.pointer or 'the root'} lead back to themselves on the same instance")
        self.pointer = sub.pointer
        self.source = sub.document.name


class Translator:
    """Translates the subschemas of one schema set into one universe.

    `twin` translates the other document of a pair: what stands there alike is taken over from it.
    """

    def __init__(
        self,
        universe: Universe,
        schemas: SchemaSet,
        side: str,
        *,
        formats: Formats = "annotation",
        sharing: Sharing | None = None,
        twin: Translator | None = None,
    ) -> None:
        self.universe = universe
        self.schemas = schemas
        self.side = side
        self.formats = formats
        self.strings_only = False
        self._sharing = sharing
        self._twin = twin
        self._scanned: set[Document] = set()
        self._anchors: dict[str, frozenset[str]] = {}
        self._done: dict[Hashable, Formula] = {}
        self._places: dict[str, Subschema] = {}
        self._open: dict[Hashable, int] = {}
        self._awaited: set[Hashable] = set()
        self._depth = 0
        self._tags: Discriminators = {}
        # What small schemas say, by their text.
        self._small: dict[Hashable, Formula] = {} if twin is None else twin._small

    @cached_property
    def of_strings(self) -> Translator:
        """Give a translator of what schemas say of strings only, as names of members are: nothing recurs there."""
        narrow = Translator(self.universe, self.schemas, self.side, formats=self.formats)
        narrow.strings_only = True
        # Scopes pass between the two, so what is known of their resources is shared.
        narrow._scanned, narrow._anchors = self._scanned, self._anchors
        return narrow

    def root(self) -> Formula:
        """Give the formula of the whole schema."""
        return self.schema(self.schemas.root, ())

    def schema(self, sub: Subschema, scope: Scope) -> Formula:
        """Give the formula of one subschema; a subschema in progress comes as a reference."""
        value = sub.value
        if value is True or value == {}:
            return self.universe.true
        if value is False:
            return self.universe.false
        scope = self.entered(sub, scope)
        key = (sub.document, sub.pointer, scope)
        done = self._done.get(key)
        if done is not None:
            return done
        if key in self._open:
            if self._open[key] == self._depth:
                raise MeaninglessSchemaError(sub)
            self._awaited.add(key)
            return self.universe.reference(self._name(key, sub, scope), sub.pointer)
        formula = self._taken_over(sub, scope)
        if formula is None:
            self._open[key] = self._depth
            formula = self.universe.all_of(Reader(self, sub, scope).parts())
            del self._open[key]
        self._done[key] = formula
        if not scope and sub.document is self.schemas.root.document:
            self._places[sub.pointer] = sub
        if key in self._awaited:
            self.universe.reference(self._name(key, sub, scope), sub.pointer).bind(formula)
        return formula

    def _taken_over(self, sub: Subschema, scope: Scope) -> Formula | None:
        """Take the formula from the other document, where it says the same in the same place."""
        twin = self._twin
        if twin is None or scope or sub.document is not self.schemas.root.document:
            return None
        there = twin._places.get(sub.pointer)
        if there is None:
            return None
        known = twin._done.get((there.document, sub.pointer, ()))
        assert self._sharing is not None
        return known if known is not None and self._sharing.identical(there, sub) else None

    def _name(self, key: Hashable, sub: Subschema, scope: Scope) -> Hashable:
        """Name a recursive place, alike on both sides where it means the same on both."""
        if metaschemas.document(sub.base_uri) is sub.document:
            return key
        root = sub.document is self.schemas.root.document
        if root and not scope and self._sharing is not None and self._sharing.same(sub.pointer):
            return ("on both sides", sub.pointer)
        return (self.side, key)

    def keyword(self, sub: Subschema, scope: Scope, keyword: str) -> list[Formula]:
        """Give what one keyword of a subschema says, as the formulas that must all hold."""
        return list(Reader(self, sub, self.entered(sub, scope)).read(keyword))

    def below(self, sub: Subschema, scope: Scope, *tokens: str | int) -> Formula:
        """Give the formula of a subschema that applies to a member or item."""
        value: Any = sub.value
        for token in tokens:
            value = value[token]
        if isinstance(value, dict) and sub.vocabularies is None and _LEADING_ON.isdisjoint(value):
            return self._read(sub, scope, value, *tokens)
        return self.member(self.schemas.child(sub, *tokens), scope)

    def _read(self, sub: Subschema, scope: Scope, value: dict[str, Any], *tokens: str | int) -> Formula:
        """Give the formula of a small schema, which is the same wherever it is written."""
        text = written(value)
        if text is None:
            return self.member(self.schemas.child(sub, *tokens), scope)
        key = (sub.dialect, text)
        found = self._small.get(key)
        if found is None:
            found = self._small[key] = self.member(self.schemas.child(sub, *tokens), scope)
        return found

    def member(self, sub: Subschema, scope: Scope) -> Formula:
        """Give the formula of a subschema for a member or item; what both sides say alike is put off until needed."""
        texts = None if scope else self._texts(sub)
        deferred = None if texts is None else self._deferred(sub, texts)
        if deferred is not None:
            return deferred
        if self._depth >= DEEP and sub.pointer:
            return self._later(sub, scope)
        self._depth += 1
        try:
            return self.schema(sub, scope)
        finally:
            self._depth -= 1

    def _texts(self, sub: Subschema) -> Texts | None:
        """Give what compares the texts of both documents, if a subschema stands in one of them."""
        if self._sharing is None or sub.document is not self.schemas.root.document:
            return None
        return self._sharing.texts

    def _deferred(self, sub: Subschema, texts: Texts) -> Formula | None:
        value: Any = sub.value
        for _ in range(MAX_HOPS):
            if not isinstance(value, dict) or _LEADING_ON.isdisjoint(value):
                return None
            if not only_refers(value, sub.dialect):
                break
            try:
                sub = self.schemas.resolve(sub, value["$ref"])
            except CompatError:
                return None
            value = sub.value
        text = texts.text(sub.pointer)
        if text is None:
            return None
        stated = value.get("type")
        may = ALL if stated is None or "$ref" in value else mask_of(stated)
        return self.universe.deferred(
            ("alike", text), sub.pointer, may, lambda: self._afresh(lambda: self.schema(sub, ()))
        )

    def _later(self, sub: Subschema, scope: Scope) -> Formula:
        """Put off what lies deep: definitions that refer on and on would end the stack."""
        if isinstance(sub.value, bool):
            return self.schema(sub, scope)
        key = ("deep", self.side, sub.document, sub.pointer, scope)
        return self.universe.deferred(key, sub.pointer, ALL, lambda: self._afresh(lambda: self.schema(sub, scope)))

    def table(self, sub: Subschema, scope: Scope) -> Table | None:
        """Give what the `properties` of an object say alike in both documents, put off until needed."""
        texts = None if scope else self._texts(sub)
        alike = {} if texts is None else texts.members(sub.pointer)
        if len(alike) < FEW:
            return None
        read = cache(lambda name: self._afresh(lambda: self.below(sub, (), "properties", name)))
        made = self.universe.table(alike, read)
        assert isinstance(made, Table)
        return made

    def _afresh(self, translate: Callable[[], Formula]) -> Formula:
        """Translate what was put off, as if nothing else were under way."""
        before, self._open, self._depth = (self._open, self._depth), {}, 0
        try:
            return translate()
        finally:
            self._open, self._depth = before

    def beside(self, sub: Subschema, scope: Scope, *tokens: str | int) -> Formula:
        """Give the formula of a subschema that applies to the same instance."""
        return self.schema(self.schemas.child(sub, *tokens), scope)

    def referred(self, sub: Subschema, scope: Scope, keyword: str) -> Formula:
        """Give the formula behind a reference, or an opaque set where it leads nowhere."""
        passed: set[Hashable] = set()
        while True:
            try:
                target = self.target(sub, scope, keyword)
            except UnresolvedReference as error:
                return self.universe.opaque(error.uri, f"the reference {error.uri} cannot be resolved")
            if not isinstance(target.value, dict) or not only_refers(target.value, target.dialect):
                return self.schema(target, scope)
            # References that lead to nothing but references are followed here, since a chain of them may be long.
            if (target.document, target.pointer) in passed:
                raise MeaninglessSchemaError(target)
            passed.add((target.document, target.pointer))
            scope = self.entered(target, scope)
            sub, keyword = target, "$ref"

    def target(self, sub: Subschema, scope: Scope, keyword: str) -> Subschema:
        """Follow a reference keyword; UnresolvedReference where it leads nowhere."""
        value: Any = sub.value
        if keyword == "$ref":
            return self.schemas.resolve(sub, value[keyword])
        dynamic: DynamicKeyword = "$dynamicRef" if keyword == "$dynamicRef" else "$recursiveRef"
        return self.schemas.resolve_dynamic(sub, dynamic, value[keyword], self.entered(sub, scope))

    def entered(self, sub: Subschema, scope: Scope) -> Scope:
        """Extend the dynamic scope by a resource, if a dynamic reference could land in it.

        The outermost resource with an anchor of a name wins, so one that has no new name cannot matter.
        """
        if sub.base_uri in scope:
            return scope
        names = self._dynamic_anchors(sub)
        if not names or names <= {name for uri in scope for name in self._anchors[uri]}:
            return scope
        return (*scope, sub.base_uri)

    def _dynamic_anchors(self, sub: Subschema) -> frozenset[str]:
        """Give the dynamic anchors of the resource that a subschema stands in."""
        document = sub.document
        if document not in self._scanned:
            self._scanned.add(document)
            if not document.glance.keys.isdisjoint(_DYNAMIC_ANCHORS):
                self._scan(self.schemas.top(sub))
        return self._anchors.get(sub.base_uri, frozenset())

    def _scan(self, root: Subschema) -> None:
        stack = [root]
        while stack:
            sub = stack.pop()
            value: Any = sub.value
            if isinstance(value, dict):
                name = value.get("$dynamicAnchor", "#" if value.get("$recursiveAnchor") is True else None)
                # A dialect that does not know the keyword lets it hold anything.
                if isinstance(name, str):
                    self._anchors[sub.base_uri] = self._anchors.get(sub.base_uri, frozenset()) | {name}
            stack.extend(child for _, _, child in self.schemas.children(sub))

    def exactly_one(self, parts: Sequence[Formula]) -> Formula:
        live = [part for part in parts if part is not self.universe.false]
        if len(live) > 1 and all_apart(live, self._tags):
            return self.universe.any_of(live)
        return self.universe.exactly_one(parts)


def only_refers(value: dict[str, Any], dialect: Dialect) -> bool:
    """Say that a schema asserts what it refers to and nothing else."""
    if not isinstance(value.get("$ref"), str):
        return False
    rows = KEYWORDS[dialect]
    return dialect.ignores_ref_siblings or all(
        keyword == "$ref" or keyword not in rows or rows[keyword].kind is Kind.ANNOTATION for keyword in value
    )

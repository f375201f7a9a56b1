"""Where a validation stands: in which schema, by which way, and for which instance."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from compat.errors import CompatError, SchemaError
from compat.jsonvalue import JSON
from compat.model.references import SchemaSet, Subschema

# So many subschemas may be applied in one validation; a hostile schema asks for exponentially many.
MAX_APPLIED = 2_000_000


class Work:
    """What one validation has cost, counted in subschemas applied.

    A reference that held of a value once is not followed for it again; `total` counts it as if it had been, which is
    what a validator without such a memory would pay.
    """

    __slots__ = ("_applied", "_held", "total")

    def __init__(self) -> None:
        self._applied = 0
        self._held: dict[Hashable, int] = {}
        self.total = 0

    def apply(self) -> None:
        """Count one subschema; CompatError beyond `MAX_APPLIED`."""
        self._applied += 1
        self.total += 1
        if self._applied > MAX_APPLIED:
            raise CompatError(f"validating this value takes more than {MAX_APPLIED:,} subschemas")

    def held(self, key: Hashable) -> bool:
        """Whether a reference is known to hold of a value."""
        cost = self._held.get(key)
        if cost is None:
            return False
        self.total += cost
        return True

    def keep(self, key: Hashable, cost: int) -> None:
        """Remember that a reference held."""
        self._held[key] = cost


class Frame(NamedTuple):
    """Where a validation stands: the schema set, the schema whose base URI holds, and how it got here.

    It takes the place of jsonschema's resolver. `scope` is the dynamic scope, outermost first, each URI once;
    `chain` holds the references taken since the instance `subject` was reached. `asserting` says whether formats are
    assertions here, `asking` that the answer is all that is wanted.
    """

    schemas: SchemaSet
    sub: Subschema
    scope: tuple[str, ...]
    work: Work
    asserting: bool = False
    asking: bool = False
    subject: int = 0
    chain: frozenset[tuple[int, str, tuple[str, ...]]] = frozenset()

    @classmethod
    def of(cls, schemas: SchemaSet, *, asserting: bool, asking: bool) -> Frame:
        """Begin at the root."""
        return cls(schemas, schemas.root, (schemas.root.base_uri,), Work(), asserting, asking)

    def asked(self) -> Frame:
        """Stay here, and want no more than the answer."""
        return self._replace(asking=True)

    def entered(self, schema: JSON) -> Frame:
        """Go down to a subschema, which may be the root of a resource of its own."""
        # Only a schema of another dialect is named by another keyword, and it says which dialect it is of.
        if not isinstance(schema, dict) or not ("$id" in schema or "id" in schema or "$schema" in schema):
            return self
        if not (self.sub.dialect.id_keyword in schema or "$schema" in schema):
            return self
        sub = self.schemas.embedded(schema)
        return self if sub is None else self._replace(sub=sub, scope=self._scope(sub))

    def referred(self, target: Subschema, instance: object) -> Frame:
        """Follow a reference for an instance; SchemaError where that leads back to where it began."""
        chain = self.chain if self.subject == id(instance) else frozenset()
        scope = self._scope(target)
        step = (id(target.document), target.pointer, scope)
        if step in chain:
            raise SchemaError(
                "the reference leads back to itself without going into the value, so it has no meaning",
                place=target.document.place(target.pointer),
            )
        return Frame(self.schemas, target, scope, self.work, self.asserting, self.asking, id(instance), chain | {step})

    def _scope(self, sub: Subschema) -> tuple[str, ...]:
        return self.scope if sub.base_uri in self.scope else (*self.scope, sub.base_uri)

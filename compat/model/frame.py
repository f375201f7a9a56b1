"""Where a validation stands: in which schema, by which way, and for which instance."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace

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


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a validation stands: the schema set, the schema whose base URI holds, and how it got here.

    It takes the place of jsonschema's resolver. `scope` is the dynamic scope, outermost first, each URI once;
    `chain` holds the references taken since the instance `subject` was reached.
    """

    schemas: SchemaSet
    sub: Subschema
    scope: tuple[str, ...]
    asserting: bool = False
    subject: int = 0
    chain: frozenset[tuple[str, str]] = frozenset()
    work: Work = field(default_factory=Work)

    @classmethod
    def of(cls, schemas: SchemaSet, *, asserting: bool) -> Frame:
        """Begin at the root; `asserting` says whether formats are assertions there."""
        return cls(schemas, schemas.root, (schemas.root.base_uri,), asserting)

    def entered(self, schema: JSON) -> Frame:
        """Go down to a subschema, which may be the root of a resource of its own."""
        # Only a schema of another dialect is named by another keyword, and it says which dialect it is of.
        if not isinstance(schema, dict) or not (self.sub.dialect.id_keyword in schema or "$schema" in schema):
            return self
        sub = self.schemas.embedded(schema)
        return self if sub is None else self._at(sub)

    def referred(self, target: Subschema, instance: object) -> Frame:
        """Follow a reference for an instance; SchemaError where that leads back to where it began."""
        frame = self._at(target)
        chain = self.chain if self.subject == id(instance) else frozenset()
        step = (f"{id(target.document)}#{target.pointer}", "\n".join(frame.scope))
        if step in chain:
            raise SchemaError(
                "the reference leads back to itself without going into the value, so it has no meaning",
                place=target.document.place(target.pointer),
            )
        return replace(frame, subject=id(instance), chain=chain | {step})

    def _at(self, sub: Subschema) -> Frame:
        scope = self.scope if sub.base_uri in self.scope else (*self.scope, sub.base_uri)
        return replace(self, sub=sub, scope=scope)

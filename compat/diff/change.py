"""One located difference between two schemas."""

from __future__ import annotations

from dataclasses import dataclass

from compat.jsonvalue import JSON
from compat.relation import Effect


@dataclass(frozen=True, slots=True)
class Side:
    """One end of a change: the document it stands in (as shown to people), its pointer there, and the value.

    `exists` is False where the place is missing on this side; the pointer then names the place that would hold it.
    """

    source: str
    pointer: str
    value: JSON = None
    exists: bool = True


@dataclass(frozen=True, slots=True)
class Change:
    """A difference with the rule that names it.

    `instance_path` is the JSON Pointer of the instances it speaks of, with `*` for any item or any other key.
    `expected` is the rule's word on the set of instances, `effect` what was proved in context; until
    `compat.compare` has asked the prover it is `Effect.UNKNOWN`.
    """

    rule: str
    keyword: str
    old: Side
    new: Side
    instance_path: str
    summary: str
    expected: Effect
    effect: Effect = Effect.UNKNOWN
    hint: str | None = None

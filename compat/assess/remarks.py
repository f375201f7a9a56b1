"""What a reader should know that no finding says, as notes.

Names that assert nothing although somebody meant them to, typos and other dialects' keywords; and references that
nobody could follow, on which a verdict rests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from compat.assess.model import SchemaReport
from compat.diff.wording import listing
from compat.errors import CompatError, UnresolvedReference
from compat.jsonvalue import canonical
from compat.model.check import Misplaced, misplaced
from compat.model.references import SchemaSet, references_in

# So many are told one by one.
_TOLD = 5


def with_remarks(report: SchemaReport, old: SchemaSet | None, new: SchemaSet, told: set[str]) -> SchemaReport:
    """Add notes on names that the new side has and the old side did not have in the same place, and on references.

    A reference that leads nowhere on either side is the same to both: the verdict holds if what it means is.
    `told` holds what other schemas of the run have said about files that they share.
    """
    known = set() if old is None else {_identity(found) for found in _all(old)}
    notes = [_note(found) for found in _all(new) if _identity(found) not in known]
    fresh = [note for note in notes if note not in told]
    told.update(fresh)
    return replace(report, notes=(*report.notes, *_folded(fresh), *_unread(old, new)))


def _unread(old: SchemaSet | None, new: SchemaSet) -> Iterator[str]:
    if old is None:
        return
    known = set(_unresolved(old))
    both = [uri for uri in _unresolved(new) if uri in known]
    if both:
        yield f"cannot be resolved, and taken to be the same on both sides: {listing(both)}"


def _unresolved(schemas: SchemaSet) -> list[str]:
    """List the URIs of references that lead nowhere, each once, in the order they are met."""
    if schemas.root.document.glance.is_closed:
        return []
    found: dict[str, None] = {}
    try:
        for sub, _ in schemas.reached():
            for _, ref in references_in(sub.value, sub.dialect):
                try:
                    schemas.resolve(sub, ref)
                except UnresolvedReference as error:
                    found[error.uri] = None
    except CompatError:
        return []  # told by the comparison
    return list(found)


def _all(schemas: SchemaSet) -> Iterable[Misplaced]:
    try:
        return tuple(misplaced(schemas))
    except CompatError:
        return ()  # a reference that cannot be followed is told by the comparison


def _identity(found: Misplaced) -> tuple[str | None, str, bytes]:
    return found.place.pointer, found.remark, canonical(found.value)


def _note(found: Misplaced) -> str:
    place = replace(found.place, pointer=found.place.pointer if found.place.line is None else None)
    return f"{place}: {found.remark}"


def _folded(notes: list[str]) -> Iterator[str]:
    yield from notes[:_TOLD]
    more = len(notes) - _TOLD
    if more > 0:
        yield f"{more} more {'name' if more == 1 else 'names'} like that"

"""Names in a schema that assert nothing although somebody meant them to, as notes: typos, other dialects' keywords."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from compat.assess.model import SchemaReport
from compat.errors import CompatError
from compat.jsonvalue import canonical
from compat.model.check import Misplaced, misplaced
from compat.model.references import SchemaSet

# So many are told one by one.
_TOLD = 5


def with_remarks(report: SchemaReport, old: SchemaSet | None, new: SchemaSet, told: set[str]) -> SchemaReport:
    """Add notes on what the new side has of them and the old side did not have in the same place.

    `told` holds what other schemas of the run have said about files that they share.
    """
    known = set() if old is None else {_identity(found) for found in _all(old)}
    notes = [_note(found) for found in _all(new) if _identity(found) not in known]
    fresh = [note for note in notes if note not in told]
    told.update(fresh)
    return replace(report, notes=(*report.notes, *_folded(fresh)))


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

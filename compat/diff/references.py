"""What a changed `$ref` means: the same definition under another name, another definition, or its text in place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from compat.diff.fingerprint import ELSEWHERE, Fingerprints, is_pointer
from compat.diff.likeness import similarity
from compat.errors import ReferenceError as BadReference
from compat.jsonvalue import JSON, tokens
from compat.model.references import SchemaSet, Subschema

DYNAMIC = ("$dynamicRef", "$recursiveRef")
_LIKE_ENOUGH = 0.4
_LONGEST_CHAIN = 30


class Meaning(StrEnum):
    """What became of the target of a reference that is written on both sides."""

    SAME = "same"  # one definition, to be compared as such
    MOVED = "moved"  # one definition, whose own change of name or container tells it
    RESPELLED = "respelled"  # one definition, reached by another text
    RETARGETED = "retargeted"
    BROKEN = "broken"
    MENDED = "mended"
    OPAQUE = "opaque"  # leads nowhere on either side, by the same text


@dataclass(frozen=True, slots=True)
class Targets:
    """The two ends of a reference; None where it leads nowhere."""

    meaning: Meaning
    old: Subschema | None
    new: Subschema | None


# Who refers, by which text, to what.
_End = tuple[Subschema, str, Subschema]


class References:
    """Resolve references of both sides without raising, and tell what a difference between them means."""

    def __init__(self, old: SchemaSet, new: SchemaSet, prints: Fingerprints) -> None:
        self._sets = {True: old, False: new}
        self._prints = prints

    def target(self, holder: Subschema, reference: JSON, *, is_old: bool) -> Subschema | None:
        """Follow a reference from the subschema that holds it; None where it leads nowhere."""
        if not isinstance(reference, str):
            return None
        try:
            return self._sets[is_old].resolve(holder, reference)
        except BadReference:
            return None

    def unsettled(self) -> frozenset[str] | None:
        """Give the references behind which something differs; None where that may be any.

        A reference within the root document is settled where both sides lead to equal text and every reference in that
        text is settled. Where the document holds several resources, none is.
        """
        roots = {is_old: schemas.root for is_old, schemas in self._sets.items()}
        seen = [root.document.glance for root in roots.values()]
        if any(not {"$id", "id"}.isdisjoint(each.identifiers) for each in seen):
            return None
        inside: dict[str, frozenset[str]] = {}
        found = {ELSEWHERE}
        for reference in {each for one in seen for each in one.references if is_pointer(each)}:
            left, right = (self.target(roots[is_old], reference, is_old=is_old) for is_old in (True, False))
            if left is None or right is None or not self._prints.same(left.value, right.value):
                found.add(reference)
            else:
                inside[reference] = self._prints.refers(right.value)
        while True:
            more = {one for one, refers in inside.items() if one not in found and not refers.isdisjoint(found)}
            if not more:
                return frozenset(found)
            found |= more

    def text(self, holder: Subschema, value: JSON, is_old: bool) -> JSON:
        """Give the schema that a branch stands for: behind its `$ref`, where it is nothing but one."""
        for _ in range(_LONGEST_CHAIN):
            reference = value.get("$ref") if isinstance(value, Mapping) else None
            found = self.target(holder, reference, is_old=is_old)
            if found is None:
                return value
            holder, value = found, found.value
        return value

    def compare(self, old: Subschema, held: str, new: Subschema, holds: str) -> Targets:
        """Tell what became of a reference that is written on both sides."""
        left, right = self.target(old, held, is_old=True), self.target(new, holds, is_old=False)
        if left is None or right is None:
            if left is not None:
                meaning = Meaning.BROKEN
            elif right is not None:
                meaning = Meaning.MENDED
            else:
                meaning = Meaning.OPAQUE if held == holds else Meaning.RETARGETED
        elif held == holds:
            meaning = Meaning.SAME
        else:
            meaning = self._meaning((old, held, left), (new, holds, right))
        return Targets(meaning, left, right)

    def _meaning(self, before: _End, after: _End) -> Meaning:
        (old, held, left), (new, holds, right) = before, after
        was, now = tokens(left.pointer), tokens(right.pointer)
        if left.document.name == right.document.name and was == now:
            return Meaning.RESPELLED
        both_are_definitions = self._is_definition(left, is_old=True) and self._is_definition(right, is_old=False)
        if was and now and was[-1] == now[-1]:
            return Meaning.MOVED if both_are_definitions else Meaning.RESPELLED
        old_stays = self.target(new, held, is_old=False) is not None
        new_was_there = self.target(old, holds, is_old=True) is not None
        if old_stays or new_was_there:
            return Meaning.RETARGETED
        if similarity(left.value, right.value, self._prints) < _LIKE_ENOUGH:
            return Meaning.RETARGETED
        return Meaning.MOVED if both_are_definitions else Meaning.RESPELLED

    def _is_definition(self, sub: Subschema, *, is_old: bool) -> bool:
        """Whether a definition of the root document, whose own change of name the walk tells."""
        path = tokens(sub.pointer)
        return (
            sub.document is self._sets[is_old].root.document and len(path) == 2 and path[0] in ("$defs", "definitions")
        )

"""What the validators see in an instance: where one side refuses it, where the other does, and at what cost."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Final

from compat.errors import CompatError, UnresolvedReference
from compat.jsonvalue import JSON, canonical
from compat.proof.containment import Pair, Side
from compat.proof.grafting import Path

# Subschemas that the validators may apply for one direction; beyond it nothing more is asked.
MAX_EFFORT: Final = 100_000
# So many failures of one instance are told apart; no reader wants more.
MAX_FAILURES: Final = 256

_EXTRA = frozenset({"additionalProperties", "unevaluatedProperties"})


@dataclass(frozen=True, slots=True)
class Seen:
    """One failure as the reference validator sees it; `names` are the members that are missing, or too many."""

    source: str
    location: str
    keyword: str
    path: Path
    names: tuple[str, ...] = ()

    @property
    def kind(self) -> tuple[str, str, tuple[str, ...]]:
        """What makes two failures the same assertion's, wherever in an instance they are."""
        return self.source, self.location, () if self.keyword in _EXTRA else self.names

    @property
    def place(self) -> Path:
        """Where in the instance the trouble sits: at the first member that may not be there, where there is one."""
        return (*self.path, self.names[0]) if self.keyword in _EXTRA and self.names else self.path

    @property
    def missing(self) -> tuple[str, ...]:
        return () if self.keyword in _EXTRA else self.names


class Onlookers:
    """Both sides of one direction, asked about instances by the reference validator; each is looked at once."""

    def __init__(self, pair: Pair, left: Side, right: Side) -> None:
        self._pair = pair
        self.left = left
        self.right = right
        self._effort = 0
        self._left_refuses: dict[bytes, list[Path] | None] = {}
        self._right_refuses: dict[bytes, tuple[Seen, ...] | None] = {}

    @property
    def tired(self) -> bool:
        """Whether nothing more is to be asked: it cost enough, or a schema could not be followed."""
        return self._effort > MAX_EFFORT

    def refused(self, value: JSON) -> list[Path] | None:
        """Give the places at which the left refuses an instance; None where it cannot be asked."""
        key = canonical(value)
        if key not in self._left_refuses:
            seen = self.failures(self.left, value)
            self._left_refuses[key] = None if seen is None else [one.place for one in seen]
        return self._left_refuses[key]

    def refused_by_right(self, value: JSON) -> list[Path] | None:
        """Give the places at which the right refuses an instance; None where it cannot be asked."""
        seen = self.failures(self.right, value)
        return None if seen is None else [one.place for one in seen]

    def look(self, value: JSON) -> tuple[Seen, ...] | None:
        """Give what an instance of the left fails on the right; None for what is no instance, or cannot be told."""
        key = canonical(value)
        if key not in self._right_refuses:
            self._right_refuses[key] = self.failures(self.right, value) if self.refused(value) == [] else None
        return self._right_refuses[key]

    def failures(self, side: Side, value: JSON) -> tuple[Seen, ...] | None:
        """Give all that an instance fails on one side; None where that cannot be told."""
        if self.tired:
            return None
        validator = self._pair.witnesses[side.name].reference
        try:
            errors = islice(validator.errors(value), MAX_FAILURES + 1)
            found = [(validator.failure_of(error), getattr(error, "extra", ())) for error in errors]
        except UnresolvedReference:
            self._effort += validator.effort
            return None
        except (CompatError, RecursionError):
            found = []
            self._effort = MAX_EFFORT
        # One assertion that is reached in a million ways fails a million times.
        self._effort += max(1, validator.effort) if len(found) <= MAX_FAILURES else MAX_EFFORT + 1
        if self._effort > MAX_EFFORT:
            return None
        return tuple(
            Seen(one.source, one.keyword_location, one.keyword, one.instance_path, tuple(names)) for one, names in found
        )

    def seconded(self, value: JSON) -> bool:
        """Whether the second validator does not deny it; not asked where that might take longer than anyone waits."""
        if self.tired:
            return False
        accepts, rejects = (self._pair.witnesses[side.name].second for side in (self.left, self.right))
        return accepts.is_valid(value) is not False and rejects.is_valid(value) is not True

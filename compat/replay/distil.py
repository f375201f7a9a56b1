"""The few records of a stream that show together all that the whole of it shows."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from compat.errors import CompatError
from compat.jsonvalue import dumps
from compat.replay.coverage import Facet
from compat.replay.coverage_walk import Prober
from compat.replay.parse import parse_record
from compat.replay.read import Record


class _Candidate(NamedTuple):
    """A record as text; shorter ones come first, whatever their order in the stream."""

    size: int
    text: str
    shown: frozenset[Facet]


class Distilling:
    """Keeps the shortest record of all that show the same, so memory grows with what is shown and not with records."""

    def __init__(self) -> None:
        self._best: dict[frozenset[Facet], _Candidate] = {}

    def take(self, shown: frozenset[Facet] | None, record: Record) -> None:
        """Take a record by what it shows; an invalid one shows nothing and is passed over."""
        if not shown:
            return
        text = dumps(record.value)
        known = self._best.get(shown)
        found = _Candidate(len(text), text, shown)
        if known is None or found[:2] < known[:2]:
            self._best[shown] = found

    def lines(self, prober: Prober) -> tuple[str, ...]:
        """Give the records that are enough, shortest first, as lines of JSON; CompatError where they show less.

        They are read again for that. Always the one that adds most is taken; in the end none is left that the others
        make up for.
        """
        chosen = _needed(_greedy(sorted(self._best.values(), key=lambda one: one[:2])))
        again: frozenset[Facet] = frozenset()
        for one in chosen:
            value, ordinary = parse_record(one.text.encode("utf-8", "surrogatepass"))
            again |= prober.shown(Record(value, "", 1, ordinary)) or frozenset()
        if again != frozenset().union(*self._best):
            raise CompatError("the records that were picked do not show what all records show")
        return tuple(one.text for one in sorted(chosen, key=lambda one: one[:2]))


def _greedy(candidates: list[_Candidate]) -> list[_Candidate]:
    missing = set().union(*(one.shown for one in candidates))
    chosen: list[_Candidate] = []
    while missing:
        best = max(candidates, key=lambda one: len(one.shown & missing))
        chosen.append(best)
        missing -= best.shown
    return chosen


def _needed(chosen: list[_Candidate]) -> list[_Candidate]:
    """Leave out, longest first, what the others make up for."""
    counts = Counter(facet for one in chosen for facet in one.shown)
    needed = list(chosen)
    for one in sorted(chosen, key=lambda one: one[:2], reverse=True):
        if all(counts[facet] > 1 for facet in one.shown):
            needed.remove(one)
            counts.subtract(one.shown)
    return needed

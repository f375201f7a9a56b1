"""How large and how legible the witnesses of real changes are.

A witness is at most twice the smallest valid instance of the failing kind plus 200 bytes. The smallest one known is
found here by taking away from what is shown whatever the failure does without, one thing after the other.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from witnesses import size

import compat
from compat.errors import CompatError, UnresolvedReference
from compat.jsonvalue import JSON, dumps, scalars, walk
from compat.model.instance import SecondOpinion, Validator
from compat.model.references import SchemaSet, schema_set
from compat.proof.grafting import Path as Steps
from compat.proof.grafting import at, has, replaced
from compat.relation import Direction, Status

SHARED = Path(os.environ.get("COMPAT_SHARED", Path(__file__).resolve().parents[3] / "shared"))
REPORTED = SHARED / "cases" / "reported.jsonl"
REAL = SHARED / "cases" / "real-pairs.jsonl.gz"
FACTOR, ROOM = 2, 200
# So many things are taken away from one witness at most.
TRIES = 300
# What a character that cannot be read might be replaced by.
LEGIBLE = ("", "a", "A", "0", " ", "-", "/", "é")

Pair = tuple[str, Any, Any]


def reported() -> Iterator[Pair]:
    if not REPORTED.exists():
        pytest.skip(f"no labelled cases at {SHARED}: set COMPAT_SHARED")
    # Not splitlines: a case may carry U+2028 inside a string.
    for line in filter(str.strip, REPORTED.read_text(encoding="utf-8").split("\n")):
        row = json.loads(line)
        yield row["id"], row["old"], row["new"]


def real() -> Iterator[Pair]:
    if not REAL.exists():
        pytest.skip(f"no real pairs at {SHARED}: set COMPAT_SHARED")
    for number, line in enumerate(filter(str.strip, gzip.decompress(REAL.read_bytes()).decode().split("\n"))):
        row = json.loads(line)
        yield f"{number} {row['repo']} {row['path']}", row["old"], row["new"]


class Kind:
    """The instances of one side that the other refuses at the same place as a witness."""

    def __init__(self, left: SchemaSet, right: SchemaSet, witness: JSON, location: str) -> None:
        self._quick = SecondOpinion(left)
        self._accepts, self._rejects = Validator(left), Validator(right)
        places = self._failing(witness)
        # A reason is told by where its keyword stands; where the validator puts it elsewhere, any failure will do.
        self._places = frozenset(place for place in places if place[1] == location) or places

    def _failing(self, value: JSON) -> frozenset[tuple[str, str]]:
        try:
            return frozenset((failure.source, failure.keyword_location) for failure in self._rejects.failures(value))
        except UnresolvedReference:
            # Where one of the places lies in a file that is not here, what is refused anywhere is of the kind.
            return frozenset() if self._rejects.is_valid(value) else frozenset({("", "")})

    def has(self, value: JSON) -> bool:
        quick = self._quick.is_valid(value)
        if quick is False or (quick is None and not self._accepts.is_valid(value)):
            return False
        return bool(self._failing(value) & self._places)


def smallest(witness: JSON, belongs: Callable[[JSON], bool]) -> JSON:
    """Take away from a witness, the outer things first, as long as it stays one of its kind."""
    tries, shrunk = 0, True
    while shrunk:
        shrunk = False
        for path in [path for path, _ in walk(witness)]:
            if not has(witness, path):
                continue  # it went with what was around it
            for smaller in _smaller(witness, path):
                tries += 1
                if tries > TRIES:
                    return witness
                if belongs(smaller):
                    witness, shrunk = smaller, True
                    break
    return witness


def _smaller(value: JSON, path: Steps) -> Iterator[JSON]:
    inner: Any = at(value, path)
    if path:
        yield replaced(value, {}, {path})
    if isinstance(inner, str) and inner:
        yield from (replaced(value, {path: text}) for text in ("", inner[: len(inner) // 2], inner[:-1]))
    elif isinstance(inner, dict | list) and inner:
        yield replaced(value, {path: type(inner)()})


class Shown(NamedTuple):
    """One witness, what it shows, and the kind it is of."""

    name: str
    witness: JSON
    kind: Callable[[], Kind]


def shown(pairs: Iterator[Pair]) -> Iterator[Shown]:
    """Yield the witnesses of verdicts and reasons."""
    for name, old, new in pairs:
        sides = schema_set(old), schema_set(new)
        try:
            result = compat.compare(*sides)
        except CompatError:
            continue
        for direction in Direction:
            verdict = result.verdict(direction)
            if verdict.status is not Status.BREAKING:
                continue
            left, right = sides if direction is Direction.BACKWARD else sides[::-1]
            told = [("", verdict.witness), *((reason.keyword_location, reason.witness) for reason in verdict.reasons)]
            for location, witness in told:
                yield Shown(f"{name} {direction} {location}", witness, partial(Kind, left, right, witness, location))


def too_large(pairs: Iterator[Pair]) -> tuple[int, list[str]]:
    """Count witnesses, and name those that are larger than they have to be."""
    count, large = 0, []
    for name, witness, kind in shown(pairs):
        count += 1
        if size(witness) <= ROOM:
            continue
        least = smallest(witness, kind().has)
        if size(witness) > FACTOR * size(least) + ROOM:
            large.append(f"{name}: {size(witness)} bytes, and {size(least)} would do")
    return count, large


def illegible(pairs: Iterator[Pair]) -> list[str]:
    """Name the witnesses with a character that nobody can read, though a legible one would do in its place."""
    return [f"{name}: {dumps(witness)}" for name, witness, kind in shown(pairs) if _has_better(witness, kind)]


def _has_better(witness: JSON, kind: Callable[[], Kind]) -> bool:
    odd = sorted(
        {char for text in scalars(witness) if isinstance(text, str) for char in text if not char.isprintable()}
    )
    # Of many different ones a few tell.
    return any(kind().has(_with(witness, char, other)) for char in odd[:3] for other in LEGIBLE)


def _with(value: Any, char: str, other: str) -> Any:
    if isinstance(value, str):
        return value.replace(char, other)
    if isinstance(value, dict):
        return {key.replace(char, other): _with(item, char, other) for key, item in value.items()}
    return [_with(item, char, other) for item in value] if isinstance(value, list) else value


def test_witnesses_of_reported_cases_are_small() -> None:
    count, large = too_large(reported())
    assert count > 100
    assert large == []


def test_a_sample_of_the_witnesses_of_real_changes_is_small() -> None:
    count, large = too_large(islice(real(), 0, None, 40))
    assert count > 100
    assert large == []


@pytest.mark.long
def test_every_witness_of_real_changes_is_small() -> None:
    count, large = too_large(real())
    assert count > 3_000
    assert large == []


def test_witnesses_of_reported_cases_are_legible() -> None:
    assert illegible(reported()) == []


@pytest.mark.long
def test_every_witness_of_real_changes_is_legible() -> None:
    assert illegible(real()) == []


def test_taking_away_finds_the_smallest_of_a_kind() -> None:
    left, right = schema_set({"required": ["a"]}), schema_set({"properties": {"b": {"items": {"maxLength": 2}}}})
    witness: JSON = {"a": {"long": 1}, "b": ["x", "abcdefgh"], "c": [1, 2]}
    least = smallest(witness, Kind(left, right, witness, "/properties/b/items/maxLength").has)
    assert least == {"a": {}, "b": ["abc"]}

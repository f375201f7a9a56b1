"""A stream of records of the four contracts as long as one likes, some broken in known ways, and what must come of it.

The same count and the same start give the same bytes. What a record does under the version it was written under and
under the newest is asked of plain jsonschema, once for each of the few thousand records that the stream is made of.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from compat.demo.history import Entry, entries
from compat.lineage import apart_from_marker
from compat.replay.parse import Kind
from compat.replay.route import Unrouted

# The property that names the version; nothing in a conversation says what it is, so its file has to.
NAMING = {"task": "v", "pw-decide-row": "schema", "invocation-response": "schema_version", "kwau-conversations": None}
OUTCOMES = {
    (True, True): "passes_both",
    (True, False): "newly_fails",
    (False, False): "failed_already",
    (False, True): "newly_passes",
}
PER_FILE = 250_000


@dataclass(frozen=True)
class Sample:
    """One line and what must come of it: an outcome of a version, a kind of unreadable, or a reason for no route."""

    text: bytes
    lineage: str
    version: str
    outcome: str


@dataclass
class Expected:
    """What must come of a whole stream."""

    outcomes: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)
    unreadable: Counter[str] = field(default_factory=Counter)
    unrouted: Counter[str] = field(default_factory=Counter)
    blank: int = 0
    first_failing: dict[tuple[str, str], str] = field(default_factory=dict)

    @property
    def read(self) -> int:
        parts = (*self.outcomes.values(), self.unreadable, self.unrouted)
        return sum(sum(part.values()) for part in parts)

    def take(self, sample: Sample, place: str) -> None:
        if sample.outcome in OUTCOMES.values():
            key = (sample.lineage, sample.version)
            self.outcomes.setdefault(key, Counter())[sample.outcome] += 1
            if sample.outcome == "newly_fails":
                self.first_failing.setdefault(key, place)
        elif sample.outcome == "blank":
            self.blank += 1
        elif sample.outcome in list(Kind):
            self.unreadable[sample.outcome] += 1
        else:
            self.unrouted[sample.outcome] += 1


class Lineage:
    """The versions of one contract by number, each as the newest revision of that number."""

    def __init__(self, name: str, versions: list[Entry]) -> None:
        self.name = name
        self.schemas = {entry.version: json.loads(entry.schema) for entry in versions}
        self.records: dict[str, list[Any]] = {}
        for entry in versions:
            self.records.setdefault(entry.version, []).extend(map(json.loads, entry.records.splitlines()))
        self.newest = versions[-1].version
        self._sides = {
            version: [Draft202012Validator(side) for side in apart_from_marker(schema, self.schemas[self.newest])[:2]]
            for version, schema in self.schemas.items()
        }

    def samples(self) -> Iterator[Sample]:
        """Yield every stored record as it is, and broken in ways that a reader of the schema would see."""
        for version, values in self.records.items():
            for number, value in enumerate(values):
                yield from self.written(value, version)
                if number % 4 == 0:
                    for broken in self.broken(value, version):
                        yield from self.written(broken, version)

    def written(self, value: Any, version: str) -> Iterator[Sample]:
        """Yield a value in the three spellings that are most often met."""
        outcome = OUTCOMES[tuple(side.is_valid(value) for side in self._sides[version])]  # type: ignore[index]
        for style in ({"separators": (",", ":"), "ensure_ascii": False}, {"ensure_ascii": False}, {}):
            yield Sample(json.dumps(value, **style).encode(), self.name, version, outcome)

    def broken(self, value: dict[str, Any], version: str) -> Iterator[dict[str, Any]]:
        """Leave out, turn and add a property, but for the ones that name the version."""
        kept = {NAMING[self.name], "type"}
        required = [name for name in self.schemas[version].get("required", list(value)) if name not in kept]
        for name in (required[0], required[-1]):
            if name in value:
                yield {key: item for key, item in value.items() if key != name}
                yield value | {name: {"surplus": [1]}}
        yield value | {"surplus": 1}
        yield value | {"surplus": 2**64 + 1}

    def misread(self) -> Iterator[Sample]:
        """Yield lines that are no record, each for its own reason."""
        text = json.dumps(self.records[self.newest][0], separators=(",", ":")).encode()
        member = text[1 : text.index(b",") + 1]
        ways: dict[Kind, list[bytes]] = {
            Kind.TRUNCATED: [text[: text.index(b":") + 1]],
            Kind.MALFORMED: [text + b"}", text.replace(b":", b"=", 1)],
            Kind.DUPLICATE_KEY: [b"{" + member + text[1:], b"{ " + member + b" " + text[1:]],
            Kind.NUMBER: [text[:-1] + b',"surplus":NaN}', text[:-1] + b',"surplus":-1e999}'],
            Kind.ENCODING: [text[:-1] + b',"surplus":"\xff"}'],
            Kind.SURROGATE: [text[:-1] + b',"surplus":"\\ud800"}'],
            Kind.TOO_DEEP: [text[:-1] + b',"surplus":' + b"[" * 600 + b"]" * 600 + b"}"],
        }
        for kind, texts in ways.items():
            yield from (Sample(each, self.name, "", kind.value) for each in texts)
        yield Sample(b"", self.name, "", "blank")
        yield Sample(b" \t\r", self.name, "", "blank")

    def astray(self) -> Iterator[Sample]:
        """Yield records that name no version that is known."""
        naming = NAMING[self.name]
        if naming is not None:
            value = self.records[self.newest][0]
            other = {"v": 99, "schema": "pw-decide-row/99", "schema_version": "99.0"}[naming]
            text = json.dumps(value | {naming: other}).encode()
            # A bare number, with no name and no other constant beside it, says nothing of a lineage.
            reason = Unrouted.NO_LINEAGE if naming == "schema_version" else Unrouted.NO_VERSION
            yield Sample(text, self.name, "", reason.value)
        yield Sample(b'[{"a": 1}]', self.name, "", Unrouted.NO_OBJECT.value)
        yield Sample(b'{"hello": "world"}', self.name, "", Unrouted.NO_LINEAGE.value)


def lineages() -> list[Lineage]:
    """Give the four contracts."""
    versions: dict[str, list[Entry]] = {}
    for entry in entries():
        versions.setdefault(entry.lineage, []).append(entry)
    return [Lineage(name, each) for name, each in versions.items()]


def write(folder: Path, count: int, start: int = 1) -> Expected:
    """Write a stream of so many lines into files of a folder, named by what cannot be known otherwise."""
    contracts = lineages()
    mixed = [contract for contract in contracts if NAMING[contract.name] is not None]
    named = [contract for contract in contracts if NAMING[contract.name] is None]
    chance, expected = random.Random(start), Expected()
    good = list(chain.from_iterable(contract.samples() for contract in mixed))
    odd = list(chain.from_iterable((*contract.misread(), *contract.astray()) for contract in mixed))
    share = count // 4
    total = count - share * len(named)
    for number, first in enumerate(range(0, total, PER_FILE)):
        size = min(PER_FILE, total - first)
        _write(folder / f"mixed-{number:02}.ndjson", good, odd, size, chance, expected)
    for contract in named:
        by_version: dict[str, list[Sample]] = {}
        for sample in contract.samples():
            by_version.setdefault(sample.version, []).append(sample)
        misread = list(contract.misread())
        sizes = [share // len(by_version)] * len(by_version)
        sizes[-1] += share - sum(sizes)
        for (version, samples), size in zip(by_version.items(), sizes, strict=True):
            path = folder / contract.name / f"{version}.ndjson"
            _write(path, samples, misread, size, chance, expected)
    return expected


def _write(
    path: Path, good: list[Sample], odd: list[Sample], count: int, chance: random.Random, expected: Expected
) -> None:
    # Mostly what passes both, as in a store that is in use; all else is explained, and takes its time.
    fine = [sample for sample in good if sample.outcome == "passes_both"] or good
    other = [sample for sample in good if sample.outcome != "passes_both"] or fine
    path.parent.mkdir(parents=True, exist_ok=True)
    name = "/".join(path.parts[path.parts.index("bus") :])
    with path.open("wb") as file:
        for line in range(1, count + 1):
            sample = chance.choice(odd if line % 100 == 7 else other if line % 20 == 3 else fine)
            file.write(sample.text + b"\n")
            expected.take(sample, f"{name}:{line}")

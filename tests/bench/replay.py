"""How fast records are replayed, next to the bare cost: orjson, then the compiled validator of each side.

    python tests/bench/replay.py [RECORDS]

Uses the packaged records over and over, each under the version it was written under and under the next one. Times
are of the processor, the best of several runs. Failing records cost more: the reference explains
each of them.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from time import process_time

import jsonschema_rs
import orjson

from compat.demo.history import Entry, entries
from compat.lineage import apart_from_marker
from compat.model.document import parse_document
from compat.model.references import schema_set
from compat.replay.read import read_pieces
from compat.replay.run import redaction, replay
from compat.replay.summary import Summary
from compat.replay.validate import SchemaChecker, explainer, names_of

RUNS = 3
FAILING = 500


def best(work: Callable[[], object]) -> float:
    """Give the seconds of the fastest run."""
    times = []
    for _ in range(RUNS):
        began = process_time()
        work()
        times.append(process_time() - began)
    return min(times)


def steps() -> Iterator[tuple[Entry, Entry]]:
    """Yield the first step of each lineage that breaks."""
    known: dict[str, list[Entry]] = {}
    for entry in entries():
        known.setdefault(entry.lineage, []).append(entry)
    for versions in known.values():
        yield next(step for step in pairwise(versions) if step[1].backward == "breaking")


class Bench:
    """One pair of versions, ready to be replayed and to be looped over by hand."""

    def __init__(self, old: Entry, new: Entry) -> None:
        documents = [parse_document(entry.schema, name=entry.label) for entry in (old, new)]
        before, after, _ = apart_from_marker(*(document.value for document in documents))
        self._old, self._new = schema_set(documents[0].replaced(before)), schema_set(documents[1].replaced(after))
        self._checkers = SchemaChecker(self._old), SchemaChecker(self._new)
        self._bare = [jsonschema_rs.validator_for(value) for value in (before, after)]
        lines = old.records.splitlines()
        self.failing = [line for line in lines if not self._bare[1].is_valid(orjson.loads(line))]
        self.passing = [line for line in lines if line not in self.failing]

    def ours(self, data: bytes) -> Summary:
        return replay(
            read_pieces(lambda: io.BytesIO(data), "records.ndjson"),
            *self._checkers,
            explainer(self._old, self._new),
            redact=redaction(names_of(self._old, self._new)),
        )

    def bare(self, data: bytes) -> None:
        old, new = self._bare
        for line in data.split(b"\n"):
            if line:
                value = orjson.loads(line)
                old.is_valid(value)
                new.is_valid(value)


def repeated(lines: list[bytes], count: int) -> bytes:
    return b"\n".join((lines * (count // len(lines) + 1))[:count]) + b"\n"


def main(count: int) -> None:
    print(f"{'':34} {'bytes':>6} {'bare/s':>9} {'ours/s':>9} {'share':>6} {'failing/s':>10}")
    for old, new in steps():
        bench = Bench(old, new)
        spaced = [json.dumps(json.loads(line), ensure_ascii=False).encode() for line in bench.passing]
        for style, lines in (("compact", bench.passing), ("spaced", spaced)):
            data = repeated(lines, count)
            assert bench.ours(data).tally.passes_both == count
            bare, ours = best(partial(bench.bare, data)), best(partial(bench.ours, data))
            slow = best(partial(bench.ours, repeated(bench.failing, FAILING))) if style == "compact" else 0
            told = f"{FAILING / slow:>10,.0f}" if slow else ""
            print(
                f"{new.label[:26]:26} {style:>7} {len(data) // count:>6} {count / bare:>9,.0f} {count / ours:>9,.0f}"
                f" {bare / ours:>6.0%} {told}"
            )
    print(f"{count:,} records a line")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50_000)

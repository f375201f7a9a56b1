"""How fast records are replayed, next to the bare cost of it: parse with orjson, ask a compiled validator.

    python tests/bench/replay.py [--records N] [--large MB] [--jobs N]

Takes the stored records of each of the four contracts over and over, in the spelling without spaces and in that of
`json.dumps`, under one version and under two that follow each other. All ratios of a line are from one run, the best of
two. One process is measured by the time of the processor; where processes are compared, by the clock, so nothing else
should run. The last table is the memory of the largest process, for a small file and a large one.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from time import perf_counter, process_time

import jsonschema_rs
import orjson
from jsonschema import Draft202012Validator

from compat.demo.history import Entry, entries
from compat.jsonvalue import JSON
from compat.lineage import apart_from_marker
from compat.model.document import parse_document
from compat.model.references import SchemaSet, schema_set
from compat.replay.cutting import Lines
from compat.replay.pair import PairSpec
from compat.replay.read import read_pieces
from compat.replay.summary import Summary
from compat.replay.workers import Workers

RUNS = 2
FAILING = 2_000
SLOWLY = 300


def best(work: Callable[[], object], clock: Callable[[], float] = process_time) -> float:
    """Give the seconds of the fastest run."""
    times = []
    for _ in range(RUNS):
        began = clock()
        work()
        times.append(clock() - began)
    return min(times)


def steps() -> list[tuple[Entry, Entry]]:
    """Give the first step of each lineage that breaks."""
    known: dict[str, list[Entry]] = {}
    for entry in entries():
        known.setdefault(entry.lineage, []).append(entry)
    return [next(step for step in pairwise(each) if step[1].backward == "breaking") for each in known.values()]


class Bench:
    """One pair of versions, ready to be replayed and to be looped over by hand."""

    def __init__(self, old: Entry, new: Entry) -> None:
        documents = [parse_document(entry.schema, name=entry.label) for entry in (old, new)]
        self.plain = apart_from_marker(*(document.value for document in documents))[:2]
        self.sets: list[SchemaSet] = [
            schema_set(document.replaced(value)) for document, value in zip(documents, self.plain, strict=True)
        ]
        self.bare = [jsonschema_rs.validator_for(value).is_valid for value in self.plain]
        lines = old.records.splitlines()
        self.passing = [line for line in lines if self.bare[1](orjson.loads(line))]
        self.failing = [line for line in lines if not self.bare[1](orjson.loads(line))]

    def spec(self, both: bool) -> PairSpec:
        return PairSpec(self.sets[0] if both else self.sets[1], self.sets[1])


def replayed(path: Path, spec: PairSpec, jobs: int = 1) -> Summary:
    """Replay a file as `compat replay` does."""
    runner = spec.runner()
    with Workers(jobs, after=0) as workers:
        for block, part in workers.judged(read_pieces(lambda: path.open("rb"), path.name), runner.judge, spec):
            if part is not None and isinstance(block, Lines):
                runner.add(block, part)
            else:
                runner.take(block)
    return runner.summary()


def parsed(path: Path) -> None:
    loads = orjson.loads
    with path.open("rb") as file:
        for line in file:
            loads(line)


def looped(path: Path, *validators: Callable[[JSON], bool]) -> None:
    """Do what one would write down first."""
    loads = orjson.loads
    first, *rest = validators
    second = rest[0] if rest else None
    with path.open("rb") as file:
        for line in file:
            value = loads(line)
            first(value)
            if second is not None:
                second(value)


def written(path: Path, lines: list[bytes], count: int) -> int:
    """Write so many lines, and give how many bytes they are."""
    block = b"\n".join(lines) + b"\n"
    with path.open("wb") as file:
        for _ in range(count // len(lines)):
            file.write(block)
        file.writelines(line + b"\n" for line in lines[: count % len(lines)])
    return path.stat().st_size


def speed(folder: Path, count: int, jobs: int) -> None:
    print(f"{'records a second, in thousands':38} bytes  parse |  bare  ours      |  bare  ours      | {jobs} jobs")
    print(f"{'':38}              |     one version      |     two versions     |")
    for old, new in steps():
        bench = Bench(old, new)
        spaced = [json.dumps(json.loads(line)).encode() for line in bench.passing]
        for style, lines in (("compact", bench.passing), ("spaced", spaced)):
            path = folder / "records.ndjson"
            size = written(path, lines, count) // count
            assert replayed(path, bench.spec(both=True)).tally.passes_both == count
            parse = best(lambda path=path: parsed(path))
            one = best(lambda path=path, bench=bench: looped(path, bench.bare[1]))
            ours = best(lambda path=path, bench=bench: replayed(path, bench.spec(both=False)))
            two = best(lambda path=path, bench=bench: looped(path, *bench.bare))
            both = best(lambda path=path, bench=bench: replayed(path, bench.spec(both=True)))
            alone = best(lambda path=path, bench=bench: replayed(path, bench.spec(both=True)), perf_counter)
            shared = best(lambda path=path, bench=bench: replayed(path, bench.spec(both=True), jobs), perf_counter)
            k = count / 1000
            print(
                f"{new.label:29.29} {style:>8} {size:>5} {k / parse:>6.0f} |{k / one:>6.0f}{k / ours:>6.0f}"
                f" {one / ours:>5.0%}|{k / two:>6.0f}{k / both:>6.0f} {two / both:>5.0%}| {alone / shared:.2f} x",
                flush=True,
            )


def others(folder: Path, count: int) -> None:
    """Compare with what explains failures, and with the loops that people write with other tools."""
    print(f"\n{'records a second':38} {'ours':>8} {'failing':>8} {'jsonschema':>10} {'check-jsonschema':>16}")
    for old, new in steps():
        bench = Bench(old, new)
        path = folder / "records.ndjson"
        spec = bench.spec(both=False)
        written(path, bench.passing, count)
        ours = count / best(lambda path=path, spec=spec: replayed(path, spec))
        written(path, bench.failing, FAILING)
        failing = FAILING / best(lambda path=path, bench=bench: replayed(path, bench.spec(both=True)))
        reference = Draft202012Validator(bench.plain[1])
        sample = [json.loads(line) for line in (bench.passing * SLOWLY)[:SLOWLY]]
        slow = SLOWLY / best(lambda sample=sample, reference=reference: [reference.is_valid(each) for each in sample])
        told = check_jsonschema(folder, bench.plain[1], sample)
        print(f"{new.label:38.38} {ours:>8,.0f} {failing:>8,.0f} {slow:>10,.0f} {told:>16}", flush=True)


def check_jsonschema(folder: Path, schema: JSON, sample: list[JSON]) -> str:
    """Give how many files a second it checks, apart from its start; it takes a file a record."""
    here = str(Path(sys.executable).parent)
    checker = shutil.which("check-jsonschema", path=here) or shutil.which("check-jsonschema")
    if checker is None:
        return "not installed"
    (folder / "schema.json").write_text(json.dumps(schema), encoding="utf-8")
    for number, value in enumerate(sample):
        (folder / f"record-{number:03}.json").write_text(json.dumps(value), encoding="utf-8")
    files = sorted(map(str, folder.glob("record-*.json")))

    def run(some: list[str]) -> None:
        command = [checker, "--schemafile", str(folder / "schema.json"), *some]
        subprocess.run(command, check=True, capture_output=True)

    seconds = best(lambda: run(files), perf_counter) - best(lambda: run(files[:1]), perf_counter)
    return f"{(len(files) - 1) / max(seconds, 1e-9):,.0f}"


def memory(folder: Path, megabytes: int, jobs: int) -> None:
    bench = Bench(*steps()[0])
    print(f"\n{'memory of the largest process':38} {'1 job':>8} {f'{jobs} jobs':>8}")
    for size in (10, megabytes):
        path = folder / "records.ndjson"
        written(path, bench.passing, size * 1_000_000 // (sum(map(len, bench.passing)) // len(bench.passing)))
        peaks = []
        for each in (1, jobs):
            command = [sys.executable, __file__, "--peak", str(path), "--jobs", str(each)]
            peaks.append(int(subprocess.run(command, check=True, capture_output=True).stdout))
        print(f"{size:>35} MB {peaks[0] // 1024:>5} MB {peaks[1] // 1024:>5} MB", flush=True)


def peak(path: Path, jobs: int) -> None:
    replayed(path, Bench(*steps()[0]).spec(both=True), jobs)
    print(max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=100_000, help="of each contract and spelling (%(default)s)")
    parser.add_argument("--large", type=int, default=500, metavar="MB", help="size of the large file (%(default)s)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes to compare one with (%(default)s)")
    parser.add_argument("--peak", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.peak is not None:
        peak(asked.peak, asked.jobs)
        return
    with tempfile.TemporaryDirectory() as name:
        speed(Path(name), asked.records, asked.jobs)
        others(Path(name), asked.records)
        memory(Path(name), asked.large, asked.jobs)
    print(f"{asked.records:,} records a line")


if __name__ == "__main__":
    main()

"""How long one comparison takes, next to `jsonschema_rs` on the same pair in the same run.

    python tests/bench/engine.py [REAL-PAIRS.jsonl.gz]

Real pairs first: the verdicts of both directions against `canonicalize` and `covers` both ways, in turn, and once more
with all reasons and changes. Then the kinds of schemas that are known to be hard, a large pair with few changes, and
the memory that took. Times are of the processor, on whatever machine this is: only the ratios say something.
The pairs are third-party text that is not kept here; $COMPAT_SHARED names the folder they lie in.
"""

from __future__ import annotations

import gzip
import importlib
import importlib.metadata
import json
import os
import resource
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import jsonschema_rs

import compat
from compat.errors import CompatError
from compat.relation import Status

SHARED = Path(os.environ.get("COMPAT_SHARED", Path(__file__).resolve().parents[3] / "shared"))
RUNS = 3
COLUMN = 46


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Run something a few times; give the milliseconds of the fastest run and the last result."""
    best, result = float("inf"), None
    for _ in range(RUNS):
        started = process_time()
        result = work()
        best = min(best, process_time() - started)
    return best * 1_000, result


def line(label: str, text: str) -> None:
    print(f"{label:{COLUMN}} {text}", flush=True)


def spread(times: list[float]) -> str:
    ordered = sorted(times)
    return f"median {median(ordered):7.2f} ms   p95 {ordered[int(len(ordered) * 0.95)]:7.1f}   worst {ordered[-1]:7.1f}"


# ── real pairs ────────────────────────────────────────────────────────────────────────────────────────────────────


def verdicts(old: Any, new: Any) -> compat.Comparison:
    return compat.compare(old, new)


def everything(old: Any, new: Any) -> compat.Comparison:
    """Compare and ask for all there is to say."""
    result = compat.compare(old, new)
    for direction in (result.backward, result.forward):
        _ = direction.reasons
    _ = result.changes
    return result


def peer(old: Any, new: Any) -> tuple[str, str] | None:
    """Ask jsonschema_rs both ways; None where it does not take a schema."""
    try:
        one, other = (jsonschema_rs.canonicalize(side, validate_formats=False) for side in (old, new))
        return str(other.covers(one)), str(one.covers(other))
    except (ValueError, jsonschema_rs.ReferencingError):
        return None


def third() -> tuple[str, Callable[[Any, Any], Any]] | None:
    """Give jsoncompat where it is installed: its version, and a call that asks it both ways."""
    try:
        module = importlib.import_module("jsoncompat")
    except ImportError:
        return None

    def ask(old: Any, new: Any) -> tuple[bool, bool] | None:
        sides = json.dumps(old), json.dumps(new)
        try:
            return module.check_compat(*sides, "deserializer"), module.check_compat(*sides, "serializer")
        except (ValueError, RuntimeError, TypeError):
            return None

    return importlib.metadata.version("jsoncompat"), ask


def is_foreign(value: Any) -> bool:
    """Whether a schema refers to other files, which are not at hand."""
    if isinstance(value, dict):
        target = value.get("$ref")
        return (isinstance(target, str) and not target.startswith("#")) or any(map(is_foreign, value.values()))
    return isinstance(value, list) and any(map(is_foreign, value))


def pairs(path: Path) -> Iterator[tuple[Any, Any]]:
    for row in gzip.decompress(path.read_bytes()).decode().split("\n"):
        if row.strip():
            case = json.loads(row)
            if not is_foreign(case["old"]) and not is_foreign(case["new"]):
                yield case["old"], case["new"]


def real(path: Path) -> None:
    ours: list[float] = []
    full: list[float] = []
    theirs: list[float] = []
    ratios: list[float] = []
    full_ratios: list[float] = []
    others: list[float] = []
    count: Counter[str] = Counter()
    extra = third()
    # The first call pays for imports and tables.
    everything({"type": "string"}, {"type": "number"})
    for old, new in pairs(path):
        count["pairs"] += 1
        try:
            took, result = timed(lambda old=old, new=new: verdicts(old, new))  # type: ignore[misc]
            longer, _ = timed(lambda old=old, new=new: everything(old, new))  # type: ignore[misc]
        except CompatError:
            count["refused"] += 1
            continue
        ours.append(took)
        full.append(longer)
        count["decided"] += sum(one.status is not Status.UNKNOWN for one in (result.backward, result.forward))
        cost, answers = timed(lambda old=old, new=new: peer(old, new))  # type: ignore[misc]
        if answers is not None:
            theirs.append(cost)
            ratios.append(took / cost)
            full_ratios.append(longer / cost)
            count["peer decided"] += sum(answer != "unknown" for answer in answers)
        if extra is not None:
            cost, said = timed(lambda old=old, new=new: extra[1](old, new))  # type: ignore[misc]
            if said is not None:
                others.append(took / cost)
    checks = 2 * len(ours)
    line("real pairs", f"{count['pairs']}, of which {count['refused']} refused as no schemas")
    line("compat, both directions", f"{spread(ours)}   decided {count['decided'] / checks:.1%}")
    line("compat, with all reasons and changes", spread(full))
    version = importlib.metadata.version("jsonschema_rs")
    line(f"jsonschema_rs {version}", f"{spread(theirs)}   decided {count['peer decided'] / checks:.1%}")
    line(f"median ratio on the {len(ratios)} pairs that it takes", f"{median(ratios):.2f}")
    line("the same with all reasons and changes", f"{median(full_ratios):.2f}")
    if extra is None:
        line("jsoncompat", "not installed, passed over")
    elif others:
        line(f"median ratio to jsoncompat {extra[0]}", f"{median(others):.2f} on the {len(others)} pairs that it takes")


# ── hard kinds ────────────────────────────────────────────────────────────────────────────────────────────────────


def integers(most: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": 0, "maximum": most}


def tagged(count: int, most: int) -> dict[str, Any]:
    """A `oneOf` of objects that a property tells apart."""
    return {
        "oneOf": [
            {
                "type": "object",
                "required": ["kind"],
                "properties": {"kind": {"const": f"kind-{number}"}, "size": {"type": "integer", "maximum": most}},
            }
            for number in range(count)
        ]
    }


def overlapping(count: int, kind: str) -> dict[str, Any]:
    """Key patterns of which any number may match one key."""
    return {"type": "object", "patternProperties": {letter: {"type": kind} for letter in "abcdefghijklm"[:count]}}


def text(pattern: str) -> dict[str, Any]:
    return {"type": "string", "pattern": pattern}


def hard() -> Iterator[tuple[str, Any, Any]]:
    unique = {"type": "array", "uniqueItems": True}
    yield "uniqueItems over 301 values, 302 wanted", {**unique, "items": integers(300), "minItems": 302}, False
    yield "uniqueItems over 301 values, 301 wanted", {**unique, "items": integers(300), "minItems": 301}, False
    yield "1000 unique items against 1001", {**unique, "minItems": 1_000}, {**unique, "minItems": 1_001}
    yield "thirteen overlapping key patterns", overlapping(13, "string"), overlapping(13, "integer")
    yield "the same, one of them dropped", overlapping(13, "string"), overlapping(12, "string")
    yield "[ab]*a[ab]{14} against [ab]*", text("^[ab]*a[ab]{14}$"), text("^[ab]*$")
    yield "[ab]*a[ab]{14} against [ab]*a[ab]{13}", text("^[ab]*a[ab]{14}$"), text("^[ab]*a[ab]{13}$")
    yield "oneOf of 300 tagged objects", tagged(300, 9), tagged(300, 10)
    yield "^[a-z]{1,5000}$ against ^[a-z0-9]{1,10000}$", text("^[a-z]{1,5000}$"), text("^[a-z0-9]{1,10000}$")
    seed = SHARED / "seeds" / "task.schema.json"
    if seed.exists():
        strict = json.loads(seed.read_text(encoding="utf-8"))["properties"]["deadline"]["pattern"]
        loose = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$"
        yield "the date-time pattern of a seed, looser", text(strict), text(loose)
    else:
        line("the date-time pattern of a seed", f"passed over: no {seed}")


def large(sections: int) -> tuple[Any, Any]:
    """A megabyte of definitions in groups of ten that lead on to each other, and the same with ten changes in it."""

    def section(number: int, *, changed: bool) -> dict[str, Any]:
        fields: dict[str, Any] = {
            f"field-{index}": {
                "type": "string",
                "description": f"What section {number} says in its field {index}, told at the usual length.",
                "maxLength": 80 + index,
            }
            for index in range(8)
        }
        fields["count"] = {"type": "integer", "minimum": 1 if changed else 0}
        fields["price"] = {"$ref": "#/$defs/money"}
        fields["within"] = {"type": "array", "items": {"$ref": f"#/$defs/section-{number}"}}
        if number % 10 < 9:
            fields["next"] = {"$ref": f"#/$defs/section-{number + 1}"}
        return {"type": "object", "properties": fields, "required": ["field-0"], "additionalProperties": False}

    def whole(*, changes: int) -> dict[str, Any]:
        step = sections // 10
        definitions = {
            f"section-{number}": section(number, changed=number % step == 5 and number // step < changes)
            for number in range(sections)
        }
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {
                f"part-{number}": {"$ref": f"#/$defs/section-{number}"} for number in range(0, sections, 10)
            },
            "$defs": {
                "money": {"type": "object", "properties": {"amount": {"type": "number"}, "unit": {"enum": ["EUR"]}}},
                **definitions,
            },
        }

    return whole(changes=0), whole(changes=10)


def told(result: compat.Comparison) -> str:
    sides = (result.backward, result.forward)
    return " / ".join(f"{one.status.value}, {one.steps} steps" for one in sides)


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else SHARED / "cases" / "real-pairs.jsonl.gz"
    if path.exists():
        real(path)
    else:
        line("real pairs", f"passed over: no {path}; name a file, or set COMPAT_SHARED")
    print()
    for label, old, new in hard():
        took, result = timed(lambda old=old, new=new: verdicts(old, new))  # type: ignore[misc]
        line(label, f"{took:8.1f} ms   {told(result)}")
    print()
    old, new = large(900)
    size = len(json.dumps(old)) / 1e6
    took, result = timed(lambda: verdicts(old, new))
    line(f"a generated pair of {size:.1f} MB, ten changes", f"{took:8.1f} ms   {told(result)}")
    took, result = timed(lambda: everything(old, new))
    line("the same with all reasons and changes", f"{took:8.1f} ms   {len(result.changes)} changes")
    unit = 1 if sys.platform == "darwin" else 1_024
    line("peak memory of this process", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20:8.0f} MiB")


if __name__ == "__main__":
    main()

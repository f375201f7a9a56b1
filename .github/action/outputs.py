"""Write the outputs of the action from the reports in a folder: `python -I outputs.py FOLDER EXIT_CODE`.

Only words and numbers of ours get out; a text of a stranger's schema could write an output of its own.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

STATUSES = ("nothing-compared", "no-difference", "no-effect", "safe", "risky", "unknown", "breaking", "error")
BUMPS = ("none", "patch", "addition", "minor", "revision", "next", "model", "major")  # mildest first


def outputs(folder: Path, code: int) -> Iterator[tuple[str, object]]:
    """Yield every output, also where there is no report: what could not be checked has a status, too."""
    report = _read(folder / "report.json")
    status = report.get("conclusion", "error")
    counts = report.get("counts", {}).get("findings", {})
    yield "status", status if status in STATUSES else "error"
    yield "breaking", int(counts.get("breaking", 0))
    yield "unknown", int(counts.get("unknown", 0))
    yield "bump", _bump(_read(folder / "gate.json"))
    for name, ending in (("report", "json"), ("sarif", "sarif"), ("markdown", "markdown")):
        path = folder / f"report.{ending}"
        yield f"{name}-path", path if path.is_file() else ""
    yield "exit-code", code


def _bump(gate: dict[str, Any]) -> str:
    """Give the highest bump that a lineage asks for; nothing where one of them could not be judged."""
    if gate.get("exit_code", 3) == 3:
        return ""
    known = [lineage["bump"] for lineage in gate["lineages"] if lineage["bump"] in BUMPS]
    return max(known, key=BUMPS.index, default="none")


def _read(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


if __name__ == "__main__":
    for name, value in outputs(Path(sys.argv[1]), int(sys.argv[2])):
        print(f"{name}={value}")

"""How long `compat check` takes on many schemas with one changed, next to git's own list of changed files.

    python tests/bench/check.py [SCHEMAS]

Builds a repository in a temporary folder and prints the median of several runs of each, and their ratio.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

RUNS = 5
GIT = ("git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")


def schema(number: int) -> dict[str, object]:
    """One of many schemas of a usual size: an object with an address, lines and a status."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://example.org/schemas/order-{number}/1.0.0/order.schema.json",
        "title": f"Order {number}",
        "type": "object",
        "required": ["id", "lines"],
        "properties": {
            "id": {"type": "string", "pattern": "^ord_[0-9a-z]{20}$"},
            "status": {"enum": ["open", "paid", "sent", f"state-{number}"]},
            "address": {
                "type": "object",
                "required": ["street", "city"],
                "properties": {name: {"type": "string", "maxLength": 80} for name in ("street", "city", "zip", "land")},
            },
            "lines": {
                "type": "array",
                "maxItems": 100,
                "items": {
                    "type": "object",
                    "required": ["sku", "count"],
                    "properties": {
                        "sku": {"type": "string", "minLength": 1},
                        "count": {"type": "integer", "minimum": 1},
                        "price": {"type": "number", "minimum": 0, "multipleOf": 0.01},
                        "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
                    },
                },
            },
        },
    }


def build(root: Path, schemas: int) -> None:
    def git(*arguments: str) -> None:
        subprocess.run([*GIT, *arguments], cwd=root, check=True, capture_output=True)

    git("init", "--quiet", "--initial-branch=main")
    for number in range(schemas):
        path = root / f"schemas/order-{number}/order-{number}.schema.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(schema(number), indent=2) + "\n")
    git("add", ".")
    git("commit", "--quiet", "-m", "All of them")
    git("checkout", "--quiet", "-b", "change")
    changed = root / "schemas/order-7/order-7.schema.json"
    changed.write_text(changed.read_text().replace('"paid",', ""))


def timed(command: list[str], root: Path, expected: int) -> float:
    """Run a command a few times and give the median of the wall time."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "CI", "GITHUB_"))}
    times = []
    for _ in range(RUNS):
        started = perf_counter()
        done = subprocess.run(command, cwd=root, capture_output=True, env=environment, check=False)
        times.append(perf_counter() - started)
        if done.returncode != expected:
            sys.exit(f"{command} gave {done.returncode}, not {expected}:\n{done.stderr.decode()}")
    return median(times)


def main() -> None:
    schemas = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        build(root, schemas)
        check = timed([sys.executable, "-m", "compat", "check"], root, 1)
        git = timed([*GIT, "diff", "--name-only", "main"], root, 0)
        bare = timed([sys.executable, "-c", "import click"], root, 0)
        help_ = timed([sys.executable, "-m", "compat", "--help"], root, 0)
    print(f"compat check, {schemas} schemas, one changed   {check:7.3f} s")
    print(f"git diff --name-only main                {git:7.3f} s   ratio {check / git:.0f}")
    print(f"compat --help                            {help_:7.3f} s")
    print(f"python -c 'import click'                 {bare:7.3f} s   ratio {help_ / bare:.2f}")


if __name__ == "__main__":
    main()

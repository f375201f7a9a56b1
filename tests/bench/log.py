"""How long `compat log` takes on a long history, next to what git alone takes to list it and to give its contents.

    python tests/bench/log.py [--commits N] [--schemas M] [--runs R] [--verdicts] [--keep FOLDER]

Builds a repository in a temporary folder, the same one every time. Without --verdicts it measures the walk: every
lineage found, its versions told by number, content and soundness, and nothing judged; cold (nothing kept) and warm
(from the disk). Both are set against `git log --raw` with the same options and one `git cat-file --batch` over every
content that the log names, and are printed as ratios of the medians of runs that take turns. With --verdicts it
measures `compat log` as people call it, once cold and once warm.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import NamedTuple

GIT = ("git",)
FIRST_DAY = 1_600_000_000
WORDS = ("amount", "buyer", "city", "country", "email", "label", "note", "owner", "region", "state", "street", "zone")
PLACE = ("street", "city", "zip", "land")
SHARED = "schemas/common/money.json"

WALK = """
import os, sys
from pathlib import Path
from time import perf_counter
import git
from compat.cache import Cache
from compat.project import Project
from compat.project.walking import walks
folder = None if sys.argv[1] == "-" else Path(sys.argv[1])
started, before = perf_counter(), os.times()
with Project.open(".", environment={}) as project:
    if folder is not None:
        project.remember(Cache(folder))
    count = sum(len(walk.versions) for walk in walks(project, project.lineages()))
print(perf_counter() - started, sum(os.times()[:4]) - sum(before[:4]), count)
"""


def said(name: str) -> str:
    return f"What the {name} of an order is, in as many words as people use to describe a property to each other."


class Contract:
    """One generated schema, changed step by step as schemas are: mostly more, sometimes less, now and then a word."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.folder = f"schemas/domain-{number % 12}"
        self.name = f"order-{number}"
        self.rng = Random(number)
        self.steps = 0
        self.shares = number % 10 == 0
        texts = {name: {"type": "string", "maxLength": 80, "description": said(name)} for name in PLACE}
        price = {"type": "number", "minimum": 0, **({"multipleOf": 0.01} if number % 4 == 0 else {})}
        self.properties: dict[str, object] = {
            "id": {"type": "string", "pattern": "^ord_[0-9a-z]{20}$", "description": said("id")},
            "status": {"enum": ["open", "paid", "sent", f"state-{number}"], "description": said("status")},
            "address": {"type": "object", "required": ["street", "city"], "properties": texts},
            "lines": {
                "type": "array",
                "maxItems": 100,
                "description": said("lines"),
                "items": {
                    "type": "object",
                    "required": ["sku", "count"],
                    "properties": {
                        "sku": {"type": "string", "minLength": 1, "description": said("sku")},
                        "count": {"type": "integer", "minimum": 1, "description": said("count")},
                        "price": price,
                        "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
                    },
                },
            },
        }
        if self.shares:
            self.properties["total"] = {"$ref": "../common/money.json"}
        self.title = f"Order {number}"

    @property
    def path(self) -> str:
        return f"{self.folder}/{self.name}.schema.json"

    def change(self) -> None:
        self.steps += 1
        name = f"{self.rng.choice(WORDS)}{self.rng.randrange(9)}"
        status = self.properties["status"]
        assert isinstance(status, dict)
        match self.rng.randrange(8):
            case 0 | 1 | 2:
                self.properties[name] = {"type": self.rng.choice(("string", "integer", "boolean")), "title": said(name)}
            case 3:
                self.title = f"Order {self.number}, {self.steps}"
            case 4:
                status["enum"].append(f"{name}-{self.steps}")
            case 5:
                self.properties[name] = {"type": "string", "maxLength": 10 + self.rng.randrange(90)}
            case 6:
                self.properties["id"] = {"type": "string", "pattern": f"^ord_[0-9a-z]{{{self.rng.randrange(9, 30)}}}$"}
            case _:
                for last in list(self.properties)[-1:]:
                    if last not in {"lines", "total"}:
                        del self.properties[last]
        if self.steps % 40 == 39:
            self.name = f"{self.name}-renamed"

    def text(self) -> bytes:
        value = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": f"https://example.org/{self.path}",
            "version": f"1.{self.steps}.0",
            "title": self.title,
            "type": "object",
            "required": ["id", "lines"],
            "properties": self.properties,
        }
        return (json.dumps(value, indent=2) + "\n").encode()


def money(step: int) -> bytes:
    value = {
        "$id": f"https://example.org/{SHARED}",
        "type": "object",
        "properties": {"amount": {"type": "number", "maximum": 1000 + step}},
    }
    return (json.dumps(value, indent=2) + "\n").encode()


def stream(commits: int, schemas: int) -> Iterator[bytes]:
    """Yield a history for `git fast-import`: one to three schemas a commit, other files beside them, some merges."""
    rng = Random(1)
    contracts = [Contract(number) for number in range(schemas)]

    def data(content: bytes) -> bytes:
        return b"data %d\n%b\n" % (len(content), content)

    def commit(place: int, *, side: bool = False) -> bytes:
        branch = b"refs/heads/side" if side else b"refs/heads/main"
        who = b"Ada <ada@example.org>" if place % 3 else b"Grace <grace@example.org>"
        when = b"%d +0000" % (FIRST_DAY + place * 3600)
        said = data(b"Change %d" % place)
        return b"commit %b\nmark :%d\nauthor %b %b\ncommitter %b %b\n%b" % (branch, place, who, when, who, when, said)

    def file(path: str, content: bytes) -> bytes:
        return b"M 100644 inline %b\n%b" % (path.encode(), data(content))

    yield b"feature done\n"
    yield commit(1)
    yield file(SHARED, money(0))
    for one in contracts:
        yield file(one.path, one.text())
    place = 1
    while place < commits:
        place += 1
        merged = place % 50 == 0 and place < commits
        yield commit(place, side=merged)
        yield b"from :%d\n" % (place - 1)
        yield file(f"src/module_{place % 80}.py", b"VALUE = %d\n" % place)
        if place % 100 == 0:
            yield file(SHARED, money(place))
        for one in rng.sample(contracts, rng.randrange(1, 4)):
            before = one.path
            one.change()
            if one.path != before:
                yield b"D %b\n" % before.encode()
            yield file(one.path, one.text())
        if merged:
            place += 1
            yield commit(place)
            yield b"from :%d\nmerge :%d\n" % (place - 2, place - 1)
            for contract in contracts:
                yield file(contract.path, contract.text())
            yield file("src/merged.py", b"VALUE = %d\n" % place)
            if (place - 1) % 100 == 0:
                yield file(SHARED, money(place - 1))
            yield b"".join(b"D %b\n" % path for path in _gone(contracts))
        if place % 100 == 0:
            yield b"reset refs/tags/v%d.0.0\nfrom :%d\n\n" % (place // 100, place)
    yield b"done\n"


def _gone(contracts: list[Contract]) -> Iterator[bytes]:
    """Yield the name that a renamed schema had before, which the first parent of a merge may still have."""
    for one in contracts:
        if one.name.endswith("-renamed"):
            yield f"{one.folder}/{one.name.removesuffix('-renamed')}.schema.json".encode()


def build(root: Path, commits: int, schemas: int) -> None:
    subprocess.run([*GIT, "init", "--quiet", "--initial-branch=main", str(root)], check=True)
    importing = subprocess.Popen([*GIT, "fast-import", "--quiet"], cwd=root, stdin=subprocess.PIPE)
    assert importing.stdin is not None
    for part in stream(commits, schemas):
        importing.stdin.write(part)
    importing.stdin.close()
    if importing.wait() != 0:
        sys.exit("git fast-import failed")
    subprocess.run([*GIT, "reset", "--quiet", "--hard", "main"], cwd=root, check=True)


class Cost(NamedTuple):
    """Seconds by the clock, and of the processor's time, which a busy machine distorts less."""

    wall: float
    processor: float

    def __add__(self, other: object) -> Cost:
        assert isinstance(other, Cost)
        return Cost(self.wall + other.wall, self.processor + other.processor)

    def over(self, other: Cost) -> str:
        return f"{self.wall / other.wall:5.2f} by the clock, {self.processor / other.processor:5.2f} of the processor"


def middle(costs: Iterable[Cost]) -> Cost:
    return Cost(*map(median, zip(*costs, strict=True)))


def git(root: Path, *arguments: str, asked: bytes | None = None) -> tuple[Cost, bytes]:
    started, before = perf_counter(), os.times()
    done = subprocess.run([*GIT, *arguments], cwd=root, input=asked, capture_output=True, check=True)
    took, after = perf_counter() - started, os.times()
    processor = sum(after[2:4]) - sum(before[2:4])
    return Cost(took, processor), done.stdout


def bare(root: Path) -> tuple[Cost, Cost, int]:
    """Give what the list costs, what the contents cost, and how many there are."""
    suffixes = [f":(icase)*{suffix}" for suffix in (".json", ".yaml", ".yml", ".jsonschema")]
    options = ("--raw", "-z", "--no-abbrev", "-M50%", "-l2000", "--format=%x02%H%n%P%n%cI%n%an%n%s")
    log, listed = git(root, "log", "--first-parent", "--diff-merges=first-parent", *options, "main", "--", *suffixes)
    rows = (row.split(b" ") for row in listed.split(b"\0") if row.lstrip(b"\n").startswith(b":"))
    names = dict.fromkeys(row[3] for row in rows)
    names.pop(b"0" * 40, None)
    contents, _ = git(root, "cat-file", "--batch", asked=b"".join(name + b"\n" for name in names))
    return log, contents, len(names)


def walk(root: Path, cache: str) -> tuple[Cost, int]:
    """Give what our walk costs, and how many versions it tells."""
    done = subprocess.run([sys.executable, "-c", WALK, cache], cwd=root, capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr.decode())
    took, processor, count = done.stdout.split()
    return Cost(float(took), float(processor)), int(count)


def whole(root: Path, cache: Path) -> tuple[float, str]:
    """Give how long `compat log` takes as it is called, and its last line."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "CI", "GITHUB_"))}
    environment["COMPAT_CACHE_DIR"] = str(cache)
    started = perf_counter()
    command = [sys.executable, "-m", "compat", "log", "-v"]
    done = subprocess.run(command, cwd=root, capture_output=True, env=environment, check=False)
    took = perf_counter() - started
    if done.returncode != 0:
        sys.exit(done.stderr.decode())
    return took, f"{done.stdout.decode().splitlines()[-1]} {done.stderr.decode().splitlines()[-1]}"


@contextmanager
def place(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commits", type=int, default=2000)
    parser.add_argument("--schemas", type=int, default=300)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--verdicts", action="store_true")
    parser.add_argument("--keep", type=Path, help="build in this folder, and use what stands there already")
    wanted = parser.parse_args()
    with place(wanted.keep) as folder:
        root, cache = folder / f"repository-{wanted.commits}-{wanted.schemas}", folder / "cache"
        if not root.exists():
            started = perf_counter()
            build(root, wanted.commits, wanted.schemas)
            print(
                f"{wanted.commits:,} commits, {wanted.schemas} schemas      built in {perf_counter() - started:.1f} s"
            )
        if wanted.verdicts:
            for name in ("cold", "warm"):
                took, said = whole(root, cache)
                print(f"compat log, {name}   {took:8.2f} s   {said}")
            return
        walk(root, str(cache))
        rounds = [(*bare(root), *walk(root, "-"), *walk(root, str(cache))) for _ in range(wanted.runs)]
    logs, contents, blobs, colds, versions, warms, _ = zip(*rounds, strict=True)
    log, content, cold, warm = map(middle, (logs, contents, colds, warms))
    print(f"git log --raw          {log.wall:7.3f} s")
    print(f"git cat-file --batch   {content.wall:7.3f} s   {blobs[0]:,} contents")
    print(f"walk, cold             {cold.wall:7.3f} s   {versions[0]:,} versions   {cold.over(log + content)} (goal 3)")
    print(
        f"walk, warm             {warm.wall:7.3f} s   {versions[0]:,} versions   {warm.over(log + content)} (goal 1.2)"
    )


if __name__ == "__main__":
    main()

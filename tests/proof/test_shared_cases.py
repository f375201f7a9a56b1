"""Labelled pairs from outside the project, where they are at hand."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import compat
from compat.errors import SchemaError
from compat.model.dialects import Dialect
from compat.relation import Status

SHARED = Path(os.environ.get("COMPAT_SHARED", Path(__file__).resolve().parents[3] / "shared"))
REPORTED = SHARED / "cases" / "reported.jsonl"
CONTAINMENT = SHARED / "suites" / "containment.jsonl.gz"
OFFICIAL = SHARED / "suites" / "json-schema-test-suite"
REAL = SHARED / "cases" / "real-pairs.jsonl.gz"


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    text = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text()
    # Not splitlines: a case may carry U+2028 inside a string.
    yield from (json.loads(line) for line in text.split("\n") if line.strip())


def _need(path: Path) -> Path:
    if not path.exists():
        pytest.skip(f"{path.name} is not at hand; COMPAT_SHARED names the folder of shared cases")
    return path


def _wrong(row: dict[str, Any], result: compat.Comparison) -> list[str]:
    """Name the directions in which a decided verdict is not the label."""
    return [
        f"{row['id']} {name}"
        for name in ("backward", "forward")
        if row.get(name) is not None
        and (status := getattr(result, name).status) is not Status.UNKNOWN
        and (status is Status.COMPATIBLE) is not row[name]
    ]


def test_reported_cases_are_all_right() -> None:
    rows = list(_rows(_need(REPORTED)))
    results = [(row, compat.compare(row["old"], row["new"])) for row in rows]
    assert [wrong for row, result in results for wrong in _wrong(row, result)] == []
    undecided = [
        row["id"] for row, result in results if Status.UNKNOWN in (result.backward.status, result.forward.status)
    ]
    assert undecided == []


def _containment(step: int) -> tuple[int, int, list[str]]:
    checks = unknown = 0
    wrong: list[str] = []
    for row in list(_rows(_need(CONTAINMENT)))[::step]:
        dialect = Dialect.parse(_dialect(row["draft"]))
        result = compat.compare(row["old"], row["new"], dialect=dialect)
        labelled = [name for name in ("backward", "forward") if row.get(name) is not None]
        checks += len(labelled)
        unknown += sum(getattr(result, name).status is Status.UNKNOWN for name in labelled)
        wrong += _wrong(row, result)
    return checks, unknown, wrong


def _dialect(draft: str) -> str:
    return f"draft-0{draft}" if len(draft) == 1 else draft


def test_a_sample_of_the_containment_suite() -> None:
    checks, unknown, wrong = _containment(step=40)
    assert wrong == []
    assert unknown <= checks * 0.01


@pytest.mark.long
def test_the_whole_containment_suite() -> None:
    checks, unknown, wrong = _containment(step=1)
    assert wrong == []
    assert unknown < checks * 0.0005


FOLDERS = {
    "draft4": "draft-04",
    "draft6": "draft-06",
    "draft7": "draft-07",
    "draft2019-09": "2019-09",
    "draft2020-12": "2020-12",
}
# Where a reading is a choice, and another one was made here.
LEFT_OUT = {"dependencies-compatibility", "zeroTerminatedFloats"}


def _official(folder: str, step: int) -> tuple[int, list[str], list[str]]:
    dialect = Dialect.parse(FOLDERS[folder])
    remotes = {
        f"http://localhost:1234/{path.relative_to(OFFICIAL / 'remotes').as_posix()}": json.loads(path.read_text())
        for path in sorted((OFFICIAL / "remotes").rglob("*.json"))
    }
    tests = OFFICIAL / "tests" / folder
    cases = [
        (f"{path.stem}: {group['description']}: {case['description']}", group["schema"], case)
        for path in sorted([*tests.glob("*.json"), *(tests / "optional").glob("*.json")])
        if path.stem not in LEFT_OUT and (folder, path.stem) != ("draft7", "content")
        for group in json.loads(path.read_text())
        for case in group["tests"]
    ]
    wrong, unknown = [], []
    for name, schema, case in cases[::step]:
        one = {"$schema": dialect.uri, "enum": [case["data"]]}
        status = compat.compare(one, schema, dialect=dialect, resources=remotes).backward.status
        if status is Status.UNKNOWN:
            unknown.append(name)
        elif (status is Status.COMPATIBLE) is not case["valid"]:
            wrong.append(name)
    return len(cases[::step]), wrong, unknown


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_sample_of_the_official_suite(folder: str) -> None:
    _need(OFFICIAL)
    _, wrong, unknown = _official(folder, step=12)
    assert (wrong, unknown) == ([], [])


@pytest.mark.long
@pytest.mark.parametrize("folder", FOLDERS)
def test_the_whole_official_suite(folder: str) -> None:
    _need(OFFICIAL)
    checks, wrong, unknown = _official(folder, step=1)
    assert wrong == []
    assert len(unknown) < checks * 0.0005 + 1


def _foreign(value: Any) -> bool:
    if isinstance(value, dict):
        ref = value.get("$ref")
        return (isinstance(ref, str) and not ref.startswith("#")) or any(map(_foreign, value.values()))
    return isinstance(value, list) and any(map(_foreign, value))


@pytest.mark.long
def test_every_valid_real_pair_is_decided() -> None:
    undecided = []
    for row in _rows(_need(REAL)):
        if _foreign(row["old"]) or _foreign(row["new"]):
            continue
        try:
            result = compat.compare(row["old"], row["new"])
        except SchemaError:
            continue  # a version that is no schema of its dialect is named by `check`, not judged
        if Status.UNKNOWN in (result.backward.status, result.forward.status):
            undecided.append(f"{row['path']}@{row['commit_new']}")
    assert undecided == []

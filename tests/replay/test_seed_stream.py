"""A long stream of all four contracts, replayed against the newest versions: right to the record."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import seedstream
from click.testing import CliRunner

from compat.cli import cli
from compat.demo.history import final_files
from compat.demo.repository import build


def newest(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "schemas").glob("*/*.schema.json"))}


def replayed(folder: Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> dict[str, Any]:
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(cli, ["replay", "--records", "bus/**", "-f", "json", *options])
    assert result.exit_code == 3, result.output
    document: dict[str, Any] = json.loads(result.stdout)
    return document


def held(folder: Path, count: int, monkeypatch: pytest.MonkeyPatch, *options: str) -> None:
    build(folder)
    for path, content in final_files().items():
        if path.startswith("schemas/"):
            (folder / path).write_bytes(content)
    ours = newest(Path(__file__).resolve().parents[2])
    assert newest(folder).items() <= ours.items()
    expected = seedstream.write(folder / "bus", count)
    assert expected.read + expected.blank == count
    document = replayed(folder, monkeypatch, *options)
    outcomes: dict[tuple[str, str], Counter[str]] = {}
    first: dict[tuple[str, str], set[str]] = {}
    unreadable: Counter[str] = Counter()
    unrouted: Counter[str] = Counter()
    read = 0
    for pair in document["pairs"]:
        totals = pair["totals"]
        read += totals["read"]
        outcome = Counter({name: totals[name] for name in seedstream.OUTCOMES.values() if totals[name]})
        if outcome:
            outcomes[pair["lineage"], pair["old"]] = outcome
            if totals["newly_fails"]:
                first[pair["lineage"], pair["old"]] = {place for group in pair["groups"] for place in group["places"]}
                assert sum(group["count"] for group in pair["groups"]) >= totals["newly_fails"]
            assert pair["disagreements"]["count"] == 0
        for trouble in pair["unreadable"]:
            unreadable[trouble["kind"]] += trouble["count"]
        for stray in pair.get("unrouted", []):
            unrouted[stray["reason"]] += stray["count"]
    assert outcomes == expected.outcomes
    assert all(place in first[pair] for pair, place in expected.first_failing.items())
    assert unreadable == expected.unreadable
    assert unrouted == expected.unrouted
    assert read == expected.read


in_one_and_two = pytest.mark.parametrize("jobs", ["1", "2"])


@in_one_and_two
def test_a_stream_of_thousands_is_judged_to_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: str
) -> None:
    held(tmp_path, 6_000, monkeypatch, "--jobs", jobs)


@pytest.mark.long
@in_one_and_two
def test_a_stream_of_a_million_is_judged_to_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: str
) -> None:
    held(tmp_path, 1_000_000, monkeypatch, "--jobs", jobs)


def test_the_same_start_gives_the_same_stream(tmp_path: Path) -> None:
    for name in ("a", "b"):
        seedstream.write(tmp_path / name / "bus", 800)
    one, other = (sorted((tmp_path / name).rglob("*.ndjson")) for name in ("a", "b"))
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in other]
    assert sum(path.read_bytes().count(b"\n") for path in one) == 800

"""Replay beyond one file and one pair: mixed streams, paths, configuration, later versions, rejects, examples."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import GitRepository
from click.testing import Result

from compat.demo.repository import build

Run = Callable[..., Result]
Report = Callable[..., tuple[int, dict[str, Any]]]

ROW = "schemas/row/row.schema.json"
NOTE = "schemas/note/note.schema.json"


def row(version: int, *kinds: str, **more: object) -> dict[str, object]:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://example.org/row/{version}",
        "properties": {"schema": {"const": f"row/{version}"}, "kind": {"enum": list(kinds)}},
        "required": ["schema"],
        **more,
    }


def note(version: str, *kinds: str) -> dict[str, object]:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://example.org/{version}/note.schema.json",
        "properties": {"mood": {"enum": list(kinds)}},
        "required": ["mood"],
    }


@pytest.fixture
def streams(repository: GitRepository) -> GitRepository:
    """Two lineages with three versions each; records of the first say what they are, those of the second do not."""
    repository.write(ROW, row(1, "a", "b", "c")).write(NOTE, note("1.0.0", "x", "y", "z")).commit("one")
    repository.write(ROW, row(2, "a", "b")).write(NOTE, note("1.1.0", "x", "y")).commit("two")
    return repository.write(ROW, row(3, "a", "b", "d")).write(NOTE, note("2.0.0", "x")).commit("three")


def lines(*values: object) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def newly_fails(document: dict[str, Any]) -> dict[tuple[str, str, str], int]:
    return {(p["lineage"], p["old"], p["new"].partition(" ")[0]): p["totals"]["newly_fails"] for p in document["pairs"]}


MIXED = lines(
    {"schema": "row/1", "kind": "c"},
    {"schema": "row/1", "kind": "a"},
    {"schema": "row/2", "kind": "b"},
    {"schema": "row/9", "kind": "b"},
    {"mood": "y"},
)


@pytest.mark.parametrize(
    ("name", "pack"),
    [("m.ndjson", bytes), ("m.jsonl.gz", gzip.compress), ("m.bz2", bz2.compress), ("m.ndjson.xz", lzma.compress)],
)
def test_a_mixed_file_feeds_many_versions(
    streams: GitRepository, report: Report, name: str, pack: Callable[[bytes], bytes]
) -> None:
    code, document = report(streams.write(name, pack(MIXED)).root, "replay", "--records", name)
    assert code == 3
    assert newly_fails(document) == {("row", "1", "3"): 1, ("row", "2", "3"): 0, ("", "", ""): 0}
    totals = document["totals"]
    assert totals["read"] == sum(count for key, count in totals.items() if key != "read") == 5
    assert {stray["reason"]: stray["first"] for stray in document["pairs"][-1]["unrouted"]} == {
        "is of a known lineage, but names no version of it that is known": [f"{name}:4"],
        "names no lineage that is known": [f"{name}:5"],
    }


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("note-1.0.0.ndjson", {("note", "1.0.0", "2.0.0"): 1}),
        ("note_v1.1.0.ndjson", {("note", "1.1.0", "2.0.0"): 1}),
        ("dumps/note/1.0.0.ndjson", {("note", "1.0.0", "2.0.0"): 1}),
        ("dumps/note/1.1.0/part-0001.ndjson", {("note", "1.1.0", "2.0.0"): 1}),
        ("dumps/note/v1.1.0/2026-04.ndjson", {("note", "1.1.0", "2.0.0"): 1}),
        ("dumps/note/2026.04.ndjson", {("", "", ""): 0}),
        ("dumps/note/export-1.1.0-part-2.ndjson", {("note", "1.1.0", "2.0.0"): 1}),
        ("dumps/notes/1.0.0.ndjson", {("", "", ""): 0}),
        ("notebook.ndjson", {("", "", ""): 0}),
    ],
)
def test_a_path_says_what_its_records_do_not(
    streams: GitRepository, report: Report, path: str, expected: dict[tuple[str, str, str], int]
) -> None:
    document = report(streams.write(path, lines({"mood": "y"})).root, "replay", "--records", path)[1]
    assert newly_fails(document) == expected


def test_the_number_of_a_part_is_no_version(streams: GitRepository, report: Report) -> None:
    value = {"schema": "row/1", "kind": "c"}
    for path in ("dumps/row/part-2.ndjson", "row-part2.ndjson", "row/2026-2.ndjson"):
        document = report(streams.write(path, lines(value)).root, "replay", "--records", path)[1]
        assert newly_fails(document) == {("row", "1", "3"): 1}, path
    document = report(streams.write("row-2.ndjson", lines(value)).root, "replay", "--records", "row-2.ndjson")[1]
    assert [(pair["old"], pair["totals"]["failed_already"]) for pair in document["pairs"]] == [("2", 1)]


def test_configured_records_say_their_version(streams: GitRepository, report: Report) -> None:
    streams.write(
        "compat.toml",
        '[schemas.note]\nfiles = "schemas/note/*"\n'
        'records = ["loose/*", { files = "april/*", version = "1.0.0" }, { files = "may/**", version = "1.1.0" }]',
    )
    streams.write("april/1.ndjson", lines({"mood": "z"})).write(
        "may/31/2.1.ndjson", lines({"mood": "y"}, {"mood": "x"})
    )
    streams.write("loose/1.0.0.ndjson", lines({"mood": "y"}))
    document = report(streams.root, "replay", "note")[1]
    assert newly_fails(document) == {("note", "1.0.0", "2.0.0"): 2, ("note", "1.1.0", "2.0.0"): 1}


def test_a_configured_route_tells_records_that_have_no_constant(streams: GitRepository, report: Report) -> None:
    streams.write(
        "compat.toml",
        'records = "bus/*"\n[schemas.note]\nfiles = "schemas/note/*"\n'
        'route = { app = "notes" }\nversion = { property = "format" }\n',
    )
    said = [{"app": "notes", "format": text, "mood": "y"} for text in ("1.0.0", "notes/1.1.0", "7.0.0")]
    streams.write("bus/all.ndjson", lines(*said, {"app": "other", "format": "1.0.0"}, {"schema": "row/1", "kind": "c"}))
    code, document = report(streams.root, "replay")
    assert code == 3
    assert newly_fails(document) == {
        ("note", "1.0.0", "2.0.0"): 1,
        ("note", "1.1.0", "2.0.0"): 1,
        ("row", "1", "3"): 1,
        ("", "", ""): 0,
    }
    assert sum(stray["count"] for stray in document["pairs"][-1]["unrouted"]) == 2


def test_a_file_of_a_lineage_without_a_number_is_routed_by_its_records(streams: GitRepository, report: Report) -> None:
    streams.write("history/row/records/dump.ndjson", lines({"schema": "row/1", "kind": "c"}, {"schema": "row/2"}))
    code, document = report(streams.root, "replay", "row")
    assert code == 1
    assert newly_fails(document) == {("row", "1", "3"): 1, ("row", "2", "3"): 0}


def test_standard_input_of_one_lineage_is_routed_within_it(streams: GitRepository, report: Report) -> None:
    code, document = report(streams.root, "replay", "row", "--records", "-", input=MIXED)
    assert code == 3
    assert document["totals"]["unrouted"] == 2
    assert document["pairs"][-1]["note"] == "named no version of row; to say it: compat replay row --old VERSION"


# Every later version


def test_transitive_asks_every_later_version_once(streams: GitRepository, report: Report, run: Run) -> None:
    streams.write("history/row/records/1.ndjson", lines(*({"schema": "row/1", "kind": kind} for kind in "abc")))
    streams.write("history/row/records/2.ndjson", lines({"schema": "row/2", "kind": "a"}))
    code, document = report(streams.root, "replay", "row", "--transitive")
    assert code == 1
    assert newly_fails(document) == {("row", "1", "2"): 1, ("row", "1", "3"): 1, ("row", "2", "3"): 0}
    assert [pair["between"] for pair in document["pairs"]] == [True, False, False]
    assert document["totals"]["read"] == 4
    assert report(streams.root, "replay", "row")[1]["totals"] == document["totals"]
    text = run(streams.root, "replay", "row", "--transitive").stdout
    assert text.endswith("4 records replayed: 1 newly fail, 1 fail a version in between.\n")


def test_a_break_that_was_taken_back_shows_in_between_only(streams: GitRepository, report: Report) -> None:
    streams.write(ROW, row(4, "a", "b", "c", "d")).commit("four")
    streams.write("history/row/records/1.ndjson", lines({"schema": "row/1", "kind": "c"}))
    assert report(streams.root, "replay", "row")[0] == 0
    code, document = report(streams.root, "replay", "row", "--transitive")
    assert code == 1
    assert newly_fails(document) == {("row", "1", "2"): 1, ("row", "1", "3"): 1, ("row", "1", "4"): 0}
    assert document["totals"]["newly_fails"] == 0


def test_transitive_and_mixed_go_together(streams: GitRepository, report: Report) -> None:
    mixed = report(streams.root, "replay", "--transitive", "--records", "-", input=MIXED)[1]
    assert newly_fails(mixed) == {("row", "1", "2"): 1, ("row", "1", "3"): 1, ("row", "2", "3"): 0, ("", "", ""): 0}
    assert mixed["totals"]["read"] == 5


# Rejects and examples


def test_a_reject_that_is_accepted_now_is_told(streams: GitRepository, report: Report, run: Run) -> None:
    rejects = [{"schema": "row/2", "kind": "d"}, {"schema": "row/2", "kind": "e"}, {"schema": "row/2", "kind": "a"}]
    streams.write("history/row/rejects/2.ndjson", lines(*rejects))
    code, document = report(streams.root, "replay", "row")
    assert code == 0
    (pair,) = document["pairs"]
    assert pair["rejects"] == {
        "read": 3,
        "refused": 1,
        "accepted": {"count": 1, "first": ["history/row/rejects/2.ndjson:1"]},
        "never_refused": {"count": 1, "first": ["history/row/rejects/2.ndjson:3"]},
        "unreadable": [],
    }
    result = run(streams.root, "replay", "row", "--fail-on", "risky")
    assert result.exit_code == 1
    assert "1 reject is accepted now: the change widens the schema" in result.stdout
    assert "1 reject is valid under the old version already" in result.stdout
    assert "1 reject accepted" in result.stdout.splitlines()[-1]


def test_rejects_that_stay_refused_are_fine(streams: GitRepository, report: Report) -> None:
    streams.write("history/row/rejects/2.ndjson", lines({"schema": "row/2", "kind": "e"}))
    code, document = report(streams.root, "replay", "row", "--fail-on", "risky")
    assert (code, document["pairs"][0]["rejects"]["refused"]) == (0, 1)
    streams.write("history/row/rejects/2.ndjson", b"{\n")
    code, document = report(streams.root, "replay", "row")
    assert (code, document["pairs"][0]["rejects"]["unreadable"][0]["count"]) == (3, 1)


def test_examples_in_a_schema_are_records_with_their_line(streams: GitRepository, report: Report) -> None:
    streams.write(ROW, row(4, "a", examples=[{"schema": "row/4", "kind": "a"}])).commit("four")
    streams.write(ROW, row(5, "b")).commit("five")
    code, document = report(streams.root, "replay", "row")
    assert code == 1
    (pair,) = document["pairs"]
    assert (pair["old"], pair["totals"]["newly_fails"]) == ("4", 1)
    source, line = pair["groups"][0]["places"][0].rsplit(":", 1)
    assert source.endswith(ROW)
    assert streams.git("show", f"HEAD~1:{ROW}").splitlines()[int(line) - 1].strip() == "{"


# Elsewhere


def test_a_configured_location_is_read_only_where_it_is_allowed(
    streams: GitRepository, report: Report, run: Run
) -> None:
    fsspec = pytest.importorskip("fsspec", reason="needs the extra remote")
    streams.write(
        "compat.toml",
        'records = "memory://bus/*.gz"\n[schemas.note]\nfiles = "schemas/note/*"\n'
        'records = [{ files = "memory://notes/*", version = "1.0.0" }]\n',
    )
    filesystem = fsspec.filesystem("memory")
    filesystem.pipe({"/notes/april.ndjson": lines({"mood": "y"}), "/bus/1.ndjson.gz": gzip.compress(MIXED)})
    try:
        refused = run(streams.root, "replay")
        assert refused.exit_code == 3
        assert "memory://notes/* was not read" in refused.stderr
        code, document = report(streams.root, "replay", "--allow-remote")
    finally:
        filesystem.store.clear()
    assert code == 3
    assert newly_fails(document) == {
        ("note", "1.0.0", "2.0.0"): 1,
        ("row", "1", "3"): 1,
        ("row", "2", "3"): 0,
        ("", "", ""): 0,
    }
    assert document["pairs"][0]["files"] == ["memory://notes/april.ndjson"]


def test_an_environment_cannot_allow_what_the_command_line_did_not(
    streams: GitRepository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("COMPAT_ALLOW_REMOTE", "COMPAT_REPLAY_ALLOW_REMOTE"):
        monkeypatch.setenv(name, "1")
    result = run(streams.root, "replay", "--records", "memory://x/*")
    assert result.exit_code == 3
    assert "nothing is fetched unasked" in result.stderr


# Other forms


def test_markdown_tells_what_newly_fails_first_and_all_counts(streams: GitRepository, run: Run) -> None:
    streams.write("history/row/rejects/2.ndjson", lines({"schema": "row/2", "kind": "d"}))
    streams.write("history/row/records/1.ndjson", MIXED.splitlines(keepends=True)[0] + b"{\n" + lines({"schema": "x"}))
    result = run(streams.root, "replay", "-f", "markdown")
    assert result.exit_code == 3
    text = result.stdout
    assert text.startswith("### Replay: 3 records replayed: 1 newly fail, 1 unreadable, 1 reject accepted.")
    assert '- ❌ **1 record** `kind`: "c" is not one of the 3 values allowed' in text
    assert "| row | 1 → 3 (working tree) | 3 | 0 | 1 | 1 | 0 | 1 | 0 |" in text
    assert "`history/row/rejects/2.ndjson:1`" in text
    assert "could not be read (truncated)" in text


@pytest.fixture
def demo(tmp_path: Path, git_environment: dict[str, str]) -> Path:
    folder = tmp_path / "demo"
    folder.mkdir()
    build(folder)
    return folder


def test_the_four_seeds_are_known_by_what_they_say_or_by_their_path(demo: Path, report: Report) -> None:
    (demo / "bus").mkdir()
    records: dict[str, list[bytes]] = {}
    for path in sorted((demo / "history").glob("*/records/*.ndjson")):
        records.setdefault(path.parts[-3], []).extend(path.read_bytes().splitlines(keepends=True))
    (demo / "bus" / "all.ndjson").write_bytes(b"".join(line for each in records.values() for line in each))
    code, document = report(demo, "replay", "--records", "bus/*")
    assert code == 3
    read: dict[str, int] = {}
    for pair in document["pairs"]:
        read[pair["lineage"]] = read.get(pair["lineage"], 0) + pair["totals"]["read"]
    # Nothing in a conversation line says what it is: the path or the configuration has to.
    kwau = len(records.pop("kwau-conversations"))
    assert read == {name: len(each) for name, each in records.items()} | {"": kwau}
    assert document["pairs"][-1]["totals"]["unrouted"] == kwau > 100


# Progress


def test_a_terminal_is_told_how_far_it_has_come_and_nobody_else(
    streams: GitRepository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from click import testing

    from compat.replay import progress

    monkeypatch.setattr(progress, "EVERY", 0.0)
    streams.write("history/row/records/1.ndjson", lines(*({"schema": "row/1", "kind": "a"} for _ in range(100))))
    assert run(streams.root, "replay", "row").stderr == ""
    monkeypatch.setattr(testing._NamedTextIOWrapper, "isatty", lambda self: self.name == "<stderr>", raising=False)
    told = run(streams.root, "replay", "row")
    assert "3.3 kB of 3.3 kB" in told.stderr
    assert told.stderr.endswith("\r")
    assert "kB" not in told.stdout
    assert run(streams.root, "replay", "row", "-q").stderr == ""

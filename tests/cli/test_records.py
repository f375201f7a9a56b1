"""`compat records`: what is taken in is valid, once, and whole; what is kept is what it is kept as."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from builders import GitRepository
from click.testing import Result
from killing import every_kill, killed_at

Run = Callable[..., Result]

ROW = "schemas/row/row.schema.json"
NOTE = "schemas/note/note.schema.json"
FOLDER = "history/row"


def row(version: int, **properties: object) -> dict[str, object]:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://example.org/row/{version}",
        "type": "object",
        "properties": {"schema": {"const": f"row/{version}"}, "n": {"type": "integer"}, **properties},
        "required": ["schema"],
    }


def note(version: str) -> dict[str, object]:
    """A lineage whose records say nothing about themselves."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://example.org/{version}/note.schema.json",
        "type": "object",
        "required": ["text"],
        "examples": [{"text": "hello"}],
    }


@pytest.fixture
def rows(repository: GitRepository) -> GitRepository:
    repository.write(ROW, row(1)).write(NOTE, note("1.0.0")).commit("one")
    return repository.write(ROW, row(2, kind={"enum": ["a", "b"]})).commit("two")


def lines(*values: object) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def stored(root: Path, path: str) -> list[Any]:
    return [json.loads(line) for line in (root / path).read_bytes().splitlines()]


@pytest.fixture
def added(run: Run) -> Callable[..., tuple[int, dict[str, Any]]]:
    def add(folder: Path, *args: str, **options: Any) -> tuple[int, dict[str, Any]]:
        result = run(folder, "records", "add", *args, "-f", "json", **options)
        assert result.stdout, result.stderr
        return result.exit_code, json.loads(result.stdout)

    return add


Adding = Callable[..., tuple[int, dict[str, Any]]]


def test_each_record_goes_to_the_version_it_names(rows: GitRepository, added: Adding) -> None:
    stream = lines({"schema": "row/1", "n": 1}, {"schema": "row/2", "kind": "a"}, {"n": 2, "schema": "row/1"})
    code, told = added(rows.root, "-", input=stream)
    assert code == 0
    assert told["totals"] == {"read": 3, "added": 3, "known": 0, "refused": 0, "unrouted": 0, "unreadable": 0}
    assert stored(rows.root, f"{FOLDER}/records/1.ndjson") == [{"schema": "row/1", "n": 1}, {"n": 2, "schema": "row/1"}]
    assert stored(rows.root, f"{FOLDER}/records/2.ndjson") == [{"schema": "row/2", "kind": "a"}]


def test_the_same_record_is_kept_once(rows: GitRepository, added: Adding) -> None:
    rows.write(f"{FOLDER}/records/1.json.gz", gzip.compress(b'[{"schema": "row/1", "n": 9}]'))
    stream = b'{"schema": "row/1", "n": 1}\n{"n": 1.0, "schema": "row/1"}\n{"n": 9, "schema": "row/1"}\n'
    assert added(rows.root, "-", input=stream)[1]["totals"] | {"added": 1, "known": 2} == {
        "read": 3,
        "added": 1,
        "known": 2,
        "refused": 0,
        "unrouted": 0,
        "unreadable": 0,
    }
    before = (rows.root / FOLDER / "records" / "1.ndjson").read_bytes()
    code, told = added(rows.root, "-", input=stream)
    assert (code, told["totals"]["added"], told["totals"]["known"]) == (0, 0, 3)
    assert (rows.root / FOLDER / "records" / "1.ndjson").read_bytes() == before


def test_what_is_not_valid_under_its_version_is_refused_by_cause(rows: GitRepository, added: Adding, run: Run) -> None:
    stream = lines({"schema": "row/2", "kind": "secret"}, {"schema": "row/2", "n": "x"}, {"schema": "row/2", "n": 1})
    code, told = added(rows.root, "-", input=stream)
    assert code == 1
    assert (told["totals"]["added"], told["totals"]["refused"]) == (1, 2)
    causes = {cause["instance_path"]: cause for cause in told["versions"][0]["causes"]}
    assert causes["/kind"]["first"] == ["<stdin>:1"]
    assert causes["/n"]["keyword_location"] == "/properties/n/type"
    text = run(rows.root, "records", "add", "-", input=stream)
    assert text.exit_code == 1
    assert "secret" not in text.stdout
    assert "kind: not one of the 2 values allowed" in text.stdout
    assert text.stdout.endswith("0 of 3 records added.\n")


def test_what_is_read_and_what_became_of_it_add_up(rows: GitRepository, added: Adding) -> None:
    stream = lines({"schema": "row/1"}, {"schema": "row/7"}, {"who": "knows"}, 7) + b"{\n"
    code, told = added(rows.root, "-", input=stream)
    assert code == 3
    totals = told["totals"]
    assert (totals["added"], totals["unrouted"], totals["unreadable"]) == (1, 3, 1)
    assert totals["read"] == sum(count for name, count in totals.items() if name != "read") == 5
    assert {stray["count"] for stray in told["unrouted"]} == {1}
    assert stored(rows.root, f"{FOLDER}/records/1.ndjson") == [{"schema": "row/1"}]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("note-1.0.0.ndjson", b'{"text": "a"}\n{"text": "b"}\n'),
        ("note-1.0.0.json", b'[{"text": "a"},\n {"text": "b"}]'),
        ("note-1.0.0.yaml", b"- text: a\n- text: b\n"),
        ("note-1.0.0.jsonl.gz", gzip.compress(b'{"text": "a"}\n{"text": "b"}\n')),
        ("elsewhere/note/1.0.0/dump.ndjson", b'{"text": "a"}\n{"text": "b"}\n'),
    ],
    ids=["ndjson", "json", "yaml", "gzip", "folder"],
)
def test_a_file_says_what_its_records_do_not(rows: GitRepository, added: Adding, name: str, data: bytes) -> None:
    rows.write(name, data)
    code, told = added(rows.root, name)
    assert (code, told["totals"]["added"]) == (0, 2)
    assert stored(rows.root, "history/note/records/1.0.0.ndjson") == [{"text": "a"}, {"text": "b"}]


def test_whose_records_they_are_can_be_said(rows: GitRepository, added: Adding) -> None:
    assert added(rows.root, "-", input=b'{"text": "a"}\n')[0] == 3
    assert added(rows.root, "-", "--lineage", "note", "--version", "1.0.0", input=b'{"text": "a"}\n')[0] == 0
    assert added(rows.root, "-", "--lineage", "note", "--version", "9.0.0", input=b'{"text": "a"}\n')[0] == 3
    only = added(rows.root, "-", "--lineage", "row", input=lines({"schema": "row/2"}))
    assert only[1]["versions"][0]["version"] == "2"


def test_rejects_must_be_invalid(rows: GitRepository, added: Adding) -> None:
    stream = lines({"schema": "row/2", "n": "x"}, {"schema": "row/2", "n": 1})
    code, told = added(rows.root, "--rejects", "-", input=stream)
    assert code == 1
    assert (told["totals"]["added"], told["totals"]["refused"]) == (1, 1)
    assert "no reject" in told["versions"][0]["causes"][0]["reason"]
    assert stored(rows.root, f"{FOLDER}/rejects/2.ndjson") == [{"schema": "row/2", "n": "x"}]


def test_exact_numbers_and_characters_stay(rows: GitRepository, added: Adding) -> None:
    line = '{"schema": "row/1", "n": 18446744073709551616, "price": 0.1000000000000000055, "who": "Zoë \\u2028"}\n'
    assert added(rows.root, "-", input=line.encode())[0] == 0
    text = (rows.root / FOLDER / "records" / "1.ndjson").read_text(encoding="utf-8")
    assert "18446744073709551616" in text
    assert "0.1000000000000000055" in text
    assert json.loads(text) == json.loads(line)


def test_a_last_line_without_an_end_stays_a_line(rows: GitRepository, added: Adding) -> None:
    rows.write(f"{FOLDER}/records/1.ndjson", b'{"schema": "row/1", "n": 1}')
    added(rows.root, "-", input=lines({"schema": "row/1", "n": 2}))
    assert [value["n"] for value in stored(rows.root, f"{FOLDER}/records/1.ndjson")] == [1, 2]


def test_records_that_nobody_would_read_are_not_written(rows: GitRepository, run: Run) -> None:
    rows.write("compat.toml", '[schemas.row]\nfiles = "schemas/row/*"\nrecords = "elsewhere/*"\n')
    result = run(rows.root, "records", "add", "-", input=lines({"schema": "row/1"}))
    assert result.exit_code == 3
    assert f'add "{FOLDER}/records/*" to records in [schemas.row]' in result.stderr
    assert not (rows.root / FOLDER).exists()
    both = '[schemas.row]\nfiles = "schemas/row/*"\nrecords = ["elsewhere/*", "history/row/records/*"]\n'
    assert (
        run(rows.write("compat.toml", both).root, "records", "add", "-", input=lines({"schema": "row/1"})).exit_code
        == 0
    )


def test_a_link_out_of_the_root_is_not_followed(rows: GitRepository, run: Run, tmp_path: Path) -> None:
    (tmp_path / "away.ndjson").write_bytes(b"")
    rows.symlink(f"{FOLDER}/records/1.ndjson", str(tmp_path / "away.ndjson"))
    result = run(rows.root, "records", "add", "-", input=lines({"schema": "row/1"}))
    assert result.exit_code == 3
    assert (tmp_path / "away.ndjson").read_bytes() == b""


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (("add",), 2, "missing argument"),
        (("add", "nowhere.ndjson"), 3, "there is no such file"),
        (("add", "-", "--version", "newest"), 2, "is no version number"),
        (("add", "-", "--lineage", "rowe"), 2, "did you mean"),
        (("add", "s3://bucket/x.ndjson"), 3, "add --allow-remote"),
        (("list", "rowe"), 2, "did you mean"),
    ],
)
def test_what_cannot_be_asked_is_said(
    rows: GitRepository, run: Run, arguments: tuple[str, ...], code: int, word: str
) -> None:
    result = run(rows.root, "records", *arguments, input=b"")
    assert result.exit_code == code
    assert word in result.stderr.lower()


def test_a_location_is_read_where_it_is_allowed(rows: GitRepository, added: Adding) -> None:
    fsspec = pytest.importorskip("fsspec", reason="needs the extra remote")
    filesystem = fsspec.filesystem("memory")
    filesystem.pipe({"/rows/a.ndjson": lines({"schema": "row/1"}), "/rows/b.ndjson.gz": gzip.compress(b"{\n")})
    try:
        code, told = added(rows.root, "--allow-remote", "memory://rows/*")
    finally:
        filesystem.store.clear()
    assert code == 3
    assert (told["totals"]["added"], told["totals"]["unreadable"]) == (1, 1)


# A kill


KILLED = """
import os
from io import BytesIO, TextIOWrapper
sys.stdin = TextIOWrapper(BytesIO(os.environ["STREAM"].encode()))
from compat.cli import cli, run
assert run(cli, ["records", "add", "-q", "-"]) == 0
"""


def held(root: Path) -> Mapping[str, bytes]:
    folder = root / "history"
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_kill_at_any_write_loses_nothing_and_the_next_run_finishes(rows: GitRepository) -> None:
    old = lines({"schema": "row/1", "n": 1})
    new = lines({"schema": "row/1", "n": 2}, {"schema": "row/2", "n": 3})
    before = {"1.ndjson": old}
    after = {"1.ndjson": old + lines({"schema": "row/1", "n": 2}), "2.ndjson": lines({"schema": "row/2", "n": 3})}
    environment = {"STREAM": new.decode(), "COMPAT_CACHE_DIR": "", "PYTHONPATH": os.pathsep.join(sys.path)}
    kills = 0
    for write in every_kill():
        shutil.rmtree(rows.root / "history", ignore_errors=True)
        rows.write(f"{FOLDER}/records/1.ndjson", old)
        if not killed_at(rows.root / "history", write, KILLED, environment):
            break
        kills += 1
        seen = held(rows.root)
        for name, data in seen.items():
            if not name.startswith("."):
                assert data in (before.get(name), after[name]), (write, name)
        assert "1.ndjson" in seen
        again = subprocess.run(
            [sys.executable, "-m", "compat", "records", "add", "-"],
            cwd=rows.root,
            input=new,
            capture_output=True,
            check=False,
            timeout=120,
        )
        assert again.returncode == 0, again.stderr
        assert held(rows.root) == after, write
    assert kills > 3
    assert held(rows.root) == after


def test_two_runs_at_once_lose_nothing(rows: GitRepository) -> None:
    streams = [lines(*({"schema": "row/1", "n": n} for n in range(start, start + 40))) for start in (0, 20, 40)]
    command = [sys.executable, "-m", "compat", "records", "add", "-"]
    running = [
        subprocess.Popen(command, cwd=rows.root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in streams
    ]
    for process, stream in zip(running, streams, strict=True):
        assert process.stdin is not None
        process.stdin.write(stream)
        process.stdin.close()
    for process in running:
        assert process.wait(120) == 0
        for pipe in (process.stdout, process.stderr):
            assert pipe is not None
            pipe.close()
    assert sorted(value["n"] for value in stored(rows.root, f"{FOLDER}/records/1.ndjson")) == list(range(80))


# list


def test_what_is_kept_is_listed_with_what_is_wrong(rows: GitRepository, run: Run) -> None:
    rows.write(f"{FOLDER}/records/1.ndjson", lines({"schema": "row/1"}, {"schema": "row/2"}) + b"{\n")
    rows.write(f"{FOLDER}/records/dump.ndjson", lines({"schema": "row/1"}))
    rows.write(f"{FOLDER}/rejects/2.ndjson", lines({"schema": "row/2", "n": "x"}, {"schema": "row/2"}))
    result = run(rows.root, "records", "list", "-f", "json")
    assert result.exit_code == 1
    files = {file["path"].rpartition("/")[2] + file["kept"]: file for file in json.loads(result.stdout)["files"]}
    assert [files["1.ndjsonrecords"][key] for key in ("version", "count", "odd", "unreadable")] == ["1", 2, 1, 1]
    assert [files["dump.ndjsonrecords"][key] for key in ("version", "count", "odd")] == [None, 1, 0]
    assert [files["2.ndjsonrejects"][key] for key in ("version", "count", "odd")] == ["2", 2, 1]
    assert files["note.schema.jsonexamples"]["count"] == 1
    text = run(rows.root, "records", "list").stdout
    assert "1 of them is not valid under version 1" in text
    assert "1 of them is valid under version 2, so no rejects" in text
    assert "call the file such as 1.0.0.ndjson" in text
    assert text.endswith("3 records, 2 rejects, 1 example of 2 lineages.\n")


def test_what_is_in_order_exits_0(rows: GitRepository, run: Run) -> None:
    rows.write(f"{FOLDER}/records/1.ndjson", lines({"schema": "row/1"}))
    rows.write(f"{FOLDER}/rejects/1.ndjson", lines({"schema": "row/1", "n": "x"}))
    result = run(rows.root, "records", "list", "row")
    assert (result.exit_code, "note" in result.stdout) == (0, False)


def test_large_files_and_locations_are_pointed_out(
    rows: GitRepository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from compat.report import records

    monkeypatch.setattr(records, "LARGE", 10)
    rows.write(
        "compat.toml", '[schemas.row]\nfiles = "schemas/row/*"\nrecords = ["history/row/records/*", "s3://b/x"]\n'
    )
    added = run(rows.root, "records", "add", "-", input=lines({"schema": "row/1"}))
    assert "better kept outside of git" in added.stdout
    listed = run(rows.root, "records", "list", "row")
    assert "better kept outside of git" in listed.stdout
    assert "read only with --allow-remote:\n  s3://b/x" in listed.stdout

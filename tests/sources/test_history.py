"""The history folder: records by version, release records by line."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from compat.errors import SourceError
from compat.sources.files import Root
from compat.sources.history import History, ReleaseRecord, parse_releases
from compat.sources.together import write_together

ROW = '{"version": "1.0", "digest": "sha256:a", "released": "2026-07-13", "files": ["a.json"]}'


def test_release_records_are_read_with_their_lines() -> None:
    one, two = parse_releases(f'{ROW}\n\n{{"version": "2", "digest": "b", "released": "2026-08-01"}}'.encode(), "r")
    assert (str(one.number), one.released, dict(one.files), one.line) == ("1.0", date(2026, 7, 13), {"a.json": ""}, 1)
    assert (two.line, two.files, two.tag) == (3, {}, None)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "is no JSON"),
        ("[]", "an object on one line"),
        ('{"version": 1, "digest": "a", "released": "2026-01-01"}', 'a text under "version"'),
        ('{"version": "1", "released": "2026-01-01"}', 'a text under "digest"'),
        ('{"version": "1", "digest": "a", "released": "soon"}', "no ISO date"),
        ('{"version": "1", "digest": "a", "released": "2026-01-01", "files": [1]}', '"files" maps'),
        ('{"version": "1", "digest": "a", "released": "2026-01-01", "realesed": 1}', 'has no "realesed"'),
    ],
)
def test_a_bad_row_is_named_by_its_line(line: str, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        parse_releases(f"{ROW}\n{line}\n".encode(), "history/task/releases.ndjson")
    assert str(caught.value).startswith("history/task/releases.ndjson:2: ")
    assert message in str(caught.value)


def appended(folder: Path, release: ReleaseRecord) -> str:
    path, data = History(Root(folder)).appended("task", release)
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_bytes(data)
    return path


def test_an_appended_release_is_read_back(tmp_path: Path) -> None:
    history = History(Root(tmp_path))
    assert history.releases("task") == ()
    first = ReleaseRecord("1", "sha256:a", date(2026, 1, 2), {"a.json": "sha256:x"}, tag="v1")
    second = ReleaseRecord("2", "sha256:b", date(2026, 2, 3), {"a.json": ""}, revision="c" * 40)
    assert appended(tmp_path, first) == "history/task/releases.ndjson"
    appended(tmp_path, second)
    assert [release.row() for release in history.releases("task")] == [first.row(), second.row()]
    assert [release.line for release in history.releases("task")] == [1, 2]


def test_appending_keeps_what_is_there_byte_for_byte(tmp_path: Path) -> None:
    path = tmp_path / "history/task/releases.ndjson"
    path.parent.mkdir(parents=True)
    path.write_bytes(ROW.encode())
    appended(tmp_path, ReleaseRecord("2", "sha256:b", date(2026, 2, 3)))
    assert path.read_bytes().startswith(ROW.encode() + b"\n")
    assert len(path.read_bytes().splitlines()) == 2


def test_records_are_in_order_of_their_version(tmp_path: Path) -> None:
    folder = tmp_path / "history/task/records"
    folder.mkdir(parents=True)
    for name in ("1.10.ndjson", "1.9.ndjson.gz", "old.json", "1.9.txt", ".hidden.swp"):
        (folder / name).write_text("")
    history = History(Root(tmp_path))
    assert [(file.path.rpartition("/")[2], str(file.version)) for file in history.records("task")] == [
        ("1.9.ndjson.gz", "1.9"),
        ("1.10.ndjson", "1.10"),
        ("old.json", "None"),
    ]
    assert history.rejects("task") == ()


def test_a_lineage_name_leads_nowhere_else(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="leads out"):
        History(Root(tmp_path)).records("../../etc")
    (tmp_path / "history").symlink_to("/etc")
    path, data = History(Root(tmp_path)).appended("task", ReleaseRecord("1", "a", date(2026, 1, 1)))
    with pytest.raises(SourceError, match="leads out"):
        write_together(Root(tmp_path), "journal", {path: data})

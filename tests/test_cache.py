"""The cache: what it gives back is what was put in, for the same question and the same program, or nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from compat import cache as cache_module
from compat.cache import MAX_BYTES, Cache, cache_folder, engine_version
from compat.jsonvalue import JSON

QUESTION = {"old": ["sha256:1"], "new": ["sha256:2"], "steps": 400_000, "formats": "annotation"}


def entry(folder: Path) -> Path:
    (path,) = folder.rglob("*.json")
    return path


@pytest.mark.parametrize(
    "answer",
    [
        {"witness": None, "more": [True, 1, 1.5, 1.0, "é\u2028", {}]},
        {"witness": Decimal("0.1000000000000000055511151231257827")},
        {"witness": 10**400},
        {"witness": Decimal("1e400")},
        [],
        False,
    ],
)
def test_what_was_put_in_comes_out_as_it_was(tmp_path: Path, answer: JSON) -> None:
    Cache(tmp_path).put(QUESTION, answer)
    assert repr(Cache(tmp_path).get(QUESTION)) == repr(answer)
    assert Cache(tmp_path).get(QUESTION | {"steps": 400_001}) is None
    assert Cache(tmp_path).get(QUESTION | {"formats": "assertion"}) is None


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"\xff\xfe",
        b"NaN",
        b'{"format": "compat-cache/1", "answer": 1e999999999}',
        b"[" * 100_000,
        b" " * (MAX_BYTES + 1),
    ],
)
def test_a_damaged_entry_is_absent_and_is_written_anew(tmp_path: Path, damage: bytes) -> None:
    Cache(tmp_path).put(QUESTION, {"status": "compatible"})
    entry(tmp_path).write_bytes(damage)
    assert Cache(tmp_path).get(QUESTION) is None
    Cache(tmp_path).put(QUESTION, {"status": "compatible"})
    assert Cache(tmp_path).get(QUESTION) == {"status": "compatible"}


def test_one_bit_of_an_answer_is_enough(tmp_path: Path) -> None:
    Cache(tmp_path).put(QUESTION, {"status": "breaking"})
    path = entry(tmp_path)
    path.write_text(path.read_text().replace("breaking", "compatible"))
    assert Cache(tmp_path).get(QUESTION) is None


def test_an_entry_answers_only_what_it_was_asked(tmp_path: Path) -> None:
    Cache(tmp_path).put(QUESTION, {"status": "compatible"})
    mine = entry(tmp_path)
    other = QUESTION | {"new": ["sha256:3"]}
    Cache(tmp_path).put(other, {"status": "breaking"})
    (theirs,) = [path for path in tmp_path.rglob("*.json") if path != mine]
    theirs.write_bytes(mine.read_bytes())
    assert Cache(tmp_path).get(other) is None


def test_another_program_finds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Cache(tmp_path).put(QUESTION, True)
    monkeypatch.setattr(cache_module, "engine_version", lambda: "0" * 32)
    assert Cache(tmp_path).get(QUESTION) is None


def test_the_program_is_known_by_its_own_text_and_its_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    known = engine_version.__wrapped__()
    assert known == engine_version.__wrapped__()
    real = cache_module._sources
    monkeypatch.setattr(
        cache_module, "_sources", lambda place, path: ((name, text + b"#") for name, text in real(place, path))
    )
    assert engine_version.__wrapped__() != known
    monkeypatch.undo()
    monkeypatch.setattr(cache_module, "_installed", lambda name: "9.9")
    assert engine_version.__wrapped__() != known


def test_programs_before_the_last_few_are_thrown_out_and_nothing_else(tmp_path: Path) -> None:
    old = [tmp_path / (letter * 32) for letter in "0123456789"]
    for age, folder in enumerate(old):
        folder.mkdir()
        os.utime(folder, (age, age))
    (tmp_path / "holiday pictures").mkdir()
    Cache(tmp_path).put(QUESTION, True)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"holiday pictures", engine_version(), *(letter * 32 for letter in "789")}


def test_a_folder_that_cannot_be_used_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    cache = Cache(tmp_path / "file")
    cache.put(QUESTION, True)
    assert cache.get(QUESTION) is None
    Cache(tmp_path).put(QUESTION, "\ud800")
    assert Cache(tmp_path).get(QUESTION) is None
    Cache(tmp_path).put(QUESTION, "x" * MAX_BYTES)
    assert Cache(tmp_path).get(QUESTION) is None


def test_where_the_cache_is_kept() -> None:
    assert cache_folder({"COMPAT_CACHE_DIR": "/a", "XDG_CACHE_HOME": "/b", "HOME": "/c"}) == Path("/a")
    assert cache_folder({"XDG_CACHE_HOME": "/b", "HOME": "/c"}) == Path("/b/compat")
    assert cache_folder({"XDG_CACHE_HOME": "b", "HOME": "/c"}) == Path("/c/.cache/compat")
    assert cache_folder({"HOME": "c"}) is None
    assert cache_folder({}) is None


WRITER = """
import sys
from pathlib import Path
from compat.cache import Cache
cache = Cache(Path(sys.argv[1]))
for number in range(200):
    question = {"number": number % 10}
    cache.put(question, {"number": number % 10, "text": "x" * 20_000})
    kept = cache.get(question)
    assert kept is not None and kept["number"] == number % 10, number
"""


def test_processes_share_a_folder(tmp_path: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)]) for _ in range(3)]
    assert [writer.wait(timeout=100) for writer in writers] == [0, 0, 0]
    kept = [json.loads(path.read_bytes()) for path in tmp_path.rglob("*") if path.is_file()]
    assert sorted(one["answer"]["number"] for one in kept) == list(range(10))

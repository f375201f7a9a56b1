"""Records elsewhere are read through fsspec, only where allowed, and no secret of an address is ever shown."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from compat.errors import SourceError, UsageError
from compat.replay.locations import Remote, expand, is_location, location, opener
from compat.replay.parse import Kind
from compat.replay.read import Record, Unreadable, read_opened

SECRET = "hunter2"


@pytest.fixture
def memory() -> Iterator[object]:
    fsspec = pytest.importorskip("fsspec", reason="needs the extra remote")
    filesystem = fsspec.filesystem("memory")
    filesystem.store.clear()
    yield filesystem
    filesystem.store.clear()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("s3://bucket/a.ndjson", True),
        ("memory://a", True),
        ("zip://a::s3://b", True),
        ("a/*.ndjson", False),
        ("C:/data/a.ndjson", False),
        ("/data/a.ndjson", False),
        ("-", False),
    ],
)
def test_what_is_a_location(text: str, expected: bool) -> None:
    assert is_location(text) is expected


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"https://ada:{SECRET}@example.org/a.ndjson?sig={SECRET}#x", "https://example.org/a.ndjson"),
        (f"s3://key:{SECRET}@bucket/a-?.ndjson", "s3://bucket/a-?.ndjson"),
        ("s3://bucket/task/*.gz", "s3://bucket/task/*.gz"),
        ("file:///data/a.ndjson", "file:///data/a.ndjson"),
    ],
)
def test_an_address_is_shown_without_its_secrets(text: str, shown: str) -> None:
    found = location(text)
    assert found.shown == shown
    assert SECRET not in repr(found)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("zip://a.ndjson::s3://bucket/b.zip", "chained"),
        ("ftp://example.org/a", "ftp:// is not read"),
        ("http://example.org/a", "http:// is not read"),
        (f"simplecache::https://ada:{SECRET}@example.org/a?x={SECRET}", "chained"),
    ],
)
def test_other_protocols_and_chains_are_refused(text: str, word: str) -> None:
    with pytest.raises(UsageError, match=word) as caught:
        location(text)
    assert SECRET not in str(caught.value)


def test_nothing_is_read_unless_it_is_allowed() -> None:
    remote = Remote()
    with pytest.raises(SourceError, match="nothing is fetched unasked") as caught:
        remote.files(f"https://ada:{SECRET}@example.org/a.ndjson")
    assert SECRET not in str(caught.value)
    assert "--allow-remote" in str(caught.value)
    assert remote.files_if_allowed("s3://bucket/*.gz") == remote.files_if_allowed("s3://bucket/*.gz") == ()
    assert remote.passed_over == ["s3://bucket/*.gz"]
    assert remote.opener("s3://bucket/*.gz") is None


def test_a_pattern_names_files_in_order(memory: object) -> None:
    memory.pipe({"/in/2.ndjson.gz": gzip.compress(b"2\n3\n"), "/in/1.ndjson": b"1\n", "/out/3.ndjson": b"9\n"})  # type: ignore[attr-defined]
    remote = Remote(allowed=True)
    names = remote.files("memory://in/*")
    assert [name.rpartition("/")[2] for name in names] == ["1.ndjson", "2.ndjson.gz"]
    values = []
    for name in names:
        open_it = remote.opener(name)
        assert open_it is not None
        values += [found.value for found in read_opened(open_it, name) if isinstance(found, Record)]
    assert values == [1, 2, 3]


def test_a_file_here_by_its_address(tmp_path: Path) -> None:
    pytest.importorskip("fsspec", reason="needs the extra remote")
    (tmp_path / "a.ndjson").write_bytes(b"1\n2\n")
    (found,) = expand(location(f"file://{tmp_path.as_posix()}/*.ndjson"))
    assert len(list(read_opened(opener(found), found.shown))) == 2


def test_parquet_elsewhere_is_read_from_its_end(memory: object) -> None:
    arrow = pytest.importorskip("pyarrow", reason="needs the extra parquet")
    from pyarrow import parquet

    with memory.open("/in/1.parquet", "wb") as file:  # type: ignore[attr-defined]
        parquet.write_table(arrow.Table.from_pylist([{"x": 1}, {"x": 2}]), file)
    (found,) = expand(location("memory://in/1.parquet"))
    assert [item.value for item in read_opened(opener(found), found.shown) if isinstance(item, Record)] == [
        {"x": 1},
        {"x": 2},
    ]


def test_what_is_not_there_is_an_outcome_or_an_error(memory: object) -> None:
    del memory
    with pytest.raises(SourceError, match="no file matches"):
        expand(location("memory://nowhere/*.ndjson"))
    (found,) = read_opened(opener(location("memory://nowhere/1.ndjson")), "memory://nowhere/1.ndjson")
    assert isinstance(found, Unreadable)
    assert (found.kind, found.reason) == (Kind.FILE, "cannot be read: no such file")


def test_the_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    for protocol, package in (("s3", "s3fs"), ("gs", "gcsfs"), ("https", "aiohttp"), ("memory", "remote")):
        (found,) = read_opened(opener(location(f"{protocol}://x/1.ndjson")), "x")
        assert isinstance(found, Unreadable)
        assert package in found.reason
        assert "pip install" in found.reason


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (OSError(5, "Input/output error"), "input/output error"),
        (OSError(5, f"bad https://ada:{SECRET}@example.org"), "oserror"),
        (PermissionError(13, "Permission denied", f"https://ada:{SECRET}@h"), "permissionerror"),
        (RuntimeError(f"token {SECRET}"), "runtimeerror"),
        (type("ClientResponseError", (Exception,), {"status": 403})(SECRET), "the server answered 403"),
    ],
)
def test_what_a_library_says_is_not_repeated(
    error: Exception, word: str, memory: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> object:
        raise error

    monkeypatch.setattr(type(memory), "open", fail)
    (found,) = read_opened(opener(location("memory://x/1.ndjson")), "x")
    assert isinstance(found, Unreadable)
    assert word in found.reason
    assert SECRET not in found.reason


def test_a_stream_that_breaks_off_is_an_outcome_with_its_line(memory: object, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        closed = False

        def __init__(self) -> None:
            self.parts = [b"1\n2\n"]

        def read(self, _size: int) -> bytes:
            if self.parts:
                return self.parts.pop()
            raise RuntimeError(SECRET)

        def close(self) -> None:
            type(self).closed = True

    monkeypatch.setattr(type(memory), "open", lambda *_, **__: Broken())
    *before, last = read_opened(opener(location("memory://x/1.ndjson")), "x")
    assert [item.value for item in before if isinstance(item, Record)] == [1, 2]
    assert isinstance(last, Unreadable)
    assert (last.kind, last.reason) == (Kind.FILE, "runtimeerror")
    assert Broken.closed


def test_a_configuration_does_not_lead_out_of_the_root(tmp_path: Path) -> None:
    pytest.importorskip("fsspec", reason="needs the extra remote")
    (tmp_path / "root" / "in").mkdir(parents=True)
    (tmp_path / "secret.ndjson").write_bytes(b"1\n")
    (tmp_path / "root" / "in" / "a b.ndjson").write_bytes(b"1\n")
    (tmp_path / "root" / "link.ndjson").symlink_to(tmp_path / "secret.ndjson")
    remote = Remote(allowed=True, root=tmp_path / "root")
    assert len(remote.files_if_allowed(f"file://{tmp_path}/root/in/*.ndjson")) == 1
    for name in ("secret.ndjson", "root/../secret.ndjson", "root/link.ndjson", "*.ndjson", "root/*.ndjson"):
        with pytest.raises(SourceError, match="leads out of the root"):
            remote.files_if_allowed(f"file://{tmp_path}/{name}")
    assert len(remote.files(f"file://{tmp_path}/secret.ndjson")) == 1


def test_two_addresses_that_look_alike_stay_two(memory: object) -> None:
    del memory
    remote = Remote(allowed=True)
    (one,) = remote.files("https://example.org/a.ndjson?sig=1")
    (two,) = remote.files("https://example.org/a.ndjson?sig=2")
    (again,) = remote.files("https://example.org/a.ndjson?sig=1")
    assert one == again != two
    assert "sig" not in one + two

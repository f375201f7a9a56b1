"""Files are read inside one root, whatever a path or a link says; patterns mean paths."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from compat.errors import SourceError
from compat.sources.files import Root, inside, shown
from compat.sources.objects import Entry
from compat.sources.patterns import excluded, matches
from compat.sources.renames import renames


@pytest.fixture
def root(tmp_path: Path) -> Root:
    (tmp_path / "root/sub").mkdir(parents=True)
    (tmp_path / "root/sub/a.json").write_text("{}")
    (tmp_path / "secret.json").write_text("secret")
    return Root(tmp_path / "root", max_bytes=100)


def test_a_file_inside_is_read(root: Root) -> None:
    assert root.read("sub/../sub/./a.json") == b"{}"


@pytest.mark.parametrize("path", ["../secret.json", "sub/../../secret.json", "/etc/passwd", "", "a\0b"])
def test_a_path_that_leads_out_is_refused(root: Root, path: str) -> None:
    with pytest.raises(SourceError, match=r"leads out|relative to the root"):
        root.read(path)


def test_links_out_are_refused_and_links_inside_are_followed(root: Root) -> None:
    (root.path / "out.json").symlink_to("../secret.json")
    (root.path / "folder").symlink_to("..")
    (root.path / "in.json").symlink_to("sub/a.json")
    for path in ("out.json", "folder/secret.json"):
        with pytest.raises(SourceError, match="link that leads out"):
            root.read(path)
    assert root.read("in.json") == b"{}"


def test_only_regular_files_within_the_bound_are_read(root: Root) -> None:
    os.mkfifo(root.path / "pipe.json")
    (root.path / "big.json").write_bytes(b"x" * 101)
    with pytest.raises(SourceError, match="not a regular file"):
        root.read("pipe.json")
    with pytest.raises(SourceError, match="is 101 bytes, more than the 100 that are read"):
        root.read("big.json")
    with pytest.raises(SourceError, match="cannot be read: No such file"):
        root.read("missing.json")
    with pytest.raises(SourceError, match="not a regular file"):
        root.read("sub")


def test_relative_gives_the_path_below_the_root(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root.path / "sub")
    assert root.relative(Path("a.json")) == "sub/a.json"
    assert root.relative(Path("..")) == ""
    assert root.relative(root.path / "sub") == "sub"
    with pytest.raises(SourceError, match="lies outside"):
        root.relative(Path("../../secret.json"))


def test_walk_gives_every_file_in_order_and_enters_no_link(root: Root) -> None:
    (root.path / "loop").symlink_to(".")
    (root.path / "b.json").write_text("")
    (root.path / ".git").mkdir()
    (root.path / ".git/config.json").write_text("")
    assert list(root.walk()) == ["b.json", "sub/a.json"]


def test_names_are_shown_without_control_characters() -> None:
    assert shown("a\x1b[31m\n" + os.fsdecode(b"\xff") + "ü") == "a\\x1b[31m\\n\\xffü"


def test_inside_normalises() -> None:
    assert inside("a/./b//../c") == "a/c"


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("schemas/**/*.schema.json", "schemas/a.schema.json", True),
        ("schemas/**/*.schema.json", "schemas/x/y/a.schema.json", True),
        ("schemas/*.json", "schemas/x/a.json", False),
        ("**", "a/b", True),
        ("a/**", "a/b/c", True),
        ("a/**", "b/a/c", False),
        ("./a.json", "a.json", True),
        ("a?.json", "ab.json", True),
        ("a?.json", "a.json", False),
        ("[ab].json", "b.json", True),
        ("*.json", "A.JSON", False),
        ("**/x/**/x/**/*.json", "x/x/x/x/a.json", True),
        ("**/x/**/x/**/*.json", "x/a.json", False),
    ],
)
def test_patterns(pattern: str, path: str, expected: bool) -> None:
    assert matches(pattern, path) is expected


def test_a_hostile_pattern_ends() -> None:
    assert not matches("**/a/" * 200 + "b", "a/" * 400 + "c")
    assert not matches("*a" * 30 + "b", "a" * 5000)


def test_an_exclusion_means_everything_below_a_folder() -> None:
    assert excluded(["x", "legacy"], "legacy/deep/a.json") == "legacy"
    assert excluded(["legacy"], "legacy-not/a.json") is None


def test_the_most_alike_are_paired_and_the_same_name_breaks_a_tie() -> None:
    def entry(path: str) -> Entry:
        return Entry(path, 0o100644, path)

    lines = {"a/x": b"1\n2\n3\n", "b/x": b"1\n2\n3\n4\n", "b/y": b"1\n2\n3\n5\n", "c": b"7\n"}
    pairs = renames([entry("a/x")], [entry("b/y"), entry("b/x"), entry("c")], lambda e: lines[e.path])
    assert [(old.path, new.path, likeness) for old, new, likeness in pairs] == [("a/x", "b/x", 75)]

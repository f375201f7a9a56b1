"""History is told alike with and without what earlier runs kept, and whatever became of that."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from builders import GitRepository

from compat.cache import Cache
from compat.lineage import Version
from compat.project import Project
from compat.project.walking import Walk, walks
from compat.sources.git import Repository

Told = dict[str, tuple[Sequence[Version], Sequence[str]]]


@pytest.fixture
def history(repository: GitRepository) -> GitRepository:
    write = repository.write
    for step in range(4):
        order = {"version": f"1.{step}.0", "properties": {"total": {"$ref": "../common/money.json#/$defs/money"}}}
        write("schemas/order/order.schema.json", order)
        write("schemas/plain/plain.schema.json", {"title": f"Plain {step // 2}"}).commit(f"order {step}")
        write("schemas/common/money.json", {"$defs": {"money": {"type": "number", "maximum": step}}}).commit("money")
        repository.tag(f"v1.{step}.0")
    write("schemas/plain/plain.schema.json", "{").commit("broken")
    return write("schemas/plain/plain.schema.json", {"title": "Mended"}).commit("mended")


def told(root: Path, cache: Path | None) -> Told:
    with Project.open(root, environment={}) as project:
        if cache is not None:
            project.remember(Cache(cache))
        found = list(walks(project, project.lineages()))
        return {walk.lineage.name: (walk.versions, walk.contents) for walk in found if isinstance(walk, Walk)}


def test_a_second_run_reads_no_content_and_no_log(
    history: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = told(history.root, None)
    assert [len(versions) for versions, _ in plain.values()] == [4, 8, 4]
    assert told(history.root, tmp_path / "cache") == plain
    monkeypatch.setattr(Repository, "log_output", lambda *_, **__: pytest.fail("the log was read"))
    monkeypatch.setattr(Repository, "blob", lambda *_, **__: pytest.fail("a content was read"))
    assert told(history.root, tmp_path / "cache") == plain


def test_what_is_newer_is_added(history: GitRepository, tmp_path: Path) -> None:
    told(history.root, tmp_path / "cache")
    history.write("schemas/common/money.json", {"$defs": {"money": {"type": "string"}}}).commit("more")
    history.write("schemas/plain/plain.schema.json", {"title": "On disk"})
    for _ in range(2):
        assert told(history.root, tmp_path / "cache") == told(history.root, None)


def test_what_is_damaged_is_read_anew(history: GitRepository, tmp_path: Path) -> None:
    plain = told(history.root, tmp_path / "cache")
    packs = sorted((tmp_path / "cache").rglob("*.pack"))
    assert len(packs) == 2
    for damage in (lambda data: data[:-1], lambda data: b"", lambda data: data.replace(b"\n", b"\nx", 1)):
        for pack in packs:
            pack.write_bytes(damage(pack.read_bytes()))
        assert told(history.root, tmp_path / "cache") == plain
    packs[0].write_bytes(packs[1].read_bytes())  # planted under another's name
    assert told(history.root, tmp_path / "cache") == plain


def test_a_shallow_clone_and_what_it_becomes_do_not_share(history: GitRepository, tmp_path: Path) -> None:
    copy = history.clone(tmp_path / "shallow", "--depth=3")
    shallow = told(copy.root, tmp_path / "cache")
    assert shallow == told(copy.root, None)
    copy.git("fetch", "--quiet", "--unshallow")
    assert told(copy.root, tmp_path / "cache") == told(copy.root, None) == told(history.root, None)


def test_what_is_missing_now_is_looked_for_the_next_time(history: GitRepository, tmp_path: Path) -> None:
    copy = history.clone(tmp_path / "partial", "--filter=blob:none")
    partial = told(copy.root, tmp_path / "cache")
    assert any("not in this clone" in version.problem for versions, _ in partial.values() for version in versions)
    copy.git("fetch", "--quiet", "--refetch", "--no-filter", "origin")
    assert told(copy.root, tmp_path / "cache") == told(history.root, None)

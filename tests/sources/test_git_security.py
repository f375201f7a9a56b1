"""A hostile repository starts nothing: programs are planted wherever git would run one, and none may leave a trace."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import GitRepository

from compat.errors import SourceError
from compat.sources.git import STAGED, Repository
from compat.sources.mainline import read_line


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A program that leaves `caught` beside itself when anything runs it."""
    program = tmp_path / "trap" / "program"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\ntouch "{program.parent}/caught"\ncat\nexit 0\n')
    program.chmod(0o755)
    return program


def caught(trap: Path) -> bool:
    return (trap.parent / "caught").exists()


def exercise(path: Path) -> None:
    """Do everything that this tool asks of git."""
    with Repository.open(path) as opened:
        base = opened.resolve("HEAD~1")
        opened.merge_base("HEAD", base)
        for head in (None, STAGED, "HEAD"):
            for change in opened.changes(base, head):
                for side in (change.old, change.new):
                    if side is not None:
                        opened.read(side)
        assert read_line(opened).commits
        assert read_line(opened, wanted=lambda path: True).commits
        opened.tags()
        opened.worktree()
        opened.index()
        opened.upstream()
        opened.ref("HEAD")
        opened.find("nowhere")


@pytest.fixture
def victim(repository: GitRepository) -> GitRepository:
    repository.write("a.schema.json", {"type": "string"}).write("b.schema.json", {"type": "number"}).commit("First")
    repository.write("a.schema.json", {"type": "integer"}).rename("b.schema.json", "c.schema.json").commit("Second")
    return repository


def plant_fsmonitor(repository: GitRepository, trap: Path) -> None:
    repository.config("core.fsmonitor", str(trap))


def plant_hooks(repository: GitRepository, trap: Path) -> None:
    hooks = repository.root / "hooks"
    hooks.mkdir()
    for name in ("post-index-change", "reference-transaction", "post-checkout", "fsmonitor-watchman", "pre-auto-gc"):
        (hooks / name).symlink_to(trap)
        (repository.root / ".git/hooks").mkdir(exist_ok=True)
        (repository.root / ".git/hooks" / name).symlink_to(trap)
    repository.config("core.hooksPath", str(hooks))


def plant_diff_drivers(repository: GitRepository, trap: Path) -> None:
    repository.config("diff.external", str(trap)).config("diff.evil.textconv", str(trap))
    repository.config("diff.evil.command", str(trap)).write(".gitattributes", "* diff=evil\n")


def plant_filters(repository: GitRepository, trap: Path) -> None:
    repository.write(".gitattributes", "* filter=evil\n")
    for kind in ("clean", "smudge", "process"):
        repository.config(f"filter.evil.{kind}", str(trap))
    repository.config("filter.evil.required", "true")
    for name in ("a.schema.json", "c.schema.json"):
        os.utime(repository.root / name)


def plant_pager_editor_and_signatures(repository: GitRepository, trap: Path) -> None:
    for key in ("core.pager", "pager.log", "core.editor", "gpg.program", "core.askPass", "core.sshCommand"):
        repository.config(key, str(trap))
    repository.config("log.showSignature", "true").config("core.alternateRefsCommand", str(trap))
    for alias in ("log", "cat-file", "ls-tree", "rev-parse"):
        repository.config(f"alias.{alias}", f"!{trap}")


PLANTS = [plant_fsmonitor, plant_hooks, plant_diff_drivers, plant_filters, plant_pager_editor_and_signatures]


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__.removeprefix("plant_"))
def test_no_planted_program_runs(
    victim: GitRepository, trap: Path, plant: Callable[[GitRepository, Path], None]
) -> None:
    plant(victim, trap)
    exercise(victim.root)
    assert not caught(trap)


def test_the_trap_works_when_plain_git_walks_into_it(victim: GitRepository, trap: Path) -> None:
    """Without this the tests above could pass because nothing was planted."""
    plant_filters(victim, trap)
    victim.git("status", check=False)
    assert caught(trap)


def test_variables_of_the_caller_reach_no_git(
    victim: GitRepository, make_repository: Callable[..., GitRepository], trap: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_repository("other").write("x.json", {}).commit()
    hostile = {
        "GIT_DIR": str(other.root / ".git"),
        "GIT_WORK_TREE": str(other.root),
        "GIT_INDEX_FILE": str(other.root / ".git/index"),
        "GIT_OBJECT_DIRECTORY": str(other.root / ".git/objects"),
        "GIT_EXTERNAL_DIFF": str(trap),
        "GIT_PAGER": str(trap),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.fsmonitor",
        "GIT_CONFIG_VALUE_0": str(trap),
    }
    for name, value in hostile.items():
        monkeypatch.setenv(name, value)
    exercise(victim.root)
    with Repository.open(victim.root) as opened:
        assert "x.json" not in opened.index()
    assert not caught(trap)
    assert {name: os.environ[name] for name in hostile} == hostile


def test_the_index_of_a_commit_hook_counts_only_inside_its_repository(
    victim: GitRepository, make_repository: Callable[..., GitRepository]
) -> None:
    other = make_repository("other").write("x.json", {}).stage()
    victim.write("next.schema.json", {})
    victim.git("-c", "core.bare=false", "add", "next.schema.json")
    (victim.root / ".git/next-index").write_bytes((victim.root / ".git/index").read_bytes())
    victim.git("reset", "--quiet")
    with Repository.open(victim.root, index_file=str(victim.root / ".git/next-index")) as opened:
        assert "next.schema.json" in opened.index()
    with Repository.open(victim.root, index_file=str(other.root / ".git/index")) as opened:
        assert "next.schema.json" not in opened.index()
        assert "x.json" not in opened.index()


def test_a_buried_bare_repository_is_not_entered(victim: GitRepository, trap: Path) -> None:
    buried = victim.root / "schemas"
    victim.clone(buried, "--bare")
    with (buried / "config").open("a") as config:
        config.write(f"[core]\n\tfsmonitor = {trap}\n\tbare = false\n\tworktree = ..\n")
    exercise(buried)
    with Repository.open(buried) as opened:
        assert opened.path == victim.root.resolve()
        assert not opened.bare
    assert not caught(trap)


def test_a_missing_blob_of_a_partial_clone_is_named_and_never_fetched(
    victim: GitRepository, trap: Path, tmp_path: Path
) -> None:
    clone = victim.clone(tmp_path / "clone", "--filter=blob:none", "--no-checkout")
    clone.config("remote.origin.uploadpack", str(trap)).config("protocol.file.allow", "always")
    oid = clone.sha("HEAD:a.schema.json")
    with Repository.open(clone.root) as opened, pytest.raises(SourceError, match="not in this clone") as error:
        opened.read(opened.tree("HEAD")["a.schema.json"])
    assert error.value.place is not None
    assert error.value.place.source == "a.schema.json"
    assert oid not in clone.git("cat-file", "--batch-all-objects", "--batch-check")
    assert not caught(trap)


@pytest.mark.parametrize("url", ["ext::{} %S", "file:///nowhere", "ssh://example.invalid/x"])
def test_no_transport_of_a_promisor_remote_starts(victim: GitRepository, trap: Path, tmp_path: Path, url: str) -> None:
    clone = victim.clone(tmp_path / "clone", "--filter=blob:none", "--no-checkout")
    clone.config("remote.origin.url", url.format(trap)).config("protocol.ext.allow", "always")
    clone.config("core.sshCommand", str(trap))
    with Repository.open(clone.root) as opened, pytest.raises(SourceError, match="not in this clone"):
        opened.read(opened.tree("HEAD")["a.schema.json"])
    assert not caught(trap)


def test_a_work_tree_configured_elsewhere_is_not_followed(victim: GitRepository, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/secret.json").write_text("{}")
    victim.config("core.worktree", str(tmp_path / "elsewhere"))
    with Repository.open(victim.root) as opened:
        assert sorted(opened.worktree()) == ["a.schema.json", "c.schema.json"]


def test_nothing_is_written_to_the_repository(victim: GitRepository) -> None:
    os.utime(victim.root / "a.schema.json", (1, 1))
    before = {path: path.stat().st_mtime_ns for path in victim.root.rglob("*")}
    exercise(victim.root)
    assert {path: path.stat().st_mtime_ns for path in victim.root.rglob("*")} == before

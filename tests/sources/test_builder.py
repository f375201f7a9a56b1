"""The builder of repositories itself: its commits never vary."""

from __future__ import annotations

from pathlib import Path

from builders import GitRepository


def test_a_commit_has_the_same_hash_on_every_machine(repository: GitRepository) -> None:
    repository.write("schemas/a.schema.json", {"type": "string"}).commit("First").tag("v1.0.0")
    assert repository.sha("v1.0.0") == "79ddd3a47b3a7bc919712662b8ab1098d8f6124d"


def test_a_shallow_clone_lacks_the_history(repository: GitRepository, tmp_path: Path) -> None:
    repository.write("a.json", {}).commit().write("a.json", []).commit()
    clone = repository.clone(tmp_path / "clone", "--depth=1")
    assert clone.git("rev-list", "--count", "HEAD") == "1"
    assert clone.sha() == repository.sha()

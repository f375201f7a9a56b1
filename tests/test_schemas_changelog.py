"""The changelog of this repository's own schemas is what the tool writes from their history."""

from __future__ import annotations

import pytest
from conftest import PROJECT_ROOT

from compat.changelog import render
from compat.project import Project
from compat.project.telling import changelog_path, chapters


def test_writing_the_changelog_again_changes_nothing() -> None:
    if not (PROJECT_ROOT / ".git").exists():
        pytest.skip("the history of the schemas is not here: this is no clone, and their changelog is told from git")
    with Project.open(PROJECT_ROOT, environment={}) as project:
        assert project.repository is not None
        if project.repository.is_shallow:
            pytest.skip("the history of the schemas is cut off: git fetch --unshallow, and run this again")
        lineages = project.lineages()
        path = changelog_path(project, lineages)
        existing = project.root.read(path).decode("utf-8")
        told = [chapter for lineage in lineages for chapter in chapters(project, lineage)]
        assert path == "schemas/CHANGELOG.md"
        assert {lineage.name for lineage in lineages} <= {chapter.lineage for chapter in told}
        assert render(told, existing) == existing, "compat changelog --write renews it"
        assert render(told) == existing, "nothing but what is generated stands in it"

"""What went out: release records and tags, known by content, on histories as people have them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from builders import GitRepository

from compat.errors import SourceError
from compat.gate import Outcome
from compat.jsonvalue import digest
from compat.lineage import VersionNumber
from compat.project import Project
from compat.project.evidence import StoredRecords
from compat.project.gating import gate, readable
from compat.project.releases import last_release, latest_of_number, released
from compat.project.stored import read_records, records_of, side_of
from compat.project.telling import changelog_path, chapters
from compat.replay.parse import Kind
from compat.replay.read import Unreadable

SCHEMA = "schemas/order/order.schema.json"


def schema(version: str, *kinds: str) -> dict[str, object]:
    return {"$id": f"https://example.org/{version}/order.json", "properties": {"kind": {"enum": list(kinds)}}}


def row(version: str, content: object, day: str) -> str:
    return json.dumps({"version": version, "digest": digest(content), "released": day}) + "\n"  # type: ignore[arg-type]


def labels(project: Project) -> list[tuple[str, bool]]:
    lineage = project.lineage("order")
    return [(one.release.label, one.version is not None) for one in released(project, lineage)]


@pytest.fixture
def orders(repository: GitRepository) -> GitRepository:
    """Three versions in history, nothing released yet."""
    for version, kinds in (("1.0.0", "ab"), ("1.1.0", "abc"), ("2.0.0", "a")):
        repository.write(SCHEMA, schema(version, *kinds)).commit(version)
    return repository


def test_nothing_is_released_without_tags_and_records(orders: GitRepository) -> None:
    with Project.open(orders.root) as project:
        assert labels(project) == []
        assert last_release([]) is None


@pytest.mark.parametrize(
    "names", [("v1.0.0", "v2.0.0"), ("order-1.0.0", "order-2.0.0"), ("order/1.0.0", "order/2.0.0")]
)
def test_tags_release_what_stood_at_them(orders: GitRepository, names: tuple[str, str]) -> None:
    orders.tag(names[0], "HEAD~2").tag(names[1], annotated=True)
    with Project.open(orders.root) as project:
        assert labels(project) == [("1.0.0", True), ("2.0.0", True)]


def test_tags_of_other_things_release_nothing(orders: GitRepository) -> None:
    orders.tag("nightly").tag("item-1.0.0")
    with Project.open(orders.root) as project:
        assert labels(project) == []


def test_tags_of_another_branch_release_nothing_here(orders: GitRepository) -> None:
    orders.tag("order-1.1.0", "HEAD~1").tag("order-2.0.0").branch("maintenance", "HEAD~1")
    orders.write(SCHEMA, schema("1.2.0", *"abcd")).commit("1.2.0")
    with Project.open(orders.root) as project:
        assert labels(project) == [("1.1.0", True)]
        (judgement,) = gate(project, project.lineage("order"))
        assert judgement.outcome is Outcome.READY
    with Project.open(orders.checkout("main").root) as project:
        assert labels(project) == [("1.1.0", True), ("2.0.0", True)]


def test_records_are_found_by_content_wherever_it_stood(orders: GitRepository) -> None:
    orders.rename(SCHEMA, "schemas/order.schema.json").commit("moved")
    rows = row("1.0.0", schema("1.0.0", "a", "b"), "2026-02-01") + row("1.1.0", schema("1.1.0", *"abc"), "2026-03-01")
    orders.write("history/order/releases.ndjson", rows)
    with Project.open(orders.root) as project:
        assert labels(project) == [("1.0.0", True), ("1.1.0", True)]


def test_with_records_only_tags_that_name_the_lineage_count(orders: GitRepository) -> None:
    orders.write("history/order/releases.ndjson", row("1.0.0", schema("1.0.0", "a", "b"), "2025-12-01"))
    orders.tag("v7.0.0", "HEAD~1").tag("order-2.0.0")
    with Project.open(orders.root) as project:
        assert labels(project) == [("1.0.0", True), ("2.0.0", True)]


def test_the_last_release_is_the_highest_number_and_the_latest_of_it(orders: GitRepository) -> None:
    rows = [
        row("2.0.0", schema("2.0.0", "a"), "2026-02-01"),
        row("2.0.0", schema("2.0.0", "a") | {"title": "again"}, "2026-03-01"),
        row("1.1.0", schema("1.1.0", *"abc"), "2026-04-01"),
    ]
    orders.write("history/order/releases.ndjson", "".join(rows))
    with Project.open(orders.root) as project:
        last = last_release(released(project, project.lineage("order")))
        assert last is not None
        assert (last.release.label, str(last.release.when)) == ("2.0.0", "2026-03-01")


def test_data_under_a_number_is_written_by_the_last_release_of_it(orders: GitRepository) -> None:
    orders.write(SCHEMA, schema("2.0.0", "a", "z"))
    orders.tag("order-1.1.0", "HEAD~1")
    with Project.open(orders.root) as project:
        lineage = project.lineage("order")
        versions, found = project.versions(lineage), released(project, lineage)

        def of(text: str) -> str | None:
            version = latest_of_number(found, versions, VersionNumber.parse(text))
            return None if version is None else version.revision

        assert of("1.1.0") == orders.sha("HEAD~1")
        assert of("1.0.0") == orders.sha("HEAD~2")
        assert of("2.0.0") == orders.sha("HEAD")  # committed before it was edited on disk
        assert of("9.0.0") is None
        assert latest_of_number(found, versions, None) is None
        assert side_of(project, lineage, "1.0.0").document.digest == digest(schema("1.0.0", "a", "b"))  # type: ignore[arg-type]
        assert side_of(project, lineage, "HEAD~1").document.digest == digest(schema("1.1.0", *"abc"))  # type: ignore[arg-type]


def test_a_shallow_clone_says_what_to_fetch(orders: GitRepository, tmp_path: Path) -> None:
    orders.write("history/order/releases.ndjson", row("1.0.0", schema("1.0.0", "a", "b"), "2026-02-01")).commit("row")
    copy = orders.clone(tmp_path / "copy", "--depth=1")
    with Project.open(copy.root) as project:
        lineage = project.lineage("order")
        with pytest.raises(SourceError, match="the clone is shallow") as caught:
            list(gate(project, lineage))
        assert "git fetch --tags --unshallow" in str(caught.value)
        with pytest.raises(SourceError):
            list(chapters(project, lineage))
        (one,) = released(project, lineage)
        with pytest.raises(SourceError):
            readable(project, lineage, one)


def test_a_shallow_clone_without_tags_is_not_called_unreleased(orders: GitRepository, tmp_path: Path) -> None:
    orders.tag("order-1.0.0", "HEAD~2")
    copy = orders.clone(tmp_path / "copy", "--depth=1", "--no-tags")
    with Project.open(copy.root) as project, pytest.raises(SourceError, match="the clone is shallow") as caught:
        list(gate(project, project.lineage("order")))
    assert "git fetch --tags --unshallow" in str(caught.value)
    with Project.open(copy.root) as project, pytest.raises(SourceError, match="the clone is shallow"):
        list(chapters(project, project.lineage("order")))
    whole = orders.clone(tmp_path / "whole", "--no-tags")
    with Project.open(whole.root) as project:
        (judgement,) = gate(project, project.lineage("order"))
        assert judgement.outcome is Outcome.NEVER_RELEASED


def test_a_folder_without_git_is_judged_by_what_it_has(tmp_path: Path) -> None:
    (tmp_path / "order.schema.json").write_text(json.dumps(schema("1.0.0", "a")))
    with Project.open(tmp_path) as project:
        (judgement,) = gate(project, project.lineage("order"))
        assert judgement.outcome is Outcome.NEVER_RELEASED
        (chapter,) = chapters(project, project.lineage("order"))
        assert chapter.first


def test_records_up_to_a_number_belong_to_a_pair(orders: GitRepository) -> None:
    for version in ("1.0.0", "1.1.0", "2.0.0"):
        orders.write(f"history/order/records/{version}.ndjson", b'{"kind": "b"}\n')
    with Project.open(orders.root) as project:
        lineage = project.lineage("order")
        upto = VersionNumber.parse("1.1.0")
        assert [str(file.version) for file in records_of(project, lineage, upto=upto)] == ["1.0.0", "1.1.0"]
        stored = StoredRecords(project, project.moment(None), lineage.name, upto=upto)
        summary = stored.replay(
            side_of(project, lineage, "1.1.0").schema_set, side_of(project, lineage, "2.0.0").schema_set
        )
        assert summary is not None
        assert (summary.tally.read, summary.tally.newly_fails) == (2, 2)


def test_a_pipe_in_the_place_of_records_hangs_nobody(orders: GitRepository) -> None:
    import os

    (orders.root / "history/order/records").mkdir(parents=True)
    os.mkfifo(orders.root / "history/order/records/1.0.0.ndjson")
    with Project.open(orders.root) as project:
        (found,) = read_records(project.root, "history/order/records/1.0.0.ndjson")
        assert isinstance(found, Unreadable)
        assert (found.kind, found.reason) == (Kind.FILE, "is not a regular file")


def test_the_place_of_a_changelog(repository: GitRepository) -> None:
    repository.write(SCHEMA, schema("1.0.0")).write("schemas/item/item.schema.json", schema("1.0.0"))
    repository.write("other/thing.schema.json", schema("1.0.0")).commit("all")
    with Project.open(repository.root) as project:
        order, item, thing = (project.lineage(name) for name in ("order", "item", "thing"))
        assert changelog_path(project, [order]) == "schemas/order/CHANGELOG.md"
        assert changelog_path(project, [order, item]) == "schemas/CHANGELOG.md"
        assert changelog_path(project, [order, item, thing]) == "SCHEMA-CHANGELOG.md"

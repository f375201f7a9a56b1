"""`compat gate`, `compat changelog` and `compat release` on real repositories."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import GitRepository
from click.testing import Result

from compat.demo.history import entries
from compat.demo.repository import CARELESS, HONEST, build, switch

Run = Callable[..., Result]
Report = Callable[..., tuple[int, dict[str, Any]]]

SCHEMA = "schemas/order/order.schema.json"
RELEASES = "history/order/releases.ndjson"


def schema(version: str, *kinds: str, **more: object) -> dict[str, object]:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://example.org/{version}/order.schema.json",
        "properties": {"kind": {"enum": list(kinds)}},
    } | more


@pytest.fixture
def orders(repository: GitRepository) -> GitRepository:
    """One released version, known by its tag alone."""
    return repository.write(SCHEMA, schema("1.0.0", "a", "b")).commit("one").tag("order-1.0.0")


@pytest.fixture
def demo(tmp_path: Path, git_environment: dict[str, str]) -> Path:
    folder = tmp_path / "demo"
    folder.mkdir()
    build(folder)
    return folder


@pytest.mark.parametrize(
    ("now", "outcome", "code"),
    [
        (schema("1.0.0", "a", "b"), "unchanged", 0),
        (schema("1.0.0", "a", "b", title="Order"), "ready", 0),
        (schema("1.0.0", "a"), "edited-in-place", 1),
        (schema("1.0.1", "a", "b", title="Order"), "ready", 0),
        (schema("1.1.0", "a", "b", title="Order"), "over-bumped", 0),
        (schema("1.0.1", "a", "b", "c"), "under-bumped", 1),
        (schema("1.1.0", "a", "b", "c"), "ready", 0),
        (schema("1.1.0", "a"), "under-bumped", 1),
        (schema("2.0.0", "a"), "ready", 0),
        (schema("0.9.0", "a", "b", title="Order"), "goes-backwards", 1),
    ],
)
def test_a_number_must_tell_what_changed(
    orders: GitRepository, report: Report, now: dict[str, object], outcome: str, code: int
) -> None:
    got, document = report(orders.write(SCHEMA, now).root, "gate")
    (lineage,) = document["lineages"]
    assert (lineage["outcome"], got) == (outcome, code)
    assert lineage["last"]["tag"] == "order-1.0.0"


def test_an_under_bump_names_the_change_and_its_witness(orders: GitRepository, run: Run, report: Report) -> None:
    orders.write(SCHEMA, schema("1.1.0", "a"))
    text = run(orders.root, "gate").stdout
    assert "under-bumped: breaking change needs 2.0.0 (major)" in text
    assert 'enum-value-removed  kind: "b" is no longer accepted.' in text
    assert '{"kind": "b"}' in text
    forcing = report(orders.root, "gate")[1]["lineages"][0]["forcing"]
    assert (forcing["rule"], forcing["witness"]) == ("enum-value-removed", {"kind": "b"})


def test_stored_records_are_quoted(orders: GitRepository, run: Run) -> None:
    orders.write("history/order/records/1.0.0.ndjson", b'{"kind": "b"}\n{"kind": "a"}\n')
    orders.write(SCHEMA, schema("1.1.0", "a"))
    assert (
        "1 of 2 stored records does this; first history/order/records/1.0.0.ndjson:1" in run(orders.root, "gate").stdout
    )


def test_release_records_count_by_content(orders: GitRepository, report: Report) -> None:
    from compat.jsonvalue import digest

    released = schema("1.1.0", "a", "b", "c")
    orders.write(SCHEMA, released).commit("two")
    row = {"version": "1.1.0", "digest": digest(released), "released": "2026-03-01", "files": [SCHEMA]}
    orders.write(RELEASES, json.dumps(row) + "\n").commit("released")
    orders.tag("v9.0.0")  # of the software around it
    code, document = report(orders.write(SCHEMA, schema("1.1.1", "a", "b", "c", title="Order")).root, "gate")
    assert (code, document["lineages"][0]["last"]["version"]) == (0, "1.1.0")


def test_a_release_whose_content_is_nowhere_cannot_be_checked(orders: GitRepository, run: Run) -> None:
    row = {"version": "1.1.0", "digest": "sha256:" + "0" * 64, "released": "2026-03-01"}
    result = run(orders.write(RELEASES, json.dumps(row) + "\n").root, "gate")
    assert result.exit_code == 3
    assert "no commit here holds what was released as 1.1.0" in result.stdout


def test_a_lineage_that_was_never_released_says_so(repository: GitRepository, run: Run) -> None:
    result = run(repository.write(SCHEMA, schema("1.0.0", "a")).commit("one").root, "gate")
    assert (result.exit_code, "never released" in result.stdout) == (0, True)


def test_without_git_it_says_that_tags_were_not_looked_at(tmp_path: Path, run: Run) -> None:
    (tmp_path / "a.schema.json").write_text("{}")
    result = run(tmp_path, "gate")
    assert (result.exit_code, "tags could not tell" in result.stdout) == (0, True)


def test_no_schema_at_all_cannot_be_checked(repository: GitRepository, run: Run) -> None:
    assert run(repository.write("README.md", "x").commit("one").root, "gate").exit_code == 3


def test_a_shared_file_that_changed_is_a_change(repository: GitRepository, report: Report) -> None:
    shared = "schemas/common/kind.schema.json"
    order = schema("1.0.0") | {"properties": {"kind": {"$ref": "../common/kind.schema.json"}}}
    del order["$id"]
    order["version"] = "1.0.0"
    repository.write(SCHEMA, order).write(shared, {"enum": ["a", "b"]}).commit("one").tag("order-1.0.0")
    repository.write(shared, {"enum": ["a"]})
    code, document = report(repository.root, "gate", "order")
    assert (code, document["lineages"][0]["outcome"]) == (1, "edited-in-place")


def test_a_released_lineage_that_is_gone_is_found(orders: GitRepository, report: Report, run: Run) -> None:
    assert run(orders.root, "release", "--date", "2026-05-01").exit_code == 0
    orders.write(
        "history/order/releases.ndjson", '{"version": "1.0.0", "digest": "sha256:00", "released": "2026-03-01"}'
    )
    orders.remove(SCHEMA).write("schemas/item/item.schema.json", schema("1.0.0", "x")).commit("gone")
    code, document = report(orders.root, "gate")
    assert code == 1
    assert [(one["lineage"], one["outcome"]) for one in document["lineages"] if one["fails"]] == [("order", "removed")]
    assert report(orders.root, "gate", "item")[0] == 0


def test_an_older_version_beside_the_newest_stays_as_released(repository: GitRepository, report: Report) -> None:
    one, two = "schemas/order/1.0.0/order.schema.json", "schemas/order/2.0.0/order.schema.json"
    repository.write(one, schema("1.0.0", "a", "b")).commit("one").tag("order-1.0.0")
    repository.write(two, schema("2.0.0", "a")).commit("two").tag("order-2.0.0")
    assert report(repository.root, "gate")[0] == 0
    code, document = report(repository.write(one, schema("1.0.0", "b")).root, "gate")
    assert code == 1
    assert [(found["outcome"], found["declared"]) for found in document["lineages"] if found["fails"]] == [
        ("edited-in-place", "1.0.0")
    ]


def test_words_edited_after_the_release_pass_and_are_shown_in_either_layout(
    repository: GitRepository, run: Run, report: Report
) -> None:
    one, two = "schemas/order/1.0.0/order.schema.json", "schemas/order/2.0.0/order.schema.json"
    alone = "schemas/item.schema.json"
    words = {"title": "In other words"}
    repository.write(one, schema("1.0.0", "a", "b")).write(alone, schema("1.0.0", "x")).commit("one")
    repository.tag("order-1.0.0").tag("item-1.0.0")
    repository.write(two, schema("2.0.0", "a")).commit("two").tag("order-2.0.0")
    repository.write(one, schema("1.0.0", "a", "b") | words).write(alone, schema("1.0.0", "x") | words)
    code, document = report(repository.root, "gate")
    shown = [(found["lineage"], found["declared"]) for found in document["lineages"] if found["outcome"] == "ready"]
    assert (code, shown) == (0, [("item", "1.0.0"), ("order", "1.0.0")])
    said = "1.0.0 was edited in place after its release, without effect on data: title of the whole"
    assert run(repository.root, "gate").stdout.count(said) == 2


def test_the_demo_tells_a_careless_number_from_an_honest_one(demo: Path, report: Report) -> None:
    assert report(demo, "gate")[0] == 0
    switch(demo, CARELESS)
    code, document = report(demo, "gate")
    assert code == 1
    assert {found["lineage"]: found["outcome"] for found in document["lineages"]} == {
        "invocation-response": "ready",
        "kwau-conversations": "unchanged",
        "pw-decide-row": "edited-in-place",
        "task": "unchanged",
    }
    switch(demo, HONEST)
    assert report(demo, "gate")[0] == 0


# -- changelog and release ------------------------------------------------------------------------------------------


def headings(text: str) -> list[str]:
    return re.findall(r"^## (.*)$", text, re.MULTILINE)


def test_a_changelog_is_told_from_tags(orders: GitRepository, run: Run) -> None:
    text = run(orders.write(SCHEMA, schema("2.0.0", "a")).root, "changelog").stdout
    assert headings(text) == ["[Unreleased]", "[1.0.0] - 2026-01-01"]
    assert '- **Breaking:** `kind`: `"b"` is no longer accepted.' in text


def test_every_release_of_the_demo_is_told_and_breaks_are_marked(demo: Path, run: Run) -> None:
    text = run(demo, "changelog").stdout
    parts = {block.splitlines()[1]: block for block in text.split("<!-- compat: begin ")[1:]}
    rows = [
        (path.parent.name, row["version"], row["released"])
        for path in demo.glob("history/*/releases.ndjson")
        for row in map(json.loads, path.read_text().splitlines())
    ]
    told = {heading.partition(" (revision")[0] for heading in parts if "Unreleased" not in heading}
    assert told == {f"## {name} [{version}] - {day}" for name, version, day in rows}
    breaking = {(entry.lineage, entry.when.isoformat()): entry.backward == "breaking" for entry in entries()}
    for heading, part in parts.items():
        name, day = re.findall(r"## (\S+) \[.*?\](?: - (\S+))?", heading)[0]
        assert ("**Breaking:**" in part) is (bool(day) and breaking[name, day]), heading
    days = re.findall(r"^## .* - (\d{4}-\d\d-\d\d)", text, re.MULTILINE)
    assert days == sorted(days, reverse=True)


def test_writing_twice_writes_once_and_keeps_what_people_wrote(orders: GitRepository, run: Run) -> None:
    orders.write(SCHEMA, schema("2.0.0", "a")).commit("two").tag("order-2.0.0")
    assert "written" in run(orders.root, "changelog", "--write").stderr
    path = orders.root / "schemas/order/CHANGELOG.md"
    path.write_text(path.read_text().replace("<!-- compat: end -->", "<!-- compat: end -->\n\nBy hand.", 1))
    before = path.read_bytes()
    assert "nothing new" in run(orders.root, "changelog", "--write").stderr
    assert path.read_bytes() == before
    assert run(orders.root, "changelog", "order", "--write", "--file", "orders.md").exit_code == 0
    assert headings(orders.read("orders.md")) == ["[2.0.0] - 2026-01-02", "[1.0.0] - 2026-01-01"]


def test_one_changelog_for_all_stands_above_them(orders: GitRepository, run: Run) -> None:
    orders.write("schemas/item/item.schema.json", schema("1.0.0", "x")).commit("item").tag("item-1.0.0")
    run(orders.root, "changelog", "--write")
    assert headings(orders.read("schemas/CHANGELOG.md")) == ["item [1.0.0] - 2026-01-02", "order [1.0.0] - 2026-01-01"]


def test_a_file_without_write_is_refused(orders: GitRepository, run: Run) -> None:
    assert run(orders.root, "changelog", "--file", "x.md").exit_code == 2


def test_a_release_writes_record_and_chapter(orders: GitRepository, run: Run, report: Report) -> None:
    orders.write(SCHEMA, schema("2.0.0", "a"))
    dry = run(orders.root, "release", "--date", "2026-05-01", "--dry-run")
    assert "order 2.0.0, 2026-05-01" in dry.stdout
    assert not (orders.root / RELEASES).exists()
    assert run(orders.root, "release", "--date", "2026-05-01").exit_code == 0
    assert json.loads(orders.read(RELEASES))["version"] == "2.0.0"
    changelog = orders.read("schemas/order/CHANGELOG.md")
    assert headings(changelog) == ["[2.0.0] - 2026-05-01", "[1.0.0] - 2026-01-01"]
    assert report(orders.root, "gate")[1]["lineages"][0]["outcome"] == "unchanged"
    assert "nothing to release" in run(orders.root, "release").stdout
    assert orders.read("schemas/order/CHANGELOG.md") == changelog


def test_a_release_that_was_stopped_half_way_is_finished_by_the_next(orders: GitRepository, run: Run) -> None:
    orders.write(SCHEMA, schema("2.0.0", "a"))
    run(orders.root, "release", "--date", "2026-05-01")
    whole = orders.read("schemas/order/CHANGELOG.md")
    orders.remove("schemas/order/CHANGELOG.md")
    assert run(orders.root, "release").exit_code == 0
    assert orders.read("schemas/order/CHANGELOG.md") == whole


def test_a_first_release_is_written_down(repository: GitRepository, run: Run) -> None:
    repository.write(SCHEMA, schema("1.0.0", "a")).commit("one")
    assert run(repository.root, "release", "--date", "2026-05-01").exit_code == 0
    assert json.loads(repository.read(RELEASES))["released"] == "2026-05-01"
    assert headings(repository.read("schemas/order/CHANGELOG.md")) == ["[1.0.0] - 2026-05-01"]


def test_the_gate_stands_before_a_release(orders: GitRepository, run: Run) -> None:
    result = run(orders.write(SCHEMA, schema("1.0.1", "a")).root, "release")
    assert result.exit_code == 1
    assert "under-bumped" in result.stdout
    assert not (orders.root / RELEASES).exists()


def test_a_release_needs_a_number_and_a_day(repository: GitRepository, run: Run) -> None:
    repository.write("schemas/plain.schema.json", {"type": "string"}).commit("one")
    assert "no version number" in run(repository.root, "release").stderr
    assert run(repository.root, "release", "--date", "soon").exit_code == 2

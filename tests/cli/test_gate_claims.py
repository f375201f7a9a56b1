"""What a change says was released is judged itself: no row and no tag hides what it vouches for."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import GitRepository
from click.testing import Result

from compat.jsonvalue import digest

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


ONE = schema("1.0.0", "a", "b")


def row(version: str, content: object, day: str = "2026-03-01", **more: object) -> str:
    told = {"version": version, "digest": digest(content), "released": day, "files": [SCHEMA]}  # type: ignore[arg-type]
    return json.dumps(told | more) + "\n"


@pytest.fixture
def orders(repository: GitRepository) -> GitRepository:
    """One released version on main, with its record, and a branch to change it on."""
    repository.write(SCHEMA, ONE).write(RELEASES, row("1.0.0", ONE, "2026-02-01")).commit("one")
    return repository.branch("change")


def outcomes(document: dict[str, Any]) -> list[str]:
    return [one["outcome"] for one in document["lineages"]]


def claim(repository: GitRepository, version: str, content: object, **more: object) -> GitRepository:
    rows = repository.read(RELEASES)
    return repository.write(SCHEMA, content).write(RELEASES, rows + row(version, content, **more))  # type: ignore[arg-type]


@pytest.mark.parametrize("way", ["working tree", "committed", "two commits ago", "on main", "backdated"])
@pytest.mark.parametrize(
    ("version", "content", "outcome"),
    [
        ("1.1.0", schema("1.1.0", "a"), "under-bumped"),
        ("1.0.0", schema("1.0.0", "a"), "edited-in-place"),
        ("2.0.0", schema("2.0.0", "a"), None),
        ("1.1.0", schema("1.1.0", "a", "b", "c"), None),
        ("1.0.1", schema("1.0.1", "a", "b", title="Order"), None),
    ],
)
def test_a_record_that_comes_with_its_schema_hides_nothing(
    orders: GitRepository, report: Report, way: str, version: str, content: object, outcome: str | None
) -> None:
    if way == "on main":
        orders.checkout("main")
    claim(orders, version, content, **({"day": "2020-01-01"} if way == "backdated" else {}))
    if way not in ("working tree", "backdated"):
        orders.commit("change it and call it released")
    if way == "two commits ago":
        orders.write("README.md", "x").commit("something else")
    code, document = report(orders.root, "gate")
    assert code == (1 if outcome else 0)
    failing = [one for one in document["lineages"] if one["fails"]]
    assert {one["outcome"] for one in failing} == ({outcome} if outcome else set())
    for one in failing:
        assert one["last"]["version"] == "1.0.0"
        assert one["forcing"]["witness"] == {"kind": "b"}
    if outcome:
        assert any(f"said to be released by this change ({RELEASES}:2)" in note for note in failing[0]["notes"])


def test_what_the_base_knew_is_not_judged_again(orders: GitRepository, report: Report) -> None:
    claim(orders.checkout("main"), "1.1.0", schema("1.1.0", "a")).commit("long ago, and wrong")
    orders.write("README.md", "x").commit("later").branch("other")
    code, document = report(orders.root, "gate")
    assert (code, outcomes(document)) == (0, ["unchanged"])
    code, document = report(orders.root, "gate", "--base", "main~2")
    assert (code, outcomes(document)) == (1, ["under-bumped", "unchanged"])


def test_a_record_under_another_number_than_its_schema_is_false(
    orders: GitRepository, run: Run, report: Report
) -> None:
    claim(orders, "2.0.0", schema("1.1.0", "a"))
    code, document = report(orders.root, "gate")
    assert (code, outcomes(document)) == (1, ["false-record", "unchanged"])
    assert "its record says 2.0.0, and the schema that it vouches for says 1.1.0" in run(orders.root, "gate").stdout


def test_a_row_that_disappears_is_told_and_still_counts(orders: GitRepository, report: Report) -> None:
    orders.write(RELEASES, "").write(SCHEMA, schema("1.1.0", "a"))
    code, document = report(orders.root, "gate")
    assert (code, outcomes(document)) == (1, ["false-record", "under-bumped"])
    assert "no longer tells of it" in document["lineages"][0]["notes"][0]
    orders.remove(RELEASES)
    assert outcomes(report(orders.root, "gate")[1]) == ["false-record", "under-bumped"]


@pytest.mark.parametrize(
    ("tagged", "code", "outcomes_"),
    [
        (schema("2.0.0", "a"), 0, ["unchanged"]),
        (schema("2.0.0", "c"), 1, ["false-record", "edited-in-place", "unchanged"]),
    ],
)
def test_a_record_agrees_with_the_tag_of_its_number(
    orders: GitRepository, report: Report, tagged: object, code: int, outcomes_: list[str]
) -> None:
    orders.write(SCHEMA, tagged).commit("what went out").tag("order-2.0.0")
    claim(orders, "2.0.0", schema("2.0.0", "a")).commit("what is said to have gone out")
    got, document = report(orders.root, "gate")
    assert (got, outcomes(document)) == (code, outcomes_)


@pytest.mark.parametrize("key", ["tag", "revision"])
@pytest.mark.parametrize("honest", [True, False])
def test_a_record_agrees_with_the_tag_and_the_commit_that_it_names(
    orders: GitRepository, report: Report, key: str, honest: bool
) -> None:
    new = schema("2.0.0", "a")
    orders.write(SCHEMA, new).commit("new")
    revision = orders.sha() if honest else orders.sha("main")
    orders.tag("order-going-out-2.0.0", revision).tag("v7", revision)
    claim(orders, "2.0.0", new, **{key: revision if key == "revision" else "v7"})
    code, document = report(orders.root, "gate")
    assert (code, outcomes(document)) == ((0, ["unchanged"]) if honest else (1, ["false-record", "unchanged"]))


def test_a_commit_that_is_not_there_vouches_for_nothing(orders: GitRepository, report: Report) -> None:
    claim(orders, "2.0.0", schema("2.0.0", "a"), revision="0" * 40)
    assert report(orders.root, "gate")[0] == 1


def test_a_tag_that_comes_with_the_change_is_judged(repository: GitRepository, report: Report) -> None:
    repository.write(SCHEMA, ONE).commit("one").tag("order-1.0.0").branch("change")
    repository.write(SCHEMA, schema("1.1.0", "a")).commit("two").tag("order-1.1.0")
    code, document = report(repository.root, "gate")
    assert (code, outcomes(document)) == (1, ["under-bumped", "unchanged"])
    assert any("tag order-1.1.0" in note for note in document["lineages"][0]["notes"])
    repository.write(SCHEMA, schema("2.0.0", "a")).commit("three").tag("order-2.0.0")
    assert outcomes(report(repository.root, "gate", "--base", "HEAD~1")[1]) == ["unchanged"]


def test_an_older_line_may_go_on(orders: GitRepository, report: Report) -> None:
    one, two = "schemas/order/v1/order.schema.json", "schemas/order/v2/order.schema.json"
    old, new = ({"version": f"{major}.0.0", "enum": ["a", "b"][: 3 - major]} for major in (1, 2))
    orders.checkout("main").remove(SCHEMA).write(one, old).write(two, new)
    orders.write(RELEASES, row("1.0.0", old) + row("2.0.0", new)).commit("both")
    orders.write("README.md", "x").commit("later").branch("backport")
    patched = {**old, "version": "1.0.1", "title": "Order"}
    orders.write(one, patched).write(RELEASES, orders.read(RELEASES) + row("1.0.1", patched))
    code, document = report(orders.root, "gate")
    assert (code, outcomes(document)) == (0, ["unchanged"])
    broken = {**old, "version": "1.0.1", "enum": ["b"]}
    orders.write(one, broken).write(RELEASES, row("1.0.0", old) + row("2.0.0", new) + row("1.0.1", broken))
    code, document = report(orders.root, "gate")
    assert (code, [one["outcome"] for one in document["lineages"] if one["fails"]]) == (1, ["under-bumped"])


@pytest.mark.parametrize("arguments", [(), ("order",)])
@pytest.mark.parametrize("way", ["flag", "environment"])
def test_a_base_that_is_nowhere_cannot_be_believed(
    orders: GitRepository, report: Report, monkeypatch: pytest.MonkeyPatch, way: str, arguments: tuple[str, ...]
) -> None:
    claim(orders, "1.1.0", schema("1.1.0", "a")).commit("dishonest").write("README.md", "x").commit("later")
    if way == "environment":
        monkeypatch.setenv("COMPAT_BASE", "origin/nowhere")
    code, document = report(orders.root, "gate", *arguments, *(("--base", "nowhere") if way == "flag" else ()))
    assert (code, document["lineages"]) == (3, [])
    assert [problem["message"] for problem in document["problems"]] == ["no such revision"]


@pytest.mark.parametrize("arguments", [(), ("order",)])
def test_a_shallow_clone_cannot_tell_claims_from_history(
    orders: GitRepository, run: Run, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    orders.write("README.md", "x").commit("more")
    copy = orders.clone(tmp_path / "copy", "--depth=1")
    result = run(copy.root, "gate", *arguments)
    assert result.exit_code == 3
    assert "git fetch" in result.stdout + result.stderr


def test_without_git_records_count_as_they_are(tmp_path: Path, run: Run) -> None:
    for path, text in ((SCHEMA, json.dumps(ONE)), (RELEASES, row("1.0.0", ONE))):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    assert "unchanged since the last release" in run(tmp_path, "gate").stdout
    (tmp_path / SCHEMA).write_text(json.dumps(schema("1.1.0", "a")))
    result = run(tmp_path, "gate")
    assert result.exit_code == 3
    assert "this is no git repository: run it in a clone" in result.stdout


@pytest.mark.parametrize(
    "more",
    [
        {"files": ["../../etc/passwd", "/etc/passwd", ".git/config", "compat.toml"]},
        {"revision": "--help"},
        {"revision": "HEAD; rm -rf /"},
        {"tag": "\x1b[31mred\x1b[0m"},
        {"tag": "--delete"},
    ],
    ids=lambda more: next(iter(more)),
)
def test_a_record_of_a_stranger_leads_nowhere(orders: GitRepository, run: Run, more: dict[str, object]) -> None:
    claim(orders, "2.0.0", schema("2.0.0", "a"), **more).write("compat.toml", 'compatibility = "full"\n')
    result = run(orders.root, "gate")
    assert result.exit_code in (0, 1)
    orders.write(RELEASES, row("1.0.0", ONE) + row("2.0.0", {"nowhere": 1}, **more))
    result = run(orders.root, "gate")
    assert result.exit_code == 3
    assert "no commit here holds what was released as 2.0.0" in result.stdout
    assert "\x1b" not in result.stdout + result.stderr
    assert "root:" not in result.stdout + result.stderr

"""A floor: transitive modes stop asking about versions that are out of support, and every report says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from builders import GitRepository
from click.testing import Result

Run = Callable[..., Result]
Report = Callable[..., tuple[int, dict[str, Any]]]

SCHEMA = "schemas/order.schema.json"
NOW = {"version": "1.3.0", "properties": {"id": {}, "kind": {"enum": ["a", "c"]}}}


def schema(version: str, **more: object) -> dict[str, object]:
    return {"version": version, "properties": {"id": {}, "kind": more}}


@pytest.fixture
def orders(repository: GitRepository) -> GitRepository:
    """What 1.0.0 allowed is refused in 1.3.0, and no single step shows it: 1.2.0 says nothing about it.

    The day of 1.0.0 is 1 January, of 1.1.0 2 January, of 1.2.0 4 January.
    """
    repository.write("compat.toml", 'compatibility = "backward-transitive"\nundeclared = "ignore"\n')
    repository.write(SCHEMA, schema("1.0.0", enum=["a", "b"])).commit("1.0.0").tag("order-1.0.0")
    repository.write(SCHEMA, schema("1.1.0", enum=["a", "b", "c"])).commit("1.1.0").tag("order-1.1.0")
    repository.write("README.md", "x").commit("something else").tag("freeze")
    repository.write(SCHEMA, {"version": "1.2.0", "properties": {"id": {}}}).commit("1.2.0").tag("order-1.2.0")
    return repository.write("README.md", "y").commit("something else").branch("change").write(SCHEMA, NOW)


FLOORS = [
    # floor, what it is, versions under it, whether 1.0.0 and 1.1.0 still count
    pytest.param("1.2.0", "version 1.2.0; 2 older versions are out of support", False, id="version"),
    pytest.param("1.1.0", "version 1.1.0; 1 older version is out of support", True, id="version-between"),
    pytest.param("1.0.0", "version 1.0.0; no version is older", True, id="version-oldest"),
    pytest.param("order-1.2.0", "tag order-1.2.0; 2 older versions are out of support", False, id="tag"),
    pytest.param("freeze", "tag freeze; 1 older version is out of support", True, id="tag-in-between"),
    pytest.param("2026-01-04", "day 2026-01-04; 2 older versions are out of support", False, id="day"),
    pytest.param("2026-01-03", "day 2026-01-03; 1 older version is out of support", True, id="day-in-between"),
    pytest.param("2020-01-01", "day 2020-01-01; no version is older", True, id="day-before-all"),
]


def gate_outcome(document: dict[str, Any]) -> tuple[str, list[str]]:
    (one,) = document["lineages"]
    return one["outcome"], one["notes"]


@pytest.mark.parametrize("way", ["flag", "project", "lineage", "environment"])
@pytest.mark.parametrize(("floor", "line", "breaks"), FLOORS)
def test_the_gate_asks_down_to_the_floor(
    orders: GitRepository,
    report: Report,
    monkeypatch: pytest.MonkeyPatch,
    way: str,
    floor: str,
    line: str,
    breaks: bool,
) -> None:
    arguments = configured(orders, monkeypatch, way, floor)
    code, document = report(orders.root, "gate", *arguments)
    outcome, notes = gate_outcome(document)
    assert f"floor: {line}" in notes
    assert (code, outcome) == ((1, "under-bumped") if breaks else (0, "ready"))
    if breaks:
        assert document["lineages"][0]["last"]["version"] in ("1.0.0", "1.1.0")
        assert any("backward-transitive asks about every earlier version" in note for note in notes)


def configured(repository: GitRepository, monkeypatch: pytest.MonkeyPatch, way: str, floor: str) -> tuple[str, ...]:
    value = floor if floor.startswith("20") else f'"{floor}"'
    if way == "project":
        text = repository.read("compat.toml")
        commit_on_main(repository, f"floor = {value}\n{text}")
    elif way == "lineage":
        text = repository.read("compat.toml")
        commit_on_main(repository, f'floor = "1.0.0"\n{text}\n[schemas.order]\nfloor = {value}\n')
    elif way == "environment":
        monkeypatch.setenv("COMPAT_FLOOR", floor)
    return ("--floor", floor) if way == "flag" else ()


def commit_on_main(repository: GitRepository, config: str) -> None:
    """A policy counts once it is merged."""
    now = repository.read(SCHEMA)
    repository.git("checkout", "--quiet", "--force", "main")
    repository.write("compat.toml", config).commit("configure").branch("configured").write(SCHEMA, now)


def test_without_a_floor_every_version_counts(orders: GitRepository, report: Report) -> None:
    code, document = report(orders.root, "gate")
    outcome, notes = gate_outcome(document)
    assert (code, outcome) == (1, "under-bumped")
    assert not any(note.startswith("floor") for note in notes)
    # An honest number tells all of them.
    orders.write(SCHEMA, {**NOW, "version": "2.0.0"})
    assert report(orders.root, "gate")[0] == 0


def test_a_mode_that_looks_back_one_version_has_no_use_for_a_floor(orders: GitRepository, report: Report) -> None:
    orders.write("compat.toml", 'undeclared = "ignore"\n')
    code, document = report(orders.root, "gate", "--floor", "1.1.0")
    assert (code, gate_outcome(document)[0]) == (0, "ready")
    assert "floor 1.1.0 changes nothing under the mode backward" in gate_outcome(document)[1]


@pytest.mark.parametrize(
    ("floor", "near"),
    [
        ("1.1.5", "nearest: 1.1.0 and 1.2.0"),
        ("0.9.0", "nearest: 1.0.0"),
        ("7.0.0", "nearest: 1."),
        ("freez", "Did you mean 'freeze'?"),
        ("order-1.2", "'order-1.2.0'"),
        ("nothing like it", "there are: 1.0.0, 1.1.0"),
        ("2026-13-40", "nearest: 1."),
    ],
)
@pytest.mark.parametrize("command", ["gate", "check", "log"])
def test_a_floor_that_is_nowhere_is_an_error_with_what_comes_near(
    orders: GitRepository, run: Run, command: str, floor: str, near: str
) -> None:
    result = run(orders.root, command, "--floor", floor)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"the floor of order, {floor!r}, is none of its versions, no tag and no day" in result.stderr
    assert near in result.stderr


def test_a_configured_floor_that_is_nowhere_is_told_with_its_file(orders: GitRepository, run: Run) -> None:
    orders.write("compat.toml", 'floor = "7.0.0"\n' + orders.read("compat.toml"))
    for command in ("gate", "log"):
        result = run(orders.root, command)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "error: compat.toml: the floor of order, '7.0.0'" in result.stderr


def test_a_tag_of_another_line_is_no_floor(orders: GitRepository, run: Run) -> None:
    orders.commit("change").branch("side", "main").write(SCHEMA, schema("9.9.9")).commit("elsewhere").tag("elsewhere")
    result = run(orders.checkout("change").root, "gate", "--floor", "elsewhere")
    assert result.exit_code == 2
    assert "holds no version of it that stood on this line" in result.stderr


def test_a_tag_from_before_the_lineage_leaves_all_of_it(repository: GitRepository, report: Report) -> None:
    repository.write("README.md", "x").commit("start").tag("before")
    repository.write("compat.toml", 'compatibility = "full-transitive"\n')
    repository.write(SCHEMA, schema("1.0.0")).commit("one").tag("order-1.0.0")
    repository.write("README.md", "y").commit("later").branch("change").write(SCHEMA, schema("1.0.1", title="x"))
    code, document = report(repository.root, "gate", "--floor", "before")
    assert (code, "floor: tag before; no version is older" in gate_outcome(document)[1]) == (0, True)


@pytest.mark.parametrize("floor", ["2.0.0", "order-2.0.0", "2026-01-02"])
def test_versions_side_by_side_have_floors_too(repository: GitRepository, report: Report, floor: str) -> None:
    repository.write("compat.toml", 'compatibility = "backward-transitive"\n')
    for version, kinds in (("1.0.0", "ab"), ("2.0.0", "ac")):
        path = f"schemas/order/{version}/order.schema.json"
        repository.write(path, {"properties": {"kind": {"enum": list(kinds)}}}).commit(version).tag(f"order-{version}")
    newest = {"properties": {"kind": {"enum": ["a", "c", "d"]}}}
    repository.branch("change").write("schemas/order/2.1.0/order.schema.json", newest)
    code, document = report(repository.root, "gate", "--floor", floor)
    assert (code, gate_outcome(document)[0]) == (0, "ready")
    assert any("1 older version is out of support" in note for note in gate_outcome(document)[1])


@pytest.mark.parametrize(("floor", "line", "breaks"), FLOORS)
@pytest.mark.parametrize("way", ["flag", "project", "lineage"])
def test_the_check_asks_down_to_the_floor(
    orders: GitRepository,
    report: Report,
    monkeypatch: pytest.MonkeyPatch,
    way: str,
    floor: str,
    line: str,
    breaks: bool,
) -> None:
    arguments = configured(orders, monkeypatch, way, floor)
    code, document = report(orders.root, "check", *arguments)
    (schema_,) = document["schemas"]
    assert f"floor: {line}" in schema_["notes"]
    assert code == int(breaks)
    assert ("1.1.0" in schema_["against"]) is breaks


def test_a_floor_that_comes_with_the_change_is_told_and_does_not_count(orders: GitRepository, report: Report) -> None:
    orders.write("compat.toml", 'floor = "1.2.0"\n' + orders.read("compat.toml"))
    code, document = report(orders.root, "check")
    assert code == 1, document["problems"]
    assert "floor: none becomes 1.2.0." in [finding["message"] for finding in document["findings"]]


@pytest.mark.parametrize(("floor", "line", "breaks"), FLOORS)
def test_the_log_sets_versions_against_each_other_down_to_the_floor(
    orders: GitRepository, run: Run, report: Report, floor: str, line: str, breaks: bool
) -> None:
    arguments = ("log", "--no-cache", "--matrix", "--floor", floor)
    code, document = report(orders.root, *arguments)
    (one,) = document["lineages"]
    versions = [version["version"] for version in one["versions"]]
    assert (code, one["floor"], versions) == (0, f"floor: {line}", ["1.0.0", "1.1.0", "1.2.0", "1.3.0"])
    counted = {cell[key] for cell in one["matrix"]["cells"] for key in ("written", "reader")}
    assert sorted(counted.union(one["unsupported"])) == [1, 2, 3, 4]
    assert counted.isdisjoint(one["unsupported"])
    assert (2 in counted) is breaks
    for form in ("text", "markdown"):
        assert line in run(orders.root, *arguments, "--format", form).stdout.replace("\\", "")


def test_the_log_says_nothing_of_a_floor_that_nobody_set(orders: GitRepository, run: Run, report: Report) -> None:
    (one,) = report(orders.root, "log", "--no-cache")[1]["lineages"]
    assert (one["floor"], one["unsupported"]) == (None, [])
    assert "floor" not in run(orders.root, "log", "--no-cache").stdout


def test_a_release_asks_down_to_the_floor_as_the_gate_does(orders: GitRepository, run: Run) -> None:
    refused = run(orders.root, "release", "--date", "2026-05-01")
    assert (refused.exit_code, "under-bumped" in refused.stdout) == (1, True)
    done = run(orders.root, "release", "--date", "2026-05-01", "--floor", "1.2.0")
    assert (done.exit_code, "order 1.3.0, 2026-05-01" in done.stdout) == (0, True)

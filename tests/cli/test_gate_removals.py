"""What was released goes only after notice: properties, versions side by side, whole lineages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from builders import GitRepository
from click.testing import Result

Run = Callable[..., Result]
Report = Callable[..., tuple[int, dict[str, Any]]]

SCHEMA = "schemas/order.schema.json"
ITEM = "schemas/item.schema.json"
OLD: dict[str, object] = {"deprecated": True}


def schema(version: str, region: dict[str, object] | None = None, **more: object) -> dict[str, object]:
    declared = {} if region is None else {"region": {"type": "string", **region}}
    actor: dict[str, object] = {"properties": {"name": {}, **declared}}
    return {"version": version, "properties": {"actor": actor}} | more


def history(repository: GitRepository, *contents: dict[str, object]) -> GitRepository:
    """Release one content after another, by tag, beside a lineage that never changes."""
    repository.write(ITEM, {"version": "1.0.0"}).commit("item").tag("item-1.0.0")
    for content in contents:
        version = content["version"]
        repository.write(SCHEMA, content).commit(f"order {version}").tag(f"order-{version}")
    return repository.write("README.md", "x").commit("later")


def judged(report: Report, repository: GitRepository) -> tuple[int, dict[str, Any]]:
    code, document = report(repository.root, "gate")
    (one,) = (found for found in document["lineages"] if found["lineage"] == "order")
    return code, one


@pytest.mark.parametrize(
    ("released", "notice", "outcome"),
    [
        ([{}], None, "removed-too-early"),
        ([OLD], None, "ready"),
        ([{}, OLD], None, "ready"),
        ([OLD, {}], None, "removed-too-early"),
        ([{}], 0, "ready"),
        ([OLD], 2, "removed-too-early"),
        ([OLD, OLD], 2, "ready"),
        ([OLD, {}, OLD], 2, "removed-too-early"),
        ([{"deprecated": False}], None, "removed-too-early"),
    ],
)
def test_a_property_goes_after_so_many_releases_as_deprecated(
    repository: GitRepository, report: Report, released: list[dict[str, object]], notice: int | None, outcome: str
) -> None:
    if notice is not None:
        repository.write("compat.toml", f"deprecate-before-removal = {notice}\n")
    # Every release differs from the one before, or its tag would stand at the same content.
    history(repository, *(schema(f"1.0.{n}", region, title=str(n)) for n, region in enumerate(released)))
    code, one = judged(report, repository.write(SCHEMA, schema("1.1.0")))
    assert (code, one["outcome"]) == (1 if outcome == "removed-too-early" else 0, outcome)
    assert [removal["instance_path"] for removal in one["removals"]] == ["/actor/region"]


def test_it_says_what_went_and_for_how_long_to_keep_it(repository: GitRepository, run: Run) -> None:
    repository.write("compat.toml", "deprecate-before-removal = 3\n")
    history(repository, schema("1.0.0", {}), schema("1.0.1", OLD))
    text = run(repository.write(SCHEMA, schema("2.0.0")).root, "gate", "order").stdout
    assert "✗ removed too early: a property has to be deprecated first" in text
    assert 'actor.region is gone after 1 of 3 releases: keep it with "deprecated": true for 2 more releases' in text
    assert re.search(rf"^    \w+:{SCHEMA}:\d+:\d+$", text, re.MULTILINE)
    assert "property-removed" not in text  # what forces a number is not what it objects to


def test_a_property_that_was_never_released_goes_as_it_came(repository: GitRepository, report: Report) -> None:
    history(repository, schema("1.0.0")).write(SCHEMA, schema("1.1.0", {})).commit("not released")
    code, one = judged(report, repository.write(SCHEMA, schema("1.0.0")))
    assert (code, one["outcome"], one["removals"]) == (0, "unchanged", [])


def test_a_property_that_moved_into_a_branch_is_still_there(repository: GitRepository, report: Report) -> None:
    history(repository, schema("1.0.0", {}))
    moved = {"version": "1.0.1", "$defs": {"a": schema("1", {})}, "allOf": [{"$ref": "#/$defs/a"}]}
    code, one = judged(report, repository.write(SCHEMA, moved))
    assert (code, one["outcome"], one["removals"]) == (0, "ready", [])


def test_the_mode_none_asks_for_no_notice(repository: GitRepository, report: Report) -> None:
    repository.write("compat.toml", 'compatibility = "none"\ndeprecate-before-removal = 5\n')
    history(repository, schema("1.0.0", {}))
    assert judged(report, repository.write(SCHEMA, schema("2.0.0")))[0] == 0


@pytest.mark.parametrize(
    ("expires", "schema_name", "code"),
    [("2999-01-01", "order", 0), ("2020-01-01", "order", 1), ("2999-01-01", "item", 1)],
)
def test_a_waiver_lets_a_property_go(
    repository: GitRepository, report: Report, expires: str, schema_name: str, code: int
) -> None:
    waiver = f'schema = "{schema_name}"\nrule = "property-removed"\nat = "actor.region"\nreason = "never sent"\n'
    repository.write("compat.toml", f"[[waivers]]\n{waiver}expires = {expires}\n")
    history(repository, schema("1.0.0", {}))
    got, one = judged(report, repository.write(SCHEMA, schema("2.0.0")))
    assert got == code
    assert ("actor.region is gone without notice, waived: never sent" in one["notes"]) is (code == 0)


def test_too_small_a_number_is_told_with_what_went(repository: GitRepository, run: Run) -> None:
    history(repository, schema("1.0.0", {}, additionalProperties=False))
    text = run(repository.write(SCHEMA, {"version": "1.0.1", "additionalProperties": False}).root, "gate").stdout
    assert "under-bumped" in text
    assert 'actor is gone without notice: keep it with "deprecated": true for 1 release' in text


# -- lineages -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("recorded", [True, False])
@pytest.mark.parametrize(
    ("released", "notice", "outcome"),
    [
        ([{}], 1, "removed"),
        ([OLD], 1, "retired"),
        ([OLD, {}], 2, "removed"),
        ([OLD, OLD], 2, "retired"),
        ([{}], 0, "retired"),
    ],
)
def test_a_lineage_goes_after_so_many_releases_as_deprecated(
    repository: GitRepository,
    report: Report,
    run: Run,
    recorded: bool,
    released: list[dict[str, object]],
    notice: int,
    outcome: str,
) -> None:
    repository.write("compat.toml", f"deprecate-before-removal = {notice}\n")
    history(repository, *(schema(f"1.0.{n}", **more) for n, more in enumerate(released)))  # type: ignore[arg-type]
    if recorded:
        last = schema(f"1.0.{len(released)}", **released[-1])  # type: ignore[arg-type]
        assert run(repository.write(SCHEMA, last).root, "release", "order", "--date", "2026-05-01").exit_code == 0
        repository.commit("released")
        if outcome == "retired" and notice > 1:
            again = schema(f"1.0.{len(released) + 1}", title="x", **released[-1])  # type: ignore[arg-type]
            assert run(repository.write(SCHEMA, again).root, "release", "order", "--date", "2026-06-01").exit_code == 0
            repository.commit("released again")
        repository.write("README.md", "y").commit("later")
    repository.branch("drop").remove(SCHEMA)
    for at in ("working tree", "committed"):
        if at == "committed":
            repository.commit("drop it")
        code, one = judged(report, repository)
        assert (code, one["outcome"]) == (1 if outcome == "removed" else 0, outcome)


def test_dropping_the_records_with_the_schema_hides_nothing(
    repository: GitRepository, run: Run, report: Report
) -> None:
    history(repository, schema("1.0.0"))
    assert (
        run(repository.write(SCHEMA, schema("1.0.1", title="x")).root, "release", "--date", "2026-05-01").exit_code == 0
    )
    repository.commit("released").branch("drop").remove(SCHEMA).remove("history/order/releases.ndjson").commit("drop")
    code, one = judged(report, repository)
    assert (code, one["outcome"], one["last"]["version"]) == (1, "removed", "1.0.1")


def test_nothing_is_released_while_a_lineage_went_without_notice(repository: GitRepository, run: Run) -> None:
    history(repository, schema("1.0.0")).branch("drop").remove(SCHEMA).write(ITEM, {"version": "1.1.0", "title": "x"})
    result = run(repository.root, "release", "--date", "2026-05-01")
    assert (result.exit_code, "was released and is gone" in result.stdout) == (1, True)
    assert not (repository.root / "history").exists()
    assert run(repository.root, "release", "item", "--date", "2026-05-01").exit_code == 0


def test_a_lineage_that_moved_is_not_gone(repository: GitRepository, report: Report) -> None:
    history(repository, schema("1.0.0", title="A long enough title to know it again by")).branch("move")
    repository.rename(SCHEMA, "schemas/purchase.schema.json").commit("move")
    code, document = report(repository.root, "gate")
    assert code == 0
    assert [one["lineage"] for one in document["lineages"]] == ["item", "purchase"]


def test_a_lineage_that_was_never_released_goes_as_it_came(repository: GitRepository, report: Report) -> None:
    history(repository).write(SCHEMA, schema("1.0.0")).commit("draft").write("README.md", "z").commit("later")
    repository.branch("drop").remove(SCHEMA)
    code, document = report(repository.root, "gate")
    assert (code, [one["lineage"] for one in document["lineages"]]) == (0, ["item"])


@pytest.mark.parametrize(("more", "outcome"), [({}, "removed"), (OLD, "retired")])
def test_a_version_beside_the_newest_goes_after_notice(
    repository: GitRepository, report: Report, more: dict[str, object], outcome: str
) -> None:
    one, two = "schemas/order/1.0.0/order.schema.json", "schemas/order/2.0.0/order.schema.json"
    repository.write(one, {"type": "string"}).commit("one").tag("order-1.0.0")
    repository.write(two, {"type": "integer"}).commit("two").tag("order-2.0.0")
    repository.write(one, {"type": "string"} | more).commit("notice, in place")
    repository.write("README.md", "x").commit("later")
    repository.branch("drop").remove(one)
    code, document = report(repository.root, "gate")
    found = {found["outcome"]: found for found in document["lineages"]}
    assert (code, sorted(found)) == (int(outcome == "removed"), sorted([outcome, "unchanged"]))
    assert json.dumps(found[outcome]["notes"]).count(one) == 1

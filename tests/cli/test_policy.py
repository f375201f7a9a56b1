"""Policy on real repositories: who judges, what is let pass, and every near miss of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from builders import GitRepository
from click.testing import Result

Run = Callable[..., Result]
Report = Callable[..., tuple[int, dict[str, Any]]]
Schema = dict[str, Any]

TASK = "schemas/task.schema.json"


def task(*kinds: str, version: str = "1.0.0", **more: Any) -> Schema:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://example.org/schemas/{version}/task.schema.json",
        "type": "object",
        "properties": {"kind": {"enum": list(kinds)}, "size": {"type": "integer"}},
        **more,
    }


OLD, NARROW, WIDE = task("a", "b"), task("a"), task("a", "b", "c")


@pytest.fixture
def based(repository: GitRepository) -> Callable[..., GitRepository]:
    """Make a repository with a configuration on main, and stand on a branch of it."""

    def make(config: str = "", files: dict[str, object] | None = None) -> GitRepository:
        if config:
            repository.write("compat.toml", config)
        for path, content in (files or {TASK: OLD}).items():
            repository.write(path, content)
        return repository.commit("Base").branch("change")

    return make


def findings(told: dict[str, Any]) -> list[dict[str, Any]]:
    return [finding for schema in told["schemas"] for finding in schema["findings"]]


# A break that the number announces


@pytest.mark.parametrize(
    ("config", "new", "code", "waived"),
    [
        ("", task("a", version="2.0.0"), 0, 1),
        ("", task("a", version="1.1.0"), 1, 0),
        ("", task("a"), 1, 0),
        ("", task("a", version="0.9.0"), 1, 0),
        ('announced = "error"', task("a", version="2.0.0"), 1, 0),
        ('[schemas.task]\nannounced = "error"', task("a", version="2.0.0"), 1, 0),
        # Where the number stands is the base's word: here it is looked for in the path, which has none.
        ('[schemas.task]\nversion = { from = "path" }', task("a", version="2.0.0"), 1, 0),
        ('compatibility = "full"', task("a", "b", "c", version="2.0.0"), 0, 1),
        ('compatibility = "full"', task("a", "b", "c", version="1.1.0"), 1, 0),
    ],
)
def test_an_announced_break_passes(
    based: Callable[..., GitRepository], report: Report, config: str, new: Schema, code: int, waived: int
) -> None:
    repository = based(config).write(TASK, new)
    got, told = report(repository.root, "check")
    assert (got, told["counts"]["findings"]["waived"]) == (code, waived)
    for finding in findings(told):
        if finding["waiver"] is not None:
            assert (finding["level"], bool(finding["witnesses"])) == ("breaking", True)
            assert finding["waiver"]["reason"].startswith("announced by the version number, 1.0.0 → ")


def test_the_head_cannot_say_where_its_number_stands(based: Callable[..., GitRepository], report: Report) -> None:
    repository = based('[schemas.task]\nversion = { from = "$id" }')
    repository.write(TASK, task("a", **{"x-version": "9.0.0"}))
    repository.write("compat.toml", '[schemas.task]\nversion = { from = "keyword" }')
    code, told = report(repository.root, "check")
    assert code == 1
    assert [finding["message"] for finding in told["findings"]] == ["version of task: its number is read elsewhere."]
    assert report(repository.root, "check", "--config-from", "head")[1]["counts"]["findings"]["waived"] == 0


def test_a_break_that_was_announced_stays_announced_for_what_follows(
    based: Callable[..., GitRepository], report: Report
) -> None:
    """A transitive mode meets the old break again, against a version that the number of today still announces."""
    repository = based('compatibility = "backward-transitive"').write(TASK, task("a", version="2.0.0"))
    repository.commit("Two").checkout("main").merge("change").branch("next")
    repository.write(TASK, task("a", version="2.0.0", title="Task"))
    code, told = report(repository.root, "check")
    assert (code, told["counts"]["findings"]["waived"]) == (0, 1)
    # Near miss: what breaks against the version before is new, and announced by nothing.
    repository.write(TASK, task(version="2.1.0"))
    assert report(repository.root, "check")[0] == 1


def test_a_shared_file_passes_only_where_everyone_announces_it(
    based: Callable[..., GitRepository], report: Report
) -> None:
    def user(version: str, name: str) -> Schema:
        return {"$id": f"https://example.org/{version}/{name}.schema.json", "$ref": "../part.json"}

    part = "schemas/part.json"
    repository = based(
        "",
        {
            part: {"$id": "https://example.org/part.json", "enum": [1, 2]},
            **{f"schemas/{name}.schema.json": user("1.0.0", name) for name in ("one", "two")},
        },
    )
    repository.write(part, {"$id": "https://example.org/part.json", "enum": [1]})
    repository.write("schemas/one.schema.json", user("2.0.0", "one"))
    assert report(repository.root, "check")[0] == 1


# Severities


@pytest.mark.parametrize(
    ("config", "level", "code"),
    [
        ("", "breaking", 1),
        ('severity = { enum-value-removed = "risky" }', "risky", 0),
        ('severity = { enum-value-removed = { kind = "risky" } }', "risky", 0),
        ('severity = { enum-value-removed = { size = "risky" } }', "breaking", 1),
        ('severity = { enum-value-added = { kind = "risky" } }', "breaking", 1),
        ('severity = { "*" = { "**" = "risky" } }', "risky", 0),
        ('[schemas.task.severity]\nenum-value-removed = { "*" = "safe" }', "safe", 0),
        ('[schemas.lane.severity]\nenum-value-removed = "safe"', "breaking", 1),
        (
            'severity.enum-value-removed = "safe"\n[schemas.task]\nseverity.enum-value-removed.kind = "breaking"',
            "breaking",
            1,
        ),
    ],
)
def test_a_severity_reaches_what_it_names_and_nothing_else(
    based: Callable[..., GitRepository], report: Report, config: str, level: str, code: int
) -> None:
    got, told = report(based(config).write(TASK, NARROW).root, "check")
    (finding,) = findings(told)
    assert (got, finding["level"]) == (code, level)


FAR = {"$ref": "https://example.org/far"}
UNPROVED = task("a", "b", allOf=[FAR])


@pytest.mark.parametrize(
    ("config", "code"),
    [
        ("", 1),
        ('unknown = "warn"', 0),
        ('severity = { "*" = "safe" }', 0),
        ('[schemas.other]\nunknown = "warn"', 1),
    ],
)
def test_what_is_not_proved_is_at_most_quietened(
    based: Callable[..., GitRepository], report: Report, config: str, code: int
) -> None:
    got, told = report(based(config).write(TASK, UNPROVED).root, "check")
    assert got == code
    assert {f["level"] for f in findings(told) if "unknown" in (f["backward"], f["forward"])} <= {"unknown", "risky"}


# Waivers


def waiver(**more: object) -> str:
    rows = {"schema": "task", "rule": "enum-value-removed", "reason": "nobody sent it", **more}
    return "[[waivers]]\n" + "".join(
        f"{key} = {json.dumps(value)}\n" for key, value in rows.items() if value is not None
    )


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({}, 0),
        ({"at": "kind"}, 0),
        ({"at": "/kind"}, 0),
        ({"at": "size"}, 1),
        ({"value": "b"}, 0),
        ({"value": "a"}, 1),
        ({"rule": "enum-value-added"}, 1),
        ({"schema": "lane"}, 1),
        ({"expires": "2999-01-01"}, 0),
        ({"expires": "2020-01-01"}, 1),
        ({"schema": None, "rule": None, "fingerprint": "0000000000000000"}, 1),
    ],
)
def test_a_waiver_lets_pass_what_it_names(
    based: Callable[..., GitRepository], report: Report, more: dict[str, object], code: int
) -> None:
    assert report(based(waiver(**more)).write(TASK, NARROW).root, "check")[0] == code


def test_a_waiver_may_let_an_unknown_pass(based: Callable[..., GitRepository], report: Report) -> None:
    repository = based().write(TASK, UNPROVED)
    code, told = report(repository.root, "check")
    unknown = [finding for finding in findings(told) if finding["level"] == "unknown"]
    assert (code, bool(unknown)) == (1, True)
    repository.write(TASK, OLD).checkout("main")
    for finding in unknown:
        more = {"schema": None, "rule": None, "fingerprint": finding["fingerprint"]}
        repository.write("compat.toml", waiver(**more))
    repository.commit("Waive").branch("again").write(TASK, UNPROVED)
    code, told = report(repository.root, "check")
    assert (code, told["schemas"][0]["backward"]) == (0, "unknown")
    # Another change that is not proved either is not what was waived.
    repository.write(TASK, task("a", "b", allOf=[{"$ref": "https://example.org/farther"}]))
    assert report(repository.root, "check")[0] == 1


def moved(repository: GitRepository, new: Schema) -> None:
    repository.rename(TASK, "contracts/schemas/task.schema.json").write("contracts/schemas/task.schema.json", new)


def reordered(repository: GitRepository, new: Schema) -> None:
    repository.write(TASK, json.dumps(dict(reversed(new.items())), indent=8) + "\n\n")


def referred(repository: GitRepository, new: Schema) -> None:
    kind = new["properties"]["kind"]
    properties = {**new["properties"], "kind": {"$ref": "#/$defs/kind"}}
    repository.write(TASK, {**new, "properties": properties, "$defs": {"kind": kind}})


@pytest.mark.parametrize("how", [moved, reordered, referred])
def test_a_fingerprint_survives_moves(
    based: Callable[..., GitRepository], report: Report, how: Callable[[GitRepository, Schema], None]
) -> None:
    repository = based().write(TASK, NARROW)
    (finding,) = findings(report(repository.root, "check")[1])
    repository.write(TASK, OLD)
    how(repository, NARROW)
    marks = {f["fingerprint"] for f in findings(report(repository.root, "check")[1])}
    assert finding["fingerprint"] in marks
    repository.write(TASK, OLD)
    how(repository, task("b"))
    assert finding["fingerprint"] not in {f["fingerprint"] for f in findings(report(repository.root, "check")[1])}


def test_an_unused_waiver_is_told_where_its_schema_was_compared(
    based: Callable[..., GitRepository], report: Report
) -> None:
    repository = based(waiver(value="z"), {TASK: OLD, "schemas/lane.schema.json": {"type": "object"}})
    repository.write("schemas/lane.schema.json", {"type": ["object", "null"]})
    assert [f["rule"] for f in report(repository.root, "check")[1]["findings"]] == []
    repository.write(TASK, WIDE)
    assert [f["rule"] for f in report(repository.root, "check")[1]["findings"]] == ["waiver-unused"]


# Nobody chooses their own judge

STRICT = '[schemas.task]\nfiles = "schemas/task.schema.json"\ncompatibility = "full"\n'
LOOSE = '[schemas.loose]\nfiles = "schemas/loose.schema.json"\ncompatibility = "none"\n'


def drops_the_configuration(repository: GitRepository) -> None:
    repository.remove("compat.toml").write(TASK, WIDE)


def renames_the_table(repository: GitRepository) -> None:
    repository.write("compat.toml", STRICT.replace("[schemas.task]", "[schemas.job]") + LOOSE).write(TASK, WIDE)


def moves_the_file_to_a_looser_table(repository: GitRepository) -> None:
    repository.write("compat.toml", LOOSE.replace("loose.schema.json", "*.schema.json")).write(TASK, WIDE)


def renames_the_file(repository: GitRepository) -> None:
    repository.write("compat.toml", LOOSE).rename(TASK, "schemas/job.schema.json")
    repository.write("schemas/job.schema.json", WIDE)


def takes_the_name_of_a_looser_lineage(repository: GitRepository) -> None:
    repository.write("compat.toml", LOOSE).remove("schemas/loose.schema.json")
    repository.rename(TASK, "schemas/loose.schema.json").write("schemas/loose.schema.json", WIDE)


def brings_a_nearer_configuration(repository: GitRepository) -> None:
    repository.write("schemas/compat.toml", 'compatibility = "none"\n').write(TASK, WIDE)


def excludes_it(repository: GitRepository) -> None:
    repository.write("compat.toml", f'exclude = ["schemas/task*"]\n{LOOSE}').write(TASK, WIDE)


@pytest.mark.parametrize(
    "how",
    [
        drops_the_configuration,
        renames_the_table,
        moves_the_file_to_a_looser_table,
        renames_the_file,
        takes_the_name_of_a_looser_lineage,
        brings_a_nearer_configuration,
        excludes_it,
    ],
)
@pytest.mark.parametrize("folder", ["", "schemas"])
def test_a_change_cannot_loosen_its_own_check(
    based: Callable[..., GitRepository], run: Run, how: Callable[[GitRepository], None], folder: str
) -> None:
    repository = based(STRICT + LOOSE, {TASK: OLD, "schemas/loose.schema.json": {"type": "object"}})
    how(repository)
    assert run(repository.root / folder, "check").exit_code in (1, 2), how.__name__


def test_the_same_change_passes_under_the_looser_policy(based: Callable[..., GitRepository], run: Run) -> None:
    repository = based(STRICT, {TASK: OLD}).write(TASK, WIDE)
    assert run(repository.root, "check").exit_code == 1
    repository.write("compat.toml", STRICT.replace("full", "backward"))
    assert run(repository.root, "check").exit_code == 1
    assert run(repository.root, "check", "--config-from", "head").exit_code == 0


def test_formats_are_those_of_the_base(based: Callable[..., GitRepository], report: Report) -> None:
    def dated(fmt: str) -> Schema:
        return task("a", "b", properties={"at": {"type": "string", "format": fmt}})

    repository = based('formats = "assertion"', {TASK: dated("date")})
    repository.write(TASK, dated("time")).write("compat.toml", "")
    code, told = report(repository.root, "check")
    assert code == 1
    assert "formats: assertion becomes annotation." in [finding["message"] for finding in told["findings"]]

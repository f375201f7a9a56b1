"""`compat check` on real repositories: what is compared with what, the level, the exit code, and the words."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import GitRepository
from click.testing import Result

from compat.errors import ExitCode

Run = Callable[..., Result]
Report = Callable[..., tuple[int, dict[str, Any]]]

TASK = "schemas/task.schema.json"
BASE: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Task",
    "type": "object",
    "properties": {
        "kind": {"enum": ["person", "harness"]},
        "size": {"type": "integer", "maximum": 10},
    },
}


def changed(**properties: Any) -> dict[str, Any]:
    return {**BASE, "properties": {**BASE["properties"], **properties}}


NARROWED = changed(kind={"enum": ["person"]})
WIDENED = changed(kind={"enum": ["person", "harness", "agent"]})
UNDECLARED = changed(region={"type": "string"})
RETITLED = {**BASE, "title": "A task"}


@pytest.fixture
def branch(repository: GitRepository) -> GitRepository:
    """A repository with one schema on main, standing on a branch of its own."""
    return repository.write(TASK, BASE).commit("Add task").branch("change")


# What it comes to


@pytest.mark.parametrize(
    ("new", "options", "code", "conclusion", "rules"),
    [
        (BASE, (), 0, "nothing-compared", []),
        (json.dumps(BASE), (), 0, "no-difference", []),
        (RETITLED, (), 0, "no-effect", ["title-changed"]),
        (NARROWED, (), 1, "breaking", ["enum-value-removed"]),
        (NARROWED, ("--fail-on", "never"), 0, "breaking", ["enum-value-removed"]),
        (WIDENED, (), 0, "risky", ["enum-value-added"]),
        (WIDENED, ("--fail-on", "risky"), 1, "risky", ["enum-value-added"]),
        (UNDECLARED, (), 0, "risky", ["property-added"]),
        (changed(size={"type": "integer", "$ref": "https://example.org/far"}), (), 1, "unknown", None),
        (
            changed(size={"type": "integer", "$ref": "https://example.org/far"}),
            ("--fail-on", "unknown"),
            1,
            "unknown",
            None,
        ),
        ("{", (), 3, "error", []),
        ('{"type": "strin"}', (), 3, "error", []),
        (None, (), 1, "breaking", ["schema-deleted"]),
    ],
)
def test_one_schema(
    branch: GitRepository,
    report: Report,
    new: object,
    options: tuple[str, ...],
    code: int,
    conclusion: str,
    rules: list[str] | None,
) -> None:
    if new is None:
        branch.remove(TASK)
    else:
        branch.write(TASK, new)
    exit_code, told = report(branch.root, "check", *options)
    assert (exit_code, told["conclusion"]) == (code, conclusion)
    assert (told["base"], told["head"]) == ("main", "working tree")
    found = [finding["rule"] for schema in told["schemas"] for finding in schema["findings"]]
    if rules is not None:
        assert found == rules


def test_the_three_texts_for_nothing_are_three(branch: GitRepository, run: Run) -> None:
    last = []
    for content in (BASE, json.dumps(BASE), RETITLED):
        branch.write(TASK, content)
        last.append(run(branch.root, "check").stdout.splitlines()[-1].partition("   ")[0])
    assert last == [
        "Nothing was compared: none of 1 schema differs between main and working tree.",
        "1 schema compared: no difference.",
        "1 schema compared: it differs, without effect on any instance.",
    ]


def test_a_new_schema_has_no_baseline(branch: GitRepository, run: Run, report: Report) -> None:
    branch.write("schemas/lane.schema.json", BASE)
    result = run(branch.root, "check")
    assert result.exit_code == 0
    assert "Nothing was compared: new, no baseline: schemas/lane.schema.json." in result.stdout
    _, told = report(branch.root, "check")
    assert [(schema["name"], schema["outcome"]) for schema in told["schemas"]] == [("schemas/lane.schema.json", "new")]


def test_a_new_schema_that_is_none_is_an_error(branch: GitRepository, report: Report) -> None:
    branch.write("schemas/lane.schema.json", {"type": 7})
    code, told = report(branch.root, "check")
    assert code == 3
    (problem,) = told["problems"]
    assert problem["place"]["source"] == "schemas/lane.schema.json"


def test_a_renamed_schema_is_compared_with_its_old_path(branch: GitRepository, report: Report) -> None:
    branch.rename(TASK, "schemas/job.schema.json").write("schemas/job.schema.json", NARROWED)
    code, told = report(branch.root, "check")
    assert code == 1
    (schema,) = told["schemas"]
    assert (schema["name"], schema["old_name"]) == ("schemas/job.schema.json", TASK)
    (finding,) = schema["findings"]
    assert (finding["rule"], finding["old"]["source"]) == ("enum-value-removed", f"main:{TASK}")


def test_what_cannot_be_read_does_not_hide_the_rest(branch: GitRepository, run: Run) -> None:
    branch.write("schemas/lane.schema.json", BASE).commit("Add lane")
    branch.git("branch", "--force", "main")
    branch.write("schemas/lane.schema.json", '{"type": "object",\n  oops}').write(TASK, NARROWED)
    result = run(branch.root, "check")
    assert result.exit_code == ExitCode.UNCHECKED
    assert "enum-value-removed" in result.stdout
    assert "error: schemas/lane.schema.json:2:3" in result.stdout
    assert "1 schema compared: 1 breaking; 1 thing could not be checked, see the errors." in result.stdout


@pytest.mark.parametrize(
    ("old", "said"), [({"type": "strin"}, "the old version is no schema"), ("{", "the old version cannot be read")]
)
def test_an_old_version_that_was_no_schema_is_no_baseline(
    repository: GitRepository, report: Report, run: Run, old: object, said: str
) -> None:
    repository.write(TASK, old).commit("Broken").branch("change").write(TASK, BASE)
    code, told = report(repository.root, "check")
    assert (code, told["conclusion"]) == (0, "nothing-compared")
    (schema,) = told["schemas"]
    assert schema["outcome"] == "no-baseline"
    assert said in schema["notes"][0]
    text = run(repository.root, "check").stdout
    assert said in text
    assert text.splitlines()[-1].startswith(f"Nothing was compared: no readable baseline: {TASK}.")


# Both sides of every change


@pytest.mark.parametrize(
    ("old", "new", "rule", "before", "after"),
    [
        ('{\n "maximum": 9\n}', '{\n "title": "x",\n "maximum": 8\n}', "maximum-lowered", (2, 2), (3, 2)),
        ('{\n "enum": [\n  1,\n  2\n ]\n}', '{\n "enum": [\n  1\n ]\n}', "enum-value-removed", (4, 3), (2, 2)),
        ('{"type": "string"}', '{"type": "string",\n  "maxLength": 3}', "max-length-added", (1, 1), (2, 3)),
        (
            '{"properties": {\n  "a": {"type": "string"}}}',
            '{"properties": {\n\n   "a": {"type": "null"}}}',
            "type-changed",
            (2, 9),
            (3, 10),
        ),
    ],
)
def test_every_change_is_located_on_both_sides(
    repository: GitRepository,
    report: Report,
    run: Run,
    old: str,
    new: str,
    rule: str,
    before: tuple[int, int],
    after: tuple[int, int],
) -> None:
    repository.write(TASK, old).commit("Old").branch("change").write(TASK, new)
    _, told = report(repository.root, "check")
    finding = next(found for found in told["schemas"][0]["findings"] if found["rule"] == rule)
    assert (finding["old"]["source"], finding["new"]["source"]) == (f"main:{TASK}", TASK)
    assert (finding["old"]["line"], finding["old"]["column"]) == before
    assert (finding["new"]["line"], finding["new"]["column"]) == after
    text = run(repository.root, "check").stdout
    assert f"{before[0]}:{before[1]} → task.schema.json:{after[0]}:{after[1]}" in text


# References


def test_a_shared_file_is_told_once_with_the_schemas_it_reaches(
    repository: GitRepository, report: Report, run: Run
) -> None:
    user = {"type": "object", "properties": {"kind": {"$ref": "common.json#/$defs/kind"}}}
    for name in ("a", "b"):
        repository.write(f"schemas/{name}.schema.json", {**user, "title": name})
    repository.write("schemas/common.json", {"$defs": {"kind": {"enum": [1, 2]}}}).commit("Old").branch("change")
    repository.write("schemas/common.json", {"$defs": {"kind": {"enum": [1]}}})
    code, told = report(repository.root, "check")
    assert code == 1
    schemas = {schema["name"]: schema for schema in told["schemas"]}
    assert set(schemas) == {"schemas/a.schema.json", "schemas/b.schema.json", "schemas/common.json"}
    (finding,) = schemas["schemas/common.json"]["findings"]
    assert (finding["rule"], finding["level"]) == ("enum-value-removed", "breaking")
    assert [(affected["schema"], affected["instance_path"]) for affected in finding["affects"]] == [
        ("schemas/a.schema.json", "/kind"),
        ("schemas/b.schema.json", "/kind"),
    ]
    for name in ("a", "b"):
        schema = schemas[f"schemas/{name}.schema.json"]
        assert (schema["backward"], schema["findings"]) == ("breaking", [])
        assert schema["through"] == ["schemas/common.json"]
    assert run(repository.root, "check").stdout.count("enum-value-removed") == 1


def test_references_are_read_at_the_same_revision(repository: GitRepository, report: Report) -> None:
    repository.write("schemas/a.schema.json", {"$ref": "kind.json"}).write("schemas/kind.json", {"enum": [1, 2]})
    repository.commit("Old").branch("change").write("schemas/kind.json", {"enum": [1, 2, 3]}).commit("New")
    code, told = report(repository.root, "check", "--head", "HEAD", "--fail-on", "risky")
    assert (code, told["conclusion"]) == (1, "risky")
    assert told["head"] == "HEAD"


# Which moments


def test_staged_and_not_what_lies_about(branch: GitRepository, report: Report) -> None:
    branch.write(TASK, NARROWED).stage().write(TASK, BASE)
    code, told = report(branch.root, "check", "--staged")
    assert (code, told["head"]) == (1, "staged")
    assert report(branch.root, "check")[0] == 0


def test_changes_on_main_since_the_branch_are_not_blamed_on_it(branch: GitRepository, report: Report) -> None:
    branch.write(TASK, RETITLED).commit("Title").checkout("main").write(TASK, NARROWED).commit("Narrow")
    branch.checkout("change")
    code, told = report(branch.root, "check")
    assert (code, told["conclusion"]) == (0, "no-effect")


def test_a_base_and_a_head(branch: GitRepository, report: Report) -> None:
    branch.write(TASK, WIDENED).commit("Widen").write(TASK, NARROWED).commit("Narrow").write(TASK, BASE)
    code, told = report(branch.root, "check", "--base", "HEAD~1", "--head", "HEAD")
    assert code == 1
    assert told["base"] == "HEAD~1"
    assert len(told["schemas"][0]["findings"]) == 2


def test_against_a_folder_without_git(tmp_path: Path, report: Report) -> None:
    for folder, content in (("old", BASE), ("new", NARROWED)):
        path = tmp_path / folder / "task.schema.json"
        path.parent.mkdir()
        path.write_text(json.dumps(content))
    code, told = report(tmp_path / "new", "check", "--against", "../old")
    assert (code, told["conclusion"]) == (1, "breaking")
    code, told = report(tmp_path / "new", "check", "task.schema.json", "--against", "../old/task.schema.json")
    assert (code, told["conclusion"]) == (1, "breaking")


def test_paths_narrow_the_check(branch: GitRepository, report: Report) -> None:
    branch.write("other/lane.schema.json", BASE).commit("Lane")
    branch.git("branch", "--force", "main")
    branch.write("other/lane.schema.json", NARROWED).write(TASK, NARROWED)
    assert len(report(branch.root, "check")[1]["schemas"]) == 2
    for args in (("other",), ("other/lane.schema.json",), ("other/*.schema.json",)):
        _, told = report(branch.root, "check", *args)
        assert [schema["name"] for schema in told["schemas"]] == ["other/lane.schema.json"]
    _, told = report(branch.root / "other", "check", "lane.schema.json")
    assert [schema["name"] for schema in told["schemas"]] == ["other/lane.schema.json"]


# What stands in the way


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("--base", "nowhere"), 3, ("nowhere", "no such revision")),
        (("--base", ""), 2, ("--base is empty",)),
        (("--head", ""), 2, ("--head is empty",)),
        (("--head", "main", "--staged"), 2, ("Leave one of them out",)),
        (("--against", "x", "--base", "main"), 2, ("without git",)),
        (("--against", "nowhere"), 3, ("nowhere: there is no such folder or file", "compat check PATH --against FILE")),
        (
            ("missing.schema.json",),
            3,
            ("missing.schema.json", "neither in the old version nor in the new one", "not ignore"),
        ),
        (("--config", "missing.toml"), 2, ("missing.toml", "no such configuration")),
        (("--fail-on", "everything"), 2, ("'everything' is not one of",)),
    ],
)
def test_errors_say_where_and_what_to_do(
    branch: GitRepository, run: Run, args: tuple[str, ...], code: int, said: tuple[str, ...]
) -> None:
    result = run(branch.root, "check", *args)
    assert result.exit_code == code
    everything = result.stdout + result.stderr
    assert all(words in everything for words in said), everything
    assert "Traceback" not in everything


def test_no_schema_at_all_is_no_success(repository: GitRepository, run: Run) -> None:
    repository.write("README.md", "x").commit("Start").branch("change")
    result = run(repository.root, "check")
    assert result.exit_code == ExitCode.UNCHECKED
    assert "no schema was found" in result.stdout


def test_outside_a_repository(tmp_path: Path, run: Run) -> None:
    (tmp_path / "a.schema.json").write_text("{}")
    result = run(tmp_path, "check")
    assert result.exit_code == ExitCode.UNCHECKED
    assert "--against" in result.stdout


def test_an_event_without_a_new_state_is_skipped(
    branch: GitRepository, report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = tmp_path / "event.json"
    event.write_text(json.dumps({"deleted": True, "after": "0" * 40}))
    for name, value in {"ACTIONS": "true", "EVENT_NAME": "push", "EVENT_PATH": str(event)}.items():
        monkeypatch.setenv(f"GITHUB_{name}", value)
    code, told = report(branch.root, "check")
    assert (code, told["conclusion"]) == (0, "nothing-compared")
    assert "the push deleted its branch" in told["notes"][0]


# What asserts nothing


TYPO = "mininum is no keyword and asserts nothing; is minimum meant?"


def test_a_mistyped_keyword_is_a_note_where_the_change_brings_it_in(branch: GitRepository, report: Report) -> None:
    old = changed(size={"type": "integer", "maximun": 10}, item={"additionalItems": False})
    branch.checkout("main").write(TASK, old).commit("Typo").branch("typo")
    new = changed(size={"type": "integer", "maximun": 10, "mininum": 1}, item={"additionalItems": False})
    branch.write(TASK, new)
    code, told = report(branch.root, "check")
    assert (code, told["schemas"][0]["notes"]) == (0, [f"{TASK}:15:7: {TYPO}"])
    branch.write(TASK, changed(size={"type": "integer", "maximun": 9}, item={"additionalItems": True, "minimum": 1}))
    assert report(branch.root, "check")[1]["schemas"][0]["notes"] == [
        "no records are stored, so none could say whether data does this",
        f"{TASK}:14:7: maximun is no keyword and asserts nothing; is maximum meant?",
        f"{TASK}:17:7: additionalItems is a keyword of draft-04 to 2019-09; 2020-12 ignores it",
    ]


def test_a_new_schema_is_looked_through_whole_and_the_notes_stay_few(
    branch: GitRepository, report: Report, run: Run
) -> None:
    branch.write(
        "schemas/lane.schema.json", {"properties": {f"p{n}": {"mininum": n, "x-mininum": 1} for n in range(9)}}
    )
    (told,) = report(branch.root, "check")[1]["schemas"]
    assert told["outcome"] == "new"
    assert told["notes"][0] == f"schemas/lane.schema.json:4:7: {TYPO}"
    assert told["notes"][5:] == ["4 more names like that"]
    assert f"schemas/lane.schema.json:4:7: {TYPO}" in run(branch.root, "check").stdout


def test_a_typo_in_a_shared_file_is_told_once(branch: GitRepository, report: Report) -> None:
    for name in ("one", "two"):
        branch.write(f"schemas/{name}.schema.json", {"$ref": "../parts/common.json"})
    branch.write("parts/common.json", {"type": "integer"}).commit("Share")
    branch.write("parts/common.json", {"type": "integer", "mininum": 1})
    told = report(branch.root, "check", "--base", "HEAD")[1]
    assert [note for schema in told["schemas"] for note in schema["notes"]] == [f"parts/common.json:3:3: {TYPO}"]


# Policy


def test_policy_comes_from_the_merge_base(branch: GitRepository, report: Report, run: Run) -> None:
    branch.write(TASK, NARROWED).write("compat.toml", 'compatibility = "none"\n')
    code, told = report(branch.root, "check")
    assert code == 1
    (loosened,) = told["findings"]
    assert (loosened["rule"], loosened["level"]) == ("policy-loosened", "risky")
    assert told["schemas"][0]["mode"] == "backward"
    code, told = report(branch.root, "check", "--config-from", "head")
    assert (code, told["schemas"][0]["mode"], told["findings"]) == (0, "none", [])
    assert "policy-loosened" in run(branch.root, "check").stdout


WAIVER = """
[[waivers]]
schema = "task"
rule = "enum-value-removed"
at = "kind"
value = "harness"
reason = "harness never shipped"
owner = "platform"
expires = {}
"""


def test_a_deleted_schema_is_not_counted_as_compared(branch: GitRepository, run: Run) -> None:
    lane = "schemas/lane.schema.json"
    branch.write(lane, {"type": "array", "maxItems": 3}).commit("Add lane")
    branch.git("branch", "--force", "main")
    branch.remove(lane)
    assert "\n1 schema deleted: 1 breaking." in run(branch.root, "check").stdout
    branch.write(TASK, NARROWED)
    assert "\n1 schema compared, 1 deleted: 2 breaking." in run(branch.root, "check").stdout


@pytest.mark.parametrize("way", ["working tree", "staged", "head", "against"])
def test_a_deleted_schema_is_a_finding_even_where_its_table_stays(
    branch: GitRepository, report: Report, tmp_path: Path, way: str
) -> None:
    branch.checkout("main").write("compat.toml", '[schemas.task]\nfiles = "schemas/task.*"\n').commit("Configure")
    options = {"staged": ("--staged",), "head": ("--head", "drop"), "against": ("--against", "../before")}.get(way, ())
    branch.clone(tmp_path / "before")
    branch.branch("drop").remove(TASK)
    if way in ("staged", "head"):
        branch.stage()
    if way == "head":
        branch.commit("Drop").checkout("main")
    code, told = report(branch.root, "check", *options)
    assert (code, told["conclusion"]) == (1, "breaking")
    assert [finding["rule"] for schema in told["schemas"] for finding in schema["findings"]] == ["schema-deleted"]
    assert told["notes"] == ["no file matches schemas/task.* any more; remove [schemas.task] with the schema"]


def test_a_pattern_that_never_matched_is_an_error(branch: GitRepository, run: Run) -> None:
    branch.write("compat.toml", '[schemas.lane]\nfiles = "lanes/*.json"\n')
    result = run(branch.root, "check")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "compat.toml#/schemas/lane/files: no file matches lanes/*.json" in result.stderr
    # Once a deletion is merged its table matches on neither side.
    branch.write("compat.toml", '[schemas.task]\nfiles = "schemas/task.*"\n').remove(TASK).commit("Drop")
    result = run(branch.root, "check", "--base", "HEAD")
    assert (result.exit_code, result.stdout) == (2, "")


def test_a_waiver_counts_once_it_is_merged(branch: GitRepository, report: Report, run: Run) -> None:
    branch.write("compat.toml", WAIVER.format("2999-01-01")).write(TASK, NARROWED)
    code, told = report(branch.root, "check")
    assert (code, [finding["rule"] for finding in told["findings"]]) == (1, ["waiver-added"])
    branch.write(TASK, BASE).commit("Waive").checkout("main").merge("change").branch("later").write(TASK, NARROWED)
    code, told = report(branch.root, "check")
    assert (code, told["counts"]["findings"]["waived"]) == (0, 1)
    assert "waived by platform until 2999-01-01: harness never shipped" in run(branch.root, "check").stdout


def test_a_waiver_for_no_lineage_here_is_told(repository: GitRepository, run: Run, report: Report) -> None:
    waiver = WAIVER.format("2999-01-01").replace('schema = "task"', 'schema = "tsak"')
    repository.write("compat.toml", waiver).write(TASK, BASE).commit("Start").branch("change").write(TASK, NARROWED)
    code, told = report(repository.root, "check")
    assert (code, [finding["rule"] for finding in told["findings"]]) == (1, ["waiver-unused"])
    text = run(repository.root, "check").stdout
    assert "names no lineage that is here" in text
    assert "Did you mean 'task'?" in text


def test_an_expired_waiver_silences_nothing(repository: GitRepository, report: Report) -> None:
    repository.write("compat.toml", WAIVER.format("2020-01-01")).write(TASK, BASE).commit("Start").branch("change")
    repository.write(TASK, NARROWED)
    code, told = report(repository.root, "check")
    assert (code, [finding["rule"] for finding in told["findings"]]) == (1, ["waiver-expired"])


@pytest.mark.parametrize(
    ("mode", "new", "code"),
    [
        ("backward", WIDENED, 0),
        ("forward", WIDENED, 1),
        ("forward", NARROWED, 0),
        ("full", WIDENED, 1),
        ("FULL_TRANSITIVE", NARROWED, 1),
        ("none", NARROWED, 0),
    ],
)
def test_the_mode_decides(repository: GitRepository, report: Report, mode: str, new: object, code: int) -> None:
    repository.write("compat.toml", f'compatibility = "{mode}"').write(TASK, BASE).commit("Start").branch("change")
    repository.write(TASK, new)
    assert report(repository.root, "check")[0] == code


def test_what_may_pass_unproved_fails_when_asked_for(repository: GitRepository, report: Report) -> None:
    repository.write("compat.toml", 'unknown = "warn"').write(TASK, BASE).commit("Start").branch("change")
    repository.write(TASK, changed(size={"type": "integer", "$ref": "https://example.org/far"}))
    code, told = report(repository.root, "check")
    assert (code, told["conclusion"]) == (0, "risky")
    assert report(repository.root, "check", "--fail-on", "unknown")[0] == 1


def test_a_transitive_mode_looks_at_all_earlier_versions(repository: GitRepository, report: Report, run: Run) -> None:
    repository.write("compat.toml", 'compatibility = "backward-transitive"')
    for values in (["a", "b"], ["b", "c"], ["c", "d"]):
        repository.write(TASK, {"enum": values}).commit(f"Allow {values}")
    repository.branch("change").write(TASK, {"enum": ["c", "d", "e"]})
    code, told = report(repository.root, "check")
    assert code == 1
    (schema,) = told["schemas"]
    assert schema["against"][0] == "main"
    assert len(schema["against"]) == 3
    broken = {
        finding["change"]["old"]["value"]: len(finding["against"])
        for finding in schema["findings"]
        if finding["level"] == "breaking"
    }
    assert broken == {"a": 1, "b": 2}
    assert len(set(schema["against"])) == 3
    assert "main" not in {label for finding in schema["findings"] for label in finding["against"]}
    assert "judged against main, " in run(repository.root, "check").stdout


def test_a_version_tag_is_told_and_left_out_of_the_verdict(repository: GitRepository, report: Report, run: Run) -> None:
    def version(number: int) -> dict[str, Any]:
        return {**BASE, "required": ["v"], "properties": {**BASE["properties"], "v": {"const": number}}}

    repository.write(TASK, version(1)).commit("One").branch("change").write(TASK, version(2))
    code, told = report(repository.root, "check")
    assert code == 0
    assert told["schemas"][0]["marker"] == "version tag 1 → 2: route by version"
    assert "version tag 1 → 2: route by version" in run(repository.root, "check").stdout
    assert report(repository.root, "check", "--as-written")[0] == 1


def test_versions_side_by_side_are_compared_with_the_one_before(repository: GitRepository, report: Report) -> None:
    repository.write("schemas/task/v1/task.schema.json", BASE).commit("One").branch("change")
    repository.write("schemas/task/v2/task.schema.json", NARROWED)
    code, told = report(repository.root, "check")
    (schema,) = told["schemas"]
    assert (schema["name"], schema["old_name"]) == (
        "schemas/task/v2/task.schema.json",
        "schemas/task/v1/task.schema.json",
    )
    # The break is told, and the number of the new file announces it.
    assert (code, schema["backward"], told["counts"]["findings"]["waived"]) == (0, "breaking", 1)


# Records


def test_findings_carry_what_the_stored_records_do(branch: GitRepository, report: Report, run: Run) -> None:
    kinds = ["person", "harness", "person", "harness", "person"]
    lines = "".join(json.dumps({"kind": kind}) + "\n" for kind in kinds)
    branch.write("history/task/records/1.ndjson", lines).write(TASK, NARROWED)
    _, told = report(branch.root, "check")
    (finding,) = told["schemas"][0]["findings"]
    assert finding["evidence"] == {
        "records": 5,
        "failing": 2,
        "reaching": None,
        "first": "history/task/records/1.ndjson:2",
    }
    text = run(branch.root, "check").stdout
    assert "records: 2 of 5 stored records do this; first history/task/records/1.ndjson:2" in text
    assert report(branch.root, "check", "--no-records")[1]["schemas"][0]["findings"][0]["evidence"] is None
    branch.commit("Keep records").write("history/task/records/1.ndjson", "")
    assert report(branch.root, "check", "--head", "HEAD")[1]["schemas"][0]["records"] == 5


def test_a_stored_record_that_does_it_outweighs_that_it_is_undeclared(branch: GitRepository, report: Report) -> None:
    branch.write("history/task/records/1.ndjson", '{"region": "eu"}\n{}\n').write(TASK, UNDECLARED)
    code, told = report(branch.root, "check")
    (finding,) = told["schemas"][0]["findings"]
    assert (code, finding["level"], finding["undeclared"]) == (0, "risky", True)
    assert finding["evidence"]["failing"] == 0
    branch.write("history/task/records/1.ndjson", '{"region": "eu"}\n{"region": 7}\n')
    code, told = report(branch.root, "check")
    (finding,) = told["schemas"][0]["findings"]
    assert (code, finding["level"], finding["undeclared"]) == (1, "breaking", False)
    assert finding["evidence"] == {
        "records": 2,
        "failing": 1,
        "reaching": None,
        "first": "history/task/records/1.ndjson:2",
    }


# Output


def test_the_report_goes_to_a_file(branch: GitRepository, run: Run) -> None:
    branch.write(TASK, NARROWED)
    result = run(branch.root, "check", "-f", "json", "-o", "report.json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert json.loads((branch.root / "report.json").read_text())["conclusion"] == "breaking"


@pytest.mark.parametrize(
    ("format_", "start"),
    [
        ("text", "schemas/task"),
        ("json", "{"),
        ("markdown", "### ❌ 1 schema compared"),
        ("github", "::error file=schemas"),
    ],
)
def test_every_format_tells_the_same(branch: GitRepository, run: Run, format_: str, start: str) -> None:
    branch.write(TASK, NARROWED)
    result = run(branch.root, "check", "--format", format_)
    assert result.exit_code == 1
    assert result.stdout.startswith(start)
    assert "enum-value-removed" in result.stdout


def test_diagnostics_go_to_standard_error_and_quiet_silences_them(branch: GitRepository, run: Run) -> None:
    assert run(branch.root, "check").stderr == "comparing with main (the branch main)\n"
    assert run(branch.root, "check", "-q").stderr == ""


def test_text_from_a_schema_cannot_steer_the_terminal(branch: GitRepository, run: Run) -> None:
    evil = changed(**{"a\x1b[2Jb\u202e": {"enum": ["x\x9b31m"]}})
    branch.write(TASK, evil).commit("Evil")
    branch.git("branch", "--force", "main")
    branch.write(TASK, changed(**{"a\x1b[2Jb\u202e": {"enum": ["y"]}}))
    for args in ((), ("-v",)):
        text = run(branch.root, "check", *args).stdout
        assert "enum-value-removed" in text
        assert not [char for char in text if char in "\x1b\x9b\u202e"]


def test_reports_do_not_depend_on_hash_order(branch: GitRepository) -> None:
    branch.write(TASK, changed(kind={"enum": ["x", "y"]}, size={"type": "number"}, more={"type": "string"}))
    seen = set()
    for seed in ("0", "1", "2"):
        done = subprocess.run(
            [sys.executable, "-m", "compat", "check", "-f", "json"],
            cwd=branch.root,
            env={**branch._environment, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=False,
        )
        assert done.returncode == 1
        seen.add(done.stdout)
    assert len(seen) == 1

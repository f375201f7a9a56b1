"""`compat diff`: every way to name a version, places inside larger documents, and errors that say what is near."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import GitRepository
from click.testing import Result

from compat.cli.named import Name, parse_name, split_pointer

Run = Callable[..., Result]
Report = Callable[..., tuple[int, dict[str, Any]]]

OPENAPI = """\
openapi: 3.1.0
components:
  schemas:
    Tag:
      type: string
      maxLength: {limit}
    Pet:
      type: object
      properties:
        tag:
          $ref: '#/components/schemas/Tag'
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.json", ("a.json", "")),
        ("a.json#", ("a.json", "")),
        ("a.json#/x/y", ("a.json", "/x/y")),
        ("a.json#/x%20y/~1z", ("a.json", "/x y/~1z")),
        ("a#b.json", ("a#b.json", "")),
        ("a#b.json#/x", ("a#b.json", "/x")),
    ],
)
def test_a_pointer_is_split_off(text: str, expected: tuple[str, str]) -> None:
    assert split_pointer(text) == expected


@pytest.mark.parametrize(
    ("text", "exists", "expected"),
    [
        ("main:a.json", False, ("a.json", "main", "")),
        ("main:a.json", True, ("main:a.json", None, "")),
        ("HEAD~2:dir/a.json#/x", False, ("dir/a.json", "HEAD~2", "/x")),
        ("c:/a.json", False, ("c:/a.json", None, "")),
        ("main:", False, ("main:", None, "")),
        ("a.json", True, ("a.json", None, "")),
        ("-", False, ("-", None, "")),
    ],
)
def test_a_name_is_taken_apart(text: str, exists: bool, expected: tuple[str, str | None, str]) -> None:
    name = parse_name(text, exists)
    assert name == Name(text, *expected)


@pytest.fixture
def history(repository: GitRepository) -> GitRepository:
    """One file at two commits: `one` allows 1 and 2, `two` only 1."""
    repository.write("schemas/a.json", {"enum": [1, 2]}).commit("One").tag("one")
    return repository.write("schemas/a.json", {"enum": [1]}).commit("Two").tag("two")


@pytest.mark.parametrize(
    "args",
    [
        ("one:schemas/a.json", "two:schemas/a.json"),
        ("one:schemas/a.json", "schemas/a.json"),
        ("one", "two", "--path", "schemas/a.json"),
        ("one", "schemas/a.json", "--path", "schemas/a.json"),
    ],
)
def test_ways_to_name_a_version(history: GitRepository, report: Report, args: tuple[str, ...]) -> None:
    code, told = report(history.root, "diff", *args)
    assert (code, told["conclusion"]) == (1, "breaking")
    (finding,) = told["schemas"][0]["findings"]
    assert (finding["rule"], finding["witnesses"][0]["value"]) == ("enum-value-removed", 2)
    assert finding["old"]["source"] == "one:schemas/a.json"
    assert (finding["old"]["line"], finding["old"]["column"]) == (4, 5)


def test_a_path_may_be_written_from_the_folder_one_stands_in(history: GitRepository, report: Report) -> None:
    assert report(history.root / "schemas", "diff", "one:a.json", "a.json")[0] == 1


def test_standard_input(history: GitRepository, report: Report) -> None:
    assert report(history.root, "diff", "-", "schemas/a.json", input='{"enum": [1, 2, 3]}')[0] == 1
    assert report(history.root, "diff", "schemas/a.json", "-", input="enum: [1]\n")[0] == 0


def test_a_place_inside_a_larger_document_keeps_its_references(tmp_path: Path, report: Report) -> None:
    (tmp_path / "old.yaml").write_text(OPENAPI.format(limit=9))
    (tmp_path / "new.yaml").write_text(OPENAPI.format(limit=5))
    code, told = report(tmp_path, "diff", "old.yaml#/components/schemas/Pet", "new.yaml#/components/schemas/Pet")
    assert code == 1
    (finding,) = told["schemas"][0]["findings"]
    assert (finding["rule"], finding["instance_path"]) == ("max-length-lowered", "/tag")
    assert (finding["new"]["source"], finding["new"]["line"], finding["new"]["column"]) == ("new.yaml", 6, 7)


@pytest.mark.parametrize(("version", "code"), [("3.0.3", 1), ("3.1.0", 0)])
def test_nullable_is_heard_where_openapi_knows_it(tmp_path: Path, report: Report, version: str, code: int) -> None:
    api = f"openapi: {version}\ncomponents: {{schemas: {{Pet: {{$ref: 'pet.yaml'}}}}}}\n"
    for folder, nullable in (("old", "true"), ("new", "false")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "api.yaml").write_text(api)
        (tmp_path / folder / "pet.yaml").write_text(f"properties: {{name: {{type: string, nullable: {nullable}}}}}\n")
    names = ("old/api.yaml#/components/schemas/Pet", "new/api.yaml#/components/schemas/Pet")
    assert report(tmp_path, "diff", *names)[0] == code


def test_schemas_of_openapi_30_are_read_as_draft4(tmp_path: Path, report: Report) -> None:
    for name, bound in (("old.yaml", "false"), ("new.yaml", "true")):
        schema = f"{{type: integer, minimum: 0, exclusiveMinimum: {bound}}}"
        (tmp_path / name).write_text(f"openapi: 3.0.3\ncomponents: {{schemas: {{N: {schema}}}}}\n")
    code, told = report(tmp_path, "diff", "old.yaml#/components/schemas/N", "new.yaml#/components/schemas/N")
    assert (code, told["schemas"][0]["findings"][0]["rule"]) == (1, "minimum-became-exclusive")


def test_references_lead_to_files_beside_it(tmp_path: Path, report: Report) -> None:
    for folder, limit in (("old", 9), ("new", 5)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.json").write_text('{"$ref": "b.json"}')
        (tmp_path / folder / "b.json").write_text(json.dumps({"maxLength": limit}))
    code, told = report(tmp_path, "diff", "old/a.json", "new/a.json")
    assert (code, told["schemas"][0]["findings"][0]["rule"]) == (1, "max-length-lowered")


REMOTE, OTHER = {"$ref": "https://x.test/remote.json"}, {"$ref": "https://x.test/other.json"}
SAME = "cannot be resolved, and taken to be the same on both sides: https://x.test/remote.json"


@pytest.mark.parametrize(
    ("old", "new", "notes"),
    [
        ({"properties": {"a": REMOTE}}, {"properties": {"a": REMOTE}, "maxProperties": 3}, [SAME]),
        ({"allOf": [REMOTE, OTHER]}, {"allOf": [REMOTE]}, [SAME]),
        ({"allOf": [REMOTE]}, {"allOf": [OTHER]}, []),
        ({"$ref": "#/$defs/a", "$defs": {"a": {}}}, {"$ref": "#/$defs/a", "$defs": {"a": {"maxLength": 1}}}, []),
    ],
)
def test_what_a_verdict_takes_for_granted_is_said(
    tmp_path: Path, report: Report, old: object, new: object, notes: list[str]
) -> None:
    for name, schema in (("old.json", old), ("new.json", new)):
        (tmp_path / name).write_text(json.dumps(schema))
    assert report(tmp_path, "diff", "old.json", "new.json")[1]["schemas"][0]["notes"] == notes


USER_PATH = "schemas/user.json"
USER: dict[str, Any] = {"$id": "https://x.test/user.json", "properties": {"by": {"$ref": "defs/id.json"}}}


def test_references_by_id_are_followed_as_a_check_follows_them(repository: GitRepository, report: Report) -> None:
    """The identifier, no path, says where the shared file is, and each side has that of its own revision."""
    owner: dict[str, Any] = {"$id": "https://x.test/defs/id.json", "maxLength": 9}
    repository.write(USER_PATH, USER).write("elsewhere/owner.json", owner).commit("One").tag("one")
    repository.write("elsewhere/owner.json", {**owner, "maxLength": 5})
    for names in ((f"one:{USER_PATH}", USER_PATH), ("one", USER_PATH, "--path", USER_PATH)):
        code, told = report(repository.root, "diff", *names)
        (finding,) = told["schemas"][0]["findings"]
        assert (code, finding["rule"], finding["instance_path"]) == (1, "max-length-lowered", "/by")
        assert (finding["old"]["source"], finding["new"]["source"]) == (
            "one:elsewhere/owner.json",
            "elsewhere/owner.json",
        )


def test_a_neighbour_is_found_beside_the_file_whose_id_it_is_written_from(
    repository: GitRepository, report: Report
) -> None:
    for folder, limit in (("old", 9), ("new", 5)):
        base = f"https://x.test/{folder}"
        repository.write(f"{folder}/user.json", {"$id": f"{base}/user.json", "$ref": "./plain.json"})
        repository.write(f"{folder}/plain.json", {"maxLength": limit})
    code, told = report(repository.root, "diff", "old/user.json", "new/user.json")
    assert (code, [finding["rule"] for finding in told["schemas"][0]["findings"]]) == (
        1,
        ["max-length-lowered", "id-changed"],
    )


def test_references_by_id_without_git(tmp_path: Path, report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, limit in (("old", 9), ("new", 5)):
        (tmp_path / folder / "deep").mkdir(parents=True)
        (tmp_path / folder / "user.json").write_text(json.dumps(USER))
        owner = json.dumps({"$id": "https://x.test/defs/id.json", "maxLength": limit})
        (tmp_path / folder / "deep" / "owner.json").write_text(owner)
    code, told = report(tmp_path, "diff", "old/user.json", "new/user.json")
    assert (code, [finding["rule"] for finding in told["schemas"][0]["findings"]]) == (1, ["max-length-lowered"])
    # Only so many files are looked through, the nearest first; what is not found is not known.
    monkeypatch.setattr("compat.cli.named.MOST_NEIGHBOURS", 1)
    (tmp_path / "old" / "user.json").write_text(json.dumps({"$id": USER["$id"]}))
    assert report(tmp_path, "diff", "old/user.json", "new/user.json")[1]["conclusion"] == "unknown"


def test_a_configured_dialect_counts_and_a_broken_configuration_only_where_it_matters(
    repository: GitRepository, report: Report, run: Run
) -> None:
    """In draft-07 a list of items is a tuple, in 2020-12 it is no schema."""
    old: dict[str, Any] = {"$schema": "https://x.test/own", "items": [{"type": "string"}]}
    repository.write("compat.toml", '[dialects]\n"https://x.test/own" = "draft-07"\n').write("a.json", old).commit()
    repository.write("a.json", {**old, "items": [{"type": "null"}]})
    code, told = report(repository.root, "diff", "HEAD:a.json", "a.json")
    assert (code, told["conclusion"]) == (1, "breaking")
    assert told["schemas"][0]["notes"] == ["$schema https://x.test/own is read as draft-07, as configured"]
    repository.write("compat.toml", "dialect = {}\n").write("plain.json", {"type": "null"})
    assert run(repository.root, "diff", "a.json", "a.json").exit_code == 2
    assert run(repository.root, "diff", "plain.json", "plain.json").exit_code == 0


def test_a_revision_outside_of_git_says_how_to_do_without(tmp_path: Path, run: Run) -> None:
    (tmp_path / "a.json").write_text("{}")
    result = run(tmp_path, "diff", "main:a.json", "a.json")
    assert result.exit_code == 3
    assert "is not inside a git repository" in result.stdout
    assert "compat diff OLD NEW" in result.stdout


@pytest.mark.parametrize(
    ("options", "code", "conclusion"),
    [
        ((), 0, "risky"),
        (("--mode", "forward"), 1, "breaking"),
        (("--mode", "full"), 1, "breaking"),
        (("--fail-on", "risky"), 1, "risky"),
    ],
)
def test_the_mode_is_an_option(
    history: GitRepository, report: Report, options: tuple[str, ...], code: int, conclusion: str
) -> None:
    told = report(history.root, "diff", "two:schemas/a.json", "one:schemas/a.json", *options)
    assert (told[0], told[1]["conclusion"]) == (code, conclusion)


def test_the_dialect_and_formats_are_options(tmp_path: Path, report: Report) -> None:
    (tmp_path / "a.json").write_text('{"items": [{"type": "string"}]}')
    (tmp_path / "b.json").write_text('{"items": [{"type": "string"}, {"type": "null"}]}')
    assert report(tmp_path, "diff", "a.json", "b.json", "--dialect", "draft-07")[0] == 1
    (tmp_path / "c.json").write_text('{"items": [{"type": "string", "format": "uuid"}]}')
    assert report(tmp_path, "diff", "a.json", "c.json", "--dialect", "draft-07")[0] == 0
    assert report(tmp_path, "diff", "a.json", "c.json", "--dialect", "draft-07", "--formats", "assertion")[0] == 1


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("schemas/b.json", "schemas/a.json"), 3, ("schemas/b.json", "no such file", "Did you mean 'a.json'?")),
        (("on:schemas/a.json", "schemas/a.json"), 3, ("no such revision", "one")),
        (("one:schemas/aa.json", "schemas/a.json"), 3, ("one:schemas/aa.json", "'schemas/a.json'")),
        (("schemas", "schemas/a.json"), 2, ("is a folder", "compat check")),
        (("schemas/a.json#/enums", "schemas/a.json"), 3, ("there is no 'enums'", "Did you mean 'enum'?")),
        (("schemas/a.json", "broken.json"), 3, ("broken.json:1:2",)),
        (("schemas/a.json", "nonsense.json"), 3, ("nonsense.json", "/type")),
        (("schemas/a.json", "api.yaml"), 2, ("larger document", "#/components/schemas/Tag")),
        (("schemas/a.json#enum", "schemas/a.json"), 3, ("begins with a slash: schemas/a.json#/enum",)),
        (("-", "-"), 2, ("Only one side",)),
        (("schemas/a.json", "schemas/a.json", "--dialect", "draft-99"), 2, ("draft-99", "draft-07")),
        (("schemas/a.json",), 2, ("Missing argument 'NEW'",)),
    ],
)
def test_errors_say_where_and_what_to_do(
    history: GitRepository, run: Run, args: tuple[str, ...], code: int, said: tuple[str, ...]
) -> None:
    history.write("broken.json", "{]").write("nonsense.json", {"type": "strin"})
    history.write("api.yaml", OPENAPI.format(limit=5))
    result = run(history.root, "diff", *args)
    assert result.exit_code == code
    everything = result.stdout + result.stderr
    assert all(words in everything for words in said), everything


def test_a_file_outside_of_its_root_is_not_read(tmp_path: Path, report: Report) -> None:
    (tmp_path / "secret.json").write_text('{"type": "null"}')
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "a.json").write_text('{"$ref": "../secret.json"}')
    (inner / "b.json").write_text('{"$ref": "../secret.json", "title": "b"}')
    code, told = report(inner, "diff", "a.json", "b.json")
    assert code == 3
    assert "leads outside the root" in told["problems"][0]["message"]
    (inner / "link.json").symlink_to(tmp_path / "secret.json")
    code, told = report(inner, "diff", "a.json", "link.json")
    assert code == 3
    assert "out of the root" in told["problems"][0]["message"]


def test_a_version_tag_is_left_out_unless_asked_for(tmp_path: Path, report: Report) -> None:
    for number in (1, 2):
        schema = {"required": ["v"], "properties": {"v": {"const": number}}, "type": "object"}
        (tmp_path / f"v{number}.json").write_text(json.dumps(schema))
    code, told = report(tmp_path, "diff", "v1.json", "v2.json")
    assert (code, told["schemas"][0]["marker"]) == (0, "version tag 1 → 2: route by version")
    code, told = report(tmp_path, "diff", "v1.json", "v2.json", "--as-written")
    assert (code, told["schemas"][0]["marker"]) == (1, None)


def test_a_mistyped_keyword_is_a_note(tmp_path: Path, report: Report, run: Run) -> None:
    (tmp_path / "a.json").write_text('{"type": "integer", "dependentRequird": {}}')
    (tmp_path / "b.json").write_text('{"type": "integer",\n  "mininum": 1, "dependentRequird": {}}')
    note = "b.json:2:3: mininum is no keyword and asserts nothing; is minimum meant?"
    assert report(tmp_path, "diff", "a.json", "b.json")[1]["schemas"][0]["notes"] == [note]
    assert note in run(tmp_path, "diff", "a.json", "b.json").stdout
    assert report(tmp_path, "diff", "b.json", "b.json")[1]["schemas"][0]["notes"] == []

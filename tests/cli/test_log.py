"""`compat log` on real repositories: every kind of step through history, the matrix, the formats, the exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import GitRepository
from click.testing import Result
from conftest import PROJECT_ROOT
from pages import sound

from compat.model.instance import Validator
from compat.model.references import check_schema, schema_set

Run = Callable[..., Result]
Report = Callable[..., tuple[int, dict[str, Any]]]

SCHEMA = "schemas/order/order.schema.json"
SHARED = "schemas/common/kind.json"


def schema(version: str, *kinds: str, **more: object) -> dict[str, object]:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://example.org/{version}/order.schema.json",
        "properties": {"kind": {"enum": list(kinds)}},
    } | more


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, git_environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPAT_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def history(repository: GitRepository) -> GitRepository:
    """A life with every kind of step."""
    step = repository.write
    step(SCHEMA, schema("1.0.0", "a", "b")).commit("first").tag("order-1.0.0")
    step(SCHEMA, schema("1.0.1", "a", "b", title="Order")).commit("a title").tag("order-1.0.1")
    step("README.md", "x").commit("unrelated")
    step(SCHEMA, schema("1.1.0", "a", "b", "c")).commit("widened", author="Grace Hopper <grace@example.org>")
    repository.tag("order-1.1.0")
    step(SCHEMA, "{ broken").commit("broken")
    step(SCHEMA, {"type": "nonsense"}).commit("no schema")
    step(SCHEMA, schema("1.2.0", "a")).commit("narrowed, and says minor").tag("order-1.2.0")
    step(SCHEMA, schema("1.1.0", "a", "b", "c")).commit("back again")
    repository.rename(SCHEMA, "contracts/order.schema.json")
    return step("contracts/order.schema.json", schema("2.0.0", "a", "c")).commit("moved")


def one(found: tuple[int, dict[str, Any]]) -> list[dict[str, Any]]:
    """Give the versions of the only lineage, told without trouble."""
    code, document = found
    assert code == 0, document["problems"]
    (lineage,) = document["lineages"]
    versions: list[dict[str, Any]] = lineage["versions"]
    return versions


def told(version: dict[str, Any]) -> tuple[object, ...]:
    ways = tuple(None if version[way] is None else version[way]["status"] for way in ("backward", "forward"))
    return version["version"], *ways, version["bump"], version["enough"]


def test_every_step_of_a_life_is_told(history: GitRepository, report: Report) -> None:
    versions = one(report(history.root, "log"))
    assert [told(version) for version in versions] == [
        ("1.0.0", None, None, None, None),
        ("1.0.1", "compatible", "compatible", "patch", True),
        ("1.1.0", "compatible", "breaking", "minor", True),
        (None, None, None, None, None),
        (None, None, None, None, None),
        ("1.2.0", "breaking", "compatible", "major", False),
        ("1.1.0", "compatible", "breaking", "minor", False),
        ("2.0.0", "breaking", "compatible", "major", True),
    ]
    assert [version["against"] for version in versions] == [None, 1, 2, None, None, 3, 6, 7]
    assert [version["released"] for version in versions] == [True, True, True, False, False, True, True, False]
    assert versions[3]["problem"]
    assert "nonsense" in versions[4]["problem"]
    assert versions[5]["backward"]["witness"] in ({"kind": "b"}, {"kind": "c"})
    assert [version["same_as"] for version in versions] == [None] * 6 + [3, None]
    assert versions[7]["moved_from"] == SCHEMA
    assert versions[7]["path"] == "contracts/order.schema.json"
    assert versions[2]["author"] == "Grace Hopper"
    assert versions[2]["when"].startswith("2026-01-04")
    assert versions[0]["commit"] == history.sha("order-1.0.0")
    assert versions[1]["tags"] == ["order-1.0.1"]
    assert [change["rule"] for change in versions[1]["changes"]] == ["id-changed", "title-changed"]


def test_a_life_reads_like_this(history: GitRepository, run: Run) -> None:
    commits = [history.sha(f"HEAD~{back}")[:7] for back in (8, 7, 5, 4, 3, 2, 1, 0)]
    expected = """\
order    contracts/order.schema.json    policy backward
  #  date        commit   author    version  needs    backward  forward  what
  1  2026-01-01  =======  Ada L.    1.0.0                                first version  [tag]
  2  2026-01-02  =======  Ada L.    1.0.1    patch    ok        ok       annotations only  [tag]
  3  2026-01-04  =======  Grace H.  1.1.0    minor    ok        breaks   kind: enum value ad…  [tag]
  4  2026-01-05  =======  Ada L.    -        passed over: expected key or }, found "broken"
  5  2026-01-06  =======  Ada L.    -        passed over: "nonsense" is no type; the types are arra…
  6  2026-01-07  =======  Ada L.    1.2.0    ✗ 2.0.0  breaks    ok       kind: enum val… (+1)  [tag]
  7  2026-01-08  =======  Ada L.    1.1.0    ✗ 1.3.0  ok        breaks   as it was in #3 (+2)
  8  2026-01-09  =======  Ada L.    2.0.0    major    breaks    ok       moved (+1)

1 lineage, 8 versions: 2 steps break old data, 2 announced too little, 2 passed over.
"""
    for commit in commits:
        expected = expected.replace("=======", commit, 1)
    assert run(history.root, "log").stdout == expected
    told_in_full = run(history.root, "log", "-v").stdout
    assert '       kind: "c" is newly accepted\n' in told_in_full
    assert '       old: rejects, new: accepts    {"kind": "c"}\n' in told_in_full


def test_the_matrix_names_what_the_newest_reads_and_who_lost_the_rest(history: GitRepository, report: Report) -> None:
    code, document = report(history.root, "log", "--matrix")
    matrix = document["lineages"][0]["matrix"]
    assert code == 0
    assert matrix["versions"] == [1, 2, 3, 6, 7, 8]
    reads = {(cell["written"], cell["reader"]): cell["reads"] for cell in matrix["cells"]}
    assert (
        reads[1, 2] == reads[2, 1] == reads[1, 3] == reads[6, 1] == reads[3, 7] == reads[7, 3] == reads[6, 8] == "yes"
    )
    assert reads[3, 1] == reads[1, 6] == reads[3, 8] == reads[8, 1] == "no"
    assert (matrix["oldest"], matrix["stray"]) == (8, [6])
    (loss,) = matrix["losses"]
    assert (loss["lost"], loss["at"], loss["hidden"]) == ([1, 2, 3, 7], 8, False)
    assert loss["backward"]["witness"] == {"kind": "b"}


def test_a_break_that_no_single_step_shows_is_named(repository: GitRepository, report: Report, run: Run) -> None:
    repository.write(SCHEMA, schema("1.0.0", note={"type": "integer"})).commit("stale")
    typed = {"kind": {"enum": ["a"]}, "note": {"type": "integer"}}
    repository.write(SCHEMA, schema("1.0.0", properties=typed)).commit("one")
    repository.write(SCHEMA, schema("1.1.0", "a")).commit("dropped")
    repository.write(SCHEMA, schema("1.2.0", properties=typed | {"note": {"type": "string"}})).commit("anew")
    _, document = report(repository.root, "log", "--matrix")
    (lineage,) = document["lineages"]
    last = lineage["versions"][3]
    assert (last["backward"]["undeclared"], last["enough"]) == (True, True)
    (loss,) = lineage["matrix"]["losses"]
    assert (loss["lost"], loss["at"], loss["hidden"]) == ([2], 4, True)
    assert isinstance(loss["backward"]["witness"]["note"], int)
    assert lineage["matrix"]["stray"] == [1]
    text = run(repository.root, "log", "--matrix").stdout
    assert f"data of #2 is no longer read since #4 (version 1.2.0, {repository.sha()[:7]}); no single step" in text
    assert "* only data with properties that were never declared" in text


def test_an_undeclared_break_counts_where_the_policy_says_so(repository: GitRepository, report: Report) -> None:
    repository.write("compat.toml", 'undeclared = "error"\n')
    repository.write(SCHEMA, schema("1.0.0", "a")).commit("one")
    properties = {"kind": {"enum": ["a"]}, "note": {"type": "string"}}
    repository.write(SCHEMA, schema("1.1.0", properties=properties)).commit("two")
    _, document = report(repository.root, "log", "--matrix")
    (lineage,) = document["lineages"]
    assert told(lineage["versions"][1]) == ("1.1.0", "breaking", "compatible", "major", False)
    assert lineage["matrix"]["cells"][0]["reads"] == "no"


def test_the_version_tag_is_no_break(repository: GitRepository, report: Report) -> None:
    for version in (1, 2):
        tag = {"v": {"const": version}, "kind": {"enum": ["a"]}}
        repository.write(SCHEMA, schema(f"v{version}", properties=tag, required=["v"])).commit(f"{version}")
    versions = one(report(repository.root, "log"))
    assert told(versions[1]) == ("2", "compatible", "compatible", "none", True)
    assert versions[1]["marker"] == "version tag 1 → 2: route by version"


def test_a_merge_is_one_step(repository: GitRepository, report: Report) -> None:
    repository.write(SCHEMA, schema("1.0.0", "a")).commit("one").branch("topic")
    repository.write(SCHEMA, schema("1.1.0", "a", "b")).commit("x").write(SCHEMA, schema("1.1.0", "a", "c")).commit("y")
    repository.checkout("main").write("README.md", "x").commit("meanwhile").merge("topic")
    versions = one(report(repository.root, "log"))
    assert [version["commit"] for version in versions] == [repository.sha("HEAD~2"), repository.sha()]
    assert told(versions[1]) == ("1.1.0", "compatible", "breaking", "minor", True)


def test_unreleased_steps_share_one_bump(repository: GitRepository, report: Report) -> None:
    repository.write(SCHEMA, schema("1.0.0", "a", "b", "c")).commit("one").tag("order-1.0.0")
    repository.write(SCHEMA, schema("2.0.0", "a", "b")).commit("two")
    repository.write(SCHEMA, schema("2.0.0", "a")).commit("three")
    repository.write(SCHEMA, schema("1.5.0", "a", "b", "c", "d")).commit("four")
    versions = one(report(repository.root, "log"))
    assert [told(version)[3:] for version in versions[1:]] == [("major", True), ("major", True), ("minor", True)]
    repository.tag("order-2.0.0", "HEAD~1")
    versions = one(report(repository.root, "log"))
    assert [told(version)[3:] for version in versions[1:]] == [("major", True), ("major", True), ("minor", False)]


def test_a_shared_file_makes_versions_too(repository: GitRepository, report: Report) -> None:
    order = {"$schema": "https://json-schema.org/draft/2020-12/schema", "version": "1.0.0"}
    repository.write(SCHEMA, order | {"properties": {"kind": {"$ref": "../common/kind.json"}}})
    repository.write(SHARED, {"enum": ["a", "b"]}).commit("one").tag("order-1.0.0")
    repository.write(SHARED, {"enum": ["a", "b", "c"]}).commit("shared").tag("order-1.1.0")
    repository.write("README.md", "x").commit("unrelated")
    repository.write(SHARED, {"enum": ["a"]})
    versions = one(report(repository.root, "log", "order"))
    assert [version["commit"] for version in versions] == [repository.sha("HEAD~2"), repository.sha("HEAD~1"), None]
    assert [version["tags"] for version in versions] == [["order-1.0.0"], ["order-1.1.0"], []]
    assert [told(version)[1:3] for version in versions[1:]] == [("compatible", "breaking"), ("breaking", "compatible")]
    assert versions[1]["changes"][0]["summary"] == '"c" is newly accepted.'
    assert [version["released"] for version in versions] == [True, True, False]
    repository.write(SHARED, {"enum": ["a", "b"]})
    assert [version["same_as"] for version in one(report(repository.root, "log", "order"))] == [None, None, 1]


def test_versions_side_by_side_need_no_git(tmp_path: Path, repository: GitRepository, run: Run, report: Report) -> None:
    folder = tmp_path / "plain"
    for root in (repository.root, folder):
        for version, kinds in (("1.0.0", "ab"), ("2.0.0", "a")):
            path = root / f"schemas/{version}/order.schema.json"
            path.parent.mkdir(parents=True)
            path.write_text(json.dumps(schema(version, *kinds)))
    repository.commit("both")
    for root, commit in ((repository.root, repository.sha()), (folder, None)):
        versions = one(report(root, "log"))
        assert [told(version)[:3] for version in versions][1] == ("2.0.0", "breaking", "compatible")
        assert {version["commit"] for version in versions} == {commit}
        assert versions[1]["moved_from"] is None


def test_a_schema_that_never_changed_says_so(repository: GitRepository, run: Run) -> None:
    repository.write(SCHEMA, schema("1.0.0", "a")).commit("one")
    text = run(repository.root, "log", "--matrix").stdout
    assert "first version\n  never changed since" in text
    assert f"#1 (version 1.0.0, {repository.sha()[:7]}) is the only version." in text
    assert text.endswith("1 lineage, 1 version: no step breaks old data.\n")


def test_the_working_tree_is_the_last_version(repository: GitRepository, run: Run, report: Report) -> None:
    repository.write(SCHEMA, schema("1.0.0", "a"))
    assert "on disk  1.0.0                              first version" in run(repository.root, "log").stdout
    repository.commit("one").write(SCHEMA, schema("1.0.0", "a", title="Order"))
    versions = one(report(repository.root, "log"))
    assert [version["commit"] for version in versions] == [repository.sha(), None]
    assert len(one(report(repository.root, "log", "--revision", "HEAD"))) == 1


def test_a_history_that_is_broken_throughout_is_named(repository: GitRepository, run: Run) -> None:
    repository.write(SCHEMA, "{").commit("one").write(SCHEMA, "{]").commit("two")
    result = run(repository.root, "log", "--matrix")
    assert result.exit_code == 0
    assert result.stdout.count("passed over: ") == 2
    assert "none" not in result.stdout.lower()


def test_a_bare_repository_tells_its_head(history: GitRepository, tmp_path: Path, report: Report) -> None:
    copy = history.clone(tmp_path / "bare", "--bare")
    assert len(one(report(copy.root, "log", "order"))) == 8


def test_a_long_history_is_cut_in_text_only(repository: GitRepository, run: Run, report: Report) -> None:
    kinds = [chr(ord("a") + number) for number in range(14)]
    for number in range(14):
        repository.write(SCHEMA, schema(f"{number}.0.0", *kinds[number:])).commit(f"{number}")
    lines = run(repository.root, "log", "--matrix", env={"COLUMNS": "60"}).stdout.splitlines()
    assert "  the newest 12 of 14 versions (-f json has all)" in lines
    assert "  and 8 earlier losses (-v shows them)" in lines
    assert len(report(repository.root, "log", "--matrix")[1]["lineages"][0]["matrix"]["losses"]) == 13
    assert "earlier losses" not in run(repository.root, "log", "--matrix", "-v").stdout


# -- what cannot be told --------------------------------------------------------------------------------------------


def test_without_git_there_is_no_history(tmp_path: Path, run: Run) -> None:
    (tmp_path / "order.schema.json").write_text(json.dumps(schema("1.0.0", "a")))
    result = run(tmp_path, "log")
    assert result.exit_code == 3
    assert "order has no history here: this is no git repository" in result.stdout


def test_a_shallow_clone_tells_what_it_has_and_that_there_is_more(
    history: GitRepository, tmp_path: Path, run: Run
) -> None:
    copy = history.clone(tmp_path / "shallow", "--depth=2")
    result = run(copy.root, "log")
    assert result.exit_code == 3
    assert "the clone is shallow, so earlier versions are not here\n  git fetch --unshallow" in result.stdout
    assert "moved" in result.stdout


def test_what_does_not_exist_is_an_error(history: GitRepository, run: Run) -> None:
    for arguments, code, said in (
        (("order", "--revision", "nowhere"), 3, "nowhere: no such revision"),
        (("odrer",), 2, "odrer: is no lineage\n  Did you mean 'order'?"),
    ):
        result = run(history.root, "log", *arguments)
        assert (result.exit_code, said in result.stderr) == (code, True)
    assert run(history.root, "log", "-f", "sarif").exit_code == 2


def test_no_schema_at_all_cannot_be_told(repository: GitRepository, run: Run) -> None:
    assert run(repository.write("README.md", "x").commit("one").root, "log").exit_code == 3


# -- formats --------------------------------------------------------------------------------------------------------


def test_the_html_report_has_every_version_and_the_matrix(history: GitRepository, run: Run, tmp_path: Path) -> None:
    written = tmp_path / "log.html"
    assert run(history.root, "log", "-f", "html", "-o", str(written)).exit_code == 0
    page = sound(written.read_text(encoding="utf-8"))
    (timeline,) = page.of_class("history")
    lines = [" ".join(row.text.split()) for row in timeline.all("tr")[1:]]
    told = json.loads(run(history.root, "log", "-f", "json").stdout)["lineages"][0]["versions"]
    assert len(lines) == len(told)
    for line, version in zip(lines, told, strict=True):
        assert version["commit"] is None or version["commit"][:7] in line
        assert version["author"] in line
    assert len(page.of_class("matrix")) == 1


def test_the_json_report_keeps_to_its_schema(history: GitRepository, report: Report, tmp_path: Path) -> None:
    shape = json.loads((PROJECT_ROOT / "schemas/compat-log/compat-log.schema.json").read_text())
    schemas = schema_set(shape)
    check_schema(schemas)
    validator = Validator(schemas)
    shallow = history.clone(tmp_path / "shallow", "--depth=2")
    for root, arguments in ((history.root, ()), (history.root, ("--matrix",)), (shallow.root, ())):
        _, document = report(root, "log", *arguments)
        assert [failure.message for failure in validator.failures(document)] == []
        assert not validator.is_valid(document | {"format": "compat-log/2"})


def test_markdown_is_a_table_that_nothing_breaks_out_of(history: GitRepository, run: Run) -> None:
    text = run(history.root, "log", "--matrix", "-f", "markdown").stdout
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert len(rows) == 1 + 8 + 1 + 6
    assert all(row.count("|") == 10 for row in rows[:9])
    assert "**major: 2.0.0**" in text
    assert "| #1 | · | ✓ | ✓ | **✗** | ✓ | **✗** |" in text
    nasty = schema("3.0.0", "a|b<script>", "\x1b[31m\u202e")
    history.write("contracts/order.schema.json", nasty).commit("x", author="E|ve <script> <e@example.org>")
    shown = run(history.root, "log", "-f", "markdown").stdout
    row = next(line for line in shown.splitlines() if line.startswith("| 9 "))
    assert "<script>" not in row.replace("`", "") or "`" in row
    assert "\x1b" not in shown + run(history.root, "log", "-v").stdout
    assert "\u202e" not in shown + run(history.root, "log", "-v").stdout


def test_a_report_goes_to_a_file(history: GitRepository, run: Run, tmp_path: Path) -> None:
    result = run(history.root, "log", "-o", str(tmp_path / "log.txt"))
    assert (result.exit_code, result.stdout) == (0, "")
    assert (tmp_path / "log.txt").read_text().startswith("order    ")


# -- the cache ------------------------------------------------------------------------------------------------------


def pairs_found(run: Run, root: Path, *arguments: str) -> tuple[str, str]:
    result = run(root, "log", "--matrix", "-v", *arguments)
    assert result.exit_code == 0
    return result.stdout, result.stderr.strip()


def test_a_second_run_says_the_same_from_the_cache(history: GitRepository, run: Run, cache: Path) -> None:
    first, counted = pairs_found(run, history.root)
    assert counted.endswith("pairs judged, 0 of them in the cache.")
    asked = counted.split()[0]
    again, found = pairs_found(run, history.root)
    assert (again, found) == (first, f"{asked} pairs judged, {asked} of them in the cache.")
    assert pairs_found(run, history.root, "--no-cache") == (first, f"{asked} pairs judged, 0 of them in the cache.")
    for number, path in enumerate(sorted(cache.rglob("*.json"))):
        path.write_bytes([b"", b"{", b"null", path.read_bytes()[:-9]][number % 4])
    assert pairs_found(run, history.root) == (first, counted)


def test_nothing_is_kept_where_nobody_wants_it(history: GitRepository, run: Run, cache: Path) -> None:
    pairs_found(run, history.root, "--no-cache")
    assert not cache.exists()
    assert run(history.root, "log", env={"COMPAT_CACHE_DIR": str(history.root / "README.md")}).exit_code == 0
    assert history.git("status", "--porcelain") == ""

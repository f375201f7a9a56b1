"""Histories as repositories really have them: each is told, or what cannot be told is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from builders import GitRepository

from compat.lineage import NumberSource, Version
from compat.project import Project
from compat.project.walking import Walk, walks

PATH = "schemas/order/order.schema.json"


def order(*kinds: str, **more: object) -> dict[str, object]:
    return {"type": "object", "properties": {"kind": {"enum": list(kinds)}}, **more}


def told(root: Path, name: str = "order", revision: str | None = None) -> list[Version]:
    with Project.open(root, environment={}) as project:
        (walk,) = walks(project, [project.lineage(name, revision)], revision=revision)
        assert isinstance(walk, Walk), walk
        return list(walk.versions)


def numbers(root: Path, name: str = "order") -> list[tuple[str, NumberSource | None]]:
    return [("" if version.number is None else str(version.number), version.source) for version in told(root, name)]


# -- versions side by side, found without being told ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["schemas/v1/order.json", "schemas/v2/order.json", "schemas/v10/order.json"], ["1", "2", "10"]),
        (["schemas/order/1.0.0/order.json", "schemas/order/1.10.0/order.json"], ["1.0.0", "1.10.0"]),
        (["schemas/order/1.0.0.json", "schemas/order/1.2.0.json"], ["1.0.0", "1.2.0"]),
        (["schemas/order-1.2.json", "schemas/order-1.10.json"], ["1.2", "1.10"]),
        (["order.v1.schema.json", "order.v2.schema.json"], ["1", "2"]),
        (["schemas/com.acme/order/jsonschema/1-0-2", "schemas/com.acme/order/jsonschema/2-0-0"], ["1-0-2", "2-0-0"]),
        (["schemas/order/1-0-2.json", "schemas/order/1-1-0.json"], ["1-0-2", "1-1-0"]),
        (["schemas/2025-03-01/order.json", "schemas/2025-11-20/order.json"], ["2025-03-01", "2025-11-20"]),
        (["schemas/order/2025-03-01.json", "schemas/order/2025-11-20.json"], ["2025-03-01", "2025-11-20"]),
        (["schemas/order-2025-03-01.json", "schemas/order-2025-11-20.json"], ["2025-03-01", "2025-11-20"]),
        (["schemas/order-2025-03.yaml", "schemas/order-2025-11.yaml"], ["2025-03", "2025-11"]),
    ],
)
def test_versions_side_by_side_are_one_lineage(
    repository: GitRepository, paths: list[str], expected: list[str]
) -> None:
    for place, path in enumerate(paths):
        repository.write(path, order("a", "b"[:place])).commit(path)
    with Project.open(repository.root, environment={}) as project:
        (lineage,) = project.lineages()
        assert (lineage.name, lineage.files) == ("order", tuple(paths))
    assert numbers(repository.root) == [(number, NumberSource.PATH) for number in expected]
    assert [version.revision for version in told(repository.root)] == [
        repository.sha(f"HEAD~{len(paths) - 1 - place}") for place in range(len(paths))
    ]


def test_the_configuration_has_the_last_word(repository: GitRepository) -> None:
    table = '[schemas.order]\nfiles = ["contracts/*"]\nversion = { from = "keyword" }\n'
    for number in ("1.1.0", "1.2.0"):
        repository.write("contracts/ORDER", order("a", version=number, **{"$id": "https://x.test/v9/order"}))
        repository.write("compat.toml", table).commit(number)
    assert numbers(repository.root) == [("1.1.0", NumberSource.KEYWORD), ("1.2.0", NumberSource.KEYWORD)]


# -- where numbers come from ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "expected", "source"),
    [
        ({"$id": "https://x.test/1.0.0/o"}, {"$id": "https://x.test/1.10.0/o"}, ["1.0.0", "1.10.0"], NumberSource.ID),
        ({"$id": "https://x.test/1.0/o"}, {"$id": "https://x.test/1.1/o"}, ["1.0", "1.1"], NumberSource.ID),
        ({"$id": "https://x.test/v1/o"}, {"$id": "https://x.test/v2/o"}, ["1", "2"], NumberSource.ID),
        ({"$id": "https://x.test/order/1"}, {"$id": "https://x.test/order/2"}, ["1", "2"], NumberSource.ID),
        ({"$id": "urn:x:order:1"}, {"$id": "urn:x:order:2"}, ["1", "2"], NumberSource.ID),
        (
            {"$id": "iglu:a/o/jsonschema/1-0-0"},
            {"$id": "iglu:a/o/jsonschema/1-0-1"},
            ["1-0-0", "1-0-1"],
            NumberSource.ID,
        ),
        ({"version": "1.0.0-rc.1"}, {"version": "1.0.0"}, ["1.0.0-rc.1", "1.0.0"], NumberSource.KEYWORD),
        ({"x-version": "2025-01-31"}, {"x-version": "2025-02-01"}, ["2025-01-31", "2025-02-01"], NumberSource.KEYWORD),
        ({"self": {"version": "1-0-0"}}, {"self": {"version": "2-0-0"}}, ["1-0-0", "2-0-0"], NumberSource.KEYWORD),
        ({"properties": {"v": {"const": 1}}}, {"properties": {"v": {"const": 2}}}, ["1", "2"], NumberSource.CONST),
        (
            {"properties": {"schema": {"const": "order/1"}}},
            {"properties": {"schema": {"enum": ["order/2"]}}},
            ["1", "2"],
            NumberSource.CONST,
        ),
        (
            {"properties": {"schema_version": {"const": "1.0"}}},
            {"properties": {"schema_version": {"const": "1.1"}}},
            ["1.0", "1.1"],
            NumberSource.CONST,
        ),
    ],
)
def test_numbers_are_read_wherever_they_stand(
    repository: GitRepository,
    first: dict[str, object],
    second: dict[str, object],
    expected: list[str],
    source: NumberSource,
) -> None:
    repository.write(PATH, order("a") | first).commit("one").write(PATH, order("a") | second).commit("two")
    assert numbers(repository.root) == [(number, source) for number in expected]
    older, newer = (version.number for version in told(repository.root))
    assert older is not None
    assert newer is not None
    assert older < newer


@pytest.mark.parametrize(
    "names", [("v1.0.0", "v1.2.0"), ("order-v1.0.0", "order-v1.2.0"), ("order/1.0.0", "order@1.2.0")]
)
def test_tags_number_what_has_no_number_of_its_own(repository: GitRepository, names: tuple[str, str]) -> None:
    repository.write(PATH, order("a")).commit("one").tag(names[0], annotated=True).tag("invoice-v7.0.0")
    repository.write("README.md", "x").commit("nothing").write(PATH, order("a", "b")).commit("two")
    repository.write("README.md", "y").commit("nothing again").tag(names[1])
    assert numbers(repository.root) == [("1.0.0", NumberSource.TAG), ("1.2.0", NumberSource.TAG)]
    assert [version.tags for version in told(repository.root)] == [(names[0],), (names[1],)]


# -- shapes of history ----------------------------------------------------------------------------------------------


def test_a_merge_is_one_step_of_the_line_it_came_to(repository: GitRepository) -> None:
    repository.write(PATH, order("a")).commit("one").branch("topic")
    repository.write(PATH, order("a", "x")).commit("x").write(PATH, order("a", "x", "y")).commit("y")
    repository.checkout("main").write("README.md", "m").commit("meanwhile").merge("topic")
    assert [version.revision for version in told(repository.root)] == [repository.sha("HEAD~2"), repository.sha()]
    # From the other side the same commits are told one by one.
    assert len(told(repository.root, revision="topic")) == 3


def test_a_merge_that_joins_two_changes_is_what_it_made_of_them(repository: GitRepository) -> None:
    lines = order("a", **{"title": "t", "description": "d", "$comment": "c"})
    repository.write(PATH, lines).commit("one").branch("topic").write(PATH, lines | {"title": "T"}).commit("title")
    repository.checkout("main").write(PATH, lines | {"$comment": "C"}).commit("comment").merge("topic")
    versions = told(repository.root)
    assert [version.revision for version in versions] == [repository.sha(f"HEAD~{back}") for back in (2, 1, 0)]
    with Project.open(repository.root, environment={}) as project:
        assert project.version_sides(versions[2]).document.value == lines | {"title": "T", "$comment": "C"}


def test_an_octopus_merge_and_an_unrelated_history_are_told(repository: GitRepository) -> None:
    repository.write(PATH, order("a")).commit("one")
    for name in ("left", "right"):
        repository.branch(name, "main").write(f"{name}.schema.json", order(name)).commit(name)
    repository.checkout("main").merge("left", "right")
    repository.git("checkout", "--quiet", "--orphan", "elsewhere")
    repository.git("rm", "--quiet", "-rf", ".")
    repository.write("far.schema.json", order("far")).commit("far")
    repository.checkout("main").merge("elsewhere", "--allow-unrelated-histories")
    merges = {"left": repository.sha("HEAD~1"), "right": repository.sha("HEAD~1"), "far": repository.sha()}
    for name, sha in merges.items():
        assert [version.revision for version in told(repository.root, name)] == [sha]


def test_a_revert_is_a_version_of_the_content_it_goes_back_to(repository: GitRepository) -> None:
    repository.write(PATH, order("a")).commit("one").write(PATH, order("b")).commit("two")
    repository.git("revert", "--no-edit", "HEAD")
    one, two, three = told(repository.root)
    assert one.digest == three.digest != two.digest


def test_a_moved_and_changed_file_is_followed_on_one_line_and_on_many(repository: GitRepository) -> None:
    for text in (json.dumps(order("a", "b")), json.dumps(order("a", "b"), indent=2)):
        repository.write("old/order.schema.json", text).commit("one")
        changed = text.replace('"b"', '"c"')
        repository.remove("old/order.schema.json").write("new/order.schema.json", changed).commit("moved")
        assert [version.path for version in told(repository.root)][-2:] == [
            "old/order.schema.json",
            "new/order.schema.json",
        ]
        repository.remove("new/order.schema.json").commit("gone")


def test_a_moved_folder_takes_its_versions_along(repository: GitRepository) -> None:
    for number in (1, 2):
        repository.write(f"contracts/v{number}/order.schema.json", order("a", "b"[: number - 1])).commit(f"{number}")
    repository.rename("contracts", "schemas").commit("moved")
    assert [(v.path, v.when and v.when.day) for v in told(repository.root)] == [
        ("schemas/v1/order.schema.json", 1),
        ("schemas/v2/order.schema.json", 2),
    ]


# -- files of every kind --------------------------------------------------------------------------------------------


def test_a_shared_file_makes_versions_of_all_that_refer_to_it(repository: GitRepository) -> None:
    reference = {"properties": {"kind": {"$ref": "../common/kinds.json#/$defs/kind"}}}
    for name in ("order", "invoice"):
        repository.write(f"schemas/{name}/{name}.schema.json", reference)
    repository.write("schemas/alone/alone.schema.json", order("a"))
    for kinds in ("a", "ab", "abc"):
        repository.write("schemas/common/kinds.json", {"$defs": {"kind": {"enum": list(kinds)}}}).commit(kinds)
    repository.rename("schemas/common/kinds.json", "schemas/common/kind.json").commit("moved away")
    assert [len(told(repository.root, name)) for name in ("order", "invoice", "alone")] == [4, 4, 1]
    with Project.open(repository.root, environment={}) as project:
        *there, gone = (project.version_sides(version).schema_set for version in told(repository.root))
        assert [len(schemas.documents()) for schemas in there] == [2, 2, 2]
        assert len(gone.documents()) == 1


@pytest.mark.parametrize("target", ["real/order.json", "schemas/real.json"])
def test_a_link_is_told_by_what_it_leads_to(repository: GitRepository, target: str) -> None:
    repository.write(target, order("a", version="1.0.0")).symlink(PATH, "../../" + target).commit("one")
    repository.write(target, order("a", "b", version="1.1.0")).commit("two").write("README.md", "x").commit("nothing")
    repository.write("real/other.json", order("b", version="2.0.0"))
    repository.remove(PATH).symlink(PATH, "../../real/other.json").commit("turned")
    versions = told(repository.root, PATH)
    assert [(str(v.number), v.path, v.revision) for v in versions] == [
        ("1.0.0", PATH, repository.sha("HEAD~3")),
        ("1.1.0", PATH, repository.sha("HEAD~2")),
        ("2.0.0", PATH, repository.sha()),
    ]


def test_a_link_that_leads_nowhere_or_out_is_named(repository: GitRepository) -> None:
    repository.write(PATH, order("a")).commit("one")
    repository.remove(PATH).symlink(PATH, "nowhere.json").commit("nowhere")
    repository.remove(PATH).symlink(PATH, "../../../outside.json").commit("out")
    repository.remove(PATH).write(PATH, order("b")).commit("mended")
    problems = [version.problem for version in told(repository.root)]
    assert problems[0] == problems[3] == ""
    assert "is a link to" in problems[1]
    assert "leads out of the root" in problems[2]


def test_a_submodule_in_the_place_of_a_file_is_named(repository: GitRepository) -> None:
    repository.write(PATH, order("a")).commit("one").remove(PATH)
    repository.git("update-index", "--remove", PATH)
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{repository.sha()},{PATH}")
    repository.git("commit", "--quiet", "-m", "A submodule")
    repository.git("update-index", "--force-remove", PATH)
    repository.write(PATH, order("b")).commit("back")
    first, module, last = told(repository.root)
    assert (first.problem, last.problem) == ("", "")
    assert module.problem == "is a submodule, not a file"


def test_a_pointer_to_a_large_file_is_named(repository: GitRepository) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 12\n"
    repository.write(PATH, order("a")).commit("one").write(PATH, pointer).commit("two")
    repository.write(PATH, order("b")).commit("three")
    assert ["LFS" in version.problem for version in told(repository.root)] == [False, True, False]


def test_other_line_ends_and_a_byte_order_mark_are_no_change(repository: GitRepository) -> None:
    repository.config("core.autocrlf", "false")
    text = json.dumps(order("a"), indent=2).encode()
    for spelling in (text, text.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + text, text + b"\n"):
        repository.write(PATH, spelling).commit("spelled")
    assert len(told(repository.root)) == 1


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ('{"title": "Bestellung für"}'.encode("latin-1"), "UTF-8"),
        ('{"title": "x"}'.encode("utf-16"), "UTF-16"),
        (b'{"title": "x", "title": "y"}', "stands here again"),
        (b"<<<<<<< ours\n{}\n=======\n", "expected"),
        (b"", "empty"),
    ],
)
def test_a_file_that_was_broken_for_a_while_is_compared_past(repository: GitRepository, data: bytes, said: str) -> None:
    repository.write(PATH, order("a")).commit("one").write(PATH, data).commit("broken").tag("v9.0.0")
    repository.write(PATH, order("a")).commit("mended").write(PATH, order("b")).commit("two")
    one, broken, mended, two = told(repository.root)
    assert said in broken.problem, broken.problem
    assert (broken.number, broken.digest) == (None, "")
    assert one.digest == mended.digest != two.digest


def test_contents_that_a_partial_clone_lacks_are_named_and_not_fetched(
    repository: GitRepository, tmp_path: Path
) -> None:
    for kinds in ("a", "ab", "abc"):
        repository.write(PATH, order(*kinds)).commit(kinds)
    copy = repository.clone(tmp_path / "partial", "--filter=blob:none")
    older, old, new = told(copy.root)
    assert "not in this clone" in older.problem
    assert "not in this clone" in old.problem
    assert new.problem == ""


def test_a_shallow_clone_begins_at_its_edge(repository: GitRepository, tmp_path: Path) -> None:
    for kinds in ("a", "ab", "abc"):
        repository.write(PATH, order(*kinds)).commit(kinds)
    copy = repository.clone(tmp_path / "shallow", "--depth=2")
    assert [version.revision for version in told(copy.root)] == [copy.sha("HEAD~1"), copy.sha()]


def test_a_deleted_and_a_new_contract_are_two(repository: GitRepository) -> None:
    other = {"type": "array", "items": {"type": "integer"}, "maxItems": 7, "title": "Something of its own"}
    repository.write(PATH, order("a", "b", "c")).commit("one")
    repository.remove(PATH).write("schemas/list/list.schema.json", json.dumps(other)).commit("two")
    assert [version.revision for version in told(repository.root, "list")] == [repository.sha()]

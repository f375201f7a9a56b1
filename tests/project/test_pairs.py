"""What a change touches: the kinds of pairs, references into changed files, and what configuration may do."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import pytest
from builders import GitRepository

from compat.errors import ConfigError, RevisionError, SourceError
from compat.project import Pair, PairKind, Project

A = {"type": "object", "properties": {"name": {"type": "string"}, "kind": {"enum": ["a", "b", "c"]}}}
B = {**A, "required": ["name"]}
WITH_REF = {"$ref": "common.json#/$defs/id"}
COMMON = {"$defs": {"id": {"type": "string"}}}
COMMON_2 = {"$defs": {"id": {"type": "string", "minLength": 3}}}


def judged(
    repository: GitRepository,
    base: str = "HEAD",
    head: str | None = None,
    *,
    staged: bool = False,
    paths: Sequence[str] = (),
) -> list[Pair]:
    with Project.open(repository.root, environment={}) as project:
        found = list(project.pairs(base, head, staged=staged, paths=paths))
        for pair in found:  # read everything while git is open
            for side in (pair.old, pair.new):
                if side is not None and pair.kind is not PairKind.BROKEN:
                    assert side.document.name
        return found


def kinds(pairs: Sequence[Pair]) -> list[tuple[str, str]]:
    return [(pair.kind.value, pair.path) for pair in pairs]


@pytest.fixture
def start(repository: GitRepository) -> GitRepository:
    repository.write("schemas/a/a.schema.json", A).write("schemas/b/b.schema.json", {"type": "integer"})
    return repository.commit("First")


def test_nothing_touched_is_no_pair(start: GitRepository) -> None:
    start.write("README.md", "text").write("data.json", {"x": 1})
    assert judged(start) == []


def test_a_changed_schema_has_both_sides_at_their_revisions(start: GitRepository) -> None:
    start.write("schemas/a/a.schema.json", B)
    with Project.open(start.root, environment={}) as project:
        base = project.base("main")
        (pair,) = project.pairs(base.revision)
        assert (pair.kind, pair.lineage) == (PairKind.CHANGED, "a")
        assert pair.old is not None
        assert pair.new is not None
        assert pair.old.document.value == A
        assert pair.new.document.value == B
        assert pair.old.document.name == "main:schemas/a/a.schema.json"
        assert pair.new.document.name == "schemas/a/a.schema.json"
        assert pair.old.schema_set.root.value == A


def test_between_two_commits_and_staged(start: GitRepository) -> None:
    start.write("schemas/a/a.schema.json", B).commit("Second")
    start.write("schemas/b/b.schema.json", {"type": "number"}).stage().write("schemas/b/b.schema.json", True)
    assert kinds(judged(start, "HEAD~1", "HEAD")) == [("changed", "schemas/a/a.schema.json")]
    (pair,) = judged(start, "HEAD", staged=True)
    assert pair.path == "schemas/b/b.schema.json"


def test_formatting_alone_is_unchanged(start: GitRepository) -> None:
    start.write("schemas/b/b.schema.json", '{ "type":"integer" }')
    assert kinds(judged(start)) == [("unchanged", "schemas/b/b.schema.json")]


def test_new_and_deleted_schemas(start: GitRepository) -> None:
    start.remove("schemas/b/b.schema.json").write("schemas/c.schema.json", {"minLength": 7, "type": ["string", "null"]})
    deleted, new = judged(start)
    assert (deleted.kind, deleted.lineage, deleted.new) == (PairKind.DELETED, "b", None)
    assert (new.kind, new.lineage, new.old) == (PairKind.NEW, "c", None)


def test_a_renamed_schema_is_compared_with_its_old_path(start: GitRepository) -> None:
    start.rename("schemas/a/a.schema.json", "moved/a.schema.json").write("moved/a.schema.json", {**B, "title": "A"})
    (pair,) = judged(start)
    assert (pair.kind, pair.old_path, pair.new_path) == (
        PairKind.RENAMED,
        "schemas/a/a.schema.json",
        "moved/a.schema.json",
    )


def test_a_schema_moved_to_where_nothing_finds_it_is_still_judged(start: GitRepository) -> None:
    start.rename("schemas/b/b.schema.json", "hidden.json")
    assert kinds(judged(start)) == [("renamed", "hidden.json")]


def test_a_schema_broken_by_the_change_is_an_error_and_no_disappearance(start: GitRepository) -> None:
    start.write("schemas/plain.json", {"type": "string"}).commit()
    start.write("schemas/a/a.schema.json", "{ broken").write("schemas/plain.json", "<<<<<<< ours")
    broken = judged(start)
    assert kinds(broken) == [("broken", "schemas/a/a.schema.json"), ("broken", "schemas/plain.json")]
    assert all(pair.error is not None and pair.error.place is not None for pair in broken)
    assert str(broken[0].error).startswith("schemas/a/a.schema.json:1:3")


def test_a_broken_base_is_not_compared_and_said(start: GitRepository) -> None:
    start.write("schemas/a/a.schema.json", "{ broken").commit().write("schemas/a/a.schema.json", A)
    (pair,) = judged(start)
    assert (pair.kind, pair.old) == (PairKind.NEW, None)
    assert pair.note.startswith("the old version cannot be read: ")


def test_a_base_that_is_not_in_a_partial_clone_is_an_error_and_nothing_new(
    start: GitRepository, tmp_path: Path
) -> None:
    start.write("schemas/a/a.schema.json", B).commit()
    clone = start.clone(tmp_path / "partial", "--filter=blob:none")
    (pair,) = judged(clone, "HEAD~1")
    assert (pair.kind, pair.path) == (PairKind.BROKEN, "schemas/a/a.schema.json")
    assert "not in this clone" in str(pair.error)


def pointer_to(text: str) -> str:
    digest = hashlib.sha256(text.encode()).hexdigest()
    return f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize {len(text)}\n"


def test_a_schema_kept_by_git_lfs_is_unchanged_where_it_is_checked_out(start: GitRepository) -> None:
    start.write("lfs.schema.json", pointer_to('{"type": "string"}')).commit()
    start.write("lfs.schema.json", '{"type": "string"}')
    assert judged(start) == []
    start.write("lfs.schema.json", '{"type": "integer"}')
    (pair,) = judged(start)
    assert pair.kind is PairKind.BROKEN
    assert "Git LFS pointer" in str(pair.error)


def test_a_schema_that_becomes_a_catalogue_is_still_judged(start: GitRepository) -> None:
    start.write("schemas/plain.json", {"type": "string"}).commit().write("schemas/plain.json", {"schemas": []})
    assert kinds(judged(start)) == [("changed", "schemas/plain.json")]


def test_data_beside_schemas_is_not_judged(start: GitRepository) -> None:
    start.write("schemas/catalogue.json", {"a": 1}).commit().write("schemas/catalogue.json", {"a": 2})
    assert judged(start) == []


def test_a_schema_replaced_by_a_link_out_is_broken(start: GitRepository) -> None:
    start.remove("schemas/a/a.schema.json").symlink("schemas/a/a.schema.json", "/etc/passwd")
    (pair,) = judged(start)
    assert pair.kind is PairKind.BROKEN
    assert "leads out of the root" in str(pair.error)


def test_the_next_version_beside_others_has_a_predecessor(repository: GitRepository) -> None:
    repository.write("schemas/v1/task.json", A).write("schemas/v2/task.json", B).commit()
    repository.write("schemas/v10/task.json", {"type": "object", "minProperties": 1})
    (pair,) = judged(repository)
    assert (pair.kind, pair.lineage) == (PairKind.NEW, "task")
    assert pair.predecessor is not None
    assert pair.predecessor.path == "schemas/v2/task.json"


# References


def test_a_shared_file_reaches_the_schemas_that_refer_to_it(start: GitRepository) -> None:
    start.write("schemas/common.json", COMMON).write("schemas/user.schema.json", WITH_REF)
    start.write("schemas/far.schema.json", {"items": {"$ref": "./user.schema.json"}}).commit()
    start.write("schemas/common.json", COMMON_2)
    shared, far, user = judged(start)
    assert (shared.kind, shared.path) == (PairKind.CHANGED, "schemas/common.json")
    assert [(pair.kind, pair.path, pair.through) for pair in (far, user)] == [
        (PairKind.AFFECTED, "schemas/far.schema.json", ("schemas/common.json",)),
        (PairKind.AFFECTED, "schemas/user.schema.json", ("schemas/common.json",)),
    ]


def test_each_side_reads_the_shared_file_of_its_own_revision(start: GitRepository) -> None:
    start.write("parts/common.json", COMMON).write("parts/user.schema.json", WITH_REF).commit()
    start.write("parts/common.json", COMMON_2)
    with Project.open(start.root, environment={}) as project:
        (pair,) = project.pairs("HEAD")
        assert pair.kind is PairKind.AFFECTED  # the shared file itself is governed by nothing
        resolved = []
        for side in (pair.old, pair.new):
            assert side is not None
            schemas = side.schema_set
            resolved.append(schemas.resolve(schemas.root, WITH_REF["$ref"]).value)
    assert resolved == [{"type": "string"}, {"type": "string", "minLength": 3}]


def test_a_change_that_no_reference_meets_affects_nobody(start: GitRepository) -> None:
    start.write("parts/common.json", COMMON).write("other/common.json", COMMON)
    start.write("parts/user.schema.json", WITH_REF).commit()
    start.write("other/common.json", COMMON_2)
    assert judged(start) == []


def test_references_by_id_are_found_in_the_same_revision(start: GitRepository) -> None:
    start.write("parts/x.json", {"$id": "https://x.test/common", **COMMON})
    start.write("user.schema.json", {"$id": "https://x.test/user", "$ref": "common#/$defs/id"}).commit()
    start.write("parts/x.json", {"$id": "https://x.test/common", **COMMON_2})
    (pair,) = judged(start)
    assert (pair.kind, pair.path, pair.through) == (PairKind.AFFECTED, "user.schema.json", ("parts/x.json",))


def test_an_escaped_reference_does_not_hide(start: GitRepository) -> None:
    start.write("parts/common.json", COMMON)
    start.write("parts/user.schema.json", '{"\\u0024ref": "common.json#/$defs/id"}').commit()
    start.write("parts/common.json", COMMON_2)
    assert kinds(judged(start)) == [("affected", "parts/user.schema.json")]


def test_a_reference_from_yaml(start: GitRepository) -> None:
    start.write("parts/common.json", COMMON)
    start.write("parts/user.schema.yaml", "properties:\n  id:\n    $ref: 'common.json#/$defs/id'\n").commit()
    start.write("parts/common.json", COMMON_2)
    assert kinds(judged(start)) == [("affected", "parts/user.schema.yaml")]


def test_a_deleted_shared_file_affects_who_referred_to_it(start: GitRepository) -> None:
    start.write("parts/common.json", COMMON).write("parts/user.schema.json", WITH_REF).commit()
    start.remove("parts/common.json")
    assert kinds(judged(start)) == [("affected", "parts/user.schema.json")]


@pytest.mark.parametrize(
    "reference", ["../../outside.json", "/etc/passwd", "file:///etc/passwd", "%2e%2e/%2e%2e/%2e%2e/outside.json"]
)
def test_a_reference_leads_to_no_file_outside(start: GitRepository, reference: str, tmp_path: Path) -> None:
    (tmp_path / "outside.json").write_text('{"type": "null"}')
    start.write("a.schema.json", {"$ref": reference})
    with Project.open(start.root, environment={}) as project:
        schemas = project.schema_set("a.schema.json")
        with pytest.raises(Exception, match=r"not here|not followed|leads out") as caught:
            schemas.resolve(schemas.root, reference)
        assert type(caught.value).__module__ == "compat.errors"


def test_an_id_of_two_files_is_an_error_where_it_is_referred_to(start: GitRepository) -> None:
    for name, kind in (("x", "string"), ("y", "integer")):
        start.write(f"parts/{name}.json", {"$id": "https://x.test/twice", "type": kind})
    start.write("a.schema.json", {"$ref": "https://x.test/twice"})
    with Project.open(start.root, environment={}) as project:
        schemas = project.schema_set("a.schema.json")
        with pytest.raises(Exception, match=r"the \$id of parts/x.json and parts/y.json"):
            schemas.resolve(schemas.root, "https://x.test/twice")


def test_a_neighbour_without_an_id_is_found_beside_one_with(start: GitRepository) -> None:
    start.write("s/user.json", {"$id": "https://x.test/s/user.json", "$ref": "part.json"}).write("s/part.json", A)
    with Project.open(start.root, environment={}) as project:
        schemas = project.schema_set("s/user.json")
        assert schemas.resolve(schemas.root, "part.json").value == A


def test_a_link_is_judged_by_the_file_it_leads_to(start: GitRepository) -> None:
    start.write("content/plain.json", A).symlink("linked.schema.json", "content/plain.json").commit()
    start.write("content/plain.json", B)
    with Project.open(start.root, environment={}) as project:
        (pair,) = project.pairs("HEAD")
        assert (pair.kind, pair.path) == (PairKind.CHANGED, "linked.schema.json")
        assert pair.old is not None
        assert pair.new is not None
        assert (pair.old.document.value, pair.new.document.value) == (A, B)


def test_a_reference_to_a_link_reaches_the_file_it_leads_to(start: GitRepository) -> None:
    start.write("content/x.json", COMMON).symlink("parts/common.json", "../content/x.json")
    start.write("parts/user.schema.json", WITH_REF).commit().write("content/x.json", COMMON_2)
    assert kinds(judged(start)) == [("affected", "parts/user.schema.json")]


def test_a_submodule_in_the_place_of_a_schema_is_reported(start: GitRepository) -> None:
    start.git("update-index", "--add", "--cacheinfo", f"160000,{start.sha()},schemas/module.schema.json")
    (pair,) = judged(start)
    assert pair.kind is PairKind.BROKEN
    assert "is a submodule" in str(pair.error)


def test_a_configured_dialect_is_read_as_the_one_it_stands_for(start: GitRepository) -> None:
    start.write("compat.toml", '[dialects]\n"https://x.test/meta" = "draft-04"\n')
    start.write("a.schema.json", {"$schema": "https://x.test/meta#", "type": "string"})
    with Project.open(start.root, environment={}) as project:
        schemas = project.schema_set("a.schema.json")
        assert schemas.dialect.value == "draft-04"
        assert schemas.notes == ("$schema https://x.test/meta# is read as draft-04, as configured",)


def test_a_meta_schema_of_the_repository_wins_over_what_is_configured(start: GitRepository) -> None:
    start.write("compat.toml", '[dialects]\n"https://x.test/meta" = "draft-04"\n"https://x.test/far" = "7"\n')
    start.write("meta.json", {"$id": "https://x.test/meta", "$schema": "http://json-schema.org/draft-06/schema#"})
    start.write("a.schema.json", {"$schema": "https://x.test/meta"}).write("b.schema.json", {"$schema": "urn:none"})
    start.write("c.schema.json", {"$schema": "https://x.test/far"})
    with Project.open(start.root, environment={}) as project:
        sets = [project.schema_set(f"{name}.schema.json") for name in "abc"]
        assert [(one.dialect.value, *one.notes) for one in sets] == [
            ("draft-06", "$schema https://x.test/meta is a meta-schema of draft-06; read as draft-06"),
            ("2020-12", "$schema urn:none is not known; read as 2020-12"),
            ("draft-07", "$schema https://x.test/far is read as draft-07, as configured"),
        ]


# Paths


def test_paths_narrow_what_is_judged(start: GitRepository) -> None:
    start.write("schemas/a/a.schema.json", B).write("schemas/b/b.schema.json", True)
    assert kinds(judged(start, paths=["schemas/a"])) == [("changed", "schemas/a/a.schema.json")]
    assert kinds(judged(start, paths=["**/b.*"])) == [("changed", "schemas/b/b.schema.json")]


def test_a_named_file_is_judged_even_where_nothing_finds_it(start: GitRepository) -> None:
    start.write("odd.json", A).commit()
    assert kinds(judged(start, paths=["odd.json"])) == [("unchanged", "odd.json")]
    start.write("odd.json", B)
    assert kinds(judged(start, paths=["odd.json"])) == [("changed", "odd.json")]


def test_a_version_that_its_lineage_does_not_claim_is_judged_by_itself(start: GitRepository) -> None:
    start.write("compat.toml", '[schemas.person]\nfiles = "c/1.*/person.schema.json"\n')
    start.write("c/1.0.0/person.schema.json", A).write("c/1.1.0/person.schema.json", A).commit()
    start.write("c/2.0.0/person.schema.json", B)
    assert kinds(judged(start, paths=["c/2.0.0/person.schema.json"])) == [("new", "c/2.0.0/person.schema.json")]


def test_a_path_on_neither_side_is_an_error(start: GitRepository) -> None:
    with pytest.raises(SourceError, match=r"missing.json: is neither in the old version nor in the new one"):
        judged(start, paths=["missing.json"])


# Configuration


def test_what_the_base_excludes_is_not_judged(start: GitRepository) -> None:
    start.write("compat.toml", 'exclude = ["legacy/**"]\n').write("legacy/a.schema.json", A).commit()
    start.write("legacy/a.schema.json", B).write("legacy/new.schema.json", B)
    assert judged(start) == []


def test_a_change_cannot_exclude_itself(start: GitRepository) -> None:
    start.write("compat.toml", 'exclude = ["schemas/**"]\n').write("schemas/a/a.schema.json", B)
    assert kinds(judged(start)) == [("changed", "schemas/a/a.schema.json")]


def test_configured_files_are_judged_by_the_name_of_their_lineage(start: GitRepository) -> None:
    start.write("compat.toml", '[schemas.odd]\nfiles = "contracts/*.txt"\n').write("contracts/one.txt", A).commit()
    start.write("contracts/one.txt", B)
    (pair,) = judged(start)
    assert (pair.kind, pair.path, pair.lineage) == (PairKind.CHANGED, "contracts/one.txt", "odd")


def test_a_change_cannot_drop_a_schema_by_dropping_its_table(start: GitRepository) -> None:
    start.write("compat.toml", '[schemas.odd]\nfiles = "contracts/*.txt"\n').write("contracts/one.txt", A).commit()
    start.remove("compat.toml").write("contracts/one.txt", B)
    assert kinds(judged(start)) == [("changed", "contracts/one.txt")]


def test_a_configured_pattern_without_files_is_an_error(start: GitRepository) -> None:
    start.write("compat.toml", '[schemas.gone]\nfiles = "nowhere/*.json"\n')
    with Project.open(start.root, environment={}) as project, pytest.raises(ConfigError, match="no file matches"):
        project.lineages()


def test_policy_comes_from_the_revision_asked_for(start: GitRepository) -> None:
    start.write("compat.toml", 'compatibility = "full"\n').commit().write("compat.toml", 'compatibility = "none"\n')
    with Project.open(start.root, environment={}) as project:
        assert project.policies("HEAD").default.mode.value == "full"
        assert project.policies().default.mode.value == "none"


# Without git


def test_a_folder_is_compared_with_another_without_git(tmp_path: Path, git_environment: dict[str, str]) -> None:
    old = GitRepository(tmp_path / "old", {}, init=False).write("a.schema.json", A).write("gone.schema.json", True)
    new = GitRepository(tmp_path / "new", {}, init=False).write("a.schema.json", B).write("b.schema.json", A)
    with Project.open(new.root, environment={}) as project:
        found = list(project.pairs_against(old.root))
        assert kinds(found) == [
            ("changed", "a.schema.json"),
            ("new", "b.schema.json"),
            ("deleted", "gone.schema.json"),
        ]
        with pytest.raises(RevisionError, match="not inside a git repository"):
            project.base()


def test_two_hundred_schemas_and_one_changed_parse_two_documents(
    repository: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    for index in range(200):
        repository.write(f"schemas/s{index}/s{index}.schema.json", {"$id": f"https://x.test/s{index}", **A})
    repository.commit().write("schemas/s7/s7.schema.json", {"$id": "https://x.test/s7", **B})
    from compat.project import moment

    parsed: list[str] = []
    original = moment.parse_document

    def counting(data: bytes, *, name: str, **options: object) -> object:
        parsed.append(name)
        return original(data, name=name, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(moment, "parse_document", counting)
    assert kinds(judged(repository)) == [("changed", "schemas/s7/s7.schema.json")]
    assert sorted(parsed) == ["HEAD:schemas/s7/s7.schema.json", "schemas/s7/s7.schema.json"]

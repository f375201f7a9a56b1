"""The packaged data, `schemas/` and `history/` are one thing; the records are valid and the numbers honest."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from compat.demo import history
from compat.jsonvalue import digest
from compat.lineage import VersionNumber, find_marker, version_of

PROJECT_ROOT = Path(__file__).resolve().parent.parent.parent
ENTRIES = tuple(history.entries())
LINEAGES = ("task", "kwau-conversations", "pw-decide-row", "invocation-response")

every_entry = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.label)
every_change = pytest.mark.parametrize(
    "entry", [entry for entry in ENTRIES if entry.backward is not None], ids=lambda entry: entry.label
)
every_lineage = pytest.mark.parametrize("lineage", LINEAGES)


def schema_of(entry: history.Entry) -> dict[str, object]:
    value = json.loads(entry.schema)
    assert isinstance(value, dict)
    return value


def rows(content: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in content.splitlines()]


def as_of(record: dict[str, object], schema: dict[str, object]) -> dict[str, object]:
    """Rewrite the version tag of a record to the one that a schema asks for."""
    marker = find_marker(schema)
    return record if marker is None else record | {marker.name: marker.value}


def history_of(lineage: str) -> list[history.Entry]:
    return [entry for entry in ENTRIES if entry.lineage == lineage]


def in_checkout() -> bool:
    return (PROJECT_ROOT / "schemas").is_dir() and (PROJECT_ROOT / "history").is_dir()


def test_the_checkout_holds_what_is_packaged() -> None:
    if not in_checkout():
        pytest.skip("no checkout: schemas/ and history/ are not part of an installation")
    expected = history.final_files()
    found = {
        path.relative_to(PROJECT_ROOT).as_posix(): path.read_bytes()
        for lineage in LINEAGES
        for top in ("schemas", "history")
        for path in sorted((PROJECT_ROOT / top / lineage).rglob("*"))
        if path.is_file()
    }
    assert sorted(found) == sorted(expected)
    assert [path for path in expected if found[path] != expected[path]] == []


@every_lineage
def test_the_first_version_is_the_seed_byte_for_byte(lineage: str, shared: Path) -> None:
    first = history_of(lineage)[0]
    assert first.schema == (shared / "seeds" / f"{lineage}.schema.json").read_bytes()


@every_lineage
def test_every_lineage_has_at_least_three_later_versions(lineage: str) -> None:
    versions = history_of(lineage)
    assert len(versions) >= 4
    assert len({entry.version for entry in versions}) >= 3
    assert [entry.when for entry in versions] == sorted(entry.when for entry in versions)


def test_the_changes_cover_what_such_products_do() -> None:
    seen = Counter(kind for entry in ENTRIES for kind in entry.what)
    assert set(seen) >= {
        "enum value added",
        "enum value removed",
        "required property added",
        "pattern tightened",
        "pattern loosened",
        "optional property added to a closed object",
        "optional property added to an open object",
        "oneOf branch added",
        "nullable",
        "$ref refactor without effect",
        "annotation only",
        "bound lowered",
        "bound raised",
    }


@every_entry
def test_the_schema_is_one_and_declares_its_number(entry: history.Entry) -> None:
    schema = schema_of(entry)
    Draft202012Validator.check_schema(schema)
    found = version_of(schema, entry.schema_path)
    assert found is not None
    assert found[0] == VersionNumber.parse(entry.version)


@every_entry
def test_the_version_tag_moves_with_the_number(entry: history.Entry) -> None:
    marker = find_marker(schema_of(entry))
    if entry.lineage == "kwau-conversations":
        assert marker is None
    else:
        assert marker is not None
        assert str(marker.number) == entry.version


@every_entry
def test_records_are_valid_under_their_version_and_all_later_revisions_of_it(entry: history.Entry) -> None:
    for later in history_of(entry.lineage):
        if later.version == entry.version and later.when >= entry.when:
            validator = Draft202012Validator(schema_of(later))
            bad = [n for n, record in enumerate(rows(entry.records), 1) if not validator.is_valid(record)]
            assert (later.label, bad) == (later.label, [])


@every_entry
def test_rejects_stay_invalid_in_every_later_version(entry: history.Entry) -> None:
    for later in history_of(entry.lineage):
        if later.when >= entry.when:
            schema = schema_of(later)
            validator = Draft202012Validator(schema)
            accepted = [
                n for n, record in enumerate(rows(entry.rejects), 1) if validator.is_valid(as_of(record, schema))
            ]
            assert (later.label, accepted) == (later.label, [])


@every_lineage
def test_every_number_has_enough_records_and_rejects(lineage: str) -> None:
    records: Counter[str] = Counter()
    rejects: Counter[str] = Counter()
    for entry in history_of(lineage):
        records[entry.version] += len(rows(entry.records))
        rejects[entry.version] += len(rows(entry.rejects))
    for version, count in records.items():
        assert 30 <= count <= 110, version
        assert rejects[version] >= 3 or version == "1.1.1"


@every_entry
def test_no_record_is_kept_twice(entry: history.Entry) -> None:
    digests = [digest(record) for record in rows(entry.records)]
    assert len(set(digests)) == len(digests)


@every_change
def test_old_records_tell_a_breaking_version_from_a_safe_one(entry: history.Entry) -> None:
    schema = schema_of(entry)
    validator = Draft202012Validator(schema)
    earlier = [e for e in history_of(entry.lineage) if e.when < entry.when]
    failing = passing = 0
    for record in rows(earlier[-1].records):
        valid = validator.is_valid(as_of(record, schema))
        failing, passing = failing + (not valid), passing + valid
    if entry.backward == "breaking":
        assert failing > 0
        assert passing > 0
    else:
        assert failing == 0


@every_lineage
def test_release_records_name_the_content(lineage: str) -> None:
    versions = [entry for entry in history_of(lineage) if entry.released]
    path = f"{versions[0].history_path}/releases.ndjson"
    kept = [json.loads(line) for line in history.final_files()[path].splitlines()]
    assert [(row["version"], row["digest"]) for row in kept] == [
        (entry.version, digest(schema_of(entry))) for entry in versions
    ]
    assert all(row["files"] == [versions[0].schema_path] for row in kept)


def test_one_released_version_was_edited_in_place_in_its_annotations_only() -> None:
    (edited,) = [entry for entry in ENTRIES if not entry.released]
    assert edited.what == ("annotation only",)
    assert edited.lineage == "invocation-response"
    before = history_of(edited.lineage)[-2]
    assert before.version == edited.version
    assert without_annotations(schema_of(edited)) == without_annotations(schema_of(before))
    assert schema_of(edited) != schema_of(before)


def without_annotations(value: object) -> object:
    if isinstance(value, dict):
        return {k: without_annotations(v) for k, v in value.items() if not (k == "description" and isinstance(v, str))}
    return [without_annotations(item) for item in value] if isinstance(value, list) else value

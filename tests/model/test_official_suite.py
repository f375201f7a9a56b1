"""The official JSON Schema Test Suite: the reference validator agrees with it, and the second opinion with both."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from compat.jsonvalue import JSON
from compat.model.bulk import BulkPair
from compat.model.dialects import Dialect
from compat.model.instance import BulkValidator, Formats, SecondOpinion, UnsupportedByBulk, Validator
from compat.model.references import check_schema, schema_set

SHARED = Path(os.environ.get("COMPAT_SHARED", Path(__file__).resolve().parents[2].parent / "shared"))
SUITE = SHARED / "suites" / "json-schema-test-suite"
FOLDERS = dict(zip(("draft4", "draft6", "draft7", "draft2019-09", "draft2020-12"), Dialect, strict=True))

# The reading is a choice there, and we made it otherwise.
READ_OTHERWISE = {
    "draft4/optional/zeroTerminatedFloats",
    "draft7/optional/content",
    "draft2019-09/optional/dependencies-compatibility",
    "draft2020-12/optional/dependencies-compatibility",
}
# What needs the tables of IDNA, which the project does not carry.
NEEDS_IDNA = ("idn-hostname", "A-label", "U-label")

pytestmark = pytest.mark.skipif(not SUITE.is_dir(), reason=f"needs the official suite: no {SUITE} (set COMPAT_SHARED)")


def _files(part: str) -> list[str]:
    return [
        str(path.relative_to(SUITE / "tests").with_suffix(""))
        for folder in FOLDERS
        for path in sorted((SUITE / "tests" / folder).glob(part))
    ]


@cache
def _remotes() -> dict[str, JSON]:
    folder = SUITE / "remotes"
    return {
        f"http://localhost:1234/{path.relative_to(folder).as_posix()}": json.loads(path.read_text("utf-8"))
        for path in sorted(folder.rglob("*.json"))
    }


def _cases(file: str) -> Iterator[tuple[str, JSON, list[tuple[str, JSON, bool]]]]:
    for group in json.loads((SUITE / "tests" / f"{file}.json").read_text("utf-8")):
        tests = [(test["description"], test["data"], test["valid"]) for test in group["tests"]]
        yield group["description"], group["schema"], tests


def _hold(file: str, formats: Formats) -> None:
    dialect = FOLDERS[file.partition("/")[0]]
    for group, schema, tests in _cases(file):
        schemas = schema_set(schema, dialect=dialect, resources=_remotes())
        check_schema(schemas)
        validator, second = Validator(schemas, formats=formats), SecondOpinion(schemas, formats=formats)
        for test, value, valid in tests:
            case = f"{group}: {test}"
            if any(word in case for word in NEEDS_IDNA):
                continue
            assert validator.is_valid(value) is valid, case
            assert second.is_valid(value) in {valid, None}, case
            failures = list(validator.failures(value))
            assert bool(failures) is not valid, case
            for failure in failures:
                # Every failure points at something that is there.
                assert failure.message, case
                assert failure.keyword, case


@pytest.mark.parametrize("file", _files("*.json"))
def test_mandatory_parts(file: str) -> None:
    _hold(file, "annotation")


@pytest.mark.parametrize("file", [file for file in _files("optional/*.json") if file not in READ_OTHERWISE])
def test_optional_parts(file: str) -> None:
    _hold(file, "annotation")


@pytest.mark.parametrize("file", [file for file in _files("optional/format/*.json") if "idn-hostname" not in file])
def test_asserted_formats(file: str) -> None:
    _hold(file, "assertion")


@pytest.mark.parametrize("file", sorted(READ_OTHERWISE))
def test_where_the_reading_is_a_choice_the_second_opinion_abstains_or_agrees(file: str) -> None:
    dialect = FOLDERS[file.partition("/")[0]]
    differing = 0
    for group, schema, tests in _cases(file):
        schemas = schema_set(schema, dialect=dialect)
        validator, second = Validator(schemas), SecondOpinion(schemas)
        for test, value, valid in tests:
            answer = validator.is_valid(value)
            differing += answer is not valid
            assert second.is_valid(value) in {answer, None}, f"{group}: {test}"
    assert differing > 0


def test_the_bulk_validator_agrees_too() -> None:
    taken = refused = 0
    for file in _files("*.json"):
        for group, schema, tests in _cases(file):
            schemas = schema_set(schema, dialect=FOLDERS[file.partition("/")[0]], resources=_remotes())
            try:
                bulk = BulkValidator(schemas)
            except UnsupportedByBulk:
                refused += 1
                continue
            taken += 1
            for test, value, valid in tests:
                assert bulk.is_valid(value) is valid, f"{file}: {group}: {test}"
    assert taken > 1000
    # Those with vocabularies of their own, and nothing else.
    assert refused == 4


@pytest.mark.parametrize("formats", ["annotation", "assertion"])
def test_the_bulk_validator_agrees_on_the_optional_parts(formats: Formats) -> None:
    taken = 0
    part = "optional/*.json" if formats == "annotation" else "optional/format/*.json"
    for file in _files(part):
        if file in READ_OTHERWISE:
            continue
        for group, schema, tests in _cases(file):
            schemas = schema_set(schema, dialect=FOLDERS[file.partition("/")[0]], resources=_remotes())
            try:
                bulk = BulkValidator(schemas, formats=formats)
            except UnsupportedByBulk:
                continue
            for test, value, valid in tests:
                case = f"{group}: {test}"
                if not any(word in case for word in NEEDS_IDNA):
                    taken += 1
                    assert bulk.is_valid(value) is valid, f"{file}: {case}"
    assert taken > 100


def test_two_schemas_asked_at_once_agree_too() -> None:
    joint = 0
    for file in _files("*.json"):
        dialect = FOLDERS[file.partition("/")[0]]
        anything = BulkValidator(schema_set({"description": "anything"}, dialect=dialect))
        for group, schema, tests in _cases(file):
            try:
                bulk = BulkValidator(schema_set(schema, dialect=dialect, resources=_remotes()))
            except UnsupportedByBulk:
                continue
            for pair in (BulkPair(anything, bulk), BulkPair(bulk, anything)):
                joint += pair.joint
                for test, value, valid in tests:
                    assert pair.all_valid([value]) <= valid, f"{file}: {group}: {test}"
                    assert pair.wary or not pair.joint or pair.all_valid([value]) is valid, f"{file}: {group}: {test}"
    assert joint > 1000

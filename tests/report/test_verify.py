"""What `compat verify` writes: its published shape, and words for every outcome."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from conftest import PROJECT_ROOT
from jsonschema import Draft202012Validator

from compat.assess.verify import Answer, Fault, Verification
from compat.errors import Place
from compat.report.verify import conclusion, render, text

SCHEMA = PROJECT_ROOT / "schemas/compat-verify/compat-verify.schema.json"
YES = Answer(True, True)
NO = Answer(False, False, faults=(Fault("/a", "must be 1", Place("x.json", "/const", 1, 2)),))
UNSURE = Answer(True, None, "it cannot hold this value")
DISPUTED = Answer(True, False)


@pytest.mark.parametrize("old", [YES, NO, UNSURE, DISPUTED])
@pytest.mark.parametrize("new", [YES, replace(NO, more=True), replace(NO, second=None), DISPUTED])
def test_the_json_keeps_to_its_published_shape(old: Answer, new: Answer) -> None:
    if not SCHEMA.is_file():
        pytest.skip("no checkout: schemas/ is not part of an installation")
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    written = json.loads(render(Verification({"a": None}, old, new, "tag"), "old", "new", exit_code=1))
    assert [error.message for error in Draft202012Validator(schema).iter_errors(written)] == []
    assert set(written) == set(schema["properties"])
    assert set(written["old"]) == set(schema["$defs"]["side"]["properties"])
    for fault in written["new"]["faults"]:
        assert set(fault) == set(schema["$defs"]["fault"]["properties"])


@pytest.mark.parametrize(
    ("old", "new", "breaks", "says"),
    [
        (YES, NO, "backward", "Valid under OLD, invalid under NEW"),
        (NO, YES, "forward", "Invalid under OLD, valid under NEW"),
        (YES, YES, None, "Valid under both"),
        (NO, NO, None, "Invalid under both"),
        (UNSURE, NO, "backward", "Valid under OLD, invalid under NEW"),
        (YES, DISPUTED, None, "The two validators contradict each other"),
        (DISPUTED, NO, None, "The two validators contradict each other"),
    ],
)
def test_what_it_comes_to(old: Answer, new: Answer, breaks: str | None, says: str) -> None:
    found = Verification(1, old, new)
    assert conclusion(found).startswith(says)
    assert json.loads(render(found, "a", "b", exit_code=0))["breaks"] == breaks


def test_what_is_seen_past_and_left_out_is_said() -> None:
    written = text(Verification(1, UNSURE, replace(NO, more=True), "version tag 1 → 2: route by version"), "a", "b")
    assert "  version tag 1 → 2: route by version\n" in written
    assert "jsonschema: valid; jsonschema-rs abstains: it cannot hold this value\n" in written
    assert "    … and more\n" in written

"""What stored records say about a change, in every command that judges: how many fail, or that none could say."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from builders import GitRepository
from click.testing import Result

Run = Callable[..., Result]
Report = Callable[..., tuple[int, dict[str, Any]]]

SCHEMA = "schemas/order/order.schema.json"
RECORDS = "history/order/records"


def schema(version: str, kinds: str = "abc", child: object = None, **more: object) -> dict[str, object]:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://example.org/{version}/order.schema.json",
        "type": "object",
        "properties": {
            "kind": {"enum": list(kinds)},
            "child": child or {"properties": {"size": {"type": "integer"}}},
        },
        **more,
    }


LARGE = {"properties": {"size": {"type": "integer", "maximum": 9}}}


@pytest.fixture
def orders(repository: GitRepository) -> GitRepository:
    """A released version and a branch that narrows it twice; records show the first of the two only."""
    repository.write(SCHEMA, schema("1.0.0")).commit("one").tag("order-1.0.0").branch("work")
    repository.checkout("work")
    return repository.write(SCHEMA, schema("1.1.0", "ab", LARGE))


def kept(repository: GitRepository, *kinds: str, **more: object) -> GitRepository:
    lines = "".join(json.dumps({"kind": kind, **more}) + "\n" for kind in kinds)
    return repository.write(f"{RECORDS}/1.0.0.ndjson", lines)


def evidence(findings: list[dict[str, Any]]) -> dict[str, Any]:
    return {finding["instance_path"]: finding["evidence"] for finding in findings if finding["evidence"] is not None}


SAID = {
    "/kind": {"records": 4, "failing": 1, "reaching": None, "first": f"{RECORDS}/1.0.0.ndjson:3"},
    "/child/size": {"records": 4, "failing": 0, "reaching": 0, "first": None},
}


def test_check_says_what_fails_and_where_none_could_say(orders: GitRepository, report: Report, run: Run) -> None:
    kept(orders, *"abca")
    assert evidence(report(orders.root, "check")[1]["schemas"][0]["findings"]) == SAID
    text = run(orders.root, "check").stdout
    assert f"records: 1 of 4 stored records does this; first {RECORDS}/1.0.0.ndjson:3" in text
    assert "records: no stored record could say: none of 4 has child.size." in text
    kept(orders, *"ab", child={"size": 3})
    found = evidence(report(orders.root, "check")[1]["schemas"][0]["findings"])
    assert found["/child/size"] == {"records": 2, "failing": 0, "reaching": 2, "first": None}
    assert "records: 0 of 2 stored records do this." in run(orders.root, "check").stdout


def test_check_at_a_commit_reads_the_records_of_that_commit(orders: GitRepository, report: Report) -> None:
    kept(orders, *"abca").commit("work")
    kept(orders, *"cccccc")
    assert (
        evidence(report(orders.root, "check", "--head", "HEAD")[1]["schemas"][0]["findings"])["/kind"]["failing"] == 1
    )


@pytest.mark.parametrize(
    ("records", "note"),
    [
        (None, "no records are stored, so none could say whether data does this"),
        (
            '{"kind": 7}\n',
            "no stored record keeps to the old version, so none could say whether data does this",
        ),
        ('{"kind": "a"}\n', None),
    ],
)
def test_that_records_say_nothing_is_said_once(
    orders: GitRepository, report: Report, records: str | None, note: str | None
) -> None:
    if records is not None:
        orders.write(f"{RECORDS}/1.0.0.ndjson", records)
    assert report(orders.root, "check")[1]["schemas"][0]["notes"] == ([note] if note else [])
    assert report(orders.root, "check", "--no-records")[1]["schemas"][0]["notes"] == []


def test_records_that_lie_elsewhere_are_named_and_not_fetched(orders: GitRepository, report: Report) -> None:
    orders.write("compat.toml", '[schemas.order]\nfiles = "schemas/order/*"\nrecords = ["s3://key:pass@bucket/*.gz"]\n')
    _, told = report(kept(orders, *"abca").root, "check")
    schema_notes = told["schemas"][0]["notes"]
    assert "records at s3://bucket/*.gz were not read; compat replay --allow-remote does" in schema_notes
    assert evidence(told["schemas"][0]["findings"]) == SAID


def test_a_change_that_breaks_nothing_asks_no_record(orders: GitRepository, report: Report) -> None:
    orders.write(SCHEMA, schema("1.0.0", title="Order"))
    assert report(orders.root, "check")[1]["schemas"][0]["notes"] == []


def test_the_examples_of_the_old_version_are_records(repository: GitRepository, report: Report) -> None:
    shown = [{"kind": "c"}, {"kind": "a"}]
    repository.write(SCHEMA, schema("1.0.0", examples=shown)).commit("one").branch("work").checkout("work")
    repository.write(SCHEMA, schema("1.1.0", "ab"))
    told = evidence(report(repository.root, "check")[1]["schemas"][0]["findings"])["/kind"]
    assert (told["records"], told["failing"]) == (2, 1)
    assert SCHEMA in told["first"]


@pytest.mark.parametrize(("kinds", "note"), [("abcd", True), ("abce", False), ("abc", False)])
def test_a_reject_that_a_change_lets_in_is_a_note(
    orders: GitRepository, report: Report, run: Run, kinds: str, note: bool
) -> None:
    orders.write(SCHEMA, schema("1.1.0", kinds)).write(
        "history/order/rejects/1.0.0.ndjson", '{"kind": "d"}\n{"kind": 5}\n'
    )
    code, told = report(orders.root, "check")
    said = "1 of 2 stored rejects is accepted now, first history/order/rejects/1.0.0.ndjson:1"
    assert (code, told["schemas"][0]["notes"]) == (0, [said] if note else [])
    assert (said in run(orders.root, "check", "-v").stdout) is note


def test_diff_of_a_governed_file_quotes_its_records(orders: GitRepository, report: Report) -> None:
    kept(orders, *"abca")
    orders.write(f"{RECORDS}/2.0.0.ndjson", '{"kind": "c"}\n' * 9)
    for sides in ((f"main:{SCHEMA}", SCHEMA), ("main", "HEAD", "--path", SCHEMA), (f"main:{SCHEMA}", f":{SCHEMA}")):
        if len(sides) > 2 or sides[1].startswith(":"):
            orders.stage(SCHEMA).commit("work")
        assert evidence(report(orders.root, "diff", *sides)[1]["schemas"][0]["findings"]) == SAID
    without = report(orders.root, "diff", f"main:{SCHEMA}", SCHEMA, "--no-records")[1]["schemas"][0]
    assert (without["findings"][0]["evidence"], without["notes"]) == (None, [])


def test_diff_of_other_files_looks_for_no_records(orders: GitRepository, report: Report) -> None:
    kept(orders, *"abca")
    for name, version in (("old.json", schema("1.0.0")), ("new.json", schema("1.1.0", "ab"))):
        orders.write(name, {key: value for key, value in version.items() if key != "$schema"})
    (told,) = report(orders.root, "diff", "old.json", "new.json")[1]["schemas"]
    assert (evidence(told["findings"]), told["notes"]) == ({}, [])
    (told,) = report(orders.root, "diff", "old.json", SCHEMA, "--no-records")[1]["schemas"]
    assert (evidence(told["findings"]), told["notes"]) == ({}, [])


def test_log_says_how_many_of_the_version_before_fail(orders: GitRepository, report: Report, run: Run) -> None:
    kept(orders, *"abca").commit("work")
    orders.write(f"{RECORDS}/1.1.0.ndjson", '{"kind": "a"}\n' * 3).write(SCHEMA, schema("2.0.0", "a", LARGE)).commit(
        "two"
    )
    orders.write(SCHEMA, schema("2.1.0", "ad", LARGE)).commit("wider")
    versions = report(orders.root, "log", "order", "--no-cache")[1]["lineages"][0]["versions"]
    assert [version["evidence"] for version in versions] == [
        None,
        {"records": 4, "failing": 1, "first": f"{RECORDS}/1.0.0.ndjson:3"},
        {"records": 3, "failing": 0, "first": None},
        None,
    ]
    text = run(orders.root, "log", "order", "--no-cache").stdout
    assert f"1 of 4 stored records fails, first at {RECORDS}/1.0.0.ndjson:3" in text
    assert "0 of 3 stored records fail" in text
    assert "stored record" in run(orders.root, "log", "order", "--no-cache", "-f", "markdown").stdout
    assert "stored record" not in run(orders.root, "log", "order", "--no-cache", "--no-records").stdout


def test_gate_quotes_the_records_of_what_forces_the_bump(orders: GitRepository, report: Report, run: Run) -> None:
    text = run(orders.root, "gate", "order").stdout
    assert "no stored record could say whether data does this" in text
    kept(orders, *"abca")
    forcing = report(orders.root, "gate", "order")[1]["lineages"][0]["forcing"]
    assert forcing["evidence"] == SAID[forcing["instance_path"]]
    assert "stored record" in run(orders.root, "gate", "order").stdout

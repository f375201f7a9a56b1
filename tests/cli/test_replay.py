"""`compat replay` on real repositories: versions, pairs, streams, exit codes, privacy."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import GitRepository
from click.testing import Result

from compat.demo.history import entries
from compat.demo.repository import build

Run = Callable[..., Result]
Report = Callable[..., tuple[int, dict[str, Any]]]

SCHEMA = "schemas/order/order.schema.json"
RECORDS = "history/order/records"


def schema(version: str, **properties: object) -> dict[str, object]:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://example.org/{version}/order.schema.json",
        "properties": properties,
    }


@pytest.fixture
def orders(repository: GitRepository) -> GitRepository:
    """Two versions of one lineage; the second refuses one of three kinds."""
    repository.write(SCHEMA, schema("1.0.0", kind={"enum": ["a", "b", "c"]})).commit("one").tag("order-1.0.0")
    lines = b"".join(b'{"kind": "%c", "who": "Ada Lovelace"}\n' % kind for kind in b"abcabca")
    repository.write(f"{RECORDS}/1.0.0.ndjson", lines).commit("records")
    return repository.write(SCHEMA, schema("2.0.0", kind={"enum": ["a", "b"]})).commit("two")


def examples(lineages: set[str]) -> list[bytes]:
    """The examples inside the newest schema of each number."""
    schemas = {(entry.lineage, entry.version): json.loads(entry.schema) for entry in entries()}
    return [
        json.dumps(example).encode()
        for (lineage, _), schema in schemas.items()
        if lineage in lineages
        for example in schema.get("examples", ())
    ]


@pytest.fixture
def demo(tmp_path: Path, git_environment: dict[str, str]) -> Path:
    folder = tmp_path / "demo"
    folder.mkdir()
    build(folder)
    return folder


def test_records_are_judged_from_the_version_they_were_written_under(orders: GitRepository, report: Report) -> None:
    code, document = report(orders.root, "replay")
    assert code == 1
    (pair,) = document["pairs"]
    assert (pair["lineage"], pair["old"]) == ("order", "1.0.0")
    assert pair["totals"]["newly_fails"] == 2
    (group,) = pair["groups"]
    assert group["keyword_location"] == "/properties/kind/enum"
    assert group["places"] == [f"{RECORDS}/1.0.0.ndjson:3", f"{RECORDS}/1.0.0.ndjson:6"]


def test_values_are_private_unless_asked_for(orders: GitRepository, run: Run) -> None:
    for form in ("text", "json"):
        assert "Lovelace" not in run(orders.root, "replay", "-f", form).stdout
    shown = json.loads(run(orders.root, "replay", "--show-records", "-f", "json").stdout)
    assert shown["pairs"][0]["groups"][0]["example"]["value"]["who"] == "Ada Lovelace"


def test_text_names_cause_place_and_share(orders: GitRepository, run: Run) -> None:
    text = run(orders.root, "replay", "order").stdout
    assert '✗ 2 records  kind: "c" is not one of the 2 values allowed' in text
    assert f"{RECORDS}/1.0.0.ndjson:3, :6" in text
    assert text.endswith("7 records replayed: 2 newly fail.\n")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((), 1),
        (("--fail-on", "never"), 0),
        (("--new", "HEAD~1"), 0),
        (("--old", "HEAD~1", "--new", "HEAD"), 1),
        (("--old", "1.0.0"), 1),
        (("--old", "2.0.0"), 0),
        ((f"HEAD~1:{SCHEMA}", f"HEAD:{SCHEMA}"), 1),
        ((f"HEAD:{SCHEMA}", f"HEAD~1:{SCHEMA}"), 0),
        ((f"HEAD:{SCHEMA}", f"HEAD~1:{SCHEMA}", "--fail-on", "risky"), 1),
        ((SCHEMA,), 1),
    ],
)
def test_exit_codes(orders: GitRepository, run: Run, arguments: tuple[str, ...], code: int) -> None:
    result = run(orders.root, "replay", *arguments)
    assert result.exit_code == code, result.output


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (("ordr",), 2, "did you mean"),
        (("--records", "nothing/*.ndjson"), 3, "no file matches"),
        (("--records", "/nowhere/dump.ndjson"), 3, "by standard input: --records - < file"),
        (("order", "item", "--old", "1.0.0", "--records", "-"), 2, "is no lineage"),
        (("--transitive", "--old", "1.0.0"), 2, "neither side can be named"),
        (("--records", "s3://bucket/*.gz"), 3, "add --allow-remote"),
        ((f"HEAD~1:{SCHEMA}", f"HEAD:{SCHEMA}", "--old", "1"), 2, "same thing twice"),
        (("--new", "nowhere"), 3, "no such revision"),
    ],
)
def test_what_cannot_be_asked_is_said(
    orders: GitRepository, run: Run, arguments: tuple[str, ...], code: int, word: str
) -> None:
    result = run(orders.root, "replay", *arguments)
    assert result.exit_code == code
    assert word in result.stderr.lower()


def test_without_records_nothing_was_replayed(repository: GitRepository, run: Run) -> None:
    result = run(repository.write(SCHEMA, schema("1.0.0")).commit("one").root, "replay")
    assert result.exit_code == 3
    assert "history/<lineage>/records" in result.stderr


def test_unreadable_records_are_told_and_win_over_findings(orders: GitRepository, report: Report) -> None:
    orders.write(f"{RECORDS}/1.0.0.ndjson", b'{"kind": "c"}\n\n{"kind": NaN}\n{"kind": "a"')
    code, document = report(orders.root, "replay")
    assert code == 3
    assert document["totals"] | {"read": 3, "newly_fails": 1, "unreadable": 2} == document["totals"]
    places = [item["place"] for trouble in document["pairs"][0]["unreadable"] for item in trouble["first"]]
    assert any(place.endswith("1.0.0.ndjson:3") for place in places)


@pytest.mark.parametrize("text", ['{"type": 5}', '{"type": '])
def test_a_schema_that_is_none_stops_only_its_lineage(orders: GitRepository, report: Report, text: str) -> None:
    item = "schemas/item/item.schema.json"
    orders.write(item, schema("1.0.0", kind={"enum": ["a"]})).commit("item")
    orders.write("history/item/records/1.0.0.ndjson", b'{"kind": "a"}\n').write(item, text)
    code, document = report(orders.root, "replay")
    assert code == 3
    assert [pair["lineage"] for pair in document["pairs"]] == ["order"]
    (problem,) = document["problems"]
    assert item in problem["place"]


def test_records_of_a_version_nobody_knows_are_unrouted(orders: GitRepository, report: Report) -> None:
    orders.write(f"{RECORDS}/9.9.9.ndjson", b"{}\n{\n")
    code, document = report(orders.root, "replay")
    assert code == 3
    (odd,) = (pair for pair in document["pairs"] if pair["note"])
    assert "no version 9.9.9" in odd["note"]
    assert (odd["totals"]["unrouted"], odd["totals"]["unreadable"]) == (1, 1)


def test_gzip_arrays_and_revisions_of_the_file_are_read(orders: GitRepository, report: Report) -> None:
    orders.remove(f"{RECORDS}/1.0.0.ndjson")
    orders.write(f"{RECORDS}/1.0.0.json.gz", gzip.compress(b'[{"kind": "c"},\n{"kind": "a"}]'))
    assert report(orders.root, "replay")[1]["totals"]["newly_fails"] == 1


def test_a_link_out_of_the_root_is_not_read(orders: GitRepository, tmp_path: Path, report: Report) -> None:
    (tmp_path / "secret.ndjson").write_bytes(b'{"kind": "a"}\n')
    orders.remove(f"{RECORDS}/1.0.0.ndjson").symlink(f"{RECORDS}/1.0.0.ndjson", str(tmp_path / "secret.ndjson"))
    code, document = report(orders.root, "replay")
    assert code == 3
    assert "leads out of the root" in json.dumps(document)


def test_the_whole_history_of_the_demo_is_replayed(demo: Path, report: Report) -> None:
    code, document = report(demo, "replay")
    assert code == 1
    kept = sum(len(path.read_bytes().splitlines()) for path in demo.glob("history/*/records/*.ndjson"))
    shown = len(examples({entry.lineage for entry in entries()}))
    assert document["totals"]["read"] == kept + shown
    assert kept > 700
    assert shown > 0
    assert document["totals"]["failed_already"] == document["totals"]["unreadable"] == 0
    assert {pair["lineage"] for pair in document["pairs"]} == {entry.lineage for entry in entries()}
    newest = [pair for pair in document["pairs"] if pair["new"].startswith(pair["old"] + " ")]
    assert len(newest) == 4
    assert all(pair["totals"]["newly_fails"] == 0 for pair in newest)


def test_a_mixed_stream_is_routed_record_by_record(demo: Path, report: Report) -> None:
    names = ("task", "pw-decide-row", "invocation-response")
    lines = [
        *examples(set(names)),
        *(
            line
            for name in names
            for path in sorted(demo.glob(f"history/{name}/records/*.ndjson"))
            for line in path.read_bytes().splitlines()
        ),
    ]
    mixed = [line for start in range(7) for line in lines[start::7]]
    (demo / "mixed.ndjson").write_bytes(b"\n".join([*mixed, b'{"who": "knows"}', b"[", b""]))
    code, document = report(demo, "replay", "--records", "mixed.ndjson")
    assert code == 3
    separate = report(demo, "replay", *names)[1]["totals"]
    assert document["totals"] == separate | {"unrouted": 1, "unreadable": 1, "read": separate["read"] + 2}


def test_a_record_that_names_its_schema_is_routed_by_it(orders: GitRepository, report: Report) -> None:
    named = b'{"$schema": "https://example.org/1.0.0/order.schema.json", "kind": "c"}\n{"kind": "c"}\n'
    orders.write("stream.ndjson", named)
    document = report(orders.root, "replay", "--records", "stream.ndjson")[1]
    assert report(orders.root, "replay", "--records", "-", input=named)[1]["totals"] == document["totals"]
    assert (document["totals"]["newly_fails"], document["totals"]["unrouted"]) == (1, 1)


@pytest.mark.parametrize(
    "sides", [(f"HEAD~1:{SCHEMA}", f"HEAD:{SCHEMA}"), ("order", "--old", "1.0.0"), (SCHEMA, "--old", "HEAD~1")]
)
def test_standard_input_is_replayed_against_named_sides(
    orders: GitRepository, report: Report, sides: tuple[str, ...]
) -> None:
    code, document = report(orders.root, "replay", *sides, "--records", "-", input=b'{"kind": "c"}\n{"kind": "a"}\n')
    assert code == 1
    assert (document["totals"]["read"], document["totals"]["newly_fails"]) == (2, 1)


def test_records_that_say_no_version_are_told_how_to_say_it(orders: GitRepository, run: Run) -> None:
    orders.write(f"{RECORDS}/dump.ndjson", b"{}\n")
    told = run(orders.root, "replay")
    assert told.exit_code == 3
    assert f"named by no version: {RECORDS}/dump.ndjson; call it such as 1.0.0.ndjson" in told.stdout
    told = run(orders.root, "replay", "--records", "-", input=b"{}\n")
    assert told.exit_code == 3
    assert "to say them: compat replay LINEAGE --old VERSION" in told.stdout

"""What replay and gate print: nothing from a record or schema can steer the terminal, and JSON keeps its shape."""

from __future__ import annotations

import dataclasses
import json
from datetime import date
from pathlib import Path

import pytest

from compat.assess import Finding, Problem, Witness
from compat.errors import Place
from compat.gate import Forcing, Judgement, Outcome, Release
from compat.lineage import Bump, Marker, Step, VersionNumber
from compat.model.instance import Validator
from compat.model.references import check_schema, schema_set
from compat.relation import Direction, Level, Status
from compat.replay.causes import Cause
from compat.replay.parse import Kind
from compat.replay.read import Unreadable
from compat.replay.summary import (
    Disagreement,
    Evidence,
    Example,
    Group,
    RecordPlace,
    Replayed,
    Summary,
    Tally,
    Trouble,
)
from compat.report import gate, replay

NASTY = "\x1b[31m\u202e\nx"


def replayed(text: str = "kind", count: int = 2) -> Replayed:
    place = RecordPlace(f"{text}.ndjson", 3)
    cause = Cause(text, f"/{text}/enum", f"/{text}/*", "enum", f"{text} is not allowed")
    group = Group(cause, count, (place,), Example(9, place, {text: [text, 1]}, redacted=False))
    trouble = Trouble(Kind.TRUNCATED, 7, (Unreadable(Kind.TRUNCATED, f"cut off {text}", text, 4, 2),))
    return Replayed(
        text,
        "1",
        "2",
        Summary(
            Tally(1, count, 3, 4, 7, 6),
            (group,),
            (trouble,),
            (place,),
            (Disagreement(place, "new", fast=True, reference=False),),
            1,
            5,
        ),
        (text,),
        Marker("/v", text, 2, (), ()),
        text,
    )


def test_a_replay_reads_like_this() -> None:
    assert replay.text([replayed()]) == (
        "kind    1 → 2    23 records\n"
        '  version tag "kind" → 2: seen past, records are routed by it\n'
        "  kind\n"
        "  1 pass both, 2 newly fail, 3 failed already, 4 newly pass, 7 unreadable, 6 unrouted\n"
        "\n"
        "  ✗ 2 records  kind[*]: kind is not allowed\n"
        "    100% of what newly fails; kind at /kind/enum\n"
        "    kind.ndjson:3 …\n"
        '    {"kind": ["kind", 1]}\n'
        "\n"
        "  failed already: kind.ndjson:3\n"
        "\n"
        "  ! 7 records could not be read (truncated)\n"
        "    kind:4:2: cut off kind\n"
        "    …\n"
        "\n"
        "  ! two validators differ on 1 record; the reference counts\n"
        "    kind.ndjson:3 under the new version\n"
        "\n"
        "23 records replayed: 2 newly fail, 7 unreadable, 6 unrouted.\n"
    )


def test_nothing_to_say_is_said_as_nothing() -> None:
    text = replay.text([Replayed("task", "1", "2", Summary(Tally(passes_both=1)))])
    assert text.endswith("1 record replayed: none newly fails.\n")


def test_what_could_not_be_checked_is_never_summed_up_as_fine() -> None:
    assert replay.text([], [problem()]).endswith(
        "0 records replayed: 1 lineage could not be replayed, see the errors.\n"
    )
    assert gate.text([FIRST], [problem()]).endswith("1 lineage judged, 1 could not be checked, see the errors.\n")
    assert gate.text([FIRST], []).endswith("1 lineage judged: nothing to object to.\n")


def test_many_causes_are_cut_in_text_only() -> None:
    place = RecordPlace("r", 1)
    groups = tuple(Group(Cause("s", f"/k{n}", "", "enum", "odd"), 1, (place,), Example(1, place, 1)) for n in range(30))
    found = [Replayed("task", "1", "2", Summary(Tally(newly_fails=30), groups))]
    assert "… and 10 more causes" in replay.text(found)
    assert len(json.loads(replay.render(found, [], "json", exit_code=1))["pairs"][0]["groups"]) == 30


@pytest.mark.parametrize("color", [False, True])
def test_no_text_steers_the_terminal(color: bool) -> None:
    shown = replay.text([replayed(NASTY)], [problem(NASTY)], color=color) + gate.text(
        [judgement(NASTY)], [problem(NASTY)], color=color
    )
    if color:
        for code in ("0", "1", "2", "1;31", "32", "33"):
            shown = shown.replace(f"\x1b[{code}m", "")
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\nx" not in shown


def judgement(text: str = "kind") -> Judgement:
    finding = Finding(
        "enum-value-removed",
        Level.BREAKING,
        "task",
        "f",
        f"{text} is no longer accepted.",
        instance_path=f"/{text}",
        new_place=Place(text, "/enum", 3, 4),
        backward=Status.BREAKING,
        evidence=Evidence(10, 2, f"{text}:1"),
    )
    forcing = Forcing(Direction.BACKWARD, Status.BREAKING, finding, Witness({text: 1}, Direction.BACKWARD, f"/{text}"))
    return Judgement(
        text,
        Outcome.UNDER_BUMPED,
        Step.BREAKING,
        Release(VersionNumber.parse("1.0"), "sha256:0", date(2026, 1, 2), text),
        VersionNumber.parse("1.1"),
        Bump.MAJOR,
        VersionNumber.parse("2.0"),
        forcing,
        (text,),
    )


def problem(text: str = "kind") -> Problem:
    return Problem(f"cannot read {text}", Place(text), f"fetch {text}")


def test_a_gate_reads_like_this() -> None:
    assert gate.text([judgement()], [problem()]) == (
        "kind    last release 1.0 (2026-01-02, kind), declares 1.1\n"
        "  ✗ under-bumped: breaking change needs 2.0 (major)\n"
        "    enum-value-removed  kind: kind is no longer accepted.\n"
        "    kind:3:4\n"
        '    old: accepts, new: rejects    {"kind": 1}\n'
        "    2 of 10 stored records do this; first kind:1\n"
        "    kind\n"
        "\n"
        "error: kind: cannot read kind\n"
        "  fetch kind\n"
        "\n"
        "1 lineage judged, 1 could not be checked, see the errors: 1 not ready to release.\n"
    )


@pytest.mark.parametrize("witness", [None, 0, {"a": 1}])
def test_a_witness_of_null_is_a_witness(witness: object) -> None:
    forcing = Forcing(Direction.BACKWARD, Status.BREAKING, None, Witness(witness, Direction.BACKWARD))  # type: ignore[arg-type]
    one = Judgement("t", Outcome.UNDER_BUMPED, Step.BREAKING, None, None, forcing=forcing)
    told = json.loads(gate.render([one], [], "json", exit_code=1))["lineages"][0]["forcing"]
    assert told["witness"] == witness
    open_one = Judgement(
        "t",
        Outcome.UNDER_BUMPED,
        Step.BREAKING,
        None,
        None,
        forcing=Forcing(Direction.BACKWARD, Status.UNKNOWN, why="?"),
    )
    assert "witness" not in json.loads(gate.render([open_one], [], "json", exit_code=1))["lineages"][0]["forcing"]


@pytest.mark.parametrize("outcome", list(Outcome))
@pytest.mark.parametrize("declared", ["1.0", "1.1", None])
def test_every_outcome_has_words(outcome: Outcome, declared: str | None) -> None:
    number = None if declared is None else VersionNumber.parse(declared)
    last = Release(VersionNumber.parse("1.0"), "sha256:0")
    one = Judgement("t", outcome, Step.CHANGED, last, number, Bump.MINOR, VersionNumber.parse("1.1"))
    line = gate.text([one], []).splitlines()[1].strip()
    assert len(line) > 10
    assert line[0] == ("✗" if outcome.fails else "!" if outcome is Outcome.OVER_BUMPED else "·")


# -- the published shapes -------------------------------------------------------------------------------------------


def published(name: str) -> Validator:
    path = Path(__file__).parents[2] / f"schemas/compat-{name}/compat-{name}.schema.json"
    if not path.is_file():
        pytest.skip("no checkout: schemas/ is not part of an installation")
    schemas = schema_set(json.loads(path.read_text(encoding="utf-8")))
    check_schema(schemas)
    return Validator(schemas)


EMPTY = Replayed("", "", "", Summary())
FIRST = Judgement("t", Outcome.NEVER_RELEASED, Step.NOTHING, None, None)


@pytest.mark.parametrize("found", [[], [replayed()], [EMPTY, replayed()]])
def test_a_replay_keeps_to_its_published_shape(found: list[Replayed]) -> None:
    document = json.loads(replay.render(found, [problem(), Problem("no place", None)], "json", exit_code=3))
    assert list(published("replay").failures(document)) == []
    del document["totals"]
    assert not published("replay").is_valid(document)


@pytest.mark.parametrize("outcome", list(Outcome))
@pytest.mark.parametrize("step", list(Step))
def test_a_judgement_keeps_to_its_published_shape(outcome: Outcome, step: Step) -> None:
    judgements = [dataclasses.replace(judgement(), outcome=outcome, step=step), FIRST]
    problems = [problem(), Problem("no place", None)]
    document = json.loads(gate.render(judgements, problems, "json", exit_code=1))
    assert list(published("gate").failures(document)) == []
    document["lineages"][0]["outcome"] = "splendid"
    assert not published("gate").is_valid(document)


@pytest.mark.parametrize("bump", list(Bump))
def test_every_bump_is_published(bump: Bump) -> None:
    judgements = [dataclasses.replace(judgement(), bump=bump)]
    assert published("gate").is_valid(json.loads(gate.render(judgements, [], "json", exit_code=1)))

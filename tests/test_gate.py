"""The gate's table, scheme by scheme, each cell with the number that is just enough and the one that is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import pytest

from compat.assess import Finding, Witness
from compat.diff.change import Change, Side
from compat.gate import Forcing, Judgement, Outcome, Release, Removal, edited, judge, removed
from compat.jsonvalue import JSON
from compat.lineage import Bump, Scheme, Step, VersionNumber
from compat.policy import Policy, Treatment
from compat.proof.verdict import Doubt
from compat.relation import Direction, Effect, Level, Mode, Status

C, B, U = Status.COMPATIBLE, Status.BREAKING, Status.UNKNOWN


@dataclass(frozen=True)
class Compared:
    status: Status
    witness: JSON = None
    undeclared: bool = False
    doubts: Sequence[Doubt] = ()


@dataclass(frozen=True)
class Pair:
    backward: Compared
    forward: Compared
    apart: bool | str | None = "not to be asked"

    @property
    def disjoint(self) -> bool | None:
        assert not isinstance(self.apart, str), self.apart
        return self.apart

    def verdict(self, direction: Direction) -> Compared:
        return self.backward if direction is Direction.BACKWARD else self.forward


def pair(backward: Status, forward: Status, apart: bool | str | None = "not to be asked") -> Pair:
    return Pair(Compared(backward), Compared(forward), apart=apart)


def run(old: str, new: str, compared: Pair | None, *, policy: Policy | None = None, digest: str = "new") -> Judgement:
    return judge(
        "task",
        Release(VersionNumber.parse(old), "old"),
        VersionNumber.parse(new),
        digest=digest,
        pair=compared,
        policy=policy or Policy(),
    )


SAME, WIDER, NARROWER, APART, OPEN = pair(C, C), pair(C, B), pair(B, C, False), pair(B, B, True), pair(B, C, None)

# scheme: released, then for each step the bump, the least number and one that is not enough (None: none is needed)
TABLE: dict[Scheme, tuple[str, dict[Step, tuple[Bump, str, str | None]]]] = {
    Scheme.SEMVER: (
        "1.2.3",
        {
            Step.ANNOTATIONS: (Bump.PATCH, "1.2.4", None),
            Step.CHANGED: (Bump.MINOR, "1.3.0", "1.2.4"),
            Step.BREAKING: (Bump.MAJOR, "2.0.0", "1.3.0"),
            Step.DISJOINT: (Bump.MAJOR, "2.0.0", "1.9.9"),
        },
    ),
    Scheme.SCHEMAVER: (
        "1-2-3",
        {
            Step.ANNOTATIONS: (Bump.ADDITION, "1-2-4", None),
            Step.CHANGED: (Bump.ADDITION, "1-2-4", "1-2-3"),
            Step.BREAKING: (Bump.REVISION, "1-3-0", "1-2-4"),
            Step.DISJOINT: (Bump.MODEL, "2-0-0", "1-3-0"),
        },
    ),
    Scheme.TWO_PART: (
        "1.2",
        {
            Step.ANNOTATIONS: (Bump.MINOR, "1.3", None),
            Step.CHANGED: (Bump.MINOR, "1.3", "1.2"),
            Step.BREAKING: (Bump.MAJOR, "2.0", "1.3"),
            Step.DISJOINT: (Bump.MAJOR, "2.0", "1.9"),
        },
    ),
    Scheme.INTEGER: (
        "1",
        {
            Step.ANNOTATIONS: (Bump.NONE, "1", None),
            Step.CHANGED: (Bump.NONE, "1", None),
            Step.BREAKING: (Bump.NEXT, "2", "1"),
            Step.DISJOINT: (Bump.NEXT, "2", "1"),
        },
    ),
}
PAIRS = {
    Step.ANNOTATIONS: SAME,
    Step.CHANGED: WIDER,
    Step.BREAKING: NARROWER,
    Step.DISJOINT: APART,
}
CELLS = [
    pytest.param(released, step, bump, enough, short, id=f"{scheme}-{step}")
    for scheme, (released, row) in TABLE.items()
    for step, (bump, enough, short) in row.items()
]


@pytest.mark.parametrize(("released", "step", "bump", "enough", "short"), CELLS)
def test_the_least_bump_is_enough_and_less_is_not(
    released: str, step: Step, bump: Bump, enough: str, short: str | None
) -> None:
    compared = PAIRS[step]
    found = run(released, enough, compared)
    assert (found.outcome, found.bump, str(found.least)) == (Outcome.READY, bump, enough)
    assert not found.fails
    if short is not None:
        found = run(released, short, compared)
        assert found.outcome is (Outcome.EDITED if short == released else Outcome.UNDER_BUMPED)
        assert (found.bump, str(found.least)) == (bump, enough)
        assert found.fails


@pytest.mark.parametrize(("released", "step", "bump", "enough", "short"), CELLS)
def test_more_than_enough_is_a_note(released: str, step: Step, bump: Bump, enough: str, short: str | None) -> None:
    compared = PAIRS[step]
    more = "9" + enough[1:]
    found = run(released, more, compared)
    assert found.outcome is Outcome.OVER_BUMPED
    assert not found.fails
    assert f"declares {more}; {enough} would have been enough" in found.notes
    assert bump is found.bump
    assert short != more


@pytest.mark.parametrize(("old", "new"), [("1.0.0", "2.0.0"), ("1.0", "2.0"), ("1", "2")])
def test_only_schemaver_asks_whether_nothing_stays_valid(old: str, new: str) -> None:
    assert run(old, new, pair(B, B)).outcome is Outcome.READY


def test_schemaver_in_a_forward_mode_does_not_ask_when_all_old_data_stays_valid() -> None:
    found = run("1-0-0", "1-1-0", WIDER, policy=Policy(mode=Mode.FORWARD))
    assert (found.outcome, found.step) == (Outcome.READY, Step.BREAKING)


def test_unknown_asks_for_the_higher_bump() -> None:
    doubtful = Pair(Compared(U, doubts=(Doubt("/x", "two patterns were too much"),)), Compared(C))
    found = run("1.0.0", "1.1.0", doubtful)
    assert found.outcome is Outcome.UNDER_BUMPED
    assert found.forcing is not None
    assert (found.forcing.status, found.forcing.why) == (U, "two patterns were too much")
    assert any("two patterns were too much" in note for note in found.notes)
    assert run("1.0.0", "2.0.0", doubtful).outcome is Outcome.READY
    assert run("1-0-0", "1-1-0", OPEN).outcome is Outcome.UNDER_BUMPED
    assert run("1-0-0", "2-0-0", OPEN).outcome is Outcome.READY


@pytest.mark.parametrize(
    ("mode", "compared", "step"),
    [
        (Mode.BACKWARD, WIDER, Step.CHANGED),
        (Mode.BACKWARD, NARROWER, Step.BREAKING),
        (Mode.FORWARD, WIDER, Step.BREAKING),
        (Mode.FORWARD, NARROWER, Step.CHANGED),
        (Mode.FULL, WIDER, Step.BREAKING),
        (Mode.FULL, NARROWER, Step.BREAKING),
        (Mode.NONE, APART, Step.CHANGED),
        (Mode.FULL_TRANSITIVE, SAME, Step.ANNOTATIONS),
    ],
)
def test_the_mode_says_what_breaking_is(mode: Mode, compared: Pair, step: Step) -> None:
    assert run("1.0.0", "9.0.0", compared, policy=Policy(mode=mode)).step is step


def test_a_break_nobody_asked_about_is_a_note() -> None:
    found = run("1.0.0", "1.1.0", WIDER)
    assert found.outcome is Outcome.READY
    assert any("readers still on the old version" in note and "backward" in note for note in found.notes)
    assert not any("readers" in note for note in run("1.0.0", "2.0.0", NARROWER).notes)


@pytest.mark.parametrize(
    ("treatment", "outcome"), [(Treatment.WARN, Outcome.READY), (Treatment.ERROR, Outcome.UNDER_BUMPED)]
)
def test_breaks_by_undeclared_properties_follow_the_policy(treatment: Treatment, outcome: Outcome) -> None:
    compared = Pair(Compared(B, {"x": 1}, undeclared=True), Compared(C))
    assert run("1.0.0", "1.1.0", compared, policy=Policy(undeclared=treatment)).outcome is outcome


def test_the_forcing_finding_is_named_with_its_witness() -> None:
    there = Witness({"kind": "harness"}, Direction.BACKWARD, "/kind")
    elsewhere = Witness({"kind": "new"}, Direction.FORWARD)
    harmless = Finding("title-changed", Level.SAFE, "task", "1", "title changed")
    culprit = Finding(
        "enum-value-removed",
        Level.SAFE,  # a severity or a waiver silences a check, not a release
        "task",
        "2",
        '"harness" is no longer accepted.',
        backward=B,
        witnesses=(elsewhere, there),
    )
    compared = Pair(Compared(B, {"other": 1}), Compared(C))

    def forcing(findings: Sequence[Finding]) -> Forcing | None:
        last = Release(VersionNumber.parse("1.0.0"), "old")
        number = VersionNumber.parse("1.0.1")
        found = judge("task", last, number, digest="n", pair=compared, policy=Policy(), findings=findings)
        assert found.outcome is Outcome.UNDER_BUMPED
        return found.forcing

    assert forcing((harmless, culprit)) == Forcing(Direction.BACKWARD, B, culprit, there)
    # Where no finding says it, the verdict's own witness stands in.
    assert forcing((harmless,)) == Forcing(Direction.BACKWARD, B, None, Witness({"other": 1}, Direction.BACKWARD))


def test_equal_content_needs_nothing() -> None:
    found = run("1.0.0", "1.0.0", None, digest="old")
    assert (found.outcome, found.step, found.fails) == (Outcome.UNCHANGED, Step.NOTHING, False)


def test_a_lineage_that_was_never_released_says_so() -> None:
    found = judge("t", None, VersionNumber.parse("1"), digest="d", pair=None, policy=Policy())
    assert found.outcome is Outcome.NEVER_RELEASED
    assert not found.fails
    assert "never released" in found.notes[0]


def test_a_released_version_keeps_its_content_except_for_annotations() -> None:
    found = run("1.0.0", "1.0.0", SAME)
    assert (found.outcome, found.fails) == (Outcome.READY, False)
    assert any("edited in place" in note for note in found.notes)
    assert run("1.0.0", "1.0.0", WIDER).outcome is Outcome.EDITED
    assert run("1", "1", WIDER).outcome is Outcome.READY
    assert run("1", "1", NARROWER).outcome is Outcome.EDITED


def test_an_older_release_edited_in_place_is_found() -> None:
    release = Release(VersionNumber.parse("1.0.0"), "old")
    found = edited("task", release, NARROWER, Policy())
    assert (found.outcome, str(found.least), found.fails) == (Outcome.EDITED, "2.0.0", True)
    assert edited("task", Release(None, "old", tag="v1"), NARROWER, Policy()).outcome is Outcome.READY


def test_an_edit_that_is_allowed_is_shown() -> None:
    release = Release(VersionNumber.parse("1.0.0"), "old")
    side = Side("s", "/x", "a")
    words = [
        Finding(
            f"{keyword}-changed",
            Level.SAFE,
            "task",
            "1",
            "changed",
            instance_path=path,
            annotation=True,
            change=Change(f"{keyword}-changed", keyword, side, side, path, "changed", Effect.NONE),
        )
        for keyword, path in (("title", ""), ("title", "/kind"), ("description", "/kind"))
    ]
    found = edited("task", release, SAME, Policy(), findings=words)
    assert (found.outcome, found.fails) == (Outcome.READY, False)
    assert found.notes[-1] == (
        "1.0.0 was edited in place after its release, without effect on data: "
        "title of the whole and kind; description of kind"
    )
    found = edited("task", release, SAME, Policy())
    assert found.notes[-1].endswith("without effect on data: how it is written")
    found = edited("task", Release(VersionNumber.parse("1"), "old"), WIDER, Policy())
    assert (found.outcome, found.notes[-1].startswith("1 was revised in place")) == (Outcome.READY, True)


def gone(deprecated: int, asked: int, waived: str | None = None) -> Removal:
    return Removal("/kind", None, deprecated, asked, waived)


@pytest.mark.parametrize(
    ("removals", "outcome", "note"),
    [
        ((gone(0, 1),), Outcome.REMOVED_EARLY, None),
        ((gone(1, 2),), Outcome.REMOVED_EARLY, None),
        ((gone(1, 1), gone(0, 1)), Outcome.REMOVED_EARLY, "kind is gone, after 1 release as deprecated"),
        ((gone(1, 1),), Outcome.READY, "kind is gone, after 1 release as deprecated"),
        ((gone(2, 2),), Outcome.READY, "kind is gone, after 2 releases as deprecated"),
        ((gone(0, 0),), Outcome.READY, None),
        ((gone(0, 1, "never shipped"),), Outcome.READY, "kind is gone without notice, waived: never shipped"),
        (
            (gone(0, 1, "never shipped"), gone(0, 1)),
            Outcome.REMOVED_EARLY,
            "kind is gone without notice, waived: never shipped",
        ),
    ],
)
def test_no_number_makes_up_for_a_property_that_goes_without_notice(
    removals: tuple[Removal, ...], outcome: Outcome, note: str | None
) -> None:
    last = Release(VersionNumber.parse("1.0.0"), "old")

    def at(number: str) -> Judgement:
        declared = VersionNumber.parse(number)
        return judge("t", last, declared, digest="n", pair=NARROWER, policy=Policy(), removals=removals)

    assert at("2.0.0").outcome is outcome
    assert at("1.0.1").outcome is Outcome.UNDER_BUMPED  # the number comes first
    assert [one for one in at("2.0.0").notes if "is gone" in one] == ([] if note is None else [note])


@pytest.mark.parametrize(
    ("deprecated", "asked", "outcome", "said"),
    [
        (0, 1, Outcome.REMOVED, "for 1 release"),
        (1, 3, Outcome.REMOVED, "for 2 more releases"),
        (1, 1, Outcome.RETIRED, "after 1 release as deprecated"),
        (0, 0, Outcome.RETIRED, "no notice is asked for"),
    ],
)
def test_a_lineage_may_go_once_notice_was_given(deprecated: int, asked: int, outcome: Outcome, said: str) -> None:
    found = removed("t", Release(VersionNumber.parse("1"), "old"), deprecated=deprecated, asked=asked)
    assert (found.outcome, found.fails) == (outcome, outcome is Outcome.REMOVED)
    assert said in found.notes[0]


def test_a_number_below_the_last_release_fails() -> None:
    assert run("2.0.0", "1.9.0", SAME).outcome is Outcome.BACKWARDS
    assert run("1.10.0", "1.9.0", SAME).outcome is Outcome.BACKWARDS
    assert run("1.9.0", "1.10.0", WIDER).outcome is Outcome.READY


def test_before_one_point_zero_the_second_part_carries_breaks() -> None:
    assert run("0.3.1", "0.4.0", NARROWER).outcome is Outcome.READY
    assert run("0.3.1", "0.3.2", NARROWER).outcome is Outcome.UNDER_BUMPED
    assert run("0.3.1", "0.3.2", WIDER).outcome is Outcome.READY


@pytest.mark.parametrize(("compared", "outcome"), [(NARROWER, Outcome.UNNUMBERED), (WIDER, Outcome.READY)])
def test_without_a_number_only_a_break_is_an_objection(compared: Pair, outcome: Outcome) -> None:
    found = judge("t", Release(None, "old", tag="v1"), None, digest="n", pair=compared, policy=Policy())
    assert found.outcome is outcome
    assert any("no version number" in note for note in found.notes)


def test_dates_move_with_any_change_of_the_set() -> None:
    last = Release(VersionNumber.parse("2026-01-31"), "old")

    def at(text: str, compared: Pair) -> Judgement:
        number, today = VersionNumber.parse(text), date(2026, 3, 1)
        return judge("t", last, number, digest="n", pair=compared, policy=Policy(), today=today)

    assert at("2026-02-01", WIDER).outcome is Outcome.READY
    assert at("2026-01-31", WIDER).outcome is Outcome.EDITED
    assert at("2026-01-31", SAME).outcome is Outcome.READY
    assert str(at("2026-03-01", NARROWER).least) == "2026-03-01"


@pytest.mark.parametrize(
    ("last", "compared", "least"),
    [("0.3.0", NARROWER, "0.4.0"), ("1.2.0", NARROWER, "2.0.0"), ("1.2.0", WIDER, "1.3.0"), ("3", WIDER, None)],
)
def test_without_a_number_the_least_is_told_where_one_is_due(last: str, compared: Pair, least: str | None) -> None:
    release = Release(VersionNumber.parse(last), "old", tag=f"v{last}")
    (*_, note) = judge("t", release, None, digest="n", pair=compared, policy=Policy()).notes
    assert note.partition("; ")[2] == (f"{least} would do" if least else "")

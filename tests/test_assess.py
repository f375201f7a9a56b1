"""Findings: each level from mode, proof and policy; no verdict lost; shared files told once; waivers counted."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

import pytest

from compat.assess import (
    Affected,
    Conclusion,
    Finding,
    Outcome,
    Places,
    Problem,
    Report,
    SchemaReport,
    fold_shared,
    judge,
    policy_findings,
    with_waivers,
)
from compat.diff.change import Change, Side
from compat.jsonvalue import JSON
from compat.model.document import Document, parse_document
from compat.policy import Policies, Policy, Treatment, Waiver, read_policies
from compat.proof.verdict import Doubt, Origin, Reason
from compat.relation import Direction, Effect, Level, Mode, Status

OLD = {"type": "object", "properties": {"kind": {"enum": ["a", "b"]}, "size": {"type": "integer"}}}
NEW = {"type": "object", "properties": {"kind": {"enum": ["a"]}, "size": {"type": "integer"}}}


def document(value: JSON, name: str = "new.json", uri: str = "file:///new.json") -> Document:
    return parse_document(json.dumps(value, indent=2), name=name, uri=uri)


@dataclass
class Direct:
    """One direction's result, as a comparison hands it out."""

    status: Status = Status.COMPATIBLE
    witness: JSON = None
    undeclared: bool = False
    reasons: tuple[Reason, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    undecided: tuple[Doubt, ...] = ()
    origin: Origin | None = None


@dataclass
class Compared:
    """A comparison whose answers a test decides."""

    backward: Direct = field(default_factory=Direct)
    forward: Direct = field(default_factory=Direct)
    changes: tuple[Change, ...] = ()
    claims: dict[str, tuple[tuple[Direction, Reason], ...]] = field(default_factory=dict)
    old: Document = field(default_factory=lambda: document(OLD, "main:old.json", "file:///old.json"))
    new: Document = field(default_factory=lambda: document(NEW))

    def verdict(self, direction: Direction) -> Direct:
        return self.backward if direction is Direction.BACKWARD else self.forward

    def reasons_of(self, change: Change) -> tuple[tuple[Direction, Reason], ...]:
        return self.claims.get(change.rule, ())


def change(
    rule: str = "enum-value-removed",
    effect: Effect = Effect.NARROWS,
    expected: Effect = Effect.NARROWS,
    keyword: str = "enum",
    **rest: Any,
) -> Change:
    old = Side("main:old.json", "/properties/kind/enum/1", "b")
    new = Side("new.json", "/properties/kind/enum/1", exists=False)
    return Change(rule, keyword, old, new, "/kind", '"b" is no longer accepted.', expected, effect, **rest)


REASON = Reason("new.json", "/properties/kind/enum", "/kind", {"kind": "b"}, '"b" is not allowed')
BACK = (Direction.BACKWARD, REASON)
FORTH = (Direction.FORWARD, replace(REASON, source="main:old.json"))


def judged(compared: Compared, policy: Policy | None = None) -> tuple[Finding, ...]:
    places = Places([compared.old], [compared.new])
    return judge(compared, policy or Policy(), lineage="task", places=places)  # type: ignore[arg-type]


def breaking(direction: Direction = Direction.BACKWARD, *, undeclared: bool = False) -> Compared:
    narrows = direction is Direction.BACKWARD
    reason = (BACK if narrows else FORTH)[1]
    result = Direct(Status.BREAKING, {"kind": "b"}, undeclared, (reason,))
    effect = Effect.NARROWS if narrows else Effect.WIDENS
    changes = (change(effect=effect, expected=effect),)
    return Compared(**{direction.value: result}, changes=changes, claims={"enum-value-removed": ((direction, reason),)})


def unknown(direction: Direction = Direction.BACKWARD, expected: Effect = Effect.UNKNOWN) -> Compared:
    result = Direct(Status.UNKNOWN, doubts=(Doubt("/properties/kind", "the budget is spent"),))
    return Compared(**{direction.value: result}, changes=(change(effect=Effect.UNKNOWN, expected=expected),))


B, F = Direction.BACKWARD, Direction.FORWARD


@pytest.mark.parametrize(
    ("compared", "policy", "level"),
    [
        (breaking(B), Policy(Mode.BACKWARD), Level.BREAKING),
        (breaking(B), Policy(Mode.FULL_TRANSITIVE), Level.BREAKING),
        (breaking(B), Policy(Mode.FORWARD), Level.RISKY),
        (breaking(B), Policy(Mode.NONE), Level.RISKY),
        (breaking(F), Policy(Mode.BACKWARD), Level.RISKY),
        (breaking(F), Policy(Mode.FORWARD), Level.BREAKING),
        (breaking(B, undeclared=True), Policy(), Level.RISKY),
        (breaking(B, undeclared=True), Policy(undeclared=Treatment.ERROR), Level.BREAKING),
        (breaking(B, undeclared=True), Policy(undeclared=Treatment.IGNORE), Level.SAFE),
        (breaking(F, undeclared=True), Policy(undeclared=Treatment.ERROR), Level.RISKY),
        (unknown(B), Policy(), Level.UNKNOWN),
        (unknown(B), Policy(unknown=Treatment.WARN), Level.RISKY),
        (unknown(F), Policy(), Level.RISKY),
        (unknown(F), Policy(Mode.FULL), Level.UNKNOWN),
        (breaking(B), Policy(severity={"enum-value-removed": Level.SAFE}), Level.SAFE),
        (breaking(F), Policy(severity={"enum-value-removed": Level.BREAKING}), Level.BREAKING),
        (Compared(changes=(change(effect=Effect.NONE),)), Policy(), Level.SAFE),
        (Compared(changes=(change(effect=Effect.UNKNOWN),)), Policy(), Level.SAFE),
    ],
)
def test_the_level_follows_from_proof_mode_and_policy(compared: Compared, policy: Policy, level: Level) -> None:
    (finding,) = judged(compared, policy)
    assert finding.level is level


def test_a_finding_joins_what_is_known_about_it() -> None:
    (finding,) = judged(breaking())
    assert (finding.backward, finding.forward) == (Status.BREAKING, Status.COMPATIBLE)
    assert finding.effect is Effect.NARROWS
    assert str(finding.old_place) == "main:old.json:7:9 at /properties/kind/enum/1"
    assert str(finding.new_place) == "new.json:5:7 at /properties/kind/enum/1"
    assert finding.file == "new.json"
    (witness,) = finding.witnesses
    assert (witness.value, witness.direction, witness.instance_path) == ({"kind": "b"}, B, "/kind")
    assert finding.remedy


def test_a_break_that_no_change_claims_becomes_a_finding_of_its_own() -> None:
    compared = replace(breaking(), claims={}, changes=(change(effect=Effect.NONE),))
    worst, harmless = judged(compared)
    assert (worst.rule, worst.level) == ("indirect-break", Level.BREAKING)
    assert str(worst.new_place) == "new.json:5:7 at /properties/kind/enum"
    assert worst.old_place is None
    assert "'enum' of the new version" in worst.message
    assert harmless.level is Level.SAFE


def test_a_break_without_any_reason_still_shows_its_witness() -> None:
    compared = Compared(forward=Direct(Status.BREAKING, None))
    (finding,) = judged(compared, Policy(Mode.FORWARD))
    assert (finding.rule, finding.level) == ("indirect-break", Level.BREAKING)
    assert [witness.value for witness in finding.witnesses] == [None]
    assert str(finding.old_place) == "main:old.json:1:1"


@pytest.mark.parametrize(("expected", "rule"), [(Effect.WIDENS, "not-proved"), (Effect.NARROWS, "enum-value-removed")])
def test_an_unknown_is_blamed_on_a_change_that_may_cause_it_or_on_none(expected: Effect, rule: str) -> None:
    finding = judged(unknown(B, expected))[0]
    assert (finding.rule, finding.level) == (rule, Level.UNKNOWN)
    assert finding.doubt == "the budget is spent (at /properties/kind)"


def test_an_unknown_is_named_by_what_kept_it_open() -> None:
    """Who waives one has not seen the next."""

    def mark(*places: str) -> str:
        doubts = tuple(Doubt(place, "the budget is spent") for place in places)
        compared = Compared(Direct(Status.UNKNOWN, doubts=doubts))
        return judged(compared)[0].fingerprint

    assert mark("/properties/kind") == mark("/properties/kind")
    assert mark("/a", "/b") == mark("/b", "/a")
    assert len({mark(), mark("/a"), mark("/b"), mark("/a", "/b")}) == 4


@pytest.mark.parametrize(
    ("mode", "backward", "forward", "claimed"),
    list(itertools.product(Mode, Status, Status, [True, False])),
)
def test_no_verdict_is_lost(mode: Mode, backward: Status, forward: Status, claimed: bool) -> None:
    """Whatever the changes explain, the worst finding is at least as bad as the worst direction that is asked."""
    results = {
        each: Direct(status, {"kind": "b"}, reasons=(reason,) if status is Status.BREAKING else ())
        for each, status, reason in ((B, backward, BACK[1]), (F, forward, FORTH[1]))
    }
    claims = {"enum-value-removed": (BACK, FORTH)} if claimed else {}
    for effect in Effect:
        compared = Compared(results[B], results[F], (change(effect=effect),), claims)
        found = judged(compared, Policy(mode))
        for direction, result in results.items():
            if result.status is Status.COMPATIBLE:
                assert all(finding.status(direction) is Status.COMPATIBLE for finding in found)
                continue
            said = [finding for finding in found if finding.status(direction) is result.status]
            assert said
            if direction in mode.directions:
                bad = Level.BREAKING if result.status is Status.BREAKING else Level.UNKNOWN
                assert any(finding.level in (bad, Level.BREAKING) for finding in said)


def test_a_change_that_may_break_more_says_what_was_left_open() -> None:
    """The direction is broken by something else; why this one is unknown stands among what was not decided."""
    doubts = (Doubt("/properties/size", "elsewhere"), Doubt("/properties/kind", "the URI leads nowhere"))
    compared = replace(breaking(), changes=(change("ref-added", Effect.UNKNOWN, Effect.NARROWS),), claims={})
    compared.backward.undecided = doubts
    found = {finding.rule: finding for finding in judged(compared)}
    assert found["ref-added"].level is Level.UNKNOWN
    assert found["ref-added"].doubt == "the URI leads nowhere (at /properties/kind)"


@pytest.mark.parametrize(
    ("keyword", "where", "value", "expected"),
    [
        ("properties", "/properties/a/properties/b", {"type": "string"}, "/a/b"),
        ("required", "/properties/a/required/0", "b", "/a/b"),
        ("patternProperties", "/properties/a/patternProperties/^x", {}, "/a"),
        ("type", "/properties/a/type", "string", "/a"),
        ("required", "/properties/a/required", ["b"], "/a"),
    ],
)
def test_a_finding_about_a_property_leads_to_it(keyword: str, where: str, value: JSON, expected: str) -> None:
    one = replace(
        change("property-added", keyword=keyword),
        old=Side("main:old.json", where, exists=False),
        new=Side("new.json", where, value),
        instance_path="/a",
    )
    (finding,) = judged(Compared(changes=(one,)))
    assert finding.instance_path == expected


def test_annotations_are_told_apart() -> None:
    title = change("title-changed", Effect.NONE, Effect.NONE, "title")
    (finding,) = judged(Compared(changes=(title,)))
    assert finding.annotation
    (finding,) = judged(Compared(changes=(change("enum-rewritten", Effect.NONE, Effect.NONE),)))
    assert not finding.annotation


class TestFingerprint:
    def test_it_survives_moved_lines_and_moved_keywords(self) -> None:
        (here,) = judged(breaking())
        compared = breaking()
        moved = replace(compared.changes[0], old=Side("main:old.json", "/properties/kind/anyOf/0/enum/1", "b"))
        (there,) = judged(replace(compared, changes=(moved,)))
        assert here.fingerprint == there.fingerprint

    @pytest.mark.parametrize(
        "other",
        [
            {"rule": "enum-value-added"},
            {"instance_path": "/size"},
            {"old": Side("main:old.json", "/properties/kind/enum/1", "c")},
            {"new": Side("new.json", "/properties/kind/enum/1", None)},
        ],
    )
    def test_it_tells_findings_apart(self, other: dict[str, Any]) -> None:
        (here,) = judged(breaking())
        compared = breaking()
        (there,) = judged(
            replace(
                compared,
                changes=(replace(compared.changes[0], **other),),
                claims={other.get("rule", "enum-value-removed"): (BACK,)},
            )
        )
        assert here.fingerprint != there.fingerprint

    def test_two_of_a_kind_are_numbered(self) -> None:
        compared = breaking()
        found = judged(replace(compared, changes=compared.changes * 2))
        assert found[1].fingerprint == f"{found[0].fingerprint}-2"


# Shared files


def finding(name: str, file: str, level: Level, path: str, rule: str = "enum-value-removed") -> Finding:
    shared = replace(change(rule), old=Side("c", "/enum/1", "b"), new=Side("c", "/enum/1", exists=False))
    return Finding(rule, level, name, f"{name}{path}", "gone", file=file, instance_path=path, change=shared)


def schema(name: str, *findings: Finding) -> SchemaReport:
    return SchemaReport(name, Outcome.COMPARED, lineage=name, findings=findings)


def test_a_change_in_a_shared_file_is_told_once_with_the_schemas_it_reaches() -> None:
    common = "common.json"
    reports = fold_shared(
        [
            schema("a.json", finding("a", common, Level.SAFE, "/x"), finding("a", "a.json", Level.RISKY, "/own")),
            schema("b.json", finding("b", common, Level.BREAKING, "/y/z")),
        ]
    )
    a, b, shared = reports
    assert (shared.name, shared.outcome) == (common, Outcome.SHARED)
    (told,) = shared.findings
    assert told.level is Level.BREAKING
    assert [(affect.schema, affect.instance_path, affect.level) for affect in told.affects] == [
        ("a.json", "/x", Level.SAFE),
        ("b.json", "/y/z", Level.BREAKING),
    ]
    assert [finding.instance_path for finding in a.findings] == ["/own"]
    assert b.findings == ()
    assert a.through == b.through == (common,)


def test_a_governed_shared_file_takes_them_in() -> None:
    common = "common.json"
    own = finding("common", common, Level.RISKY, "")
    reports = fold_shared([schema(common, own), schema("a.json", finding("a", common, Level.BREAKING, "/x"))])
    told = {report.name: report.findings for report in reports}
    assert told["a.json"] == ()
    (merged,) = told[common]
    assert (merged.level, len(merged.affects)) == (Level.BREAKING, 1)


def test_one_schema_alone_keeps_what_it_met() -> None:
    reports = [schema("a.json", finding("a", "common.json", Level.BREAKING, "/x"))]
    assert fold_shared(reports) == tuple(reports)


# Waivers

WAIVED = replace(finding("task", "t.json", Level.BREAKING, "/kind"), effect=Effect.NARROWS)
TODAY = date(2027, 1, 1)


def waived(*waivers: Waiver, found: Finding = WAIVED, outcome: Outcome = Outcome.COMPARED) -> Report:
    one = SchemaReport("t.json", outcome, lineage="task", findings=(found,))
    return with_waivers(Report("check", "main", "HEAD", (one,)), Policies(waivers=waivers), TODAY)


def test_a_waived_finding_keeps_its_level_and_counts_no_more() -> None:
    report = waived(Waiver("never shipped", schema="task", rule="enum-value-removed"))
    (found,) = report.every_finding()
    assert (found.level, found.counts) == (Level.BREAKING, False)
    assert report.worst is None
    assert report.conclusion is Conclusion.SAFE


def test_a_finding_in_a_shared_file_is_waived_for_every_lineage_it_reaches_or_not_at_all() -> None:
    affects = (
        Affected("a.json", "task", "/kind", Level.BREAKING),
        Affected("b.json", "lane", "/x", Level.BREAKING),
        Affected("c.json", "note", "/y", Level.SAFE),
    )
    shared = replace(WAIVED, affects=affects)
    one, other = (Waiver("r", schema=name, rule="enum-value-removed") for name in ("task", "lane"))
    assert next(iter(waived(one, found=shared).schemas[0].findings)).counts
    assert not next(iter(waived(one, other, found=shared).schemas[0].findings)).counts


def test_an_expired_waiver_silences_nothing_and_is_told() -> None:
    report = waived(Waiver("r", schema="task", rule="enum-value-removed", expires=date(2026, 12, 31)))
    told, still = report.every_finding()
    assert (told.rule, told.level) == ("waiver-expired", Level.RISKY)
    assert "expired on 2026-12-31" in told.message
    assert still.counts


@pytest.mark.parametrize(
    ("waiver", "outcome", "told"),
    [
        (Waiver("r", schema="task", rule="enum-value-added"), Outcome.COMPARED, True),
        (Waiver("r", schema="task", rule="enum-value-added"), Outcome.NEW, False),
        (Waiver("r", schema="lane", rule="enum-value-removed"), Outcome.COMPARED, False),
        (Waiver("r", fingerprint="elsewhere"), Outcome.COMPARED, False),
    ],
)
def test_a_waiver_is_unused_only_where_its_schema_was_compared(waiver: Waiver, outcome: Outcome, told: bool) -> None:
    rules = [found.rule for found in waived(waiver, outcome=outcome).findings]
    assert rules == (["waiver-unused"] if told else [])


@pytest.mark.parametrize(
    ("schema", "known", "told"),
    [
        ("tsak", ("task", "lane"), "Did you mean 'task'?"),
        ("nothing-like-it", ("task",), "compat list shows the lineages."),
        ("lane", ("task", "lane"), None),
        ("gone", (), None),  # nobody said what there is
    ],
)
def test_a_waiver_for_a_lineage_that_is_not_there_is_told(
    schema: str, known: tuple[str, ...], told: str | None
) -> None:
    one = SchemaReport("t.json", Outcome.COMPARED, lineage="task", findings=(WAIVED,))
    policies = Policies(waivers=(Waiver("r", schema=schema, rule="enum-value-removed", expires=date(2020, 1, 1)),))
    report = with_waivers(Report("check", "main", "HEAD", (one,)), policies, TODAY, known)
    (found,) = report.findings
    if told is None:
        assert found.rule == "waiver-expired"
    else:
        assert (found.rule, found.hint) == ("waiver-unused", told)
        assert "names no lineage that is here" in found.message


def test_a_safe_finding_needs_no_waiver() -> None:
    report = waived(Waiver("r", schema="task", rule="enum-value-removed"), found=replace(WAIVED, level=Level.SAFE))
    assert [found.rule for found in report.findings] == ["waiver-unused"]


def test_a_policy_that_loosens_itself_is_told_by_the_one_that_judges() -> None:
    base = read_policies({"severity": {"waiver-added": "breaking"}})
    head = read_policies(
        {
            "compatibility": "none",
            "waivers": [{"fingerprint": "f", "reason": "x"}],
            "severity": {"waiver-added": "breaking"},
        }
    )
    found = policy_findings(base, head)
    assert [(each.rule, each.level) for each in found] == [
        ("waiver-added", Level.BREAKING),
        ("policy-loosened", Level.RISKY),
    ]


# How a run ended


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        (Report("check", "a", "b"), Conclusion.NOTHING_COMPARED),
        (Report("check", "a", "b", (SchemaReport("n", Outcome.NEW),)), Conclusion.NOTHING_COMPARED),
        (Report("check", "a", "b", (schema("s"),)), Conclusion.NO_DIFFERENCE),
        (Report("check", "a", "b", (schema("s", finding("s", "s", Level.SAFE, "")),)), Conclusion.NO_EFFECT),
        (
            Report("check", "a", "b", (schema("s", replace(WAIVED, level=Level.SAFE)),)),
            Conclusion.SAFE,
        ),
        (Report("check", "a", "b", (schema("s", finding("s", "s", Level.RISKY, "")),)), Conclusion.RISKY),
        (Report("check", "a", "b", (schema("s", finding("s", "s", Level.UNKNOWN, "")),)), Conclusion.UNKNOWN),
        (Report("check", "a", "b", (schema("s", WAIVED),)), Conclusion.BREAKING),
        (Report("check", "a", "b", (schema("s", WAIVED),), problems=(Problem("no"),)), Conclusion.ERROR),
        (Report("check", "a", "b", problems=(Problem("no"),)), Conclusion.ERROR),
    ],
)
def test_a_run_comes_to_one_word(report: Report, expected: Conclusion) -> None:
    assert report.conclusion is expected

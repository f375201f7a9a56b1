"""Policy: read from a table, refused with a place and a remedy, matched against findings, compared with its head."""

from __future__ import annotations

import tomllib
from datetime import date
from typing import Any

import pytest

from compat.errors import ConfigError, ExitCode
from compat.policy import Announced, Policies, Policy, Treatment, Waiver, as_path, as_pointer, read_policies
from compat.relation import Level, Mode

TASK = """
compatibility = "BACKWARD_TRANSITIVE"
undeclared = "error"
severity = { title-changed = "risky" }

[schemas.task]
files = "schemas/task/**/*.schema.json"
compatibility = "full"
unknown = "warn"
severity = { enum-value-added = "breaking" }

[[waivers]]
schema = "task"
rule = "enum-value-removed"
at = "actor.kind"
value = "harness"
reason = "harness never shipped"
owner = "platform"
expires = 2027-03-01
"""


def read(text: str) -> Policies:
    return read_policies(tomllib.loads(text))


def test_nothing_configured_is_backward_with_undeclared_warned_and_unknown_failing() -> None:
    assert read("") == Policies()
    assert Policies().of("anything") == Policy(Mode.BACKWARD, Treatment.WARN, Treatment.ERROR, Announced.ACCEPT, {}, {})


def test_a_lineage_refines_the_project() -> None:
    policies = read(TASK)
    assert policies.of("other") == Policy(
        Mode.BACKWARD_TRANSITIVE, Treatment.ERROR, Treatment.ERROR, severity={"title-changed": Level.RISKY}
    )
    assert policies.of("task") == Policy(
        Mode.FULL,
        Treatment.ERROR,
        Treatment.WARN,
        severity={"title-changed": Level.RISKY, "enum-value-added": Level.BREAKING},
    )
    (waiver,) = policies.waivers
    assert (waiver.owner, waiver.expires, waiver.value) == ("platform", date(2027, 3, 1), ("harness",))
    assert str(waiver) == "enum-value-removed of task at actor.kind"


@pytest.mark.parametrize(
    ("text", "pointer", "said"),
    [
        ('compatibility = "backwards"', "/compatibility", "Did you mean 'backward' or"),
        ('compatibility = "sideways"', "/compatibility", "full-transitive"),
        ("compatibility = 3", "/compatibility", "One of: none"),
        ('undeclared = "warning"', "/undeclared", "Did you mean 'warn'?"),
        ('unknown = "ignore"', "/unknown", "One of: error, warn."),
        ('severity = { x = "bad" }', "/severity/x", "One of: breaking, unknown, risky, safe."),
        ('severity = { x = { "a.b" = "bad" } }', "/severity/x/a.b", "One of: breaking, unknown, risky, safe."),
        ('announced = "excuse"', "/announced", "One of: accept, error."),
        ("severity = 1", "/severity", "table"),
        ('[schemas]\ntask = "x"', "/schemas/task", "table"),
        ('[schemas.task]\ncompatibility = "fulll"', "/schemas/task/compatibility", "Did you mean 'full'"),
        ("floor = true", "/floor", "a tag"),
        ('floor = " "', "/floor", "a day"),
        ("floor = 1.5", "/floor", "a version"),
        ("deprecate-before-removal = -1", "/deprecate-before-removal", "0 lets everything go"),
        ("deprecate-before-removal = true", "/deprecate-before-removal", "number of releases"),
        ('[schemas.task]\ndeprecate-before-removal = "2"', "/schemas/task/deprecate-before-removal", "number"),
        ('waivers = "none"', "/waivers", "[[waivers]]"),
        ('[[waivers]]\nschema = "task"\nrule = "r"', "/waivers/0", "Add reason"),
        ('[[waivers]]\nreason = "why"\nrule = "r"', "/waivers/0", "fingerprint"),
        ('[[waivers]]\nreason = "why"\nfingerprint = 3', "/waivers/0/fingerprint", "text"),
        ('[[waivers]]\nreason = "why"\nfingerprint = "f"\nexpirs = 2027-01-01', "/waivers/0/expirs", "'expires'"),
        ('[[waivers]]\nreason = "why"\nfingerprint = "f"\nexpires = "soon"', "/waivers/0/expires", "2027-03-01"),
    ],
)
def test_what_is_not_understood_is_refused_with_place_and_remedy(text: str, pointer: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(text)
    assert caught.value.exit_code is ExitCode.USAGE
    assert caught.value.place is not None
    assert (caught.value.place.source, caught.value.place.pointer) == ("compat.toml", pointer)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("text", "floor"),
    [
        ("", None),
        ('floor = "1.2.0"', "1.2.0"),
        ("floor = 3", "3"),
        ("floor = 2026-03-01", "2026-03-01"),
        ("floor = 2026-03-01T10:00:00Z", "2026-03-01"),
        ('floor = "release-7"', "release-7"),
        ('floor = "1.2.0"\n[schemas.task]\nfloor = "2.0.0"', "2.0.0"),
    ],
)
def test_a_floor_is_a_version_a_tag_or_a_day(text: str, floor: str | None) -> None:
    assert read(text).of("task").floor == floor


def test_notice_is_one_release_unless_said_otherwise() -> None:
    policies = read("deprecate-before-removal = 2\n[schemas.task]\ndeprecate-before-removal = 0")
    assert (Policy().notice, policies.of("other").notice, policies.of("task").notice) == (1, 2, 0)


@pytest.mark.parametrize(
    ("path", "pointer"),
    [
        ("(root)", ""),
        ("actor.kind", "/actor/kind"),
        ("lines[*].sku", "/lines/*/sku"),
        ("pair[0]", "/pair/0"),
        ("/a.b/c", "/a.b/c"),
        ("/with space", "/with space"),
        ("/~1slash", "/~1slash"),
        ("/", "/"),
    ],
)
def test_paths_are_written_and_read_alike(path: str, pointer: str) -> None:
    assert as_path(pointer) == path
    assert as_pointer(path) == pointer


FINDING: dict[str, Any] = {
    "lineage": "task",
    "rule": "enum-value-removed",
    "instance_path": "/actor/kind",
    "values": ("harness",),
    "fingerprint": "f00d",
}


@pytest.mark.parametrize(
    ("waiver", "matches"),
    [
        (Waiver("r", schema="task", rule="enum-value-removed"), True),
        (Waiver("r", schema="task", rule="enum-value-removed", at="actor.kind"), True),
        (Waiver("r", schema="task", rule="enum-value-removed", at="/actor/kind", value=("harness",)), True),
        (Waiver("r", fingerprint="f00d"), True),
        (Waiver("r", fingerprint="f00d", schema="lane"), False),
        (Waiver("r", fingerprint="beef"), False),
        (Waiver("r", schema="lane", rule="enum-value-removed"), False),
        (Waiver("r", schema="task", rule="enum-value-added"), False),
        (Waiver("r", schema="task", rule="enum-value-removed", at="actor"), False),
        (Waiver("r", schema="task", rule="enum-value-removed", value=("agent",)), False),
        (Waiver("r", schema="task", rule="enum-value-removed", value=(None,)), False),
    ],
)
def test_a_waiver_matches_by_what_it_names(waiver: Waiver, matches: bool) -> None:
    assert waiver.matches(**FINDING) is matches


def test_a_waiver_tells_true_from_one() -> None:
    waiver = Waiver("r", schema="task", rule="enum-value-removed", value=(True,))
    assert not waiver.matches(**{**FINDING, "values": (1,)})
    assert waiver.matches(**{**FINDING, "values": (True,)})


def test_a_waiver_lasts_through_its_last_day() -> None:
    waiver = Waiver("r", fingerprint="f", expires=date(2027, 3, 1))
    assert not waiver.expired(date(2027, 3, 1))
    assert waiver.expired(date(2027, 3, 2))
    assert not Waiver("r", fingerprint="f").expired(date(2999, 1, 1))


PLACED = """
severity = { enum-value-removed = { "actor.kind" = "risky", "extra.**" = "safe", "lines[*].*" = "breaking" } }

[schemas.task.severity]
enum-value-removed = { "extra.kept" = "breaking" }
"*" = { "draft.**" = "safe" }

[schemas.lane.severity]
enum-value-removed = "unknown"
"""


@pytest.mark.parametrize(
    ("lineage", "rule", "at", "level"),
    [
        ("other", "enum-value-removed", "/actor/kind", Level.RISKY),
        ("other", "enum-value-removed", "/actor", None),
        ("other", "enum-value-removed", "/actor/kind/more", None),
        ("other", "enum-value-added", "/actor/kind", None),
        ("other", "enum-value-removed", "/extra", Level.SAFE),
        ("other", "enum-value-removed", "/extra/a/b", Level.SAFE),
        ("other", "enum-value-removed", "/extras/a", None),
        ("other", "enum-value-removed", "/lines/*/sku", Level.BREAKING),
        ("other", "enum-value-removed", "/lines/*", None),
        # The nearest place counts: one that is named over one that is only covered.
        ("task", "enum-value-removed", "/extra/kept", Level.BREAKING),
        ("task", "enum-value-removed", "/extra/other", Level.SAFE),
        ("task", "anything-at-all", "/draft/x", Level.SAFE),
        ("task", "anything-at-all", "/drafted", None),
        # A level for the whole rule replaces what the project says of its places.
        ("lane", "enum-value-removed", "/extra/a", Level.UNKNOWN),
    ],
)
def test_a_severity_may_name_a_place(lineage: str, rule: str, at: str, level: Level | None) -> None:
    found = read(PLACED).of(lineage)
    assert found.level(rule, at, Level.RISKY) == (level or Level.RISKY)
    assert found.level(rule, at, Level.BREAKING) == (level or Level.BREAKING)


def test_a_rule_of_its_own_outweighs_every_rule() -> None:
    policy = read('severity = { "*" = "risky", enum-value-removed = "breaking" }').default
    assert policy.level("enum-value-removed", "/a", Level.SAFE) is Level.BREAKING
    assert policy.level("type-narrowed", "/a", Level.BREAKING) is Level.RISKY


def test_what_is_not_proved_is_never_safe() -> None:
    policy = read('severity = { "not-proved" = "safe" }').default
    assert policy.level("not-proved", "", Level.UNKNOWN, unproved=True) is Level.RISKY
    assert policy.level("not-proved", "", Level.UNKNOWN, unproved=False) is Level.SAFE

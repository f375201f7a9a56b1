"""Policy: read from a table, refused with a place and a remedy, matched against findings, compared with its head."""

from __future__ import annotations

import tomllib
from datetime import date
from typing import Any

import pytest

from compat.errors import ConfigError, ExitCode
from compat.policy import Loosening, Policies, Policy, Treatment, Waiver, as_path, as_pointer, loosenings, read_policies
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
    assert Policies().of("anything") == Policy(Mode.BACKWARD, Treatment.WARN, Treatment.ERROR, {})


def test_a_lineage_refines_the_project() -> None:
    policies = read(TASK)
    assert policies.of("other") == Policy(
        Mode.BACKWARD_TRANSITIVE, Treatment.ERROR, Treatment.ERROR, {"title-changed": Level.RISKY}
    )
    assert policies.of("task") == Policy(
        Mode.FULL,
        Treatment.ERROR,
        Treatment.WARN,
        {"title-changed": Level.RISKY, "enum-value-added": Level.BREAKING},
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
        ("severity = 1", "/severity", "table"),
        ('[schemas]\ntask = "x"', "/schemas/task", "table"),
        ('[schemas.task]\ncompatibility = "fulll"', "/schemas/task/compatibility", "Did you mean 'full'"),
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


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        ("", "", []),
        ("", 'compatibility = "full"', []),
        ('compatibility = "full"', 'compatibility = "backward"', ["compatibility: full becomes backward."]),
        (
            'compatibility = "full-transitive"',
            'compatibility = "full"',
            ["compatibility: full-transitive becomes full."],
        ),
        ('compatibility = "backward"', 'compatibility = "forward"', ["compatibility: backward becomes forward."]),
        ("", 'undeclared = "ignore"', ["undeclared: warn becomes ignore."]),
        ("", 'unknown = "warn"', ["unknown: error becomes warn."]),
        ("", 'undeclared = "error"', []),
        ("", 'severity = { a = "safe" }', ["severity: a becomes safe."]),
        ('severity = { a = "safe" }', 'severity = { a = "risky" }', []),
        ("", '[schemas.task]\ncompatibility = "none"', ["compatibility of task: backward becomes none."]),
        (
            '[schemas.task]\ncompatibility = "full"',
            "",
            ["compatibility of task: full becomes backward."],
        ),
        (
            "",
            '[[waivers]]\nfingerprint = "f00d"\nreason = "x"',
            ["a waiver for f00d: x"],
        ),
        ('[[waivers]]\nfingerprint = "f"\nreason = "x"', '[[waivers]]\nfingerprint = "f"\nreason = "y"', []),
        (
            '[[waivers]]\nfingerprint = "f"\nreason = "x"\nexpires = 2027-01-01',
            '[[waivers]]\nfingerprint = "f"\nreason = "x"\nexpires = 2028-01-01',
            ["a waiver for f: x"],
        ),
    ],
)
def test_what_the_head_asks_less_is_named(base: str, head: str, expected: list[str]) -> None:
    found = list(loosenings(read(base), read(head)))
    assert [loose.message for loose in found] == expected
    assert all(isinstance(loose, Loosening) for loose in found)

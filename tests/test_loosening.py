"""What the head of a change asks less than its base, named one by one."""

from __future__ import annotations

import tomllib

import pytest

from compat.loosening import Loosening, loosenings
from compat.policy import Policies, read_policies


def read(text: str) -> Policies:
    return read_policies(tomllib.loads(text))


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
        ("", 'severity = { a = "breaking" }', []),
        ('severity = { a = "breaking" }', "", ["severity: a is no longer breaking."]),
        ('severity = { a = "risky" }', "", []),
        ("", 'severity = { a = { "b.c" = "safe" } }', ["severity: a at b.c becomes safe."]),
        ("", 'severity = { a = { "b.c" = "breaking" } }', []),
        ('severity = { "*" = { b = "unknown" } }', "", ["severity: every rule at b is no longer unknown."]),
        ('announced = "error"', "", ["announced: error becomes accept."]),
        ("", 'announced = "error"', []),
        ("", 'floor = "1.2.0"', ["floor: none becomes 1.2.0."]),
        ('floor = "1.2.0"', "floor = 2026-03-01", ["floor: 1.2.0 becomes 2026-03-01."]),
        ('floor = "1.2.0"', "", []),
        ("deprecate-before-removal = 2", "", ["deprecate-before-removal: 2 becomes 1."]),
        ("", "deprecate-before-removal = 2", []),
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

"""Version numbers: reading them in every scheme, their order, and the least number that a step asks for."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest

from compat.lineage import LEAST_BUMP, Bump, Scheme, Step, VersionNumber, least_next, sufficient

parse = VersionNumber.parse


@pytest.mark.parametrize(
    ("text", "scheme", "parts", "spelled"),
    [
        ("1.0.0", Scheme.SEMVER, (1, 0, 0), "1.0.0"),
        ("v1.20.3", Scheme.SEMVER, (1, 20, 3), "1.20.3"),
        ("2.0.0-rc.1+build.5", Scheme.SEMVER, (2, 0, 0), "2.0.0-rc.1+build.5"),
        ("1-0-2", Scheme.SCHEMAVER, (1, 0, 2), "1-0-2"),
        ("1.0", Scheme.TWO_PART, (1, 0), "1.0"),
        ("v1", Scheme.INTEGER, (1,), "1"),
        ("0", Scheme.INTEGER, (0,), "0"),
        ("2026-11-30", Scheme.DATE, (2026, 11, 30), "2026-11-30"),
        ("2026-11", Scheme.DATE, (2026, 11), "2026-11"),
    ],
)
def test_each_scheme_is_recognised(text: str, scheme: Scheme, parts: tuple[int, ...], spelled: str) -> None:
    number = parse(text)
    assert (number.scheme, number.parts, str(number)) == (scheme, parts, spelled)
    assert parse(text, scheme) == number


@pytest.mark.parametrize(
    "text",
    ["", "v", "1.", "01.0.0", "1.0.0.0", "0-0-1", "1-00-1", "2026-13", "1.0.0-", "latest", "1234567890", "١", "1\n"],
)
def test_anything_else_is_no_number(text: str) -> None:
    with pytest.raises(ValueError, match="is not a version number"):
        parse(text)


def test_a_scheme_that_is_asked_for_is_the_only_one() -> None:
    with pytest.raises(ValueError, match=r"'1\.0' is not a semver version number"):
        parse("1.0", Scheme.SEMVER)


def test_order_is_precedence_and_not_text() -> None:
    """The chain of SemVer 2.0.0 §11, and what comes around it."""
    low = ["0.9", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11"]
    chain = [*low, "1.0.0-rc.1", "1.0.0", "1.0.1", "1.2", "1.10.0", "2", "10", "2026-11", "2026-11-30"]
    numbers = [parse(text) for text in chain]
    assert all(a < b and b > a and a <= b and a != b for a, b in pairwise(numbers))
    assert sorted(numbers, reverse=True) == numbers[::-1]


def test_equal_precedence_is_equal_and_hashes_alike() -> None:
    assert parse("1.0.0+a") == parse("1.0.0+b") == parse("1.0") == parse("v1")
    assert len({parse("1.0.0"), parse("1.0"), parse("1")}) == 1
    assert parse("1.0.0") >= parse("1")
    assert parse("1.0.0") != "1.0.0"


def test_every_scheme_has_a_bump_for_every_step() -> None:
    assert set(LEAST_BUMP) == set(Scheme)
    for scheme, row in LEAST_BUMP.items():
        assert set(row) == set(Step), scheme
        assert row[Step.NOTHING] is Bump.NONE


@pytest.mark.parametrize(
    ("old", "annotations", "changed", "breaking", "disjoint"),
    [
        ("1.4.2", "1.4.3", "1.5.0", "2.0.0", "2.0.0"),
        ("0.4.2", "0.4.3", "0.4.3", "0.5.0", "0.5.0"),
        ("2.0.0-rc.1", "2.0.0", "2.0.0", "2.0.0", "2.0.0"),
        ("2.1.0-rc.1", "2.1.0", "2.1.0", "3.0.0", "3.0.0"),
        ("1-4-2", "1-4-3", "1-4-3", "1-5-0", "2-0-0"),
        ("1.4", "1.5", "1.5", "2.0", "2.0"),
        ("7", "7", "7", "8", "8"),
        ("2026-11-30", "2026-11-30", "2026-12-01", "2026-12-01", "2026-12-01"),
        ("2026-12", "2026-12", "2027-01", "2027-01", "2027-01"),
    ],
)
def test_the_least_next_number(old: str, annotations: str, changed: str, breaking: str, disjoint: str) -> None:
    number = parse(old)
    steps = (Step.ANNOTATIONS, Step.CHANGED, Step.BREAKING, Step.DISJOINT)
    assert [str(least_next(number, step)) for step in steps] == [annotations, changed, breaking, disjoint]
    assert least_next(number, Step.NOTHING) is number


def test_a_date_moves_to_today_and_never_back() -> None:
    number = parse("2026-11-30")
    assert str(least_next(number, Step.CHANGED, today=date(2027, 2, 3))) == "2027-02-03"
    assert str(least_next(number, Step.CHANGED, today=date(2020, 1, 1))) == "2026-12-01"
    assert str(least_next(parse("2026-11"), Step.CHANGED, today=date(2027, 2, 3))) == "2027-02"


@pytest.mark.parametrize(
    ("old", "new", "step", "enough"),
    [
        ("1.0.0", "1.1.0", Step.CHANGED, True),
        ("1.0.0", "1.0.1", Step.CHANGED, False),
        ("1.0.0", "3.0.0", Step.BREAKING, True),
        ("1.0.0", "1.9.9", Step.BREAKING, False),
        ("1", "1", Step.CHANGED, True),
        ("1", "1", Step.BREAKING, False),
        ("1-0-0", "1-1-0", Step.DISJOINT, False),
        ("1.0.0", "2", Step.BREAKING, True),
    ],
)
def test_sufficient(old: str, new: str, step: Step, enough: bool) -> None:
    assert sufficient(parse(old), parse(new), step) is enough

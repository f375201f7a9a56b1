"""Asserted formats: the languages against the validator, and containment between them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import compat
from compat.logic.budget import Budget
from compat.logic.formats import _LOOSELY, _PATTERNS, bounds, language
from compat.logic.regex import words
from compat.model.formats import test_format as is_format
from compat.relation import Status

GOOD = {
    "date": ["2024-02-29", "2000-02-29", "2023-12-31", "0000-02-29"],
    "time": ["23:59:60Z", "00:00:00.5+23:59", "12:00:00z"],
    "date-time": ["1998-12-31T23:59:60Z", "2024-02-29t00:00:00-00:00", "1998-12-31T15:59:60.123-08:00"],
    "ipv4": ["0.0.0.0", "255.255.255.255", "192.168.1.10"],
    "ipv6": [
        "::",
        "::1",
        "1:2:3:4:5:6:7:8",
        "1::8",
        "::ffff:1.2.3.4",
        "1:2:3:4:5:6:7::",
        "1:2:3:4:5:6:1.2.3.4",
        "::2:3:4:5:6:7:8",
    ],
    "uuid": ["2eb8aa08-aa98-11ea-b4aa-73b441d16380", "00000000-0000-0000-0000-00000000000F"],
    "duration": ["P4DT12H30M5S", "P1Y", "PT36H", "P2W", "P1Y2M3DT4H5M6S", "PT0S"],
    "json-pointer": ["", "/a/~0~1", "/", "/foo//bar", "/\n"],
    "relative-json-pointer": ["0", "1/a", "0#", "12-3/x", "2+0#"],
}
BAD = {
    "date": ["2023-02-29", "1900-02-29", "2023-13-01", "2023-04-31", "2023-1-01", "২০২৩-01-01"],
    "time": ["24:00:00Z", "12:00:60Z", "12:00:00", "22:59:60Z", "12:00:00+24:00"],
    "date-time": ["2023-02-29T00:00:00Z", "1998-12-31T23:58:60Z", "2023-01-01 00:00:00Z", "2023-01-01"],
    "ipv4": ["256.0.0.1", "01.2.3.4", "1.2.3", "1.2.3.4.5", "1.2.3.4 "],
    "ipv6": [
        ":",
        "1:2:3:4:5:6:7",
        "1::2::3",
        "12345::",
        "::1%eth0",
        "1:2:3:4:5:6:7:8:9",
        "::1.2.3",
        "1:2:3:4:5:6:7:8::",
    ],
    "uuid": [
        "2eb8aa08aa9811eab4aa73b441d16380",
        "2eb8aa08-aa98-11ea-b4aa-73b441d1638",
        "g" * 8 + "-0000-0000-0000-000000000000",
    ],
    "duration": ["P", "PT", "P1Y1D", "PT1H1S", "P1W2D", "4D", "P1H"],
    "json-pointer": ["a", "/~2", "/~", "#/a"],
    "relative-json-pointer": ["-1", "01", "/a", "0##", "1+01"],
}


def in_bounds(name: str, text: str) -> tuple[bool, bool]:
    """Whether a text is inside and whether it is outside for sure."""
    known = bounds(name)
    assert known is not None
    return known.under.matches(text), not known.over.matches(text)


@pytest.mark.parametrize("name", _PATTERNS)
def test_the_languages_agree_with_the_validator(name: str) -> None:
    assert all(is_format(name, text) for text in GOOD[name])
    assert not any(is_format(name, text) for text in BAD[name])
    rng = Random(name)
    texts = [*GOOD[name], *BAD[name]]
    for text in [*GOOD[name], *BAD[name]]:
        for _ in range(60):
            at = rng.randrange(len(text) + 1)
            new = rng.choice("0123456789:.-+/~TZPtzWYMDHSaf#% ")
            texts.append(text[:at] + new + text[at + rng.randrange(2) :])
            texts.append(text[:at] + text[at + 1 :])
    for text in texts:
        inside, outside = in_bounds(name, text)
        verdict = is_format(name, text)
        assert not (inside and verdict is False), text
        assert not (outside and verdict is True), text


@pytest.mark.parametrize("name", _PATTERNS)
def test_words_of_the_language_are_in_the_format(name: str) -> None:
    known = bounds(name)
    assert known is not None
    found, _ = words([known.under], limit=40, budget=Budget(100_000))
    assert found
    assert all(is_format(name, word) for word in found)


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        ({"format": "date"}, {"pattern": r"^\d{4}-\d{2}-\d{2}$"}, Status.COMPATIBLE),
        ({"format": "date"}, {"pattern": r"^20\d{2}-\d{2}-\d{2}$"}, Status.BREAKING),
        ({"pattern": r"^20[0-9]{2}-01-1[0-9]$"}, {"format": "date"}, Status.COMPATIBLE),
        ({"pattern": r"^20[0-9]{2}-02-29$"}, {"format": "date"}, Status.BREAKING),
        ({"format": "date-time"}, {"minLength": 20}, Status.COMPATIBLE),
        ({"format": "date-time"}, {"format": "date"}, Status.BREAKING),
        ({"format": "uuid"}, {"minLength": 36, "maxLength": 36}, Status.COMPATIBLE),
        ({"format": "ipv4"}, {"maxLength": 15}, Status.COMPATIBLE),
        ({"format": "ipv4"}, {"maxLength": 14}, Status.BREAKING),
        ({"format": "email"}, {"format": "idn-email"}, Status.COMPATIBLE),
        ({"format": "uri"}, {"format": "iri-reference"}, Status.COMPATIBLE),
        ({"format": "uri"}, {"format": "uri"}, Status.COMPATIBLE),
        ({}, {"format": "uuid"}, Status.BREAKING),
    ],
)
def test_containment_with_asserted_formats(old: dict[str, object], new: dict[str, object], status: Status) -> None:
    string = {"type": "string"}
    result = compat.compare({**string, **old}, {**string, **new}, formats="assertion")
    assert result.backward.status is status


def test_a_format_nobody_defines_asserts_nothing() -> None:
    result = compat.compare({"type": "string"}, {"type": "string", "format": "x-ulid"}, formats="assertion")
    assert result.backward.status is result.forward.status is Status.COMPATIBLE


@pytest.mark.parametrize("name", _LOOSELY)
def test_what_is_known_of_a_loose_format_agrees_with_the_validator(name: str) -> None:
    around = language(name).over
    assert not language(name).exact
    found, _ = words([language(name).under], limit=60, budget=Budget(100_000))
    assert found
    assert all(is_format(name, word) for word in found)
    rng = Random(name)
    for _ in range(2_000):
        text = "".join(rng.choice("ab.@:/?#-_[]%0 ü\n") for _ in range(rng.randrange(9)))
        if is_format(name, text):
            assert around.matches(text), text
        assert language(name).matches(text) is (is_format(name, text) is True), text


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        ({"format": "date"}, {"format": "date", "maxLength": 10}, Status.COMPATIBLE),
        ({"format": "date"}, {"format": "date", "maxLength": 9}, Status.BREAKING),
        ({"format": "date-time"}, {"format": "date-time", "minLength": 20}, Status.COMPATIBLE),
        ({"format": "email"}, {"format": "email"}, Status.COMPATIBLE),
        ({"format": "email"}, {"format": "email", "minLength": 2}, Status.COMPATIBLE),
        ({"format": "email"}, {"format": "email", "minLength": 9}, Status.BREAKING),
        ({"format": "email"}, {"format": "ipv4"}, Status.BREAKING),
        ({"not": {"format": "email"}}, {"not": {"format": "email", "minLength": 1}}, Status.COMPATIBLE),
        ({}, {"format": "hostname"}, Status.BREAKING),
        ({"pattern": r"^(a|b)\1$"}, {"maxLength": 2}, Status.COMPATIBLE),
        ({"pattern": r"^(a|b)\1$"}, {"maxLength": 1}, Status.BREAKING),
    ],
)
def test_names_of_properties_in_a_format(old: Any, new: Any, status: Status) -> None:
    result = compat.compare({"propertyNames": old}, {"propertyNames": new}, formats="assertion")
    assert result.backward.status is status


def test_as_many_names_in_a_format_as_are_needed() -> None:
    old: dict[str, Any] = {"propertyNames": {"format": "email"}}
    result = compat.compare(old, {**old, "maxProperties": 3}, formats="assertion")
    assert result.backward.status is Status.BREAKING
    witness = result.backward.witness
    assert isinstance(witness, dict)
    assert len(witness) == 4

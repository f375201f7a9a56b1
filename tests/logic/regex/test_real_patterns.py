"""Patterns that people wrote: they parse, and an engine confirms every word found for them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from corvus_regex_ecma262 import Regex, error

from compat.errors import RegexError
from compat.logic.budget import Budget
from compat.logic.regex import Empty, Language, Word, find, includes


def patterns_in(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from patterns_in(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key == "pattern" and isinstance(item, str):
                yield item
            if key == "patternProperties" and isinstance(item, dict):
                yield from item
            yield from patterns_in(item)


def engine(source: str) -> Regex | None:
    for flags in ("u", ""):
        try:
            return Regex(source, flags)
        except error:
            continue
    return None


@pytest.fixture(scope="module")
def patterns(shared: Path) -> list[str]:
    found: set[str] = set()
    for packed in ("cases/real-pairs.jsonl.gz", "suites/containment.jsonl.gz"):
        with gzip.open(shared / packed, "rt", encoding="utf-8") as lines:
            for line in lines:
                found.update(patterns_in(json.loads(line)))
    for file in sorted((shared / "suites").rglob("*.json")) + sorted((shared / "seeds").glob("*.json")):
        found.update(patterns_in(json.loads(file.read_text(encoding="utf-8"))))
    return sorted(found)


def test_what_the_engine_reads_is_read_and_nothing_else(patterns: list[str]) -> None:
    assert len(patterns) > 150
    for source in patterns:
        if engine(source) is None:
            with pytest.raises(RegexError):
                Language.pattern(source)
        else:
            assert Language.pattern(source).exact


def test_words_found_are_confirmed(patterns: list[str]) -> None:
    confirmed = 0
    for source in patterns:
        judge = engine(source)
        if judge is None:
            continue
        language = Language.pattern(source)
        for wanted, found in ((True, find([language])), (False, find([~language], budget=Budget(5_000)))):
            assert isinstance(found, Word | Empty), source
            if isinstance(found, Word):
                assert judge.test(found.text) is wanted, source
                assert language.matches(found.text) is wanted, source
                confirmed += 1
        assert includes(language, language, Budget(0)) is True
    assert confirmed > 300


@pytest.mark.long
def test_neighbours_are_compared(patterns: list[str]) -> None:
    """Each pattern against the few that sort next to it, which are often variants of it."""
    read = [(source, judge) for source in patterns if (judge := engine(source)) is not None]
    for index, (small, judge) in enumerate(read):
        for large, other in read[index + 1 : index + 6]:
            for a, b, first, second in ((small, large, judge, other), (large, small, other, judge)):
                found = find([Language.pattern(a), ~Language.pattern(b)], budget=Budget(50_000))
                assert isinstance(found, Word | Empty), (a, b)
                if isinstance(found, Word):
                    assert first.test(found.text), (a, b)
                    assert not second.test(found.text), (a, b)

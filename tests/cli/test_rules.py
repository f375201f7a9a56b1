"""`compat rules`: every rule is listed and explained; a misspelt one is answered with the nearest."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from compat.assess import OWN_RULES
from compat.rules.catalogue import RULES

Run = Callable[..., Result]


def test_the_list_names_every_rule(run: Run, tmp_path: Path) -> None:
    result = run(tmp_path, "rules")
    assert result.exit_code == 0
    words = set(result.stdout.split())
    assert {*RULES, *OWN_RULES} <= words


@pytest.mark.parametrize("rule", [*RULES, *OWN_RULES])
def test_every_rule_is_explained(run: Run, tmp_path: Path, rule: str) -> None:
    result = run(tmp_path, "rules", rule)
    assert result.exit_code == 0
    known = RULES.get(rule) or OWN_RULES[rule]
    assert result.stdout.startswith(f"{rule}\n\n{known.summary}")
    assert known.why in result.stdout
    assert known.remedy in result.stdout


def test_no_own_rule_hides_one_of_the_catalogue() -> None:
    assert not set(RULES) & set(OWN_RULES)


@pytest.mark.parametrize(
    ("word", "said"),
    [("enum-valu-removed", "'enum-value-removed'"), ("Enum", "'enum'"), ("zzzzzz", "'compat rules' lists them.")],
)
def test_an_unknown_rule_is_answered_with_the_nearest(run: Run, tmp_path: Path, word: str, said: str) -> None:
    result = run(tmp_path, "rules", word)
    assert result.exit_code == 2
    assert f"there is no rule '{word}'" in result.stderr
    assert said in result.stderr


def test_a_keyword_shows_its_rules(run: Run, tmp_path: Path) -> None:
    result = run(tmp_path, "rules", "multipleOf")
    assert result.exit_code == 0
    listed = {line.split()[0] for line in result.stdout.splitlines() if line.startswith("  ")}
    assert listed == {rule.id for rule in RULES.values() if rule.keyword == "multipleOf"}


def test_rows_for_machines(run: Run, tmp_path: Path) -> None:
    document = json.loads(run(tmp_path, "rules", "-f", "json").stdout)
    assert document["format"] == "compat-rules/1"
    rows = {row["id"]: row for row in document["rules"]}
    assert set(rows) == {*RULES, *OWN_RULES}
    assert rows["enum-value-removed"]["mirror"] == "enum-value-added"
    assert rows["enum-value-removed"]["effect"] == "narrows"
    assert "example" not in rows["not-proved"]


def test_colour_marks_the_headings(run: Run, tmp_path: Path) -> None:
    assert "\x1b[1m" in run(tmp_path, "rules", "enum-added", "--color", "always").stdout
    assert "\x1b" not in run(tmp_path, "rules", "enum-added").stdout

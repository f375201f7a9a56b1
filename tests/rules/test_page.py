"""The page of a rule, and the catalogue of changes, say what the rows say."""

from __future__ import annotations

from compat.rules.catalogue import FAMILIES, RULES
from compat.rules.page import catalogue_page, explain
from compat.rules.rule import Example, NoMirror, Rule


def test_the_catalogue_has_a_line_and_a_section_for_every_rule() -> None:
    page = catalogue_page()
    for family in FAMILIES:
        assert f"\n## {family}\n" in page
    for rule in RULES.values():
        assert page.count(f"| [`{rule.id}`](#{rule.id}) |") == 1
        assert page.count(f"\n### {rule.id}\n") == 1


def test_a_page_shows_which_side_rejects_a_witness() -> None:
    page = explain(RULES["enum-value-removed"])
    assert '    old accepts, new rejects   "harness"' in page
    assert "old rejects" not in page
    assert "Read backwards it is `enum-value-added`." in page


def test_a_page_without_witness_says_that_both_accept_the_same() -> None:
    page = explain(RULES["title-changed"])
    assert "Both accept the same instances." in page
    assert "Read backwards it is the same rule." in page


def test_a_rule_without_mirror_says_why() -> None:
    rule = RULES["title-changed"]
    lonely = Rule("a", "k", "S.", "W.", "r.", Example({}, True), rule.expected, NoMirror("the step cannot be undone"))
    assert "Read backwards it is no rule: the step cannot be undone." in explain(lonely)

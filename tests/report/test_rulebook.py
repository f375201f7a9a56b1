"""The published rule book names every rule that a finding can have, and says what `compat rules ID` says."""

from __future__ import annotations

import os

import pytest
from conftest import PROJECT_ROOT

from compat.assess import OWN_RULES
from compat.report.rulebook import explain, rulebook
from compat.rules.catalogue import RULES

DOCS = PROJECT_ROOT / "docs" / "rules.md"


def test_the_published_rule_book_is_generated() -> None:
    """COMPAT_DOCS=write stores it anew."""
    if not DOCS.parent.is_dir():
        pytest.skip("no checkout: docs/ is not part of an installation")
    if os.environ.get("COMPAT_DOCS") == "write":
        DOCS.write_text(rulebook(), encoding="utf-8")
    stored = DOCS.read_text(encoding="utf-8")
    assert stored == rulebook(), "docs/rules.md is stale: run the tests once with COMPAT_DOCS=write"


@pytest.mark.parametrize("rule", [*RULES, *OWN_RULES])
def test_every_rule_has_a_line_and_a_section(rule: str) -> None:
    book = rulebook()
    assert book.count(f"| [`{rule}`](#{rule}) |") == 1
    page = explain(rule)
    assert page is not None
    title, _, rest = page.partition("\n")
    assert title == f"# {rule}"
    assert f"\n### {rule}\n{rest}" in book


def test_what_is_no_rule_has_no_page() -> None:
    assert explain("enum-value") is None

"""Every rule a finding can name as a page: those of the catalogue of changes and those of the judgement itself."""

from __future__ import annotations

from collections.abc import Iterator

from compat.assess.own import OWN_RULES, OwnRule
from compat.rules.catalogue import RULES
from compat.rules.page import catalogue_page
from compat.rules.page import explain as explain_change

OWN_FAMILY = "The judgement itself"


def explain(rule: str) -> str | None:
    """Write the page of a rule as Markdown that also reads well as plain text; None where there is no such rule."""
    if rule in RULES:
        return explain_change(RULES[rule])
    return "\n".join(_page(OWN_RULES[rule], "#")) if rule in OWN_RULES else None


def rulebook() -> str:
    """Write all rules as one Markdown document."""
    lines = [catalogue_page(), f"## {OWN_FAMILY}", "", "| rule | what it says |", "|---|---|"]
    lines += [f"| [`{rule.id}`](#{rule.id}) | {rule.summary} |" for rule in OWN_RULES.values()]
    for rule in OWN_RULES.values():
        lines += ["", *_page(rule, "###")]
    return "\n".join(lines) + "\n"


def _page(rule: OwnRule, heading: str) -> Iterator[str]:
    yield f"{heading} {rule.id}"
    yield ""
    yield rule.summary
    yield ""
    yield f"**Why it matters:** {rule.why}"
    yield ""
    yield f"**What to do:** {rule.remedy}"

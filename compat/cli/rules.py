"""`compat rules [ID]`: the catalogue, and one rule explained."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import click

from compat.cli import completing
from compat.cli.console import Console
from compat.cli.options import report_options

if TYPE_CHECKING:
    from compat.assess import OwnRule
    from compat.jsonvalue import JSON
    from compat.rules.rule import Rule


@click.command("rules", short_help="Show the rule catalogue, or explain one rule.")
@click.argument("id", required=False, metavar="[ID]", shell_complete=completing.rules)
@report_options("text", "json")
def rules(*, console: Console, id: str | None) -> None:
    """Show the rule catalogue, or explain one rule.

    ID is a rule, as findings name it. A keyword, such as enum, shows the rules about it.
    """
    chosen = _chosen(id)
    if console.format == "json":
        from compat.report.json import FORMAT_RULES, render_rows

        console.report(render_rows(FORMAT_RULES, rules=[_row(rule) for family in chosen.values() for rule in family]))
        return
    first = next(iter(chosen.values()))[0]
    if id is not None and first.id == id:
        console.report(_page(first, console.color))
        return
    console.report("\n".join(_list(chosen, console.color)))


def _chosen(id: str | None) -> Mapping[str, tuple[Rule | OwnRule, ...]]:
    """Give the families asked for; UsageError with the nearest names where there is no such rule."""
    from compat.assess import OWN_RULES
    from compat.errors import UsageError, did_you_mean
    from compat.report.rulebook import OWN_FAMILY
    from compat.rules.catalogue import FAMILIES, RULES

    families: dict[str, tuple[Rule | OwnRule, ...]] = {**FAMILIES, OWN_FAMILY: tuple(OWN_RULES.values())}
    if id is None:
        return families
    one = RULES.get(id) or OWN_RULES.get(id)
    if one is not None:
        return {"": (one,)}
    about = {name: tuple(rule for rule in family if rule.keyword == id) for name, family in FAMILIES.items()}
    if any(about.values()):
        return {name: family for name, family in about.items() if family}
    keywords = {rule.keyword for rule in RULES.values()}
    hint = did_you_mean(id, [*RULES, *OWN_RULES, *sorted(keywords)]) or "'compat rules' lists them."
    raise UsageError(f"there is no rule {id!r}.", hint=hint)


def _list(families: Mapping[str, tuple[Rule | OwnRule, ...]], color: bool) -> Iterator[str]:
    width = max(len(rule.id) for family in families.values() for rule in family)
    for index, (name, family) in enumerate(families.items()):
        if index:
            yield ""
        yield click.style(name, bold=True) if color else name
        yield ""
        for rule in family:
            effect = getattr(rule, "expected", "")
            yield f"  {rule.id:<{width}}  {effect:<8} {rule.summary}"
    yield ""
    yield "narrows breaks backward, widens breaks forward; 'compat rules ID' explains one."


def _page(rule: Rule | OwnRule, color: bool) -> str:
    from compat.report.rulebook import explain

    text = explain(rule.id)
    assert text is not None
    return re.sub(r"(?m)^# (.*)$|\*\*(.+?)\*\*", lambda found: _strong(found[1] or found[2], color), text)


def _strong(text: str, color: bool) -> str:
    return click.style(text, bold=True) if color else text


def _row(rule: Rule | OwnRule) -> Mapping[str, JSON]:
    from compat.assess import OwnRule

    about = {"id": rule.id, "summary": rule.summary, "why": rule.why, "remedy": rule.remedy}
    if isinstance(rule, OwnRule):
        return about
    example = rule.example
    return {
        **about,
        "keyword": rule.keyword,
        "effect": rule.expected.value,
        "mirror": rule.mirror if isinstance(rule.mirror, str) else None,
        "since": rule.since,
        "example": {
            "old": example.old,
            "new": example.new,
            "old_only": list(example.old_only),
            "new_only": list(example.new_only),
        },
    }

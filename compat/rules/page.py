"""A rule as a page, and the catalogue as one document; the text of both comes from the rows."""

from __future__ import annotations

from collections.abc import Iterator

from compat.jsonvalue import dumps
from compat.relation import Effect
from compat.rules.catalogue import FAMILIES, RULES
from compat.rules.rule import NoMirror, Rule

_EFFECTS = {
    Effect.NONE: "nothing: no instance is judged differently",
    Effect.NARROWS: "narrows the set of instances, which breaks backward: old data may fail",
    Effect.WIDENS: "widens the set of instances, which breaks forward: old readers may fail",
    Effect.BOTH: "takes instances away and adds others, which breaks both directions",
    Effect.UNKNOWN: "depends on what stands around it; the proof says",
}
_SHORT = {
    Effect.NONE: "none",
    Effect.NARROWS: "narrows",
    Effect.WIDENS: "widens",
    Effect.BOTH: "both",
    Effect.UNKNOWN: "depends",
}
_INTRODUCTION = """\
# Rules

A rule names what changed between two versions of a schema. What the change does in its place is proved for each
schema, and how much it matters is a matter of policy; neither is in a rule. The effect given here is that of the change
standing alone: *narrows* breaks backward compatibility, *widens* breaks forward compatibility.

`compat rules ID` shows one of these pages in the terminal.
"""


def explain(rule: Rule) -> str:
    """Write the page of a rule as Markdown that also reads well as plain text, without a last newline."""
    return "\n".join(_page(rule, "#"))


def catalogue_page() -> str:
    """Write all rules as one Markdown document: a table, then a section for each."""
    lines = [_INTRODUCTION]
    for family, rules in FAMILIES.items():
        lines += [f"## {family}", "", "| rule | keyword | effect | what changed |", "|---|---|---|---|"]
        lines += [f"| [`{r.id}`](#{r.id}) | {_keyword(r)} | {_SHORT[r.expected]} | {r.summary} |" for r in rules]
        lines += [""]
    for rule in RULES.values():
        lines += [*_page(rule, "###"), ""]
    return "\n".join(lines).rstrip() + "\n"


def _keyword(rule: Rule) -> str:
    return {"*": "any", "schema": "`false`"}.get(rule.keyword, f"`{rule.keyword}`")


def _page(rule: Rule, heading: str) -> Iterator[str]:
    yield f"{heading} {rule.id}"
    yield ""
    yield rule.summary
    yield ""
    yield f"**Effect:** {_EFFECTS[rule.expected]}."
    yield ""
    yield f"**Why it matters:** {rule.why}"
    yield ""
    yield from _example(rule)
    yield f"**To stay compatible:** {rule.remedy}"
    yield ""
    if isinstance(rule.mirror, NoMirror):
        yield f"Read backwards it is no rule: {rule.mirror.why}. Since {rule.since}."
    elif rule.mirror == rule.id:
        yield f"Read backwards it is the same rule. Since {rule.since}."
    else:
        yield f"Read backwards it is `{rule.mirror}`. Since {rule.since}."


def _example(rule: Rule) -> Iterator[str]:
    example = rule.example
    yield "**Example**"
    yield ""
    rows = [("old schema", example.old), ("new schema", example.new)]
    yield from (f"    {label}   {dumps(value)}" for label, value in rows)
    yield ""
    if not example.old_only and not example.new_only:
        if rule.expected is Effect.NONE:
            yield "Both accept the same instances."
            yield ""
        return
    yield from (f"    old accepts, new rejects   {dumps(value)}" for value in example.old_only)
    yield from (f"    old rejects, new accepts   {dumps(value)}" for value in example.new_only)
    yield ""

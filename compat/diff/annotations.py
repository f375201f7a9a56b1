"""Keywords that refuse nothing by themselves: annotations, identity, and those without force."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from compat.diff.difference import Difference, Spot
from compat.diff.fingerprint import Fingerprints
from compat.diff.likeness import described
from compat.diff.scalars import kebab
from compat.diff.view import ANNOTATIONS, KNOWN, View
from compat.diff.wording import contrast, shown
from compat.relation import Effect

# Long texts are told by name; short values are shown.
_PROSE = frozenset({"description", "$comment"})
# What a change of an asserted format does.
_FORMAT = {"added": Effect.NARROWS, "removed": Effect.WIDENS, "changed": Effect.UNKNOWN}


def annotation_differences(
    old: View, new: View, prints: Fingerprints, among: Iterable[str], *, asserts_format: bool = False
) -> Iterator[Difference]:
    """Compare those annotations that are among the given keywords; `format` may be more than one."""
    for keyword in sorted(ANNOTATIONS.intersection(among)):
        left, right = old.entries.get(keyword), new.entries.get(keyword)
        if left is None and right is None:
            continue
        if left is not None and right is not None and prints.same(left.value, right.value):
            continue
        before, after = old.spot(keyword), new.spot(keyword)
        if left is None:
            verb, text = "added", f"{keyword} added"
        elif right is None:
            verb, text = "removed", f"{keyword} removed"
        else:
            verb, text = "changed", f"{keyword} changed"
        if keyword not in _PROSE:
            text += _shown_values(before, after)
        rule = f"format-{verb}" if keyword == "format" else f"{kebab(keyword)}-changed"
        effect = _FORMAT[verb] if keyword == "format" and asserts_format else Effect.NONE
        yield Difference(rule, keyword, before, after, text + ".", effect)


def _shown_values(before: Spot, after: Spot) -> str:
    old, new = before.value, after.value
    if not before.exists or not after.exists:
        return f": {shown(new if after.exists else old)}"
    if isinstance(old, list | Mapping) and isinstance(new, list | Mapping):
        return f": {described(old, new)}"
    was, now = contrast(old, new)
    return f" from {was} to {now}"


def identity_differences(old: View, new: View, prints: Fingerprints) -> Iterator[Difference]:
    """Compare `$schema`, `$id` and the anchors."""
    yield from _dialects(old, new)
    for keyword, rule, effect in (
        ("$id", "id-changed", Effect.NONE),
        ("$anchor", "anchor-changed", Effect.NONE),
        ("$dynamicAnchor", "anchor-changed", Effect.UNKNOWN),
        ("$recursiveAnchor", "anchor-changed", Effect.UNKNOWN),
        ("$vocabulary", "keyword-changed", Effect.UNKNOWN),
    ):
        left, right = old.entries.get(keyword), new.entries.get(keyword)
        if left is None and right is None:
            continue
        if left is not None and right is not None and prints.same(left.value, right.value):
            continue
        before, after = old.spot(keyword), new.spot(keyword)
        if left is None:
            text = f"{keyword} added: {shown(after.value)}."
        elif right is None:
            text = f"{keyword} removed: {shown(before.value)}."
        else:
            was, now = contrast(before.value, after.value, 50)
            text = f"{keyword} changed from {was} to {now}."
        yield Difference(rule, keyword, before, after, text, effect)


def _dialects(old: View, new: View) -> Iterator[Difference]:
    left, right = old.entries.get("$schema"), new.entries.get("$schema")
    before, after = old.spot("$schema"), new.spot("$schema")
    if (left and left.value) == (right and right.value):
        return
    if old.dialect is not new.dialect:
        text = f"the dialect changed from {old.dialect} to {new.dialect}."
        yield Difference("dialect-changed", "$schema", before, after, text, Effect.UNKNOWN)
    else:
        text = f"$schema is written in another way; the dialect is still {new.dialect}."
        yield Difference("dialect-changed", "$schema", before, after, text, Effect.NONE)


def idle_differences(old: View, new: View, prints: Fingerprints, among: Callable[[str], bool]) -> Iterator[Difference]:
    """Compare keywords without force; one that has force on the other side is told there."""
    for keyword in dict.fromkeys((*old.idle, *new.idle)):
        if not among(keyword):
            continue
        before, after = old.at(keyword), new.at(keyword)
        if (before.exists and keyword not in old.idle) or (after.exists and keyword not in new.idle):
            continue
        if before.exists and after.exists and prints.same(before.value, after.value):
            continue
        verb = "changed" if before.exists and after.exists else "added" if after.exists else "removed"
        detail = f": {described(before.value, after.value)}" if verb == "changed" else ""
        if keyword in KNOWN:
            text = f"{keyword} {verb}{detail}; it restricts nothing here."
            yield Difference("vacuous-keyword-changed", keyword, before, after, text, Effect.NONE)
        else:
            text = f'"{keyword}" {verb}{detail}; {new.dialect} knows no such keyword.'
            yield Difference(f"unknown-keyword-{verb}", keyword, before, after, text, Effect.NONE)

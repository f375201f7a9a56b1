"""Keywords that speak of the items of an array."""

from __future__ import annotations

from collections.abc import Iterator

from compat.diff.difference import Bearing, Difference, Outcome, Pair
from compat.diff.objects import Rest, rest_outcomes
from compat.diff.view import View, says_nothing
from compat.relation import Effect


def array_outcomes(old: View, new: View) -> Iterator[Outcome]:
    """Compare what two subschemas say of arrays."""
    yield from _prefixes(old, new)
    yield from rest_outcomes(old, new, "items", step="*")
    yield from _contains(old, new)
    yield from rest_outcomes(old, new, "unevaluatedItems", step="*")


def _prefixes(old: View, new: View) -> Iterator[Outcome]:
    left, right = old.lists.get("prefixItems", []), new.lists.get("prefixItems", [])
    for index in range(max(len(left), len(right))):
        if index < len(left) and index < len(right):
            yield Pair(left[index].tokens, right[index].tokens, (str(index),))
        elif index < len(right):
            rest = Rest.of(old, "items", "unevaluatedItems")
            text = f"position {index} has a schema of its own now."
            effect = _position_effect(rest, Effect.NARROWS, says_nothing(right[index].value))
            before = old.at("prefixItems", index)
            yield Difference("prefix-item-added", "prefixItems", before, right[index], text, effect)
        else:
            rest = Rest.of(new, "items", "unevaluatedItems")
            text = f"position {index} has no schema of its own any more."
            effect = _position_effect(rest, Effect.WIDENS, says_nothing(left[index].value))
            after = new.at("prefixItems", index)
            yield Difference("prefix-item-removed", "prefixItems", left[index], after, text, effect)


def _position_effect(rest: Rest, where_open: Effect, accepts_all: bool) -> Effect:
    """A named position narrows open arrays, widens closed ones; against another schema either may follow."""
    if rest is Rest.OPEN:
        return Effect.NONE if accepts_all else where_open
    return where_open.mirror if rest is Rest.CLOSED else Effect.UNKNOWN


def _contains(old: View, new: View) -> Iterator[Outcome]:
    left, right = old.entries.get("contains"), new.entries.get("contains")
    if left is not None and right is not None:
        counted = "maxContains" in old.entries or "maxContains" in new.entries
        yield Pair(left.tokens, right.tokens, ("*",), Bearing.MIXED if counted else Bearing.SAME)
    elif right is not None:
        text = "an item that satisfies the schema of contains is demanded now."
        yield Difference("contains-added", "contains", old.spot("contains"), right, text, Effect.NARROWS)
    elif left is not None:
        text = "no item needs to satisfy the schema of contains any more."
        yield Difference("contains-removed", "contains", left, new.spot("contains"), text, Effect.WIDENS)

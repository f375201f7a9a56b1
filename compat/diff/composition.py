"""Keywords that combine schemas: allOf, anyOf, oneOf, not, if/then/else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from compat.diff.difference import Bearing, Difference, Outcome, Pair, Spot
from compat.diff.fingerprint import Fingerprints
from compat.diff.pairing import apart, branches, constants
from compat.diff.scalars import kebab
from compat.diff.view import ANNOTATIONS, IDENTITY, View
from compat.diff.wording import clip, counted, listing, shown
from compat.jsonvalue import JSON
from compat.relation import Effect

Follow = Callable[[JSON, bool], JSON]
_BRANCHED = ("allOf", "anyOf", "oneOf")


def composition_outcomes(old: View, new: View, prints: Fingerprints, follow: Follow) -> Iterator[Outcome]:
    """Compare how two subschemas combine others; `follow` resolves a branch that is a reference (True: old side)."""
    converted = _converted(old, new)
    if converted is not None:
        yield from _conversion(old, new, *converted)
        yield from _branches(old, new, *converted, prints=prints, follow=follow)
    for keyword in _BRANCHED:
        if converted is None or keyword not in converted:
            yield from _combination(old, new, keyword, prints, follow)
    yield from _negation(old, new)
    yield from _conditional(old, new)


def wrapping(old: View, new: View, prints: Fingerprints, follow: Follow) -> Iterator[Outcome]:
    """Yield what there is to say where one side is, as a whole, a branch of the other; nothing otherwise.

    `{"type": "string"}` that became `{"anyOf": [{"type": "string"}, {"type": "null"}]}` gained an alternative; it did
    not lose its type.
    """
    for inner, outer, wraps in ((old, new, True), (new, old, False)):
        keyword = next(iter(outer.asserts())) if len(outer.asserts()) == 1 else ""
        if keyword not in _BRANCHED or not inner.asserts() or not inner.asserts().isdisjoint(_BRANCHED):
            continue
        core = inner.core()
        places = outer.lists[keyword]
        values = [place.value for place in places]
        follows: Follow = follow if wraps else lambda value, is_old: follow(value, not is_old)
        pairs, _, others = branches([core], values, prints, follows)
        if not pairs:
            continue
        branch = places[pairs[0][1]]
        whole, held = Spot((), inner.value), outer.at(keyword)
        yield _wrapped(keyword, whole, held, [places[index].value for index in others], wraps)
        bearing = Bearing.SAME if keyword != "oneOf" or not others else Bearing.MIXED
        yield Pair((), branch.tokens, (), bearing) if wraps else Pair(branch.tokens, (), (), bearing)
        return


def _wrapped(keyword: str, whole: Spot, held: Spot, others: Sequence[JSON], wraps: bool) -> Difference:
    before, after = (whole, held) if wraps else (held, whole)
    beside = listing(map(_told, others), most=2)
    if wraps:
        text = f"became a branch of {keyword}, beside {beside}." if others else f"was wrapped in {keyword}."
        effect = Effect.NARROWS if keyword == "allOf" else Effect.WIDENS
    else:
        text = f"one branch of {keyword} is left, without {beside}." if others else f"{keyword} was unwrapped."
        effect = Effect.WIDENS if keyword == "allOf" else Effect.NARROWS
    rule = f"{kebab(keyword)}-{'wrapped' if wraps else 'unwrapped'}"
    return Difference(rule, keyword, before, after, text, effect if others else Effect.NONE)


def _converted(old: View, new: View) -> tuple[str, str] | None:
    """Recognise anyOf that became oneOf, or the reverse."""
    held = [keyword for keyword in ("anyOf", "oneOf") if keyword in old.lists]
    holds = [keyword for keyword in ("anyOf", "oneOf") if keyword in new.lists]
    return (held[0], holds[0]) if len(held) == len(holds) == 1 and held != holds else None


def _conversion(old: View, new: View, held: str, holds: str) -> Iterator[Outcome]:
    before, after = old.at(held), new.at(holds)
    if holds == "oneOf":
        text = "anyOf became oneOf: what satisfies two branches is no longer accepted."
        yield Difference("any-of-became-one-of", "oneOf", before, after, text, Effect.NARROWS)
    else:
        text = "oneOf became anyOf: what satisfies two branches is newly accepted."
        yield Difference("one-of-became-any-of", "anyOf", before, after, text, Effect.WIDENS)


def _combination(old: View, new: View, keyword: str, prints: Fingerprints, follow: Follow) -> Iterator[Outcome]:
    if keyword in old.lists and keyword in new.lists:
        yield from _branches(old, new, keyword, keyword, prints=prints, follow=follow)
    elif keyword in new.lists:
        number = counted(len(new.lists[keyword]), "branch", "branches")
        text = f"{keyword} with {number} introduced."
        rule = f"{kebab(keyword)}-added"
        yield Difference(rule, keyword, old.at(keyword), new.at(keyword), text, Effect.NARROWS)
    elif keyword in old.lists:
        number = counted(len(old.lists[keyword]), "branch", "branches")
        text = f"{keyword} with {number} dropped."
        rule = f"{kebab(keyword)}-removed"
        yield Difference(rule, keyword, old.at(keyword), new.at(keyword), text, Effect.WIDENS)


def _branches(
    old: View, new: View, held: str, holds: str, *, prints: Fingerprints, follow: Follow
) -> Iterator[Outcome]:
    left, right = old.lists[held], new.lists[holds]
    pairs, removed, added = branches([s.value for s in left], [s.value for s in right], prints, follow)
    exclusive = "oneOf" in (held, holds)
    apart_before, apart_after = (
        apart([follow(place.value, is_old) for place in places] if exclusive else [], prints)
        for places, is_old in ((left, True), (right, False))
    )
    for mine, theirs in pairs:
        settled = prints.same(left[mine].value, right[theirs].value) and not prints.refers(left[mine].value)
        is_apart = not exclusive or settled or (apart_before(mine) and apart_after(theirs))
        yield Pair(left[mine].tokens, right[theirs].tokens, (), Bearing.SAME if is_apart else Bearing.MIXED)
    all_of = holds == "allOf"
    for index in removed:
        gone = Spot((holds,), None, exists=False)
        text = f"{'condition' if all_of else 'alternative'} removed: {_told(left[index].value)}."
        effect = Effect.WIDENS if all_of else Effect.NARROWS
        if exclusive and not apart_before(index):
            effect = Effect.UNKNOWN
        yield Difference(f"{kebab(held)}-branch-removed", held, left[index], gone, text, effect)
    for index in added:
        gone = Spot((held,), None, exists=False)
        text = f"{'condition' if all_of else 'alternative'} added: {_told(right[index].value)}."
        effect = Effect.NARROWS if all_of else Effect.WIDENS
        if exclusive and not apart_after(index):
            effect = Effect.UNKNOWN
        yield Difference(f"{kebab(holds)}-branch-added", holds, gone, right[index], text, effect)


def _told(branch: JSON) -> str:
    """Name a branch by its title, its reference, what tells it apart, its type, or else its text."""
    if isinstance(branch, Mapping):
        title, reference, kind = branch.get("title"), branch.get("$ref"), branch.get("type")
        if isinstance(title, str):
            return clip(f'"{title}"')
        if isinstance(reference, str):
            return clip(reference)
        marks = [f"{name} is {shown(value, 30)}" for name, value in constants(branch)]
        if marks:
            return f"object whose {listing(marks, most=2)}"
        if isinstance(kind, str) and set(branch) <= {"type", *ANNOTATIONS, *IDENTITY}:
            return kind
    return shown(branch)


def _negation(old: View, new: View) -> Iterator[Outcome]:
    left, right = old.entries.get("not"), new.entries.get("not")
    if left is not None and right is not None:
        yield Pair(left.tokens, right.tokens, (), Bearing.REVERSED)
    elif right is not None:
        text = f"what satisfies {shown(right.value)} is no longer accepted."
        yield Difference("not-added", "not", old.spot("not"), right, text, Effect.NARROWS)
    elif left is not None:
        text = f"what satisfies {shown(left.value)} is newly accepted."
        yield Difference("not-removed", "not", left, new.spot("not"), text, Effect.WIDENS)


def _conditional(old: View, new: View) -> Iterator[Outcome]:
    left, right = old.entries.get("if"), new.entries.get("if")
    if left is None and right is None:
        return
    if left is None or right is None:
        before, after = old.spot("if"), new.spot("if")
        if right is not None:
            text = f"what satisfies {shown(after.value, 40)} must meet a further condition now."
            yield Difference("conditional-added", "if", before, after, text, Effect.NARROWS)
        else:
            text = f"what satisfies {shown(before.value, 40)} need not meet a further condition any more."
            yield Difference("conditional-removed", "if", before, after, text, Effect.WIDENS)
        return
    yield Pair(left.tokens, right.tokens, (), Bearing.MIXED)
    for keyword, where in (("then", "the condition holds"), ("else", "the condition fails")):
        held, holds = old.entries.get(keyword), new.entries.get(keyword)
        if held is not None and holds is not None:
            yield Pair(held.tokens, holds.tokens)
        elif holds is not None:
            text = f"where {where}, a further schema must be satisfied now."
            yield Difference(f"{keyword}-added", keyword, old.spot(keyword), holds, text, Effect.NARROWS)
        elif held is not None:
            text = f"where {where}, no further schema must be satisfied any more."
            yield Difference(f"{keyword}-removed", keyword, held, new.spot(keyword), text, Effect.WIDENS)

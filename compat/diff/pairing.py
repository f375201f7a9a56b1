"""Which parts of two versions stand for each other: branches, renamed properties, renamed definitions.

A wrong guess here makes a clumsy report, never a wrong verdict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import pairwise

from compat.diff.fingerprint import Fingerprints
from compat.diff.likeness import scores, traits
from compat.jsonvalue import JSON

ALIKE = 0.5
_MOST_PAIRS = 400
_MOST_SCORED = 10_000
_MOST_HELD_AGAINST = 60

Places = Sequence[JSON]


def renames(
    removed: Mapping[str, JSON], added: Mapping[str, JSON], prints: Fingerprints, least: float = ALIKE
) -> dict[str, str]:
    """Guess which added name is a removed one renamed: new name → old name, best matches first.

    Contents count, and names a little; a bare `{"type": "string"}` alone proves nothing.
    """
    if len(removed) * len(added) > _MOST_PAIRS:
        return {}
    substance = {name: min(1.0, traits(value).total() / 5) for name, value in removed.items()}
    scored = [
        (-alike * (0.35 + 0.3 * substance[before] + 0.35 * _name_likeness(before, after)), before, after)
        for before, after, alike in scores(removed, added, prints)
    ]
    taken: dict[str, str] = {}
    for negative, before, after in sorted(scored):
        if -negative >= least and after not in taken and before not in taken.values():
            taken[after] = before
    return taken


def _name_likeness(left: str, right: str) -> float:
    """Share of letter pairs that two names have in common, case and separators apart."""
    mine, theirs = (
        Counter(pairwise(text)) for text in ("".join(c for c in name.lower() if c.isalnum()) for name in (left, right))
    )
    total = sum(mine.values()) + sum(theirs.values())
    return 2 * sum((mine & theirs).values()) / total if total else float(left == right)


def branches(
    old: Places, new: Places, prints: Fingerprints, resolved: Callable[[JSON, bool], JSON]
) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Pair the branches of `anyOf`, `oneOf`, `allOf`: pairs of indices, then what only one side has.

    Tried in turn: equal text, same reference, same discriminator, same title, then likeness. `resolved` follows the
    `$ref` of a branch (its second argument tells the old side), so that a branch moved to a definition is still found.
    """
    pairs: list[tuple[int, int]] = []
    left, right = list(range(len(old))), list(range(len(new)))

    def settle(found: Iterator[tuple[int, int]]) -> None:
        for mine, theirs in found:
            if mine in left and theirs in right:
                pairs.append((mine, theirs))
                left.remove(mine)
                right.remove(theirs)

    settle(_by_key([(i, prints.of(old[i])) for i in left], [(j, prints.of(new[j])) for j in right]))
    settle(_by_key(_keyed(left, old, _reference), _keyed(right, new, _reference)))
    if left and right:
        was = {i: resolved(old[i], True) for i in left}
        now = {j: resolved(new[j], False) for j in right}
        tags = {i: discriminators(was[i], prints) for i in left}
        marks = {j: discriminators(now[j], prints) for j in right}
        settle(_by_tags(tags, marks))
        settle(_by_key(_keyed(left, old, _title), _keyed(right, new, _title)))
        if len(left) * len(right) <= _MOST_SCORED:
            remaining = {i: was[i] for i in left}, {j: now[j] for j in right}
            settle(_by_likeness(*remaining, tags, marks, prints))
    return sorted(pairs), left, right


def _keyed(indices: list[int], values: Places, key: Callable[[JSON], object]) -> list[tuple[int, object]]:
    return [(index, found) for index in indices if (found := key(values[index])) is not None]


def _by_key(left: Sequence[tuple[int, object]], right: Sequence[tuple[int, object]]) -> Iterator[tuple[int, int]]:
    waiting: dict[object, list[int]] = {}
    for index, key in reversed(right):
        waiting.setdefault(key, []).append(index)
    for index, key in left:
        if waiting.get(key):
            yield index, waiting[key].pop()


def _reference(branch: JSON) -> object:
    """The last token of a reference: a definition keeps its name when its container is renamed."""
    found = branch.get("$ref") if isinstance(branch, Mapping) else None
    return found.rsplit("/", 1)[-1] if isinstance(found, str) else None


def _title(branch: JSON) -> object:
    return branch.get("title") if isinstance(branch, Mapping) and isinstance(branch.get("title"), str) else None


def constants(branch: JSON) -> Iterator[tuple[str, JSON]]:
    """Yield the required properties of a branch that are constant, with their values."""
    for name, held in _required(branch):
        if "const" in held:
            yield name, held["const"]


def discriminators(branch: JSON, prints: Fingerprints) -> dict[str, frozenset[int]]:
    """Give the required properties of a branch that allow a fixed set of values, with that set."""
    found: dict[str, frozenset[int]] = {}
    for name, held in _required(branch):
        if "const" in held:
            found[name] = frozenset({prints.of(held["const"])})
        elif isinstance(values := held.get("enum"), list):
            found[name] = frozenset(map(prints.of, values))
    return found


def _required(branch: JSON) -> Iterator[tuple[str, Mapping[str, JSON]]]:
    if isinstance(branch, Mapping):
        properties, required = branch.get("properties"), branch.get("required")
        if isinstance(properties, Mapping) and isinstance(required, list):
            for name in required:
                held = properties.get(name) if isinstance(name, str) else None
                if isinstance(held, Mapping):
                    yield str(name), held


Branches = Mapping[int, JSON]
Tags = Mapping[int, Mapping[str, frozenset[int]]]


def _by_tags(left: Tags, right: Tags) -> Iterator[tuple[int, int]]:
    """Pair branches that carry the same value of the same discriminator, then those whose values overlap."""
    for exact in (True, False):
        index: dict[Hashable, list[int]] = {}
        for theirs, marks in right.items():
            for key in _tag_keys(marks, exact):
                index.setdefault(key, []).append(theirs)
        for mine, tags in left.items():
            candidates = dict.fromkeys(theirs for key in _tag_keys(tags, exact) for theirs in index.get(key, ()))
            for theirs in sorted(candidates):
                if _agree(tags, right[theirs], exact):
                    yield mine, theirs


def _tag_keys(tags: Mapping[str, frozenset[int]], exact: bool) -> Iterator[Hashable]:
    for name, values in tags.items():
        if exact:
            yield name, values
        else:
            yield from ((name, value) for value in values)


def _agree(tags: Mapping[str, frozenset[int]], marks: Mapping[str, frozenset[int]], exact: bool) -> bool:
    return all(tags[name] == marks[name] if exact else tags[name] & marks[name] for name in tags if name in marks)


def _by_likeness(
    was: Branches, now: Branches, tags: Tags, marks: Tags, prints: Fingerprints
) -> Iterator[tuple[int, int]]:
    fitting = [
        (-score, abs(mine - theirs), mine, theirs)
        for mine, theirs, score in scores(was, now, prints)
        if score >= ALIKE and not _conflict(tags[mine], marks[theirs]) and not _type_conflict(was[mine], now[theirs])
    ]
    for _, _, mine, theirs in sorted(fitting):
        yield mine, theirs


def apart(values: Places, prints: Fingerprints) -> Callable[[int], bool]:
    """Tell for a branch whether it visibly shares no instance with any of the others.

    Where one discriminator tells all of them apart, that is known at once; else each is held against each, in short
    lists only.
    """
    tags = [discriminators(value, prints) for value in values]
    for name in tags[0] if tags else ():
        if all(name in held for held in tags):
            told = [value for held in tags for value in held[name]]
            if len(told) == len(set(told)):
                return lambda index: True
    if len(values) > _MOST_HELD_AGAINST:
        return lambda index: False
    return lambda index: all(
        _type_conflict(values[index], value) or _conflict(tags[index], tags[other])
        for other, value in enumerate(values)
        if other != index
    )


def _conflict(tags: Mapping[str, frozenset[int]], marks: Mapping[str, frozenset[int]]) -> bool:
    """Branches that demand different values of one property are different alternatives, however alike."""
    return any(not tags[name] & marks[name] for name in tags if name in marks)


def _type_conflict(left: JSON, right: JSON) -> bool:
    mine = left.get("type") if isinstance(left, Mapping) else None
    theirs = right.get("type") if isinstance(right, Mapping) else None
    if mine is None or theirs is None:
        return False
    accepted, accepts = (
        {name} if isinstance(name, str) else {str(item) for item in name} if isinstance(name, list) else set()
        for name in (mine, theirs)
    )
    return not accepted & accepts and {*accepted, *accepts} != {"integer", "number"}

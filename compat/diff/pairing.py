"""Which parts of two versions stand for each other: branches, renamed properties, renamed definitions.

A wrong guess here makes a clumsy report, never a wrong verdict. DeepDiff measures how far two small values are apart
and puts a change of a value into words; it is not JSON equality (it holds `[1]` equal to `[true]`), so equality is
always asked of the fingerprints.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import Any

from compat.diff.fingerprint import Fingerprints
from compat.diff.wording import clip, contrast, counted, listing
from compat.jsonvalue import JSON, walk

ALIKE = 0.5
_MOST_LEAVES = 200
_MOST_FOR_DEEPDIFF = 40
_MOST_DEEP = 30
_MOST_PAIRS = 400
_MOST_SCORED = 20_000

Places = Sequence[JSON]


def similarity(left: JSON, right: JSON, prints: Fingerprints) -> float:
    """Score from 0 (nothing in common) to 1 (equal) how alike two subschemas look."""
    if prints.same(left, right):
        return 1.0
    mine, theirs = _traits(left), _traits(right)
    total = sum((mine | theirs).values())
    shared = sum((mine & theirs).values()) / total if total else 0.0
    if shared >= 0.3 and total <= _MOST_FOR_DEEPDIFF:
        distance = _distance(left, right)
        if distance is not None:
            shared = 0.7 * shared + 0.3 * (1.0 - distance)
    return min(shared, 0.99)


def _traits(value: JSON) -> Counter[tuple[str, str]]:
    """Count keywords and leaf values, wherever they stand, of the first part of a value."""
    traits: Counter[tuple[str, str]] = Counter()
    for seen, (path, item) in enumerate(walk(value)):
        if seen >= _MOST_LEAVES:
            break
        last = next((str(token) for token in reversed(path) if isinstance(token, str)), "")
        if isinstance(item, Mapping | list):
            if path:
                traits["inner", last] += 1
        else:
            traits[last, f"{type(item).__name__}:{item}"] += 1
    return traits


def _distance(left: JSON, right: JSON) -> float | None:
    """Ask DeepDiff how far apart two small values are, 0 to 1; None where it gives no answer."""
    from deepdiff import DeepDiff

    try:
        found = DeepDiff(left, right, ignore_order=True, get_deep_distance=True).get("deep_distance", 0.0)
    except (ArithmeticError, ValueError, TypeError, RecursionError):
        return None
    return min(max(float(found), 0.0), 1.0)


def described(old: JSON, new: JSON) -> str:
    """Say in a few words how one value became another."""
    containers = isinstance(old, Mapping | list) and isinstance(new, Mapping | list)
    if not containers:
        return " became ".join(contrast(old, new, 30))
    if not _is_small(old) or not _is_small(new):
        return "its contents changed"
    from deepdiff import DeepDiff

    try:
        found: Mapping[str, Any] = DeepDiff(old, new, ignore_order=False, verbose_level=1, max_passes=1)
    except (ArithmeticError, ValueError, TypeError, RecursionError):
        return "its contents changed"
    added = [key for kind, keys in found.items() if kind.endswith("_added") for key in keys]
    removed = [key for kind, keys in found.items() if kind.endswith("_removed") for key in keys]
    changed = [key for kind in ("values_changed", "type_changes") for key in found.get(kind, ())]
    parts = [
        f"{_place(keys[0])} {verb}" if len(keys) == 1 else f"{counted(len(keys), 'value')} {verb}"
        for keys, verb in ((added, "added"), (removed, "removed"), (changed, "changed"))
        if keys
    ]
    return listing(parts) or "its contents changed"


def _is_small(value: JSON) -> bool:
    """Whether DeepDiff may look at a value: it recurses, and its cost grows with the square of a list."""
    return all(
        seen < _MOST_LEAVES and len(path) < _MOST_DEEP
        for seen, (path, _) in enumerate(islice(walk(value), _MOST_LEAVES + 1))
    )


def _place(path: object) -> str:
    words = re.findall(r"\['(.*?)'\]|\[(\d+)\]", str(path))
    return clip(".".join(name or f"[{index}]" for name, index in words) or "the value", 40)


def renames(
    removed: Mapping[str, JSON], added: Mapping[str, JSON], prints: Fingerprints, least: float = ALIKE
) -> dict[str, str]:
    """Guess which added name is a removed one renamed: new name → old name, best matches first."""
    if not removed or not added or len(removed) * len(added) > _MOST_PAIRS:
        return {}
    scored = sorted(
        (
            (-_rename_score(before, held, after, holds, prints), before, after)
            for before, held in removed.items()
            for after, holds in added.items()
        ),
    )
    taken: dict[str, str] = {}
    for negative, before, after in scored:
        if -negative >= least and after not in taken and before not in taken.values():
            taken[after] = before
    return taken


def _rename_score(before: str, held: JSON, after: str, holds: JSON, prints: Fingerprints) -> float:
    """Likeness of contents, with a little for the names; a bare `{"type": "string"}` alone proves nothing."""
    contents = similarity(held, holds, prints)
    names = _name_likeness(before, after)
    substance = min(1.0, sum(_traits(held).values()) / 5)
    return contents * (0.35 + 0.3 * substance + 0.35 * names)


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
    for overlap in (False, True):
        for mine, tags in left.items():
            for theirs, marks in right.items():
                common = [name for name in tags if name in marks]
                if common and all(
                    tags[name] & marks[name] if overlap else tags[name] == marks[name] for name in common
                ):
                    yield mine, theirs


def _by_likeness(
    was: Branches, now: Branches, tags: Tags, marks: Tags, prints: Fingerprints
) -> Iterator[tuple[int, int]]:
    scored = []
    for mine in was:
        for theirs in now:
            if _conflict(tags[mine], marks[theirs]) or _type_conflict(was[mine], now[theirs]):
                continue
            score = similarity(was[mine], now[theirs], prints)
            if score >= ALIKE:
                scored.append((-score, abs(mine - theirs), mine, theirs))
    for _, _, mine, theirs in sorted(scored):
        yield mine, theirs


def disjoint(left: JSON, right: JSON, prints: Fingerprints) -> bool:
    """Tell whether two branches visibly share no instance: other types, or another value of one required property."""
    return _type_conflict(left, right) or _conflict(discriminators(left, prints), discriminators(right, prints))


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

"""How alike two values look, and how one became the other, in numbers and in words.

DeepDiff measures how far apart two small values are and finds what to name of a change. It is not JSON equality (it
holds `[1]` equal to `[true]`), so equality is always asked of the fingerprints, and no verdict hangs on it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from itertools import islice
from typing import Any, TypeVar

from compat.diff.fingerprint import Fingerprints
from compat.diff.wording import clip, contrast, counted, listing
from compat.jsonvalue import JSON, walk

_MOST_LEAVES = 200
_MOST_FOR_DEEPDIFF = 40
_MOST_DEEP = 30
_MOST_MEASURED = 50
_WORTH_MEASURING = 0.3

Traits = Counter[tuple[str, str]]
Name = TypeVar("Name", bound=Hashable)


def similarity(left: JSON, right: JSON, prints: Fingerprints) -> float:
    """Score from 0 (nothing in common) to 1 (equal) how alike two subschemas look."""
    return next(scores({0: left}, {0: right}, prints), (0, 0, 0.0))[2]


def scores(
    left: Mapping[Name, JSON], right: Mapping[Name, JSON], prints: Fingerprints
) -> Iterator[tuple[Name, Name, float]]:
    """Score every value against every other and yield what has anything in common, most alike by traits first.

    Only the first few are measured with DeepDiff, whose cost would show among hundreds of values.
    """
    mine, theirs = ({name: traits(value) for name, value in side.items()} for side in (left, right))
    found = []
    for index, (one, held) in enumerate(mine.items()):
        for place, (other, holds) in enumerate(theirs.items()):
            same = prints.same(left[one], right[other])
            shared = 1.0 if same else min(_shared(held, holds), 0.99)
            if shared > 0.0:
                found.append((-shared, index, place, one, other))
    measured = 0
    for negative, _, _, one, other in sorted(found, key=lambda entry: entry[:3]):
        shared = -negative
        worth = _WORTH_MEASURING <= shared < 1.0 and measured < _MOST_MEASURED
        if worth and (mine[one] | theirs[other]).total() <= _MOST_FOR_DEEPDIFF:
            measured += 1
            distance = _distance(left[one], right[other])
            shared = shared if distance is None else min(0.7 * shared + 0.3 * (1.0 - distance), 0.99)
        yield one, other, shared


def traits(value: JSON) -> Traits:
    """Count keywords and leaf values, wherever they stand, of the first part of a value."""
    found: Traits = Counter()
    for path, item in islice(walk(value), _MOST_LEAVES):
        last = next((str(token) for token in reversed(path) if isinstance(token, str)), "")
        if isinstance(item, Mapping | list):
            if path:
                found["inner", last] += 1
        else:
            found[last, f"{type(item).__name__}:{item}"] += 1
    return found


def _shared(mine: Traits, theirs: Traits) -> float:
    total = (mine | theirs).total()
    return (mine & theirs).total() / total if total else 0.0


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

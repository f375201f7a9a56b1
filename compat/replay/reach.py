"""How many records have anything at a place: where none has, none could say what a change there does."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from compat.jsonvalue import JSON, tokens
from compat.replay.read import Outcome, Record


def reached(found: Iterable[Outcome], paths: Collection[str]) -> Mapping[str, int]:
    """Count for each path, a JSON Pointer with `*` for any item or key, the records that have something there."""
    steps = {path: tokens(path) for path in paths}
    counts = dict.fromkeys(paths, 0)
    for outcome in found:
        if isinstance(outcome, Record):
            for path, way in steps.items():
                counts[path] += _leads(outcome.value, way)
    return counts


def _leads(value: JSON, way: Sequence[str]) -> bool:
    """Go down step by step, to all items at once where any will do."""
    level: list[JSON] = [value]
    for step in way:
        below: list[JSON] = []
        for item in level:
            if isinstance(item, dict):
                if step in item:
                    below.append(item[step])
                elif step == "*":
                    below.extend(item.values())
            elif isinstance(item, list):
                if step == "*":
                    below.extend(item)
                elif step.isascii() and step.isdigit() and len(step) < 19 and int(step) < len(item):
                    below.append(item[int(step)])
        level = below
        if not level:
            return False
    return True

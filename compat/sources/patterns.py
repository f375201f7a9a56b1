"""Path patterns: `*` and `?` stay within a folder, `**` spans folders."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from itertools import count, takewhile


def matches(pattern: str, path: str) -> bool:
    """Whether a path is meant; the time is bounded by the lengths multiplied, whatever the pattern."""
    wanted = [step for step in pattern.removeprefix("./").split("/") if step]
    steps = path.split("/")
    # Position i is live when the pattern's first i steps match what was read.
    live = {0}
    for step in (*steps, None):
        spread = set(live)
        for start in live:
            spans = takewhile(lambda i: i < len(wanted) and wanted[i] == "**", count(start))
            spread.update(index + 1 for index in spans)
        if step is None:
            return len(wanted) in spread
        live = {index for index in spread if index < len(wanted) and wanted[index] == "**"}
        live |= {i + 1 for i in spread if i < len(wanted) and wanted[i] != "**" and fnmatchcase(step, wanted[i])}
    return False


def excluded(patterns: Iterable[str], path: str) -> str | None:
    """Give the first pattern that means the path or a folder around it."""
    steps = path.split("/")
    around = ["/".join(steps[:count]) for count in range(1, len(steps) + 1)]
    return next((pattern for pattern in patterns if any(matches(pattern, part) for part in around)), None)

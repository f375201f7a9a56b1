"""Values and lists as a summary shows them: short, whatever their size."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice

from compat.jsonvalue import JSON, dumps

CLIP = 60
_DEPTH = 2
_MEMBERS = 4
_LEAD = 10


def shown(value: JSON, limit: int = CLIP) -> str:
    """Write a value as JSON, cut in depth and length so that it fits a line."""
    return clip(_shown(value, _DEPTH), limit)


def pattern(source: str) -> str:
    """Write a regular expression as people know it, its backslashes not doubled; control characters stay escaped."""
    return dumps(source).replace("\\\\", "\\")


def contrast(old: JSON, new: JSON, limit: int = 40, write: Callable[[str], str] = dumps) -> tuple[str, str]:
    """Write two values so that their first difference is seen, however late it comes."""
    before, after = (write(value) if isinstance(value, str) else _shown(value, _DEPTH) for value in (old, new))
    if max(len(before), len(after)) <= limit:
        return before, after
    alike = next((at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), limit)
    longest = max(len(before), len(after))
    start = max(0, min(alike - _LEAD, longest - limit + 1)) if alike > limit // 2 else 0
    return _excerpt(before, start, limit), _excerpt(after, start, limit)


def _excerpt(text: str, start: int, limit: int) -> str:
    return clip(text, limit) if start == 0 else "…" + clip(text[start:], limit - 1)


def clip(text: str, limit: int = CLIP) -> str:
    """Cut a text that is too long for a line."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def listing(items: Iterable[str], most: int = 4) -> str:
    """Join words as a sentence does: "a, b and c"; a long list is counted instead of told."""
    words = list(items)
    if len(words) > most + 1:
        words = [*words[:most], f"{len(words) - most} more"]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Count a noun: "1 item", "2 items"."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def _shown(value: JSON, depth: int) -> str:
    if isinstance(value, Mapping):
        if depth == 0 and value:
            return "{…}"
        members = [f"{dumps(clip(key))}: {_shown(item, depth - 1)}" for key, item in islice(value.items(), _MEMBERS)]
        return "{" + ", ".join([*members, "…"] if len(value) > _MEMBERS else members) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        if depth == 0 and value:
            return "[…]"
        items = [_shown(item, depth - 1) for item in islice(value, _MEMBERS)]
        return "[" + ", ".join([*items, "…"] if len(value) > _MEMBERS else items) + "]"
    if isinstance(value, str):
        return dumps(value if len(value) <= 4 * CLIP else value[: 4 * CLIP])
    return dumps(value)

"""One change made alone: the old schema with it and without all the others.

What two versions differ in together may come from any of their changes where the schema chooses between branches;
made alone, a change shows what it does by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, auto

from compat.diff.change import Change
from compat.jsonvalue import JSON, tokens

_REQUIRED_TOO = "required-property-added"


class _Edit(Enum):
    SET = auto()
    ADD = auto()  # where a list stands at the end of the path, join it
    REMOVE = auto()


def applied(schema: JSON, change: Change) -> JSON | None:
    """Give a copy of the old schema with one change made, or None where it cannot be made without others."""
    old, new = tokens(change.old.pointer), tokens(change.new.pointer)
    if not new or not old:
        return None
    if not change.old.exists:
        with_it = _edited(schema, old, _Edit.ADD, change.new.value)
        if with_it is not None and change.rule == _REQUIRED_TOO and len(old) >= 2:
            return _edited(with_it, (*old[:-2], "required"), _Edit.ADD, old[-1])
        return with_it
    if not change.new.exists:
        return _edited(schema, old, _Edit.REMOVE)
    if old[-1] != new[-1] and not new[-1].isdigit() and not old[-1].isdigit():
        without = _edited(schema, old, _Edit.REMOVE)
        return None if without is None else _edited(without, (*old[:-1], new[-1]), _Edit.SET, change.new.value)
    return _edited(schema, old, _Edit.SET, change.new.value)


def _edited(value: JSON, path: Sequence[str], edit: _Edit, item: JSON = None) -> JSON | None:
    """Copy along one path and make the edit at its end; None where the path does not lead on."""
    if not path:
        return [*value, item] if edit is _Edit.ADD and isinstance(value, list) else item
    step, rest = path[0], path[1:]
    if isinstance(value, Mapping):
        if step not in value:
            if edit is _Edit.REMOVE:
                return None
            below = _edited({} if rest else [] if step == "required" else None, rest, edit, item)
        elif edit is _Edit.REMOVE and not rest:
            return {key: held for key, held in value.items() if key != step}
        else:
            below = _edited(value[step], rest, edit, item)
        return None if below is None and rest else {**value, step: below}
    if isinstance(value, list) and step.isdigit() and int(step) < len(value):
        at = int(step)
        if edit is _Edit.REMOVE and not rest:
            return [*value[:at], *value[at + 1 :]]
        below = _edited(value[at], rest, edit, item)
        return None if below is None and rest else [*value[:at], below, *value[at + 1 :]]
    return None

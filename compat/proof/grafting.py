"""Instances put together from a real value and a witness: the failing place of the one in the other.

Pure: nothing here knows what a schema makes of the result.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from compat.jsonvalue import JSON, dumps, equal

# Keys and positions from the root of an instance.
Path: TypeAlias = tuple[str | int, ...]


def size(value: JSON) -> int:
    """Count the bytes of a value as it is printed."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except TypeError:  # a Decimal, which takes longer
        text = dumps(value)
    return len(text.encode("utf-8", "surrogatepass"))


def at(value: Any, path: Path) -> Any:
    """Give what stands at a path; KeyError where nothing does."""
    for token in path:
        if isinstance(value, dict) if isinstance(token, str) else isinstance(value, list) and token < len(value):
            value = value[token]
        else:
            raise KeyError(token)
    return value


def has(value: Any, path: Path) -> bool:
    """Whether something stands at a path."""
    try:
        at(value, path)
    except KeyError:
        return False
    return True


def replaced(value: Any, changes: Mapping[Path, JSON], gone: Iterable[Path] = (), _at: Path = ()) -> Any:
    """Give a copy with other values at some places and without others; a place inside a changed one stays as it is."""
    if _at in changes:
        return changes[_at]
    left_out = gone if isinstance(gone, frozenset) else frozenset(gone)
    if isinstance(value, dict):
        return {
            key: replaced(item, changes, left_out, (*_at, key))
            for key, item in value.items()
            if (*_at, key) not in left_out
        }
    if isinstance(value, list):
        return [
            replaced(item, changes, left_out, (*_at, index))
            for index, item in enumerate(value)
            if (*_at, index) not in left_out
        ]
    return value


def grafts(real: Any, raw: Any, path: Path, missing: Iterable[str]) -> Iterator[Any]:
    """Put what a witness has at a path into a real value, with what leads there where the real one has nothing alike.

    The first has most of the real value. `missing` names the members whose absence is the failure.
    """
    failing = at(raw, path)
    absent = frozenset(missing)
    if isinstance(failing, dict) and has(real, path):
        there = at(real, path)
        if isinstance(there, dict):
            if absent:
                yield _grafted(real, raw, path, {key: item for key, item in there.items() if key not in absent})
            yield _grafted(real, raw, path, {**without(there, absent), **failing})
    yield _grafted(real, raw, path, failing)


def without(value: Mapping[str, Any], keys: frozenset[str]) -> dict[str, Any]:
    """Leave members out."""
    return {key: item for key, item in value.items() if key not in keys}


def _grafted(real: Any, raw: Any, path: Path, part: Any) -> Any:
    if not path:
        return part
    token, rest = path[0], path[1:]
    if isinstance(raw, dict) and isinstance(real, dict):
        assert isinstance(token, str)
        return {**real, token: _grafted(real[token], raw[token], rest, part) if token in real else raw[token]}
    if isinstance(raw, list) and isinstance(real, list):
        assert isinstance(token, int)
        if token >= len(real):
            return [*real, *raw[len(real) : token + 1]]
        return [*real[:token], _grafted(real[token], raw[token], rest, part), *real[token + 1 :]]
    return raw


def distance(real: Any, value: Any) -> int:
    """Count the topmost places at which a value has something that the real one does not have there."""
    if isinstance(real, dict) and isinstance(value, dict):
        return sum(distance(real[key], item) if key in real else 1 for key, item in value.items())
    if isinstance(real, list) and isinstance(value, list):
        alike = sum(distance(one, other) for one, other in zip(real, value, strict=False))
        return alike + max(0, len(value) - len(real))
    return int(not equal(real, value))


def bare(value: Any, raw: Any) -> Any:
    """Leave out all that the witness does without."""
    return replaced(value, {}, _extra(value, raw, ()))


def trimmed(value: Any, raw: Any, limit: int) -> Any:
    """Leave out what the witness does without, the largest first, until a value is no larger than `limit`.

    Where that is not enough, the largest values become those of the witness.
    """
    over = size(value) - limit
    if over <= 0:
        return value
    gone: set[Path] = set()
    for path, saved in _largest_first((path, _taken(value, path)) for path in _extra(value, raw, ())):
        if over <= 0:
            break
        gone.add(path)
        over -= saved
    changes: dict[Path, Any] = {}
    for path, saved in _largest_first(
        (path, size(at(value, path)) - size(at(raw, path))) for path in _differing(value, raw, ())
    ):
        if over <= 0 or saved <= 0:
            break
        changes[path] = at(raw, path)
        over -= saved
    return replaced(value, changes, gone)


def _taken(value: Any, path: Path) -> int:
    """Count the bytes that a member or an item takes, with its name and what sets it apart from others."""
    name = size(path[-1]) + 2 if isinstance(path[-1], str) else 0
    return name + size(at(value, path)) + 2


def _largest_first(found: Iterable[tuple[Path, int]]) -> list[tuple[Path, int]]:
    return sorted(found, key=lambda each: (-each[1], list(map(str, each[0]))))


def _extra(value: Any, raw: Any, path: Path) -> Iterator[Path]:
    """Yield the topmost places that the witness does not have."""
    if isinstance(value, dict) and isinstance(raw, dict):
        for key, item in value.items():
            if key in raw:
                yield from _extra(item, raw[key], (*path, key))
            else:
                yield (*path, key)
    elif isinstance(value, list) and isinstance(raw, list):
        for index, item in enumerate(value):
            if index < len(raw):
                yield from _extra(item, raw[index], (*path, index))
            else:
                yield (*path, index)


def _differing(value: Any, raw: Any, path: Path) -> Iterator[Path]:
    """Yield the places that both have, whose values differ and are not looked into."""
    if isinstance(value, dict) and isinstance(raw, dict):
        for key in [key for key in value if key in raw]:
            yield from _differing(value[key], raw[key], (*path, key))
    elif isinstance(value, list) and isinstance(raw, list):
        for index in range(min(len(value), len(raw))):
            yield from _differing(value[index], raw[index], (*path, index))
    elif not equal(value, raw):
        yield path

"""What differs between two snapshots, with renamed files paired by how alike they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import PurePosixPath

import orjson

from compat.errors import SourceError
from compat.sources.objects import Change, Entry, Kind

# Git's own measure: half alike is a rename.
THRESHOLD = 50
_MOST_COMPARISONS = 20_000

Read = Callable[[Entry], bytes]


def differences(old: Mapping[str, Entry], new: Mapping[str, Entry], read: Read) -> Iterator[Change]:
    """Yield every change from one snapshot to another in order of path; unchanged files are not read."""
    changed: list[Change] = []
    deleted: list[Entry] = []
    added: list[Entry] = []
    for path in sorted(old.keys() | new.keys()):
        before, after = old.get(path), new.get(path)
        if before is None and after is not None:
            added.append(after)
        elif after is None and before is not None:
            deleted.append(before)
        elif before is not None and after is not None and not before.same_content(after):
            changed.append(Change(Kind.MODIFIED, before, after))
    for before, after, likeness in renames(deleted, added, read):
        changed.append(Change(Kind.RENAMED, before, after, likeness))
        deleted.remove(before)
        added.remove(after)
    changed += (Change(Kind.DELETED, entry, None) for entry in deleted)
    changed += (Change(Kind.ADDED, None, entry) for entry in added)
    yield from sorted(changed, key=lambda change: change.path)


def renames(deleted: Sequence[Entry], added: Sequence[Entry], read: Read) -> list[tuple[Entry, Entry, int]]:
    """Pair deleted files with added ones: same content first, then the most alike, same name before other names."""
    scored = [
        (before, after, 100)
        for before in deleted
        for after in added
        if before.oid == after.oid and before.mode == after.mode
    ]
    open_old = [entry for entry in deleted if all(entry is not pair[0] for pair in scored)]
    open_new = [entry for entry in added if all(entry is not pair[1] for pair in scored)]
    if len(open_old) * len(open_new) <= _MOST_COMPARISONS:
        lines = {id(entry): _lines(entry, read) for entry in (*open_old, *open_new)}
        for before in open_old:
            for after in open_new:
                if before.mode == after.mode:
                    likeness = _likeness(lines[id(before)], lines[id(after)])
                    if likeness >= THRESHOLD:
                        scored.append((before, after, likeness))
    scored.sort(key=lambda pair: (-pair[2], _name(pair[0]) != _name(pair[1]), pair[0].path, pair[1].path))
    chosen: list[tuple[Entry, Entry, int]] = []
    taken: set[int] = set()
    for before, after, likeness in scored:
        if id(before) not in taken and id(after) not in taken:
            chosen.append((before, after, likeness))
            taken |= {id(before), id(after)}
    return chosen


def _name(entry: Entry) -> str:
    return PurePosixPath(entry.path).name


def completed(changes: Sequence[Change], read: Read) -> tuple[Change, ...]:
    """Pair what git, which compares lines, took for deleted and new because one of both stands on a single line."""
    deleted = [change.old for change in changes if change.kind is Kind.DELETED and change.old is not None]
    added = [change.new for change in changes if change.kind is Kind.ADDED and change.new is not None]
    if not deleted or not added or len(deleted) * len(added) > _MOST_COMPARISONS:
        return tuple(changes)
    single = {id(entry) for entry in (*deleted, *added) if _is_single(entry, read)}
    if not single:
        return tuple(changes)
    found = [pair for pair in renames(deleted, added, read) if not single.isdisjoint({id(pair[0]), id(pair[1])})]
    gone = {id(end) for before, after, _ in found for end in (before, after)}
    kept = [change for change in changes if id(change.old) not in gone and id(change.new) not in gone]
    moved = [Change(Kind.RENAMED, before, after, likeness) for before, after, likeness in found]
    return tuple(sorted((*kept, *moved), key=lambda change: change.path))


def _is_single(entry: Entry, read: Read) -> bool:
    try:
        return _on_one_line(read(entry))
    except SourceError:
        return False


def _on_one_line(data: bytes) -> bool:
    return data.count(b"\n") < 2


def _lines(entry: Entry, read: Read) -> Counter[bytes]:
    try:
        data = read(entry)
    except SourceError:
        return Counter()
    if _on_one_line(data):
        # As it would be written on several lines: in one line everything is another line.
        with suppress(ValueError):
            data = orjson.dumps(orjson.loads(data), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    return Counter(data.splitlines(keepends=True))


def _likeness(left: Counter[bytes], right: Counter[bytes]) -> int:
    """Give the share of the larger file's bytes that both have, in percent."""
    larger = max(sum(len(line) * n for line, n in side.items()) for side in (left, right))
    if larger == 0:
        return 0
    return 100 * sum(len(line) * n for line, n in (left & right).items()) // larger

"""One contract through time: its versions, the pairs a mode asks about, and which files belong together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePosixPath

from compat.lineage.numbers import VersionNumber
from compat.lineage.origin import NumberSource, number_in_path, stem_of, without_number
from compat.relation import Mode

# File names that say nothing; the folder names the lineage then.
_GENERIC = frozenset({"schema", "schemas", "index", "main", "root", "definition", "latest", "current", "jsonschema"})


@dataclass(frozen=True, slots=True)
class Version:
    """One state of a lineage. `revision` is the commit that made it, None in the working tree.

    A state that could not be read has its `problem` and no digest; neighbours are compared past it.
    """

    number: VersionNumber | None
    source: NumberSource | None
    path: str
    revision: str | None
    blob: str | None
    when: datetime | None
    author: str
    tags: tuple[str, ...]
    digest: str
    problem: str = ""

    @property
    def label(self) -> str:
        """What people call it: the number, else a tag, else the short commit, else the working tree."""
        if self.number is not None:
            return str(self.number)
        if self.tags:
            return self.tags[-1]
        return "working tree" if self.revision is None else self.revision[:10]


@dataclass(frozen=True, slots=True)
class Lineage:
    """One contract: a file that moves through history, or versions side by side (`files` in order of their numbers)."""

    name: str
    files: tuple[str, ...]
    mode: Mode = Mode.BACKWARD
    records: tuple[str, ...] = ()
    note: str = ""
    numbers: tuple[VersionNumber | None, ...] = field(default=())

    @property
    def side_by_side(self) -> bool:
        return len(self.files) > 1

    @property
    def current(self) -> str:
        """The file that holds the newest version."""
        return self.files[-1]


@dataclass(frozen=True, slots=True)
class RequiredPair:
    """Two versions that a mode sets in relation; what it asks of them is `mode.directions`."""

    old: Version
    new: Version


def pairs_required(
    versions: Sequence[Version], mode: Mode, floor: VersionNumber | None = None
) -> tuple[RequiredPair, ...]:
    """Give the pairs a mode asks about for the last of `versions`: its predecessor, or with `-transitive` all.

    Versions are oldest first. Numbers under `floor` are out of support and no longer bind anyone.
    """
    if not versions or mode is Mode.NONE:
        return ()
    *earlier, newest = versions
    bound = [v for v in earlier if floor is None or v.number is None or v.number >= floor]
    chosen = bound if mode.transitive else bound[-1:]
    return tuple(RequiredPair(old, newest) for old in chosen)


def group(paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Group files to lineages by name; versions of one file side by side are one lineage, oldest number first.

    A lineage is called by its file's stem, by its folder when the stem says nothing, and by as much of the path
    as it takes where two would be called the same. A plain file beside numbered ones is the one in work: the last.
    """
    families: dict[str, list[str]] = {}
    for path in sorted(paths):
        families.setdefault(without_number(path) or path, []).append(path)
    unnumbered = VersionNumber.parse("0")

    def age(path: str) -> tuple[bool, VersionNumber, str]:
        number = number_in_path(path)
        return number is None, number or unnumbered, path

    return {name: tuple(sorted(families[key], key=age)) for key, name in _names(list(families)).items()}


def _names(keys: Sequence[str]) -> dict[str, str]:
    names = {key: _name(key, 0) for key in keys}
    for more in range(1, max((key.count("/") for key in keys), default=0) + 1):
        taken: dict[str, list[str]] = {}
        for key, name in names.items():
            taken.setdefault(name, []).append(key)
        clashing = [key for same in taken.values() if len(same) > 1 for key in same]
        if not clashing:
            break
        names |= {key: _name(key, more) for key in clashing}
    # Only files that differ in their ending alone are left.
    seen = Counter(names.values())
    return {key: name if seen[name] == 1 else key for key, name in names.items()}


def _name(key: str, folders: int) -> str:
    path = PurePosixPath(key)
    stem = stem_of(path.name)
    above = list(path.parts[:-1])
    if stem.lower() in _GENERIC or stem in _ENDINGS_ONLY:
        above, stem = (above[:-1], above[-1]) if above else ([], stem)
    return "/".join((*above[len(above) - folders :], stem)) if folders else stem


_ENDINGS_ONLY = frozenset({"schema.json", "schema.yaml", "schema.yml", ".json", ".yaml", ".yml"})

"""What is kept of records, file by file, and what became of records that were taken in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from compat.replay.causes import Cause
from compat.replay.strays import Stray
from compat.replay.summary import RecordPlace, Trouble

# What is larger weighs on every clone; bulk lies better behind a location.
LARGE: Final = 5_000_000


class Kept(StrEnum):
    """As what records are kept."""

    RECORDS = "records"
    REJECTS = "rejects"
    EXAMPLES = "examples"


@dataclass(frozen=True, slots=True)
class Stock:
    """One file of records. `odd` counts those that are not what they are kept as under their own version.

    `version` is empty where no version of the lineage is named; then nothing was validated.
    """

    lineage: str
    kept: Kept
    version: str
    path: str
    size: int | None
    count: int
    odd: int = 0
    unreadable: int = 0


@dataclass(frozen=True, slots=True)
class Refused:
    """Records that are not what they were added as, by cause; without a cause they are valid and were to be rejects."""

    cause: Cause | None
    count: int
    first: tuple[RecordPlace, ...]


@dataclass(frozen=True, slots=True)
class Added:
    """What became of the records of one version."""

    lineage: str
    version: str
    path: str
    added: int = 0
    known: int = 0
    refused: int = 0
    causes: tuple[Refused, ...] = ()
    size: int = 0


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of everything that was to be added; the parts are all that was read."""

    versions: tuple[Added, ...] = ()
    strays: tuple[Stray, ...] = ()
    troubles: tuple[Trouble, ...] = ()

    @property
    def added(self) -> int:
        return sum(one.added for one in self.versions)

    @property
    def known(self) -> int:
        return sum(one.known for one in self.versions)

    @property
    def refused(self) -> int:
        return sum(one.refused for one in self.versions)

    @property
    def unrouted(self) -> int:
        return sum(stray.count for stray in self.strays)

    @property
    def unreadable(self) -> int:
        return sum(trouble.count for trouble in self.troubles)

    @property
    def read(self) -> int:
        return self.added + self.known + self.refused + self.unrouted + self.unreadable

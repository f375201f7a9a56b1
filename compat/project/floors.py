"""The floor of a lineage: the oldest version that a transitive mode still asks about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from compat.diff.wording import counted, listing
from compat.errors import ConfigError, Place, did_you_mean
from compat.lineage import Lineage, Version, VersionNumber
from compat.project import Project
from compat.relation import Mode
from compat.sources.files import shown


class FloorKind(StrEnum):
    """What the text of a floor was found to be."""

    VERSION = "version"
    TAG = "tag"
    DAY = "day"


@dataclass(frozen=True, slots=True)
class Supported:
    """The versions that a floor leaves, oldest first, and how many are under it."""

    versions: tuple[Version, ...]
    under: int
    kind: FloorKind
    text: str

    @property
    def line(self) -> str:
        """Say it, for people."""
        if not self.under:
            return f"floor: {self.kind} {self.text}; no version is older"
        verb = "is" if self.under == 1 else "are"
        return f"floor: {self.kind} {self.text}; {counted(self.under, 'older version')} {verb} out of support"


def above_floor(project: Project, lineage: Lineage, versions: Sequence[Version], floor: str) -> Supported:
    """Leave out the versions under a floor: a version number, a tag, or a day, and the first of these that it is.

    A number and a tag count themselves; of a day counts the version that was in force on it. Versions without a number
    stand above every number. ConfigError names what comes near where the floor is none of the three.
    """
    kept, kind = _found(project, lineage, versions, floor)
    return Supported(tuple(kept), len(versions) - len(kept), kind, floor)


def _found(
    project: Project, lineage: Lineage, versions: Sequence[Version], floor: str
) -> tuple[Sequence[Version], FloorKind]:
    number = _number(floor)
    numbers = dict.fromkeys(version.number for version in versions if version.number is not None)
    if number is not None and number in numbers:
        return [v for v in versions if v.number is None or v.number >= number], FloorKind.VERSION
    tags = {} if project.repository is None else {tag.name: tag for tag in project.repository.tags()}
    if floor in tags:
        return versions[_first_at_tag(project, lineage, versions, floor) :], FloorKind.TAG
    day = _day(floor)
    if day is not None:
        before = [place for place, version in enumerate(versions) if version.when and version.when.date() <= day]
        return versions[max(before, default=0) :], FloorKind.DAY
    raise ConfigError(
        f"the floor of {lineage.name}, {floor!r}, is none of its versions, no tag and no day",
        place=_place(project, lineage, floor),
        hint=_near(floor, number, list(numbers), [*tags]),
    )


def _first_at_tag(project: Project, lineage: Lineage, versions: Sequence[Version], name: str) -> int:
    """Give the place of the version that stood at a tag; 0 where the tag is older than the lineage."""
    git = project.repository
    assert git is not None
    tag = next(tag for tag in git.tags() if tag.name == name)
    paths = tuple(dict.fromkeys(version.path for version in reversed(versions)))
    there = {entry.path: entry for entry in git.some(tag.commit, paths)} if paths else {}
    if not there:
        return 0
    if lineage.side_by_side:
        return max(place for place, version in enumerate(versions) if version.path in there)
    held = next(there[path].oid for path in paths if path in there)
    same = [place for place, version in enumerate(versions) if version.blob == held]
    if not same:
        raise ConfigError(
            f"the floor of {lineage.name}, the tag {shown(name)}, holds no version of it that stood on this line",
            place=_place(project, lineage, name),
            hint="name a tag that git tag --merged lists, a version or a day",
        )
    by_then = [place for place in same if (when := versions[place].when) is None or when <= tag.when]
    return max(by_then, default=same[0])


def _place(project: Project, lineage: Lineage, floor: str) -> Place | None:
    """Give the configuration where it is what says the floor."""
    path = project.config.path
    return Place(shown(path)) if path and project.policies().of(lineage.name).floor == floor else None


def _near(floor: str, number: VersionNumber | None, numbers: list[VersionNumber], tags: list[str]) -> str:
    """Word what comes near: the neighbours of a missing number, names that are spelt alike, or what there is."""
    if number is not None and numbers:
        around = [
            *sorted(other for other in numbers if other < number)[-1:],
            *sorted(other for other in numbers if other > number)[:1],
        ]
        return f"nearest: {' and '.join(map(str, around))}"
    alike = did_you_mean(floor, [*map(str, numbers), *tags])
    if alike:
        return alike
    known = [str(one) for one in sorted(numbers)] or tags
    return f"there are: {listing(known, most=8)}" if known else "it has no version numbers; name a tag or a day"


def _number(text: str) -> VersionNumber | None:
    try:
        return VersionNumber.parse(text)
    except ValueError:
        return None


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def unused_floor(floor: str, mode: Mode) -> str:
    """Say that a floor changes nothing where the mode looks back one version only."""
    return f"floor {floor} changes nothing under the mode {mode}"

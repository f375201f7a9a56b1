"""Version numbers in the schemes people use for schemas, their order, and the least number that a change asks for."""

from __future__ import annotations

import calendar
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from types import MappingProxyType


class Scheme(StrEnum):
    """How a version number is written."""

    SEMVER = "semver"
    SCHEMAVER = "schemaver"
    TWO_PART = "two-part"
    INTEGER = "integer"
    DATE = "date"


class Step(StrEnum):
    """How far a change goes, mildest first; what a version number must tell."""

    NOTHING = "nothing"
    ANNOTATIONS = "annotations"  # the set of instances is the same
    CHANGED = "changed"  # the mode holds, the set changed
    BREAKING = "breaking"  # some old data fails
    DISJOINT = "disjoint"  # no old data passes


class Bump(StrEnum):
    """Which part of a number moves."""

    NONE = "none"
    PATCH = "patch"
    MINOR = "minor"
    MAJOR = "major"
    ADDITION = "addition"
    REVISION = "revision"
    MODEL = "model"
    NEXT = "next"


def _row(annotations: Bump, changed: Bump, breaking: Bump, disjoint: Bump) -> Mapping[Step, Bump]:
    steps = {Step.ANNOTATIONS: annotations, Step.CHANGED: changed, Step.BREAKING: breaking, Step.DISJOINT: disjoint}
    return MappingProxyType({Step.NOTHING: Bump.NONE, **steps})


# A date says when, not what: any change of the set asks for a later one.
LEAST_BUMP: Mapping[Scheme, Mapping[Step, Bump]] = MappingProxyType(
    {
        Scheme.SEMVER: _row(Bump.PATCH, Bump.MINOR, Bump.MAJOR, Bump.MAJOR),
        Scheme.SCHEMAVER: _row(Bump.ADDITION, Bump.ADDITION, Bump.REVISION, Bump.MODEL),
        Scheme.TWO_PART: _row(Bump.MINOR, Bump.MINOR, Bump.MAJOR, Bump.MAJOR),
        Scheme.INTEGER: _row(Bump.NONE, Bump.NONE, Bump.NEXT, Bump.NEXT),
        Scheme.DATE: _row(Bump.NONE, Bump.NEXT, Bump.NEXT, Bump.NEXT),
    }
)

_POSITION = {
    Bump.MAJOR: 0,
    Bump.MINOR: 1,
    Bump.PATCH: 2,
    Bump.MODEL: 0,
    Bump.REVISION: 1,
    Bump.ADDITION: 2,
    Bump.NEXT: 0,
}

# Nine digits are more than any version has and less than a hash or a timestamp.
_NUMBER = r"(0|[1-9]\d{0,8})"
_IDENTIFIERS = r"[0-9A-Za-z-]{1,40}(?:\.[0-9A-Za-z-]{1,40}){0,9}"
_FORMS: tuple[tuple[Scheme, re.Pattern[str]], ...] = (
    (Scheme.DATE, re.compile(r"((?:19|20)\d\d)-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?")),
    (Scheme.SCHEMAVER, re.compile(rf"([1-9]\d{{0,8}})-{_NUMBER}-{_NUMBER}")),
    (
        Scheme.SEMVER,
        re.compile(rf"[vV]?{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-(?P<pre>{_IDENTIFIERS}))?(?:\+{_IDENTIFIERS})?"),
    ),
    (Scheme.TWO_PART, re.compile(rf"[vV]?{_NUMBER}\.{_NUMBER}")),
    (Scheme.INTEGER, re.compile(rf"[vV]?{_NUMBER}")),
)

_Key = tuple[tuple[int, ...], bool, tuple[tuple[bool, int, str], ...]]


@dataclass(frozen=True, slots=True, eq=False)
class VersionNumber:
    """A number in its scheme. Order and equality follow precedence: 1.0.0-rc.1 < 1.0.0 = 1.0 < 1.10 < 2."""

    text: str
    scheme: Scheme
    parts: tuple[int, ...]
    prerelease: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str, scheme: Scheme | None = None) -> VersionNumber:
        """Read a whole text as a number, in any scheme or the one given; ValueError where it is none."""
        for candidate, form in _FORMS:
            if scheme is not None and candidate is not scheme:
                continue
            match = form.fullmatch(text)
            if match is None:
                continue
            parts = tuple(int(part) for part in match.groups()[:3] if part is not None)
            named = match.groupdict().get("pre")
            return cls(text.lstrip("vV"), candidate, parts, tuple(named.split(".")) if named else ())
        wanted = "a version number" if scheme is None else f"a {scheme} version number"
        raise ValueError(f"{text!r} is not {wanted}")

    @property
    def _key(self) -> _Key:
        parts = self.parts
        while len(parts) > 1 and parts[-1] == 0:
            parts = parts[:-1]
        # SemVer 2.0.0 §11.4: numeric identifiers come before the others, and a release after its candidates.
        marks = tuple((not m.isdigit(), int(m) if m.isdigit() else 0, m) for m in self.prerelease)
        return parts, not marks, marks

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VersionNumber) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __lt__(self, other: VersionNumber) -> bool:
        return self._key < other._key

    def __le__(self, other: VersionNumber) -> bool:
        return self._key <= other._key

    def __gt__(self, other: VersionNumber) -> bool:
        return self._key > other._key

    def __ge__(self, other: VersionNumber) -> bool:
        return self._key >= other._key

    def __str__(self) -> str:
        return self.text

    def bumped(self, bump: Bump, *, today: date | None = None) -> VersionNumber:
        """Move one part and reset what follows it; a date moves to `today`, or to the next day or month after itself.

        A candidate (2.0.0-rc.1) already announces its own number, so the release of it may be enough.
        """
        if bump is Bump.NONE:
            return self
        if self.scheme is Scheme.DATE:
            return self._later(today)
        position = min(_POSITION[bump], len(self.parts) - 1)
        if self.prerelease and not any(self.parts[position + 1 :]):
            parts = self.parts
        else:
            rest = len(self.parts) - position - 1
            parts = (*self.parts[:position], self.parts[position] + 1, *(0,) * rest)
        joint = "-" if self.scheme is Scheme.SCHEMAVER else "."
        return VersionNumber(joint.join(map(str, parts)), self.scheme, parts)

    def _later(self, today: date | None) -> VersionNumber:
        year, month, day = (*self.parts, 1)[:3]
        this = date(year, month, min(day, calendar.monthrange(year, month)[1]))
        if len(self.parts) == 3:
            following = date.fromordinal(this.toordinal() + 1)
        else:
            following = date(this.year + this.month // 12, this.month % 12 + 1, 1)
        chosen = max(today, following) if today is not None else following
        text = chosen.isoformat()[: 10 if len(self.parts) == 3 else 7]
        return VersionNumber.parse(text, Scheme.DATE)


def least_bump(number: VersionNumber, step: Step) -> Bump:
    """Give the least sufficient bump; below 1.0.0 the second part carries the breaks (SemVer 2.0.0 §4)."""
    bump = LEAST_BUMP[number.scheme][step]
    if number.scheme is Scheme.SEMVER and number.parts[0] == 0:
        return {Bump.MAJOR: Bump.MINOR, Bump.MINOR: Bump.PATCH}.get(bump, bump)
    return bump


def least_next(number: VersionNumber, step: Step, *, today: date | None = None) -> VersionNumber:
    """Give the least number that tells the truth about a step from `number`."""
    return number.bumped(least_bump(number, step), today=today)


def sufficient(old: VersionNumber, new: VersionNumber, step: Step) -> bool:
    """Whether going from `old` to `new` announces at least this step; a change of scheme is read by precedence."""
    return new >= least_next(old, step)

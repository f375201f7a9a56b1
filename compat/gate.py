"""What a release needs: the least bump that tells the truth about what changed since the last one.

Pure: a comparison and two version numbers in, a judgement out. Nothing here reads git or a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Protocol

from compat.assess import Finding, Witness
from compat.diff.wording import listing
from compat.errors import Place
from compat.jsonvalue import JSON
from compat.lineage import Bump, Scheme, Step, VersionNumber, least_bump, least_next, sufficient
from compat.policy import Policy, Treatment, as_path
from compat.proof.verdict import Doubt
from compat.relation import Direction, Status


class Compared(Protocol):
    """What the gate asks of one direction of a comparison."""

    @property
    def status(self) -> Status: ...
    @property
    def witness(self) -> JSON: ...
    @property
    def undeclared(self) -> bool: ...
    @property
    def doubts(self) -> Sequence[Doubt]: ...


class Pair(Protocol):
    """What the gate asks of a comparison of the last release (old) with what is to be released (new)."""

    def verdict(self, direction: Direction, /) -> Compared: ...
    @property
    def disjoint(self) -> bool | None: ...


class Outcome(StrEnum):
    """What the gate says about one lineage."""

    UNCHANGED = "unchanged"
    READY = "ready"
    OVER_BUMPED = "over-bumped"
    NEVER_RELEASED = "never-released"
    UNDER_BUMPED = "under-bumped"
    EDITED = "edited-in-place"
    BACKWARDS = "goes-backwards"
    UNNUMBERED = "no-number"
    REMOVED = "removed"
    REMOVED_EARLY = "removed-too-early"
    RETIRED = "retired"
    FALSE_RECORD = "false-record"

    @property
    def fails(self) -> bool:
        return self in _FAILING


_FAILING = frozenset(
    {
        Outcome.UNDER_BUMPED,
        Outcome.EDITED,
        Outcome.BACKWARDS,
        Outcome.UNNUMBERED,
        Outcome.REMOVED,
        Outcome.REMOVED_EARLY,
        Outcome.FALSE_RECORD,
    }
)


@dataclass(frozen=True, slots=True)
class Release:
    """A version that went out: its number, the digest of its content, when, and where it was found."""

    number: VersionNumber | None
    digest: str
    when: date | None = None
    tag: str | None = None

    @property
    def label(self) -> str:
        return str(self.number) if self.number is not None else self.tag or self.digest[:19]


@dataclass(frozen=True, slots=True)
class Forcing:
    """The one thing that forces a bump: a finding where one can be named, and the witness where there is one.

    Without a witness `why` says what kept the proof open.
    """

    direction: Direction
    status: Status
    finding: Finding | None = None
    witness: Witness | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Removal:
    """A property that was released and is declared no more.

    `deprecated` counts the releases, up to the last one, that called it deprecated, `asked` how many there have to be.
    `waived` is the reason of whoever accepted it in writing.
    """

    instance_path: str
    place: Place | None
    deprecated: int
    asked: int
    waived: str | None = None

    @property
    def early(self) -> bool:
        return self.deprecated < self.asked and self.waived is None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the gate says about one lineage, and why."""

    lineage: str
    outcome: Outcome
    step: Step
    last: Release | None
    declared: VersionNumber | None
    bump: Bump = Bump.NONE
    least: VersionNumber | None = None
    forcing: Forcing | None = None
    notes: tuple[str, ...] = ()
    removals: tuple[Removal, ...] = ()

    @property
    def fails(self) -> bool:
        return self.outcome.fails


def judge(
    lineage: str,
    last: Release | None,
    declared: VersionNumber | None,
    *,
    digest: str,
    pair: Pair | None,
    policy: Policy,
    findings: Sequence[Finding] = (),
    removals: Sequence[Removal] = (),
    today: date | None = None,
) -> Judgement:
    """Judge what is to be released against the last release.

    `pair` is their comparison apart from the version marker; it is not asked when the digests agree, and whether the
    two sides are disjoint only where the scheme tells that apart. `findings` are those of the same comparison; they
    name what forces a bump. A waived finding forces it too: accepted or not, consumers are told. `removals` are the
    properties that went since; no number makes up for one that went without notice.
    """
    if last is None:
        note = "never released: any number will do"
        return Judgement(lineage, Outcome.NEVER_RELEASED, Step.NOTHING, None, declared, notes=(note,))
    if digest == last.digest or pair is None:
        return Judgement(lineage, Outcome.UNCHANGED, Step.NOTHING, last, declared, least=last.number)
    step, forcing, notes = step_of(pair, policy, findings)
    if _tells_disjoint(last.number) and step is Step.BREAKING and _some_old_fails(pair):
        step, more = _disjoint_step(pair.disjoint)
        notes += more
    judgement = Judgement(
        lineage, Outcome.READY, step, last, declared, forcing=forcing, notes=notes, removals=tuple(removals)
    )
    if last.number is None or declared is None:
        return _without_notice(_without_number(judgement, today))
    bump, least = least_bump(last.number, step), least_next(last.number, step, today=today)
    judgement = replace(judgement, bump=bump, least=least)
    return _without_notice(_with_numbers(judgement, last.number, declared, least, findings))


def step_of(
    pair: Pair, policy: Policy, findings: Sequence[Finding] = ()
) -> tuple[Step, Forcing | None, tuple[str, ...]]:
    """Tell how far a comparison goes under a policy, what forces it there, and what else is worth saying.

    Whether no old data passes at all is a question of its own; this stops at breaking.
    """
    statuses = {direction: pair.verdict(direction).status for direction in Direction}
    if all(status is Status.COMPATIBLE for status in statuses.values()):
        return Step.ANNOTATIONS, None, ("proved: the same data is valid as before",)
    notes: list[str] = []
    breaking: Forcing | None = None
    for direction in Direction:
        status = statuses[direction]
        if status is Status.COMPATIBLE:
            continue
        if direction not in policy.mode.directions:
            if status is Status.BREAKING:
                notes.append(f"{_broken(direction)}; the mode ({policy.mode}) does not ask for that")
        elif status is Status.BREAKING and pair.verdict(direction).undeclared and policy.undeclared != Treatment.ERROR:
            notes.append(f"{_broken(direction)}, but only with properties that were never declared")
        elif breaking is None:
            breaking = _forcing(pair, direction, findings)
            if status is Status.UNKNOWN:
                notes.append(f"{direction} is not proved, which asks for the higher bump: {breaking.why}")
    if breaking is not None:
        return Step.BREAKING, breaking, tuple(notes)
    changed = next(
        (_forcing(pair, d, findings) for d, status in statuses.items() if status is not Status.COMPATIBLE), None
    )
    return Step.CHANGED, changed, tuple(notes)


def edited(
    lineage: str,
    release: Release,
    pair: Pair,
    policy: Policy,
    *,
    findings: Sequence[Finding] = (),
    removals: Sequence[Removal] = (),
    today: date | None = None,
) -> Judgement:
    """Judge a version that is still called as it was released but reads otherwise.

    Annotations may be edited, and in a scheme of one number whatever asks for no new number.
    """
    step, forcing, notes = step_of(pair, policy, findings)
    judgement = Judgement(
        lineage, Outcome.READY, step, release, release.number, forcing=forcing, notes=notes, removals=tuple(removals)
    )
    if release.number is None:
        return _without_notice(judgement)
    bump, least = least_bump(release.number, step), least_next(release.number, step, today=today)
    judgement = replace(judgement, bump=bump, least=least)
    if not _may_edit(release.number, step):
        return replace(judgement, outcome=Outcome.EDITED)
    return _without_notice(replace(judgement, notes=(*notes, _edit(release.number, step, findings))))


def _edit(number: VersionNumber, step: Step, findings: Sequence[Finding]) -> str:
    """Say what was edited in place and why that is fine."""
    if step is Step.CHANGED:
        return f"{number} was revised in place; its scheme has no number for what the mode lets pass"
    places: dict[str, list[str]] = {}
    for finding in findings:
        if finding.annotation and finding.change is not None:
            place = as_path(finding.instance_path) if finding.instance_path else "the whole"
            places.setdefault(finding.change.keyword, []).append(place)
    told = [f"{keyword} of {listing(dict.fromkeys(paths), most=4)}" for keyword, paths in places.items()]
    what = "; ".join(told) if told else "how it is written"
    return f"{number} was edited in place after its release, without effect on data: {what}"


def removed(lineage: str, last: Release, *, deprecated: int = 0, asked: int = 1, what: str = "its schema") -> Judgement:
    """Judge a lineage that was released and is gone: nothing written under it can be validated any more.

    It may go once `asked` releases in a row, the last one among them, have called all of it deprecated.
    """
    if deprecated >= asked:
        told = f"after {_releases(deprecated)} as deprecated" if deprecated else "and no notice is asked for"
        return Judgement(lineage, Outcome.RETIRED, Step.DISJOINT, last, None, notes=(f"{what} is gone, {told}",))
    note = f'{what} is gone; keep it with "deprecated": true for {_releases(asked - deprecated, more=deprecated > 0)}'
    return Judgement(lineage, Outcome.REMOVED, Step.DISJOINT, last, None, notes=(note,))


def false_record(lineage: str, release: Release, why: str) -> Judgement:
    """Judge a release record that does not tell the truth about what went out."""
    return Judgement(lineage, Outcome.FALSE_RECORD, Step.NOTHING, release, release.number, notes=(why,))


def _releases(count: int, *, more: bool = False) -> str:
    return f"{count} {'more ' if more else ''}{'release' if count == 1 else 'releases'}"


def _without_notice(judgement: Judgement) -> Judgement:
    """Object to properties that went too early, where nothing weighs more."""
    notes = [
        f"{as_path(one.instance_path)} is gone, after {_releases(one.deprecated)} as deprecated"
        for one in judgement.removals
        if one.deprecated >= one.asked > 0
    ]
    notes += [
        f"{as_path(one.instance_path)} is gone without notice, waived: {one.waived}"
        for one in judgement.removals
        if one.deprecated < one.asked and one.waived is not None
    ]
    judgement = replace(judgement, notes=(*judgement.notes, *notes))
    early = any(one.early for one in judgement.removals)
    return replace(judgement, outcome=Outcome.REMOVED_EARLY) if early and not judgement.fails else judgement


def _with_numbers(
    judgement: Judgement,
    last: VersionNumber,
    declared: VersionNumber,
    least: VersionNumber,
    findings: Sequence[Finding],
) -> Judgement:
    if declared < last:
        note = f"declares {declared}, and {last} was released already"
        return replace(judgement, outcome=Outcome.BACKWARDS, notes=(*judgement.notes, note))
    if declared == last:
        if not _may_edit(last, judgement.step):
            return replace(judgement, outcome=Outcome.EDITED)
        return replace(judgement, notes=(*judgement.notes, _edit(last, judgement.step, findings)))
    if not sufficient(last, declared, judgement.step):
        return replace(judgement, outcome=Outcome.UNDER_BUMPED)
    if declared > least and declared.scheme is last.scheme and declared.scheme is not Scheme.DATE:
        note = f"declares {declared}; {least} would have been enough"
        return replace(judgement, outcome=Outcome.OVER_BUMPED, notes=(*judgement.notes, note))
    return judgement


def _without_number(judgement: Judgement, today: date | None) -> Judgement:
    """Without a number nothing is announced: that is an objection exactly when there was something to announce."""
    note = "no version number was found, neither in the schema nor in its path or tags"
    last = None if judgement.last is None else judgement.last.number
    if judgement.declared is None and last is not None and least_bump(last, judgement.step) is not Bump.NONE:
        note += f"; {least_next(last, judgement.step, today=today)} would do"
    outcome = Outcome.UNNUMBERED if judgement.step in (Step.BREAKING, Step.DISJOINT) else Outcome.READY
    return replace(judgement, outcome=outcome, notes=(*judgement.notes, note))


def _may_edit(number: VersionNumber, step: Step) -> bool:
    return step in (Step.NOTHING, Step.ANNOTATIONS) or least_bump(number, step) is Bump.NONE


def _tells_disjoint(number: VersionNumber | None) -> bool:
    return number is not None and number.scheme is Scheme.SCHEMAVER


def _some_old_fails(pair: Pair) -> bool:
    return pair.verdict(Direction.BACKWARD).status is not Status.COMPATIBLE


def _disjoint_step(disjoint: bool | None) -> tuple[Step, tuple[str, ...]]:
    if disjoint is False:
        return Step.BREAKING, ()
    if disjoint:
        return Step.DISJOINT, ("proved: no old data is valid any more",)
    return Step.DISJOINT, ("that some old data stays valid is not proved, which asks for the higher bump",)


def _forcing(pair: Pair, direction: Direction, findings: Sequence[Finding]) -> Forcing:
    verdict = pair.verdict(direction)
    finding = next((finding for finding in findings if finding.status(direction) is verdict.status), None)
    if verdict.status is not Status.BREAKING:
        doubt = finding.doubt if finding is not None else None
        why = doubt or "; ".join(dict.fromkeys(doubt.why for doubt in verdict.doubts)) or "no reason was given"
        return Forcing(direction, verdict.status, finding, why=why)
    witnesses = () if finding is None else finding.witnesses
    witness = next((witness for witness in witnesses if witness.direction is direction), None)
    return Forcing(direction, verdict.status, finding, witness or Witness(verdict.witness, direction))


def _broken(direction: Direction) -> str:
    if direction is Direction.BACKWARD:
        return "some old data is no longer valid"
    return "readers still on the old version reject some new data"

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
from compat.jsonvalue import JSON
from compat.lineage import Bump, Scheme, Step, VersionNumber, least_bump, least_next, sufficient
from compat.policy import Policy, Treatment
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

    @property
    def fails(self) -> bool:
        return self in _FAILING


_FAILING = frozenset({Outcome.UNDER_BUMPED, Outcome.EDITED, Outcome.BACKWARDS, Outcome.UNNUMBERED, Outcome.REMOVED})


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
    today: date | None = None,
) -> Judgement:
    """Judge what is to be released against the last release.

    `pair` is their comparison apart from the version marker; it is not asked when the digests agree, and whether the
    two sides are disjoint only where the scheme tells that apart. `findings` are those of the same comparison; they
    name what forces a bump. A waived finding forces it too: accepted or not, consumers are told.
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
    judgement = Judgement(lineage, Outcome.READY, step, last, declared, forcing=forcing, notes=notes)
    if last.number is None or declared is None:
        return _without_number(judgement, today)
    bump, least = least_bump(last.number, step), least_next(last.number, step, today=today)
    return _with_numbers(replace(judgement, bump=bump, least=least), last.number, declared, least)


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
    today: date | None = None,
) -> Judgement | None:
    """Judge a version that is still called as it was released but reads otherwise; None where the edit is allowed.

    Annotations may be edited, and in a scheme of one number whatever asks for no new number.
    """
    step, forcing, notes = step_of(pair, policy, findings)
    if release.number is None or _may_edit(release.number, step):
        return None
    bump, least = least_bump(release.number, step), least_next(release.number, step, today=today)
    return Judgement(lineage, Outcome.EDITED, step, release, release.number, bump, least, forcing, notes)


def removed(lineage: str, last: Release) -> Judgement:
    """Judge a lineage that was released and is gone: nothing written under it can be validated any more."""
    note = "its schema is gone; keep it, marked deprecated, until nobody needs it"
    return Judgement(lineage, Outcome.REMOVED, Step.DISJOINT, last, None, notes=(note,))


def _with_numbers(
    judgement: Judgement, last: VersionNumber, declared: VersionNumber, least: VersionNumber
) -> Judgement:
    if declared < last:
        note = f"declares {declared}, and {last} was released already"
        return replace(judgement, outcome=Outcome.BACKWARDS, notes=(*judgement.notes, note))
    if declared == last:
        if not _may_edit(last, judgement.step):
            return replace(judgement, outcome=Outcome.EDITED)
        if judgement.bump is not Bump.NONE:
            note = f"{last} was edited in place after its release, which is fine as long as no verdict on data changes"
            return replace(judgement, notes=(*judgement.notes, note))
        return judgement
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

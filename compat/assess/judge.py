"""One comparison under one policy: changes and reasons become findings, and no verdict gets lost on the way."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from compat.assess.model import Finding, Witness
from compat.assess.own import INDIRECT_BREAK, NOT_PROVED, remedy_of
from compat.assess.places import Places
from compat.diff.change import Change
from compat.diff.view import ANNOTATIONS, IDENTITY
from compat.jsonvalue import JSON, canonical, pointer, tokens
from compat.policy import Policy, Treatment
from compat.proof.verdict import Reason
from compat.relation import Direction, Effect, Level, Status
from compat.replay.summary import Evidence, Summary

if TYPE_CHECKING:
    from compat.compare import Comparison, DirectionResult

LEVEL_ORDER = {level: index for index, level in enumerate(Level)}


@dataclass(frozen=True, slots=True)
class _Claim:
    """What one change, or one reason that no change claims, does in each direction."""

    statuses: Mapping[Direction, Status]
    reasons: Mapping[Direction, tuple[Reason, ...]]
    undeclared: frozenset[Direction]


@dataclass(frozen=True, slots=True)
class _Case:
    """Everything one judgement looks at."""

    comparison: Comparison
    policy: Policy
    lineage: str
    places: Places
    replayed: Summary | None

    def severity(self, rule: str, at: str, level: Level, *statuses: Status) -> Level:
        return self.policy.level(rule, at, level, unproved=Status.UNKNOWN in statuses)

    def name(self, rule: str, instance_path: str, values: Sequence[JSON]) -> str:
        return fingerprint(rule, self.lineage, instance_path, values)


def judge(
    comparison: Comparison,
    policy: Policy,
    *,
    lineage: str,
    places: Places,
    replayed: Summary | None = None,
) -> tuple[Finding, ...]:
    """Give the findings of a comparison, worst first.

    Whatever a direction says is said by at least one finding: a break that no change explains and an unknown that no
    change causes become findings of their own.
    """
    case = _Case(comparison, policy, lineage, places, replayed)
    claims = [(change, _claim_of(comparison, change)) for change in comparison.changes]
    findings = [_from_change(case, change, claim) for change, claim in claims]
    findings += [
        _indirect(case, direction, reason)
        for direction, reason in _unclaimed(comparison, [claim for _, claim in claims])
    ]
    said = {direction for direction in Direction for finding in findings if finding.status(direction) is Status.UNKNOWN}
    findings += [
        _unproved(case, direction)
        for direction in Direction
        if comparison.verdict(direction).status is Status.UNKNOWN and direction not in said
    ]
    return distinct(ordered(findings))


def _from_change(case: _Case, change: Change, claim: _Claim) -> Finding:
    backward, forward = claim.statuses[Direction.BACKWARD], claim.statuses[Direction.FORWARD]
    path = _path(change)
    evidence = _evidence(claim, case.replayed, change.instance_path, change)
    claim = _weighed(claim, evidence)
    level = case.severity(change.rule, path, _level(claim, case.policy), backward, forward)
    return Finding(
        rule=change.rule,
        level=level,
        lineage=case.lineage,
        fingerprint=case.name(change.rule, path, _values(change)),
        message=change.summary,
        file=case.places.file(change.new.source, new=True),
        instance_path=path,
        old_place=case.places.at(change.old.source, change.old.pointer, new=False),
        new_place=case.places.at(change.new.source, change.new.pointer, new=True),
        backward=backward,
        forward=forward,
        effect=Effect.between(backward, forward),
        expected=change.expected,
        change=change,
        annotation=is_annotation(change),
        undeclared=bool(claim.undeclared),
        witnesses=_witnesses(claim),
        evidence=evidence,
        remedy=None if level is Level.SAFE else remedy_of(change.rule),
        hint=change.hint,
        doubt=_doubt(case.comparison, change, claim),
    )


def _path(change: Change) -> str:
    """Give the instances a change is about; one that is about a property leads to it."""
    side = change.new if change.new.exists else change.old
    steps = tokens(side.pointer)
    if change.keyword == "properties" and steps[-2:-1] == ("properties",):
        return change.instance_path + pointer(steps[-1:])
    if change.keyword == "required" and steps[-2:-1] == ("required",) and isinstance(side.value, str):
        return change.instance_path + pointer((side.value,))
    return change.instance_path


def _claim_of(comparison: Comparison, change: Change) -> _Claim:
    reasons: dict[Direction, list[Reason]] = {direction: [] for direction in Direction}
    for direction, reason in comparison.reasons_of(change):
        reasons[direction].append(reason)
    statuses = {
        direction: _status(comparison.verdict(direction).status, change, direction, bool(reasons[direction]))
        for direction in Direction
    }
    undeclared = frozenset(
        direction
        for direction in Direction
        if statuses[direction] is Status.BREAKING and _undeclared(comparison, direction, reasons[direction])
    )
    return _Claim(statuses, {direction: tuple(found) for direction, found in reasons.items()}, undeclared)


def _status(whole: Status, change: Change, direction: Direction, claimed: bool) -> Status:
    """What one change does in one direction, given the verdict on the whole pair."""
    if whole is Status.COMPATIBLE or change.effect is Effect.NONE:
        return Status.COMPATIBLE
    if claimed or change.effect.breaks(direction):
        return whole
    may = change.effect is Effect.UNKNOWN and (change.expected is Effect.UNKNOWN or change.expected.breaks(direction))
    return Status.UNKNOWN if may else Status.COMPATIBLE


def _undeclared(comparison: Comparison, direction: Direction, reasons: Sequence[Reason]) -> bool:
    """Whether each of these breaks needs a property that the accepting schema never declared."""
    graded = bool(reasons) and all(reason.undeclared for reason in reasons)
    return graded or comparison.verdict(direction).undeclared


def _weighed(claim: _Claim, evidence: Evidence | None) -> _Claim:
    """Take a break for an ordinary one where stored records really do it: what happened outweighs what may not."""
    if evidence is None or not evidence.failing:
        return claim
    return replace(claim, undeclared=claim.undeclared - {Direction.BACKWARD})


def _level(claim: _Claim, policy: Policy) -> Level:
    worst = Level.SAFE
    for direction, status in claim.statuses.items():
        asked = direction in policy.mode.directions
        worst = min(worst, level_of(status, policy, asked, direction in claim.undeclared), key=LEVEL_ORDER.__getitem__)
    return worst


def level_of(status: Status, policy: Policy, asked: bool, undeclared: bool = False) -> Level:
    """What one direction's answer means under a policy; `asked` says whether the mode forbids it to break."""
    if status is Status.COMPATIBLE:
        return Level.SAFE
    if status is Status.UNKNOWN:
        return Level.UNKNOWN if asked and policy.unknown is Treatment.ERROR else Level.RISKY
    if undeclared and policy.undeclared is Treatment.IGNORE:
        return Level.SAFE
    if not asked or (undeclared and policy.undeclared is Treatment.WARN):
        return Level.RISKY
    return Level.BREAKING


def _unclaimed(comparison: Comparison, claims: Sequence[_Claim]) -> Iterator[tuple[Direction, Reason]]:
    """Yield the reasons that no change with an effect claims: a reason nobody explains is still a reason."""
    for direction in Direction:
        result = comparison.verdict(direction)
        if result.status is not Status.BREAKING:
            continue
        breaking = [claim for claim in claims if claim.statuses[direction] is Status.BREAKING]
        claimed = [reason for claim in breaking for reason in claim.reasons[direction]]
        known, places = (
            {id(reason) for reason in claimed},
            {_spot(reason) for reason in claimed if _is_own(reason, result)},
        )
        yield from (
            (direction, reason) for reason in result.reasons if id(reason) not in known and _spot(reason) not in places
        )
        if not result.reasons and not breaking:
            # The whole breaks and no leaf was named; the verified witness alone carries the finding.
            name = (comparison.new if direction is Direction.BACKWARD else comparison.old).name
            yield direction, Reason(name, "", "", result.witness, origin=result.origin)


def _spot(reason: Reason) -> tuple[str, str]:
    return reason.source, reason.keyword_location


def _is_own(reason: Reason, result: DirectionResult) -> bool:
    """Whether a reason is told with a witness of its change alone, and stands for the one at its place."""
    return not any(reason is known for known in result.reasons)


def _indirect(case: _Case, direction: Direction, reason: Reason) -> Finding:
    undeclared = _undeclared(case.comparison, direction, (reason,))
    statuses = {each: Status.BREAKING if each is direction else Status.COMPATIBLE for each in Direction}
    claim = _Claim(statuses, {direction: (reason,)}, frozenset({direction} if undeclared else ()))
    new = direction is Direction.BACKWARD
    place = case.places.at(reason.source, reason.keyword_location, new=new)
    keyword = next((part for part in reversed(tokens(reason.keyword_location)) if not part.isdigit()), "")
    refuser = f"{keyword!r} of the {_side(new)} version" if keyword else f"The {_side(new)} version"
    evidence = _evidence(claim, case.replayed, reason.instance_path)
    claim = _weighed(claim, evidence)
    level = case.severity(INDIRECT_BREAK, reason.instance_path, _level(claim, case.policy))
    return Finding(
        rule=INDIRECT_BREAK,
        level=level,
        lineage=case.lineage,
        fingerprint=case.name(INDIRECT_BREAK, reason.instance_path, (direction.value, keyword)),
        message=f"{refuser} refuses what the {_side(not new)} version accepts; no single change explains it.",
        file=case.places.file(reason.source, new=new),
        instance_path=reason.instance_path,
        old_place=None if new else place,
        new_place=place if new else None,
        backward=statuses[Direction.BACKWARD],
        forward=statuses[Direction.FORWARD],
        effect=Effect.NARROWS if new else Effect.WIDENS,
        expected=Effect.UNKNOWN,
        undeclared=bool(claim.undeclared),
        witnesses=_witnesses(claim),
        evidence=evidence,
        remedy=None if level is Level.SAFE else remedy_of(INDIRECT_BREAK),
    )


def _side(new: bool) -> str:
    return "new" if new else "old"


def _unproved(case: _Case, direction: Direction) -> Finding:
    """A direction that is unknown is said to be, whatever the changes say."""
    new = direction is Direction.BACKWARD
    doubts = case.comparison.verdict(direction).doubts
    document = case.comparison.new if new else case.comparison.old
    place = case.places.at(document.name, doubts[0].keyword_location if doubts else "", new=new)
    asked = direction in case.policy.mode.directions
    level = case.severity(NOT_PROVED, "", level_of(Status.UNKNOWN, case.policy, asked), Status.UNKNOWN)
    return Finding(
        rule=NOT_PROVED,
        level=level,
        lineage=case.lineage,
        # Who lets this one pass has not seen the next: what kept the proof open is part of the name.
        fingerprint=case.name(NOT_PROVED, "", (direction.value, *sorted({d.keyword_location for d in doubts}))),
        message=(
            "Whether old data still passes could not be decided."
            if new
            else "Whether readers on the old version accept new data could not be decided."
        ),
        file=case.places.file(document.name, new=new),
        old_place=None if new else place,
        new_place=place if new else None,
        backward=Status.UNKNOWN if new else Status.COMPATIBLE,
        forward=Status.COMPATIBLE if new else Status.UNKNOWN,
        effect=Effect.UNKNOWN,
        expected=Effect.UNKNOWN,
        doubt=_words(doubts[0].keyword_location, doubts[0].why) if doubts else None,
        remedy=None if level is Level.SAFE else remedy_of(NOT_PROVED),
    )


def _doubt(comparison: Comparison, change: Change, claim: _Claim) -> str | None:
    """Say why a change is unknown: the doubt nearest to it, where the doubts have places."""
    for direction, status in claim.statuses.items():
        if status is not Status.UNKNOWN:
            continue
        result = comparison.verdict(direction)
        doubts = (*result.undecided, *result.doubts)
        where = change.new.pointer if direction is Direction.BACKWARD else change.old.pointer
        near = [doubt for doubt in doubts if doubt.keyword_location and _on_one_line(doubt.keyword_location, where)]
        for doubt in (*near, *doubts):
            return _words(doubt.keyword_location, doubt.why)
    return None


def _on_one_line(one: str, other: str) -> bool:
    return f"{one}/".startswith(f"{other}/") or f"{other}/".startswith(f"{one}/")


def _words(location: str, why: str) -> str:
    return f"{why} (at {location})" if location else why


def _witnesses(claim: _Claim) -> tuple[Witness, ...]:
    """One witness a direction; the first reason's is as good as any, all of them are verified."""
    return tuple(
        Witness(reasons[0].witness, direction, reasons[0].instance_path, reasons[0].message, reasons[0].origin)
        for direction, reasons in claim.reasons.items()
        if reasons
    )


# An assertion that fails by itself, at its own place: what fails elsewhere under the same value is another matter.
_AT_ITS_PLACE = frozenset(
    {"type", "enum", "const", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}
    | {"minLength", "maxLength", "pattern", "format", "minItems", "maxItems", "uniqueItems", "minContains"}
    | {"maxContains", "minProperties", "maxProperties", "required"}
)


def _evidence(
    claim: _Claim, replayed: Summary | None, instance_path: str, change: Change | None = None
) -> Evidence | None:
    """Count the stored records that fail by a change: at its own place where it has one, else where reasons lie."""
    if replayed is None or claim.statuses[Direction.BACKWARD] is Status.COMPATIBLE:
        return None
    locations = [reason.keyword_location for reason in claim.reasons.get(Direction.BACKWARD, ())]
    if change is None:
        return replayed.evidence_for(locations, instance_path)
    own = change.new.exists and change.keyword in _AT_ITS_PLACE and change.keyword in tokens(change.new.pointer)[-2:]
    places = [change.new.pointer] if own else [*locations, change.new.pointer]
    return replayed.evidence_for(places, instance_path, value=_subject(change))


def _subject(change: Change) -> tuple[JSON, ...]:
    """Wrap the one value or property that a change is about, so that records with another one do not count for it."""
    if change.rule == "enum-value-removed" and not isinstance(change.old.value, dict | list):
        return (change.old.value,)
    if change.rule == "required-added":
        return (change.new.value,)
    if change.rule.startswith("property-removed"):
        return tokens(change.old.pointer)[-1:]
    return ()


def is_annotation(change: Change) -> bool:
    """Whether a change speaks to readers only: titles, descriptions, examples, identity."""
    return change.expected is Effect.NONE and (change.keyword in ANNOTATIONS or change.keyword in IDENTITY)


def _values(change: Change) -> tuple[JSON, ...]:
    return tuple(side.value if side.exists else "(absent)" for side in (change.old, change.new))


def fingerprint(rule: str, lineage: str, instance_path: str, values: Sequence[JSON]) -> str:
    """Name a finding by what it is, not by where the file keeps it: it survives moved lines and moved keywords."""
    content = canonical([rule, lineage, instance_path, *values])
    return hashlib.sha256(content).hexdigest()[:16]


def distinct(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Number fingerprints that meet (the same change in two branches), in the order of the file."""
    seen: dict[str, int] = {}
    found = []
    for finding in findings:
        count = seen[finding.fingerprint] = seen.get(finding.fingerprint, 0) + 1
        found.append(finding if count == 1 else replace(finding, fingerprint=f"{finding.fingerprint}-{count}"))
    return tuple(found)


def ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Sort findings worst first, then as they stand in the file."""

    def key(finding: Finding) -> tuple[object, ...]:
        place = finding.place
        where = ("", 0, 0, "") if place is None else (place.source, place.line or 0, place.column or 0, place.pointer)
        return LEVEL_ORDER[finding.level], finding.annotation, *where, finding.rule, finding.fingerprint

    return tuple(sorted(findings, key=key))

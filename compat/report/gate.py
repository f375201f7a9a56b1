"""What the gate says, as text for a terminal and as JSON (`compat-gate/1`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from compat.assess import Problem
from compat.errors import Place
from compat.gate import Forcing, Judgement, Outcome, Release, Removal
from compat.jsonvalue import JSON, dumps
from compat.lineage import Bump, Step
from compat.policy import as_path
from compat.relation import Direction, Status
from compat.report import wording
from compat.report.escape import terminal
from compat.report.json import evidence

FORMAT = "compat-gate/1"
_RED, _GREEN, _YELLOW, _DIM, _BOLD = "1;31", "32", "33", "2", "1"
_MARKS = {
    Outcome.UNDER_BUMPED: ("✗", _RED),
    Outcome.EDITED: ("✗", _RED),
    Outcome.BACKWARDS: ("✗", _RED),
    Outcome.UNNUMBERED: ("✗", _RED),
    Outcome.REMOVED: ("✗", _RED),
    Outcome.REMOVED_EARLY: ("✗", _RED),
    Outcome.FALSE_RECORD: ("✗", _RED),
    Outcome.OVER_BUMPED: ("!", _YELLOW),
}


def render(
    judgements: Sequence[Judgement],
    problems: Sequence[Problem],
    format: str,
    *,
    exit_code: int,
    color: bool = False,
    width: int = 100,
) -> str:
    """Write what the gate says in a format."""
    if format == "json":
        return dumps(document(judgements, problems, exit_code=exit_code), indent=2) + "\n"
    return text(judgements, problems, color=color, width=width)


# -- text -----------------------------------------------------------------------------------------------------------


def text(judgements: Sequence[Judgement], problems: Sequence[Problem], *, color: bool = False, width: int = 100) -> str:
    """Write a block a lineage, and one line that says how it ended."""
    blocks = ["\n".join(_block(judgement, color, width)) for judgement in judgements]
    for problem in problems:
        place = f"{problem.place}: " if problem.place is not None else ""
        lines = [_paint(terminal(f"error: {place}{problem.message}"), _RED, color)]
        blocks.append("\n".join([*lines, terminal(f"  {problem.hint}")] if problem.hint else lines))
    return "\n\n".join([*blocks, _closing(judgements, problems)]) + "\n"


def _block(judgement: Judgement, color: bool, width: int) -> Iterator[str]:
    last = "never released" if judgement.last is None else f"last release {_release(judgement.last)}"
    declares = "declares no number" if judgement.declared is None else f"declares {judgement.declared}"
    yield f"{_paint(terminal(judgement.lineage), _BOLD, color)}    {terminal(last)}, {terminal(declares)}"
    mark, code = _MARKS.get(judgement.outcome, ("·", _GREEN))
    yield f"  {_paint(mark, code, color)} {terminal(_verdict(judgement))}"
    if judgement.forcing is not None and judgement.outcome not in (Outcome.OVER_BUMPED, Outcome.REMOVED_EARLY):
        for line in _forcing(judgement.forcing, width - 4):
            yield f"    {terminal(line)}"
    for removal in judgement.removals:
        for line in _removal(removal) if removal.early else ():
            yield f"    {terminal(line)}"
    for note in judgement.notes:
        yield _paint(f"    {terminal(note)}", _DIM, color)


def _release(release: Release) -> str:
    details = [part for part in ("" if release.when is None else release.when.isoformat(), release.tag or "") if part]
    return f"{release.label} ({', '.join(details)})" if details else release.label


_KINDS = {
    Step.NOTHING: "no",
    Step.ANNOTATIONS: "annotation",
    Step.CHANGED: "compatible",
    Step.BREAKING: "breaking",
    Step.DISJOINT: "disjoint",
}


def _verdict(judgement: Judgement) -> str:
    outcome = judgement.outcome
    if outcome is Outcome.UNCHANGED:
        return "unchanged since the last release"
    if outcome is Outcome.NEVER_RELEASED:
        return "nothing to compare with"
    if outcome is Outcome.REMOVED:
        return "was released and is gone"
    if outcome is Outcome.RETIRED:
        return "was released and is gone, as it may"
    if outcome is Outcome.FALSE_RECORD:
        return "its release record does not hold"
    if outcome is Outcome.REMOVED_EARLY:
        return "removed too early: a property has to be deprecated first"
    if outcome is Outcome.UNNUMBERED:
        return f"{_KINDS[judgement.step]} change, and no number announces it"
    needs = _needs(judgement)
    if outcome is Outcome.UNDER_BUMPED:
        return f"under-bumped: {_KINDS[judgement.step]} change needs {needs}"
    if outcome is Outcome.EDITED:
        return (
            f"{judgement.declared} was released and then edited in place: {_KINDS[judgement.step]} change needs {needs}"
        )
    if outcome is Outcome.BACKWARDS:
        return "goes backwards"
    if outcome is Outcome.OVER_BUMPED:
        return f"over-bumped: {_KINDS[judgement.step]} change needs no more than {needs}"
    if judgement.last is not None and judgement.declared == judgement.last.number:
        return f"{_KINDS[judgement.step]} change under the released number"
    return f"{_KINDS[judgement.step]} change: {needs} is enough" if needs else f"{_KINDS[judgement.step]} change"


def _removal(removal: Removal) -> Iterator[str]:
    """Say of one property that went too early what it asks for, and where it stood."""
    more = removal.asked - removal.deprecated
    so_far = f"after {removal.deprecated} of {removal.asked} releases" if removal.deprecated else "without notice"
    yield (
        f'{as_path(removal.instance_path)} is gone {so_far}: keep it with "deprecated": true for '
        f"{more}{' more' if removal.deprecated else ''} {'release' if more == 1 else 'releases'}"
    )
    if removal.place is not None:
        yield str(replace(removal.place, pointer=None))


def _needs(judgement: Judgement) -> str:
    if judgement.least is None:
        return ""
    if judgement.bump is Bump.NONE:
        return f"{judgement.least} (no new number)"
    return f"{judgement.least} ({judgement.bump})"


def _forcing(forcing: Forcing, width: int) -> Iterator[str]:
    finding = forcing.finding
    if finding is not None:
        where = f"{as_path(finding.instance_path)}: " if finding.instance_path else ""
        yield f"{finding.rule}  {where}{finding.message}"
        if finding.place is not None:
            yield wording.location(finding)
    if forcing.witness is not None:
        witness = forcing.witness
        value = wording.abridged(witness.value, witness.instance_path, width - 30)
        yield f"{wording.sides(witness)}    {value}{wording.origin(witness)}"
    elif forcing.why:
        yield f"not proved: {forcing.why}"
    if finding is not None and (said := wording.evidence(finding)):
        yield said
    elif forcing.direction is Direction.BACKWARD:
        yield "no stored record could say whether data does this"


def _closing(judgements: Sequence[Judgement], problems: Sequence[Problem]) -> str:
    failing = sum(judgement.fails for judgement in judgements)
    lineages = len({judgement.lineage for judgement in judgements})
    what = f"{lineages} {'lineage' if lineages == 1 else 'lineages'} judged"
    if problems:
        what += f", {len(problems)} could not be checked, see the errors"
    if failing:
        return f"{what}: {failing} not ready to release."
    return f"{what}." if problems else f"{what}: nothing to object to."


def _paint(shown: str, code: str, color: bool) -> str:
    return f"\x1b[{code}m{shown}\x1b[0m" if color and shown else shown


# -- JSON -----------------------------------------------------------------------------------------------------------


def document(judgements: Sequence[Judgement], problems: Sequence[Problem], *, exit_code: int) -> dict[str, JSON]:
    """Give what the gate says as a JSON value; keys are only ever added within a format number."""
    return {
        "format": FORMAT,
        "exit_code": int(exit_code),
        "lineages": [_judgement(judgement) for judgement in judgements],
        "problems": [
            {"message": problem.message, "place": _place(problem.place), "hint": problem.hint} for problem in problems
        ],
    }


def _judgement(judgement: Judgement) -> dict[str, JSON]:
    last = judgement.last
    return {
        "lineage": judgement.lineage,
        "outcome": judgement.outcome.value,
        "fails": judgement.fails,
        "step": judgement.step.value,
        "bump": judgement.bump.value,
        "least": None if judgement.least is None else str(judgement.least),
        "declared": None if judgement.declared is None else str(judgement.declared),
        "last": None
        if last is None
        else {
            "version": None if last.number is None else str(last.number),
            "digest": last.digest,
            "released": None if last.when is None else last.when.isoformat(),
            "tag": last.tag,
        },
        "forcing": None if judgement.forcing is None else _forced(judgement.forcing),
        "removals": [
            {
                "instance_path": removal.instance_path,
                "place": _place(removal.place),
                "deprecated": removal.deprecated,
                "asked": removal.asked,
                "waived": removal.waived,
                "early": removal.early,
            }
            for removal in judgement.removals
        ],
        "notes": list(judgement.notes),
    }


def _forced(forcing: Forcing) -> dict[str, JSON]:
    finding = forcing.finding
    seen = None if finding is None else finding.evidence
    told: dict[str, JSON] = {
        "direction": forcing.direction.value,
        "status": forcing.status.value,
        "rule": None if finding is None else finding.rule,
        "message": None if finding is None else finding.message,
        "instance_path": None if finding is None else finding.instance_path,
        "place": None if finding is None else _place(finding.place),
        "evidence": None if seen is None else evidence(seen),
        "why": forcing.why,
    }
    if forcing.status is Status.BREAKING and forcing.witness is not None:
        told["witness"] = forcing.witness.value  # null may be the witness; no key means that there is none
    return told


def _place(place: Place | None) -> JSON:
    if place is None:
        return None
    return {"source": place.source, "pointer": place.pointer, "line": place.line, "column": place.column}

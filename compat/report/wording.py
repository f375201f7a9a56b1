"""The sentences of a report, the same in every format: what a finding does, what was counted, how it ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from compat.assess.model import Conclusion, Finding, Outcome, Report, Rerun, SchemaReport, Witness
from compat.diff.wording import clip, counted, listing, shown
from compat.errors import Place
from compat.jsonvalue import JSON, dumps, pointer, step, tokens
from compat.policy import Waiver, as_path
from compat.proof.verdict import Origin
from compat.relation import Direction, Effect, Level, Status
from compat.report.escape import json_text, shell


def explanation(finding: Finding, asked: Sequence[Direction]) -> Iterator[str]:
    """Yield the sentences under a finding's message: consequences, doubt, hint, waiver."""
    for direction in Direction:
        if finding.status(direction) is Status.BREAKING and direction not in asked:
            yield _CONSEQUENCE[direction]
    if finding.undeclared:
        name = _undeclared_name(finding)
        yield (
            f"only a record carrying an undeclared {name} could fail."
            if name
            else ("only a record carrying an undeclared property could fail.")
        )
    if finding.doubt:
        yield f"not proved: {finding.doubt}"
    if finding.hint:
        yield finding.hint
    if finding.waiver is not None:
        yield f"{waived(finding.waiver)}; otherwise {finding.level}"
    if finding.against:
        yield f"against {listing(finding.against)}."


def waived(waiver: Waiver) -> str:
    """Say who lets a finding pass, until when, and why."""
    by = f" by {waiver.owner}" if waiver.owner else ""
    until = f" until {waiver.expires}" if waiver.expires else ""
    return f"waived{by}{until}: {waiver.reason}"


def told(finding: Finding) -> str:
    """Give a finding's message, and for one that was proved harmless that it was."""
    if finding.level is Level.SAFE and finding.effect is Effect.NONE and not finding.annotation:
        context = "" if finding.expected is Effect.NONE else " in context"
        return f"{finding.message} proved: no effect{context}."
    return finding.message


_CONSEQUENCE = {
    Direction.FORWARD: "readers still on the old version reject it.",
    Direction.BACKWARD: "data written under the old version fails under the new one.",
}


def _undeclared_name(finding: Finding) -> str | None:
    for witness in finding.witnesses:
        for part in reversed(tokens(witness.instance_path)):
            if not part.isdigit():
                return f'"{part}"'
    last = tokens(finding.instance_path)[-1:]
    return f'"{last[0]}"' if last and last[0] != "*" else None


def sides(witness: Witness) -> str:
    """Say which side takes the witness."""
    if witness.direction is Direction.BACKWARD:
        return "old: accepts, new: rejects"
    return "old: rejects, new: accepts"


_ORIGINS = {
    Origin.EXAMPLE: "from an example in the schema",
    Origin.DEFAULT: "with defaults of the schema",
    Origin.RECORD: "from a stored record, redacted",
}


def origin(witness: Witness) -> str:
    """Say where a witness has real values from, in brackets and after a space; nothing where it is made up."""
    return "" if witness.origin is None else f" ({_ORIGINS[witness.origin]})"


def evidence(finding: Finding) -> str | None:
    """Say what the stored records do, or None where none were looked at."""
    seen = finding.evidence
    if seen is None:
        return None
    of = f"{seen.failing:,} of {seen.records:,} stored {'record' if seen.records == 1 else 'records'}"
    if seen.failing == 0:
        return f"{of} do this." if seen.reaching != 0 else nothing_said(finding, seen.records)
    first = f"; first {seen.first}" if seen.first else ""
    return f"{of} {'does' if seen.failing == 1 else 'do'} this{first}"


def nothing_said(finding: Finding, records: int) -> str:
    """Say that no record could have done what a finding is about."""
    path = finding.instance_path if finding.change is None else finding.change.instance_path
    return f"no stored record could say: none of {records:,} has {as_path(path)}."


def affected(finding: Finding) -> str | None:
    """Name the schemas that a finding in a shared file reaches."""
    if not finding.affects:
        return None
    names = [
        f"{affect.schema} ({as_path(affect.instance_path)})" if affect.instance_path else affect.schema
        for affect in finding.affects
    ]
    return f"reaches {listing(names, most=6)}"


def rollout(schema: SchemaReport) -> str | None:
    """Say who moves first, apart from data with properties that nobody declared; None where any order will do."""
    counted_here = [finding for finding in schema.findings if not finding.undeclared]
    statuses = {each: {finding.status(each) for finding in counted_here} for each in Direction}
    if any(Status.UNKNOWN in found for found in statuses.values()):
        return "keep serving the old version until all have moved"
    backward, forward = (Status.BREAKING in statuses[each] for each in Direction)
    if backward and forward:
        return "no order of roll-out is safe"
    if backward:
        return "move writers first"
    return "move readers first" if forward else None


def location(finding: Finding) -> str:
    """Write both ends of a finding, `70:15 → task.schema.json:71:15`; the file is told once where it is the same."""
    old, new = finding.old_place, finding.new_place
    if old is None or new is None:
        place = new or old
        return "" if place is None else _short(place)
    if _file(old) == _file(new) and old.line is not None and new.line is not None:
        return f"{_numbers(old)} → {_short(new)}"
    return f"{_short(old)} → {_short(new)}"


def place(at: Place) -> str:
    """Write a place with its file, line and column, whatever the file is called."""
    return f"{at.source}:{_numbers(at)}" if at.line is not None else str(at)


def _short(place: Place) -> str:
    numbers = _numbers(place)
    return f"{_file(place)}:{numbers}" if numbers else f"{_file(place)}{f'#{place.pointer}' if place.pointer else ''}"


def _file(place: Place) -> str:
    return place.source.rpartition("/")[2].rpartition(":")[2]


def _numbers(place: Place) -> str:
    return "" if place.line is None else f"{place.line}:{place.column}"


def abridged(value: JSON, path: str, width: int) -> str:
    """Write a witness on one line: whole if it fits, else only the way to the place that matters."""
    whole = dumps(value)
    if len(whole) <= width:
        return whole
    return clip(_along(value, tokens(path), width), max(width, 20))


def into(value: JSON, path: str) -> str:
    """Lead a path with `*` into one record, as far as it goes."""
    steps: list[str] = []
    inner: object = value
    for part in tokens(path):
        choices = [str(key) for key in inner] if isinstance(inner, dict) else []
        if isinstance(inner, list) and inner:
            choices = ["0"]
        chosen = part if part in choices or part != "*" else next(iter(choices), "")
        try:
            inner = step(inner, chosen)
        except (KeyError, IndexError):
            break
        steps.append(chosen)
    return pointer(steps)


def _along(value: JSON, path: Sequence[str], width: int) -> str:
    """Write the members on the way to `path` and an ellipsis for the rest, from inside out."""
    chain: list[tuple[JSON, str]] = []
    inner: object = value
    for part in path:
        try:
            following = step(inner, part)
        except (KeyError, IndexError):
            break
        chain.append((inner, part))  # type: ignore[arg-type]
        inner = following
    text = shown(inner, max(width // 2, 20) if chain else width)  # type: ignore[arg-type]
    for container, part in reversed(chain):
        if isinstance(container, Mapping):
            text = f"{{{dumps(part)}: {text}{', …' if len(container) > 1 else ''}}}"
        elif isinstance(container, Sequence):
            before, after = int(part) > 0, int(part) + 1 < len(container)
            text = f"[{'…, ' if before else ''}{text}{', …' if after else ''}]"
    return text


def counts(report: SchemaReport | Report, joint: str = "  ") -> str:
    """Count the findings of a schema or a report: "1 breaking  1 risky  3 safe"; annotations only where alone."""
    findings = tuple(report.every_finding()) if isinstance(report, Report) else report.findings
    counted_here = [finding for finding in findings if finding.counts and not finding.annotation]
    levels = Counter(finding.level for finding in counted_here)
    parts = [f"{levels[level]} {level}" for level in Level if levels[level]]
    waived = sum(not finding.counts for finding in findings)
    if waived:
        parts.append(f"{waived} waived")
    annotations = sum(finding.annotation and finding.counts for finding in findings)
    if annotations and not parts:
        parts.append(f"{counted(annotations, 'annotation')} only")
    return joint.join(parts)


def conclusion(report: Report) -> str:
    """Say how a run ended, in one sentence that cannot be taken for another."""
    word = report.conclusion
    compared, deleted = report.number(Outcome.COMPARED), report.number(Outcome.DELETED)
    if word is Conclusion.NOTHING_COMPARED:
        return _nothing(report) + "."
    text = f"{counted(compared, 'schema')} compared"
    if deleted:
        text = f"{text}, {deleted} deleted" if compared else f"{counted(deleted, 'schema')} deleted"
    if left := _not_compared(report):
        text += f", {sum(len(names) for names in left.values())} not compared ({_told(left)})"
    if word is Conclusion.NO_DIFFERENCE:
        text += ": no difference"
    elif word is Conclusion.NO_EFFECT:
        text += f": {'it differs' if compared == 1 else 'they differ'}, without effect on any instance"
    elif found := counts(report, joint=", "):
        text += f": {found}"
    if word is Conclusion.ERROR:
        text += f"; {counted(len(report.problems), 'thing')} could not be checked, see the errors"
    return text + "."


def _nothing(report: Report) -> str:
    left = _not_compared(report)
    if left:
        return f"Nothing was compared: {_told(left)}"
    looked = f"none of {counted(report.unchanged, 'schema')} differs" if report.unchanged else "no schema differs"
    return f"Nothing was compared: {looked} between {report.base} and {report.head}"


def _not_compared(report: Report) -> dict[str, list[str]]:
    """Give what was not compared, by why."""
    why = {Outcome.NEW: "new, no baseline", Outcome.NO_BASELINE: "no readable baseline"}
    found: dict[str, list[str]] = {}
    for schema in report.schemas:
        if schema.outcome in why:
            found.setdefault(why[schema.outcome], []).append(schema.name)
    return found


def _told(left: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(f"{why}: {listing(names)}" for why, names in left.items())


# A longer command line is one that nobody copies, and beyond the second length one that nobody wants to read past.
_MOST_TYPED, TYPED = 1_000, 240


def reproduction(finding: Finding, most: int = _MOST_TYPED) -> str | None:
    """Write the command line that meets a finding again: its witness put to both schemas, else the comparison.

    A witness of more than `most` characters gives way to the comparison, which has it whole in its JSON report.

    What a shell or a terminal could take amiss in it is escaped. None where the schemas have no names.
    """
    names = finding.names
    if names is None:
        return None
    if isinstance(names, Rerun):
        return shell("compat", *names.words)
    for witness in finding.witnesses:
        accepting, refusing = names.old, names.new
        if witness.direction is Direction.FORWARD:
            accepting, refusing = refusing, accepting
        value = json_text(dumps(witness.value))
        if len(value) <= most:
            return _command("verify", names.options, value, accepting, refusing)
    return _command("diff", names.options, names.old, names.new)


def _command(command: str, options: Sequence[str], *words: str) -> str:
    # A negative number looks like an option.
    apart = ("--",) if any(word.startswith("-") and word != "-" for word in words) else ()
    return shell("compat", command, *options, *apart, *words)


def elapsed(seconds: float) -> str:
    return f"{seconds:.1f} s"

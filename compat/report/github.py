"""The report as annotations of a GitHub workflow: commands that the runner reads from a step's output."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from compat.assess.model import Finding, Problem, Report
from compat.diff.wording import counted, listing
from compat.errors import Place
from compat.relation import Level
from compat.report import wording
from compat.report.escape import terminal
from compat.report.ranked import ranked

# GitHub shows so many of each kind for a step and drops the rest without a word.
MOST = 10
MOST_A_JOB = 50
_WITNESS_WIDTH = 200
_KINDS = {Level.BREAKING: "error", Level.UNKNOWN: "error", Level.RISKY: "warning"}


def render(report: Report) -> str:
    """Write the worst findings as annotations, then plain lines that say what is left out and how the run ended."""
    told: list[tuple[str, Problem | Finding]] = [("error", problem) for problem in report.problems]
    told += [(_KINDS[finding.level], finding) for finding in ranked(report) if finding.counts]
    room = {"error": MOST, "warning": MOST}
    left_out: Counter[str] = Counter()
    lines = []
    for kind, one in told:
        if room[kind]:
            room[kind] -= 1
            lines.append(_problem(one) if isinstance(one, Problem) else _annotation(kind, one))
        else:
            left_out[kind] += 1
    if left_out:
        missing = listing(counted(number, kind) for kind, number in sorted(left_out.items()))
        limits = f"GitHub shows {MOST} errors and {MOST} warnings a step and {MOST_A_JOB} annotations a job"
        lines.append(f"{missing} left out, none worse than those of its kind that are shown: {limits}.")
    # A line that starts with `::` would be a command; this one starts with a word of ours.
    return "\n".join([*lines, terminal(wording.conclusion(report))]) + "\n"


def _annotation(kind: str, finding: Finding) -> str:
    place = finding.new_place or finding.old_place
    properties = {"file": finding.file or (place.source if place is not None else "")}
    if finding.new_place is not None and finding.new_place.line is not None:
        properties |= _position(finding.new_place)
    properties["title"] = f"{finding.level}: {finding.rule}"
    return _command(kind, "\n".join(_text(finding)), {key: value for key, value in properties.items() if value})


def _text(finding: Finding) -> Iterator[str]:
    yield wording.told(finding)
    for witness in finding.witnesses:
        value = wording.abridged(witness.value, witness.instance_path, _WITNESS_WIDTH)
        yield f"{wording.sides(witness)} {value}{wording.origin(witness)}"
    if (reached := wording.affected(finding)) is not None:
        yield reached
    if (records := wording.evidence(finding)) is not None:
        yield f"records: {records}"
    if finding.doubt:
        yield f"not proved: {finding.doubt}"
    if finding.remedy:
        yield f"to stay compatible: {finding.remedy}"
    if (again := wording.reproduction(finding, wording.TYPED)) is not None:
        yield f"reproduce: {again}"
    yield f"about the rule: compat rules {finding.rule}"


def _problem(problem: Problem) -> str:
    properties: dict[str, str] = {}
    if problem.place is not None:
        properties["file"] = problem.place.source
        if problem.place.line is not None:
            properties |= _position(problem.place)
    text = problem.message if problem.hint is None else f"{problem.message}\n{problem.hint}"
    return _command("error", text, {**properties, "title": "could not be checked"})


def _position(place: Place) -> dict[str, str]:
    column = place.column or 1
    told = {"line": str(place.line), "col": str(column)}
    if place.excerpt is not None:
        # The last column that belongs to it.
        told |= {"endLine": str(place.line), "endColumn": str(column + place.excerpt.length - 1)}
    return told


def _command(kind: str, message: str, properties: dict[str, str]) -> str:
    """Write one workflow command; what could end it or start another is escaped as the runner expects."""
    written = ",".join(
        f"{key}={_escaped(value).replace(':', '%3A').replace(',', '%2C')}" for key, value in properties.items()
    )
    return f"::{kind}{' ' + written if written else ''}::{_escaped(message)}"


def _escaped(text: str) -> str:
    plain = terminal(text, keep="\n")
    return plain.replace("%", "%25").replace("\n", "%0A")

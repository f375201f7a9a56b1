"""The report as Markdown, for a comment on a pull request or a step summary: verdict first, the benign folded."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from compat.assess.model import Conclusion, Finding, Outcome, Report, SchemaReport
from compat.changelog import code, escaped, sentence
from compat.diff.wording import counted, listing
from compat.errors import Place
from compat.policy import as_path
from compat.relation import Direction, Level
from compat.report import wording
from compat.report.escape import inert

# GitHub cuts comments at 65,536 characters; what is left out is counted instead.
MAX_LENGTH = 60_000
_WITNESS_WIDTH = 300

# The overview has two lines above its table and two of the table's head.
_HEADER, _ROWS = 4, 100
# So many harmless changes are folded into one part.
_FOLDED = 100
_ORDER = {level: index for index, level in enumerate(Level)}
_MARKS = {Level.BREAKING: "❌", Level.UNKNOWN: "❓", Level.RISKY: "⚠️", Level.SAFE: "✅"}


def render(report: Report, *, limit: int = MAX_LENGTH) -> str:
    """Write a report as Markdown of at most `limit` characters; the worst findings are told first and in full.

    What does not fit is left out from the end, whole parts at a time, and counted.
    """
    text = [inert(_headline(report))]
    room = limit - len(text[0]) - _RESERVE
    told: list[Finding] = []
    cut = False
    for part in _parts(report):
        written = inert(part.text)
        if len(written) + 2 > room:
            cut = True
            break
        text.append(f"\n\n{written}")
        told += part.findings
        room -= len(written) + 2
    if cut:
        text.append(f"\n\n{_left_out(report, told)}")
    if told:
        text.append("\n\n`compat rules RULE` explains a rule.")
    return "".join(text).rstrip() + "\n"


# Room for the line that says what is left out.
_RESERVE = 400


@dataclass(frozen=True, slots=True)
class _Part:
    """A piece of the report that is told whole or not at all; `findings` are told in it."""

    text: str
    findings: tuple[Finding, ...] = ()


def _left_out(report: Report, told: Sequence[Finding]) -> str:
    missing = _levels(report.every_finding())
    missing.subtract(_levels(told))
    levels = [f"{number} {level}" for level, number in missing.items() if number > 0]
    said = listing(levels, most=6) or "remarks without findings"
    return f"**Left out for want of room:** {said}. `compat check` shows everything."


def _levels(findings: Iterable[Finding]) -> Counter[str]:
    return Counter(finding.level.value if finding.counts else "waived" for finding in findings)


def _parts(report: Report) -> Iterator[_Part]:
    rows = list(_overview(report))
    if rows:
        yield _Part("\n".join(rows[: _HEADER + _ROWS]))
        if (more := len(rows) - _HEADER - _ROWS) > 0:
            yield _Part(f"… and {counted(more, 'more schema')}")
    for note in report.notes:
        yield _Part(_begun(escaped(note)))
    yield from _blocks(report)


def _headline(report: Report) -> str:
    mark = "❌" if report.problems else _MARKS[report.worst or Level.SAFE]
    if report.conclusion is Conclusion.NOTHING_COMPARED:
        mark = "⚪"  # no verdict, and no green
    return f"### {mark} {sentence(wording.conclusion(report))}"


def _overview(report: Report) -> Iterator[str]:
    rows = [schema for schema in report.schemas if schema.outcome in (Outcome.COMPARED, Outcome.DELETED)]
    if rows:
        yield f"{code(report.base)} … {code(report.head)}"
        yield ""
        yield "| schema | old data still passes | old readers still accept | policy | findings |"
        yield "|---|---|---|---|---|"
    for schema in rows:
        backward, forward = (str(status) if status is not None else "" for status in (schema.backward, schema.forward))
        yield f"| {_cell(schema.name)} | {backward} | {forward} | {schema.mode} | {wording.counts(schema, ', ')} |"


def _cell(text: str) -> str:
    return code(text).replace("|", "\\|")


def _blocks(report: Report) -> Iterator[_Part]:
    """Yield the parts under the overview, those that weigh most first."""
    for problem in report.problems:
        where = f"{code(str(problem.place))}: " if problem.place is not None else ""
        hint = f"<br>{sentence(problem.hint)}" if problem.hint else ""
        yield _Part(f"- **could not be checked** {where}{sentence(problem.message)}{hint}")
    for finding in report.findings:
        yield _Part(_finding(finding, ()), (finding,))
    # A schema that breaks is told before one that does not, whatever it is called.
    for schema in sorted(report.schemas, key=_weight):
        yield from _schema(schema)


def _weight(schema: SchemaReport) -> int:
    return min((_ORDER[finding.level] for finding in schema.findings if finding.counts), default=len(_ORDER))


def _schema(schema: SchemaReport) -> Iterator[_Part]:
    remarks = [*([schema.marker] if schema.marker else []), *schema.notes]
    if schema.outcome is Outcome.NEW:
        remarks.insert(0, "new, no baseline")
    elif schema.outcome is Outcome.NO_BASELINE:
        remarks.insert(0, "not compared")
    telling = [finding for finding in schema.findings if finding.level is not Level.SAFE and finding.counts]
    quiet = [finding for finding in schema.findings if finding.level is Level.SAFE or not finding.counts]
    if not (telling or quiet or remarks):
        return
    told = f" — {sentence('; '.join(remarks))}" if remarks else ""
    heading = f"#### {code(schema.name)}{told}"
    if not telling:
        yield _Part(heading)
    for finding in telling:
        lead = f"{heading}\n\n" if finding is telling[0] else ""
        yield _Part(f"{lead}{_finding(finding, schema.mode.directions)}", (finding,))
    for batch in range(0, len(quiet), _FOLDED):
        yield _folded(quiet[batch : batch + _FOLDED])


def _folded(quiet: Sequence[Finding]) -> _Part:
    lines = [f"- {_title(finding)}: {sentence(wording.told(finding))}{_waived(finding)}" for finding in quiet]
    waived = " or waived" if any(finding.waiver for finding in quiet) else ""
    summary = f"{counted(len(quiet), 'change')} without harm{waived}"
    text = f"<details><summary>{summary}</summary>\n\n" + "\n".join(lines) + "\n\n</details>"
    return _Part(text, tuple(quiet))


def _waived(finding: Finding) -> str:
    return "" if finding.waiver is None else f" {finding.level}, {sentence(wording.waived(finding.waiver))}"


def _finding(finding: Finding, asked: Sequence[Direction]) -> str:
    lines = [f"**{_MARKS[finding.level]} {finding.level}** {_title(finding)}", sentence(finding.message)]
    for witness in finding.witnesses:
        value = wording.abridged(witness.value, witness.instance_path, _WITNESS_WIDTH)
        lines.append(f"{wording.sides(witness)} {code(value)}{wording.origin(witness)}")
    lines += [sentence(text) for text in wording.explanation(finding, asked)]
    if (reached := wording.affected(finding)) is not None:
        lines.append(escaped(reached))
    if (records := wording.evidence(finding)) is not None:
        lines.append(f"records: {escaped(records)}")
    if finding.remedy and finding.level in (Level.BREAKING, Level.UNKNOWN):
        lines.append(f"**to stay compatible:** {sentence(finding.remedy)}")
    if (again := wording.reproduction(finding, wording.TYPED)) is not None:
        lines.append(f"reproduce: {code(again)}")
    return "<br>\n".join(map(_begun, lines))


# What begins a list, a rule or a heading where a line begins with it.
_OPENING = re.compile(r"^([-+=]|\d{1,9}(?=[.)]))")


def _begun(line: str) -> str:
    """Let a line of its own begin as text, whatever it begins with."""
    return _OPENING.sub(lambda found: f"{found[1]}\\" if found[1].isdigit() else f"\\{found[1]}", line.lstrip())


def _title(finding: Finding) -> str:
    path = f" at {code(as_path(finding.instance_path))}" if finding.instance_path else ""
    where = _place(finding.place)
    return f"{code(finding.rule)}{path}{where}"


def _place(place: Place | None) -> str:
    if place is None:
        return ""
    numbers = "" if place.line is None else f":{place.line}:{place.column}"
    return f" in {code(place.source + numbers)}"

"""The report as Markdown, for a comment on a pull request or a step summary: verdict first, the benign folded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compat.assess.model import Finding, Outcome, Report, SchemaReport
from compat.changelog import code, escaped, sentence
from compat.diff.wording import counted
from compat.errors import Place
from compat.policy import as_path
from compat.relation import Direction, Level
from compat.report import wording

# GitHub cuts comments at 65,536 characters; what is left out is counted instead.
MAX_LENGTH = 60_000
_WITNESS_WIDTH = 300

_MARKS = {Level.BREAKING: "❌", Level.UNKNOWN: "❓", Level.RISKY: "⚠️", Level.SAFE: "✅"}


def render(report: Report, *, limit: int = MAX_LENGTH) -> str:
    """Write a report as Markdown of at most `limit` characters; the worst findings are told first and in full."""
    head = [_headline(report), "", *_overview(report)]
    tail = [f"\n{escaped(note)}" for note in report.notes]
    room = limit - sum(len(line) + 1 for line in (*head, *tail)) - 200
    body: list[str] = []
    left_out = 0
    for block in _blocks(report):
        if len(block) + 2 <= room and not left_out:
            body += ["", block]
            room -= len(block) + 2
        else:
            left_out += 1
    if left_out:
        body += ["", f"{counted(left_out, 'more part')} left out for want of room; `compat check` shows everything."]
    return "\n".join([*head, *body, *tail]).rstrip() + "\n"


def _headline(report: Report) -> str:
    worst = report.worst
    mark = "❌" if report.problems else _MARKS[worst or Level.SAFE]
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


def _blocks(report: Report) -> Iterator[str]:
    """Yield the parts under the overview, those that weigh most first."""
    for problem in report.problems:
        where = f"{code(str(problem.place))}: " if problem.place is not None else ""
        hint = f"<br>{sentence(problem.hint)}" if problem.hint else ""
        yield f"- **could not be checked** {where}{sentence(problem.message)}{hint}"
    if report.findings:
        yield "\n\n".join(_finding(finding, ()) for finding in report.findings)
    for schema in report.schemas:
        yield from _schema(schema)


def _schema(schema: SchemaReport) -> Iterator[str]:
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
    yield f"#### {code(schema.name)}{told}"
    for finding in telling:
        yield _finding(finding, schema.mode.directions)
    if quiet:
        lines = [f"- {_title(finding)}: {sentence(wording.told(finding))}{_waived(finding)}" for finding in quiet]
        waived = " or waived" if any(finding.waiver for finding in quiet) else ""
        summary = f"{counted(len(quiet), 'change')} without harm{waived}"
        yield f"<details><summary>{summary}</summary>\n\n" + "\n".join(lines) + "\n\n</details>"


def _waived(finding: Finding) -> str:
    return "" if finding.waiver is None else f" {finding.level}, {sentence(wording.waived(finding.waiver))}"


def _finding(finding: Finding, asked: Sequence[Direction]) -> str:
    lines = [f"**{_MARKS[finding.level]} {finding.level}** {_title(finding)}", sentence(finding.message)]
    for witness in finding.witnesses:
        value = wording.abridged(witness.value, witness.instance_path, _WITNESS_WIDTH)
        lines.append(f"{wording.sides(witness)} {code(value)}")
    lines += [sentence(text) for text in wording.explanation(finding, asked)]
    if (reached := wording.affected(finding)) is not None:
        lines.append(escaped(reached))
    if (records := wording.evidence(finding)) is not None:
        lines.append(f"records: {escaped(records)}")
    if finding.remedy and finding.level in (Level.BREAKING, Level.UNKNOWN):
        lines.append(f"**to stay compatible:** {sentence(finding.remedy)}")
    return "<br>\n".join(lines)


def _title(finding: Finding) -> str:
    path = f" at {code(as_path(finding.instance_path))}" if finding.instance_path else ""
    where = _place(finding.place)
    return f"{code(finding.rule)}{path}{where}"


def _place(place: Place | None) -> str:
    if place is None:
        return ""
    numbers = "" if place.line is None else f":{place.line}:{place.column}"
    return f" in {code(place.source + numbers)}"

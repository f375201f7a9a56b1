"""The report for a terminal: worst first, one block a finding, benign changes in one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compat.assess.model import Finding, Outcome, Report, SchemaReport
from compat.diff.wording import clip, counted, listing
from compat.policy import as_path
from compat.relation import Direction, Level
from compat.report import wording
from compat.report.escape import terminal
from compat.report.excerpt import excerpts

_MARKS = {Level.BREAKING: "✗", Level.UNKNOWN: "?", Level.RISKY: "!", Level.SAFE: "·"}
_CODES = {Level.BREAKING: "1;31", Level.UNKNOWN: "1;35", Level.RISKY: "33", Level.SAFE: "32"}
_DIM, _BOLD = "2", "1"

# Safe findings beyond this many are counted; `-v` shows them all.
SAFE_SHOWN = 10
_RULE_WIDTH, _PATH_WIDTH = 30, 40
# A witness that is longer is not part of the line to reproduce.
_TYPED, _TYPED_VERBOSE = 120, 1_000


class Style:
    """Puts colour on text that has already been made harmless, or leaves it."""

    def __init__(self, color: bool) -> None:
        self._color = color

    def __call__(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._color and text and code else text


def render(report: Report, *, color: bool = False, verbose: bool = False, width: int = 100) -> str:
    """Write a report as text, ending with one line that says how the run ended."""
    style = Style(color)
    told = [schema for schema in report.schemas if verbose or not (_is_quiet(schema) or _is_merely_new(schema))]
    blocks = ["\n".join(_schema(schema, report, style, verbose, width)) for schema in told]
    if not verbose and (same := [schema.name for schema in report.schemas if _is_quiet(schema)]):
        blocks.append(style(terminal(f"no difference: {listing(same)}"), _DIM))
    if report.findings:
        blocks.insert(0, "\n".join(_findings(report.findings, (), style, verbose, width, indent="")))
    blocks += [terminal(f"note: {note}") for note in report.notes]
    for problem in report.problems:
        place = f"{problem.place}: " if problem.place is not None else ""
        lines = [style(terminal(f"error: {place}{problem.message}"), _CODES[Level.BREAKING])]
        if problem.hint:
            lines.append(terminal(f"  {problem.hint}", keep="\n"))
        blocks.append("\n".join(lines))
    last = terminal(wording.conclusion(report))
    if report.elapsed is not None:
        last += style(f"   {wording.elapsed(report.elapsed)}", _DIM)
    return "\n\n".join([*blocks, last]) + "\n"


def _is_quiet(schema: SchemaReport) -> bool:
    """Whether a schema was compared and there is nothing at all to say about it."""
    said = schema.findings or schema.through or schema.notes or schema.marker
    return schema.outcome is Outcome.COMPARED and not said


def _is_merely_new(schema: SchemaReport) -> bool:
    """Whether the closing line, which names what is new, says all there is to say."""
    return schema.outcome is Outcome.NEW and not schema.notes


def _schema(schema: SchemaReport, report: Report, style: Style, verbose: bool, width: int) -> Iterator[str]:
    yield _heading(schema, report, style, width)
    for line in _remarks(schema):
        yield style(terminal(f"  {line}"), _DIM)
    if schema.findings:
        yield ""
        yield from _findings(schema.findings, schema.mode.directions, style, verbose, width, indent="  ")


def _heading(schema: SchemaReport, report: Report, style: Style, width: int) -> str:
    """Name, what was compared, policy, and the counts flush right; on two lines where one is too narrow."""
    name = schema.name if schema.old_name is None else f"{schema.old_name} → {schema.name}"
    middle = f"{report.base}…{report.head}    policy {schema.mode}"
    if schema.outcome is Outcome.NEW:
        middle = "new, no baseline"
    elif schema.outcome is Outcome.NO_BASELINE:
        middle = f"{report.base}…{report.head}    not compared"
    elif schema.outcome is Outcome.SHARED:
        middle = f"{report.base}…{report.head}    shared file"
    elif report.command == "diff":
        middle = f"policy {schema.mode}"
    tail = wording.counts(schema)
    name, middle = terminal(name), terminal(middle)
    gap = width - len(name) - len(middle) - 4 - len(tail)
    if gap >= 4:
        return f"{style(name, _BOLD)}    {style(middle, _DIM)}{' ' * gap}{tail}".rstrip()
    gap = max(4, width - len(middle) - 2 - len(tail))
    return f"{style(name, _BOLD)}\n  {style(middle, _DIM)}{' ' * gap}{tail}".rstrip()


def _remarks(schema: SchemaReport) -> Iterator[str]:
    if schema.outcome is Outcome.COMPARED:
        shared = any(finding.affects for finding in schema.findings)
        order = wording.rollout(schema)
        told = f"; {'for what it reaches, ' if shared else ''}{order}" if order else ""
        yield f"{'by itself: ' if shared else ''}backward {schema.backward}, forward {schema.forward}{told}"
        if not schema.findings and not schema.through:
            yield "no difference"
    if schema.marker:
        yield schema.marker
    if schema.against:
        yield f"judged against {listing(schema.against, most=8)}"
    if schema.through:
        yield f"changed through {listing(schema.through)}"
    if schema.outcome is Outcome.SHARED:
        reached = dict.fromkeys(affect.schema for finding in schema.findings for affect in finding.affects)
        yield f"reaches {listing(reached, most=8)}"
    yield from schema.notes


def _findings(
    findings: Sequence[Finding],
    asked: Sequence[Direction],
    style: Style,
    verbose: bool,
    width: int,
    *,
    indent: str,
) -> Iterator[str]:
    annotations = [finding for finding in findings if finding.annotation and finding.level is Level.SAFE]
    shown = [finding for finding in findings if verbose or not (finding.annotation and finding.level is Level.SAFE)]
    shown.sort(key=lambda finding: 2 if finding.level is Level.SAFE else int(not finding.counts))
    safe = [finding for finding in shown if finding.level is Level.SAFE]
    hidden = 0 if verbose else max(0, len(safe) - SAFE_SHOWN)
    if hidden:
        left_out = {id(finding) for finding in safe[SAFE_SHOWN:]}
        shown = [finding for finding in shown if id(finding) not in left_out]
    rule_width = min(max((len(finding.rule) for finding in shown), default=0), _RULE_WIDTH)
    path_width = min(max((len(as_path(finding.instance_path)) for finding in shown), default=0), _PATH_WIDTH)
    for index, finding in enumerate(shown):
        if index and not (finding.level is Level.SAFE and shown[index - 1].level is Level.SAFE):
            yield ""
        yield _title(finding, style, indent, rule_width, path_width)
        yield style(f"{indent}  {terminal(wording.told(finding))}", "")
        if verbose or finding.level is not Level.SAFE:
            yield from _source(finding, style, f"{indent}  ", width - len(indent) - 2)
        for text, code in _details(finding, asked, verbose, width - len(indent) - 2):
            yield style(f"{indent}  {terminal(text)}", code)
    if hidden:
        yield style(f"{indent}· {counted(hidden, 'more safe change')} (-v shows them)", _DIM)
    if annotations and not verbose:
        keywords = dict.fromkeys(finding.change.keyword for finding in annotations if finding.change is not None)
        if shown:
            yield ""
        text = f"{indent}· {counted(len(annotations), 'annotation change')}: {listing(keywords)} (-v shows them)"
        yield style(terminal(text), _DIM)


def _title(finding: Finding, style: Style, indent: str, rule_width: int, path_width: int) -> str:
    """Write level, rule, path and place; what somebody accepted does not look like a failure, whatever its level."""
    if finding.counts:
        level = style(f"{_MARKS[finding.level]} {finding.level:<8}", _CODES[finding.level])
    else:
        level = style(f"~ {'waived':<8}", _DIM)
    rule = terminal(finding.rule).ljust(rule_width)
    path = clip(terminal(as_path(finding.instance_path)), _PATH_WIDTH).ljust(path_width)
    line = f"{indent}{level}  {style(rule, _BOLD)}  {path}  {style(terminal(wording.location(finding)), _DIM)}"
    return line.rstrip()


def _source(finding: Finding, style: Style, indent: str, width: int) -> Iterator[str]:
    """Yield the lines of source that a finding is about, a caret under what is meant."""
    for marked in excerpts(finding, width):
        yield f"{indent}{style(marked.gutter, _DIM)} {marked.text}".rstrip()
        yield f"{indent}{style(marked.blank, _DIM)} {style(marked.carets, _CODES[finding.level])}"


def _details(finding: Finding, asked: Sequence[Direction], verbose: bool, width: int) -> Iterator[tuple[str, str]]:
    """Yield the lines under a finding's message and source, each with its colour."""
    if finding.level is not Level.SAFE or verbose:
        for witness in finding.witnesses:
            said, origin = wording.sides(witness), wording.origin(witness)
            room = max(30, width - len(said) - 4)
            line = f"{said}    {wording.abridged(witness.value, witness.instance_path, room)}"
            # The value is what matters: where there is no room for both, its origin has a line to itself.
            fits = not origin or len(line + origin) <= width
            yield line + origin if fits else line, ""
            if not fits:
                yield " " * (len(said) + 3) + origin, _DIM
    for sentence in wording.explanation(finding, asked):
        yield sentence, "" if finding.level is not Level.SAFE else _DIM
    if (reached := wording.affected(finding)) is not None:
        yield reached, ""
    if (records := wording.evidence(finding)) is not None:
        yield f"records: {records}", ""
    if finding.remedy and (verbose or finding.level in (Level.BREAKING, Level.UNKNOWN)) and finding.counts:
        yield f"to stay compatible: {finding.remedy}", ""
    most = _TYPED_VERBOSE if verbose else _TYPED
    if (
        (verbose or finding.level is not Level.SAFE)
        and finding.counts
        and (again := wording.reproduction(finding, most))
    ):
        yield f"reproduce: {again}", _DIM
    if verbose:
        yield f"about the rule: compat rules {finding.rule}", _DIM
        places = " → ".join(str(place) for place in (finding.old_place, finding.new_place) if place is not None)
        yield f"{places}  fingerprint {finding.fingerprint}".strip(), _DIM

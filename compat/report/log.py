"""What `compat log` shows, as text for a terminal: a block a lineage, a line a version."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compat.assess import Problem
from compat.diff.wording import clip, counted
from compat.jsonvalue import tokens
from compat.lineage import Bump, number_in_tag
from compat.policy import Policy
from compat.proof.verdict import Verdict
from compat.relation import Direction, Status
from compat.report import log_json, log_markdown, wording
from compat.report.escape import terminal
from compat.report.log_wording import APART, LEGEND, causes, closing, counting, loss, reach, shorter, stored, told, what
from compat.report.text import Style
from compat.timeline import Entry, Judged, Matrix, Reads, Timeline, reads

_RED, _GREEN, _YELLOW, _MAGENTA, _DIM, _BOLD = "1;31", "32", "33", "1;35", "2", "1"

_WORDS = {Reads.YES: "ok", Reads.APART: "breaks*", Reads.NO: "breaks", Reads.UNKNOWN: "?"}
_MARKS = {Reads.YES: "✓", Reads.APART: "~", Reads.NO: "✗", Reads.UNKNOWN: "?"}
_CODES = {Reads.YES: _GREEN, Reads.APART: _YELLOW, Reads.NO: _RED, Reads.UNKNOWN: _MAGENTA}

_AUTHOR, _NUMBER = 10, 14
_LEAST_WHAT = 24
# Losses beyond this many are counted; `-v` shows them all.
_LOSSES_SHOWN = 5


def render(
    found: Sequence[Timeline],
    problems: Sequence[Problem],
    format: str,
    *,
    exit_code: int,
    version: str = "",
    color: bool = False,
    verbose: bool = False,
    width: int = 100,
) -> str:
    """Write timelines in a format."""
    if format == "json":
        return log_json.render(found, problems, exit_code=exit_code)
    if format == "markdown":
        return log_markdown.render(found, problems)
    if format == "html":
        from compat.report import html_log

        return html_log.render(found, problems, version=version)
    return text(found, problems, color=color, verbose=verbose, width=width)


def text(
    found: Sequence[Timeline],
    problems: Sequence[Problem] = (),
    *,
    color: bool = False,
    verbose: bool = False,
    width: int = 100,
) -> str:
    """Write a block a lineage, a line a version, and one line that counts."""
    style = Style(color)
    blocks = ["\n".join(_block(one, style, verbose, width)) for one in found]
    for problem in problems:
        place = f"{problem.place}: " if problem.place is not None else ""
        lines = [style(terminal(f"error: {place}{problem.message}"), _RED)]
        blocks.append("\n".join([*lines, terminal(f"  {problem.hint}")] if problem.hint else lines))
    if found:
        blocks.append(terminal(closing(found, problems)))
    return "\n\n".join(blocks) + "\n"


def _block(timeline: Timeline, style: Style, verbose: bool, width: int) -> Iterator[str]:
    lineage, entries = timeline.lineage, timeline.entries
    authors = list(dict.fromkeys(entry.version.author for entry in entries if entry.version.author))
    remarks = [lineage.current, f"policy {timeline.policy.mode}"]
    if len(authors) == 1:
        remarks.append(f"by {authors[0]}")
    yield f"{style(terminal(lineage.name), _BOLD)}    {style(terminal('    '.join(remarks)), _DIM)}"
    if timeline.floor is not None:
        yield style(terminal(f"  {timeline.floor}"), _DIM)
    head = ["#", "date", "commit", *(["author"] if len(authors) > 1 else []), "version", "needs", "backward", "forward"]
    rows = [_cells(entry, timeline.policy, with_author=len(authors) > 1) for entry in entries]
    widths = [
        max(len(row[place][0]) for row in (*rows, [(name, "") for name in head])) for place, name in enumerate(head)
    ]
    rest = max(width - sum(size + 2 for size in widths) - 2, _LEAST_WHAT)
    yield style("  " + "  ".join(name.ljust(size) for name, size in zip(head, widths, strict=True)) + "  what", _DIM)
    for entry, row in zip(entries, rows, strict=True):
        cells = [style(cell, code) + " " * (size - len(cell)) for (cell, code), size in zip(row, widths, strict=True)]
        room = rest
        if entry.problem:
            # What was not judged has room for the reason.
            room += sum(size + 2 for size in widths[-3:])
            cells = cells[:-3]
        first, *below = _line(timeline, entry, style, room)
        yield ("  " + "  ".join(cells) + "  " + first).rstrip()
        yield from below
        if verbose and entry.judged is not None:
            yield from _details(entry.judged, style, width)
    shown = [reads(verdict, timeline.policy) for entry in entries for verdict in _verdicts(entry)]
    if Reads.APART in shown:
        yield style(f"  * {APART}", _DIM)
    if len(entries) == 1 and entries[0].readable:
        yield style("  never changed since", _DIM)
    if timeline.matrix is not None:
        yield ""
        yield from _matrix(timeline, timeline.matrix, style, verbose, width)


def _verdicts(entry: Entry) -> Sequence[Verdict]:
    return () if entry.judged is None else (entry.judged.backward, entry.judged.forward)


def _cells(entry: Entry, policy: Policy, *, with_author: bool) -> list[tuple[str, str]]:
    """Give the cells of a row, made harmless, each with its colour."""
    version = entry.version
    verdicts = [reads(verdict, policy) for verdict in _verdicts(entry)]
    bump = "" if entry.bump is None else entry.bump.value
    return [
        (str(entry.index), _DIM),
        ("-" if version.when is None else version.when.date().isoformat(), ""),
        (entry.short or "on disk", _YELLOW),
        *([(_author(version.author), "")] if with_author else []),
        (clip(terminal("-" if version.number is None else str(version.number)), _NUMBER), _BOLD),
        (clip(terminal(f"✗ {entry.least}"), _NUMBER), _RED)
        if entry.enough is False
        else (bump if entry.bump is not Bump.NONE else "-", ""),
        *([(_WORDS[one], _CODES[one]) for one in verdicts] or [("", ""), ("", "")]),
    ]


def _author(name: str) -> str:
    """Shorten a long name as people do: "Ada L."."""
    first, *rest = name.split() or [""]
    if len(name) > _AUTHOR and rest:
        name = f"{first} {rest[-1][:1]}."
    return clip(terminal(name), _AUTHOR)


def _line(timeline: Timeline, entry: Entry, style: Style, width: int) -> Iterator[str]:
    """Yield as much of what a version did as one line holds, and its tags where there is room left, else below.

    A tag that says no more than the number is told as "tag".
    """
    parts = [tuple(terminal(text) for text in part) for part in what(timeline, entry)]
    version, lineage = entry.version, timeline.lineage.name
    names = dict.fromkeys("tag" if number_in_tag(tag, lineage) == version.number else tag for tag in version.tags)
    tags = terminal(f"[{', '.join(names)}]") if names else ""
    said = _fitting(parts, width - len(tags) - 2 if tags else width)
    together = tags and len(said) <= width - len(tags) - 2 and (tags == "[tag]" or "…" not in said)
    if tags and not together:
        said = _fitting(parts, width)
    code = _MAGENTA if entry.problem else _DIM if entry.judged is None or not entry.judged.telling else ""
    yield style(said, code) + (f"  {style(tags, _YELLOW)}" if together else "")
    if tags and not together:
        yield style(f"       {tags}", _YELLOW)
    if (records := stored(entry)) is not None:
        yield style(f"       {terminal(records)}", _DIM)


def _fitting(parts: Sequence[tuple[str, ...]], room: int) -> str:
    """Choose how much to say: the first part in as many words as fit, then as many others in few words as still fit."""
    for first in parts[0]:
        for taken in range(len(parts), 0, -1):
            more = f" (+{len(parts) - taken})" if taken < len(parts) else ""
            said = "; ".join([first, *(part[-1] for part in parts[1:taken])]) + more
            if len(said) <= room:
                return said
    more = f" (+{len(parts) - 1})" if len(parts) > 1 else ""
    return clip(parts[0][-1], max(room - len(more), 12)) + more


def _details(judged: Judged, style: Style, width: int) -> Iterator[str]:
    for change in judged.telling:
        yield f"       {terminal(told(change))}"
    for direction in Direction:
        verdict = judged.verdict(direction)
        if verdict.status is Status.BREAKING:
            yield style(f"       {_witness(verdict, direction, judged, width - 7)}", _DIM)
        for doubt in verdict.doubts:
            yield style(terminal(f"       {direction} is not proved: {doubt.why}"), _DIM)


def _witness(verdict: Verdict, direction: Direction, judged: Judged, width: int) -> str:
    said = "old: accepts, new: rejects" if direction is Direction.BACKWARD else "old: rejects, new: accepts"
    changed = [change.instance_path for change in judged.telling if change.effect.breaks(direction)]
    # The witness shows one of the changes: the first whose place it has.
    led = [wording.into(verdict.witness, path) for path in changed]
    whole = (path for path, full in zip(led, changed, strict=True) if len(tokens(path)) == len(tokens(full)))
    path = next(whole, max(led, key=len, default=""))
    return f"{said}    {terminal(wording.abridged(verdict.witness, path, max(width - len(said) - 4, 30)))}"


def _matrix(timeline: Timeline, matrix: Matrix, style: Style, verbose: bool, width: int) -> Iterator[str]:
    """Write who reads whose data: a row for what was written, a column for each reader, the newest that fit."""
    size = max(len(str(matrix.indices[-1])), 1) + 1
    labels = {index: _label(timeline.entry(index)) for index in matrix.indices}
    lead = max(len("written under"), *(len(label) for label in labels.values())) + 2
    fitting = max((width - lead - 2) // size, 1)
    shown = matrix.indices[-fitting:]
    if len(shown) < len(matrix.indices):
        yield style(f"  the newest {len(shown)} of {len(matrix.indices)} versions (-f json has all)", _DIM)
    yield style("  " + "written under".ljust(lead) + "read by".ljust(size * len(shown)), _DIM).rstrip()
    yield style("  " + " " * lead + "".join(str(index).rjust(size) for index in shown), _DIM)
    for written in shown:
        cells = []
        for reader in shown:
            mark = matrix.reads(written, reader)
            own = written == reader
            cells.append(" " * (size - 1) + style("·" if own else _MARKS[mark], _DIM if own else _CODES[mark]))
        yield f"  {labels[written].ljust(lead)}{''.join(cells)}"
    if len(shown) > 1:
        yield style(f"  {LEGEND}", _DIM)
    yield f"  {terminal(reach(timeline, matrix))}"
    told_of = matrix.losses if verbose else matrix.losses[:_LOSSES_SHOWN]
    for one in told_of:
        yield f"  {style('✗', _RED)} {terminal(loss(timeline, one))}"
        if found := causes(one):
            texts = [terminal(said) for said in counting(list(shorter(found[0])), len(found) - 1)]
            yield f"    {next((said for said in texts if len(said) <= width - 4), clip(texts[-1], width - 4))}"
        if one.judged.backward.status is Status.BREAKING:
            yield style(f"    {_witness(one.judged.backward, Direction.BACKWARD, one.judged, width - 4)}", _DIM)
    if len(told_of) < len(matrix.losses):
        yield style(
            f"  and {counted(len(matrix.losses) - len(told_of), 'earlier loss', 'earlier losses')} (-v shows them)",
            _DIM,
        )


def _label(entry: Entry) -> str:
    number = "" if entry.version.number is None else f"  {entry.version.number}"
    return clip(terminal(f"{entry.index}{number}  {entry.short or 'tree'}"), 30)

"""What `compat log` shows, as Markdown for a page or a step summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compat.assess import Problem
from compat.changelog import code, escaped, sentence
from compat.diff.wording import clip
from compat.lineage import Bump
from compat.policy import Policy
from compat.report.log_wording import APART, LEGEND, causes, closing, counting, loss, ranges, reach, stored, told, what
from compat.timeline import Entry, Matrix, Reads, Timeline, reads

_MARKS = {Reads.YES: "✓", Reads.APART: "~", Reads.NO: "**✗**", Reads.UNKNOWN: "?"}
_WORDS = {Reads.YES: "ok", Reads.APART: "breaks\\*", Reads.NO: "**breaks**", Reads.UNKNOWN: "?"}
_PARTS = 4
_PART_WIDTH = 160


def render(found: Sequence[Timeline], problems: Sequence[Problem] = ()) -> str:
    """Write a part a lineage, and one sentence that counts."""
    blocks = ["\n".join(_block(one)) for one in found]
    for problem in problems:
        where = f"{code(str(problem.place))}: " if problem.place is not None else ""
        hint = f" {sentence(problem.hint)}" if problem.hint else ""
        blocks.append(f"- **could not be told in full** {where}{sentence(problem.message)}.{hint}")
    if found:
        blocks.append(escaped(closing(found, problems)))
    return "\n\n".join(blocks) + "\n"


def _block(timeline: Timeline) -> Iterator[str]:
    yield f"### {escaped(timeline.lineage.name)}"
    yield ""
    yield f"{code(timeline.lineage.current)}, policy {timeline.policy.mode}"
    yield ""
    if timeline.floor is not None:
        yield escaped(timeline.floor)
        yield ""
    yield "| # | date | commit | author | version | needs | backward | forward | what |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for entry in timeline.entries:
        yield _row(timeline, entry)
    shown = {
        reads(v, timeline.policy) for e in timeline.entries if e.judged for v in (e.judged.backward, e.judged.forward)
    }
    if Reads.APART in shown:
        yield f"\n\\* {APART}"
    if timeline.matrix is not None:
        yield ""
        yield from _matrix(timeline, timeline.matrix)


def _row(timeline: Timeline, entry: Entry) -> str:
    version = entry.version
    verdicts = ["", ""] if entry.judged is None else [_said(entry, timeline.policy, way) for way in (True, False)]
    bump = "" if entry.bump in (None, Bump.NONE) else str(entry.bump)
    needs = f"**{bump}: {entry.least}**" if entry.enough is False else bump
    parts = [clip(full, _PART_WIDTH) for full, *_ in what(timeline, entry)]
    rest = f" (and {len(parts) - _PARTS} more)" if len(parts) > _PARTS else ""
    if (records := stored(entry)) is not None:
        rest += f"<br>{escaped(records)}".replace("|", "\\|")
    tags = "".join(f"{_cell(tag)} " for tag in version.tags)
    cells = [
        str(entry.index),
        "" if version.when is None else version.when.date().isoformat(),
        code(entry.short) if entry.short else "working tree",
        escaped(version.author),
        "" if version.number is None else escaped(str(version.number)),
        needs,
        *verdicts,
        tags
        + "<br>".join(sentence(part).replace("|", "\\|").replace("\\\\|", "\\|") for part in parts[:_PARTS])
        + rest,
    ]
    return f"| {' | '.join(cells)} |"


def _said(entry: Entry, policy: Policy, backward: bool) -> str:
    assert entry.judged is not None
    return _WORDS[reads(entry.judged.backward if backward else entry.judged.forward, policy)]


def _cell(text: str) -> str:
    return code(text).replace("|", "\\|")


def _matrix(timeline: Timeline, matrix: Matrix) -> Iterator[str]:
    yield "| written under | " + " | ".join(f"read by {index}" for index in matrix.indices) + " |"
    yield "|---" * (len(matrix.indices) + 1) + "|"
    for written in matrix.indices:
        cells = ["·" if written == other else _MARKS[matrix.reads(written, other)] for other in matrix.indices]
        yield f"| {ranges((written,))} | {' | '.join(cells)} |"
    yield ""
    yield escaped(LEGEND)
    yield ""
    yield escaped(reach(timeline, matrix))
    yield ""
    for one in matrix.losses:
        found = causes(one)
        why = next(counting([told(found[0])], len(found) - 1), "") if found else ""
        yield f"- {sentence(f'{loss(timeline, one)}: {why}' if why else loss(timeline, one))}"

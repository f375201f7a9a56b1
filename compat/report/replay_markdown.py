"""What a replay found as Markdown, for a comment or a step summary: what newly fails first, the rest in a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compat.assess import Problem
from compat.changelog import code, escaped
from compat.policy import as_path
from compat.replay.summary import Group, Replayed, Summary
from compat.report import wording
from compat.report.replay import closing, places, records, rejects_line, rejects_told, stray_words

# GitHub cuts comments at 65,536 characters; what is left out is counted instead.
MAX_LENGTH = 60_000
_GROUPS_SHOWN = 20
_EXAMPLE_WIDTH = 300
_COLUMNS = (
    "| lineage | versions | read | pass both | newly fail | failed already | newly pass | unreadable | unrouted |"
)


def markdown(found: Sequence[Replayed], problems: Sequence[Problem], *, limit: int = MAX_LENGTH) -> str:
    """Write what a replay found in at most `limit` characters; what does not fit is left out from the end and said."""
    parts = [f"### Replay: {escaped(closing(found, len(problems)))}", *map(_problem, problems)]
    parts += [part for one in found if one.summary.groups for part in _failing(one)]
    if found:
        parts.append(_table(found))
    parts += [part for one in found for part in _asides(one)]
    text, left = "", 0
    for part in parts:
        if left or len(text) + len(part) + 2 > limit - 100:
            left += 1
            continue
        text += f"{part}\n\n"
    if left:
        text += f"_{left:,} more parts are left out here; `--format json` has them all._\n"
    return text.rstrip() + "\n"


def _problem(problem: Problem) -> str:
    place = f"{code(str(problem.place))}: " if problem.place is not None else ""
    hint = f" {escaped(problem.hint)}" if problem.hint else ""
    return f"**Error:** {place}{escaped(problem.message)}{hint}"


def _title(one: Replayed) -> str:
    return f"{escaped(one.lineage)} {escaped(one.old)} → {escaped(one.new)}" if one.lineage else "elsewhere"


def _failing(one: Replayed) -> Iterator[str]:
    yield f"#### {_title(one)}"
    for group in one.summary.groups[:_GROUPS_SHOWN]:
        yield _group(group, one.summary)
    more = len(one.summary.groups) - _GROUPS_SHOWN
    if more > 0:
        yield f"_and {more:,} more causes; `--format json` has them all_"


def _group(group: Group, summary: Summary) -> str:
    cause = group.cause
    example = group.example.value
    shown = wording.abridged(example, wording.into(example, cause.instance_path), _EXAMPLE_WIDTH)
    more = " …" if group.count > len(group.places) else ""
    where = f"{code(cause.source)} at {code(cause.keyword_location or '(root)')}"
    return "\n".join(
        (
            f"- ❌ **{records(group.count)}** {code(as_path(cause.instance_path))}: {escaped(cause.reason)}",
            f"  - {summary.share(group):.0%} of what newly fails; {where}",
            f"  - {code(places(group.places))}{more}",
            f"  - {code(shown)}",
        )
    )


def _table(found: Sequence[Replayed]) -> str:
    rows = [_COLUMNS, "|" + "---|" * _COLUMNS.count(" | ") + "---|"]
    for one in found:
        tally = one.summary.tally
        counts = (
            tally.read,
            tally.passes_both,
            tally.newly_fails,
            tally.failed_already,
            tally.newly_passes,
            tally.unreadable,
            tally.unrouted,
        )
        versions = f"{escaped(one.old)} → {escaped(one.new)}" if one.lineage else ""
        cells = (escaped(one.lineage) or "elsewhere", versions, *(f"{count:,}" for count in counts))
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _asides(one: Replayed) -> Iterator[str]:
    """Tell what is no verdict about the change: rejects, strays, unreadable records, second looks."""
    lines: list[str] = []
    if one.note:
        lines.append(f"- {escaped(one.note)}")
    lines += [f"- {records(each.count)} {stray_words(each)}: {code(places(each.first))}" for each in one.strays]
    troubles = [*one.summary.troubles]
    if one.rejects is not None:
        lines.append(f"- {rejects_line(one.rejects)}")
        lines += [f"- ⚠️ {escaped(what)}: {code(places(first))}" for _, first, what in rejects_told(one.rejects)]
        troubles += one.rejects.troubles
    for trouble in troubles:
        lines.append(f"- {records(trouble.count)} could not be read ({trouble.kind})")
        lines += [f"  - {code(item.place)}: {escaped(item.reason)}" for item in trouble.first]
    if one.summary.disagreed:
        lines.append(f"- two validators differ on {records(one.summary.disagreed)}; the reference counts")
    if lines:
        yield "\n".join([f"**{_title(one)}**", "", *lines])

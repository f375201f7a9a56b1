"""What a replay found, as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compat.assess import Problem
from compat.diff.wording import counted
from compat.jsonvalue import dumps
from compat.policy import as_path
from compat.replay.rejects import Rejected
from compat.replay.route import Unrouted
from compat.replay.strays import Stray
from compat.replay.summary import Group, RecordPlace, Replayed, Summary, Tally, Trouble, total
from compat.report import wording
from compat.report.escape import terminal

_RED, _GREEN, _YELLOW, _DIM, _BOLD = "1;31", "32", "33", "2", "1"
_GROUPS_SHOWN = 20


def render(
    found: Sequence[Replayed],
    problems: Sequence[Problem],
    format: str,
    *,
    exit_code: int,
    color: bool = False,
    width: int = 100,
) -> str:
    """Write what a replay found in a format; `problems` are lineages that could not be replayed at all."""
    if format == "json":
        from compat.report.replay_json import document

        return dumps(document(found, problems, exit_code=exit_code), indent=2) + "\n"
    if format == "markdown":
        from compat.report.replay_markdown import markdown

        return markdown(found, problems)
    return text(found, problems, color=color, width=width)


def text(found: Sequence[Replayed], problems: Sequence[Problem] = (), *, color: bool = False, width: int = 100) -> str:
    """Write a block a pair, and one line that adds everything up."""
    blocks = ["\n".join(_pair(one, color, width)) for one in found]
    for problem in problems:
        place = f"{problem.place}: " if problem.place is not None else ""
        lines = [_paint(terminal(f"error: {place}{problem.message}"), _RED, color)]
        blocks.append("\n".join([*lines, terminal(f"  {problem.hint}")] if problem.hint else lines))
    return "\n\n".join([*blocks, closing(found, len(problems))]) + "\n"


def _pair(one: Replayed, color: bool, width: int) -> Iterator[str]:
    tally = one.summary.tally
    title = f"{one.lineage}    {one.old} → {one.new}" if one.lineage else "elsewhere"
    yield f"{_paint(terminal(title), _BOLD, color)}    {records(tally.read)}"
    if one.marker is not None:
        yield _paint(f"  {terminal(str(one.marker))}: seen past, records are routed by it", _DIM, color)
    if one.note:
        yield f"  {terminal(one.note)}"
    for stray in one.strays:
        more = " …" if stray.count > len(stray.first) else ""
        yield f"  {_paint('!', _YELLOW, color)} {records(stray.count)} {stray_words(stray)}"
        yield _paint(f"    {terminal(places(stray.first))}{more}", _DIM, color)
    yield f"  {outcomes(tally)}"
    for group in one.summary.groups[:_GROUPS_SHOWN]:
        yield ""
        yield from _group(group, one.summary, color, width)
    if len(one.summary.groups) > _GROUPS_SHOWN:
        yield f"  … and {len(one.summary.groups) - _GROUPS_SHOWN} more causes; -f json has them all"
    yield from _rest(one.summary, color)
    if one.rejects is not None:
        yield ""
        yield from _rejects(one.rejects, color)


def _rejects(found: Rejected, color: bool) -> Iterator[str]:
    yield f"  {rejects_line(found)}"
    for count, first, what in rejects_told(found):
        yield f"  {_paint('!', _YELLOW, color)} {what}"
        yield _paint(f"    {terminal(places(first))}{' …' if count > len(first) else ''}", _DIM, color)
    yield from _troubles(found.troubles, color)


def _group(group: Group, summary: Summary, color: bool, width: int) -> Iterator[str]:
    cause = group.cause
    share = f"{summary.share(group):.0%} of what newly fails"
    head = f"{_paint('✗', _RED, color)} {records(group.count)}  {terminal(as_path(cause.instance_path))}"
    yield f"  {head}: {terminal(cause.reason)}"
    yield _paint(
        f"    {share}; {terminal(cause.source)} at {terminal(cause.keyword_location or '(root)')}", _DIM, color
    )
    more = " …" if group.count > len(group.places) else ""
    yield _paint(f"    {terminal(places(group.places))}{more}", _DIM, color)
    example = group.example.value
    yield f"    {terminal(wording.abridged(example, wording.into(example, cause.instance_path), max(width - 4, 40)))}"


def _rest(summary: Summary, color: bool) -> Iterator[str]:
    if summary.failed_already:
        yield ""
        yield _paint(f"  failed already: {terminal(places(summary.failed_already))}", _DIM, color)
    yield from _troubles(summary.troubles, color)
    if summary.disagreed:
        yield ""
        what = f"two validators differ on {records(summary.disagreed)}; the reference counts"
        yield f"  {_paint('!', _YELLOW, color)} {what}"
        for odd in summary.disagreements:
            yield f"    {terminal(str(odd.place))} under the {odd.schema} version"


def _troubles(troubles: Sequence[Trouble], color: bool) -> Iterator[str]:
    for trouble in troubles:
        yield ""
        yield f"  {_paint('!', _YELLOW, color)} {records(trouble.count)} could not be read ({trouble.kind})"
        for item in trouble.first:
            yield f"    {terminal(item.place)}: {terminal(item.reason)}"
        if trouble.count > len(trouble.first):
            yield "    …"


def rejects_line(found: Rejected) -> str:
    """Say how many rejects there are and how many are still refused."""
    return f"{found.refused:,} of {counted(found.read, 'reject')} still refused"


def rejects_told(found: Rejected) -> Iterator[tuple[int, tuple[RecordPlace, ...], str]]:
    """Yield what should not be: how many rejects, the first of them, and what is wrong with them."""
    if found.accepted:
        told = f"{counted(found.accepted, 'reject')} {_is(found.accepted)} accepted now: the change widens the schema"
        yield found.accepted, found.first_accepted, told
    if found.never_refused:
        told = (
            f"{counted(found.never_refused, 'reject')} {_is(found.never_refused)} valid under the old version already"
        )
        yield found.never_refused, found.first_never_refused, told


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def stray_words(stray: Stray) -> str:
    """Say why records are unrouted, in the number that fits."""
    return stray.reason.value if stray.count == 1 else _PLURALS[stray.reason]


_PLURALS = {
    Unrouted.NO_OBJECT: "are no objects, so they name no version",
    Unrouted.NO_LINEAGE: "name no lineage that is known",
    Unrouted.NO_VERSION: "are of a known lineage, but name no version of it that is known",
    Unrouted.AMBIGUOUS: "fit several lineages",
}


def places(found: Sequence[RecordPlace]) -> str:
    """Name a file once and then only its lines."""
    parts: list[str] = []
    for index, place in enumerate(found):
        same = index and found[index - 1].source == place.source
        parts.append(f":{place.line}" if same else str(place))
    return ", ".join(parts)


def outcomes(tally: Tally) -> str:
    """Say how many records had which outcome; the numbers add up to what was read."""
    parts = [
        f"{tally.passes_both:,} pass both",
        f"{tally.newly_fails:,} newly fail",
        f"{tally.failed_already:,} failed already",
        f"{tally.newly_passes:,} newly pass",
        f"{tally.unreadable:,} unreadable",
    ]
    return ", ".join([*parts, f"{tally.unrouted:,} unrouted"] if tally.unrouted else parts)


def closing(found: Sequence[Replayed], problems: int) -> str:
    """Add everything up in one line; records that were asked about several versions count once."""
    tally = total(one.summary for one in found if not one.between).tally
    between = sum(one.summary.tally.newly_fails for one in found if one.between)
    ending = f"{tally.newly_fails:,} newly fail" if tally.newly_fails else "none newly fails"
    told = [ending, *([f"{between:,} fail a version in between"] if between else [])]
    widened = sum(one.rejects.accepted for one in found if one.rejects is not None and not one.between)
    rest = [
        f"{count:,} {what}"
        for count, what in (
            (tally.unreadable, "unreadable"),
            (tally.unrouted, "unrouted"),
            (widened, "rejects accepted" if widened > 1 else "reject accepted"),
        )
        if count
    ]
    if problems:
        rest.append(f"{problems:,} {'lineage' if problems == 1 else 'lineages'} could not be replayed, see the errors")
        if not tally.newly_fails and not between:
            told = []
    return f"{records(tally.read)} replayed: {', '.join([*told, *rest])}."


def records(count: int) -> str:
    """Count records."""
    return f"{count:,} {'record' if count == 1 else 'records'}"


def _paint(shown: str, code: str, color: bool) -> str:
    return f"\x1b[{code}m{shown}\x1b[0m" if color and shown else shown

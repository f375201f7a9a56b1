"""What a replay found, as text for a terminal and as JSON (`compat-replay/1`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compat.assess import Problem
from compat.jsonvalue import JSON, dumps
from compat.policy import as_path
from compat.replay.summary import Group, RecordPlace, Replayed, Summary, Tally, total
from compat.report import wording
from compat.report.escape import terminal

FORMAT = "compat-replay/1"
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
        return dumps(document(found, problems, exit_code=exit_code), indent=2) + "\n"
    return text(found, problems, color=color, width=width)


# -- text -----------------------------------------------------------------------------------------------------------


def text(found: Sequence[Replayed], problems: Sequence[Problem] = (), *, color: bool = False, width: int = 100) -> str:
    """Write a block a pair, and one line that adds everything up."""
    blocks = ["\n".join(_pair(one, color, width)) for one in found]
    for problem in problems:
        place = f"{problem.place}: " if problem.place is not None else ""
        lines = [_paint(terminal(f"error: {place}{problem.message}"), _RED, color)]
        blocks.append("\n".join([*lines, terminal(f"  {problem.hint}")] if problem.hint else lines))
    return "\n\n".join([*blocks, _closing(found, len(problems))]) + "\n"


def _pair(one: Replayed, color: bool, width: int) -> Iterator[str]:
    tally = one.summary.tally
    title = f"{one.lineage}    {one.old} → {one.new}" if one.lineage else "elsewhere"
    yield f"{_paint(terminal(title), _BOLD, color)}    {_records(tally.read)}"
    if one.marker is not None:
        yield _paint(f"  {terminal(str(one.marker))}: seen past, records are routed by it", _DIM, color)
    if one.note:
        yield f"  {terminal(one.note)}"
    yield f"  {_outcomes(tally)}"
    for group in one.summary.groups[:_GROUPS_SHOWN]:
        yield ""
        yield from _group(group, one.summary, color, width)
    if len(one.summary.groups) > _GROUPS_SHOWN:
        yield f"  … and {len(one.summary.groups) - _GROUPS_SHOWN} more causes; -f json has them all"
    yield from _rest(one.summary, color)


def _group(group: Group, summary: Summary, color: bool, width: int) -> Iterator[str]:
    cause = group.cause
    share = f"{summary.share(group):.0%} of what newly fails"
    head = f"{_paint('✗', _RED, color)} {_records(group.count)}  {terminal(as_path(cause.instance_path))}"
    yield f"  {head}: {terminal(cause.reason)}"
    yield _paint(
        f"    {share}; {terminal(cause.source)} at {terminal(cause.keyword_location or '(root)')}", _DIM, color
    )
    more = " …" if group.count > len(group.places) else ""
    yield _paint(f"    {terminal(_places(group.places))}{more}", _DIM, color)
    example = group.example.value
    yield f"    {terminal(wording.abridged(example, wording.into(example, cause.instance_path), max(width - 4, 40)))}"


def _rest(summary: Summary, color: bool) -> Iterator[str]:
    if summary.failed_already:
        yield ""
        yield _paint(f"  failed already: {terminal(_places(summary.failed_already))}", _DIM, color)
    for trouble in summary.troubles:
        yield ""
        yield f"  {_paint('!', _YELLOW, color)} {_records(trouble.count)} could not be read ({trouble.kind})"
        for item in trouble.first:
            yield f"    {terminal(item.place)}: {terminal(item.reason)}"
        if trouble.count > len(trouble.first):
            yield "    …"
    if summary.disagreed:
        yield ""
        what = f"two validators differ on {_records(summary.disagreed)}; the reference counts"
        yield f"  {_paint('!', _YELLOW, color)} {what}"
        for odd in summary.disagreements:
            yield f"    {terminal(str(odd.place))} under the {odd.schema} version"


def _places(places: Sequence[RecordPlace]) -> str:
    """Name a file once and then only its lines."""
    parts: list[str] = []
    for index, place in enumerate(places):
        same = index and places[index - 1].source == place.source
        parts.append(f":{place.line}" if same else str(place))
    return ", ".join(parts)


def _outcomes(tally: Tally) -> str:
    parts = [
        f"{tally.passes_both:,} pass both",
        f"{tally.newly_fails:,} newly fail",
        f"{tally.failed_already:,} failed already",
        f"{tally.newly_passes:,} newly pass",
        f"{tally.unreadable:,} unreadable",
    ]
    return ", ".join([*parts, f"{tally.unrouted:,} unrouted"] if tally.unrouted else parts)


def _closing(found: Sequence[Replayed], problems: int) -> str:
    tally = total(one.summary for one in found).tally
    ending = f"{tally.newly_fails:,} newly fail" if tally.newly_fails else "none newly fails"
    rest = [
        f"{count:,} {what}" for count, what in ((tally.unreadable, "unreadable"), (tally.unrouted, "unrouted")) if count
    ]
    if problems:
        rest.append(f"{problems:,} {'lineage' if problems == 1 else 'lineages'} could not be replayed, see the errors")
    if problems and not tally.newly_fails:
        return f"{_records(tally.read)} replayed: {', '.join(rest)}."
    return f"{_records(tally.read)} replayed: {', '.join([ending, *rest])}."


def _records(count: int) -> str:
    return f"{count:,} {'record' if count == 1 else 'records'}"


def _paint(shown: str, code: str, color: bool) -> str:
    return f"\x1b[{code}m{shown}\x1b[0m" if color and shown else shown


# -- JSON -----------------------------------------------------------------------------------------------------------


def document(found: Sequence[Replayed], problems: Sequence[Problem], *, exit_code: int) -> dict[str, JSON]:
    """Give what a replay found as a JSON value; keys are only ever added within a format number."""
    return {
        "format": FORMAT,
        "exit_code": int(exit_code),
        "totals": _tally(total(one.summary for one in found).tally),
        "pairs": [_document(one) for one in found],
        "problems": [
            {
                "message": problem.message,
                "place": None if problem.place is None else str(problem.place),
                "hint": problem.hint,
            }
            for problem in problems
        ],
    }


def _document(one: Replayed) -> dict[str, JSON]:
    summary = one.summary
    marker = one.marker
    return {
        "lineage": one.lineage,
        "old": one.old,
        "new": one.new,
        "files": list(one.files),
        "marker": None
        if marker is None
        else {"instance_path": marker.instance_path, "old": marker.old, "new": marker.new},
        "note": one.note,
        "totals": _tally(summary.tally),
        "groups": [
            {
                "source": group.cause.source,
                "keyword_location": group.cause.keyword_location,
                "instance_path": group.cause.instance_path,
                "keyword": group.cause.keyword,
                "reason": group.cause.reason,
                "count": group.count,
                "places": [str(place) for place in group.places],
                "example": {
                    "place": str(group.example.place),
                    "redacted": group.example.redacted,
                    "value": group.example.value,
                },
            }
            for group in summary.groups
        ],
        "unreadable": [
            {
                "kind": trouble.kind.value,
                "count": trouble.count,
                "first": [{"place": item.place, "reason": item.reason} for item in trouble.first],
            }
            for trouble in summary.troubles
        ],
        "failed_already": [str(place) for place in summary.failed_already],
        "disagreements": {
            "count": summary.disagreed,
            "first": [
                {"place": str(odd.place), "schema": odd.schema, "fast": odd.fast, "reference": odd.reference}
                for odd in summary.disagreements
            ],
        },
        "rechecked": summary.rechecked,
    }


def _tally(tally: Tally) -> dict[str, JSON]:
    return {
        "read": tally.read,
        "passes_both": tally.passes_both,
        "newly_fails": tally.newly_fails,
        "failed_already": tally.failed_already,
        "newly_passes": tally.newly_passes,
        "unreadable": tally.unreadable,
        "unrouted": tally.unrouted,
    }

"""What is kept of records and what was taken in, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compat.diff.wording import counted
from compat.jsonvalue import JSON, dumps
from compat.policy import as_path
from compat.replay.kept import LARGE, Added, Kept, Refused, Stock, Taken
from compat.replay.progress import size
from compat.report.escape import json_text, terminal
from compat.report.replay import places, records, stray_words
from compat.report.text import Style

FORMAT_ADDED = "compat-records-added/1"
FORMAT_STOCK = "compat-records/1"


def render_added(taken: Taken, format: str, *, rejects: bool, color: bool = False) -> str:
    """Write what became of records that were to be added."""
    if format == "json":
        return json_text(dumps(_added_document(taken), indent=2)) + "\n"
    return "\n".join(_added(taken, Style(color), "reject" if rejects else "record")) + "\n"


def _added(taken: Taken, style: Style, what: str) -> Iterator[str]:
    for one in taken.versions:
        parts = [f"{one.added:,} added", f"{one.known:,} known already", f"{one.refused:,} refused"]
        yield f"{style(terminal(f'{one.lineage} {one.version}'), '1')}    {', '.join(parts)}"
        if one.added:
            yield style(f"  {terminal(one.path)}", "2")
        if one.size > LARGE:
            yield f"  {style('!', '33')} {_large(one.path, one.size)}"
        for refused in one.causes:
            yield f"  {style('✗', '1;31')} {terminal(_refused(refused, one))}"
            yield style(
                f"    {terminal(places(refused.first))}{' …' if refused.count > len(refused.first) else ''}", "2"
            )
        yield ""
    for stray in taken.strays:
        yield f"{style('!', '33')} {records(stray.count)} {stray_words(stray)}"
        yield style(f"  {terminal(places(stray.first))}{' …' if stray.count > len(stray.first) else ''}", "2")
        yield ""
    for trouble in taken.troubles:
        yield f"{style('!', '33')} {records(trouble.count)} could not be read ({trouble.kind})"
        yield from (f"  {terminal(item.place)}: {terminal(item.reason)}" for item in trouble.first)
        yield ""
    if taken.unrouted:
        yield "To say whose records they are: --lineage NAME --version NUMBER"
    yield f"{taken.added:,} of {counted(taken.read, what)} added."


def _refused(refused: Refused, one: Added) -> str:
    cause = refused.cause
    if cause is None:
        return f"{records(refused.count)} valid under version {one.version}, so no reject"
    return f"{records(refused.count)}  {as_path(cause.instance_path)}: {cause.reason}"


def _added_document(taken: Taken) -> JSON:
    return {
        "format": FORMAT_ADDED,
        "totals": {
            "read": taken.read,
            "added": taken.added,
            "known": taken.known,
            "refused": taken.refused,
            "unrouted": taken.unrouted,
            "unreadable": taken.unreadable,
        },
        "versions": [
            {
                "lineage": one.lineage,
                "version": one.version,
                "path": one.path,
                "size": one.size,
                "added": one.added,
                "known": one.known,
                "refused": one.refused,
                "causes": [
                    {
                        "instance_path": None if each.cause is None else each.cause.instance_path,
                        "keyword_location": None if each.cause is None else each.cause.keyword_location,
                        "reason": _refused(each, one),
                        "count": each.count,
                        "first": [str(place) for place in each.first],
                    }
                    for each in one.causes
                ],
            }
            for one in taken.versions
        ],
        "unrouted": [
            {"reason": stray.reason.value, "count": stray.count, "first": [str(place) for place in stray.first]}
            for stray in taken.strays
        ],
        "unreadable": [
            {
                "kind": trouble.kind.value,
                "count": trouble.count,
                "first": [{"place": item.place, "reason": item.reason} for item in trouble.first],
            }
            for trouble in taken.troubles
        ],
    }


def render_stock(
    rows: Sequence[Stock], format: str, *, lineages: Sequence[str], unread: Sequence[str] = (), color: bool = False
) -> str:
    """Write what is kept of some lineages; `unread` are locations that were only named."""
    if format == "json":
        kept: list[JSON] = [_row(row) for row in rows]
        found: JSON = {"format": FORMAT_STOCK, "files": kept, "unread": list(unread)}
        return json_text(dumps(found, indent=2)) + "\n"
    return "\n".join(_stock(rows, lineages, unread, Style(color))) + "\n"


def _row(row: Stock) -> JSON:
    return {
        "lineage": row.lineage,
        "kept": row.kept.value,
        "version": row.version or None,
        "path": row.path,
        "size": row.size,
        "count": row.count,
        "odd": row.odd,
        "unreadable": row.unreadable,
    }


def _stock(rows: Sequence[Stock], lineages: Sequence[str], unread: Sequence[str], style: Style) -> Iterator[str]:
    width = max((len(row.version) for row in rows), default=0)
    for name in lineages:
        own = [row for row in rows if row.lineage == name]
        yield style(terminal(name), "1") + ("" if own else style("    nothing is kept", "2"))
        for row in own:
            told = counted(row.count, row.kept.value.removesuffix("s"))
            weight = "" if row.size is None else f", {size(row.size)}"
            yield f"  {terminal(row.version.ljust(width))}  {told}{weight}  {style(terminal(row.path), '2')}"
            yield from (f"  {' ' * width}  {style('!', '33')} {terminal(said)}" for said in _objections(row))
        yield ""
    if unread:
        yield "named, and read only with --allow-remote:"
        yield from (f"  {terminal(location)}" for location in unread)
        yield ""
    totals = [(sum(row.count for row in rows if row.kept is kept), kept.value.removesuffix("s")) for kept in Kept]
    yield f"{', '.join(counted(count, what) for count, what in totals)} of {counted(len(lineages), 'lineage')}."


def _objections(row: Stock) -> Iterator[str]:
    if not row.version:
        yield "no version of the lineage is named; call the file such as 1.0.0.ndjson"
    if row.odd and row.kept is Kept.REJECTS:
        yield f"{row.odd:,} of them {'is' if row.odd == 1 else 'are'} valid under version {row.version}, so no rejects"
    elif row.odd:
        yield f"{row.odd:,} of them {'is' if row.odd == 1 else 'are'} not valid under version {row.version}"
    if row.unreadable:
        yield f"{row.unreadable:,} could not be read; compat replay names them"
    if row.size is not None and row.size > LARGE:
        yield _large(row.path, row.size)


def _large(path: str, count: int) -> str:
    return f"{path} has {size(count)}; more than {size(LARGE)} is better kept outside of git, see docs/replay.md"

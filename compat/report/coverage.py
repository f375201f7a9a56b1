"""What records exercise of a schema, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from compat.diff.wording import counted
from compat.jsonvalue import JSON, dumps
from compat.replay.covered import Covered, VersionCoverage
from compat.report.escape import json_text, terminal
from compat.report.replay import places, records, stray_words
from compat.report.text import Style

FORMAT = "compat-coverage/1"
_LONGEST = 40


def render_coverage(found: Covered, format: str, *, color: bool = False) -> str:
    """Write what was exercised of each version, and how much of it per lineage."""
    if format == "json":
        return json_text(dumps(_document(found), indent=2)) + "\n"
    return "\n".join(_text(found, Style(color))) + "\n"


def _text(found: Covered, style: Style) -> Iterator[str]:
    for one in found.versions:
        coverage = one.coverage
        name = style(terminal(f"{one.lineage} {one.version}"), "1")
        yield f"{name}    {records(coverage.records)}    {_share(one.covered, len(one.facets))}"
        if coverage.invalid:
            told = "is no instance and exercises" if coverage.invalid == 1 else "are no instances and exercise"
            yield f"  {style('!', '33')} {coverage.invalid:,} of them {told} nothing"
        root = one.facets[0].source if one.facets else ""
        for source, location, facets in one.places():
            missing = [facet.what for facet in facets if facet not in coverage.counts]
            mark = style("✗", "1;31") if missing else style("✓", "32")
            where = location or "the whole"
            shown = where if source == root else f"{source}#{location}"
            line = f"  {mark} {len(facets) - len(missing)}/{len(facets)}  {terminal(shown)}"
            yield line + (f"  {style('not:', '2')} {terminal(', '.join(map(_short, missing)))}" if missing else "")
        yield ""
    for stray in found.strays:
        yield f"{style('!', '33')} {records(stray.count)} {stray_words(stray)}"
        yield style(f"  {terminal(places(stray.first))}{' …' if stray.count > len(stray.first) else ''}", "2")
        yield ""
    for trouble in found.troubles:
        yield f"{style('!', '33')} {records(trouble.count)} could not be looked at ({trouble.kind})"
        yield from (f"  {terminal(item.place)}: {terminal(item.reason)}" for item in trouble.first)
        yield ""
    for lineage in dict.fromkeys(one.lineage for one in found.versions):
        own = [one for one in found.versions if one.lineage == lineage]
        total = sum(len(one.facets) for one in own)
        yield f"{terminal(lineage)}: {_share(sum(one.covered for one in own), total)}"
    yield f"{counted(sum(one.coverage.records for one in found.versions), 'record')} looked at."


def _share(covered: int, total: int) -> str:
    # Rounded down: only what is complete is called so.
    return f"{covered:,} of {total:,} exercised" + (f" ({covered * 100 // total} %)" if total else "")


def _short(what: str) -> str:
    return what if len(what) <= _LONGEST else what[: _LONGEST - 1] + "…"


def _document(found: Covered) -> JSON:
    return {
        "format": FORMAT,
        "versions": [_version(one) for one in found.versions],
        "unrouted": [
            {"reason": stray.reason.value, "count": stray.count, "first": [str(place) for place in stray.first]}
            for stray in found.strays
        ],
        "unreadable": [
            {
                "kind": trouble.kind.value,
                "count": trouble.count,
                "first": [{"place": item.place, "reason": item.reason} for item in trouble.first],
            }
            for trouble in found.troubles
        ],
    }


def _version(one: VersionCoverage) -> JSON:
    return {
        "lineage": one.lineage,
        "version": one.version,
        "records": one.coverage.records,
        "invalid": one.coverage.invalid,
        "covered": one.covered,
        "total": len(one.facets),
        "places": [
            {
                "document": source,
                "keyword_location": location,
                "covered": sum(facet in one.coverage.counts for facet in facets),
                "total": len(facets),
                "facets": [{"facet": facet.what, "records": one.coverage.counts.get(facet, 0)} for facet in facets],
            }
            for source, location, facets in one.places()
        ],
    }

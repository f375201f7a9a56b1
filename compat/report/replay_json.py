"""What a replay found as JSON (`compat-replay/1`)."""

from __future__ import annotations

from collections.abc import Sequence

from compat.assess import Problem
from compat.jsonvalue import JSON
from compat.replay.rejects import Rejected
from compat.replay.summary import RecordPlace, Replayed, Tally, Trouble, total

FORMAT = "compat-replay/1"


def document(found: Sequence[Replayed], problems: Sequence[Problem], *, exit_code: int) -> dict[str, JSON]:
    """Give what a replay found as a JSON value; keys are only ever added within a format number."""
    return {
        "format": FORMAT,
        "exit_code": int(exit_code),
        "totals": _tally(total(one.summary for one in found if not one.between).tally),
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
        "between": one.between,
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
                "share": round(summary.share(group), 6),
                "places": [str(place) for place in group.places],
                "example": {
                    "place": str(group.example.place),
                    "redacted": group.example.redacted,
                    "value": group.example.value,
                },
            }
            for group in summary.groups
        ],
        "unreadable": _troubles(summary.troubles),
        "unrouted": [
            {"reason": stray.reason.value, "count": stray.count, "first": _places(stray.first)} for stray in one.strays
        ],
        "rejects": None if one.rejects is None else _rejects(one.rejects),
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


def _rejects(found: Rejected) -> JSON:
    return {
        "read": found.read,
        "refused": found.refused,
        "accepted": {"count": found.accepted, "first": _places(found.first_accepted)},
        "never_refused": {"count": found.never_refused, "first": _places(found.first_never_refused)},
        "unreadable": _troubles(found.troubles),
    }


def _troubles(troubles: Sequence[Trouble]) -> list[JSON]:
    return [
        {
            "kind": trouble.kind.value,
            "count": trouble.count,
            "first": [{"place": item.place, "reason": item.reason} for item in trouble.first],
        }
        for trouble in troubles
    ]


def _places(places: Sequence[RecordPlace]) -> list[JSON]:
    return [str(place) for place in places]


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

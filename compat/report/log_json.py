"""What `compat log` shows as JSON: `compat-log/1`, described by `schemas/compat-log/compat-log.schema.json`."""

from __future__ import annotations

from collections.abc import Sequence

from compat.assess import Problem
from compat.errors import Place
from compat.jsonvalue import JSON, dumps
from compat.proof.verdict import Verdict
from compat.relation import Status
from compat.replay.summary import Evidence
from compat.timeline import Entry, Matrix, Timeline, Told

FORMAT = "compat-log/1"


def render(found: Sequence[Timeline], problems: Sequence[Problem], *, exit_code: int) -> str:
    """Write timelines as indented JSON."""
    return dumps(document(found, problems, exit_code=exit_code), indent=2) + "\n"


def document(found: Sequence[Timeline], problems: Sequence[Problem], *, exit_code: int) -> dict[str, JSON]:
    """Give timelines as a JSON value; keys are only ever added within a format number."""
    return {
        "format": FORMAT,
        "exit_code": int(exit_code),
        "lineages": [
            {
                "lineage": one.lineage.name,
                "files": list(one.lineage.files),
                "mode": one.policy.mode.value,
                "floor": one.floor,
                "unsupported": sorted(one.unsupported),
                "versions": [_entry(entry) for entry in one.entries],
                "matrix": None if one.matrix is None else _grid(one.matrix),
            }
            for one in found
        ],
        "problems": [
            {
                "message": problem.message,
                "place": _place(problem.place),
                "hint": problem.hint,
            }
            for problem in problems
        ],
    }


def _place(place: Place | None) -> JSON:
    if place is None:
        return None
    return {"source": place.source, "pointer": place.pointer, "line": place.line, "column": place.column}


def _entry(entry: Entry) -> JSON:
    version, judged = entry.version, entry.judged
    return {
        "index": entry.index,
        "version": None if version.number is None else str(version.number),
        "from": None if version.source is None else version.source.value,
        "path": version.path,
        "moved_from": entry.moved_from,
        "commit": version.revision,
        "when": None if version.when is None else version.when.isoformat(),
        "author": version.author,
        "tags": list(version.tags),
        "digest": version.digest or None,
        "released": entry.released,
        "problem": entry.problem or None,
        "same_as": entry.same_as,
        "against": entry.against,
        "backward": None if judged is None else _verdict(judged.backward),
        "forward": None if judged is None else _verdict(judged.forward),
        "marker": None if judged is None else judged.marker,
        "bump": None if entry.bump is None else entry.bump.value,
        "least": None if entry.least is None else str(entry.least),
        "enough": entry.enough,
        "evidence": None if entry.evidence is None else _evidence(entry.evidence),
        "changes": None if judged is None or judged.changes is None else [_change(one) for one in judged.changes],
    }


def _evidence(seen: Evidence) -> JSON:
    return {"records": seen.records, "failing": seen.failing, "first": seen.first}


def _verdict(verdict: Verdict) -> JSON:
    doubts: list[JSON] = [{"keyword_location": one.keyword_location, "why": one.why} for one in verdict.doubts]
    told: dict[str, JSON] = {"status": verdict.status.value, "undeclared": verdict.undeclared, "doubts": doubts}
    # null may be the witness; no key means that there is none
    return told | ({"witness": verdict.witness} if verdict.status is Status.BREAKING else {})


def _change(change: Told) -> JSON:
    return {
        "rule": change.rule,
        "instance_path": change.instance_path,
        "summary": change.summary,
        "effect": change.effect.value,
        "annotation": change.annotation,
    }


def _grid(matrix: Matrix) -> JSON:
    return {
        "versions": list(matrix.indices),
        "oldest": matrix.oldest,
        "stray": list(matrix.stray),
        "cells": [
            {"written": written, "reader": reader, "reads": matrix.reads(written, reader).value}
            for written in matrix.indices
            for reader in matrix.indices
            if written != reader
        ],
        "losses": [
            {
                "lost": list(one.lost),
                "at": one.at,
                "hidden": one.hidden,
                "backward": _verdict(one.judged.backward),
                "changes": [_change(change) for change in one.judged.telling],
            }
            for one in matrix.losses
        ],
    }

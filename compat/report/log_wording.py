"""The sentences of `compat log`, the same in text and in Markdown: what a version did, who still reads it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from compat.assess import Problem
from compat.diff.wording import counted, listing
from compat.policy import as_path
from compat.relation import Effect, Status
from compat.timeline import Entry, Loss, Matrix, Reads, Timeline, Told, reads

APART = "only data with properties that were never declared"
LEGEND = f"✓ reads all   ~ all, apart from {APART.removeprefix('only ')}   ✗ not all   ? not proved"

_NAME = re.compile(r'"[^"\\]{1,24}"')


def what(timeline: Timeline, entry: Entry) -> Iterator[tuple[str, ...]]:
    """Yield what a version did, the most telling first: each part in full, then in fewer and fewer words."""
    if entry.problem:
        yield (f"passed over: {entry.problem}",)
        return
    if entry.judged is None:
        earlier = any(not one.readable for one in timeline.entries[: entry.index - 1])
        yield ("first version that can be read" if earlier else "first version",)
        return
    if entry.moved_from is not None:
        yield f"moved from {entry.moved_from}", "moved"
    if entry.same_as is not None:
        yield (f"as it was in {called(timeline.entry(entry.same_as))}", f"as it was in #{entry.same_as}")
    telling = entry.judged.telling
    for change in telling:
        yield tuple(shorter(change))
    if telling:
        return
    if any(verdict.status is not Status.COMPATIBLE for verdict in (entry.judged.backward, entry.judged.forward)):
        yield "the same text means something else", "means something else"
        return
    quiet = entry.judged.changes or ()
    annotations = list(dict.fromkeys(change.rule.removesuffix("-changed") for change in quiet if change.annotation))
    rewritten = list(dict.fromkeys(_words(change) for change in quiet if not change.annotation))
    if rewritten:
        yield f"without effect: {listing(rewritten)}", f"without effect: {_first(rewritten)}", "without effect"
    elif annotations:
        yield (
            f"annotations only: {listing(annotations)}",
            f"annotations only: {_first(annotations)}",
            "annotations only",
        )
    elif entry.same_as is None and entry.moved_from is None:
        yield (entry.judged.marker or "no difference",)


def stored(entry: Entry) -> str | None:
    """Say what stored records do at a step; None where there are none that could say."""
    seen = entry.evidence
    if seen is None:
        return None
    of = f"{seen.failing:,} of {seen.records:,} stored {'record' if seen.records == 1 else 'records'}"
    first = f", first at {seen.first}" if seen.first else ""
    return f"{of} {'fails' if seen.failing == 1 else 'fail'}{first}"


def told(change: Told) -> str:
    """Write a change with its place."""
    return next(shorter(change))


def shorter(change: Told) -> Iterator[str]:
    """Yield a change with its place, in full and then in fewer words."""
    summary = change.summary.removesuffix(".")
    place = f"{as_path(change.instance_path)}: " if change.instance_path else ""
    yield place + summary
    yield place + summary.partition("; ")[0]
    # At the root the name of what changed stands in the summary alone.
    name = None if place else _NAME.search(summary)
    yield place + _words(change) + (f" {name.group()}" if name is not None else "")
    yield place + _words(change)


def _words(change: Told) -> str:
    return change.rule.replace("-", " ")


def _first(words: Sequence[str]) -> str:
    return next(counting(words, len(words) - 1))


def called(entry: Entry) -> str:
    """Call a version by its place in the list, its number and its commit."""
    version = entry.version
    details = [f"version {version.number}"] if version.number is not None else []
    details.append(entry.short or "working tree")
    return f"#{entry.index} ({', '.join(details)})"


def ranges(indices: Iterable[int]) -> str:
    """Write places in the list: "#1, #3–#5"."""
    runs: list[list[int]] = []
    for index in indices:
        if runs and runs[-1][-1] == index - 1:
            runs[-1].append(index)
        else:
            runs.append([index])
    return ", ".join(f"#{run[0]}" if len(run) == 1 else f"#{run[0]}–#{run[-1]}" for run in runs)


def reach(timeline: Timeline, matrix: Matrix) -> str:
    """Say how far back the newest version reads."""
    newest, oldest = timeline.entry(matrix.indices[-1]), timeline.entry(matrix.oldest)
    if len(matrix.indices) == 1:
        return f"{called(newest)} is the only version."
    if matrix.oldest == matrix.indices[0]:
        return f"{called(newest)} reads the data of every version."
    if newest is oldest:
        said = f"{called(newest)} reads only its own data"
    else:
        said = f"{called(newest)} reads all data since {called(oldest)}"
    return f"{said}, and that of {ranges(matrix.stray)}." if matrix.stray else f"{said}."


def loss(timeline: Timeline, one: Loss) -> str:
    """Say which data is no longer read, and since when."""
    verb = "is no longer read" if one.judged.backward.status is Status.BREAKING else "is not proved to be read"
    said = f"data of {ranges(one.lost)} {verb} since {called(timeline.entry(one.at))}"
    return said + ("; no single step shows it" if one.hidden else "")


def causes(one: Loss) -> list[Told]:
    """Give the changes that may have lost the data."""
    return [change for change in one.judged.telling if change.effect is not Effect.WIDENS]


def counting(words: Sequence[str], others: int) -> Iterator[str]:
    """Yield words with the number of others that are left out."""
    for said in words:
        yield f"{said} (+{others})" if others else said


def closing(found: Sequence[Timeline], problems: Sequence[Problem]) -> str:
    """Count what was told, in one sentence."""
    entries = [entry for one in found for entry in one.entries]
    parts = [f"{counted(len(found), 'lineage')}, {counted(len(entries), 'version')}"]
    broke = sum(
        reads(entry.judged.backward, one.policy) is Reads.NO
        for one in found
        for entry in one.entries
        if entry.judged is not None
    )
    parts.append(
        f"{counted(broke, 'step')} {'breaks' if broke == 1 else 'break'} old data"
        if broke
        else "no step breaks old data"
    )
    if under := sum(entry.enough is False for entry in entries):
        parts.append(f"{under} announced too little")
    if passed := sum(not entry.readable for entry in entries):
        parts.append(f"{passed} passed over")
    if problems:
        parts.append(f"{len(problems)} not told in full, see the errors")
    return f"{parts[0]}: {', '.join(parts[1:])}."

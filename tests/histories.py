"""Timelines with everything `compat log` can meet, put together by hand around words that an author controls."""

from __future__ import annotations

from datetime import UTC, datetime

from compat.lineage import Bump, Lineage, Version, VersionNumber
from compat.policy import Policy
from compat.proof.verdict import Doubt, Verdict
from compat.relation import Effect, Status
from compat.replay.summary import Evidence
from compat.timeline import Entry, Judged, Timeline, Told, with_matrix


def history(word: str, *, policy: Policy | None = None, matrix: bool = True) -> Timeline:
    """A lineage that says `word` wherever it can: a first version, steps of each kind, and one that cannot be read."""
    path = "/" + word.replace("~", "~0").replace("/", "~1")

    def version(number: int, *, readable: bool = True) -> Version:
        when = datetime(2026, 1, number, 12, tzinfo=UTC)
        digest = f"digest {number}" if readable else ""
        revision = f"{number:x}" * 40
        said = VersionNumber.parse(f"1.{number}.0")
        return Version(said, None, word, revision, None, when, word, (word, f"v{number}"), digest)

    breaks = Verdict(Status.BREAKING, witness={word: [word]})
    undeclared = Verdict(Status.BREAKING, witness={word: word}, undeclared=True)
    unknown = Verdict(Status.UNKNOWN, doubts=(Doubt("/x", word),))
    holds = Verdict(Status.COMPATIBLE)
    change = Told("enum-value-removed", path, f'"{word}" is no longer accepted.', Effect.NARROWS)
    quiet = Told("title-changed", "", word, Effect.NONE, annotation=True)

    def judged(backward: Verdict, forward: Verdict) -> Judged:
        return Judged(backward, forward, changes=(change, quiet), marker=word)

    entries = (
        Entry(1, version(1), released=True),
        Entry(2, version(2), judged(breaks, holds), 1, bump=Bump.MAJOR, evidence=Evidence(9, 3, word), moved_from=word),
        Entry(3, version(3, readable=False), problem=word),
        Entry(4, version(4), judged(undeclared, breaks), 2, bump=Bump.MINOR, enough=False, least=version(5).number),
        Entry(5, version(5), judged(holds, unknown), 4, same_as=1),
        Entry(6, version(6), Judged(holds, holds, changes=(quiet,)), 5, bump=Bump.PATCH),
    )
    told = Timeline(Lineage(word, (word,)), policy or Policy(), entries, floor=word)
    pairs = {(2, 4): undeclared, (1, 2): breaks, (1, 6): breaks, (2, 6): unknown, (1, 5): breaks}

    def judge(older: Entry, newer: Entry, changes: bool) -> Judged:
        found = pairs.get((older.index, newer.index), holds)
        return judged(found, breaks) if changes else Judged(found, breaks)

    return with_matrix(told, judge) if matrix else told

"""`compat log` as one HTML file: a timeline a lineage, all versions against each other, and what was lost when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compat.assess import Problem
from compat.diff.wording import clip
from compat.jsonvalue import dumps
from compat.lineage import Bump
from compat.policy import Policy
from compat.proof.verdict import Verdict
from compat.relation import Direction, Level, Status
from compat.report import wording
from compat.report.html_page import Item, Kind
from compat.report.html_page import render as write
from compat.report.html_source import Piece, colored
from compat.report.log_wording import APART, causes, closing, loss, reach, stored, told, what
from compat.timeline import Entry, Judged, Loss, Matrix, Reads, Timeline, Told, reads

_LONGEST_WITNESS = 2_400
_CLASSES = {Reads.YES: "yes", Reads.APART: "apart", Reads.NO: "no", Reads.UNKNOWN: "unknown"}
_WORDS = {Reads.YES: "ok", Reads.APART: "breaks*", Reads.NO: "breaks", Reads.UNKNOWN: "unknown"}
_MARKS = {Reads.YES: "✓", Reads.APART: "~", Reads.NO: "✗", Reads.UNKNOWN: "?"}
_SAID = {
    Reads.YES: "reads all data of",
    Reads.APART: f"reads all, apart from {APART.removeprefix('only ')}, of",
    Reads.NO: "does not read all data of",
    Reads.UNKNOWN: "is not proved to read the data of",
}
# What kind of step a version was, in the words of a check.
_KINDS = {
    **{level.value: level.value for level in Level},
    "first": "first",
    "passed": "passed over",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict in a cell: its class and the word for it."""

    tone: str
    word: str


@dataclass(frozen=True, slots=True)
class Proof:
    """Why a direction does not hold: a witness, or what is not proved."""

    sides: str
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A version as its line shows it."""

    anchor: str
    kind: str
    entry: Entry
    date: str
    number: str
    needs: str
    verdicts: tuple[Answer, ...]
    what: str
    more: int
    records: str | None
    changes: tuple[tuple[str, str], ...]
    proofs: tuple[Proof, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """One version read by another, with the sentence that says so."""

    tone: str
    mark: str
    said: str


@dataclass(frozen=True, slots=True)
class Grid:
    """All versions against each other: a row for what was written, a column for each reader."""

    readers: tuple[Entry, ...]
    rows: tuple[tuple[Entry, tuple[Cell, ...]], ...]
    reach: str
    losses: tuple[tuple[str, tuple[str, ...], tuple[Proof, ...]], ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A lineage: its line of versions and its grid."""

    anchor: str
    timeline: Timeline
    rows: tuple[Row, ...]
    grid: Grid | None
    apart: bool

    @property
    def worst(self) -> str:
        """The worst that any step of the line did."""
        kinds = {row.kind for row in self.rows}
        return next((level.value for level in Level if level in kinds), "none")


def render(found: Sequence[Timeline], problems: Sequence[Problem], *, version: str) -> str:
    """Write timelines as one HTML file: the same timelines give the same bytes."""
    sections = [_section(number, one) for number, one in enumerate(found, 1)]
    rows = [(section, row) for section in sections for row in section.rows]
    numbers = Counter(row.kind for _, row in rows)
    return write(
        "log.html.jinja",
        version=version,
        items=[Item(row.anchor, row.kind, section.timeline.lineage.name, (), _words(row)) for section, row in rows],
        kinds=[Kind(kind, label, numbers[kind]) for kind, label in _KINDS.items() if numbers[kind]],
        noun=("version", "versions"),
        sections=sections,
        problems=problems,
        closing=closing(found, problems),
        apart=APART,
    )


def _section(number: int, timeline: Timeline) -> Section:
    rows = tuple(_row(f"lineage-{number}", timeline, entry) for entry in timeline.entries)
    return Section(
        f"lineage-{number}",
        timeline,
        rows,
        None if timeline.matrix is None else _grid(timeline, timeline.matrix),
        any(answer.tone == "apart" for row in rows for answer in row.verdicts),
    )


def _row(lineage: str, timeline: Timeline, entry: Entry) -> Row:
    version, judged = entry.version, entry.judged
    seen = [] if judged is None else [reads(judged.verdict(each), timeline.policy) for each in Direction]
    parts = list(what(timeline, entry))
    changes = () if judged is None or judged.changes is None else judged.changes
    return Row(
        anchor=f"{lineage}-version-{entry.index}",
        kind=_kind(entry, timeline.policy, seen),
        entry=entry,
        date="" if version.when is None else version.when.date().isoformat(),
        number="" if version.number is None else str(version.number),
        needs=_needs(entry),
        verdicts=tuple(Answer(_CLASSES[one], _WORDS[one]) for one in seen),
        what=parts[0][0],
        more=len(parts) - 1,
        records=stored(entry),
        changes=tuple((change.rule, told(change)) for change in changes),
        proofs=() if judged is None else tuple(_proofs(judged)),
    )


def _kind(entry: Entry, policy: Policy, seen: Sequence[Reads]) -> str:
    """Say how much a step matters: what only the direction breaks that nobody asked for is risky."""
    if entry.problem:
        return "passed"
    if not seen:
        return "first"
    asked = [one for each, one in zip(Direction, seen, strict=True) if each in policy.mode.directions]
    if Reads.NO in asked:
        return Level.BREAKING.value
    if Reads.UNKNOWN in asked:
        return Level.UNKNOWN.value
    return Level.SAFE.value if all(one is Reads.YES for one in seen) else Level.RISKY.value


def _needs(entry: Entry) -> str:
    if entry.enough is False:
        return f"at least {entry.least}"
    return "" if entry.bump is None or entry.bump is Bump.NONE else entry.bump.value


def _proofs(judged: Judged, directions: Sequence[Direction] = tuple(Direction)) -> Iterator[Proof]:
    for direction in directions:
        verdict = judged.verdict(direction)
        if verdict.status is Status.BREAKING:
            old_accepts = direction is Direction.BACKWARD
            said = "old: accepts, new: rejects" if old_accepts else "old: rejects, new: accepts"
            yield Proof(said, tuple(colored(_value(verdict, direction, judged.telling))))
        for doubt in verdict.doubts:
            yield Proof(f"{direction} is not proved: {doubt.why}")


def _value(verdict: Verdict, direction: Direction, telling: Sequence[Told]) -> str:
    value = dumps(verdict.witness, indent=2)
    if len(value) <= _LONGEST_WITNESS:
        return value
    paths = [change.instance_path for change in telling if change.effect.breaks(direction)]
    path = next(iter(paths), "")
    return wording.abridged(verdict.witness, wording.into(verdict.witness, path), _LONGEST_WITNESS)


def _words(row: Row) -> str:
    version = row.entry.version
    words = (row.kind, row.number, row.date, row.entry.short, version.author, *version.tags, row.needs, row.what)
    more = (
        row.records,
        *(said for change in row.changes for said in change),
        *(answer.word for answer in row.verdicts),
    )
    values = (clip("".join(piece.text for piece in proof.pieces), 300) for proof in row.proofs)
    return " ".join(word for word in (*words, *more, *values, version.path) if word)


def _grid(timeline: Timeline, matrix: Matrix) -> Grid:
    entries = tuple(timeline.entry(index) for index in matrix.indices)
    return Grid(
        entries,
        tuple((written, tuple(_cell(matrix, written, reader) for reader in entries)) for written in entries),
        reach(timeline, matrix),
        tuple(
            (loss(timeline, one), tuple(map(told, causes(one))), _lost(one, timeline.policy)) for one in matrix.losses
        ),
    )


def _lost(one: Loss, policy: Policy) -> tuple[Proof, ...]:
    """Show the data that is lost; what only undeclared properties lose is no loss."""
    return tuple(_proofs(one.judged, (Direction.BACKWARD,))) if not reads(one.judged.backward, policy).holds else ()


def _cell(matrix: Matrix, written: Entry, reader: Entry) -> Cell:
    if written is reader:
        return Cell("own", "·", f"#{reader.index} reads its own data")
    mark = matrix.reads(written.index, reader.index)
    return Cell(_CLASSES[mark], _MARKS[mark], f"#{reader.index} {_SAID[mark]} #{written.index}")

"""The report as one HTML file to open, search and link into: findings with both versions side by side."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from compat.assess.model import Conclusion, Finding, Outcome, Report, SchemaReport, Witness
from compat.diff.wording import clip, listing
from compat.jsonvalue import dumps
from compat.policy import as_path
from compat.relation import Direction, Level
from compat.report import wording
from compat.report.html_page import Item, Kind
from compat.report.html_page import render as write
from compat.report.html_source import Beside, Piece, Sides, colored

# A longer witness is shown along the way to what matters in it.
_LONGEST_WITNESS = 2_400
_ANNOTATION, _WAIVED = "annotation", "waived"
_LABELS = {**{level.value: level.value for level in Level}, _WAIVED: "waived", _ANNOTATION: "annotations"}
_ANCHOR = re.compile(r"[0-9A-Za-z]{1,64}")


@dataclass(frozen=True, slots=True)
class Shown:
    """A witness as it is shown."""

    sides: str
    origin: str
    pieces: tuple[Piece, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Card:
    """A finding as the page shows it; `open` where it is worth reading at once."""

    anchor: str
    kind: str
    finding: Finding
    path: str
    where: str
    told: str
    sides: Sides | None
    witnesses: tuple[Shown, ...]
    sentences: tuple[str, ...]
    affected: str | None
    evidence: str | None
    remedy: str | None
    again: str | None
    open: bool


@dataclass(frozen=True, slots=True)
class Section:
    """A schema, or what belongs to none, with its findings."""

    anchor: str
    title: str
    schema: SchemaReport | None
    counts: str
    remarks: tuple[str, ...]
    rollout: str | None
    cards: tuple[Card, ...]

    @property
    def worst(self) -> str:
        """The worst kind among the findings that count, else what became of the schema."""
        levels = {card.finding.level for card in self.cards if card.finding.counts}
        return next((level.value for level in Level if level in levels), "none")


def render(report: Report, *, version: str) -> str:
    """Write a report as one HTML file without a clock in it: the same report gives the same bytes."""
    sections = list(_sections(report))
    cards = [card for section in sections for card in section.cards]
    numbers = Counter(card.kind for card in cards)
    kinds = [Kind(kind, label, numbers[kind]) for kind, label in _LABELS.items() if numbers[kind]]
    items = [
        Item(
            card.anchor, card.kind, section.schema.lineage if section.schema else "", (card.finding.rule,), _words(card)
        )
        for section in sections
        for card in section.cards
    ]
    return write(
        "report.html.jinja",
        version=version,
        items=items,
        kinds=kinds,
        noun=("finding", "findings"),
        report=report,
        tone=_tone(report),
        conclusion=wording.conclusion(report),
        sections=sections,
        lineages=_lineages(sections),
    )


def _tone(report: Report) -> str:
    """Choose the colour of the headline; where nothing was compared it is not that of a success."""
    word = report.conclusion
    if word is Conclusion.NOTHING_COMPARED:
        return "none"
    return (
        word.value if word in (Conclusion.BREAKING, Conclusion.UNKNOWN, Conclusion.RISKY, Conclusion.ERROR) else "safe"
    )


def _sections(report: Report) -> Iterator[Section]:
    anchors, beside = Anchors(), Beside()
    if report.findings:
        cards = tuple(_cards(report.findings, (), anchors, beside))
        yield Section("configuration", "Configuration", None, "", (), None, cards)
    for number, schema in enumerate(report.schemas, 1):
        yield Section(
            f"schema-{number}",
            schema.name,
            schema,
            wording.counts(schema, ", "),
            tuple(_remarks(schema)),
            wording.rollout(schema) if schema.outcome is Outcome.COMPARED else None,
            tuple(_cards(schema.findings, schema.mode.directions, anchors, beside)),
        )


def _lineages(sections: Sequence[Section]) -> dict[str, list[Section]]:
    """Group the schemas by lineage, in the order of the report."""
    found: dict[str, list[Section]] = {}
    named = any(section.schema is not None and section.schema.lineage for section in sections)
    for section in sections:
        if section.schema is not None:
            found.setdefault(section.schema.lineage or ("other files" if named else ""), []).append(section)
    return found


def _remarks(schema: SchemaReport) -> Iterator[str]:
    if schema.outcome is Outcome.NEW:
        yield "new, no baseline"
    elif schema.outcome is Outcome.NO_BASELINE:
        yield "not compared"
    elif schema.outcome is Outcome.SHARED:
        yield "a file that other schemas refer to"
    elif schema.outcome is Outcome.COMPARED and not schema.findings and not schema.through:
        yield "no difference"
    if schema.marker:
        yield schema.marker
    if schema.against:
        yield f"judged against {listing(schema.against, most=8)}"
    if schema.through:
        yield f"changed through {listing(schema.through)}"
    yield from schema.notes


class Anchors:
    """Names places of a page by the fingerprints of findings, each place once."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    def of(self, fingerprint: str) -> str:
        """Give the name of the next place of a fingerprint: `finding-…`, and `finding-…-2` where it stands again."""
        name = fingerprint if _ANCHOR.fullmatch(fingerprint) else sha256(repr(fingerprint).encode()).hexdigest()[:16]
        self._taken[name] += 1
        again = f"-{self._taken[name]}" if self._taken[name] > 1 else ""
        return f"finding-{name}{again}"


def _kind(finding: Finding) -> str:
    if not finding.counts:
        return _WAIVED
    return _ANNOTATION if finding.annotation and finding.level is Level.SAFE else finding.level.value


_ORDER = {kind: index for index, kind in enumerate(_LABELS)}


def _cards(findings: Sequence[Finding], asked: Sequence[Direction], anchors: Anchors, beside: Beside) -> Iterator[Card]:
    """Yield the findings, the worst first."""
    for finding in sorted(findings, key=lambda each: _ORDER[_kind(each)]):
        kind = _kind(finding)
        telling = finding.level is not Level.SAFE
        yield Card(
            anchor=anchors.of(finding.fingerprint),
            kind=kind,
            finding=finding,
            path=as_path(finding.instance_path) if finding.instance_path or finding.change is not None else "",
            where=wording.location(finding),
            told=wording.told(finding),
            sides=beside.sides(finding),
            witnesses=tuple(map(_witness, finding.witnesses)),
            sentences=tuple(wording.explanation(finding, asked)),
            affected=wording.affected(finding),
            evidence=wording.evidence(finding),
            remedy=finding.remedy if finding.counts and telling else None,
            again=wording.reproduction(finding),
            open=finding.counts and telling,
        )


def _witness(witness: Witness) -> Shown:
    value = dumps(witness.value, indent=2)
    if len(value) > _LONGEST_WITNESS:
        value = wording.abridged(witness.value, witness.instance_path, _LONGEST_WITNESS)
    return Shown(wording.sides(witness), wording.origin(witness).strip(" ()"), tuple(colored(value)), witness.reason)


def _words(card: Card) -> str:
    """Give the words that a finding is found by: what its card says, the source aside."""
    finding = card.finding
    values = tuple(clip(dumps(witness.value), 300) for witness in finding.witnesses)
    words = (card.kind, finding.rule, card.path, card.where, card.told, *card.sentences, finding.file, finding.lineage)
    more = (*values, card.affected, card.evidence, card.remedy, finding.fingerprint)
    return " ".join(word for word in (*words, *more) if word)

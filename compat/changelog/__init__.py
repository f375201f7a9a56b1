"""What changed, told to those who read or write the data: Keep a Changelog, from released versions and their findings.

Pure: findings in, Markdown out. Generated parts stand between comments, everything else in the file belongs to people.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final
from urllib.parse import quote

from compat.assess import Finding
from compat.diff.wording import counted, listing
from compat.errors import OutputError, Place
from compat.jsonvalue import dumps
from compat.lineage import Marker
from compat.policy import as_path
from compat.relation import Direction, Effect, Level, Status

PREAMBLE: Final = """# Changelog

What changed in the data, for those who read or write it. The format follows
[Keep a Changelog](https://keepachangelog.com/en/1.1.0/). Parts between `compat` comments are generated; text outside
of them is kept.
"""


class Section(StrEnum):
    """The six kinds of change, in the order they are told."""

    ADDED = "Added"
    CHANGED = "Changed"
    DEPRECATED = "Deprecated"
    REMOVED = "Removed"
    FIXED = "Fixed"
    SECURITY = "Security"


@dataclass(frozen=True, slots=True)
class Chapter:
    """One version of one lineage against the one before.

    `label` is None for what is not released yet. `first` marks a lineage's first version, which has nothing before
    it. `identity` tells versions of the same label apart, `revision` counts them.
    """

    lineage: str
    label: str | None
    when: date | None = None
    identity: str = ""
    findings: tuple[Finding, ...] = ()
    first: bool = False
    revision: int = 1
    marker: Marker | None = None

    @property
    def key(self) -> str:
        """Name the generated part in the file, whatever its text becomes."""
        parts = (self.lineage, "unreleased") if self.label is None else (self.lineage, self.label, self.identity)
        return " ".join(quote(part, safe="/.").replace("--", "%2D%2D") for part in parts if part)


def in_order(chapters: Iterable[Chapter]) -> list[Chapter]:
    """Sort newest first, what is unreleased before all; within a lineage later chapters given are newer."""
    numbered = list(enumerate(chapters))
    numbered.sort(key=lambda item: (item[1].label is None, item[1].when or date.min, item[0]), reverse=True)
    return [chapter for _, chapter in numbered]


def render(chapters: Sequence[Chapter], existing: str | None = None) -> str:
    """Write a whole changelog, around what people wrote in the existing one.

    Where chapters of several lineages are given, headings name the lineage. Rendering the result again changes
    nothing.
    """
    several = len({chapter.lineage for chapter in chapters}) > 1
    ordered = list({chapter.key: chapter for chapter in reversed(in_order(chapters))}.values())[::-1]
    blocks = [_Block(chapter.key, chapter.lineage, chapter_text(chapter, several=several)) for chapter in ordered]
    if existing is None or not existing.strip():
        existing = PREAMBLE
    return _merged(_segments(existing), blocks)


def chapter_text(chapter: Chapter, *, several: bool) -> str:
    """Write one version: heading, order of roll-out, sections."""
    name = f"{escaped(chapter.lineage)} " if several else ""
    if chapter.label is None:
        heading = f"## {name}[Unreleased]"
    else:
        day = "" if chapter.when is None else f" - {chapter.when.isoformat()}"
        again = f" (revision {chapter.revision})" if chapter.revision > 1 else ""
        heading = f"## {name}[{escaped(chapter.label)}]{day}{again}"
    lines = [heading, ""]
    if chapter.first:
        return "\n".join([*lines, f"### {Section.ADDED}", "", "- First version."])
    lines += [_rollout(chapter.findings), ""]
    if chapter.marker is not None:
        lines += [_route(chapter.marker), ""]
    for section, entries in _sections(chapter.findings).items():
        lines += [f"### {section}", "", *(f"- {entry}" for entry in entries), ""]
    return "\n".join(lines).rstrip()


def _sections(findings: Sequence[Finding]) -> dict[Section, list[str]]:
    broken = _broken(findings)
    told = sorted(
        (finding for finding in findings if not _is_quiet(finding, broken)),
        key=lambda finding: (_weight(finding), finding.instance_path, finding.rule, finding.message),
    )
    entries: dict[Section, list[str]] = {section: [] for section in Section}
    for finding in told:
        text = _entry(finding)
        if text not in entries[_section(finding)]:
            entries[_section(finding)].append(text)
    entries[Section.CHANGED] += _folded([finding for finding in findings if _is_quiet(finding, broken)])
    return {section: texts for section, texts in entries.items() if texts}


def _entry(finding: Finding) -> str:
    """Tell one finding: what, for whom, what to do, and whether stored data does it."""
    where = code(as_path(finding.instance_path)) + ": " if finding.instance_path else ""
    parts = [f"{_mark(finding)}{where}{sentence(finding.message)}"]
    if finding.rule == "deprecated-changed":
        return parts[0]
    # A change that only takes away has nothing to be ready for, even where another one beside it adds.
    if finding.backward is Status.BREAKING and finding.expected is not Effect.WIDENS:
        duty = "where you send it already, see that it fits." if finding.undeclared else _duty(finding)
        parts.append(f"_Writers:_ {duty}")
    if finding.forward is Status.BREAKING and finding.expected is not Effect.NARROWS:
        parts.append("_Readers:_ be ready for it before it is written.")
    if Status.UNKNOWN in (finding.backward, finding.forward):
        parts.append("_Whether this breaks anyone could not be proved; treat it as if it did._")
    seen = finding.evidence
    if seen is not None and seen.failing:
        what = "stored record" if seen.records == 1 else "stored records"
        parts.append(f"{seen.failing:,} of {seen.records:,} {what} would be refused.")
    return " ".join(parts)


_STEMS = (
    "property",
    "required-property",
    "pattern-property",
    "enum-value",
    "one-of-branch",
    "any-of-branch",
    "prefix-item",
    "type",
)
_DUTIES = {
    "enum-value-removed": "stop sending it.",
    "type-removed": "stop sending it.",
    "required-added": "always send it.",
    "required-property-added": "always send it.",
    "property-removed": "stop sending it.",
    "required-property-removed": "stop sending it.",
    "const-changed": "send the new value.",
}


def _section(finding: Finding) -> Section:
    if finding.rule == "deprecated-changed":
        change = finding.change
        return Section.DEPRECATED if change is not None and change.new.value is True else Section.CHANGED
    if finding.rule.startswith(tuple(f"{stem}-added" for stem in _STEMS)):
        return Section.ADDED
    if finding.rule.startswith(tuple(f"{stem}-removed" for stem in _STEMS)):
        return Section.REMOVED
    return Section.CHANGED


def _duty(finding: Finding) -> str:
    return _DUTIES.get(finding.rule, "data that does not keep to it is refused.")


def _mark(finding: Finding) -> str:
    return "**Breaking:** " if _breaks(finding) else ""


def _breaks(finding: Finding) -> bool:
    """Whether readers should be warned: by the policy's word, or where a waiver or a severity only quietens it."""
    return finding.level is Level.BREAKING or (
        finding.level is Level.UNKNOWN and Status.UNKNOWN in (finding.backward, finding.forward)
    )


def _weight(finding: Finding) -> int:
    if _breaks(finding):
        return 0
    return 1 if Status.BREAKING in (finding.backward, finding.forward) else 2


def _broken(findings: Sequence[Finding]) -> tuple[Direction, ...]:
    return tuple(d for d in Direction if any(finding.status(d) is Status.BREAKING for finding in findings))


def _is_quiet(finding: Finding, broken: Sequence[Direction]) -> bool:
    """Whether a finding has no effect on anyone's data and is only counted.

    A change that would break a direction by itself is told where that direction breaks, whatever the proof blamed.
    """
    if finding.rule == "deprecated-changed" or finding.backward is not Status.COMPATIBLE:
        return False
    if finding.annotation or finding.forward is not Status.COMPATIBLE:
        return finding.annotation
    return not any(finding.expected.breaks(direction) for direction in broken)


def _folded(quiet: Sequence[Finding]) -> Iterator[str]:
    words = {finding.instance_path for finding in quiet if finding.annotation and finding.rule not in _IDENTITY}
    rewritten = sum(not finding.annotation for finding in quiet)
    if words:
        places = [code(as_path(path)) if path else "the schema itself" for path in sorted(words)]
        yield f"Described anew, without effect on data: {listing(places)}."
    if rewritten:
        yield f"Written in another way in {counted(rewritten, 'place')}, without effect on data."


_IDENTITY = frozenset({"id-changed", "anchor-changed", "dialect-changed"})


def _route(marker: Marker) -> str:
    old, new = (code(dumps(value)) for value in (marker.old, marker.new))
    return f"The version tag {code(as_path(marker.instance_path))} goes from {old} to {new}: route data by it."


def _rollout(findings: Sequence[Finding]) -> str:
    """Say who moves first, apart from data with properties that nobody declared."""
    worst = {
        direction: _worst(finding.status(direction) for finding in findings if not finding.undeclared)
        for direction in Direction
    }
    backward, forward = worst[Direction.BACKWARD], worst[Direction.FORWARD]
    if Status.UNKNOWN in (backward, forward):
        return "Roll-out: not everything could be proved; keep serving the old version until all have moved."
    if backward is Status.BREAKING:
        if forward is Status.BREAKING:
            return "Roll-out: no order is safe; keep serving the old version until all have moved."
        return "Roll-out: writers first, then readers."
    if forward is Status.BREAKING:
        return "Roll-out: readers first, then writers."
    return "Roll-out: in any order; old and new data are valid on both sides."


def _worst(statuses: Iterable[Status]) -> Status:
    found = set(statuses)
    return next((status for status in (Status.UNKNOWN, Status.BREAKING) if status in found), Status.COMPATIBLE)


# -- Markdown that came from elsewhere ----------------------------------------------------------------------------

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~!&])")
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def escaped(text: str) -> str:
    """Write text from a schema so that Markdown and HTML leave it as it is, on one line."""
    return _SPECIAL.sub(r"\\\1", _one_line(text))


# A quoted value, or one that was cut short at either end.
_QUOTED = re.compile(r'(?:"|…)(?:[^"\\…]|\\.)*(?:"|…)')


def sentence(text: str) -> str:
    """Write a sentence with the values it quotes as code."""
    parts, at = [], 0
    for quoted in _QUOTED.finditer(text):
        parts += [escaped(text[at : quoted.start()]), code(quoted.group())]
        at = quoted.end()
    return "".join([*parts, escaped(text[at:])])


def code(text: str) -> str:
    """Write text as a code span, whatever ticks it holds."""
    line = _one_line(text)
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    space = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{space}{line}{space}{fence}"


def _one_line(text: str) -> str:
    return "".join(
        char if unicodedata.category(char) not in _UNSAFE else " " if char in "\n\r\t" else f"\\u{ord(char):04x}"
        for char in text
    )


# -- generated parts among written ones ---------------------------------------------------------------------------

_BEGIN = re.compile(r"<!-- compat: begin (?P<key>\S.*?) -->\s*")
_END = "<!-- compat: end -->"


@dataclass(frozen=True, slots=True)
class _Block:
    key: str
    lineage: str
    text: str

    def __str__(self) -> str:
        return f"<!-- compat: begin {self.key} -->\n{self.text}\n{_END}"


_Segment = str | _Block


def _segments(text: str) -> list[_Segment]:
    """Cut a file into what people wrote and the generated parts."""
    segments: list[_Segment] = []
    written: list[str] = []
    inside: list[str] | None = None
    key, began = "", 0
    for number, line in enumerate(text.split("\n"), 1):
        begin = _BEGIN.fullmatch(line)
        if inside is not None:
            if begin is not None:
                break
            if line.strip() == _END:
                segments.append(_Block(key, "", "\n".join(inside)))
                inside = None
            else:
                inside.append(line)
        elif begin is not None:
            segments.append("\n".join(written))
            written, inside, key, began = [], [], begin["key"], number
        else:
            written.append(line)
    if inside is not None:
        hint = f"Write {_END} where it ends, or delete the part; it is generated anew."
        raise OutputError(
            "a generated part of the changelog never ends.", place=Place("changelog", line=began), hint=hint
        )
    segments.append("\n".join(written))
    return segments


def _merged(segments: list[_Segment], blocks: Sequence[_Block]) -> str:
    wanted = {block.key: block for block in blocks}
    told = {block.key.partition(" ")[0] for block in blocks}
    present = [segment.key for segment in segments if isinstance(segment, _Block)]
    result: list[_Segment] = []
    fresh = [block for block in blocks if block.key not in present]
    for segment in segments:
        if not isinstance(segment, _Block):
            result.append(segment)
            continue
        # New versions go before the next older part that is there; a part that was "unreleased" becomes the version.
        waiting = _before(segment.key, fresh, blocks)
        if segment.key.endswith(" unreleased"):
            lineage = segment.key.removesuffix(" unreleased")
            if segment.key in wanted or lineage not in told:
                result.append(wanted.get(segment.key, segment))
            named = [block for block in fresh if block.key.partition(" ")[0] == lineage]
            newest = [block for block in named if _is_newest(block, blocks, present)]
            result += newest
            fresh = [block for block in fresh if block not in newest]
        else:
            # What was told of a release stays told, also when its tag or its lineage is gone.
            result += [*waiting, wanted.get(segment.key, segment)]
            fresh = [block for block in fresh if block not in waiting]
    if fresh and not any(isinstance(segment, _Block) for segment in result):
        result = _into_written(result, fresh)
    else:
        result += fresh
    return _joined(result)


def _before(key: str, fresh: Sequence[_Block], blocks: Sequence[_Block]) -> list[_Block]:
    order = [block.key for block in blocks]
    return [block for block in fresh if key in order and order.index(block.key) < order.index(key)]


def _is_newest(block: _Block, blocks: Sequence[_Block], present: Sequence[str]) -> bool:
    """Whether a version is newer than all of its lineage that the file has already."""
    order = [other.key for other in blocks if other.lineage == block.lineage]
    older = [order.index(key) for key in present if key in order and not key.endswith(" unreleased")]
    return not older or order.index(block.key) < min(older)


def _into_written(segments: Sequence[_Segment], fresh: Sequence[_Block]) -> list[_Segment]:
    """Put first generated parts under the introduction of a file that people wrote."""
    text = "\n".join(str(segment) for segment in segments)
    first = re.search(r"^## ", text, re.MULTILINE)
    cut = len(text) if first is None else first.start()
    return [text[:cut], *fresh, text[cut:]]


def _joined(segments: Sequence[_Segment]) -> str:
    """Join parts with one empty line between; empty ones leave no trace."""
    return "\n\n".join(text for segment in segments if (text := str(segment).strip("\n"))) + "\n"

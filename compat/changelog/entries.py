"""What one finding tells a consumer: what changed, for whom, what it was and is, what to do, and who moves first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum

from compat.assess import Finding
from compat.changelog.markup import code, escaped, sentence
from compat.diff.change import Side
from compat.diff.wording import clip, counted, listing, shown
from compat.jsonvalue import JSON, dumps
from compat.lineage.origin import VERSION_KEYWORDS
from compat.policy import as_path
from compat.relation import Direction, Effect, Level, Status
from compat.replay.summary import Evidence


class Section(StrEnum):
    """The six kinds of change, in the order they are told where none breaks anything."""

    ADDED = "Added"
    CHANGED = "Changed"
    DEPRECATED = "Deprecated"
    REMOVED = "Removed"
    FIXED = "Fixed"
    SECURITY = "Security"


def sections(findings: Sequence[Finding]) -> dict[Section, list[str]]:
    """Sort findings into sections of entries: sections with a break come first, and breaks first in each."""
    broken = tuple(d for d in Direction if any(finding.status(d) is Status.BREAKING for finding in findings))
    told = sorted(
        (finding for finding in findings if not _is_quiet(finding, broken)),
        key=lambda finding: (_weight(finding), finding.instance_path, finding.rule, finding.message),
    )
    entries: dict[Section, list[str]] = {section: [] for section in Section}
    for finding in told:
        text = entry(finding)
        if text not in entries[_section(finding)]:
            entries[_section(finding)].append(text)
    entries[Section.CHANGED] += _folded([finding for finding in findings if _is_quiet(finding, broken)])
    breaking = {_section(finding) for finding in told if _breaks(finding)}
    return {section: entries[section] for section in sorted(Section, key=_place(breaking)) if entries[section]}


def _place(breaking: set[Section]) -> Callable[[Section], tuple[bool, int]]:
    return lambda section: (section not in breaking, list(Section).index(section))


def entry(finding: Finding) -> str:
    """Tell one finding: a line that says what changed, and a line for each who has to do something."""
    where = f"{code(as_path(finding.instance_path))}: " if finding.instance_path else ""
    if not where and finding.rule == "deprecated-changed":
        where = "All of it: "
    first = f"{'**Breaking:** ' if _breaks(finding) else ''}{where}{sentence(_what(finding))}"
    return "\n".join([first, *(f"  - {line}" for line in _lines(finding))])


def _what(finding: Finding) -> str:
    if finding.rule.startswith("pattern-") and any(_sides(finding)):
        # Its sentence quotes both patterns, cut short; they are told in full below.
        return f"{finding.message.partition(' from ')[0]}: {finding.message.rpartition(': ')[2]}"
    if finding.rule != "deprecated-changed":
        return finding.message
    return "deprecated; it may go in a later version." if _is_deprecation(finding) else "no longer deprecated."


def _lines(finding: Finding) -> Iterator[str]:
    if finding.rule == "deprecated-changed":
        if _is_deprecation(finding):
            yield "Writers: stop sending it. Readers: do without it."
        return
    # A change that only takes away has nothing to be ready for, even where another one beside it adds.
    writers = finding.backward is Status.BREAKING and finding.expected is not Effect.WIDENS
    readers = finding.forward is Status.BREAKING and finding.expected is not Effect.NARROWS
    if writers:
        order = "" if readers or finding.undeclared else ", before readers"
        yield f"Writers{order}: {_writers_duty(finding)}"
    if readers:
        order = "" if writers or finding.undeclared else ", before writers"
        yield f"Readers{order}: {_first_match(_READERS, finding.rule)}"
    if (writers or readers) and finding.undeclared:
        yield "Either side may move first."
    elif writers and readers:
        yield "No order is safe: keep serving the old version until all have moved."
    if Status.UNKNOWN in (finding.backward, finding.forward):
        yield "Whether this breaks anyone could not be proved; treat it as if it did."
    yield from _sides(finding)
    if finding.hint:
        yield sentence(f"{finding.hint[0].upper()}{finding.hint[1:]}.")
    if finding.evidence is not None:
        yield _stored(finding.evidence)


def _stored(seen: Evidence) -> str:
    of = f"{seen.records:,} stored {'record' if seen.records == 1 else 'records'}"
    if seen.failing:
        return f"{seen.failing:,} of {of} would be refused."
    if seen.reaching == 0:
        return f"No stored record could say: none of {seen.records:,} has anything there."
    return f"None of {of} would be refused."


# -- before and after -----------------------------------------------------------------------------------------------

# Enough for a type with a bound or two, and for most patterns; what is longer says nothing at a glance.
_WIDTH = 120
_WORDS = frozenset({"title", "description", "examples", "$comment"})
# The sentence of these says all there is.
_SAID = re.compile(r"required-(added|removed)|type-(added|removed)|(any-of|one-of|all-of)-(un)?wrapped")


def _sides(finding: Finding) -> Iterator[str]:
    """Say what stood there and what stands there, where the sentence does not say it already and a line has room."""
    change = finding.change
    if change is None or _SAID.fullmatch(finding.rule):
        return
    sides = [side for side in (change.old, change.new) if side.exists]
    if all(_said(side, finding.message) for side in sides) or all(isinstance(side.value, bool) for side in sides):
        return
    told = [shown(_bare(side.value), 10 * _WIDTH) for side in sides]
    fits = all(len(text) <= _WIDTH for text in told) and not any(_is_branches(side.value) for side in sides)
    if len(sides) == 2 and fits:
        yield f"Before: {code(told[0])}; after: {code(told[1])}."
    elif len(sides) == 1:
        words = _description(sides[0].value)
        parts = [*([f"{code(told[0])}."] if fits else []), *([words] if words else [])]
        if parts:
            yield f"{'Now' if change.new.exists else 'Until now'}: {' '.join(parts)}"


def _said(side: Side, message: str) -> bool:
    return dumps(side.value) in message or (isinstance(side.value, str) and f'"{side.value}"' in message)


def _is_branches(value: JSON) -> bool:
    return isinstance(value, list) and any(isinstance(branch, Mapping) for branch in value)


def _bare(value: JSON) -> JSON:
    """Leave out what only describes."""
    if not isinstance(value, Mapping):
        return value
    return {key: inner for key, inner in value.items() if key not in _WORDS}


def _description(value: JSON) -> str:
    words = value.get("description", value.get("title")) if isinstance(value, Mapping) else None
    return escaped(clip(words, 2 * _WIDTH)) if isinstance(words, str) else ""


# -- what to do -----------------------------------------------------------------------------------------------------

_BOUNDS = r"((exclusive-)?m(in|ax)imum|(min|max)-(length|items|properties|contains)|multiple-of)-.*"
_WRITERS = (
    (r"(enum-value|type)-removed|property-removed.*", "stop sending it."),
    (r"required(-property)?-added", "always send it."),
    (r"const-changed", "send the new value."),
    (r"const-.*", "send that value only."),
    (r"enum-.*", "send only what is listed."),
    (r"(any-of|one-of)-branch-removed", "stop sending data of that kind."),
    (r"type-.*", "send that type only."),
    (r"pattern-(added|tightened|changed)", "send only what matches."),
    (_BOUNDS, "keep to the new bound."),
    (r".*-closed", "send nothing that is not declared."),
    (r"unique-items-added", "send no item twice."),
    (r"dependent-required-added", "send what it demands along with it."),
    (r".*", "data that does not keep to it is refused."),
)
_READERS = (
    (r"(enum-value|type)-added", "expect it before it is written."),
    (r"property-added-to-closed", "expect it, or pass over what you do not know."),
    (r"required(-property)?-removed", "expect it to be missing."),
    (r"property-removed", "expect anything under that name, or nothing."),
    (r"(any-of|one-of)-branch-added", "expect data of that kind, too."),
    (r"(any-of|one-of)-wrapped", "expect what the other branches allow, too."),
    (r"pattern-.*", "expect values that the old pattern refused."),
    (_BOUNDS, "expect values beyond the old bound."),
    (r".*-opened", "expect what was not declared."),
    (r"const-changed", "expect the new value."),
    (r".*", "expect data that was refused before."),
)


def _writers_duty(finding: Finding) -> str:
    if finding.undeclared:
        return "where you send it already, see that it fits."
    return _first_match(_WRITERS, finding.rule)


def _first_match(table: Sequence[tuple[str, str]], rule: str) -> str:
    return next(duty for pattern, duty in table if re.fullmatch(pattern, rule))


# -- where it belongs -----------------------------------------------------------------------------------------------

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
_IDENTITY = frozenset({"id-changed", "anchor-changed", "dialect-changed"})


def _section(finding: Finding) -> Section:
    if finding.rule == "deprecated-changed":
        return Section.DEPRECATED if _is_deprecation(finding) else Section.CHANGED
    if finding.rule.startswith(tuple(f"{stem}-added" for stem in _STEMS)):
        return Section.ADDED
    if finding.rule.startswith(tuple(f"{stem}-removed" for stem in _STEMS)):
        return Section.REMOVED
    return Section.CHANGED


def _is_deprecation(finding: Finding) -> bool:
    change = finding.change
    return change is not None and change.new.value is True


def _breaks(finding: Finding) -> bool:
    """Whether readers should be warned: by the policy's word, or where a waiver or a severity only quietens it."""
    return finding.level is Level.BREAKING or (
        finding.level is Level.UNKNOWN and Status.UNKNOWN in (finding.backward, finding.forward)
    )


def _weight(finding: Finding) -> int:
    if _breaks(finding):
        return 0
    return 1 if Status.BREAKING in (finding.backward, finding.forward) else 2


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
    rewritten = sum(not finding.annotation and not _is_number(finding) for finding in quiet)
    if words:
        places = [code(as_path(path)) if path else "the schema itself" for path in sorted(words)]
        yield f"Described anew, without effect on data: {listing(places)}."
    if rewritten:
        yield f"Written in another way in {counted(rewritten, 'place')}, without effect on data."


def _is_number(finding: Finding) -> bool:
    """Whether a change is that of the version number, which the heading tells."""
    return finding.change is not None and finding.change.keyword in VERSION_KEYWORDS

"""A changelog as a file: generated parts stand between comments, everything else in it belongs to people."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from compat.changelog.chapter import Chapter, chapter_text, in_order
from compat.errors import OutputError, Place

PREAMBLE: Final = """# Changelog

What changed in the data, for those who read or write it. The format follows
[Keep a Changelog](https://keepachangelog.com/en/1.1.0/). Writers are the producers of the data, readers its consumers.
Parts between `compat` comments are generated; text outside of them is kept.
"""


def render(chapters: Sequence[Chapter], existing: str | None = None) -> str:
    """Write a whole changelog, around what people wrote in the existing one.

    Where chapters of several lineages are given, headings name the lineage. Rendering the result again changes
    nothing; lines end as they did.
    """
    several = len({chapter.lineage for chapter in chapters}) > 1
    ordered = list({chapter.key: chapter for chapter in reversed(in_order(chapters))}.values())[::-1]
    blocks = [_Block(chapter.key, chapter.lineage, chapter_text(chapter, several=several)) for chapter in ordered]
    if existing is None or not existing.strip():
        existing = PREAMBLE
    windows = existing.count("\r\n") == existing.count("\n") > 0
    text = _merged(_segments(existing.replace("\r\n", "\n") if windows else existing), blocks)
    return text.replace("\n", "\r\n") if windows else text


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

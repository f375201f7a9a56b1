"""YAML text to value and marks, by the core schema of YAML 1.2: `on` and `no` are strings, dates are strings.

Built from the parser's events on an explicit stack: no object construction, no tags, no recursion. Aliases share
what they name, and what they would amount to written out is counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from compat.jsonvalue import JSON, MAX_EXPONENT
from compat.model.jsontext import number
from compat.model.text import MAX_DEPTH, Mark, Text, TextError

# What aliases may blow a text up to, counted in values.
MAX_VALUES = 1_000_000
_SHOWN_NOTES = 5
_TOO_DEEP = f"the text nests deeper than {MAX_DEPTH} levels"

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAG = "tag:yaml.org,2002:"
_NULL = frozenset({"null", "Null", "NULL", "~", ""})
_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_OLD_BOOLEANS = frozenset(
    spelled for word in ("yes", "no", "on", "off") for spelled in (word, word.title(), word.upper())
)
_INTEGER = re.compile(r"[-+]?[0-9]+\Z")
_OCTAL = re.compile(r"0o[0-7]+\Z")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_NO_NUMBER = re.compile(r"(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z")


@dataclass(slots=True)
class _Node:
    """A value with its mark, and what it weighs once every alias is written out."""

    value: JSON
    mark: Mark
    weight: int = 1
    height: int = 0


@dataclass(slots=True)
class _Open:
    """A collection whose end has not come yet."""

    anchor: str | None
    mark: Mark
    mapping: bool
    items: list[_Node] = field(default_factory=list)
    keys: dict[str, int] = field(default_factory=dict)
    key: str | None = None
    key_offset: int = 0
    merges: list[_Node] = field(default_factory=list)


class _Reader:
    def __init__(self, text: Text) -> None:
        self.text = text
        self.anchors: dict[str, _Node | None] = {}
        self.stack: list[_Open] = []
        self.root: _Node | None = None
        self.old_booleans: list[tuple[str, int]] = []
        self.merged = 0

    def read(self) -> _Node:
        documents = 0
        for event in self._events():
            offset = event.start_mark.index
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise TextError("a second YAML document begins here; one is expected", offset)
            elif isinstance(event, yaml.AliasEvent):
                self._place(self._alias(event.anchor, offset), offset)
            elif isinstance(event, yaml.ScalarEvent):
                self._scalar(event, offset)
            elif isinstance(event, yaml.SequenceStartEvent | yaml.MappingStartEvent):
                self._open(event, offset)
            elif isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent):
                self._close()
        if self.root is None:
            raise TextError("the text is empty", 0)
        return self.root

    def _events(self) -> Iterator[Any]:
        try:
            yield from yaml.parse(self.text.content, Loader=_LOADER)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            what = error.problem or error.context or "not YAML"
            if "nesting depth" in what:
                # The parser reads ahead and may meet its own bound, which is wider, before we meet ours.
                raise TextError(_TOO_DEEP, 0 if mark is None else mark.index) from None
            raise TextError(
                f"not YAML: {what}", 0 if mark is None else min(mark.index, len(self.text.content))
            ) from None
        except yaml.reader.ReaderError as error:
            at = self.text.content.find(chr(error.character)) if isinstance(error.character, int) else -1
            raise TextError("a character that YAML does not allow", max(at, 0)) from None
        except yaml.YAMLError as error:
            raise TextError(f"not YAML: {error}", 0) from None

    def _alias(self, anchor: str | None, offset: int) -> _Node:
        if anchor is None or anchor not in self.anchors:
            raise TextError(f"*{anchor} names no anchor above it", offset)
        node = self.anchors[anchor]
        if node is None:
            raise TextError(f"*{anchor} stands inside what it names", offset)
        return node

    def _scalar(self, event: yaml.ScalarEvent, offset: int) -> None:
        plain = bool(event.implicit[0]) and event.style in {None, ""}
        top = self.stack[-1] if self.stack else None
        is_key = top is not None and top.mapping and top.key is None
        if is_key and plain and event.value == "<<" and event.tag is None and top is not None:
            top.key, top.key_offset = "<<", -1
            return
        value = self._resolve(event, plain, offset)
        node = _Node(value, Mark(offset))
        if event.anchor is not None:
            self.anchors[event.anchor] = node
        self._place(node, offset)

    def _resolve(self, event: yaml.ScalarEvent, plain: bool, offset: int) -> JSON:
        text, tag = event.value, event.tag
        if tag is None or tag == "!":
            if not plain or tag == "!":
                return text
            if text in _OLD_BOOLEANS:
                self.old_booleans.append((text, offset))
            return _core(text, offset)
        if not tag.startswith(_TAG) or tag.removeprefix(_TAG) not in {"str", "int", "float", "bool", "null"}:
            raise TextError(f"the tag {tag.replace(_TAG, '!!')} has no meaning in JSON", offset)
        kind = tag.removeprefix(_TAG)
        if kind == "str":
            return text
        value = _core(text, offset)
        fits = {
            "int": isinstance(value, int) and not isinstance(value, bool),
            "float": not isinstance(value, bool | str) and value is not None,
            "bool": isinstance(value, bool),
            "null": value is None,
        }
        if not fits[kind]:
            raise TextError(f"this is no !!{kind}", offset)
        return value

    def _open(self, event: yaml.SequenceStartEvent | yaml.MappingStartEvent, offset: int) -> None:
        mapping = isinstance(event, yaml.MappingStartEvent)
        if event.tag not in {None, "!", _TAG + ("map" if mapping else "seq")}:
            raise TextError(f"the tag {str(event.tag).replace(_TAG, '!!')} has no meaning in JSON", offset)
        if len(self.stack) == MAX_DEPTH:
            raise TextError(_TOO_DEEP, offset)
        if event.anchor is not None:
            self.anchors[event.anchor] = None
        self.stack.append(_Open(event.anchor, Mark(offset), mapping))

    def _close(self) -> None:
        top = self.stack.pop()
        offset = top.mark.offset
        if top.mapping:
            for merge in top.merges:
                self._merge(top, merge)
            top.mark.members = {key: top.items[index].mark for key, index in top.keys.items()}
            value: JSON = {key: top.items[index].value for key, index in top.keys.items()}
        else:
            top.mark.items = [item.mark for item in top.items]
            value = [item.value for item in top.items]
        weight = 1 + sum(item.weight for item in top.items)
        if weight > MAX_VALUES:
            raise TextError(f"aliases blow this up to more than {MAX_VALUES:,} values", offset)
        height = 1 + max((item.height for item in top.items), default=0)
        if height > MAX_DEPTH:
            raise TextError(_TOO_DEEP, offset)
        node = _Node(value, top.mark, weight, height)
        if top.anchor is not None:
            self.anchors[top.anchor] = node
        self._place(node, offset)

    def _place(self, node: _Node, offset: int) -> None:
        if not self.stack:
            self.root = node
            return
        top = self.stack[-1]
        if not top.mapping:
            top.items.append(node)
        elif top.key is None:
            if not isinstance(node.value, str):
                raise TextError("a key that is no string; JSON has only string keys", offset, hint="Put it in quotes.")
            top.key, top.key_offset = node.value, offset
            if node.value in top.keys:
                first = self.text.position(top.items[top.keys[node.value]].mark.offset)
                raise TextError(
                    f'the key "{node.value}" stands here again; it is already at {first.line}:{first.column}',
                    offset,
                    hint="Keep one of the two; which one counts differs from reader to reader.",
                )
        elif top.key_offset < 0:
            top.merges.append(_Node(node.value, node.mark, node.weight, node.height))
            top.key = None
        else:
            # A member is marked at its key; what it holds keeps its own marks.
            mark = Mark(top.key_offset, node.mark.members, node.mark.items)
            top.keys[top.key] = len(top.items)
            top.items.append(_Node(node.value, mark, node.weight, node.height))
            top.key = None

    def _merge(self, top: _Open, merge: _Node) -> None:
        self.merged += 1
        sources = [(merge.value, merge.mark)]
        if isinstance(merge.value, list):
            sources = list(zip(merge.value, merge.mark.items or (), strict=True))
        share = max(1, merge.weight // max(1, len(sources)))
        for value, mark in sources:
            if not isinstance(value, dict) or mark.members is None:
                raise TextError(
                    "<< merges mappings, and this is none", top.mark.offset, hint="Quote the key if it is meant."
                )
            for key, item in value.items():
                if key not in top.keys:
                    top.keys[key] = len(top.items)
                    top.items.append(_Node(item, mark.members[key], share, merge.height))


def _core(text: str, offset: int) -> JSON:
    if text in _NULL:
        return None
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    if not text[0].isascii() or text[0] not in "+-.0123456789":
        return text
    if _INTEGER.match(text):
        if len(text) > MAX_EXPONENT:
            raise TextError(f"a number of more than {MAX_EXPONENT:,} digits is not read", offset)
        return int(text)
    if _OCTAL.match(text) or _HEXADECIMAL.match(text):
        return int(text, 0)
    if _FLOAT.match(text):
        try:
            return number(text)
        except ValueError:
            raise TextError(f"a number beyond 10^{MAX_EXPONENT} (or as long) is not read", offset) from None
    if _NO_NUMBER.match(text):
        raise TextError(f"{text} is no JSON number", offset, hint="Put it in quotes if a string is meant.")
    return text


def read_yaml(text: Text) -> tuple[JSON, Mark, tuple[str, ...]]:
    """Read one YAML document; gives its value, its marks and what a reader of YAML 1.1 would have read otherwise."""
    reader = _Reader(text)
    node = reader.read()
    notes = []
    for word, offset in reader.old_booleans[:_SHOWN_NOTES]:
        at = text.position(offset)
        notes.append(f'{word} at {at.line}:{at.column} is the string "{word}"; YAML 1.1 would read a boolean')
    more = len(reader.old_booleans) - _SHOWN_NOTES
    if more > 0:
        notes.append(f"and {more} more that YAML 1.1 would read as booleans")
    if reader.merged:
        notes.append("merge keys (<<) were expanded; YAML 1.2 has none, and other readers keep them as a property")
    return node.value, node.mark, tuple(notes)

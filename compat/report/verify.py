"""What both versions say of one instance, as text for a terminal and as JSON (`compat-verify/1`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from compat.assess.verify import Answer, Fault, Verification
from compat.diff.wording import clip
from compat.jsonvalue import JSON, dumps
from compat.policy import as_path
from compat.relation import Direction
from compat.report.escape import json_text, terminal
from compat.report.excerpt import source_line
from compat.report.text import Style

FORMAT = "compat-verify/1"
_RED, _GREEN, _DIM, _BOLD = "1;31", "32", "2", "1"


def text(found: Verification, old: str, new: str, *, color: bool = False, width: int = 100) -> str:
    """Write the instance, a block a version, and what it comes to."""
    style = Style(color)
    lines = [terminal(clip(dumps(found.value), max(width, 40)))]
    if found.marker:
        lines.append(style(terminal(f"  {found.marker}"), _DIM))
    for label, name, answer in (("old", old, found.old), ("new", new, found.new)):
        lines += ["", *_answer(label, name, answer, style, width)]
    return "\n".join([*lines, "", terminal(conclusion(found))]) + "\n"


def _answer(label: str, name: str, answer: Answer, style: Style, width: int) -> Iterator[str]:
    said = style("accepts", _GREEN) if answer.valid else style("rejects", _RED)
    yield f"  {label} {said}  {style(terminal(name), _BOLD)}"
    yield style(terminal(f"    {validators(answer)}"), _DIM)
    for fault in answer.faults:
        yield terminal(f"    {_fault(fault)}")
        for marked in source_line(fault.place, width - 6):
            yield f"      {style(marked.gutter, _DIM)} {marked.text}".rstrip()
            yield f"      {style(marked.blank, _DIM)} {style(marked.carets, _RED)}"
    if answer.more:
        yield "    … and more"


def _fault(fault: Fault) -> str:
    place = fault.place
    where = place.source if place.line is None else f"{place.source}:{place.line}:{place.column}"
    return f"{as_path(fault.instance_path)}: {fault.message}    {where}"


def validators(answer: Answer) -> str:
    """Say what each of the two validators answered."""
    first = "valid" if answer.valid else "invalid"
    if answer.second is None:
        return f"jsonschema: {first}; jsonschema-rs abstains: {answer.abstains}"
    return f"jsonschema: {first}; jsonschema-rs: {'valid' if answer.second else 'invalid'}"


def conclusion(found: Verification) -> str:
    """Say in one sentence what the instance shows."""
    if found.disputed:
        return "The two validators contradict each other: this instance shows nothing."
    if found.breaks is Direction.BACKWARD:
        return "Valid under OLD, invalid under NEW: data written under the old version fails."
    if found.breaks is Direction.FORWARD:
        return "Invalid under OLD, valid under NEW: readers still on the old version reject it."
    return f"{'Valid' if found.old.valid else 'Invalid'} under both: this instance shows no difference."


def render(found: Verification, old: str, new: str, *, exit_code: int) -> str:
    """Write the answers as indented JSON."""
    document: Mapping[str, JSON] = {
        "format": FORMAT,
        "exit_code": int(exit_code),
        "witness": found.value,
        "breaks": None if found.breaks is None or found.disputed else found.breaks.value,
        "disputed": found.disputed,
        "marker": found.marker,
        "old": _side(old, found.old),
        "new": _side(new, found.new),
    }
    return json_text(dumps(document, indent=2)) + "\n"


def _side(name: str, answer: Answer) -> JSON:
    return {
        "name": name,
        "valid": answer.valid,
        "jsonschema": answer.valid,
        "jsonschema_rs": answer.second,
        "abstains": answer.abstains,
        "faults": [
            {
                "instance_path": fault.instance_path,
                "message": fault.message,
                "source": fault.place.source,
                "pointer": fault.place.pointer,
                "line": fault.place.line,
                "column": fault.place.column,
            }
            for fault in answer.faults
        ],
        "more": answer.more,
    }

"""What must hold of every witness that is shown, whatever it was built on."""

from __future__ import annotations

from typing import Any

from compat.compare import Comparison
from compat.jsonvalue import JSON, dumps, equal, resolve
from compat.model.instance import Validator
from compat.model.references import SchemaSet
from compat.proof.lifelike import ROOM
from compat.proof.verdict import Reason
from compat.relation import Direction, Status


def size(value: JSON) -> int:
    return len(dumps(value).encode("utf-8", "surrogatepass"))


def faults(result: Comparison, old: SchemaSet, new: SchemaSet) -> list[str]:
    """Say what is wrong with the witnesses of a comparison; nothing should be."""
    found: list[str] = []
    for direction in Direction:
        verdict = result.verdict(direction)
        if verdict.status is not Status.BREAKING:
            if verdict.origin is not None:
                found.append(f"{direction}: {verdict.status}, and a witness from somewhere")
            continue
        left, right = (old, new) if direction is Direction.BACKWARD else (new, old)
        accepts, rejects = Validator(left), Validator(right)
        raw = verdict._verdict.witness  # the smallest one, as the search found it
        told = [("verdict", verdict.witness, raw)]
        for one, other in zip(verdict.reasons, verdict.found, strict=True):
            told.append((one.keyword_location, one.witness, other.witness))
        for name, value, smallest in told:
            if not accepts.is_valid(value):
                found.append(f"{direction} {name}: not valid under the accepting side: {dumps(value)}")
            if rejects.is_valid(value):
                found.append(f"{direction} {name}: valid under the refusing side: {dumps(value)}")
            if size(value) > size(smallest) + ROOM:
                found.append(f"{direction} {name}: {size(value)} bytes where {size(smallest)} would do")
        for one, other in zip(verdict.reasons, verdict.found, strict=True):
            found += [f"{direction} {one.keyword_location}: {text}" for text in _unlike(one, other, rejects)]
    return found


def _unlike(one: Reason, other: Reason, rejects: Validator) -> list[str]:
    """Say in what a reason, told with real values, is another one than was found."""
    found = []
    if (one.source, one.keyword_location, one.undeclared) != (other.source, other.keyword_location, other.undeclared):
        found.append("another reason")
    if not equal(resolve(one.witness, one.instance_path), one.subject):
        found.append("the path does not lead to the value that is refused")
    where = {(failure.source, failure.keyword_location) for failure in rejects.failures(one.witness)}
    before = {(failure.source, failure.keyword_location) for failure in rejects.failures(other.witness)}
    if where.isdisjoint(before):
        found.append(f"fails at {where}, not at any of {before}")
    return found


def shown(result: Comparison) -> str:
    """Write all that a comparison says of instances."""
    texts: list[Any] = []
    for direction in Direction:
        verdict = result.verdict(direction)
        texts.append(verdict.witness)
        for reason in verdict.reasons:
            texts += [reason.witness, reason.subject, reason.message, reason.instance_path]
    for change in result.changes:
        for _, reason in result.reasons_of(change):
            texts += [reason.witness, reason.subject, reason.message]
    return dumps(texts)

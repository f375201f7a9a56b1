"""The answer to one direction."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from compat.jsonvalue import JSON, dumps
from compat.relation import Status


class Origin(StrEnum):
    """Where the real values in a witness come from."""

    EXAMPLE = "example"
    DEFAULT = "default"
    RECORD = "record"  # redacted: it has the form of a stored record and none of its values


@dataclass(frozen=True, slots=True)
class Reason:
    """One assertion that refuses some instance of the other side.

    `keyword_location` is a JSON Pointer in the document `source` (a URI or file name) of the refusing schema,
    `instance_path` a JSON Pointer into `witness`, `subject` the value there. `undeclared` is True when every instance
    that this assertion refuses needs a property that the accepting schema does not declare. `origin` says where the
    witness has real values from; None where it is made up.
    """

    source: str
    keyword_location: str
    instance_path: str
    witness: JSON
    subject: JSON = None
    message: str = ""
    undeclared: bool = False
    origin: Origin | None = None


def refusal(keyword: str, subject: JSON) -> str:
    """Say in a few words that a keyword refuses a value."""
    shown = dumps(subject)
    if len(shown) > 60:
        shown = shown[:57] + "…"
    return f"{keyword} refuses {shown}"


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a direction is unknown: a keyword location (may be empty) and the cause in words."""

    keyword_location: str
    why: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """Status of a direction with what supports it.

    `witness` means something only when `status` is breaking (None is a witness like any other). `undeclared` is
    True when every witness needs a property that the accepting schema does not declare.
    """

    status: Status
    witness: JSON = None
    undeclared: bool = False
    doubts: tuple[Doubt, ...] = ()
    steps: int = 0

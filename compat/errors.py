"""What can go wrong, as records: what happened, where, what to do, and the exit code it deserves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import ClassVar


class ExitCode(IntEnum):
    """Exit codes of the command line; 3 wins over 1."""

    OK = 0
    FINDINGS = 1
    USAGE = 2
    UNCHECKED = 3
    INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A line of source with a mark on it: `length` characters of `text` from the offset `start`.

    A very long line is cut to a window around the mark; `length` is that of what is marked even where the window ends
    before it. `lines` is the whole text that the line is from, where somebody may want to show what is around it; it
    is no part of what an excerpt says.
    """

    text: str
    start: int
    length: int
    lines: Sequence[str] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Place:
    """Where in which text: `source` as shown to people, `pointer` a JSON Pointer, line and column from 1.

    `excerpt` shows the place; it is no part of its identity.
    """

    source: str
    pointer: str | None = None
    line: int | None = None
    column: int | None = None
    excerpt: Excerpt | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        text = self.source
        if self.line is not None:
            text += f":{self.line}"
            if self.column is not None:
                text += f":{self.column}"
        if self.pointer:
            text += f" at {self.pointer}" if self.line is not None else f"#{self.pointer}"
        return text


class CompatError(Exception):
    """Anything the tool refuses: `message` says what, `place` where, `hint` what to do."""

    exit_code: ClassVar[ExitCode] = ExitCode.UNCHECKED

    def __init__(self, message: str, *, place: Place | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.hint = hint

    def __str__(self) -> str:
        text = self.message if self.place is None else f"{self.place}: {self.message}"
        return text if self.hint is None else f"{text}\n  {self.hint}"

    @property
    def location(self) -> str | None:
        """JSON Pointer of the offending place in its document, where there is one."""
        return None if self.place is None else self.place.pointer


class UsageError(CompatError):
    """The command line asks for something that has no meaning."""

    exit_code = ExitCode.USAGE


class ConfigError(CompatError):
    """The configuration is not what its schema allows."""

    exit_code = ExitCode.USAGE


class ParseError(CompatError):
    """A text is not the JSON or YAML it claims to be."""


class SchemaError(CompatError):
    """A schema is no valid schema of its dialect."""


class DialectError(SchemaError):
    """A schema is written in a dialect that is not supported."""


class ReferenceError(SchemaError):
    """A reference leads nowhere, outside the root, or to two places."""


class UnresolvedReference(ReferenceError):  # noqa: N818 - the name says it
    """A reference whose target nobody has; `uri` is what it means once resolved against its base."""

    def __init__(self, message: str, *, uri: str, place: Place | None = None, hint: str | None = None) -> None:
        super().__init__(message, place=place, hint=hint)
        self.uri = uri


class RegexError(SchemaError):
    """A regular expression is not one of ECMA-262."""


class SourceError(CompatError):
    """A file, revision or object could not be read."""


class RevisionError(SourceError):
    """A revision is missing, ambiguous, or behind the edge of a shallow clone."""


class RecordError(CompatError):
    """A stored record could not be read."""


class WorkerError(CompatError):
    """A process that did a part of the work died, or could not do it."""


class OutputError(CompatError):
    """A report or record could not be written."""


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """Word a hint for a name that is not known, or None where nothing known is near."""
    from difflib import get_close_matches

    near = get_close_matches(word, list(known), n=3, cutoff=0.6)
    return f"Did you mean {' or '.join(repr(name) for name in near)}?" if near else None

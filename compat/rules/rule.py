"""The form of a rule: one row that names a kind of change, shows it, and says what to do about it."""

from __future__ import annotations

from dataclasses import dataclass

from compat.jsonvalue import JSON
from compat.relation import Effect

FIRST = "0.1.0"


@dataclass(frozen=True, slots=True)
class Example:
    """Two schemas whose difference is the rule's change and nothing else, with instances that tell them apart.

    `old_only` are valid under the old schema alone, `new_only` under the new one alone.
    """

    old: JSON
    new: JSON
    old_only: tuple[JSON, ...] = ()
    new_only: tuple[JSON, ...] = ()

    @property
    def swapped(self) -> Example:
        """The same example read backwards."""
        return Example(self.new, self.old, self.new_only, self.old_only)


@dataclass(frozen=True, slots=True)
class NoMirror:
    """Why the change read backwards is no change of a rule."""

    why: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of change.

    `expected` is what it does to the set of instances when it stands alone at the root; what it does in its place is
    proved. Severity is policy and not here. `remedy` completes "to stay compatible: …". `mirror` names the rule of the
    same change read backwards, which may be this one.
    """

    id: str
    keyword: str
    summary: str
    why: str
    remedy: str
    example: Example
    expected: Effect
    mirror: str | NoMirror
    since: str = FIRST


@dataclass(frozen=True, slots=True)
class Text:
    """What a rule says, apart from its example."""

    id: str
    summary: str
    why: str
    remedy: str


def mirrored(keyword: str, expected: Effect, example: Example, one: Text, other: Text) -> tuple[Rule, Rule]:
    """Make the rules of a change and of the same change read backwards; `expected` and `example` are the first's."""
    return (
        Rule(one.id, keyword, one.summary, one.why, one.remedy, example, expected, other.id),
        Rule(other.id, keyword, other.summary, other.why, other.remedy, example.swapped, expected.mirror, one.id),
    )


def alone(keyword: str, expected: Effect, example: Example, text: Text) -> Rule:
    """Make a rule that is its own mirror."""
    return Rule(text.id, keyword, text.summary, text.why, text.remedy, example, expected, text.id)

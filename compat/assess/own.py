"""Findings that no single change of a schema makes: deleted files, policy, waivers, what could not be pinned down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

INDIRECT_BREAK = "indirect-break"
NOT_PROVED = "not-proved"
POLICY_LOOSENED = "policy-loosened"
SCHEMA_DELETED = "schema-deleted"
WAIVER_ADDED = "waiver-added"
WAIVER_EXPIRED = "waiver-expired"
WAIVER_UNUSED = "waiver-unused"


@dataclass(frozen=True, slots=True)
class OwnRule:
    """A rule of the judgement itself; it has no keyword and no example, and needs none."""

    id: str
    summary: str
    why: str
    remedy: str


_ROWS = (
    OwnRule(
        INDIRECT_BREAK,
        "Old and new disagree on some instances, and no single change explains it.",
        "Keywords interact: two harmless edits can refuse together what each alone would let pass. The witness was "
        "checked against both versions, so the break is real even though it has no one line to blame.",
        "look at the witness and at the keyword that refuses it; undo one of the changes that meet there.",
    ),
    OwnRule(
        NOT_PROVED,
        "A direction was neither proved compatible nor refuted.",
        "The proof ran out of its budget of steps, or met something it cannot reason about, such as a reference that "
        "leads out of the repository. An unproved change never counts as compatible.",
        'simplify what the doubt names, or let it pass on purpose with unknown = "warn" or a waiver.',
    ),
    OwnRule(
        POLICY_LOOSENED,
        "The change asks less of its schemas than the base does.",
        "A pull request is judged by the policy of its merge base, so that it cannot choose its own judge. The looser "
        "policy holds once it is merged.",
        "merge the policy change on its own, reviewed by whoever owns the policy.",
    ),
    OwnRule(
        SCHEMA_DELETED,
        "A governed schema is gone.",
        "Stored records and readers still need the schema they were written for; nothing can be validated against a "
        "file that is not there.",
        "keep the file, marked deprecated, until nothing refers to it any more; a moved file is followed by itself.",
    ),
    OwnRule(
        WAIVER_ADDED,
        "The change brings a new waiver.",
        "Waivers are read from the merge base, so a new one does not silence anything in the change that adds it.",
        "merge the waiver first, or let a maintainer accept the finding in review.",
    ),
    OwnRule(
        WAIVER_EXPIRED,
        "A waiver is past its last day.",
        "What it silenced counts again. An expiry is a promise to look once more.",
        "fix what was waived, or give the waiver a new day and a reason for it.",
    ),
    OwnRule(
        WAIVER_UNUSED,
        "A waiver matches nothing in a schema that was compared.",
        "It may be misspelt, and then silences nothing; or it has done its work, and may later silence what it was "
        "never meant for.",
        "remove the waiver, or correct what it names.",
    ),
)

OWN_RULES: Mapping[str, OwnRule] = MappingProxyType({row.id: row for row in _ROWS})


def remedy_of(rule: str) -> str | None:
    """Give what would make a finding of this rule compatible, from this table or the catalogue of changes."""
    if rule in OWN_RULES:
        return OWN_RULES[rule].remedy
    from compat.rules.catalogue import RULES

    return RULES[rule].remedy if rule in RULES else None

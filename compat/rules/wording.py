"""Sentences that many rules share, each written once."""

from __future__ import annotations

OLD_DATA_FAILS = "Data that was valid may be rejected: stored records, replays, and producers on the old version fail."
OLD_READERS_FAIL = "Readers still on the old version may reject what is written under the new one."
BOTH_FAIL = "Old data may fail under the new version, and new data under the old one."
NO_INSTANCE = "No instance is judged differently."

MAJOR = "or release it as a new major version."
READERS_FIRST = "bring every reader to the new version before anyone writes what it newly accepts."
NOTHING = "nothing needs to be done."


def keep(what: str) -> str:
    """Advise against a narrowing."""
    return f"keep {what}, {MAJOR}"

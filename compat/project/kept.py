"""What history told in earlier runs, kept in the cache: the log as git wrote it, and what was read out of contents.

All of it is known by the hash of a commit or of a content, so it can be missing but never be out of date.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from compat.cache import Cache
from compat.jsonvalue import JSON
from compat.model.document import Syntax
from compat.project.closures import Closure
from compat.project.facts import Facts
from compat.sources.mainline import Told
from compat.sources.objects import split_log


@dataclass(slots=True)
class Known:
    """What was read out of contents: their facts, closures of commits, and faults by the identity of a closure."""

    facts: dict[tuple[str, Syntax], Facts] = field(default_factory=dict)
    closures: dict[tuple[str, str], Closure] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return len(self.facts) + len(self.closures) + len(self.faults)


class Kept:
    """The packs of one repository under one configuration; `about` holds all that what is in them depends on."""

    def __init__(self, cache: Cache, about: Mapping[str, JSON]) -> None:
        self._cache = cache
        self._about = about

    # The log

    def load(self) -> Told | None:
        """Give the log of an earlier run."""
        data = self._cache.load({**self._about, "pack": "log"})
        if data is None:
            return None
        chain, _, log = data.partition(b"\0")
        return Told(tuple(chain.decode().split()), tuple(split_log(log)))

    def save(self, told: Told) -> None:
        """Keep a log for later runs."""
        fields = (field for record in told.records for field in record)
        self._cache.save({**self._about, "pack": "log"}, b"\0".join(["\n".join(told.chain).encode(), *fields]))

    # Contents

    def known(self) -> Known:
        """Give what an earlier run read out of contents."""
        data = self._cache.load({**self._about, "pack": "contents"})
        try:
            return Known() if data is None else _read(json.loads(data))
        except (ValueError, TypeError, KeyError):
            return Known()

    def keep(self, known: Known) -> None:
        """Keep what was read out of contents."""
        self._cache.save({**self._about, "pack": "contents"}, json.dumps(_written(known)).encode())


def _written(known: Known) -> JSON:
    return {
        "facts": [
            [oid, syntax.value, one.digest, one.problem, one.numbered, one.leads]
            for (oid, syntax), one in known.facts.items()
        ],
        "closures": [[sha, path, one.identity, *sorted(one.shared)] for (sha, path), one in known.closures.items()],
        "faults": known.faults,
    }


def _read(kept: Mapping[str, list[list[str]]]) -> Known:
    found = Known()
    syntaxes = {one.value: one for one in Syntax}
    for oid, syntax, digest, problem, numbered, leads in kept["facts"]:
        found.facts[oid, syntaxes[syntax]] = Facts(digest, problem, numbered, None if leads is None else tuple(leads))
    for sha, path, identity, *shared in kept["closures"]:
        found.closures[sha, path] = Closure(identity, frozenset(shared))
    found.faults = dict(kept["faults"])
    return found

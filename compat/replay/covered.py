"""What was found to be exercised: version by version, and what could not be looked at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from compat.replay.coverage import Coverage, Facet
from compat.replay.strays import Stray
from compat.replay.summary import Trouble


@dataclass(frozen=True, slots=True)
class VersionCoverage:
    """What the records of one version exercise of its schema."""

    lineage: str
    version: str
    facets: tuple[Facet, ...]
    coverage: Coverage

    @property
    def covered(self) -> int:
        """How many of the facets some record shows."""
        return sum(facet in self.coverage.counts for facet in self.facets)

    def places(self) -> Iterator[tuple[str, str, tuple[Facet, ...]]]:
        """Yield each document and keyword location with its facets, in the order of the schema."""
        found: dict[tuple[str, str], list[Facet]] = {}
        for facet in self.facets:
            found.setdefault((facet.source, facet.location), []).append(facet)
        for (source, location), facets in found.items():
            yield source, location, tuple(facets)


@dataclass(frozen=True, slots=True)
class Covered:
    """The coverage of every version that was asked about, and the records that say nothing of any."""

    versions: tuple[VersionCoverage, ...]
    strays: tuple[Stray, ...] = ()
    troubles: tuple[Trouble, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every record could be looked at."""
        return not self.strays and not self.troubles

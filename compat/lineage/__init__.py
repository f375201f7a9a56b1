"""One contract through time: its versions, where a version number comes from, which pairs a mode requires."""

from __future__ import annotations

from compat.lineage.marker import Marker, MarkerSite, apart_from_marker, find_marker, root_constants
from compat.lineage.numbers import LEAST_BUMP, Bump, Scheme, Step, VersionNumber, least_bump, least_next, sufficient
from compat.lineage.origin import NumberSource, number_in_tag, version_of
from compat.lineage.versions import Lineage, RequiredPair, Version, group, pairs_required

__all__ = [
    "LEAST_BUMP",
    "Bump",
    "Lineage",
    "Marker",
    "MarkerSite",
    "NumberSource",
    "RequiredPair",
    "Scheme",
    "Step",
    "Version",
    "VersionNumber",
    "apart_from_marker",
    "find_marker",
    "group",
    "least_bump",
    "least_next",
    "number_in_tag",
    "pairs_required",
    "root_constants",
    "sufficient",
    "version_of",
]

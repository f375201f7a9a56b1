"""What a replay found, small whatever it read: counts, causes, first places, one short example each.

Summaries of parts add up to the summary of the whole, in any order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import TYPE_CHECKING, Final

from compat.jsonvalue import JSON, tokens
from compat.lineage import Marker
from compat.replay.causes import Cause, value_text
from compat.replay.parse import Kind
from compat.replay.read import Unreadable

if TYPE_CHECKING:
    from compat.replay.rejects import Rejected
    from compat.replay.strays import Stray

MOST_PLACES: Final = 3
MOST_UNREADABLE: Final = 5
# Beyond so many combinations of causes a record counts for one of its causes only.
MOST_COMBINATIONS: Final = 4_096


@dataclass(frozen=True, slots=True, order=True)
class RecordPlace:
    """A file and a physical line, or the element's first line in an array."""

    source: str
    line: int

    def __str__(self) -> str:
        return f"{self.source}:{self.line}"

    def moved(self, lines: int) -> RecordPlace:
        return RecordPlace(self.source, self.line + lines)


@dataclass(frozen=True, slots=True)
class Tally:
    """How many records had which outcome; the parts are all there is."""

    passes_both: int = 0
    newly_fails: int = 0
    failed_already: int = 0
    newly_passes: int = 0
    unreadable: int = 0
    unrouted: int = 0

    @property
    def read(self) -> int:
        return self.passed + self.failed + self.unreadable + self.unrouted

    @property
    def passed(self) -> int:
        """Records that the new schema accepts."""
        return self.passes_both + self.newly_passes

    @property
    def failed(self) -> int:
        """Records that the new schema refuses."""
        return self.newly_fails + self.failed_already

    @property
    def valid_before(self) -> int:
        """Records that kept to the version they were written under: those a change can break."""
        return self.passes_both + self.newly_fails

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.passes_both + other.passes_both,
            self.newly_fails + other.newly_fails,
            self.failed_already + other.failed_already,
            self.newly_passes + other.newly_passes,
            self.unreadable + other.unreadable,
            self.unrouted + other.unrouted,
        )


@dataclass(frozen=True, slots=True)
class Example:
    """The shortest record seen of a group; `redacted` where only its shape is kept. `size` is that of its text."""

    size: int
    place: RecordPlace
    value: JSON
    redacted: bool = True


@dataclass(frozen=True, slots=True)
class Group:
    """All newly failing records of one cause."""

    cause: Cause
    count: int
    places: tuple[RecordPlace, ...]
    example: Example

    def moved(self, lines: int) -> Group:
        places = tuple(place.moved(lines) for place in self.places)
        return replace(self, places=places, example=replace(self.example, place=self.example.place.moved(lines)))

    def merged(self, other: Group) -> Group:
        shortest = min(self.example, other.example, key=lambda example: (example.size, example.place))
        places = tuple(sorted({*self.places, *other.places}))[:MOST_PLACES]
        return Group(self.cause, self.count + other.count, places, shortest)


@dataclass(frozen=True, slots=True)
class Trouble:
    """Records of one kind that could not be read; `first` holds a few of them."""

    kind: Kind
    count: int
    first: tuple[Unreadable, ...]

    def moved(self, lines: int) -> Trouble:
        first = tuple(item if item.line is None else replace(item, line=item.line + lines) for item in self.first)
        return replace(self, first=first)

    def merged(self, other: Trouble) -> Trouble:
        first = sorted({*self.first, *other.first}, key=lambda item: (item.source, item.line or 0, item.column or 0))
        return Trouble(self.kind, self.count + other.count, tuple(first[:MOST_UNREADABLE]))


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A record about which the fast validator and the reference differ; the reference was believed."""

    place: RecordPlace
    schema: str
    fast: bool
    reference: bool


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the stored records say about a finding: of `records` that kept to the old version, `failing` break on it.

    `reaching` is how many have anything at its place, where somebody asked: where none has, none could say.
    """

    records: int
    failing: int
    first: str | None = None
    reaching: int | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """The outcome of replaying records against one pair of versions."""

    tally: Tally = Tally()
    groups: tuple[Group, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    failed_already: tuple[RecordPlace, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    disagreed: int = 0
    rechecked: int = 0
    combinations: Mapping[frozenset[Cause], int] = field(default_factory=dict)

    def __add__(self, other: Summary) -> Summary:
        return Summary(
            tally=self.tally + other.tally,
            groups=_merged_groups((*self.groups, *other.groups)),
            troubles=_merged_troubles((*self.troubles, *other.troubles)),
            failed_already=tuple(sorted({*self.failed_already, *other.failed_already}))[:MOST_PLACES],
            disagreements=_first_disagreements((*self.disagreements, *other.disagreements)),
            disagreed=self.disagreed + other.disagreed,
            rechecked=self.rechecked + other.rechecked,
            combinations=_merged_combinations(self.combinations, other.combinations),
        )

    def moved(self, lines: int) -> Summary:
        """Give the summary of a part of a file as that of the file, so many lines further down."""
        if not lines:
            return self
        return replace(
            self,
            groups=tuple(group.moved(lines) for group in self.groups),
            troubles=tuple(trouble.moved(lines) for trouble in self.troubles),
            failed_already=tuple(place.moved(lines) for place in self.failed_already),
            disagreements=tuple(replace(odd, place=odd.place.moved(lines)) for odd in self.disagreements),
        )

    def share(self, group: Group) -> float:
        """The part of the newly failing records that this cause accounts for."""
        return group.count / self.tally.newly_fails

    def evidence_for(
        self,
        keyword_locations: Iterable[str],
        instance_path: str | None = None,
        *,
        source: str | None = None,
        value: tuple[JSON, ...] = (),
    ) -> Evidence | None:
        """Count the records that fail at any of these places of the new schema; None where no record could say.

        A location matches itself, what lies below it and the keyword above it (`…/enum/1` and `…/enum`). With
        `instance_path` (`*` for any step) the failing place must lie on the same path, above it or below it. `value`
        wraps the one value, or the name of the one property, that a change is about; causes of another do not count.
        """
        if not self.tally.valid_before:
            return None
        places = tuple(keyword_locations)
        wanted = {value_text(each) for each in value}
        matching = {
            group.cause: group
            for group in self.groups
            if (source is None or group.cause.source == source)
            and any(_on_one_line(group.cause.keyword_location, place) for place in places)
            and (instance_path is None or _on_one_line(group.cause.instance_path, instance_path))
            and (not wanted or group.cause.value in {*wanted, ""})
        }
        failing = sum(count for causes, count in self.combinations.items() if not causes.isdisjoint(matching))
        first = min((place for group in matching.values() for place in group.places), default=None)
        return Evidence(self.tally.valid_before, failing, None if first is None else str(first))


@dataclass(frozen=True, slots=True)
class Replayed:
    """The records written under one version of a lineage, against a later one.

    `old` and `new` are what people call the two sides. `note` says why nothing could be validated, where that is so,
    and `strays` which records and why. `rejects` are those of the old version. Where records are asked about every
    later version, all but the newest are `between`: their records count once.
    """

    lineage: str
    old: str
    new: str
    summary: Summary
    files: tuple[str, ...] = ()
    marker: Marker | None = None
    note: str = ""
    strays: tuple[Stray, ...] = ()
    rejects: Rejected | None = None
    between: bool = False


def total(summaries: Iterable[Summary]) -> Summary:
    """Add summaries up."""
    return reduce(lambda one, other: one + other, summaries, Summary())


def ordered(groups: Iterable[Group]) -> tuple[Group, ...]:
    """Put the causes that most records share first."""
    return tuple(sorted(groups, key=lambda group: (-group.count, group.cause)))


def _merged_groups(groups: Iterable[Group]) -> tuple[Group, ...]:
    merged: dict[Cause, Group] = {}
    for group in groups:
        known = merged.get(group.cause)
        merged[group.cause] = group if known is None else known.merged(group)
    return ordered(merged.values())


def _merged_troubles(troubles: Iterable[Trouble]) -> tuple[Trouble, ...]:
    merged: dict[Kind, Trouble] = {}
    for trouble in troubles:
        known = merged.get(trouble.kind)
        merged[trouble.kind] = trouble if known is None else known.merged(trouble)
    return tuple(merged[kind] for kind in Kind if kind in merged)


def _first_disagreements(found: Iterable[Disagreement]) -> tuple[Disagreement, ...]:
    return tuple(sorted(set(found), key=lambda item: (item.place, item.schema)))[:MOST_PLACES]


def _merged_combinations(
    one: Mapping[frozenset[Cause], int], other: Mapping[frozenset[Cause], int]
) -> dict[frozenset[Cause], int]:
    merged = dict(one)
    for causes, count in other.items():
        count_combination(merged, causes, count)
    return merged


def count_combination(combinations: dict[frozenset[Cause], int], causes: frozenset[Cause], count: int = 1) -> None:
    """Count records that share exactly these causes, in bounded memory."""
    if causes not in combinations and len(combinations) >= MOST_COMBINATIONS:
        causes = frozenset({min(causes)})
    combinations[causes] = combinations.get(causes, 0) + count


def _on_one_line(one: str, other: str) -> bool:
    return all(a == b or "*" in (a, b) for a, b in zip(tokens(one), tokens(other), strict=False))

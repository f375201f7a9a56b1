"""One pair of versions, from two schemas to the report of one: apart from the version marker, under a policy."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from compat.assess.judge import judge
from compat.assess.model import Finding, Names, Outcome, SchemaReport
from compat.assess.places import Places
from compat.compare import Comparison, compare
from compat.diff.wording import counted
from compat.jsonvalue import JSON, dumps
from compat.lineage import Marker, VersionNumber, apart_from_marker, version_of
from compat.model.instance import Formats
from compat.model.references import SchemaSet
from compat.policy import Policy
from compat.proof.containment import STEPS
from compat.relation import Status
from compat.replay.summary import Summary

# Counts the stored records that have anything at each of some places.
Reach = Callable[[Collection[str]], Mapping[str, int]]
# Replays a lineage's records against the two schemas that are compared; None where it has none.
ReplayPair = Callable[[SchemaSet, SchemaSet], Summary | None]


@dataclass(frozen=True)
class LineagePair:
    """Two versions of one lineage, compared apart from the version marker that every honest bump changes.

    `old` and `new` are what is compared: where a marker changed, both sides admit either value of it. `records` are
    stored instances that witnesses may take their form from.
    """

    old: SchemaSet
    new: SchemaSet
    marker: Marker | None
    formats: Formats = "annotation"
    steps: int = STEPS
    records: Iterable[JSON] = field(default=(), compare=False)

    @cached_property
    def comparison(self) -> Comparison:
        return compare(self.old, self.new, formats=self.formats, steps=self.steps, records=self.records)


def lineage_pair(
    old: SchemaSet,
    new: SchemaSet,
    *,
    as_written: bool = False,
    marker: str | None = None,
    formats: Formats = "annotation",
    steps: int = STEPS,
    records: Iterable[JSON] = (),
) -> LineagePair:
    """Set two versions apart from their marker; `as_written` leaves it in, and then an honest bump breaks everything.

    A schema inside a larger document keeps its marker: the document is versioned, not the part. `marker` is the
    configured property that carries it. `steps` bounds the work of one direction.
    """
    if as_written or old.root.pointer or new.root.pointer:
        return LineagePair(old, new, None, formats, steps, records)
    before, after, found = apart_from_marker(
        old.root.document.value,
        new.root.document.value,
        old_number=_number(old),
        new_number=_number(new),
        name=marker,
    )
    if found is None:
        return LineagePair(old, new, None, formats, steps, records)
    return LineagePair(old.replaced(before), new.replaced(after), found, formats, steps, records)


def _number(schemas: SchemaSet) -> VersionNumber | None:
    document = schemas.root.document
    found = version_of(document.value, document.uri.removeprefix("file:///") or document.name)
    return None if found is None else found[0]


def report_pair(
    pair: LineagePair,
    policy: Policy,
    *,
    name: str,
    lineage: str,
    old_name: str | None = None,
    replay: ReplayPair | None = None,
    reach: Reach | None = None,
    names: Names | None = None,
) -> SchemaReport:
    """Compare a pair and judge it; records are replayed only where old data may fail.

    Where none of them does, `reach` tells whether any could have. `names` is how a command line would name the two, so
    that every finding can be met again.
    """
    comparison = pair.comparison
    places = Places(pair.old.documents(), pair.new.documents())
    replayed = None
    asked = replay is not None and comparison.backward.status is not Status.COMPATIBLE
    if replay is not None and asked:
        replayed = replay(pair.old, pair.new)
    findings = judge(comparison, policy, lineage=lineage, places=places, replayed=replayed)
    if reach is not None:
        findings = tuple(_reached(findings, reach))
    return SchemaReport(
        name,
        Outcome.COMPARED,
        lineage,
        old_name=old_name,
        policy=policy,
        findings=tuple(replace(finding, names=names) for finding in findings),
        backward=comparison.backward.status,
        forward=comparison.forward.status,
        marker=None if pair.marker is None else marker_line(pair.marker),
        records=None if replayed is None else replayed.tally.valid_before,
        notes=(*comparison.notes, *(_silent(replayed) if asked else ()), *_unread(replayed)),
    )


def _reached(findings: Sequence[Finding], reach: Reach) -> Iterator[Finding]:
    """Say of evidence that nothing fails whether any record has what the finding is about."""
    places = {_felt(each) for each in findings if each.evidence is not None and not each.evidence.failing}
    counts = reach(places) if places else {}
    for finding in findings:
        seen = finding.evidence
        known = None if seen is None or seen.failing else counts.get(_felt(finding))
        yield finding if seen is None or known is None else replace(finding, evidence=replace(seen, reaching=known))


def _felt(finding: Finding) -> str:
    """Give the place of a record at which a change can be felt: for a property that is asked for, what lacks it."""
    return finding.instance_path if finding.change is None else finding.change.instance_path


def _silent(replayed: Summary | None) -> tuple[str, ...]:
    """Say that the records say nothing, and why."""
    if replayed is None:
        return ("no records are stored, so none could say whether data does this",)
    if replayed.tally.valid_before:
        return ()
    return ("no stored record keeps to the old version, so none could say whether data does this",)


def _unread(replayed: Summary | None) -> tuple[str, ...]:
    if replayed is None or not replayed.tally.unreadable:
        return ()
    return (f"{counted(replayed.tally.unreadable, 'stored record')} could not be read; compat replay names them",)


def marker_line(marker: Marker) -> str:
    """Say that the version tag changed, which the verdict leaves out: "version tag 1 → 2: route by version"."""
    return f"version tag {dumps(marker.old)} → {dumps(marker.new)}: route by version"

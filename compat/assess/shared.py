"""A change in a file that several schemas refer to is told once, where it stands, with the schemas it reaches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from compat.assess.judge import LEVEL_ORDER, ordered
from compat.assess.model import Affected, Finding, Outcome, SchemaReport
from compat.jsonvalue import canonical


@dataclass(frozen=True, slots=True)
class _Sighting:
    """One schema's view of a change that stands in another file."""

    schema: SchemaReport
    finding: Finding


def fold_shared(schemas: Sequence[SchemaReport]) -> tuple[SchemaReport, ...]:
    """Move findings that stand in shared files to a report of that file; verdicts stay with each schema.

    A file counts as shared when it is governed and was compared itself, or when at least two schemas met the same
    change in it. The schemas name the file in `through`.
    """
    own = {schema.name: schema for schema in schemas if schema.outcome is Outcome.COMPARED}
    sightings: dict[tuple[str, bytes], list[_Sighting]] = defaultdict(list)
    for schema in schemas:
        for finding in schema.findings:
            if _elsewhere(finding, schema):
                sightings[finding.file, _identity(finding)].append(_Sighting(schema, finding))
    moved = {key: seen for key, seen in sightings.items() if key[0] in own or len(seen) > 1}
    if not moved:
        return tuple(schemas)
    by_file: dict[str, dict[bytes, list[_Sighting]]] = defaultdict(dict)
    for (file, identity), seen in moved.items():
        by_file[file][identity] = seen
    kept = [_without(schema, moved) for schema in schemas]
    reports = [_joined(schema, by_file.pop(schema.name)) if schema.name in by_file else schema for schema in kept]
    for file, findings in by_file.items():
        first = next(iter(findings.values()))[0].schema
        shared = SchemaReport(file, Outcome.SHARED, policy=first.policy)
        reports.append(_joined(shared, findings))
    return tuple(sorted(reports, key=lambda schema: schema.name))


def _elsewhere(finding: Finding, schema: SchemaReport) -> bool:
    return finding.change is not None and finding.file not in ("", schema.name, schema.old_name)


def _identity(finding: Finding) -> bytes:
    """Name a change by its place in the shared file; what it does to each schema is left out."""
    change = finding.change
    assert change is not None
    sides = [[side.pointer, side.exists, side.value] for side in (change.old, change.new)]
    return canonical([finding.rule, sides])


def _without(schema: SchemaReport, moved: Iterable[tuple[str, bytes]]) -> SchemaReport:
    gone = set(moved)
    stays, files = [], set(schema.through)
    for finding in schema.findings:
        if _elsewhere(finding, schema) and (finding.file, _identity(finding)) in gone:
            files.add(finding.file)
        else:
            stays.append(finding)
    return replace(schema, findings=tuple(stays), through=tuple(sorted(files)))


def _joined(schema: SchemaReport, sightings: dict[bytes, list[_Sighting]]) -> SchemaReport:
    """Add what other schemas saw in this file to what it says itself; the worst level of all of them counts."""
    findings = []
    for finding in schema.findings:
        seen = sightings.pop(_identity(finding), []) if finding.change is not None else []
        findings.append(_merged([finding, *(sighting.finding for sighting in seen)], seen))
    findings += [_merged([sighting.finding for sighting in seen], seen) for seen in sightings.values()]
    return replace(schema, findings=ordered(findings))


def _merged(views: Sequence[Finding], seen: Sequence[_Sighting]) -> Finding:
    # What one schema accepts, another may not: a view that counts stands before those that are let pass.
    worst = min(views, key=lambda finding: (not finding.counts, LEVEL_ORDER[finding.level]))
    affects = tuple(
        Affected(sighting.schema.name, sighting.finding.lineage, sighting.finding.instance_path, sighting.finding.level)
        for sighting in sorted(seen, key=lambda sighting: sighting.schema.name)
    )
    return replace(worst, affects=affects) if affects else worst

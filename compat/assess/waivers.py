"""Waivers: findings somebody accepted in writing, and waivers that no longer do anything."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from compat.assess.judge import fingerprint, ordered
from compat.assess.model import Finding, Outcome, Report
from compat.assess.own import WAIVER_EXPIRED, WAIVER_UNUSED, remedy_of
from compat.errors import did_you_mean
from compat.jsonvalue import JSON
from compat.loosening import Loosening, loosenings
from compat.policy import Policies, Waiver
from compat.relation import Level


def with_waivers(report: Report, policies: Policies, today: date, lineages: Collection[str] = ()) -> Report:
    """Mark the findings that are waived, and add a finding for each waiver that is expired or matches nothing.

    An expired waiver silences nothing. One is called unused only where the schema it names was compared: a waiver
    for a schema that nobody touched is waiting, not dead. Where the `lineages` there are are known, one for another
    name is told as well: nothing will ever match it.
    """
    waivers = policies.waivers
    if not waivers:
        return report
    used: set[int] = set()
    schemas = tuple(
        replace(schema, findings=tuple(_waived(finding, waivers, today, used) for finding in schema.findings))
        for schema in report.schemas
    )
    compared = {schema.lineage for schema in report.schemas if schema.outcome in (Outcome.COMPARED, Outcome.DELETED)}
    own = tuple(_about(waivers, policies, today, used, compared, compared.union(lineages) if lineages else None))
    return replace(report, schemas=schemas, findings=ordered((*report.findings, *own)))


def _waived(finding: Finding, waivers: Sequence[Waiver], today: date, used: set[int]) -> Finding:
    """Attach a waiver to a finding that is waived for every lineage it reaches."""
    if finding.level is Level.SAFE:
        return finding
    found = [_waiver(finding, lineage, path, waivers, today, used) for lineage, path in _views(finding)]
    return finding if None in found else replace(finding, waiver=found[0])


def _views(finding: Finding) -> list[tuple[str, str]]:
    """Give lineage and instance path of every schema that a finding matters to."""
    reached = [
        (affected.lineage, affected.instance_path) for affected in finding.affects if affected.level is not Level.SAFE
    ]
    return list(dict.fromkeys(((finding.lineage, finding.instance_path), *reached)))


def _waiver(
    finding: Finding, lineage: str, path: str, waivers: Sequence[Waiver], today: date, used: set[int]
) -> Waiver | None:
    """Give the first waiver in force that means a finding of one lineage; those it may use are noted in `used`."""
    for index, waiver in enumerate(waivers):
        if waiver.matches(
            lineage=lineage,
            rule=finding.rule,
            instance_path=path,
            values=values_of(finding),
            fingerprint=finding.fingerprint,
        ):
            used.add(index)
            if not waiver.expired(today):
                return waiver
    return None


def values_of(finding: Finding) -> tuple[JSON, ...]:
    """Give the values that a waiver may name: what stood there before and what stands there now."""
    change = finding.change
    return () if change is None else tuple(side.value for side in (change.old, change.new) if side.exists)


def _about(
    waivers: Sequence[Waiver],
    policies: Policies,
    today: date,
    used: set[int],
    compared: set[str],
    known: Collection[str] | None,
) -> Iterator[Finding]:
    for index, waiver in enumerate(waivers):
        if waiver.schema is not None and known is not None and waiver.schema not in known:
            message = f"The waiver for {waiver} names no lineage that is here."
            hint = did_you_mean(waiver.schema, known) or "compat list shows the lineages."
            yield replace(_own(WAIVER_UNUSED, waiver, policies, message), hint=hint)
        elif waiver.expired(today):
            yield _own(WAIVER_EXPIRED, waiver, policies, f"The waiver for {waiver} expired on {waiver.expires}.")
        elif index not in used and waiver.schema in compared:
            yield _own(WAIVER_UNUSED, waiver, policies, f"The waiver for {waiver} matches nothing here.")


def _own(rule: str, waiver: Waiver, policies: Policies, message: str) -> Finding:
    return _finding(rule, waiver.schema or "", message, policies, waiver)


def _finding(rule: str, lineage: str, message: str, policies: Policies, waiver: Waiver | None = None) -> Finding:
    level = policies.of(lineage).level(rule, "", Level.RISKY)
    return Finding(
        rule=rule,
        level=level,
        lineage=lineage,
        fingerprint=fingerprint(rule, lineage, "", (message,)),
        message=message,
        file=waiver.place.source if waiver is not None and waiver.place is not None else "",
        new_place=None if waiver is None else waiver.place,
        remedy=remedy_of(rule),
    )


def policy_findings(base: Policies, head: Policies, more: Iterable[Loosening] = ()) -> tuple[Finding, ...]:
    """Say what the head asks less than the base, which is the one that judges; `more` is what is no policy."""
    return ordered(
        replace(_finding(loose.rule, "", loose.message, base), new_place=loose.place)
        for loose in (*loosenings(base, head), *more)
    )

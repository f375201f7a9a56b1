"""The gate over a project: every lineage against its last release, and what this change says was released."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from compat.gate import Judgement, edited, false_record, judge
from compat.lineage import Lineage, Version, VersionNumber, sufficient
from compat.policy import Policy
from compat.project import Project, Side
from compat.project.claims import Claims, claims, contradictions, trusted_commit, where
from compat.project.floors import above_floor, unused_floor
from compat.project.releases import Released, last_release
from compat.project.removing import lineages_gone, removals, versions_gone
from compat.project.states import closed, present, readable, require_tags, step_between
from compat.proof.containment import STEPS

__all__ = ["Gate", "closed", "gate", "present", "readable", "require_tags", "step_between"]


@dataclass(frozen=True)
class Gate:
    """How lineages are judged: as of which day, with how much work, down to which floor instead of the configured."""

    project: Project
    today: date | None = None
    steps: int = STEPS
    floor: str | None = None
    believed: str | None = None

    @cached_property
    def base(self) -> str | None:
        """The commit whose release records count as they are: the one that is `believed`, else the base."""
        return trusted_commit(self.project, self.believed)

    def judge(self, lineage: Lineage) -> Iterator[Judgement]:
        """Judge one lineage: its claims, what is there against its last release, and versions beside it.

        CompatError where a side cannot be read.
        """
        policy = self.project.policies().of(lineage.name)
        told = claims(self.project, lineage, self.base)
        for row in told.lost:
            lost = next(one.release for one in told.known if one.record is row)
            note = f"{self.project.history.releases_path(lineage.name)} no longer tells of it; rows are only ever added"
            yield false_record(lineage.name, lost, note)
        yield from self._claimed(lineage, told, policy)
        last = last_release(told.all)
        if last is None:
            yield self._unreleased(lineage, policy)
            return
        yield self._newest(lineage, told.all, last, policy)
        for path in lineage.files[:-1]:
            yield from self._beside(lineage, Side(present(self.project, lineage).moment, path), told.all, policy)
        yield from versions_gone(self.project, lineage, self.base)

    def gone(self) -> Iterator[Judgement]:
        """Judge the lineages that were released and have no schema any more."""
        yield from lineages_gone(self.project, self.base)

    # The newest state

    def _unreleased(self, lineage: Lineage, policy: Policy) -> Judgement:
        require_tags(self.project, lineage)
        now = present(self.project, lineage)
        number = now.moment.number(now.path)
        declared = None if number is None else number[0]
        judgement = judge(lineage.name, None, declared, digest=now.document.digest, pair=None, policy=policy)
        if self.project.repository is None:
            note = "there is no git repository here, so tags could not tell of a release"
            judgement = replace(judgement, notes=(*judgement.notes, note))
        return judgement

    def _newest(self, lineage: Lineage, out: Sequence[Released], last: Released, policy: Policy) -> Judgement:
        now = present(self.project, lineage)
        number = now.moment.number(now.path)
        declared = None if number is None else number[0]
        before = self.project.version_sides(readable(self.project, lineage, last))
        if now.document.digest == last.release.digest and closed(before) == closed(now):
            return judge(lineage.name, last.release, declared, digest=last.release.digest, pair=None, policy=policy)
        judgement = self._between(lineage, last, before, now, declared, out, policy)
        return self._transitive(lineage, judgement, out, last, now, policy)

    def _between(
        self,
        lineage: Lineage,
        last: Released,
        before: Side,
        after: Side,
        declared: VersionNumber | None,
        out: Sequence[Released],
        policy: Policy,
    ) -> Judgement:
        step = step_between(self.project, lineage, before, after, policy, self.steps)
        upto = out[: out.index(last) + 1] if last in out else out
        return judge(
            lineage.name,
            last.release,
            declared,
            digest=closed(after),
            pair=step.pair.comparison,
            policy=policy,
            findings=step.findings,
            removals=removals(self.project, lineage, before, after, upto, step.findings, self.today),
            today=self.today,
        )

    def _transitive(
        self,
        lineage: Lineage,
        judgement: Judgement,
        out: Sequence[Released],
        last: Released,
        now: Side,
        policy: Policy,
    ) -> Judgement:
        """Hold the number against every earlier release, too: each step to it has to be announced.

        The first that asks for more than the last release does is what the judgement is about.
        """
        floor = self.floor or policy.floor
        earlier: list[Released] = [one for one in out if one is not last and one.release.number is not None]
        notes: tuple[str, ...] = ()
        if floor is not None and not policy.mode.transitive:
            notes = (unused_floor(floor, policy.mode),)
        elif floor is not None:
            supported = above_floor(self.project, lineage, _all_versions(self.project, lineage, out), floor)
            kept = {version.digest for version in supported.versions}
            earlier = [one for one in earlier if one.release.digest in kept]
            notes = (supported.line,)
        judgement = replace(judgement, notes=(*judgement.notes, *notes))
        if not policy.mode.transitive or judgement.fails or judgement.declared is None:
            return judgement
        seen = {last.release.digest}
        for one in reversed(earlier):
            if one.release.digest in seen:
                continue
            seen.add(one.release.digest)
            before = self.project.version_sides(readable(self.project, lineage, one))
            step = step_between(self.project, lineage, before, now, policy, self.steps)
            found = judge(
                lineage.name,
                one.release,
                judgement.declared,
                digest=closed(now),
                pair=step.pair.comparison,
                policy=policy,
                findings=step.findings,
                today=self.today,
            )
            assert one.release.number is not None
            if found.fails and not sufficient(one.release.number, judgement.declared, found.step):
                note = f"enough since {last.release.label}, and {policy.mode} asks about every earlier version"
                return replace(found, notes=(*found.notes, note, *notes))
        return judgement

    # Claims, and versions beside the newest

    def _claimed(self, lineage: Lineage, told: Claims, policy: Policy) -> Iterator[Judgement]:
        """Judge the releases that only this change knows of, each against the one before it; honest ones are silent."""
        earlier = list(told.known)
        for one in told.new:
            place = where(self.project, lineage.name, one.release, one.record)
            for why in contradictions(self.project, lineage, one, told.rows):
                yield false_record(lineage.name, one.release, f"{place}: {why}")
            judgement = self._claim(lineage, one, earlier, policy)
            if judgement is not None and judgement.fails:
                yield replace(judgement, notes=(*judgement.notes, f"said to be released by this change ({place})"))
            earlier.append(one)

    def _claim(self, lineage: Lineage, one: Released, earlier: Sequence[Released], policy: Policy) -> Judgement | None:
        number = one.release.number
        after = self.project.version_sides(readable(self.project, lineage, one))
        same = [other for other in earlier if number is not None and other.release.number == number]
        if same:
            return self._edit(lineage, same, after, policy)
        below = [
            other
            for other in earlier
            if number is None or other.release.number is None or other.release.number < number
        ]
        last = last_release(below)
        if last is None or last.release.digest == one.release.digest:
            return None
        before = self.project.version_sides(readable(self.project, lineage, last))
        return self._between(lineage, last, before, after, number, below, policy)

    def _beside(self, lineage: Lineage, side: Side, out: Sequence[Released], policy: Policy) -> Iterator[Judgement]:
        """Judge an older version that stands beside the newest: once released, it stays as it is."""
        number = side.moment.number(side.path)
        same = [one for one in out if number is not None and one.release.number == number[0]]
        judgement = self._edit(lineage, same, side, policy) if same else None
        if judgement is not None:
            yield judgement

    def _edit(self, lineage: Lineage, same: Sequence[Released], side: Side, policy: Policy) -> Judgement | None:
        """Judge a state that carries the number of releases; None where it is one of them."""
        if any(one.release.digest == side.document.digest for one in same):
            return None
        before = self.project.version_sides(readable(self.project, lineage, same[-1]))
        step = step_between(self.project, lineage, before, side, policy, self.steps)
        return edited(
            lineage.name,
            same[-1].release,
            step.pair.comparison,
            policy,
            findings=step.findings,
            removals=removals(self.project, lineage, before, side, same, step.findings, self.today),
            today=self.today,
        )


def _all_versions(project: Project, lineage: Lineage, out: Sequence[Released]) -> tuple[Version, ...]:
    """Give the versions that were released and those that never were, for a floor to name any; oldest first."""
    found = {one.version.digest: one.version for one in out if one.version is not None}
    for version in project.versions(lineage):
        if version.digest:
            found.setdefault(version.digest, version)

    def age(version: Version) -> tuple[bool, VersionNumber | float]:
        if lineage.side_by_side:
            return version.number is None, version.number or 0.0
        return version.when is None, 0.0 if version.when is None else version.when.timestamp()

    return tuple(sorted(found.values(), key=age))


def gate(project: Project, lineage: Lineage, *, today: date | None = None, steps: int = STEPS) -> Iterator[Judgement]:
    """Judge one lineage; see Gate."""
    yield from Gate(project, today, steps).judge(lineage)

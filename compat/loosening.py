"""What a change asks less of its schemas than the base does: a pull request does not choose its own judge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from compat.errors import Place
from compat.jsonvalue import canonical
from compat.policy import ANY_RULE, Announced, Policies, Policy, Treatment, Waiver, as_path, as_pointer
from compat.relation import Level


@dataclass(frozen=True, slots=True)
class Loosening:
    """Something the head asks less of than the base does."""

    rule: str
    message: str
    place: Place | None = None


def loosenings(base: Policies, head: Policies) -> Iterator[Loosening]:
    """Yield where `head` asks less than `base`, in a fixed order: modes, treatments, severities, then new waivers."""
    names: list[str | None] = [None, *sorted({*base.lineages, *head.lineages})]
    for name in names:
        old, new = (base.default, head.default) if name is None else (base.of(name), head.of(name))
        if name is not None and (old, new) == (base.default, head.default):
            continue  # said once, about the default
        about = "" if name is None else f" of {name}"
        lost = set(old.mode.directions) - set(new.mode.directions)
        if lost or (old.mode.transitive and not new.mode.transitive):
            yield Loosening("policy-loosened", f"compatibility{about}: {old.mode} becomes {new.mode}.")
        for key, was, now in (
            ("undeclared", old.undeclared, new.undeclared),
            ("unknown", old.unknown, new.unknown),
        ):
            if _STRICTNESS[now] < _STRICTNESS[was]:
                yield Loosening("policy-loosened", f"{key}{about}: {was} becomes {now}.")
        if (old.announced, new.announced) == (Announced.ERROR, Announced.ACCEPT):
            yield Loosening("policy-loosened", f"announced{about}: {old.announced} becomes {new.announced}.")
        if new.floor is not None and new.floor != old.floor:
            yield Loosening("policy-loosened", f"floor{about}: {old.floor or 'none'} becomes {new.floor}.")
        if new.notice < old.notice:
            yield Loosening("policy-loosened", f"deprecate-before-removal{about}: {old.notice} becomes {new.notice}.")
        before, after = _severities(old), _severities(new)
        for row in sorted({*before, *after}):
            if (said := _lowered(before.get(row), after.get(row))) is not None:
                yield Loosening("policy-loosened", f"severity{about}: {_row_name(*row)} {said}.")
    known = {_identity(waiver) for waiver in base.waivers}
    for waiver in head.waivers:
        if _identity(waiver) not in known:
            yield Loosening("waiver-added", f"a waiver for {waiver}: {waiver.reason}", waiver.place)


def _severities(policy: Policy) -> dict[tuple[str, str], Level]:
    return {
        **{(rule, ""): level for rule, level in policy.severity.items()},
        **{(rule, as_path(place)): level for (rule, place), level in policy.severity_at.items()},
    }


def _row_name(rule: str, place: str) -> str:
    name = "every rule" if rule == ANY_RULE else rule
    return f"{name} at {place}" if place else name


def _lowered(before: Level | None, after: Level | None) -> str | None:
    """Say how a row of severities asks for less; one that goes leaves the proof's own word, which may be less."""
    if after is None:
        return f"is no longer {before}" if before in (Level.BREAKING, Level.UNKNOWN) else None
    if after is Level.BREAKING or (before is not None and _WEIGHT[after] >= _WEIGHT[before]):
        return None
    return f"becomes {after}"


_STRICTNESS = {Treatment.IGNORE: 0, Treatment.WARN: 1, Treatment.ERROR: 2}
_WEIGHT = {Level.SAFE: 0, Level.RISKY: 1, Level.UNKNOWN: 2, Level.BREAKING: 3}


def _identity(waiver: Waiver) -> object:
    value = tuple(canonical(item) for item in waiver.value)
    return waiver.fingerprint, waiver.schema, waiver.rule, waiver.at and as_pointer(waiver.at), value, waiver.expires

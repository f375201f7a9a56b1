"""What a team asks of its schemas: the mode, how undeclared and unproved count, severities, and what it has waived.

Pure: a parsed configuration table in, a `Policies` out. Who reads the table, and from which revision, is not decided
here; a pull request must not choose its own judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from enum import StrEnum

from compat.errors import ConfigError, Place, did_you_mean
from compat.jsonvalue import JSON, canonical, equal, pointer, tokens
from compat.relation import Level, Mode


class Treatment(StrEnum):
    """What to do about a finding that is true but may not matter."""

    ERROR = "error"
    WARN = "warn"
    IGNORE = "ignore"


# The keys of a configuration table that are read here; the rest of it is about sources.
POLICY_KEYS = frozenset({"compatibility", "undeclared", "unknown", "severity"})
WAIVER_KEYS = ("schema", "rule", "at", "value", "fingerprint", "reason", "owner", "expires")


@dataclass(frozen=True, slots=True)
class Policy:
    """What is asked of one lineage.

    `undeclared`: breaks that need a property the accepting schema never declared; where stored records do it, they
    count as any other. `unknown`: directions that were
    neither proved nor refuted; they can be lowered to a warning, never ignored. `severity`: rule id → the level of
    every finding of that rule, whatever the proof says.
    """

    mode: Mode = Mode.BACKWARD
    undeclared: Treatment = Treatment.WARN
    unknown: Treatment = Treatment.ERROR
    severity: Mapping[str, Level] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Waiver:
    """One finding, or a family of them, that somebody accepted in writing.

    It matches by `fingerprint`, or by what else it names: every part given must agree. `value` holds the JSON value
    that was added or removed, wrapped, since None is one. It lasts through the day `expires`.
    """

    reason: str
    schema: str | None = None
    rule: str | None = None
    at: str | None = None
    value: tuple[JSON, ...] = ()
    fingerprint: str | None = None
    owner: str | None = None
    expires: date | None = None
    place: Place | None = None

    def matches(self, *, lineage: str, rule: str, instance_path: str, values: Sequence[JSON], fingerprint: str) -> bool:
        """Whether a finding with these marks is meant; expiry is a question of its own."""
        if self.fingerprint is not None and self.fingerprint != fingerprint:
            return False
        if self.schema is not None and self.schema != lineage:
            return False
        if self.rule is not None and self.rule != rule:
            return False
        if self.at is not None and as_pointer(self.at) != as_pointer(instance_path):
            return False
        return not self.value or any(equal(self.value[0], value) for value in values)

    def expired(self, today: date) -> bool:
        return self.expires is not None and today > self.expires

    def __str__(self) -> str:
        parts = [self.fingerprint, self.rule, self.schema and f"of {self.schema}", self.at and f"at {self.at}"]
        return " ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Policies:
    """The policies of a whole project, and its waivers."""

    default: Policy = Policy()
    lineages: Mapping[str, Policy] = field(default_factory=dict)
    waivers: tuple[Waiver, ...] = ()

    def of(self, lineage: str) -> Policy:
        """Give the policy of a lineage: its own table over the project's."""
        return self.lineages.get(lineage, self.default)


def read_policies(table: Mapping[str, object], source: str = "compat.toml") -> Policies:
    """Read the policy out of a parsed configuration; ConfigError names the place of what it does not understand."""
    default = read_policy(table, Policy(), source)
    schemas = _table(table.get("schemas", {}), source, ("schemas",))
    lineages = {
        name: read_policy(_table(own, source, ("schemas", name)), default, source, ("schemas", name))
        for name, own in schemas.items()
    }
    waivers = table.get("waivers", ())
    if not isinstance(waivers, Sequence) or isinstance(waivers, str):
        raise _error("'waivers' is a list of tables: write [[waivers]].", source, ("waivers",))
    return Policies(
        default,
        lineages,
        tuple(read_waiver(item, source, ("waivers", index)) for index, item in enumerate(waivers)),
    )


def read_policy(table: Mapping[str, object], default: Policy, source: str, at: tuple[str | int, ...] = ()) -> Policy:
    """Read one table over the policy it refines; keys that are none of policy's are left to others."""
    policy = default
    if "compatibility" in table:
        policy = replace(policy, mode=read_mode(table["compatibility"], source, (*at, "compatibility")))
    if "undeclared" in table:
        policy = replace(
            policy, undeclared=Treatment(_choice(table["undeclared"], Treatment, source, (*at, "undeclared")))
        )
    if "unknown" in table:
        word = _choice(table["unknown"], (Treatment.ERROR, Treatment.WARN), source, (*at, "unknown"))
        policy = replace(policy, unknown=Treatment(word))
    if "severity" in table:
        own = {
            rule: Level(_choice(level, Level, source, (*at, "severity", rule)))
            for rule, level in _table(table["severity"], source, (*at, "severity")).items()
        }
        policy = replace(policy, severity={**policy.severity, **own})
    return policy


def read_mode(value: object, source: str, at: tuple[str | int, ...]) -> Mode:
    """Read one of the seven modes in either spelling."""
    try:
        return Mode.parse(str(value))
    except ValueError:
        known = [mode.value for mode in Mode]
        raise _error(
            f"{value!r} is no compatibility mode.",
            source,
            at,
            did_you_mean(str(value).lower().replace("_", "-"), known) or f"One of: {', '.join(known)}.",
        ) from None


def read_waiver(item: object, source: str, at: tuple[str | int, ...]) -> Waiver:
    """Read one waiver; it needs a reason and something to match by."""
    table = _table(item, source, at)
    for key in table:
        if key not in WAIVER_KEYS:
            raise _error(
                f"a waiver has no {key!r}.",
                source,
                (*at, key),
                did_you_mean(key, WAIVER_KEYS) or f"Known: {', '.join(WAIVER_KEYS)}.",
            )
    texts: dict[str, str] = {}
    for key in ("schema", "rule", "at", "fingerprint", "reason", "owner"):
        if key in table:
            value = table[key]
            if not isinstance(value, str):
                raise _error(f"{key!r} is a text, not {value!r}.", source, (*at, key))
            texts[key] = value
    if not texts.get("reason", "").strip():
        raise _error("a waiver says why.", source, at, 'Add reason = "…".')
    if "fingerprint" not in texts and not ("schema" in texts and "rule" in texts):
        raise _error(
            "a waiver names a fingerprint, or a schema and a rule.",
            source,
            at,
            'Add fingerprint = "…" as the report shows it.',
        )
    return Waiver(
        **texts,
        value=(_json(table["value"]),) if "value" in table else (),
        expires=_day(table["expires"], source, (*at, "expires")) if "expires" in table else None,
        place=Place(source, pointer(at)),
    )


def as_pointer(at: str) -> str:
    """Read an instance path as people write it (`actor.kind`, `lines[*].sku`, `(root)`) or as a JSON Pointer.

    A key that holds a dot or a bracket is written as a JSON Pointer.
    """
    if at in ("", "(root)"):
        return ""
    if at.startswith("/"):
        return at
    return pointer(part for part in at.replace("[", ".").replace("]", "").split(".") if part)


def as_path(at: str) -> str:
    """Write a JSON Pointer into instances as people read it; the inverse of `as_pointer`."""
    parts = tokens(at)
    if not parts:
        return "(root)"
    if any(not part or set(part) & set(".[]/~() \t\n") for part in parts):
        return at
    return "".join(
        f"[{part}]" if index and (part == "*" or part.isdigit()) else f".{part}" if index else part
        for index, part in enumerate(parts)
    )


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
        for rule in sorted({*old.severity, *new.severity}):
            before, after = old.severity.get(rule), new.severity.get(rule)
            if after is not None and after != before and (before is None or _WEIGHT[after] < _WEIGHT[before]):
                yield Loosening("policy-loosened", f"severity{about}: {rule} becomes {after}.")
    known = {_identity(waiver) for waiver in base.waivers}
    for waiver in head.waivers:
        if _identity(waiver) not in known:
            yield Loosening("waiver-added", f"a waiver for {waiver}: {waiver.reason}", waiver.place)


_STRICTNESS = {Treatment.IGNORE: 0, Treatment.WARN: 1, Treatment.ERROR: 2}
_WEIGHT = {Level.SAFE: 0, Level.RISKY: 1, Level.UNKNOWN: 2, Level.BREAKING: 3}


def _identity(waiver: Waiver) -> object:
    value = tuple(canonical(item) for item in waiver.value)
    return waiver.fingerprint, waiver.schema, waiver.rule, waiver.at and as_pointer(waiver.at), value, waiver.expires


def _table(value: object, source: str, at: tuple[str | int, ...]) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise _error(f"this is a table, not {value!r}.", source, at)
    return value


def _choice(value: object, known: Sequence[str] | type[StrEnum], source: str, at: tuple[str | int, ...]) -> str:
    words = [str(word) for word in known]
    if isinstance(value, str) and value in words:
        return value
    hint = did_you_mean(str(value), words) or f"One of: {', '.join(words)}."
    raise _error(f"{value!r} is no value of {at[-1]!r}.", source, at, hint)


def _day(value: object, source: str, at: tuple[str | int, ...]) -> date:
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(str(value))
    except ValueError:
        raise _error(f"{value!r} is no date.", source, at, "Write it as 2027-03-01.") from None


def _json(value: object) -> JSON:
    """Take a TOML value as the JSON value it stands for; a date is the text of it."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): _json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_json(item) for item in value]
    return value  # type: ignore[return-value]


def _error(message: str, source: str, at: tuple[str | int, ...], hint: str | None = None) -> ConfigError:
    return ConfigError(message, place=Place(source, pointer(at)), hint=hint)

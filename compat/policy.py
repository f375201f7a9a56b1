"""What a team asks of its schemas: the mode, how undeclared and unproved count, severities, and what it has waived.

Pure: a parsed configuration table in, a `Policies` out. Who reads the table, and from which revision, is not decided
here; a pull request must not choose its own judge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from enum import StrEnum

from compat.errors import ConfigError, Place, did_you_mean
from compat.jsonvalue import JSON, equal, pointer, tokens
from compat.relation import Level, Mode


class Announced(StrEnum):
    """What becomes of a break that the same change announces by its version number."""

    ACCEPT = "accept"
    ERROR = "error"


class Treatment(StrEnum):
    """What to do about a finding that is true but may not matter."""

    ERROR = "error"
    WARN = "warn"
    IGNORE = "ignore"


# In place of a rule: every rule.
ANY_RULE = "*"
WAIVER_KEYS = ("schema", "rule", "at", "value", "fingerprint", "reason", "owner", "expires")


@dataclass(frozen=True, slots=True)
class Policy:
    """What is asked of one lineage.

    `undeclared`: breaks that need a property the accepting schema never declared; where stored records do it, they
    count as any other. `unknown`: directions that were neither proved nor refuted; they can be lowered to a warning,
    never ignored. `announced`: breaks for which the same change raises the version number as far as they ask; accepted,
    unless it is an error all the same. `severity`: rule id, or ANY_RULE → the level of every finding of that rule,
    whatever the proof says. `severity_at` says the same of rule and place; the place is a JSON Pointer into instances
    where `*` stands for one step and `**` for any number.
    `floor` names the oldest version that a transitive mode still asks about: a number, a tag or a day, as text.
    `notice` is for how many releases a property or a lineage is deprecated before it may go.
    """

    mode: Mode = Mode.BACKWARD
    undeclared: Treatment = Treatment.WARN
    unknown: Treatment = Treatment.ERROR
    announced: Announced = Announced.ACCEPT
    severity: Mapping[str, Level] = field(default_factory=dict)
    severity_at: Mapping[tuple[str, str], Level] = field(default_factory=dict)
    floor: str | None = None
    notice: int = 1

    def level(self, rule: str, at: str, level: Level, *, unproved: bool = False) -> Level:
        """Give the level of a finding: what is configured for its rule and place, else the one it has by itself.

        The nearest place counts, then the rule's own row over that of every rule. What is `unproved` is never safe.
        """
        place = tokens(at)
        rows = [
            (_nearness(pattern, name), found)
            for (name, pattern), found in self.severity_at.items()
            if name in (rule, ANY_RULE) and _covers(tokens(pattern), place)
        ]
        if rows:
            chosen = max(rows, key=lambda row: row[0])[1]
        else:
            chosen = self.severity.get(rule, self.severity.get(ANY_RULE, level))
        return Level.RISKY if unproved and chosen is Level.SAFE else chosen


def _nearness(pattern: str, rule: str) -> tuple[int, int, bool]:
    steps = tokens(pattern)
    return sum(step not in ("*", "**") for step in steps), -steps.count("**"), rule != ANY_RULE


def _covers(pattern: Sequence[str], place: Sequence[str]) -> bool:
    """Whether a place matches a pattern of steps, from its first to its last."""
    reached = {0}
    for step in place:
        moved: set[int] = set()
        for position in _skipping(pattern, reached):
            if position < len(pattern):
                if pattern[position] == "**":
                    moved.add(position)
                elif pattern[position] in ("*", step):
                    moved.add(position + 1)
        reached = moved
    return len(pattern) in _skipping(pattern, reached)


def _skipping(pattern: Sequence[str], reached: set[int]) -> set[int]:
    """Add the positions that lie behind a `**`, which may stand for no step at all."""
    found = set(reached)
    for position in range(len(pattern)):
        if position in found and pattern[position] == "**":
            found.add(position + 1)
    return found


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
    if "announced" in table:
        word = _choice(table["announced"], Announced, source, (*at, "announced"))
        policy = replace(policy, announced=Announced(word))
    if "floor" in table:
        policy = replace(policy, floor=_floor(table["floor"], source, (*at, "floor")))
    if "deprecate-before-removal" in table:
        notice = table["deprecate-before-removal"]
        if not isinstance(notice, int) or isinstance(notice, bool) or notice < 0:
            place = (*at, "deprecate-before-removal")
            raise _error(f"{notice!r} is no number of releases.", source, place, "0 lets everything go at once.")
        policy = replace(policy, notice=notice)
    if "severity" in table:
        policy = _with_severities(policy, table["severity"], source, (*at, "severity"))
    return policy


def _with_severities(policy: Policy, value: object, source: str, at: tuple[str | int, ...]) -> Policy:
    """Read levels by rule, or by rule and place; a level for the whole rule replaces what was inherited for it."""
    whole, placed = dict(policy.severity), dict(policy.severity_at)
    for rule, told in _table(value, source, at).items():
        if isinstance(told, Mapping):
            for place, level in told.items():
                word = _choice(level, Level, source, (*at, rule, place))
                placed[rule, as_pointer(place)] = Level(word)
        else:
            whole[rule] = Level(_choice(told, Level, source, (*at, rule)))
            placed = {key: level for key, level in placed.items() if key[0] != rule}
    return replace(policy, severity=whole, severity_at=placed)


def _floor(value: object, source: str, at: tuple[str | int, ...]) -> str:
    """Read a floor as text; an integer is a version number, a date of TOML its ISO form."""
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bool) or not isinstance(value, int | str) or not str(value).strip():
        hint = 'Write a version ("1.2.0"), a tag ("task-v1.2.0") or a day (2026-03-01).'
        raise _error(f"{value!r} is no floor.", source, at, hint)
    return str(value).strip()


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

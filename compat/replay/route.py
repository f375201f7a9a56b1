"""Which version a record of a mixed stream was written under, told by what the record says about itself."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from compat.jsonvalue import JSON, freeze
from compat.lineage import VersionNumber, root_constants
from compat.lineage.origin import is_marker_name, name_of_tag, tagged

_MOST_REMEMBERED: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Rule:
    """How records of a lineage are known by configuration: the members they all have, and which one has the version."""

    when: Mapping[str, JSON] = field(default_factory=dict)
    version: str | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """A version of a lineage, by its label and number, and what its records say.

    `constants` are the properties that a record of it carries, frozen; those in `required` it cannot lack. A
    configuration adds `when`, and the property that `numbered` names, which must carry the number.
    """

    lineage: str
    version: str
    constants: Mapping[str, Hashable]
    required: frozenset[str] = frozenset()
    identifier: str | None = None
    number: VersionNumber | None = None
    when: Mapping[str, Hashable] = field(default_factory=dict)
    numbered: str | None = None


@dataclass(frozen=True, slots=True)
class Hint:
    """What is known about a record before it is read, from its file's path or from the configuration."""

    lineage: str | None = None
    version: VersionNumber | None = None


class Unrouted(StrEnum):
    """Why a record belongs to no version that is known."""

    NO_OBJECT = "is no object, so it names no version"
    NO_LINEAGE = "names no lineage that is known"
    NO_VERSION = "is of a known lineage, but names no version of it that is known"
    AMBIGUOUS = "fits several lineages"


Routed = Target | Unrouted


def target(
    lineage: str, version: str, schema: JSON, *, number: VersionNumber | None = None, rule: Rule | None = None
) -> Target:
    """Read off a schema how its records name it: root constants such as `schema`, `v` and `type`, and its `$id`."""
    identifier: str | None = None
    required: frozenset[str] = frozenset()
    if isinstance(schema, Mapping):
        stated = schema.get("$id", schema.get("id"))
        identifier = stated.removesuffix("#") if isinstance(stated, str) else None
        listed = schema.get("required")
        if isinstance(listed, Sequence) and not isinstance(listed, str):
            required = frozenset(name for name in listed if isinstance(name, str))
    constants = {name: freeze(value) for name, value in root_constants(schema).items()}
    rule = rule or Rule()
    when = {name: freeze(value) for name, value in rule.when.items()}
    return Target(lineage, version, constants, required, identifier, number, when, rule.version)


_NOTHING: Final = Hint()
_Said = tuple[object, ...]


class Router:
    """Finds the version of each record; versions are given oldest first."""

    def __init__(self, targets: Iterable[Target]) -> None:
        self._targets = tuple(targets)
        self._names = tuple(
            dict.fromkeys(
                name
                for one in self._targets
                for name in ("$schema", *one.constants, *one.when, *([] if one.numbered is None else [one.numbered]))
            )
        )
        self._known: dict[Hint, dict[_Said, Routed]] = {}
        self._turn(_NOTHING)

    def _turn(self, hint: Hint) -> None:
        self._hint = hint
        self._here = self._known.setdefault(hint, {})

    def route(self, value: JSON, hint: Hint | None = None) -> Routed:
        """Give the version a record names: by `$schema`, else by its constants; or why it names none.

        Of versions of one lineage that share what their records say the newest counts: a reader routes by number, so
        everything stored under the number must be valid there. Records that say the same are looked up once.
        """
        if hint is not self._hint:
            self._turn(hint or _NOTHING)
        # Only what can tell versions apart is looked at. Types count, for `true` and 1 are two answers.
        said: _Said = (None,)
        if isinstance(value, dict):
            get = value.get
            values = [get(name, ...) for name in self._names]
            said = (*values, *map(type, values))
        try:
            found = self._here.get(said)
        except TypeError:  # a list or an object, which names nothing
            said = tuple(None if isinstance(item, dict | list) else item for item in said)
            found = self._here.get(said)
        if found is None:
            held = {name: value[name] for name in self._names if name in value} if isinstance(value, dict) else None
            found = self._find(held, self._hint)
            if len(self._here) >= _MOST_REMEMBERED:
                self._here.clear()
            self._here[said] = found
        return found

    def _find(self, said: Mapping[str, JSON] | None, hint: Hint) -> Routed:
        among = [
            one for one in self._targets if hint.lineage in (None, one.lineage) and hint.version in (None, one.number)
        ]
        if hint.lineage is not None and hint.version is not None:
            return among[-1] if among else Unrouted.NO_VERSION
        if said is None:
            return Unrouted.NO_OBJECT
        frozen = {name: freeze(item) for name, item in said.items() if not isinstance(item, dict | list)}
        identifier = said.get("$schema")
        if isinstance(identifier, str):
            named = [one for one in among if one.identifier == identifier.removesuffix("#")]
            if named:
                within = _best(named, frozen, said)
                return within if isinstance(within, Target) else named[-1]
        found = _best(among, frozen, said)
        if not isinstance(found, Target):
            # A tag with a name in it leaves no doubt; what else is wrong is for the schema to say.
            told = [one for one in among if _is_tagged(one, frozen)]
            if len({one.lineage for one in told}) == 1:
                return told[-1]
        if found is Unrouted.NO_LINEAGE and (hint.lineage is not None or _hinted(among, frozen)):
            return Unrouted.NO_VERSION
        return found


def _best(targets: Sequence[Target], frozen: Mapping[str, Hashable], said: Mapping[str, JSON]) -> Routed:
    """Give the target that most of what a record says speaks for, and that leaves least unsaid."""
    best: Target | None = None
    most: tuple[int, int] | None = None
    ambiguous = False
    for one in targets:
        weight = _weight(one, frozen, said)
        if weight is None or (most is not None and weight < most):
            continue
        ambiguous = most == weight and (ambiguous or (best is not None and best.lineage != one.lineage))
        best, most = one, weight
    if ambiguous:
        return Unrouted.AMBIGUOUS
    if best is None:
        return Unrouted.NO_LINEAGE
    if not _tells_version(best, frozen) and any(one is not best and one.lineage == best.lineage for one in targets):
        return Unrouted.NO_VERSION
    return best


def _is_tagged(one: Target, frozen: Mapping[str, Hashable]) -> bool:
    """Whether a record carries a version's constant such as `"pw-decide-row/1"`."""
    return any(frozen.get(name) == held and name_of_tag(held) is not None for name, held in one.constants.items())


def _tells_version(one: Target, frozen: Mapping[str, Hashable]) -> bool:
    """Whether what speaks for a target names its version, and not only a lineage of several versions."""
    if one.numbered is not None:
        return True
    matched = {name: held for name, held in one.constants.items() if name in frozen}
    if any(map(is_marker_name, matched)):
        return True
    return one.number is not None and any(isinstance(h, str) and tagged(h) == one.number for h in matched.values())


def _weight(one: Target, frozen: Mapping[str, Hashable], said: Mapping[str, JSON]) -> tuple[int, int] | None:
    """Count what speaks for a target and, negated, what is left unsaid; None where anything speaks against it."""
    for name, held in one.when.items():
        if frozen.get(name, one) != held:
            return None
    matched = len(one.when)
    if one.numbered is not None:
        if one.number is None or tagged(said.get(one.numbered)) != one.number:
            return None
        matched += 1
    missing = 0
    for name, held in one.constants.items():
        if name in frozen:
            if frozen[name] != held:
                return None
            matched += 1
        elif name in said or name in one.required:
            return None
        else:
            missing += 1
    return (matched, -missing) if matched else None


def _hinted(targets: Iterable[Target], frozen: Mapping[str, Hashable]) -> bool:
    """Whether a record says which lineage it is of, though none of the versions: `{"schema": "task/9"}`."""
    return any(_is_of_lineage(one, frozen) for one in targets)


def _is_of_lineage(one: Target, frozen: Mapping[str, Hashable]) -> bool:
    if one.when:
        return all(frozen.get(name, one) == held for name, held in one.when.items())
    markers = {name: held for name, held in one.constants.items() if is_marker_name(name) and name in frozen}
    rest = [name for name in one.constants if not is_marker_name(name)]
    if markers and rest and all(frozen.get(name, one) == one.constants[name] for name in rest):
        return True
    families = [(name_of_tag(held), name_of_tag(frozen[name])) for name, held in markers.items()]
    return any(known is not None and known == said for known, said in families)

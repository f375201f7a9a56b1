"""Pairs of versions judged once: kept while the program runs, and in the cache between runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from compat.assess.judge import is_annotation
from compat.assess.pair import LineagePair, lineage_pair, marker_line
from compat.cache import Cache
from compat.compare import Comparison
from compat.errors import CompatError
from compat.jsonvalue import JSON
from compat.model.instance import Formats, Validator
from compat.model.references import SchemaSet
from compat.proof.containment import STEPS
from compat.proof.verdict import Doubt, Verdict
from compat.relation import Direction, Effect, Status
from compat.timeline import Judged, Told

_MOST_VALIDATORS = 64


@dataclass(frozen=True, slots=True)
class Subject:
    """A schema to judge, read when somebody asks.

    `key` names it with all it refers to and all that decides how it is read; None where only the schema can tell.
    """

    schemas: Callable[[], SchemaSet]
    key: str | None = None


class Judge:
    """Judges pairs of one project's schemas apart from their version markers, each distinct pair once.

    What comes out of the cache is taken only where it can be read whole, and a witness only after the reference
    validator has seen it again. `asked` counts the distinct pairs, `found` those that the cache answered, `done` those
    that have an answer; `tick` is told the first of them as it grows.
    """

    def __init__(
        self,
        cache: Cache | None,
        *,
        formats: Formats = "annotation",
        dialects: JSON = None,
        steps: int = STEPS,
        tick: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._cache = cache
        self._formats: Formats = formats
        self._dialects = dialects
        self._steps = steps
        self._known: dict[str, Judged] = {}
        self._validators: dict[str, Validator] = {}
        self._tick = tick
        self.asked = 0
        self.found = 0
        self.done = 0

    def judge(self, old: Subject, new: Subject, *, marker: str | None = None, told: bool = False) -> Judged:
        """Judge a pair, with its changes where they are to be told; SchemaError where a side is no schema.

        `marker` is the configured property that carries the version.
        """
        pair = _Pair(old, new, marker, self._formats, self._steps)
        question = self._question(pair)
        if question is None:
            return _worked_out(pair.made, told=told)
        key, mirrored = repr(question), repr({**question, "old": question["new"], "new": question["old"]})
        known = self._known.get(key)
        if known is None and not told and mirrored in self._known:
            return self._known[mirrored].mirror
        if known is None or (told and known.changes is None):
            self.asked += known is None
            self._tick(self.asked)
            known = self._known[key] = self._answer(pair, question, told=told)
            self.done = len(self._known)
        return known

    def _answer(self, pair: _Pair, question: Mapping[str, JSON], *, told: bool) -> Judged:
        kept = None if self._cache is None else read(self._cache.get(question))
        if kept is not None and (kept.changes is not None or not told) and self._borne_out(kept, pair):
            self.found += 1
            return kept
        judged = _worked_out(pair.made, told=told)
        if self._cache is not None:
            self._cache.put(question, written(judged))
        return judged

    def _question(self, pair: _Pair) -> dict[str, JSON] | None:
        """Write down all that an answer depends on; None where that cannot be told."""
        asked: dict[str, JSON] = {"formats": self._formats, "steps": self._steps, "dialects": self._dialects}
        if pair.old.key is not None and pair.new.key is not None:
            return {"old": pair.old.key, "new": pair.new.key, "marker": pair.marker, **asked}
        made = pair.made
        try:
            old, new = _identity(made.old), _identity(made.new)
        except CompatError:
            return None
        return {"old": old, "new": new, "marker": None if made.marker is None else marker_line(made.marker), **asked}

    def _borne_out(self, judged: Judged, pair: _Pair) -> bool:
        """Whether the reference validator sees the witnesses as they were seen when they were kept."""
        for direction in Direction:
            verdict = judged.verdict(direction)
            if verdict.status is not Status.BREAKING:
                continue
            takes, refuses = (0, 1) if direction is Direction.BACKWARD else (1, 0)
            try:
                if not self._validator(pair, takes).is_valid(verdict.witness):
                    return False
                if self._validator(pair, refuses).is_valid(verdict.witness):
                    return False
            except (CompatError, RecursionError):
                return False
        return True

    def _validator(self, pair: _Pair, side: int) -> Validator:
        """Give the validator of a side, one of the last few: neighbours in a history share one."""
        subject, schemas = (pair.old, pair.made.old) if side == 0 else (pair.new, pair.made.new)
        # Apart from a marker, a side is what it is only in this pair.
        alone = subject.key is not None and pair.made.marker is None
        key = subject.key if alone and subject.key is not None else repr(_identity(schemas))
        if key not in self._validators:
            if len(self._validators) >= _MOST_VALIDATORS:
                self._validators.pop(next(iter(self._validators)))
            self._validators[key] = Validator(schemas, formats=self._formats)
        return self._validators[key]


@dataclass(frozen=True)
class _Pair:
    """Two schemas that are set apart from their marker only when that is needed."""

    old: Subject
    new: Subject
    marker: str | None
    formats: Formats
    steps: int

    @cached_property
    def made(self) -> LineagePair:
        return lineage_pair(
            self.old.schemas(), self.new.schemas(), marker=self.marker, formats=self.formats, steps=self.steps
        )


def _identity(schemas: SchemaSet) -> JSON:
    """Name a schema with all it refers to, and what decides how it is read.

    The root's URI is in it because a reference that leads nowhere is known by its absolute URI alone, the dialects of
    the parts because a meta-schema of the user's own decides on them.
    """
    parts = [f"{schemas.root.base_uri} {schemas.root.dialect} {sorted(schemas.root.vocabularies or ())}"]
    root = schemas.root.document
    if not root.glance.is_closed or root.glance.identifiers:
        parts += sorted(
            {
                f"{sub.base_uri} {sub.dialect} {sorted(sub.vocabularies or ())}"
                for sub, _ in schemas.reached()
                if sub.is_resource
            }
        )
    return [schemas.closed_digest(), *parts]


def _worked_out(pair: LineagePair, *, told: bool) -> Judged:
    comparison = pair.comparison
    some_fails = comparison.backward.status is not Status.COMPATIBLE
    return Judged(
        _verdict(comparison, backward=True),
        _verdict(comparison, backward=False),
        comparison.disjoint if some_fails else None,
        tuple(_told(comparison)) if told else None,
        None if pair.marker is None else marker_line(pair.marker),
    )


def _verdict(comparison: Comparison, *, backward: bool) -> Verdict:
    result = comparison.backward if backward else comparison.forward
    doubts = result.doubts if result.status is Status.UNKNOWN else ()
    return Verdict(result.status, result.witness, result.undeclared, doubts, result.steps)


def _told(comparison: Comparison) -> list[Told]:
    return [
        Told(
            change.rule,
            change.instance_path,
            change.summary,
            change.effect,
            annotation=is_annotation(change),
        )
        for change in comparison.changes
    ]


# -- as JSON ----------------------------------------------------------------------------------------------------------


def written(judged: Judged) -> dict[str, JSON]:
    """Write what is known about a pair as JSON."""
    return {
        "backward": _written(judged.backward),
        "forward": _written(judged.forward),
        "disjoint": judged.disjoint,
        "marker": judged.marker,
        "changes": None
        if judged.changes is None
        else [[c.rule, c.instance_path, c.summary, c.effect.value, c.annotation] for c in judged.changes],
    }


def _written(verdict: Verdict) -> JSON:
    return {
        "status": verdict.status.value,
        "witness": verdict.witness,
        "undeclared": verdict.undeclared,
        "doubts": [[doubt.keyword_location, doubt.why] for doubt in verdict.doubts],
        "steps": verdict.steps,
    }


def read(kept: JSON) -> Judged | None:
    """Read what `written` wrote; None for anything else."""
    try:
        return _read(kept)
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _read(kept: JSON) -> Judged | None:
    if not isinstance(kept, dict):
        return None
    disjoint, marker, changes = kept["disjoint"], kept["marker"], kept["changes"]
    if not isinstance(disjoint, bool | None) or not isinstance(marker, str | None):
        return None
    told = None
    if changes is not None:
        told = tuple(
            Told(_text(rule), _text(path), _text(summary), Effect(effect), _truth(annotation))
            for rule, path, summary, effect, annotation in changes
        )
    return Judged(_read_verdict(kept["backward"]), _read_verdict(kept["forward"]), disjoint, told, marker)


def _read_verdict(kept: Mapping[str, JSON]) -> Verdict:
    doubts = tuple(Doubt(_text(place), _text(why)) for place, why in kept["doubts"])  # type: ignore[union-attr, misc]
    steps = kept["steps"]
    if not isinstance(steps, int):
        raise TypeError
    return Verdict(Status(_text(kept["status"])), kept["witness"], _truth(kept["undeclared"]), doubts, steps)


def _text(value: JSON) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _truth(value: JSON) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value

"""The simultaneous walk through two versions of a schema: every difference once, located on both sides.

It starts at both roots and goes down together, through references too, so that a change in a definition is reported
there, with the shortest instance path that reaches it. Definitions that nothing reaches come last.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from compat.diff.annotations import annotation_differences, identity_differences, idle_differences
from compat.diff.arrays import array_outcomes
from compat.diff.change import Change, Side
from compat.diff.composition import Follow, composition_outcomes, wrapping
from compat.diff.difference import Bearing, Difference, Outcome, Pair, Spot, Tokens
from compat.diff.fingerprint import Fingerprints
from compat.diff.leftovers import Coverage, is_explained, unexplained
from compat.diff.objects import object_outcomes
from compat.diff.pairing import renames
from compat.diff.references import DYNAMIC, Meaning, References
from compat.diff.scalars import scalar_differences
from compat.diff.view import View
from compat.diff.wording import contrast, shown
from compat.errors import ReferenceError as BadReference
from compat.jsonvalue import JSON, pointer
from compat.model.document import Document
from compat.model.keywords import asserts_format
from compat.model.references import SchemaSet, Subschema
from compat.relation import Effect

Formats = Literal["annotation", "assertion"]

_DEAD = "nothing refers to this definition"
_UNEVALUATED = frozenset({"unevaluatedProperties", "unevaluatedItems"})
# Keywords that evaluate members: even one that accepts everything matters to `unevaluatedProperties` and its like.
_EVALUATING = frozenset(
    {"properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "if", "then", "else"}
    | {"items", "prefixItems", "additionalItems", "contains", "unevaluatedItems"}
)


def changes(old: SchemaSet, new: SchemaSet, *, formats: Formats = "annotation") -> Iterator[Change]:
    """Yield what changed from one schema to another, nearest to the root first.

    Order of keys, of `required`, `enum`, `type` and of branches is no change. A pair of places is compared once,
    however many references lead to it; `expected` speaks of the first way. `formats` says whether `format` is asserted
    where the meta-schema leaves it open.
    """
    yield from _Walk(old, new, formats).run()


@dataclass(frozen=True, slots=True)
class _Work:
    """Two subschemas to compare: where instances meet them, and how they bear on the root.

    `settled` names keywords that a holder of these subschemas has compared already: an inlined reference keeps its own
    annotations beside those of its target.
    """

    old: Subschema
    new: Subschema
    path: tuple[str, ...]
    bearing: Bearing
    settled: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class _Unpaired:
    """Definitions that one side names and the other does not."""

    work: _Work
    removed: Mapping[str, Spot] = field(default_factory=dict)
    added: Mapping[str, Spot] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Through:
    """Two subschemas to compare in place of the ones at hand.

    `holder` is the view that leads to one of them: its annotations are compared at once, the target's where it has
    none.
    """

    differences: list[Difference]
    holder: View
    old: Subschema
    new: Subschema
    bearing: Bearing = Bearing.SAME


_Key = tuple[int, str]


class _Walk:
    def __init__(self, old: SchemaSet, new: SchemaSet, formats: Formats) -> None:
        self._old, self._new = old, new
        self._formats = formats
        self._prints = Fingerprints()
        self._references = References(old, new, self._prints)
        self._documents: set[Document] = set()
        self._live: deque[_Work] = deque()
        self._dead: deque[_Work] = deque()
        self._unpaired: deque[_Unpaired] = deque()
        self._unknown: list[tuple[_Work, Difference]] = []
        self._met: set[tuple[_Key, _Key]] = set()
        self._partners: dict[_Key, list[_Key]] = {}
        self._reached: dict[SchemaSet, frozenset[_Key]] = {}

    def run(self) -> Iterator[Change]:
        self._push(_Work(self._old.root, self._new.root, (), Bearing.SAME))
        while self._live or self._dead or self._unpaired:
            if self._live:
                yield from self._visit(self._live.popleft())
            elif self._dead:
                self._push(self._dead.popleft())
            else:
                yield from self._pair_definitions(self._unpaired.popleft())
        for work, difference in self._unknown:
            if not self._is_explained(work, difference):
                yield self._change(work, difference)

    def _push(self, work: _Work) -> None:
        left, right = _key(work.old), _key(work.new)
        if (left, right) in self._met:
            return
        self._met.add((left, right))
        self._partners.setdefault(right, []).append(left)
        self._documents |= {work.old.document, work.new.document}
        if self._differs(work.old, work.new) or self._leads_on(work.old.document, work.new.value):
            self._live.append(work)

    def _is_settled(self, work: _Work, old: Tokens, new: Tokens) -> bool:
        """Whether two places below are written alike and lead to nothing that differs."""
        if work.old.dialect is not work.new.dialect:
            return False
        below = _below(work.new.value, new)
        return self._prints.same(_below(work.old.value, old), below) and not self._leads_on(work.old.document, below)

    def _leads_on(self, document: Document, value: JSON) -> bool:
        """Whether a reference inside what a document and its newer version say leads to something that differs."""
        refers = self._prints.refers(value)
        if not refers or document is not self._old.root.document:
            return bool(refers)
        return self._unsettled is None or not refers.isdisjoint(self._unsettled)

    @cached_property
    def _unsettled(self) -> frozenset[str] | None:
        return None if self._old.dialect is not self._new.dialect else self._references.unsettled()

    @property
    def _has_unevaluated(self) -> bool:
        """Whether what is left unevaluated counts anywhere: then even a keyword that accepts everything can matter."""
        return any(not _UNEVALUATED.isdisjoint(document.glance.keys) for document in self._documents)

    def _differs(self, old: Subschema, new: Subschema) -> bool:
        """Whether two places may mean different things by themselves, apart from what they refer to."""
        return old.dialect is not new.dialect or not self._prints.same(old.value, new.value)

    def _visit(self, work: _Work) -> Iterator[Change]:
        left, right = View(work.old.value, work.old.dialect), View(work.new.value, work.new.dialect)
        settled = work.settled or frozenset()
        coverage = Coverage()
        through = self._through(work, left, right) if self._differs(work.old, work.new) else None
        for outcome in self._outcomes(work, left, right, through, coverage):
            if isinstance(outcome, Pair):
                if self._is_settled(work, outcome.old, outcome.new):
                    continue
                old, new = self._child(work.old, outcome.old, True), self._child(work.new, outcome.new, False)
                if self._differs(old, new):
                    coverage.add(outcome.old, outcome.new)
                self._push(_Work(old, new, (*work.path, *outcome.steps), outcome.bearing.after(work.bearing)))
                continue
            coverage.add(outcome.old.tokens, outcome.new.tokens)
            if outcome.rule.startswith("unknown-keyword-"):
                self._unknown.append((work, outcome))
            else:
                yield self._change(work, outcome)
        if through is not None:
            holder = frozenset(through.holder.keywords())
            bearing = through.bearing.after(work.bearing)
            self._push(_Work(through.old, through.new, work.path, bearing, settled | holder))
            return
        for difference in unexplained(left, right, coverage, self._prints, settled):
            yield self._change(work, difference)

    def _child(self, sub: Subschema, tokens: Tokens, is_old: bool) -> Subschema:
        return (self._old if is_old else self._new).child(sub, *tokens)

    def _outcomes(
        self, work: _Work, old: View, new: View, through: _Through | None, coverage: Coverage
    ) -> Iterator[Outcome]:
        settled = work.settled or frozenset()
        differs = self._differs(work.old, work.new)
        if not work.settled:
            if differs:
                yield from identity_differences(old, new, self._prints)
            yield from self._definitions(work, old, new, coverage)
        if old.never or new.never:
            yield from _closing(old, new)
            return
        among = frozenset((*old.keywords(), *new.keywords())) - settled
        if through is not None:
            yield from through.differences
            among &= frozenset(through.holder.keywords())
        else:
            yield from self._referred(work, old, new, coverage)
            if differs:
                yield from scalar_differences(old, new, self._prints)
            yield from object_outcomes(old, new, self._prints)
            yield from array_outcomes(old, new)
            yield from composition_outcomes(old, new, self._prints, self._follow(work))
        if not differs:
            return  # only what it refers to may differ
        asserts = self._formats == "assertion" or asserts_format(work.new.vocabularies or frozenset())
        yield from annotation_differences(old, new, self._prints, among, asserts_format=asserts)
        yield from idle_differences(old, new, self._prints, among.__contains__)

    def _follow(self, work: _Work) -> Follow:
        return lambda value, is_old: self._references.text(work.old if is_old else work.new, value, is_old)

    # -- one side stands for a part of the other ------------------------------------------------------------------

    def _through(self, work: _Work, old: View, new: View) -> _Through | None:
        """Recognise a side that is nothing but a reference to what the other writes out, or one branch of it."""
        if old.never or new.never:
            return None
        wrapped = list(wrapping(old, new, self._prints, self._follow(work)))
        if wrapped:
            pair = next(found for found in wrapped if isinstance(found, Pair))
            sides = self._child(work.old, pair.old, True), self._child(work.new, pair.new, False)
            told = [found for found in wrapped if isinstance(found, Difference)]
            return _Through(told, new if pair.new else old, *sides, pair.bearing)
        if "$ref" in old.entries and not new.refers() and old.asserts() == {"$ref"} and new.asserts():
            target = self._references.target(work.old, old.entries["$ref"].value, is_old=True)
            if target is not None:
                text = f"{shown(old.entries['$ref'].value)} is written out here now."
                told = [Difference("ref-inlined", "$ref", old.spot("$ref"), new.at("$ref"), text, Effect.NONE)]
                return _Through(told, old, target, work.new)
        if "$ref" in new.entries and not old.refers() and new.asserts() == {"$ref"} and old.asserts():
            target = self._references.target(work.new, new.entries["$ref"].value, is_old=False)
            if target is not None:
                text = f"what was written out here stands at {shown(new.entries['$ref'].value)} now."
                told = [Difference("ref-extracted", "$ref", old.at("$ref"), new.spot("$ref"), text, Effect.NONE)]
                return _Through(told, new, work.old, target)
        return None

    # -- references -----------------------------------------------------------------------------------------------

    def _referred(self, work: _Work, old: View, new: View, coverage: Coverage) -> Iterator[Outcome]:
        held, holds = old.refers(), new.refers()
        if len(held) == len(holds) == 1:
            yield from self._both_refer(work, old.spot(held[0]), new.spot(holds[0]), coverage)
            return
        for keyword in ("$ref", *DYNAMIC):
            before, after = old.spot(keyword), new.spot(keyword)
            rule = "ref" if keyword == "$ref" else "dynamic-ref"
            if keyword in held and keyword in holds:
                yield from self._both_refer(work, before, after, coverage)
            elif keyword in holds:
                text = f"what {shown(after.value)} demands is demanded here now."
                yield Difference(f"{rule}-added", keyword, before, after, text, Effect.NARROWS)
            elif keyword in held:
                text = f"what {shown(before.value)} demands is no longer demanded here."
                yield Difference(f"{rule}-removed", keyword, before, after, text, Effect.WIDENS)

    def _both_refer(self, work: _Work, before: Spot, after: Spot, coverage: Coverage) -> Iterator[Outcome]:
        targets = self._references.compare(work.old, str(before.value), work.new, str(after.value))
        if targets.meaning is not Meaning.RETARGETED and targets.old is not None and targets.new is not None:
            self._push(_Work(targets.old, targets.new, work.path, work.bearing))
        coverage.add(before.tokens, after.tokens)
        if before.keyword == after.keyword and targets.meaning in (Meaning.SAME, Meaning.MOVED, Meaning.OPAQUE):
            return
        keyword, name = after.keyword, " to ".join(contrast(before.value, after.value, 50))
        rule, text, effect = {
            Meaning.RESPELLED: ("ref-respelled", f"{keyword} went from {name}, the same definition.", Effect.NONE),
            Meaning.RETARGETED: ("ref-retargeted", f"{keyword} went from {name}.", Effect.UNKNOWN),
            Meaning.BROKEN: ("ref-broken", f"{shown(after.value)} leads nowhere now.", Effect.UNKNOWN),
            Meaning.MENDED: ("ref-mended", f"{shown(after.value)} leads somewhere now.", Effect.UNKNOWN),
        }.get(targets.meaning, ("", "", Effect.NONE))
        if before.keyword != after.keyword or (rule == "ref-retargeted" and keyword != "$ref"):
            rule, effect = "dynamic-ref-changed", Effect.UNKNOWN
            text = f"{before.keyword} {shown(before.value, 40)} became {after.keyword} {shown(after.value, 40)}."
        elif rule == "ref-retargeted" and self._is_same_text(targets.old, targets.new):
            effect, text = Effect.NONE, f"{text.removesuffix('.')}, which says the same."
        yield Difference(rule, keyword, before, after, text, effect)

    def _is_same_text(self, old: Subschema | None, new: Subschema | None) -> bool:
        return (
            old is not None and new is not None and not self._differs(old, new) and not self._prints.refers(new.value)
        )

    # -- definitions ----------------------------------------------------------------------------------------------

    def _definitions(self, work: _Work, old: View, new: View, coverage: Coverage) -> Iterator[Difference]:
        """Keep definitions for later: by then it is known which of them anything refers to, and under which names."""
        left, right = old.maps.get("$defs", {}), new.maps.get("$defs", {})
        moved = False
        for name in dict.fromkeys((*right, *left)):
            if name in left and name in right:
                moved = moved or left[name].keyword != right[name].keyword
                if self._is_settled(work, left[name].tokens, right[name].tokens):
                    continue
                below = self._child(work.old, left[name].tokens, True), self._child(work.new, right[name].tokens, False)
                self._dead.append(_Work(*below, (), Bearing.NONE))
                if self._differs(*below):
                    coverage.add(left[name].tokens, right[name].tokens)
        removed = {name: spot for name, spot in left.items() if name not in right}
        added = {name: spot for name, spot in right.items() if name not in left}
        if removed or added:
            coverage.add(*(spot.tokens for spot in (*removed.values(), *added.values())))
            self._unpaired.append(_Unpaired(work, removed, added))
        if moved:
            before, after = (next(iter(places.values())).keyword for places in (left, right))
            text = f"{before} is called {after} now."
            yield Difference("definitions-moved", "$defs", old.at(before), new.at(after), text, Effect.NONE)

    def _pair_definitions(self, unpaired: _Unpaired) -> Iterator[Change]:
        """Tell definitions renamed from those added and removed: first by the references that met, then by likeness."""
        work, removed, added = unpaired.work, dict(unpaired.removed), dict(unpaired.added)
        was = {name: self._child(work.old, spot.tokens, True) for name, spot in removed.items()}
        now = {name: self._child(work.new, spot.tokens, False) for name, spot in added.items()}
        names = {_key(sub): name for name, sub in was.items()}
        renamed: dict[str, str] = {}
        for name, sub in now.items():
            before = next((names[key] for key in self._partners.get(_key(sub), ()) if key in names), None)
            if before is not None and before not in renamed.values():
                renamed[name] = before
        left = {name: spot.value for name, spot in removed.items() if name not in renamed.values()}
        right = {name: spot.value for name, spot in added.items() if name not in renamed}
        renamed.update(renames(left, right, self._prints))
        for after, before in renamed.items():
            text = f'definition "{before}" is called "{after}" now.'
            yield self._change(
                work, Difference("definition-renamed", "$defs", removed[before], added[after], text, Effect.NONE)
            )
            self._dead.append(_Work(was[before], now[after], (), Bearing.NONE))
        for name, spot in added.items():
            if name not in renamed:
                gone = Spot(spot.tokens, None, exists=False)
                text = f'definition "{name}" added; by itself it restricts nothing.'
                yield self._change(work, Difference("definition-added", "$defs", gone, spot, text, Effect.NONE))
        for name, spot in removed.items():
            if name not in renamed.values():
                gone = Spot(spot.tokens, None, exists=False)
                text = f'definition "{name}" removed; by itself it restricted nothing.'
                yield self._change(work, Difference("definition-removed", "$defs", spot, gone, text, Effect.NONE))

    # -- located --------------------------------------------------------------------------------------------------

    def _change(self, work: _Work, difference: Difference) -> Change:
        expected, hint = work.bearing.carry(difference.expected), difference.hint
        if work.bearing is Bearing.NONE and not difference.rule.startswith("definition"):
            if self._is_reached(work):
                expected = Effect.NONE if difference.expected is Effect.NONE else Effect.UNKNOWN
            else:
                hint = hint or _DEAD
        if self._has_unevaluated and difference.keyword in _EVALUATING and expected is Effect.NONE:
            expected = Effect.UNKNOWN
        return Change(
            rule=difference.rule,
            keyword=difference.keyword,
            old=_side(work.old, difference.old),
            new=_side(work.new, difference.new),
            instance_path=pointer(work.path),
            summary=difference.summary,
            expected=expected,
            hint=hint,
        )

    def _is_reached(self, work: _Work) -> bool:
        """Whether instances meet a definition on one side at least, if not along ways that both sides have."""
        return _key(work.old) in self._places(self._old) or _key(work.new) in self._places(self._new)

    def _places(self, schemas: SchemaSet) -> frozenset[_Key]:
        if schemas not in self._reached:
            with suppress(BadReference):
                self._reached[schemas] = frozenset(_key(sub) for sub, _ in schemas.reached())
        return self._reached.setdefault(schemas, frozenset())

    def _is_explained(self, work: _Work, difference: Difference) -> bool:
        """Whether an unknown keyword differs only at places that references made part of the walk."""
        if not difference.old.exists or not difference.new.exists:
            return False
        left, right = ((id(sub.document), sub.pointer) for sub in (work.old, work.new))

        def is_told(path: Tokens) -> bool:
            was = (left[0], left[1] + pointer((*difference.old.tokens, *path)))
            now = (right[0], right[1] + pointer((*difference.new.tokens, *path)))
            return (was, now) in self._met

        return is_explained(difference.old.value, difference.new.value, self._prints, is_told)


def _below(value: JSON, tokens: Tokens) -> JSON:
    for token in tokens:
        value = value[token]  # type: ignore[index]
    return value


def _key(sub: Subschema) -> _Key:
    return id(sub.document), sub.pointer


def _side(sub: Subschema, spot: Spot) -> Side:
    return Side(sub.document.name, sub.pointer + pointer(spot.tokens), spot.value, spot.exists)


def _closing(old: View, new: View) -> Iterator[Difference]:
    """Compare with the schema that accepts nothing."""
    before, after = Spot((), old.value), Spot((), new.value)
    if not old.never:
        text = "nothing is accepted here any more."
        yield Difference("schema-closed", "schema", before, after, text, Effect.NARROWS)
    elif not new.never:
        text = "something is accepted here now; before, nothing was."
        yield Difference("schema-opened", "schema", before, after, text, Effect.WIDENS)

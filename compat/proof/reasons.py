"""Why a direction breaks, all of it.

The complement of a schema is a disjunction over its assertions, lifted to the root along properties and items.
Asking for every leaf of it, instead of stopping at the first, gives each assertion that refuses some instance of
the other side. A subschema that refuses none is not entered; what chooses between branches is one leaf.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from typing import Any, Final

from compat.errors import UnresolvedReference
from compat.jsonvalue import pointer, tokens, walk
from compat.logic.answer import Answer
from compat.logic.formula import Formula
from compat.logic.keys import own_keys
from compat.logic.keyset import KeySet
from compat.logic.predicates import TYPES, ItemAt, ItemsFrom, Members, Predicate
from compat.logic.reader import MODERN
from compat.logic.regex import Language
from compat.logic.translate import Scope
from compat.logic.universe import Universe
from compat.model.references import Subschema
from compat.proof.containment import Pair, Side
from compat.proof.depth import room_to_recurse
from compat.proof.known import Known, Step
from compat.proof.verdict import Doubt, Reason, refusal
from compat.proof.witness import plain_value

MAX_REASONS: Final = 256
# All reasons together may cost this many times the steps of one verdict.
SHARE: Final = 4
# So many ways to one schema are followed while the same is known of its instances.
MAX_WAYS: Final = 8
# So many values of one enumeration, or types of one `type`, are told apart.
MAX_VALUES: Final = 16


@dataclass(frozen=True, slots=True)
class _Place:
    """A subschema on the way down, with the steps from the root instance to the instances it describes."""

    sub: Subschema
    scope: Scope
    known: Known
    steps: tuple[Step, ...] = ()
    visited: frozenset[tuple[int, str]] = frozenset()
    # Where it comes in the schema: its number among what stands beside it, and before that those of what is around it.
    order: tuple[int, ...] = ()


class Reasons:
    """The leaves of one direction that fail, and those that could not be decided."""

    def __init__(self, pair: Pair, left: Side, right: Side) -> None:
        self._pair = pair
        self._universe: Universe = pair.universe
        self._left = left
        self._right = right
        self.doubts: list[Doubt] = []
        # Whether the search had to end before all places were looked at.
        self.ended = False
        self._loops = False
        self._spent = 0
        self._seen: set[tuple[tuple[int, str], Scope, tuple[Step, ...]]] = set()
        self._ways: Counter[tuple[tuple[int, str], frozenset[Formula]]] = Counter()

    def all(self) -> tuple[Reason, ...]:
        """Give every failing assertion, in the order of the schema; at most `MAX_REASONS`."""
        with room_to_recurse():
            return () if self._pair.unspoken is not None else self._all()

    def _all(self) -> tuple[Reason, ...]:
        for loops in (False, True):
            self._loops = loops
            self._seen.clear()
            self._ways.clear()
            found = self._explored(_Place(self._right.schemas.root, (), Known(self._pair.solver, [self._left.formula])))
            if found:
                break  # else what fails lies behind a loop, and the reference that closes it is the reason
        return tuple(reason for at, reason in enumerate(found) if reason not in found[:at])

    def _explored(self, start: _Place) -> list[Reason]:
        """Look at a place and all below it, the nearest first, so that the ways told are short; give the order back."""
        found: list[tuple[tuple[int, ...], Reason]] = []
        waiting = deque([start])
        while waiting and len(found) < MAX_REASONS:
            place = waiting.popleft()
            if self._spent > SHARE * self._pair.steps:
                self.ended = True
                break
            for number, one in enumerate(self._under(place)):
                order = (*place.order, number)
                if isinstance(one, _Place):
                    waiting.append(replace(one, order=order))
                else:
                    found.append((order, one))
        found.sort(key=itemgetter(0))
        return [reason for _, reason in found[:MAX_REASONS]]

    def _ask(self, formulas: list[Formula]) -> Answer:
        answer = self._pair.ask(formulas)
        # What is not decided may have ended for want of other things than steps, and will again at the next place.
        self._spent += max(self._pair.budget.spent, self._pair.steps // 8 if answer.unknown else 0)
        return answer

    def _under(self, place: _Place) -> Iterator[Reason | _Place]:
        """Yield the reasons at a place, and the places one step further down that may have some."""
        sub = place.sub
        value: Any = sub.value
        key = (id(sub.document), sub.pointer)
        # A second way to the same schema, for the same instances, leads to the same reasons.
        if key in place.visited or (key, place.scope, place.steps) in self._seen:
            return
        self._seen.add((key, place.scope, place.steps))
        # In a ring of definitions there are more ways than anyone could count; a few of the same kind tell all.
        way = (key, frozenset(place.known.formulas))
        self._ways[way] += 1
        if self._ways[way] > MAX_WAYS:
            return
        formula = self._right.translator.schema(sub, place.scope)
        if formula is self._universe.true:
            return
        if isinstance(value, bool):
            yield from self._leaf(place, "", formula)
            return
        # What is known of the instance here settles most places without a look at all that is around it.
        if place.known.says(formula):
            return
        answer = self._ask([*place.known.formulas, formula.neg])
        if answer.empty:
            return
        if place.steps and not isinstance(value, bool):
            answer = self._ask([self._left.formula, self._lifted(place.steps, formula.neg)])
            if answer.empty:
                return
        if answer.unknown:
            self.doubts.append(Doubt(sub.pointer, answer.doubt or "no proof was found"))
        scope = self._right.translator.entered(sub, place.scope)
        inside = _Place(sub, scope, place.known, place.steps, place.visited | {key})
        only_reference = isinstance(value.get("$ref"), str) and sub.dialect not in MODERN
        for keyword in ["$ref"] if only_reference else value:
            yield from self._keyword(inside, keyword)

    def _keyword(self, place: _Place, keyword: str) -> Iterator[Reason | _Place]:
        value: Any = place.sub.value
        child = self._right.schemas.child
        match keyword:
            case "$ref" | "$dynamicRef" | "$recursiveRef" if isinstance(value[keyword], str):
                try:
                    target = self._right.translator.target(place.sub, place.scope, keyword)
                except UnresolvedReference:
                    yield from self._leaves(place, keyword)
                else:
                    if self._loops and (id(target.document), target.pointer) in place.visited:
                        yield from self._leaves(place, keyword)
                    yield from self._under(replace(place, sub=target))
            case "allOf":
                for index in range(len(value[keyword])):
                    yield from self._under(replace(place, sub=child(place.sub, keyword, index)))
            case "properties":
                settled = self._settled(place)
                for name in value[keyword]:
                    if name not in settled:
                        yield from self._member(place, KeySet.of(name), keyword, name)
            case "patternProperties":
                for name in value[keyword]:
                    yield from self._member(place, KeySet.matching(Language.pattern(name)), keyword, name)
            case "additionalProperties":
                yield from self._other_members(place, own_keys(value).complement)
            case "prefixItems":
                for index in range(len(value[keyword])):
                    yield from self._item(place, index, keyword, index)
            case "items" if isinstance(value[keyword], list):
                for index in range(len(value[keyword])):
                    yield from self._item(place, index, keyword, index)
                if "additionalItems" in value:
                    yield from self._tail(place, len(value[keyword]), "additionalItems")
            case "items":
                yield from self._tail(place, len(value.get("prefixItems", ())), keyword)
            case _:
                yield from self._leaves(place, keyword)

    def _settled(self, place: _Place) -> Mapping[str, object]:
        """Give the properties that the left side is known to say the same of."""
        table = self._right.translator.table(place.sub, place.scope)
        return table.names if table is not None and table in place.known.tables else {}

    def _member(self, place: _Place, keys: KeySet, *tokens: str | int) -> Iterator[_Place]:
        yield from self._below(place, Step(keys), *tokens)

    def _other_members(self, place: _Place, keys: KeySet) -> Iterator[Reason]:
        """Tell the refused keys apart, as far as the left side names them."""
        for _ in range(MAX_VALUES):
            found = [
                reason for one in self._member(place, keys, "additionalProperties") for reason in self._explored(one)
            ]
            yield from found
            names = {tokens(reason.instance_path)[len(place.steps)] for reason in found if reason.instance_path}
            named = names & self._named if names else names
            if not named:
                return
            keys = KeySet(keys.names | named, keys.languages, outside=True)

    @cached_property
    def _named(self) -> frozenset[str]:
        """Every property name that the left side writes down."""
        names: set[str] = set()
        for _, value in walk(self._left.schemas.root.document.value):
            if isinstance(value, dict) and isinstance(value.get("properties"), dict):
                names.update(value["properties"])
        return frozenset(names)

    def _item(self, place: _Place, index: int, *tokens: str | int) -> Iterator[_Place]:
        yield from self._below(place, Step(index), *tokens)

    def _tail(self, place: _Place, start: int, *tokens: str | int) -> Iterator[_Place]:
        yield from self._below(place, Step(start, tail=True), *tokens)

    def _below(self, place: _Place, step: Step, *tokens: str | int) -> Iterator[_Place]:
        formula = self._right.translator.below(place.sub, place.scope, *tokens)
        known = place.known.below(step)
        # What the left side is known to say needs no question.
        if formula is self._universe.true or formula in known.formulas:
            return
        sub = self._right.schemas.child(place.sub, *tokens)
        yield replace(place, sub=sub, known=known, steps=(*place.steps, step))

    def _leaves(self, place: _Place, keyword: str) -> Iterator[Reason]:
        """Ask for each way in which one keyword can fail."""
        value: Any = place.sub.value
        for index, part in enumerate(self._right.translator.keyword(place.sub, place.scope, keyword)):
            if keyword == "required":
                yield from self._leaf(place, f"{keyword}/{index}", part)
            elif keyword == "if":
                # The first part is `then`, where there is one; the condition itself refuses nothing.
                yield from self._leaf(place, "else" if index or "then" not in value else "then", part)
            elif keyword == "type":
                for bit in TYPES:
                    if not part.must & bit:
                        ruled = self._universe.all_of([part.neg, self._universe.types(bit)])
                        yield from self._leaf(place, keyword, ruled.neg)
            elif keyword in ("enum", "const"):
                yield from self._values(place, keyword, part)
            else:
                yield from self._leaf(place, keyword, part)

    def _values(self, place: _Place, keyword: str, part: Formula) -> Iterator[Reason]:
        """Tell the refused values of an enumeration apart, one after the other."""
        for _ in range(MAX_VALUES):
            found = list(self._leaf(place, keyword, part))
            if not found:
                return
            yield from found
            refused = found[0].subject
            if isinstance(refused, list | dict):
                return
            part = self._universe.any_of([part, self._universe.one_of_values([refused])])

    def _leaf(self, place: _Place, keyword: str, part: Formula) -> Iterator[Reason]:
        """Ask for an instance of the left that fails just here."""
        if part is self._universe.true or place.known.says(part):
            return
        location = place.sub.pointer + (f"/{keyword}" if keyword else "")
        if place.steps and self._ask([*place.known.formulas, part.neg]).empty:
            return
        failing = self._lifted(place.steps, part.neg)
        answer = self._ask([self._left.formula, failing])
        if answer.unknown:
            self.doubts.append(Doubt(location, answer.doubt or "no proof was found"))
        if not answer.values:
            return
        value, undeclared = self._pair.graded(self._left, failing, answer.values[0])
        witness = plain_value(value)
        if self._pair.confirm(self._left, self._right, witness).doubt is not None:
            self.doubts.append(Doubt(location, "witness did not verify"))
            return
        path, subject = self._located(place.steps, part.neg, value)
        yield Reason(
            source=place.sub.document.name,
            keyword_location=location,
            instance_path=pointer(path),
            witness=witness,
            subject=plain_value(subject),
            message=_message(keyword, place.sub, plain_value(subject)),
            undeclared=undeclared,
        )

    def _lifted(self, steps: Sequence[Step], formula: Formula) -> Formula:
        """Say of the root instance that some instance at the end of the steps satisfies `formula`."""
        for step in reversed(steps):
            formula = self._universe.being(step.some(self._universe, formula))
        return formula

    def _located(self, steps: Sequence[Step], formula: Formula, value: Any) -> tuple[list[str | int], Any]:
        """Follow the steps in a witness to the instance that satisfies `formula`."""
        path: list[str | int] = []
        for depth, step in enumerate(steps):
            rest = self._lifted(steps[depth + 1 :], formula)
            reached = _reached(step.some(self._universe, rest), value)
            token = next((one for one in reached if self._pair.holds(rest, value[one])), None)
            if token is None:
                break
            path.append(token)
            value = value[token]
        return path, value


def _reached(predicate: Predicate, value: Any) -> Iterator[str | int]:
    match predicate:
        case Members(keys=keys):
            yield from (key for key in value if key in keys)
        case ItemAt(index=index):
            yield index
        case ItemsFrom(start=start):
            yield from range(start, len(value))


def _message(keyword: str, sub: Subschema, subject: Any) -> str:
    return refusal(keyword, subject) if keyword else "nothing is allowed here"

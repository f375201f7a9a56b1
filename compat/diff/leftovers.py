"""What the comparisons of single keywords left untold, so that no difference is dropped in silence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from compat.diff.difference import Difference, Spot, Tokens
from compat.diff.fingerprint import Fingerprints
from compat.diff.view import ANNOTATIONS, IDENTITY, LISTS, MAPS, View
from compat.jsonvalue import JSON
from compat.relation import Effect

# What a change of the first keyword tells about the others as well.
_COMPANIONS: Mapping[str, tuple[str, ...]] = {
    "contains": ("minContains", "maxContains"),
    "if": ("then", "else"),
    "minimum": ("exclusiveMinimum",),
    "maximum": ("exclusiveMaximum",),
    "exclusiveMinimum": ("minimum",),
    "exclusiveMaximum": ("maximum",),
    "properties": ("required",),
}
# Here an untold difference is one of spelling: a name twice, an empty list, a default written out.
_SPELLING = (
    LISTS
    | MAPS
    | {"required", "enum", "type", "items", "dependencies", "definitions", "minContains", "if", "then", "else"}
)
_SETS = frozenset({"enum", "required", "type", "allOf", "anyOf", "oneOf"})


class Coverage:
    """The keywords of one pair of subschemas that some outcome speaks of."""

    __slots__ = ("_keywords",)

    def __init__(self) -> None:
        self._keywords: set[str] = set()

    def add(self, *places: Tokens) -> None:
        """Note that what stands at these places is told."""
        for place in places:
            if place:
                self._keywords.update((str(place[0]), *_COMPANIONS.get(str(place[0]), ())))

    def __contains__(self, keyword: str) -> bool:
        return keyword in self._keywords

    def __bool__(self) -> bool:
        return bool(self._keywords)


def unexplained(
    old: View, new: View, coverage: Coverage, prints: Fingerprints, settled: frozenset[str]
) -> Iterator[Difference]:
    """Yield a fallback for each keyword that differs untold, apart from order where order means nothing."""
    if old.never or new.never or prints.same(old.value, new.value):
        return
    if not coverage and not (*old.keywords(), *new.keywords()):
        if isinstance(old.value, Mapping | bool) and isinstance(new.value, Mapping | bool):
            text = "the schema that accepts everything is written in another way."
            whole = Spot((), old.value), Spot((), new.value)
            yield Difference("vacuous-keyword-changed", "schema", *whole, text, Effect.NONE)
        return
    if old.dialect is not new.dialect:
        return  # the rule of the dialect tells that keywords are written in another way
    apart = ANNOTATIONS | IDENTITY | settled
    for keyword in dict.fromkeys((*old.keywords(), *new.keywords())):
        if keyword in coverage or keyword in apart:
            continue
        before, after = old.at(keyword), new.at(keyword)
        if all(keyword in view.idle or not spot.exists for view, spot in ((old, before), (new, after))):
            continue  # told among the idle ones
        if before.exists and after.exists and _is_same_set(keyword, before.value, after.value, prints):
            continue
        if keyword in _SPELLING:
            text = f"{keyword} is written in another way and means the same."
            yield Difference("vacuous-keyword-changed", keyword, before, after, text, Effect.NONE)
        else:
            text = f"{keyword} changed in a way that no other rule names."
            yield Difference("keyword-changed", keyword, before, after, text, Effect.UNKNOWN)


def _is_same_set(keyword: str, old: JSON, new: JSON, prints: Fingerprints) -> bool:
    """Tell whether two values are one, apart from order where order means nothing."""
    if prints.same(old, new):
        return True
    if isinstance(old, list) and isinstance(new, list):
        return keyword in _SETS and sorted(map(prints.of, old)) == sorted(map(prints.of, new))
    if keyword in ("dependentRequired", "dependencies") and isinstance(old, Mapping) and isinstance(new, Mapping):
        return old.keys() == new.keys() and all(_is_same_set("required", old[n], new[n], prints) for n in old)
    return False


def is_explained(old: JSON, new: JSON, prints: Fingerprints, is_told: Callable[[Tokens], bool]) -> bool:
    """Tell whether two values differ only at places that were compared as schemas."""
    stack: list[tuple[JSON, JSON, Tokens]] = [(old, new, ())]
    while stack:
        left, right, path = stack.pop()
        if prints.same(left, right) or is_told(path):
            continue
        if not isinstance(left, Mapping) or not isinstance(right, Mapping) or left.keys() != right.keys():
            return False
        stack.extend((left[name], right[name], (*path, name)) for name in left)
    return True

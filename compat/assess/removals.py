"""Properties that a schema declared and its successor does not, and whether they were called deprecated before."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from compat.errors import Place, ReferenceError
from compat.jsonvalue import pointer, tokens
from compat.model.keywords import Applies
from compat.model.references import SchemaSet, Subschema, references_in

# Conditions and negations speak of an instance without declaring anything of it.
_NO_DECLARATION = frozenset({"not", "if"})
# The step for all items, or for all properties that no name is given for.
_EVERY = "*"
# A schema of more places than this is walked no further; nobody wrote it by hand.
_MOST = 100_000

_Front = tuple[Subschema, ...]
# A named property (True) or what else lies below a place, and how it is called in paths.
_Step = tuple[bool, str]


@dataclass(frozen=True, slots=True)
class Gone:
    """A property that is declared no more: where in instances, and where the older schema declares it."""

    instance_path: str
    place: Place | None


def properties_gone(old: SchemaSet, new: SchemaSet) -> tuple[Gone, ...]:
    """Give the properties that only the older schema declares, the outermost of each branch, by path.

    A property is declared where any branch gives it a schema, directly or by reference, that lets some value pass.
    Where a reference of the newer schema leads to what is not here, nothing is called gone: it may be there.
    """
    return tuple(sorted(_Walk(old, new).gone(), key=lambda gone: gone.instance_path))


def is_deprecated(schemas: SchemaSet, path: str = "") -> bool:
    """Whether any schema that speaks of a place in instances, or of the whole, calls it deprecated."""
    front, _ = _front(schemas, (schemas.root,))
    for step in tokens(path):
        below = _children(schemas, front)
        front, _ = _front(schemas, [*below.get((True, step), ()), *below.get((False, step), ())])
    return any(isinstance(sub.value, Mapping) and sub.value.get("deprecated") is True for sub in front)


class _Walk:
    """Both schemas at once, from the root inward, each pair of states once."""

    def __init__(self, old: SchemaSet, new: SchemaSet) -> None:
        self._old, self._new = old, new
        self._seen: set[tuple[frozenset[int], frozenset[int]]] = set()

    def gone(self) -> Iterator[Gone]:
        waiting: deque[tuple[tuple[str, ...], Sequence[Subschema], Sequence[Subschema]]]
        waiting = deque([((), (self._old.root,), (self._new.root,))])
        while waiting and len(self._seen) < _MOST:
            path, old, new = waiting.popleft()
            before, _ = _front(self._old, old)
            after, whole = _front(self._new, new)
            if not whole:
                continue
            declared, known = _children(self._old, before), _children(self._new, after)
            # What lies below decides, not the references that lead there.
            state = _below(declared), _below(known)
            if state in self._seen:
                continue
            self._seen.add(state)
            for step, subs in declared.items():
                inner = (*path, step[1])
                if step in known or not step[0]:
                    waiting.append((inner, subs, known.get(step, ())))
                else:
                    yield Gone(pointer(inner), subs[0].document.place(subs[0].pointer))


def _front(schemas: SchemaSet, start: Sequence[Subschema]) -> tuple[_Front, bool]:
    """Give everything that speaks of the same place as some schemas do, and whether all of it is here.

    That is what their references lead to, and their branches.
    """
    found: dict[int, Subschema] = {}
    whole = True
    waiting = list(reversed(start))
    while waiting:
        sub = waiting.pop()
        if _identity(sub) in found:
            continue
        found[_identity(sub)] = sub
        for _, target in references_in(sub.value, sub.dialect):
            try:
                waiting.append(schemas.resolve(sub, target))
            except ReferenceError:
                whole = False
        waiting += [
            child
            for steps, applies, child in schemas.children(sub)
            if applies is Applies.IN_PLACE and steps[0] not in _NO_DECLARATION
        ]
    return tuple(found.values()), whole


def _children(schemas: SchemaSet, front: Iterable[Subschema]) -> dict[_Step, list[Subschema]]:
    """Give the schemas of each declared property and of the items below a place; `false` declares nothing."""
    found: dict[_Step, list[Subschema]] = {}
    for sub in front:
        for steps, applies, child in schemas.children(sub):
            if child.value is False or applies not in (Applies.TO_PROPERTY, Applies.TO_ITEM):
                continue
            named = steps[0] == "properties"
            called = named or (applies is Applies.TO_ITEM and len(steps) == 2)
            found.setdefault((named, str(steps[-1]) if called else _EVERY), []).append(child)
    return found


def _below(children: Mapping[_Step, Sequence[Subschema]]) -> frozenset[int]:
    return frozenset(hash((step, _identity(sub))) for step, subs in children.items() for sub in subs)


def _identity(sub: Subschema) -> int:
    return hash((sub.document.name, sub.document.digest, sub.pointer))

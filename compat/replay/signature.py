"""What a record fails, as the fast validator says it: records that fail alike are explained once.

The reference takes half a millisecond to find the causes of a failure. Which they are hangs on the assertions that
fail, where in a record, and on little else: the name of a property, the type of a value, a value that the older schema
lists. All of that is in the signature. An assertion whose causes may hang on more makes none.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, Final

from compat.replay.causes import Cause, Explainer, kind_of

# The assertions that both validators report one by one, each with the same instance path.
_BOUNDS: Final = ("Maximum", "Minimum", "ExclusiveMaximum", "ExclusiveMinimum", "MultipleOf")
_SIZES: Final = ("MaxItems", "MaxLength", "MaxProperties", "MinItems", "MinLength", "MinProperties")
_ALONE: Final = frozenset({*_BOUNDS, *_SIZES, "FalseSchema", "Format", "OneOfMultipleValid", "Pattern", "UniqueItems"})
_LISTING: Final = frozenset({"Constant", "Enum"})
_CHOOSING: Final = frozenset({"AnyOf", "OneOfNotValid"})
# Records of a store fail in a handful of ways; a hostile one may fail in as many as it likes.
MOST_KNOWN: Final = 4_096


class Memory:
    """The causes of what was explained already; every so often the reference is asked again whether they are right."""

    def __init__(self) -> None:
        self._known: dict[Hashable, frozenset[Cause]] = {}
        self._asked: dict[Hashable, int] = {}
        self._trusted = True

    def recall(self, said: Hashable) -> frozenset[Cause] | None:
        """Give the causes of a signature; None where the reference has to be asked: the 1st, 2nd, 4th, 8th … time."""
        if not self._trusted:
            return None
        asked = self._asked[said] = self._asked.get(said, 0) + 1
        return None if asked & (asked - 1) == 0 else self._known.get(said)

    def learn(self, said: Hashable, causes: frozenset[Cause]) -> None:
        """Keep what the reference found; where it found something else before, nothing is recalled any more."""
        if self._known.get(said, causes) != causes:
            self._trusted = False
        elif causes and (said in self._known or len(self._known) < MOST_KNOWN):
            self._known[said] = causes
        if len(self._asked) > 2 * MOST_KNOWN:
            self._asked = {known: self._asked[known] for known in self._known}


def signature(errors: Iterable[Any], explainer: Explainer) -> Hashable | None:
    """Give what the causes of a failure hang on, of the errors of jsonschema-rs; None where that is not known."""
    try:
        # How often a record fails alike does not matter; how often it fails an alternative says which was meant.
        return tuple(dict.fromkeys(_of(errors, explainer)))
    except _Unknown:
        return None


class _Unknown(Exception):  # noqa: N818 - no error, the way out of a recursion
    pass


def _of(errors: Iterable[Any], explainer: Explainer) -> tuple[Hashable, ...]:
    return tuple(sorted((_one(error, explainer) for error in errors), key=repr))


def _one(error: Any, explainer: Explainer) -> tuple[Hashable, ...]:
    kind = error.kind
    name = type(kind).__name__
    detail: Hashable = None
    if name in _LISTING:
        detail = explainer.listed(error.instance)
    elif name == "Type":
        detail = kind_of(error.instance)
    elif name == "Required":
        detail = str(kind.property)
    elif name == "AdditionalProperties":
        detail = tuple(sorted({extra if extra in explainer.names else "" for extra in kind.unexpected}))
    elif name in _CHOOSING:
        detail = tuple(_of(branch, explainer) for branch in kind.context)
    elif name not in _ALONE:
        raise _Unknown
    path = tuple(map(str, error.evaluation_path))
    return name, path, explainer.generalised(error.instance_path), detail

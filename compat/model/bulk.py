"""Two schemas at once for values that are mostly instances of both, so that what they hold is gone through once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import jsonschema_rs

from compat.jsonvalue import JSON
from compat.model.compiled import all_accepted, refuse, why
from compat.model.instance import BulkValidator


class BulkPair:
    """Two bulk validators that are asked together."""

    def __init__(self, old: BulkValidator, new: BulkValidator) -> None:
        self._sides = (new,) if old is new else (new, old)
        self._joint = None if old is new else _joint(old, new)
        self._asked = new.bare if old is new else self._joint
        self.wary = old.wary or new.wary

    @property
    def joint(self) -> bool:
        """Whether the two could be compiled into one."""
        return self._joint is not None

    def all_valid(self, values: Sequence[JSON]) -> bool:
        """Tell whether every value is an instance of both; False also where one of them needs a look of its own.

        See `BulkValidator.all_valid` for what the values may hold.
        """
        if self._asked is not None:
            return all_accepted(self._asked, values)
        return all(side.all_valid(values) for side in self._sides)


def _joint(old: BulkValidator, new: BulkValidator) -> Callable[[JSON], bool] | None:
    """Compile a schema that asks for both; None where the names in them could meet."""
    dialect = new.schemas.root.dialect
    if old.formats != new.formats or old.schemas.root.dialect is not dialect:
        return None
    if not (_stands_alone(old) and _stands_alone(new)):
        return None
    parts = [(f"compat-pair:/{name}", _nameless(side)) for name, side in (("new", new), ("old", old))]
    whole = {"$schema": dialect.uri, "allOf": [{"$ref": uri} for uri, _ in parts]}
    try:
        compiled = jsonschema_rs.validator_for(
            whole,
            validate_formats=new.formats == "assertion",
            retriever=refuse,
            registry=jsonschema_rs.Registry(parts, retriever=refuse),
        )
    except BaseException as error:  # noqa: BLE001 - a panic of the library is no Exception
        why(error)
        return None
    accepts: Callable[[JSON], bool] = compiled.is_valid
    return accepts


def _stands_alone(side: BulkValidator) -> bool:
    """Tell whether no reference leaves the document, or may lead elsewhere where the document is a part."""
    root = side.schemas.root
    seen = root.document.glance
    dynamic = not seen.keys.isdisjoint({"$dynamicRef", "$recursiveRef"})
    whole = not root.pointer and isinstance(root.document.value, dict)
    return side.plain and whole and seen.is_closed and not seen.identifiers and not dynamic


def _nameless(side: BulkValidator) -> dict[str, JSON]:
    # Two versions often have one $id; every reference begins with "#", so no name but the new one is ever used.
    root = side.schemas.root
    assert isinstance(root.document.value, dict)
    return {**{key: item for key, item in root.document.value.items() if key != "$id"}, "$schema": root.dialect.uri}

"""Whether a value is an instance of a schema: the reference validator, a second opinion, and one for the bulk.

The reference is jsonschema as `validators` puts it right; the other two are jsonschema-rs as `compiled` has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

from jsonschema.exceptions import ValidationError

from compat import jsonvalue
from compat.errors import CompatError
from compat.jsonvalue import JSON
from compat.model.compiled import Compiled, Departures, Formats, UnsupportedByBulk, all_accepted, is_exact_there
from compat.model.dialects import Dialect
from compat.model.frame import Frame, Work
from compat.model.projection import Met, is_projectable, projection
from compat.model.references import SchemaSet
from compat.model.validators import validator_for
from compat.model.ways import MOST_WAYS, ways

__all__ = ["BulkValidator", "Failure", "Formats", "SecondOpinion", "UnsupportedByBulk", "Validator"]

# So many projections cost about as much as the whole.
_FEW = 6


@dataclass(frozen=True, slots=True)
class Failure:
    """One assertion that a value fails.

    `keyword_location` is a JSON Pointer in the document `source`, which is where the keyword stands and not where a
    reference to it does. `message` says what was wanted and repeats nothing of the value but names of properties.
    """

    keyword_location: str
    source: str
    instance_path: tuple[str | int, ...]
    message: str
    keyword: str


class Validator:
    """The reference validator of a schema set."""

    def __init__(self, schemas: SchemaSet, *, formats: Formats = "annotation") -> None:
        self._schemas = schemas
        self._asserting = formats == "assertion"
        self._work = Work()

    @property
    def effort(self) -> int:
        """How many subschemas the last question would have applied without a memory."""
        return self._work.total

    def _fresh(self, *, asking: bool = False) -> Any:
        frame = Frame.of(self._schemas, asserting=self._asserting, asking=asking)
        self._work = frame.work
        return validator_for(frame, self._schemas.root.value)

    def is_valid(self, value: JSON) -> bool:
        """Tell whether a value is an instance; CompatError where the question cannot be answered."""
        try:
            return bool(self._fresh(asking=True).is_valid(value))
        except RecursionError:
            self._give_up()

    def failures(self, value: JSON) -> Iterator[Failure]:
        """Yield what a value fails, in the order of the schema; nothing for an instance."""
        for error in self.errors(value):
            yield self.failure_of(error)

    def errors(self, value: JSON) -> Iterator[ValidationError]:
        """Yield the same as jsonschema's own errors."""
        try:
            yield from self._fresh().iter_errors(value)
        except RecursionError:
            self._give_up()

    def _give_up(self) -> NoReturn:
        root = self._schemas.root
        raise CompatError(
            "the value or the schema is nested too deeply for the validator",
            place=root.document.place(root.pointer),
        ) from None

    def failure_of(self, error: ValidationError) -> Failure:
        """Locate one of jsonschema's own errors."""
        root = self._schemas.root
        sub, path = getattr(error, "origin", (root, list(error.schema_path)))
        keyword = str(error.validator) if error.validator is not None else "false"
        if error.validator is not None and path and path[-1] != error.validator:
            # minContains and maxContains are judged, and located by jsonschema, at `contains`.
            path = [*path[:-1], error.validator]
        return Failure(
            keyword_location=sub.pointer + jsonvalue.pointer(path),
            source=sub.document.name,
            instance_path=tuple(error.absolute_path),
            message=_message(keyword, error),
            keyword=keyword,
        )


def _message(keyword: str, error: ValidationError) -> str:
    limit: Any = error.validator_value
    shown = jsonvalue.dumps(limit) if keyword not in {"false", "required", "dependencies"} else ""
    if len(shown) > 80:
        shown = shown[:79] + "…"
    match keyword:
        case "type":
            return f"must be of type {' or '.join([limit] if isinstance(limit, str) else limit)}"
        case "enum":
            return f"must be one of {shown[1:-1]}" if len(limit) > 1 else f"must be {shown[1:-1]}"
        case "const":
            return f"must be {shown}"
        case "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum":
            return f"must be {_order(keyword, error.schema)} {shown}"
        case "multipleOf":
            return f"must be a multiple of {shown}"
        case "minLength" | "maxLength":
            return f"must have at {'least' if keyword == 'minLength' else 'most'} {_count(limit, 'character')}"
        case "minItems" | "maxItems":
            return f"must have at {'least' if keyword == 'minItems' else 'most'} {_count(limit, 'item')}"
        case "minProperties" | "maxProperties":
            return f"must have at {'least' if keyword == 'minProperties' else 'most'} {_count(limit, 'property')}"
        case "minContains" | "maxContains":
            return f"must contain at {'least' if keyword == 'minContains' else 'most'} {_count(limit, 'matching item')}"
        case "contains":
            return "must contain an item that matches"
        case "pattern":
            return f"must match {shown}"
        case "format":
            return f"must have the format {shown}"
        case "uniqueItems":
            return "must not repeat an item"
        case "required" | "dependentRequired" | "dependencies" if hasattr(error, "extra"):
            return f"must have the property {jsonvalue.dumps(error.extra[0])}"
        case "additionalProperties" | "unevaluatedProperties" if hasattr(error, "extra"):
            names = ", ".join(jsonvalue.dumps(key) for key in error.extra[:5])
            more = f" and {len(error.extra) - 5} more" if len(error.extra) > 5 else ""
            return f"must not have the {'property' if len(error.extra) == 1 else 'properties'} {names}{more}"
        case "oneOf":
            return "must match exactly one of the alternatives" + ("" if error.context else ", and matches several")
        case "anyOf":
            return "must match one of the alternatives"
        case "not":
            return "must not match"
        case "false":
            return "must not be there"
    return f"must satisfy {keyword}"


def _order(keyword: str, schema: Any) -> str:
    # Draft-04 writes the exclusion beside the bound, as a boolean.
    exclusive = keyword.startswith("exclusive") or (
        isinstance(schema, dict) and schema.get("exclusive" + keyword[0].upper() + keyword[1:]) is True
    )
    if keyword.lower().endswith("minimum"):
        return "above" if exclusive else "at least"
    return "below" if exclusive else "at most"


def _count(limit: Any, what: str) -> str:
    if limit == 1:
        return f"1 {what}"
    return f"{limit} {what.removesuffix('y') + 'ies' if what == 'property' else what + 's'}"


# -- jsonschema-rs ----------------------------------------------------------------------------------------------------


class SecondOpinion:
    """jsonschema-rs on the same question; it abstains (None) on the disagreements that `compiled` lists.

    A few values are asked of a projection of the schema on each, which is soon compiled; more than a few, of the whole.
    """

    def __init__(self, schemas: SchemaSet, *, formats: Formats = "annotation") -> None:
        self._schemas = schemas
        self._formats: Formats = formats
        self._departures = Departures.of(schemas, formats)
        self._projectable = is_projectable(schemas)
        self._projected: dict[Met, Compiled] = {}

    @property
    def abstains(self) -> str | None:
        """Why it can say nothing about this schema at all; None where it can."""
        return self._whole if isinstance(self._whole, str) else None

    def is_valid(self, value: JSON) -> bool | None:
        """Tell whether a value is an instance, or None where no opinion is to be had."""
        if self._departures.reason is not None or not is_exact_there(value):
            return None
        fast = self._on(value)
        return None if fast is None else fast.ask(value)

    def _on(self, value: JSON) -> Compiled | None:
        """Give what to ask of a value: the whole where it is compiled or soon will have paid, else its projection."""
        is_whole_due = not self._projectable or "_whole" in vars(self) or len(self._projected) == _FEW
        if is_whole_due and not isinstance(self._whole, str):
            return self._whole
        if self._projectable:
            met = Met.of(value)
            known = self._projected.get(met) or self._part(met)
            if known is not None:
                if len(self._projected) < _FEW:
                    self._projected[met] = known
                return known
        return None if isinstance(self._whole, str) else self._whole

    def _part(self, met: Met) -> Compiled | None:
        projected = projection(self._schemas, met)
        if projected is not None:
            with suppress(UnsupportedByBulk):
                return Compiled(self._schemas, self._formats, self._departures, projected)
        return None

    @cached_property
    def _whole(self) -> Compiled | str:
        try:
            return Compiled(self._schemas, self._formats, self._departures)
        except UnsupportedByBulk as error:
            return error.message


class BulkValidator:
    """jsonschema-rs for many values, at a hundred times the pace of the reference.

    The reference answers for the few values that this one cannot hold. Raises UnsupportedByBulk where the schema is one
    of those that `compiled` lists, or cannot be compiled.
    """

    def __init__(self, schemas: SchemaSet, *, formats: Formats = "annotation") -> None:
        self.schemas = schemas
        self.formats: Formats = formats
        departures = Departures.of(schemas, formats)
        if ways(schemas) >= MOST_WAYS:
            departures = Departures(f"its references lead on in more than {MOST_WAYS:,} ways")
        self._fast = Compiled(schemas, formats, departures)
        self._reference = Validator(schemas, formats=formats)
        self.plain = not departures.looks_around and schemas.root.dialect is not Dialect.DRAFT4
        self.wary = _is_wary(schemas)

    def is_valid(self, value: JSON) -> bool:
        """Tell whether a value is an instance."""
        answer = None if self.wary and not is_exact_there(value) else self._fast.ask(value)
        return self._reference.is_valid(value) if answer is None else answer

    def all_valid(self, values: Sequence[JSON]) -> bool:
        """Tell whether every value is an instance; False also where one of them needs a look of its own.

        The values hold no numbers but floats and integers of 64 bits, where `wary` is True below 2^63, and no halves
        of characters.
        """
        return all(map(self._fast.ask, values)) if self.bare is None else all_accepted(self.bare, values)

    def objections(self, value: JSON) -> list[Any] | None:
        """Give what the library itself objects to in such a value; None where it may not be asked."""
        asked = self.plain and not (self.wary and not is_exact_there(value))
        return self._fast.errors(value) if asked else None

    @property
    def bare(self) -> Callable[[JSON], bool] | None:
        """The bare question to the library about such values, which may fail in any way; None where it may not be."""
        return self._fast.accepts if self.plain else None


def _is_wary(schemas: SchemaSet) -> bool:
    """Tell whether numbers from 2^63 on may be misjudged, where the library goes by the binary number.

    Without a limit that large, and without a question of divisibility or sameness, they are larger or smaller alike.
    """
    return any(
        not document.glance.keys.isdisjoint({"multipleOf", "uniqueItems"}) or not is_exact_there(document.value)
        for document in schemas.documents()
    )

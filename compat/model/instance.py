"""Whether a value is an instance of a schema: the reference validator, a second opinion, and one for the bulk.

The reference is jsonschema as `validators` puts it right. The second opinion is jsonschema-rs, an implementation
nobody here had a hand in. It abstains wherever the two are known to differ for a reason that is not ours to settle:

- `dependencies` in 2019-09 and later, which it still applies and the specification has dropped
- `contentMediaType` and `contentEncoding` in draft-06 and draft-07, which it asserts and the specification annotates
- patterns that its engine refuses (`[^]`, `{,3}`, `[\\w-.]`, `\\Z`), those with a backreference (it calls its limit of
  steps no match), and strings with a carriage return or U+2028 where a pattern looks around (its dot takes them then)
- values with half a character in a string, and numbers that need more than 64 bits or a decimal
- meta-schemas with vocabularies of their own, and schemas it cannot compile (an unresolved reference, say)
- formats that are asserted, but `date`, `ipv4` and `ipv6`

One disagreement is bridged: in draft-04 it takes 1.0 for no integer, so whole floats are handed over as integers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any, Literal, NamedTuple, NoReturn, TypeAlias
from urllib.parse import quote

import jsonschema_rs
from jsonschema.exceptions import ValidationError

from compat import jsonvalue
from compat.errors import CompatError, SchemaError
from compat.jsonvalue import JSON, scalars
from compat.model.dialects import Dialect
from compat.model.document import Document
from compat.model.formats import SHARED
from compat.model.frame import Frame, Work
from compat.model.projection import Met, is_projectable, projection
from compat.model.references import SchemaSet
from compat.model.validators import validator_for

Formats: TypeAlias = Literal["annotation", "assertion"]


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


class UnsupportedByBulk(SchemaError):  # noqa: N818 - the name says it
    """The fast validator cannot take this schema; the reference can."""


class SecondOpinion:
    """jsonschema-rs on the same question; it abstains (None) on the disagreements this module lists.

    A few values are asked of a projection of the schema on each, which is soon compiled; more than a few, of the whole.
    """

    def __init__(self, schemas: SchemaSet, *, formats: Formats = "annotation") -> None:
        self._schemas = schemas
        self._formats: Formats = formats
        self._departures = _Departures.of(schemas, formats)
        self._projectable = is_projectable(schemas)
        self._projected: dict[Met, _Fast] = {}

    @property
    def abstains(self) -> str | None:
        """Why it can say nothing about this schema at all; None where it can."""
        return self._whole if isinstance(self._whole, str) else None

    def is_valid(self, value: JSON) -> bool | None:
        """Tell whether a value is an instance, or None where no opinion is to be had."""
        if self._departures.reason is not None or not _exact_there(value):
            return None
        fast = self._on(value)
        return None if fast is None else fast.ask(value)

    def _on(self, value: JSON) -> _Fast | None:
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

    def _part(self, met: Met) -> _Fast | None:
        projected = projection(self._schemas, met)
        if projected is not None:
            with suppress(UnsupportedByBulk):
                return _Fast(self._schemas, self._formats, self._departures, projected)
        return None

    @cached_property
    def _whole(self) -> _Fast | str:
        try:
            return _Fast(self._schemas, self._formats, self._departures)
        except UnsupportedByBulk as error:
            return error.message


class BulkValidator:
    """jsonschema-rs for many values, at a hundred times the pace of the reference.

    The reference answers for the few values that this one cannot hold. Raises UnsupportedByBulk where the schema is one
    of those that this module lists, or cannot be compiled.
    """

    def __init__(self, schemas: SchemaSet, *, formats: Formats = "annotation") -> None:
        self.schemas = schemas
        self.formats: Formats = formats
        departures = _Departures.of(schemas, formats)
        self._fast = _Fast(schemas, formats, departures)
        self._reference = Validator(schemas, formats=formats)
        self.plain = not departures.looks_around and schemas.root.dialect is not Dialect.DRAFT4
        self.wary = _is_wary(schemas)

    def is_valid(self, value: JSON) -> bool:
        """Tell whether a value is an instance."""
        answer = None if self.wary and not _exact_there(value) else self._fast.ask(value)
        return self._reference.is_valid(value) if answer is None else answer

    def all_valid(self, values: Sequence[JSON]) -> bool:
        """Tell whether every value is an instance; False also where one of them needs a look of its own.

        The values hold no numbers but floats and integers of 64 bits, where `wary` is True below 2^63, and no halves
        of characters.
        """
        return all_accepted(self._fast.accepts, values) if self.plain else all(map(self._fast.ask, values))


def all_accepted(accepts: Callable[[JSON], bool], values: Sequence[JSON]) -> bool:
    """Ask jsonschema-rs about values as they are; False where it gives up on one."""
    try:
        return all(map(accepts, values))
    except BaseException as error:  # noqa: BLE001 - a panic of the library is no Exception
        why(error)
        return False


def _is_wary(schemas: SchemaSet) -> bool:
    """Tell whether numbers from 2^63 on may be misjudged, where the library goes by the binary number.

    Without a limit that large, and without a question of divisibility or sameness, they are larger or smaller alike.
    """
    return any(
        not document.glance.keys.isdisjoint({"multipleOf", "uniqueItems"}) or not _exact_there(document.value)
        for document in schemas.documents()
    )


_ROOT_URI = "compat-root:/schema"
# With these it changes to an engine whose dot takes all but the line feed; ECMA-262 has three more line ends.
_LOOKS_AROUND = re.compile(r"\(\?<?[=!]")
# With these that engine may run into its limit, which it reports as no match.
_LOOKS_BACK = re.compile(r"\\[1-9]|\\k<")
_OTHER_LINE_ENDS = re.compile("[\r\u2028\u2029]")
_LARGEST_WHOLE_FLOAT = 2**53
_LARGEST_EXACT = 2**63
# So many projections cost about as much as the whole.
_FEW = 6


def refuse(uri: str) -> NoReturn:
    """Fetch nothing, in the place of what the library would fetch with."""
    raise ValueError(f"nothing is fetched: {uri}")


class _Departures(NamedTuple):
    """The known disagreements that a schema touches: one that rules it out, and whether one hangs on the value."""

    reason: str | None
    looks_around: bool = False

    @classmethod
    def of(cls, schemas: SchemaSet, formats: Formats) -> _Departures:
        documents = schemas.documents()
        looks_around = False
        for document in documents:
            for pattern in document.glance.patterns:
                if _LOOKS_BACK.search(pattern):
                    return cls("a pattern has a backreference")
                looks_around = looks_around or _LOOKS_AROUND.search(pattern) is not None
        names = {"dependencies", *_CONTENT} | ({"format"} if formats == "assertion" else set())
        if all(document.glance.keys.isdisjoint(names) for document in documents):
            return cls(_VOCABULARIES if schemas.root.vocabularies is not None else None, looks_around)
        # One of the names is written somewhere; whether as a keyword, the careful walk tells.
        return cls(next(_departures(schemas, formats), None), looks_around)


def _departures(schemas: SchemaSet, formats: Formats) -> Iterator[str]:
    for sub, _ in schemas.reached():
        value = sub.value
        if sub.vocabularies is not None:
            yield _VOCABULARIES
        if not isinstance(value, dict):
            continue
        if "dependencies" in value and not sub.dialect.ignores_ref_siblings:
            yield f"dependencies has no meaning in {sub.dialect}"
        if sub.dialect in {Dialect.DRAFT6, Dialect.DRAFT7} and not value.keys().isdisjoint(_CONTENT):
            yield f"content keywords are annotations in {sub.dialect}"
        if formats == "assertion" and value.get("format", "date") not in SHARED:
            yield f"the format {value['format']} may be read differently"


class _Fast:
    """A schema set compiled by jsonschema-rs with everything it may need at hand, or a projection of its root."""

    def __init__(
        self, schemas: SchemaSet, formats: Formats, departures: _Departures, projected: JSON | None = None
    ) -> None:
        root = schemas.root
        self._draft4 = root.dialect is Dialect.DRAFT4
        self._looks_around = departures.looks_around
        reason = departures.reason
        if reason is None:
            try:
                self._compiled = _compile(schemas, formats, projected)
            except BaseException as error:  # noqa: BLE001 - a panic of the library is no Exception
                reason = f"the fast validator cannot take this schema: {why(error)}"
        if reason is not None:
            raise UnsupportedByBulk(reason, place=root.document.place(root.pointer))

    @property
    def accepts(self) -> Callable[[JSON], bool]:
        """The bare question to the library, which may fail in any way."""
        bare: Callable[[JSON], bool] = self._compiled.is_valid
        return bare

    def ask(self, value: JSON) -> bool | None:
        """Tell whether a value is an instance, or None where this library cannot hold or would misread it."""
        if self._looks_around and _has_other_line_ends(value):
            return None
        try:
            # Its draft-04 takes 1.0 for no integer; written as 1 it is the same instance.
            return bool(self._compiled.is_valid(_whole(value) if self._draft4 else value))
        except BaseException as error:  # noqa: BLE001 - a panic of the library is no Exception
            why(error)
            return None


_VOCABULARIES = "its meta-schema has vocabularies of its own"
_CONTENT = frozenset({"contentMediaType", "contentEncoding"})


def why(error: BaseException) -> str:
    """Give the words of what the library raised; anything that is not its own is raised again."""
    if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
        raise error
    return str(error)[:200]


def _compile(schemas: SchemaSet, formats: Formats, projected: JSON | None) -> Any:
    root = schemas.root
    base = root.document.uri or _ROOT_URI
    if isinstance(projected, dict):
        return _compiled({**projected, "$schema": root.dialect.uri}, base, None, formats)
    others: list[tuple[str, Any]] = [
        (uri, _canonical(schemas, document)) for document in schemas.documents() for uri in _uris(schemas, document)
    ]
    value: Any = _canonical(schemas, root.document)
    if root.pointer:
        others.append((base, value))
        value = {"$schema": root.dialect.uri, "$ref": f"{base}#{quote(root.pointer)}"}
        base = _ROOT_URI + "-at"
    return _compiled(value, base, jsonschema_rs.Registry(others, retriever=refuse) if others else None, formats)


def _compiled(value: Any, base: str, registry: Any, formats: Formats) -> Any:
    return jsonschema_rs.validator_for(
        value, validate_formats=formats == "assertion", retriever=refuse, registry=registry, base_uri=base
    )


def _uris(schemas: SchemaSet, document: Document) -> list[str]:
    if document is schemas.root.document:
        return []
    return [uri for uri in dict.fromkeys((document.uri, schemas.root_of(document).base_uri)) if uri]


def _canonical(schemas: SchemaSet, document: Document) -> Any:
    # Spelled as its meta-schema spells it: the library looks unknown spellings up on a network.
    if not isinstance(document.value, dict):
        return document.value
    return {**document.value, "$schema": schemas.root_of(document).dialect.uri}


def _exact_there(value: JSON) -> bool:
    # It reads a float as the binary number, which from 1e23 on is another than the decimal that is written.
    return not any(
        isinstance(item, Decimal) or (isinstance(item, int | float) and not -_LARGEST_EXACT < item < _LARGEST_EXACT)
        for item in scalars(value)
    )


def _has_other_line_ends(value: JSON) -> bool:
    return any(isinstance(item, str) and _OTHER_LINE_ENDS.search(item) for item in scalars(value))


def _whole(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer() and abs(value) < _LARGEST_WHOLE_FLOAT:
        return int(value)
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return value

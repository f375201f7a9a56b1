"""One schema to replay against: the fast validator for the bulk, the reference for reasons and second looks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from compat.jsonvalue import JSON, pointer
from compat.model.instance import BulkValidator, Failure, Formats, UnsupportedByBulk, Validator
from compat.model.references import SchemaSet
from compat.replay.causes import Explainer, listed_values
from compat.replay.read import Record
from compat.replay.shape import declared_names

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

_CHOICES = ("anyOf", "oneOf")


class SchemaChecker:
    """A checker of one closed schema.

    Records whose numbers need more than 64 bits, and schemas that the fast validator cannot take, go to the reference
    at once.
    """

    def __init__(self, schemas: SchemaSet, *, formats: Formats = "annotation") -> None:
        self._reference = Validator(schemas, formats=formats)
        try:
            self._bulk: BulkValidator | None = BulkValidator(schemas, formats=formats)
        except UnsupportedByBulk:
            self._bulk = None

    @property
    def fast(self) -> bool:
        """Whether the fast validator takes this schema."""
        return self._bulk is not None

    @property
    def bulk(self) -> BulkValidator | None:
        return self._bulk

    def is_valid(self, record: Record) -> bool:
        if self._bulk is None or not record.ordinary:
            return self._reference.is_valid(record.value)
        return self._bulk.is_valid(record.value)

    def confirms(self, record: Record) -> bool:
        return self._reference.is_valid(record.value)

    def failures(self, value: JSON) -> Iterator[Failure]:
        for error in self._reference.errors(value):
            yield from _leaves(self._reference.failure_of(error), error)


def explainer(old: SchemaSet, new: SchemaSet) -> Explainer:
    """Make what turns failures under `new` into causes; the names that either version declares may be shown."""
    documents = {document.name: document.value for document in new.documents()}
    values = listed_values(document.value for document in old.documents())
    return Explainer(documents, names_of(old, new), values)


def names_of(*schemas: SchemaSet) -> frozenset[str]:
    """Collect the names that these schemas publish."""
    return declared_names(document.value for each in schemas for document in each.documents())


def _leaves(failure: Failure, error: ValidationError) -> Iterator[Failure]:
    """Go from "fits no alternative" to what is wrong under the alternative that was meant, where that is clear."""
    meant = _meant(error.context or ()) if failure.keyword in _CHOICES else ()
    if not meant:
        yield failure
        return
    for inner in meant:
        yield from _leaves(_located(failure, inner), inner)


def _meant(context: Iterable[ValidationError]) -> Sequence[ValidationError]:
    """Pick the errors of the closest alternative; none where all refuse the value for what it is as a whole.

    An alternative that asks for another constant, such as another `role`, was not meant.
    """
    branches: dict[object, list[ValidationError]] = {}
    for error in context:
        branches.setdefault(error.relative_schema_path[0], []).append(error)
    if not branches:
        return ()
    best = min(branches.values(), key=lambda errors: (sum(map(_is_other, errors)), len(errors)))
    whole = any(not error.relative_path and error.validator in (None, "type", "const", "enum") for error in best)
    return () if whole else best


def _is_other(error: ValidationError) -> bool:
    depth = len(error.relative_path)
    return (depth == 0 and error.validator in (None, "type")) or (depth <= 1 and error.validator in ("const", "enum"))


def _located(parent: Failure, error: ValidationError) -> Failure:
    keyword = "false" if error.validator is None else str(error.validator)
    sub, path = getattr(error, "origin", (None, error.relative_schema_path))
    location = (parent.keyword_location if sub is None else sub.pointer) + pointer(path)
    source = parent.source if sub is None else sub.document.name
    return Failure(location, source, tuple(error.absolute_path), "", keyword)

"""One schema to replay against: the fast validator for the bulk, the reference for reasons and second looks."""

from __future__ import annotations

from collections.abc import Iterable

from compat.jsonvalue import JSON
from compat.model.instance import BulkValidator, UnsupportedByBulk, Validator
from compat.model.references import SchemaSet
from compat.replay.causes import Failing
from compat.replay.read import Record


class SchemaChecker:
    """A checker of one closed schema.

    Records whose numbers need more than 64 bits, and schemas that the fast validator cannot take, go to the
    reference at once.
    """

    def __init__(self, schemas: SchemaSet) -> None:
        self._reference = Validator(schemas)
        try:
            self._bulk: BulkValidator | None = BulkValidator(schemas)
        except UnsupportedByBulk:
            self._bulk = None

    def is_valid(self, record: Record) -> bool:
        if self._bulk is None or not record.ordinary:
            return self._reference.is_valid(record.value)
        return self._bulk.is_valid(record.value)

    def confirms(self, record: Record) -> bool:
        return self._reference.is_valid(record.value)

    def failures(self, value: JSON) -> Iterable[Failing]:
        return self._reference.failures(value)

"""Witnesses: from the solver's value to a JSON instance that two validators have seen."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from compat.errors import CompatError
from compat.jsonvalue import JSON, plain
from compat.model.instance import Formats, SecondOpinion, Validator
from compat.model.references import SchemaSet

# Subschemas applied by a validator without a memory: about a second of the other one.
MAX_EFFORT: Final = 300_000


class Witnesses:
    """The validators of one schema; made when the first witness needs them."""

    def __init__(self, schemas: SchemaSet, formats: Formats) -> None:
        self._schemas = schemas
        self._formats = formats

    @cached_property
    def reference(self) -> Validator:
        return Validator(self._schemas, formats=self._formats)

    @cached_property
    def second(self) -> SecondOpinion:
        return SecondOpinion(self._schemas, formats=self._formats)

    def second_opinion(self, witness: JSON) -> bool | None:
        """Ask the other validator, unless the work would be more than anyone waits for: it cannot be stopped."""
        return None if self.reference.effort > MAX_EFFORT else self.second.is_valid(witness)


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Whether the validators bear a witness out; `doubt` says who did not."""

    doubt: str | None = None

    @classmethod
    def of(cls, accepts: Witnesses, rejects: Witnesses, witness: JSON) -> Confirmation:
        """Ask the reference validator on both sides; a second opinion may abstain but not deny."""
        try:
            if not accepts.reference.is_valid(witness):
                return cls("witness did not verify: the schema that should accept it does not")
            if rejects.reference.is_valid(witness):
                return cls("witness did not verify: the schema that should reject it does not")
        except CompatError as error:
            return cls(f"witness could not be checked: {error.message}")
        except RecursionError:
            return cls("witness could not be checked: the schema nests too deeply")
        if accepts.second_opinion(witness) is False or rejects.second_opinion(witness) is True:
            return cls("witness did not verify: the second validator disagrees with the first")
        return cls()


def plain_value(value: Any) -> JSON:
    """Write a solver's value as plain JSON: exact rationals become the plainest number that denotes them."""
    if isinstance(value, Fraction):
        return plain(value)
    if isinstance(value, dict):
        return {key: plain_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_value(item) for item in value]
    return value  # type: ignore[no-any-return]

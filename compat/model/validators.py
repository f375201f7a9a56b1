"""jsonschema's validators, put right where they depart from the specification.

Regular expressions are ECMA-262's, numbers are exact, equality is JSON's, `integer` is integral in every dialect,
references resolve through the schema set (so a keyword's location is known in the document that holds it), and
unevaluated properties and items follow the text of the specification. Nothing here can reach a network.

Where only the answer is asked for, which is what proofs do, the way to it is shorter: the first error ends it, and no
error is described.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cache
from typing import Any

from jsonschema import Draft4Validator, Draft6Validator, Draft7Validator, Draft201909Validator, Draft202012Validator
from jsonschema.exceptions import UnknownType, ValidationError
from jsonschema.validators import extend

from compat.jsonvalue import JSON, exact
from compat.model.checks import CHECKS, FAILED, maximum_draft4, minimum_draft4, nothing
from compat.model.dialects import Dialect
from compat.model.frame import Frame
from compat.model.keywords import KEYWORDS, asserts_format, spoken

_PLAIN: Mapping[Dialect, Any] = {
    Dialect.DRAFT4: Draft4Validator,
    Dialect.DRAFT6: Draft6Validator,
    Dialect.DRAFT7: Draft7Validator,
    Dialect.DRAFT2019: Draft201909Validator,
    Dialect.DRAFT2020: Draft202012Validator,
}


def validator_for(frame: Frame, schema: JSON) -> Any:
    """Make the validator of a schema that stands in a frame."""
    sub = frame.sub
    asserting = frame.asserting or (sub.vocabularies is not None and asserts_format(sub.vocabularies))
    return _made(_validator_class(sub.dialect, sub.vocabularies), schema, _formats() if asserting else None, frame)


def _made(kind: Any, schema: JSON, format_checker: Any, frame: Frame) -> Any:
    if not frame.asking:
        return kind(schema, format_checker=format_checker, _resolver=frame)
    # One is made for every subschema applied, and what the library prepares for errors is most of the cost.
    made = object.__new__(kind)
    made.schema = schema
    made.format_checker = format_checker
    made._resolver = frame
    return made


@cache
def _formats() -> Any:
    from compat.model.formats import checker

    return checker()


@cache
def _validator_class(dialect: Dialect, vocabularies: frozenset[str] | None) -> Any:
    plain = _PLAIN[dialect]
    keywords = {name: check for name, check in CHECKS.items() if name in plain.VALIDATORS}
    if dialect is Dialect.DRAFT4:
        keywords |= {"minimum": minimum_draft4, "maximum": maximum_draft4}
    if vocabularies is not None:
        for name, row in KEYWORDS[dialect].items():
            if not spoken(row, vocabularies):
                keywords[name] = nothing
    types = plain.TYPE_CHECKER.redefine_many({"number": _is_number, "integer": _is_integer})
    made: Any = extend(plain, validators=keywords, type_checker=types)  # type: ignore[no-untyped-call]
    # The library warns against subclasses, and its own methods choose the class by `$schema` as it is spelled.
    for name, method in _METHODS.items():
        setattr(made, name, method)
    return made


# -- methods of the classes -------------------------------------------------------------------------------------------


def _evolve(self: Any, **changes: Any) -> Any:
    return _below(self, changes.get("schema", self.schema), changes.get("_resolver"))


def _below(self: Any, schema: JSON, frame: Frame | None = None) -> Any:
    here = self._resolver
    if frame is None:
        frame = here.entered(schema)
    if frame is here:
        return _made(type(self), schema, self.format_checker, frame)
    return validator_for(frame, schema)


def _descend(
    self: Any, instance: object, schema: JSON, path: Any = None, schema_path: Any = None, resolver: Any = None
) -> Iterable[ValidationError]:
    if schema is True:
        return ()
    frame = self._resolver
    frame.work.apply()
    below = _below(self, schema, resolver)
    if frame.asking:
        return () if _is_valid(below, instance) else (FAILED,)
    return _located(below.iter_errors(instance), path, schema_path)


def _located(errors: Iterable[ValidationError], path: Any, schema_path: Any) -> Iterator[ValidationError]:
    for error in errors:
        if path is not None:
            error.path.appendleft(path)
        if schema_path is not None:
            error.schema_path.appendleft(schema_path)
        yield error


def _is_valid(self: Any, instance: object) -> bool:
    frame = self._resolver
    if not frame.asking:
        self = validator_for(frame.asked(), self.schema)
    schema, known = self.schema, self.VALIDATORS
    if isinstance(schema, bool):
        return schema
    said = schema.items()
    if schema.get("$ref") is not None and frame.sub.dialect.ignores_ref_siblings:
        said = [("$ref", schema["$ref"])]
    for name, limit in said:
        check = known.get(name)
        if check is not None:
            for _ in check(self, limit, instance, schema) or ():
                return False
    return True


def _is_type(self: Any, instance: object, name: str) -> bool:
    test = _TYPES.get(name)
    if test is None:
        raise UnknownType(name, instance, self.schema)
    return test(None, instance)


_METHODS = {"evolve": _evolve, "descend": _descend, "is_valid": _is_valid, "is_type": _is_type}


# -- types ------------------------------------------------------------------------------------------------------------


def _is_number(_checker: object, value: object) -> bool:
    if isinstance(value, bool):
        return False
    if isinstance(value, float):
        return value - value == 0
    return isinstance(value, int) or (isinstance(value, Decimal) and value.is_finite())


def _is_integer(checker: object, value: object) -> bool:
    return _is_number(checker, value) and (isinstance(value, int) or exact(value).denominator == 1)  # type: ignore[arg-type]


_TYPES: Mapping[str, Callable[[object, object], bool]] = {
    "array": lambda _, value: isinstance(value, list),
    "boolean": lambda _, value: isinstance(value, bool),
    "integer": _is_integer,
    "null": lambda _, value: value is None,
    "number": _is_number,
    "object": lambda _, value: isinstance(value, dict),
    "string": lambda _, value: isinstance(value, str),
}

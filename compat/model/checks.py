"""The keywords as the specification has them, where jsonschema departs from it, and as a mere question has them.

Each is a function that yields the errors of one keyword, as jsonschema has it. Where only the answer is asked for, an
error is as good as another, and what would only describe it is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from compat import jsonvalue
from compat.jsonvalue import exact
from compat.model.frame import Frame
from compat.model.references import DynamicKeyword
from compat.model.regexes import compile_pattern

Errors = Iterator[ValidationError]

# What a keyword yields where nobody looks at the error.
FAILED = ValidationError("it does not hold")


def nothing(validator: Any, limit: Any, instance: Any, schema: Any) -> Errors:
    yield from ()


def _compare(left: Any, right: Any) -> int:
    # Two ints or two floats order as the decimals they are written as; a mixed pair need not.
    if type(left) is not type(right) or isinstance(left, Decimal):
        left, right = exact(left), exact(right)
    return int(left > right) - int(left < right)


def _type(validator: Any, names: Any, instance: Any, schema: Any) -> Errors:
    if not any(validator.is_type(instance, name) for name in ([names] if isinstance(names, str) else names)):
        yield ValidationError("not of a type allowed")


def _bound(fails: Callable[[int], bool], words: str) -> Callable[..., Errors]:
    def check(validator: Any, limit: Any, instance: Any, schema: Any) -> Errors:
        if validator.is_type(instance, "number") and fails(_compare(instance, limit)):
            yield ValidationError(f"{words} {limit}")

    return check


def minimum_draft4(validator: Any, limit: Any, instance: Any, schema: Any) -> Errors:
    name = "exclusiveMinimum" if schema.get("exclusiveMinimum") is True else "minimum"
    yield from CHECKS[name](validator, limit, instance, schema)


def maximum_draft4(validator: Any, limit: Any, instance: Any, schema: Any) -> Errors:
    name = "exclusiveMaximum" if schema.get("exclusiveMaximum") is True else "maximum"
    yield from CHECKS[name](validator, limit, instance, schema)


def _multiple_of(validator: Any, limit: Any, instance: Any, schema: Any) -> Errors:
    if validator.is_type(instance, "number") and (exact(instance) / exact(limit)).denominator != 1:
        yield ValidationError(f"no multiple of {limit}")


def _enum(validator: Any, options: Any, instance: Any, schema: Any) -> Errors:
    if isinstance(instance, str):
        # A string equals nothing but itself.
        found = instance in options
    else:
        wanted = jsonvalue.freeze(instance)
        found = any(jsonvalue.freeze(option) == wanted for option in options)
    if not found:
        yield ValidationError("none of the values allowed")


def _const(validator: Any, constant: Any, instance: Any, schema: Any) -> Errors:
    if not jsonvalue.equal(instance, constant):
        yield ValidationError("not the value required")


def _unique_items(validator: Any, wanted: Any, instance: Any, schema: Any) -> Errors:
    if wanted is True and validator.is_type(instance, "array"):
        frozen = [jsonvalue.freeze(item) for item in instance]
        if len(set(frozen)) != len(frozen):
            yield ValidationError("an item repeats")


def _pattern(validator: Any, source: Any, instance: Any, schema: Any) -> Errors:
    if validator.is_type(instance, "string") and not compile_pattern(source).matches(instance):
        yield ValidationError(f"does not match {source}")


def _pattern_properties(validator: Any, patterns: Any, instance: Any, schema: Any) -> Errors:
    if not validator.is_type(instance, "object"):
        return
    for source, subschema in patterns.items():
        regex = compile_pattern(source)
        for key, value in instance.items():
            if regex.matches(key):
                yield from validator.descend(value, subschema, path=key, schema_path=source)


def _additional_keys(schema: Mapping[str, Any], instance: Mapping[str, object]) -> Iterator[str]:
    named = schema.get("properties", {})
    regexes = [compile_pattern(source) for source in schema.get("patternProperties", {})]
    for key in instance:
        if key not in named and not any(regex.matches(key) for regex in regexes):
            yield key


def _additional_properties(validator: Any, subschema: Any, instance: Any, schema: Any) -> Errors:
    if not validator.is_type(instance, "object"):
        return
    extra = list(_additional_keys(schema, instance))
    if subschema is False:
        if extra:
            yield _not_allowed(extra)
        return
    for key in extra:
        yield from validator.descend(instance[key], subschema, path=key)


def _additional_items(validator: Any, subschema: Any, instance: Any, schema: Any) -> Errors:
    prefix = schema.get("items")
    if not validator.is_type(instance, "array") or not isinstance(prefix, list):
        return
    for index in range(len(prefix), len(instance)):
        yield from validator.descend(instance[index], subschema, path=index)


def _items(validator: Any, subschema: Any, instance: Any, schema: Any) -> Errors:
    if not validator.is_type(instance, "array"):
        return
    if isinstance(subschema, list):
        for index, (item, each) in enumerate(zip(instance, subschema, strict=False)):
            yield from validator.descend(item, each, path=index, schema_path=index)
        return
    for index in range(
        len(schema.get("prefixItems", ())) if "prefixItems" in validator.VALIDATORS else 0, len(instance)
    ):
        yield from validator.descend(instance[index], subschema, path=index)


def _required(validator: Any, names: Any, instance: Any, schema: Any) -> Errors:
    if validator.is_type(instance, "object"):
        yield from (_missing(name) for name in names if name not in instance)


def _dependent_required(validator: Any, dependents: Any, instance: Any, schema: Any) -> Errors:
    if validator.is_type(instance, "object"):
        for key, names in dependents.items():
            if key in instance:
                yield from (_missing(name) for name in names if name not in instance)


def _dependencies(validator: Any, dependents: Any, instance: Any, schema: Any) -> Errors:
    if not validator.is_type(instance, "object"):
        return
    for key, dependent in dependents.items():
        if key in instance and isinstance(dependent, list):
            yield from (_missing(name) for name in dependent if name not in instance)
        elif key in instance:
            yield from validator.descend(instance, dependent, schema_path=key)


def _missing(name: str) -> ValidationError:
    error = ValidationError("a property is missing")
    error.extra = [name]  # type: ignore[attr-defined]
    return error


def _not_allowed(keys: list[str]) -> ValidationError:
    error = ValidationError("properties that are not allowed")
    error.extra = keys  # type: ignore[attr-defined]
    return error


# -- choices ----------------------------------------------------------------------------------------------------------


def _any_of(validator: Any, branches: Any, instance: Any, schema: Any) -> Errors:
    if not validator._resolver.asking:
        yield from _library["anyOf"](validator, branches, instance, schema)
    elif all(validator.descend(instance, branch) for branch in branches):
        yield FAILED


def _one_of(validator: Any, branches: Any, instance: Any, schema: Any) -> Errors:
    if not validator._resolver.asking:
        yield from _library["oneOf"](validator, branches, instance, schema)
        return
    holding = 0
    for branch in branches:
        holding += not validator.descend(instance, branch)
        if holding > 1:
            break
    if holding != 1:
        yield FAILED


def _not(validator: Any, negated: Any, instance: Any, schema: Any) -> Errors:
    if validator.evolve(schema=negated).is_valid(instance):
        yield ValidationError("it holds")


_library: Mapping[str, Callable[..., Errors]] = Draft202012Validator.VALIDATORS


# -- references -------------------------------------------------------------------------------------------------------


def _targeted(validator: Any, keyword: str, ref: str, instance: object) -> Any:
    """Make the validator of what a reference leads to."""
    frame: Frame = validator._resolver
    if keyword == "$ref":
        target = frame.schemas.resolve(frame.sub, ref)
    else:
        dynamic: DynamicKeyword = "$dynamicRef" if keyword == "$dynamicRef" else "$recursiveRef"
        target = frame.schemas.resolve_dynamic(frame.sub, dynamic, ref, frame.scope)
    return validator.evolve(schema=target.value, _resolver=frame.referred(target, instance))


def _reference(keyword: str) -> Callable[..., Errors]:
    def check(validator: Any, ref: Any, instance: Any, schema: Any) -> Errors:
        if not isinstance(ref, str):
            return
        there = _targeted(validator, keyword, ref, instance)
        frame: Frame = there._resolver
        work, failed = frame.work, False
        key = (id(frame.sub.document), frame.sub.pointer, frame.scope, id(instance))
        if work.held(key):
            return
        before = work.total
        if frame.asking:
            if there.is_valid(instance):
                work.keep(key, work.total - before)
            else:
                yield FAILED
            return
        for error in there.iter_errors(instance):
            # The first reference that an error passes on its way up is the nearest to where it arose.
            if not hasattr(error, "origin"):
                error.origin = (frame.sub, list(error.schema_path))
            failed = True
            yield error
        if not failed:
            work.keep(key, work.total - before)

    return check


# -- unevaluated ------------------------------------------------------------------------------------------------------


def _in_place(validator: Any, instance: object) -> Iterator[Any]:
    """Yield the validators of the schemas that hold of the same instance and so lend their annotations."""
    schema, known = validator.schema, validator.VALIDATORS
    if not isinstance(schema, dict):
        return
    for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
        if keyword in known and isinstance(schema.get(keyword), str):
            yield _targeted(validator, keyword, schema[keyword], instance)
    if _only_refers(validator):
        return
    for keyword in ("allOf", "anyOf", "oneOf"):
        if keyword in known:
            for each in schema.get(keyword, ()):
                evolved = validator.evolve(schema=each)
                if evolved.is_valid(instance):
                    yield evolved
    if "if" in schema and "if" in known:
        condition = validator.evolve(schema=schema["if"])
        holds = condition.is_valid(instance)
        if holds:
            yield condition
        branch = "then" if holds else "else"
        if branch in schema:
            yield validator.evolve(schema=schema[branch])
    if isinstance(instance, dict) and "dependentSchemas" in known:
        for key, each in schema.get("dependentSchemas", {}).items():
            if key in instance:
                yield validator.evolve(schema=each)


def _only_refers(validator: Any) -> bool:
    return "$ref" in validator.schema and bool(validator._resolver.sub.dialect.ignores_ref_siblings)


def _evaluated_keys(validator: Any, instance: dict[str, object], *, own: bool = True) -> set[str]:
    """Collect the properties that a schema evaluates; `own` leaves `unevaluatedProperties` itself out when False."""
    schema, known = validator.schema, validator.VALIDATORS
    if not isinstance(schema, dict):
        return set()
    if _only_refers(validator):
        return {key for each in _in_place(validator, instance) for key in _evaluated_keys(each, instance)}
    if (own and "unevaluatedProperties" in schema and "unevaluatedProperties" in known) or (
        "additionalProperties" in schema and "additionalProperties" in known
    ):
        return set(instance)
    keys = {key for key in schema.get("properties", ()) if key in instance}
    for source in schema.get("patternProperties", ()):
        regex = compile_pattern(source)
        keys |= {key for key in instance if regex.matches(key)}
    for each in _in_place(validator, instance):
        keys |= _evaluated_keys(each, instance)
    return keys


def _unevaluated_properties(validator: Any, subschema: Any, instance: Any, schema: Any) -> Errors:
    if not validator.is_type(instance, "object"):
        return
    evaluated = _evaluated_keys(validator, instance, own=False)
    rest = [key for key in instance if key not in evaluated]
    if subschema is False:
        if rest:
            yield _not_allowed(rest)
        return
    for key in rest:
        yield from validator.descend(instance[key], subschema, path=key)


def _evaluated_items(validator: Any, instance: list[object], *, own: bool = True) -> set[int]:
    schema, known = validator.schema, validator.VALIDATORS
    if not isinstance(schema, dict):
        return set()
    if _only_refers(validator):
        return {index for each in _in_place(validator, instance) for index in _evaluated_items(each, instance)}
    items = schema.get("items")
    if (own and "unevaluatedItems" in schema and "unevaluatedItems" in known) or (
        "items" in schema and not isinstance(items, list)
    ):
        return set(range(len(instance)))
    prefix = schema.get("prefixItems") if "prefixItems" in known else items
    length = len(prefix) if isinstance(prefix, list) else 0
    if isinstance(items, list) and "additionalItems" in schema:
        length = len(instance)
    indexes = set(range(min(length, len(instance))))
    if "contains" in schema and "contains" in known:
        holds = validator.evolve(schema=schema["contains"])
        indexes |= {index for index, item in enumerate(instance) if holds.is_valid(item)}
    for each in _in_place(validator, instance):
        indexes |= _evaluated_items(each, instance)
    return indexes


def _unevaluated_items(validator: Any, subschema: Any, instance: Any, schema: Any) -> Errors:
    if not validator.is_type(instance, "array"):
        return
    evaluated = _evaluated_items(validator, instance, own=False)
    for index, item in enumerate(instance):
        if index not in evaluated:
            yield from validator.descend(item, subschema, path=index)


CHECKS: dict[str, Callable[..., Errors]] = {
    "$ref": _reference("$ref"),
    "$dynamicRef": _reference("$dynamicRef"),
    "$recursiveRef": _reference("$recursiveRef"),
    "additionalItems": _additional_items,
    "additionalProperties": _additional_properties,
    "anyOf": _any_of,
    "const": _const,
    "dependencies": _dependencies,
    "dependentRequired": _dependent_required,
    "enum": _enum,
    "exclusiveMaximum": _bound(lambda order: order >= 0, "not below"),
    "exclusiveMinimum": _bound(lambda order: order <= 0, "not above"),
    "items": _items,
    "maximum": _bound(lambda order: order > 0, "above"),
    "minimum": _bound(lambda order: order < 0, "below"),
    "multipleOf": _multiple_of,
    "not": _not,
    "oneOf": _one_of,
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "required": _required,
    "type": _type,
    "unevaluatedItems": _unevaluated_items,
    "unevaluatedProperties": _unevaluated_properties,
    "uniqueItems": _unique_items,
}

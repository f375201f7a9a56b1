"""Whether a schema is a schema: its dialect's meta-schema, and what a meta-schema cannot say.

jsonschema-rs answers the usual case, that all is well, in a tenth of a millisecond; jsonschema says where and why
when it does not agree. Both read the meta-schemas that are built in, and neither can reach a network.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

import jsonschema_rs

from compat import jsonvalue
from compat.errors import Place, RegexError, SchemaError, UnresolvedReference
from compat.jsonvalue import JSON
from compat.model import keywords, metaschemas
from compat.model.dialects import Dialect
from compat.model.document import Document
from compat.model.regexes import compile_pattern

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

    from compat.model.instance import Validator
    from compat.model.references import SchemaSet, Subschema

# Each costs a search for the keyword it may stand for.
_MOST_UNKNOWN_NAMES = 5000


def check(schemas: SchemaSet) -> None:
    """Check the root and everything it refers to; SchemaError or RegexError carry the place of the first fault.

    References that lead nowhere are no fault here.
    """
    if _is_plainly_good(schemas):
        return
    covered: set[tuple[Document, str]] = set()
    waiting = [schemas.root]
    while waiting:
        entry = waiting.pop(0)
        if (entry.document, entry.pointer) in covered:
            continue
        inside = _inside(schemas, entry, covered)
        foreign = [sub for sub in inside if sub.dialect is not entry.dialect]
        _check_one(entry, foreign)
        # A schema of another dialect inside this one answers to its own meta-schema.
        for sub in foreign:
            covered.discard((sub.document, sub.pointer))
        waiting.extend(foreign)
        mine = [sub for sub in inside if sub.dialect is entry.dialect]
        for sub in mine:
            _check_patterns(sub)
        waiting.extend(_targets(schemas, mine))


def _is_plainly_good(schemas: SchemaSet) -> bool:
    """Tell whether a quick look is enough: one resource of one dialect, whose references stay where it is checked."""
    root = schemas.root
    seen = root.document.glance
    if root.pointer or not seen.is_closed or {"$schema", root.dialect.id_keyword} & seen.identifiers:
        return False
    try:
        for pattern in seen.patterns:
            compile_pattern(pattern)
    except RegexError:
        return False
    # An anchor is found only where its meta-schema sees it; a pointer may lead into a container of its own.
    for ref in seen.references:
        if ref.startswith(_RESERVED) and ref.count("/") == 2 and "%" not in ref:
            continue
        pointer = unquote(ref[1:])
        if pointer[:1] == "/" and not _leads_by_keywords(root, pointer):
            return False
    unseen = root.value.get("$defs") if root.dialect.ignores_ref_siblings and isinstance(root.value, dict) else None
    return _fast(root.dialect, root.value) and (unseen is None or _fast(root.dialect, {"definitions": unseen}))


# How most references begin; one level further there is a schema, or nothing. Some write `$defs` before it is a keyword.
_RESERVED = ("#/definitions/", "#/$defs/")


def _leads_by_keywords(root: Subschema, pointer: str) -> bool:
    """Tell whether keywords alone lead from a root to a place, so that its meta-schema sees it."""
    value, tokens = root.value, jsonvalue.tokens(pointer)
    while tokens:
        count = keywords.steps(value, tokens, root.dialect)
        if count == 0:
            return False
        try:
            for token in tokens[:count]:
                value = jsonvalue.step(value, token)  # type: ignore[assignment]
        except (KeyError, IndexError):
            return False
        tokens = tokens[count:]
    return isinstance(value, dict | bool)


class Misplaced(NamedTuple):
    """A name that asserts nothing although it surely was meant to: where it stands, why, and what it holds."""

    place: Place
    remark: str
    value: JSON


def misplaced(schemas: SchemaSet) -> Iterator[Misplaced]:
    """Yield the names that surely were meant to assert something: keywords mistyped, or of another dialect.

    Only where they would apply; what nothing refers to is passed over. After so many unknown names that nobody typed
    them it gives up.
    """
    left = _MOST_UNKNOWN_NAMES
    for sub, _ in schemas.reached():
        if not isinstance(sub.value, dict) or metaschemas.document(sub.document.uri) is sub.document:
            continue
        left -= sum(name not in keywords.KEYWORDS[sub.dialect] for name in sub.value)
        if left < 0:
            return
        for name, remark in keywords.misplaced(sub.value, sub.dialect):
            place = sub.document.place(sub.pointer + jsonvalue.pointer([name]))
            yield Misplaced(place, remark, sub.value[name])


def _inside(schemas: SchemaSet, entry: Subschema, covered: set[tuple[Document, str]]) -> list[Subschema]:
    """List a schema and the schemas in it, parents first, stopping at those of another dialect."""
    found, stack = [], [entry]
    while stack:
        sub = stack.pop()
        found.append(sub)
        covered.add((sub.document, sub.pointer))
        if sub.dialect is entry.dialect:
            stack.extend(reversed([child for _, _, child in schemas.children(sub)]))
    return found


def _targets(schemas: SchemaSet, subs: Iterable[Subschema]) -> list[Subschema]:
    from compat.model.references import references_in

    targets = []
    for sub in subs:
        for _, ref in references_in(sub.value, sub.dialect):
            try:
                target = schemas.resolve(sub, ref)
            except UnresolvedReference:
                continue
            if metaschemas.document(target.document.uri) is not target.document:
                targets.append(target)
    return targets


def _check_one(entry: Subschema, foreign: list[Subschema]) -> None:
    value = entry.value
    for sub in foreign:
        value = _without(value, jsonvalue.tokens(sub.pointer.removeprefix(entry.pointer)))
    if _fast(entry.dialect, value):
        return
    errors = [fault for error in _slow(entry.dialect).errors(value) for fault in _faults(error)]
    if not errors:
        return
    # The deepest is the nearest to what was mistyped; of two alike the first in the order of their paths.
    error = min(errors, key=lambda error: (-len(error.absolute_path), [str(token) for token in error.absolute_path]))
    pointer = entry.pointer + jsonvalue.pointer(error.absolute_path)
    raise SchemaError(_message(error), place=entry.document.place(pointer))


def _faults(error: ValidationError) -> Iterator[ValidationError]:
    """Yield an error and those of the alternatives that it sums up, outermost first."""
    yield error
    for inner in error.context or ():
        yield from _faults(inner)


def _without(value: JSON, tokens: tuple[str, ...]) -> JSON:
    # Copies what lies on the path and nothing else.
    if not tokens:
        return True
    if isinstance(value, dict):
        return {**value, tokens[0]: _without(value[tokens[0]], tokens[1:])}
    assert isinstance(value, list)
    index = int(tokens[0])
    return [*value[:index], _without(value[index], tokens[1:]), *value[index + 1 :]]


def _check_patterns(sub: Subschema) -> None:
    value = sub.value
    if not isinstance(value, dict) or ("$ref" in value and sub.dialect.ignores_ref_siblings):
        return
    patterns: list[tuple[str, str]] = []
    pattern, keyed = value.get("pattern"), value.get("patternProperties")
    if isinstance(pattern, str):
        patterns.append((pattern, "/pattern"))
    if isinstance(keyed, dict):
        patterns.extend((key, "/patternProperties" + jsonvalue.pointer([key])) for key in keyed)
    for source, where in patterns:
        try:
            compile_pattern(source)
        except RegexError as error:
            raise RegexError(error.message, place=sub.document.place(sub.pointer + where)) from None


@cache
def _fast_validator(dialect: Dialect) -> Any:
    classes = {
        Dialect.DRAFT4: jsonschema_rs.Draft4Validator,
        Dialect.DRAFT6: jsonschema_rs.Draft6Validator,
        Dialect.DRAFT7: jsonschema_rs.Draft7Validator,
        Dialect.DRAFT2019: jsonschema_rs.Draft201909Validator,
        Dialect.DRAFT2020: jsonschema_rs.Draft202012Validator,
    }
    meta: Any = metaschemas.of(dialect).value
    return classes[dialect](meta, validate_formats=False, offline=True)


def _fast(dialect: Dialect, value: Any) -> bool:
    try:
        return bool(_fast_validator(dialect).is_valid(value))
    except ValueError:
        # Half a character in a string, or a number it has no room for: the other one decides.
        return False


@cache
def _slow(dialect: Dialect) -> Validator:
    from compat.model.instance import Validator
    from compat.model.references import schema_set

    return Validator(schema_set(metaschemas.of(dialect)))


def _message(error: ValidationError) -> str:
    path = list(error.absolute_path)
    keyword = next((f'"{token}"' for token in reversed(path) if isinstance(token, str)), "a schema")
    what = f"entry {path[-1]} of {keyword}" if path and isinstance(path[-1], int) else keyword
    found = jsonvalue.dumps(error.instance)
    shown = found if len(found) <= 60 else found[:59] + "…"
    limit: Any = error.validator_value
    around: Any = error.schema
    match error.validator:
        case "type":
            wanted = [limit] if isinstance(limit, str) else list(limit)
            return f"{what} must be {_either(_ARTICLES.get(name, name) for name in wanted)}, not {shown}"
        case "exclusiveMinimum":
            return f"{what} must be greater than {limit}, not {shown}"
        case "minimum":
            above = "greater than" if around.get("exclusiveMinimum") is True else "at least"
            return f"{what} must be {above} {limit}, not {shown}"
        case "minItems":
            return f"{what} must have at least {limit} {'entry' if limit == 1 else 'entries'}"
        case "uniqueItems":
            return f"{what} repeats an entry: {shown}"
        case "anyOf" | "enum" if "type" in path[-2:]:
            return _about_types(error.instance)
        case "enum":
            return f"{what} must be one of {', '.join(jsonvalue.dumps(item) for item in limit)}, not {shown}"
        case "required" | "dependencies":
            missing = ", ".join(jsonvalue.dumps(name) for name in getattr(error, "extra", ()))
            return f"{what} lacks {missing}, which goes with another keyword"
        case "pattern":
            return f"{what} has a form that is not allowed: {shown}"
    return f"{what} has a value that is not allowed: {shown}"


def _about_types(value: object) -> str:
    named = value if isinstance(value, list) else [value]
    unknown = next((name for name in named if not isinstance(name, str) or name not in _ARTICLES), named)
    if unknown is not named:
        return f"{jsonvalue.dumps(unknown)} is no type; the types are {', '.join(list(_ARTICLES)[:-1])} and string"
    return '"type" names a type twice' if named else '"type" names no type'


_ARTICLES = {
    "array": "an array",
    "boolean": "true or false",
    "integer": "an integer",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "a string",
}


def _either(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last

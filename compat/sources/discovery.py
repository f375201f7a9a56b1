"""What is governed without configuration, and what is passed over and why."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import orjson

from compat.errors import SourceError
from compat.sources.files import shown
from compat.sources.git import is_iglu
from compat.sources.patterns import excluded, matches

# A folder of one of these names holds what others wrote, or what is wrong on purpose.
PASSED_OVER_FOLDERS = frozenset({"node_modules", "vendor", "testdata", "fixtures"})
_SCHEMA_FOLDERS = frozenset({"schemas", "schema"})
_NAMED = re.compile(r".+\.(?:schema\.(?:json|yaml|yml)|jsonschema)", re.IGNORECASE | re.DOTALL)
_PLAIN = re.compile(r".+\.(?:json|yaml|yml)", re.IGNORECASE | re.DOTALL)
_DIALECT = re.compile(r"https?://json-schema\.org/(?:draft|schema)|.*/self-desc/schema/jsonschema/|.*\.self-desc/")
_TYPES = frozenset({"null", "boolean", "object", "array", "number", "integer", "string"})

# A YAML file is parsed where it is compared; here its first column is enough.
_YAML_DIALECT = re.compile(rb"""^["']?\$schema["']?[ \t]*:[ \t]*["']?https?://json-schema\.org/""", re.MULTILINE)
_KEYWORD = rb"\$schema|\$defs|definitions|properties|patternProperties|allOf|anyOf|oneOf|\$ref"
_TYPE = rb"[\"']?(?:object|array|string|number|integer|boolean|null)\b[\"']?"
# One type on the line of its key, or a list of them: in brackets, or below it.
_YAML_TYPES = rb"(?:[ \t]*%b[ \t\r]*(?:#.*)?$|[ \t]*\[\s*%b|[ \t\r]*\n[ \t]*-[ \t]+%b)" % (_TYPE, _TYPE, _TYPE)
_YAML_KEYWORD = re.compile(
    rb"^[\"']?(?:(?:%b)[\"']?[ \t]*:|type[\"']?[ \t]*:%b)" % (_KEYWORD, _YAML_TYPES), re.MULTILINE
)
# The first key of a document in braces that is not JSON.
_YAML_BRACES = re.compile(rb"\{\s*[\"']?(?:(?:%b)[\"']?\s*:|type[\"']?\s*:\s*\[?\s*%b)" % (_KEYWORD, _TYPE))
_YAML_OTHER = re.compile(rb"^[\"']?(openapi|swagger|asyncapi)[\"']?[ \t]*:", re.MULTILINE)


class Why(StrEnum):
    """What makes a file a schema of this project."""

    CONFIGURED = "configured"
    NAMED = "its name"
    FOLDER = "its folder"
    DIALECT = "its $schema"


class Look(StrEnum):
    """What a content looks like at its top level."""

    SCHEMA = "a schema"
    OTHER = "no JSON Schema keyword at the top"
    CONTAINER = "schemas inside a larger document; name one as FILE#/pointer"
    BROKEN = "does not parse"


class Files(Protocol):
    """What discovery needs of a moment's files."""

    @property
    def entries(self) -> Mapping[str, object]: ...
    def read(self, path: str) -> bytes: ...
    def link_target(self, path: str) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Governed:
    """A file that is judged, and why; `lineage` is set where the configuration names it."""

    path: str
    why: Why
    lineage: str | None = None


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A file that looked like a candidate and is not judged."""

    path: str
    why: str


@dataclass(frozen=True, slots=True)
class Discovery:
    """The governed files and the others that came near, each in order of path."""

    governed: tuple[Governed, ...]
    passed_over: tuple[PassedOver, ...]


def by_name(path: str) -> Why | None:
    """Tell what a path alone says; DIALECT means that only the content can tell."""
    *folders, name = path.split("/")
    if _NAMED.fullmatch(name):
        return Why.NAMED
    if is_iglu(path):
        return Why.NAMED
    if not _PLAIN.fullmatch(name):
        return None
    return Why.FOLDER if _SCHEMA_FOLDERS.intersection(folders) else Why.DIALECT


def look(path: str, data: bytes) -> Look:
    """Tell what a content looks like, without building what comparing it will need."""
    if path.lower().endswith((".yaml", ".yml")) and not _is_json(data):
        if _YAML_OTHER.search(data):
            return Look.CONTAINER
        return Look.SCHEMA if _YAML_KEYWORD.search(data) or _YAML_BRACES.match(data.lstrip()) else Look.OTHER
    try:
        value = _parsed(data)
    except (ValueError, RecursionError):
        return Look.BROKEN
    if isinstance(value, Mapping) and {"openapi", "swagger", "asyncapi"}.intersection(value):
        return Look.CONTAINER
    return Look.SCHEMA if _is_schema(value) else Look.OTHER


def _is_json(data: bytes) -> bool:
    """Whether YAML is JSON too, where the first column tells nothing."""
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return False
    try:
        _parsed(data)
    except (ValueError, RecursionError):
        return False
    return True


def _parsed(data: bytes) -> object:
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        return json.loads(data)  # numbers and surrogates that the quick parser refuses


def _names_dialect(value: object) -> bool:
    return isinstance(value, str) and len(value) < 500 and _DIALECT.match(value) is not None


def _is_schema(value: object) -> bool:
    """Whether an object has JSON Schema at its top level: its dialect, or a keyword with a value of the right shape.

    A sample with a `type` of its own, or a catalogue with a list under `schemas`, is none.
    """
    if not isinstance(value, Mapping):
        return False
    if _names_dialect(value.get("$schema")):
        return True
    kind = value.get("type")
    if (isinstance(kind, str) and kind in _TYPES) or (
        isinstance(kind, list) and kind and _TYPES.issuperset(map(str, kind))
    ):
        return True
    for keyword in ("properties", "patternProperties", "$defs", "definitions"):
        held = value.get(keyword)
        if isinstance(held, Mapping) and held and all(isinstance(sub, Mapping | bool) for sub in held.values()):
            return True
    for keyword in ("allOf", "anyOf", "oneOf"):
        held = value.get(keyword)
        if isinstance(held, Sequence) and held and all(isinstance(sub, Mapping | bool) for sub in held):
            return True
    return isinstance(value.get("$ref"), str) or isinstance(value.get("enum"), list)


def _dialect_inside(path: str, data: bytes) -> bool:
    if path.lower().endswith((".yaml", ".yml")) and not (b'"$schema"' in data and _is_json(data)):
        return _YAML_DIALECT.search(data) is not None
    if b'"$schema"' not in data:
        return False
    try:
        value = _parsed(data)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, Mapping) and _names_dialect(value.get("$schema"))


def discover(
    files: Files, *, configured: Mapping[str, Sequence[str]] | None = None, exclude: Iterable[str] = (), scope: str = ""
) -> Discovery:
    """Find the governed files of a moment.

    `configured` maps lineages to path patterns, which win over everything but `exclude`; `scope` is the folder
    whose files count. Content is read only of files that their name does not settle.
    """
    exclude = tuple(exclude)
    governed: list[Governed] = []
    passed: list[PassedOver] = []
    for path in sorted(files.entries):
        if scope and not path.startswith(scope + "/"):
            continue
        lineage = next(
            (name for name, patterns in (configured or {}).items() if any(matches(p, path) for p in patterns)), None
        )
        why = Why.CONFIGURED if lineage is not None else by_name(path)
        if why is None:
            continue
        reason = _reason(files, path, why, exclude)
        if reason is None:
            governed.append(Governed(path, why, lineage))
        elif reason:
            passed.append(PassedOver(path, reason))
    kept = {found.path for found in governed}
    result: list[Governed] = []
    for found in governed:
        target = _target(files, found.path)
        if target in kept and found.lineage is None:
            passed.append(PassedOver(found.path, f"a link to {shown(target)}"))
        else:
            result.append(found)
    return Discovery(tuple(result), tuple(sorted(passed, key=lambda p: p.path)))


def _reason(files: Files, path: str, why: Why, exclude: Sequence[str]) -> str | None:
    """Say why a candidate is passed over: None it is not, empty when it never came near."""
    pattern = excluded(exclude, path)
    if pattern is not None:
        return "" if why is Why.DIALECT else f'excluded by "{pattern}"'
    if why is Why.CONFIGURED:
        return None
    folder = next((step for step in path.split("/")[:-1] if step in PASSED_OVER_FOLDERS), None)
    if folder is not None:
        return "" if why is Why.DIALECT else f"under {folder}/"
    try:
        if why is Why.NAMED:
            # Broken content is an error where it is compared, not a file that vanished.
            if files.link_target(path) is not None:
                files.read(path)
            return None
        data = files.read(path)
    except SourceError as error:
        return error.message
    if why is Why.DIALECT:
        return None if _dialect_inside(path, data) else ""
    seen = look(path, data)
    return None if seen is Look.SCHEMA else seen.value


def _target(files: Files, path: str) -> str | None:
    try:
        return files.link_target(path)
    except SourceError:
        return None

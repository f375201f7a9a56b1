"""Where the number of a version comes from: `$id`, a keyword, a constant of the instance, the path, a tag."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from compat.lineage.numbers import Scheme, VersionNumber

# Endings that say "a schema", not what it is about; longest first.
ENDINGS = (".schema.json", ".schema.yaml", ".schema.yml", ".jsonschema", ".json", ".yaml", ".yml")

VERSION_KEYWORDS = ("version", "x-version", "$version", "schemaVersion", "x-schema-version", "schema_version")

# A longer text is no version, and matching it is work that a stranger chooses.
_LONGEST = 200
_LONGEST_URI = 4000
_DEEPEST = 32

# Property names whose constant is read as a version; compared without case, `_`, `-`, `@` and `$`.
MARKER_NAMES = frozenset(
    {"v", "version", "schema", "schemaversion", "formatversion", "specversion", "protocolversion", "apiversion"}
)

_SUFFIX = re.compile(r"(?P<name>.*?[^-_.@])[-_.@](?P<number>[vV]\d.*|\d+\.\d.*|[1-9]\d*-\d+-\d+|(?:19|20)\d\d-\d\d)")
_NAMED = re.compile(r"(?P<name>[^/@: ]*[^/@: \d][^/@: ]*)[/@:](?P<number>[vV]?\d[^/@: ]*)")


class NumberSource(StrEnum):
    """Which of the places a number was read from."""

    ID = "$id"
    KEYWORD = "keyword"
    CONST = "const"
    PATH = "path"
    TAG = "tag"
    CONFIG = "config"


def parsed(value: object) -> VersionNumber | None:
    """Read a whole value as a number: `1`, `"1.0"`, `"v2"`; None for everything else."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    if (isinstance(value, str) and len(value) > _LONGEST) or (isinstance(value, int) and abs(value) >= 10**9):
        return None
    return _parsed(str(value))


# A history spells few numbers, and spells them over and over.
@lru_cache(maxsize=4096)
def _parsed(text: str) -> VersionNumber | None:
    try:
        return VersionNumber.parse(text)
    except ValueError:
        return None


def tagged(value: object) -> VersionNumber | None:
    """Read a constant that carries a number, alone or behind a name: `1`, `"1.0"`, `"pw-decide-row/1"`, `"task@v2"`."""
    number = parsed(value)
    if number is None and isinstance(value, str) and len(value) <= _LONGEST and (match := _NAMED.fullmatch(value)):
        number = parsed(match["number"])
    return number


def name_of_tag(value: object) -> str | None:
    """Give what stands before the number of a constant such as `"pw-decide-row/1"`."""
    if not isinstance(value, str) or len(value) > _LONGEST or (match := _NAMED.fullmatch(value)) is None:
        return None
    return match["name"] if parsed(match["number"]) is not None else None


def version_of(
    value: object,
    path: str,
    tags: Iterable[str] = (),
    *,
    lineage: str | None = None,
    source: NumberSource | None = None,
    find: Callable[[str], str | None] | None = None,
    marker: str | None = None,
) -> tuple[VersionNumber, NumberSource] | None:
    """Find the number of a schema: the first of `$id`, keyword, constant, path and tag that has one.

    `source` and `find` are the configured choice: look only there, and read the number that `find` takes out of a
    text; it is the caller's, who knows how to bound a pattern from outside. `marker` is the configured property that
    carries a constant.
    `lineage` names the tags that count in a repository of many lineages (`task-v1.2.0`, `task/v1.2.0`).
    """
    for candidate, found in _candidates(value, path, tags, lineage, find, marker):
        if found is not None and (source is None or candidate is source):
            return found, candidate
    return None


def _candidates(
    value: object,
    path: str,
    tags: Iterable[str],
    lineage: str | None,
    find: Callable[[str], str | None] | None,
    marker: str | None,
) -> Iterator[tuple[NumberSource, VersionNumber | None]]:
    schema = value if isinstance(value, Mapping) else {}
    uri = schema.get("$id", schema.get("id"))
    uri = uri if isinstance(uri, str) else ""
    if find is not None:
        yield NumberSource.ID, parsed(find(uri[:_LONGEST_URI]))
        yield NumberSource.PATH, parsed(find(path))
        for tag in tags:
            yield NumberSource.TAG, parsed(find(tag))
        return
    yield NumberSource.ID, number_in_uri(uri)
    yield NumberSource.KEYWORD, number_in_keyword(schema)
    yield NumberSource.CONST, next((number for _, number in constants(schema, marker)), None)
    yield NumberSource.PATH, number_in_path(path)
    yield NumberSource.TAG, newest_tag(tags, lineage)


@lru_cache(maxsize=4096)
def number_in_uri(uri: str) -> VersionNumber | None:
    """Read `…/1.0.0/…`, `…/1.0/…`, `…/v1/…`, `…/name/1`, `iglu:…/1-0-2` and `urn:…:v1`, the rightmost that is one."""
    if len(uri) > _LONGEST_URI:
        return None
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    steps = [step for step in re.split(r"[/:]" if parts.scheme == "urn" else "/", unquote(parts.path)) if step]
    return _number_in_steps(steps)


@lru_cache(maxsize=4096)
def number_in_path(path: str) -> VersionNumber | None:
    """Read `v1/task.schema.json`, `1.0.0/task.json`, `task-1.2.json`, the rightmost that is one."""
    return _number_in_steps(path.split("/"))


def _number_in_steps(steps: Sequence[str]) -> VersionNumber | None:
    for depth, step in enumerate(reversed(steps[-_DEEPEST:])):
        # A bare number far from the name is a year or a part number.
        number = number_in_step(step, bare=depth < 2)
        if number is not None:
            return number
    return None


def number_in_step(step: str, *, bare: bool = True) -> VersionNumber | None:
    """Read one segment of a path: a whole number, or one behind a name (`task-1.2.json`, `task.v2.json`)."""
    stem = stem_of(step)
    number = parsed(stem)
    if number is not None:
        big = number.scheme is Scheme.INTEGER and number.parts[0] >= 1000
        spelled = stem[:1] in "vV" or number.scheme is not Scheme.INTEGER
        return number if spelled or (bare and not big) else None
    match = _suffix(stem)
    return parsed(match["number"]) if match else None


def _suffix(stem: str) -> re.Match[str] | None:
    return _SUFFIX.fullmatch(stem) if len(stem) <= _LONGEST else None


def stem_of(name: str) -> str:
    """Cut the ending that says a file is a schema."""
    for ending in ENDINGS:
        if name.lower().endswith(ending) and len(name) > len(ending):
            return name[: -len(ending)]
    return name


def without_number(path: str) -> str:
    """Give the path with every version segment cut out: what versions side by side have in common."""
    kept: list[str] = []
    steps = path.split("/")
    for depth, step in enumerate(reversed(steps)):
        stem = stem_of(step)
        if number_in_step(step, bare=depth < 2) is None:
            kept.append(step)
        elif parsed(stem) is None and (match := _suffix(stem)):
            kept.append(match["name"] + step[len(stem) :])
    return "/".join(reversed(kept))


def number_in_keyword(schema: Mapping[str, object]) -> VersionNumber | None:
    """Read Iglu's `self.version`, or a keyword beside the schema's own such as `version` or `x-version`."""
    own = schema.get("self")
    if isinstance(own, Mapping) and (number := parsed(own.get("version"))):
        return number
    return next((number for key in VERSION_KEYWORDS if key in schema and (number := parsed(schema[key]))), None)


def is_marker_name(name: str) -> bool:
    """Whether a property's name says that it carries a version."""
    return re.sub(r"[-_@$]", "", name).lower() in MARKER_NAMES


def constant(schema: object) -> tuple[str, object] | None:
    """Give the keyword and value of a subschema that admits one value: `const`, or an `enum` of one."""
    if not isinstance(schema, Mapping):
        return None
    if "const" in schema:
        return "const", schema["const"]
    values = schema.get("enum")
    if isinstance(values, Sequence) and not isinstance(values, str) and len(values) == 1:
        return "enum", values[0]
    return None


def constants(schema: Mapping[str, object], marker: str | None = None) -> Iterator[tuple[str, VersionNumber]]:
    """Yield the root properties that carry a version as a constant, with the number; `marker` is the only one meant."""
    properties = schema.get("properties")
    if isinstance(properties, Mapping):
        for name, sub in properties.items():
            found = constant(sub)
            meant = is_marker_name(name) if marker is None else name == marker
            if found is not None and meant and (number := tagged(found[1])):
                yield name, number


def newest_tag(tags: Iterable[str], lineage: str | None = None) -> VersionNumber | None:
    """Give the highest number among the tags of a lineage; a tag with no name in front counts for every lineage."""
    numbers = [number for tag in tags if (number := number_in_tag(tag, lineage)) is not None]
    return max(numbers, default=None)


def number_in_tag(tag: str, lineage: str | None = None) -> VersionNumber | None:
    """Read `v1.2.0`, `1.2.0`, and with a lineage `task-v1.2.0`, `task/v1.2.0`, `task@1.2.0`."""
    number = parsed(tag)
    if number is not None or lineage is None or not tag.startswith(lineage):
        return number
    rest = tag[len(lineage) :]
    return parsed(rest[1:]) if rest[:1] in {"-", "/", "@", "_"} else None

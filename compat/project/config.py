"""The configuration: `compat.toml`, or `[tool.compat]` in `pyproject.toml`, read from any revision."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite

from compat.errors import ConfigError, Place, RegexError, did_you_mean
from compat.jsonvalue import JSON, pointer, tokens
from compat.lineage import NumberSource, VersionNumber
from compat.model.dialects import Dialect
from compat.model.regexes import compile_pattern
from compat.policy import ANY_RULE, Policies, read_policies
from compat.project.options import Table, keys
from compat.sources.files import shown

FILE_NAME = "compat.toml"
_SHARED_FILE = "pyproject.toml"
_FORMATS = ("annotation", "assertion")
_RECORDS_KEYS = ("files", "version")

Reader = Callable[[str], bytes | None]


@dataclass(frozen=True, slots=True)
class VersionRule:
    """Where the numbers of a lineage come from when it is configured; `property` names its version marker."""

    source: NumberSource | None = None
    pattern: str | None = None
    property: str | None = None


@dataclass(frozen=True, slots=True)
class RecordsRule:
    """A pattern or location of records, and the version they were written under where it is not theirs to say."""

    pattern: str
    version: VersionNumber | None = None

    @property
    def is_location(self) -> bool:
        """Whether it names something elsewhere (`s3://…`) and not files under the root."""
        return "://" in self.pattern


@dataclass(frozen=True, slots=True)
class SchemaConfig:
    """What the configuration says about one lineage; patterns are relative to the configuration's folder.

    `route` holds the members by which its records are known.
    """

    files: tuple[str, ...] = ()
    records: tuple[RecordsRule, ...] = ()
    version: VersionRule = VersionRule()
    route: Mapping[str, JSON] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Config:
    """A whole configuration. `path` is None where there is none; `folder` is the folder it stands in and speaks of."""

    path: str | None = None
    folder: str = ""
    policies: Policies = field(default_factory=Policies)
    formats: str = "annotation"
    exclude: tuple[str, ...] = ()
    schemas: Mapping[str, SchemaConfig] = field(default_factory=dict)
    dialects: Mapping[str, Dialect] = field(default_factory=dict)
    mixed: tuple[str, ...] = ()

    def schema(self, lineage: str) -> SchemaConfig:
        """Give what is configured for a lineage, or for the table that it shares with others (`task/actor`)."""
        return self.schemas.get(lineage) or self.schemas.get(lineage.partition("/")[0]) or SchemaConfig()

    def version_rule(self, lineage: str) -> VersionRule:
        return self.schema(lineage).version

    @property
    def files(self) -> Mapping[str, tuple[str, ...]]:
        """The configured patterns of each lineage, relative to the root."""
        return {name: self._rooted(schema.files) for name, schema in self.schemas.items() if schema.files}

    def records(self, lineage: str) -> tuple[str, ...]:
        """The configured patterns of a lineage's records, relative to the root; locations are not among them."""
        return tuple(rule.pattern for rule in self.record_rules(lineage) if not rule.is_location)

    def record_rules(self, lineage: str) -> tuple[RecordsRule, ...]:
        """The same with the versions that stand beside them, and with locations as they are written."""
        return tuple(self._rooted_rule(rule) for rule in self.schema(lineage).records)

    @property
    def mixed_records(self) -> tuple[RecordsRule, ...]:
        """The files and locations that hold records of many lineages."""
        return tuple(self._rooted_rule(RecordsRule(pattern)) for pattern in self.mixed)

    def _rooted_rule(self, rule: RecordsRule) -> RecordsRule:
        return rule if rule.is_location else replace(rule, pattern=self._rooted((rule.pattern,))[0])

    @property
    def excluded(self) -> tuple[str, ...]:
        return self._rooted(self.exclude)

    def _rooted(self, patterns: Sequence[str]) -> tuple[str, ...]:
        return tuple(f"{self.folder}/{pattern.removeprefix('./')}" if self.folder else pattern for pattern in patterns)


def find_config(read: Reader, start: str = "", explicit: str | None = None) -> Config:
    """Read the nearest configuration from the folder `start` upward, or the `explicit` file, through `read`.

    `read` gives a file of one revision, or None where there is none. Without a file everything has its default.
    """
    if explicit is not None:
        data = read(explicit)
        if data is None:
            raise ConfigError("there is no such configuration file", place=Place(shown(explicit)))
        return _of_file(data, explicit) or Config()
    folder = start
    while True:
        for name in (FILE_NAME, _SHARED_FILE):
            path = f"{folder}/{name}" if folder else name
            data = read(path)
            config = _of_file(data, path) if data is not None else None
            if config is not None:
                return config
        if not folder:
            return Config()
        folder = folder.rpartition("/")[0]


def _of_file(data: bytes, path: str) -> Config | None:
    source = shown(path)
    try:
        text = data.decode("utf-8-sig")
        table: Mapping[str, object] = tomllib.loads(text)
    except UnicodeDecodeError:
        raise ConfigError("is not UTF-8", place=Place(source)) from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        where = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        line, column = (int(where[1]), int(where[2])) if where else (None, None)
        message = re.sub(r" \(at line .*\)$", "", str(error))
        raise ConfigError(f"is no TOML: {message}", place=Place(source, None, line, column)) from None
    prefix: tuple[str, ...] = ()
    folder, _, name = path.rpartition("/")
    if name == _SHARED_FILE:
        tool = table.get("tool")
        own = tool.get("compat") if isinstance(tool, Mapping) else None
        if own is None:
            return None
        table, prefix = (own if isinstance(own, Mapping) else {"": own}), ("tool", "compat")
    try:
        return replace(read_config(table, source), path=path, folder=folder)
    except ConfigError as error:
        raise _located(error, text, prefix) from None


def read_config(table: Mapping[str, object], source: str = FILE_NAME) -> Config:
    """Read a parsed configuration; ConfigError names the key that is not understood."""
    _known(table, Table.PROJECT, source, ())
    schemas = {
        name: _schema(_table(own, source, ("schemas", name)), source, ("schemas", name))
        for name, own in _table(table.get("schemas", {}), source, ("schemas",)).items()
    }
    formats = table.get("formats", "annotation")
    if formats not in _FORMATS:
        hint = did_you_mean(str(formats), _FORMATS)
        raise _error(f"{formats!r} is none of {', '.join(_FORMATS)}", source, ("formats",), hint)
    policies = read_policies(table, source)
    _require_rules(table, policies, source)
    return Config(
        policies=policies,
        formats=str(formats),
        exclude=_texts(table.get("exclude", ()), source, ("exclude",)),
        mixed=_texts(table.get("records", ()), source, ("records",)),
        schemas=schemas,
        dialects={
            uri: _dialect(name, source, ("dialects", uri))
            for uri, name in _table(table.get("dialects", {}), source, ("dialects",)).items()
        },
    )


def _require_rules(table: Mapping[str, object], policies: Policies, source: str) -> None:
    """Refuse a severity or a waiver for a rule that does not exist: neither would ever do anything."""
    tables: list[tuple[tuple[str, ...], object]] = [
        ((), table),
        *((("schemas", name), own) for name, own in _members(table.get("schemas"))),
    ]
    named: list[tuple[str, tuple[str | int, ...]]] = [
        (rule, (*at, "severity", rule))
        for at, own in tables
        for key, levels in _members(own)
        if key == "severity"
        for rule, _ in _members(levels)
    ]
    named += [
        (waiver.rule, ("waivers", index, "rule"))
        for index, waiver in enumerate(policies.waivers)
        if waiver.rule is not None
    ]
    if not named:
        return
    from compat.assess.own import OWN_RULES
    from compat.rules.catalogue import RULES

    for rule, at in named:
        if rule not in RULES and rule not in OWN_RULES and not (rule == ANY_RULE and "severity" in at):
            hint = did_you_mean(rule, (*RULES, *OWN_RULES)) or "'compat rules' lists them."
            raise _error(f"there is no rule {rule!r}", source, at, hint)


def _members(value: object) -> Iterator[tuple[str, object]]:
    yield from value.items() if isinstance(value, Mapping) else ()


def _dialect(name: object, source: str, at: tuple[str | int, ...]) -> Dialect:
    known = [dialect.value for dialect in Dialect]
    if not isinstance(name, str):
        raise _error(f'a dialect is a text such as "{known[-1]}"', source, at)
    try:
        return Dialect.parse(name)
    except ValueError:
        hint = did_you_mean(name, known) or f"one of {', '.join(known)}"
        raise _error(f"{name!r} is no dialect", source, at, hint) from None


def _schema(table: Mapping[str, object], source: str, at: tuple[str | int, ...]) -> SchemaConfig:
    _known(table, Table.LINEAGE, source, at)
    return SchemaConfig(
        files=_texts(table.get("files", ()), source, (*at, "files")),
        records=_records(table.get("records", ()), source, (*at, "records")),
        version=_version(_table(table.get("version", {}), source, (*at, "version")), source, (*at, "version")),
        route=_route(table["route"], source, (*at, "route")) if "route" in table else {},
    )


def _records(value: object, source: str, at: tuple[str | int, ...]) -> tuple[RecordsRule, ...]:
    """Read patterns, and tables that say the version of what a pattern means."""
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, Sequence) or any(not isinstance(item, str | Mapping) for item in items):
        raise _error("is a pattern, or a list of patterns and of { files, version }", source, at)
    rules: list[RecordsRule] = []
    for index, item in enumerate(items):
        rules += [RecordsRule(item)] if isinstance(item, str) else _numbered(item, source, (*at, index))
    return tuple(rules)


def _numbered(table: Mapping[str, object], source: str, at: tuple[str | int, ...]) -> Iterator[RecordsRule]:
    for key in table:
        if key not in _RECORDS_KEYS:
            hint = did_you_mean(key, _RECORDS_KEYS) or f"known: {', '.join(_RECORDS_KEYS)}"
            raise _error(f"unknown key {key!r}", source, (*at, key), hint)
    stated = table.get("version")
    try:
        number = VersionNumber.parse(stated if isinstance(stated, str) else "")
    except ValueError:
        raise _error(f"{stated!r} is no version number", source, at, 'write such as version = "1.0"') from None
    for pattern in _texts(table.get("files"), source, (*at, "files")):
        yield RecordsRule(pattern, number)


def _route(value: object, source: str, at: tuple[str | int, ...]) -> Mapping[str, JSON]:
    table = _table(value, source, at)
    if not table:
        raise _error("holds at least one member", source, at)
    for key, item in table.items():
        if not isinstance(item, str | int | float) or (isinstance(item, float) and not isfinite(item)):
            raise _error("is a text, a number or a boolean that every record holds", source, (*at, key))
    return dict(table)  # type: ignore[arg-type]


def _version(table: Mapping[str, object], source: str, at: tuple[str | int, ...]) -> VersionRule:
    _known(table, Table.VERSION, source, at)
    origin, pattern, name = (table.get(key) for key in ("from", "pattern", "property"))
    known = [place.value for place in NumberSource if place is not NumberSource.CONFIG]
    if origin is not None and origin not in known:
        hint = did_you_mean(str(origin), known) or f"one of {', '.join(known)}"
        raise _error(f"{origin!r} is no place a version comes from", source, (*at, "from"), hint)
    if pattern is not None:
        if not isinstance(pattern, str):
            raise _error(f"is a regular expression in quotes, not {pattern!r}", source, (*at, "pattern"))
        try:
            compile_pattern(pattern)
        except RegexError as error:
            raise _error(error.message, source, (*at, "pattern")) from None
    if name is not None and not isinstance(name, str):
        raise _error("names the property that carries the version", source, (*at, "property"))
    return VersionRule(NumberSource(origin) if origin is not None else None, pattern, name)


def _known(table: Mapping[str, object], kind: Table, source: str, at: tuple[str | int, ...]) -> None:
    known = keys(kind)
    for key in table:
        if key not in known:
            hint = did_you_mean(key, known) or f"known: {', '.join(known)}"
            raise _error(f"unknown key {key!r}", source, (*at, key), hint)


def _table(value: object, source: str, at: tuple[str | int, ...]) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise _error(f"is a table, not {value!r}", source, at)
    return value


def _texts(value: object, source: str, at: tuple[str | int, ...]) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, Sequence) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise _error("is a pattern or a list of patterns", source, at)


def _error(message: str, source: str, at: tuple[str | int, ...], hint: str | None = None) -> ConfigError:
    return ConfigError(message, place=Place(source, pointer(at)), hint=hint)


def _located(error: ConfigError, text: str, prefix: tuple[str, ...]) -> ConfigError:
    """Give the error the line of the key it names; the parser of TOML keeps none."""
    if error.place is None or error.place.pointer is None:
        return error
    path = (*prefix, *tokens(error.place.pointer))
    found = max(
        ((shared, -line, column) for line, column, key in _keys(text) if (shared := _shared(key, path)) > len(prefix)),
        default=None,
    )
    if found is None:
        return error
    line, column = -found[1], found[2]
    if len(path) > found[0]:
        column = _inline(text.split("\n")[line - 1], path[-1]) or column
    return ConfigError(
        error.message, place=Place(error.place.source, error.place.pointer, line, column), hint=error.hint
    )


def _inline(line: str, key: str) -> int | None:
    """Find the column of a key inside an inline table, None where it is not there exactly once."""
    found = [
        match.start(1) + 1
        for match in re.finditer(r"[{,]\s*(\"[^\"]*\"|'[^']*'|[A-Za-z0-9_-]+)\s*=", line)
        if match[1].strip("\"'") == key
    ]
    return found[0] if len(found) == 1 else None


def _shared(key: tuple[str, ...], path: tuple[str, ...]) -> int:
    """Count the leading steps that a key and the wanted path share; a key of another path shares none."""
    return len(key) if path[: len(key)] == key else 0


_HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?")
_ASSIGNMENT = re.compile(r"(\s*)((?:\"[^\"]*\"|'[^']*'|[A-Za-z0-9_\-. ])+?)\s*=")


def _keys(text: str) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield line, column and path of every key that a line starts; keys inside inline tables stand for their line."""
    table: tuple[str, ...] = ()
    counts: dict[tuple[str, ...], int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if header := _HEADER.fullmatch(line):
            table = _split(header[2])
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, str(counts[table]))
            yield number, line.index("[") + 1, table
        elif assignment := _ASSIGNMENT.match(line):
            yield number, len(assignment[1]) + 1, (*table, *_split(assignment[2]))


def _split(key: str) -> tuple[str, ...]:
    return tuple(
        quoted or single or bare for quoted, single, bare in re.findall(r"\"([^\"]*)\"|'([^']*)'|([A-Za-z0-9_-]+)", key)
    )

"""Every option of the configuration, one row each: its reader, its published schema and its documentation start here.

A new option is a row here and a line in its reader; the schema of the configuration and docs/configuration.md follow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from compat.jsonvalue import JSON
from compat.lineage import NumberSource
from compat.model.dialects import Dialect
from compat.policy import Announced, Treatment
from compat.relation import Level, Mode


class Table(StrEnum):
    """The tables that options stand in, as a file writes their headers."""

    PROJECT = ""
    LINEAGE = "[schemas.NAME]"
    VERSION = "version = { … }"
    WAIVER = "[[waivers]]"


@dataclass(frozen=True, slots=True)
class Option:
    """One key: where it may stand, what its values are as JSON Schema, what holds without it, and what it does.

    `default` is told, not computed; None where the option has none and is left out or required. `summary` is the
    sentence an editor shows, `more` what the documentation adds, `example` a line or two of TOML.
    """

    key: str
    tables: tuple[Table, ...]
    schema: Mapping[str, JSON]
    default: str | None
    summary: str
    example: str
    more: str = ""


_ANYWHERE = (Table.PROJECT, Table.LINEAGE)
_TEXT: Mapping[str, JSON] = {"type": "string", "minLength": 1}
_PATTERNS: Mapping[str, JSON] = {
    "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}],
}
_RECORDS: Mapping[str, JSON] = {
    "anyOf": [
        {"type": "string"},
        {
            "type": "array",
            "items": {
                "anyOf": [
                    {"type": "string"},
                    {
                        "type": "object",
                        "required": ["files", "version"],
                        "properties": {"files": _PATTERNS, "version": _TEXT},
                        "additionalProperties": False,
                    },
                ]
            },
        },
    ]
}
_MODES: list[JSON] = [*(mode.value for mode in Mode), *(mode.value.upper().replace("-", "_") for mode in Mode)]
_LEVELS: list[JSON] = [level.value for level in Level]
_DIALECTS: list[JSON] = [dialect.value for dialect in Dialect]
_SOURCES: list[JSON] = [source.value for source in NumberSource if source is not NumberSource.CONFIG]


OPTIONS: tuple[Option, ...] = (
    Option(
        "compatibility",
        _ANYWHERE,
        {"enum": _MODES},
        '"backward"',
        "Which direction may not break, and whether against the version before or against all of them.",
        'compatibility = "backward-transitive"',
        "The names are those of Confluent's registry, in either spelling. *backward*: the new version reads old data. "
        "*forward*: the old version reads new data. *full*: both. With `-transitive`, against every earlier version, "
        "not only the one before. *none*: nothing fails, everything is still told.",
    ),
    Option(
        "undeclared",
        _ANYWHERE,
        {"enum": [word.value for word in Treatment]},
        '"warn"',
        "What a break is worth that only a record with a property could show that the accepting schema never declared.",
        'undeclared = "error"',
        "In an open object a new property is such a break: somebody may have sent it already, with another type. "
        "`warn` makes it risky, `ignore` safe. Where a stored record really does it, it counts as any other break.",
    ),
    Option(
        "unknown",
        _ANYWHERE,
        {"enum": [Treatment.ERROR.value, Treatment.WARN.value]},
        '"error"',
        "What a direction is worth that was neither proved nor refuted.",
        'unknown = "warn"',
        "It can be lowered to a warning and never be ignored: what is not proved does not count as compatible. For one "
        "finding, a waiver is the better way.",
    ),
    Option(
        "announced",
        _ANYWHERE,
        {"enum": [word.value for word in Announced]},
        '"accept"',
        "Whether a break passes that the same change announces by its version number.",
        'announced = "error"',
        "The number has to rise as far as a break asks: 1.2.0 to 2.0.0, 0.3.1 to 0.4.0, 1 to 2. The finding is shown "
        "as before and says that it was let pass.",
    ),
    Option(
        "floor",
        _ANYWHERE,
        {"type": ["string", "integer"]},
        "none",
        "The oldest version that a transitive mode still asks about: a version, a tag or a day.",
        "floor = 2026-03-01",
        "A version or a tag counts itself and what came after it; of a day, the version that was in force on it does. "
        "Older versions are out of support: nothing is compared with them, and reports say how many they are. One that "
        "does not exist is an error. `--floor` says it for one run.",
    ),
    Option(
        "deprecate-before-removal",
        _ANYWHERE,
        {"type": "integer", "minimum": 0},
        "1",
        "In how many releases a property or a lineage has to be `deprecated` before it may be removed.",
        "deprecate-before-removal = 2",
        '`compat gate` counts the releases in a row, up to the last one, that said `"deprecated": true`, whatever the '
        "version number announces. 0 lets everything go at once; under the mode *none* nothing is asked. A waiver for "
        "the rule and the place of a removed property lets it go, too.",
    ),
    Option(
        "severity",
        _ANYWHERE,
        {
            "type": "object",
            "propertyNames": {"pattern": r"^(\*|[a-z0-9]+(-[a-z0-9]+)*)$"},
            "additionalProperties": {
                "anyOf": [{"enum": _LEVELS}, {"type": "object", "additionalProperties": {"enum": _LEVELS}}]
            },
        },
        None,
        "The level of every finding of a rule, or of a rule at a place, whatever the proof says.",
        "[schemas.task.severity]\n"
        'description-changed = "risky"\n'
        'enum-value-removed = { "actor.kind" = "risky" }\n'
        '"*" = { "draft.**" = "safe" }',
        "Keys are rules (`compat rules` lists them) or `*` for every rule; values are levels, or a table of places and "
        "levels. A place is written as reports write it, `actor.kind` or `lines[*].sku`, or as a JSON Pointer; `*` "
        "stands for one step and `**` for any number. The nearest place counts, and a lineage's rows count before the "
        "project's. What is not proved stays at least risky.",
    ),
    Option(
        "formats",
        (Table.PROJECT,),
        {"enum": ["annotation", "assertion"]},
        '"annotation"',
        "Whether `format` only describes, as JSON Schema says by default, or is checked.",
        'formats = "assertion"',
    ),
    Option(
        "exclude",
        (Table.PROJECT,),
        _PATTERNS,
        "nothing",
        "Files and folders that are not governed although they look like schemas.",
        'exclude = ["legacy", "**/samples/*.json"]',
        "Patterns are relative to the folder of the configuration; `*` stays in a folder, `**` spans folders. What the "
        "merge base governs stays governed: a change cannot exclude itself from its own check.",
    ),
    Option(
        "records",
        (Table.PROJECT,),
        _PATTERNS,
        "nothing",
        "Files and locations that hold records of many lineages, each told by what it says about itself.",
        'records = "dumps/*.ndjson.zst"',
        "`compat replay` reads them beside the records of each lineage. A record says what it is by the constants of "
        "its schema, such as `schema`, `schema_version`, or `v` and `type`, or by `$schema`; what says nothing is "
        "counted as unrouted.",
    ),
    Option(
        "dialects",
        (Table.PROJECT,),
        {"type": "object", "additionalProperties": {"anyOf": [{"enum": _DIALECTS}, {"type": "string"}]}},
        None,
        "Meta-schemas of your own, by URI, and the dialect each is to be read as.",
        '[dialects]\n"https://example.org/meta/v1" = "2020-12"',
    ),
    Option(
        "schemas",
        (Table.PROJECT,),
        {"type": "object", "additionalProperties": {"$ref": "#/$defs/lineage"}},
        None,
        "A table a lineage: its files, and what is asked of it apart from the rest.",
        '[schemas.task]\nfiles = "schemas/task/**/*.schema.json"\ncompatibility = "full"',
        "Without a table a lineage has the project's policy; `compat list` shows what is found. A lineage is one "
        "contract through time: a file that changes through history, or versions side by side in files or folders.",
    ),
    Option(
        "waivers",
        (Table.PROJECT,),
        {"type": "array", "items": {"$ref": "#/$defs/waiver"}},
        None,
        "Findings that somebody accepted in writing.",
        '[[waivers]]\nschema = "task"\nrule = "enum-value-removed"\nat = "actor.kind"\nvalue = "harness"\n'
        'reason = "harness never shipped"\nowner = "platform"\nexpires = 2027-03-01',
        "A waived finding is shown and does not count. A waiver names a fingerprint, or a schema and a rule; all "
        "that it names must agree. One that is expired silences nothing and is reported; so is one that matches "
        "nothing in a schema that was compared.",
    ),
    Option(
        "files",
        (Table.LINEAGE,),
        _PATTERNS,
        "found by name, folder or `$schema`",
        "The files of the lineage, as patterns relative to the folder of the configuration.",
        'files = "schemas/task/**/*.schema.json"',
        "A pattern that matches no file is an error.",
    ),
    Option(
        "records",
        (Table.LINEAGE,),
        _RECORDS,
        '"history/NAME/records/*"',
        "The stored records that give evidence, as patterns or locations.",
        'records = ["history/task/records/*", { files = "dumps/2026-04/*.ndjson.gz", version = "1.0" }]',
        "The version is that of the file's name (`1.0.ndjson`), the one that stands beside the pattern, or the one "
        "that each record names. A location such as `s3://bucket/task/*.ndjson.gz` is read by `compat replay "
        "--allow-remote` only.",
    ),
    Option(
        "route",
        (Table.LINEAGE,),
        {"type": "object", "minProperties": 1, "additionalProperties": {"type": ["string", "number", "boolean"]}},
        "the constants of the schema",
        "What every record of the lineage holds, where the schema has no constant that says so.",
        'route = { app = "kwau" }',
        "Records of a mixed stream are told apart by it. Which of them carries the version is said by `version = "
        "{ property = … }`.",
    ),
    Option(
        "version",
        (Table.LINEAGE,),
        {"$ref": "#/$defs/version"},
        "the first place that has one",
        "Where the version number of the lineage stands.",
        "version = { from = \"$id\", pattern = '/v(\\d+)/' }",
        "Without it the number is looked for in the `$id`, a keyword such as `version`, a constant such as "
        "`schema_version`, the path, and git tags, in this order.",
    ),
    Option(
        "from",
        (Table.VERSION,),
        {"enum": _SOURCES},
        None,
        "The one place to look at.",
        'version = { from = "path" }',
    ),
    Option(
        "pattern",
        (Table.VERSION,),
        {"type": "string", "format": "regex"},
        None,
        "What to take out of the text there: a regular expression of ECMA-262 with the number in its first group.",
        "version = { pattern = '/v(\\d+)/' }",
    ),
    Option(
        "property",
        (Table.VERSION,),
        _TEXT,
        "`v`, `version`, `schema_version` and the like",
        "The property of the records that carries the version as a constant.",
        'version = { property = "revision" }',
        "Verdicts are given apart from it: an honest new number would otherwise break everything.",
    ),
    Option(
        "reason",
        (Table.WAIVER,),
        {"type": "string", "pattern": "\\S"},
        None,
        "Why the finding is accepted. Required.",
        'reason = "harness never shipped"',
    ),
    Option(
        "fingerprint",
        (Table.WAIVER,),
        _TEXT,
        None,
        "One finding, by the fingerprint that `--format json` and `-v` show; it survives moved lines and moved files.",
        'fingerprint = "3f2a9c01d4e5b677"',
    ),
    Option("schema", (Table.WAIVER,), _TEXT, None, "The lineage that is meant.", 'schema = "task"'),
    Option("rule", (Table.WAIVER,), _TEXT, None, "The rule that is meant.", 'rule = "enum-value-removed"'),
    Option(
        "at",
        (Table.WAIVER,),
        {"type": "string"},
        "anywhere",
        "The place in the instances, as reports write it, or as a JSON Pointer.",
        'at = "actor.kind"',
    ),
    Option(
        "value",
        (Table.WAIVER,),
        {},
        "any",
        "The value that went or came.",
        'value = "harness"',
        "TOML has no null; a waiver for that value leaves `value` out.",
    ),
    Option("owner", (Table.WAIVER,), {"type": "string"}, None, "Who answers for it.", 'owner = "platform"'),
    Option(
        "expires",
        (Table.WAIVER,),
        {"type": "string", "format": "date"},
        "never",
        "The last day on which it holds.",
        "expires = 2027-03-01",
    ),
)


def keys(table: Table) -> tuple[str, ...]:
    """Give the keys that a table may have, in the order they are documented."""
    return tuple(option.key for option in OPTIONS if table in option.tables)

"""The table of options as the published JSON Schema of a configuration, and as a page of documentation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from compat.jsonvalue import JSON
from compat.project.options import OPTIONS, Option, Table

# Raised by hand with the shape: `compat gate compat-config` says how far.
SCHEMA_VERSION = "1.0.0"

_INTRODUCTION = """\
# Configuration

`compat` needs none: schemas are found by name, folder and content, and the mode is *backward* against the merge base.
`compat init` writes a first configuration for the repository it stands in.

It is read from `compat.toml`, or from the table `[tool.compat]` of `pyproject.toml`: from the nearest folder that has
one, going upward from where the command runs to the top of the repository. `--config FILE` or `COMPAT_CONFIG` names
another file. Patterns are relative to the folder the file stands in. The command line wins over the environment, and
that over the file.

A key that is not known is an error that names the line and the nearest key that is. Editors check and complete the
file by `schemas/compat-config/compat-config.schema.json`, which `compat init --schema` prints; Taplo and what is built
on it take a first line such as

```toml
#:schema ./compat-config.schema.json
```

**A change does not choose its own judge.** `compat check` takes the policy, the waivers, the treatment of formats and
the place of version numbers from the merge base. What the head changes there is reported (`policy-loosened`,
`waiver-added`) and holds once it is merged. `--config-from head` is for maintainers who change the policy itself.

```toml
compatibility = "backward-transitive"
unknown = "error"

[schemas.task]
files = "schemas/task/**/*.schema.json"
compatibility = "full"

[[waivers]]
schema = "task"
rule = "enum-value-removed"
at = "actor.kind"
reason = "harness never shipped"
owner = "platform"
expires = 2027-03-01
```
"""

_TITLES = {
    Table.PROJECT: ("The project", "At the top of `compat.toml`, or in `[tool.compat]`."),
    Table.LINEAGE: (
        "A lineage",
        "In a table `[schemas.NAME]`; `compat list` shows the names. What is not given here is the project's.",
    ),
    Table.VERSION: ("Where a version number stands", "In `version = { … }` of a lineage."),
    Table.WAIVER: ("A waiver", "In a table `[[waivers]]`, one a waiver."),
}


def schema() -> Mapping[str, JSON]:
    """Give the JSON Schema of a configuration, as it is published."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "version": SCHEMA_VERSION,
        "title": "Configuration of compat",
        "description": "compat.toml, or [tool.compat] in pyproject.toml. A key that is not listed here is an error.",
        **_table(Table.PROJECT),
        "$defs": {
            "lineage": {"description": "What is said about one lineage.", **_table(Table.LINEAGE)},
            "version": {"description": "Where version numbers stand.", **_table(Table.VERSION)},
            "waiver": {
                "description": "A finding, or a family of them, that somebody accepted in writing.",
                **_table(Table.WAIVER),
                "required": ["reason"],
                "anyOf": [{"required": ["fingerprint"]}, {"required": ["schema", "rule"]}],
            },
        },
    }


def _table(table: Table) -> dict[str, JSON]:
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {option.key: _value(option) for option in OPTIONS if table in option.tables},
    }


def _value(option: Option) -> JSON:
    default = f" Default: {option.default.strip('`')}." if option.default is not None else ""
    return {"description": option.summary + default, **option.schema}


def page() -> str:
    """Write docs/configuration.md."""
    return "\n".join(_page()).rstrip() + "\n"


def _page() -> Iterator[str]:
    yield _INTRODUCTION
    for table in Table:
        title, where = _TITLES[table]
        rows = [option for option in OPTIONS if table in option.tables]
        yield f"## {title}\n\n{where}\n"
        yield "| key | default | |\n|---|---|---|"
        yield from (f"| `{option.key}` | {_default(option)} | {option.summary} |" for option in rows)
        yield ""
        # What stands in two tables is explained where it is first met.
        yield from (_section(option) for option in rows if table is option.tables[0])


def _default(option: Option) -> str:
    if option.default is None:
        return ""
    return f"`{option.default}`" if option.default.startswith('"') else option.default


def _section(option: Option) -> str:
    more = f"\n\n{option.more}" if option.more else ""
    return f"### `{option.key}`\n\n{option.summary}{more}\n\n```toml\n{option.example}\n```\n"

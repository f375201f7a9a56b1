"""The configuration: where it is found, what its keys mean, and errors that name the line."""

from __future__ import annotations

import pytest

from compat.errors import ConfigError
from compat.lineage import NumberSource
from compat.project.config import Config, find_config
from compat.relation import Mode

EXAMPLE = """\
compatibility = "backward-transitive"
undeclared = "warn"
unknown = "error"
exclude = ["legacy"]

[schemas.task]
files = "schemas/task/**/*.schema.json"
compatibility = "FULL"
version = { from = "$id", pattern = '/v(\\d+)/' }
records = "history/task/records/*.ndjson"

[[waivers]]
schema = "task"
rule = "enum-value-removed"
at = "actor.kind"
reason = "harness never shipped"
owner = "platform"
expires = 2027-03-01
"""


def read(files: dict[str, str], start: str = "", explicit: str | None = None) -> Config:
    return find_config(lambda path: files[path].encode() if path in files else None, start, explicit)


def test_the_example_is_read_whole() -> None:
    config = read({"compat.toml": EXAMPLE})
    assert config.policies.default.mode is Mode.BACKWARD_TRANSITIVE
    assert config.policies.of("task").mode is Mode.FULL
    assert config.files == {"task": ("schemas/task/**/*.schema.json",)}
    assert config.records("task") == ("history/task/records/*.ndjson",)
    assert config.excluded == ("legacy",)
    assert config.version_rule("task").source is NumberSource.ID
    assert config.version_rule("task").pattern == "/v(\\d+)/"
    assert config.policies.waivers[0].owner == "platform"


def test_without_a_file_everything_has_its_default() -> None:
    assert read({}) == Config()
    assert Config().policies.default.mode is Mode.BACKWARD


def test_the_nearest_file_counts_and_speaks_of_its_own_folder() -> None:
    files = {"compat.toml": 'exclude = ["top"]', "pkg/pyproject.toml": '[tool.compat]\nexclude = ["x"]'}
    config = read(files, "pkg/sub")
    assert (config.path, config.folder, config.excluded) == ("pkg/pyproject.toml", "pkg", ("pkg/x",))


def test_a_pyproject_without_our_table_is_passed_over() -> None:
    files = {"compat.toml": 'compatibility = "none"', "pkg/pyproject.toml": "[tool.other]\n"}
    assert read(files, "pkg").path == "compat.toml"


def test_an_explicit_file_must_exist() -> None:
    assert read({"ci/strict.toml": 'compatibility = "full"'}, explicit="ci/strict.toml").folder == "ci"
    with pytest.raises(ConfigError, match=r"ci/none.toml: there is no such configuration file"):
        read({}, explicit="ci/none.toml")


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ('compatibilty = "full"', "compat.toml:1:1 at /compatibilty", "'compatibility'?"),
        ('\n[schemas.task]\nfile = "x"\n', "compat.toml:3:1 at /schemas/task/file", "'files'?"),
        ('[schemas.task]\nversion = { form = "x" }', "compat.toml:2:13 at /schemas/task/version/form", "'from'?"),
        ('[schemas."a.b"]\nfiles = 3', "compat.toml:2:1 at /schemas/a.b/files", "a pattern or a list"),
        ('compatibility = "sideways"', "compat.toml:1:1 at /compatibility", "no compatibility mode"),
        (
            '[[waivers]]\nfingerprint = "x"\nreason = "x"\n[[waivers]]\nreson = "y"',
            "compat.toml:5:1 at /waivers/1/reson",
            "'reason'?",
        ),
        ('formats = "maybe"', "compat.toml:1:1 at /formats", "none of annotation, assertion"),
        (
            "[schemas.x]\nversion.pattern = '('",
            "compat.toml:2:1 at /schemas/x/version/pattern",
            "no regular expression",
        ),
        ('[schemas.x]\nversion = { from = "git" }', "compat.toml:2:13 at /schemas/x/version/from", "one of $id"),
        ('severity = { a-b = "safe", title-changd = "safe" }', "compat.toml:1:14 at /severity/a-b", "compat rules"),
        (
            'severity = { title-changed = "safe", "title-changd" = "safe" }',
            "compat.toml:1:38 at /severity/title-changd",
            "'title-changed'",
        ),
        (
            "[schemas.x]\nversion = { from = '= form =', form = 1 }",
            "compat.toml:2:32 at /schemas/x/version/form",
            "'from'",
        ),
        ('[dialects]\n"urn:x" = "draft-9"', "compat.toml:2:1 at /dialects/urn:x", "'draft-9' is no dialect"),
        ("[dialects]\n'urn:x' = 7", "compat.toml:2:1 at /dialects/urn:x", "a text such as"),
        ('schemas = "all"', "compat.toml:1:1 at /schemas", "a table"),
        ('[severity]\nenum-value-addd = "safe"', "compat.toml:2:1 at /severity/enum-value-addd", "'enum-value-added'"),
        ('[schemas.x.severity]\nnonsense = "safe"', "compat.toml:2:1 at /schemas/x/severity/nonsense", "compat rules"),
        (
            '[[waivers]]\nschema = "x"\nrule = "schema-delete"\nreason = "x"',
            "compat.toml:3:1 at /waivers/0/rule",
            "Did you mean 'schema-deleted'",
        ),
        ("a = \n", "compat.toml:1:5", "is no TOML"),
        ("a = [\n", "compat.toml", "(at end of document)"),
    ],
)
def test_an_error_names_the_line_and_the_nearest_key(text: str, place: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read({"compat.toml": text})
    assert str(caught.value.place) == place
    assert message in str(caught.value)


@pytest.mark.parametrize("rule", ["enum-value-removed", "schema-deleted", "waiver-unused"])
def test_severities_and_waivers_take_every_rule(rule: str) -> None:
    waiver = f'[[waivers]]\nschema = "x"\nrule = "{rule}"\nreason = "x"'
    config = read({"compat.toml": f'severity = {{ {rule} = "safe" }}\n{waiver}'})
    assert (config.policies.waivers[0].rule, list(config.policies.default.severity)) == (rule, [rule])


def test_an_error_in_pyproject_names_its_line() -> None:
    with pytest.raises(ConfigError) as caught:
        read({"pyproject.toml": '[project]\nname = "x"\n[tool.compat]\nunknwon = "warn"\n'})
    assert str(caught.value.place) == "pyproject.toml:4:1 at /unknwon"


def test_a_text_that_is_not_utf8_is_refused() -> None:
    with pytest.raises(ConfigError, match="is not UTF-8"):
        find_config(lambda path: b"\xff\xfe" if path == "compat.toml" else None)

"""Which dialect a schema is in, however it says so."""

from __future__ import annotations

import pytest

from compat.errors import DialectError
from compat.jsonvalue import JSON
from compat.model.dialects import Dialect, dialect_of


@pytest.mark.parametrize("dialect", list(Dialect))
def test_every_spelling_of_a_dialect_is_it(dialect: Dialect) -> None:
    plain = dialect.uri.rstrip("#").removeprefix("https:").removeprefix("http:")
    for scheme in ("http:", "https:"):
        for fragment in ("", "#"):
            assert dialect_of({"$schema": scheme + plain + fragment}) == (dialect, None)


@pytest.mark.parametrize(
    ("uri", "dialect"),
    [
        ("http://json-schema.org/schema#", Dialect.DRAFT2020),
        ("https://json-schema.org/schema", Dialect.DRAFT2020),
        (
            "http://iglucentral.com/schemas/com.snowplowanalytics.self-desc/schema/jsonschema/1-0-0#",
            Dialect.DRAFT4,
        ),
        ("https://example.com/unknown", Dialect.DRAFT2020),
        ("http://json-schema.org/draft-08/schema#", Dialect.DRAFT2020),
    ],
)
def test_other_meta_schemas_are_read_with_a_note(uri: str, dialect: Dialect) -> None:
    found, note = dialect_of({"$schema": uri})
    assert found is dialect
    assert note is not None
    assert uri in note


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_what_is_older_than_draft_04_is_refused(number: int) -> None:
    with pytest.raises(DialectError, match="older than draft-04"):
        dialect_of({"$schema": f"http://json-schema.org/draft-0{number}/schema#"})


@pytest.mark.parametrize("schema", [True, {}, {"$schema": 5}, [], "x"])
def test_without_a_schema_keyword_the_default_holds(schema: JSON) -> None:
    assert dialect_of(schema) == (Dialect.DRAFT2020, None)
    assert dialect_of(schema, Dialect.DRAFT6) == (Dialect.DRAFT6, None)


def test_the_default_holds_for_an_unknown_meta_schema_too() -> None:
    assert dialect_of({"$schema": "urn:x"}, Dialect.DRAFT7)[0] is Dialect.DRAFT7


def test_a_known_meta_schema_is_followed_to_its_own() -> None:
    known: dict[str, JSON] = {
        "urn:a": {"$schema": "urn:b"},
        "urn:b": {"$schema": "http://json-schema.org/draft-06/schema"},
    }
    found, note = dialect_of({"$schema": "urn:a"}, metaschema=known.get)
    assert found is Dialect.DRAFT6
    assert note == "$schema urn:a is a meta-schema of draft-06; read as draft-06"


def test_meta_schemas_that_follow_each_other_in_a_circle_end() -> None:
    known: dict[str, JSON] = {"urn:a": {"$schema": "urn:b"}, "urn:b": {"$schema": "urn:a"}}
    assert dialect_of({"$schema": "urn:a"}, Dialect.DRAFT7, known.get)[0] is Dialect.DRAFT7


def test_a_meta_schema_of_an_old_draft_is_refused_too() -> None:
    known: dict[str, JSON] = {"urn:a": {"$schema": "http://json-schema.org/draft-03/schema#"}}
    with pytest.raises(DialectError):
        dialect_of({"$schema": "urn:a"}, metaschema=known.get)


def test_the_configuration_comes_before_the_table_and_after_the_repository() -> None:
    iglu = "http://iglucentral.com/schemas/com.snowplowanalytics.self-desc/schema/jsonschema/1-0-0#"
    configured = {iglu.replace("http:", "https:"): Dialect.DRAFT7}
    found, note = dialect_of({"$schema": iglu}, configured=configured)
    assert found is Dialect.DRAFT7
    assert note is not None
    assert "as configured" in note
    known: dict[str, JSON] = {iglu: {"$schema": Dialect.DRAFT6.uri}}
    assert dialect_of({"$schema": iglu}, metaschema=known.get, configured=configured)[0] is Dialect.DRAFT6


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("draft-07", Dialect.DRAFT7),
        ("draft7", Dialect.DRAFT7),
        ("7", Dialect.DRAFT7),
        ("Draft-04", Dialect.DRAFT4),
        ("2020-12", Dialect.DRAFT2020),
        ("draft2019-09", Dialect.DRAFT2019),
        ("https://json-schema.org/draft/2020-12/schema", Dialect.DRAFT2020),
    ],
)
def test_names_are_parsed(text: str, dialect: Dialect) -> None:
    assert Dialect.parse(text) is dialect


@pytest.mark.parametrize("text", ["", "3", "draft-03", "2020", "draft"])
def test_other_names_are_none(text: str) -> None:
    with pytest.raises(ValueError, match="no dialect"):
        Dialect.parse(text)

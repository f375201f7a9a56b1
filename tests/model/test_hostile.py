"""Whatever a stranger writes, the answer is a value or an error of ours, never a crash."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compat.errors import CompatError, ParseError
from compat.jsonvalue import JSON
from compat.model.check import misplaced
from compat.model.dialects import Dialect
from compat.model.document import Syntax, parse_document
from compat.model.instance import SecondOpinion, Validator
from compat.model.keywords import KEYWORDS
from compat.model.references import check_schema, schema_set

QUIET = list(HealthCheck)
NAMES = st.sampled_from(sorted({name for table in KEYWORDS.values() for name in table} | {"a", "", "é", "~/"}))
ODD = st.sampled_from(
    [None, True, False, 0, -1, 1.5, 10**30, "", "#", "#/", "#/a", "#a", "#/%zz", "%", "a b", "//", "http://[", "urn:a"]
    + ["file:///etc/passwd", "../..", "http://x/y#z", "\ud800", "[", "(", "(?i)a", "a{2,1}", "object", "date"]
    + [dialect.uri for dialect in Dialect]
)
ANYTHING: st.SearchStrategy[JSON] = st.recursive(
    ODD, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=25
)


def _use(schema: JSON, value: JSON) -> None:
    schemas = schema_set(schema)
    with suppress(CompatError):
        check_schema(schemas)
        list(misplaced(schemas))
        schemas.closed_digest()
        validator = Validator(schemas, formats="assertion")
        answer = validator.is_valid(value)
        opinion = SecondOpinion(schemas, formats="assertion").is_valid(value)
        assert opinion in {answer, None}
        assert any(True for _ in validator.failures(value)) is not answer


@settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=QUIET)
@given(st.dictionaries(NAMES, ANYTHING, max_size=5), ANYTHING)
def test_any_object_is_a_schema_or_an_error(schema: JSON, value: JSON) -> None:
    with suppress(CompatError):
        _use(schema, value)


@pytest.mark.long
@settings(max_examples=5_000, deadline=None, suppress_health_check=QUIET)
@given(st.dictionaries(NAMES, ANYTHING, max_size=5), ANYTHING)
def test_very_many_objects_are_schemas_or_errors(schema: JSON, value: JSON) -> None:
    with suppress(CompatError):
        _use(schema, value)


SIGNS = [*"ab1 \t\n:[]{}'\"#>@`é😀\u2028\x85\x00\ufeff"]
WORDS = [
    "no",
    ".inf",
    "0x1",
    "1e9999",
    "null",
    "true",
    "NaN",
    "//",
    "\\u0041",
    "\\ud800",
    ": ",
    ", ",
    "\n  ",
    "- ",
    "? ",
]
YAML_WORDS = ["&a ", "*a", "<<: ", "!!int ", "!x ", "!!str ", "---\n", "...\n", "%YAML 1.1\n", "|\n"]
PIECES = st.sampled_from([*SIGNS, *WORDS, *YAML_WORDS])


@pytest.mark.parametrize("syntax", list(Syntax))
@settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=QUIET)
@given(pieces=st.lists(PIECES, max_size=25))
def test_any_text_is_a_document_or_an_error_with_a_place(syntax: Syntax, pieces: list[str]) -> None:
    content = "".join(pieces)
    for data in (content, content.encode(), content.encode("utf-16")):
        try:
            document = parse_document(data, name="a", syntax=syntax)
        except ParseError as error:
            place = error.place
        else:
            place = document.place()
            assert document.digest
            assert document.position("") is not None
        assert place is not None
        assert place.source == "a"


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.binary(max_size=40))
def test_any_bytes_are_a_document_or_an_error(data: bytes) -> None:
    for syntax in Syntax:
        with suppress(ParseError):
            assert parse_document(data, name="a", syntax=syntax).text is not None

"""Errors as records: what, where, what to do, and the exit code."""

from __future__ import annotations

import pytest

from compat import errors
from compat.errors import CompatError, ExitCode, Place, SchemaError, UnresolvedReference, UsageError


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (Place("a.json"), "a.json"),
        (Place("a.json", ""), "a.json"),
        (Place("a.json", "/b/c"), "a.json#/b/c"),
        (Place("a.json", "/b", 3, 5), "a.json:3:5 at /b"),
        (Place("a.json", "", 3, 5), "a.json:3:5"),
        (Place("a.json", None, 3), "a.json:3"),
        (Place("main:a.json", "/b", 3), "main:a.json:3 at /b"),
    ],
)
def test_a_place_is_written_as_editors_read_it(place: Place, text: str) -> None:
    assert str(place) == text


def test_an_error_says_where_what_and_what_to_do() -> None:
    assert str(CompatError("it broke")) == "it broke"
    assert str(CompatError("it broke", place=Place("a.json", "/b"))) == "a.json#/b: it broke"
    assert str(CompatError("it broke", hint="Mend it.")) == "it broke\n  Mend it."


def test_the_location_is_the_pointer() -> None:
    assert CompatError("x").location is None
    assert CompatError("x", place=Place("a.json")).location is None
    assert SchemaError("x", place=Place("a.json", "/b")).location == "/b"


def test_every_error_is_one_of_the_tree_and_has_an_exit_code() -> None:
    found = [item for item in vars(errors).values() if isinstance(item, type) and issubclass(item, Exception)]
    assert len(found) > 10
    for error in found:
        assert issubclass(error, CompatError)
        assert error.__doc__
        assert error.exit_code in {ExitCode.UNCHECKED, ExitCode.USAGE}
    assert UsageError.exit_code is ExitCode.USAGE
    assert SchemaError.exit_code is ExitCode.UNCHECKED


def test_an_unresolved_reference_knows_its_uri() -> None:
    error = UnresolvedReference("nowhere", uri="http://x/a", place=Place("a.json", "/$ref"), hint="Add it.")
    assert (error.uri, error.location, error.hint) == ("http://x/a", "/$ref", "Add it.")
    assert isinstance(error, SchemaError)

"""The public API is what is exported: every name, where it comes from, and the promises of its documentation."""

from __future__ import annotations

import ast
import importlib
import inspect
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import compat

PACKAGE = Path(compat.__file__).parent

PUBLIC = {
    "Change", "Comparison", "CompatError", "ConfigError", "Dialect", "DialectError", "Direction", "DirectionResult",
    "Document", "Doubt", "Effect", "Level", "Mode", "Origin", "OutputError", "ParseError", "Place", "Reason",
    "RecordError", "ReferenceError", "RegexError", "RevisionError", "SchemaError", "Side", "SourceError", "Status",
    "UsageError", "__version__", "compare", "parse_document",
}  # fmt: skip


def test_what_is_exported_is_what_is_public() -> None:
    """Whoever changes this list changes a promise; CHANGELOG.md says so."""
    assert set(compat.__all__) == PUBLIC
    assert set(compat.__all__) <= set(dir(compat))
    assert len(compat.__all__) == len(PUBLIC)


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_every_name_is_there_and_documented(name: str) -> None:
    value = getattr(compat, name)
    if name == "__version__":
        assert value.count(".") == 2
    else:
        assert inspect.getdoc(value)
        assert not isinstance(value, ModuleType)


def test_type_checkers_see_the_same_names() -> None:
    """The block under TYPE_CHECKING and the table of homes name the same modules."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {alias.name: node.module for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert seen == compat._HOMES
    for name, module in seen.items():
        assert getattr(compat, name) is getattr(importlib.import_module(str(module)), name)


def test_compare_stays_the_function_once_its_module_is_imported() -> None:
    code = (
        "import compat.compare, compat; from compat import compare; from compat.compare import Comparison;"
        "assert compat.compare is compare and callable(compare);"
        "print(compat.compare(True, True).backward.status)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "compatible\n"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'comparee'"):
        compat.comparee  # noqa: B018


def test_importing_compat_loads_nothing_else() -> None:
    code = "import sys, compat; print(*sorted(name for name in sys.modules if name.startswith('compat')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["compat"]


def test_every_error_is_one_of_the_tree() -> None:
    errors = [getattr(compat, name) for name in PUBLIC if name.endswith("Error")]
    assert all(issubclass(error, compat.CompatError) for error in errors)


def test_the_promises_of_the_readme() -> None:
    old = {"type": "object", "properties": {"kind": {"enum": ["person", None]}}}
    new = {"type": "object", "properties": {"kind": {"enum": ["person"]}, "more": {"type": "string"}}}
    result = compat.compare(old, new, dialect=None, formats="annotation", resources=None)
    assert str(result.backward.status) == "breaking"
    assert result.backward.witness == {"kind": None}
    assert result.backward.undeclared is False
    reason = result.backward.reasons[0]
    assert (reason.keyword_location, reason.instance_path) == ("/properties/kind/enum", "/kind")
    change = next(change for change in result.changes if change.rule == "enum-value-removed")
    assert (change.old.pointer, change.old.value) == ("/properties/kind/enum/1", None)
    assert change.effect is compat.Effect.NARROWS
    assert compat.compare(old, {**old, "title": "x"}).effect is compat.Effect.NONE


def test_the_witness_may_be_null_and_the_status_tells() -> None:
    result = compat.compare(True, {"not": {"type": "null"}})
    assert (result.backward.status, result.backward.witness) == (compat.Status.BREAKING, None)


def test_a_schema_that_is_none_raises_with_its_location() -> None:
    with pytest.raises(compat.SchemaError) as caught:
        compat.compare({"properties": {"a": {"multipleOf": 0}}}, True)
    assert caught.value.location == "/properties/a/multipleOf"
    with pytest.raises(compat.CompatError):
        compat.compare(3, True)  # type: ignore[arg-type]


def test_resources_are_found_by_their_uri() -> None:
    resources = {"https://example.org/kind": {"enum": [1]}}
    result = compat.compare({"$ref": "https://example.org/kind"}, {"enum": [1, 2]}, resources=resources)
    assert result.effect is compat.Effect.WIDENS
    lost = compat.compare({"$ref": "https://example.org/kind"}, {"enum": [1, 2]})
    assert lost.backward.status is compat.Status.UNKNOWN
    assert "https://example.org/kind" in lost.backward.doubts[0].why

"""Tell whether a change to a JSON Schema breaks anyone, and prove it.

    import compat

    result = compat.compare({"type": "integer"}, {"type": "number"})
    result.backward.status   # compatible: everything written under old still validates under new
    result.forward.witness   # a value that new accepts and old rejects

Everything named here is public and stable; names are loaded when they are first used.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from compat.compare import Comparison, DirectionResult, compare
    from compat.diff.change import Change, Side
    from compat.errors import (
        CompatError,
        ConfigError,
        DialectError,
        OutputError,
        ParseError,
        Place,
        RecordError,
        ReferenceError,
        RegexError,
        RevisionError,
        SchemaError,
        SourceError,
        UsageError,
    )
    from compat.model.dialects import Dialect
    from compat.model.document import Document, parse_document
    from compat.proof.verdict import Doubt, Origin, Reason
    from compat.relation import Direction, Effect, Level, Mode, Status

    __version__: str

# Public name → the module that defines it.
_HOMES = {
    "Change": "compat.diff.change",
    "Comparison": "compat.compare",
    "CompatError": "compat.errors",
    "ConfigError": "compat.errors",
    "Dialect": "compat.model.dialects",
    "DialectError": "compat.errors",
    "Direction": "compat.relation",
    "DirectionResult": "compat.compare",
    "Document": "compat.model.document",
    "Doubt": "compat.proof.verdict",
    "Effect": "compat.relation",
    "Level": "compat.relation",
    "Mode": "compat.relation",
    "Origin": "compat.proof.verdict",
    "OutputError": "compat.errors",
    "ParseError": "compat.errors",
    "Place": "compat.errors",
    "Reason": "compat.proof.verdict",
    "RecordError": "compat.errors",
    "ReferenceError": "compat.errors",
    "RegexError": "compat.errors",
    "RevisionError": "compat.errors",
    "SchemaError": "compat.errors",
    "Side": "compat.diff.change",
    "SourceError": "compat.errors",
    "Status": "compat.relation",
    "UsageError": "compat.errors",
    "compare": "compat.compare",
    "parse_document": "compat.model.document",
}

__all__ = [
    "Change",
    "Comparison",
    "CompatError",
    "ConfigError",
    "Dialect",
    "DialectError",
    "Direction",
    "DirectionResult",
    "Document",
    "Doubt",
    "Effect",
    "Level",
    "Mode",
    "Origin",
    "OutputError",
    "ParseError",
    "Place",
    "Reason",
    "RecordError",
    "ReferenceError",
    "RegexError",
    "RevisionError",
    "SchemaError",
    "Side",
    "SourceError",
    "Status",
    "UsageError",
    "__version__",
    "compare",
    "parse_document",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        value: Any = version("schema-compat")
    elif name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module 'compat' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Package(ModuleType):
    """Keeps `compat.compare` the function: importing the module of that name would put the module in its place."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "compare" and isinstance(value, ModuleType):
            value = value.compare
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package

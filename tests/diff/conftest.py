"""Shorthand for the tests of the walk."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from compat.diff.change import Change
from compat.diff.walk import changes
from compat.jsonvalue import JSON
from compat.model.references import schema_set

Diff = Callable[..., list[Change]]


@pytest.fixture
def diff() -> Diff:
    """Walk two schemas: `diff(old, new, **options of schema_set)`."""

    def walk(old: JSON, new: JSON, **options: object) -> list[Change]:
        return list(changes(schema_set(old, **options), schema_set(new, **options)))  # type: ignore[arg-type]

    return walk

"""Every sample report as a fixture, and the comparison with stored snapshots."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from reports import REPORTS, full

from compat.assess import Report

SNAPSHOTS = Path(__file__).parent / "snapshots"


@pytest.fixture(params=sorted(REPORTS))
def named_report(request: pytest.FixtureRequest) -> tuple[str, Report]:
    name: str = request.param
    return name, REPORTS[name]()


@pytest.fixture
def full_report() -> Report:
    return full()


@pytest.fixture
def matches_snapshot() -> Callable[[str, str], None]:
    """Compare a text with the stored one; COMPAT_SNAPSHOTS=write stores it instead, for a look at the diff."""

    def check(name: str, text: str) -> None:
        path = SNAPSHOTS / name
        if os.environ.get("COMPAT_SNAPSHOTS") == "write":
            path.write_text(text, encoding="utf-8")
        assert path.is_file(), f"no snapshot {name}: run once with COMPAT_SNAPSHOTS=write"
        assert text == path.read_text(encoding="utf-8")

    return check

"""A headless chromium for tests that open a page, where there is one and something to drive it with."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)

# Why there is no browser here, or nothing.
MISSING = (
    "no chromium on the PATH (on Debian and Ubuntu: apt install chromium)"
    if CHROMIUM is None
    else "the extra 'browser' is not installed (make verify installs it)"
    if find_spec("playwright") is None
    else ""
)


@contextmanager
def browser() -> Iterator[Any]:
    """Start chromium and stop it again; pages of files only, no sandbox since containers have none to give."""
    if MISSING:
        raise SystemExit(f"There is no browser here: {MISSING}.")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield running
        finally:
            running.close()

"""Room to recurse: the same for every caller, so that an answer does not hang on how deep its question was asked."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

# Frames from the question on. The main thread's stack holds several times as many; other threads may have little.
FRAMES: Final = 4_000


@contextmanager
def room_to_recurse() -> Iterator[None]:
    """Allow `FRAMES` more frames for a while, in the main thread; elsewhere the interpreter's limit stays."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    depth = 0
    frame = sys._getframe()
    while frame.f_back is not None:
        depth += 1
        frame = frame.f_back
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, depth + FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)

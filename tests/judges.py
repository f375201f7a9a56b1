"""What other processes are given to do in tests: they find it here by name."""

from __future__ import annotations

import os
import pickle
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass

from compat.replay.cutting import Lines


@dataclass(frozen=True)
class Odd:
    """Counts lines, and does something odd where one of them says so."""

    travels: bool = True

    def start(self) -> Callable[[Lines], tuple[int, int]]:
        return judge

    def packed(self) -> bytes | None:
        return pickle.dumps(self) if self.travels else None


def judge(piece: Lines) -> tuple[int, int]:
    """Give the number of lines and the process that counted them."""
    if b"die" in piece.text:
        os.kill(os.getpid(), signal.SIGKILL)
    if b"exit" in piece.text:
        os._exit(7)
    if b"fail" in piece.text:
        raise ValueError("a bad line")
    if b"sleep" in piece.text:
        time.sleep(60)
    return len(piece.split()), os.getpid()

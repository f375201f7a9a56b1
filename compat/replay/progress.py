"""How far a replay has come, by the bytes of its files: how much, how fast, and how long it still takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol

from compat.replay.streams import Readable

# As often as people can read it.
EVERY: Final = 0.2
_UNITS: Final = ("B", "kB", "MB", "GB", "TB")


class Watch(Protocol):
    """Who wants to know what is read."""

    def expect(self, sizes: Iterable[int | None]) -> None:
        """Hear how large the files are that will be read; None where nobody knows."""
        ...

    def stream(self, stream: Readable) -> Readable:
        """Give the stream that is read instead."""
        ...

    def advance(self, count: int) -> None:
        """Hear of bytes that were read elsewhere, such as in another process."""
        ...


class Progress:
    """Counts bytes and says so now and then; `clock` gives seconds, `say` gets a line."""

    def __init__(self, clock: Callable[[], float], say: Callable[[str], None]) -> None:
        self._clock = clock
        self._say = say
        self._began = self._said = clock()
        self._done = 0
        self._total: int | None = 0

    def expect(self, sizes: Iterable[int | None]) -> None:
        for size in sizes:
            self._total = None if size is None or self._total is None else self._total + size

    def stream(self, stream: Readable) -> Readable:
        return _Counted(stream, self.advance)

    def advance(self, count: int) -> None:
        self._done += count
        now = self._clock()
        if now - self._said >= EVERY:
            self._said = now
            self._say(line(self._done, self._total, now - self._began))


class _Counted:
    """A stream that tells how much was read from it; all else it does as before."""

    def __init__(self, stream: Readable, tell: Callable[[int], None]) -> None:
        self._stream = stream
        self._tell = tell

    def read(self, size: int = -1, /) -> bytes:
        data = self._stream.read(size)
        self._tell(len(data))
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def line(done: int, total: int | None, seconds: float) -> str:
    """Word the progress: `120 MB of 2.0 GB, 85 MB/s, 22 s left`; without a total only what is known."""
    rate = done / seconds if seconds > 0 else 0.0
    known = total is not None and total >= done
    of = f" of {size(total)}" if known and total is not None else ""
    left = f", {duration((total - done) / rate)} left" if total is not None and total > done and rate else ""
    return f"{size(done)}{of}, {size(round(rate))}/s{left}"


def size(count: int) -> str:
    """Write a number of bytes with two digits or three."""
    shown, unit = float(count), 0
    while shown >= 999.5 and unit < len(_UNITS) - 1:
        shown, unit = shown / 1000, unit + 1
    return f"{shown:.1f} {_UNITS[unit]}" if unit and shown < 9.95 else f"{shown:.0f} {_UNITS[unit]}"


def duration(seconds: float) -> str:
    """Write a time that is left, no more exactly than it is known."""
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"

"""Progress goes by bytes, tells what is known, and never too often."""

from __future__ import annotations

import io

import pytest

from compat.replay.progress import Progress, duration, line, size


@pytest.mark.parametrize(
    ("done", "total", "seconds", "said"),
    [
        (120_000_000, 2_000_000_000, 1.5, "120 MB of 2.0 GB, 80 MB/s, 24 s left"),
        (1_000, 2_000, 1.0, "1.0 kB of 2.0 kB, 1.0 kB/s, 1 s left"),
        (500, None, 1.0, "500 B, 500 B/s"),
        (500, 500, 1.0, "500 B of 500 B, 500 B/s"),
        (3_000, 2_000, 1.0, "3.0 kB, 3.0 kB/s"),
        (0, 10, 0.0, "0 B of 10 B, 0 B/s"),
    ],
)
def test_lines(done: int, total: int | None, seconds: float, said: str) -> None:
    assert line(done, total, seconds) == said


@pytest.mark.parametrize(
    ("count", "said"),
    [(0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (10**13, "10 TB")],
)
def test_sizes(count: int, said: str) -> None:
    assert size(count) == said


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.1, "1 s"), (59.4, "59 s"), (60, "1 min 00 s"), (3599, "59 min 59 s"), (7260, "2 h 01 min")]
)
def test_durations(seconds: float, said: str) -> None:
    assert duration(seconds) == said


def test_a_stream_tells_what_was_read_but_not_at_every_piece() -> None:
    now = 0.0
    told: list[str] = []
    progress = Progress(lambda: now, told.append)
    progress.expect([4_000, 6_000])
    stream = progress.stream(io.BytesIO(b"x" * 10_000))
    while stream.read(1_000):
        now += 0.125
    assert len(told) == 5
    assert told[0].startswith("3.0 kB of 10 kB")
    assert told[-1].startswith("10 kB of 10 kB")
    assert stream.seekable()  # type: ignore[attr-defined]


def test_one_unknown_size_makes_the_total_unknown() -> None:
    told: list[str] = []
    ticks = iter(range(10))
    progress = Progress(lambda: float(next(ticks)), told.append)
    progress.expect([4_000, None])
    progress.expect([4_000])
    progress.advance(2_000)
    assert told == ["2.0 kB, 2.0 kB/s"]

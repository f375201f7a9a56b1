"""Processes that judge pieces of a stream, while this one reads on and puts what they find in the order of the stream.

The bytes of a piece go through shared memory and nothing large through a pipe. A worker has one task at a time, so
neither side ever waits for the other to read. What a piece gives depends on its bytes and its place alone; so one
process and many come to the same.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.shared_memory import SharedMemory
from shutil import disk_usage
from typing import Any, Final, NamedTuple, NoReturn, Protocol, TypeVar, cast

from compat.errors import WorkerError
from compat.replay.cutting import Lines
from compat.replay.read import Block

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

# Starting a process costs about what judging this much does.
LARGE: Final = 64 << 20
_SLOT: Final = 2 << 20
_MOST_SLOTS: Final = 32 << 20
_PATIENCE: Final = 0.5


class Spec(Protocol[T_co]):
    """What is to be done with pieces, as plain data."""

    def start(self) -> Callable[[Lines], T_co]:
        """Give the function that judges a piece."""
        ...

    def packed(self) -> bytes | None:
        """Pack it for another process; None where that cannot be."""
        ...


class _Task(NamedTuple):
    """A piece without its text, which lies in a slot or, where it is too long for one, comes along."""

    spec: int
    piece: Lines
    slot: str | None
    size: int


class Workers:
    """Up to `jobs` processes, started when more than `after` bytes have been judged here; to be used with `with`."""

    def __init__(self, jobs: int, *, after: int = LARGE) -> None:
        self._jobs = jobs
        self._after = after if jobs > 1 else None
        self._workers: list[_Worker] = []
        self._slots: list[SharedMemory] = []
        self._specs: list[bytes] = []

    @classmethod
    def of(cls, jobs: int | None) -> Workers:
        """Give as many as are asked for, at once; where none are, one for each processor once there is much to do."""
        return cls(_processors()) if jobs is None else cls(jobs, after=0)

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.end()
        for slot in self._slots:
            slot.close()
            with suppress(FileNotFoundError):
                slot.unlink()
        self._workers, self._slots = [], []

    def judged(
        self, pieces: Iterable[Block], here: Callable[[Lines], T], spec: Spec[T]
    ) -> Iterator[tuple[Block, T | None]]:
        """Yield every piece in its order, lines with what was found in them; WorkerError where a process dies.

        `here` does in this process what `spec` says.
        """
        source = iter(pieces)
        for piece in source:
            if not isinstance(piece, Lines):
                yield piece, None
                continue
            if self._after is not None and self._after <= 0:
                packed = spec.packed()
                if packed is not None:
                    self._begin()
                    yield from self._spread(piece, source, packed)
                    return
                self._after = None
            yield piece, here(piece)
            if self._after is not None:
                self._after -= len(piece.text)

    # -- in other processes -------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        if self._workers:
            return
        with _deaf_to_interrupts():
            self._workers = [_Worker() for _ in range(self._jobs)]
        # One piece a worker is being judged while the next ones are laid ready. What finds no slot goes by the pipe.
        with suppress(OSError):
            for _ in range(min(2 * self._jobs, _room() // _SLOT)):
                self._slots.append(SharedMemory(create=True, size=_SLOT))

    def _spread(self, first: Lines, rest: Iterator[Block], packed: bytes) -> Iterator[tuple[Block, Any]]:
        self._specs.append(packed)
        flow = _Flow(len(self._specs) - 1, list(self._slots), list(self._workers))
        try:
            self._lay(flow, first)
            for piece in rest:
                # What waits in the order of the stream is bounded, whatever becomes ready first.
                while len(flow.ordered) >= 2 * self._jobs:
                    self._receive(flow)
                    yield from flow.in_order()
                self._lay(flow, piece)
                yield from flow.in_order()
            while flow.ordered:
                self._receive(flow)
                yield from flow.in_order()
        except BaseException:
            # Half-done work must not be taken for that of a later stream.
            self.__exit__()
            raise

    def _lay(self, flow: _Flow, piece: Block) -> None:
        entry = _Entry(piece)
        flow.ordered.append(entry)
        if not isinstance(piece, Lines):
            entry.done = True
            return
        size = len(piece.text)
        slot = flow.slots.pop() if flow.slots and size <= _SLOT else None
        bare = piece if slot is None else piece._replace(text=b"")
        if slot is not None:
            _bytes_of(slot)[:size] = piece.text
        entry.piece = piece._replace(text=b"")
        entry.slot = slot
        flow.waiting.append((entry, _Task(flow.spec, bare, None if slot is None else slot.name, size)))
        self._hand_out(flow)

    def _hand_out(self, flow: _Flow) -> None:
        while flow.idle and flow.waiting:
            entry, task = flow.waiting.popleft()
            worker = flow.idle.pop()
            worker.send(task, self._specs[task.spec])
            flow.busy[worker.connection] = (worker, entry)

    def _receive(self, flow: _Flow) -> None:
        """Wait for a worker, take what it found and give it the next piece."""
        for ready in wait(list(flow.busy)):
            worker, entry = flow.busy.pop(cast(Connection, ready))
            entry.found = worker.receive(entry.piece)
            entry.done = True
            if entry.slot is not None:
                flow.slots.append(entry.slot)
            flow.idle.append(worker)
        self._hand_out(flow)


@dataclass(slots=True, eq=False)
class _Entry:
    """A piece on its way."""

    piece: Block
    done: bool = False
    found: Any = None
    slot: SharedMemory | None = None


@dataclass(slots=True)
class _Flow:
    """One stream on its way through the workers."""

    spec: int
    slots: list[SharedMemory]
    idle: list[_Worker]
    ordered: deque[_Entry] = field(default_factory=deque)
    waiting: deque[tuple[_Entry, _Task]] = field(default_factory=deque)
    busy: dict[Connection, tuple[_Worker, _Entry]] = field(default_factory=dict)

    def in_order(self) -> Iterator[tuple[Block, Any]]:
        while self.ordered and self.ordered[0].done:
            entry = self.ordered.popleft()
            yield entry.piece, entry.found


class _Worker:
    """One process and the pipe to it."""

    def __init__(self) -> None:
        # Spawned and not forked: a fork would take over locks that threads of this process hold.
        context = get_context("spawn")
        self.connection, far = context.Pipe()
        self._process = context.Process(target=_serve, args=(far,), daemon=True)
        self._process.start()
        far.close()
        self._known: set[int] = set()

    def send(self, task: _Task, packed: bytes) -> None:
        try:
            self.connection.send((task, None if task.spec in self._known else packed))
        except OSError:
            self._died(task.piece)
        self._known.add(task.spec)

    def receive(self, piece: Block) -> Any:
        try:
            found, trouble = self.connection.recv()
        except (EOFError, OSError):
            self._died(piece)
        if trouble is not None:
            raise WorkerError(f"{_named(piece)} could not be judged: {trouble}", hint=_ALONE)
        return found

    def _died(self, piece: Block) -> NoReturn:
        self._process.join(_PATIENCE)
        code = self._process.exitcode
        how = "ended" if code is None else f"ended with code {code}" if code >= 0 else f"was killed by signal {-code}"
        raise WorkerError(f"a process that judged {_named(piece)} {how}; memory may have run out", hint=_ALONE)

    def end(self) -> None:
        """Let it end, by force where it is at work."""
        self.connection.close()
        self._process.join(_PATIENCE)
        if self._process.is_alive():
            self._process.terminate()
            self._process.join(_PATIENCE)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()


_ALONE: Final = "To judge in one process: --jobs 1"


def _processors() -> int:
    """Count the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _bytes_of(slot: SharedMemory) -> memoryview:
    assert slot.buf is not None
    return slot.buf


def _room() -> int:
    """Give how much memory may be shared: where it is short, writing to it would end this process."""
    try:
        free = disk_usage("/dev/shm").free  # noqa: S108 - only asked for its size
    except OSError:  # elsewhere there is no such folder
        return _MOST_SLOTS
    return min(_MOST_SLOTS, free // 2)


def _named(piece: Block) -> str:
    return f"records of {piece.source}"


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Start processes that leave Ctrl-C to this one: what is ignored at the start stays so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


# -- the other process ------------------------------------------------------------------------------------------------


def _serve(connection: Connection) -> None:
    """Judge pieces until the pipe is closed."""
    with suppress(ValueError):  # not the main thread of a host that embeds Python
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    judges: dict[int, Callable[[Lines], Any]] = {}
    slots: dict[str, SharedMemory] = {}
    while True:
        try:
            task, packed = connection.recv()
        except (EOFError, OSError):
            break
        answer: tuple[Any, str | None]
        try:
            if packed is not None:
                judges[task.spec] = pickle.loads(packed).start()  # noqa: S301 - from the process that started this one
            answer = (judges[task.spec](_with_text(task, slots)), None)
        except Exception as error:  # noqa: BLE001 - it is told to who asked, and raised there
            answer = (None, f"{type(error).__name__}: {error}")
        try:
            connection.send(answer)
        except OSError:
            break
    for slot in slots.values():
        slot.close()


def _with_text(task: _Task, slots: dict[str, SharedMemory]) -> Lines:
    if task.slot is None:
        return task.piece
    slot = slots.get(task.slot)
    if slot is None:
        slot = slots[task.slot] = SharedMemory(task.slot)
    return task.piece._replace(text=bytes(_bytes_of(slot)[: task.size]))

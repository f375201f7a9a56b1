"""Every call of git goes through here, on GitPython, with all that its configuration could start switched off."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import IO, Any, Final

import git

from compat.errors import Place, SourceError
from compat.sources.files import MAX_BYTES, shown, too_large

_OPTIONS: Final = (
    "--no-pager",
    "--no-optional-locks",
    "--no-replace-objects",
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "protocol.allow=never"),
    *("-c", "safe.bareRepository=explicit"),
    *("-c", "log.showSignature=false"),
    *("-c", "log.showRoot=true"),
    *("-c", "i18n.logOutputEncoding=UTF-8"),
    *("-c", "core.quotePath=false"),
    *("-c", "submodule.recurse=false"),
)

# The empty GIT_ALLOW_PROTOCOL wins over every `protocol.<name>.allow` that a repository sets for itself.
_ENVIRONMENT: Final = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_FLUSH": "0",  # else a log is written commit by commit
    "GIT_ATTR_NOSYSTEM": "1",
}

# How many blobs are asked for at a time: so few names fit any pipe, so neither side ever waits for the other.
_AHEAD: Final = 64

_environment_lock = threading.Lock()


@contextmanager
def _without_git_variables() -> Iterator[None]:
    """Hide the caller's GIT_* variables while GitPython copies the environment: it can add, not remove."""
    with _environment_lock:
        hidden = {name: value for name, value in os.environ.items() if name.startswith("GIT_")}
        for name in hidden:
            del os.environ[name]
        try:
            yield
        finally:
            os.environ.update(hidden)


class Command:
    """Git in one repository: calls that run to their end, and one process that reads objects."""

    def __init__(self, top: Path) -> None:
        place = Place(shown(str(top)))
        try:
            with _without_git_variables():
                self._repo = git.Repo(top, expand_vars=False)
        except (git.InvalidGitRepositoryError, git.NoSuchPathError, OSError, ValueError) as error:
            raise SourceError(f"is no usable git repository: {error}", place=place) from None
        self._reader: git.Git.AutoInterrupt | None = None
        self.index_file: str | None = None
        self.bare = self._repo.bare
        self.git_dir = Path(self._repo.git_dir).resolve()
        self.common_dir = Path(self._repo.common_dir).resolve()
        self.path = self.git_dir if self.bare else top.resolve()

    def close(self) -> None:
        """End the reading process and everything GitPython holds."""
        self._stop_reader()
        self._repo.close()

    def _start(self, arguments: Sequence[str], **options: object) -> object:
        command = [git.Git.GIT_PYTHON_GIT_EXECUTABLE or "git", "-C", str(self.path), *_OPTIONS]
        environment = {**_ENVIRONMENT, "GIT_CEILING_DIRECTORIES": str(self.path.parent)}
        if self.bare:
            command.append(f"--git-dir={self.path}")
        else:
            environment["GIT_WORK_TREE"] = str(self.path)  # `core.worktree` may point anywhere
            if self.index_file is not None:
                environment["GIT_INDEX_FILE"] = self.index_file
        with _without_git_variables():
            return self._repo.git.execute([*command, *arguments], env=environment, **options)  # type: ignore[call-overload]

    def run(self, *arguments: str) -> tuple[int, bytes, str]:
        """Run git and give its exit code, output and error text."""
        try:
            result: Any = self._start(
                arguments,
                with_extended_output=True,
                with_exceptions=False,
                stdout_as_string=False,
                strip_newline_in_stdout=False,
            )
            status, output, errors = result
        except git.GitCommandNotFound:
            raise SourceError("git is not installed", hint="install git 2.35 or newer") from None
        text = errors.decode("utf-8", "replace") if isinstance(errors, bytes) else str(errors)
        if "dubious ownership" in text:
            raise SourceError(
                "belongs to another user, and git refuses to read it",
                place=Place(shown(str(self.path))),
                hint=f"git config --global --add safe.directory {shlex.quote(str(self.path))}",
            )
        return status, output, text.strip()

    def output(self, *arguments: str) -> bytes:
        """Run git and give its output; SourceError where it fails."""
        status, output, errors = self.run(*arguments)
        if status != 0:
            reason = errors.splitlines()[-1] if errors else f"exit code {status}"
            raise self._missing_object(reason) or SourceError(f"git {arguments[0]} failed: {shown(reason)}")
        return output

    def _missing_object(self, reason: str) -> SourceError | None:
        if not re.search(r"promisor|not allowed|missing|unable to read|bad object|could not fetch|bad tree", reason):
            return None
        return SourceError(
            f"an object is not in this clone: {shown(reason)}",
            place=Place(shown(str(self.path))),
            hint="a partial or damaged clone; fetch it whole: git fetch --refetch --no-filter",
        )

    def blob(self, oid: str, *, name: str = "") -> bytes:
        """Read one blob through the one `cat-file --batch`; SourceError where it is missing or too large."""
        place = Place(shown(name) or oid[:12])
        reader = self._reading()
        asked, answers = _pipe(reader.stdin), _pipe(reader.stdout)
        try:
            asked.write(oid.encode("ascii") + b"\n")
            asked.flush()
            head = answers.readline().split()
        except (BrokenPipeError, UnicodeEncodeError):
            head = []
        if len(head) != 3:
            if not head:
                self._stop_reader()  # it dies where it would have to fetch
            raise SourceError(
                f"its content {oid[:12]} is not in this clone (partial or damaged), and nothing is fetched",
                place=place,
                hint="git fetch --refetch --no-filter brings every object",
            )
        kind, size = head[1], int(head[2])
        if size > MAX_BYTES or kind != b"blob":
            self._stop_reader()
            if kind != b"blob":
                raise SourceError(f"is a {kind.decode()}, not a file", place=place)
            raise too_large(name or oid, size)
        data = answers.read(size)
        answers.read(1)
        return data

    def blobs(self, oids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Read many blobs, asking for some ahead of what is read; those that cannot be read so are left out."""
        waiting = iter(oids)
        while batch := list(islice(waiting, _AHEAD)):
            reader = self._reading()
            asked, answers = _pipe(reader.stdin), _pipe(reader.stdout)
            try:
                asked.write("".join(f"{oid}\n" for oid in batch).encode("ascii"))
                asked.flush()
            except BrokenPipeError:
                self._stop_reader()
                continue
            # The whole batch before any of it is handed out: who gets one may ask for another in between.
            yield from self._answers(batch, answers)

    def _answers(self, batch: Sequence[str], answers: IO[bytes]) -> list[tuple[str, bytes]]:
        found: list[tuple[str, bytes]] = []
        room = MAX_BYTES
        for oid in batch:
            head = answers.readline().split()
            if not head or (len(head) == 3 and int(head[2]) > room):
                self._stop_reader()  # it dies where it would have to fetch
                break
            if len(head) == 3:
                data = answers.read(int(head[2]))
                answers.read(1)
                room -= len(data)
                if head[1] == b"blob":
                    found.append((oid, data))
        return found

    def _reading(self) -> git.Git.AutoInterrupt:
        if self._reader is None:
            started = self._start(["cat-file", "--batch"], as_process=True, istream=subprocess.PIPE)
            assert isinstance(started, git.Git.AutoInterrupt)
            self._reader = started
        return self._reader

    def _stop_reader(self) -> None:
        reader, self._reader = self._reader, None
        if reader is None or reader.proc is None:
            return
        process = reader.proc
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()
        process.terminate()
        process.wait()


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream

"""Where output goes: the report to standard output or a file, everything else to standard error."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import click

from compat.cli import silence
from compat.errors import OutputError, Place
from compat.report.escape import terminal

DEFAULT_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Console:
    """What the output flags of one command line add up to.

    `color` is already decided. `quiet` silences notes but never the report or an error.
    """

    format: str = "text"
    output: Path | None = None
    color: bool = False
    quiet: bool = False
    verbose: int = 0
    width: int = DEFAULT_WIDTH

    def report(self, text: str) -> None:
        """Give the report to whoever asked for it: `-o FILE` at once and whole, else standard output."""
        if not text.endswith("\n"):
            text += "\n"
        if self.output is not None:
            write_whole(self.output, text)
            return
        try:
            click.echo(text, nl=False, color=self.color)
        except BrokenPipeError:
            # The reader has seen enough; the verdict still stands, so the command goes on to its exit code.
            silence(sys.stdout)
        except OSError as error:
            raise OutputError(
                f"standard output: {error.strerror or error}.", hint="The report is incomplete; free some space."
            ) from error

    def note(self, text: str) -> None:
        """Say something by the way, on standard error, unless `-q`."""
        if not self.quiet:
            self._aside(text)

    def detail(self, text: str) -> None:
        """Say something only `-v` asks for, on standard error."""
        if self.verbose:
            self._aside(text)

    def warning(self, text: str) -> None:
        """Say on standard error what the user should not miss; `-q` does not silence it."""
        self._aside(f"warning: {text}")

    def error(self, error: Exception) -> None:
        """Say on standard error what could not be done, when the command goes on with the rest."""
        self._aside(f"error: {error}")

    @staticmethod
    def _aside(text: str) -> None:
        with suppress(OSError):
            click.echo(terminal(text, keep="\n"), err=True)


def wants_color(choice: str, stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Decide on colour: the flag, else NO_COLOR, else FORCE_COLOR, else whether a terminal listens."""
    if choice != "auto":
        return choice == "always"
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR"):
        return environ["FORCE_COLOR"] != "0"
    return stream.isatty() and environ.get("TERM") != "dumb"


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is never seen half-written: beside it first, then renamed over it.

    A device or pipe is written straight; a symbolic link keeps pointing where it points. OutputError where it fails.
    """
    data = text.encode("utf-8", "backslashreplace")
    try:
        target = Path(os.path.realpath(path))
        mode = target.stat().st_mode if target.exists() else None
        if mode is not None and not stat.S_ISREG(mode):
            if stat.S_ISDIR(mode):
                raise IsADirectoryError(21, "it is a folder")
            target.write_bytes(data)
            return
        _replace(target, data, 0o666 & ~_umask() if mode is None else stat.S_IMODE(mode))
    except BrokenPipeError:
        return
    except OSError as error:
        raise OutputError(
            f"the report could not be written: {error.strerror or error}.",
            place=Place(str(path)),
            hint="Name another file with -o, or leave -o out for standard output.",
        ) from error


def _replace(target: Path, data: bytes, mode: int) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
        Path(name).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask

"""`compat demo`: build the tour's repository, run the real commands in it, and say what each one shows."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import click

from compat.cli.console import wants_color
from compat.cli.options import SharedOption, terminal_width
from compat.errors import ExitCode, OutputError, Place, UsageError
from compat.report.escape import terminal

# What a shell or a CI server says about its own repository must not reach commands that run in another one.
_FOREIGN = ("GIT_", "GITHUB_", "GITLAB_", "CI_", "COMPAT_", "BUILDKITE_", "CIRCLE_", "BITBUCKET_")


@click.command()
@click.argument("stops", nargs=-1, metavar="[STOP]...")
@click.option(
    "--keep",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    cls=SharedOption,
    help="Build the repository in DIR and leave it there to play with.",
)
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    cls=SharedOption,
    help="Colour what is shown; NO_COLOR and FORCE_COLOR count too.",
)
def demo(stops: tuple[str, ...], keep: Path | None, color: str) -> int:
    """Take a guided run on a small real repository.

    The repository is built in a temporary folder: four contracts with all their versions, and the records stored
    under each. Everything shown is the output of a command that really ran there.

    STOPs are list, log, refactor, break, records, pull-request, gate, honest and changelog; without one, the whole
    tour.
    """
    from compat.demo import repository, tour

    show = _Guide(wants_color(color, sys.stdout, os.environ), terminal_width())
    with _folder(keep) as folder:
        ids = repository.build(folder)
        chosen = tour.chosen(tour.stops(ids), stops)
        show.text(
            f"A git repository with {len(ids)} versions of four contracts, built in {folder}. "
            "Everything below is a real command running in it."
        )
        astray = 0
        for number, stop in enumerate(chosen, 1):
            repository.switch(folder, stop.branch)
            show.heading(f"{number}/{len(chosen)}  {stop.title}")
            show.text(stop.why)
            code = show.run(folder, stop.branch, stop.arguments)
            show.text(stop.then)
            if code == stop.exit_code:
                show.text(f"Exit code {code}{', as it should be: there is something to object to' if code else ''}.")
            else:
                show.text(f"Exit code {code}, but {stop.exit_code} was expected here: please report this.")
                astray += 1
        show.heading("The end")
        objecting = sum(stop.exit_code == ExitCode.FINDINGS for stop in chosen)
        show.text(
            f"{len(chosen) - astray} of {len(chosen)} commands ended as they should"
            + (f"; {objecting} of them with exit code 1, which is their job." if objecting else ".")
        )
        if keep is not None:
            show.text(f"The repository stays in {folder}. Try: cd {folder} && compat check --base task/2")
    return ExitCode.UNCHECKED if astray else ExitCode.OK


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    """Give an empty folder to build in: the one to keep, or one that is gone afterwards."""
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="compat-demo-", ignore_cleanup_errors=True) as name:
            yield Path(name).resolve()
        return
    try:
        keep.mkdir(parents=True, exist_ok=True)
        empty = not any(keep.iterdir())
    except OSError as error:
        raise OutputError(f"the folder could not be made: {error.strerror}.", place=Place(str(keep))) from error
    if not empty:
        raise UsageError(f"{keep} is not empty.", hint="Name a folder that is empty or not there yet.")
    yield keep.resolve()


class _Guide:
    """What the tour says, to whom it says it."""

    def __init__(self, color: bool, width: int) -> None:
        self._color = color
        self._width = width
        self._environment = environment(os.environ, color=color, width=width)

    def _say(self, text: str = "", **style: bool | str) -> None:
        line = terminal(text, keep="\n")
        click.echo(click.style(line, **style) if style else line, color=self._color)  # type: ignore[arg-type]

    def heading(self, text: str) -> None:
        self._say()
        self._say(text, bold=True)

    def text(self, text: str) -> None:
        self._say(textwrap.fill(text, self._width, break_long_words=False, break_on_hyphens=False))

    def run(self, folder: Path, branch: str, arguments: tuple[str, ...]) -> int:
        """Run one command as a process of its own and show all that it says, in order."""
        self._say()
        self._say(f"({branch}) $ compat {' '.join(arguments)}", fg="cyan")
        sys.stdout.flush()
        done = subprocess.run(  # noqa: S603 - this interpreter, with arguments from the tour's own table
            [sys.executable, "-P", "-m", "compat", *arguments],
            cwd=folder,
            # What the commands remember goes with the repository.
            env=self._environment | {"COMPAT_CACHE_DIR": str(folder / ".git" / "compat-cache")},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        # The command has escaped what came from files; its colours are meant to stay.
        click.echo(textwrap.indent(done.stdout.decode("utf-8", "replace"), "    "), color=self._color)
        return done.returncode


def environment(outer: Mapping[str, str], *, color: bool, width: int) -> dict[str, str]:
    """Give the environment of the commands: the user's, without what speaks of another repository."""
    inner = {name: value for name, value in outer.items() if name != "CI" and not name.startswith(_FOREIGN)}
    inner.pop("NO_COLOR", None)
    inner.pop("FORCE_COLOR", None)
    inner |= {"COLUMNS": str(max(60, width - 4)), "PYTHONIOENCODING": "utf-8"}
    return inner | ({"FORCE_COLOR": "1"} if color else {"NO_COLOR": "1"})

"""The flags that mean the same everywhere, as decorators a command stacks on itself.

    @click.command()
    @report_options("text", "json")
    @verdict_options
    @project_options
    def gate(console: Console, fail_on: FailOn, config: Path | None, ...) -> int: ...

The command line wins over the environment: `COMPAT_GATE_FORMAT` for one command, `COMPAT_FORMAT` for all.
"""

from __future__ import annotations

import functools
import os
import shutil
import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

import click

from compat.cli import ENVIRONMENT_PREFIX
from compat.cli.console import DEFAULT_WIDTH, Console, wants_color
from compat.errors import did_you_mean
from compat.relation import Level

F = TypeVar("F", bound=Callable[..., Any])

# The engine's own bound, written again: loading the engine would cost every --help. A test holds them equal.
STEPS = 200_000

FORMATS = ("text", "json")
# What a judged report can be written as.
REPORT_FORMATS = ("text", "json", "markdown", "github", "gitlab", "sarif", "junit", "html")


class FailOn(StrEnum):
    """From which level on a finding makes the exit code 1."""

    BREAKING = "breaking"
    RISKY = "risky"
    UNKNOWN = "unknown"
    NEVER = "never"

    def fails(self, level: Level) -> bool:
        """Whether a finding of this level is one to object to.

        An unknown fails like a breaking one: policy has already lowered it to risky where it may pass.
        """
        return level in _FAILING[self]


_FAILING: dict[FailOn, frozenset[Level]] = {
    FailOn.BREAKING: frozenset({Level.BREAKING, Level.UNKNOWN}),
    FailOn.UNKNOWN: frozenset({Level.BREAKING, Level.UNKNOWN}),
    FailOn.RISKY: frozenset({Level.BREAKING, Level.UNKNOWN, Level.RISKY}),
    FailOn.NEVER: frozenset(),
}


class SharedOption(click.Option):
    """An option with one environment variable for all commands and one for each."""

    def resolve_envvar_value(self, ctx: click.Context) -> str | None:
        own = super().resolve_envvar_value(ctx)
        if own is not None or not self.name:
            return own
        return os.environ.get(f"{ENVIRONMENT_PREFIX}_{self.name.upper()}") or None


def report_options(*formats: str) -> Callable[[F], F]:
    """Add `-f -o --color -q -v`; the command receives them as one `console`."""

    def decorate(function: F) -> F:
        @click.option(
            "-f",
            "--format",
            type=click.Choice(formats or FORMATS),
            default="text",
            show_default=True,
            cls=SharedOption,
            help="How the report is written.",
        )
        @click.option(
            "-o",
            "--output",
            type=click.Path(path_type=Path, dir_okay=True),
            metavar="FILE",
            cls=SharedOption,
            help="Write the report to FILE instead of standard output.",
        )
        @click.option(
            "--color",
            type=click.Choice(["auto", "always", "never"]),
            default="auto",
            show_default=True,
            cls=SharedOption,
            help="Colour the text report; NO_COLOR and FORCE_COLOR count too.",
        )
        @click.option("-q", "--quiet", is_flag=True, cls=SharedOption, help="Only the report and errors.")
        @click.option("-v", "--verbose", count=True, cls=SharedOption, help="Show more; a crash shows its traceback.")
        @functools.wraps(function)
        def wrapper(
            *args: Any, format: str, output: Path | None, color: str, quiet: bool, verbose: int, **kwargs: Any
        ) -> Any:
            to_file = output is not None and str(output) != "-"
            console = Console(
                format=format,
                output=output if to_file else None,
                color=format == "text"
                and wants_color("never" if to_file and color == "auto" else color, sys.stdout, os.environ),
                quiet=quiet,
                verbose=verbose,
                width=terminal_width(),
            )
            return function(*args, console=console, **kwargs)

        return wrapper  # type: ignore[return-value]

    return decorate


def verdict_options(function: F) -> F:
    """Add `--fail-on`; the command receives `fail_on: FailOn`."""
    decorate = click.option(
        "--fail-on",
        type=click.Choice([choice.value for choice in FailOn]),
        default=FailOn.BREAKING.value,
        show_default=True,
        callback=lambda _ctx, _param, value: FailOn(value),
        cls=SharedOption,
        help="Exit with 1 from this level on: 'risky' includes breaking, 'unknown' adds what may pass unproved, "
        "'never' leaves errors only.",
    )
    return decorate(function)


def steps_option(function: F) -> F:
    """Add `--steps`; the command receives `steps: int`."""
    decorate = click.option(
        "--steps",
        type=click.IntRange(min=1),
        default=STEPS,
        metavar="N",
        show_default=True,
        cls=SharedOption,
        help="How much work one direction of a proof may be; beyond it the answer is unknown.",
    )
    return decorate(function)


def remote_option(function: F) -> F:
    """Add `--allow-remote`; the command receives `allow_remote: bool`.

    No environment variable sets it: it is asked for here.
    """
    decorate = click.option(
        "--allow-remote",
        is_flag=True,
        allow_from_autoenv=False,
        help="Read records from locations such as s3://bucket/*.ndjson.gz.",
    )
    return decorate(function)


def floor_option(function: F) -> F:
    """Add `--floor`; the command receives `floor: str | None`."""
    decorate = click.option(
        "--floor",
        metavar="VERSION|TAG|DAY",
        cls=SharedOption,
        help="The oldest version that transitive modes still ask about, instead of the configured one.",
    )
    return decorate(function)


def project_options(function: F) -> F:
    """Add `--config`; the command receives `config: Path | None`."""
    decorate = click.option(
        "--config",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        cls=SharedOption,
        help="Read this configuration instead of compat.toml or pyproject.toml.",
    )
    return decorate(function)


def also_option(function: F) -> F:
    """Add `--also`; the command receives `also: tuple[tuple[str, Path], ...]`, formats and where each is written."""
    decorate = click.option(
        "--also",
        multiple=True,
        metavar="FORMAT=FILE",
        callback=lambda _ctx, _param, values: tuple(_also(value) for value in values),
        help="Write the report to FILE in another format as well; repeatable.",
    )
    return decorate(function)


def _also(value: str) -> tuple[str, Path]:
    name, equals, path = value.partition("=")
    if not equals or not path:
        raise click.BadParameter(f"{value!r} is not FORMAT=FILE.", param_hint="--also")
    if name not in REPORT_FORMATS:
        raise click.BadParameter(
            f"{name!r} is no format. {did_you_mean(name, REPORT_FORMATS) or 'One of: ' + ', '.join(REPORT_FORMATS)}",
            param_hint="--also",
        )
    return name, Path(path)


# Set before an argument that click would take for an option, and taken off again; no argument can hold it.
_GUARD = "\0"


class NamingCommand(click.Command):
    """A command that takes schemas by name, among them `-#/pointer`, which looks like an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [f"{_GUARD}{arg}" if arg.startswith("-#") else arg for arg in args])


def schema_argument(name: str) -> Callable[[F], F]:
    """Add an argument of a NamingCommand that names a schema."""
    return click.argument(name, metavar=name.upper(), callback=lambda _ctx, _param, value: value.removeprefix(_GUARD))


def root_option(function: F) -> F:
    """Add `--root`; the command receives `root: Path | None`."""
    decorate = click.option(
        "--root",
        type=click.Path(path_type=Path, exists=True, file_okay=False),
        metavar="DIR",
        cls=SharedOption,
        help="The outermost folder that references may lead to (default: the repository, else the file's folder).",
    )
    return decorate(function)


def reading_options(function: F) -> F:
    """Add what says how two named schemas are read: `path`, `dialect`, `formats`, `root` and `as_written`."""
    for decorate in reversed(
        (
            click.option("--path", metavar="PATH", help="The file, where OLD or NEW is only a revision."),
            click.option("--dialect", metavar="NAME", help="The dialect where no $schema says: draft-07, 2020-12 …"),
            click.option(
                "--formats",
                type=click.Choice(["annotation", "assertion"]),
                default="annotation",
                show_default=True,
                help="Whether 'format' refuses anything.",
            ),
            root_option,
            click.option(
                "--as-written", is_flag=True, help="Count a changed version tag as the break that it strictly is."
            ),
        )
    ):
        function = decorate(function)
    return function


def terminal_width() -> int:
    """How wide text may be: the terminal's width within reason, 100 where nobody listens on one."""
    if not sys.stdout.isatty() and not os.environ.get("COLUMNS"):
        return DEFAULT_WIDTH
    return max(60, min(shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns, 160))

"""The command line: parse, call, print, exit. One file a command, loaded only when it is asked for."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

import click

from compat.errors import CompatError, ExitCode, OutputError, UsageError, did_you_mean


class Entry(NamedTuple):
    """A command before it is loaded: where its click command stands, its one line of help, and its group there."""

    target: str
    help: str
    section: str


# One row a command. The help of `compat --help` comes from here, so that it imports no command at all;
# a test holds it equal to the first line of the command's own help.
COMMANDS: dict[str, Entry] = {
    "check": Entry("compat.cli.check:check", "Judge every governed schema that a change touches.", "Changes"),
    "diff": Entry("compat.cli.diff:diff", "Compare two versions of one schema.", "Changes"),
    "git-diff": Entry("compat.cli.git_diff:git_diff", "Show a schema's change inside git diff.", "Changes"),
    "verify": Entry(
        "compat.cli.verify:verify", "Check a witness against both versions with two validators.", "Changes"
    ),
    "replay": Entry("compat.cli.replay:replay", "Run stored records against old and new.", "Changes"),
    "records": Entry("compat.cli.records:records", "Add records that were really written, and list them.", "Changes"),
    "log": Entry("compat.cli.log:log", "Tell a schema's history, a line a version.", "Changes"),
    "gate": Entry("compat.cli.gate:gate", "Say which version bump a release needs.", "Releases"),
    "release": Entry("compat.cli.release:release", "Write the release record and its changelog section.", "Releases"),
    "changelog": Entry(
        "compat.cli.changelog:changelog", "Tell consumers what changed, release by release.", "Releases"
    ),
    "list": Entry("compat.cli.lineages:list_", "Show the lineages found and what was passed over.", "Look around"),
    "rules": Entry("compat.cli.rules:rules", "Show the rule catalogue, or explain one rule.", "Look around"),
    "init": Entry("compat.cli.init:init", "Write a first configuration, workflow and commit hook.", "Look around"),
    "demo": Entry("compat.cli.demo:demo", "Take a guided run on a small real repository.", "Look around"),
}

PROG_NAME = "compat"
ENVIRONMENT_PREFIX = "COMPAT"
COMPLETE_VARIABLE = "_COMPAT_COMPLETE"


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = COMMANDS.get(cmd_name)
        return None if entry is None else load(entry)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            raise UsageError(
                f"there is no command {name!r}.", hint=did_you_mean(name, COMMANDS) or "See 'compat --help'."
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for section in dict.fromkeys(entry.section for entry in COMMANDS.values()):
            with formatter.section(section):
                formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items() if entry.section == section])

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> NoReturn:
        """Run and exit with the code that the outcome deserves; click's own mapping would exit 1 for a crash."""
        name = prog_name or PROG_NAME
        _complete(self, name, complete_var or COMPLETE_VARIABLE)
        _tolerate_any_text()
        code = run(self, list(sys.argv[1:] if args is None else args), name, **extra)
        sys.exit(_flush(code))


def load(entry: Entry) -> click.Command:
    """Import the click command that a row of the table names."""
    from importlib import import_module

    module, _, attribute = entry.target.partition(":")
    command: click.Command = getattr(import_module(module), attribute)
    return command


def run(group: click.Group, args: list[str], prog_name: str = PROG_NAME, **extra: Any) -> int:
    """Run one command line and give its exit code; whatever goes wrong has been said on standard error."""
    extra.setdefault("auto_envvar_prefix", ENVIRONMENT_PREFIX)
    try:
        with group.make_context(prog_name, args, **extra) as ctx:
            outcome = group.invoke(ctx)
            return int(outcome) if isinstance(outcome, int) else ExitCode.OK
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (click.Abort, KeyboardInterrupt, EOFError):
        _say("interrupted.")
        return ExitCode.INTERRUPTED
    except click.exceptions.NoArgsIsHelpError as bare:
        click.echo(bare.format_message(), err=True)
        return ExitCode.USAGE
    except click.FileError as error:
        _say(f"error: {error.format_message()}")
        return ExitCode.UNCHECKED
    except click.UsageError as error:
        command = prog_name if error.ctx is None else error.ctx.command_path
        _say(f"error: {error.format_message()}\n  See '{command} --help'.")
        return ExitCode.USAGE
    except click.ClickException as error:
        _say(f"error: {error.format_message()}")
        return ExitCode.UNCHECKED
    except CompatError as error:
        if os.environ.get("COMPAT_DEBUG"):
            _traceback()
        _say(f"error: {error}")
        return error.exit_code
    except BrokenPipeError:
        # The reader left before the command was done: nobody to talk to, and no verdict to stand by.
        return ExitCode.UNCHECKED
    except Exception as error:  # noqa: BLE001 - the last line of defence: a crash must not look like a finding
        return _internal(error, args)


def _internal(error: Exception, args: Sequence[str]) -> int:
    asked = bool(os.environ.get("COMPAT_DEBUG")) or any(_VERBOSE.fullmatch(arg) for arg in args)
    if asked:
        _traceback()
    if isinstance(error, OSError) and error.strerror:
        place = f"{error.filename}: " if isinstance(error.filename, str) else ""
        _say(f"error: {place}{error.strerror}.")
        return ExitCode.UNCHECKED
    detail = " ".join(str(error).split())
    _say(
        f"internal error: {type(error).__name__}{': ' + detail[:300] if detail else ''}\n"
        "  Nothing was decided. This is a bug in compat, please report it"
        + ("." if asked else "; COMPAT_DEBUG=1 shows where it happened.")
    )
    return ExitCode.UNCHECKED


_VERBOSE = re.compile(r"-[a-z]*v[a-z]*|--verbose")


def _traceback() -> None:
    import traceback

    _say(traceback.format_exc().rstrip())


def _say(text: str) -> None:
    from compat.report.escape import terminal

    try:
        click.echo(terminal(text, keep="\n"), err=True)
    except OSError:
        return


def _complete(group: click.Group, prog_name: str, variable: str) -> None:
    instruction = os.environ.get(variable)
    if instruction:
        from click.shell_completion import shell_complete

        sys.exit(shell_complete(group, {}, prog_name, variable, instruction))


def _tolerate_any_text() -> None:
    """Print what an old terminal's encoding lacks as an escape instead of failing half-way through a report."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _flush(code: int) -> int:
    """Flush standard output now: a closed pipe is quiet, a full disk is an error of its own."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        silence(sys.stdout)
    except OSError as error:
        silence(sys.stdout)
        _say(f"error: {OutputError(f'standard output: {error.strerror}.', hint='The report is incomplete.')}")
        return ExitCode.UNCHECKED
    return code


def silence(stream: Any) -> None:
    """Point a stream whose reader has left at nothing, so that the interpreter does not complain on its way out."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
    except (OSError, ValueError):
        return


def _show_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from compat import __version__

        click.echo(f"compat {__version__}")
        ctx.exit()


@click.group(
    PROG_NAME,
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 nothing to object to, 1 findings, 2 usage or configuration error, 3 could not check.",
)
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_show_version, help="Show the version."
)
def cli() -> None:
    """Tell whether a change to a JSON Schema breaks anyone, and prove it."""


def main() -> NoReturn:
    """Run the command line of this process."""
    cli.main()

"""The frame of the command line: exit codes, lazy loading, errors with a place and a remedy."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from compat.cli import COMMANDS, LazyGroup, cli, load, run
from compat.errors import (
    CompatError,
    ConfigError,
    ExitCode,
    OutputError,
    ParseError,
    Place,
    RevisionError,
    SchemaError,
    UsageError,
)


def group_of(function: Callable[[], object]) -> click.Group:
    group = LazyGroup("compat")
    command = click.command("probe")(function)
    group.get_command = lambda _ctx, _name: command  # type: ignore[method-assign]
    group.resolve_command = lambda ctx, args: ("probe", command, args[1:])  # type: ignore[method-assign]
    return group


def raising(error: BaseException) -> click.Group:
    def probe() -> object:
        raise error

    return group_of(probe)


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (UsageError("no such thing"), 2, "error: no such thing"),
        (
            ConfigError("bad key", place=Place("compat.toml", "/x"), hint="Remove it."),
            2,
            "compat.toml#/x: bad key\n  Rem",
        ),
        (CompatError("odd"), 3, "error: odd"),
        (ParseError("not JSON", place=Place("a.json", "", 3, 7)), 3, "a.json:3:7: not JSON"),
        (SchemaError("no schema"), 3, "error: no schema"),
        (RevisionError("no 'main'", hint="git fetch origin main"), 3, "no 'main'\n  git fetch origin main"),
        (OutputError("disk full"), 3, "error: disk full"),
        (click.UsageError("what?"), 2, "error: what?"),
        (click.BadParameter("no"), 2, "error: Invalid value: no"),
        (click.FileError("x.json", "gone"), 3, "x.json"),
        (click.ClickException("hm"), 3, "error: hm"),
        (click.Abort(), 130, "interrupted."),
        (KeyboardInterrupt(), 130, "interrupted."),
        (EOFError(), 130, "interrupted."),
        (PermissionError(13, "Permission denied", "f.json"), 3, "error: f.json: Permission denied."),
        (ValueError("boom"), 3, "internal error: ValueError: boom"),
        (RecursionError("deep"), 3, "internal error: RecursionError"),
        (MemoryError(), 3, "internal error: MemoryError"),
        (BrokenPipeError(), 3, ""),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else None,
)
def test_every_way_to_end_has_its_exit_code(
    error: BaseException, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(raising(error), ["probe"]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert "Traceback" not in captured.err
    assert bool(captured.err) == bool(said)


@pytest.mark.parametrize("code", [ExitCode.OK, ExitCode.FINDINGS, ExitCode.UNCHECKED, None])
def test_a_command_decides_its_own_exit_code(code: ExitCode | None) -> None:
    assert run(group_of(lambda: code), ["probe"]) == (code or 0)


def test_debug_shows_where_it_happened(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPAT_DEBUG", "1")
    assert run(raising(ValueError("boom")), ["probe"]) == 3
    said = capsys.readouterr().err
    assert "Traceback" in said
    assert "internal error: ValueError: boom" in said


@pytest.mark.parametrize(("flag", "shown"), [("-v", True), ("-qv", True), ("--verbose", True), ("-q", False)])
def test_verbose_shows_where_a_crash_happened(flag: str, shown: bool, capsys: pytest.CaptureFixture[str]) -> None:
    group = raising(ValueError("boom"))
    group.get_command(click.Context(group), "probe").context_settings = {
        "ignore_unknown_options": True,
        "allow_extra_args": True,
    }  # type: ignore[union-attr]
    assert run(group, ["probe", flag]) == 3
    assert ("Traceback" in capsys.readouterr().err) is shown


def test_control_characters_in_an_error_reach_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    run(raising(CompatError("evil \x1b[2J\u202e name")), ["probe"])
    said = capsys.readouterr().err
    assert "\x1b" not in said
    assert "evil \\x1b[2J\\u202e name" in said


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        ([], 2, "Usage: compat"),
        (["chek"], 2, "Did you mean 'check'?"),
        (["qqqqq"], 2, "See 'compat --help'."),
        (["--nonsense"], 2, "No such option"),
        (["rules", "--nonsense"], 2, "See 'compat rules --help'."),
        (["rules", "-f", "sarif9"], 2, "'text', 'json'"),
    ],
)
def test_a_wrong_command_line_is_explained(args: list[str], code: int, said: str) -> None:
    result = CliRunner().invoke(cli, args)
    assert result.exit_code == code
    assert result.stdout == ""
    assert said in result.stderr


def test_help_and_version_go_to_standard_output() -> None:
    result = CliRunner().invoke(cli, ["--help"])
    assert (result.exit_code, result.stderr) == (0, "")
    assert all(name in result.stdout for name in COMMANDS)
    assert "Exit codes: 0" in result.stdout
    version = CliRunner().invoke(cli, ["--version"])
    assert version.exit_code == 0
    assert version.stdout.startswith("compat ")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_row_of_the_table_says_what_the_command_says(name: str) -> None:
    entry = COMMANDS[name]
    command = load(entry)
    assert command.name == name
    assert (command.help or "").splitlines()[0] == entry.help


def test_help_imports_no_command_and_no_heavy_library() -> None:
    code = "import sys; from compat.cli import run, cli; run(cli, ['--help']); print(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.splitlines())
    assert "click" in loaded
    heavy = {"git", "jsonschema", "jsonschema_rs", "deepdiff", "rich", "yaml", "referencing", "orjson", "asyncio"}
    assert not loaded & heavy
    assert {name for name in loaded if name.startswith("compat.cli")} == {"compat.cli"}


def probe(*args: str, **options: object) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("COMPAT_")}
    return subprocess.run(
        [sys.executable, "-m", "compat", *args], capture_output=True, text=True, env=environment, check=False, **options
    )  # type: ignore[call-overload,no-any-return]


def test_the_module_runs_as_the_entry_point_does() -> None:
    done = probe("--help")
    assert done.returncode == 0
    assert done.stdout.startswith("Usage: compat ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_an_error_and_never_a_verdict() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "compat", "rules"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == ExitCode.UNCHECKED
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_closed_pipe_is_quiet() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "compat", "rules"], stdout=writer, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writer)
    assert done.stderr == ""
    assert done.returncode == ExitCode.OK


def test_completion_offers_the_commands() -> None:
    environment = {**os.environ, "_COMPAT_COMPLETE": "bash_complete", "COMP_WORDS": "compat ch", "COMP_CWORD": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "compat"], capture_output=True, text=True, env=environment, check=False
    )
    assert "plain,check" in done.stdout.splitlines()


def test_json_errors_are_no_findings() -> None:
    """A run that could not start must not look like one that found nothing."""
    result = CliRunner().invoke(cli, ["diff", "-f", "json", "missing-a.json", "missing-b.json"])
    assert result.exit_code == ExitCode.UNCHECKED
    report = json.loads(result.stdout)
    assert report["conclusion"] == "error"
    assert report["exit_code"] == 3
    assert report["problems"][0]["place"]["source"] == "missing-a.json"

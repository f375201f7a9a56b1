"""`compat demo` as people run it: it explains, it runs the real commands, and it leaves nothing behind."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from compat.cli import cli, load, run
from compat.cli import demo as command
from compat.cli.demo import environment
from compat.errors import ExitCode


def demo(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "compat", "demo", *arguments],
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_whole_tour_ends_well_and_shows_what_each_command_said(tmp_path: Path) -> None:
    folder = tmp_path / "tour"
    done = demo("--keep", str(folder))
    assert done.returncode == 0, done.stdout + done.stderr
    shown = re.findall(r"^\(\S+\) \$ compat (.+)$", done.stdout, re.MULTILINE)
    assert [line.split()[0] for line in shown] == [
        "list", "log", "diff", "diff", "replay", "check", "gate", "gate", "changelog",
    ]  # fmt: skip
    assert "9 of 9 commands ended as they should" in done.stdout
    assert "internal error" not in done.stdout
    # What was shown is what the command says: run one again, by hand, in the folder that was kept.
    again = subprocess.run(
        [sys.executable, "-m", "compat", *shown[0].split()],
        cwd=folder,
        env=environment(os.environ, color=False, width=100),
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [f"    {line}" if line else "" for line in again.stdout.splitlines()]
    assert lines
    assert "\n".join(lines).strip() in done.stdout


def test_a_ci_servers_variables_do_not_reach_the_commands() -> None:
    done = demo(
        "pull-request", GITHUB_BASE_REF="release", CI="true", GIT_DIR="/nowhere", COMPAT_FORMAT="json", NO_COLOR="1"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 of 1 commands ended as they should" in done.stdout


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", None)
    assert run(cli, ["demo", "list", "log"]) == ExitCode.OK
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "thesis.txt").write_text("four years of work")
    assert run(cli, ["demo", "--keep", str(tmp_path)]) == ExitCode.USAGE
    assert "is not empty" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_command_that_ends_otherwise_is_said_and_fails(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command._Guide, "run", lambda *_: 70)
    assert run(cli, ["demo", "list", "gate"]) == ExitCode.UNCHECKED
    out = capsys.readouterr().out
    assert out.count("Exit code 70, but") == 2
    assert "0 of 2 commands ended as they should" in out


def test_the_help_names_every_stop() -> None:
    from compat.demo import history, tour

    stops = tour.stops({entry.label: "0" * 40 for entry in history.entries()})
    text = str(load_help())
    assert [stop.name for stop in stops if stop.name not in text] == []


def load_help() -> str | None:
    from compat.cli import COMMANDS

    return load(COMMANDS["demo"]).help


def test_the_environment_keeps_what_is_the_users_and_drops_the_rest() -> None:
    outer = {
        "PATH": "/bin",
        "HOME": "/h",
        "GIT_DIR": "x",
        "CI": "1",
        "CI_COMMIT_SHA": "x",
        "GITHUB_SHA": "x",
        "CITY": "y",
    }
    inner = environment(outer | {"FORCE_COLOR": "1"}, color=False, width=80)
    assert inner == {
        "PATH": "/bin", "HOME": "/h", "CITY": "y", "COLUMNS": "76", "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1",
    }  # fmt: skip
    assert environment({}, color=True, width=80)["FORCE_COLOR"] == "1"

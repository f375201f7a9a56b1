"""Where output goes and how it is coloured."""

from __future__ import annotations

import io
import os
import stat
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from compat.cli import ENVIRONMENT_PREFIX
from compat.cli.console import Console, wants_color, write_whole
from compat.cli.options import FailOn, project_options, report_options, verdict_options
from compat.errors import OutputError
from compat.relation import Level


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("choice", "environ", "terminal", "expected"),
    [
        ("auto", {}, False, False),
        ("auto", {}, True, True),
        ("auto", {"TERM": "dumb"}, True, False),
        ("auto", {"NO_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("auto", {"FORCE_COLOR": "1"}, False, True),
        ("auto", {"FORCE_COLOR": "0"}, True, False),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_colour(choice: str, environ: dict[str, str], terminal: bool, expected: bool) -> None:
    assert wants_color(choice, Terminal() if terminal else io.StringIO(), environ) is expected


@pytest.mark.parametrize(
    ("fail_on", "levels"),
    [
        (FailOn.BREAKING, {Level.BREAKING, Level.UNKNOWN}),
        (FailOn.UNKNOWN, {Level.BREAKING, Level.UNKNOWN}),
        (FailOn.RISKY, {Level.BREAKING, Level.UNKNOWN, Level.RISKY}),
        (FailOn.NEVER, set()),
    ],
)
def test_fail_on(fail_on: FailOn, levels: set[Level]) -> None:
    assert {level for level in Level if fail_on.fails(level)} == levels


class TestWriteWhole:
    def test_a_new_file_has_the_mode_the_umask_asks_for(self, tmp_path: Path) -> None:
        target = tmp_path / "report.json"
        old = os.umask(0o027)
        try:
            write_whole(target, "x\n")
        finally:
            os.umask(old)
        assert target.read_text() == "x\n"
        assert stat.S_IMODE(target.stat().st_mode) == 0o640
        assert list(tmp_path.iterdir()) == [target]

    def test_an_existing_file_keeps_its_mode_and_a_link_its_target(self, tmp_path: Path) -> None:
        real = tmp_path / "real.txt"
        real.write_text("old")
        real.chmod(0o600)
        link = tmp_path / "link.txt"
        link.symlink_to(real)
        write_whole(link, "new")
        assert link.is_symlink()
        assert real.read_text() == "new"
        assert stat.S_IMODE(real.stat().st_mode) == 0o600

    @pytest.mark.parametrize("name", ["missing/report.txt", "."])
    def test_what_cannot_be_written_is_an_error_with_a_place(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(OutputError) as caught:
            write_whole(tmp_path / name, "x")
        assert caught.value.place is not None
        assert caught.value.place.source == str(tmp_path / name)
        assert "-o" in (caught.value.hint or "")

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
    def test_a_full_device(self) -> None:
        with pytest.raises(OutputError, match="No space left"):
            write_whole(Path("/dev/full"), "x")

    def test_a_failed_write_leaves_the_old_file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        target = tmp_path / "report.txt"
        target.write_text("old")

        def full(_descriptor: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(OutputError, match="No space left"):
            write_whole(target, "new")
        assert target.read_text() == "old"
        assert list(tmp_path.iterdir()) == [target]


@click.command()
@report_options("text", "json")
@verdict_options
@project_options
def probe(console: Console, fail_on: FailOn, config: Path | None) -> None:
    click.echo(f"{console.format} {console.output} {console.quiet} {console.verbose} {fail_on} {config}")


@pytest.mark.parametrize(
    ("args", "environ", "expected"),
    [
        ([], {}, "text None False 0 breaking None"),
        (["-f", "json", "-o", "x", "-q", "-vv"], {}, "json x True 2 breaking None"),
        (["-o", "-"], {}, "text None False 0 breaking None"),
        ([], {"COMPAT_FORMAT": "json", "COMPAT_FAIL_ON": "never"}, "json None False 0 never None"),
        ([], {"COMPAT_FORMAT": "text", "COMPAT_PROBE_FORMAT": "json"}, "json None False 0 breaking None"),
        (["-f", "text"], {"COMPAT_PROBE_FORMAT": "json"}, "text None False 0 breaking None"),
        (["--config", "c.toml"], {"COMPAT_CONFIG": "d.toml"}, "text None False 0 breaking c.toml"),
        ([], {"COMPAT_CONFIG": "d.toml"}, "text None False 0 breaking d.toml"),
    ],
)
def test_the_command_line_wins_over_the_environment(args: list[str], environ: dict[str, str], expected: str) -> None:
    result = CliRunner().invoke(probe, args, env=environ, auto_envvar_prefix=f"{ENVIRONMENT_PREFIX}_PROBE")
    assert result.stdout.strip() == expected


def test_notes_are_quiet_and_warnings_are_not(capsys: pytest.CaptureFixture[str]) -> None:
    for console in (Console(quiet=True), Console(verbose=1)):
        console.note("by the way")
        console.detail("in detail")
        console.warning("mind \x07 this")
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines() == [
        "warning: mind \\x07 this",
        "by the way",
        "in detail",
        "warning: mind \\x07 this",
    ]

"""The README is tried as a new user would: every command runs, and every output is what it says today.

After a change that is meant, `COMPAT_REWRITE_README=1 make test ARGS=tests/test_readme.py` writes the outputs anew.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from compat.demo import repository

PROJECT_ROOT = Path(__file__).resolve().parent.parent
README = PROJECT_ROOT / "README.md"
REWRITE = bool(os.environ.get("COMPAT_REWRITE_README"))

_BLOCK = re.compile(r"^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    language: str
    text: str


def blocks(text: str) -> list[Block]:
    return [Block(match["language"], match["text"]) for match in _BLOCK.finditer(text)]


def sections() -> tuple[str, str]:
    """Give what comes before the tutorial, and the tutorial."""
    before, found, tutorial = README.read_text(encoding="utf-8").partition("## Five minutes\n")
    assert found
    return before, tutorial


@pytest.fixture
def shell(git_environment: dict[str, str]) -> dict[str, str]:
    """A new user's shell: the command is on the path, git knows a name, and nothing else is set."""
    return git_environment | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{git_environment['PATH']}",
        "GIT_AUTHOR_DATE": "2026-11-30T12:00:00Z",
        "GIT_COMMITTER_DATE": "2026-11-30T12:00:00Z",
        "COLUMNS": "100",
        "PYTHONIOENCODING": "utf-8",
    }


def spoken(command: str, folder: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert "internal error" not in done.stdout, done.stdout
    assert done.returncode in {0, 1}, done.stdout
    return done.stdout


def timeless(text: str) -> str:
    return re.sub(r"\d+\.\d s$", "0.1 s", text, flags=re.MULTILINE)


def answered(block: Block, folder: Path, environment: dict[str, str]) -> str:
    """Give the block as it reads when its commands are run now."""
    commands = re.findall(r"^\$ (.+)$", block.text, re.MULTILINE)
    assert commands
    return "\n".join(f"$ {command}\n{spoken(command, folder, environment)}" for command in commands)


def test_the_tutorial_says_what_the_commands_say(tmp_path: Path, shell: dict[str, str]) -> None:
    before, tutorial = sections()
    folder = tmp_path
    written = tutorial
    console = 0
    for block in blocks(tutorial):
        if block.language == "sh":
            done = subprocess.run(
                ["bash", "-euc", f"{block.text}\npwd"],
                cwd=folder,
                env=shell,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stderr
            folder = Path(done.stdout.splitlines()[-1])
        elif block.language == "console":
            console += 1
            now = answered(block, folder, shell)
            if REWRITE:
                written = written.replace(f"```console\n{block.text}```", f"```console\n{now}```", 1)
            else:
                assert timeless(block.text) == timeless(now)
    assert console >= 3
    if REWRITE:
        README.write_text(f"{before}## Five minutes\n{written}", encoding="utf-8")


def test_the_python_example_prints_what_its_comments_say(capsys: pytest.CaptureFixture[str]) -> None:
    _, tutorial = sections()
    (example,) = [block.text for block in blocks(tutorial) if block.language == "python"]
    exec(compile(example, "README.md", "exec"), {})  # the README's own example
    assert capsys.readouterr().out.splitlines() == re.findall(r"# (.+)$", example, re.MULTILINE)


def test_the_first_screen_is_what_check_says_in_the_tour(tmp_path: Path, shell: dict[str, str]) -> None:
    before, _ = sections()
    first = next(block for block in blocks(before) if block.language == "console")
    folder = tmp_path / "tour"
    folder.mkdir()
    repository.build(folder)
    repository.switch(folder, repository.CARELESS)
    command, _, shown = first.text.partition("\n")
    said = spoken(command.removeprefix("$ "), folder, shell)
    if REWRITE:
        text = README.read_text(encoding="utf-8")
        README.write_text(text.replace(first.text, f"{command}\n{said}"), encoding="utf-8")
    else:
        assert timeless(shown) == timeless(said)


def test_the_make_targets_it_names_exist() -> None:
    named = set(re.findall(r"^make (\w+)", README.read_text(encoding="utf-8"), re.MULTILINE))
    assert {"demo", "test"} <= named
    targets = set(re.findall(r"^(\w+):", (PROJECT_ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert named <= targets

"""The command line reference is made from the commands and held to them.

COMPAT_DOCS=write stores it anew.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest
from conftest import PROJECT_ROOT

from compat.cli import COMMANDS, cli, load
from compat.cli.options import REPORT_FORMATS

REFERENCE = PROJECT_ROOT / "docs" / "cli.md"

INTRODUCTION = """\
# Command line

Every command says this about itself with `--help`. Options that are the same everywhere may also be set in the
environment: `COMPAT_FORMAT` for all commands, `COMPAT_CHECK_FORMAT` for one. The command line wins over that,
and the environment over the configuration.

The report goes to standard output, everything else to standard error.

| exit code | meaning |
|---|---|
| 0 | nothing to object to |
| 1 | findings at or above `--fail-on` |
| 2 | the command line or the configuration is wrong |
| 3 | something could not be checked; it wins over 1, and the findings of the rest are still printed |
| 130 | interrupted |

Shells complete commands, options, formats, rules and lineages: put the line for yours into its start-up file.

```sh
eval "$(_COMPAT_COMPLETE=bash_source compat)"  # bash; zsh_source for zsh
_COMPAT_COMPLETE=fish_source compat | source   # fish
```
"""


def reference() -> str:
    return "\n".join(_lines()).rstrip() + "\n"


def every_command() -> Iterator[tuple[str, click.Command]]:
    """Yield the commands and, after a group, those in it."""
    for name, entry in COMMANDS.items():
        command = load(entry)
        yield name, command
        if isinstance(command, click.Group):
            yield from ((f"{name} {inner}", each) for inner, each in command.commands.items())


def _lines() -> Iterator[str]:
    yield INTRODUCTION
    for section in dict.fromkeys(entry.section for entry in COMMANDS.values()):
        yield f"- {section}: " + ", ".join(
            f"[`{name}`](#compat-{name})" for name, entry in COMMANDS.items() if entry.section == section
        )
    for name, command in every_command():
        with click.Context(cli, info_name="compat", **cli.context_settings) as parent:
            context = click.Context(command, info_name=name, parent=parent, max_content_width=100, terminal_width=100)
            text = command.get_help(context)
        yield f"\n## compat {name}\n\n```text\n{text}\n```"


def test_the_command_line_reference_is_up_to_date() -> None:
    if not (PROJECT_ROOT / "docs").is_dir():
        pytest.skip("no checkout: docs/ is not part of an installation")
    text = reference()
    if os.environ.get("COMPAT_DOCS") == "write":
        REFERENCE.write_text(text, encoding="utf-8")
    stored = REFERENCE.read_text(encoding="utf-8")
    assert stored == text, "docs/cli.md is stale: run the tests once with COMPAT_DOCS=write"


GUIDE = PROJECT_ROOT / "docs" / "pull-request.md"


def test_the_guide_names_what_is_there() -> None:
    if not GUIDE.is_file():
        pytest.skip("no checkout: docs/ is not part of an installation")
    text = GUIDE.read_text(encoding="utf-8")
    known = {option for _, command in every_command() for param in command.params for option in param.opts}
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text))
    assert named, "the guide speaks of options"
    assert named <= known
    rows = re.findall(r"^\| `([a-z]+)` \|", text, re.MULTILINE)
    told = {"text", "markdown", "github", "sarif", "gitlab", "junit", "html", "json"}
    assert told <= set(rows) <= set(REPORT_FORMATS)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_has_a_script(shell: str) -> None:
    if shell == "bash" and shutil.which("bash") is None:
        pytest.skip("click asks bash for its version, and there is none here")
    environment = {**os.environ, "_COMPAT_COMPLETE": f"{shell}_source"}
    done = subprocess.run(
        [sys.executable, "-m", "compat"], capture_output=True, text=True, env=environment, check=False
    )
    assert "_COMPAT_COMPLETE" in done.stdout, done.stderr


@pytest.mark.parametrize(("name", "command"), list(every_command()))
def test_every_option_is_explained(name: str, command: click.Command) -> None:
    for parameter in command.params:
        if isinstance(parameter, click.Option) and not parameter.hidden:
            assert parameter.help, f"{name} {parameter.opts}"
    assert command.help
    if name in COMMANDS:
        assert command.get_short_help_str(100) == COMMANDS[name].help

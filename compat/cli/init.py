"""`compat init`: a first configuration, workflow and commit hook for the repository it stands in."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from compat.cli.console import Console
from compat.cli.options import report_options

if TYPE_CHECKING:
    from compat.project import Project
    from compat.project.accepting import Standing
    from compat.project.starting import Proposal

MODES = ("backward", "forward", "full", "none", "backward-transitive", "forward-transitive", "full-transitive")


@click.command("init", short_help="Write a first configuration, workflow and commit hook.")
@click.option(
    "--compatibility", "mode", type=click.Choice(MODES), default="backward", show_default=True, help="The mode."
)
@click.option("--accept-current", is_flag=True, help="Accept what stands today, with a waiver for each finding.")
@click.option(
    "--ci",
    type=click.Choice(["auto", "github", "gitlab"]),
    default="auto",
    show_default=True,
    help="Whose workflow to write; GitLab's where there is a .gitlab-ci.yml.",
)
@click.option("--action", metavar="OWNER/REPO@REF", help="Where the GitHub Action of compat is to be had.")
@click.option("--dry-run", is_flag=True, help="Show the files and write nothing.")
@click.option("-y", "--yes", is_flag=True, help="Write without asking; off a terminal nothing is asked.")
@click.option("--schema", "only_schema", is_flag=True, help="Print the JSON Schema of the configuration, nothing else.")
@report_options("text")
def init(
    *,
    console: Console,
    mode: str,
    accept_current: bool,
    ci: str,
    action: str | None,
    dry_run: bool,
    yes: bool,
    only_schema: bool,
) -> int:
    """Write a first configuration, workflow and commit hook.

    The lineages of the repository are found and written to compat.toml, one table each. A file that is there already
    is left alone, and what would have been written is shown. --accept-current writes a waiver for everything that the
    check objects to now, to be read before it is committed; it counts once it is merged. What the gate objects to is
    named, and settled by a new number.
    """
    from compat.errors import ExitCode, SourceError, UsageError
    from compat.project import Project

    if only_schema:
        from compat.jsonvalue import dumps
        from compat.project.options_page import schema

        console.report(dumps(schema(), indent=2))
        return ExitCode.OK
    if action is not None and not re.fullmatch(r"[\w.-]+/[\w.-]+(/[\w./-]+)?@[\w./-]+", action):
        raise UsageError(f"{action!r} names no action.", hint="Write it as OWNER/REPO@REF, best with a commit for REF.")
    with Project.open(_top(Path.cwd()), environment={}) as project:
        lineages = project.lineages()
        if not lineages:
            raise SourceError(
                "no schema was found here, so there is nothing to configure yet",
                hint="Write one to schemas/NAME.schema.json and run compat init again; compat list shows what was "
                "passed over.",
            )
        files, standing = _proposed(project, mode, accept_current, ci, action)
        ask = not dry_run and not yes and sys.stdin.isatty() and sys.stderr.isatty()
        new = [file for file in files if not project.root.exists(file.path)]
        if ask and new and not click.confirm(f"Write {', '.join(file.path for file in new)}?", default=True, err=True):
            dry_run = True
        console.report("\n".join(_carried_out(project, files, standing, dry_run)))
    return ExitCode.OK


def _top(here: Path) -> Path:
    from compat.sources.git import top_level

    return top_level(here) or here


def _proposed(
    project: Project, mode: str, accept_current: bool, ci: str, action: str | None
) -> tuple[tuple[Proposal, ...], Standing | None]:
    from datetime import UTC, datetime

    from compat.project.accepting import standing, waiver_text
    from compat.project.starting import config_text, proposals
    from compat.relation import Mode

    today = datetime.now(UTC).date()
    chosen = Mode(mode)
    found = standing(project, chosen, today) if accept_current else None
    waivers = [] if found is None else [waiver_text(finding, today) for finding in found.findings]
    text = config_text(project, project.lineages(), chosen, waivers)
    gitlab = ci == "gitlab" or (ci == "auto" and project.root.exists(".gitlab-ci.yml"))
    files = proposals(text, branch=_branch(project), action=action, gitlab=gitlab)
    # Without git nobody pushes, and no hook is run.
    return (files if project.repository is not None else files[:1]), found


def _branch(project: Project) -> str:
    """Give the branch that changes go into, as far as the clone tells."""
    repository = project.repository
    if repository is None:
        return "main"
    remote = repository.ref("refs/remotes/origin/HEAD")
    if remote is not None:
        return remote.removeprefix("refs/remotes/origin/")
    for name in ("main", "master"):
        if repository.find(f"refs/heads/{name}") is not None:
            return name
    return "main"


def _carried_out(
    project: Project, files: Sequence[Proposal], standing: Standing | None, dry_run: bool
) -> Iterator[str]:
    from compat.project.config import FILE_NAME
    from compat.project.starting import write_new
    from compat.sources.files import shown

    for file in files:
        project.root.locate(file.path)  # refuses a folder that leads out, before anything is written
    written = False
    elsewhere = project.config.path
    for file in files:
        if file.path == FILE_NAME and elsewhere not in (None, FILE_NAME):
            # A compat.toml would silently take the place of what is configured there.
            yield f"{file.path}: not written, since {shown(elsewhere or '')} configures compat. What would go in:"
            yield from _indented(file.text)
        elif not dry_run and write_new(project.root, file.path, file.text):
            written = True
            yield f"{file.path}: written."
        elif not project.root.exists(file.path):
            yield f"{file.path}: would be written:"
            yield from _indented(file.text)
        elif project.root.read(file.path) == file.text.encode():
            yield f"{file.path}: stands as it would be written."
        else:
            yield f"{file.path}: is there already and was left alone. What would go in:"
            yield from _indented(file.part or file.text)
    if standing is not None:
        yield from _accepted(standing)
    if written:
        yield "next: read what was written, commit it, then compat check."


def _accepted(standing: Standing) -> Iterator[str]:
    from compat.diff.wording import counted

    if standing.findings:
        yield (
            f"accepted: {counted(len(standing.findings), 'finding')}, a waiver each. They count once they are merged; "
            "the change that brings them is still judged without."
        )
    for what in standing.left:
        yield f"left to its next release: {what}"
    for problem in standing.problems:
        place = f"{problem.place}: " if problem.place is not None else ""
        yield f"could not be checked: {place}{problem.message}"
    if not (standing.findings or standing.left or standing.problems):
        yield "accepted: nothing; neither the check nor the gate objects to anything today."


def _indented(text: str) -> Iterator[str]:
    yield from (f"    {line}".rstrip() for line in text.rstrip("\n").split("\n"))

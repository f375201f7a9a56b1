"""`compat log`: a lineage through its history, a line a version."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from compat.cli.console import Console
from compat.cli.options import floor_option, project_options, report_options, steps_option


@click.command("log", short_help="Tell a schema's history, a line a version.")
@click.argument("lineages", nargs=-1, metavar="[LINEAGE|PATH]…")
@click.option(
    "--matrix",
    is_flag=True,
    help="Set all versions against each other: which reads the data of which; HTML always has it.",
)
@click.option("--revision", metavar="REV", help="Tell history up to this commit instead of the working tree.")
@click.option("--records/--no-records", default=True, show_default=True, help="Replay stored records for evidence.")
@click.option("--no-cache", is_flag=True, help="Judge every pair anew and keep nothing.")
@floor_option
@steps_option
@project_options
@report_options("text", "json", "markdown", "html")
def log(
    *,
    console: Console,
    lineages: tuple[str, ...],
    matrix: bool,
    revision: str | None,
    records: bool,
    no_cache: bool,
    floor: str | None,
    steps: int,
    config: Path | None,
) -> int:
    """Tell a schema's history, a line a version.

    Each version is compared with the one before, apart from its version tag: backward asks whether old data is still
    valid, forward whether readers of the old version accept new data. NEEDS is the bump that the change asks of the
    version number. Where old data may fail, the records stored under the version before say how many do. Versions
    that are no schema are named and passed over.

    Verdicts are kept between runs in COMPAT_CACHE_DIR, else $XDG_CACHE_HOME/compat, else ~/.cache/compat.
    """
    from compat import __version__
    from compat.assess import Problem
    from compat.cache import Cache, cache_folder
    from compat.cli.chosen import chosen
    from compat.errors import ExitCode
    from compat.project import Project
    from compat.project.logged import with_evidence
    from compat.project.remembered import Judge
    from compat.project.walking import timelines
    from compat.report.log import render

    folder = None if no_cache else cache_folder(os.environ)
    cache = None if folder is None else Cache(folder)
    with Project.open(Path.cwd(), config_path=config) as project, _progress(console) as tick:
        if revision is None and project.repository is not None and project.repository.bare:
            revision = "HEAD"
        if cache is not None:
            project.remember(cache)
        judge = Judge(
            cache,
            formats="assertion" if project.config.formats == "assertion" else "annotation",
            dialects=dict(project.config.dialects),
            steps=steps,
            tick=tick,
        )
        try:
            asked = chosen(project, lineages, revision)
            told = list(
                timelines(
                    project, asked, judge, revision=revision, matrix=matrix or console.format == "html", floor=floor
                )
            )
        except KeyboardInterrupt:
            if judge.done and cache is not None:
                pairs = "1 pair is" if judge.done == 1 else f"{judge.done:,} pairs are"
                console.note(f"{pairs} kept, the next run goes on from there.")
            raise
        found = [one for one in told if not isinstance(one, Problem)]
        if records:
            found = [with_evidence(project, one, revision) for one in found]
    problems = [one for one in told if isinstance(one, Problem)]
    console.detail(f"{judge.asked} pairs judged, {judge.found} of them in the cache.")
    code = ExitCode.UNCHECKED if problems else ExitCode.OK
    console.report(
        render(
            found,
            problems,
            console.format,
            exit_code=code,
            version=__version__,
            color=console.color,
            verbose=console.verbose > 0,
            width=console.width,
        )
    )
    return code


@contextmanager
def _progress(console: Console) -> Iterator[Callable[[int], None]]:
    """Count pairs on standard error while they are worked out, where a terminal listens."""
    if console.quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    try:
        yield lambda count: click.echo(f"\r{count:,} pairs judged", nl=False, err=True)
    finally:
        click.echo("\r\x1b[K", nl=False, err=True)

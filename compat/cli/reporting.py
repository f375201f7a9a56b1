"""From a report to its text and its exit code, the same for every command that judges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from compat.assess.model import Finding, Report
from compat.cli.console import Console
from compat.cli.options import FailOn
from compat.errors import ExitCode
from compat.relation import Status


def exit_code(report: Report, fail_on: FailOn) -> ExitCode:
    """Give the exit code a report deserves; what could not be checked wins over findings."""
    if report.problems:
        return ExitCode.UNCHECKED
    failing = any(finding.counts and _fails(finding, fail_on) for finding in report.every_finding())
    return ExitCode.FINDINGS if failing else ExitCode.OK


def _fails(finding: Finding, fail_on: FailOn) -> bool:
    """Whether a finding is one to object to; `unknown` also takes what the policy lets pass unproved."""
    unproved = fail_on is FailOn.UNKNOWN and Status.UNKNOWN in (finding.backward, finding.forward)
    return unproved or fail_on.fails(finding.level)


def finish(console: Console, report: Report, fail_on: FailOn, also: Sequence[tuple[str, Path]] = ()) -> ExitCode:
    """Write the report in the format asked for, and in others to the files beside it, and give the exit code."""
    code = exit_code(report, fail_on)
    for name, path in also:
        beside = replace(console, format=name, output=path, color=False)
        beside.report(render(beside, report, code, fail_on))
    console.report(render(console, report, code, fail_on))
    return code


def render(console: Console, report: Report, code: ExitCode, fail_on: FailOn = FailOn.BREAKING) -> str:
    """Write a report in the console's format; only the renderer that is asked for is loaded."""
    match console.format:
        case "json":
            from compat.report import json

            return json.render(report, exit_code=code)
        case "markdown":
            from compat.report import markdown

            return markdown.render(report)
        case "github":
            from compat.report import github

            return github.render(report)
        case "gitlab":
            from compat.report import gitlab

            return gitlab.render(report)
        case "sarif":
            from compat import __version__
            from compat.report import sarif

            return sarif.render(report, exit_code=code, version=__version__)
        case "html":
            from compat import __version__
            from compat.report import html

            return html.render(report, version=__version__)
        case "junit":
            from compat.report import junit

            return junit.render(report, fails=lambda finding: _fails(finding, fail_on))
        case _:
            from compat.report import text

            return text.render(report, color=console.color, verbose=console.verbose > 0, width=console.width)

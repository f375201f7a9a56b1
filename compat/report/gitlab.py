"""The report as GitLab reads it for the code quality widget of a merge request."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping

from compat.assess.model import Finding, Problem, Report
from compat.jsonvalue import JSON, dumps
from compat.policy import as_path
from compat.relation import Level
from compat.report import wording
from compat.report.escape import json_text, terminal
from compat.report.ranked import ranked

_SEVERITIES = {Level.BREAKING: "critical", Level.UNKNOWN: "major", Level.RISKY: "minor", Level.SAFE: "info"}
_PROBLEM = "could-not-be-checked"


def render(report: Report) -> str:
    """Write what a reviewer should see, worst first: what could not be checked, and findings that count."""
    return json_text(dumps(document(report), indent=2)) + "\n"


def document(report: Report) -> list[JSON]:
    """Give the entries as a JSON value; no two have the same fingerprint, and one keeps its own from run to run."""
    seen: Counter[str] = Counter()
    entries: list[JSON] = []
    for entry, mark in _entries(report):
        seen[mark] += 1
        # GitLab takes two entries with one fingerprint for the same and shows one of them.
        own = mark if seen[mark] == 1 else f"{mark} {seen[mark]}"
        digest = hashlib.sha256(own.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        entries.append({**entry, "fingerprint": digest})
    return entries


def _entries(report: Report) -> Iterator[tuple[Mapping[str, JSON], str]]:
    """Yield each entry with what makes it that entry and no other."""
    for problem in report.problems:
        path = problem.place.source if problem.place is not None else ""
        yield _problem(problem, path), f"{_PROBLEM} {path} {problem.message}"
    for finding in ranked(report):
        if finding.counts:
            yield _finding(finding), f"{finding.file} {finding.fingerprint}"


def _finding(finding: Finding) -> Mapping[str, JSON]:
    path = f"{as_path(finding.instance_path)}: " if finding.instance_path else ""
    parts = [f"{path}{wording.told(finding)}"]
    if finding.doubt:
        parts.append(f"not proved: {finding.doubt}")
    if (records := wording.evidence(finding)) is not None:
        parts.append(f"{records.removesuffix('.')}.")
    if (again := wording.reproduction(finding, wording.TYPED)) is not None:
        parts.append(f"reproduce: {again}")
    place = finding.new_place
    file = finding.file or (finding.place.source if finding.place is not None else "")
    line = 1 if place is None or place.line is None else place.line
    return _entry(" ".join(parts), finding.rule, _SEVERITIES[finding.level], file, line)


def _problem(problem: Problem, path: str) -> Mapping[str, JSON]:
    text = problem.message if problem.hint is None else f"{problem.message} {problem.hint}"
    line = 1 if problem.place is None or problem.place.line is None else problem.place.line
    return _entry(text, _PROBLEM, "blocker", path, line)


def _entry(description: str, check: str, severity: str, path: str, line: int) -> Mapping[str, JSON]:
    return {
        "description": terminal(description),
        "check_name": check,
        "severity": severity,
        # An entry without a path is refused, and the whole report with it.
        "location": {"path": terminal(path) or ".", "lines": {"begin": line}},
    }

"""How the cost of writing a report grows with its findings: one finding among many over one among few.

    python tests/bench/report.py [FINDINGS]

Near 1 a format takes its findings one by one; formats with a limit fall below it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from reports import full

from compat.assess import Report
from compat.relation import Level
from compat.report import github, gitlab, html, json, junit, markdown, sarif, text

FEW = 500
FORMATS: dict[str, Callable[[Report], str]] = {
    "text": text.render,
    "json": lambda report: json.render(report, exit_code=1),
    "markdown": markdown.render,
    "github": github.render,
    "gitlab": gitlab.render,
    "sarif": lambda report: sarif.render(report, exit_code=1),
    "html": lambda report: html.render(report, version="0"),
    "junit": lambda report: junit.render(report, fails=lambda finding: finding.level is Level.BREAKING),
}


def report_of(number: int) -> Report:
    report = full()
    schema = report.schemas[0]
    levels = (Level.BREAKING, Level.RISKY, Level.SAFE)
    findings = (replace(schema.findings[0], fingerprint=f"{n:016x}", level=levels[n % 3]) for n in range(number))
    return replace(report, schemas=(replace(schema, findings=tuple(findings)),))


def seconds(render: Callable[[Report], str], report: Report) -> float:
    started = perf_counter()
    render(report)
    return perf_counter() - started


def main(many: int) -> None:
    small, large = report_of(FEW), report_of(many)
    print(f"{'format':10}  {FEW} findings   {many} findings   one of many / one of few")
    for name, render in FORMATS.items():
        few = min(seconds(render, small) for _ in range(3))
        lot = seconds(render, large)
        print(f"{name:10}  {few * 1000:8.0f} ms   {lot * 1000:9.0f} ms   {lot / many / (few / FEW):6.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)

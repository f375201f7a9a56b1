"""How long a browser takes to show an HTML report of 500 findings, and to narrow it.

    python tests/bench/html.py [FINDINGS]

Needs the extra `browser` and a chromium on the PATH. `load` is from the address to the first picture with all of it
laid out, `filter` from a key to the next picture. The design asks for less than 1 s and less than 100 ms at 500.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from browsing import browser
from reports import full

from compat.assess import Report
from compat.relation import Level
from compat.report import html

SCHEMAS, RUNS = 10, 5

LOADED = """() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now()))))"""
FILTERED = """(words) => new Promise((done) => {
  const query = document.getElementById("query"), before = performance.now();
  query.value = words;
  query.dispatchEvent(new Event("input", { bubbles: true }));
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - before)));
})"""
QUERIES = ("harness", "harness 7", "nothing is called so", "", "a", "")


def report_of(number: int) -> Report:
    """A report of real findings, spread over schemas and repeated until there are enough."""
    report = full()
    schema = report.schemas[0]
    levels = (Level.BREAKING, Level.RISKY, Level.UNKNOWN)
    kept = schema.findings
    findings = [
        replace(kept[n % len(kept)], fingerprint=f"{n:016x}", level=levels[n % 3], waiver=None, annotation=False)
        for n in range(number)
    ]
    schemas = (
        replace(schema, name=f"schemas/{n}.schema.json", lineage=f"line-{n}", findings=tuple(findings[n::SCHEMAS]))
        for n in range(SCHEMAS)
    )
    return replace(report, schemas=tuple(schemas))


def main(number: int) -> None:
    started = perf_counter()
    text = html.render(report_of(number), version="0")
    print(f"{number} findings: {len(text) / 1e6:.1f} MB, written in {(perf_counter() - started) * 1000:.0f} ms")
    with tempfile.TemporaryDirectory() as folder, browser() as chromium:
        path = Path(folder) / "report.html"
        path.write_text(text, encoding="utf-8")
        loads, filters = [], []
        for _ in range(RUNS):
            page = chromium.new_page()
            page.goto(path.as_uri())
            loads.append(page.evaluate(LOADED))
            filters += [page.evaluate(FILTERED, words) for words in QUERIES]
            page.close()
    for name, times in (("load", loads), ("filter", filters)):
        print(f"{name:6}  median {median(times):5.0f} ms   worst {max(times):5.0f} ms   of {len(times)}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)

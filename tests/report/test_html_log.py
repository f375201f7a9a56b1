"""`compat log` as HTML: a line a version with its verdicts, all versions against each other, and what was lost."""

from __future__ import annotations

from histories import history
from pages import Element, index, sound

from compat.assess import Problem
from compat.errors import Place
from compat.policy import Policy
from compat.relation import Mode
from compat.report import html_log
from compat.report.log_wording import closing, reach
from compat.timeline import Timeline


def page_of(*found: Timeline, problems: tuple[Problem, ...] = ()) -> Element:
    text = html_log.render(found, problems, version="1")
    assert text == html_log.render(found, problems, version="1")
    return sound(text)


def rows(page: Element) -> list[list[str]]:
    (table,) = page.of_class("history")
    return [[" ".join(cell.text.split()) for cell in row.all("td") + row.all("th")] for row in table.all("tr")[1:]]


def test_a_line_says_when_who_and_what_a_version_did() -> None:
    told = history("schemas/a.json")
    page = page_of(told)
    assert closing([told], []) in page.all("h1")[0].text
    lines = rows(page)
    assert len(lines) == 6
    number, made, needs, backward, forward, what, version = lines[1]
    assert (number, version, needs) == ("2", "1.2.0", "major")
    assert made == "2026-01-02 2222222 schemas/a.json"
    assert (backward, forward) == ("backward: breaks", "forward: ok")
    assert "moved from schemas/a.json" in what
    assert "3 of 9 stored records fail, first at schemas/a.json" in what
    assert "old: accepts, new: rejects" in what
    assert lines[3][2:5] == ["at least 1.5.0", "backward: breaks*", "forward: breaks"]
    assert "passed over" in lines[2][5]
    assert "forward is not proved: schemas/a.json" in lines[4][5]


def test_a_step_is_as_bad_as_the_policy_makes_it() -> None:
    def kinds(mode: Mode) -> list[str]:
        return [item["kind"] for item in index(page_of(history("a", policy=Policy(mode))))]

    assert kinds(Mode.BACKWARD) == ["first", "breaking", "passed", "risky", "risky", "safe"]
    assert kinds(Mode.FORWARD) == ["first", "risky", "passed", "breaking", "unknown", "safe"]
    assert kinds(Mode.NONE) == ["first", "risky", "passed", "risky", "risky", "safe"]


def test_every_version_stands_against_every_other() -> None:
    told = history("a")
    assert told.matrix is not None
    page = page_of(told)
    (table,) = page.of_class("matrix")
    cells = [[cell.of_class("unseen")[0].text for cell in row.all("td")] for row in table.all("tr")[1:]]
    assert len(cells) == len(cells[0]) == 5
    assert cells[0][0] == "#1 reads its own data"
    assert cells[0][1] == "#2 does not read all data of #1"
    assert cells[1][2] == "#4 reads all, apart from data with properties that were never declared, of #2"
    assert cells[1][4] == "#6 is not proved to read the data of #2"
    assert reach(told, told.matrix) in page.text
    (losses,) = page.of_class("losses")
    assert "data of #1" in losses.text


def test_the_filter_knows_every_version_by_its_words() -> None:
    found = index(page_of(history("alpha"), history("beta")))
    assert [item["group"] for item in found] == ["alpha"] * 6 + ["beta"] * 6
    assert len({item["id"] for item in found}) == 12
    for word in ("1.2.0", "2026-01-02", "2222222", "enum-value-removed", "alpha"):
        assert word in found[1]["text"]


def test_without_a_matrix_or_a_lineage_the_rest_is_told() -> None:
    assert not page_of(history("a", matrix=False)).of_class("matrix")
    page = page_of(problems=(Problem("no such revision", Place("main"), "Look at git log."),))
    assert not page.all("form")
    (problems,) = page.of_class("problems")
    assert "no such revision" in problems.text
    assert "Look at git log." in problems.text

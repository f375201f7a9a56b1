"""The HTML report: it stands alone, says what the other formats say, and leads everybody to each finding."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest
from conftest import PROJECT_ROOT
from hypothesis import given
from hypothesis import strategies as st
from pages import Element, index, read, sound
from reports import REPORTS, full

from compat.assess import Report
from compat.report import html, wording
from compat.report.html_page import embedded


def page_of(report: Report) -> Element:
    return sound(html.render(report, version="1.2.3"))


def test_every_report_stands_alone_and_leads_through(named_report: tuple[str, Report]) -> None:
    _, report = named_report
    page = page_of(report)
    (headline,) = page.all("h1")
    assert wording.conclusion(report) in headline.text
    assert len(index(page)) == len(page.all("article")) == len(list(report.every_finding()))
    assert [each.text for each in page.all("title")] == [f"compat {report.command}: {report.conclusion}"]


def test_the_same_report_gives_the_same_bytes_and_no_clock(full_report: Report) -> None:
    text = html.render(full_report, version="1")
    assert text == html.render(replace(full_report, elapsed=99.0), version="1")
    program = "import reports; from compat.report import html; print(html.render(reports.full(), version='1'), end='')"
    for seed in ("1", "2"):
        environment = os.environ | {
            "PYTHONHASHSEED": seed,
            "PYTHONPATH": f"{PROJECT_ROOT / 'tests'}{os.pathsep}{PROJECT_ROOT}",
            "PYTHONUTF8": "1",
        }
        again = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=True)
        assert again.stdout.decode() == text


def test_a_finding_says_all_that_is_known_about_it(full_report: Report) -> None:
    page = page_of(full_report)
    finding = full_report.schemas[0].findings[0]
    (card,) = page.all("article", id=f"finding-{finding.fingerprint}")
    again = wording.reproduction(finding)
    assert again is not None
    for said in (
        "enum-value-removed",
        "actor.kind",
        '"harness" is no longer accepted.',
        "12 of 4,310",
        "old: accepts, new: rejects",
        again,
    ):
        assert said in card.text
    assert finding.remedy is not None
    assert finding.remedy in card.text
    (meter,) = card.all("meter")
    assert (meter.attributes["value"], meter.attributes["max"]) == ("12", "4310")
    assert "open" in card.all("details")[0].attributes
    assert [each.text.strip() for each in card.of_class("badge")] == ["breaking"]


def test_both_versions_stand_side_by_side(full_report: Report) -> None:
    (old, new) = page_of(full_report).all("article")[0].all("figure")
    assert "main:schemas/task/task.schema.json" in old.text
    (gone,) = old.all("del")
    assert (gone.text.strip(), gone.attributes["data-n"]) == ('"harness",', "18")
    assert [each.text for each in old.all("mark")] == ['"harness"']
    assert not new.all("ins")
    numbers = [each.attributes.get("data-n") for each in new.of_class("l")]
    assert numbers == ["16", "17", None, "18", "19"]


def test_what_is_harmless_or_accepted_is_folded_and_told_apart(full_report: Report) -> None:
    page = page_of(full_report)
    kinds = {item["id"]: item["kind"] for item in index(page)}
    assert set(kinds.values()) == {"breaking", "risky", "waived", "annotation"}
    for card in page.all("article"):
        kind = kinds[card.attributes["id"]]
        assert kind in card.attributes["class"].split()
        assert ("open" in card.all("details")[0].attributes) == (kind in ("breaking", "risky"))
    (waived,) = page.of_class("waived")[1:2]
    assert "waived" in waived.text


def test_the_chips_count_what_there_is(full_report: Report) -> None:
    page = page_of(full_report)
    told = {each.attributes["data-kind"]: int(each.text.split()[0]) for each in page.of_class("chip")}
    kinds = [item["kind"] for item in index(page)]
    assert told == {kind: kinds.count(kind) for kind in kinds}


def test_the_filter_finds_by_what_a_card_says(full_report: Report) -> None:
    found = {item["id"]: item for item in index(page_of(full_report))}
    for finding in full_report.schemas[0].findings:
        item = found[f"finding-{finding.fingerprint}"]
        assert item["tags"] == [finding.rule]
        assert item["group"] == "task"
        for word in (finding.rule, finding.message, finding.fingerprint, finding.file):
            assert word in item["text"]


def test_a_finding_that_stands_twice_has_two_places(full_report: Report) -> None:
    schema = full_report.schemas[0]
    twice = replace(full_report, schemas=(schema, replace(schema, name="other")))
    names = [item["id"] for item in index(page_of(twice))]
    assert f"finding-{schema.findings[0].fingerprint}" in names
    assert f"finding-{schema.findings[0].fingerprint}-2" in names


def test_without_findings_there_is_nothing_to_filter() -> None:
    page = page_of(REPORTS["nothing"]())
    assert not page.all("form")
    assert index(page) == []
    assert "Nothing was compared" in page.all("h1")[0].text


def test_nothing_compared_does_not_look_like_a_success() -> None:
    tones = {
        name: read(html.render(REPORTS[name](), version="1")).all("h1")[0].of_class("badge")[0] for name in REPORTS
    }
    assert "safe" not in tones["nothing"].attributes["class"].split()
    assert "safe" in tones["no-effect"].attributes["class"].split()
    assert "error" in tones["cannot"].attributes["class"].split()


def test_unknown_says_why() -> None:
    report = full()
    schema = report.schemas[0]
    doubtful = replace(schema.findings[0], level=html.Level.UNKNOWN, doubt="the pattern is too large", witnesses=())
    page = page_of(replace(report, schemas=(replace(schema, findings=(doubtful,)),)))
    (card,) = page.all("article")
    assert "not proved: the pattern is too large" in card.text
    assert index(page)[0]["kind"] == "unknown"


@given(
    st.recursive(
        st.text() | st.sampled_from(["</script>", "<!--", "\u2028", "]]>", "&lt;"]),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_embedded_data_end_no_script_and_mean_the_same(value: object) -> None:
    text = embedded(value)
    assert not set(text) & set("<>&\u2028\u2029\n")
    assert str(text).isascii()
    assert json.loads(text) == value


@pytest.mark.parametrize("words", ["<b>bold</b>", "&amp;", "\x1b[2J"])
def test_what_people_write_is_shown_as_they_wrote_it(words: str, full_report: Report) -> None:
    page = page_of(replace(full_report, notes=(words,)))
    notes = [each.text for each in page.of_class("note")]
    assert words.replace("\x1b", "\\x1b") in notes

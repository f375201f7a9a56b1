"""Whatever a schema, a record or a file name says: in no format does it steer a terminal, a build server or a reader.

A report with hostile text in every place that an author controls is set beside the same report with a plain word there:
what a format is made of (lines that are commands, elements, markup, keys) has to be the same.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any
from xml.etree import ElementTree

import pages
import pytest
from histories import history
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from compat.assess import Affected, Finding, Names, Outcome, Problem, Report, SchemaReport, Witness
from compat.assess.places import excerpt
from compat.assess.verify import Answer, Fault, Verification
from compat.diff.change import Change, Side
from compat.errors import Place
from compat.policy import Waiver
from compat.relation import Direction, Effect, Level, Status
from compat.replay.summary import Evidence
from compat.report import github, gitlab, html, html_log, junit, markdown, sarif, text, verify, wording
from compat.report import json as as_json
from compat.report.escape import json_text, shell, terminal

# What somebody would try, and then anything.
PIECES = [
    "\x1b[2J",
    "\x1b]0;owned\x07",
    "\x9b31m",
    "\r",
    "\n",
    "\n::error::forged\n",
    "::stop-commands::x",
    "##[error]forged",
    "##vso[task.setvariable]x",
    "%0A::warning::x",
    "\u202e",
    "\u2066",
    "\u200b",
    "\u2028",
    "\ud800",
    "\udcff",
    "\ufffe",
    "\x00",
    "\x7f",
    "</failure><testcase/>",
    "]]>",
    "&#27;",
    "<!--",
    "<img src=x onerror=alert(1)>",
    "</details>",
    "<script>",
    "[a](javascript:alert(1))",
    "![a](//evil.example/x.png)",
    "**",
    "`",
    "```",
    "|",
    "\\",
    "# ",
    "- ",
    "> ",
    "--- ",
    "=== ",
    "1. ",
    "+ ",
    "    ",
    "@everyone",
    "https://evil.example",
    "{0}",
    "{",
    '"',
    "'",
    "$(touch owned)",
    "`touch owned`",
    "; rm x",
    "-n",
    "~",
    "*",
    ",line=1",
    ":",
    "é漢字",
]
hostile = (
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=4)), min_size=1, max_size=6).map("".join).filter(bool)
)

UNSAFE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
COMMAND = re.compile(r"^\s*::|##\w*\[", re.MULTILINE)
LEVELS = {Level.BREAKING: Status.BREAKING, Level.UNKNOWN: Status.UNKNOWN, Level.RISKY: Status.BREAKING}


def report_of(word: str) -> Report:
    """A report that says `word` wherever an author can make it say something."""
    path = "/" + word.replace("~", "~0").replace("/", "~1")
    marked = excerpt(f'  "{word}": {word}'.replace("\n", " "), 2)
    lines = ("x", word, marked.text, word)
    place = Place(word, path, 3, 2, replace(marked, lines=lines))
    change = Change(word, word, Side(word, path, word), Side(word, path, {word: word}), path, word, Effect.NARROWS)
    waiver = Waiver(word, owner=word, expires=date(2027, 3, 1))

    def finding(level: Level, **more: Any) -> Finding:
        return Finding(
            rule="enum-value-removed",
            level=level,
            lineage=word,
            fingerprint="0123456789abcdef",
            message=f'"{word}" is no longer accepted: {word}',
            file=word,
            instance_path=path,
            old_place=place,
            new_place=place,
            backward=LEVELS.get(level, Status.COMPATIBLE),
            effect=Effect.NARROWS,
            change=change,
            witnesses=(Witness({word: [word]}, Direction.BACKWARD, path, word),),
            evidence=Evidence(9, 3, word),
            remedy=word,
            hint=word,
            doubt=word,
            affects=(Affected(word, word, path, level),),
            against=(word, word),
            names=Names(word, f"main:{word}", ("--path", word)),
            **more,
        )

    schema = SchemaReport(
        word,
        Outcome.COMPARED,
        word,
        old_name=f"{word}.old",
        findings=(*(finding(level) for level in Level), finding(Level.BREAKING, waiver=waiver)),
        backward=Status.BREAKING,
        forward=Status.COMPATIBLE,
        marker=word,
        against=(word, word),
        through=(word,),
        notes=(word,),
    )
    others = tuple(SchemaReport(word, outcome, word, notes=(word,)) for outcome in Outcome)
    problems = (Problem(word, place, word), Problem(word))
    return Report("check", word, word, (schema, *others), (finding(Level.RISKY),), problems, notes=(word,))


def harmless(written: str, *, keep: str = "\n") -> None:
    assert not [char for char in written if unicodedata.category(char) in UNSAFE and char not in keep]
    written.encode("utf-8")


def fails(finding: Finding) -> bool:
    return finding.level is Level.BREAKING


FORMATS: dict[str, Callable[[Report], str]] = {
    "text": text.render,
    "verbose": lambda report: text.render(report, verbose=True),
    "narrow": lambda report: text.render(report, width=40),
    "json": lambda report: as_json.render(report, exit_code=1),
    "markdown": markdown.render,
    "github": github.render,
    "gitlab": gitlab.render,
    "sarif": lambda report: sarif.render(report, exit_code=1),
    "junit": lambda report: junit.render(report, fails=fails),
    "html": lambda report: html.render(report, version="1"),
}


@pytest.mark.parametrize("name", FORMATS)
@given(word=hostile)
@settings(max_examples=60, deadline=None)
def test_nothing_invisible_and_no_control_character_gets_through(name: str, word: str) -> None:
    harmless(FORMATS[name](report_of(word)))


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "github"])
@given(word=hostile)
@settings(max_examples=40, deadline=None)
def test_no_line_is_a_command_of_a_build_server(name: str, word: str) -> None:
    assert COMMAND.search(FORMATS[name](report_of(word))) is None


@given(word=hostile)
@settings(max_examples=60, deadline=None)
def test_a_text_has_as_many_lines_whatever_is_said(word: str) -> None:
    plain = text.render(report_of("x")).count("\n")
    assert abs(text.render(report_of(word)).count("\n") - plain) <= 2 * _wrapped(word)


def _wrapped(word: str) -> int:
    """A long name pushes the middle of a heading to its own line; an excerpt that says nothing loses one."""
    return len(report_of(word).schemas) + len(report_of(word).schemas[0].findings)


@given(word=hostile)
@settings(max_examples=60, deadline=None)
def test_only_our_own_annotations_are_commands(word: str) -> None:
    def shape(report: Report) -> list[tuple[str, list[str]]]:
        commands = [line for line in github.render(report).splitlines() if line.lstrip().startswith("::")]
        assert not [line for line in github.render(report).split("\n") if "##[" in line and not line.startswith("::")]
        return [(line.split("::")[1].split(" ")[0], _keys(line)) for line in commands]

    assert shape(report_of(word)) == shape(report_of("x"))


def _keys(command: str) -> list[str]:
    properties = command.removeprefix("::").partition("::")[0].partition(" ")[2]
    return [pair.partition("=")[0] for pair in properties.split(",") if pair]


@given(word=hostile)
@settings(max_examples=60, deadline=None)
def test_markdown_keeps_its_structure(word: str) -> None:
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    written = markdown.render(report_of(word))
    tags = Counter(re.findall(r"<[a-z/!][^>]*>", parser.render(written)))
    expected = Counter(re.findall(r"<[a-z/!][^>]*>", parser.render(markdown.render(report_of("x")))))
    inline = {"<code>", "</code>"}  # a value in a sentence that is cut short is no code
    assert {tag for tag in tags if tag not in inline} == {tag for tag in expected if tag not in inline}
    blocks = ("<h", "<li", "<table", "<tr", "<td", "<details", "<ul", "<pre", "<blockquote")
    assert {t: n for t, n in tags.items() if t.startswith(blocks)} == {
        t: n for t, n in expected.items() if t.startswith(blocks)
    }


@given(word=hostile)
@settings(max_examples=60, deadline=None)
def test_xml_keeps_its_structure(word: str) -> None:
    def shape(report: Report) -> list[tuple[str, list[str]]]:
        root = ElementTree.fromstring(junit.render(report, fails=fails))
        return [(element.tag, sorted(element.attrib)) for element in root.iter()]

    assert shape(report_of(word)) == shape(report_of("x"))


@given(word=hostile)
@settings(max_examples=60, deadline=None)
def test_html_keeps_its_structure(word: str) -> None:
    # How many pieces a line is told apart in is up to the line.
    pieces = frozenset({"b", "i", "u", "mark"})
    page = pages.sound(html.render(report_of(word), version="1"))
    assert pages.shape(page, without=pieces) == pages.shape(EXPECTED_PAGE, without=pieces)
    assert [sorted(item) for item in pages.index(page)] == [sorted(item) for item in pages.index(EXPECTED_PAGE)]
    for each in page.walk():
        if each.tag in pieces and each.tag != "b":
            assert not each.attributes


@given(word=hostile)
@settings(max_examples=40, deadline=None)
def test_html_of_a_history_keeps_its_structure(word: str) -> None:
    pieces = frozenset({"b", "i", "u"})
    written = html_log.render([history(word)], [Problem(word, Place(word), word)], version="1")
    harmless(written)
    assert COMMAND.search(written) is None
    assert pages.shape(pages.sound(written), without=pieces) == pages.shape(EXPECTED_HISTORY, without=pieces)


EXPECTED_HISTORY = pages.sound(html_log.render([history("x")], [Problem("x", Place("x"), "x")], version="1"))
EXPECTED_PAGE = pages.sound(html.render(report_of("x"), version="1"))


@pytest.mark.parametrize("name", ["json", "gitlab", "sarif"])
@given(word=hostile)
@settings(max_examples=60, deadline=None)
def test_json_keeps_its_structure(name: str, word: str) -> None:
    def keys(value: object) -> object:
        if isinstance(value, dict):
            return {key: keys(item) for key, item in value.items() if key not in {"value", "witnesses"}}
        return [keys(item) for item in value] if isinstance(value, list) else type(value)

    assert keys(json.loads(FORMATS[name](report_of(word)))) == keys(json.loads(FORMATS[name](report_of("x"))))


@given(word=hostile)
@settings(max_examples=60, deadline=None)
def test_what_is_escaped_in_json_means_the_same(word: str) -> None:
    word = word.encode("utf-16", "surrogatepass").decode(
        "utf-16", "replace"
    )  # JSON cannot tell two halves from a whole
    written = json.dumps({word: word}, ensure_ascii=False)
    harmless(json_text(written))
    assert json.loads(json_text(written)) == {word: word}
    report = report_of(word)
    assert json.loads(as_json.render(report, exit_code=1))["notes"] == [word]


@given(word=hostile)
@settings(max_examples=60, deadline=None)
def test_what_is_verified_steers_nothing(word: str) -> None:
    place = Place(word, word, 1, 1, excerpt(word.replace("\n", " ") or " ", 0))
    answer = Answer(False, None, word, (Fault(f"/{word}", word, place),), True)
    found = Verification({word: word}, answer, replace(answer, valid=True), word)
    harmless(verify.text(found, word, word))
    assert COMMAND.search(verify.text(found, word, word)) is None
    harmless(verify.render(found, word, word, exit_code=1))
    assert json.loads(verify.render(found, word, word, exit_code=1))["witness"] == {word: word}


# The line that meets a finding again


@given(word=hostile.filter(lambda word: "\x00" not in word))
@settings(max_examples=80, deadline=None)
def test_the_line_to_reproduce_says_what_was_meant_and_runs_nothing(word: str) -> None:
    finding = report_of(word).schemas[0].findings[0]
    line = wording.reproduction(finding)
    assert line is not None
    harmless(line, keep="")
    assert terminal(line) == line, "what is shown can be copied"
    if "$'" in line:
        return  # written as bash reads it; the next test asks bash
    words = shlex.split(line)
    assert words[:2] == ["compat", "verify"]
    assert json.loads(words[-3]) == {word: [word]}
    assert words[-2:] == [word, f"main:{word}"]


WORDS = [
    "a b",
    "##[error]x",
    "::x",
    "it's",
    "$(touch owned)",
    "\x1b[2J",
    "\u202ename",
    "tab\there",
    "odd\udcff",
    "half\ud800",
    "é",
    "'\n'",
]


@pytest.mark.parametrize("word", WORDS)
def test_a_shell_reads_the_words_that_were_meant(word: str) -> None:
    line = shell("printf", "%s", word)
    harmless(line, keep="")
    try:
        said = subprocess.run(["bash", "-c", line], capture_output=True, check=True).stdout
    except FileNotFoundError:
        pytest.skip("no bash here")
    expected = word.encode("utf-8", "surrogatepass" if "\ud800" in word else "surrogateescape")
    assert said == expected


def test_a_long_witness_gives_way_to_the_comparison() -> None:
    finding = report_of("x").schemas[0].findings[0]
    long = replace(finding, witnesses=(Witness("y" * 2_000, Direction.BACKWARD),))
    assert wording.reproduction(long) == "compat diff --path x x main:x"
    unproved = replace(finding, witnesses=())
    assert wording.reproduction(unproved) == "compat diff --path x x main:x"
    assert wording.reproduction(replace(finding, names=None)) is None


def test_a_witness_against_forward_is_put_the_other_way_round() -> None:
    finding = replace(report_of("x").schemas[0].findings[0], witnesses=(Witness(-5, Direction.FORWARD),))
    assert wording.reproduction(finding) == "compat verify --path x -- -5 main:x x"

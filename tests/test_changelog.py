"""The changelog says what matters to consumers, and keeps what people wrote, however often it is made."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compat.assess import Finding
from compat.changelog import PREAMBLE, Chapter, chapter_text, code, escaped, render, sentence
from compat.diff.change import Change, Side
from compat.errors import OutputError
from compat.lineage import Marker
from compat.relation import Effect, Level, Status
from compat.replay.summary import Evidence


def finding(rule: str, message: str, **more: object) -> Finding:
    defaults: dict[str, object] = {"level": Level.SAFE, "instance_path": "/actor/kind"}
    return Finding(rule=rule, lineage="task", fingerprint=rule, message=message, **(defaults | more))  # type: ignore[arg-type]


REMOVED = finding(
    "enum-value-removed",
    '"harness" is no longer accepted.',
    level=Level.BREAKING,
    backward=Status.BREAKING,
    expected=Effect.NARROWS,
    effect=Effect.NARROWS,
    evidence=Evidence(4310, 12, "r:1"),
)
ADDED = finding(
    "enum-value-added",
    '"integration" is newly accepted.',
    level=Level.RISKY,
    forward=Status.BREAKING,
    expected=Effect.WIDENS,
    effect=Effect.WIDENS,
)
WORDS = finding("description-changed", "description changed.", annotation=True)
REWRITTEN = finding("ref-extracted", "stands at #/$defs/x now.", instance_path="/ts")
LAST = Chapter("task", "1.0", date(2026, 4, 7), "aaa", first=True)
NEXT = Chapter("task", "2.0", date(2026, 9, 7), "bbb", (REMOVED, ADDED, WORDS, REWRITTEN))
OPEN = Chapter("task", None, findings=(ADDED,))


def sections(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    name = ""
    for line in text.splitlines():
        if line.startswith("### "):
            name = line[4:]
        elif line.startswith("- "):
            found.setdefault(name, []).append(line[2:])
    return found


def test_a_version_is_told_in_sections_for_writers_and_readers() -> None:
    text = chapter_text(NEXT, several=False)
    assert text.startswith("## [2.0] - 2026-09-07\n")
    assert "no order is safe" in text
    assert sections(text) == {
        "Added": ['`actor.kind`: `"integration"` is newly accepted. _Readers:_ be ready for it before it is written.'],
        "Changed": [
            "Described anew, without effect on data: `actor.kind`.",
            "Written in another way in 1 place, without effect on data.",
        ],
        "Removed": [
            (
                '**Breaking:** `actor.kind`: `"harness"` is no longer accepted. _Writers:_ stop sending it. '
                "12 of 4,310 stored records would be refused."
            )
        ],
    }


def test_breaking_entries_come_first() -> None:
    early = replace(ADDED, rule="maximum-raised", instance_path="/a")
    late = replace(REMOVED, rule="maximum-lowered", instance_path="/z")
    found = sections(chapter_text(replace(NEXT, findings=(early, late)), several=False))["Changed"]
    assert [entry.startswith("**Breaking:**") for entry in found] == [True, False]


def test_a_first_version_says_so() -> None:
    assert sections(chapter_text(LAST, several=False)) == {"Added": ["First version."]}


@pytest.mark.parametrize(
    ("findings", "order"),
    [
        ((WORDS,), "in any order"),
        ((ADDED,), "readers first"),
        ((REMOVED,), "writers first"),
        ((REMOVED, ADDED), "no order is safe"),
        ((replace(REMOVED, undeclared=True), ADDED), "readers first"),
        ((replace(WORDS, annotation=False, backward=Status.UNKNOWN),), "not everything could be proved"),
    ],
)
def test_the_order_of_roll_out_follows_the_verdicts(findings: tuple[Finding, ...], order: str) -> None:
    assert order in chapter_text(replace(NEXT, findings=findings), several=False)


def test_a_deprecation_has_its_section_and_its_end_has_not() -> None:
    def deprecated(value: bool) -> Finding:
        sides = Side("old", "/x/deprecated", not value), Side("new", "/x/deprecated", value)
        change = Change("deprecated-changed", "deprecated", *sides, "/x", "deprecated changed.", Effect.NONE)
        return finding("deprecated-changed", "deprecated: true.", annotation=True, change=change)

    assert "Deprecated" in sections(chapter_text(replace(NEXT, findings=(deprecated(True),)), several=False))
    assert "Deprecated" not in sections(chapter_text(replace(NEXT, findings=(deprecated(False),)), several=False))


def test_what_could_not_be_proved_is_not_told_as_safe() -> None:
    doubtful = finding("pattern-changed", "the pattern changed.", backward=Status.UNKNOWN, level=Level.UNKNOWN)
    (entry,) = sections(chapter_text(replace(NEXT, findings=(doubtful,)), several=False))["Changed"]
    assert entry.startswith("**Breaking:**")
    assert "could not be proved" in entry


def test_a_change_that_the_proof_did_not_blame_is_told_where_its_direction_breaks() -> None:
    unblamed = replace(REMOVED, rule="maximum-lowered", backward=Status.COMPATIBLE, level=Level.SAFE)
    told = sections(chapter_text(replace(NEXT, findings=(REMOVED, unblamed)), several=False))
    assert any("is no longer accepted" in entry for entry in told["Changed"])
    alone = sections(chapter_text(replace(NEXT, findings=(unblamed,)), several=False))
    assert alone == {"Changed": ["Written in another way in 1 place, without effect on data."]}


def test_the_version_tag_is_told() -> None:
    marker = Marker("/schema", "row/1", "row/2", ("/a",), ("/a",))
    text = chapter_text(replace(NEXT, marker=marker), several=False)
    assert 'The version tag `schema` goes from `"row/1"` to `"row/2"`' in text
    assert "version tag" not in chapter_text(NEXT, several=False)


# -- the file -------------------------------------------------------------------------------------------------------


def headings(text: str) -> list[str]:
    return re.findall(r"^## (.*)$", text, re.MULTILINE)


def test_newest_first_and_unreleased_before_all() -> None:
    other = Chapter("row", "3", date(2026, 6, 1), "ccc", first=True)
    text = render([LAST, NEXT, OPEN, other])
    assert text.startswith(PREAMBLE)
    assert headings(text) == [
        "task [Unreleased]",
        "task [2.0] - 2026-09-07",
        "row [3] - 2026-06-01",
        "task [1.0] - 2026-04-07",
    ]
    assert headings(render([LAST, NEXT])) == ["[2.0] - 2026-09-07", "[1.0] - 2026-04-07"]


def test_revisions_of_one_number_are_told_apart() -> None:
    again = Chapter("task", "1", date(2026, 5, 1), "bbb", (ADDED,), revision=2)
    text = render([Chapter("task", "1", date(2026, 4, 7), "aaa", first=True), again])
    assert headings(text) == ["[1] - 2026-05-01 (revision 2)", "[1] - 2026-04-07"]
    assert render([LAST, LAST]).count("First version.") == 1


def test_writing_again_changes_nothing_and_keeps_what_people_wrote() -> None:
    first = render([LAST, NEXT])
    assert render([LAST, NEXT], first) == first
    written = first.replace(
        "\n<!-- compat: begin task 1.0", "\nWe are sorry about *harness*.\n\n<!-- compat: begin task 1.0"
    )
    written = written.replace("# Changelog", "# Our changes")
    assert written != first
    assert render([LAST, NEXT], written) == written


def test_generated_parts_are_made_anew() -> None:
    stale = render([LAST, NEXT]).replace("no longer accepted", "quite all right")
    assert render([LAST, NEXT], stale) == render([LAST, NEXT])


def test_a_release_takes_over_what_was_written_under_unreleased() -> None:
    waiting = render([LAST, OPEN]).replace(
        "<!-- compat: end -->\n\n<!-- compat: begin task 1.0",
        "<!-- compat: end -->\n\nMind the gap.\n\n<!-- compat: begin task 1.0",
    )
    assert "Mind the gap." in waiting
    released = render([LAST, NEXT], waiting)
    assert headings(released) == ["[2.0] - 2026-09-07", "[1.0] - 2026-04-07"]
    assert released.index("[2.0]") < released.index("Mind the gap.") < released.index("[1.0]")
    both = render([LAST, NEXT, OPEN], waiting)
    assert headings(both) == ["[Unreleased]", "[2.0] - 2026-09-07", "[1.0] - 2026-04-07"]
    assert both.index("[2.0]") < both.index("Mind the gap.")
    assert render([LAST, NEXT, OPEN], both) == both


def test_a_new_unreleased_part_goes_on_top() -> None:
    assert headings(render([LAST, NEXT, OPEN], render([LAST, NEXT])))[0] == "[Unreleased]"


def test_a_forgotten_release_finds_its_place() -> None:
    middle = Chapter("task", "1.5", date(2026, 6, 1), "ddd", (ADDED,))
    text = render([LAST, middle, NEXT], render([LAST, NEXT]))
    assert headings(text) == ["[2.0] - 2026-09-07", "[1.5] - 2026-06-01", "[1.0] - 2026-04-07"]


def test_a_file_that_people_began_gets_its_parts_under_the_introduction() -> None:
    text = render([LAST], "# History\n\nHello.\n\n## 0.9\n\nBy hand.\n")
    assert headings(text) == ["[1.0] - 2026-04-07", "0.9"]
    assert text.startswith("# History\n\nHello.\n\n")
    assert render([LAST], text) == text


def test_what_was_told_of_a_release_stays_when_nothing_makes_it_any_more() -> None:
    other = Chapter("row", "3", date(2026, 6, 1), "ccc", first=True)
    waiting = Chapter("row", None, findings=(ADDED,))
    both = render([LAST, NEXT, other, waiting])
    assert headings(render([LAST, NEXT], both)) == [
        "row [Unreleased]",
        "[2.0] - 2026-09-07",
        "row [3] - 2026-06-01",
        "[1.0] - 2026-04-07",
    ]
    assert headings(render([LAST, NEXT, other], both))[0] == "task [2.0] - 2026-09-07"


def test_a_part_without_an_end_is_refused() -> None:
    with pytest.raises(OutputError, match="never ends") as caught:
        render([LAST], "# C\n\n<!-- compat: begin task 1.0 aaa -->\n## [1.0]\n")
    assert caught.value.place is not None
    assert caught.value.place.line == 3


CHAPTERS = st.lists(
    st.builds(
        Chapter,
        st.sampled_from(["task", "row", "a/b -- c"]),
        st.sampled_from(["1.0", "2.0", "-->", None]),
        st.dates(date(2026, 1, 1), date(2026, 12, 31)),
        st.sampled_from(["aaa", "bbb"]),
        st.sampled_from([(), (ADDED,), (REMOVED, WORDS)]),
    ),
    max_size=6,
)


@given(CHAPTERS, CHAPTERS, st.sampled_from(["", "# Mine\n", "# Mine\n\n## old\n\nText.\n"]))
def test_rendering_is_idempotent_whatever_was_there(before: list[Chapter], after: list[Chapter], text: str) -> None:
    first = render(before, text)
    second = render(after, first)
    assert render(after, second) == second
    for line in text.splitlines():
        assert line in second
    made = {chapter.key for chapter in after}
    lost = {
        chapter.key for chapter in before if chapter.label is None and chapter.lineage in {c.lineage for c in after}
    }
    kept = {chapter.key for chapter in before} - lost | made
    assert set(re.findall(r"^<!-- compat: begin (.*) -->$", second, re.MULTILINE)) == kept


# -- text from schemas ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["<script>", "[x](javascript:y)", "**bold**", "a\n## b", "<!-- compat: end -->", "`tick`", "\x1b[31m", "\u202e"],
)
def test_text_from_a_schema_is_only_text(text: str) -> None:
    nasty = finding("enum-value-added", f"{text} is accepted.", instance_path=f"/{text}", forward=Status.BREAKING)
    chapters = [Chapter("task", text or None, date(2026, 1, 1), "x", (nasty,))]
    made = render(chapters)
    body = made.removeprefix(PREAMBLE)
    assert render(chapters, made) == made
    assert not re.search(r"(?<!\\)<(?!!-- compat: (begin|end))", re.sub(r"(`+).*?\1", "", body))
    assert headings(body) == [f"[{escaped(text)}] - 2026-01-01"]
    assert body.isprintable() or set(body) - set("\n") == {char for char in body if char.isprintable()}


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a", "`a`"), ("a`b", "``a`b``"), ("`a", "`` `a ``"), ("a``b", "```a``b```"), ("", "``")],
)
def test_code_spans_hold_any_ticks(text: str, shown: str) -> None:
    assert code(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('"a_b" is gone.', '`"a_b"` is gone.'),
        ('from "^a\\"b…: fewer', 'from `"^a\\"b…`: fewer'),
        ("a_b is gone.", "a\\_b is gone."),
        ('one " quote', 'one " quote'),
    ],
)
def test_quoted_values_are_code(text: str, shown: str) -> None:
    assert sentence(text) == shown

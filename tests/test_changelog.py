"""The changelog says what matters to consumers, and keeps what people wrote, however often it is made."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compat.assess import Finding
from compat.changelog import PREAMBLE, Chapter, Section, chapter_text, code, escaped, render, sentence
from compat.diff.change import Change, Side
from compat.errors import OutputError
from compat.jsonvalue import JSON
from compat.lineage import Marker
from compat.relation import Direction, Effect, Level, Status
from compat.replay.summary import Evidence
from compat.rules.catalogue import RULES


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
    """Give the entries of each section, each with its lines joined by a bar."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in text.splitlines():
        if line.startswith("### "):
            name = line[4:]
        elif line.startswith("- "):
            found.setdefault(name, []).append(line[2:])
        elif line.startswith("  - "):
            found[name][-1] += f" | {line[4:]}"
    return found


def test_a_version_is_told_in_sections_for_writers_and_readers() -> None:
    text = chapter_text(NEXT, several=False)
    assert text.startswith("## [2.0] - 2026-09-07\n")
    assert "no order is safe" in text
    assert sections(text) == {
        "Added": [
            (
                '`actor.kind`: `"integration"` is newly accepted. '
                "| Readers, before writers: expect it before it is written."
            )
        ],
        "Changed": [
            "Described anew, without effect on data: `actor.kind`.",
            "Written in another way in 1 place, without effect on data.",
        ],
        "Removed": [
            (
                '**Breaking:** `actor.kind`: `"harness"` is no longer accepted. | '
                "Writers, before readers: stop sending it. | 12 of 4,310 stored records would be refused."
            )
        ],
    }


def test_breaking_entries_come_first() -> None:
    early = replace(ADDED, rule="maximum-raised", instance_path="/a")
    late = replace(REMOVED, rule="maximum-lowered", instance_path="/z")
    found = sections(chapter_text(replace(NEXT, findings=(early, late)), several=False))["Changed"]
    assert [entry.startswith("**Breaking:**") for entry in found] == [True, False]


def test_sections_with_a_break_come_first_and_the_others_as_usual() -> None:
    text = chapter_text(NEXT, several=False)
    assert re.findall(r"^### (.*)$", text, re.MULTILINE) == ["Removed", "Added", "Changed"]
    text = chapter_text(replace(NEXT, findings=(ADDED, WORDS)), several=False)
    assert re.findall(r"^### (.*)$", text, re.MULTILINE) == ["Added", "Changed"]
    assert [section.value for section in Section] == ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]


def changed(rule: str, keyword: str, old: JSON, new: JSON, message: str, **more: object) -> Finding:
    """A finding with both sides; "…" stands for a side that is not there."""
    sides = [Side("s", "/x", None if value == "…" else value, value != "…") for value in (old, new)]
    return finding(rule, message, change=Change(rule, keyword, *sides, "/x", message, Effect.NONE), **more)


NARROWS: dict[str, object] = {"backward": Status.BREAKING, "expected": Effect.NARROWS}
WIDENS: dict[str, object] = {"forward": Status.BREAKING, "expected": Effect.WIDENS}
BOTH: dict[str, object] = {"backward": Status.BREAKING, "forward": Status.BREAKING, "expected": Effect.BOTH}


@pytest.mark.parametrize(
    ("told", "lines"),
    [
        (
            changed("maximum-lowered", "maximum", 20, 10, "maximum lowered from 20 to 10.", **NARROWS),
            ["Writers, before readers: keep to the new bound."],
        ),
        (
            changed("maximum-raised", "maximum", 10, 20, "maximum raised from 10 to 20.", **WIDENS),
            ["Readers, before writers: expect values beyond the old bound."],
        ),
        (
            changed("const-changed", "const", "a", "b", "accepts only the new value.", **BOTH),
            [
                "Writers: send the new value.",
                "Readers: expect the new value.",
                "No order is safe: keep serving the old version until all have moved.",
                'Before: `"a"`; after: `"b"`.',
            ],
        ),
        (
            changed(
                "pattern-loosened", "pattern", "^a$", "^[ab]$", 'pattern changed from "^a…" to "^[…": more.', **WIDENS
            ),
            [
                "Readers, before writers: expect values that the old pattern refused.",
                'Before: `"^a$"`; after: `"^[ab]$"`.',
            ],
        ),
        (
            changed("pattern-tightened", "pattern", "a" * 200, "a", "pattern changed: fewer.", **NARROWS),
            ["Writers, before readers: send only what matches."],
        ),
        (
            changed(
                "property-added-to-closed",
                "properties",
                "…",
                {"type": "string", "description": "Where it *is*.", "title": "T"},
                'property "x" added.',
                **WIDENS,
            ),
            [
                "Readers, before writers: expect it, or pass over what you do not know.",
                'Now: `{"type": "string"}`. Where it \\*is\\*.',
            ],
        ),
        (
            changed("property-removed-from-closed", "properties", {"type": "string"}, "…", "gone.", **NARROWS),
            ["Writers, before readers: stop sending it.", 'Until now: `{"type": "string"}`.'],
        ),
        (
            changed("property-added", "properties", "…", {}, "added.", **NARROWS, undeclared=True),
            ["Writers: where you send it already, see that it fits.", "Either side may move first.", "Now: `{}`."],
        ),
        (
            changed("property-removed", "properties", {}, "…", "removed.", **WIDENS, undeclared=True),
            [
                "Readers: expect anything under that name, or nothing.",
                "Either side may move first.",
                "Until now: `{}`.",
            ],
        ),
        (
            changed("any-of-added", "anyOf", "…", [{"a": 1}], "anyOf with 1 branch introduced.", **NARROWS),
            ["Writers, before readers: data that does not keep to it is refused."],
        ),
        (
            changed("required-removed", "required", "x", "…", 'property "x" is optional now.', **WIDENS),
            ["Readers, before writers: expect it to be missing."],
        ),
        (
            changed("unique-items-added", "uniqueItems", "…", True, "items are unique now.", **NARROWS),
            ["Writers, before readers: send no item twice."],
        ),
        (
            changed("property-removed", "properties", {}, "…", "removed.", **WIDENS, hint='looks renamed to "b"'),
            [
                "Readers, before writers: expect anything under that name, or nothing.",
                "Until now: `{}`.",
                'Looks renamed to `"b"`.',
            ],
        ),
    ],
    ids=lambda value: value.rule if isinstance(value, Finding) else "",
)
def test_an_entry_says_for_whom_before_and_after_what_to_do_and_who_moves_first(
    told: Finding, lines: list[str]
) -> None:
    ((found,),) = sections(chapter_text(replace(NEXT, findings=(told,)), several=False)).values()
    assert found.split(" | ")[1:] == lines


def test_every_rule_that_narrows_or_widens_has_a_duty() -> None:
    for rule in RULES.values():
        for direction in Direction:
            if rule.expected.breaks(direction):
                status = {direction.value: Status.BREAKING}
                told = chapter_text(
                    replace(NEXT, findings=(finding(rule.id, "x.", expected=rule.expected, **status),)), several=False
                )
                assert re.search(r"^  - (Writers|Readers)(, before \w+)?: .*\.$", told, re.MULTILINE), rule.id


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
        ((replace(REMOVED, undeclared=True),), "in any order; only data with properties that nobody declared"),
        ((WORDS,), "in any order; old and new data are valid on both sides"),
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

    told = sections(chapter_text(replace(NEXT, findings=(deprecated(True),)), several=False))
    assert told["Deprecated"] == [
        "`actor.kind`: deprecated; it may go in a later version. | Writers: stop sending it. Readers: do without it."
    ]
    whole = replace(deprecated(True), instance_path="")
    told = sections(chapter_text(replace(NEXT, findings=(whole,)), several=False))
    assert told["Deprecated"][0].startswith("All of it: deprecated; it may go in a later version.")
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


def test_the_version_number_is_no_change_of_its_own() -> None:
    number = changed("unknown-keyword-changed", "version", "1", "2", "version changed.")
    assert sections(chapter_text(replace(NEXT, findings=(number,)), several=False)) == {}
    other = changed("unknown-keyword-changed", "x-owner", "1", "2", "x-owner changed.")
    assert sections(chapter_text(replace(NEXT, findings=(number, other)), several=False)) == {
        "Changed": ["Written in another way in 1 place, without effect on data."]
    }


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


def test_lineages_of_one_day_keep_their_order_and_versions_of_one_day_are_newest_first() -> None:
    day = date(2026, 5, 1)
    one, two = (Chapter("a", str(number), day, f"a{number}", first=True) for number in (1, 2))
    others = [Chapter(name, "1", day, name, first=True) for name in ("b", "c")]
    waiting = [Chapter(name, None, first=True) for name in ("a", "b")]
    assert headings(render([one, two, *others, *waiting])) == [
        "a [Unreleased]",
        "b [Unreleased]",
        "a [2] - 2026-05-01",
        "a [1] - 2026-05-01",
        "b [1] - 2026-05-01",
        "c [1] - 2026-05-01",
    ]


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


# What people write: any text, and text that looks like ours.
WRITTEN = st.lists(
    st.one_of(
        st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\r"), max_size=40),
        st.sampled_from(
            ["## 0.9 - by hand", "### Fixed", "- one", "  - two", "    indented", "\ttab", "```", "***", ""]
        ),
        st.sampled_from(
            [f"<!-- {text}" for text in ("mine -->", "compat: begin -->", "compat: end", "compat: end -->")]
        ),
    ),
    min_size=1,
    max_size=4,
).map("\n".join)


@given(st.data(), CHAPTERS, st.lists(CHAPTERS, min_size=1, max_size=3))
def test_whatever_people_wrote_between_generated_parts_survives_any_number_of_runs(
    data: st.DataObject, before: list[Chapter], runs: list[list[Chapter]]
) -> None:
    made = re.split(r"(?<=<!-- compat: end -->\n)", render(before))
    written = [data.draw(WRITTEN) for _ in made]
    text = "".join(f"{part}\n{words}\n\n" for part, words in zip(made, written, strict=True))
    kept = [line for words in written for line in words.split("\n") if line]
    for chapters in runs:
        text = render(chapters, text)
        assert render(chapters, text) == text
        generated = re.compile(
            r"^<!-- compat: begin \S[^\n]*? -->\n.*?\n<!-- compat: end -->$", re.MULTILINE | re.DOTALL
        )
        left = iter(generated.sub("", text).split("\n"))
        assert [line for line in kept if line not in left] == []  # every line, in its order


@given(CHAPTERS, CHAPTERS)
def test_lines_end_as_they_did(before: list[Chapter], after: list[Chapter]) -> None:
    plain = render(after, render(before, "# Mine\n\nText.\n"))
    windows = render(after, render(before, "# Mine\r\n\r\nText.\r\n"))
    assert windows == plain.replace("\n", "\r\n")


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

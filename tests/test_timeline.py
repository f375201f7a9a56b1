"""The algebra of a matrix, on verdicts written down by hand."""

from __future__ import annotations

import pytest

from compat.lineage import Lineage, Version
from compat.policy import Policy, Treatment
from compat.proof.verdict import Verdict
from compat.relation import Effect, Status
from compat.timeline import Entry, Judged, Matrix, Reads, Timeline, Told, first_of_content, reads, with_matrix

_STATUSES = {
    "+": Verdict(Status.COMPATIBLE),
    "~": Verdict(Status.BREAKING, undeclared=True),
    "-": Verdict(Status.BREAKING),
    "?": Verdict(Status.UNKNOWN),
}


def version(digest: str) -> Version:
    return Version(None, None, "a.json", "0" * 40, None, None, "", (), digest)


def entries(count: int, *, broken: int = 0) -> tuple[Entry, ...]:
    readable = [index for index in range(1, count + 1) if index != broken]
    before = dict(zip(readable[1:], readable, strict=False))
    return tuple(
        Entry(index, version(str(index)), against=before.get(index), problem="broken" if index == broken else "")
        for index in range(1, count + 1)
    )


def matrix(rows: dict[tuple[int, int], str], count: int, *, policy: Policy | None = None, broken: int = 0) -> Matrix:
    """Make the matrix where the older of each pair is read by the newer as written, and never the other way round."""
    asked: list[tuple[int, int]] = []

    def judge(older: Entry, newer: Entry, told: bool) -> Judged:
        if not told:
            asked.append((older.index, newer.index))
        return Judged(_STATUSES[rows.get((older.index, newer.index), "+")], _STATUSES["-"])

    told = Timeline(Lineage("x", ("a.json",)), policy or Policy(), entries(count, broken=broken))
    found = with_matrix(told, judge).matrix
    assert found is not None
    assert len(asked) == len(set(asked)) == len(found.indices) * (len(found.indices) - 1) // 2
    return found


@pytest.mark.parametrize(
    ("rows", "oldest", "stray", "losses"),
    [
        ({}, 1, (), []),
        ({(1, 2): "-", (1, 3): "-", (1, 4): "-"}, 2, (), [((1,), 2, False)]),
        # broken and mended again: nothing is lost
        ({(1, 2): "-", (2, 3): "-"}, 1, (), []),
        # mended for a while, and lost at last
        ({(1, 2): "-", (1, 4): "-", (2, 4): "-", (3, 4): "-"}, 4, (), [((1, 2, 3), 4, False)]),
        ({(2, 3): "-", (2, 4): "-"}, 3, (1,), [((2,), 3, False)]),
        # two losses, the later told first
        (
            {(1, 2): "-", (1, 3): "-", (1, 4): "-", (2, 4): "-", (3, 4): "-"},
            4,
            (),
            [((2, 3), 4, False), ((1,), 2, False)],
        ),
        # every step holds, and the whole way does not
        ({(1, 3): "-", (1, 4): "-"}, 2, (), [((1,), 3, True)]),
        ({(2, 3): "~", (1, 3): "-", (1, 4): "-"}, 2, (), [((1,), 3, True)]),
        ({(1, 4): "?"}, 2, (), [((1,), 4, True)]),
        ({(1, 4): "~", (2, 4): "~"}, 1, (), []),
    ],
)
def test_what_the_newest_reads_and_where_the_rest_was_lost(
    rows: dict[tuple[int, int], str],
    oldest: int,
    stray: tuple[int, ...],
    losses: list[tuple[tuple[int, ...], int, bool]],
) -> None:
    found = matrix(rows, 4)
    assert (found.oldest, found.stray) == (oldest, stray)
    assert [(loss.lost, loss.at, loss.hidden) for loss in found.losses] == losses


def test_a_version_that_is_passed_over_stands_in_no_cell() -> None:
    found = matrix({(1, 4): "-", (3, 4): "-"}, 4, broken=2)
    assert found.indices == (1, 3, 4)
    assert [(loss.lost, loss.at, loss.hidden) for loss in found.losses] == [((1, 3), 4, False)]


def test_both_halves_and_the_diagonal_are_read() -> None:
    found = matrix({(1, 2): "~"}, 2)
    assert [found.reads(*pair) for pair in ((1, 1), (1, 2), (2, 1))] == [Reads.YES, Reads.APART, Reads.NO]


@pytest.mark.parametrize(
    ("mark", "lenient", "strict"),
    [
        ("+", Reads.YES, Reads.YES),
        ("~", Reads.APART, Reads.NO),
        ("-", Reads.NO, Reads.NO),
        ("?", Reads.UNKNOWN, Reads.UNKNOWN),
    ],
)
def test_the_policy_says_what_undeclared_breaks_are(mark: str, lenient: Reads, strict: Reads) -> None:
    verdict = _STATUSES[mark]
    assert reads(verdict, Policy()) is reads(verdict, Policy(undeclared=Treatment.IGNORE)) is lenient
    assert reads(verdict, Policy(undeclared=Treatment.ERROR)) is strict
    assert strict.holds is (mark == "+")


def test_a_timeline_without_a_readable_version_has_no_matrix() -> None:
    told = Timeline(Lineage("x", ("a.json",)), Policy(), entries(1, broken=1))
    assert with_matrix(told, lambda *_: pytest.fail("nothing is to be judged")).matrix is None


def test_the_first_of_each_content_is_found() -> None:
    assert first_of_content("abbac") == {2: 1, 3: 0}
    assert first_of_content(["", ""]) == {}  # what could not be read is like nothing else


def test_what_breaks_is_told_first_and_what_has_no_effect_not_at_all() -> None:
    changes = tuple(Told(effect.value, "", "", effect) for effect in Effect)
    judged = Judged(_STATUSES["-"], _STATUSES["-"], changes=changes)
    assert [change.rule for change in judged.telling] == ["narrows", "both", "unknown", "widens"]
    assert judged.mirror.changes is None

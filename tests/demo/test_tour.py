"""The tour is a table: every stop names a command that exists, says why, and how it should end."""

from __future__ import annotations

import pytest

from compat.cli import COMMANDS
from compat.demo import history, repository, tour
from compat.errors import UsageError

STOPS = tour.stops({entry.label: f"{number:040x}" for number, entry in enumerate(history.entries())})


@pytest.mark.parametrize("stop", STOPS, ids=lambda stop: stop.name)
def test_a_stop_runs_a_command_that_exists_on_a_branch_that_exists(stop: tour.Stop) -> None:
    assert stop.arguments[0] in COMMANDS
    assert stop.branch in {repository.MAIN, repository.CARELESS, repository.HONEST}
    assert stop.exit_code in {0, 1}
    assert stop.title
    assert stop.why.endswith(".") or stop.why.endswith("?") or stop.why[-1] == ":"
    assert stop.then.endswith(".")


def test_the_stops_have_names_of_their_own_and_visit_the_whole_slice() -> None:
    assert len({stop.name for stop in STOPS}) == len(STOPS)
    visited = {stop.arguments[0] for stop in STOPS}
    assert {"list", "log", "check", "diff", "replay", "gate", "changelog"} <= visited


def test_both_outcomes_are_shown() -> None:
    assert {stop.exit_code for stop in STOPS} == {0, 1}


def test_chosen_stops_keep_the_order_of_the_tour() -> None:
    assert [stop.name for stop in tour.chosen(STOPS, ("gate", "list"))] == ["list", "gate"]
    assert tour.chosen(STOPS, ()) == STOPS


def test_an_unknown_stop_is_refused_with_a_hint() -> None:
    with pytest.raises(UsageError) as near:
        tour.chosen(STOPS, ("chnagelog",))
    assert near.value.hint == "Did you mean 'changelog'?"
    with pytest.raises(UsageError) as far:
        tour.chosen(STOPS, ("xyz",))
    assert "pull-request" in str(far.value.hint)

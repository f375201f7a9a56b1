"""The words of a verdict and their algebra."""

from __future__ import annotations

import pytest

from compat.relation import Direction, Effect, Mode, Status

BACKWARD, FORWARD = Direction


def test_directions_are_opposites() -> None:
    assert BACKWARD.opposite is FORWARD
    assert FORWARD.opposite is BACKWARD


@pytest.mark.parametrize("effect", list(Effect))
def test_a_mirror_is_its_own_inverse_and_swaps_the_directions(effect: Effect) -> None:
    assert effect.mirror.mirror is effect
    for direction in Direction:
        assert effect.breaks(direction) is effect.mirror.breaks(direction.opposite)


@pytest.mark.parametrize(
    ("effect", "backward", "forward"),
    [
        (Effect.NONE, False, False),
        (Effect.NARROWS, True, False),
        (Effect.WIDENS, False, True),
        (Effect.BOTH, True, True),
        (Effect.UNKNOWN, False, False),
    ],
)
def test_narrowing_breaks_backward_and_widening_forward(effect: Effect, backward: bool, forward: bool) -> None:
    assert effect.breaks(BACKWARD) is backward
    assert effect.breaks(FORWARD) is forward


@pytest.mark.parametrize("narrows", [False, True])
@pytest.mark.parametrize("widens", [False, True])
def test_an_effect_is_what_it_is_made_of(narrows: bool, widens: bool) -> None:
    effect = Effect.of(narrows=narrows, widens=widens)
    assert (effect.breaks(BACKWARD), effect.breaks(FORWARD)) == (narrows, widens)


@pytest.mark.parametrize("backward", list(Status))
@pytest.mark.parametrize("forward", list(Status))
def test_the_effect_of_a_step_is_read_off_its_verdicts(backward: Status, forward: Status) -> None:
    effect = Effect.between(backward, forward)
    if Status.UNKNOWN in (backward, forward):
        assert effect is Effect.UNKNOWN
        return
    assert effect.breaks(BACKWARD) is (backward is Status.BREAKING)
    assert effect.breaks(FORWARD) is (forward is Status.BREAKING)
    assert Effect.between(forward, backward) is effect.mirror


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("full", Mode.FULL),
        ("FULL_TRANSITIVE", Mode.FULL_TRANSITIVE),
        (" Backward-Transitive ", Mode.BACKWARD_TRANSITIVE),
        ("none", Mode.NONE),
    ],
)
def test_modes_are_parsed_in_both_spellings(text: str, mode: Mode) -> None:
    assert Mode.parse(text) is mode


@pytest.mark.parametrize("text", ["", "both", "full transitive", "transitive"])
def test_other_modes_are_none(text: str) -> None:
    with pytest.raises(ValueError, match="valid Mode"):
        Mode.parse(text)


@pytest.mark.parametrize(
    ("mode", "directions", "transitive"),
    [
        (Mode.NONE, (), False),
        (Mode.BACKWARD, (BACKWARD,), False),
        (Mode.FORWARD, (FORWARD,), False),
        (Mode.FULL, (BACKWARD, FORWARD), False),
        (Mode.BACKWARD_TRANSITIVE, (BACKWARD,), True),
        (Mode.FORWARD_TRANSITIVE, (FORWARD,), True),
        (Mode.FULL_TRANSITIVE, (BACKWARD, FORWARD), True),
    ],
)
def test_a_mode_says_what_it_forbids(mode: Mode, directions: tuple[Direction, ...], transitive: bool) -> None:
    assert mode.directions == directions
    assert mode.transitive is transitive


def test_the_words_print_as_themselves() -> None:
    assert [str(status) for status in Status] == ["compatible", "breaking", "unknown"]

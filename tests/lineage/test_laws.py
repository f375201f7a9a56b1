"""Laws of version numbers, on numbers nobody thought of."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from compat.lineage import Scheme, Step, VersionNumber, least_next, sufficient
from compat.sources.patterns import matches

_part = st.integers(0, 10**8)
_texts = st.one_of(
    st.builds("{}.{}.{}".format, _part, _part, _part),
    st.builds("{}.{}.{}-{}.{}".format, _part, _part, _part, st.sampled_from(["rc", "alpha", "0", "x-y"]), _part),
    st.builds("{}-{}-{}".format, st.integers(1, 10**8), _part, _part),
    st.builds("{}.{}".format, _part, _part),
    st.builds("{}".format, _part),
    st.dates().filter(lambda day: 1900 <= day.year < 2100).map(lambda day: day.isoformat()),
)
_numbers = _texts.map(VersionNumber.parse)
_steps = st.sampled_from(list(Step))


@given(_texts)
def test_a_number_prints_as_it_was_written(text: str) -> None:
    assert str(VersionNumber.parse(text)) == text


@given(_numbers, _numbers, _numbers)
def test_the_order_is_total(a: VersionNumber, b: VersionNumber, c: VersionNumber) -> None:
    assert (a < b) + (a == b) + (a > b) == 1
    assert not (a <= b <= c) or a <= c
    assert a != b or hash(a) == hash(b)


@given(_numbers, _steps)
def test_the_least_next_number_is_sufficient_and_of_the_same_scheme(number: VersionNumber, step: Step) -> None:
    following = least_next(number, step)
    assert sufficient(number, following, step)
    assert following.scheme is number.scheme
    assert following >= number
    assert VersionNumber.parse(str(following), following.scheme) == following


@given(_numbers, st.tuples(_steps, _steps))
def test_a_worse_step_never_asks_for_less(number: VersionNumber, steps: tuple[Step, Step]) -> None:
    order = list(Step)
    mild, hard = sorted(steps, key=order.index)
    # A candidate may already announce the number that a milder step would have to move.
    if not number.prerelease and number.scheme is not Scheme.DATE:
        assert least_next(number, mild) <= least_next(number, hard)


@given(st.lists(st.sampled_from(["a", "b", "ab", "c.json"]), min_size=1, max_size=6))
def test_a_path_matches_itself_and_every_widening(steps: list[str]) -> None:
    path = "/".join(steps)
    assert matches(path, path)
    assert matches("**", path)
    assert matches("/".join("*" for _ in steps), path)
    assert matches("**/" + path, path)
    assert not matches(path + "/x", path)

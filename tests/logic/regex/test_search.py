from __future__ import annotations

import pytest
from corvus_regex_ecma262 import Regex

from compat.logic.budget import Budget
from compat.logic.regex import (
    Empty,
    Exhausted,
    GaveUp,
    Language,
    More,
    Word,
    find,
    includes,
    words,
)

pattern = Language.pattern

DATE_TIME = (
    r"^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-"
    r"(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):"
    r"[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|([+-](?:[01]\d|2[0-3]):[0-5]\d)))$"
)
LOOSE_DATE_TIME = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$"


class TestInclusion:
    """Each contained pair has a near miss."""

    @pytest.mark.parametrize(
        ("small", "large", "near_miss"),
        [
            ("^[a-z]{1,5000}$", "^[a-z0-9]{1,10000}$", "^[a-z0-9]{2,10000}$"),
            ("^spc_[0-7][0-9A-HJKMNP-TV-Z]{25}$", "^[a-z]+_[0-9A-Z]{26}$", "^[a-z]+_[0-9A-Z]{25}$"),
            (DATE_TIME, LOOSE_DATE_TIME, LOOSE_DATE_TIME.replace(r"(?:\.\d+)?", "")),
            ("^foo$", "^(?:foo|bar)$", "^(?:fo|bar)$"),
            ("^ab+$", "b", "bb"),
            ("foo", "o", "oo+f|fo{3}"),
            (r"^(?=.*\d)[a-z\d]+$", r"\d", r"\d\d"),
            (r"^\d{4}-\d{2}$", "^[0-9-]{7}$", "^[0-9]{7}$"),
            ("^(x+){2}$", "^x{2,}$", "^x{3,}$"),
            ("^(?!.*a)", "^(?!.*ab)", "^(?!.*b)"),
            (r"^\w+\.json$", r"\.json$", r"^\.json$"),
            ("^(a|ab)(c|bcd)$", "^a", "^ac|^abc$"),
            ("^[ab]*a[ab]{14}$", "^(?:a|b)*a(?:a|b){14}$", "^[ab]*a[ab]{13}$"),
            (r"^\p{Lu}+$", r"^\p{L}+$", r"^\p{Ll}+$"),
            ("^(?:abc){3,7}$", "^(?:abc)*$", "^(?:abcabc)*$"),
        ],
    )
    def test_decided_both_ways(self, small: str, large: str, near_miss: str) -> None:
        assert includes(pattern(small), pattern(large), Budget(2_000)) is True
        missing = includes(pattern(small), pattern(near_miss), Budget(20_000))
        assert missing is False
        witness = find([pattern(small), ~pattern(near_miss)])
        assert isinstance(witness, Word)
        assert Regex(small, "u").test(witness.text)
        assert not Regex(near_miss, "u").test(witness.text)

    def test_an_inclusion_that_shows_costs_no_search(self) -> None:
        nothing = Budget(0)
        assert includes(pattern("^[a-z]{1,5000}$"), pattern("^[a-z0-9]{1,10000}$"), nothing) is True
        assert includes(Language.length(3, 4), Language.length(2, 50_000), nothing) is True
        assert includes(Language.words(f"k{n}" for n in range(500)), pattern(r"^k\d+$"), nothing) is True
        assert includes(pattern("^[a-f0-9]{64}$"), pattern("^[a-z0-9]*$"), nothing) is True
        assert includes(pattern("^[g-h]"), pattern("^[a-z0-9]*$"), nothing) is None


class TestFind:
    def test_a_shortest_and_most_readable_word(self) -> None:
        assert find([pattern("x")]) == Word("x")
        assert find([Language.all()]) == Word("")
        assert find([]) == Word("")
        assert find([pattern("^[^]{2}$")]) == Word("aa")
        assert find([pattern("^.+$"), ~pattern(r"[a-z]")]) == Word("A")
        assert find([pattern("^.+$"), ~pattern(r"\w")]) == Word("-")
        assert find([pattern("^.+$"), ~pattern(r"[ -~]")]) == Word("ª")
        assert find([pattern("foo"), ~pattern("bar"), pattern("o.*b"), ~pattern("^f")]) == Word("afoob")

    def test_nothing_in_common(self) -> None:
        assert find([pattern("^a"), pattern("^b")]) == Empty()
        assert find([pattern("^(aa)+$"), pattern("^a(aa)*$")]) == Empty()
        assert find([pattern("^(?:aa)+$"), ~pattern("^a+$")]) == Empty()
        assert find([pattern("[]")]) == Empty()
        assert find([Language.none()]) == Empty()

    def test_lone_surrogates_are_never_given(self) -> None:
        assert find([pattern(r"^[\uD800-\uDFFF]$")]) == Empty()
        assert find([pattern(r"^[\uD800-\uE000]$")]) == Word("\ue000")
        assert find([Language.words(["\ud800", "ok"])]) == Word("ok")
        assert words([pattern(r"^[\uDFFE-\uE001]$")], limit=9) == (("\ue000", "\ue001"), Exhausted())

    def test_excluded_words_are_passed_over(self) -> None:
        assert find([pattern("^[ab]$")], exclude=["a"]) == Word("b")
        assert find([pattern("^[ab]$")], exclude={"a", "b"}) == Empty()
        assert find([pattern("^a*$")], exclude=["", "a", "aa"]) == Word("aaa")
        assert find([Language.words(["x", "yy"])], exclude=["x"]) == Word("yy")

    @pytest.mark.parametrize(
        ("source", "lengths", "expected"),
        [
            ("^a*$", (3, None), 3),
            ("^a*$", (3, 3), 3),
            ("^a+$", (0, 0), None),
            ("^(?:abc)*$", (4, 5), None),
            ("^(?:abc)*$", (4, 6), 6),
            ("^(?:aa|aaa)x$", (4, 4), 4),
            ("^(?:aa|aaa)x$", (5, None), None),
            ("^a{2,4}$", (3, 9), 3),
            ("^(?:a{5}|b{9})$", (6, 20), 9),
            ("a", (5, 2), None),
        ],
    )
    def test_lengths_bound_the_word(self, source: str, lengths: tuple[int, int | None], expected: int | None) -> None:
        found = find([pattern(source)], lengths=lengths)
        assert found == Empty() if expected is None else isinstance(found, Word) and len(found.text) == expected
        by_language = find([pattern(source), Language.length(*lengths)])
        assert type(by_language) is type(found)

    @pytest.mark.parametrize(
        ("source", "lengths", "expected"),
        [
            ("^[a-z]*$", (49_999, 50_000), 49_999),
            ("^(?:abc)*$", (49_999, 50_000), None),
            ("^(?:abc)*$", (49_999, 50_002), 50_001),
            ("^(?:abc|de|f{3,5})*x$", (1_000_000, None), 1_000_000),
            ("^x(?:ab)*$", (70_000, 70_001), 70_001),
        ],
    )
    def test_long_bounds_cost_what_the_pattern_costs(
        self, source: str, lengths: tuple[int, int | None], expected: int | None
    ) -> None:
        found = find([pattern(source)], lengths=lengths, budget=Budget(1_000))
        if expected is None:
            assert found == Empty()
        else:
            assert isinstance(found, Word)
            assert len(found.text) == expected
            assert pattern(source).matches(found.text[:2] + found.text[-2:]) or Regex(source, "u").test(found.text)

    def test_the_same_word_whatever_was_asked_before(self) -> None:
        def ask() -> object:
            return find([pattern("^[a-c]+[x-z]{2}$"), ~pattern("ay|by"), ~pattern("x")])

        first = ask()
        for source in ("x", "ay", "^[a-c]+$", "y"):
            find([~pattern(source), pattern("a")])
        assert ask() == first == Word("azy")

    def test_steps_do_not_depend_on_what_was_asked_before(self) -> None:
        spent = []
        for _ in range(2):
            budget = Budget(10_000)
            find([pattern("^(?:a|bc)*$"), ~pattern("^(?:a|bcbc)*$")], budget=budget)
            spent.append(budget.spent)
        assert spent[0] == spent[1]

    def test_a_spent_budget_is_no_answer(self) -> None:
        found = find([pattern("^[ab]{50}$"), ~pattern("b")], budget=Budget(20))
        assert isinstance(found, GaveUp)
        assert "20 steps" in found.reason
        assert includes(pattern("^[ab]{50}$"), pattern("^[^c]+b"), Budget(20)) is None


class TestSlowKinds:
    """What makes other engines run away stays within a few steps, or says so."""

    @pytest.mark.parametrize(
        ("source", "steps"),
        [
            ("(a+)+$", 100),
            ("^(a|a)*b$", 100),
            ("(x+x+)+y", 200),
            ("^(?:(?:a{0,100}){0,100}){0,100}$", 100),
            ("^(?:a{1,9999}b{1,9999}){1,9999}$", 200),
            ("a{1,999999999999}", 100),
            ("^(.*a){20}$", 1_000),
            ("^(?=.*a)(?=.*b)(?=.*c)(?=.*d)(?=.*e).{5,64}$", 2_000),
            ("^(?:(?=.*b)a|(?=.*a)b)*$", 200),
            ("^(?:(?:(?:a?)?)*)*$", 100),
            ("[ab]*a[ab]{14}", 500),
            ("^(([a-z])+.)+[A-Z]([a-z])+$", 200),
            (r"\p{L}{1,300}\d", 2_000),
            ("^(?!.*(a{2,100}b?){2,100}$)", 1_000),
            ("(?:" * 90 + "a" + ")*" * 90, 100),
            ("^(?:" + "|".join(f"w{n}x" for n in range(2000)) + ")$", 5_000),
        ],
    )
    def test_few_steps(self, source: str, steps: int) -> None:
        budget = Budget(steps)
        language = pattern(source)
        assert not isinstance(find([language], budget=budget), GaveUp)
        assert not isinstance(find([~language], budget=budget), GaveUp)
        assert find([language, ~pattern(source + "|zz")], budget=budget) == Empty()

    def test_a_lookahead_for_a_length_is_no_product(self) -> None:
        small = pattern(r"^(?=.{3,5000}$)(x_)?[a-z0-9]{3}([/.-]?[a-z0-9]+){0,97}$")
        assert includes(small, pattern(r"^[\S](.*[\S])?$"), Budget(10_000)) is True
        found = find([small, ~pattern(r"^.{0,40}$")], budget=Budget(10_000))
        assert isinstance(found, Word)
        assert len(found.text) == 41
        assert find([pattern("^[a-c]{2,5}$"), pattern("^[a-c]{4,9}$"), pattern("^[a-c]{0,4}$")]) == Word("aaaa")
        assert find([pattern("^[a-c]{2,5}$"), pattern("^[a-b]{6,9}$")]) == Empty()

    def test_long_texts_are_matched(self) -> None:
        assert pattern("^(a+)+$").matches("a" * 3_000)
        assert not pattern("^(a+)+$").matches("a" * 3_000 + "b")
        assert pattern("(x+x+)+y").matches("x" * 2_000 + "y")
        assert not pattern("a" * 300).matches("a" * 299)

    def test_an_exponential_question_ends_with_its_budget(self) -> None:
        small, large = pattern("^[ab]*a[ab]{30}$"), pattern("^(?:[ab]{2})*a[ab]{30}$|^[ab]{2,}b[ab]{29}$")
        assert includes(small, large, Budget(3_000)) in (None, False)


class TestWords:
    def test_short_and_readable_first_and_nothing_twice(self) -> None:
        assert words([pattern("^(a|b|a)+$")], limit=5) == (("a", "b", "aa", "ab", "ba"), More())
        assert words([pattern("^[0A-]?$")], limit=4) == (("", "A", "0", "-"), Exhausted())

    def test_exactly_as_many_as_there_are(self) -> None:
        assert words([pattern("^[ab]{1,2}$")], limit=6)[1] == Exhausted()
        assert words([pattern("^[ab]{1,2}$")], limit=5)[1] == More()
        assert words([pattern("^a"), pattern("^b")], limit=3) == ((), Exhausted())
        assert words([pattern("^a$")], limit=0) == ((), More())
        assert words([pattern("[]")], limit=0) == ((), Exhausted())

    def test_bounds_and_exclusions(self) -> None:
        found = words([pattern("^[ab]*$")], lengths=(2, 3), exclude=["ab", "bbb"], limit=50)
        assert found == (("aa", "ba", "bb", "aaa", "aab", "aba", "abb", "baa", "bab", "bba"), Exhausted())

    def test_hundreds_are_cheap(self) -> None:
        found, ending = words([pattern("x"), ~pattern("xx")], limit=301, budget=Budget(5_000))
        assert len(set(found)) == 301
        assert ending == More()
        assert list(map(len, found)) == sorted(map(len, found))

    def test_what_was_found_until_the_budget_ended(self) -> None:
        found, ending = words([pattern("^[ab]*$")], limit=500, budget=Budget(300))
        assert isinstance(ending, GaveUp)
        assert found[:3] == ("", "a", "b")
        assert len(found) < 500

    def test_a_language_that_is_not_regular_gives_true_words(self) -> None:
        found, _ = words([pattern(r"^([ab]+)\1$")], limit=4)
        assert found == ("aa", "bb", "aaaa", "abab")

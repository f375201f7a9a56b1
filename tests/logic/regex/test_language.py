from __future__ import annotations

import pytest
from corvus_regex_ecma262 import Regex

from compat.logic.regex import Empty, GaveUp, Language, Word, find

pattern = Language.pattern

# pattern, texts in which it finds a match, texts in which it finds none
MEANINGS = [
    ("a", ["a", "ba", "ab\n"], ["", "b", "A"]),
    ("^a", ["a", "ab"], ["ba", "\na"]),
    ("a$", ["a", "ba"], ["ab", "a\n"]),
    ("^a$", ["a"], ["a\n", "\na", "aa"]),
    (".", ["a", "\u0085", "😀"], ["", "\n", "\r", "\u2028", "\u2029"]),
    ("^.$", ["😀"], ["😀😀"]),
    (r"^\d$", ["0", "9"], ["٣", "a"]),
    (r"^\D$", ["٣", "a"], ["0"]),
    (r"^\w$", ["a", "Z", "_", "0"], ["é", "-"]),
    (r"^\W$", ["é", "-"], ["a"]),
    (r"^\s$", ["\u00a0", "\ufeff", "\u2003"], ["\u200b", "\x1c"]),
    (r"^\S$", ["\u200b"], [" "]),
    (r"\bcat\b", ["cat", "a cat.", "é cat", "écat"], ["cats", "_cat"]),
    (r"\Bcat", ["1cat"], ["cat", " cat"]),
    (r"^\B$", [""], ["a", "-"]),
    (r"^\b", ["a"], ["", "-"]),
    (r"^(?=.*\d)(?=.*[a-z]).{3,5}$", ["a1x", "1111a"], ["aaa", "a1", "a11111"]),
    (r"^(?!.*--)[a-z-]+$", ["a-b", "-"], ["a--b", ""]),
    (r"^(?!foo$)", ["food", "", "bar"], ["foo"]),
    (r"a(?=b)", ["ab", "xab"], ["a", "ba"]),
    (r"a(?!b)", ["a", "aba"], ["ab"]),
    (r"(?<=a)b", ["ab", "xab"], ["b", "bb"]),
    (r"(?<!a)b", ["b", "bb", "aba b"], ["ab"]),
    (r"(?<=^|,)x(?=,|$)", ["x", "a,x,b", "x,"], ["ax", "a,xy"]),
    (r"^[^/]*(?<!\.json)$", ["a.xml", "", "json"], ["a.json", ".json"]),
    (r"^(?:(?<=b)a|b)+$", ["b", "ba", "bab"], ["a", "baa"]),
    (r"^(x+){2}$", ["xx", "xxx"], ["x", ""]),
    (r"^(?:x{2,3}){4}$", ["x" * 8, "x" * 11, "x" * 12], ["x" * 7, "x" * 13]),
    (r"^(?:x{3})*$", ["", "xxx"], ["x", "xx", "xxxx"]),
    (r"^(?:x{2,3}){0,1}$", ["", "xx"], ["x", "xxxx"]),
    (r"^(?:\b|a){2}$", ["a", "aa"], ["", "-"]),
    (r"^(?:\B|a)+b$", ["ab", "aab"], ["b"]),
    (r"^(?:(?=a)|b)*$", ["", "b", "bb"], ["a", "ba"]),
    (r"^((?=a)|(?=b)){2}a$", ["a"], ["b", "aa"]),
    (r"^(?:(?=ab)a|b)*$", ["ab", "bab"], ["a", "aab"]),
    (r"(a|b)*$^", [""], ["a", "ab"]),
    (r"(?:^a|b){2}$", ["ab", "bb", "xbb"], ["aa", "ba"]),
    (r"a^b|c", ["c"], ["ab", "a^b"]),
    (r"a$b|c$", ["c"], ["ab", "a"]),
    (r"(?:^|-)a(?:-|$)", ["a", "x-a", "a-x"], ["ab", "xa"]),
    (r"^a|b|c$", ["ax", "xbx", "xc"], ["xa", "cx"]),
    (r"^(?:a*)*$", ["", "aaa"], ["b"]),
    (r"^(?:a|b)*?c{0}$", ["", "ab"], ["c"]),
    (r"(?=(?=a)a)a", ["a"], ["b"]),
    (r"^(?!(?!a))", ["a"], ["b", ""]),
    (r"^(?=a$)", ["a"], ["ab"]),
    (r"^(?:(?!ab).)*$", ["ba", "aacb"], ["xab", "\n"]),
    (r"[]", [], ["", "a"]),
    (r"[^]", ["\n", "a"], [""]),
    (r"^\p{L}+$", ["añλ語"], ["a1", ""]),
]


@pytest.mark.parametrize(("source", "inside", "outside"), MEANINGS)
def test_a_pattern_means_what_it_means_in_ecmascript(source: str, inside: list[str], outside: list[str]) -> None:
    language, engine = pattern(source), Regex(source, "u")
    for text in inside:
        assert engine.test(text)
        assert language.matches(text)
        assert not (~language).matches(text)
    for text in outside:
        assert not engine.test(text)
        assert not language.matches(text)
        assert (~language).matches(text)


def test_equal_constructions_are_one_object() -> None:
    assert pattern("^[ab]+$") is pattern("^(?:a|b)(?:b|a)*$")
    assert pattern("^x$") is Language.word("x")
    assert Language.words(["b", "a", "b"]) is Language.words(["a", "b"])
    assert pattern("^[ab]+$") != pattern("^[ab]*$")
    one, other = pattern("a"), pattern("b")
    assert one & other is other & one
    assert one | other is other | one
    assert one - other is one & ~other
    assert ~~one is one


def test_the_whole_and_the_empty_language_show() -> None:
    a = pattern("^a+$")
    assert (a & ~a).is_none
    assert (a | ~a).is_all
    assert pattern("").is_all
    assert pattern(".*").is_all
    assert pattern("^[^]*$").is_all
    assert pattern("[]").is_none
    assert not a.is_none
    assert not a.is_all
    assert not pattern("^.*$").is_all
    assert (~Language.all()).is_none
    assert Language.length(0) is Language.all()
    assert Language.length(3, 2) is Language.none()


def test_lengths_count_code_points() -> None:
    two = Language.length(2, 2)
    assert two.matches("😀😀")
    assert not two.matches("😀")
    assert not (~two).matches("ab")
    assert (Language.length(1, 5) & Language.length(3)).lengths == (3, 5)


def test_finite_languages_are_listed() -> None:
    words = Language.words(["foo", "bar", "", "x1"])
    assert words.listed == ("", "bar", "foo", "x1")
    assert (words & pattern("[a-z]")).listed == ("bar", "foo", "x1")
    assert (words - Language.word("bar") - Language.length(0, 1)).listed == ("foo", "x1")
    assert (words | Language.word("z")).listed == ("", "bar", "foo", "x1", "z")
    assert Language.none().listed == ()
    assert Language.word("").listed == ("",)
    assert pattern("^a*$").listed is None


def test_there_is_no_bare_language() -> None:
    with pytest.raises(TypeError, match=r"Language\.pattern"):
        Language()


class TestBackreferences:
    """A group that can hold few texts makes one regular pattern for each."""

    @pytest.mark.parametrize(
        ("source", "inside", "outside"),
        [
            (r"^(a|b)c\1$", ["aca", "bcb"], ["acb", "ac", "c"]),
            (r"""^(?<q>['"]).*\k<q>$""", ["'x'", '"x"', "'\"'"], ["'x\"", "'"]),
            (r"^(a?)b\1$", ["b", "aba"], ["ab", "ba"]),
            (r"^(a|b)(c|d)\2\1$", ["acca", "bddb"], ["acac", "accb"]),
            (r"^(a|b)(?!\1)[ab]$", ["ab", "ba"], ["aa", "a"]),
            (r"^(a|b)(?:x|\1)*$", ["a", "aax", "bxb"], ["ab", "bxa"]),
        ],
    )
    def test_such_a_pattern_is_exact(self, source: str, inside: list[str], outside: list[str]) -> None:
        language, engine = pattern(source), Regex(source, "u")
        assert language.exact
        for text in inside:
            assert engine.test(text)
            assert language.matches(text)
        for text in outside:
            assert not engine.test(text)
            assert not language.matches(text)

    @pytest.mark.parametrize(
        "source",
        [r"^(?:(a)|b)\1$", r"^(a)?\1$", r"^(?:(a|b)c)+\1$", r"^\1(a|b)$", r"((a)\2|b)\1", r"^(?=a?(a|.b))(\1)$"],
    )
    def test_a_group_that_may_not_take_part_is_not_fixed(self, source: str) -> None:
        assert not pattern(source).exact


class TestWhatIsNotRegular:
    """Bounds from both sides, and the truth word by word."""

    @pytest.mark.parametrize(
        ("source", "inside", "outside"),
        [
            (r"^([ab]+)c\1$", ["aca", "abcab"], ["acb", "ac", "c"]),
            (r"^(?:(a)|b)\1$", ["aa", "b"], ["a", "ba"]),
            (r"^\1(a)$", ["a"], ["aa"]),
            (r"^(?!(a|b)\1)[ab]+$", ["ab", "ba", "a"], ["aab", "bb"]),
            (r"^(?:a(?<=a$)|b)+$", ["a", "ba", "b"], ["ab"]),
            (r"(?i:abc)", ["xAbC"], ["ab"]),
        ],
    )
    def test_membership_is_true_and_the_bounds_hold(self, source: str, inside: list[str], outside: list[str]) -> None:
        language = pattern(source)
        assert not language.exact
        for text in inside:
            assert language.matches(text)
            assert language.over.matches(text)
            assert not (~language).under.matches(text)
        for text in outside:
            assert not language.matches(text)
            assert (~language).matches(text)
            assert not language.under.matches(text)
            assert (~language).over.matches(text)

    def test_the_bounds_are_exact_languages(self) -> None:
        language = pattern(r"^([ab]+)c\1$") - pattern("^x") | Language.word("q")
        assert not language.exact
        assert language.over.exact
        assert language.under.exact
        assert not language.over.matches("xca")
        assert language.under.matches("q")

    def test_a_regular_language_is_its_own_bounds(self) -> None:
        a = pattern("^a$")
        assert a.exact
        assert a.over is a
        assert a.under is a

    def test_a_search_finds_a_true_word_or_says_that_it_cannot(self) -> None:
        language = pattern(r"^([ab]+)c\1$")
        assert find([language]) in (Word("aca"), Word("bcb"))
        assert find([language, ~pattern("^a")]) == Word("bcb")
        assert find([language, pattern("^c")]) == Empty()
        assert find([~language, pattern("^[abc]{3}$")]) == Word("aaa")
        assert find([pattern(r"^(.+)-\1$"), pattern("^.{7}$")]) == Word("abc-abc")
        hidden = find([pattern(r"^([ab]+)c\1$"), pattern("^a*b{3}.*a$")])
        assert isinstance(hidden, GaveUp)
        assert "not regular" in hidden.reason

from __future__ import annotations

import pytest

from compat.errors import RegexError
from compat.logic.regex import Language, PatternError

# pattern, a text it finds, a text it does not
FORMS = [
    (r"^\-$", "-", "\\-"),
    (r"^\_$", "_", "\\_"),
    (r"^\@\!\'$", "@!'", "@!"),
    (r"^a]$", "a]", "a"),
    (r"^a}$", "a}", "a"),
    (r"^a{$", "a{", "a"),
    (r"^a{,3}$", "a{,3}", "aa"),
    (r"^a{2$", "a{2", "aa"),
    (r"^a{x}$", "a{x}", "a"),
    (r"^{$", "{", ""),
    (r"^[\w-.]$", "-", ","),
    (r"^[a-\d]$", "-", "b"),
    (r"^[\d-z]$", "z", "a"),
    (r"^[--/]$", ".", ","),
    (r"^[a\-z]$", "-", "b"),
    (r"^[]$|^x$", "x", ""),
    (r"^[^]$", "\n", ""),
    (r"^[^^]$", "a", "^"),
    (r"^[[]$", "[", "]"),
    (r"^[\]]$", "]", "["),
    (r"^[\b]$", "\b", "b"),
    (r"^\cA$", "\x01", "A"),
    (r"^\cz$", "\x1a", "z"),
    (r"^[\c_]$", "\x1f", "_"),
    (r"^\c!$", "\\c!", "c!"),
    (r"^\x41$", "A", "x41"),
    (r"^\x4$", "x4", "\x04"),
    (r"^\u0041$", "A", "u0041"),
    (r"^\u004$", "u004", "\x04"),
    (r"^\u{1F600}$", "😀", "u"),
    (r"^\uD83D\uDE00$", "😀", "\ufffd"),
    (r"^[\uD83D\uDE00-\uD83D\uDE02]$", "😁", "😃"),
    (r"^😀+$", "😀😀", "😀x"),
    (r"^\0$", "\0", "0"),
    (r"^\101$", "A", "101"),
    (r"^\8$", "8", "\\8"),
    (r"^[\1]$", "\x01", "1"),
    (r"^\t\n\v\f\r$", "\t\n\v\f\r", "tnvfr"),
    (r"^\/\.\*$", "/.*", "/x*"),
    (r"^(?:ab)?c$", "c", "abab"),
    (r"^(?<year>\d{4})-(?<$_x>\d)$", "2024-1", "2024-"),
    (r"^\k$", "k", "\\k"),
    (r"^\k<n>$", "k<n>", "k"),
    (r"^\u{}$", "u{}", "u"),
    (r"^\u{3x}$", "u{3x}", "uuu"),
    (r"^a+?b*?c??d{1,2}?$", "aabdd", "d"),
    (r"^(?=a)*a$", "a", "b"),
    (r"^(?!b){2}a$", "a", "b"),
    (r"^(?:(?<=a))*a$", "a", "b"),
    (r"^a{2}{3}|^x$".replace("{3}", ""), "aa", "a"),
    (r"^a{0}$", "", "a"),
    (r"^a{01}$", "a", ""),
    (r"", "", None),
    (r"|a", "", None),
    (r"()", "", None),
    (r"^(|a)$", "a", "b"),
    (r"^\p{Lu}\p{Letter}\p{Script=Greek}\p{sc=Latn}$", "Aéλa", "aéλa"),
    (r"^[\p{N}\p{P}]$", "٣", "a"),
    (r"^\P{L}$", "1", "a"),
    (r"^[^\P{Lu}]$", "A", "a"),
    (r"^\p{Emoji}\p{ASCII}\p{Alphabetic}\p{L}$", "1aaa", "aaaa"),
    (r"^\p{General_Category=Decimal_Number}$", "4", "a"),
    (r"^\p{Any}$", "\n", ""),
    (r"^\p{digit}$", "7", "x"),
    (r"^\p$", "p", "P"),
    (r"^(?i:a)$", "A", "b"),
]


@pytest.mark.parametrize(("source", "inside", "outside"), FORMS)
def test_a_form_is_read_as_ecmascript_reads_it(source: str, inside: str, outside: str | None) -> None:
    language = Language.pattern(source)
    assert language.matches(inside)
    assert outside is None or not language.matches(outside)


MISTAKES = [
    ("(", 0, "never closed"),
    ("a(b", 1, "never closed"),
    ("a)", 1, "never opened"),
    ("[a", 0, "class that is never closed"),
    ("x[\\", 2, "nothing after it"),
    ("a\\", 1, "nothing after it"),
    ("*a", 0, "nothing to repeat"),
    ("a|+", 2, "nothing to repeat"),
    ("a**", 2, "nothing to repeat"),
    ("{1}", 0, "nothing to repeat"),
    ("^*", 0, "nothing to repeat"),
    ("\\b+", 0, "nothing to repeat"),
    ("(?<=a)?", 0, "nothing to repeat"),
    ("a{2,1}", 0, "out of order"),
    ("[z-a]", 1, "out of order"),
    ("(?i)a", 0, "unknown kind of group"),
    ("(?P<n>a)", 0, "unknown kind of group"),
    ("(?>a)", 0, "unknown kind of group"),
    ("(?<1>a)", 0, "group name"),
    ("(?<n>a)(?<n>b)", 7, "second group named 'n'"),
    ("(?<n>a)\\k<m>", 7, "group that is not there"),
    ("\\p{Nope}", 0, "no Unicode property named 'Nope'"),
    ("\\p{}", 0, "no Unicode property"),
    ("[\\p{Script=Nope}]", 1, "no Unicode property"),
    ("(" * 101 + ")" * 101, 100, "nested more than 100 deep"),
    ("a{1234567890123456789}", 2, "18 digits"),
]


@pytest.mark.parametrize(("source", "position", "problem"), MISTAKES)
def test_a_mistake_is_named_with_its_place(source: str, position: int, problem: str) -> None:
    with pytest.raises(RegexError) as caught:
        Language.pattern(source)
    assert isinstance(caught.value, PatternError)
    assert problem in caught.value.message
    assert caught.value.position == position
    assert f"character {position + 1} " in caught.value.message
    assert caught.value.hint


def test_a_group_may_be_as_deep_as_the_limit() -> None:
    assert Language.pattern("(" * 100 + "a" + ")" * 100).matches("a")


def test_a_pattern_may_not_be_endless() -> None:
    with pytest.raises(RegexError, match="100000 characters"):
        Language.pattern("a" * 100_001)

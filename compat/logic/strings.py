"""Strings: regular languages and their complements, a length range, excluded words, opaque formats."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable

from compat.logic.answer import EMPTY, Answer, found, unknown
from compat.logic.budget import Budget
from compat.logic.formats import bounds, within
from compat.logic.predicates import Format, Match, Predicate, Size
from compat.logic.regex import Empty, Exhausted, GaveUp, Language, Word, find, words

FormatTest = Callable[[str, str], "bool | None"]

# So many words are tried against an asserted format before it is left open.
_TRIED = 8


def solve_strings(
    predicates: Iterable[Predicate],
    excluded: Collection[Hashable],
    limit: int,
    budget: Budget,
    test_format: FormatTest | None = None,
) -> Answer:
    """Give up to `limit` words, short and printable ones first, that satisfy every predicate.

    An asserted format is tested on the words found; what it says of all others stays open.
    """
    shortest, longest = 0, None
    languages: list[Language] = []
    formats: list[Format] = []
    for predicate in predicates:
        if isinstance(predicate, Size):
            if predicate.at_least:
                shortest = max(shortest, predicate.n)
            else:
                longest = predicate.n if longest is None else min(longest, predicate.n)
        elif isinstance(predicate, Match):
            languages.append(predicate.language if predicate.holds else ~predicate.language)
        elif isinstance(predicate, Format):
            known = bounds(predicate.name)
            if known is not None:
                languages.append(known.over if predicate.holds else ~known.under)
            if known is None or not known.exact:
                formats.append(predicate)
    if longest is not None and longest < shortest:
        return EMPTY
    # A word is built character by character; nobody reads a witness of a million of them.
    budget.spend(shortest // 16)
    if any(within(one.name, other.name) for one in formats if one.holds for other in formats if not other.holds):
        return EMPTY
    lengths = (shortest, longest)
    banned = [word for word in excluded if isinstance(word, str)]
    if limit == 1 and not formats:
        return _shortest(languages, lengths, banned, budget)
    answer = _several(languages, lengths, banned, limit if not formats else limit + _TRIED, budget)
    if not formats or answer.empty:
        return answer
    fitting = [
        word
        for word in answer.values
        if test_format is not None and all(test_format(one.name, word) is one.holds for one in formats)
    ]
    if fitting:
        return Answer(tuple(fitting[:limit]))
    return unknown(f'whether a string is a "{formats[0].name}" is not decided here')


def _shortest(
    languages: list[Language], lengths: tuple[int, int | None], banned: Collection[str], budget: Budget
) -> Answer:
    match find(languages, lengths=lengths, exclude=banned, budget=budget):
        case Word(text=text):
            return found(text)
        case Empty():
            return EMPTY
        case GaveUp(reason=reason):
            return unknown(reason)


def _several(
    languages: list[Language], lengths: tuple[int, int | None], banned: Collection[str], limit: int, budget: Budget
) -> Answer:
    chosen, ending = words(languages, lengths=lengths, exclude=banned, limit=limit, budget=budget)
    if isinstance(ending, GaveUp):
        return Answer(chosen, doubt=ending.reason)
    return Answer(chosen, complete=isinstance(ending, Exhausted))

"""Sets of property names: names, regular languages, and complements of both.

`properties` names keys, `patternProperties` gives languages, `additionalProperties` is the complement of both;
the evaluated keys of `unevaluatedProperties` are unions of all of these.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from compat.logic.regex.language import Language


class KeySet:
    """An immutable set of keys: `names` ∪ `languages`, or, where `outside`, the complement of that."""

    __slots__ = ("_hash", "languages", "names", "outside", "single")

    single: str | None

    def __init__(
        self,
        names: frozenset[str] = frozenset(),
        languages: frozenset[Language] = frozenset(),
        outside: bool = False,
    ) -> None:
        self.names = names
        self.languages = languages
        self.outside = outside
        self._hash = hash((names, languages, outside))
        # The only key of the set, where there is just one and it is named.
        self.single = next(iter(names)) if len(names) == 1 and not languages and not outside else None

    @classmethod
    def of(cls, *names: str) -> KeySet:
        return _single(names[0]) if len(names) == 1 else cls(frozenset(names))

    @classmethod
    def matching(cls, *languages: Language) -> KeySet:
        return cls(frozenset(), frozenset(languages))

    @classmethod
    def all(cls) -> KeySet:
        return cls(outside=True)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, KeySet)
            and self.outside is other.outside
            and self.names == other.names
            and self.languages == other.languages
        )

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        inside = ", ".join([*sorted(self.names), *(str(language) for language in self.languages)])
        return f"{'¬' if self.outside else ''}{{{inside}}}"

    def __contains__(self, key: str) -> bool:
        if key in self.names:
            return not self.outside
        if self.languages and any(language.matches(key) for language in self.languages):
            return not self.outside
        return self.outside

    @property
    def complement(self) -> KeySet:
        return KeySet(self.names, self.languages, not self.outside)

    def without(self, names: Iterable[str]) -> KeySet:
        """Take some names out."""
        taken = frozenset(names)
        if self.outside:
            return KeySet(self.names | taken, self.languages, outside=True)
        return self._without(KeySet(taken))

    def language(self) -> Language:
        """Give the set as one regular language."""
        joined = Language.words(sorted(self.names))
        for language in sorted(self.languages, key=str):
            joined = joined | language
        return ~joined if self.outside else joined

    def union(self, others: Iterable[KeySet]) -> KeySet:
        """Join sets; where complements meet, languages carry the remainder."""
        result = self
        for other in others:
            result = result._join(other)
        return result

    def _join(self, other: KeySet) -> KeySet:
        if not self.outside and not other.outside:
            return KeySet(self.names | other.names, self.languages | other.languages)
        if self.outside and other.outside:
            return self.complement._meet(other.complement).complement
        outside, inside = (self, other) if self.outside else (other, self)
        return outside.complement._without(inside).complement

    def _meet(self, other: KeySet) -> KeySet:
        """Intersect two positive sets."""
        names = {name for name in self.names | other.names if name in self and name in other}
        if not self.languages or not other.languages:
            return KeySet(frozenset(names))
        return KeySet(frozenset(names), frozenset({_united(self.languages) & _united(other.languages)}))

    def _without(self, other: KeySet) -> KeySet:
        """Take a positive set out of a positive one."""
        names = frozenset(name for name in self.names if name not in other)
        if not self.languages:
            return KeySet(names)
        left = _united(self.languages) - Language.words(other.names)
        if other.languages:
            left = left - _united(other.languages)
        return KeySet(names, frozenset({left}))


@lru_cache(maxsize=8192)
def _single(name: str) -> KeySet:
    return KeySet(frozenset([name]))


def _united(languages: Iterable[Language]) -> Language:
    joined = Language.none()
    for language in languages:
        joined = joined | language
    return joined

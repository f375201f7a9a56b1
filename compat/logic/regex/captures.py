"""Backreferences made regular: `(['"]).*\\1` is one pattern for each text the group can hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice, product, zip_longest

from compat.logic.regex.charset import in_reading_order
from compat.logic.regex.syntax import Back, Choice, Group, Look, Loop, Modified, One, Sequence, Syntax

_TEXTS = 16  # texts of one group that are tried
_SAMPLES = 3  # characters that stand for a large set
_CASES = 64  # combinations of texts of all groups


@dataclass(slots=True)
class Captures:
    """What a pattern captures and refers to."""

    groups: dict[int | str, Group] = field(default_factory=dict)
    _certain: set[int] = field(default_factory=set)
    _referred: dict[int, None] = field(default_factory=dict)
    _closed: set[int] = field(default_factory=set)
    _unclear: bool = False

    @staticmethod
    def of(tree: Syntax) -> Captures:
        found = Captures()
        found._name(tree)
        found._walk(tree, certain=True, backwards=False)
        return found

    def cases(self) -> tuple[list[dict[int, str]], bool]:
        """Give the texts of the groups referred to, case by case, and whether these are all the cases there are.

        Only a group that takes part in every match, once, can be fixed to a text; otherwise there are no cases.
        """
        if self._unclear or not self._referred or not self._certain.issuperset(self._referred):
            return [], False
        complete = True
        columns: list[list[str]] = []
        for number in self._referred:
            texts, all_of_them = _texts(self.groups[number].body)
            complete = complete and all_of_them
            columns.append(texts)
        rows = list(islice(product(*columns), _CASES + 1))
        complete = complete and len(rows) <= _CASES
        return [dict(zip(self._referred, row, strict=True)) for row in rows[:_CASES]], complete

    def _name(self, tree: Syntax) -> None:
        if isinstance(tree, Group):
            self.groups[tree.number] = tree
            if tree.name is not None:
                self.groups[tree.name] = tree
        for part in children(tree):
            self._name(part)

    def _walk(self, tree: Syntax, *, certain: bool, backwards: bool) -> None:
        """Note which groups always take part, and that no reference comes before its group has ended."""
        if isinstance(tree, Back):
            number = self.groups[tree.target].number
            self._referred[number] = None
            self._unclear = self._unclear or backwards or number not in self._closed
            return
        # A lookahead is never tried a second time for another capture, so what it captures is left alone.
        inside = certain and isinstance(tree, Sequence | Group)
        backwards = backwards or (isinstance(tree, Look) and not tree.ahead)
        for part in children(tree):
            self._walk(part, certain=inside, backwards=backwards)
        if isinstance(tree, Group):
            self._closed.add(tree.number)
            if certain and not backwards and not any(True for _ in _references_or_groups(tree.body)):
                self._certain.add(tree.number)


def children(tree: Syntax) -> tuple[Syntax, ...]:
    """The pieces of a piece."""
    match tree:
        case Sequence(parts) | Choice(parts):
            return parts
        case Loop(body=body) | Group(body=body) | Look(body=body) | Modified(body):
            return (body,)
        case _:
            return ()


def _references_or_groups(tree: Syntax) -> Iterator[Syntax]:
    if isinstance(tree, Back | Group):
        yield tree
    for part in children(tree):
        yield from _references_or_groups(part)


def _texts(tree: Syntax) -> tuple[list[str], bool]:
    """List texts a piece can match, and say whether these are all; none where assertions decide."""
    match tree:
        case One(chars):
            few = chars.size() <= _TEXTS
            return [chr(point) for point in islice(in_reading_order(chars), _TEXTS if few else _SAMPLES)], few
        case Sequence(items):
            return _joined([_texts(item) for item in items])
        case Choice(options):
            found = [_texts(option) for option in options]
            texts = list(dict.fromkeys(text for some, _ in found for text in some))
            return texts[:_TEXTS], len(texts) <= _TEXTS and all(complete for _, complete in found)
        case Loop(body, low, high) if low <= _TEXTS:
            most = low + 2 if high is None else min(high, low + 2)
            once = _texts(body)
            found = [_joined([once] * count) for count in range(low, most + 1)]
            # A few of each length, rather than all of the first.
            rows = zip_longest(*(some for some, _ in found))
            texts = list(dict.fromkeys(text for row in rows for text in row if text is not None))
            return texts[:_TEXTS], most == high and len(texts) <= _TEXTS and all(complete for _, complete in found)
        case _:
            return [], False


def _joined(pieces: list[tuple[list[str], bool]]) -> tuple[list[str], bool]:
    texts, complete = [""], True
    for some, all_of_them in pieces:
        longer = [text + more for text in texts for more in some]
        complete = complete and all_of_them and len(longer) <= _TEXTS
        texts = longer[:_TEXTS]
    return texts, complete

"""Records that must stay invalid: what a newer version makes of what an older one was meant to refuse."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from compat.errors import CompatError
from compat.replay.parse import Kind
from compat.replay.read import Outcome, Record, Unreadable
from compat.replay.run import Checker, Losses
from compat.replay.summary import MOST_PLACES, RecordPlace, Trouble


@dataclass(frozen=True, slots=True)
class Rejected:
    """What became of the rejects of one version.

    `accepted` are those that the new version takes; `never_refused` those that their own version takes too, so that
    they are no rejects at all. The places are the first of each.
    """

    refused: int = 0
    accepted: int = 0
    never_refused: int = 0
    first_accepted: tuple[RecordPlace, ...] = ()
    first_never_refused: tuple[RecordPlace, ...] = ()
    unreadable: int = 0
    troubles: tuple[Trouble, ...] = ()

    @property
    def read(self) -> int:
        return self.refused + self.accepted + self.never_refused + self.unreadable


def judge_rejects(outcomes: Iterable[Outcome], old: Checker, new: Checker) -> Rejected:
    """Ask both versions about every reject, by the reference: there are few, and each was chosen by hand."""
    refused = accepted = never = 0
    first_accepted: list[RecordPlace] = []
    first_never: list[RecordPlace] = []
    lost = Losses()
    for outcome in outcomes:
        if not isinstance(outcome, Record):
            lost.take(outcome)
            continue
        place = RecordPlace(outcome.source, outcome.line)
        try:
            before = old.confirms(outcome)
            passes = before if old is new else new.confirms(outcome)
        except CompatError as error:
            lost.take(Unreadable(Kind.UNCHECKED, error.message, outcome.source, outcome.line))
            continue
        except RecursionError:
            lost.take(Unreadable(Kind.TOO_DEEP, "nested too deeply to be validated", outcome.source, outcome.line))
            continue
        if before:
            never += 1
            first_never.append(place)
        elif passes:
            accepted += 1
            first_accepted.append(place)
        else:
            refused += 1
        del first_never[MOST_PLACES:], first_accepted[MOST_PLACES:]
    return Rejected(refused, accepted, never, tuple(first_accepted), tuple(first_never), lost.count, lost.troubles())

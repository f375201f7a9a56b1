"""The stops of the tour: which command is run where, why it is worth a look, and how it should end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from compat.demo.repository import CARELESS, HONEST, MAIN
from compat.errors import UsageError, did_you_mean

TASK = "schemas/task/task.schema.json"
KWAU = "schemas/kwau-conversations/kwau-conversations.schema.json"

# How many characters of a commit id the shown command lines carry.
_SHORT = 10


@dataclass(frozen=True, slots=True)
class Stop:
    """One command of the tour.

    `why` is said before the command runs, `then` after it; `exit_code` is the one it ends with when all is well,
    which is 1 where it is there to object. `branch` is checked out first.
    """

    name: str
    title: str
    why: str
    arguments: tuple[str, ...]
    then: str
    exit_code: int = 0
    branch: str = MAIN


def stops(ids: Mapping[str, str]) -> tuple[Stop, ...]:
    """Give the tour of a repository whose versions are the commits `ids`, as `repository.build` returned them."""

    def at(label: str) -> str:
        return ids[label][:_SHORT]

    return (
        Stop(
            name="list",
            title="What is governed here?",
            why="Nothing is configured. Files that are schemas by name or by content are found, and grouped to "
            "lineages; the version is read from where each of them keeps it.",
            arguments=("list",),
            then="Four contracts, three ways to count versions, and the records stored under each.",
        ),
        Stop(
            name="log",
            title="What became of one of them?",
            why="task counts with one number, which moves only when stored data would break. Every version is set "
            "against the one before, apart from the version tag that each record carries.",
            arguments=("log", "task"),
            then="Two steps break old data, and both have a new number; the others did not need one.",
        ),
        Stop(
            name="refactor",
            title="A change that looks large and does nothing",
            why="task, revision 3 of version 1, moved timestamps and identifiers to $defs: a dozen changed places.",
            arguments=(
                "diff",
                at("task version 1, revision 2"),
                at("task version 1, revision 3"),
                f"--path={TASK}",
            ),
            then="Both directions are proved: the two files accept exactly the same values.",
        ),
        Stop(
            name="break",
            title="A change that breaks, with the value that shows it",
            why="kwau-conversations 2.0.0 renamed a tool and no longer allows an answer without a model.",
            arguments=("diff", "kwau-conversations/1.3.0", "kwau-conversations/2.0.0", f"--path={KWAU}"),
            then="Every break comes with a value that the old version accepts and the new one rejects.",
            exit_code=1,
        ),
        Stop(
            name="records",
            title="Does anything that was really stored do it?",
            why="A proof says what could happen; the records stored under any version of kwau-conversations say what "
            "does, when readers of 1.3.0 become readers of 2.0.0.",
            arguments=("replay", "kwau-conversations", "--old=kwau-conversations/1.3.0"),
            then="Counts, causes and first places; values stay private unless you ask for them.",
            exit_code=1,
        ),
        Stop(
            name="pull-request",
            title="A pull request, judged",
            why=f"The branch {CARELESS} drops the rows of turns that did not complete, and keeps the version number.",
            arguments=("check",),
            then="The break is proved, and the records say how often it matters. In CI this fails the pull request.",
            exit_code=1,
            branch=CARELESS,
        ),
        Stop(
            name="gate",
            title="Is the version number honest?",
            why="The same branch, asked before a release: which bump does the change need, and which does it declare?",
            arguments=("gate", "pw-decide-row"),
            then="It needs a new number and declares none.",
            exit_code=1,
            branch=CARELESS,
        ),
        Stop(
            name="honest",
            title="The same change, as version 3",
            why=f"The branch {HONEST} says what it does.",
            arguments=("gate", "pw-decide-row"),
            then="A break is allowed, as long as the number tells.",
            branch=HONEST,
        ),
        Stop(
            name="changelog",
            title="What do consumers read?",
            why="The changelog is written from the released versions and from what was proved about them.",
            arguments=("changelog", "invocation-response"),
            then="That is the whole way: from a commit to the sentence a consumer reads.",
        ),
    )


def chosen(tour: Sequence[Stop], names: Sequence[str]) -> tuple[Stop, ...]:
    """Keep the stops that were asked for, in the order of the tour; all of them when none was."""
    known = [stop.name for stop in tour]
    for name in names:
        if name not in known:
            raise UsageError(
                f"the tour has no stop {name!r}.", hint=did_you_mean(name, known) or f"It has: {', '.join(known)}."
            )
    return tuple(stop for stop in tour if not names or stop.name in names)

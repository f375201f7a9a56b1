"""Rules of the keywords that hold one schema for everything a schema does not name."""

from __future__ import annotations

from collections.abc import Iterator

from compat.diff.scalars import kebab
from compat.jsonvalue import JSON
from compat.relation import Effect
from compat.rules.rule import Example, Rule, Text, mirrored
from compat.rules.wording import OLD_DATA_FAILS, OLD_READERS_FAIL, READERS_FIRST, keep


def rest_rules(keyword: str, what: str, states: tuple[JSON, JSON, JSON], *, wrong: JSON, right: JSON) -> Iterator[Rule]:
    """Make the four rules of such a keyword.

    `states` are the schema open, closed, and with a schema for the rest, which refuses `wrong` and accepts `right`.
    """
    free, closed, constrained = states
    name, subject = kebab(keyword), what[0].upper() + what[1:]
    yield from mirrored(
        keyword,
        Effect.NARROWS,
        Example(free, closed, old_only=(right, wrong)),
        Text(
            f"{name}-closed",
            f"{subject} are refused now.",
            OLD_DATA_FAILS,
            f"leave them open, or name everything that stored data has before setting `{keyword}` to false.",
        ),
        Text(
            f"{name}-opened",
            f"{subject} were refused and are accepted now.",
            f"Closing again later will break whatever was written meanwhile. {OLD_READERS_FAIL}",
            READERS_FIRST,
        ),
    )
    yield from mirrored(
        keyword,
        Effect.NARROWS,
        Example(free, constrained, old_only=(wrong,)),
        Text(
            f"{name}-constrained",
            f"{subject} were free and must satisfy a schema now.",
            OLD_DATA_FAILS,
            "choose a schema that all stored data satisfies, or release it as a new major version.",
        ),
        Text(
            f"{name}-freed",
            f"{subject} need not satisfy a schema any more.",
            OLD_READERS_FAIL,
            keep("the schema"),
        ),
    )

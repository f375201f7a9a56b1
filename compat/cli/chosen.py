"""The lineages that a command line names, or all of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from compat.errors import SourceError, UsageError

if TYPE_CHECKING:
    from compat.lineage import Lineage
    from compat.project import Project


def chosen(project: Project, names: Sequence[str], revision: str | None = None) -> tuple[Lineage, ...]:
    """Give the lineages named by name or by a file's path, else every lineage; SourceError where there is none.

    UsageError where a name means no lineage.
    """
    if names:
        return tuple(_named(project, name, revision) for name in names)
    found = project.lineages(revision)
    if not found:
        raise SourceError("no schema was found", hint="compat list shows what was passed over and why.")
    return found


def _named(project: Project, name: str, revision: str | None) -> Lineage:
    known = project.lineages(revision)
    if not known:
        raise SourceError("no schema was found", hint="compat list shows what was passed over and why.")
    try:
        return project.lineage(from_top(project, name), revision)
    except SourceError as error:
        raise UsageError(error.message, place=error.place, hint=error.hint) from None


def from_top(project: Project, name: str) -> str:
    """Read a name that is a file here as its path from the root."""
    here = Path(name)
    return project.root.relative(here) if here.is_file() else name

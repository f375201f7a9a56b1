"""What a shell offers for words that only the repository or the catalogue knows."""

from __future__ import annotations

from pathlib import Path

import click


def rules(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Offer the rules, by their beginning."""
    from compat.assess import OWN_RULES
    from compat.rules.catalogue import RULES

    return [rule for rule in (*RULES, *OWN_RULES) if rule.startswith(incomplete)]


def lineages(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Offer the lineages around the working folder; nothing where it cannot be read, since nobody can be told why."""
    from compat.errors import CompatError
    from compat.project import Project

    try:
        with Project.open(Path.cwd()) as project:
            return [name for name in project.moment().families if name.startswith(incomplete)]
    except (CompatError, OSError):
        return []

"""Whose records lie where: what a path says about the records in a file, and what records say themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from compat.lineage import Lineage, Version, VersionNumber, root_constants
from compat.project import Project
from compat.project.releases import latest_of_number, released
from compat.replay.route import Hint, Router, Rule, Target, target
from compat.sources.history import plain_name
from compat.sources.patterns import matches

_SEPARATORS = re.compile(r"[-_.@]")
# Inside a longer name only what is spelled like a version is one: `part-3` is the third part.
_SPELLED = re.compile(r"[vV]\d+(?:\.\d+)*|\d+(?:\.\d+)+|\d+-\d+-\d+")


class Routes:
    """The versions of some lineages by number, and how a record finds its own."""

    def __init__(self, project: Project, lineages: Sequence[Lineage]) -> None:
        self._project = project
        self._lineages = {lineage.name: lineage for lineage in lineages}
        self._versions: dict[str, tuple[Version, ...]] = {}

    @cached_property
    def router(self) -> Router:
        """What tells the version of a record by what it says."""
        return Router(one for lineage in self._lineages.values() for one in self._targets(lineage))

    def versions(self, lineage: str) -> tuple[Version, ...]:
        """Give the version that data under each number is written by, oldest first; those without a number by commit.

        A version that cannot be read is left out.
        """
        if lineage not in self._versions:
            self._versions[lineage] = tuple(self._numbered(self._lineages[lineage]))
        return self._versions[lineage]

    def version(self, found: Target) -> tuple[Lineage, Version]:
        """Give what a target stands for."""
        lineage = self._lineages[found.lineage]
        return lineage, next(one for one in self.versions(found.lineage) if one.label == found.version)

    def hint(self, path: str) -> Hint:
        """Tell from a path whose records a file holds: by the configuration, else by its folders and its name.

        A number counts only where the lineage has a version of it: `2026.04` is more often a month.
        """
        name, number = self._configured(path)
        name = name or self._named(path)
        known = [] if name is None else [one.number for one in self.versions(name) if one.number is not None]
        if number is None:
            number = next((each for each in _numbers(path, name or "") if each in known), None)
        return Hint(name, number)

    def _configured(self, path: str) -> tuple[str | None, VersionNumber | None]:
        for name in self._lineages:
            for rule in self._project.config.record_rules(name):
                if not rule.is_location and matches(rule.pattern, path):
                    return name, rule.version
        return None, None

    def _named(self, path: str) -> str | None:
        """Find the lineage that a folder around a file, or the file itself, is called by; the longest name wins."""
        around = "/" + plain_name(path) + "/"
        found = [name for name in self._lineages if f"/{name}/" in around]
        file = around.rstrip("/").rpartition("/")[2]
        found += [name for name in self._lineages if file.startswith(name) and _SEPARATORS.match(file[len(name) :])]
        return max(found, key=len, default=None)

    def _numbered(self, lineage: Lineage) -> Iterator[Version]:
        versions = [version for version in self._project.versions(lineage) if version.digest]
        found = released(self._project, lineage, versions)
        told: set[str] = set()
        for version in versions:
            latest = latest_of_number(found, versions, version.number) or version
            if latest.label not in told:
                told.add(latest.label)
                yield latest

    def _targets(self, lineage: Lineage) -> Iterator[Target]:
        config = self._project.config
        rule = Rule(config.schema(lineage.name).route, config.version_rule(lineage.name).property)
        for version in self.versions(lineage.name):
            schema = self._project.version_sides(version).document.value
            # A number that the schema holds as a constant is told by that.
            mine = Rule(rule.when) if rule.version in root_constants(schema) else rule
            yield target(lineage.name, version.label, schema, number=version.number, rule=mine)


def _numbers(path: str, lineage: str) -> Iterator[VersionNumber]:
    """Yield what could be a version number in a path, nearest to the record first."""
    for step in reversed(plain_name(path).split("/")):
        rest = step.removeprefix(lineage).lstrip("-_.@") if lineage else step
        for text in (step, rest, *_SPELLED.findall(rest)):
            try:
                yield VersionNumber.parse(text)
            except ValueError:
                continue

"""The schemas of one moment, a commit or the working tree: found, parsed once, closed under their references."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from compat.errors import CompatError, ConfigError, Place, ReferenceError, SourceError
from compat.lineage import NumberSource, VersionNumber, group, version_of
from compat.model import uris
from compat.model.document import Document, Syntax, parse_document
from compat.model.references import SchemaSet, schema_set
from compat.model.regexes import compile_pattern
from compat.project.config import Config, VersionRule
from compat.project.facts import Facts, facts_of, facts_of_document
from compat.project.identifiers import Identifiers, Standing, absolute
from compat.project.scanning import Links, file_uri, path_of, scan_links
from compat.sources.discovery import Discovery, discover
from compat.sources.files import inside, shown
from compat.sources.git import could_be_schema
from compat.sources.objects import Entry
from compat.sources.patterns import matches
from compat.sources.renames import Read
from compat.sources.snapshot import Snapshot


@dataclass(slots=True)
class Contents:
    """What was read out of blobs, by their hash: shared by all moments of a project."""

    documents: dict[tuple[str, Syntax], Document] = field(default_factory=dict)
    facts: dict[tuple[str, Syntax], Facts] = field(default_factory=dict)
    links: dict[str, Links] = field(default_factory=dict)
    without_identifier: set[str] = field(default_factory=set)

    def knows(self, entry: Entry) -> bool:
        """Whether the facts of a content are known."""
        return (entry.oid, Syntax.of(entry.path)) in self.facts

    def learn(self, entry: Entry, facts: Facts) -> None:
        """Take the facts of a content that was read elsewhere."""
        self.facts[entry.oid, Syntax.of(entry.path)] = facts

    def closed(self, oid: str | None, path: str) -> bool:
        """Whether a content is known to mean the same wherever it stands."""
        known = self.facts.get((oid or "", Syntax.of(path)))
        return known is not None and known.closed

    def facts_of(self, entry: Entry, read: Read) -> Facts:
        """Give what the content of a file says by itself; what cannot be read is looked for again the next time."""
        key = (entry.oid, Syntax.of(entry.path))
        known = self.facts.get(key)
        if known is None:
            document = self.documents.get(key)
            try:
                known = facts_of(read(entry), entry.path) if document is None else facts_of_document(document)
            except SourceError as error:
                return Facts("", error.message)
            self.facts[key] = known
        return known

    def identifier_of(self, entry: Entry, read: Read) -> str | None:
        """Give the `$id` in a content; one that never spells the word is not parsed."""
        key = (entry.oid, Syntax.of(entry.path))
        if entry.oid in self.without_identifier:
            return None
        if key not in self.facts and key not in self.documents:
            try:
                data = read(entry)
            except SourceError:
                return None
            if not scan_links(entry.path, data).identifiers:
                self.without_identifier.add(entry.oid)
                return None
            self.facts[key] = facts_of(data, entry.path)
        return self.facts_of(entry, read).identifier


class Moment:
    """One state of the project's files. `revision` is a commit, the index, or None for what is on disk."""

    def __init__(
        self,
        snapshot: Snapshot,
        config: Callable[[], Config],
        contents: Contents,
        revision: str | None = None,
        identifiers: Callable[[], Identifiers] | None = None,
    ) -> None:
        self.snapshot = snapshot
        self.revision = revision
        self._make_identifiers = identifiers
        self._make_config = config
        self._contents = contents
        self._documents: dict[str, Document] = {}
        self._sets: dict[tuple[str, str], SchemaSet] = {}

    @property
    def label(self) -> str:
        return self.snapshot.label or "working tree"

    @cached_property
    def config(self) -> Config:
        """The configuration as it stood at this moment."""
        return self._make_config()

    # What is there

    @cached_property
    def discovery(self) -> Discovery:
        """The governed files, and what came near and why it is passed over."""
        return discover(
            self.snapshot, configured=self.config.files, exclude=self.config.excluded, scope=self.config.folder
        )

    def require_matches(self, before: Moment | None = None) -> tuple[str, ...]:
        """Raise ConfigError where a configured pattern matches no file: nothing found is no success.

        One that still matched at the moment `before` belongs to what was deleted since, and is only told.
        """
        idle: list[str] = []
        for name, patterns in self.config.files.items():
            if any(item.lineage == name for item in self.discovery.governed):
                continue
            if before is None or not any(matches(one, path) for path in before.snapshot.entries for one in patterns):
                raise ConfigError(
                    f"no file matches {', '.join(patterns)}",
                    place=Place(shown(self.config.path or ""), f"/schemas/{name}/files"),
                    hint="correct the pattern, or remove the table if the schema is gone",
                )
            idle.append(f"no file matches {', '.join(patterns)} any more; remove [schemas.{name}] with the schema")
        return tuple(idle)

    @cached_property
    def governed(self) -> frozenset[str]:
        return frozenset(item.path for item in self.discovery.governed)

    @cached_property
    def families(self) -> Mapping[str, tuple[str, ...]]:
        """The files of each lineage by its name, the file of the newest version last."""
        return families((item.path, item.lineage) for item in self.discovery.governed)

    @cached_property
    def lineage_of(self) -> Mapping[str, str]:
        return {path: name for name, paths in self.families.items() for path in paths}

    def number(
        self,
        path: str,
        tags: Iterable[str] = (),
        *,
        lineage: str | None = None,
        rule: VersionRule | None = None,
    ) -> tuple[VersionNumber, NumberSource] | None:
        """Give the version number of a file and where it comes from; None where it has none or does not parse.

        The history of a lineage is told by one `rule`, today's, and not by what each moment was configured to.
        """
        name = self.lineage_of.get(path, "") if lineage is None else lineage
        rule = rule or self.config.version_rule(name)
        try:
            value = self.facts(path).numbered
        except CompatError:
            value = None
        return number_under(rule, value, path, tags, name or None)

    # Documents

    def facts(self, path: str) -> Facts:
        """Give what the text of a file says by itself."""
        return self._contents.facts_of(self.snapshot.entry(path), self.snapshot.content)

    def document(self, path: str) -> Document:
        """Give a file parsed, with its name and URI at this moment; the text of a blob is parsed once for all."""
        if path not in self._documents:
            entry = self.snapshot.entry(path)
            key = (entry.oid, Syntax.of(entry.path))
            known = self._contents.documents.get(key)
            name = self.snapshot.name(path)
            if known is None:
                # A broken text is read again, so that the error names the file that is asked for.
                known = parse_document(self.snapshot.read(path), name=name, uri=file_uri(path), syntax=key[1])
                self._contents.documents[key] = known
            self._documents[path] = replace(known, name=name, uri=file_uri(path))
        return self._documents[path]

    def schema_set(self, path: str, at: str = "") -> SchemaSet:
        """Give a file, or the schema at a JSON Pointer in it, closed under its references at this moment."""
        if (path, at) not in self._sets:
            self._sets[path, at] = schema_set(
                self.document(path), at=at, dialects=self.config.dialects, retrieve=self.retrieve
            )
        return self._sets[path, at]

    def retrieve(self, uri: str) -> Document | None:
        """Give the document that a URI names at this moment: a file under the root, or the owner of an `$id`."""
        path = self.path_of(uri)
        return None if path is None else self.document(path)

    def path_of(self, uri: str) -> str | None:
        """Give the file that a URI leads to; ReferenceError where it leads out, or to more than one."""
        plain = uri.partition("#")[0]
        stated = path_of(plain)
        if stated is not None:
            try:
                path = inside(stated)
            except SourceError as error:
                raise ReferenceError(f"{shown(plain)} {error.message}") from None
            if path in self.snapshot:
                return path
        owners = self._identifiers.owners(plain)
        if len({self.snapshot.entry(path).oid for path in owners}) > 1:
            names = " and ".join(self.snapshot.name(path) for path in owners[:2])
            raise ReferenceError(
                f"{shown(plain)} is the $id of {names}", hint="Give each schema an identifier of its own."
            )
        return owners[0] if owners else self._beside(plain)

    def _beside(self, uri: str) -> str | None:
        """Find a file without an `$id` by the `$id` of its neighbours: the same name in a folder known by its URI."""
        folder, _, name = uri.rpartition("/")
        found = {f"{place}/{name}" if place else name for place in self._identifiers.folders(folder)}
        there = sorted(path for path in found if path in self.snapshot)
        return there[0] if len(there) == 1 else None

    @cached_property
    def _identifiers(self) -> Identifiers:
        return Standing(self._identified()) if self._make_identifiers is None else self._make_identifiers()

    def _identified(self) -> Iterator[tuple[str, str]]:
        """Yield the files with an `$id` of their own at the root, which links do not have."""
        for path in self._texts:
            identifier = self._contents.identifier_of(self.snapshot.entries[path], self.snapshot.content)
            if identifier:
                yield path, absolute(path, identifier)

    # Who refers to whom

    @cached_property
    def _texts(self) -> tuple[str, ...]:
        return tuple(
            path
            for path, entry in sorted(self.snapshot.entries.items())
            if could_be_schema(path) and not entry.is_link and not entry.is_gitlink
        )

    def links(self, path: str) -> Links:
        """Scan a text for references and identifiers without parsing it."""
        oid = self.snapshot.entries[path].oid
        if oid not in self._contents.links:
            try:
                self._contents.links[oid] = scan_links(path, self.snapshot.read(path))
            except CompatError:
                self._contents.links[oid] = Links((), ())
        return self._contents.links[oid]

    def names_of(self, path: str) -> frozenset[str]:
        """Give what a reference to a file may end in: its URIs, and the last step of its path."""
        own = file_uri(path)
        named = (uris.join(own, identifier).partition("#")[0] for identifier in self.links(path).identifiers)
        return frozenset({own, own.rpartition("/")[2], *named})

    @cached_property
    def _referrers(self) -> Mapping[str, frozenset[str]]:
        """Map what a reference may end in to the files that hold one."""
        referrers: dict[str, set[str]] = {}
        for path in self._texts:
            links = self.links(path)
            outward = [reference for reference in links.references if not reference.startswith("#")]
            own = file_uri(path)
            bases = [own, *(uris.join(own, identifier) for identifier in links.identifiers)] if outward else []
            for reference in outward:
                for base in bases:
                    target = uris.join(base, reference).partition("#")[0]
                    for key in (target, target.rpartition("/")[2]):
                        referrers.setdefault(key, set()).add(path)
        return {key: frozenset(paths) for key, paths in referrers.items()}

    def referring_to(self, changed: Mapping[str, frozenset[str]]) -> Mapping[str, frozenset[str]]:
        """Give every file that may reach a changed one through references, with those it may reach.

        `changed` maps the paths to the names a reference may end in (see `names_of`).
        """
        reached: dict[str, set[str]] = {}
        for source, names in changed.items():
            seen: set[str] = set()
            level = set(names)
            while level:
                found = {path for name in level for path in self._referrers.get(name, ())} - seen - {source}
                seen |= found
                level = {name for path in found for name in self.names_of(path)}
            for path in seen:
                reached.setdefault(path, set()).add(source)
        return {path: frozenset(sources) for path, sources in sorted(reached.items())}


def number_under(
    rule: VersionRule, value: object, path: str, tags: Iterable[str], lineage: str | None
) -> tuple[VersionNumber, NumberSource] | None:
    """Find the number of a schema where a rule says to look."""
    find = None if rule.pattern is None else compile_pattern(rule.pattern).first
    return version_of(value, path, tags, lineage=lineage, source=rule.source, find=find, marker=rule.property)


def families(files: Iterable[tuple[str, str | None]]) -> dict[str, tuple[str, ...]]:
    """Name the lineages of files; those that the configuration puts under one name share it as a prefix."""
    by_lineage: dict[str | None, list[str]] = {}
    for path, lineage in files:
        by_lineage.setdefault(lineage, []).append(path)
    named = group(by_lineage.pop(None, []))
    for lineage, paths in by_lineage.items():
        assert lineage is not None
        own = group(paths)
        for name, members in own.items():
            named[lineage if len(own) == 1 or name == lineage else f"{lineage}/{name}"] = members
    return dict(sorted(named.items()))

"""What a change touches, as pairs to judge: only schemas that changed, or that refer to a file that did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from compat.errors import CompatError, ParseError, Place, SourceError
from compat.model.document import Document
from compat.model.references import SchemaSet
from compat.project.moment import Moment, families
from compat.sources.discovery import discover
from compat.sources.files import shown
from compat.sources.objects import Change, is_pointer
from compat.sources.patterns import excluded, matches


class PairKind(StrEnum):
    """What became of a schema between two moments."""

    NEW = "new"
    CHANGED = "changed"
    RENAMED = "renamed"
    DELETED = "deleted"
    UNCHANGED = "unchanged"
    AFFECTED = "affected"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Side:
    """A file at a moment, read when somebody asks."""

    moment: Moment
    path: str

    @property
    def document(self) -> Document:
        return self.moment.document(self.path)

    @property
    def schema_set(self) -> SchemaSet:
        return self.moment.schema_set(self.path)


@dataclass(frozen=True, slots=True)
class Pair:
    """One schema on both sides of a change; a side is None where the file is not there.

    `through` names the changed files that the schema reaches by reference. `predecessor` is set for a new file
    that is the next version of one that stands beside it, at the old moment. A BROKEN pair has its `error`; `note`
    says what else a reader should know.
    """

    kind: PairKind
    lineage: str
    old: Side | None
    new: Side | None
    through: tuple[str, ...] = ()
    predecessor: Side | None = None
    error: CompatError | None = None
    note: str = ""

    @property
    def path(self) -> str:
        """The path people know it by: the new one where there is one."""
        side = self.new or self.old
        assert side is not None
        return side.path

    @property
    def old_path(self) -> str | None:
        return None if self.old is None else self.old.path

    @property
    def new_path(self) -> str | None:
        return None if self.new is None else self.new.path


def pairs(old: Moment, new: Moment, changes: Iterable[Change], paths: Sequence[str] = ()) -> Iterator[Pair]:
    """Yield what the changes from `old` to `new` touch, in order of path; `paths` keeps files and folders named.

    A path named outright is judged even if nothing would find it, and is UNCHANGED where it is. SourceError where
    it is on neither side.
    """
    changes = tuple(changes)
    asked = _asked(old, new, paths)
    found: dict[str, Pair] = {}
    for change in changes:
        pair = _pair(old, new, change, asked)
        if pair is not None:
            found[pair.path] = pair
    for pair in _through_links(old, new, changes):
        found.setdefault(pair.path, pair)
    through = new.referring_to(_names(old, new, changes))
    for path, sources in through.items():
        if path in found:
            pair = found[path]
            if pair.kind in {PairKind.CHANGED, PairKind.RENAMED, PairKind.UNCHANGED}:
                kind = PairKind.CHANGED if pair.kind is PairKind.UNCHANGED and _differs(old, new, pair) else pair.kind
                found[path] = Pair(kind, pair.lineage, pair.old, pair.new, tuple(sorted(sources)))
        elif path in new.governed and path in old.snapshot:
            sides = Pair(
                PairKind.AFFECTED, new.lineage_of[path], Side(old, path), Side(new, path), tuple(sorted(sources))
            )
            if _differs(old, new, sides):
                found[path] = sides
    for path in asked:
        if path in new.snapshot and path in old.snapshot and path not in found:
            found[path] = Pair(PairKind.UNCHANGED, _lineage(old, new, path), Side(old, path), Side(new, path))
    for path in sorted(found):
        if not paths or any(_under(path, wanted) for wanted in paths) or _was_under(found[path], paths):
            yield found[path]


def _asked(old: Moment, new: Moment, paths: Sequence[str]) -> tuple[str, ...]:
    """Give the files among the wanted paths; SourceError where a path means nothing on either side."""
    files: dict[str, None] = {}
    for wanted in paths:
        there = [path for moment in (new, old) for path in moment.snapshot.entries if _under(path, wanted)]
        if not there:
            raise SourceError(
                "is neither in the old version nor in the new one",
                place=Place(shown(wanted)),
                hint="paths are files, folders or patterns git does not ignore (compat list shows what is governed); "
                "a revision to compare with is --base REV",
            )
        if wanted in there:
            files[wanted] = None
    return tuple(files)


def _under(path: str, wanted: str) -> bool:
    return wanted in {"", ".", path} or path.startswith(wanted.rstrip("/") + "/") or matches(wanted, path)


def _was_under(pair: Pair, paths: Sequence[str]) -> bool:
    return pair.old_path is not None and any(_under(pair.old_path, wanted) for wanted in paths)


@dataclass(frozen=True, slots=True)
class _OneFile:
    """A moment reduced to one file, for discovery."""

    moment: Moment
    path: str

    @property
    def entries(self) -> Mapping[str, object]:
        return {self.path: self.moment.snapshot.entries[self.path]}

    def read(self, path: str) -> bytes:
        return self.moment.snapshot.read(path)

    def link_target(self, path: str) -> str | None:
        return self.moment.snapshot.link_target(path)


def _governed_by(judge: Moment, moment: Moment, path: str) -> bool:
    """Whether the configuration of one moment governs a file of another."""
    config = judge.config
    found = discover(_OneFile(moment, path), configured=config.files, exclude=config.excluded, scope=config.folder)
    return bool(found.governed)


def _pair(old: Moment, new: Moment, change: Change, asked: Sequence[str]) -> Pair | None:
    before = change.old.path if change.old is not None else None
    after = change.new.path if change.new is not None else None
    # The old side is judged by the old configuration alone: a change cannot exclude itself from its own check.
    was = before is not None and (before in asked or _governed_by(old, old, before))
    now = after is not None and (after in asked or _is_new_schema(old, new, after))
    if not was and not now:
        return None
    lineage = _lineage(old, new, after if after is not None else before or "")
    old_side = Side(old, before) if before is not None and was else None
    new_side = Side(new, after) if after is not None else None
    if new_side is None:
        return Pair(PairKind.DELETED, lineage, old_side, None)
    try:
        content = new_side.document.digest
    except CompatError as error:
        return Pair(PairKind.BROKEN, lineage, old_side, new_side, error=error)
    if old_side is None:
        return Pair(PairKind.NEW, lineage, None, new_side, predecessor=_predecessor(old, new, lineage, after or ""))
    try:
        same = old_side.document.digest == content
    except ParseError as error:
        if is_pointer(old.snapshot.read(old_side.path)):
            return Pair(PairKind.BROKEN, lineage, old_side, new_side, error=error)
        return Pair(PairKind.NEW, lineage, None, new_side, note=f"the old version cannot be read: {error.message}")
    except CompatError as error:
        # It is there, and this clone does not have it: that is no reason to let the change pass.
        return Pair(PairKind.BROKEN, lineage, old_side, new_side, error=error)
    if before != after:
        return Pair(PairKind.RENAMED, lineage, old_side, new_side)
    return Pair(PairKind.UNCHANGED if same else PairKind.CHANGED, lineage, old_side, new_side)


def _is_new_schema(old: Moment, new: Moment, path: str) -> bool:
    """Whether either configuration governs a new file; what the old one excludes stays out."""
    if excluded(old.config.excluded, path) is not None:
        return False
    return path in new.governed or (not new.snapshot.entries[path].is_link and _governed_by(old, new, path))


def _through_links(old: Moment, new: Moment, changes: Sequence[Change]) -> Iterator[Pair]:
    """Yield the governed links that lead to a changed file: git sees no change in the links themselves."""
    for change in changes:
        for path in new.snapshot.links.get(change.path, ()):
            if path in new.governed and path in old.snapshot:
                yield Pair(PairKind.CHANGED, new.lineage_of[path], Side(old, path), Side(new, path))


def _lineage(old: Moment, new: Moment, path: str) -> str:
    if path in new.lineage_of:
        return new.lineage_of[path]
    if path in old.lineage_of:
        return old.lineage_of[path]
    # A file that only the command line names is called as if it stood among the others.
    configured = next(
        (name for name, patterns in old.config.files.items() if any(matches(p, path) for p in patterns)), None
    )
    others = ((item.path, item.lineage) for item in new.discovery.governed)
    named = families((*others, (path, configured)))
    return next((name for name, members in named.items() if path in members), path)


def _predecessor(old: Moment, new: Moment, lineage: str, path: str) -> Side | None:
    """Give the version before a new file among its neighbours of the same lineage."""
    members = new.families.get(lineage, ())
    if path not in members:
        return None
    earlier = [member for member in members[: members.index(path)] if member in old.snapshot]
    return Side(old, earlier[-1]) if earlier else None


def _names(old: Moment, new: Moment, changes: Sequence[Change]) -> dict[str, frozenset[str]]:
    names: dict[str, frozenset[str]] = {}
    for change in changes:
        known: set[str] = set()
        for moment, entry in ((old, change.old), (new, change.new)):
            if entry is not None and entry.path in moment.snapshot.entries:
                for path in (entry.path, *moment.snapshot.links.get(entry.path, ())):
                    known |= moment.names_of(path)
        names[change.path] = frozenset(known)
    return names


def _differs(old: Moment, new: Moment, pair: Pair) -> bool:
    """Whether a schema means another text once its references are followed; what cannot be followed may differ."""
    if pair.old is None or pair.new is None:
        return True
    try:
        return pair.old.schema_set.closed_digest() != pair.new.schema_set.closed_digest()
    except CompatError:
        return True

"""What git tells, as records, and the parsers of its NUL-separated output."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

FILE = 0o100644
LINK = 0o120000
GITLINK = 0o160000
FOLDER = 0o040000


@dataclass(frozen=True, slots=True)
class Entry:
    """A file in a tree. `on_disk` ones are read from the working tree, their `oid` is what git would give them."""

    path: str
    mode: int
    oid: str
    on_disk: bool = False

    @property
    def is_link(self) -> bool:
        return self.mode == LINK

    @property
    def is_gitlink(self) -> bool:
        return self.mode == GITLINK

    def same_content(self, other: Entry) -> bool:
        return self.oid == other.oid and self.is_link == other.is_link and self.is_gitlink == other.is_gitlink


class PartialTree(Mapping[str, Entry]):
    """A tree of which some entries are known; the rest is loaded when somebody asks past them.

    A history of hundreds of versions reads one file of each commit, and rarely what else stood there.
    """

    def __init__(self, load: Callable[[], Mapping[str, Entry]]) -> None:
        self._load = load
        self._known: dict[str, Entry] = {}
        self._whole: Mapping[str, Entry] | None = None

    def add(self, entry: Entry) -> None:
        """Tell of an entry that is known to be there."""
        self._known[entry.path] = entry

    def _tree(self) -> Mapping[str, Entry]:
        if self._whole is None:
            self._whole = self._load()
        return self._whole

    def __getitem__(self, path: str) -> Entry:
        return self._known[path] if path in self._known else self._tree()[path]

    def __contains__(self, path: object) -> bool:
        return path in self._known or path in self._tree()

    def __iter__(self) -> Iterator[str]:
        return iter(self._tree())

    def __len__(self) -> int:
        return len(self._tree())


class Kind(StrEnum):
    """What happened to a file between two trees."""

    ADDED = "added"
    MODIFIED = "modified"
    DELETED = "deleted"
    RENAMED = "renamed"


@dataclass(frozen=True, slots=True)
class Change:
    """One file between two trees; `similarity` in percent says how alike the sides of a rename are."""

    kind: Kind
    old: Entry | None
    new: Entry | None
    similarity: int = 100

    @property
    def path(self) -> str:
        """The path people know it by: the new one where there is one."""
        side = self.new if self.new is not None else self.old
        assert side is not None
        return side.path


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit with what it changed against its first parent."""

    sha: str
    parents: tuple[str, ...]
    author: str
    when: datetime
    subject: str
    changes: tuple[Change, ...]
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag and the commit it leads to."""

    name: str
    commit: str
    when: datetime


@dataclass(frozen=True, slots=True)
class MergeBase:
    """The best common ancestor, and the others where there are several as good."""

    sha: str
    others: tuple[str, ...] = ()


def is_pointer(data: bytes) -> bool:
    """Whether a content only points to one that Git LFS keeps."""
    return len(data) < 1024 and data.startswith(b"version https://git-lfs.github.com/spec/")


def moment(text: str) -> datetime:
    """Read a strict ISO date of git; commits with impossible dates exist and count as the epoch."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)


def parse_tree(output: bytes) -> Iterator[Entry]:
    """Read `ls-tree -r -z`."""
    for row in output.split(b"\0"):
        if row:
            about, _, path = row.partition(b"\t")
            mode, _, oid = about.split(b" ")[:3]
            yield Entry(os.fsdecode(path), int(mode, 8), oid.decode())


def parse_index(output: bytes) -> Iterator[tuple[Entry, bool]]:
    """Read `ls-files -s -t -z`: every entry, and whether a sparse checkout leaves it out of the working tree.

    Of an unmerged path the first stage met stands for it; its content is whatever the working tree has.
    """
    last = None
    for row in output.split(b"\0"):
        if row:
            about, _, path = row.partition(b"\t")
            status, mode, oid = about.split(b" ")[:3]
            if path != last:
                yield Entry(os.fsdecode(path), int(mode, 8), oid.decode()), status == b"S"
            last = path


def parse_raw(fields: Iterator[bytes]) -> Iterator[Change]:
    """Read the rows of a raw diff with `-z`, from an iterator that the caller may read on."""
    for field in fields:
        if field:
            yield _change(field, fields)


def _change(field: bytes, fields: Iterator[bytes]) -> Change:
    old_mode, new_mode, old_oid, new_oid, status = field.decode().lstrip("\n:").split(" ")
    path = os.fsdecode(next(fields))
    letter = status[:1]
    if letter == "D":
        return Change(Kind.DELETED, Entry(path, int(old_mode, 8), old_oid), None)
    new_path = os.fsdecode(next(fields)) if letter in "RC" else path
    new = Entry(new_path, int(new_mode, 8), new_oid)
    if letter in "AC":
        return Change(Kind.ADDED, None, new)
    old = Entry(path, int(old_mode, 8), old_oid)
    if letter == "R":
        return Change(Kind.RENAMED, old, new, int(status[1:] or "100"))
    return Change(Kind.MODIFIED, old, new)


# One header is one NUL-free field; STX cannot start a raw row.
LOG_FORMAT = "%x02%H%n%P%n%cI%n%an%n%s"


def split_log(output: bytes) -> Iterator[list[bytes]]:
    """Cut `log -z --raw --format=LOG_FORMAT` into the fields of each commit, in the order git gives."""
    fields = iter(output.split(b"\0"))
    record: list[bytes] = []
    for field in fields:
        text = field.lstrip(b"\n")
        if text.startswith(b"\x02"):
            if record:
                yield record
            record = [text]
        elif text:
            record += (text, next(fields))
            if text.rpartition(b" ")[2][:1] in (b"R", b"C"):
                record.append(next(fields))
    if record:
        yield record


def parse_commit(record: Sequence[bytes], tags: Sequence[str] = ()) -> Commit:
    """Read the fields of one commit."""
    sha, parents, when, author, subject = record[0][1:].decode("utf-8", "replace").split("\n", 4)
    changes = tuple(parse_raw(iter(record[1:])))
    return Commit(sha, tuple(parents.split()), author, moment(when), subject.strip(), changes, tuple(tags))

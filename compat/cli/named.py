"""Schemas as a command line names them: `FILE`, `REV:PATH`, `REV` with `--path`, `-`, each with `#/pointer`."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Self
from urllib.parse import quote, unquote

from compat.errors import ParseError, Place, SourceError, UsageError, did_you_mean
from compat.jsonvalue import JSON, resolve, step, tokens
from compat.model.dialects import Dialect
from compat.model.document import Document, Syntax, parse_document
from compat.model.references import Retrieve, SchemaSet, schema_set
from compat.sources.files import Root, shown
from compat.sources.git import Repository, top_level
from compat.sources.snapshot import Snapshot

STDIN = "-"
_CONTAINERS = ("openapi", "swagger", "asyncapi")
# Where larger documents keep their schemas, to name some when a pointer is missing.
_SHELVES = ("/components/schemas", "/definitions", "/$defs", "/components/messages")


@dataclass(frozen=True, slots=True)
class Name:
    """A name taken apart; `revision` None means a file, `path` None that `--path` has to say."""

    text: str
    path: str | None
    revision: str | None = None
    pointer: str = ""


def parse_name(text: str, exists: bool) -> Name:
    """Take a name apart; `exists` tells whether a file of exactly this name, without its pointer, is there."""
    where, pointer = split_pointer(text)
    if where == STDIN or exists:
        return Name(text, where, None, pointer)
    revision, colon, path = where.partition(":")
    # One letter before the colon is a drive, not a branch.
    if colon and path and len(revision) > 1:
        return Name(text, path, revision, pointer)
    return Name(text, where, None, pointer)


def split_pointer(text: str) -> tuple[str, str]:
    """Split `FILE#/pointer`; a `#` that no pointer follows belongs to the name."""
    if text.endswith("#"):
        return text[:-1], ""
    where, mark, rest = text.rpartition("#/")
    return (where, "/" + unquote(rest)) if mark else (text, "")


class Desk:
    """Opens what names mean, with one repository for all of them; use it as a context manager."""

    def __init__(self, folder: Path, *, path: str | None = None, dialect: Dialect | None = None) -> None:
        self._folder = folder
        self._path = path
        self._dialect = dialect
        self._stack = ExitStack()
        self._repository: Repository | None = None
        self._snapshots: dict[str, Snapshot] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def open(self, text: str) -> SchemaSet:
        """Open one name; CompatError says what is missing and what is near."""
        where, _ = split_pointer(text)
        name = parse_name(text, where != STDIN and (self._folder / where).is_file())
        if name.path == STDIN:
            return self._closed(_standard_input(), name, None)
        if name.revision is not None and name.path is not None:
            return self._at_revision(name, name.revision, name.path)
        if self._path is not None and not (self._folder / where).exists():
            return self._at_revision(name, where, self._path)
        return self._from_file(name, where)

    def _from_file(self, name: Name, where: str) -> SchemaSet:
        file = self._folder / where
        if file.is_dir():
            raise UsageError("is a folder", place=Place(shown(where)), hint="Name a file in it, or use compat check.")
        if not file.exists():
            raise SourceError("there is no such file", place=Place(shown(where)), hint=self._near(where))
        # The folder a file may refer into: its repository, else its own folder.
        root = Root(top_level(file.parent) or file.parent)
        path = root.relative(file)

        def retrieve(uri: str) -> Document | None:
            other = _path_of(uri)
            if other is None or not root.exists(other):
                return None
            return parse_document(root.read(other), name=shown(other), uri=uri)

        document = parse_document(root.read(path), name=shown(where), uri=_uri_of(path))
        return self._closed(document, name, retrieve)

    def _near(self, where: str) -> str:
        parent = (self._folder / where).parent
        if parent.is_dir():
            names = [entry.name for entry in sorted(parent.iterdir()) if entry.is_file()]
            if hint := did_you_mean(Path(where).name, names):
                return hint
        return "Write REV:PATH for a file at a revision, or REV with --path PATH."

    def _at_revision(self, name: Name, revision: str, path: str) -> SchemaSet:
        snapshot = self._snapshot(revision)
        path = self._inside(snapshot, path)

        def retrieve(uri: str) -> Document | None:
            other = _path_of(uri)
            if other is None or other not in snapshot:
                return None
            return parse_document(snapshot.read(other), name=snapshot.name(other), uri=uri)

        document = parse_document(snapshot.read(path), name=snapshot.name(path), uri=_uri_of(path))
        return self._closed(document, name, retrieve)

    def _snapshot(self, revision: str) -> Snapshot:
        if self._repository is None:
            self._repository = self._stack.enter_context(Repository.open(self._folder))
        if revision not in self._snapshots:
            sha = self._repository.resolve(revision)
            self._snapshots[revision] = Snapshot(
                self._repository.snapshot(sha), self._repository.read, label=shown(revision)
            )
        return self._snapshots[revision]

    def _inside(self, snapshot: Snapshot, path: str) -> str:
        """Find a path that is written from the top of the repository, as git has it, or from this folder."""
        assert self._repository is not None
        for candidate in (PurePosixPath(path).as_posix(), self._from_here(path)):
            if candidate in snapshot:
                return candidate
        hint = did_you_mean(path, snapshot.entries) or "git ls-tree -r --name-only shows what is there."
        raise SourceError("is not there", place=Place(snapshot.name(path)), hint=hint)

    def _from_here(self, path: str) -> str:
        assert self._repository is not None
        try:
            return self._repository.root.relative(self._folder / path)
        except SourceError:
            return path

    def _closed(self, document: Document, name: Name, retrieve: Retrieve | None) -> SchemaSet:
        _require(document, name)
        return schema_set(document, at=name.pointer, dialect=self._dialect, retrieve=retrieve)


def _standard_input() -> Document:
    data = sys.stdin.buffer.read()
    try:
        return parse_document(data, name="<stdin>", syntax=Syntax.JSON)
    except ParseError:
        if data.lstrip().startswith((b"{", b"[")):
            raise
        return parse_document(data, name="<stdin>", syntax=Syntax.YAML)


def _require(document: Document, name: Name) -> None:
    """Refuse a pointer that leads nowhere and a container without a pointer, naming what would do."""
    value = document.value
    if not name.pointer and isinstance(value, dict) and any(key in value for key in _CONTAINERS):
        schemas = [f"#{shelf}/{key}" for shelf in _SHELVES for key in _keys(value, shelf)]
        example = f": {', '.join(schemas[:3])}" if schemas else ""
        raise UsageError(
            "holds schemas inside a larger document", place=Place(document.name), hint=f"Name one of them{example}."
        )
    at: object = value
    passed = ""
    for token in tokens(name.pointer):
        try:
            at = step(at, token)
        except (KeyError, IndexError):
            known = [str(key) for key in at] if isinstance(at, dict) else []
            hint = did_you_mean(token, known) or (f"There is: {', '.join(sorted(known)[:5])}." if known else None)
            raise SourceError(f"there is no {token!r} in it", place=document.place(passed), hint=hint) from None
        passed += "/" + token.replace("~", "~0").replace("/", "~1")


def _keys(value: JSON, shelf: str) -> list[str]:
    try:
        held = resolve(value, shelf)
    except (KeyError, IndexError):
        return []
    return list(held) if isinstance(held, dict) else []


def _uri_of(path: str) -> str:
    return "file:///" + quote(path)


def _path_of(uri: str) -> str | None:
    return unquote(uri.removeprefix("file:///")) if uri.startswith("file:///") else None

"""Schemas as a command line names them: `FILE`, `REV:PATH`, `:PATH` as staged, `REV` with `--path`, `-`, each with
`#/pointer`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Self
from urllib.parse import unquote

from compat.assess import Names
from compat.errors import ParseError, Place, SourceError, UsageError, did_you_mean
from compat.jsonvalue import JSON, resolve, step, tokens
from compat.model.dialects import Dialect, standard
from compat.model.document import Document, Syntax, parse_document
from compat.model.openapi import DIALECT as OPENAPI_DIALECT
from compat.model.openapi import as_draft4, is_old_openapi
from compat.model.references import Retrieve, SchemaSet, schema_set
from compat.project import STAGED, Project
from compat.project.config import Config, find_config
from compat.project.moment import Contents, Moment
from compat.project.scanning import file_uri
from compat.sources.files import Root, shown
from compat.sources.git import Repository, could_be_schema, top_level
from compat.sources.snapshot import Snapshot

STDIN = "-"
# How many files are looked through for an `$id` where no repository says what belongs together.
MOST_NEIGHBOURS = 5000
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
    if colon and path and not revision:
        return Name(text, path, STAGED, pointer)
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


def dialect_named(name: str | None) -> Dialect | None:
    """Read the name of a dialect; UsageError with those that are known."""
    try:
        return None if name is None else Dialect.parse(name)
    except ValueError as error:
        known = ", ".join(each.value for each in Dialect)
        raise UsageError(f"{error}.", hint=f"One of: {known}.") from None


def names_of(
    old: str,
    new: str,
    *,
    path: str | None = None,
    dialect: str | None = None,
    formats: str = "annotation",
    root: Path | None = None,
    as_written: bool = False,
) -> Names:
    """Give both names with the options they were read with, for a command line that meets them again."""
    options: list[str] = []
    for option, value in (("--path", path), ("--dialect", dialect), ("--root", None if root is None else str(root))):
        if value is not None:
            options += [option, value]
    if formats != "annotation":
        options += ["--formats", formats]
    return Names(old, new, (*options, *(["--as-written"] if as_written else [])))


class Desk:
    """Opens what names mean, with one repository for all of them; use it as a context manager.

    References are followed as a check follows them: to files of the same revision, by their paths or by their `$id`.
    """

    def __init__(
        self, folder: Path, *, path: str | None = None, dialect: Dialect | None = None, root: Path | None = None
    ) -> None:
        self._folder = folder
        self._root = root
        self._path = path
        self._dialect = dialect
        self._stack = ExitStack()
        self._projects: dict[Path, Project] = {}
        self._around: dict[Path, Moment] = {}

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
            return self._closed(_standard_input(), name, None, Config)
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
        # The folder a file may refer into: the one that was named, its repository, else its own folder.
        top = top_level(file.parent) if self._root is None else None
        root = Root(self._root or top or file.parent)
        path = root.relative(file)

        def retrieve(uri: str) -> Document | None:
            # A file that git ignores can be referred to by its path; who owns an `$id` is asked among the others.
            other = _path_of(uri)
            if other is not None and root.exists(other):
                return parse_document(root.read(other), name=shown(other), uri=uri)
            return self._surroundings(root, in_git=top is not None).retrieve(uri)

        def config() -> Config:
            return find_config(lambda path: root.read(path) if root.exists(path) else None, path.rpartition("/")[0])

        document = parse_document(root.read(path), name=shown(where), uri=file_uri(path))
        return self._closed(document, name, retrieve, config)

    def _near(self, where: str) -> str:
        path, mark, rest = where.partition("#")
        if mark and (self._folder / path).is_file():
            return f"A pointer begins with a slash: {shown(f'{path}#/{rest}')}"
        parent = (self._folder / where).parent
        if parent.is_dir():
            names = [entry.name for entry in sorted(parent.iterdir()) if entry.is_file()]
            if hint := did_you_mean(Path(where).name, names):
                return hint
        return "Write REV:PATH for a file at a revision, or REV with --path PATH."

    def _surroundings(self, root: Root, *, in_git: bool) -> Moment:
        """Give the files around one on disk, looked through only where a reference is to no path."""
        if root.path not in self._around:
            if in_git:
                self._around[root.path] = self._project(root.path).moment()
            else:
                # Without a repository nobody says how much belongs together: it may be a whole home folder.
                snapshot = Snapshot.of_folder(root, could_be_schema, most=MOST_NEIGHBOURS)
                self._around[root.path] = Moment(snapshot, Config, Contents())
        return self._around[root.path]

    def _project(self, folder: Path) -> Project:
        top = top_level(folder) or folder.resolve()
        if top not in self._projects:
            self._projects[top] = self._stack.enter_context(Project.open(folder, environment={}))
        return self._projects[top]

    def _at_revision(self, name: Name, revision: str, path: str) -> SchemaSet:
        project = self._project(self._folder)
        if project.repository is None:
            Repository.open(self._folder)  # raises, and says how to do without
        moment = project.moment(revision)
        label = (
            "staged" if revision == STAGED else shown(revision)
        )  # as it was asked for: two names of one commit are two names here
        path = self._inside(project, moment, path, label)
        document = replace(moment.document(path), name=f"{label}:{shown(path)}")
        return self._closed(document, name, moment.retrieve, lambda: moment.config)

    def _inside(self, project: Project, moment: Moment, path: str, label: str) -> str:
        """Find a path that is written from the top of the repository, as git has it, or from this folder."""
        for candidate in (PurePosixPath(path).as_posix(), self._from_here(project, path)):
            if candidate in moment.snapshot:
                return candidate
        hint = did_you_mean(path, moment.snapshot.entries) or "git ls-tree -r --name-only shows what is there."
        raise SourceError("is not there", place=Place(f"{label}:{shown(path)}"), hint=hint)

    def _from_here(self, project: Project, path: str) -> str:
        try:
            return project.relative(self._folder / path)
        except SourceError:
            return path

    def _closed(
        self, document: Document, name: Name, retrieve: Retrieve | None, config: Callable[[], Config]
    ) -> SchemaSet:
        _require(document, name)
        dialect = self._dialect
        if is_old_openapi(document.value):
            document, retrieve, dialect = as_draft4(document), _read_as_draft4(retrieve), dialect or OPENAPI_DIALECT
        # A configuration that is broken, or was, does not stand in the way of a schema that needs none.
        dialects = config().dialects if _needs_configuration(document) else None
        return schema_set(document, at=name.pointer, dialect=dialect, retrieve=retrieve, dialects=dialects)


def _read_as_draft4(retrieve: Retrieve | None) -> Retrieve | None:
    """What an old OpenAPI document refers to is written as it is."""
    if retrieve is None:
        return None

    def read(uri: str) -> Document | None:
        found = retrieve(uri)
        return None if found is None else as_draft4(found)

    return read


def _needs_configuration(document: Document) -> bool:
    """Whether a `$schema` that only a configuration knows may turn up."""
    stated = document.value.get("$schema") if isinstance(document.value, dict) else None
    if isinstance(stated, str) and standard(stated) is None:
        return True
    return not document.glance.is_closed or "$schema" in document.glance.identifiers


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


def _path_of(uri: str) -> str | None:
    return unquote(uri.removeprefix("file:///")) if uri.startswith("file:///") else None

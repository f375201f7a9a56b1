"""The only door to git: revisions, trees, blobs, changes and history of one repository.

Repositories come from strangers, and much of git's configuration names programs: every call goes through `Command`,
and working files are read and hashed by us, because git would run clean and smudge filters for it.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from compat.errors import Place, RevisionError, SourceError
from compat.sources.files import Root, shown
from compat.sources.objects import (
    FILE,
    FOLDER,
    GITLINK,
    LOG_FORMAT,
    Change,
    Entry,
    Kind,
    MergeBase,
    Tag,
    is_pointer,
    moment,
    parse_index,
    parse_raw,
    parse_tree,
)
from compat.sources.renames import completed, differences
from compat.sources.worktree import WorkingFiles

if TYPE_CHECKING:
    from compat.sources.command import Command

# The name of the index where a revision is asked for, as git spells it in `:0:path`; None is the working tree.
STAGED: Final = ":0"

# An order file is read from wherever the repository's configuration says.
_DIFF: Final = ("--raw", "-z", "--no-abbrev", "--no-ext-diff", "--no-textconv", "-O/dev/null", "-M50%", "-l2000")

# Only text that could be a schema is ever hashed or followed through history.
SUFFIXES: Final = (".json", ".yaml", ".yml", ".jsonschema")
# Iglu keeps a schema under its version alone: schemas/com.acme/order/jsonschema/1-0-2.
_IGLU: Final = re.compile(r"(?:.*/)?jsonschema/[1-9][0-9]{0,8}-[0-9]{1,9}-[0-9]{1,9}", re.DOTALL)
# The same for git; a star and a plain ending is what it matches fastest, three times as fast as `**/*`.
_PATHS: Final = (*(f":(icase)*{suffix}" for suffix in SUFFIXES), "*jsonschema/*-*-*")


def top_level(start: Path) -> Path | None:
    """Find the folder with `.git` in it, from `start` upward.

    Git's own search would stop at a bare repository buried in a folder of the tree and trust its configuration.
    """
    here = start.resolve()
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), None)


def _is_bare(path: Path) -> bool:
    return (path / "HEAD").is_file() and (path / "objects").is_dir() and (path / "refs").is_dir()


class Repository:
    """One repository, open. Use it as a context manager: its processes end with it."""

    def __init__(self, command: Command) -> None:
        self._git = command
        self._trees: dict[str, dict[str, Entry]] = {}
        self._resolved: set[str] = set()  # full hashes, which cannot come to mean anything else
        self.bare = command.bare
        self.root = Root(command.path)
        self._files = WorkingFiles(self.root)
        self.path = self.root.path

    @classmethod
    def open(cls, start: Path | str, *, index_file: str | None = None) -> Repository:
        """Open the repository around a folder or file; SourceError where there is none.

        `index_file` is the GIT_INDEX_FILE of a commit hook; it counts only inside the repository's own folder.
        """
        here = Path(start)
        here = here if here.is_dir() else here.parent
        top = top_level(here)
        if top is None and _is_bare(here.resolve()):
            top = here.resolve()
        if top is None:
            raise SourceError(
                "is not inside a git repository",
                place=Place(shown(str(here))),
                hint="run it inside one, or compare files without git: compat diff OLD NEW",
            )
        try:
            from compat.sources.command import Command  # GitPython looks for git when it is imported
        except ImportError:
            raise SourceError("git is not installed", hint="install git 2.35 or newer") from None
        command = Command(top)
        if index_file is not None:
            real = (top / index_file).resolve()
            command.index_file = str(real) if command.git_dir in real.parents and real.is_file() else None
        return cls(command)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the reading process and everything GitPython holds."""
        self._git.close()

    # Revisions

    def resolve(self, revision: str) -> str:
        """Give the full hash of the commit a revision names; RevisionError with what to do where there is none."""
        if revision in self._resolved:
            return revision
        if not revision or re.search(r"[\0\n]", revision):
            raise RevisionError("an empty or broken revision was given", place=Place(shown(revision) or "''"))
        status, output, errors = self._git.run("rev-parse", "--verify", "--end-of-options", revision + "^{commit}")
        if status == 0:
            sha = output.decode().strip()
            self._resolved.add(sha)
            return sha
        place = Place(shown(revision))
        if "ambiguous" in errors:
            raise RevisionError("is the start of several commits", place=place, hint="write more of the hash")
        if not self.has_commits:
            raise RevisionError("does not exist: the repository has no commit yet", place=place)
        raise RevisionError("no such revision", place=place, hint=self._way_to(revision))

    def find(self, revision: str) -> str | None:
        """Give the full hash of a commit, None where the revision does not lead to one."""
        status, output, _ = self._git.run(
            "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"
        )
        return output.decode().strip() if status == 0 else None

    @property
    def has_commits(self) -> bool:
        return (
            bool(self._git.output("for-each-ref", "--count=1", "--format=%(refname)")) or self.find("HEAD") is not None
        )

    def _way_to(self, revision: str) -> str:
        behind = re.fullmatch(r"(.*[^~^])[~^][~^0-9]*", revision)
        if behind and self.find(behind[1]) is not None:
            if self.is_shallow:
                return "the clone is shallow: git fetch --unshallow; in a workflow: fetch-depth: 0"
            return f"{shown(behind[1])} has fewer commits behind it: git log --oneline {shlex.quote(shown(behind[1]))}"
        remotes = self._git.output("remote").decode("utf-8", "replace").split()
        name = revision.removeprefix("refs/remotes/")
        remote, _, branch = name.partition("/")
        if branch and remote in remotes:
            return f"git fetch {shlex.quote(remote)} {shlex.quote(f'+refs/heads/{branch}:refs/remotes/{name}')}"
        if remotes and re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", revision):
            return f"git fetch {shlex.quote(remotes[0])} {revision}"
        known = self._git.output("for-each-ref", "--format=%(refname:short)").decode("utf-8", "replace").split()
        near = [ref for ref in known if ref.endswith("/" + revision)]
        near += [ref for ref in difflib.get_close_matches(revision, known, 3) if ref not in near]
        if near:
            return "did you mean " + " or ".join(shown(ref) for ref in near[:3]) + "?"
        if remotes and not revision.startswith("-"):
            return f"git fetch {shlex.quote(remotes[0])} {shlex.quote(revision)}"
        return "git branch --all and git tag show what there is"

    def ref(self, name: str) -> str | None:
        """Give what a symbolic ref points to (`HEAD`, `refs/remotes/origin/HEAD`), None where it is none."""
        status, output, _ = self._git.run("symbolic-ref", "--quiet", name)
        return output.decode("utf-8", "replace").strip() if status == 0 else None

    def upstream(self) -> str | None:
        """Give the short name of the branch that the current one follows (`origin/main`)."""
        status, output, _ = self._git.run("rev-parse", "--abbrev-ref", "--verify", "--quiet", "@{upstream}")
        return output.decode("utf-8", "replace").strip() if status == 0 else None

    def parents(self, revision: str) -> tuple[str, ...]:
        """Give the parents a commit was made with, also those that a shallow clone does not have."""
        text = self._git.output("cat-file", "commit", self.resolve(revision)).decode("utf-8", "replace")
        head = text.partition("\n\n")[0].splitlines()
        return tuple(line[7:] for line in head if line.startswith("parent "))

    @property
    def shallow_edge(self) -> frozenset[str]:
        """The commits whose parents a shallow clone left behind; empty in a complete one."""
        try:
            text = (self._git.common_dir / "shallow").read_text(encoding="ascii", errors="replace")
        except OSError:
            return frozenset()
        return frozenset(text.split())

    @property
    def is_shallow(self) -> bool:
        return bool(self.shallow_edge)

    def merge_base(self, left: str, right: str) -> MergeBase:
        """Find the best common ancestor of two revisions.

        RevisionError where there is none, or where a shallow clone hides whether a better one exists.
        """
        one, two = self.resolve(left), self.resolve(right)
        status, output, errors = self._git.run("merge-base", "--all", one, two)
        if status not in {0, 1}:
            raise SourceError(f"git merge-base failed: {shown(errors)}")
        bases = output.decode().split()
        edge = self.shallow_edge
        if edge and (not bases or self._cut_off(one, two, bases[0], edge)):
            raise RevisionError(
                f"the clone is too shallow to tell where {shown(left)} and {shown(right)} parted",
                place=Place(shown(left)),
                hint="git fetch --unshallow (or git fetch --deepen=200 and again); in a workflow: fetch-depth: 0",
            )
        if not bases:
            raise RevisionError(
                f"{shown(left)} and {shown(right)} have no common ancestor",
                place=Place(shown(left)),
                hint="unrelated histories cannot be compared by merge base; compare two revisions with compat diff",
            )
        return MergeBase(bases[0], tuple(bases[1:]))

    def _cut_off(self, one: str, two: str, base: str, edge: frozenset[str]) -> bool:
        above = self._git.output("rev-list", one, two, f"^{base}").decode().split()
        return not edge.isdisjoint(above)

    # Trees and blobs

    def tree(self, revision: str) -> Mapping[str, Entry]:
        """Give every file of a commit by path."""
        sha = revision if revision in self._trees else self.resolve(revision)
        if sha not in self._trees:
            if len(self._trees) >= 64:
                self._trees.pop(next(iter(self._trees)))
            rows = parse_tree(self._git.output("ls-tree", "-r", "-z", "--full-tree", "--end-of-options", sha))
            self._trees[sha] = {entry.path: entry for entry in rows}
        return self._trees[sha]

    def some(self, revision: str, paths: Sequence[str]) -> tuple[Entry, ...]:
        """Give those of a few paths that are files of a commit."""
        sha = self.resolve(revision)
        output = self._git.output("--literal-pathspecs", "ls-tree", "-z", "--full-tree", sha, "--", *paths)
        return tuple(entry for entry in parse_tree(output) if entry.mode != FOLDER)

    def index(self) -> Mapping[str, Entry]:
        """Give every file of the index by path."""
        return {entry.path: entry for entry, _ in self._index()}

    def _index(self) -> list[tuple[Entry, bool]]:
        if self.bare:
            raise SourceError(
                "is a bare repository and has no working tree",
                place=Place(shown(str(self.path))),
                hint="name both revisions: --base REV --head REV",
            )
        return list(parse_index(self._git.output("ls-files", "--stage", "-t", "-z", "--full-name")))

    def worktree(self, wanted: Callable[[str], bool] | None = None) -> Mapping[str, Entry]:
        """Give the files of the working tree, tracked or untracked and not ignored, hashed by us.

        `wanted` picks the paths worth reading (default: what could be a schema by its ending).
        """
        wanted = wanted or could_be_schema
        entries: dict[str, Entry] = {}
        digest = hashlib.sha1
        for entry, left_out in self._index():
            digest = hashlib.sha256 if len(entry.oid) == 64 else hashlib.sha1
            if not wanted(entry.path):
                continue
            if left_out or entry.is_gitlink:
                entries[entry.path] = entry
            elif found := self._files.entry(entry.path, entry.mode, digest):
                entries[entry.path] = found
        others = self._git.output("ls-files", "--others", "--exclude-standard", "-z", "--full-name")
        for name in others.split(b"\0"):
            path = os.fsdecode(name)
            if path and not path.endswith("/") and wanted(path) and (found := self._files.entry(path, FILE, digest)):
                entries[path] = found
        return entries

    def snapshot(self, revision: str | None, wanted: Callable[[str], bool] | None = None) -> Mapping[str, Entry]:
        """Give the files of a commit, of the index (STAGED) or of the working tree (None)."""
        if revision is None:
            return self.worktree(wanted)
        return self.index() if revision == STAGED else self.tree(revision)

    def read(self, entry: Entry) -> bytes:
        """Give the content of an entry; of a link, its target."""
        if entry.on_disk:
            return self._files.read(entry)
        if entry.mode == GITLINK:
            raise SourceError("is a submodule, not a file", place=Place(shown(entry.path)))
        return self._git.blob(entry.oid, name=entry.path)

    def blob(self, oid: str, *, name: str = "") -> bytes:
        """Read one blob; SourceError where it is missing or too large."""
        return self._git.blob(oid, name=name)

    def blobs(self, oids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Read many blobs, in the order asked for, several under way at a time; what cannot be read is left out."""
        return self._git.blobs(oids)

    # Changes

    def changes(
        self,
        base: str,
        head: str | None = None,
        wanted: Callable[[str], bool] | None = None,
        worktree: Mapping[str, Entry] | None = None,
    ) -> tuple[Change, ...]:
        """Give what differs between a commit and another one, the index (STAGED) or the working tree (None).

        Renames are found by git between objects, and by the same measure of likeness in the working tree, where
        git would run filters to look. `worktree` is the working tree where it was read already.
        """
        wanted = wanted or could_be_schema
        sha = self.resolve(base)
        if head is None:
            old = {path: entry for path, entry in self.tree(sha).items() if wanted(path)}
            new = self.worktree(wanted) if worktree is None else worktree
            return tuple(change for change in differences(old, new, self.read) if not self._is_checked_out(change))
        if head == STAGED:
            self._index()
            output = self._git.output("diff-index", "--cached", *_DIFF, sha, "--")
        else:
            output = self._git.output("diff-tree", "-r", *_DIFF, sha, self.resolve(head), "--")
        rows = parse_raw(iter(output.split(b"\0")))
        meant = [row for row in rows if any(side is not None and wanted(side.path) for side in (row.old, row.new))]
        return completed(meant, self.read)

    def _is_checked_out(self, change: Change) -> bool:
        """Whether the new side is what a Git LFS pointer on the old side stands for."""
        if change.kind is not Kind.MODIFIED or change.old is None or change.new is None:
            return False
        try:
            pointer = self.read(change.old)
            return (
                is_pointer(pointer)
                and b"oid sha256:" + hashlib.sha256(self.read(change.new)).hexdigest().encode() in pointer
            )
        except SourceError:
            return False

    def first_parents(self, revision: str) -> tuple[str, ...]:
        """Give every commit of the mainline, newest first."""
        return tuple(self._git.output("rev-list", "--first-parent", self.resolve(revision)).decode().split())

    def log_output(self, revision: str, since: str | None = None, *, everything: bool = False) -> bytes:
        """Give the log of the mainline as git writes it (see `split_log`), newest first, down to the commit `since`.

        One process reads the whole history; merges count as one step, so that neighbours are always states that
        stood on this line. Without `everything`, only commits that touch what could be a schema by its ending.
        """
        limits = () if everything else _PATHS
        span = [self.resolve(revision), *([f"^{since}"] if since is not None else [])]
        how = ("--first-parent", "--diff-merges=first-parent", *_DIFF, f"--format={LOG_FORMAT}")
        return self._git.output("log", *how, *span, "--", *limits)

    def know(self, commits: Iterable[str]) -> None:
        """Take full hashes that git itself has named as resolved."""
        self._resolved.update(commits)

    def tags(self) -> tuple[Tag, ...]:
        """Give the tags that lead to commits, by name."""
        shape = ("refname:strip=2", "objecttype", "objectname", "*objecttype", "*objectname", "creatordate:iso-strict")
        form = "%00".join(f"%({field})" for field in shape)
        tags: list[Tag] = []
        for row in self._git.output("for-each-ref", f"--format={form}", "refs/tags").split(b"\n"):
            if row:
                name, kind, sha, inner_kind, inner, when = row.decode("utf-8", "replace").split("\0")
                if "commit" in (kind, inner_kind):
                    tags.append(Tag(name, inner if inner_kind == "commit" else sha, moment(when)))
        return tuple(tags)

    def merged_tags(self, revision: str = "HEAD") -> frozenset[str]:
        """Give the names of the tags that lie behind a revision; those of other branches do not."""
        merged = f"--merged={self.resolve(revision)}"
        output = self._git.output("for-each-ref", merged, "--format=%(refname:strip=2)", "refs/tags")
        return frozenset(output.decode("utf-8", "replace").splitlines())


def could_be_schema(path: str) -> bool:
    """Whether a path may hold a schema by its ending, or as Iglu names schemas."""
    return path.lower().endswith(SUFFIXES) or is_iglu(path)


def is_iglu(path: str) -> bool:
    """Whether a path is that of a schema in an Iglu registry."""
    return "jsonschema/" in path and _IGLU.fullmatch(path) is not None

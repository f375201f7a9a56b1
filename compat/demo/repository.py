"""The repository of the tour: the packaged history as real commits, tags and branches."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from pathlib import Path

from git import Git

from compat.demo.history import Entry, chapters

MAIN = "main"
CARELESS = "whole-turns-only"
HONEST = "whole-turns-only-as-3"


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit to write on `branch`; a branch that is new starts where `main` then stands.

    `label` names the version that it brings, where it brings one.
    """

    branch: str
    when: datetime
    author: str
    message: str
    files: Mapping[str, bytes]
    label: str | None = None
    tag: str | None = None


def commits() -> Iterator[Commit]:
    """Order the history by time: a version is released, and what was stored under it is kept before the next one.

    The newest version is not merged: it waits on a branch, once as a careless author would send it, with the number
    left as it was, and once as it really came.
    """
    *past, proposed = chapters()
    found: list[Commit] = []
    for chapter in past:
        entry = chapter.entry
        found.append(_release(MAIN, entry, chapter.released))
        if chapter.stored and entry.stored:
            message = f"{entry.lineage}: keep what was stored under version {entry.version}"
            found.append(Commit(MAIN, _at(entry.stored, 18), entry.author, message, chapter.stored))
    yield from sorted(found, key=lambda commit: commit.when)
    entry = proposed.entry
    newest = max((c.entry for c in past if c.entry.lineage == entry.lineage), key=lambda earlier: earlier.when)
    marker, kept = (f"{entry.lineage}/{number}".encode() for number in (entry.version, newest.version))
    careless = {entry.schema_path: entry.schema.replace(marker, kept)}
    yield Commit(CARELESS, _at(entry.when, 8), entry.author, f"{entry.lineage}: {entry.message}", careless)
    yield _release(HONEST, entry, {entry.schema_path: entry.schema}, tagged=False)


def _release(branch: str, entry: Entry, content: Mapping[str, bytes], *, tagged: bool = True) -> Commit:
    return Commit(
        branch=branch,
        when=_at(entry.when, 9),
        author=entry.author,
        message=f"{entry.lineage}: version {entry.version}, {entry.message}",
        files=content,
        label=entry.label,
        # The first release of a number gets the tag; later revisions of it get none.
        tag=f"{entry.lineage}/{entry.version}" if tagged and entry.released and entry.revision == 1 else None,
    )


def _at(day: date, hour: int) -> datetime:
    return datetime.combine(day, time(hour), UTC)


def build(folder: Path) -> dict[str, str]:
    """Write the history into a new git repository in `folder`, check out `main`, and give the commit of each version.

    Everything about a commit is fixed, so the ids are the same on every machine. Nothing of the machine's or the
    user's git takes part: no configuration, no template, no hook.
    """
    git = _git(folder)
    git.init("--quiet", "--template=", "--object-format=sha1", f"--initial-branch={MAIN}")
    labels: dict[str, str] = {}
    branches: set[str] = set()
    marks = folder / ".git" / "demo-marks"
    # One stream, one process: no index, so no filter and no hook of the machine has a say in what is written.
    with tempfile.TemporaryFile() as stream:
        for mark, commit in enumerate(commits(), 1):
            stream.write(_command(commit, mark, start=bool(branches) and commit.branch not in branches))
            branches.add(commit.branch)
            if commit.label is not None:
                labels[f":{mark}"] = commit.label
        stream.seek(0)
        git.fast_import("--quiet", f"--export-marks={marks}", istream=stream)
    switch(folder, MAIN)
    ids = dict(line.split() for line in marks.read_text(encoding="ascii").splitlines())
    marks.unlink()
    return {label: ids[mark] for mark, label in labels.items()}


def switch(folder: Path, branch: str) -> None:
    """Check a branch of the built repository out."""
    _git(folder).checkout("--quiet", "--force", branch)


def _git(folder: Path) -> Git:
    git = Git(folder)
    git.update_environment(
        GIT_DIR=str(folder / ".git"),
        GIT_WORK_TREE=str(folder),
        GIT_INDEX_FILE=str(folder / ".git" / "index"),
        GIT_OBJECT_DIRECTORY=str(folder / ".git" / "objects"),
        GIT_CONFIG_NOSYSTEM="1",
        GIT_CONFIG_GLOBAL=os.devnull,
        GIT_TERMINAL_PROMPT="0",
    )
    return git


def _command(commit: Commit, mark: int, *, start: bool) -> bytes:
    """Write one commit in the language of `git fast-import`."""
    message = f"{commit.message}\n".encode()
    who = f"{commit.author} {int(commit.when.timestamp())} +0000".encode()
    out = [f"commit refs/heads/{commit.branch}\nmark :{mark}\n".encode()]
    out += [b"author ", who, b"\ncommitter ", who, b"\n", _data(message)]
    if start:
        out.append(f"from refs/heads/{MAIN}\n".encode())
    for path, content in commit.files.items():
        out += [f"M 100644 inline {path}\n".encode(), _data(content)]
    if commit.tag is not None:
        out += [f"tag {commit.tag}\nfrom :{mark}\ntagger ".encode(), who, b"\n", _data(message)]
    return b"".join(out)


def _data(content: bytes) -> bytes:
    return b"data %d\n%b\n" % (len(content), content)
